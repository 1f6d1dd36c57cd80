"""Programs of float arithmetic, and their gradients: contractions, convolutions, windows, scans, scatters that add, factorisations.

What selects by a computed number (a sort, an argmax) is left to `moves`: here a rounding may change no result by more than itself.
`maximum` and the like are in: their gradients differ only where operands are equal, which drawn normal numbers are not.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .pool import Pool, is_float, shape, values


def draw(seed):
    p = Pool(np.random.default_rng([seed, 2]))
    # One type, often a wide one; now and then the narrow ones, with conversions between.
    p.kind = p.pick(("float64", "float64", "float32", "float32", "float16", "bfloat16"))
    for _ in range(int(p.rng.integers(2, 4))):
        p.input(values(p, shape(p, least=1), p.kind, special=False))
    tries = 0
    wanted = int(p.rng.integers(3, 8))
    while len(p.steps) < wanted and tries < 200:
        tries += 1
        p.pick(STEPS)(p)
    return p


def loss(p, weights):
    """From the float inputs to a number: all ends, each with weights of its own."""

    def call(*inputs):
        made = p.run(inputs)
        total = jnp.float32(0) if p.kind != "float64" else jnp.float64(0)
        for end, w in weights.items():
            total = total + jnp.sum(made[end].astype(total.dtype) * jnp.asarray(w, total.dtype))
        return total

    return call


def some(p, accept=lambda a: True):
    at = p.find(lambda a: is_float(a.dtype) and accept(a))
    return (None, None) if at is None else (at, p.avals[at])


UNARY = {
    "tanh": jnp.tanh,
    "sin": jnp.sin,
    "cos": jnp.cos,
    "logistic": lax.logistic,
    "erf": lax.erf,
    "exp": lambda x: jnp.exp(jnp.tanh(x)),
    "log1p": lambda x: jnp.log1p(x * x),
    "expm1": lambda x: jnp.expm1(jnp.tanh(x)),
    "log": lambda x: jnp.log(1.5 + jnp.sin(x)),
    "sqrt": lambda x: jnp.sqrt(1 + x * x),
    "rsqrt": lambda x: lax.rsqrt(1 + x * x),
    "cbrt": lambda x: jnp.cbrt(2 + jnp.tanh(x)),
    "atan2": lambda x: jnp.arctan2(x, 2 + jnp.cos(x)),
    "tan": lambda x: jnp.tan(jnp.tanh(x)),
    "asinh": jnp.arcsinh,
    "softplus": jax.nn.softplus,
    "gelu": jax.nn.gelu,
    "silu": jax.nn.silu,
    "relu": jax.nn.relu,
    "abs": jnp.abs,
    "square": jnp.square,
    "power": lambda x: jnp.power(1.5 + jnp.sin(x), 1.7),
    "cube": lambda x: x**3,
    "negative": lambda x: -x,
}


def unary(p):
    at, a = some(p)
    if at is not None:
        name = p.pick(list(UNARY))
        p.add(name, UNARY[name], at)


def binary(p):
    at, a = some(p)
    also = p.find(lambda b: b.dtype == a.dtype and b.ndim <= a.ndim and all(m in (1, n) for m, n in zip(b.shape[::-1], a.shape[::-1])))
    if also is None:
        return
    made = {
        "add": jnp.add,
        "multiply": jnp.multiply,
        "subtract": jnp.subtract,
        "divide": lambda x, y: x / (1 + y * y),
        "maximum": jnp.maximum,
        "minimum": jnp.minimum,
        "where": lambda x, y: jnp.where(x > 0, x, 2 * y),
        "hypot": lambda x, y: jnp.sqrt(x * x + y * y + 1),
    }
    name = p.pick(list(made))
    p.add(name, made[name], at, also)


def reduce(p):
    at, a = some(p, lambda a: a.ndim > 0)
    if at is None:
        return
    d, keep = int(p.rng.integers(a.ndim)), p.chance(0.4)
    made = {
        "sum": lambda x: jnp.sum(x, d, keepdims=keep),
        "mean": lambda x: jnp.mean(x, d, keepdims=keep),
        "max": lambda x: jnp.max(x, d, keepdims=keep),
        "var": lambda x: jnp.var(x, d, keepdims=keep),
        "prod": lambda x: jnp.prod(1 + 0.2 * jnp.tanh(x), d, keepdims=keep),
        "logsumexp": lambda x: jax.nn.logsumexp(x, d, keepdims=keep),
        "softmax": lambda x: jax.nn.softmax(x, d),
        "log_softmax": lambda x: jax.nn.log_softmax(x, d),
        "standardize": lambda x: (x - jnp.mean(x, d, keepdims=True)) * lax.rsqrt(jnp.var(x, d, keepdims=True) + 0.1),
        "cumsum": lambda x: jnp.cumsum(x, d),
        "cumprod": lambda x: jnp.cumprod(1 + 0.2 * jnp.tanh(x), d),
        "cumlogsumexp": lambda x: lax.cumlogsumexp(x, d),
        "cummax": lambda x: lax.cummax(x, d, reverse=True),
        "associative_scan": lambda x: lax.associative_scan(lambda l, r: l * 0.5 + r, jnp.tanh(x), axis=d),
        "norm": lambda x: jnp.sqrt(jnp.sum(x * x, d) + 1),
    }
    name = p.pick(list(made))
    p.add(f"{name}(dim={d}, keep={keep})", made[name], at)


def contract(p):
    at, a = some(p, lambda a: a.ndim > 0)
    if at is None:
        return
    pairs = [(i, b) for i, b in enumerate(p.avals) if b.dtype == a.dtype and b.ndim > 0]
    i, b = p.pick(pairs)
    left, right, batch = [], [], ([], [])
    for d, n in enumerate(a.shape):
        free = [e for e in range(b.ndim) if b.shape[e] == n and e not in right and e not in batch[1]]
        if free and p.chance(0.7):
            e = p.pick(free)
            if p.chance(0.3):
                batch[0].append(d), batch[1].append(e)
            else:
                left.append(d), right.append(e)
    dims = ((tuple(left), tuple(right)), (tuple(batch[0]), tuple(batch[1])))
    p.add(f"dot_general{dims}", lambda x, y: lax.dot_general(x, y, dims), at, i)


def convolve(p):
    """One or two dims, with strides, paddings, dilations of both sides, groups, and dims in any order."""
    at, a = some(p, lambda a: a.ndim in (3, 4))
    if at is None:
        return
    space = a.ndim - 2
    order = [int(i) for i in p.rng.permutation(a.ndim)]
    batch, channel, places = order[0], order[1], order[2:]
    channels = a.shape[channel]
    groups = p.pick([g for g in (1, 1, 2, channels) if channels % g == 0])
    out = groups * int(p.rng.integers(1, 3))
    sizes = [int(p.rng.integers(1, 4)) for _ in range(space)]
    kernel = values(p, tuple(sizes) + (channels // groups, out), "float64", special=False)
    by = tuple(int(p.pick((1, 1, 2))) for _ in sizes)
    left = tuple(int(p.pick((1, 1, 2))) for _ in sizes)
    right = tuple(int(p.pick((1, 1, 2))) for _ in sizes)
    edge = [(int(p.rng.integers(0, 3)), int(p.rng.integers(0, 3))) for _ in sizes]
    numbers = lax.ConvDimensionNumbers((batch, channel, *places), (space + 1, space, *range(space)), (batch, channel, *places))

    def call(x):
        # A kernel that depends on x has a gradient too.
        k = jnp.asarray(kernel, x.dtype) + 0.1 * jnp.tanh(jnp.mean(x))
        return lax.conv_general_dilated(x, k, by, edge, left, right, numbers, groups)

    p.add(f"conv(spec={order}, kernel={kernel.shape}, strides={by}, pad={edge}, lhs={left}, rhs={right}, groups={groups})", call, at)


def pool_window(p):
    at, a = some(p, lambda a: a.ndim >= 1)
    if at is None:
        return
    sizes = tuple(min(n, int(p.pick((1, 2, 3)))) for n in a.shape)
    by = tuple(int(p.pick((1, 1, 2))) for _ in a.shape)
    same = p.pick(("SAME", "VALID"))
    if p.chance(0.5):
        p.add(f"sum of windows({sizes}, {by}, {same})", lambda x: lax.reduce_window(x, np.zeros((), x.dtype), lax.add, sizes, by, same), at)
    else:
        p.add(f"max of windows({sizes}, {by}, {same})", lambda x: lax.reduce_window(x, np.array(-np.inf).astype(x.dtype), lax.max, sizes, by, same), at)


def gather(p):
    at, a = some(p, lambda a: a.ndim > 0)
    if at is None:
        return
    d, mode = int(p.rng.integers(a.ndim)), p.pick(("clip", "fill"))
    index = p.rng.integers(-1, a.shape[d] + 1, shape(p, most=2)).astype(p.pick(("int32", "int64", "uint8")) if mode == "clip" else "int32")
    # Outside of the array, `fill` is NaN, which would hide everything else.
    if mode == "fill":
        index = np.clip(index, 0, a.shape[d] - 1)
    p.add(f"take(axis={d}, {mode}, {index.tolist()})", lambda x: jnp.take(x, jnp.asarray(index), axis=d, mode=mode), at)


def scatter(p):
    at, a = some(p, lambda a: a.ndim > 0)
    if at is None:
        return
    index = p.rng.integers(0, a.shape[0] + 1, int(p.rng.integers(1, 6))).astype("int32")
    how = p.pick(("add", "add", "multiply"))

    def call(x):
        new = 1 + 0.1 * jnp.take(jnp.tanh(x), jnp.asarray(index) % x.shape[0], axis=0)
        return getattr(x.at[jnp.asarray(index)], how)(new, mode="drop", unique_indices=False)

    if how == "multiply":
        index = np.unique(index)
        call = lambda x: x.at[jnp.asarray(index)].multiply(jnp.full((len(index),) + x.shape[1:], 1.5, x.dtype), mode="drop", unique_indices=True)
    p.add(f"scatter_{how}({index.tolist()})", call, at)


def segments(p):
    at, a = some(p, lambda a: a.ndim > 0)
    if at is not None:
        ids = p.rng.integers(0, 4, a.shape[0]).astype("int32")
        p.add(f"segment_sum({ids.tolist()})", lambda x: jax.ops.segment_sum(x, jnp.asarray(ids), 4), at)


def move(p):
    at, a = some(p, lambda a: a.ndim > 0)
    if at is None:
        return
    d, by = int(p.rng.integers(a.ndim)), int(p.rng.integers(-2, 3))
    perm = tuple(int(i) for i in p.rng.permutation(a.ndim))
    made = {
        "roll": lambda x: jnp.roll(x, by, d),
        "flip": lambda x: jnp.flip(x, d),
        "transpose": lambda x: jnp.transpose(x, perm),
        "ravel": lambda x: jnp.ravel(x),
        "split": lambda x: jnp.reshape(x, (2, -1)),
        "differ": lambda x: jnp.diff(x, axis=d),
        "pad": lambda x: jnp.pad(x, 1, mode="edge"),
        "reflect": lambda x: jnp.pad(x, 1, mode="wrap"),
        "repeat": lambda x: jnp.repeat(x, 2, d),
        "strided": lambda x: lax.slice_in_dim(x, 0, x.shape[d], 2, d),
        "expand": lambda x: jnp.broadcast_to(x[None], (3,) + x.shape),
        "lower": lambda x: jnp.tril(x),
        "both": lambda x: lax.concatenate([x, 2 * x], d),
        "stack": lambda x: jnp.stack([x, x * x], d),
    }
    name = p.pick(list(made))
    p.add(f"{name}(dim={d}, by={by})", made[name], at)


def scan(p):
    at, a = some(p, lambda a: a.ndim >= 2 and a.shape[0] > 1)
    if at is None:
        return
    weight = values(p, (a.shape[-1], a.shape[-1]), "float64", special=False) * 0.3
    back, kept = p.chance(0.4), p.chance(0.3)

    def body(h, row):
        h = jnp.tanh(h @ jnp.asarray(weight, row.dtype) + row)
        return h, h * h

    step = jax.checkpoint(body) if kept else body
    p.add(f"scan(recurrent, reverse={back}, checkpoint={kept})", lambda x: tuple(lax.scan(step, jnp.zeros_like(x[0]), x, reverse=back)), at)


def layers(p):
    """Equal layers in a Python loop: they are rolled."""
    at, a = some(p, lambda a: a.ndim == 2 and a.shape[1] < 9)
    if at is not None:
        n = int(p.rng.integers(2, 5))
        weights = values(p, (n, a.shape[1], a.shape[1]), "float64", special=False) * 0.4

        def call(x):
            for w in weights:
                x = x + jnp.tanh(x @ jnp.asarray(w, x.dtype))
            return x

        p.add(f"layers({n})", call, at)


def attend(p):
    at, a = some(p, lambda a: a.ndim == 3)
    if at is not None:
        causal = p.chance(0.5)

        def call(x):
            scores = jnp.einsum("bqd,bkd->bqk", x, x) / np.sqrt(a.shape[-1]).astype(x.dtype)
            if causal:
                scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -jnp.inf)
            return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(scores, -1), x)

        p.add(f"attention(causal={causal})", call, at)


def solve(p):
    """Cholesky of a well conditioned matrix, and a triangular solve."""
    at, a = some(p, lambda a: a.ndim == 2 and a.shape[0] < 9 and a.dtype in (jnp.float32, jnp.float64))
    if at is not None:

        def call(x):
            m = x @ x.T / x.shape[1] + 2 * jnp.eye(x.shape[0], dtype=x.dtype)
            return lax.linalg.triangular_solve(jnp.linalg.cholesky(m), x, left_side=True, lower=True)

        p.add("cholesky and solve", call, at)


def fourier(p):
    at, a = some(p, lambda a: a.ndim > 0 and a.dtype in (jnp.float32, jnp.float64))
    if at is not None:
        filtered = p.chance(0.5)

        def call(x):
            z = jnp.fft.rfft(x)
            if filtered:
                return jnp.fft.irfft(z * jnp.exp(-jnp.abs(z) ** 2 * 1j / (1 + jnp.abs(z) ** 2)), x.shape[-1])
            return jnp.concatenate([z.real, z.imag], -1)

        p.add(f"fourier(filtered={filtered})", call, at)


def complexes(p):
    at, a = some(p, lambda a: a.ndim > 0 and a.dtype in (jnp.float32, jnp.float64))
    if at is not None:

        def call(x):
            z = lax.complex(x, jnp.roll(x, 1, -1) + 1)
            w = jnp.exp(z * 0.2j) * jnp.conj(z) / (2 + jnp.abs(z)) + jnp.sin(z * 0.3)
            return w.real + w.imag

        p.add("complex", call, at)


def convert(p):
    at, a = some(p)
    if at is not None:
        kind = p.pick(("float32", p.kind))
        p.add(f"convert({kind})", lambda x: x.astype(kind), at)


STEPS = [
    unary, unary, unary, binary, binary, binary, reduce, reduce, reduce, contract, contract, contract, convolve, convolve, pool_window, gather,
    scatter, segments, move, move, move, scan, layers, attend, solve, fourier, complexes, convert,
]  # fmt: skip
