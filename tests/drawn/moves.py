"""Programs whose results have one right value, bit by bit: they move, select, sort, count, compare, and compute with integers.

Zeros keep their signs, and whatever moves a NaN or an infinity leaves it alone. Floats are rounded by conversions only.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .pool import FLOATS, INTEGERS, UNSIGNED, Pool, is_float, shape, values

ANY = FLOATS + INTEGERS + ("bool",)
MODES = ("clip", "fill", "promise_in_bounds", "wrap")


def draw(seed):
    """A program and no gradient of it."""
    p = Pool(np.random.default_rng([seed, 1]))
    for _ in range(int(p.rng.integers(2, 5))):
        p.input(values(p, shape(p, least=1), p.pick(ANY), special=True))
    # Indices, and starts of slices.
    p.input(values(p, shape(p, most=2), p.pick(INTEGERS), special=p.chance(0.4)))
    tries = 0
    wanted = int(p.rng.integers(3, 9))
    while len(p.steps) < wanted and tries < 200:
        tries += 1
        p.pick(STEPS)(p)
    return p


def ordered(a):
    return a.dtype != jnp.bool_


def integer(a):
    return jnp.issubdtype(a.dtype, jnp.integer)


def some(p, accept=lambda a: True):
    at = p.find(accept)
    return (None, None) if at is None else (at, p.avals[at])


def transpose(p):
    at, a = some(p, lambda a: a.ndim > 1)
    if at is not None:
        perm = tuple(int(i) for i in p.rng.permutation(a.ndim))
        p.add(f"transpose{perm}", lambda x: lax.transpose(x, perm), at)


def reshape(p):
    at, a = some(p, lambda a: a.size > 1)
    if at is None:
        return
    rest, dims = a.size, []
    while rest > 1 and len(dims) < 3:
        parts = [d for d in range(2, rest + 1) if rest % d == 0]
        dims.append(p.pick(parts))
        rest //= dims[-1]
    dims.append(rest)
    p.add(f"reshape{dims}", lambda x: jnp.reshape(x, dims), at)


def broadcast(p):
    at, a = some(p, lambda a: a.ndim < 4)
    if at is not None:
        n = int(p.rng.integers(2, 5))
        where = int(p.rng.integers(0, a.ndim + 1))
        p.add(f"broadcast({n}, at={where})", lambda x: jnp.repeat(jnp.expand_dims(x, where), n, where), at)


def concatenate(p):
    at, a = some(p, lambda a: a.ndim > 0)
    if at is None:
        return
    d = int(p.rng.integers(a.ndim))
    also = p.find(lambda b: b.dtype == a.dtype and b.ndim == a.ndim and b.shape[:d] + b.shape[d + 1 :] == a.shape[:d] + a.shape[d + 1 :])
    p.add(f"concatenate(dim={d})", lambda x, y: lax.concatenate([x, y], d), at, also)


def slices(p):
    at, a = some(p, lambda a: a.ndim > 0)
    if at is not None:
        lo = [int(p.rng.integers(0, n)) for n in a.shape]
        hi = [int(p.rng.integers(l + 1, n + 1)) for l, n in zip(lo, a.shape)]
        by = [int(p.pick((1, 1, 2, 3))) for _ in lo]
        p.add(f"slice({lo}, {hi}, {by})", lambda x: lax.slice(x, lo, hi, by), at)


def pad(p):
    at, a = some(p, lambda a: a.ndim > 0 and a.size > 0)
    if at is not None:
        config = [(int(p.rng.integers(-1, 3)), int(p.rng.integers(-1, 3)), int(p.pick((0, 0, 1, 2)))) for _ in a.shape]
        fill = values(p, (), a.dtype.name, special=True)
        p.add(f"pad({config}, {fill})", lambda x: lax.pad(x, jnp.asarray(fill), config), at)


def reverse(p):
    at, a = some(p, lambda a: a.ndim > 0)
    if at is not None:
        dims = tuple(d for d in range(a.ndim) if p.chance(0.6))
        p.add(f"rev{dims}", lambda x: lax.rev(x, dims), at)


def roll(p):
    at, a = some(p, lambda a: a.ndim > 0)
    if at is not None:
        d, by = int(p.rng.integers(a.ndim)), int(p.rng.integers(-3, 4))
        p.add(f"roll({by}, {d})", lambda x: jnp.roll(x, by, d), at)


def dynamic(p):
    at, a = some(p, lambda a: a.ndim > 0)
    start = p.find(integer)
    if at is None or start is None:
        return
    sizes = [int(p.rng.integers(1, n + 1)) for n in a.shape]

    def starts(s):
        # Entries as they come, out of bounds too; all of one type, as the op wants them.
        flat = jnp.reshape(s, (-1,))
        return [flat[k % flat.shape[0]] for k in range(a.ndim)]

    if p.chance(0.5):
        p.add(f"dynamic_slice{sizes}", lambda x, s: lax.dynamic_slice(x, starts(s), sizes), at, start)
    else:
        p.add(f"dynamic_update_slice{sizes}", lambda x, s: lax.dynamic_update_slice(x, lax.rev(lax.slice(x, [0] * a.ndim, sizes), (0,)), starts(s)), at, start)


def take(p):
    at, a = some(p, lambda a: a.ndim > 0)
    of = p.find(integer)
    if at is not None and of is not None:
        d, mode = int(p.rng.integers(a.ndim)), p.pick(("clip", "fill", "wrap"))
        p.add(f"take(axis={d}, {mode})", lambda x, i: jnp.take(x, i, axis=d, mode=mode), at, of)


def take_along(p):
    at, a = some(p, lambda a: a.ndim > 0 and a.size > 0)
    if at is not None:
        d, mode = int(p.rng.integers(a.ndim)), p.pick(("clip", "fill"))
        kind = p.pick(INTEGERS)
        of = p.find(ordered)
        n = a.shape[d]
        dims = a.shape[:d] + (int(p.rng.integers(1, 5)),) + a.shape[d + 1 :]
        index = p.rng.integers(0 if kind in UNSIGNED else -2, n + 2, dims).astype(kind)
        p.add(f"take_along_axis(axis={d}, {mode}, {kind})", lambda x: jnp.take_along_axis(x, jnp.asarray(index), d, mode=mode), at)


def scatter(p):
    at, a = some(p, lambda a: a.ndim > 0 and a.dtype != jnp.bool_)
    of = p.find(lambda b: integer(b) and b.ndim <= 2)
    if at is None or of is None:
        return
    how = p.pick(("set", "min", "max") if is_float(a.dtype) else ("set", "add", "mul", "min", "max"))
    mode = p.pick(("clip", "drop"))
    index = p.avals[of]
    if how == "set":
        # Whose update is the last one is not defined where places meet.
        flat = p.rng.permutation(a.shape[0] + 2)[: max(1, min(a.shape[0], 3))].astype("int32")
        new = values(p, (len(flat),) + a.shape[1:], a.dtype.name, special=True)
        p.add(f"scatter(set, drop, {list(flat)})", lambda x: x.at[jnp.asarray(flat)].set(jnp.asarray(new), mode="drop"), at)
        return
    new = values(p, index.shape + a.shape[1:], a.dtype.name, special=True)
    p.add(f"scatter({how}, {mode})", lambda x, i: getattr(x.at[i], how)(jnp.asarray(new), mode=mode), at, of)


def scatter_nd(p):
    at, a = some(p, lambda a: a.ndim > 1 and a.dtype != jnp.bool_)
    if at is None:
        return
    rows = np.unique(np.stack([p.rng.integers(-1, n + 1, 4) for n in a.shape[:2]], 1), axis=0).astype(p.pick(("int32", "int64")))
    rows = rows[(rows >= 0).all(1)]
    new = values(p, (len(rows),) + a.shape[2:], a.dtype.name, special=True)
    p.add(f"scatter2(set, {rows.tolist()})", lambda x: x.at[jnp.asarray(rows[:, 0]), jnp.asarray(rows[:, 1])].set(jnp.asarray(new), mode="drop"), at)


def sort(p):
    at, a = some(p, lambda a: a.ndim > 0)
    if at is None:
        return
    d = int(p.rng.integers(a.ndim))
    others = [i for i, b in enumerate(p.avals) if b.shape == a.shape][:3]
    operands = [at] + [o for o in others if o != at]
    keys = int(p.rng.integers(1, len(operands) + 1))
    if any(p.avals[o].dtype == jnp.bool_ for o in operands[:keys]):
        keys = 1
    p.add(f"sort(dim={d}, keys={keys})", lambda *x: tuple(lax.sort(x, dimension=d, num_keys=keys, is_stable=True)), *operands)


def argsort(p):
    at, a = some(p, lambda a: a.ndim > 0 and ordered(a))
    if at is not None:
        d, down = int(p.rng.integers(a.ndim)), p.chance(0.5)
        p.add(f"argsort(dim={d}, descending={down})", lambda x: jnp.argsort(x, axis=d, stable=True, descending=down), at)


def top(p):
    at, a = some(p, lambda a: a.ndim > 0 and ordered(a) and a.shape[-1] > 0)
    if at is not None:
        k = int(p.rng.integers(1, a.shape[-1] + 1))
        p.add(f"top_k({k})", lambda x: tuple(lax.top_k(x, k)), at)


def arg(p):
    at, a = some(p, lambda a: a.ndim > 0 and ordered(a) and a.size > 0)
    if at is not None:
        d, name = int(p.rng.integers(a.ndim)), p.pick(("argmax", "argmin"))
        kind = p.pick(("int32", "int64", "uint32"))
        p.add(f"{name}(dim={d}, {kind})", lambda x: getattr(lax, name)(x, d, jnp.dtype(kind)), at)


def reduce(p):
    at, a = some(p, lambda a: a.ndim > 0 and a.size > 0)
    if at is None:
        return
    dims = tuple(d for d in range(a.ndim) if p.chance(0.6)) or (0,)
    if is_float(a.dtype):
        name = p.pick(("max", "min"))
    elif a.dtype == jnp.bool_:
        name = p.pick(("and", "or", "xor"))
    else:
        name = p.pick(("max", "min", "sum", "prod", "and", "or", "xor"))
    p.add(f"reduce_{name}{dims}", lambda x: getattr(lax, f"reduce_{name}")(x, dims) if name != "sum" else jnp.sum(x, dims, dtype=x.dtype), at)


def running(p):
    at, a = some(p, lambda a: a.ndim > 0 and ordered(a))
    if at is not None:
        d, back = int(p.rng.integers(a.ndim)), p.chance(0.5)
        name = p.pick(("cummax", "cummin") if is_float(a.dtype) else ("cummax", "cummin", "cumsum", "cumprod"))
        p.add(f"{name}(dim={d}, reverse={back})", lambda x: getattr(lax, name)(x, d, reverse=back), at)


def window(p):
    at, a = some(p, lambda a: a.ndim > 0 and ordered(a) and a.size > 0)
    if at is None:
        return
    name = p.pick(("max", "min") if is_float(a.dtype) else ("max", "min", "add"))
    sizes = tuple(min(n, int(p.pick((1, 2, 3)))) for n in a.shape)
    by = tuple(int(p.pick((1, 2))) for _ in a.shape)
    edge = [(int(p.rng.integers(0, s)), int(p.rng.integers(0, s))) for s in sizes]
    wide = tuple(int(p.pick((1, 1, 2))) for _ in a.shape)
    body = {"max": lax.max, "min": lax.min, "add": lax.add}[name]

    def call(x):
        if name == "add":
            start = np.zeros((), x.dtype)
        elif is_float(x.dtype):
            start = np.array(-np.inf if name == "max" else np.inf).astype(x.dtype)
        else:
            start = getattr(np.iinfo(x.dtype), "min" if name == "max" else "max")
        return lax.reduce_window(x, np.array(start, x.dtype), body, sizes, by, edge, base_dilation=wide)

    p.add(f"reduce_window({name}, {sizes}, {by}, {edge}, {wide})", call, at)


def select(p):
    at, a = some(p)
    also = p.find(lambda b: b.shape == a.shape and b.dtype == a.dtype)
    mask = p.find(lambda b: b.shape == a.shape and b.dtype == jnp.bool_)
    if mask is not None:
        p.add("where", lambda c, x, y: jnp.where(c, x, y), mask, at, also)
    else:
        fixed = p.rng.random(a.shape) < 0.5
        p.add("where(constant)", lambda x, y: jnp.where(jnp.asarray(fixed), x, y), at, also)


def compare(p):
    at, a = some(p)
    also = p.find(lambda b: b.shape == a.shape and b.dtype == a.dtype)
    name = p.pick(("eq", "ne", "lt", "le", "gt", "ge"))
    p.add(name, lambda x, y: getattr(lax, name)(x, y), at, also)


def convert(p):
    at, a = some(p)
    # A float beyond an integer's range has no right value.
    kinds = FLOATS if is_float(a.dtype) else ANY
    kind = p.pick(kinds)
    p.add(f"convert({kind})", lambda x: lax.convert_element_type(x, kind), at)


def bits(p):
    at, a = some(p, lambda a: a.dtype != jnp.bool_)
    if at is not None:
        width = a.dtype.itemsize
        kind = p.pick([k for k in INTEGERS + FLOATS if jnp.dtype(k).itemsize == width and (not is_float(a.dtype) or not is_float(jnp.dtype(k)))])
        p.add(f"bitcast({kind})", lambda x: lax.bitcast_convert_type(normal(x, jnp.dtype(kind)), kind), at)


def normal(x, kind):
    """Integers whose bits, as those of floats of this kind, are of no number below the normal range: XLA on CPUs takes these for 0."""
    if not is_float(kind) or not jnp.issubdtype(x.dtype, jnp.integer):
        return x
    fields = jnp.finfo(kind)
    exponent = ((1 << fields.nexp) - 1) << fields.nmant
    number = lambda bits: lax.convert_element_type(jnp.array(bits, f"uint{fields.bits}"), x.dtype)
    is_small = (x & number(exponent)) == number(0)
    return jnp.where(is_small, x & number(1 << (fields.bits - 1)), x)


def binary(p):
    at, a = some(p, lambda a: integer(a) or a.dtype == jnp.bool_)
    if at is None:
        return
    also = p.find(lambda b: b.shape == a.shape and b.dtype == a.dtype)
    logical = ("bitwise_and", "bitwise_or", "bitwise_xor")
    numbers = ("add", "sub", "mul", "div", "rem", "max", "min", "shift_left", "shift_right_logical", "shift_right_arithmetic")
    name = p.pick(logical if a.dtype == jnp.bool_ else logical + numbers)
    p.add(name, lambda x, y: getattr(lax, name)(x, y), at, also)


def unary(p):
    at, a = some(p, ordered)
    if at is None:
        return
    if is_float(a.dtype):
        name = p.pick(("neg", "abs", "sign", "floor", "ceil", "round", "is_finite"))
    else:
        name = p.pick(("bitwise_not", "population_count", "clz", "sign") + (("neg", "abs") if a.dtype.name not in UNSIGNED else ()))
    p.add(name, lambda x: getattr(lax, name)(x), at)


def extreme(p):
    at, a = some(p, lambda a: is_float(a.dtype))
    if at is not None:
        also = p.find(lambda b: b.shape == a.shape and b.dtype == a.dtype)
        name = p.pick(("max", "min"))
        p.add(name, lambda x, y: getattr(lax, name)(x, y), at, also)


def clamp(p):
    at, a = some(p, integer)
    if at is not None:
        lo, hi = sorted(int(v) for v in values(p, (2,), a.dtype.name, special=True))
        p.add(f"clamp({lo}, {hi})", lambda x: lax.clamp(np.array(lo, x.dtype), x, np.array(hi, x.dtype)), at)


def one_hot(p):
    at, a = some(p, lambda a: integer(a) and a.ndim < 3)
    if at is not None:
        n, kind = int(p.rng.integers(2, 7)), p.pick(ANY)
        p.add(f"one_hot({n}, {kind})", lambda x: jax.nn.one_hot(x, n, dtype=kind), at)


def triangle(p):
    at, a = some(p, lambda a: a.ndim >= 2)
    if at is not None:
        k, name = int(p.rng.integers(-2, 3)), p.pick(("tril", "triu"))
        p.add(f"{name}({k})", lambda x: getattr(jnp, name)(x, k), at)


def product(p):
    at, a = some(p, lambda a: integer(a) and a.ndim >= 1)
    if at is not None:
        also = p.find(lambda b: b.dtype == a.dtype and b.ndim >= 1 and b.shape[0] == a.shape[-1])
        if also is not None:
            p.add("integer product", lambda x, y: lax.dot_general(x, y, (((x.ndim - 1,), (0,)), ((), ()))), at, also)


def scan(p):
    at, a = some(p, lambda a: a.ndim >= 1 and ordered(a) and a.shape[0] > 1)
    if at is None:
        return
    back = p.chance(0.4)

    def body(carry, row):
        here = jnp.where(row > carry, row, carry)
        return here, (lax.rev(here, (0,)) if here.ndim else here, row != carry)

    def call(x):
        last, (rows, differ) = lax.scan(body, x[0], x, reverse=back)
        return last, rows, differ

    p.add(f"scan(running greater, reverse={back})", call, at)


def branch(p):
    at, a = some(p, lambda a: a.ndim >= 1 and a.size > 0)
    of = p.find(integer)
    if at is not None and of is not None:
        p.add("switch", lambda x, i: lax.switch(jnp.reshape(i, (-1,))[0].astype("int32"), [lambda v: v, lambda v: lax.rev(v, (0,)), lambda v: jnp.roll(v, 1, 0)], x), at, of)


def count(p):
    at, a = some(p, lambda a: integer(a) and a.dtype.itemsize >= 4)
    if at is not None:
        p.add("while", lambda x: lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 1, s[1] ^ (s[1] << np.array(1, x.dtype))), (0, x))[1], at)


STEPS = [
    transpose, reshape, broadcast, concatenate, slices, pad, reverse, roll, dynamic, dynamic, take, take, take_along, scatter, scatter_nd,
    sort, sort, argsort, top, arg, reduce, reduce, running, window, select, compare, convert, bits, binary, binary, unary, extreme, clamp,
    one_hot, triangle, product, scan, branch, count,
]  # fmt: skip
