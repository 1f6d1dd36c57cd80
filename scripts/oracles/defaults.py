#!/usr/bin/env python3
"""What the optimizers of the library do in 20 steps with the settings that they have where nothing is given but a learning rate:
optax, in f64.

Where a default is not optax's, optax is given it here, and docs/library.md says so. Writes
tests/data/library/defaults.safetensors: the start, the gradients, and the parameters after steps 1 and 20. Needs numpy, jax, optax
0.2.8 and safetensors:

    pip install numpy jax optax==0.2.8 safetensors && python3 scripts/oracles/defaults.py
"""

import pathlib

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
import optax  # noqa: E402
import optax.contrib  # noqa: E402
from safetensors.numpy import save_file  # noqa: E402

OUT = pathlib.Path(__file__).resolve().parents[2] / "tests/data/library/defaults.safetensors"
STEPS = 20
rng = np.random.default_rng(20)
start = {"w": rng.standard_normal((3, 4)), "layers.0.u": rng.standard_normal((5, 2)),
         "layers.1.u": rng.standard_normal((5, 2)), "b": rng.standard_normal(5)}
# Of several sizes, with zeros in between: moments that start at zero and epsilons are seen.
grads = [{k: rng.standard_normal(v.shape) * rng.choice([0, 1e-6, 1, 30], v.shape, p=[0.1, 0.1, 0.7, 0.1])
          for k, v in start.items()} for _ in range(STEPS)]
figures = {f"start/{k}": v for k, v in start.items()}
figures |= {f"gradient.{k}": np.stack([g[k] for g in grads]) for k in ("w", "b")}
figures["gradient.u"] = np.stack([np.stack([g["layers.0.u"], g["layers.1.u"]]) for g in grads])


def follow(name, optimizer):
    params = {k: jnp.asarray(v) for k, v in start.items()}
    state = optimizer.init(params)
    for t, g in enumerate(grads):
        updates, state = optimizer.update(g, state, params)
        params = optax.apply_updates(params, updates)
        if t + 1 in (1, STEPS):
            figures.update({f"{name}.{t + 1}/{k}": np.asarray(v) for k, v in params.items()})


follow("of_sgd", optax.sgd(0.01))
follow("of_momentum", optax.sgd(0.01, momentum=0.9))  # optax has no momentum of its own
follow("of_adam", optax.adam(0.01))
follow("of_adamw", optax.adamw(0.01, weight_decay=0.01))  # optax: 1e-4
follow("of_lion", optax.lion(0.01, weight_decay=0))  # optax: 1e-3
follow("of_lamb", optax.lamb(0.01))
follow("of_lars", optax.lars(0.01))
follow("of_adafactor", optax.adafactor(0.01))
follow("of_rmsprop", optax.rmsprop(0.01, eps_in_sqrt=False))  # optax: under the root
follow("of_muon", optax.contrib.muon(0.01))
follow("of_nadamw", optax.nadamw(0.01, weight_decay=0.01))  # optax: 1e-4

# As torch.optim.Adagrad does: optax starts at 0.1, and has its epsilon under the root.
params, v = dict(start), {k: 0.0 for k in start}
for t, g in enumerate(grads):
    v = {k: v[k] + g[k] ** 2 for k in start}
    params = {k: params[k] - 0.01 * g[k] / (np.sqrt(v[k]) + 1e-10) for k in start}
    if t + 1 in (1, STEPS):
        figures |= {f"of_adagrad.{t + 1}/{k}": p for k, p in params.items()}
save_file({k: np.ascontiguousarray(v) for k, v in figures.items()}, OUT)
