"""Shardings and manual regions as JAX lowers and computes them on 8 CPU devices, with Shardy and (`*.gspmd`) without.

    python make.py            # writes NAME.mlir and NAME.json (inputs and outputs, flat) for each case beside this file
    python make.py NAME ..    # for these alone

Small numbers that f32 holds exactly, so that sums agree to the last bit whatever their order. What JAX does not print (parts of axes,
orders of devices, sdy's own collectives) is in `written.mlir` files that were written by hand, beside this.
"""

import json
import os
import pathlib
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, shard_map
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

HERE = pathlib.Path(__file__).parent
DEVICES = np.array(jax.devices())
MESH = Mesh(DEVICES.reshape(2, 4), ("data", "model"))
OTHER = Mesh(DEVICES.reshape(4, 2), ("a", "b"))
LINE = Mesh(DEVICES, ("x",))
EXPLICIT = jax.make_mesh((2, 4), ("data", "model"), axis_types=(AxisType.Explicit,) * 2)
CASES = {}
RING = [(i, (i + 1) % 4) for i in range(4)]


def on(*spec, mesh=MESH):
    return NamedSharding(mesh, P(*spec))


def case(name, *shapes, shardings=None, mesh=None, gspmd=True, dtype=np.float32):
    def add(f):
        CASES[name] = (f, shapes, shardings, mesh, gspmd, dtype)
        return f

    return add


def mapped(name, *shapes, ins, outs, shardings=None, gspmd=True, dtype=np.float32, **more):
    def add(f):
        g = shard_map(f, mesh=MESH, in_specs=ins, out_specs=outs, **more)
        case(name, *shapes, shardings=shardings, gspmd=gspmd, dtype=dtype)(g)
        return f

    return add


