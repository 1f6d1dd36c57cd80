#!/usr/bin/env python3
"""What the library is tested against: JAX for its functions and their gradients, optax for its optimizers and schedules.

Writes tests/data/library/{functions,optimizers}.safetensors, in f64. Needs numpy, jax, optax and safetensors:

    pip install numpy jax optax safetensors && python3 scripts/oracles/library.py
"""

import pathlib

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
import optax  # noqa: E402
import optax.contrib  # noqa: E402
from safetensors.numpy import save_file  # noqa: E402

OUT = pathlib.Path(__file__).resolve().parents[2] / "tests/data/library"
ROWS, N, M, R, BATCH, HEADS, KV, SEQ, HEAD, VALUE, EXPERTS, HIDDEN = 3, 5, 4, 2, 2, 4, 2, 6, 4, 3, 4, 3
rng = np.random.default_rng(0)
figures = {}


def normal(*shape):
    return rng.standard_normal(shape)


def case(name, f, outputs=("out",), **inputs):
    """Records inputs, outputs, and gradients of all float inputs for a cotangent of each output."""
    floats = {k: jnp.asarray(v) for k, v in inputs.items() if v.dtype == np.float64}
    rest = {k: v for k, v in inputs.items() if k not in floats}

    def run(floats):
        y = f(**floats, **rest)
        return y if isinstance(y, tuple) else (y,)

    out, pull = jax.vjp(run, floats)
    cts = tuple(jnp.asarray(normal(*y.shape)) for y in out)
    (grads,) = pull(cts)
    tensors = dict(inputs)
    tensors |= dict(zip(outputs, out)) | {f"ct.{k}": c for k, c in zip(outputs, cts)}
    tensors |= {f"grad.{k}": g for k, g in grads.items()}
    figures.update({f"t_{name}/{k}": np.asarray(v).copy(order="C") for k, v in tensors.items()})


x, y = normal(ROWS, N), normal(ROWS, N)
case("relu", jax.nn.relu, x=x)
case("leaky_relu", lambda x: jax.nn.leaky_relu(x, 0.2), x=x)
case("relu_squared", lambda x: jnp.square(jax.nn.relu(x)), x=x)
case("gelu", lambda x: jax.nn.gelu(x, approximate=True), x=x)
case("gelu_exact", lambda x: jax.nn.gelu(x, approximate=False), x=x)
case("silu", jax.nn.silu, x=x)
case("softplus", jax.nn.softplus, x=10 * x)
case("swiglu", lambda gate, up: jax.nn.silu(gate) * up, gate=x, up=y)
case("geglu", lambda gate, up: jax.nn.gelu(gate, approximate=True) * up, gate=x, up=y)
case("mean", lambda x: jnp.mean(x, -1), x=x)
case("variance", lambda x: jnp.var(x, -1), x=x)
case("normalize", lambda x: jax.nn.standardize(x, epsilon=1e-5), x=x)
case("logsumexp", lambda x: jax.nn.logsumexp(x, -1), x=x)
case("log_softmax", jax.nn.log_softmax, x=x)
case("softmax", jax.nn.softmax, x=x)
case("z_loss", lambda x: jnp.square(jax.nn.logsumexp(x, -1)), x=x)
case("binary_cross_entropy", lambda x, y: optax.sigmoid_binary_cross_entropy(x, y), x=x, y=rng.random((ROWS, N)))
case("mse", lambda x, y: jnp.mean(optax.squared_error(x, y)), x=x, y=y)

stack = normal(BATCH, ROWS, N)
targets = rng.integers(0, N, (BATCH, ROWS)).astype(np.int32)
case("layer_norm", lambda x, scale, bias: jax.nn.standardize(x, epsilon=1e-5) * scale + bias,
     x=stack, scale=normal(N), bias=normal(N))
case("rms_norm", lambda x, scale: x / jnp.sqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * scale, x=stack, scale=normal(N))
case("cross_entropy", lambda x, targets: optax.softmax_cross_entropy_with_integer_labels(x, targets), x=stack, targets=targets)


def smoothed(x, targets):
    labels = optax.smooth_labels(jax.nn.one_hot(targets, N, dtype=x.dtype), 0.1)
    return optax.softmax_cross_entropy(x, labels) + 0.01 * jnp.square(jax.nn.logsumexp(x, -1))


