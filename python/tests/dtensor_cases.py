"""The plans of tests/data/dtensor, which `meshloom check-plan` accepts or refuses, and the models that they are for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tiny import LLAMA

ROWS, TOKENS = 4, 8
FOLDER = Path(__file__).parents[2] / "tests" / "data" / "dtensor"

CONFIGS = {
    "llama": LLAMA,
    "qwen3": {**LLAMA, "model_type": "qwen3", "head_dim": 8, "num_hidden_layers": 1},
    "gpt2": {"model_type": "gpt2", "vocab_size": 64, "n_positions": 32, "n_embd": 32, "n_layer": 1, "n_head": 4},
    "vit": {
        "model_type": "vit",
        "image_size": 16,
        "patch_size": 4,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 1,
        "num_attention_heads": 4,
        "architectures": ["ViTForImageClassification"],
    },
}


def plans() -> dict[str, tuple[str, dict[str, Any]]]:
    """Model and plan by the name of each right plan."""
    return {c["name"]: (c["model"], c["plan"]) for c in json.loads((FOLDER / "right.json").read_text())}


def broken() -> dict[str, tuple[str, dict[str, Any], str]]:
    """Model, plan and the module that is refused by the name of each broken plan."""
    right, out = plans(), {}
    for c in json.loads((FOLDER / "broken.json").read_text()):
        model, plan = right[c["of"]]
        plan = {**json.loads(json.dumps(plan)), **c.get("with", {})}
        for call in plan["calls"]:
            if call["call"] == "parallelize_module":
                call["plan"].update(c.get("set", {}))
                call["plan"] = {k: v for k, v in call["plan"].items() if v is not None}
        plan["calls"] = [call for call in plan["calls"] if call["call"] not in c.get("drop", [])] + c.get("add", [])
        out[c["name"]] = (model, plan, c["module"])
    return out
