"""Small JAX programs with loops, branches and calls, as StableHLO, with inputs and JAX's outputs.

    XLA_FLAGS=--xla_force_host_platform_device_count=4 python make.py

writes beside itself NAME.mlir and NAME.safetensors (in0, in1 .. and out0, out1 .., in the order of @main).
"""

import os
import struct
import json
from functools import partial

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=4")
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

HERE = os.path.dirname(os.path.abspath(__file__))
MESH = Mesh(np.array(jax.devices()[:4]).reshape(2, 2), ("x", "y"))
PROGRAMS = {}


def program(*args):
    """Registers a function with its arguments: a shape with a PartitionSpec or without, or an array."""

    def add(f):
        PROGRAMS[f.__name__] = (f, args)
        return f

    return add


@program(((4, 6), P("x", None)), ((5, 6, 6), P(None, None, "y")))
def scan_carry_ys(c, ws):
    def body(c, w):
        c = jnp.tanh(c @ w)
        return c, c.sum(axis=0)

    return lax.scan(body, c, ws)


@program(((4, 6), P("x", None)), ((5, 6, 6), P(None, None, "y")))
def scan_reverse(c, ws):
    return lax.scan(lambda c, w: (jnp.sin(c @ w), c * 2.0), c, ws, reverse=True)


@program(((4, 6), P("x", None)), ((5, 6, 6), P(None, "y", None)))
def scan_grad(c, ws):
    def loss(ws):
        return lax.scan(lambda c, w: (jnp.sin(c @ w), None), c, ws)[0].sum()

    return jax.value_and_grad(loss)(ws)


@program(((4, 6), P("x", None)), ((5, 6, 6), P(None, "y", None)))
def scan_checkpoint(c, ws):
    @jax.checkpoint
    def layer(c, w):
        return jnp.sin(jnp.tanh(c @ w)), None

    def loss(ws):
        return (lax.scan(layer, c, ws)[0] ** 2).sum()

    return jax.value_and_grad(loss)(ws)


@program(((4, 6), P("x", "y")))
def fori(c):
    return lax.fori_loop(0, 5, lambda i, c: jnp.sin(c) * i.astype(jnp.float32) + c, c)


@program(((7, 4), P(None, "x")), ((6, 5), P("x", None)))
def fori_at_set(x, y):
    """As `fori_in_place`, and columns, with JAX's updates: scatters of one entry."""
    def body(i, c):
        x, y = c
        return x.at[i].set(jnp.tanh(x[i]) + i), y.at[:, i].set(y[:, i] * 2.0)

    return lax.fori_loop(1, 5, body, (x, y))


@program(((7, 4), P(None, "x")))
def fori_in_place(x):
    """Each round replaces one row, from the second to the last but one, by what stood there."""
    def body(i, x):
        return lax.dynamic_update_index_in_dim(x, jnp.tanh(x[i]) + i, i, 0)

    return lax.fori_loop(1, 6, body, x)


@program(((6, 4), P(None, "x")))
def fori_recurrence(x):
    """Reads the row that the round before wrote: carried as a whole."""
    def body(i, x):
        return lax.dynamic_update_index_in_dim(x, x[i] + 0.5 * x[i - 1], i, 0)

    return lax.fori_loop(1, 6, body, x)


@program(((4, 6), P("x", "y")))
def fori_down(c):
    """Counts down by two."""
    def body(s):
        i, c = s
        return i - 2, jnp.cos(c) + i

    return lax.while_loop(lambda s: s[0] > 0, body, (9, c))


@program(((4, 4), P("x", None)), ((2, 4, 4), P(None, None, "y")), ((4, 4), P("x", None)))
def scan_of_scan(c, ws, b):
    def outer(c, w):
        def inner(c, k):
            return jnp.tanh(c @ w) + b * k, None

        c, _ = lax.scan(inner, c, jnp.arange(3, dtype=jnp.float32))
        return c, c[0]

    return lax.scan(outer, c, ws)


@program(((4, 6), P("x", "y")))
def while_data(c):
    """Ends by what it computes."""
    return lax.while_loop(lambda c: (c * c).sum() < 50.0, lambda c: c * 1.5 + 0.1, c)


