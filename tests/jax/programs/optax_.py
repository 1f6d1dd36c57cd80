"""Optax: one small regression, trained by each optimizer that does something of its own."""

import jax
import jax.numpy as jnp
import optax
import optax.contrib

from harness import Program, fsdp, program


def regression(tx):
    def make():
        keys = jax.random.split(jax.random.key(0), 4)
        params = {"w1": 0.3 * jax.random.normal(keys[0], (16, 32)), "b1": jnp.zeros(32), "w2": 0.3 * jax.random.normal(keys[1], (32, 4))}

        def step(state, x, y):
            loss = lambda p: jnp.mean(optax.huber_loss(jnp.tanh(x @ p["w1"] + p["b1"]) @ p["w2"], y))  # noqa: E731
            value, grads = jax.value_and_grad(loss)(state[0])
            updates, opt = tx.update(grads, state[1], state[0])
            return (optax.apply_updates(state[0], updates), opt), value

        batch = (jax.random.normal(keys[2], (32, 16)), jax.random.normal(keys[3], (32, 4)))
        return Program(step, (params, tx.init(params)), batch)

    return make


for name, tx in {
    "adafactor": optax.adafactor(1e-2, min_dim_size_to_factor=8),
    "lamb": optax.lamb(1e-2),
    "lars": optax.lars(1e-1),
    "nadam": optax.nadam(1e-2),
    "yogi": optax.yogi(1e-2),
    "novograd": optax.novograd(1e-2),
    "muon": optax.contrib.muon(1e-2),
    "adamw, two steps accumulated": optax.MultiSteps(optax.adamw(1e-2), 2),
    "adabelief if finite": optax.apply_if_finite(optax.adabelief(1e-2), 3),
}.items():
    program(f"optax: {name}", split=fsdp())(regression(tx))
