#!/usr/bin/env python3
"""What elementwise ops give in f32 and f64, rounded once: by MPFR, which rounds correctly, subnormal numbers included.

Writes tests/data/numerics/{f32,f64}.safetensors: operands and each op's results. With a folder and a number it writes so many
random operands of each kind there instead, for `MESHLOOM_NUMERICS=FOLDER cargo test -p meshloom-driver --test it -- numerics`.
Needs gmpy2, numpy and safetensors:

    pip install gmpy2 numpy safetensors && python3 scripts/oracles/numerics.py [FOLDER COUNT]
"""

import math
import pathlib
import sys

import gmpy2
import numpy as np
from safetensors.numpy import save_file

OUT = pathlib.Path(__file__).resolve().parents[2] / "tests/data/numerics"
TYPES = {"f32": (np.float32, np.uint32, 23, 8), "f64": (np.float64, np.uint64, 52, 11)}
WIDE = gmpy2.context(precision=300)


def logistic(context, x):
    """The quotient in 300 bits, then rounded."""
    y = WIDE.div(1, WIDE.add(1, WIDE.exp(-x)))
    return context.plus(y)


def rsqrt(context, x):
    """That of -0 is -inf, as 1 / -0 is."""
    return context.rec_sqrt(x) if x != 0 else context.div(1, x)


UNARY = {
    "exponential": lambda c, x: c.exp(x),
    "exponential_minus_one": lambda c, x: c.expm1(x),
    "log": lambda c, x: c.log(x),
    "log_plus_one": lambda c, x: c.log1p(x),
    "tanh": lambda c, x: c.tanh(x),
    "logistic": logistic,
    "erf": lambda c, x: c.erf(x),
    "sqrt": lambda c, x: c.sqrt(x),
    "rsqrt": rsqrt,
    "sine": lambda c, x: c.sin(x),
    "cosine": lambda c, x: c.cos(x),
    "tan": lambda c, x: c.tan(x),
    "cbrt": lambda c, x: c.cbrt(x),
}
BINARY = {
    "power": lambda c, x, y: c.pow(x, y),
    "atan2": lambda c, x, y: c.atan2(x, y),
    "remainder": lambda c, x, y: c.fmod(x, y),
}


def specials(name):
    """Ends of the type, places where results begin to overflow or to vanish, and neighbours of multiples of pi/2."""
    dtype, _, mantissa, bits = TYPES[name]
    info = np.finfo(dtype)
    bias = 2 ** (bits - 1) - 1
    values = [0.0, 1.0, 0.5, 2.0, 3.0, 0.55, 0.927734375, 1e-5, 5.95, 4.2, 20.0, 16.5]
    values += [math.inf, math.nan, float(info.max), float(info.tiny), float(info.smallest_subnormal)]
    values += [float(info.tiny - info.smallest_subnormal), 2.0**30, 1e20, 1e25, 3e38, 2.0**mantissa]
    with np.errstate(over="ignore"):
        for edge in [math.log(2) * (bias + 1), math.log(2) * (bias - 1), math.log(2) * (bias + mantissa)]:
            values += [float(np.nextafter(dtype(edge), dtype(side))) for side in (0, math.inf)] + [edge]
        for k in [1, 2, 3, 4, 22, 355, 710, 1 << 29]:
            x = dtype(k * math.pi / 2)
            values += [float(x), float(np.nextafter(x, dtype(0))), float(np.nextafter(x, dtype(math.inf)))]
    if name == "f64":
        # The closest that an f64 comes to a multiple of pi/2.
        values += [6381956970095103.0 * 2.0**797, 1e22, 1e300]
    for x in [1.0, 0.5]:
        values += [float(np.nextafter(dtype(x), dtype(0))), float(np.nextafter(dtype(x), dtype(2)))]
    values = np.array(values, np.float64).astype(dtype)
    return np.concatenate([values, -values])


def random(rng, name, count, low, high):
    """Of both signs, with exponents in a range, all alike."""
    dtype, word, mantissa, bits = TYPES[name]
    bias = 2 ** (bits - 1) - 1
    exponent = rng.integers(low + bias, high + bias, count, dtype=np.uint64) << np.uint64(mantissa)
    rest = rng.integers(0, 1 << mantissa, count, dtype=np.uint64)
    sign = rng.integers(0, 2, count, dtype=np.uint64) << np.uint64(mantissa + bits)
    return (exponent | rest | sign).astype(word).view(dtype)


def patterns(rng, name, count):
    dtype, word, *_ = TYPES[name]
    return rng.integers(0, 2 ** (8 * word().itemsize), count, dtype=word).view(dtype)


def operands(rng, name, count):
    """One operand; then two, of which some specials come in all pairs."""
    special = specials(name)
    x = np.concatenate([special, patterns(rng, name, count // 2), random(rng, name, count - count // 2, -14, 11)])
    info = np.finfo(special.dtype)
    ends = [math.inf, math.nan, info.max, info.tiny, info.smallest_subnormal]
    few = np.array([0, 1, 0.5, 2, 3, 1e20, *ends], special.dtype)
    few = np.concatenate([few, -few])
    pairs = [tuple(g.ravel() for g in np.meshgrid(few, few))]
    n = count // 4
    for low, high in [(-2, 3), (-14, 9), (-40, 60)]:
        pairs.append((random(rng, name, n, low, high), random(rng, name, n, low, high)))
    n = count - 3 * n
    pairs.append((patterns(rng, name, n), patterns(rng, name, n)))
    first, second = (np.concatenate(side) for side in zip(*pairs))
    # Powers of negative numbers are NaN but for whole exponents.
    whole = (rng.random(len(second)) < 0.1) & (np.abs(second) < 1e6)
    second[whole] = np.round(second[whole])
    return x, first, second


def figures(name, count):
    dtype, word, *_ = TYPES[name]
    rng = np.random.default_rng(len(name) + word().itemsize)
    context = gmpy2.ieee(8 * word().itemsize)
    x, first, second = operands(rng, name, count)
    found = {"x": x, "first": first, "second": second}
    gmpy2.set_context(context)
    of = [[gmpy2.mpfr(float(v)) for v in values] for values in (x, first, second)]
    for op, f in UNARY.items():
        found[op] = np.array([float(f(context, v)) for v in of[0]]).astype(dtype)
    for op, f in BINARY.items():
        found[op] = np.array([float(f(context, v, w)) for v, w in zip(of[1], of[2])]).astype(dtype)
    return found


def main():
    out, count = (pathlib.Path(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 2 else (OUT, 640)
    out.mkdir(parents=True, exist_ok=True)
    for name in TYPES:
        save_file(figures(name, count), out / f"{name}.safetensors")


main()
