"""What a model is given as: a file, a text, or a JAX function with example arguments."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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


@dataclass
class Source:
    """A model as a file that the command reads. Texts lie in a folder of their own as long as this lives."""

    path: Path
    tree: Tree | None = None
    folder: tempfile.TemporaryDirectory | None = field(default=None, repr=False)

    def run(self, verb: str, *args: str | os.PathLike) -> str:
        """Runs a command on it, as `_command.run` does. Messages call a text by the name of its file alone."""
        return _command.run(verb, self.path, *args, folder=self.folder and self.folder.name)


def of(model: Any, args: tuple, kwargs: dict[str, Any]) -> Source:
    """The source of a model.

    Args:
        model: the path of a `.loom`, `.mlir` or `.stablehlo` file; the text of a StableHLO module, or of a Loom program; a JAX function,
            jitted or not, or what its `lower` gave.
        args, kwargs: what a JAX function is lowered for: arrays, or `jax.ShapeDtypeStruct`s.

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
        text, tree = _lowered(model, args, kwargs)
        return _text(text, "step.mlir", tree)
    raise Error(f"a model is a file, a text or a JAX function, and this is a {type(model).__name__}")


def _text(text: str, name: str, tree: Tree | None) -> Source:
    folder = tempfile.TemporaryDirectory(prefix="meshloom-")
    Path(folder.name, name).write_text(text)
    return Source(Path(name), tree, folder)


def _lowered(model: Any, args: tuple, kwargs: dict[str, Any]) -> tuple[str, Tree]:
    import jax

    lowered = model
    if not hasattr(model, "as_text"):
        function = model if hasattr(model, "lower") else jax.jit(model)
        lowered = function.lower(*args, **kwargs)
    donated = [bool(a.donated) for a in jax.tree.leaves(lowered.args_info)]
    # JAX has no public name for it. Without it, all arguments are taken to be kept, and a wrong number of them is an error later.
    inner = getattr(lowered, "_lowering", None)
    kept = getattr(inner, "compile_args", {}).get("kept_var_idx")
    kept = sorted(kept) if kept is not None else list(range(len(donated)))
    return lowered.as_text(debug_info=True), Tree(lowered.in_tree, lowered.out_tree, kept, donated)