BOTH = P("data", "model")
mapped("psum", (8, 16), (16, 8), ins=(BOTH, P("model", None)), outs=P("data", None))(lambda x, w: lax.psum(x @ w, "model"))
mapped("psum_all", (8, 16), ins=(BOTH,), outs=P())(lambda x: lax.psum(x.sum(), ("data", "model")))
mapped("psum_integers", (8, 16), ins=(BOTH,), outs=P("data", None), dtype=np.int32)(lambda x: lax.psum(x, "model"))
mapped("psum_groups", (8, 16), ins=(BOTH,), outs=BOTH, check_vma=False)(
    lambda x: lax.psum(x, "model", axis_index_groups=[[0, 1], [2, 3]])
)
mapped("psum_groups_across", (8, 16), ins=(BOTH,), outs=BOTH, check_vma=False)(
    lambda x: lax.psum(x, "model", axis_index_groups=[[0, 3], [1, 2]]) * lax.pmax(x, "model", axis_index_groups=[[2, 0], [3, 1]])
)
mapped("all_gather_groups", (8, 16), ins=(BOTH,), outs=(BOTH, BOTH), check_vma=False)(
    lambda x: tuple(
        lax.all_gather(x, "model", axis_index_groups=groups, axis=dim, tiled=True)
        for groups, dim in (([[1, 0], [3, 2]], 0), ([[3, 0], [1, 2]], 1))
    )
)
mapped("reduce_scatter_groups", (8, 16), ins=(BOTH,), outs=(BOTH, BOTH, BOTH), check_vma=False)(
    lambda x: tuple(
        lax.psum_scatter(x, "model", scatter_dimension=1, axis_index_groups=groups, tiled=True)
        for groups in ([[3, 1, 0, 2]], [[0, 1], [3, 2]], [[0, 3], [2, 1]])
    )
)
mapped("all_to_all_groups", (8, 16), ins=(BOTH,), outs=(BOTH, BOTH, BOTH), check_vma=False)(
    lambda x: tuple(
        lax.all_to_all(x, "model", *dims, axis_index_groups=groups, tiled=True)
        for groups, dims in (([[1, 0], [3, 2]], (0, 1)), ([[0, 1], [3, 2]], (0, 0)), ([[0, 3], [2, 1]], (1, 0)))
    )
)
mapped("pmax_pmin", (8, 16), ins=(BOTH,), outs=(P("data", None), P(None, "model")))(
    lambda x: (lax.pmax(x, "model"), lax.pmin(x, "data"))
)
mapped("all_gather", (8, 16), ins=(BOTH,), outs=P("data", None), check_vma=False)(
    lambda x: lax.all_gather(x, "model", axis=1, tiled=True) * 2
)
mapped("all_gather_new_dim", (8, 16), ins=(BOTH,), outs=P(None, None, "model"), check_vma=False)(lambda x: lax.all_gather(x, "data"))
mapped("reduce_scatter", (8, 16), ins=(P(),), outs=P(None, ("data", "model")))(
    lambda x: lax.psum_scatter(x, ("data", "model"), scatter_dimension=1, tiled=True)
)
mapped("all_to_all", (8, 16), ins=(P(("data", "model"), None),), outs=BOTH)(
    lambda x: lax.all_to_all(x, "model", split_axis=1, concat_axis=0, tiled=True)
)
mapped("all_to_all_one_dim", (32, 4), ins=(P(("data", "model"), None),), outs=P(("data", "model"), None))(
    lambda x: lax.all_to_all(x, "model", split_axis=0, concat_axis=0, tiled=True)
)
mapped("all_to_all_new_dim", (8, 4), ins=(P("data", None),), outs=P("model", "data"))(
    lambda x: lax.all_to_all(x, "model", split_axis=1, concat_axis=0)
)
mapped("ppermute", (8, 16), ins=(BOTH,), outs=BOTH)(lambda x: lax.ppermute(x, "model", RING))
mapped("ppermute_some", (8, 16), ins=(BOTH,), outs=BOTH)(lambda x: lax.ppermute(x, "model", RING[:3]) + 1)
mapped("ppermute_swap", (8, 16), ins=(BOTH,), outs=BOTH)(lambda x: lax.ppermute(x, "model", [(i, i ^ 1) for i in range(4)]))
mapped("ppermute_two_axes", (8, 16), ins=(BOTH,), outs=BOTH)(
    lambda x: lax.ppermute(x, ("data", "model"), [(i, (i + 1) % 8) for i in range(8)])
)
mapped("axis_index", (8, 16), ins=(BOTH,), outs=BOTH)(lambda x: x * lax.axis_index("model") + lax.axis_index(("data", "model")))
mapped("axis_index_copied", (8, 16), ins=(P(None, "model"),), outs=P(None, "model"))(lambda x: x * lax.axis_index("model"))
mapped("not_seen_to_be_equal", (8, 16), ins=(BOTH,), outs=P("data", None), check_vma=False)(
    lambda x: sum(lax.ppermute(x, "model", [(i, (i + k) % 4) for i in range(4)]) for k in range(4))
)
# Some axes are the compiler's.
mapped("automatic", (8, 16), ins=(P(None, "model"),), outs=P(), shardings=(("data", "model"),), axis_names={"model"})(
    lambda x: lax.psum(x * x, "model")
)
mapped("automatic_index", (8, 16), ins=(P(None, "model"),), outs=P(None, "model"), shardings=(("data", "model"),), gspmd=False,
       axis_names={"model"})(lambda x: x * lax.axis_index("model"))


@mapped("nested", (8, 16), ins=(P("data", None),), outs=P(), shardings=(("data", "model"),), gspmd=False, axis_names={"data"})
def nested(x):
    inner = shard_map(lambda y: lax.psum(y, "model"), in_specs=(P(None, "model"),), out_specs=P(), axis_names={"model"})
    return lax.psum(inner(x), "data")


@mapped("ring_in_a_scan", (8, 16), ins=(BOTH,), outs=BOTH)
def ring_in_a_scan(x):
    def turn(c, k):
        return lax.ppermute(c, "model", RING) + lax.axis_index("model") * k, c.sum()

    c, sums = lax.scan(turn, x, jnp.arange(3.0))
    return c + sums[1]


@mapped("experts", (16, 8), (8, 8, 8), ins=(P("model", None), P("model", None, None)), outs=P("model", None))
def experts(x, w):
    """Rows go to the experts' devices and back."""
    sent = lax.all_to_all(x.reshape(8, -1, 8)[:, :1], "model", 0, 1, tiled=True) if x.shape[0] >= 8 else jnp.stack([x[:2]] * 8)[:, :1]
    sent = lax.all_to_all(sent, "model", 0, 1, tiled=True)
    out = jnp.einsum("etd,edf->etf", sent, w)
    back = lax.all_to_all(out, "model", 1, 0, tiled=True)
    return x + back.sum((0, 1))


@case("gradient", (8, 16), (16, 8))
def gradient(x, w):
    f = shard_map(lambda x, w: lax.psum(x @ w, "model"), mesh=MESH, in_specs=(BOTH, P("model", None)), out_specs=P("data", None))
    return jax.grad(lambda x, w: (f(x, w) ** 2).sum(), (0, 1))(x, w)


