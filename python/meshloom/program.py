"""Programs that run: compiled here, or read from a bundle."""

from __future__ import annotations

import json
import sys
import tempfile
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable, Mapping

import numpy as np

from . import _command, _source, array, torch
from ._command import Error
from ._native import Session
from ._running import Call
from .array import Array

# Types that JAX takes as narrower ones.
_NARROWED = {np.dtype(a): np.dtype(b) for a, b in [("f8", "f4"), ("i8", "i4"), ("u8", "u4"), ("c16", "c8")]}


@dataclass(frozen=True)
class Port:
    """A tensor that a program takes or gives.

    Attributes:
        name: its path in the source; layers of a list have one each, `blocks.3.qkv`.
        role: `parameter`, `state`, `input`, `output`, `loss` or `metric`.
        shape, dtype: of the whole tensor.
        given: of state: the program has no initial value for it.
    """

    name: str
    role: str
    shape: tuple[int, ...]
    dtype: np.dtype
    given: bool


@dataclass(frozen=True)
class Result:
    """A result of a function by its position: its name, and the argument whose next value it is."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype
    updates: str | None


@dataclass(frozen=True)
class Step:
    """What a step of training reports: its number, the loss, and the metrics by name."""

    step: int
    loss: float | None
    metrics: dict[str, float]


class Program:
    """One entry of a bundle on the devices of this process: CPU devices are threads, GPUs are those of the machine.

    A function is called with its arguments (`program(x, y)`); a `train` takes `step(tokens=.., targets=..)`. Values are anything with
    `__dlpack__` or `__array__`: arrays of NumPy, JAX and PyTorch on the host are read where they lie, and so are those on the GPU of a
    program on GPUs.
    """

    def __init__(self, path: Path, entry: str | None, threads: int | None, seed: int, signature: "_Signature | None" = None):
        self._session = Session(path, entry, threads=threads, seed=seed)
        self._signature = signature
        self._ports = {p["name"]: _port(p) for p in self._session.ports()}
        # Results that somebody still has, by `id`: arrays compare by element, so they have no hash.
        self._living: weakref.WeakValueDictionary[int, Array] = weakref.WeakValueDictionary()
        self._running: Call | None = None

    @property
    def entry(self) -> str:
        """Its name in the source."""
        return self._session.entry

    @property
    def devices(self) -> int:
        """How many devices it runs on."""
        return self._session.devices

    @property
    def ports(self) -> dict[str, Port]:
        """All tensors that it takes or gives, by name."""
        return dict(self._ports)

    def initialize(self) -> None:
        """Gives parameters and state the initial values that the source says, by the seed that the program was opened with."""
        self._before()
        self._session.initialize()

    def write(self, values: Mapping[str, Any]) -> None:
        """Gives tensors values by name: inputs, parameters, state.

        Raises:
            Error: an unknown name, another shape, an element type that is not converted.
        """
        self._finish()
        for name, value in values.items():
            self._write(name, value)

    def read(self, name: str) -> np.ndarray:
        """The value of a tensor now.

        Raises:
            Error: an unknown name.
        """
        port = self._ports.get(name)
        if port is None:
            raise Error(f"`{name}` is no tensor of `{self.entry}`, which has {', '.join(self._ports)}")
        self._finish()
        return self._read(name, port.shape, port.dtype)

    def step(self, **inputs: Any) -> Step:
        """Runs one step of training, or a function once, with new values of these inputs.

        Raises:
            Error: as `write`; what happens while it runs.
        """
        self._before()
        self.write(inputs)
        number, loss, metrics = self._session.step()
        return Step(number, loss, dict(metrics))

    def state_dict(self) -> dict[str, np.ndarray]:
        """Parameters and optimizer state by name: what a checkpoint holds."""
        return {n: self.read(n) for n, p in self._ports.items() if p.role in ("parameter", "state")}

    def load_state_dict(self, values: Mapping[str, Any]) -> None:
        """Takes what `state_dict` gave, on any mesh.

        Raises:
            Error: a tensor is missing or unknown.
        """
        own = {n for n, p in self._ports.items() if p.role in ("parameter", "state")}
        if missing := sorted(own - set(values)):
            raise Error(f"there is no value for {', '.join(missing)}")
        self._before()
        self.write(values)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs a function. Of a JAX function, arguments and results are its trees; of another, arguments are given by position or by
        name, and results are an `Array`, or a dict of them where there are several.

        It returns once the arguments are copied into the devices' shards, and the function runs on. Looking at a result waits for it, and so
        do `block_until_ready` of a result or of the program, and the next call.

        Raises:
            TypeError: the arguments are not those of the function, or are traced by JAX.
            Error: what the call before ended with, if nobody has looked at a result of it.
        """
        if self._session.train:
            raise TypeError(f"`{self.entry}` trains: call step(..)")
        signature = self._signature or _Signature.of_ports(self._ports.values())
        values = signature.flatten(args, kwargs)
        _refuse_traced(self.entry, values)
        donated = {r.updates for r in signature.results if r.updates is not None}
        passed = {id(v) for n, v in values if n in donated and self._is_there(v, n)}
        self._before(passed)
        for name, value in values:
            if id(value) not in passed:
                self._write(name, value)
        call = self._running = Call(self._session.step)
        made = [Array(self, r.updates or r.name, r.shape, r.dtype, call) for r in signature.results]
        for a in made:
            self._living[id(a)] = a
        return signature.unflatten(made)

    def block_until_ready(self) -> "Program":
        """Waits for the call that runs, if one does.

        Raises:
            Error: what it ended with.
        """
        if self._running is not None:
            self._running.wait()
        return self

    def _finish(self) -> None:
        """What the devices hold is about to be read or written: the call that runs ends before."""
        if self._running is not None:
            self._running.pass_by()
            self._running = None

    def _is_there(self, value: Any, name: str) -> bool:
        """Whether a value is what the devices hold under this name."""
        return (
            isinstance(value, Array)
            and value._program is self
            and value._name == name
            and not value._gone
            and self._living.get(id(value)) is value
        )

    def _before(self, donated: Iterable[int] = ()) -> None:
        """The memory of earlier results is about to be written over: those that somebody has still are read, donated ones end."""
        donated = set(donated)
        try:
            self._finish()
            for a in list(self._living.values()):
                a._leave(id(a) in donated)
        finally:
            self._living = weakref.WeakValueDictionary()

    def _write(self, name: str, value: Any) -> None:
        gpu = self._session.gpu
        if gpu is not None and array.on_gpu(value) == gpu and self._session.write_from_gpu(name, value):
            return
        host = array.on_host(value)
        port = self._ports.get(name)
        # Numbers of Python have no width of their own.
        if port is not None and isinstance(value, (bool, int, float, complex)):
            host = np.asarray(value, port.dtype)
        # As JAX does where x64 is off.
        if port is not None and _NARROWED.get(host.dtype) == port.dtype:
            host = host.astype(port.dtype)
        if port is not None and (port.dtype.kind == "c") != (host.dtype.kind == "c"):
            expected, found = (f"{d.name}{list(shape)}" for d, shape in ((port.dtype, port.shape), (host.dtype, host.shape)))
            raise Error(f"{name}: expected {expected}, found {found}")
        # Programs hold them as signed ones of the same bits.
        if port is not None and port.dtype == host.dtype == np.uint64:
            host = host.view(np.int64)
        host = array.parts(host)
        self._session.write(name, array.element(host.dtype), list(host.shape), array.memory(host))

    def _read(self, name: str, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        made = array.empty(shape, dtype)
        self._session.read_into(name, array.memory(made) if made.size else bytearray())
        return made

    def __repr__(self) -> str:
        return f"<meshloom.Program {self.entry} on {self.devices} devices>"


@dataclass(frozen=True)
class _Signature:
    """How arguments and results of a function are tensors of a program."""

    arguments: list[str]
    results: list[Result]
    tree: _source.Tree | None = None
    static: _source.Static | None = None

    @staticmethod
    def of_ports(ports: Iterable[Port]) -> "_Signature":
        ports = list(ports)
        arguments = [p.name for p in ports if p.role in ("parameter", "state", "input")]
        results = [Result(p.name, p.shape, p.dtype, None) for p in ports if p.role == "output"]
        return _Signature(arguments, results)

    def flatten(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[tuple[str, Any]]:
        if self.tree is None:
            if len(args) > len(self.arguments):
                raise TypeError(f"{len(args)} arguments where there are {len(self.arguments)}: {', '.join(self.arguments)}")
            given = dict(zip(self.arguments, args))
            if again := sorted(set(given) & set(kwargs)):
                raise TypeError(f"given twice: {', '.join(again)}")
            return list({**given, **kwargs}.items())
        import jax

        if self.static is not None:
            args, kwargs = self.static.checked(args, kwargs)
        leaves, found = jax.tree.flatten((args, kwargs))
        if found != self.tree.arguments:
            raise TypeError(f"the function was lowered for arguments {self.tree.arguments}, and these are {found}")
        return [(name, leaves[i]) for name, i in zip(self.arguments, self.tree.kept)]

    def unflatten(self, made: list[Array]) -> Any:
        if self.tree is not None:
            import jax

            return jax.tree.unflatten(self.tree.results, made)
        return made[0] if len(made) == 1 else {a._name: a for a in made}


def load(path: Any, *, entry: str | None = None, threads: int | None = None, seed: int = 0) -> Program:
    """Opens a bundle that `meshloom compile` wrote.

    Args:
        entry: the entry to run; without it the one that trains, or the only one.
        threads: worker threads for CPU devices; by default one per core.
        seed: for initial values.

    Raises:
        Error: it cannot be read, or does not run on this machine.
    """
    return Program(Path(path), entry, threads, seed)


def compile(
    model: Any,
    *args: Any,
    entry: str | None = None,
    threads: int | None = None,
    seed: int = 0,
    kwargs: Mapping[str, Any] | None = None,
    static_argnums: int | Iterable[int] = (),
    static_argnames: str | Iterable[str] = (),
    **options: Any,
) -> Any:
    """Compiles a model for this machine, or for GPUs with `target=`, and opens it. Of an `nn.Module` of PyTorch, a
    `meshloom.torch.Trainer` of its train step.

    Args:
        model, args, entry, kwargs, static_argnums, static_argnames: as for `plan`.
        threads, seed: as for `load`.
        options: those of `meshloom compile`, with `_` for `-`: `mesh={"data": 8}`, `layout="fsdp"`, `recompute="full"`.

    Raises:
        Rejected: the model or an option is refused, with diagnostics.
    """
    if torch.is_module(model):
        return torch.compile(model, args, {"entry": entry, "threads": threads, "seed": seed, **options})
    source = _source.of(model, args, kwargs or {}, static_argnums, static_argnames)
    # For which CPUs concerns `compile` alone.
    cpu = _command.flags({"cpu": options.pop("cpu", None if "target" in options else "native")})
    flags = _command.flags({"entry": entry, **options})
    signature = None if source.is_train() else _signature(source, flags)
    with tempfile.TemporaryDirectory(prefix="meshloom-") as folder:
        bundle = Path(folder) / "program.loomx"
        source.run("compile", "-o", bundle, *cpu, *flags)
        return Program(bundle, entry, threads, seed, signature)


def _signature(source: _source.Source, flags: list[str]) -> _Signature:
    """Names by position, which are those of the program before its layers were rolled."""
    more = [] if "--no-roll" in flags else ["--no-roll"]
    told = json.loads(source.run("inputs", "--json", *flags, *more))["entries"]
    if len(told) != 1:
        raise Error(f"the module has {len(told)} functions, {', '.join(t['entry'] for t in told)}: name one with entry=")
    arguments = [t["name"] for t in told[0]["inputs"]]
    results = [Result(r["name"], tuple(r["shape"]), array.numpy_dtype(r["dtype"]), r["updates"]) for r in told[0]["results"]]
    tree = source.tree
    if tree is not None and len(tree.kept) != len(arguments):
        raise Error(f"the function takes {len(arguments)} tensors, and JAX says that it keeps {len(tree.kept)}; lower it with keep_unused=True")
    return _Signature(arguments, results, tree, source.static)


def _refuse_traced(entry: str, values: Iterable[tuple[str, Any]]) -> None:
    """A compiled program has no derivative, and is no part of another one.

    Raises:
        TypeError: a value is one of JAX's that stand for values while a function is traced.
    """
    jax = sys.modules.get("jax")
    if jax is None:
        return
    for name, value in values:
        if isinstance(value, jax.core.Tracer):
            raise TypeError(
                f"`{entry}` is compiled, and was called with `{name}` traced by jax.jit, jax.grad or jax.vmap. Compose in JAX, then compile: "
                "meshloom.compile(jax.grad(f), ..). Where only values are needed, jax.pure_callback calls it while a function of JAX runs"
            )


def _port(p: dict[str, Any]) -> Port:
    return Port(p["name"], p["role"], tuple(p["shape"]), array.numpy_dtype(p["dtype"]), p["given"])
