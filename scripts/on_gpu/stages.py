"""`gpu run`: stages one after the other, each in a process of its own that ends at a deadline, until the minutes are over. Stages whose results
are all in the file are left out, so the same command again goes on where the last one ended."""
import json, os, subprocess, sys, time

from on_gpu import correct, speed
from on_gpu.process import Runner, end, finish
from on_gpu.results import Results, wrong

# In the order of need, with seconds: the first three fit ten minutes and say what is right, the next two are the table.
STAGES = {"doctor": 60, "kernels": 300, "losses": 240, "ops": 300, "gpt2": 300, "nccl": 300, "sanitize": 570}
WORK = {"doctor": correct.doctor, "kernels": correct.kernels, "losses": correct.losses, "ops": speed.ops, "gpt2": speed.gpt2, "nccl": correct.nccl,
        "sanitize": correct.sanitize}
# No stage is begun with fewer seconds.
LEAST = 20


class Limits:
    """What one program may take, and how long measuring takes."""

    def __init__(self, a, settings):
        self.patience, self.measure = a.patience, a.measure
        # Peers take the sizes that were packed.
        self.small = ["--small"] if settings["small"] else []

    def seconds(self, usual):
        return usual * self.patience


def run(a, here):
    path = a.results or os.path.join(here, "results.jsonl")
    unknown = [s for s in a.stages if s not in STAGES]
    if unknown:
        sys.exit(f"no stage is called {unknown[0]}: there are {', '.join(STAGES)}")
    start, asked = time.monotonic(), a.stages or list(STAGES)
    for stage in asked:
        if Results(path).finished(stage) and not a.stages:
            continue
        left = a.minutes * 60 - (time.monotonic() - start)
        if left < LEAST:
            print(f"{stage} and what comes after it are left: the same command goes on with them")
            break
        if not one(a, here, path, stage, min(left - 2, STAGES[stage] * a.patience)):
            break
    rows = Results(path).rows
    bad = wrong(rows)
    print(f"{path}: {len(rows)} rows, {len(bad)} of them wrong")
    return 1 if bad else 0


def one(a, here, path, stage, seconds):
    """Runs a stage to its end or its deadline; whether the others make sense after it."""
    options = ["--results", path, "--patience", str(a.patience), "--measure", str(a.measure)]
    p = subprocess.Popen([sys.executable, os.path.join(here, "gpu"), "stage", stage, *options], start_new_session=True)
    try:
        code = p.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        code = None
    finally:
        end_all(p)
    results = Results(path)
    if code is None:
        results.add(stage, "stage", "deadline", "again", note=f"ended after {seconds:.0f} s: what is missing is measured by the same command")
    elif code not in (0, 3):
        results.add(stage, "stage", "ended", "failed", note=f"exit code {code}")
    return code != 3


def end_all(p):
    """Ends a stage, and the programs that it started in groups of their own."""
    children = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if int(fields[1]) == p.pid:
            children.append(int(pid))
    end(p)
    for pid in children:
        try:
            os.killpg(pid, 9)
        except (ProcessLookupError, PermissionError):
            pass


def stage(a, here):
    """`gpu stage`: one stage, in this process. Exit code 3 where there is no GPU to go on with."""
    results = Results(a.results)
    settings = json.load(open(os.path.join(here, "settings.json")))
    there = WORK[a.stage](Limits(a, settings), Runner(here), results)
    results.add(a.stage, "stage", "finished", "ok")
    return 3 if a.stage == "doctor" and not there else 0
