#!/usr/bin/env python3
"""What examples/{unet,mamba2,dpo,qlora,deepseek,ring,lru}.loom are tested against: the same models in JAX, trained by optax, in f64.

Written from the papers' formulas and otherwise than Loom's examples, so that the two agree only if both are right: with JAX's own
convolutions, Mamba-2 as a recurrence, latent attention in its absorbed form, experts without buffers, attention in one piece, gated
linear recurrences position by position. Writes tests/data/library/programs.safetensors: start, data, the losses of three steps, and the sum of
squares of each trained parameter after them. Needs numpy, jax, optax and safetensors:

    pip install numpy jax optax safetensors && python3 scripts/oracles/programs.py
"""

import pathlib

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
import optax  # noqa: E402
from safetensors.numpy import save_file  # noqa: E402

OUT = pathlib.Path(__file__).resolve().parents[2] / "tests/data/library/programs.safetensors"
STEPS = 3
figures = {}
rng = np.random.default_rng(11)


def normal(*shape, scale=0.3):
    return scale * rng.standard_normal(shape)


def train(name, params, batch, loss, frozen=(), lr=1e-3, weight_decay=0.01, stateful=False):
    """Records a program: `params` by the paths of the example, the entries of lists stacked. A `stateful` loss gives a pair: the loss,
    and the next values of the parameters that it sets itself."""
    figures.update({f"{name}/{k}": np.asarray(v).copy(order="C") for k, v in {**params, **batch}.items()})
    rest = {k: v for k, v in params.items() if k.startswith(tuple(frozen)) or v.dtype == np.uint8} if frozen else {}
    own = {k: jnp.asarray(v) for k, v in params.items() if k not in rest}
    tx = optax.adamw(lr, b1=0.9, b2=0.999, eps=1e-8, weight_decay=weight_decay)
    state, losses = tx.init(own), []
    pair = loss if stateful else lambda p, **batch: (loss(p, **batch), {})
    step = jax.jit(jax.value_and_grad(lambda p, kept: pair({**p, **kept}, **batch), has_aux=True))
    for _ in range(STEPS):
        (value, told), grads = step(own, rest)
        rest = {**rest, **told}
        updates, state = tx.update(grads, state, own)
        own = optax.apply_updates(own, updates)
        losses.append(float(value))
    print(name, losses)
    figures[f"{name}/losses"] = np.array(losses)
    figures.update({f"{name}/squares.{k}": np.array([float(jnp.sum(v**2))]) for k, v in {**own, **told}.items()})


# ---- U-Net

BATCH, SIDE, COLORS, C, GROUPS, TIME = 4, 6, 2, 4, 2, 3


def conv(x, w, stride=1, padding=1):
    return jax.lax.conv_general_dilated(x, w, (stride,) * 2, ((padding,) * 2,) * 2, dimension_numbers=("NHWC", "HWIO", "NHWC"))


def transposed(x, w, stride=2, padding=1):
    """As PyTorch's ConvTranspose2d: the gradient of a convolution."""
    shape = (x.shape[0], *((n - 1) * stride + w.shape[0] - 2 * padding for n in x.shape[1:3]), w.shape[3])
    forward = lambda y: conv(y, jnp.swapaxes(w, 2, 3), stride, padding)  # noqa: E731
    return jax.linear_transpose(forward, jax.ShapeDtypeStruct(shape, x.dtype))(x)[0]


def group_norm(x, p, at):
    y = x.reshape(*x.shape[:3], GROUPS, -1)
    y = (y - y.mean((1, 2, 4), keepdims=True)) / jnp.sqrt(y.var((1, 2, 4), keepdims=True) + 1e-5)
    return y.reshape(x.shape) * p[at + ".scale"] + p[at + ".bias"]


def residual(x, p, at, t):
    y = conv(jax.nn.silu(group_norm(x, p, at + ".norm1")), p[at + ".conv1.w"]) + p[at + ".conv1.b"]
    y = y + (t @ p[at + ".time"])[:, None, None]
    y = conv(jax.nn.silu(group_norm(y, p, at + ".norm2")), p[at + ".conv2.w"]) + p[at + ".conv2.b"]
    return y + conv(x, p[at + ".skip.w"], padding=0) + p[at + ".skip.b"]


