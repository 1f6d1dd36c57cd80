"""Layouts of parameters by patterns over their names, as annotations of the program."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any, Mapping

from .._command import Error
from .functional import Tensors
from .packages import need
from .settings import Layout


def hinted(params: Tensors, layouts: Mapping[str, Layout], mesh: Mapping[str, int] | None) -> dict[str, Any]:
    """The shardings of the parameters that a pattern fits.

    Raises:
        Error: there are layouts and no mesh, a pattern fits no parameter, or a layout has another number of dims.
    """
    if not layouts:
        return {}
    if not mesh:
        raise Error("layouts= names axes of a mesh: give their sizes with mesh=")
    jax = need("jax")
    axes = jax.sharding.AbstractMesh(tuple(mesh.values()), tuple(mesh))
    found: dict[str, Any] = {}
    for pattern, layout in layouts.items():
        names = [n for n in params if fnmatchcase(n, pattern)]
        if not names:
            raise Error(f"layouts={pattern!r} fits no parameter; there are {', '.join(list(params)[:4])} ..")
        for name in names:
            if len(layout) != len(params[name].shape):
                raise Error(f"layouts={pattern!r} has {len(layout)} dims, and {name} is {list(params[name].shape)}")
            spec = (tuple(d) if isinstance(d, (list, tuple)) else d for d in layout)
            found.setdefault(name, jax.sharding.NamedSharding(axes, jax.sharding.PartitionSpec(*spec)))
    return found
