"""Mamba's selective scan as one loop over the positions.

Transformers writes the loop out in Python where the kernels of `mamba_ssm` are missing: thousands of positions would be as many copies of its
body. Here it is a `lax.scan`, whose body is what the loop computes for one position.
"""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Iterator

from .operators import environment
from .packages import need

# Modules of Transformers that have the function, and its name there.
PLACES = ("transformers.models.mamba.modeling_mamba", "transformers.models.falcon_mamba.modeling_falcon_mamba")
NAME = "mamba_selective_scan"


@contextlib.contextmanager
def as_loops() -> Iterator[None]:
    """Selective scans of Transformers by [`selective_scan`]."""
    found = [m for m in map(sys.modules.get, PLACES) if m is not None and hasattr(m, NAME)]
    before = [getattr(m, NAME) for m in found]
    for module in found:
        setattr(module, NAME, selective_scan)
    try:
        yield
    finally:
        for module, function in zip(found, before):
            setattr(module, NAME, function)


def selective_scan(hidden_states: Any, dt: Any, A: Any, B: Any, C: Any, D: Any = None, z: Any = None, delta_bias: Any = None,
                   delta_softplus: bool = False, return_last_state: bool = False, **_: Any) -> Any:  # fmt: skip
    """`selective_scan_fn` of `mamba_ssm`: hidden states and steps are [batch, width, positions], `A` is [width, states], `B` and `C` are
    [batch, states, positions]."""
    torch, jax, jnp = need("torch"), need("jax"), need("jax.numpy")
    dt = dt if delta_bias is None else dt + delta_bias.to(dt.dtype)[..., None]
    dt = torch.nn.functional.softplus(dt) if delta_softplus else dt
    decay, kind = A.jax(), hidden_states.jax().dtype

    def step(state: Any, now: tuple[Any, Any, Any, Any]) -> tuple[Any, Any]:
        x, d, b, c = now
        kept = jnp.exp(decay[None] * d[:, :, None]) * state
        state = kept + d[:, :, None] * b[:, None, :].astype(jnp.float32) * x[:, :, None].astype(jnp.float32)
        return state, jnp.einsum("bdn,bn->bd", state.astype(kind), c)

    start = jnp.zeros((hidden_states.shape[0], *A.shape), jnp.float32)
    turned = tuple(jnp.moveaxis(t.jax(), 2, 0) for t in (hidden_states, dt, B, C))
    last, rows = jax.lax.scan(step, start, turned)
    made = environment().j2t_iso(jnp.moveaxis(rows, 0, 2))
    made = made if D is None else made + hidden_states * D[None, :, None]
    made = made if z is None else made * torch.nn.functional.silu(z)
    return (made, environment().j2t_iso(last)) if return_last_state else made
