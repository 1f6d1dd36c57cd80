"""Modules of PyTorch and configs of Transformers become plans, and their steps have PyTorch's losses. `scripts/torch` runs this file."""

import dataclasses
import json
import os
import subprocess
import sys

import numpy
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
jax = pytest.importorskip("jax", reason="JAX is not installed")
pytest.importorskip("torchax", reason="torchax is not installed")

import meshloom
from meshloom.torch import Settings
from tiny import LLAMA as TINY
from trains import of_torch


class Net(torch.nn.Module):
    """A tied embedding, batch norm with running means, dropout, and attention."""

    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(32, 16)
        self.mix = torch.nn.Linear(16, 16)
        self.norm = torch.nn.BatchNorm1d(16)
        self.drop = torch.nn.Dropout(0.5)
        self.head = torch.nn.Linear(16, 32, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, tokens, labels):
        h = self.embed(tokens)
        q = self.mix(h).reshape(*h.shape[:2], 2, 8).transpose(1, 2)
        a = torch.nn.functional.scaled_dot_product_attention(q, q, q, is_causal=True)
        h = h + a.transpose(1, 2).reshape(h.shape)
        h = self.drop(self.norm(h.transpose(1, 2)).transpose(1, 2))
        return torch.nn.functional.cross_entropy(self.head(h).reshape(-1, 32), labels.reshape(-1))


def tokens(vocabulary, *shape):
    return torch.randint(0, vocabulary, shape, generator=torch.Generator().manual_seed(1))


def trained(module, batch, mesh, steps=3, **options):
    """A compiled step on CPU devices: losses, and the trainer."""
    trainer = meshloom.compile(module, batch, mesh=mesh, **options)
    return [trainer.step(batch) for _ in range(steps)], trainer


@pytest.mark.parametrize("mesh", [{"data": 8}, {"model": 8}, {"data": 2, "model": 4}], ids=str)
def test_losses_are_those_of_pytorch(mesh):
    torch.manual_seed(0)
    module, settings = Net(), Settings(clip=1.0, eps=1e-5)
    batch = {"tokens": tokens(32, 8, 8), "labels": tokens(32, 8, 8)}
    made, trainer = trained(module, batch, mesh, clip=1.0, eps=1e-5)
    assert made == pytest.approx(of_torch(module, batch, settings, 3), rel=1e-5)
    state = trainer.state_dict()
    for name, value in [*module.named_parameters(), *module.named_buffers()]:
        assert torch.allclose(state[name].to(value.dtype), value.detach(), atol=1e-4), name


@pytest.mark.parametrize("mesh", [{"data": 8}, {"data": 2, "model": 4}], ids=str)
def test_a_model_of_transformers_trains_as_in_pytorch(mesh):
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    module = transformers.AutoModelForCausalLM.from_config(transformers.AutoConfig.for_model(**TINY, use_cache=False))
    ids = tokens(64, 8, 16)
    batch, settings = {"input_ids": ids, "labels": ids}, Settings(clip=1.0, eps=1e-5)
    made, _ = trained(module, batch, mesh, clip=1.0, eps=1e-5)
    assert made == pytest.approx(of_torch(module, batch, settings, 3), rel=1e-5)


def test_a_plan_names_parameters_as_the_module_does():
    with torch.device("meta"):
        module = Net()
    batch = {"tokens": jax.ShapeDtypeStruct((8, 8), "int32"), "labels": jax.ShapeDtypeStruct((8, 8), "int32")}
    layouts = {"mix.*ght": [None, "model"], "embed.weight": ["model", None]}
    plan = meshloom.plan(module, batch, mesh={"data": 2, "model": 4}, precision="bf16", layouts=layouts)
    told = {t["name"] for t in plan.entry["tensors"]}
    assert {"embed.weight", "mix.weight", "mix.bias", "norm.running_mean", "exp_avg.mix.weight"} <= told
    assert "head.weight" not in told
    plan.assert_("layout(mix.weight) == [_, model]", "layout(embed.weight) == [model, _]")


def test_a_mesh_is_chosen_for_a_number_of_devices():
    with torch.device("meta"):
        module = Net()
    batch = {"tokens": jax.ShapeDtypeStruct((8, 8), "int32"), "labels": jax.ShapeDtypeStruct((8, 8), "int32")}
    plan = meshloom.plan(module, batch, devices=4)
    assert plan.entry["mesh"]["devices"] == 4


