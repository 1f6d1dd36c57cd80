"""Which shardings, meshes, collectives of sdy and manual regions are well formed, by Shardy's verifier: writes the verdicts into
cases.mlir, behind the names.

    python tests/data/stablehlo/wellformed/verdicts.py        # jax 0.10.2
"""
import os
import re
from pathlib import Path

os.environ["JAX_PLATFORMS"] = "cpu"
from jax._src.interpreters import mlir
from jax._src.lib.mlir import ir

CASES = Path(__file__).parent / "cases.mlir"


def verdict(text):
    with mlir.make_ir_context():
        try:
            return "accepted" if ir.Module.parse(text).operation.verify() else "refused"
        except Exception:
            return "refused"


parts = CASES.read_text().split("// -----\n")
CASES.write_text("// -----\n".join(re.sub(r"^(// \w+): \w+", lambda m: f"{m[1]}: {verdict(p)}", p) for p in parts))
