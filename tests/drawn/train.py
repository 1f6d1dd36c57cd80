"""Trains drawn Loom programs on one device and on a mesh, and compares losses and final parameters.

    scripts/drawn-train --seeds 0..30 [--keep FOLDER] [--jobs 2]

A seed says everything: the program, precision, mesh, layout, schedule, recomputation, offload, whether plans are searched or follow, and
after which step the run on the mesh is saved and goes on, on another mesh.

Ends with 1 if losses or parameters differ by more than the precision explains, or Meshloom ended with an internal error. A program that is
refused, or of whose bundle not all is proved, is counted and listed. In f64 the bound is 1e-9: only the order of sums differs.
"""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from .train_text import draw

STEPS, SECONDS, INTERNAL = 4, 180, 101


class Ended(Exception):
    """A command that did not do what it should: a verdict and why."""


def command(folder, meshloom, args):
    try:
        done = subprocess.run([meshloom, *args], cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise Ended("slow", f"not done in {SECONDS} s: {' '.join(args)}") from None
    told = done.stderr.strip()
    if done.returncode:
        internal = done.returncode == INTERNAL or done.returncode < 0
        raise Ended("internal" if internal else "refused", f"{' '.join(args)}\n{told[:900]}")
    return done


def losses(done):
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [row["loss"] for row in rows if "loss" in row]


def apart(a, b):
    """How far two lists of numbers are apart at most, relative to the larger and 1; null is NaN, and like itself."""
    if len(a) != len(b):
        return math.inf
    worst = 0.0
    for x, y in zip(a, b):
        if x is None or y is None:
            worst = worst if x == y else math.inf
        else:
            worst = max(worst, abs(x - y) / max(1.0, abs(x), abs(y)))
    return worst


def parameters(folder):
    """Of the newest checkpoint of a run: all tensors by name."""
    from safetensors.numpy import load_file

    newest = max((p for p in pathlib.Path(folder).iterdir() if p.is_dir() and not p.is_symlink()), key=lambda p: p.name)
    found = {}
    for file in sorted(newest.rglob("*.safetensors")):
        found |= {f"{file.stem}/{k}": v for k, v in load_file(file).items()}
    return found


def one(job):
    """Runs a seed: verdict, what is wrong, and the largest difference of losses."""
    import numpy as np

    seed, meshloom, keep = job
    d = draw(seed)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "net.loom").write_text(d.text)
        r = random.Random(f"data {seed}")
        np.save(folder / "data.npy", np.array([r.randrange(16) for _ in range(4000)], np.int32))
        common = ["--data", "data.npy", "--json", "--seed", str(seed), *d.common]
        verdict, detail, worst = "right", "", 0.0
        on_mesh = ["run", "net.loom", *common, *d.options]
        try:
            alone = command(folder, meshloom, ["run", "net.loom", *common, "--steps", str(STEPS), "--save", "alone"])
            first = d.resumed or STEPS
            done = command(folder, meshloom, [*on_mesh, "--steps", str(first), "--save", "many"])
            got = losses(done)
            if "not proved" in done.stderr:
                verdict, detail = "unproved", done.stderr.strip()[:600]
            if d.resumed:
                rest = ["run", "net.loom", *common, "--mesh", d.again, "--steps", str(STEPS), "--save", "many", "--resume", "many"]
                got += losses(command(folder, meshloom, rest))
            wanted = losses(alone)
            worst = apart(got, wanted)
            if len(wanted) != STEPS or worst > d.tolerance:
                raise Ended("wrong", f"losses {got}, on one device {wanted}")
            if d.tolerance < 1e-6:
                a, b = parameters(folder / "alone"), parameters(folder / "many")
                if a.keys() != b.keys():
                    raise Ended("wrong", f"saved are {sorted(b)}, on one device {sorted(a)}")
                for name, x in a.items():
                    by = float(np.max(np.abs(x.astype(np.float64) - b[name].astype(np.float64)), initial=0.0))
                    if not by <= 1e-7 * max(1.0, float(np.max(np.abs(x), initial=0.0))):
                        raise Ended("wrong", f"{name} differs by {by:.1e}")
        except Ended as e:
            verdict, detail = e.args
        if keep and verdict != "right":
            there = pathlib.Path(keep) / f"train{seed}"
            there.mkdir(parents=True, exist_ok=True)
            for name in ("net.loom", "data.npy"):
                (there / name).write_bytes((folder / name).read_bytes())
            (there / "what.txt").write_text(f"meshloom {' '.join(on_mesh)} --steps {STEPS}\nresumed after {d.resumed} on {d.again}\n{verdict}: {detail}\n")
        return seed, f"{' '.join(d.options)}", verdict, detail, worst


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seeds", default="0..30", help="which seeds: A..B, B not among them")
    p.add_argument("--keep", help="a folder for programs that were not right")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    a = p.parse_args()
    meshloom = os.environ.get("MESHLOOM", "meshloom")
    first, last = (int(n) for n in a.seeds.split(".."))
    counts, start, worst = collections.Counter(), time.monotonic(), 0.0
    with concurrent.futures.ProcessPoolExecutor(a.jobs) as pool:
        for seed, way, verdict, detail, by in pool.map(one, [(s, meshloom, a.keep) for s in range(first, last)]):
            counts[verdict] += 1
            if verdict == "right":
                worst = max(worst, by)
            else:
                print(f"seed {seed} ({way}): {verdict}: {detail}", flush=True)
    told = ", ".join(f"{counts[k]} {k}" for k in ("right", "wrong", "internal", "slow", "refused", "unproved"))
    print(f"{last - first} drawn train programs in {time.monotonic() - start:.0f} s: {told}; losses that are right are at most {worst:.1e} apart")
    sys.exit(1 if counts["wrong"] or counts["internal"] or counts["slow"] or not counts["right"] else 0)


if __name__ == "__main__":
    main()