def test_what_is_refused_says_why():
    module = torch.nn.Linear(4, 4)
    with pytest.raises(meshloom.Error, match="the module gives no loss"):
        meshloom.plan(module, torch.ones(2, 4), mesh={"data": 2})
    with pytest.raises(meshloom.Error, match="fits no parameter"):
        meshloom.plan(module, torch.ones(2, 4), mesh={"data": 2}, layouts={"*.bias": ["data"]}, loss=lambda made, batch: made.sum())
    with pytest.raises(meshloom.Error, match="there are adamw, sgd, none"):
        meshloom.plan(module, torch.ones(2, 4), mesh={"data": 2}, optimizer="lion")


def test_a_config_alone_is_planned(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(TINY))
    environment = {**os.environ, "MESHLOOM_PYTHON": sys.executable}

    def meshloom_(*args):
        return subprocess.run([os.environ["MESHLOOM"], *args], capture_output=True, text=True, env=environment)

    asked = [f"hf:{tmp_path}", "--seq", "16", "--batch", "8"]
    planned = meshloom_("plan", *asked, "--mesh", "data=8")
    assert planned.returncode == 0, planned.stderr
    assert "model.layers.*.mlp.down_proj.weight" in planned.stdout
    chosen = meshloom_("plan", *asked, "--devices", "4")
    assert chosen.returncode == 0, chosen.stderr
    assert "data=2 x model=2" in chosen.stdout
    explained = meshloom_("explain", *asked, "model.embed_tokens.weight", "--mesh", "data=8")
    assert explained.returncode == 0, explained.stderr
    missing = meshloom_("plan", f"hf:{tmp_path}/none", "--mesh", "data=8")
    assert missing.returncode == 2
    assert "cannot be read" in missing.stderr


def test_settings_have_the_defaults_of_pytorch():
    of = {f.name: f.default for f in dataclasses.fields(Settings)}
    own = torch.optim.AdamW([torch.nn.Parameter(torch.ones(1))]).defaults
    assert (of["learning_rate"], of["weight_decay"], of["betas"], of["eps"]) == (own["lr"], own["weight_decay"], own["betas"], own["eps"])


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags_of_an_embedding_are_those_of_torch(mode):
    import jax.numpy as jnp
    from meshloom.torch import operators

    table = torch.randn(11, 5)
    lines, one = torch.randint(0, 11, (4, 3)), torch.randint(0, 11, (9,))
    for input, given in [(lines, {}), (one, {"offsets": torch.tensor([0, 2, 2, 7])}), (lines, {"padding_idx": 3}),
                         (one, {"offsets": torch.tensor([0, 4, 9]), "include_last_offset": True})]:  # fmt: skip
        wanted = torch.nn.functional.embedding_bag(input, table, mode=mode, **given)
        ours = {k: jnp.asarray(v.numpy()) if isinstance(v, torch.Tensor) else v for k, v in given.items()}
        made = operators.embedding_bag(jnp.asarray(input.numpy()), jnp.asarray(table.numpy()), mode=mode, **ours)
        torch.testing.assert_close(torch.from_numpy(numpy.asarray(made).copy()), wanted, rtol=1e-5, atol=1e-6)


def test_tables_of_categories_are_trained():
    """A DLRM in small: bags of embeddings, products of pairs of features, and a net over them."""

    class Dlrm(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.bags = torch.nn.ModuleList(torch.nn.EmbeddingBag(20, 8, mode="sum") for _ in range(3))
            self.dense, self.top = torch.nn.Linear(4, 8), torch.nn.Linear(8 + 6, 1)

        def forward(self, numbers, categories, labels):
            x = torch.relu(self.dense(numbers))
            all = torch.stack([x, *(bag(c) for bag, c in zip(self.bags, categories.unbind(1)))], 1)
            pairs = torch.stack([(all[:, i] * all[:, j]).sum(-1) for i in range(4) for j in range(i)], 1)
            logits = self.top(torch.cat([x, pairs], 1)).squeeze(-1)
            return torch.nn.functional.binary_cross_entropy_with_logits(logits, labels)

    torch.manual_seed(0)
    module = Dlrm()
    batch = {"numbers": torch.randn(16, 4), "categories": torch.randint(0, 20, (16, 3, 2)), "labels": torch.rand(16).round()}
    trainer = meshloom.compile(module, batch, mesh={"data": 4}, learning_rate=1e-2)
    optimizer = torch.optim.AdamW(module.parameters(), lr=1e-2)
    for _ in range(2):
        optimizer.zero_grad()
        loss = module(**batch)
        loss.backward()
        optimizer.step()
        assert float(trainer.step(batch)) == pytest.approx(float(loss.detach()), rel=1e-5)
