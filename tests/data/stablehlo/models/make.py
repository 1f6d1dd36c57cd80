"""Transformer train steps as users of JAX write them, as JAX lowers them, batch split over `data` of a mesh data=2 model=4, the
rest left to the planner; and JAX's losses over five steps.

    python make.py            # writes NAME.mlir and losses.json beside this file; needs jax 0.10, flax 0.12, optax
    python make.py NAME ..    # these alone

flax         a decoder of Flax linen modules, layers in a Python loop, under optax's AdamW; names `params.h_0.attn.query.kernel`
scan         `lax.scan` over stacked layers, each behind `jax.checkpoint`, SGD with momentum
checkpoint   layers in a Python loop, each behind `jax.checkpoint`
mixed        `lax.scan` over stacked layers that compute in bf16, parameters in f32, nothing computed again
accumulated  `lax.scan` over microbatches that adds up gradients, in it `lax.scan` over stacked layers; gradients are clipped by
             the norm of all, AdamW; no shardings
ssm          two state space layers: one with complex parameters and a diagonal recurrence over time, by `associative_scan` (as
             S5 and LRU), and one as a convolution by Fourier transforms, its kernel from complex exponentials (as S4D)

Parameters are a formula of their position, so that the test makes the same ones; all that begins as zeros does so in the test.
"""

import json
import os
import pathlib
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

HERE = pathlib.Path(__file__).parent
MESH = Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "model"))
LAYERS, BATCH, SEQ, DIM, HEADS, VOCAB = 3, 4, 8, 16, 4, 32


def numbers(shape, seed, scale):
    i = np.arange(np.prod(shape), dtype=np.int64)
    return (((i * 2654435761 + seed * 40503) % 2**32 / 2**32 - 0.5) * scale).astype(np.float32).reshape(shape)


def cross_entropy(logits, y):
    picked = jnp.take_along_axis(logits, y[..., None], -1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(logits, -1) - picked)


def flax_step():
    import flax.linen as nn
    import optax

    class Block(nn.Module):
        @nn.compact
        def __call__(self, x, mask):
            h = nn.LayerNorm(name="ln1")(x)
            x = x + nn.MultiHeadDotProductAttention(num_heads=HEADS, name="attn")(h, h, mask=mask)
            h = nn.LayerNorm(name="ln2")(x)
            return x + nn.Dense(DIM, name="down")(nn.gelu(nn.Dense(4 * DIM, name="up")(h)))

    class Decoder(nn.Module):
        @nn.compact
        def __call__(self, tokens):
            embed = nn.Embed(VOCAB, DIM, name="embed")
            x = embed(tokens) + self.param("pos", nn.initializers.normal(0.02), (SEQ, DIM))
            mask = nn.make_causal_mask(tokens)
            for i in range(LAYERS):
                x = Block(name=f"h_{i}")(x, mask)
            return embed.attend(nn.LayerNorm(name="ln_f")(x))

    model, optimizer = Decoder(), optax.adamw(1e-2)
    params = model.init(jax.random.PRNGKey(0), np.zeros((BATCH, SEQ), np.int32))["params"]

    def step(state, x, y):
        loss, g = jax.value_and_grad(lambda p: cross_entropy(model.apply({"params": p}, x), y))(state["params"])
        updates, opt = optimizer.update(g, state["opt"], state["params"])
        return {"params": optax.apply_updates(state["params"], updates), "opt": opt}, loss

    return step, params, lambda p: {"params": p, "opt": optimizer.init(p)}


def norm(x, gain):
    x = x - jnp.mean(x, -1, keepdims=True)
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * gain


