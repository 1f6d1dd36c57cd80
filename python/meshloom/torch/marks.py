"""What a loss says to Loom of its gradient, where Loom takes it: what no gradient goes through, and attention.

JAX's own gradient knows both from its rules. In the text of a loss they are composites, by names that the importer of StableHLO knows.
"""

from __future__ import annotations

import contextlib
from functools import cache
from typing import Any, Callable, Iterator

from .packages import need

_on = False
_cut = False


def stop(x: Any) -> Any:
    """A value through which no gradient goes."""
    return need("jax.numpy").zeros_like(x) if _cut else need("jax").lax.stop_gradient(x)


@contextlib.contextmanager
def cut() -> Iterator[None]:
    """What is traced in this context depends on nothing by a value that passes no gradient: so it shows what a gradient depends on."""
    global _cut
    _cut = True
    try:
        yield
    finally:
        _cut = False


def marked() -> bool:
    """Whether a loss is traced of which Loom takes the gradient."""
    return _on


@contextlib.contextmanager
def markers(on: bool) -> Iterator[None]:
    """Marks what is traced and lowered in this context."""
    global _on
    before, _on = _on, on
    if on:
        _stops()
    try:
        yield
    finally:
        _on = before


def composite(name: str, function: Callable[..., Any], *operands: Any) -> Any:
    """A call of a function by a name."""
    return need("jax").lax.composite(function, name=name)(*operands)


@cache
def _stops() -> None:
    """Has JAX write `stop_gradient` down. It is nothing where JAX took the gradient before."""
    mlir, lax = need("jax._src.interpreters.mlir"), need("jax").lax
    primitive = need("jax._src.ad_util").stop_gradient_p

    def lowered(context: Any, x: Any) -> Any:
        if not _on:
            return [x]
        kept = lax.composite(lambda x: x, name="meshloom.stop_gradient")
        return mlir.lower_fun(kept, multiple_results=False)(context, x)

    mlir.register_lowering(primitive, lowered)
