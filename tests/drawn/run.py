"""Runs drawn JAX programs by Meshloom on CPU devices and compares what comes out with JAX's on one device.

    scripts/drawn-jax --seeds 0..60 [--kind moves] [--mesh x=3,y=2 --plan follow] [--all] [--keep FOLDER] [--jobs 2]

A seed says everything: the program, the layouts of its arguments, and, unless it is told, the mesh (of nine) and whether plans are
searched or follow. `--all` takes all of these for each seed. Programs whose seed is even move, the others compute and have gradients.

Ends with 1 if a program is wrong, or Meshloom ended with an internal error. A program that is refused, or of whose bundle not all is proved,
is counted and listed. `--keep` leaves module, inputs, JAX's results and the program in words of each of these.

JAX is asked twice, the second time with inputs that differ by some rounding: what this changes says what rounding may change. Where a program
that moves comes out otherwise than by XLA, it is computed op by op too: what agrees with that is right, and counted as `xla`, as is a program
that XLA fails to run.
"""

import argparse
import collections
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile
import time

MESHES = ("", "x=2", "x=3", "x=8", "x=2,y=2", "x=3,y=2", "y=5", "x=2,y=2,z=2", "z=4")
SECONDS = 120
INTERNAL = 101


def names(n):
    return [f"arg{i}" for i in range(n)]


