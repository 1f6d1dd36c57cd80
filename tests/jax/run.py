"""Runs programs of public JAX libraries by Meshloom and by JAX on 8 CPU devices, each in a process of its own, and compares.

    python tests/jax/run.py [--only NAME] [--json FILE]

Ends with 1 if a program differs or is refused. `make test-jax` installs the libraries and calls this.
"""

import argparse
import importlib
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
MODULES = sorted(p.stem for p in (HERE / "programs").glob("*.py"))
SECONDS = 900


def one(name, module):
    """In a process of its own: a program's row as JSON, on the last line."""
    importlib.import_module(f"programs.{module}")
    import harness

    print(json.dumps(harness.run(name)))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--only", help="programs whose name contains this")
    p.add_argument("--json", help="also write the rows there")
    p.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    a = p.parse_args()
    os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    if a.one:
        return one(*a.one)
    import harness

    found = []
    for module in MODULES:
        before = set(harness.PROGRAMS)
        importlib.import_module(f"programs.{module}")
        found += [(name, module) for name in harness.PROGRAMS if name not in before]
    rows, bad = [], 0
    print(f"{'program':34} {'mesh':16} {'apart':>8} {'sent':>11} {'by XLA':>11} {'seconds':>8}")
    for name, module in found:
        if a.only and a.only not in name:
            continue
        start = time.monotonic()
        command = [sys.executable, __file__, "--one", name, module]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            done = subprocess.CompletedProcess(command, 1, "", f"not done in {SECONDS} s")
        took = time.monotonic() - start
        if done.returncode != 0:
            bad += 1
            print(f"{name:34} FAILED after {took:.0f} s\n" + "\n".join(done.stderr.strip().splitlines()[-12:]))
            continue
        row = json.loads(done.stdout.strip().splitlines()[-1])
        rows.append(row)
        wrong = not row["apart"] <= row["tolerance"]
        bad += wrong
        more = "  DIFFERS" if wrong else "  more than XLA" if row["wire"] > row["xla_wire"] * 1.001 else ""
        print(f"{name:34} {row['mesh']:16} {row['apart']:8.1e} {row['wire']:11.0f} {row['xla_wire']:11.0f} {took:8.0f}{more}", flush=True)
    less = sum(row["wire"] <= row["xla_wire"] * 1.001 for row in rows)
    print(f"{len(rows)} of {len(rows) + bad - sum(not r['apart'] <= r['tolerance'] for r in rows)} ran, {bad} failed or differ; {less} send at most what XLA's does")
    if a.json:
        pathlib.Path(a.json).write_text(json.dumps(rows, indent=1) + "\n")
    sys.exit(1 if bad or not rows else 0)


if __name__ == "__main__":
    main()
