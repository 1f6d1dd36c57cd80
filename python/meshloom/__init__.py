"""Meshloom: an SPMD tensor compiler. Plans, compiles and runs models that are written in Loom or lowered by JAX.

    import meshloom
    plan = meshloom.plan(train_step, params, batch, mesh={"data": 8})
    step = meshloom.compile(train_step, params, batch, mesh={"data": 8})
    params, loss = step(params, batch)
"""

from ._command import Error, Rejected
from ._native import __version__
from .array import Array
from .plan import Plan, plan
from .program import Port, Program, Step, compile, load

__all__ = ["Array", "Error", "Plan", "Port", "Program", "Rejected", "Step", "__version__", "compile", "load", "plan"]