def unet(p, clean, noise, level):
    mixed = level[:, None, None, None] ** 2
    x = jnp.sqrt(1 - 0.9 * mixed / (1 + mixed)) * clean + jnp.sqrt(0.9 * mixed / (1 + mixed)) * noise
    t = jnp.sin(level[:, None] * jnp.arange(1, TIME + 1))
    kept = residual(conv(x, p["first.w"]) + p["first.b"], p, "down1", t)
    low = residual(conv(kept, p["halve.w"], 2) + p["halve.b"], p, "middle", t)
    high = transposed(low, p["double.w"]) + p["double.b"]
    y = residual(jnp.concatenate([high, kept], -1), p, "up1", t)
    y = conv(jax.nn.silu(group_norm(y, p, "norm")), p["last.w"]) + p["last.b"]
    return jnp.mean((y - noise) ** 2)


def convolution(at, taps, a, b):
    return {f"{at}.w": normal(taps, taps, a, b), f"{at}.b": normal(b)}


def norm(at, n):
    return {f"{at}.scale": 1 + normal(n), f"{at}.bias": normal(n)}


def block(at, a, b):
    return {**norm(f"{at}.norm1", a), **convolution(f"{at}.conv1", 3, a, b), f"{at}.time": normal(TIME, b),
            **norm(f"{at}.norm2", b), **convolution(f"{at}.conv2", 3, b, b), **convolution(f"{at}.skip", 1, a, b)}


params = {**convolution("first", 3, COLORS, C), **block("down1", C, C), **convolution("halve", 3, C, 2 * C),
          **block("middle", 2 * C, 2 * C), **convolution("double", 4, 2 * C, C), **block("up1", 2 * C, C), **norm("norm", C),
          **convolution("last", 3, C, COLORS)}
image = (BATCH, SIDE, SIDE, COLORS)
train("unet", params, {"clean": normal(*image, scale=1), "noise": normal(*image, scale=1), "level": rng.uniform(0, 2, BATCH)}, unet)

# ---- Mamba-2, as the recurrence that it is

BATCH, SEQ, EMBED, HEADS, HEAD, STATE, VOCAB, TAPS, LAYERS = 4, 10, 8, 2, 4, 3, 12, 3, 2
INNER = HEADS * HEAD


def rms_norm(x, scale):
    return x / jnp.sqrt(jnp.mean(x**2, -1, keepdims=True) + 1e-5) * scale


def layer(p, x):
    h = rms_norm(x, p["norm.scale"])
    u = jnp.pad(h @ p["wx"], ((0, 0), (TAPS - 1, 0), (0, 0)))
    u = jax.nn.silu(sum(u[:, k:k + SEQ] * p["conv"][k, 0] for k in range(TAPS))).reshape(BATCH, SEQ, HEADS, HEAD)
    dt, a = jax.nn.softplus(h @ p["wdt"] + p["dt_bias"]), -jnp.exp(p["a_log"])
    b, c = h @ p["wb"], h @ p["wc"]

    def one(s, at):
        u, dt, b, c = at
        s = s * jnp.exp(dt * a)[:, :, None, None] + jnp.einsum("bh,bhp,bn->bhpn", dt, u, b)
        return s, jnp.einsum("bhpn,bn->bhp", s, c)

    along = jax.tree.map(lambda v: jnp.moveaxis(v, 1, 0), (u, dt, b, c))
    _, y = jax.lax.scan(one, jnp.zeros((BATCH, HEADS, HEAD, STATE)), along)
    y = (jnp.moveaxis(y, 0, 1) + u * p["d"][:, None]).reshape(BATCH, SEQ, INNER)
    return x + rms_norm(y * jax.nn.silu(h @ p["wz"]), p["out_norm.scale"]) @ p["wo"]


