"""Convolutions, poolings and their gradients as JAX lowers and computes them, on inputs drawn from a fixed seed.

    python make.py            # writes one .mlir and one .json (inputs and outputs, flat) for each case beside this file

Small numbers that f32 holds exactly, so that sums agree to the last bit whatever their order.
"""

import json
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

HERE = pathlib.Path(__file__).parent
CASES = {}


def case(name, *shapes, dtype=np.float32):
    def add(f):
        CASES[name] = (f, shapes, dtype)
        return f

    return add


def conv(name, x, w, dims, strides=None, pads=None, base=None, dilation=None, groups=1, batches=1, reverse=None, dtype=np.float32):
    spatial = len(x) - 2
    strides, base, dilation = [v or (1,) * spatial for v in (strides, base, dilation)]
    numbers = lax.conv_dimension_numbers(x, w, dims)

    def f(x, w):
        if reverse is None:
            return lax.conv_general_dilated(
                x, w, strides, pads or [(0, 0)] * spatial, base, dilation, numbers,
                feature_group_count=groups, batch_group_count=batches,
            )
        flip = [d for r, d in zip(reverse, numbers.rhs_spec[2:]) if r]
        return lax.conv_general_dilated(x, lax.rev(w, flip), strides, pads, base, dilation, numbers)

    case(name, x, w, dtype=dtype)(f)


NHWC, NCHW = ("NHWC", "HWIO", "NHWC"), ("NCHW", "OIHW", "NCHW")
conv("conv_plain", (2, 6, 6, 3), (3, 3, 3, 4), NHWC)
conv("conv_same", (4, 12, 12, 4), (3, 3, 4, 6), NHWC, pads=[(1, 1), (1, 1)])
conv("conv_nchw", (4, 4, 12, 6), (6, 4, 3, 3), NCHW, pads=[(1, 1), (1, 1)])
conv("conv_mixed_dims", (6, 4, 12, 2), (2, 2, 3, 6), ("WNHC", "IHOW", "HCWN"), pads=[(1, 0), (0, 1)])
conv("conv_strides", (2, 12, 12, 4), (3, 3, 4, 4), NHWC, strides=(2, 3), pads=[(1, 1), (0, 0)])
conv("conv_patches", (2, 12, 12, 3), (4, 4, 3, 6), NHWC, strides=(4, 4))
conv("conv_pointwise", (4, 6, 6, 4), (1, 1, 4, 6), NHWC)
conv("conv_pointwise_strided", (4, 6, 6, 4), (1, 1, 4, 6), NHWC, strides=(2, 2))
conv("conv_negative_padding", (2, 9, 8, 4), (3, 3, 4, 2), NHWC, pads=[(-1, -2), (-1, 2)])
conv("conv_lhs_dilation", (2, 5, 6, 4), (3, 3, 4, 4), NHWC, pads=[(1, 1), (2, 2)], base=(2, 3))
conv("conv_rhs_dilation", (2, 12, 12, 4), (3, 3, 4, 4), NHWC, pads=[(2, 2), (0, 3)], dilation=(2, 3))
conv("conv_all_at_once", (2, 6, 5, 4), (3, 2, 4, 4), NHWC, (2, 1), [(2, 1), (-1, 3)], (2, 3), (1, 2))
conv("conv_reversed", (2, 6, 6, 3), (3, 2, 3, 4), NHWC, pads=[(1, 1), (0, 0)], reverse=(True, True))
conv("conv_feature_groups", (4, 8, 8, 6), (3, 3, 2, 12), NHWC, pads=[(1, 1), (1, 1)], groups=3)
conv("conv_depthwise", (2, 8, 8, 6), (3, 3, 1, 6), NHWC, pads=[(1, 1), (1, 1)], groups=6)
conv("conv_batch_groups", (6, 6, 6, 4), (3, 3, 4, 6), NHWC, batches=3)
conv("conv_1d", (4, 12, 6), (5, 6, 4), ("NWC", "WIO", "NWC"), pads=[(2, 2)])
conv("conv_3d", (2, 4, 6, 4, 2), (2, 3, 2, 2, 4), ("NDHWC", "DHWIO", "NDHWC"), pads=[(0, 1), (1, 1), (1, 0)])
conv("conv_0d", (4, 6), (6, 4), ("NC", "IO", "NC"))
conv("conv_integers", (2, 6, 6, 3), (3, 3, 3, 4), NHWC, pads=[(1, 1), (0, 0)], dtype=np.int32)


@case("conv_gradients", (4, 12, 12, 4), (3, 3, 4, 6))
def conv_gradients(x, w):
    f = lambda x, w: (lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=NHWC) ** 2).sum()
    return jax.grad(f, (0, 1))(x, w)


@case("conv_gradients_strided", (2, 12, 12, 4), (3, 3, 4, 6))
def conv_gradients_strided(x, w):
    f = lambda x, w: (lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=NHWC) ** 2).sum()
    return jax.grad(f, (0, 1))(x, w)


