"""Families of Transformers and plain modules at published sizes, traced from shapes alone, planned and certified; as rows of
docs/from-pytorch.md.

    python python/tests/families.py [WORD ..]        those whose names contain one of the words
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

import torch

from meshloom import _command
from meshloom.torch import Settings, configs, step
from plain import SIZES
from zoo import FAMILIES, LARGER, Family

MESH = "data=64"


def main() -> int:
    words = [w.lower() for w in sys.argv[1:]]
    print("| family | trace | text | plan | step | memory | attention |")
    for name, made in [*((f.name, of_family(f)) for f in FAMILIES + LARGER), *((n, of_plain(made[0])) for n, made in SIZES.items())]:
        if not words or any(w in name.lower() for w in words):
            print(row(name, made), flush=True)
    return 0


def of_family(family: Family) -> Callable[[], Any]:
    def made() -> Any:
        module, read = configs.of_dict(dict(family.published))
        return module, configs.batch(module, read, 64, family.seq)

    return made


def of_plain(made: Callable[[], Any]) -> Callable[[], Any]:
    """A module at its published size; tensors of its batch have shapes alone."""

    def on_meta() -> Any:
        with torch.device("meta"):
            return made()

    return on_meta


def row(name: str, sized: Callable[[], Any]) -> str:
    """Times are those of the processor, of this process and of the command: other work on the machine does not count."""
    start = time.process_time()
    try:
        module, batch = sized()
        made = step.traced(module, (batch,), Settings(precision="bf16", clip=1.0)).lowered.as_text(debug_info=True)
    except Exception as e:
        return f"| {name} | refused: {last(f'{type(e).__name__}: {e}')} | | | | | |"
    traced = time.process_time() - start
    with tempfile.TemporaryDirectory() as folder:
        text = Path(os.environ.get("FAMILIES", folder), name.replace(" ", "_").replace("/", "_") + ".mlir")
        text.write_text(made)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        line = [_command.command(), "plan", str(text), "--mesh", MESH, "--target", "h100-sxm", "--json"]
        try:
            planned = subprocess.run(line, capture_output=True, text=True, timeout=400)
        except subprocess.TimeoutExpired:
            planned = subprocess.CompletedProcess(line, 124, "", "not done in 400 s")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    head = f"| {name} | {traced:.1f} s | {len(made) / 1e6:.1f} MB |"
    if planned.returncode:
        return f"{head} refused: {last(planned.stderr)} | | | |"
    told = json.loads(planned.stdout)["entries"][0]
    assert told["certificate"]["status"] == "proved"
    totals = told["totals"]
    kernels = "recognised" if any(t["variant"] == "as-written" and t["predicted_step_us"] for t in told["tried"]) else "single ops"
    ms, peak = totals["predicted_step_us"] / 1e3, (totals["peak_bytes_per_device"] or 0) / 2**30
    return f"{head} {took:.1f} s | {ms:.1f} ms | {peak:.1f} GiB | {kernels} |"


def last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("error")]
    return ((errors or lines[:1] or ["nothing said"])[0])[:200].replace("|", "/")


if __name__ == "__main__":
    sys.exit(main())
