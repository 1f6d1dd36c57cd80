"""`jax.nn.dot_product_attention` as JAX prints it: python make.py (jax 0.10.2).

nn_forward            alone
nn_gradient           with `is_causal`, and what reverse differentiation makes of it
nn_grouped_gradient   the same, two heads of queries for each of keys and values
nn_bf16_forward       the same alone, in 16 bits
nn_bf16_gradient      and with its gradient
"""
import os
import pathlib

os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

HERE = pathlib.Path(__file__).parent
SHAPE = (4, 16, 4, 8)


def forward(causal):
    return lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=causal)


def gradient(q, k, v, ct):
    out, back = jax.vjp(forward(True), q, k, v)
    return out, *back(ct)


def write(name, f, count, kv_heads=SHAPE[2], dtype=jnp.float32):
    shared = (*SHAPE[:2], kv_heads, SHAPE[3])
    args = [jax.ShapeDtypeStruct(shared if i in (1, 2) else SHAPE, dtype) for i in range(count)]
    (HERE / f"{name}.mlir").write_text(jax.jit(f).lower(*args).as_text())


write("nn_forward", forward(False), 3)
write("nn_gradient", gradient, 4)
write("nn_grouped_gradient", gradient, 4, kv_heads=2)
write("nn_bf16_forward", forward(True), 3, kv_heads=2, dtype=jnp.bfloat16)
write("nn_bf16_gradient", gradient, 4, kv_heads=2, dtype=jnp.bfloat16)
