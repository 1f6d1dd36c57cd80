"""`meshloom check-plan` against PyTorch: by the plans that it accepts, gloo processes train as one process does; by those that it refuses
they do not. `scripts/torch` runs this file. What is said of each plan is tested without PyTorch in compiler/follow/tests.
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
pytest.importorskip("transformers")

import meshloom.torch
from dtensor_cases import CONFIGS, broken, plans
from test_export_plan import batch_of, model_of
from torch.distributed.tensor import Replicate, Shard
from torch.distributed.tensor.parallel import ColwiseParallel, PrepareModuleInput, RowwiseParallel, SequenceParallel

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """What PyTorch makes of each plan in four processes."""
    out = tmp_path_factory.mktemp("plans") / "results.json"
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    path = f"{HERE}:{os.environ.get('PYTHONPATH', '')}"
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": path, "CUDA_VISIBLE_DEVICES": ""}
    launch = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "4", "--master-port", str(port)]
    done = subprocess.run([*launch, HERE / "dtensor_worker.py", out], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-20000:]
    return json.loads(out.read_text())


def is_alone(made):
    """Whether a plan trained as one process does: losses to 1e-5, parameters of each rank to 1e-4."""
    return "error" not in made and made["losses"] == pytest.approx(made["alone"], rel=1e-5) and made["apart"] < 1e-4


@pytest.mark.parametrize("name", plans())
def test_a_plan_that_is_accepted_trains_as_one_process(name, trained):
    assert is_alone(trained[name]), trained[name]


@pytest.mark.parametrize("name", broken())
def test_a_plan_that_is_refused_does_not(name, trained):
    assert not is_alone(trained[name]), trained[name]


def styles():
    layer = "model.layers.*."
    return {
        "model.embed_tokens": RowwiseParallel(input_layouts=Replicate()),
        "model.layers.0": PrepareModuleInput(input_layouts=Replicate(), desired_input_layouts=Shard(1), use_local_output=True),
        layer + "input_layernorm": SequenceParallel(),
        layer + "self_attn": PrepareModuleInput(
            input_kwarg_layouts={"hidden_states": Shard(1)}, desired_input_kwarg_layouts={"hidden_states": Replicate()}
        ),
        layer + "self_attn.q_proj": ColwiseParallel(),
        layer + "self_attn.k_proj": ColwiseParallel(),
        layer + "self_attn.v_proj": ColwiseParallel(),
        layer + "self_attn.o_proj": RowwiseParallel(output_layouts=Shard(1)),
        layer + "post_attention_layernorm": SequenceParallel(),
        layer + "mlp": PrepareModuleInput(input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),)),
        layer + "mlp.gate_proj": ColwiseParallel(),
        layer + "mlp.up_proj": ColwiseParallel(),
        layer + "mlp.down_proj": RowwiseParallel(output_layouts=Shard(1)),
        "model.norm": SequenceParallel(),
        "lm_head": ColwiseParallel(input_layouts=Shard(1), output_layouts=Replicate()),
    }


def test_a_module_and_styles_are_checked_from_python():
    model = model_of(CONFIGS["llama"])
    batch = {**batch_of(model), "use_cache": False}
    given = {"batch": ["data"], "fully_shard": ["model.layers.*", ""]}
    plan = meshloom.torch.dtensor_plan({"data": 2, "model": 2}, styles(), **given)
    checked = meshloom.torch.check_plan(model, batch, plan=plan)
    assert checked.accepted and checked.steps > 1000 and not checked.warnings, checked
    wrong = {**styles(), "model.layers.*.input_layernorm": SequenceParallel(sequence_dim=2)}
    refused = meshloom.torch.check_plan(model, batch, plan=meshloom.torch.dtensor_plan({"data": 2, "model": 2}, wrong, **given))
    assert not refused.accepted
    assert any(r["module"] == "model.layers.0.input_layernorm" and "Shard(2)" in r["message"] for r in refused.refusals), refused
    with pytest.raises(meshloom.Rejected, match="names the axis"):
        meshloom.torch.check_plan(model, batch, plan={**plan, "batch": ["rows"]})


def test_a_config_is_checked_from_the_command_line(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(CONFIGS["llama"]))
    _, plan = plans()["llama, Megatron's split"]
    environment = {**os.environ, "MESHLOOM_PYTHON": sys.executable}

    def check(plan):
        (tmp_path / "plan.json").write_text(json.dumps(plan))
        line = [os.environ["MESHLOOM"], "check-plan", tmp_path / "plan.json", f"hf:{tmp_path}", "--seq", "8", "--batch", "4"]
        return subprocess.run(line, capture_output=True, text=True, env=environment)

    done = check(plan)
    assert done.returncode == 0 and "Proved" in done.stderr, done.stderr
    _, plan, module = broken()["keys left whole"]
    done = check(plan)
    assert done.returncode == 1 and done.stdout.startswith(module), done
    assert check({"schema": 3}).returncode == 2
