"""The native half: a bundle on the devices of this process. `meshloom.Program` is made of it."""

from collections.abc import Buffer
from os import PathLike
from typing import Any

__version__: str

class Error(RuntimeError):
    """What Meshloom refuses or cannot do.

    Attributes:
        code: the exit code that the command would end with.
    """

    code: int

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
    def ports(self) -> list[dict[str, Any]]:
        """Of each tensor, of each layer of a list on its own: name, role, dtype, shape, and whether state has no initial value."""

    def initialize(self) -> None:
        """Gives parameters and state the initial values that the source says."""

    def write(self, name: str, dtype: str, shape: list[int], memory: Buffer) -> None:
        """Copies a whole tensor, dense and row-major, into the shards."""

    def read_into(self, name: str, memory: Buffer) -> None:
        """Copies a whole tensor from the shards into memory of as many bytes."""

    def step(self) -> tuple[int, float | None, list[tuple[str, float]]]:
        """Runs once. Gives the number of the step, the loss and the metrics."""
