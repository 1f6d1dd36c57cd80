"""Arrays that a program gives: they stay on its devices until somebody looks at them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._command import Error

if TYPE_CHECKING:
    from .program import Program

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
    "u8": "uint8",
    "bool": "bool",
}


def numpy_dtype(name: str) -> np.dtype:
    """NumPy's type for an element type of Meshloom.

    Raises:
        Error: bf16 without `ml_dtypes`, which comes with JAX.
    """
    if name == "bf16":
        try:
            import ml_dtypes
        except ImportError:
            raise Error("bf16 needs the package ml_dtypes: `pip install ml_dtypes`") from None
        return np.dtype(ml_dtypes.bfloat16)
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
    return memoryview(array.reshape(-1).view(np.uint8)) if array.size else memoryview(b"")


def on_host(value: Any) -> np.ndarray:
    """A value as a NumPy array: the same memory where it is a contiguous array on the host, of NumPy, JAX, PyTorch or anything else that
    has `__dlpack__` or `__array__`; a copy otherwise."""
    if isinstance(value, Array):
        return value.numpy()
    if not isinstance(value, np.ndarray):
        value = _taken(value)
    return value if value.flags.c_contiguous else np.ascontiguousarray(value)


def _taken(value: Any) -> np.ndarray:
    if hasattr(value, "__dlpack__"):
        try:
            return np.from_dlpack(value)
        except (BufferError, RuntimeError, TypeError, ValueError):
            # What NumPy's DLPack does not know (bf16), or is not on the host.
            pass
    return np.asarray(value)


class Array:
    """A tensor that a `Program` computed. It lies on the program's devices, in shards; the first look at its values copies it to the
    host once, and `__dlpack__` and `numpy()` hand that memory on without another copy.

    Passed back to the program at the argument that it is the next value of (a donated argument), it is not copied at all. After that it
    is gone, as a donated array of JAX is.
    """

    def __init__(self, program: "Program", name: str, shape: tuple[int, ...], dtype: np.dtype):
        self._program, self._name, self._host, self._gone = program, name, None, False
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
        if self._host is None:
            if self._gone:
                raise Error(f"`{self._name}` was donated to a later call of the program, and is no more")
            self._host = self._program._read(self._name, self.shape, self.dtype)
        return self._host

    def _leave(self, donated: bool) -> None:
        """Called before the program writes over the memory."""
        if donated:
            self._gone = True
        else:
            self.numpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        host = self.numpy()
        if dtype is not None and np.dtype(dtype) != self.dtype:
            return host.astype(dtype)
        return host.copy() if copy else host

    def __dlpack__(self, **how: Any) -> Any:
        return self.numpy().__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.numpy().__dlpack_device__()

    def item(self) -> Any:
        """The only element, as a number of Python."""
        return self.numpy().item()

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a scalar has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        where = "donated" if self._gone else "on the host" if self._host is not None else "on the devices"
        return f"<meshloom.Array {self._name}: {self.dtype.name}{list(self.shape)}, {where}>"