# Complex numbers: transforms of four points are exact.
mapped("complex_sums", (8, 16), (16, 8), ins=(BOTH, P("model", None)), outs=(P("data", None), P(("data", "model"), None)), dtype=np.complex64)(
    lambda x, w: (lax.psum(x @ w, "model"), lax.psum_scatter((x @ w).conj(), "model", scatter_dimension=0, tiled=True))
)
mapped("complex_moves", (8, 16), ins=(BOTH,), outs=(P("data", None), BOTH), check_vma=False, dtype=np.complex64)(
    lambda x: (lax.all_gather(x, "model", axis=1, tiled=True).conj(), lax.ppermute(x * 1j, "model", RING))
)


@case("complex_constraint", (8, 4), (8, 4), shardings=(("data", None), (None, "model")), dtype=np.complex64)
def complex_constraint(x, y):
    z = lax.with_sharding_constraint(x * y, on("model", None))
    return jnp.fft.fft(z), jnp.fft.rfft(x.real), lax.fori_loop(0, 3, lambda k, h: h * 1j + y, z)


# Constraints.
@case("constraint", (8, 16), shardings=(("data", None),))
def constraint(x):
    return lax.with_sharding_constraint(x * 2, on("model", P.UNCONSTRAINED)) + 1


@case("two_meshes", (8, 16), shardings=(("data", "model"),))
def two_meshes(x):
    return lax.with_sharding_constraint(x * 2, on("a", "b", mesh=OTHER)).sum(0) + 1


@case("a_mesh_and_a_line", (8, 16), (16, 8), shardings=(("data", "model"), None))
def a_mesh_and_a_line(x, w):
    y = lax.with_sharding_constraint(x, on(None, "x", mesh=LINE))
    return lax.with_sharding_constraint(y @ w, on("x", None, mesh=LINE))


@case("explicit", (8, 16), (16, 8), shardings=(("data", "model"), ("model", None)), mesh=EXPLICIT, gspmd=False)
def explicit(x, w):
    y = jnp.einsum("ij,jk->ik", x * 2, w, out_sharding=P("data", None, unreduced={"model"}))
    return jax.sharding.reshard(y, P("data", None)), jnp.max(x, 0)


@case("explicit_reshape", (8, 16), shardings=(("data", "model"),), mesh=EXPLICIT, gspmd=False)
def explicit_reshape(x):
    return jnp.reshape(x, (2, 4, 16), out_sharding=P("data", None, "model")) + 1


def drawn(shape, dtype, seed):
    if dtype == np.complex64:
        return drawn((*shape, 2), np.float32, seed).view(dtype)[..., 0]
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


def flat(x):
    if np.iscomplexobj(x):
        x = np.stack([np.real(x), np.imag(x)], -1)
    return [float(v) for v in np.asarray(x).reshape(-1)]


def write(name, f, shapes, shardings, mesh, dtype):
    if sys.argv[1:] and name.removesuffix(".gspmd") not in sys.argv[1:]:
        return
    xs = [jnp.asarray(drawn(s, dtype, k)) for k, s in enumerate(shapes)]
    given = {}
    if shardings and mesh is None:
        given = {"in_shardings": tuple(on(*s) if s else None for s in shardings)}
    if mesh is not None:
        jax.set_mesh(mesh)
        xs = [jax.device_put(x, NamedSharding(mesh, P(*s))) for x, s in zip(xs, shardings)]
    step = jax.jit(f, **given)
    text = step.lower(*xs).as_text()
    outs = jax.tree.leaves(step(*xs))
    (HERE / f"{name}.mlir").write_text(text)
    numbers = {"inputs": [flat(x) for x in xs], "outputs": [flat(x) for x in outs]}
    (HERE / f"{name}.json").write_text(json.dumps(numbers) + "\n")


for shardy in (True, False):
    jax.config.update("jax_use_shardy_partitioner", shardy)
    for name, (f, shapes, shardings, mesh, gspmd, dtype) in CASES.items():
        if mesh is None and (shardy or gspmd):
            write(name if shardy else f"{name}.gspmd", f, shapes, shardings, mesh, dtype)
jax.config.update("jax_use_shardy_partitioner", True)
for name, (f, shapes, shardings, mesh, gspmd, dtype) in CASES.items():
    if mesh is not None:
        write(name, f, shapes, shardings, mesh, dtype)
