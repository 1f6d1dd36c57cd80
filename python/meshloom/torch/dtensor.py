"""DTensor plans as data, and whether one computes what its module computes (`meshloom check-plan`).

    plan = meshloom.torch.dtensor_plan({"data": 8, "model": 8}, styles, batch=["data"], fully_shard=["model.layers.*", ""])
    checked = meshloom.torch.check_plan(module, {"input_ids": ids, "labels": ids}, plan=plan)
    print(checked)
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Mapping, Sequence

from .. import _source
from .._command import Error, Rejected


@dataclass
class Checked:
    """What `meshloom check-plan` found.

    Attributes:
        accepted: whether it is proved that the plan computes what the module computes.
        refusals: what is wrong: dicts with `module`, `op`, `line`, `message`, and in how many modules `more`.
        warnings: what PyTorch would pass over.
        steps: steps of the proof.
    """

    accepted: bool
    refusals: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    steps: int = 0

    def __str__(self) -> str:
        if self.accepted:
            return f"proved, in {self.steps} steps"
        return "\n".join(f"{r['module'] or 'the model'}{', ' + r['op'] if r['op'] else ''}: {r['message']}" for r in self.refusals)


def check_plan(module: Any, *batch: Any, plan: Mapping[str, Any], **options: Any) -> Checked:
    """Checks a plan against a module as it is before `parallelize_module`.

    Args:
        module: an `nn.Module`; it may stand on `torch.device("meta")`.
        batch: as for `lower`.
        plan: what `dtensor_plan` makes, or the same from elsewhere.
        options: fields of `Settings`, such as `loss`.

    Raises:
        Error: as `lower`.
        Rejected: the plan is none.
    """
    from . import lower

    made = _source.of(lower(module, *batch, **{"precision": "f32", **options}, boundaries=True), (), {})
    file = Path(made.folder.name, "plan.json") if made.folder else Path("plan.json")
    file.write_text(json.dumps(plan))
    from .. import _command

    try:
        said = _command.run("check-plan", file.name, made.path, "--json", folder=made.folder and made.folder.name)
    except Rejected as e:
        if e.code != 1 or not e.output:
            raise
        said = e.output
    read = json.loads(said)
    return Checked(read["accepted"], read["refusals"], read["warnings"], read["steps"])


def dtensor_plan(
    mesh: Mapping[str, int],
    styles: Mapping[str, Any] = {},
    *,
    axis: str = "model",
    batch: Sequence[str] = (),
    fully_shard: Sequence[str] = (),
    replicate: Sequence[str] = (),
    tie: Sequence[Sequence[str]] = (),
    loss_parallel: bool = False,
) -> dict[str, Any]:
    """A plan as data, of the objects that a script gives to PyTorch.

    Args:
        mesh: sizes of the device mesh's axes.
        styles: what `parallelize_module(module, mesh[axis], styles)` takes.
        batch: the axes over which rows of the batch are split.
        fully_shard, replicate: modules that are sharded or copied over these axes, by path, with `*` for numbers of layers.
        tie: names of parameters that are made one again after that.

    Raises:
        Error: a style is none of PyTorch's.
    """
    calls: list[dict[str, Any]] = []
    if styles:
        calls.append({"call": "parallelize_module", "mesh": axis, "plan": {path: style(s) for path, s in styles.items()}})
    calls += [{"call": "tie", "parameters": list(names)} for names in tie]
    for call, modules in (("fully_shard", fully_shard), ("replicate", replicate)):
        if modules:
            calls.append({"call": call, "mesh": list(batch), "modules": list(modules)})
    return {"schema": 1, "mesh": dict(mesh), "batch": list(batch), "loss_parallel": loss_parallel, "calls": calls}


def style(given: Any) -> dict[str, Any]:
    """A `ParallelStyle` as data; a dict stays what it is.

    Raises:
        Error: it is none of PyTorch's.
    """
    if isinstance(given, Mapping):
        return dict(given)
    name = type(given).__name__
    if name in ("ColwiseParallel", "RowwiseParallel"):
        one = {"input_layouts": placement(given.input_layouts[0]), "output_layouts": placement(given.output_layouts[0])}
        return {"style": name, **one, "use_local_output": given.use_local_output}
    if name == "SequenceParallel":
        return {"style": name, "sequence_dim": given.sequence_sharding[0].dim, "use_local_output": given.use_local_output}
    if name == "PrepareModuleInput":
        return {"style": name, **_inputs(given), "use_local_output": given.use_local_output}
    if name == "PrepareModuleOutput":
        return {"style": name, **_outputs(given)}
    if name == "PrepareModuleInputOutput":
        inputs = given.prepare_module_input
        return {"style": name, **_inputs(inputs), "use_local_input": inputs.use_local_output, **_outputs(given.prepare_module_output)}
    raise Error(f"{name} is no style of PyTorch: give it as a dict of the style `distribute_module` (docs/from-pytorch.md)")


def _inputs(given: Any) -> dict[str, Any]:
    by_name = ("input_kwarg_layouts", "desired_input_kwarg_layouts")
    made: dict[str, Any] = {k: {n: placement(p) for n, p in getattr(given, k).items()} for k in by_name}
    return {**{k: _each(getattr(given, k)) for k in ("input_layouts", "desired_input_layouts")}, **made}


def _outputs(given: Any) -> dict[str, Any]:
    layouts = {k: _each(getattr(given, k)) for k in ("output_layouts", "desired_output_layouts")}
    return {**layouts, "use_local_output": given.use_local_output}


def _each(layouts: Any) -> list[str | None] | None:
    return None if layouts is None else [placement(p) for p in layouts]


def placement(given: Any) -> str | None:
    """A placement as text.

    Raises:
        Error: it is no sum, or split in another way.
    """
    if given is None:
        return None
    if type(given).__name__ == "Shard":
        return f"Shard({given.dim})"
    if given.is_replicate():
        return "Replicate()"
    if given.is_partial("sum"):
        return "Partial()"
    raise Error(f"{given} is neither Shard, nor Replicate, nor a partial sum")