def mamba(p, tokens, targets):
    x = p["tok"][tokens]
    for i in range(LAYERS):
        x = layer({k[len("blocks.*."):]: v[i] for k, v in p.items() if k.startswith("blocks.")}, x)
    logits = rms_norm(x, p["norm.scale"]) @ p["tok"].T
    return optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()


of = lambda name, *shape: {f"blocks.*.{name}": normal(LAYERS, *shape)}  # noqa: E731
params = {"tok": normal(VOCAB, EMBED), **of("norm.scale", EMBED), **of("wx", EMBED, INNER), **of("wz", EMBED, INNER), **of("wb", EMBED, STATE),
          **of("wc", EMBED, STATE), **of("wdt", EMBED, HEADS), **of("dt_bias", HEADS), **of("a_log", HEADS), **of("d", HEADS),
          **of("conv", TAPS, 1, INNER), **of("out_norm.scale", INNER), **of("wo", INNER, EMBED), "norm.scale": 1 + normal(EMBED)}
params["blocks.*.norm.scale"] += 1
params["blocks.*.out_norm.scale"] += 1
tokens = rng.integers(0, VOCAB, (BATCH, SEQ + 1)).astype(np.int32)
train("mamba2", params, {"tokens": tokens[:, :-1], "targets": tokens[:, 1:]}, mamba)

# ---- direct preference optimization

BATCH, SEQ, PROMPT, EMBED, HEADS, VOCAB, LAYERS, BETA = 4, 8, 3, 8, 2, 12, 2, 0.1


def layer_norm(x, scale, bias):
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5) * scale + bias


def likelihood(p, tokens):
    x = p["tok"][tokens] + p["pos"]
    split = lambda x: jnp.swapaxes(x.reshape(BATCH, SEQ, HEADS, -1), 1, 2)  # noqa: E731
    for i in range(LAYERS):
        q = {k[len("blocks.*."):]: v[i] for k, v in p.items() if k.startswith("blocks.")}
        h = layer_norm(x, q["norm1.scale"], q["norm1.bias"])
        scores = split(h @ q["wq"]) @ jnp.swapaxes(split(h @ q["wk"]), -1, -2) / np.sqrt(EMBED / HEADS)
        scores = jnp.where(jnp.tril(jnp.ones((SEQ, SEQ), bool)), scores, -jnp.inf)
        a = jax.nn.softmax(scores, -1) @ split(h @ q["wv"])
        x = x + jnp.swapaxes(a, 1, 2).reshape(BATCH, SEQ, EMBED) @ q["wo"]
        x = x + jax.nn.gelu(layer_norm(x, q["norm2.scale"], q["norm2.bias"]) @ q["up"], approximate=True) @ q["down"]
    each = jax.nn.log_softmax(x[:, :-1] @ p["head"], -1)
    return jnp.take_along_axis(each, tokens[:, 1:, None], -1)[:, PROMPT - 1:, 0].sum(1)


def dpo(p, chosen, rejected):
    of = lambda who: {k[len(who) + 1:]: v for k, v in p.items() if k.startswith(who)}  # noqa: E731
    gain = lambda tokens: likelihood(of("policy"), tokens) - likelihood(of("reference"), tokens)  # noqa: E731
    return -jnp.mean(jax.nn.log_sigmoid(BETA * (gain(chosen) - gain(rejected))))


params = {}
for who in ("policy", "reference"):
    of = lambda name, *shape: {f"{who}.blocks.*.{name}": normal(LAYERS, *shape)}  # noqa: E731
    params |= {f"{who}.tok": normal(VOCAB, EMBED), f"{who}.pos": normal(SEQ, EMBED), **of("norm1.scale", EMBED), **of("norm1.bias", EMBED),
               **{k: v for w in ("wq", "wk", "wv", "wo") for k, v in of(w, EMBED, EMBED).items()}, **of("norm2.scale", EMBED),
               **of("norm2.bias", EMBED), **of("up", EMBED, 4 * EMBED), **of("down", 4 * EMBED, EMBED), f"{who}.head": normal(EMBED, VOCAB)}
