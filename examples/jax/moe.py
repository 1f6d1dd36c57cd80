"""A mixture of experts written by hand with shard_map: tokens travel to the device of their expert and back by all_to_all.

    pip install meshloom jax
    python examples/jax/moe.py
"""

import os

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")

import jax
import jax.numpy as jnp
from compare import compare
from jax.sharding import NamedSharding, PartitionSpec as P

EXPERTS, TOKENS, WIDTH, HIDDEN = 8, 512, 32, 64
LOCAL = TOKENS // EXPERTS
CAPACITY = LOCAL // EXPERTS * 2
mesh = jax.make_mesh((EXPERTS,), ("expert",))


def experts(w_in, w_out, router, x):
    """One device's tokens `x` through all experts, of which it has one."""
    gates = jax.nn.softmax(x @ router)
    chosen = jnp.argmax(gates, -1)
    one_hot = jax.nn.one_hot(chosen, EXPERTS)
    # A token's place among those of its expert; behind the capacity it is dropped.
    place = (jnp.cumsum(one_hot, 0) - 1) * one_hot
    slots = one_hot[:, :, None] * jax.nn.one_hot(place.sum(-1).astype(jnp.int32), CAPACITY)[:, None, :]
    sent = jnp.einsum("tec,td->ecd", slots, x)
    here = jax.lax.all_to_all(sent, "expert", 0, 0, tiled=False)
    y = jax.nn.relu(here @ w_in[0]) @ w_out[0]
    back = jax.lax.all_to_all(y, "expert", 0, 0, tiled=False)
    return jnp.einsum("tec,ecd->td", slots, back) * jnp.max(gates, -1, keepdims=True)


split = jax.shard_map(
    experts, mesh=mesh, in_specs=(P("expert"), P("expert"), P(), P("expert")), out_specs=P("expert")
)


def step(params, x, y):
    def loss(p):
        return jnp.mean((x + split(p["in"], p["out"], p["router"], x) - y) ** 2)

    value, gradients = jax.value_and_grad(loss)(params)
    return jax.tree.map(lambda p, g: p - 0.5 * g, params, gradients), value


def main():
    k = jax.random.split(jax.random.key(0), 5)
    params = {
        "in": 0.1 * jax.random.normal(k[0], (EXPERTS, WIDTH, HIDDEN)),
        "out": 0.1 * jax.random.normal(k[1], (EXPERTS, HIDDEN, WIDTH)),
        "router": 0.1 * jax.random.normal(k[2], (WIDTH, EXPERTS)),
    }
    by_expert, everywhere = NamedSharding(mesh, P("expert")), NamedSharding(mesh, P())
    layout = {"in": by_expert, "out": by_expert, "router": everywhere}
    x, y = jax.random.normal(k[3], (TOKENS, WIDTH)), jax.random.normal(k[4], (TOKENS, WIDTH))
    params = jax.tree.map(jax.device_put, params, layout)
    x, y = jax.device_put(x, by_expert), jax.device_put(y, by_expert)
    shardings = {"in_shardings": (layout, by_expert, by_expert), "out_shardings": (layout, everywhere)}
    compare(jax.jit(step, donate_argnums=0, **shardings), params, (x, y))


if __name__ == "__main__":
    main()
