"""`meshloom export-plan --to dtensor`, run: PyTorch on gloo processes trains by the exported file, and its losses are those of one process.

`scripts/torch` runs this file. The writers are tested without PyTorch in compiler/export/tests.
"""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("torchax", reason="torchax is not installed")
transformers = pytest.importorskip("transformers")

from tiny import LLAMA

STEPS, ROWS, TOKENS = 3, 8, 16

QWEN3 = {**LLAMA, "model_type": "qwen3", "head_dim": 8}
GPT2 = {"model_type": "gpt2", "vocab_size": 64, "n_positions": 32, "n_embd": 32, "n_layer": 2, "n_head": 4}
VIT = {
    "model_type": "vit",
    "image_size": 16,
    "patch_size": 4,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "architectures": ["ViTForImageClassification"],
}

# Megatron's split with FSDP: what the planner keeps is the planner's choice, and at these sizes it would choose to split little.
MEGATRON = {
    "model.layers.*.self_attn.[qkv]_proj.weight": ["model", "data"],
    "model.layers.*.self_attn.o_proj.weight": ["data", "model"],
    "model.layers.*.mlp.gate_proj.weight": ["model", "data"],
    "model.layers.*.mlp.up_proj.weight": ["model", "data"],
    "model.layers.*.mlp.down_proj.weight": ["data", "model"],
    "model.embed_tokens.weight": ["model", "data"],
    "lm_head.weight": ["model", "data"],
}
GPT2_LAYOUTS = {
    "transformer.h.*.mlp.c_fc.weight": ["data", "model"],
    "transformer.h.*.mlp.c_proj.weight": ["model", "data"],
    "transformer.h.*.attn.c_attn.weight": ["data", "model"],
    "transformer.h.*.attn.c_proj.weight": ["model", "data"],
    "transformer.wte.weight": ["model", "data"],
}
VIT_LAYOUTS = {
    "*.attention.[qkv]_proj.weight": ["model", "data"],
    "*.attention.o_proj.weight": ["data", "model"],
    "*.mlp.fc1.weight": ["model", "data"],
    "*.mlp.fc2.weight": ["data", "model"],
}


def model_of(config):
    """The model of a config, with the same values in every process, and no dropout."""
    torch.manual_seed(0)
    config = dict(config)
    kind = config.pop("model_type")
    made = transformers.AutoConfig.for_model(kind, **config, use_cache=False)
    auto = transformers.AutoModelForImageClassification if kind == "vit" else transformers.AutoModelForCausalLM
    return auto.from_config(made).eval()


def batch_of(model):
    numbers = torch.Generator().manual_seed(1)
    if model.config.model_type == "vit":
        c = model.config
        pixels = torch.randn(ROWS, c.num_channels, c.image_size, c.image_size, generator=numbers)
        return {"pixel_values": pixels, "labels": torch.randint(0, 2, (ROWS,), generator=numbers)}
    ids = torch.randint(0, model.config.vocab_size, (ROWS, TOKENS), generator=numbers)
    return {"input_ids": ids, "labels": ids}


def trained_alone(config, clip=1.0):
    """Losses of PyTorch's own loop in one process, and the model after it."""
    model = model_of(config)
    batch = batch_of(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, eps=1e-5)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = model(**batch).loss
        loss.backward()
        if clip is not None:
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        losses.append(loss.item())
    return model, losses


# Tensor parallelism with whole copies over data.
REPLICATED = {pattern: [axis if axis == "model" else None for axis in layout] for pattern, layout in MEGATRON.items()}
REPLICATED |= {"*norm.weight": [None]}


def by_the_sequence(plan):
    """The plan with norms that are split by the sequence, and layers that are recomputed."""
    for read in plan["reads"]:
        if read["op"] == "elementwise":
            read["with"][1] = ["model"]
    plan["asked"] = [{"setting": "recompute", "value": "full", "source": None}]


def exported(folder, config, mesh, layouts, edit=None):
    """The export of a model's plan, as a file; of the plan as JSON where it is edited first."""
    environment = {**os.environ, "MESHLOOM_PYTHON": sys.executable}
    (folder / "config.json").write_text(json.dumps(config))
    sizes = ",".join(f"{n}={s}" for n, s in mesh.items())
    trace = [sys.executable, "-m", "meshloom.torch.trace", folder, "--seq", str(TOKENS), "--batch", str(ROWS)]
    trace += ["--precision", "f32", "-o", folder / "step.mlir"]
    if layouts:
        (folder / "layouts.json").write_text(json.dumps(layouts))
        trace += ["--mesh", sizes, "--layouts", folder / "layouts.json"]
    subprocess.run(trace, check=True, env=environment)
    meshloom, model = os.environ["MESHLOOM"], [folder / "step.mlir", "--mesh", sizes]
    if edit:
        plan = json.loads(subprocess.check_output([meshloom, "plan", *model, "--json"]))
        edit(plan["entries"][0])
        (folder / "plan.json").write_text(json.dumps(plan))
        model = [folder / "plan.json"]
    asked = [meshloom, "export-plan", "--to", "dtensor", *model, "-o", folder / "export.py"]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Planned" in done.stderr and (edit or "As run" in done.stderr), done.stderr
    return (folder / "export.py").read_text()


def run(folder, processes):
    """Losses of the export in so many processes."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    here = Path(__file__).parent
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": f"{here}:{os.environ.get('PYTHONPATH', '')}", "CUDA_VISIBLE_DEVICES": ""}
    launch = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", str(processes), "--master-port", str(port)]
    arguments = [here / "export_worker.py", folder / "export.py", folder / "config.json", folder / "losses.json"]
    done = subprocess.run([*launch, *arguments], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-20000:]
    return json.loads((folder / "losses.json").read_text())


CASES = {
    "llama on 4": (LLAMA, {"data": 2, "model": 2}, MEGATRON, ["ColwiseParallel()", "RowwiseParallel()", "loss_parallel()", "fully_shard("]),
    "llama on 8": (LLAMA, {"data": 4, "model": 2}, MEGATRON, ["ColwiseParallel()", "fully_shard("]),
    "qwen 3 on 4": (QWEN3, {"data": 2, "model": 2}, MEGATRON, ["SequenceParallel(sequence_dim=2, use_local_output=True)"]),
    "gpt-2 on 4": (GPT2, {"data": 2, "model": 2}, GPT2_LAYOUTS, ['mlp.c_fc": Split(1, Replicate(), Shard(-1))', 'mlp.c_proj": Split(0, Shard(-1), Replicate())']),
    "vit on 4": (VIT, {"data": 2, "model": 2}, VIT_LAYOUTS, ["ColwiseParallel()"]),
    "llama on 4, copies over data": (LLAMA, {"data": 2, "model": 2}, REPLICATED, ["replicate(model, mesh=data)"]),
    "llama on 4, by the sequence": (LLAMA, {"data": 2, "model": 2}, MEGATRON, ["GatheredNorm(", "SplitInput(1)", "checkpoint(layer)"]),
    "llama on 8, as planned": (LLAMA, {"data": 8}, None, []),
}
EDITS = {"llama on 4, by the sequence": by_the_sequence}


@pytest.mark.parametrize("name", CASES)
def test_an_export_trains_as_one_process(name, tmp_path):
    config, mesh, layouts, wanted = CASES[name]
    text = exported(tmp_path, config, mesh, layouts, EDITS.get(name))
    for call in wanted:
        assert call in text, text
    processes = 1
    for size in mesh.values():
        processes *= size
    made = run(tmp_path, processes)
    assert made["losses"] == pytest.approx(made["alone"], rel=1e-5)
    assert made["apart"] < 1e-4
