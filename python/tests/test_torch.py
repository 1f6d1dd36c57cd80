"""Tensors of PyTorch go in and come out without a copy. No JAX here: `scripts/python` runs this file with the Python that has PyTorch."""

import pytest

import meshloom
from meshloom import array

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def test_arrays_of_pytorch():
    x = torch.arange(6.0).reshape(2, 3)
    assert array.on_host(x).ctypes.data == x.data_ptr()
    program = meshloom.compile("entry f(x: f32[2, 3]) -> f32[3, 2] {\n  transpose(x, [1, 0])\n}\n")
    made = program(x)
    result = torch.from_dlpack(made)
    assert torch.equal(result, x.T)
    assert result.data_ptr() == made.numpy().ctypes.data


def test_a_step_of_pytorch_parameters():
    text = """mesh [data: 1]
entry f(w: f32[4, 2] @ [data, _], x: f32[3, 4]) -> (f32[3, 2], f32[4, 2]) {
  let y = dot(x, w)
  (y, w * 0.5)
}
"""
    program = meshloom.compile(text, mesh={"data": 2})
    w, x = torch.randn(4, 2), torch.randn(3, 4)
    y, half = (torch.from_dlpack(r) for r in program(w, x).values())
    assert torch.allclose(y, x @ w, atol=1e-6)
    assert torch.equal(half, w * 0.5)


def test_tensors_that_cannot_be_taken():
    program = meshloom.compile("entry f(x: f32[2, 3]) -> f32[2, 3] {\n  x * 2.0\n}\n")
    with pytest.raises(meshloom.Error, match=r"expected f32\[2, 3\]"):
        program(torch.ones(3, 2))
