"""What the programs of this folder are made with, and how one is compared: by Meshloom and by JAX, on the same 8 devices.

A program is a train step of a public library, of a size that a test can run. `@program` notes it under its name.
"""

import dataclasses
import math
import re

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

DEVICES, STEPS, TOLERANCE = 8, 3, 2e-5
PROGRAMS = {}


@dataclasses.dataclass
class Program:
    """One of them.

    Attributes:
        step: from a state and a batch to the next state and one number, or several.
        state, batch: trees of arrays; the batch's first dim, or each array of it in whole, is split.
    """

    step: object
    state: object
    batch: tuple


def program(name, mesh="data=8", split=None, spec=None, **options):
    """Notes a function that makes a `Program`.

    Args:
        mesh: names and sizes of axes.
        split: of the state, the path and an array to a PartitionSpec; replicated where nothing is said.
        spec: of the batch; the first dim over `data` where nothing is said.
        options: of `meshloom.compile`; `tolerance` is the test's.
    """

    def note(make):
        PROGRAMS[name] = (make, mesh, split, spec, options)
        return make

    return note


def fsdp(axis="data"):
    """The largest dim that the axis divides."""

    def split(path, x, sizes):
        fitting = [d for d in range(x.ndim) if x.shape[d] % sizes[axis] == 0 and x.shape[d] >= sizes[axis]]
        if not fitting:
            return PartitionSpec()
        at = max(fitting, key=lambda d: x.shape[d])
        return PartitionSpec(*(axis if d == at else None for d in range(x.ndim)))

    return split


def columns(axis="model"):
    """The last dim of matrices, where the axis divides it: a simple tensor parallelism, with what it costs."""

    def split(path, x, sizes):
        if x.ndim < 2 or x.shape[-1] % sizes[axis]:
            return PartitionSpec()
        return PartitionSpec(*(None,) * (x.ndim - 1), axis)

    return split


def run(name):
    """Runs a program both ways. A dict with what is in the table."""
    import meshloom

    make, mesh_text, split, spec, options = PROGRAMS[name]
    options = dict(options)
    tolerance = options.pop("tolerance", TOLERANCE)
    sizes = {k: int(n) for k, n in (part.split("=") for part in mesh_text.split(","))}
    mesh = Mesh(np.array(jax.devices()[:DEVICES]).reshape(tuple(sizes.values())), tuple(sizes))
    made = make()

    def placed(path, x, of):
        x = jax.numpy.asarray(x)
        return jax.device_put(x, NamedSharding(mesh, of(path, x, sizes)))

    whole = lambda path, x, sizes: PartitionSpec()
    rows = lambda path, x, sizes: spec or (PartitionSpec("data") if x.ndim and x.shape[0] % sizes["data"] == 0 else PartitionSpec())
    state = jax.tree_util.tree_map_with_path(lambda p, x: placed(p, x, split or whole), made.state)
    batch = jax.tree_util.tree_map_with_path(lambda p, x: placed(p, x, rows), made.batch)
    shardings = jax.tree.map(lambda x: x.sharding, state)
    free = NamedSharding(mesh, PartitionSpec())
    _, told = jax.eval_shape(made.step, state, *batch)
    step = jax.jit(made.step, donate_argnums=0, out_shardings=(shardings, jax.tree.map(lambda _: free, told)))
    compiled = step.lower(state, *batch).compile()
    ours = meshloom.compile(step, state, *batch, **options)
    plan = meshloom.plan(step, state, *batch, **options)
    theirs = jax.tree.map(lambda x: x.copy(), state)
    losses = []
    for _ in range(STEPS):
        state, loss = ours(state, *batch)
        theirs, expected = step(theirs, *batch)
        losses.append([float(np.asarray(x).reshape(-1)[0]) for x in jax.tree.leaves(expected)[:1]][0])
    pairs = zip(jax.tree.leaves((state, loss)), jax.tree.leaves((theirs, expected)))
    worst = max(apart(np.asarray(a), np.asarray(b)) for a, b in pairs)
    assert np.all(np.isfinite(losses)), f"JAX's own losses are {losses}"
    assert len(set(losses)) > 1, f"the step changes nothing: losses {losses}"
    return {
        "program": name,
        "mesh": mesh_text,
        "apart": worst,
        "tolerance": tolerance,
        "losses": losses,
        "wire": float(plan.totals["wire_bytes_per_device"]),
        "xla_wire": wire_bytes(compiled.as_text()),
    }


def apart(a, b):
    """The largest difference, relative to the largest number of the tensor if that is more than 1."""
    if not np.issubdtype(b.dtype, np.inexact):
        return 0.0 if np.array_equal(a, b) else math.inf
    a, b = a.astype(b.dtype), b
    if not np.array_equal(np.isnan(a), np.isnan(b)):
        return math.inf
    scale = max(1.0, float(np.nanmax(np.abs(b), initial=0)))
    return float(np.nanmax(np.abs(a - b), initial=0)) / scale


# ---- what XLA's program sends

_SIZES = {"pred": 1, "s8": 1, "u8": 1, "s16": 2, "u16": 2, "bf16": 2, "f16": 2, "s32": 4, "u32": 4, "f32": 4, "s64": 8, "u64": 8, "f64": 8, "c64": 8, "c128": 16}
_OP = re.compile(r"= (?P<type>\(.*?\)|\S+) (?P<op>all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute|collective-broadcast)(-start)?\(")


def wire_bytes(text):
    """Bytes that a device sends in one run of a compiled module, by the ring algorithm (docs/plan-json.md)."""
    computations, name = {}, None
    for line in text.splitlines():
        head = re.match(r"(ENTRY )?%?([\w.\-]+) .*\{$", line)
        if head and not line.startswith(" "):
            name = head.group(2)
            computations[name] = []
            entry = name if head.group(1) else locals().get("entry")
        elif name and line.startswith(" "):
            computations[name].append(line)
    return _sent(computations, entry)


def _sent(computations, name):
    total = 0.0
    for line in computations.get(name, []):
        if found := _OP.search(line):
            total += _collective(found.group("op"), found.group("type"), line, bool(found.group(3)))
        times = re.search(r'known_trip_count"?:\{"?n"?:"?(\d+)', line)
        if body := re.search(r"body=%?([\w.\-]+)", line):
            total += (int(times.group(1)) if times else 1) * _sent(computations, body.group(1))
        for called in re.findall(r"(?:to_apply|calls|branch_computations|true_computation|false_computation)=\{?%?([\w.\-]+)", line):
            if " call(" in line or " conditional(" in line:
                total += _sent(computations, called)
    return total


def _collective(op, kind, line, started):
    shapes = re.findall(r"(\w+)\[([\d,]*)\]", kind)
    sizes = [_SIZES.get(t, 0) * math.prod(int(n) for n in dims.split(",") if n) for t, dims in shapes]
    # What starts one has its operands among its results.
    size = sum(sizes) / 2 if started and op == "all-reduce" and len(sizes) > 1 else (max(sizes) if started else sum(sizes))
    if op == "collective-permute":
        return size
    if groups := re.search(r"replica_groups=\[(\d+),(\d+)\]", line):
        n = int(groups.group(2))
    elif groups := re.search(r"replica_groups=\{\{([\d,]*)\}", line):
        n = len(groups.group(1).split(","))
    else:
        n = DEVICES
    if op == "reduce-scatter":
        size *= n
    return (2 if op == "all-reduce" else 1) * size * (n - 1) / n