@case("conv_gradients_depthwise", (2, 6, 6, 6), (3, 3, 1, 6))
def conv_gradients_depthwise(x, w):
    f = lambda x, w: (
        lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=NHWC, feature_group_count=6) ** 2
    ).sum()
    return jax.grad(f, (0, 1))(x, w)


@case("reverse", (4, 6, 3))
def reverse(x):
    return lax.rev(x, (0, 2)), lax.rev(x, (1,))


def pool(name, shape, op, init, window, strides, pads, base=None, dilation=None, dtype=np.float32):
    case(name, shape, dtype=dtype)(
        lambda x: lax.reduce_window(x, jnp.asarray(init, x.dtype), op, window, strides, pads, base, dilation)
    )


INF = float("inf")
NONE = (0, 0)
pool("pool_max", (2, 12, 12, 4), lax.max, -INF, (1, 2, 2, 1), (1, 2, 2, 1), [NONE] * 4)
pool("pool_max_overlapping", (2, 12, 12, 4), lax.max, -INF, (1, 3, 3, 1), (1, 2, 2, 1), [NONE, (1, 1), (0, 1), NONE])
pool("pool_min_nchw", (2, 4, 12, 12), lax.min, INF, (1, 1, 3, 3), (1, 1, 1, 1), [NONE, NONE, (1, 1), (1, 1)])
pool("pool_sum", (2, 12, 12, 4), lax.add, 0, (1, 3, 3, 1), (1, 1, 1, 1), [NONE, (1, 1), (1, 1), NONE])
pool("pool_sum_from_a_start", (2, 6, 6), lax.add, 2.5, (1, 3, 2), (1, 2, 1), [NONE, (2, 1), (0, 1)])
pool("pool_product", (2, 6, 6), lax.mul, 1, (1, 2, 2), (1, 1, 1), [NONE, (1, 0), NONE])
pool("pool_base_dilation", (2, 5, 6), lax.max, -INF, (1, 3, 2), (1, 1, 2), [NONE, (1, 1), (0, 0)], base=(1, 2, 3))
pool("pool_window_dilation", (2, 12, 12), lax.add, 0, (1, 3, 2), (1, 1, 2), [NONE, (2, 2), (0, 1)], dilation=(1, 2, 3))
pool("pool_negative_padding", (3, 9), lax.max, -INF, (1, 3), (1, 2), [NONE, (-1, -1)])
pool("pool_all", (4, 6, 6, 3), lax.add, 0, (1, 6, 6, 1), (1, 1, 1, 1), [NONE] * 4)
pool("pool_and", (4, 12), lax.bitwise_and, -1, (1, 3), (1, 1), [NONE, (1, 1)], dtype=np.int32)
pool("pool_or", (4, 12), lax.bitwise_or, 0, (1, 3), (1, 3), [NONE, NONE], dtype=np.int32)
pool("pool_max_integers", (4, 12), lax.max, -100, (2, 3), (1, 1), [(1, 0), (1, 1)], dtype=np.int32)


@case("pool_cumulative", (4, 12))
def pool_cumulative(x):
    return jnp.cumsum(x, 1), jnp.flip(jnp.cumsum(jnp.flip(x, 1), 1), 1), lax.cummax(x, 0), lax.cumprod(x, 0, reverse=True)


def max_pool(x, window, strides, pads):
    return lax.reduce_window(x, -jnp.inf, lax.max, window, strides, pads)


def pool_gradient(name, shape, window, strides, pads):
    def loss(x):
        y = max_pool(x, window, strides, pads)
        return (y * y).sum() / 2

    case(name, shape)(lambda x: jax.grad(loss)(x))


pool_gradient("pool_gradient", (4, 12, 12, 2), (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
pool_gradient("pool_gradient_overlapping", (2, 12, 12, 2), (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
pool_gradient("pool_gradient_nchw", (2, 3, 8, 8), (1, 1, 3, 3), (1, 1, 1, 1), "VALID")
pool_gradient("pool_gradient_1d", (4, 13), (1, 3), (1, 2), [(0, 0), (1, 1)])


def draw(rng, shape, dtype):
    return rng.integers(-3, 4, shape).astype(dtype)


def main():
    rng = np.random.default_rng(0)
    for name, (f, shapes, dtype) in CASES.items():
        xs = [draw(rng, s, dtype) for s in shapes]
        lowered = jax.jit(f).lower(*xs)
        ys = jax.tree.leaves(jax.jit(f)(*xs))
        (HERE / f"{name}.mlir").write_text(lowered.as_text())
        # JSON has no infinities: as words.
        number = lambda x: x if np.isfinite(x) else str(x)
        flat = lambda all: [[number(x) for x in np.asarray(a).astype(np.float64).ravel().tolist()] for a in all]
        numbers = json.dumps({"inputs": flat(xs), "outputs": flat(ys)}, separators=(",", ":"))
        (HERE / f"{name}.json").write_text(numbers.replace(".0,", ",").replace(".0]", "]") + "\n")


if __name__ == "__main__":
    main()