@program(((4, 6), P("x", None)), ((6, 6), P(None, "y")))
def while_in_cond(c, w):
    """A loop in a branch, which may not run where it is not chosen: it would not end."""
    def settle(c):
        return lax.while_loop(lambda c: jnp.abs(c).max() > 0.25, lambda c: jnp.tanh(c @ w) * 0.5, c)

    return lax.cond(c.sum() > 1e6, lambda c: lax.while_loop(lambda c: c[0, 0] == c[0, 0], lambda c: c, c), settle, c)


@program(((), None), ((4, 6), P("x", "y")))
def cond(p, c):
    return lax.cond(p > 0, lambda c: c * 2.0, lambda c: jnp.sin(c) + 1.0, c)


@program(np.int32(5), ((4, 6), P("x", None)))
def switch(k, c):
    return lax.switch(k, [lambda c: c, lambda c: c * 2.0, lambda c: jnp.exp(c)], c)


@program(((4,), P("x")), ((4, 6), P("x", None)))
def vmap_cond(p, c):
    return jax.vmap(lambda p, c: lax.cond(p > 0, lambda c: c * 2.0, lambda c: jnp.sin(c), c))(p, c)


@program(((4, 6), P("x", None)), ((6, 8), P(None, "y")), ((8, 6), P("y", None)))
def remat(x, w, v):
    @jax.checkpoint
    def f(x, w, v):
        return jnp.sin(x @ w) @ v

    return jax.grad(lambda x, w, v: f(f(x, w, v), w, v).sum(), argnums=(1, 2))(x, w, v)


@jax.custom_vjp
def clipped(x):
    return jnp.exp(x)


clipped.defvjp(lambda x: (jnp.exp(x), jnp.exp(x)), lambda e, ct: (jnp.minimum(e, 2.0) * ct,))


@program(((4, 6), P("x", None)))
def custom_vjp(x):
    return jax.value_and_grad(lambda x: clipped(x).sum())(x)


@program(((4, 6), P("x", None)), ((6, 6), P(None, "y")))
def nested_jit(x, w):
    @jax.jit
    def layer(x):
        return jax.jit(jnp.tanh)(x @ w)

    return layer(layer(x)) + layer(x)


@program(((8, 4), P("x", None)))
def associative_scan(x):
    return lax.associative_scan(jnp.add, x)


@program(((4, 6), P("x", None)), ((6, 6), P(None, "y")))
def composite(x, w):
    @partial(lax.composite, name="my.gated")
    def gated(x, w):
        y = x @ w
        return y / (1.0 + jnp.exp(-y))

    return gated(gated(x, w), w)


@program(((4, 6), P("x", None)))
def scan_unrolled_part(x):
    """A scan whose body holds two rounds, and one left over."""
    return lax.scan(lambda c, _: (jnp.sin(c) + x, c.sum()), x, None, length=5, unroll=2)


def safetensors(path, arrays):
    """Writes the format by hand: a header of JSON, and the bytes."""
    names = {np.dtype("float32"): "F32", np.dtype("int32"): "I32", np.dtype("bool"): "BOOL"}
    header, offset = {}, 0
    for name, a in arrays.items():
        header[name] = {"dtype": names[a.dtype], "shape": list(a.shape), "data_offsets": [offset, offset + a.nbytes]}
        offset += a.nbytes
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(head)) + head)
        for a in arrays.values():
            f.write(np.ascontiguousarray(a).tobytes())


def main():
    for name, (f, specs) in PROGRAMS.items():
        rng = np.random.default_rng(len(name))
        args, shardings = [], []
        for s in specs:
            if isinstance(s, tuple):
                args.append(rng.normal(size=s[0]).astype(np.float32) * 0.5)
                shardings.append(NamedSharding(MESH, s[1] if s[1] is not None else P()))
            else:
                args.append(np.asarray(s))
                shardings.append(NamedSharding(MESH, P()))
        lowered = jax.jit(f, in_shardings=tuple(shardings)).lower(*args)
        text = lowered.as_text(debug_info=True).replace(os.path.join(HERE, ""), "")
        with open(os.path.join(HERE, name + ".mlir"), "w") as out:
            out.write(text)
        outs = jax.tree.leaves(jax.jit(f)(*args))
        arrays = {f"in{i}": np.asarray(a) for i, a in enumerate(args)}
        arrays |= {f"out{i}": np.asarray(a) for i, a in enumerate(outs)}
        safetensors(os.path.join(HERE, name + ".safetensors"), arrays)


if __name__ == "__main__":
    main()
