"""Runs a step of JAX on 8 devices by Meshloom, and on JAX's own, and says how far apart they are."""

import jax
import meshloom
import numpy as np

STEPS, TOLERANCE = 5, 1e-5


def compare(step, state, batch, **options):
    """Five steps each way.

    Args:
        step: jitted, from a state (donated) and a batch to the next state and a loss.
        options: of `meshloom.compile`.

    Raises:
        SystemExit: they differ by more than 1e-5, relative to the largest value of a tensor.
    """
    plan = meshloom.plan(step, state, *batch, **options)
    program = meshloom.compile(step, state, *batch, **options)
    moved = plan.totals["wire_bytes_per_device"]
    print(f"{program.devices} devices, {len(plan.collectives)} collectives, {moved / 1024:.1f} KiB on the wire per device and step")
    # JAX takes the memory of what is donated.
    theirs, ours = jax.tree.map(lambda x: x.copy(), state), state
    for i in range(STEPS):
        ours, loss = program(ours, *batch)
        theirs, expected = step(theirs, *batch)
        print(f"step {i + 1}: loss {float(loss):.6f}, by JAX {float(expected):.6f}")
    pairs = zip(jax.tree.leaves((ours, loss)), jax.tree.leaves((theirs, expected)))
    worst = max(_apart(np.asarray(a), np.asarray(b)) for a, b in pairs)
    print(f"largest difference {worst:.1e}")
    if not worst <= TOLERANCE:
        raise SystemExit(f"they differ by more than {TOLERANCE:.0e}")


def _apart(a, b):
    if not np.issubdtype(a.dtype, np.floating):
        return 0.0 if np.array_equal(a, b) else float("inf")
    scale = max(1.0, float(np.abs(b).max(initial=0)))
    return float(np.abs(a - b).max(initial=0)) / scale
