"""The native half: a bundle on the devices of this process. `meshloom.Program` is made of it."""

from os import PathLike
from typing import Any

from typing_extensions import Buffer

__version__: str

class Error(RuntimeError):
    """What Meshloom refuses or cannot do.

    Attributes:
        code: the exit code that the command would end with.
    """

    code: int

class GpuArray:
    """A tensor in memory of a GPU, dense and row-major. Whoever takes it by DLPack may keep it for longer than the program lives."""

    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def read_into(self, memory: Buffer) -> None:
        """Copies it to memory of the host's of as many bytes."""

class Session:
    """One entry of a bundle. Any thread may use it; one call runs at a time.

    Raises:
        Error: the bundle cannot be read, or does not run on this machine.
        ValueError: several entries, and none is named.
    """

    def __new__(
        cls, path: str | PathLike[str], entry: str | None = None, *, threads: int | None = None, seed: int = 0
    ) -> Session: ...
    @property
    def entry(self) -> str: ...
    @property
    def train(self) -> bool:
        """Whether it trains; else it is a function."""

    @property
    def devices(self) -> int: ...
    @property
    def gpu(self) -> tuple[int, int] | None:
        """Where its devices are, as `__dlpack_device__` has it, if they are GPUs."""

    def ports(self) -> list[dict[str, Any]]:
        """Of each tensor, of each layer of a list on its own: name, role, dtype, shape, and whether state has no initial value."""

    def initialize(self) -> None:
        """Gives parameters and state the initial values that the source says."""

    def write(self, name: str, dtype: str, shape: list[int], memory: Buffer) -> None:
        """Copies a whole tensor, dense and row-major, into the shards."""

    def read_into(self, name: str, memory: Buffer) -> None:
        """Copies a whole tensor from the shards into memory of as many bytes."""

    def write_from_gpu(self, name: str, value: Any) -> bool:
        """Copies a whole tensor into the shards from an array on their GPU, which has `__dlpack__`. False: it was not, and has to come by
        way of the host, since it is not dense, not of the type that the program has, or its elements have to be looked at."""

    def read_on_gpu(self, name: str) -> GpuArray | None:
        """Copies a whole tensor from the shards into memory of their GPU. None: it was not, and has to come by way of the host."""

    def step(self) -> tuple[int, float | None, list[tuple[str, float]]]:
        """Runs once. Gives the number of the step, the loss and the metrics."""
