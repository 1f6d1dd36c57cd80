"""Microbatches, stages and a loss in parts, of modules of PyTorch: the steps that Loom makes of their losses. `scripts/torch` runs this file."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("torchax", reason="torchax is not installed")
pytest.importorskip("transformers", reason="Transformers is not installed")

import meshloom
import trains
from meshloom.torch import configs
from tiny import LLAMA
from zoo import FAMILIES

DEEP = {**LLAMA, "num_hidden_layers": 4}
MAMBA = next(f for f in FAMILIES if f.name == "Mamba 130M").small_config()


def module_and_batch(config=DEEP, size=8):
    torch.manual_seed(0)
    module, _ = configs.of_dict(dict(config), device="cpu")
    ids = torch.randint(0, 64, (size, 16), generator=torch.Generator().manual_seed(1))
    return module, {"input_ids": ids, "labels": ids}


def held(module, batch, mesh, **options):
    for t in trains.compared(module, batch, [mesh], **options):
        assert t.equal, t


def test_microbatches_add_up_to_the_batch():
    held(*module_and_batch(), {"data": 2, "model": 2}, accumulate=2)


def test_layers_are_stages_over_an_axis():
    held(*module_and_batch(), {"pipe": 4, "data": 2}, accumulate=4)


def test_a_loss_in_parts_is_the_loss():
    held(*module_and_batch(), {"data": 2, "model": 2}, loss_chunks=4)


def test_a_loss_in_parts_of_microbatches_with_labels_that_do_not_count():
    module, batch = module_and_batch()
    batch["labels"] = torch.where(torch.arange(16) < torch.arange(8)[:, None], -100, batch["labels"])
    held(module, batch, {"data": 2}, loss_chunks=2, accumulate=2)


def test_a_gradient_ends_where_pytorch_says_so():
    """And what a forward pass makes with values is a constant."""

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.idle = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)

        def forward(self, x):
            with torch.no_grad():
                aim = self.b(x) + torch.arange(4.0)
            return ((self.a(x) - aim) ** 2).mean() + (self.b(x).detach() * self.a(x)).mean() + self.b.bias.sum()

    torch.manual_seed(0)
    held(Net(), {"x": torch.randn(8, 4)}, {"data": 2}, weight_decay=0.1)
    torch.manual_seed(0)
    held(Net(), {"x": torch.randn(8, 4)}, {"data": 2}, weight_decay=0.1, accumulate=2)


@pytest.mark.parametrize("name", ["Mixtral 8x7B", "GPT-OSS 20B"])
def test_experts_with_room_for_all_are_exact(name):
    module, batch = trains.small(next(f for f in FAMILIES if f.name == name))
    held(module, batch, {"data": 2}, expert_capacity=1e3)


def test_a_scan_of_mamba_is_one_loop():
    from meshloom.torch import lower

    lengths = []
    for seq in (8, 64):
        module, config = configs.of_dict(MAMBA)
        lengths.append(len(lower(module, configs.batch(module, config, 8, seq))))
    assert lengths[1] < 1.1 * lengths[0], lengths


def test_settings_that_cannot_be_say_why():
    module, batch = module_and_batch()
    with pytest.raises(meshloom.Error, match="a batch of 8 cannot be split into 3 microbatches"):
        meshloom.plan(module, batch, mesh={"data": 2}, accumulate=3)
    with pytest.raises(meshloom.Error, match="does not divide the 16 positions"):
        meshloom.plan(module, batch, mesh={"data": 2}, loss_chunks=5)
    with pytest.raises(meshloom.Error, match="gives the loss alone"):
        meshloom.plan(module, batch, mesh={"data": 2}, accumulate=2, optimizer="none")
    t5 = next(f for f in FAMILIES if f.name == "T5 large")
    module, config = configs.of_dict({**t5.small_config(), "num_layers": 4, "num_decoder_layers": 3})
    with pytest.raises(meshloom.Error, match="several lists of layers"):
        meshloom.plan(module, configs.batch(module, config, 8, 16), mesh={"pipe": 2}, accumulate=2)
