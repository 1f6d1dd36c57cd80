"""A module that trains on the devices of this machine, by a compiled step."""

from __future__ import annotations

from typing import Any, Mapping

from ..program import Program
from .functional import on_host
from .packages import need
from .step import Traced

# What Loom's AdamW calls what PyTorch's has.
MOMENTS = {"m": "exp_avg", "v": "exp_avg_sq"}


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
        return self._step(given, seed)

    def _step(self, given: Mapping[str, Any], seed: Mapping[str, Any]) -> float:
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


class LoomTrainer(Trainer):
    """The same by a step that Loom made of the loss: the program holds parameters and moments."""

    def __init__(self, traced: Traced, program: Program):
        super().__init__(traced, program)
        np = need("numpy")
        own = {**self._params, **self._state, **{f"buffers.{n}": b for n, b in self._buffers.items()}}
        ports = program.ports
        zeros = {n: np.zeros(p.shape, p.dtype) for n, p in ports.items() if p.role == "state" and n not in own}
        program.write({n: v for n, v in {**own, **zeros}.items() if n in ports})

    def _step(self, given: Mapping[str, Any], seed: Mapping[str, Any]) -> float:
        ports = self.program.ports
        named = {**{f"batch.{n}": v for n, v in given.items()}, **seed}
        loss = self.program.step(**{n: v for n, v in named.items() if n in ports}).loss
        return float("nan") if loss is None else loss

    def state_dict(self) -> dict[str, Any]:
        torch, ports = need("torch"), self.program.ports
        own = {n: self.program.read(n) for n in [*self._state, *self._params] if n in ports}
        all: Mapping[str, Any] = {**self._buffers, **self._state, **self._params, **own}
        return {n: torch.from_numpy(value) for n, value in all.items()}

    def optimizer_state(self) -> dict[str, Any]:
        torch = need("torch")
        made: dict[str, Any] = {name: {} for name in MOMENTS.values()} if self._held else {}
        for name, port in self.program.ports.items():
            first, _, parameter = name.partition(".")
            if port.role == "state" and first in MOMENTS and parameter in self._params:
                made[MOMENTS[first]][parameter] = torch.from_numpy(self.program.read(name))
            elif name == "step":
                made["step"] = torch.from_numpy(self.program.read(name))
        return made
