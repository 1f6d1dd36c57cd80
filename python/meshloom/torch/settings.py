"""What a caller says of a train step beside the module: optimizer, precision, loss, layouts."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Callable, Mapping, Sequence

from .._command import Error

OPTIMIZERS = ("adamw", "sgd", "none")
PRECISIONS = ("f32", "bf16", "f16")

# A layout: for each dim an axis of the mesh, several of them, or none.
Layout = Sequence[str | Sequence[str] | None]


@dataclass(frozen=True)
class Settings:
    """How a module is trained.

    Attributes:
        optimizer: `adamw` with PyTorch's formula and defaults, `sgd`, or `none`, which gives the loss alone.
        precision: what forward and backward pass compute in. Parameters and moments are f32 in any case.
        learning_rate, weight_decay, betas, eps: as in `torch.optim.AdamW`.
        clip: the largest norm of all gradients together, as in `torch.nn.utils.clip_grad_norm_`.
        loss: a function of the module's output and the batch (a dict by name, a tuple by position). Without it, the output's `loss`, or
            the output where that is one number, or cross entropy of `logits` with the batch's `labels`, one position later.
        layouts: layouts of parameters by patterns over their names: `{"*.q_proj.weight": ["model", None]}`. The first that fits counts.
        dropout: whether dropout is drawn. The step then takes a seed, `seed`.
        boundaries: a program for `meshloom check-plan`: it gives loss and gradients, and says where each module's tensors go in and out.
    """

    optimizer: str = "adamw"
    precision: str = "f32"
    learning_rate: float = 1e-3
    weight_decay: float = 1e-2
    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = 1e-8
    clip: float | None = None
    loss: Callable[[Any, Any], Any] | None = None
    layouts: Mapping[str, Layout] = field(default_factory=dict)
    dropout: bool = False
    boundaries: bool = False

    def __post_init__(self) -> None:
        for what, value, known in (("optimizer", self.optimizer, OPTIMIZERS), ("precision", self.precision, PRECISIONS)):
            if value not in known:
                raise Error(f"{what}={value!r}: there are {', '.join(known)}")

    @staticmethod
    def of(options: Mapping[str, Any]) -> "Settings":
        """Settings from keyword arguments.

        Raises:
            Error: one is none of them.
        """
        if unknown := sorted(set(options) - NAMES):
            raise Error(f"a train step has no setting {', '.join(unknown)}; there are {', '.join(sorted(NAMES))}")
        return Settings(**options)


NAMES = frozenset(f.name for f in fields(Settings))
