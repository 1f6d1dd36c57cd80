"""Arrays on a program's GPU go in and come out without the host. The GPU is the host: the library in C that the runtime is tested with
stands for the driver, and a bundle for CPUs for one for it. So pointers of "its" memory can be looked at here."""

import ctypes
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import meshloom

ROOT = Path(__file__).parents[2]
STAND_IN = Path(os.environ.get("MESHLOOM", "")).with_name("gpu-stand-in")
TEXT = """mesh [data: 1, model: 1]
entry f(w: f32[4, 6] @ [data, model], x: f32[3, 4], n: i32[3] in 0..4) -> (f32[3, 6], f32[4, 6], f32[3, 6]) {
  let half = w * 0.5 @ [data, model]
  (dot(x, w), half, w[n])
}
"""
CPU, GPU = (1, 0), (2, 0)


@pytest.fixture(scope="session")
def driver(tmp_path_factory):
    if not STAND_IN.exists():
        pytest.skip(f"{STAND_IN} was not built")
    to = tmp_path_factory.mktemp("cuda") / "libcuda.so.1"
    source = ROOT / "runtime/tests/it/common/cuda/fake.c"
    subprocess.run(["cc", "-O2", "-fPIC", "-shared", "-Wl,-soname,libcuda.so.1", "-o", to, source], check=True)
    # The runtime then finds it by name.
    return ctypes.CDLL(str(to), mode=ctypes.RTLD_GLOBAL)


@pytest.fixture(scope="session")
def bundle(driver, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bundle")
    (folder / "f.loom").write_text(TEXT)
    compile = [os.environ["MESHLOOM"], "compile", "f.loom", "--mesh", "data=2,model=3", "--plan", "follow", "--cpu", "native", "-o", "f.loomx"]
    subprocess.run(compile, cwd=folder, check=True, capture_output=True)
    subprocess.run([STAND_IN, "f.loomx", "gpu.loomx"], cwd=folder, check=True)
    return folder / "gpu.loomx"


def moved(capsule, kind):
    """A capsule of DLPack that says that its memory is elsewhere."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    at = pointer(capsule, b"dltensor")
    # Behind the pointer to the elements.
    ctypes.c_int32.from_address(at + 8).value = kind
    return capsule


class OnGpu:
    """Memory of NumPy's as an array on the GPU."""

    def __init__(self, host):
        self.host, self.streams = host, []

    def __dlpack_device__(self):
        return GPU

    def cpu(self):
        """As PyTorch has it."""
        return self.host

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        self.streams.append(stream)
        return moved(self.host.__dlpack__(), GPU[0])


class OnHost:
    """An array on the GPU as one on the host."""

    def __init__(self, gpu):
        self.gpu = gpu

    def __dlpack_device__(self):
        return CPU

    def __dlpack__(self, **_):
        return moved(self.gpu.__dlpack__(stream=-1), CPU[0])


def arguments():
    w, x = np.arange(24, dtype=np.float32).reshape(4, 6), np.ones((3, 4), np.float32)
    return w, x, np.array([3, 0, 1], np.int32)


def test_arrays_on_the_gpu_pass_without_the_host(driver, bundle):
    program = meshloom.load(bundle)
    w, x, n = arguments()
    on_gpu = OnGpu(w)
    made = program(on_gpu, OnGpu(x), n)
    assert len(on_gpu.streams) == 1 and on_gpu.streams[0] > 2
    before = driver.fake_cuda_host_copies()
    # n alone is looked at: its values have to be below 4.
    program._write("w", OnGpu(w))
    half = made["out.1"]
    assert half.__dlpack_device__() == GPU
    seen = np.from_dlpack(OnHost(half))
    assert driver.fake_cuda_host_copies() == before
    assert np.array_equal(seen, w * 0.5)
    assert np.from_dlpack(OnHost(half)).ctypes.data == seen.ctypes.data
    assert np.array_equal(np.from_dlpack(OnHost(made["out.0"])), x @ w)
    assert np.array_equal(np.asarray(made["out.2"]), w[n])


def test_memory_outlives_the_array_and_the_program(bundle):
    program = meshloom.load(bundle)
    w, x, n = arguments()
    made = program(OnGpu(w), OnGpu(x), n)
    seen = np.from_dlpack(OnHost(made["out.1"]))
    del made, program
    assert np.array_equal(seen, w * 0.5)


def test_results_of_an_earlier_call_stay_on_the_gpu(driver, bundle):
    program = meshloom.load(bundle)
    w, x, n = arguments()
    first = program(OnGpu(w), OnGpu(x), n)["out.1"]
    before = driver.fake_cuda_host_copies()
    second = program(OnGpu(w + 1), OnGpu(x), OnGpu(n))["out.1"]
    assert "on the GPU" in repr(first) and "on the devices" in repr(second)
    # The numbers of rows come by way of the host, in one piece for each device.
    assert driver.fake_cuda_host_copies() - before <= 6
    assert np.array_equal(first.numpy(), w * 0.5)
    assert np.array_equal(np.from_dlpack(second, device="cpu"), (w + 1) * 0.5)


def test_what_needs_the_host_takes_that_way(bundle):
    program = meshloom.load(bundle)
    w, x, n = arguments()
    # Another order of elements, another type, and a number that is out of range.
    assert np.array_equal(program(OnGpu(w.T.copy().T), x, n)["out.1"], w * 0.5)
    assert np.array_equal(program(OnGpu(w), x, OnGpu(n.astype(np.int64)))["out.2"], w[n])
    with pytest.raises(meshloom.Error, match="element 1 is 9"):
        program(OnGpu(w), x, OnGpu(np.array([0, 9, 1], np.int32)))
    with pytest.raises(meshloom.Error, match=r"expected f32\[4, 6\]"):
        program(OnGpu(w.T.copy()), x, n)
