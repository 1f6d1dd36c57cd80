"""Modules of PyTorch as programs for Meshloom: a module and a batch become a train step in StableHLO.

    plan = meshloom.plan(module, {"input_ids": ids, "labels": labels}, devices=64, target="h100-sxm", precision="bf16")
    step = meshloom.torch.lower(module, batch, optimizer="adamw", clip=1.0)      # the text, for any command

torchax runs the module's own Python on tensors that JAX traces, so the program is what the module computes. Shapes are all that is
read of weights: a module may stand on `torch.device("meta")`.

Nothing here imports PyTorch, JAX, torchax or Transformers before it is asked for a program.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Mapping

from .. import _command, _source
from .._command import Error
from .dtensor import Checked, check_plan, dtensor_plan
from .settings import NAMES, Settings

__all__ = ["Checked", "Settings", "check_plan", "compile", "dtensor_plan", "is_module", "lower", "source"]


def is_module(value: Any) -> bool:
    """Whether a value is an `nn.Module`. Where PyTorch is not loaded, nothing is one."""
    torch = sys.modules.get("torch")
    return torch is not None and hasattr(torch, "nn") and isinstance(value, torch.nn.Module)


def lower(module: Any, *batch: Any, **options: Any) -> str:
    """The train step of a module as the text of a StableHLO module.

    Args:
        module: an `nn.Module`. Its parameters keep their names, and are the step's state.
        batch: one dict of arguments by name, or arguments by position: tensors, arrays, or anything with a shape and a dtype.
        options: the fields of `Settings`; `mesh`, whose axes `layouts` names.

    Raises:
        Error: a package is missing, an operator has no lowering, or there is no loss.
    """
    from .step import traced

    mesh = options.pop("mesh", None)
    return traced(module, batch, Settings.of(options), mesh).text()


def source(module: Any, batch: tuple[Any, ...], options: Mapping[str, Any]) -> tuple[_source.Source, dict[str, Any]]:
    """The train step of a module as a file that the command reads, and the options that are the command's.

    `devices` is made a mesh: the fastest of those that `meshloom plan --devices` lists.

    Raises:
        Error: as `lower`.
        Rejected: no mesh of so many devices can be planned.
    """
    own, rest = _apart(options)
    made = _source.of(lower(module, *batch, **own, mesh=rest.get("mesh")), (), {})
    if devices := rest.pop("devices", None):
        told = json.loads(made.run("plan", "--json", *_command.flags({**rest, "devices": devices})))
        axes = (axis.split("=") for axis in told["rows"][0]["mesh"].split(" x ") if "=" in axis)
        rest["mesh"] = {name: int(size) for name, size in axes}
    return made, rest


def compile(module: Any, batch: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
    """A `Trainer` of a module for this machine's devices.

    Raises:
        Error: as `lower`.
        Rejected: the step or an option is refused.
    """
    from .. import program
    from .step import traced
    from .trainer import LoomTrainer, Trainer

    own, rest = _apart(options)
    made = traced(module, batch, Settings.of(own), rest.get("mesh"))
    if made.settings.by_loom:
        return LoomTrainer(made, program.compile(made.text(), **rest))
    return Trainer(made, program.compile(made.lowered, **rest))


def _apart(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Settings of the step, and options of the command. A mesh with an axis `pipe` has the layers as stages over it.

    Raises:
        Error: a mesh is no mesh.
    """
    own = {k: v for k, v in options.items() if k in NAMES}
    rest = {k: v for k, v in options.items() if k not in NAMES}
    if isinstance(rest.get("mesh"), str):
        try:
            rest["mesh"] = {n.strip(): int(s) for n, s in (part.split("=") for part in rest["mesh"].split(","))}
        except ValueError:
            raise Error(f"mesh={rest['mesh']!r}: it is 'data=2,pipe=4', or a dict") from None
    if rest.get("pipe") or int((rest.get("mesh") or {}).get("pipe", 1)) > 1:
        own.setdefault("staged", True)
    return own, rest
