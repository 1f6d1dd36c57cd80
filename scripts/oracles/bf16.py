#!/usr/bin/env python3
"""Trains the oracle's gpt_tiny in JAX in mixed precision, and in f32, and writes the losses: tests/data/bf16/gpt_tiny.json.

    python3 scripts/oracles/bf16.py            # needs jax and numpy; a minute on a CPU

The recipe is the table of `precision: bf16` in docs/language.md, written out: f32 masters and optimizer, bf16 operands and results
of matmuls, attention computed in f32 between bf16 operands and result, f32 statistics, what is added and multiplied in the widest
type of what it meets, parameters in the type of what they meet, the loss in f32.
"""
import json
import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/data/oracles"))
import det  # noqa: E402

LAYERS, D, HEADS, SEQ, BATCH, VOCAB, STEPS = 2, 64, 4, 32, 8, 256, 20
LR, B1, B2, EPS, DECAY = 1e-3, 0.9, 0.999, 1e-8, 0.01
SCALE = 0.02 * np.sqrt(3.0)


def init():
    def uniform(name, shape):
        return det.uniform(f"gpt_tiny/{name}", shape, SCALE)

    p = {"wte": uniform("wte", (VOCAB, D)), "wpe": uniform("wpe", (SEQ, D)), "head": uniform("head", (D, VOCAB))}
    p |= {"lnf_g": np.ones(D, np.float32), "lnf_b": np.zeros(D, np.float32)}
    for i in range(LAYERS):
        for name, shape in [("wq", (D, D)), ("wk", (D, D)), ("wv", (D, D)), ("wo", (D, D)), ("w1", (D, 4 * D)), ("w2", (4 * D, D))]:
            p[f"h{i}/{name}"] = uniform(f"h{i}/{name}", shape)
            p[f"h{i}/b{name[1:]}"] = np.zeros(shape[1], np.float32)
        for n in (1, 2):
            p[f"h{i}/ln{n}_g"], p[f"h{i}/ln{n}_b"] = np.ones(D, np.float32), np.zeros(D, np.float32)
    return {k: jnp.asarray(v) for k, v in p.items()}


def loss_in(low):
    """The loss that computes matmuls in `low`."""
    f32 = jnp.float32

    def dot(x, w):
        return jnp.matmul(x.astype(low), w.astype(low), preferred_element_type=f32).astype(low)

    def like(x, w):
        """A parameter in the type of what it meets."""
        return w.astype(x.dtype)

    def norm(x, g, b):
        mean = jnp.mean(x.astype(f32), -1, keepdims=True)
        c = x.astype(f32) - mean
        y = c * jax.lax.rsqrt(jnp.mean(c * c, -1, keepdims=True) + 1e-5)
        return y * g + b

    def attention(q, k, v):
        q, k, v = q.astype(f32), k.astype(f32), v.astype(f32)
        s = jnp.einsum("bhsd,bhtd->bhst", q, k) / np.float32(np.sqrt(D // HEADS))
        s = jnp.where(np.tril(np.ones((SEQ, SEQ), bool)), s, np.float32(-1e9))
        return jnp.einsum("bhst,bhtd->bhsd", jax.nn.softmax(s, -1), v).astype(low)

    def heads(x):
        return x.reshape(BATCH, SEQ, HEADS, D // HEADS).transpose(0, 2, 1, 3)

    def loss(p, tokens, targets):
        x = p["wte"].astype(low)[tokens] + p["wpe"].astype(low)
        for i in range(LAYERS):
            g = lambda n: p[f"h{i}/{n}"]  # noqa: E731
            h = norm(x, g("ln1_g"), g("ln1_b"))
            q, k, v = (heads(y + like(y, g(f"b{n}"))) for n in "qkv" for y in [dot(h, g(f"w{n}"))])
            a = attention(q, k, v).transpose(0, 2, 1, 3).reshape(BATCH, SEQ, D)
            x = x + dot(a, g("wo")) + like(x, g("bo"))
            h = norm(x, g("ln2_g"), g("ln2_b"))
            u = dot(h, g("w1"))
            u = jax.nn.gelu(u + like(u, g("b1")), approximate=True)
            x = x + dot(u, g("w2")) + like(x, g("b2"))
        logits = dot(norm(x, p["lnf_g"], p["lnf_b"]), p["head"]).astype(f32)
        picked = jnp.take_along_axis(logits, targets[..., None], -1)[..., 0]
        return jnp.mean(jax.nn.logsumexp(logits, -1) - picked)

    return loss


def curve(low, tokens, targets):
    grad = jax.value_and_grad(loss_in(low))

    @jax.jit
    def step(p, m, v, t):
        loss, g = grad(p, tokens, targets)
        m = jax.tree.map(lambda m, g: B1 * m + (1 - B1) * g, m, g)
        v = jax.tree.map(lambda v, g: B2 * v + (1 - B2) * g * g, v, g)

        def update(p, m, v):
            mhat, vhat = m / (1 - B1**t), v / (1 - B2**t)
            return p - LR * (mhat / (jnp.sqrt(vhat) + EPS) + DECAY * p)

        return jax.tree.map(update, p, m, v), m, v, loss

    p = init()
    m = v = jax.tree.map(jnp.zeros_like, p)
    losses = []
    for t in range(1, STEPS + 1):
        p, m, v, loss = step(p, m, v, jnp.float32(t))
        losses.append(float(loss))
    return losses


def main():
    tokens = det.tokens("gpt_tiny/tokens", (BATCH, SEQ + 1), VOCAB)
    x, y = tokens[:, :-1], tokens[:, 1:]
    out = {"made_by": "scripts/oracles/bf16.py", "jax": jax.__version__}
    out |= {name: curve(low, x, y) for name, low in [("f32", jnp.float32), ("bf16", jnp.bfloat16), ("f16", jnp.float16)]}
    path = ROOT / "tests/data/bf16/gpt_tiny.json"
    path.write_text(json.dumps(out, indent=1) + "\n")
    for i, (a, b) in enumerate(zip(out["f32"], out["bf16"])):
        print(f"{i + 1:2} {a:.6f} {b:.6f} {b - a:+.6f}")


if __name__ == "__main__":
    main()
