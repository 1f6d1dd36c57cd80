"""A module that trains on the devices of this machine, by a compiled step."""

from __future__ import annotations

from typing import Any, Mapping

from ..program import Program
from .functional import on_host
from .packages import need
from .step import Traced


class Trainer:
    """The train step of a module. Made by `meshloom.compile(module, batch, ..)`.

    It starts from the module's own values. The module stays as it is until `load_into` writes what was trained into it.
    """

    def __init__(self, traced: Traced, program: Program):
        self._traced, self.program = traced, program
        self._params, self._held, self._state, self._buffers = traced.values()
        self._seed = 0

    def step(self, *batch: Any) -> float:
        """Trains once on a batch of the shapes that it was compiled for. Gives the loss before the update."""
        np, torch = need("numpy"), need("torch")
        given = batch[0] if self._traced.named else {str(i): value for i, value in enumerate(batch)}
        given = {n: on_host(v) if isinstance(v, torch.Tensor) else v for n, v in given.items() if hasattr(v, "shape")}
        seed = {"seed": np.uint32(self._seed)} if self._traced.settings.dropout else {}
        self._seed += 1
        made = self.program(self._params, self._held, self._state, self._buffers, given, **seed)
        self._params, self._held, self._state, told = made
        return float(told["loss"].numpy())

    def state_dict(self) -> dict[str, Any]:
        """Parameters and buffers as they are now, under the module's names: f32 tensors of PyTorch, integers as i32."""
        torch, np = need("torch"), need("numpy")
        all: Mapping[str, Any] = {**self._buffers, **self._state, **self._params}
        return {n: torch.from_numpy(np.array(value)) for n, value in all.items()}

    def optimizer_state(self) -> dict[str, Any]:
        """What the optimizer holds: `exp_avg` and `exp_avg_sq` by the names of parameters, and `step`."""
        torch, np, jax = need("torch"), need("numpy"), need("jax")
        return jax.tree.map(lambda value: torch.from_numpy(np.array(value)), self._held)

    def load_into(self, module: Any) -> None:
        """Writes what was trained into a module of the same names."""
        torch = need("torch")
        state = self.state_dict()
        with torch.no_grad():
            for name, tensor in [*module.named_parameters(), *module.named_buffers()]:
                if name in state:
                    tensor.copy_(state[name])