def block(p, x):
    heads = lambda z: z.reshape(*x.shape[:2], HEADS, DIM // HEADS)
    h = norm(x, p["ln1"])
    q, k, v = (heads(h @ p[w]) for w in ("wq", "wk", "wv"))
    x = x + jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(x.shape) @ p["wo"]
    return x + jax.nn.gelu(norm(x, p["ln2"]) @ p["w1"]) @ p["w2"]


def layer():
    square = jax.ShapeDtypeStruct((DIM, DIM), jnp.float32)
    gain = jax.ShapeDtypeStruct((DIM,), jnp.float32)
    wide = jax.ShapeDtypeStruct((DIM, 4 * DIM), jnp.float32)
    back = jax.ShapeDtypeStruct((4 * DIM, DIM), jnp.float32)
    return {"ln1": gain, "wq": square, "wk": square, "wv": square, "wo": square, "ln2": gain, "w1": wide, "w2": back}


def plain_step(layers, run):
    """SGD with momentum of a decoder whose layers are `layers`, run by `run(layers, x)`."""
    params = {"embed": jax.ShapeDtypeStruct((VOCAB, DIM), jnp.float32), "h": layers}

    def loss(p, x, y):
        return cross_entropy(run(p["h"], p["embed"][x]) @ p["embed"].T, y)

    def step(state, x, y):
        value, g = jax.value_and_grad(loss)(state["params"], x, y)
        m = jax.tree.map(lambda m, g: 0.9 * m + g, state["m"], g)
        return {"params": jax.tree.map(lambda p, m: p - 0.1 * m, state["params"], m), "m": m}, value

    return step, params, lambda p: {"params": p, "m": jax.tree.map(jnp.zeros_like, p)}


def scan_step():
    stacked = jax.tree.map(lambda a: jax.ShapeDtypeStruct((LAYERS, *a.shape), a.dtype), layer())
    body = jax.checkpoint(lambda x, p: (block(p, x), None))
    return plain_step(stacked, lambda h, x: jax.lax.scan(body, x, h)[0])


def checkpoint_step():
    def run(h, x):
        for i in range(LAYERS):
            x = jax.checkpoint(block)(h[f"{i}"], x)
        return x

    return plain_step({f"{i}": layer() for i in range(LAYERS)}, run)


def mixed_block(p, x):
    heads = lambda z: z.reshape(BATCH, SEQ, HEADS, DIM // HEADS)
    narrow = {n: w.astype(jnp.bfloat16) for n, w in p.items()}
    scaled = lambda name: norm(x.astype(jnp.float32), p[name]).astype(jnp.bfloat16)
    h = scaled("ln1")
    q, k, v = (heads(h @ narrow[w]) for w in ("wq", "wk", "wv"))
    x = x + jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(x.shape) @ narrow["wo"]
    return x + jax.nn.gelu(scaled("ln2") @ narrow["w1"]) @ narrow["w2"]


def mixed_step():
    stacked = jax.tree.map(lambda a: jax.ShapeDtypeStruct((LAYERS, *a.shape), a.dtype), layer())
    body = lambda x, p: (mixed_block(p, x), None)
    run = lambda h, x: jax.lax.scan(body, x.astype(jnp.bfloat16), h)[0].astype(jnp.float32)
    return plain_step(stacked, run)


def accumulated_step():
    layers, micro = 4, 4
    stacked = jax.tree.map(lambda a: jax.ShapeDtypeStruct((layers, *a.shape), a.dtype), layer())
    params = {"embed": jax.ShapeDtypeStruct((VOCAB, DIM), jnp.float32), "h": stacked}

    def loss(p, x, y):
        h, _ = jax.lax.scan(lambda h, q: (block(q, h), None), p["embed"][x], p["h"])
        return cross_entropy(h @ p["embed"].T, y)

    def step(state, x, y):
        p, t = state["params"], state["t"] + 1

        def add(sums, batch):
            return jax.tree.map(jnp.add, sums, jax.value_and_grad(loss)(p, *batch)), None

        zeros = (jnp.zeros(()), jax.tree.map(jnp.zeros_like, p))
        dealt = [a.reshape(micro, -1, SEQ) for a in (x, y)]
        sums, _ = jax.lax.scan(add, zeros, tuple(dealt))
        value, g = jax.tree.map(lambda a: a / micro, sums)
        norm = jnp.sqrt(sum(jnp.sum(a * a) for a in jax.tree.leaves(g)))
        g = jax.tree.map(lambda a: a * jnp.minimum(1.0, 0.5 / norm), g)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], g)
        v = jax.tree.map(lambda v, g: 0.95 * v + 0.05 * g * g, state["v"], g)

        def moved(p, m, v):
            return p - 1e-2 * (m / (1 - 0.9**t) / (jnp.sqrt(v / (1 - 0.95**t)) + 1e-8) + 0.01 * p)

        return {"params": jax.tree.map(moved, p, m, v), "m": m, "v": v, "t": t}, value

    zeros = lambda p: jax.tree.map(jnp.zeros_like, p)
    return step, params, lambda p: {"params": p, "m": zeros(p), "v": zeros(p), "t": jnp.zeros(())}