some = lambda: rng.integers(0, VOCAB, (BATCH, SEQ)).astype(np.int32)  # noqa: E731
train("dpo", params, {"chosen": some(), "rejected": some()}, dpo, frozen=("reference",))

# ---- QLoRA

BATCH, FEATURES, HIDDEN, CLASSES, R, BLOCK = 6, 8, 12, 5, 2, 4
NF4 = np.array([-1.0, -0.6961928, -0.5250731, -0.3949175, -0.2844414, -0.1847734, -0.0910500, 0.0, 0.0795803, 0.1609302, 0.2461123,
                0.3379152, 0.4407098, 0.5626170, 0.7229568, 1.0])


def weights(codes, scales):
    rows = jnp.stack([codes & 15, codes >> 4], 1).reshape(-1, codes.shape[1])
    return jnp.asarray(NF4)[rows] * jnp.repeat(scales, BLOCK, 0)


def qlora(p, x, y):
    for at in ("first", "second"):
        base = weights(p[f"{at}.base.codes"], p[f"{at}.base.scales"])
        x = jax.nn.gelu(x @ base + x @ p[f"{at}.down"] @ p[f"{at}.up"] * 2, approximate=True)
    return optax.softmax_cross_entropy_with_integer_labels(x @ p["head"], y).mean()


