"""Cross entropy in parts of the sequence, one after the other: the logits of one part are held, and not those of all positions.

A language model of Transformers is a base model, which gives hidden states, and a head and a loss behind it. The base model is called
once. Then the model is called for each part of the positions with a base model that gives their hidden states, so that head, scaling and
loss are the model's own. The calls are one loop, whose body is computed again in the backward pass.
"""

from __future__ import annotations

import contextlib
from typing import Any, Iterator, Mapping

from .._command import Error
from .operators import environment
from .packages import need

# What marks a label that does not count.
IGNORED = -100


class _Done(Exception):
    """Ends a call behind the base model."""

    def __init__(self, output: Any):
        super().__init__()
        self.output = output


def loss(module: Any, given: Mapping[str, Any], parts: int) -> Any:
    """The loss of a causal language model: the mean over the labels that count, as the model has it.

    Raises:
        Error: the module is none, or its positions cannot be shared out.
    """
    torch, jax, jnp = need("torch"), need("jax"), need("jax.numpy")
    base = getattr(module, "base_model", module)
    labels = given.get("labels")
    if base is module or labels is None or not hasattr(module, "loss_function"):
        raise Error("loss_chunks= is for causal language models of Transformers, with labels in their batch")
    if getattr(getattr(module, "config", None), "is_encoder_decoder", False) or getattr(module.config, "output_router_logits", False):
        raise Error("loss_chunks= is for models whose loss is cross entropy of one sequence alone")
    rows, positions = labels.shape
    if positions % parts:
        raise Error(f"loss_chunks={parts} does not divide the {positions} positions of a sequence")
    env = environment()
    output = _base(module, base, given)
    hidden = output.last_hidden_state
    aims = torch.nn.functional.pad(labels, (0, 1), value=IGNORED)[:, 1:].jax()
    counted = jnp.sum(aims != IGNORED).astype(jnp.float32)
    rest = {k: v for k, v in given.items() if k not in ("labels", "input_ids", "inputs_embeds", "position_ids", "attention_mask")}

    def part(total: Any, x: tuple[Any, Any]) -> tuple[Any, None]:
        states, aims = env.j2t_iso(x[0]), env.j2t_iso(x[1])
        with _replaced(base, type(output)(last_hidden_state=states)):
            made = module(**rest, input_ids=aims, labels=aims, shift_labels=aims, num_items_in_batch=env.j2t_iso(counted))
        return total + made.loss.jax().astype(jnp.float32), None

    def apart(x: Any) -> Any:
        return jnp.moveaxis(x.reshape(rows, parts, positions // parts, *x.shape[2:]), 1, 0)

    total, _ = jax.lax.scan(jax.checkpoint(part), jnp.zeros((), jnp.float32), (apart(hidden.jax()), apart(aims)))
    return env.j2t_iso(total)


def _base(module: Any, base: Any, given: Mapping[str, Any]) -> Any:
    """What the base model gives when the model is called."""

    def leave(_: Any, args: Any, made: Any) -> None:
        raise _Done(made)

    hook = base.register_forward_hook(leave)
    try:
        module(**given)
    except _Done as e:
        return e.output
    finally:
        hook.remove()
    raise Error(f"{type(module).__name__} does not call its base model: its loss cannot be computed in parts")


@contextlib.contextmanager
def _replaced(base: Any, output: Any) -> Iterator[None]:
    """The base model as one that gives this."""
    base.forward = lambda *_, **__: output
    try:
        yield
    finally:
        del base.forward