def recurrence(p, x):
    """h[t] = exp(-exp(rate) + i turn) h[t - 1] + b x[t], and the real part of c h[t]."""
    a = jnp.exp(jax.lax.complex(-jnp.exp(p["rate"]), p["turn"] * 4))
    driven = jnp.einsum("bsd,nd->bsn", x.astype(jnp.complex64), p["b"])
    combine = lambda l, r: (l[0] * r[0], r[0] * l[1] + r[1])
    _, h = jax.lax.associative_scan(combine, (jnp.broadcast_to(a, driven.shape), driven), axis=1)
    return jnp.einsum("bsn,dn->bsd", h, p["c"]).real + p["skip"] * x


def convolved(p, x):
    """Each channel with its own kernel, the real part of a sum of decaying turns."""
    at = jax.lax.complex(-jnp.exp(p["rate"]), p["turn"] * 4)
    kernel = jnp.einsum("dn,dnt->dt", p["c"], jnp.exp(at[:, :, None] * jnp.arange(SEQ))).real
    turned = jnp.fft.rfft(x, 2 * SEQ, axis=1) * jnp.fft.rfft(kernel.T, 2 * SEQ, axis=0)
    return jnp.fft.irfft(turned, 2 * SEQ, axis=1)[:, :SEQ] + p["skip"] * x


def ssm_step():
    shape = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.float32)
    numbers = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.complex64)
    states = 8
    s5 = {"rate": shape(states), "turn": shape(states), "b": numbers(states, DIM), "c": numbers(DIM, states)}
    s4 = {"rate": shape(DIM, states), "turn": shape(DIM, states), "c": numbers(DIM, states)}
    params = {"embed": shape(VOCAB, DIM), "s4": {**s4, "skip": shape(DIM)}, "s5": {**s5, "skip": shape(DIM)}}

    def loss(p, x, y):
        h = p["embed"][x]
        h = h + jax.nn.gelu(recurrence(p["s5"], h))
        h = h + jax.nn.gelu(convolved(p["s4"], h))
        return cross_entropy(h @ p["embed"].T, y)

    def step(state, x, y):
        value, g = jax.value_and_grad(loss)(state["params"], x, y)
        # The gradient of a complex parameter is the conjugate of the way up.
        m = jax.tree.map(lambda m, g: 0.9 * m + jnp.conj(g), state["m"], g)
        return {"params": jax.tree.map(lambda p, m: p - 0.1 * m, state["params"], m), "m": m}, value

    return step, params, lambda p: {"params": p, "m": jax.tree.map(jnp.zeros_like, p)}


def drawn(params):
    """Gains (vectors called `scale` or `ln1`, `ln2`) near 1, biases 0, the rest small; the seed is the place among the leaves."""
    leaves, tree = jax.tree_util.tree_flatten_with_path(params)
    out = []
    for i, (path, leaf) in enumerate(leaves):
        name = path[-1].key
        if name == "bias":
            out.append(np.zeros(leaf.shape, np.float32))
        elif name in ("scale", "ln1", "ln2"):
            out.append(1 + numbers(leaf.shape, i, 0.2))
        elif leaf.dtype == jnp.complex64:
            out.append(numbers((*leaf.shape, 2), i, 0.6).view(np.complex64)[..., 0])
        else:
            out.append(numbers(leaf.shape, i, 0.6))
    return jax.tree.unflatten(tree, out)


def tokens(seed):
    return (np.arange(BATCH * SEQ) * 7 + np.arange(BATCH * SEQ) ** 2 * seed).reshape(BATCH, SEQ).astype(np.int32) % VOCAB


def main(asked):
    losses = json.loads((HERE / "losses.json").read_text()) if asked else {}
    batch = NamedSharding(MESH, P("data"))
    models = {"flax": flax_step, "scan": scan_step, "checkpoint": checkpoint_step, "mixed": mixed_step}
    models |= {"accumulated": accumulated_step, "ssm": ssm_step}
    for name in asked or models:
        step, params, state = models[name]()
        args = (state(drawn(params)), tokens(3), tokens(5))
        shardings = {} if name == "accumulated" else {"in_shardings": (None, batch, batch)}
        sharded = jax.jit(step, donate_argnums=0, **shardings)
        (HERE / f"{name}.mlir").write_text(sharded.lower(*args).as_text() + "\n")
        jitted, (s, x, y) = jax.jit(step), args
        curve = []
        for _ in range(5):
            s, value = jitted(s, x, y)
            curve.append(float(value))
        losses[name] = curve
    (HERE / "losses.json").write_text(json.dumps(losses, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
