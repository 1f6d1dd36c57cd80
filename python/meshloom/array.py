"""Arrays that a program gives: they stay on its devices until somebody looks at them."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Iterator

import numpy as np

from ._command import Error
from ._native import GpuArray
from ._running import Call

if TYPE_CHECKING:
    from .program import Program

# `kDLCUDA`.
CUDA = 2

# JAX takes memory over without a copy where it is aligned so.
ALIGNMENT = 64


# Names of Meshloom and of NumPy. bf16 is a type of `ml_dtypes`; complex numbers are pairs of floats in programs, and called as in NumPy.
NAMES = {
    "f32": "float32",
    "f64": "float64",
    "f16": "float16",
    "bf16": "bfloat16",
    "i32": "int32",
    "i64": "int64",
    "u32": "uint32",
    "u64": "uint64",
    "i8": "int8",
    "u8": "uint8",
    "bool": "bool",
}


def numpy_dtype(name: str) -> np.dtype[Any]:
    """NumPy's type for an element type of Meshloom.

    Raises:
        Error: bf16 without `ml_dtypes`, which comes with JAX.
    """
    if name == "bf16":
        try:
            import ml_dtypes
        except ImportError:
            raise Error("bf16 needs the package ml_dtypes: `pip install ml_dtypes`") from None
        bfloat16: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
        return bfloat16
    return np.dtype(NAMES.get(name, name))


def element(dtype: np.dtype) -> str:
    """Meshloom's name for a NumPy type.

    Raises:
        TypeError: it has none.
    """
    for name, known in NAMES.items():
        if known == dtype.name:
            return name
    raise TypeError(f"elements of type {dtype.name} are not taken; there are {', '.join(NAMES.values())}")


def empty(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Memory that JAX and PyTorch take over as it is."""
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    raw = np.empty(size + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    return raw[start : start + size].view(dtype).reshape(shape)


def parts(host: np.ndarray) -> np.ndarray:
    """Complex numbers as pairs, in a last dim of 2; other arrays as they are. The memory is the same."""
    if host.dtype.kind != "c":
        return host
    return host.reshape(*host.shape, 1).view(host.real.dtype)


def memory(array: np.ndarray) -> memoryview:
    """The bytes of a contiguous array, as they lie there."""
    return array.reshape(-1).view(np.uint8).data if array.size else memoryview(b"")


def on_host(value: Any) -> np.ndarray:
    """A value as a NumPy array: the same memory where it is a contiguous array on the host, of NumPy, JAX, PyTorch or anything else that
    has `__dlpack__` or `__array__`; a copy otherwise."""
    if isinstance(value, Array):
        return value.numpy()
    if not isinstance(value, np.ndarray):
        value = _taken(_bits(value))
    return value if value.flags.c_contiguous else np.ascontiguousarray(value)


def _bits(value: Any) -> Any:
    """The bits of a typed key of JAX (`jax.random.key`), which are what a lowered function takes; any other value as it is."""
    if str(getattr(value, "dtype", "")).startswith("key<"):
        import jax

        return jax.random.key_data(value)
    return value


def _taken(value: Any) -> np.ndarray:
    if hasattr(value, "__dlpack__"):
        try:
            return np.from_dlpack(value)
        except (BufferError, RuntimeError, TypeError, ValueError):
            # What NumPy's DLPack does not know (bf16), or is not on the host.
            pass
    # Tensors of PyTorch on a GPU do not come to the host unless they are asked to.
    if on_gpu(value) and hasattr(value, "cpu"):
        value = value.cpu()
    return np.asarray(value)


def on_gpu(value: Any) -> tuple[int, int] | None:
    """Where a value lies, as DLPack has it, if that is one GPU."""
    if not hasattr(value, "__dlpack_device__"):
        return None
    try:
        kind, number = value.__dlpack_device__()
    except (BufferError, RuntimeError, TypeError, ValueError):
        # JAX's, of arrays on several devices.
        return None
    return (int(kind), int(number)) if int(kind) == CUDA else None


class Array(np.lib.mixins.NDArrayOperatorsMixin):
    """A tensor that a `Program` computed. The call that computes it may still run: the first look waits for it. It lies on the program's devices, in shards; the first look at its values copies it together.
    Of a program on CPU devices that is a copy on the host, and `__dlpack__` and `numpy()` hand that memory on without another copy. Of a
    program on a GPU, `__dlpack__` hands on a copy on that GPU, and `numpy()` one on the host.

    Passed back to the program at the argument that it is the next value of (a donated argument), it is not copied at all. After that it
    is gone, as a donated array of JAX is.

    Arithmetic, comparisons, indexing and NumPy's functions work on the values, and give arrays of NumPy. `jnp.asarray(a)` is
    an array of JAX on the same memory, which functions of JAX ask for. `a += 1` binds `a` anew, and changes nothing.
    """

    def __init__(self, program: "Program", name: str, shape: tuple[int, ...], dtype: np.dtype, call: Call):
        self._program, self._name, self._gone, self._call = program, name, False, call
        self._host: np.ndarray | None = None
        self._gpu: GpuArray | None = None
        self.shape, self.dtype = shape, dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def numpy(self) -> np.ndarray:
        """The values, in memory that this array owns.

        Raises:
            Error: the array was donated to a later call.
        """
        if self._host is None and self._gpu is not None:
            host = empty(self.shape, self.dtype)
            self._gpu.read_into(memory(host) if host.size else bytearray())
            self._host = host
        if self._host is None:
            self._alive()
            self._host = self._program._read(self._name, self.shape, self.dtype)
        return self._host

    def _on_gpu(self) -> GpuArray | None:
        """The values in memory of the program's GPU; None if it has none, or the values have to come by way of the host."""
        if self._gpu is None and self._host is None:
            self._alive()
            self._gpu = self._program._session.read_on_gpu(self._name)
        return self._gpu

    def block_until_ready(self) -> "Array":
        """Waits for the call that computes it; `jax.block_until_ready` does so for a tree of them.

        Raises:
            Error: what the call ended with.
        """
        self._call.wait()
        return self

    def _alive(self) -> None:
        if self._gone:
            raise Error(f"`{self._name}` was donated to a later call of the program, and is no more")
        self._call.wait()

    def _leave(self, donated: bool) -> None:
        """Called before the program writes over the memory."""
        if donated:
            self._gone = True
            return
        if self._call.failed:
            # There is nothing to keep.
            return
        try:
            if self._on_gpu() is not None:
                return
        except Error:
            # The GPU has too little memory for another copy.
            pass
        self.numpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        host = self.numpy()
        if dtype is not None and np.dtype(dtype) != self.dtype:
            return host.astype(dtype)
        return host.copy() if copy else host

    def __dlpack__(self, **how: Any) -> Any:
        gpu = self._on_gpu()
        # Whoever wants it on the host says so.
        if gpu is not None and (how.get("dl_device") or gpu.__dlpack_device__()) == gpu.__dlpack_device__():
            return gpu.__dlpack__(**how)
        return self.numpy().__dlpack__(**{k: v for k, v in how.items() if k != "stream"})

    def __dlpack_device__(self) -> tuple[int, int]:
        gpu = self._on_gpu()
        return self.numpy().__dlpack_device__() if gpu is None else gpu.__dlpack_device__()

    def __jax_array__(self) -> Any:
        """What `jnp.asarray` takes it as: the same memory, where JAX has the type."""
        import jax

        if self.dtype.kind == "c" or self.dtype == np.bool_ or (self.dtype.itemsize == 8 and not jax.config.jax_enable_x64):
            return jax.numpy.asarray(self.numpy())
        return jax.numpy.from_dlpack(self)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **how: Any) -> Any:
        # `a += 1` asks for `a` as the place of the result, which is made anew.
        if any(isinstance(o, Array) for o in how.get("out") or ()):
            how.pop("out")
        return getattr(ufunc, method)(*(i.numpy() if isinstance(i, Array) else i for i in inputs), **how)

    def item(self) -> Any:
        """The only element, as a number of Python."""
        return self.numpy().item()

    def tolist(self) -> Any:
        """The values as lists of Python."""
        return self.numpy().tolist()

    def astype(self, dtype: Any) -> np.ndarray:
        """The values in another type, as an array of NumPy."""
        return self.numpy().astype(dtype)

    def reshape(self, *shape: Any) -> np.ndarray:
        """The values in another shape, as an array of NumPy on the same memory."""
        return self.numpy().reshape(*shape)

    @property
    def T(self) -> np.ndarray:
        """The transpose, as an array of NumPy on the same memory."""
        return self.numpy().T

    def __getitem__(self, at: Any) -> Any:
        return self.numpy()[at.numpy() if isinstance(at, Array) else at]

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("a scalar has no elements to go over")
        return iter(self.numpy())

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        return operator.index(self.numpy()[()])

    def __bool__(self) -> bool:
        return bool(self.numpy())

    def __format__(self, how: str) -> str:
        return format(self.item() if self.size == 1 and not self.shape else self.numpy(), how)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a scalar has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        looked = "on the host" if self._host is not None else "on the GPU" if self._gpu is not None else "on the devices"
        where = "donated" if self._gone else looked
        return f"<meshloom.Array {self._name}: {self.dtype.name}{list(self.shape)}, {where}>"
