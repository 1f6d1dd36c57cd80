"""What a model is given as: a file, a text, or a JAX function with example arguments."""

from __future__ import annotations

import inspect
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterable, Mapping

from . import _command
from ._command import Error


@dataclass
class Tree:
    """How JAX's trees of arguments and results are a list of tensors.

    Attributes:
        arguments: the tree of `(args, kwargs)`.
        results: the tree of the result.
        kept: positions of the arguments that the lowered function takes; JAX drops those that it does not read.
        donated: of each argument, dropped ones included, whether its memory may be taken.
    """

    arguments: Any
    results: Any
    kept: list[int]
    donated: list[bool]


@dataclass(frozen=True)
class Static:
    """Arguments of a JAX function that are constants of the program, as `static_argnums` and `static_argnames` of `jax.jit` say.

    Attributes:
        at, called: by position, and by name.
        args, kwargs: what the function was lowered for.
    """

    at: frozenset[int]
    called: frozenset[str]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    @staticmethod
    def of(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], nums: int | Iterable[int], names: str | Iterable[str]) -> "Static | None":
        """As JAX has it, each argument is meant by its position as well as by its name, where the function's signature tells both."""
        given = [nums] if isinstance(nums, int) else list(nums)
        called = {names} if isinstance(names, str) else set(names)
        if not given and not called:
            return None
        at = {n + len(args) if n < 0 else n for n in given}
        try:
            own = [p.name for p in inspect.signature(model).parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        except (TypeError, ValueError):
            own = []
        at |= {own.index(n) for n in called if n in own}
        called |= {own[i] for i in at if i < len(own)}
        return Static(frozenset(at), frozenset(called), args, kwargs)

    def split(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments that are not static."""
        return tuple(a for i, a in enumerate(args) if i not in self.at), {k: v for k, v in kwargs.items() if k not in self.called}

    def checked(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The same of a call.

        Raises:
            TypeError: a static argument is not what the function was lowered for.
        """
        by_position = (dict(enumerate(args)), dict(enumerate(self.args)), self.at)
        both: list[tuple[dict[Any, Any], dict[Any, Any], frozenset[Any]]] = [by_position, (kwargs, self.kwargs, self.called)]
        for found, expected, static in both:
            for key in sorted(static & (found.keys() | expected.keys())):
                if key not in found or key not in expected or found[key] != expected[key]:
                    was, now = (repr(v[key]) if key in v else "not given" for v in (expected, found))
                    raise TypeError(f"static argument {key!r} was {was} when the function was compiled, and is {now}: compile it again")
        return self.split(args, kwargs)


@dataclass
class Source:
    """A model as a file that the command reads. Texts lie in a folder of their own as long as this lives."""

    path: Path
    tree: Tree | None = None
    folder: tempfile.TemporaryDirectory[str] | None = field(default=None, repr=False)
    static: Static | None = None

    def is_train(self) -> bool:
        """Whether it has entries of Loom, whose tensors have names alone: a source in Loom, or a loss that says how it is trained."""
        file = self.path if self.folder is None else Path(self.folder.name, self.path)
        return file.suffix == ".loom" or "\n// meshloom.train " in file.read_text()

    def run(self, verb: str, *args: str | os.PathLike[str]) -> str:
        """Runs a command on it, as `_command.run` does. Messages call a text by the name of its file alone."""
        return _command.run(verb, self.path, *args, folder=None if self.folder is None else self.folder.name)


def of(
    model: Any,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    static_argnums: int | Iterable[int] = (),
    static_argnames: str | Iterable[str] = (),
) -> Source:
    """The source of a model.

    Args:
        model: the path of a `.loom`, `.mlir` or `.stablehlo` file; the text of a StableHLO module, or of a Loom program; a JAX function,
            jitted or not, or what its `lower` gave.
        args, kwargs: what a JAX function is lowered for: arrays, or `jax.ShapeDtypeStruct`s.
        static_argnums, static_argnames: which of them are constants, as `jax.jit` takes it. A function that is jitted knows its own; a
            call of the program needs to be told them.

    Raises:
        Error: it is none of these.
    """
    if isinstance(model, os.PathLike) or isinstance(model, str) and "\n" not in model:
        path = Path(model)
        if not path.is_file():
            raise Error(f"{path}: there is no such file")
        return Source(path)
    if isinstance(model, str):
        stablehlo = model.lstrip().startswith(("module", "#loc", "#"))
        return _text(model, "model.mlir" if stablehlo else "model.loom", None)
    if callable(model) or hasattr(model, "as_text"):
        static = Static.of(model, args, dict(kwargs), static_argnums, static_argnames)
        text, tree = _lowered(model, args, dict(kwargs), static)
        source = _text(text, "step.mlir", tree)
        source.static = static
        return source
    raise Error(f"a model is a file, a text or a JAX function, and this is a {type(model).__name__}")


def _text(text: str, name: str, tree: Tree | None) -> Source:
    folder = tempfile.TemporaryDirectory(prefix="meshloom-")
    Path(folder.name, name).write_text(text)
    return Source(Path(name), tree, folder)


def _lowered(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], static: Static | None) -> tuple[str, Tree]:
    import jax

    lowered = model
    if not hasattr(model, "as_text"):
        named = {} if static is None else {"static_argnums": sorted(static.at), "static_argnames": sorted(static.called)}
        function = model if hasattr(model, "lower") else jax.jit(model, **named)
        lowered = function.lower(*args, **kwargs)
    donated = [bool(a.donated) for a in jax.tree.leaves(lowered.args_info)]
    # JAX has no public name for it. Without it, all arguments are taken to be kept, and a wrong number of them is an error later.
    inner = getattr(lowered, "_lowering", None)
    kept = getattr(inner, "compile_args", {}).get("kept_var_idx")
    kept = sorted(kept) if kept is not None else list(range(len(donated)))
    return lowered.as_text(debug_info=True), Tree(lowered.in_tree, lowered.out_tree, kept, donated)
