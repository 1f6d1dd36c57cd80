"""Flax: Linen and NNX, with optimizers of optax."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import nnx

from harness import Program, columns, fsdp, program


class Block(nn.Module):
    heads: int = 4

    @nn.compact
    def __call__(self, x):
        mask = nn.make_causal_mask(x[..., 0])
        x = x + nn.MultiHeadDotProductAttention(self.heads)(nn.LayerNorm()(x), mask=mask)
        h = nn.Dense(4 * x.shape[-1])(nn.LayerNorm()(x))
        return x + nn.Dense(x.shape[-1])(nn.gelu(h))


class Decoder(nn.Module):
    layers: int = 3

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(64, 32)(tokens) + self.param("positions", nn.initializers.normal(0.02), (16, 32))
        for _ in range(self.layers):
            x = Block()(x)
        return nn.Dense(64)(nn.LayerNorm()(x))


def decoder():
    model, key = Decoder(), jax.random.key(0)
    tokens = jax.random.randint(key, (16, 17), 0, 64)
    params = model.init(key, tokens[:, :-1])
    # The gradients of keys' biases are zero but for rounding, which Adam would take for a direction.
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(optax.cosine_decay_schedule(1e-3, 10), eps=1e-5))

    def step(state, tokens):
        def loss(p):
            logits = model.apply(p, tokens[:, :-1])
            return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

        value, grads = jax.value_and_grad(loss)(state["params"])
        updates, opt = tx.update(grads, state["opt"], state["params"])
        return {"params": optax.apply_updates(state["params"], updates), "opt": opt}, value

    return Program(step, {"params": params, "opt": tx.init(params)}, (tokens,))


program("flax: decoder, data parallel")(decoder)
program("flax: decoder, FSDP", split=fsdp())(decoder)
program("flax: decoder, tensor parallel", mesh="data=2,model=4", split=columns())(decoder)


class ConvNet(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        for features in (8, 16):
            y = nn.Conv(features, (3, 3), strides=2)(x)
            x = nn.relu(nn.BatchNorm(use_running_average=not train, momentum=0.9)(y))
        return nn.Dense(10)(nn.avg_pool(x, (2, 2), (2, 2)).reshape(x.shape[0], -1))


@program("flax: convolutions, batch norm")
def convolutions():
    model, key = ConvNet(), jax.random.key(1)
    x, y = jax.random.normal(key, (16, 16, 16, 3)), jax.random.randint(key, (16,), 0, 10)
    variables = model.init(key, x, train=True)
    tx = optax.sgd(0.1, momentum=0.9, nesterov=True)

    def step(state, x, y):
        def loss(p):
            logits, new = model.apply({"params": p, "batch_stats": state["stats"]}, x, train=True, mutable=["batch_stats"])
            return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean(), new["batch_stats"]

        (value, stats), grads = jax.value_and_grad(loss, has_aux=True)(state["params"])
        updates, opt = tx.update(grads, state["opt"], state["params"])
        return {"params": optax.apply_updates(state["params"], updates), "opt": opt, "stats": stats}, value

    params = variables["params"]
    return Program(step, {"params": params, "opt": tx.init(params), "stats": variables["batch_stats"]}, (x, y))


class Recurrent(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.RNN(nn.LSTMCell(16))(x)
        return nn.Dense(1)(nn.RNN(nn.GRUCell(16))(x))[:, -1, 0]


@program("flax: LSTM and GRU")
def recurrent():
    model, key = Recurrent(), jax.random.key(2)
    x, y = jax.random.normal(key, (16, 9, 4)), jax.random.normal(key, (16,))
    params = model.init(key, x)
    tx = optax.rmsprop(1e-2)

    def step(state, x, y):
        value, grads = jax.value_and_grad(lambda p: jnp.mean((model.apply(p, x) - y) ** 2))(state["params"])
        updates, opt = tx.update(grads, state["opt"])
        return {"params": optax.apply_updates(state["params"], updates), "opt": opt}, value

    return Program(step, {"params": params, "opt": tx.init(params)}, (x, y))


class Gated(nnx.Module):
    def __init__(self, rngs):
        self.embed = nnx.Embed(64, 32, rngs=rngs)
        self.norms = nnx.List([nnx.RMSNorm(32, rngs=rngs) for _ in range(3)])
        self.gates = nnx.List([nnx.Linear(32, 64, use_bias=False, rngs=rngs) for _ in range(3)])
        self.ups = nnx.List([nnx.Linear(32, 64, use_bias=False, rngs=rngs) for _ in range(3)])
        self.downs = nnx.List([nnx.Linear(64, 32, use_bias=False, rngs=rngs) for _ in range(3)])

    def __call__(self, tokens):
        x = self.embed(tokens)
        for norm, gate, up, down in zip(self.norms, self.gates, self.ups, self.downs):
            h = norm(x)
            x = x + down(nnx.gelu(gate(h)) * up(h))
        return self.embed.attend(x)


def gated():
    graph, params = nnx.split(Gated(nnx.Rngs(0)), nnx.Param)
    tokens = jax.random.randint(jax.random.key(3), (16, 9), 0, 64)
    tx = optax.adam(1e-2)

    def step(state, tokens):
        def loss(p):
            logits = nnx.merge(graph, p)(tokens[:, :-1])
            return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

        value, grads = jax.value_and_grad(loss)(state[0])
        updates, opt = tx.update(grads, state[1])
        return (optax.apply_updates(state[0], updates), opt), value

    return Program(step, (params, tx.init(params)), (tokens,))


program("flax nnx: gated layers")(gated)
program("flax nnx: gated layers, FSDP", split=fsdp())(gated)
