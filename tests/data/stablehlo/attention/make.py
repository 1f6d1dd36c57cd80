"""Attention as JAX prints it, op by op, alone and with its gradient: python make.py (jax 0.10.2).

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
        head[name] = {"dtype": "F32", "shape": list(x.shape), "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(head).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def write(name, f, count):
    rng = np.random.default_rng(len(name))
    args = [rng.standard_normal(SHAPE).astype(np.float32) for _ in range(count)]
    split = NamedSharding(MESH, P("data"))
    jitted = jax.jit(f, in_shardings=(split,) * count)
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


write("forward", lambda q, k, v: attention(q, k, v, False), 3)
write("forward_causal", lambda q, k, v: attention(q, k, v, True), 3)
write("gradient", gradient(False), 4)
write("gradient_causal", gradient(True), 4)