params = {"head": normal(HIDDEN, CLASSES)}
for at, n, m in (("first", FEATURES, HIDDEN), ("second", HIDDEN, HIDDEN)):
    params |= {f"{at}.base.codes": rng.integers(0, 256, (n // 2, m)).astype(np.uint8), f"{at}.base.scales": np.abs(normal(n // BLOCK, m)) + 0.1,
               f"{at}.down": normal(n, R), f"{at}.up": normal(R, m)}
batch = {"x": normal(BATCH, FEATURES, scale=1), "y": rng.integers(0, CLASSES, BATCH).astype(np.int32)}
train("qlora", params, batch, qlora, frozen=("first.base", "second.base"), lr=1e-2, weight_decay=0)

# ---- DeepSeek-V3

BATCH, SEQ, EMBED, HEADS, HEAD, TURN, Q_RANK, KV_RANK, HIDDEN, DENSE, EXPERTS, VOCAB, LAYERS = 4, 8, 8, 2, 4, 2, 6, 3, 5, 7, 4, 12, 2
CHOSEN, CAPACITY, BIAS_RATE, BALANCE = 2, 5, 0.001, 0.0001


def under(p, at):
    return {k[len(at) + 1:]: v for k, v in p.items() if k.startswith(at + ".")}


def turned(x):
    """Rotary embedding of the last dim along the one before it, as a product of complex numbers."""
    half = x.shape[-1] // 2
    angle = np.arange(x.shape[-2])[:, None] * 10000.0 ** (-np.arange(half) / half)
    z = (x[..., :half] + 1j * x[..., half:]) * np.exp(1j * angle)
    return jnp.concatenate([z.real, z.imag], -1)


def latent(p, x):
    h = rms_norm(x, p["norm.scale"])
    narrow = rms_norm(h @ p["q_down"], p["q_norm.scale"])
    c = rms_norm(h @ p["kv_down"], p["kv_norm.scale"])
    q = jnp.einsum("bsr,rhd,khd->bhsk", narrow, p["q_up"], p["k_up"])
    scores = jnp.einsum("bhsk,btk->bhst", q, c)
    scores += jnp.einsum("bhsd,btd->bhst", turned(jnp.einsum("bsr,rhd->bhsd", narrow, p["q_turn"])), turned(h @ p["k_turn"]))
    scores = jnp.where(np.tril(np.ones((SEQ, SEQ), bool)), scores / np.sqrt(HEAD + TURN), -np.inf)
    a = jnp.einsum("bhst,btk->bhsk", jax.nn.softmax(scores, -1), c)
    return x + jnp.einsum("bhsk,khd,hde->bse", a, p["v_up"], p["out"])


def gated(p, x):
    return (jax.nn.silu(x @ p["gate"]) * (x @ p["up"])) @ p["down"]


def experts(p, x):
    affinity = jax.nn.sigmoid(x @ p["router"])
    _, at = jax.lax.top_k(affinity + p["bias"], CHOSEN)
    taken = jax.nn.one_hot(at, EXPERTS).sum(-2)
    load = taken.sum((0, 1))
    bias = p["bias"] + BIAS_RATE * jnp.sign(load.mean() - load)
    weight = taken * affinity / (taken * affinity).sum(-1, keepdims=True)
    weight = jnp.where(jnp.cumsum(taken, 1) <= CAPACITY, weight, 0)
    y = sum(weight[..., e:e + 1] * gated({k: p[k][e] for k in ("gate", "up", "down")}, x) for e in range(EXPERTS))
    share = (affinity / affinity.sum(-1, keepdims=True)).mean(1)
    return y, bias, (EXPERTS / CHOSEN * taken.mean(1) * share).sum(-1).mean()


def deepseek(p, tokens, targets):
    first = under(p, "first")
    x = latent(under(first, "attention"), p["tok"][tokens])
    x = x + gated(under(first, "mlp"), rms_norm(x, first["norm.scale"]))
    biases, balance = [], 0
    for i in range(LAYERS):
        q = {k: v[i] for k, v in under(p, "blocks.*").items()}
        x = latent(under(q, "attention"), x)
        h = rms_norm(x, q["norm.scale"])
        y, bias, uneven = experts(under(q, "moe"), h)
        x = x + y + gated(under(q, "shared"), h)
        biases, balance = [*biases, bias], balance + uneven
    logits = rms_norm(x, p["norm.scale"]) @ p["head"]
    value = optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean() + BALANCE * balance
    return value, {"blocks.*.moe.bias": jnp.stack(biases)}


def attention(at, *layers):
    of = lambda name, *shape: {f"{at}.{name}": normal(*layers, *shape)}  # noqa: E731
    ones = lambda name, n: {f"{at}.{name}.scale": 1 + normal(*layers, n)}  # noqa: E731
    return {**ones("norm", EMBED), **of("q_down", EMBED, Q_RANK), **ones("q_norm", Q_RANK), **of("q_up", Q_RANK, HEADS, HEAD),
            **of("q_turn", Q_RANK, HEADS, TURN), **of("kv_down", EMBED, KV_RANK), **ones("kv_norm", KV_RANK), **of("k_up", KV_RANK, HEADS, HEAD),
            **of("v_up", KV_RANK, HEADS, HEAD), **of("k_turn", EMBED, TURN), **of("out", HEADS, HEAD, EMBED)}


def mlp(at, n, *layers):
    return {f"{at}.gate": normal(*layers, EMBED, n), f"{at}.up": normal(*layers, EMBED, n), f"{at}.down": normal(*layers, n, EMBED)}


params = {"tok": normal(VOCAB, EMBED), **attention("first.attention"), "first.norm.scale": 1 + normal(EMBED), **mlp("first.mlp", DENSE),
          **attention("blocks.*.attention", LAYERS), "blocks.*.norm.scale": 1 + normal(LAYERS, EMBED), **mlp("blocks.*.shared", HIDDEN, LAYERS),
          "blocks.*.moe.router": normal(LAYERS, EMBED, EXPERTS), "blocks.*.moe.bias": normal(LAYERS, EXPERTS, scale=0.05),
          **mlp("blocks.*.moe", HIDDEN, LAYERS, EXPERTS), "norm.scale": 1 + normal(EMBED), "head": normal(EMBED, VOCAB)}
tokens = rng.integers(0, VOCAB, (BATCH, SEQ + 1)).astype(np.int32)
train("deepseek", params, {"tokens": tokens[:, :-1], "targets": tokens[:, 1:]}, deepseek, frozen=("blocks.*.moe.bias",), stateful=True)

# ---- long sequences, in one piece

BATCH, SEQ, EMBED, HEADS, HEAD, HIDDEN, VOCAB, LAYERS = 2, 16, 8, 2, 4, 6, 12, 2


def causal(p, tokens, targets):
    x = p["tok"][tokens]
    for i in range(LAYERS):
        q = {k: v[i] for k, v in under(p, "blocks.*").items()}
        h = rms_norm(x, q["norm1.scale"])
        of = lambda w: jnp.einsum("bse,ehd->bhsd", h, q[w])  # noqa: B023, E731
        scores = jnp.einsum("bhsd,bhtd->bhst", turned(of("q")), turned(of("k"))) / np.sqrt(HEAD)
        scores = jnp.where(np.tril(np.ones((SEQ, SEQ), bool)), scores, -np.inf)
        x = x + jnp.einsum("bhst,bhtd,hde->bse", jax.nn.softmax(scores, -1), of("v"), q["out"])
        x = x + jax.nn.gelu(rms_norm(x, q["norm2.scale"]) @ q["up"], approximate=True) @ q["down"]
    logits = rms_norm(x, p["norm.scale"]) @ p["tok"].T
    return optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()


of = lambda name, *shape: {f"blocks.*.{name}": normal(LAYERS, *shape)}  # noqa: E731
params = {"tok": normal(VOCAB, EMBED), **of("norm1.scale", EMBED), **of("q", EMBED, HEADS, HEAD), **of("k", EMBED, HEADS, HEAD),
          **of("v", EMBED, HEADS, HEAD), **of("out", HEADS, HEAD, EMBED), **of("norm2.scale", EMBED), **of("up", EMBED, HIDDEN),
          **of("down", HIDDEN, EMBED), "norm.scale": 1 + normal(EMBED)}
params["blocks.*.norm1.scale"] += 1
params["blocks.*.norm2.scale"] += 1
tokens = rng.integers(0, VOCAB, (BATCH, SEQ + 1)).astype(np.int32)
train("ring", params, {"tokens": tokens[:, :-1], "targets": tokens[:, 1:]}, causal)

# ---- linear recurrences, position by position

BATCH, SEQ, EMBED, INNER, VOCAB, LAYERS = 4, 36, 8, 12, 12, 2


def recurrent(p, x):
    h = rms_norm(x, p["norm.scale"])
    rate = jnp.exp(-jax.nn.softplus(p["decay"]) * jax.nn.sigmoid(h @ p["wr"]))
    come = jnp.sqrt(1 - rate**2) * (h @ p["wx"])

    def one(state, at):
        state = at[0] * state + at[1]
        return state, state

    _, states = jax.lax.scan(one, jnp.zeros((BATCH, INNER)), (jnp.moveaxis(rate, 1, 0), jnp.moveaxis(come, 1, 0)))
    return x + (jnp.moveaxis(states, 0, 1) * jax.nn.gelu(h @ p["wg"], approximate=True)) @ p["wo"]


def lru(p, tokens, targets):
    x = p["tok"][tokens]
    for i in range(LAYERS):
        x = recurrent({k: v[i] for k, v in under(p, "blocks.*").items()}, x)
    logits = rms_norm(x, p["norm.scale"]) @ p["tok"].T
    return optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()


of = lambda name, *shape: {f"blocks.*.{name}": normal(LAYERS, *shape)}  # noqa: E731
params = {"tok": normal(VOCAB, EMBED), **of("norm.scale", EMBED), **of("wx", EMBED, INNER), **of("wg", EMBED, INNER), **of("wr", EMBED, INNER),
          **of("decay", INNER), **of("wo", INNER, EMBED), "norm.scale": 1 + normal(EMBED)}
params["blocks.*.norm.scale"] += 1
tokens = rng.integers(0, VOCAB, (BATCH, SEQ + 1)).astype(np.int32)
train("lru", params, {"tokens": tokens[:, :-1], "targets": tokens[:, 1:]}, lru)

save_file(figures, OUT)
