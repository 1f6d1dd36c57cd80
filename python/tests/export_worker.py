"""Trains a model of Transformers by an export of `meshloom export-plan --to dtensor`, as one of several gloo processes.

    torchrun --nproc-per-node 4 export_worker.py EXPORT CONFIG LOSSES

Rank 0 writes the losses of three steps, and the largest difference of a parameter from what one process has after them.
"""

import importlib.machinery
import importlib.util
import json
import sys

import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor
from test_export_plan import STEPS, batch_of, model_of, trained_alone


def main(export, config, out):
    dist.init_process_group("gloo")
    config = json.loads(open(config).read())
    spec = importlib.util.spec_from_loader("export", importlib.machinery.SourceFileLoader("export", export))
    plan = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(plan)
    mesh = plan.make_mesh("cpu")
    model = model_of(config)
    alone, expected = trained_alone(config)
    batch = batch_of(model)
    part, parts = 0, 1
    for axis in plan.BATCH:
        part, parts = part * mesh[axis].size() + mesh[axis].get_local_rank(), parts * mesh[axis].size()
    rows = plan.ROWS // parts
    own = {k: v[part * rows : (part + 1) * rows] for k, v in batch.items()}
    plan.parallelize(model, mesh)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, eps=1e-5)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        with plan.step_context():
            loss = model(**own).loss
            loss.backward()
        plan.clip_grad_norm(model, 1.0)
        optimizer.step()
        loss = loss.detach()
        loss = loss.full_tensor() if isinstance(loss, DTensor) else loss
        mean = loss.clone()
        dist.all_reduce(mean)
        losses.append(mean.item() / dist.get_world_size())
    apart = 0.0
    names = dict(alone.named_parameters())
    for name, p in model.named_parameters():
        whole = p.full_tensor() if isinstance(p, DTensor) else p
        apart = max(apart, (whole - names[name]).abs().max().item())
    if dist.get_rank() == 0:
        open(out, "w").write(json.dumps({"losses": losses, "alone": expected, "apart": apart}))
    dist.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
