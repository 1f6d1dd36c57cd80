"""Trains tiny models by the plans of tests/data/dtensor, with PyTorch's own calls, as one of four gloo processes.

    torchrun --nproc-per-node 4 dtensor_worker.py RESULTS

Rank 0 writes, for each plan, the losses of three steps, those of one process, and the largest difference of a parameter on any rank; or
the error that PyTorch raised.
"""

import json
import sys

import torch
import torch.distributed as dist
from dtensor_cases import CONFIGS, broken, plans
from test_export_plan import STEPS, batch_of, model_of, trained_alone
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_module, distribute_tensor
from torch.distributed.tensor import parallel as tp


def placement(text):
    return None if text is None else eval(text, {"Shard": Shard, "Replicate": Replicate, "Partial": Partial})


def layouts(value):
    if isinstance(value, dict):
        return {k: placement(v) for k, v in value.items()}
    return tuple(map(placement, value)) if isinstance(value, list) else placement(value)


class Distributed(tp.ParallelStyle):
    """The style `distribute_module` of a plan."""

    def __init__(self, parameters=None, input_layouts=None, desired_input_layouts=None, output_layouts=None, use_local_output=True):
        super().__init__()
        self.parameters, self.comes, self.wanted = parameters or {}, input_layouts, desired_input_layouts or input_layouts
        self.gives, self.local = output_layouts, use_local_output

    def _apply(self, module, mesh):
        def place(_, part, mesh):
            for n, p in list(part.named_parameters(recurse=False)):
                made = distribute_tensor(p, mesh, [self.parameters.get(n, Replicate())])
                part.register_parameter(n, nn.Parameter(made, p.requires_grad))

        def at(x, p):
            return Shard(p.dim % x.ndim) if isinstance(p, Shard) else p

        def enter(_, inputs, mesh):
            x = inputs[0]
            if self.comes is not None and not isinstance(x, DTensor):
                x = DTensor.from_local(x, mesh, [at(x, self.comes)], run_check=False)
            return (x if self.wanted is None else x.redistribute(placements=[at(x, self.wanted)]), *inputs[1:])

        def leave(_, y, mesh):
            y = y if self.gives is None else y.redistribute(placements=[at(y, self.gives)])
            return y.to_local() if self.local else y

        return distribute_module(module, mesh, place, enter, leave)


def style(given):
    given = dict(given)
    kind, number = given.pop("style"), ("use_local_output", "use_local_input", "sequence_dim")
    options = {k: v if k in number else layouts(v) for k, v in given.items()}
    return Distributed(**options) if kind == "distribute_module" else getattr(tp, kind)(**options)


def modules(model, pattern):
    wanted = pattern.split(".")
    for path, part in model.named_modules():
        names = path.split(".")
        if len(names) == len(wanted) and all(w in ("*", n) for w, n in zip(wanted, names)):
            yield part


def applied(model, mesh, plan):
    for call in plan["calls"]:
        if call["call"] == "parallelize_module":
            tp.parallelize_module(model, mesh[call["mesh"]], {k: style(s) for k, s in call["plan"].items()})
        elif call["call"] == "tie":
            first, *rest = call["parameters"]
            for name in rest:
                path, _, leaf = name.rpartition(".")
                setattr(model.get_submodule(path), leaf, model.get_parameter(first))
        else:
            wrap = fully_shard
            if call["call"] == "replicate":
                from torch.distributed._composable.replicate_with_fsdp import replicate as wrap
            (axis,) = call["mesh"]
            for pattern in call["modules"]:
                for part in list(modules(model, pattern)):
                    wrap(part, mesh=mesh[axis])


def trained(mesh, config, plan, alone):
    model = model_of(config)
    batch = batch_of(model)
    for axis in plan["batch"]:
        rank, size = mesh[axis].get_local_rank(), mesh[axis].size()
        batch = {k: v.chunk(size)[rank] for k, v in batch.items()}
    applied(model, mesh, plan)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, eps=1e-5)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        with tp.loss_parallel() if plan.get("loss_parallel") else torch.enable_grad():
            loss = model(**batch).loss
            loss.backward()
        optimizer.step()
        loss = loss.detach()
        loss = (loss.full_tensor() if isinstance(loss, DTensor) else loss).clone()
        dist.all_reduce(loss)
        losses.append(loss.item() / dist.get_world_size())
    apart, names = torch.zeros(()), dict(alone.named_parameters(remove_duplicate=False))
    for name, p in model.named_parameters():
        whole = p.full_tensor() if isinstance(p, DTensor) else p
        apart = torch.maximum(apart, (whole - names[name]).abs().max().detach())
    dist.all_reduce(apart, dist.ReduceOp.MAX)
    return {"losses": losses, "apart": apart.item()}


def main(out):
    dist.init_process_group("gloo")
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "model"))
    alone = {name: trained_alone(config, clip=None) for name, config in CONFIGS.items()}
    results = {}
    both = {**plans(), **{name: (model, plan) for name, (model, plan, _) in broken().items()}}
    for name, (model, plan) in both.items():
        try:
            made = trained(mesh, CONFIGS[model], plan, alone[model][0])
        except Exception as e:
            made = {"error": f"{type(e).__name__}: {e}"}
        # A rank that raised, and one that did not, go on together.
        raised = torch.tensor(float("error" in made))
        dist.all_reduce(raised, dist.ReduceOp.MAX)
        if raised.item() and "error" not in made:
            made = {"error": "another rank raised"}
        results[name] = {"alone": alone[model][1], **made}
        if dist.get_rank() == 0:
            print(name, made, file=sys.stderr, flush=True)
    if dist.get_rank() == 0:
        open(out, "w").write(json.dumps(results))
    dist.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
