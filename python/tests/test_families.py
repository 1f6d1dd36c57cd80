"""Small models of each family, and modules without Transformers, train on 8 CPU devices as in PyTorch. `scripts/torch --families` runs this
file, which takes half an hour; rows of docs/from-pytorch.md are what it prints with `-s`."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("transformers", reason="Transformers is not installed")

import trains
from plain import SIZES
from zoo import FAMILIES


def held(name, module, batch):
    found = trains.compared(module, batch)
    told = "; ".join(f"{t.mesh}: losses {t.loss:.1e}, {t.worst or 'parameters'} {t.parameter:.1e}" for t in found)
    print(f"| {name} | {max(t.loss for t in found):.1e} | {max(t.parameter for t in found):.1e} |")
    assert all(t.equal for t in found), told


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.name)
def test_a_family_trains_as_in_pytorch(family):
    held(family.name, *trains.small(family))


@pytest.mark.parametrize("name", SIZES)
def test_a_plain_module_trains_as_in_pytorch(name):
    torch.manual_seed(0)
    held(name, *SIZES[name][1]())
