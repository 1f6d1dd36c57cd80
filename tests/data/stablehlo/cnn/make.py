"""A small convolutional network's train step as JAX lowers it, data parallel over 8 devices, and its losses over 5 steps.

    python make.py            # writes cnn.dp8.mlir and expected.json beside this file

Two convolutions (one strided), a pooling of windows that lie side by side and one of windows that overlap, cross-entropy, SGD.
Parameters and data are a formula of their positions, so that the test makes the same ones.
"""

import json
import os
import pathlib

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

HERE = pathlib.Path(__file__).parent
jax.config.update("jax_use_shardy_partitioner", True)

SHAPES = {
    "conv1": (3, 3, 3, 8),
    "bias1": (8,),
    "conv2": (3, 3, 8, 16),
    "bias2": (16,),
    "conv3": (3, 3, 16, 16),
    "dense": (2 * 2 * 16, 10),
}
BATCH, SIZE = 16, 16


def numbers(shape, seed, scale):
    i = np.arange(np.prod(shape), dtype=np.int64)
    return (((i * 2654435761 + seed * 40503) % 2**32 / 2**32 - 0.5) * scale).astype(np.float32).reshape(shape)


def conv(x, w, strides):
    return lax.conv_general_dilated(x, w, strides, "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def pool(x, window, strides):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, window, window, 1), (1, strides, strides, 1), "SAME")


def loss(p, x, y):
    h = pool(jax.nn.relu(conv(x, p["conv1"], (1, 1)) + p["bias1"]), 2, 2)
    h = pool(jax.nn.relu(conv(h, p["conv2"], (1, 1)) + p["bias2"]), 3, 2)
    h = jax.nn.relu(conv(h, p["conv3"], (2, 2)))
    logits = h.reshape(h.shape[0], -1) @ p["dense"]
    return -(jax.nn.one_hot(y, 10) * jax.nn.log_softmax(logits)).sum(1).mean()


def step(p, x, y):
    value, grads = jax.value_and_grad(loss)(p, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, p, grads), value


def main():
    mesh = Mesh(np.array(jax.devices()).reshape(8), ("data",))
    whole, split = NamedSharding(mesh, P()), NamedSharding(mesh, P("data"))
    p = {n: numbers(s, k, 4.0 / np.sqrt(np.prod(s[:-1]))) for k, (n, s) in enumerate(sorted(SHAPES.items()))}
    x, y = numbers((BATCH, SIZE, SIZE, 3), 17, 4.0), (np.arange(BATCH) * 7 % 10).astype(np.int32)
    shardings = (whole, split, split)
    lowered = jax.jit(step, in_shardings=shardings, out_shardings=(whole, whole), donate_argnums=0).lower(p, x, y)
    (HERE / "cnn.dp8.mlir").write_text(lowered.as_text())
    losses, one = [], jax.jit(step)
    for _ in range(5):
        p, value = one(p, x, y)
        losses.append(float(value))
    (HERE / "expected.json").write_text(json.dumps({"loss_curve": losses}) + "\n")
    print(losses)


if __name__ == "__main__":
    main()
