"""Attention as JAX prints it, op by op, alone and with its gradient: python make.py (jax 0.10.2).

forward, gradient, and with `_causal`   written out in jnp, on a mesh
nn_forward            `jax.nn.dot_product_attention` alone
nn_gradient           with `is_causal`, and what reverse differentiation makes of it
nn_grouped_gradient   the same, two heads of queries for each of keys and values
nn_bf16_forward       the same alone, in 16 bits
nn_bf16_gradient      and with its gradient

Beside each module are its inputs (in0, in1 ..) and JAX's results (out0, out1 ..).
"""
import json
import os
import pathlib
import struct

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P  # noqa: E402

HERE = pathlib.Path(__file__).parent
MESH = Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "model"))
SHAPE = (4, 16, 4, 8)


def attention(q, k, v, causal):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1]).astype(np.float32)
    if causal:
        n = q.shape[1]
        scores = jnp.where(jnp.arange(n)[:, None] >= jnp.arange(n)[None, :], scores, -1e9)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, axis=-1), v)


def save(path, tensors):
    head, body = {}, b""
    for name, x in tensors.items():
        data = np.ascontiguousarray(x).tobytes()
        head[name] = {"dtype": {"float32": "F32", "bfloat16": "BF16"}[x.dtype.name], "shape": list(x.shape), "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(head).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def write(name, f, count, mesh=True, kv_heads=SHAPE[2], dtype=jnp.float32):
    rng = np.random.default_rng(len(name))
    shared = (*SHAPE[:2], kv_heads, SHAPE[3])
    args = [rng.standard_normal(shared if i in (1, 2) else SHAPE).astype(dtype) for i in range(count)]
    split = NamedSharding(MESH, P("data"))
    jitted = jax.jit(f, in_shardings=(split,) * count) if mesh else jax.jit(f)
    (HERE / f"{name}.mlir").write_text(jitted.lower(*args).as_text())
    results = jax.tree.leaves(jitted(*args))
    ins = {f"in{i}": x for i, x in enumerate(args)}
    outs = {f"out{i}": np.asarray(x) for i, x in enumerate(results)}
    save(HERE / f"{name}.safetensors", ins | outs)


def gradient(causal):
    def f(q, k, v, ct):
        out, back = jax.vjp(lambda q, k, v: attention(q, k, v, causal), q, k, v)
        return out, *back(ct)

    return f


def nn(causal):
    return lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=causal)


def nn_gradient(q, k, v, ct):
    out, back = jax.vjp(nn(True), q, k, v)
    return out, *back(ct)


write("forward", lambda q, k, v: attention(q, k, v, False), 3)
write("forward_causal", lambda q, k, v: attention(q, k, v, True), 3)
write("gradient", gradient(False), 4)
write("gradient_causal", gradient(True), 4)
write("nn_forward", nn(False), 3, mesh=False)
write("nn_gradient", nn_gradient, 4, mesh=False)
write("nn_grouped_gradient", nn_gradient, 4, mesh=False, kv_heads=2)
write("nn_bf16_forward", nn(True), 3, mesh=False, kv_heads=2, dtype=jnp.bfloat16)
write("nn_bf16_gradient", nn_gradient, 4, mesh=False, kv_heads=2, dtype=jnp.bfloat16)
