"""Mixtures of experts that take a bounded number of tokens each, as in the Loom examples: products of fixed sizes.

Exactly computed, a product of as many rows as the router sends has no static size, so it becomes products of all rows with all experts. With
a capacity, a group of tokens is routed by itself, and each expert has so many places in it; what finds no place is left out of that expert.
It is the form to plan large mixtures in: its work is that of the experts that are chosen, and the capacity's share more.
"""

from __future__ import annotations

import contextlib
import math
from typing import Any, Callable, Iterator

from .operators import environment
from .packages import need

# Tokens that are routed together, where that divides a batch.
GROUP = 512
NAME = "meshloom"


@contextlib.contextmanager
def bounded(module: Any, capacity: float | None) -> Iterator[None]:
    """Experts of Transformers take `capacity` times an even share each."""
    if capacity is None:
        yield
        return
    all = need("transformers.integrations.moe").ALL_EXPERTS_FUNCTIONS
    all.register(NAME, _forward(capacity))
    configs = {id(c): c for part in module.modules() if (c := getattr(part, "config", None)) is not None}.values()
    before = [(c, getattr(c, "_experts_implementation", None)) for c in configs if hasattr(c, "_experts_implementation")]
    for config, _ in before:
        config._experts_implementation = NAME
    try:
        yield
    finally:
        for config, name in before:
            config._experts_implementation = name


def places(tokens: int, chosen: int, experts: int, capacity: float) -> int:
    """Places of an expert for a group of so many tokens."""
    return min(tokens, max(1, math.ceil(capacity * tokens * chosen / experts)))


def _forward(capacity: float) -> Callable[..., Any]:
    jnp = need("jax.numpy")

    def forward(self: Any, hidden_states: Any, top_k_index: Any, top_k_weights: Any) -> Any:
        env = environment()
        x, chosen, weights = hidden_states.jax(), top_k_index.jax(), top_k_weights.jax()
        tokens, width = x.shape
        group = GROUP if tokens % GROUP == 0 else tokens
        count, experts, k = tokens // group, self.num_experts, chosen.shape[-1]
        size = places(group, k, experts, capacity)
        x, chosen, weights = (a.reshape(count, group, -1) for a in (x, chosen, weights))
        # First choices of all tokens come before second ones.
        sent = (jnp.swapaxes(chosen, 1, 2)[..., None] == jnp.arange(experts)).astype(jnp.float32)
        line = sent.reshape(count, k * group, experts)
        place = jnp.sum((jnp.cumsum(line, axis=1) - line) * line, axis=-1).reshape(count, k, group)
        slot = (place[..., None] == jnp.arange(size)).astype(x.dtype)
        sent = sent.astype(x.dtype)
        combine = jnp.einsum("gkse,gksc,gsk->gsec", sent, slot, weights.astype(x.dtype))
        inputs = jnp.einsum("gkse,gksc,gsd->egcd", sent, slot, x)
        first = self.gate_up_proj if self.has_gate else self.up_proj
        made = env.j2t_iso(_product(self, inputs, first, "gate_up_proj_bias" if self.has_gate else "up_proj_bias"))
        made = self._apply_gate(made) if self.has_gate else self.act_fn(made)
        made = env.j2t_iso(_product(self, made.jax(), self.down_proj, "down_proj_bias"))
        made = self.post_expert_norm(made) if getattr(self, "has_post_expert_norm", False) else made
        return env.j2t_iso(jnp.einsum("gsec,egcd->gsd", combine, made.jax()).reshape(tokens, width).astype(x.dtype))

    return forward


def _product(module: Any, rows: Any, weight: Any, bias: str) -> Any:
    """Rows [experts, groups, places, K] with a matrix for each expert."""
    jnp = need("jax.numpy")
    made = jnp.einsum("egck,ekm->egcm" if module.is_transposed else "egck,emk->egcm", rows, weight.jax())
    return made + getattr(module, bias).jax()[:, None, None, :] if module.has_bias else made
