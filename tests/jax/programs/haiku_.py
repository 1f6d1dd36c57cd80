"""Haiku."""

import haiku as hk
import jax
import jax.numpy as jnp
import optax

from harness import Program, columns, program


def trained(f, tx, key, batch, loss):
    """A transformed function with state, an optimizer, and a loss of its output and the batch."""
    f = hk.without_apply_rng(hk.transform_with_state(f))
    params, own = f.init(key, *batch[:-1])

    def step(state, *batch):
        def value(p):
            out, own = f.apply(p, state["own"], *batch[:-1])
            return loss(out, batch[-1]), own

        (number, own), grads = jax.value_and_grad(value, has_aux=True)(state["params"])
        updates, opt = tx.update(grads, state["opt"], state["params"])
        return {"params": optax.apply_updates(state["params"], updates), "opt": opt, "own": own}, number

    return Program(step, {"params": params, "opt": tx.init(params), "own": own}, batch)


def labels(logits, y):
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


@program("haiku: ResNet block with batch norm")
def resnet():
    def f(x):
        x = hk.Conv2D(8, 3)(x)
        for _ in range(2):
            h = jax.nn.relu(hk.BatchNorm(True, True, 0.9)(hk.Conv2D(8, 3, with_bias=False)(x), is_training=True))
            x = x + hk.Conv2D(8, 3)(h)
        return hk.Linear(10)(jnp.mean(x, (1, 2)))

    key = jax.random.key(0)
    batch = (jax.random.normal(key, (32, 8, 8, 3)), jax.random.randint(key, (32,), 0, 10))
    return trained(f, optax.sgd(0.05, momentum=0.9), key, batch, labels)


def attention():
    def f(x):
        for _ in range(2):
            h = hk.LayerNorm(-1, True, True)(x)
            x = x + hk.MultiHeadAttention(4, 8, w_init=hk.initializers.VarianceScaling(1.0), model_size=32)(h, h, h)
            h = hk.LayerNorm(-1, True, True)(x)
            x = x + hk.Linear(32)(jax.nn.gelu(hk.Linear(64)(h)))
        return hk.Linear(10)(jnp.mean(x, 1))

    key = jax.random.key(1)
    batch = (jax.random.normal(key, (16, 6, 32)), jax.random.randint(key, (16,), 0, 10))
    return trained(f, optax.adamw(1e-3, eps=1e-5), key, batch, labels)


program("haiku: attention")(attention)
program("haiku: attention, tensor parallel", mesh="data=2,model=4", split=columns())(attention)


@program("haiku: LSTM")
def lstm():
    def f(x):
        core = hk.LSTM(16)
        out, _ = hk.dynamic_unroll(core, x, core.initial_state(x.shape[0]), time_major=False)
        return hk.Linear(1)(out[:, -1])[:, 0]

    key = jax.random.key(2)
    batch = (jax.random.normal(key, (16, 7, 4)), jax.random.normal(key, (16,)))
    return trained(f, optax.adam(1e-2), key, batch, lambda out, y: jnp.mean((out - y) ** 2))
