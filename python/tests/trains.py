"""A family or a module by three steps, in PyTorch and by a compiled step on CPU devices."""

import math
import time
from dataclasses import dataclass, field
from typing import Any

import torch

import meshloom
from meshloom.torch import Settings, configs

MESHES = [{"data": 8}, {"model": 8}, {"data": 2, "model": 4}]
# Losses and parameters to these.
LOSSES, PARAMETERS = 1e-5, 1e-4
# A larger epsilon than AdamW's own: without it a gradient that is zero but for rounding makes a step of full size.
SETTINGS = {"clip": 1.0, "eps": 1e-5}


@dataclass
class Trained:
    """What differed on one mesh: of losses above 1 relatively, of all else absolutely."""

    mesh: dict[str, int]
    loss: float
    parameter: float
    worst: str = ""
    seconds: float = 0.0

    @property
    def equal(self) -> bool:
        return self.loss <= LOSSES and self.parameter <= PARAMETERS


def small(family: Any, size: int = 8) -> tuple[Any, dict[str, Any]]:
    """A small module of a family with values, and a batch for it."""
    torch.manual_seed(0)
    made, config = configs.of_dict(family.small_config(), device="cpu")
    shapes = configs.batch(made, config, size, family.small_seq)
    return made, {n: drawn(n, s, config) for n, s in shapes.items()}


def drawn(name: str, of: Any, config: Any) -> Any:
    """Values for an input."""
    if not hasattr(of, "shape"):
        return of
    draw = torch.Generator().manual_seed(len(name))
    if "float" in str(of.dtype):
        return torch.randn(of.shape, generator=draw)
    known = getattr(config, "vocab_size", None) or getattr(getattr(config, "text_config", None), "vocab_size", 64)
    classes = config.num_labels if len(of.shape) == 1 else known
    return torch.randint(3 if classes > 8 else 0, classes, of.shape, generator=draw)


def of_torch(module: Any, batch: dict[str, Any], settings: Settings, steps: int) -> list[float]:
    """Losses of PyTorch's own loop, dropout off. The module is trained."""
    for part in module.modules():
        part.training = isinstance(part, torch.nn.modules.batchnorm._NormBase)
    s = settings
    optimizer = torch.optim.AdamW(module.parameters(), lr=s.learning_rate, betas=s.betas, eps=s.eps, weight_decay=s.weight_decay)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        made = module(**batch)
        loss = getattr(made, "loss", None)
        loss = made if loss is None else loss
        loss.backward()
        if s.clip:
            torch.nn.utils.clip_grad_norm_(module.parameters(), s.clip)
        optimizer.step()
        losses.append(float(loss.detach()))
    return losses


def compared(module: Any, batch: dict[str, Any], meshes: Any = MESHES, steps: int = 3, **options: Any) -> list[Trained]:
    """The same on each mesh, each from the module's first values; the module is trained by PyTorch at the end."""
    options = {**SETTINGS, **options}
    own = {k: v for k, v in options.items() if k in meshloom.torch.settings.NAMES}
    runs = []
    for mesh in meshes:
        start = time.monotonic()
        trainer = meshloom.compile(module, batch, mesh=mesh, **options)
        losses = [trainer.step(batch) for _ in range(steps)]
        runs.append((mesh, losses, trainer.state_dict(), time.monotonic() - start))
    wanted = of_torch(module, batch, Settings.of(own), steps)
    out = []
    for mesh, losses, state, seconds in runs:
        worst, most = "", 0.0
        for name, value in [*module.named_parameters(), *module.named_buffers()]:
            if name in state:
                apart = float((state[name].double() - value.detach().double()).abs().max()) if value.numel() else 0.0
                worst, most = max((worst, most), (name, apart if math.isfinite(apart) else math.inf), key=lambda x: x[1])
        loss = max(abs(a - b) / max(abs(b), 1.0) for a, b in zip(losses, wanted))
        out.append(Trained(mesh, loss if math.isfinite(loss) else math.inf, most, worst, seconds))
    return out
