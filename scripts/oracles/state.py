#!/usr/bin/env python3
"""What state in training is tested against: a network with Flax's BatchNorm, trained by optax, in f64.

Writes tests/data/library/state.safetensors: the start, the data, and after each of four steps the loss, a metric, parameters and
running statistics; for whole batches, and for batches of two microbatches, of which the second one sees the statistics that the
first one left. Needs numpy, jax, flax, optax and safetensors:

    pip install numpy jax flax optax safetensors && python3 scripts/oracles/state.py
"""

import pathlib

import jax

jax.config.update("jax_enable_x64", True)

import flax.linen as nn  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
import optax  # noqa: E402
from safetensors.numpy import save_file  # noqa: E402

OUT = pathlib.Path(__file__).resolve().parents[2] / "tests/data/library/state.safetensors"
BATCH, SIDE, N, LAYERS, STEPS = 12, 3, 6, 3, 4


class Layer(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        h = nn.Dense(N, use_bias=False, param_dtype=jnp.float64, name="w")(x)
        norm = nn.BatchNorm(use_running_average=not train, momentum=0.9, use_fast_variance=False, force_float32_reductions=False,
                            param_dtype=jnp.float64, dtype=jnp.float64, name="norm")
        return x + jnp.tanh(norm(h))


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.BatchNorm(use_running_average=not train, momentum=0.8, use_fast_variance=False, force_float32_reductions=False,
                         param_dtype=jnp.float64, dtype=jnp.float64, name="first")(x)
        sizes = []
        for i in range(LAYERS):
            x = Layer(name=f"layers_{i}")(x, train)
            sizes.append(jnp.mean(jnp.abs(x)))
        head = self.param("head", nn.initializers.normal(0.5), (N,), jnp.float64)
        return jnp.mean(x, (1, 2)) @ head, jnp.mean(jnp.stack(sizes))


net = Net()
rng = np.random.default_rng(3)
xs = rng.standard_normal((STEPS, BATCH, SIDE, SIDE, N)) * 2 + 0.5
ys = rng.standard_normal((STEPS, BATCH))
start = net.init(jax.random.key(0), jnp.asarray(xs[0]), True)
optimizer = optax.adamw(0.02, weight_decay=0.01)
figures = {"x": xs, "y": ys}


def loss(params, stats, x, y):
    (out, size), new = net.apply({"params": params, "batch_stats": stats}, x, True, mutable=["batch_stats"])
    return jnp.mean((out - y) ** 2), (new["batch_stats"], size)


def record(at, params, stats):
    stack = lambda f: np.stack([np.asarray(f(f"layers_{i}")) for i in range(LAYERS)])  # noqa: E731
    figures.update({
        f"{at}/head": np.asarray(params["head"]),
        f"{at}/first.scale": np.asarray(params["first"]["scale"]),
        f"{at}/first.bias": np.asarray(params["first"]["bias"]),
        f"{at}/first.mean": np.asarray(stats["first"]["mean"]),
        f"{at}/first.variance": np.asarray(stats["first"]["var"]),
        f"{at}/layers.*.w": stack(lambda n: params[n]["w"]["kernel"]),
        f"{at}/layers.*.norm.scale": stack(lambda n: params[n]["norm"]["scale"]),
        f"{at}/layers.*.norm.bias": stack(lambda n: params[n]["norm"]["bias"]),
        f"{at}/layers.*.norm.mean": stack(lambda n: stats[n]["norm"]["mean"]),
        f"{at}/layers.*.norm.variance": stack(lambda n: stats[n]["norm"]["var"]),
    })


for name, parts in (("whole", 1), ("micro", 2)):
    params, stats = start["params"], start["batch_stats"]
    state = optimizer.init(params)
    record("start", params, stats)
    for t in range(STEPS):
        total, size, grads = 0.0, 0.0, jax.tree.map(jnp.zeros_like, params)
        for k in range(parts):
            (l, (stats, s)), g = jax.value_and_grad(loss, has_aux=True)(params, stats, xs[t][k::parts], ys[t][k::parts])
            total, size = total + l / parts, size + s / parts
            grads = jax.tree.map(lambda a, b: a + b / parts, grads, g)
        update, state = optimizer.update(grads, state, params)
        params = optax.apply_updates(params, update)
        record(f"{name}.{t}", params, stats)
        figures |= {f"{name}.{t}/loss": np.asarray(total), f"{name}.{t}/size": np.asarray(size)}
    out, _ = net.apply({"params": params, "batch_stats": stats}, jnp.asarray(xs[0]), False)
    figures[f"{name}/predicted"] = np.asarray(out)

save_file({k: np.ascontiguousarray(v, dtype=np.float64) for k, v in figures.items()}, OUT)
print(f"{len(figures)} arrays in {OUT}")