case("cross_entropy_smoothed", smoothed, x=stack, targets=targets)
case("dense", lambda x, weight, bias: x @ weight + bias, x=stack, weight=normal(N, M), bias=normal(M))
case("embedding", lambda table, tokens: table[tokens], table=normal(N, M), tokens=targets)
case("lora", lambda x, w, down, up: x @ (w + 3 / R * down @ up), x=x, w=normal(N, M), down=normal(N, R), up=normal(R, M))


def turn(x, base=10000.0, positions=None):
    """By complex numbers: another way than the library's."""
    half = x.shape[-1] // 2
    positions = jnp.arange(x.shape[-2]) if positions is None else positions
    angle = positions[:, None] * base ** (-2 * jnp.arange(half) / x.shape[-1])
    z = (x[..., :half] + 1j * x[..., half:]) * jnp.exp(1j * angle)
    return jnp.concatenate([z.real, z.imag], -1)


def attend(q, k, v, sees):
    """jax.nn.dot_product_attention, which is no more exact than f32. `sees`: which query sees which key."""
    repeat = lambda x: jnp.repeat(x, q.shape[1] // x.shape[1], 1)  # noqa: E731
    scores = jnp.einsum("bhsd,bhtd->bhst", q, repeat(k)) / np.sqrt(q.shape[-1])
    return jnp.einsum("bhst,bhtd->bhsd", jax.nn.softmax(jnp.where(sees, scores, -jnp.inf)), repeat(v))


CAUSAL, APART = np.tri(SEQ, dtype=bool), np.arange(SEQ)[:, None] - np.arange(SEQ)
q, k, v = normal(BATCH, HEADS, SEQ, HEAD), normal(BATCH, HEADS, SEQ, HEAD), normal(BATCH, HEADS, SEQ, HEAD)
case("rope", turn, x=q)
case("rope_positions", lambda x, positions: turn(x, 100.0, positions), x=q,
     positions=rng.integers(0, 50, SEQ).astype(np.int32))
case("attention", lambda q, k, v: attend(q, k, v, True), q=q, k=k[:, :, :ROWS], v=v[:, :, :ROWS])
case("attention_causal", lambda q, k, v: attend(q, k, v, CAUSAL), q=q, k=k, v=v)
case("attention_grouped", lambda q, k, v: attend(q, k, v, CAUSAL), q=q, k=k[:, :KV], v=normal(BATCH, KV, SEQ, VALUE))
case("attention_window", lambda q, k, v: attend(q, k, v, CAUSAL & (APART < 3)), q=q, k=k, v=v)
case("attention_window_both", lambda q, k, v: attend(q, k, v, abs(APART) < 2), q=q, k=k[:, :KV], v=v[:, :KV])
segments = np.sort(rng.integers(0, 3, (BATCH, SEQ)), -1).astype(np.int32)
same = (segments[:, :, None] == segments[:, None, :])[:, None]
case("attention_segments", lambda q, k, v, segments: attend(q, k, v, CAUSAL & same), q=q, k=k, v=v, segments=segments)


def latent_attention(q, q_rope, latent, shared, up_k, up_v):
    k, v = jnp.einsum("bsr,rhd->bhsd", latent, up_k), jnp.einsum("bsr,rhd->bhsd", latent, up_v)
    scores = jnp.einsum("bhsd,bhtd->bhst", q, k) + jnp.einsum("bhsd,btd->bhst", turn(q_rope), turn(shared)[:, 0])
    p = jax.nn.softmax(jnp.where(np.tri(SEQ, dtype=bool), scores / np.sqrt(HEAD + R), -jnp.inf))
    return jnp.einsum("bhst,bhtd->bhsd", p, v)


case("latent_attention", latent_attention, q=q, q_rope=normal(BATCH, HEADS, SEQ, R), latent=normal(BATCH, SEQ, N),
     shared=normal(BATCH, 1, SEQ, R), up_k=normal(N, HEADS, HEAD), up_v=normal(N, HEADS, VALUE))


def moe(top, capacity):
    """Token by token; which expert has a place for which token is decided on plain numbers."""

    def run(x, router, gate, up, down):
        p = jax.nn.softmax(x @ router)
        plain = np.asarray(jax.lax.stop_gradient(p)) if not isinstance(p, jax.core.Tracer) else routing_probabilities
        ranked = np.argsort(-plain, -1, kind="stable")
        balance = EXPERTS * jnp.sum(jnp.mean(jax.nn.one_hot(ranked[..., 0], EXPERTS), (0, 1)) * jnp.mean(p, (0, 1)))
        rows = [[jnp.zeros(M) for _ in range(SEQ)] for _ in range(BATCH)]
        for b in range(BATCH):
            used = np.zeros(EXPERTS, int)
            for choice in range(top):
                seen = used.copy()
                for s in range(SEQ):
                    e = ranked[b, s, choice]
                    if seen[e] < capacity:
                        share = p[b, s, e] / (p[b, s, ranked[b, s, :top]].sum() if top > 1 else 1)
                        h = jax.nn.silu(x[b, s] @ gate[e]) * (x[b, s] @ up[e])
                        rows[b][s] = rows[b][s] + share * (h @ down[e])
                    seen[e] += 1
                used = seen
        return jnp.stack([jnp.stack(r) for r in rows]), balance

    return run


xm, router = normal(BATCH, SEQ, M), normal(M, EXPERTS)
experts = {"gate": normal(EXPERTS, M, HIDDEN), "up": normal(EXPERTS, M, HIDDEN), "down": normal(EXPERTS, HIDDEN, M)}
routing_probabilities = np.asarray(jax.nn.softmax(xm @ router))
for top, capacity in [(1, 2), (2, 3)]:
    case(f"moe_top{top}", moe(top, capacity), ("out.0", "out.1"), x=xm, router=router, **experts)

# ---- convolutions and pooling, from a stream of their own: figures of what follows stay as they are

rng, others = np.random.default_rng(1), rng
C, D = 4, 6


def convolve(x, w, stride=1, padding=((0, 0), (0, 0)), dilation=1, groups=1):
    n = x.ndim - 2
    numbers = ("NWC", "WIO", "NWC") if n == 1 else ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(x, w, (stride,) * n, padding[:n], rhs_dilation=(dilation,) * n,
                                        dimension_numbers=numbers, feature_group_count=groups)


line, image = normal(BATCH, 9, C), normal(BATCH, 7, 6, C)
case("conv1d", convolve, x=line, w=normal(3, C, D))
case("conv1d_causal", lambda x, w: convolve(x, w, padding=((4, 0),), dilation=2, groups=C), x=line, w=normal(3, 1, C))
case("conv2d", convolve, x=image, w=normal(3, 2, C, D))
case("conv2d_strided", lambda x, w: convolve(x, w, 2, ((1, 1), (1, 1))), x=image, w=normal(3, 3, C, D))
case("conv2d_dilated", lambda x, w: convolve(x, w, 1, ((2, 1), (2, 1)), 2), x=image, w=normal(2, 2, C, D))
case("conv2d_grouped", lambda x, w: convolve(x, w, 1, ((1, 1), (1, 1)), 1, 2), x=image, w=normal(3, 3, C // 2, D))


def transposed(x, w):
    """The gradient of a convolution with respect to its operand, as PyTorch's ConvTranspose2d is."""
    shape = (BATCH, *((n - 1) * 2 + k - 2 for n, k in zip(x.shape[1:3], w.shape[:2])), D)
    forward = lambda y: convolve(y, jnp.swapaxes(w, 2, 3), 2, ((1, 1), (1, 1)))  # noqa: E731
    return jax.linear_transpose(forward, jax.ShapeDtypeStruct(shape, x.dtype))(x)[0]


case("conv_transpose2d", transposed, x=image, w=normal(4, 3, C, D))


def pooled(x, f, start, window, stride, padding):
    sides = lambda n: (1, n, n, 1)  # noqa: E731
    return jax.lax.reduce_window(x, start, f, sides(window), sides(stride), ((0, 0), (padding,) * 2, (padding,) * 2, (0, 0)))


case("max_pool2d", lambda x: pooled(x, jax.lax.max, -jnp.inf, 3, 2, 1), x=image)
case("avg_pool2d", lambda x: pooled(x, jax.lax.add, 0.0, 2, 2, 0) / 4, x=image)
case("one_hot", lambda x, indices: x[:, None] * jax.nn.one_hot(indices, N, dtype=x.dtype), x=normal(SEQ),
     indices=np.array([0, 4, -1, 5, 2, 2], np.int32))
case("padded", lambda x: jax.lax.pad(x, 1.5, ((0, 0, 0), (2, -1, 1))), x=normal(ROWS, N))
case("literal", lambda x: x @ jnp.array([[0.5, 1.0], [2.0, -3.0], [4.0, 0.25]])[::-1], x=normal(N, ROWS))
case("moe_top3", moe(3, 4), ("out.0", "out.1"), x=xm, router=router, **experts)
# Places that are computed. Those outside are read from the nearest place, and are not written to. In JAX negative ones count from
# the end, so there are none here.
rng = np.random.default_rng(2)
grid, at = np.array([[0, 2], [1, 3], [2, 2], [9, 0]], np.int32), np.array([1, 4], np.int32)
case("gather", lambda x, i, j: x.at[i, j].get(mode="clip"), x=normal(ROWS, N, M), i=grid, j=at)
case("gather_dims", lambda x, i, j: jnp.moveaxis(x, 1, -1).at[j, i].get(mode="clip"), x=normal(ROWS, N, M),
     i=np.array([3, 0, 3, 7, 1, 1], np.int32), j=np.array([0, 2, 1, 1, 5, 0], np.int32))
i, j = np.array([0, 2, 1, 0, 7, 2], np.int32), np.array([1, 4, 3, 1, 0, 9], np.int32)
case("scatter_add", lambda x, u, i, j: x.at[i, j].add(u, mode="drop"), x=normal(ROWS, N, M), u=normal(SEQ, M), i=i, j=j)
case("scatter_set", lambda x, u, i: x.at[i].set(u, mode="drop", unique_indices=True), x=normal(ROWS, N),
     u=normal(M, N), i=np.array([2, 9, 0, 8], np.int32))


def one_by_one(x, u, i, f):
    for k, row in enumerate(i):
        if row < x.shape[0]:
            x = x.at[row].set(f(x[row], u[k]))
    return x


case("scatter_set_last", lambda x, u, i: one_by_one(x, u, i, lambda old, new: new), x=normal(ROWS, N), u=normal(SEQ, N), i=i)
case("scatter_mul", lambda x, u, j: one_by_one(x.T, u, j, jnp.multiply).T, x=normal(ROWS, N), u=normal(SEQ, ROWS), j=j)
case("scatter_max", lambda x, u, i: one_by_one(x, u, i, jnp.maximum), x=normal(ROWS, N), u=normal(SEQ, N), i=i)
case("scatter_min", lambda x, u, i: one_by_one(x, u, i, jnp.minimum), x=normal(ROWS, N), u=normal(SEQ, N), i=i)
rng = others
save_file(figures, OUT / "functions.safetensors")

# ---- optimizers: gradients are given, parameters after each step are recorded

STEPS = 6
start = {"w": normal(3, 4), "layers.0.u": normal(4, 5), "layers.1.u": normal(4, 5), "b": normal(5)}
grads = [{k: normal(*v.shape) for k, v in start.items()} for _ in range(STEPS)]
figures = {}
for name, value in start.items():
    figures[f"start/{name}"] = value
for t, g in enumerate(grads):
    figures |= {f"gradient.{t}/w": g["w"], f"gradient.{t}/b": g["b"],
                f"gradient.{t}/u": np.stack([g["layers.0.u"], g["layers.1.u"]])}


def follow(name, optimizer):
    """Trains with optax."""
    params, state = {k: jnp.asarray(v) for k, v in start.items()}, None
    state = optimizer.init(params)
    for t, g in enumerate(grads):
        updates, state = optimizer.update(g, state, params)
        params = optax.apply_updates(params, updates)
        figures.update({f"{name}.{t}/{k}": np.asarray(v) for k, v in params.items()})


def counted(schedule):
    """Of the number of the step, 1 on the first; optax counts from 0."""
    return lambda count: schedule(count + 1)


cosine = optax.warmup_cosine_decay_schedule(0.0, 0.02, 2, 5, 0.001)
follow("sgd_plain", optax.sgd(0.1))
follow("sgd_momentum", optax.chain(optax.add_decayed_weights(0.01), optax.sgd(0.1, momentum=0.9)))
follow("sgd_nesterov", optax.sgd(0.1, momentum=0.9, nesterov=True))
follow("momentum_plain", optax.sgd(0.1, momentum=0.8))
follow("adam_plain", optax.adam(0.01))
follow("adamw_decay", optax.adamw(0.01, b1=0.8, b2=0.95, eps=1e-6, weight_decay=0.1))
follow("adamw_scheduled", optax.adamw(counted(cosine), weight_decay=0.01))
follow("lion_decay", optax.lion(0.01, weight_decay=0.1))
follow("lamb_decay", optax.lamb(0.01, weight_decay=0.1))
follow("lars_decay", optax.lars(0.5, weight_decay=0.1))
follow("adafactor_factored", optax.adafactor(0.1, min_dim_size_to_factor=2))
follow("adafactor_whole", optax.adafactor(0.1, weight_decay_rate=0.01))
follow("rmsprop_momentum", optax.rmsprop(0.01, momentum=0.5, eps_in_sqrt=False))
follow("clipped", optax.chain(optax.clip_by_global_norm(1.0), optax.sgd(0.1)))
follow("clipped_by_value", optax.chain(optax.clip(0.3), optax.sgd(0.1)))
labels = {k: {"w": "frozen", "b": "bias"}.get(k, "layers") for k in start}
follow("grouped", optax.partition({
    "frozen": optax.set_to_zero(),
    "bias": optax.adamw(0.01, weight_decay=0.0),
    "layers": optax.adamw(0.05, weight_decay=0.1),
}, labels))
follow("partly", optax.partition({True: optax.sgd(0.1), False: optax.set_to_zero()}, {k: k.endswith("u") for k in start}))

matrices = optax.contrib.muon(0.02, weight_decay=0.1)
rest = optax.adamw(0.01, weight_decay=0.0, nesterov=True)  # as muon's own
follow("muon_matrices", optax.partition({True: matrices, False: rest}, {k: k != "b" for k in start}))
follow("muon_layers", optax.partition({True: matrices, False: rest}, {k: k.endswith("u") for k in start}))

# As torch.optim.Adagrad does: optax's has its epsilon under the root.
params, v = dict(start), {k: 0.0 for k in start}
for t, g in enumerate(grads):
    v = {k: v[k] + g[k] ** 2 for k in start}
    params = {k: params[k] - 0.1 * g[k] / (np.sqrt(v[k]) + 1e-10) for k in start}
    figures |= {f"adagrad_plain.{t}/{k}": p for k, p in params.items()}

params, ema = dict(start), dict(start)
for t, g in enumerate(grads):
    params = {k: params[k] - 0.1 * g[k] for k in start}
    ema = {k: 0.9 * ema[k] + 0.1 * params[k] for k in start}
    figures |= {f"averaged.{t}/{k}": p for k, p in params.items()}
    figures |= {f"averaged.{t}/ema.{k}": p for k, p in ema.items()}

# ---- schedules, on steps 1 to 9

steps = np.arange(1, 10)
schedules = {
    "constant": lambda t: 0.3,
    "expression": lambda t: 0.5 * min(t / 4, 1),
    "warmup": optax.linear_schedule(0.0, 0.1, 4),
    "linear": optax.linear_schedule(0.1, 0.02, 5),
    "cosine": optax.cosine_decay_schedule(0.1, 6, 0.1),
    "warmup_cosine": optax.warmup_cosine_decay_schedule(0.0, 0.1, 3, 7, 0.01),
    "warmup_linear": optax.join_schedules([optax.linear_schedule(0, 0.1, 3), optax.linear_schedule(0.1, 0.01, 4)], [3]),
    "warmup_stable_decay": optax.join_schedules(
        [optax.linear_schedule(0, 0.1, 2), optax.constant_schedule(0.1), optax.linear_schedule(0.1, 0, 3)], [2, 4]),
    "inverse_sqrt": lambda t: 0.1 * min(t / 3, (3 / t) ** 0.5),
    "step_decay": lambda t: optax.exponential_decay(0.1, 3, 0.5, staircase=True)(t - 1),
    "exponential_decay": optax.exponential_decay(0.1, 3, 0.5),
}
for name, f in schedules.items():
    figures[f"s_{name}/lr"] = np.array([float(f(int(t))) for t in steps])
figures = {k: np.asarray(v, dtype=np.float64).copy(order="C") for k, v in figures.items()}
save_file(figures, OUT / "optimizers.safetensors")