def drawn(seed, kind):
    """Module text, inputs, wanted results, tolerances (None: bit by bit), the program in words, and what computes the results op by op."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    from . import moves, smooth
    from .pool import is_float

    exact = kind == "moves"
    p = (moves if exact else smooth).draw(seed)
    ends = p.ends()
    if not ends:
        return None

    def forward(*inputs):
        made = p.run(inputs)
        return [made[e] for e in ends]

    call = forward
    if not exact:
        ends = [e for e in ends if is_float(p.avals[e].dtype)]
        weights = {e: p.rng.normal(size=p.avals[e].shape) for e in ends}
        with_gradient = jax.value_and_grad(smooth.loss(p, weights), argnums=tuple(range(len(p.inputs))))
        call = lambda *inputs: (forward(*inputs), with_gradient(*inputs))
    axes = ("x", "y", "z")
    mesh = Mesh(np.array(jax.devices()[:1]).reshape(1, 1, 1), axes)

    def layout(a):
        free = [str(x) for x in p.rng.permutation(axes)]
        dims = [free.pop() if free and p.chance(0.4) else None for _ in a.shape]
        return NamedSharding(mesh, PartitionSpec(*dims))

    shardings = tuple(layout(x) for x in p.inputs)
    inputs = [jax.device_put(x, s) for x, s in zip(p.inputs, shardings)]
    lowered = jax.jit(call, in_shardings=shardings, keep_unused=True).lower(*inputs)
    wanted = [np.asarray(x) for x in jax.tree.leaves(jax.jit(call)(*p.inputs))]
    tolerances = None
    if not exact:
        eps = max(float(jnp.finfo(a.dtype).eps) for a in p.avals if is_float(a.dtype))
        tolerances = [0.0] * len(wanted)
        for _ in range(3):
            nudged = [(x.astype(np.float64) * (1 + 4 * eps * p.rng.uniform(-1, 1, x.shape))).astype(x.dtype) for x in p.inputs]
            other = [np.asarray(x) for x in jax.tree.leaves(jax.jit(call)(*nudged))]
            for i, (a, b) in enumerate(zip(wanted, other)):
                apart = np.abs(a.astype(np.float64) - b.astype(np.float64))
                tolerances[i] = max(tolerances[i], float(np.nanmax(apart, initial=0.0)))
        scale = [float(np.nanmax(np.where(np.isfinite(w.astype(np.float64)), np.abs(w.astype(np.float64)), 0), initial=0)) for w in wanted]
        # Sums of up to some hundred products, each rounded: of 16 bits they are rounded once, by JAX and here.
        ulps, least = 64 if eps < 1e-5 else 4, 1.0
        # What is zero but for rounding, such as the gradient of a constant sum, is as far off as the terms are that cancel.
        tolerances = [8 * t + ulps * eps * max(s, least) for t, s in zip(tolerances, scale)]
    by_op = (lambda: [np.asarray(x) for x in forward(*p.inputs)]) if exact else None
    return lowered.as_text(), p.inputs, wanted, tolerances, p.text(), by_op


def difference(got, wanted, tolerance):
    """What is wrong, in words; None if nothing is."""
    import numpy as np

    # Integers of 8 and 16 bits are computed, and saved, as wider ones.
    widened = np.issubdtype(wanted.dtype, np.integer) and np.issubdtype(got.dtype, np.integer)
    if got.shape != wanted.shape or (got.dtype != wanted.dtype and not widened):
        return f"is {got.dtype}{list(got.shape)}, wanted {wanted.dtype}{list(wanted.shape)}"
    if wanted.dtype == np.bool_ or np.issubdtype(wanted.dtype, np.integer):
        bad = got != wanted
    else:
        g, w = got.astype(np.float64), wanted.astype(np.float64)
        nan = np.isnan(g) & np.isnan(w)
        same = (g == w) & (np.signbit(g) == np.signbit(w))
        bad = ~(nan | same)
        if tolerance is not None:
            with np.errstate(invalid="ignore"):
                bad &= ~(np.abs(g - w) <= tolerance)
    if not bad.any():
        return None
    at = tuple(int(i) for i in np.argwhere(bad)[0])
    within = "" if tolerance is None else f" (within {tolerance:.1e})"
    return f"{int(bad.sum())} of {bad.size} differ, first at {list(at)}: {got[at]!r}, wanted {wanted[at]!r}{within}"


def one(job):
    """Runs a seed on its meshes: a list of (what came of it, in words)."""
    seed, kind, meshes, meshloom, keep = job
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax

    jax.config.update("jax_enable_x64", True)
    from safetensors.numpy import load_file, save_file

    try:
        made = drawn(seed, kind)
    except jax.errors.JaxRuntimeError as e:
        return [(seed, kind, "", "xla", f"fails itself: {str(e)[:200]}")]
    if made is None:
        return [(seed, kind, "", "empty", "")]
    text, inputs, wanted, tolerances, words, by_op = made
    out = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "step.mlir").write_text(text)
        save_file(dict(zip(names(len(inputs)), [x.copy(order="C") for x in inputs])), folder / "in.safetensors")
        for mesh, plan in meshes:
            command = [meshloom, "run", "step.mlir", "--inputs", "in.safetensors", "--save-outputs", "out.safetensors", "--plan", plan]
            command += ["--mesh", mesh] if mesh else []
            verdict, detail = "right", ""
            try:
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                verdict, detail = "slow", f"not done in {SECONDS} s"
            else:
                told = done.stderr.strip()
                if done.returncode:
                    internal = done.returncode == INTERNAL or done.returncode < 0
                    verdict, detail = ("internal" if internal else "refused"), told[:600]
                else:
                    if "not proved" in told:
                        verdict, detail = "unproved", told[:600]
                    got = load_file(folder / "out.safetensors")
                    found = results(got, len(wanted))
                    wrong = first_difference(found, wanted, tolerances)
                    if wrong:
                        verdict, detail = "wrong", wrong
                        if by_op and not first_difference(found, by_op(), None):
                            verdict = "xla"
            out.append((seed, kind, f"{mesh or 'one device'} {plan}", verdict, detail))
            if keep and verdict not in ("right",):
                there = pathlib.Path(keep) / f"{kind}{seed}"
                there.mkdir(parents=True, exist_ok=True)
                (there / "step.mlir").write_text(text)
                (there / "in.safetensors").write_bytes((folder / "in.safetensors").read_bytes())
                save_file({f"result.{i}": w for i, w in enumerate(wanted)}, there / "want.safetensors")
                (there / "program.txt").write_text(f"{words}\n\n{' '.join(command[1:])}\n{verdict}: {detail}\n")
    return out


def first_difference(found, wanted, tolerances):
    for i, (g, w) in enumerate(zip(found, wanted)):
        wrong = difference(g, w, tolerances and tolerances[i])
        if wrong:
            return f"result {i}: {wrong}"
    return None


def results(got, n):
    """What was saved, in the order of results: JAX's paths, by their numbers."""
    import re

    order = sorted(got, key=lambda name: [int(k) for k in re.findall(r"\d+", name)])
    assert len(order) == n, f"{n} results wanted, saved are {order}"
    return [got[k] for k in order]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seeds", default="0..60", help="which seeds: A..B, B not among them")
    p.add_argument("--kind", choices=("moves", "smooth"), help="programs of this kind alone")
    p.add_argument("--mesh", help="this mesh, in place of the one that the seed says")
    p.add_argument("--plan", choices=("search", "follow"), help="this way to plan")
    p.add_argument("--all", action="store_true", help="all nine meshes, both ways to plan")
    p.add_argument("--keep", help="a folder for programs that were not right")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--quiet", action="store_true", help="no count on the way")
    a = p.parse_args()
    meshloom = os.environ.get("MESHLOOM", "meshloom")
    first, last = (int(n) for n in a.seeds.split(".."))
    jobs = []
    for seed in range(first, last):
        kind = a.kind or ("moves" if seed % 2 == 0 else "smooth")
        ways = [(m, w) for m in MESHES for w in ("search", "follow")]
        mine = ways if a.all else [ways[seed // 2 % len(ways)]]
        mine = sorted({(a.mesh if a.mesh is not None else m, a.plan or w) for m, w in mine})
        jobs.append((seed, kind, mine, meshloom, a.keep))
    counts, start = collections.Counter(), time.monotonic()
    # Compilations that JAX keeps fill the memory, so a worker ends after some. Executors hang where workers do (gh-115634).
    with multiprocessing.get_context("spawn").Pool(a.jobs, maxtasksperchild=100) as pool:
        for done, rows in enumerate(pool.imap(one, jobs), 1):
            for seed, kind, way, verdict, detail in rows:
                counts[verdict] += 1
                if verdict not in ("right", "empty"):
                    print(f"seed {seed} ({kind}, {way}): {verdict}: {detail}", flush=True)
            if not a.quiet and sys.stderr.isatty():
                print(f"\r{done} of {len(jobs)}", end="", file=sys.stderr, flush=True)
    told = ", ".join(f"{counts[k]} {k}" for k in ("right", "xla", "wrong", "internal", "slow", "refused", "unproved"))
    print(f"{sum(counts.values()) - counts['empty']} runs of {len(jobs)} drawn programs in {time.monotonic() - start:.0f} s: {told}")
    sys.exit(1 if counts["wrong"] or counts["internal"] or counts["slow"] or not counts["right"] else 0)


if __name__ == "__main__":
    main()
