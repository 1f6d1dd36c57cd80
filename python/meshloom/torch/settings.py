"""What a caller says of a train step beside the module: optimizer, precision, loss, layouts."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Callable, Mapping, Sequence

from .._command import Error

OPTIMIZERS = ("adamw", "sgd", "none")
PRECISIONS = ("f32", "bf16", "f16", "fp8")

# A layout: for each dim an axis of the mesh, several of them, or none.
Layout = Sequence[str | Sequence[str] | None]


@dataclass(frozen=True)
class Settings:
    """How a module is trained.

    Attributes:
        optimizer: `adamw` with PyTorch's formula and defaults, `sgd`, or `none`, which gives the loss alone.
        precision: what forward and backward pass compute in. Parameters and moments are f32 in any case. fp8 is Loom's, so it goes with
            `accumulate` or stages.
        learning_rate, weight_decay, betas, eps: as in `torch.optim.AdamW`.
        clip: the largest norm of all gradients together, as in `torch.nn.utils.clip_grad_norm_`.
        loss: a function of the module's output and the batch (a dict by name, a tuple by position). Without it, the output's `loss`, or
            the output where that is one number, or cross entropy of `logits` with the batch's `labels`, one position later.
        layouts: layouts of parameters by patterns over their names: `{"*.q_proj.weight": ["model", None]}`. The first that fits counts.
        accumulate: microbatches whose gradients a step adds up. Each has as many rows of the batch.
        staged: a loss alone, of which Loom makes the step, so that its layers can be stages over an axis of the mesh.
        loss_chunks: parts of the positions of which cross entropy is computed one after the other, each with logits of its own.
        expert_capacity: how many times its even share of tokens an expert of Transformers takes at most, in groups of 512 tokens. Without it,
            mixtures are computed exactly, by products of all tokens with all experts.
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
    accumulate: int = 1
    staged: bool = False
    loss_chunks: int = 1
    expert_capacity: float | None = None
    dropout: bool = False
    boundaries: bool = False

    def __post_init__(self) -> None:
        for what, value in (("accumulate", self.accumulate), ("loss_chunks", self.loss_chunks)):
            if not isinstance(value, int) or value < 1:
                raise Error(f"{what}={value!r}: a number from 1")
        if self.precision == "fp8" and not self.by_loom:
            raise Error("precision='fp8' is Loom's: it goes with accumulate=2 or more, or with stages")
        if self.by_loom and self.optimizer == "none":
            raise Error("optimizer='none' gives the loss alone, and microbatches and stages are those of a step")
        for what, value, known in (("optimizer", self.optimizer, OPTIMIZERS), ("precision", self.precision, PRECISIONS)):
            if value not in known:
                raise Error(f"{what}={value!r}: there are {', '.join(known)}")

    @property
    def by_loom(self) -> bool:
        """Whether the text is a loss, of which Loom makes the step: microbatches and stages are Loom's own."""
        return (self.accumulate > 1 or self.staged) and not self.boundaries

    @property
    def traced_in(self) -> str:
        """The precision of the text. A loss is f32, and Loom puts what it may into 16 bits."""
        return "f32" if self.by_loom else self.precision

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
