"""What JAX's CPU backend computes of every form in the *.mlir files here: expected/<file>.json.

    python tests/data/stablehlo/ops/expected.py [FILE.mlir ..]        # jax 0.10.2

A file holds programs of one function `@main`, parted by lines `// -----`. Each begins with comments:

    // name: T = f32 bf16; OP = add multiply      the name, and words for `$T` and `$OP`: one form for each choice of them
    // %y: 1..4                                   the range of an argument; floats lie in -2..2 without it, integers in -8..8,
                                                  unsigned ones in 0..16. `%y: 0..4 distinct`: no value twice.

Inputs, of which element e of argument a of the form `name.f32.add` is made from
x = splitmix64(fnv1a64(name) + (a << 32) + e): integers are lo + x mod (hi - lo), floats lo + (x mod 16 (hi - lo)) / 16, bools x mod 2.
A complex number is two floats. Distinct ones are lo + the place of x among all elements' x, halved for floats. `compiler/stablehlo/tests/it/forms` makes the same.
"""
import itertools, json, os, re, sys
from pathlib import Path

os.environ["JAX_ENABLE_X64"] = "1"
os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import ml_dtypes
import numpy as np
from jax._src import xla_bridge
from jax._src.lib import xla_client

# The first call of LAPACK makes its routines known.
jax.numpy.linalg.cholesky(np.eye(2))

HERE = Path(__file__).parent
MASK = (1 << 64) - 1
DTYPES = {
    "f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "f16": np.float16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu, "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64, "i1": np.bool_,
}


def fnv1a64(text):
    h = 0xCBF29CE484222325
    for c in text.encode():
        h = (h ^ c) * 0x100000001B3 & MASK
    return h


def splitmix64(x):
    x = x + 0x9E3779B97F4A7C15 & MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def forms(text):
    for part in re.split(r"^// -----$", text, flags=re.M):
        header = [l[3:] for l in part.strip().splitlines() if l.startswith("// ")]
        if not header:
            continue
        name, _, choices = header[0].partition(":")
        words = [(k.strip(), v.split()) for k, v in (c.split("=") for c in choices.split(";") if "=" in c)]
        ranges = {}
        for line in header[1:]:
            if m := re.fullmatch(r"(%\w+): (-?\d+)\.\.(-?\d+)( distinct)?", line):
                ranges[m[1]] = (int(m[2]), int(m[3]), bool(m[4]))
        for picked in itertools.product(*(v for _, v in words)):
            body = part
            for (key, _), word in zip(words, picked):
                body = body.replace("$" + key, word)
            yield ".".join([name.strip(), *picked]), body, ranges


def argument(form, index, name, ty, ranges):
    if part := re.fullmatch(r"(.*)complex<(f\d+)>", ty):
        pairs = argument(form, index, name, part[1] + "2x" + part[2], ranges)
        return pairs.view(np.complex64 if part[2] == "f32" else np.complex128)[..., 0]
    *dims, dtype = ty.split("x")
    shape, n = tuple(map(int, dims)), int(np.prod([int(d) for d in dims], dtype=np.int64))
    xs = [splitmix64(fnv1a64(form) + (index << 32) + e & MASK) for e in range(n)]
    is_float = dtype[0] in "bf"
    default = (-2, 2, False) if is_float else (0, 16, False) if dtype[0] == "u" else (-8, 8, False)
    lo, hi, distinct = ranges.get(name, default)
    if dtype == "i1":
        values = [x % 2 for x in xs]
    elif distinct:
        place = {x: i for i, x in enumerate(sorted(xs))}
        values = [lo + (place[x] / 2 if is_float else place[x]) for x in xs]
    elif is_float:
        values = [lo + x % (16 * (hi - lo)) / 16 for x in xs]
    else:
        values = [lo + x % (hi - lo) for x in xs]
    return np.array(values, np.float64 if is_float else np.int64).astype(DTYPES[dtype]).reshape(shape)


def ragged_dot(text, *inputs):
    """XLA's CPU backend has no such op: JAX prints another program for CPUs."""
    def dims(name):
        found = re.search(name + r"_dimensions = \[([\d, ]*)\]", text)
        return [int(d) for d in found[1].split(",")] if found else []

    of = [tuple(dims(f"{side}_{kind}") for side in ("lhs", "rhs")) for kind in ("contracting", "batching")]
    numbers = jax.lax.RaggedDotDimensionNumbers(tuple(of), dims("lhs_ragged"), dims("rhs_group"))
    return np.asarray(jax.jit(lambda *xs: jax.lax.ragged_dot_general(*xs, numbers))(*inputs))


def block_scaled(a, b, a_scales, b_scales=None, factor=None, to=None):
    """The equation in the documentation of `jax.nn.scaled_matmul`, in f32."""
    def wide(x, scales):
        x = x.astype(np.float32)
        return x if scales is None else x * jax.numpy.repeat(scales.astype(np.float32), x.shape[-1] // scales.shape[-1], axis=-1)

    out = jax.numpy.einsum("...mk,...nk->...mn", wide(a, a_scales), wide(b, b_scales), precision="highest").astype(to)
    return out if factor is None else out * factor


def with_block_scaled(text):
    """JAX has no CPU lowering for this call: in its place, calls of what JAX prints for the equation."""
    call = re.compile(r'stablehlo.custom_call @__op\$block_scaled_dot(\([^)]*\)) \{.*?\} : \((.*)\) -> tensor<(.*)>')
    functions = []

    def replace(m):
        types = [ty.split("x") for ty in re.findall(r"tensor<([^>]*)>", m[2])]
        args = [jax.ShapeDtypeStruct(tuple(map(int, dims)), DTYPES[dtype]) for *dims, dtype in types]
        to = DTYPES[m[3].split("x")[-1]]
        printed = jax.jit(lambda *xs: block_scaled(*xs, to=to)).lower(*args).as_text()
        own = printed[printed.index("{", printed.index("attributes {") + 12) + 1 : printed.rindex("}")]
        k = len(functions)
        own = re.sub(r"@(\w+)", rf"@block_scaled_{k}_\1", own.replace("func.func public", "func.func private"))
        functions.append(own)
        return f"func.call @block_scaled_{k}_main{m[1]} : ({m[2]}) -> tensor<{m[3]}>"

    return call.sub(replace, text) + "".join(functions)


def run(form, text, ranges):
    backend = xla_bridge.get_backend("cpu")
    devices = xla_client.DeviceList(tuple(backend.local_devices()[:1]))
    signature = text[text.index("@main(") + 6 : text.index("->")]
    args = re.findall(r"(%\w+): tensor<((?:[^<>]|<[^<>]*>)*)>", signature)
    inputs = [argument(form, i, n, t, ranges) for i, (n, t) in enumerate(args)]
    if '"chlo.ragged_dot"' in text:
        return [ragged_dot(text, *inputs)]
    executable = backend.compile_and_load(with_block_scaled(text).encode(), devices, xla_client.CompileOptions())
    out = executable.execute_sharded([jax.device_put(x) for x in inputs])
    return [np.asarray(a[0]) for a in out.disassemble_into_single_device_arrays()]


def number(x):
    if isinstance(x, (bool, np.bool_)):
        return int(x)
    if isinstance(x, float):
        # The shortest decimal that is this float32 would do; nine digits are it or as good.
        return str(x) if x != x or x in (float("inf"), float("-inf")) else x if x == 0 else float(f"{x:.17g}")
    return x


def main(files):
    for path in map(Path, files or sorted(HERE.glob("*.mlir"))):
        lines, failed = [], []
        for form, text, ranges in forms(path.read_text()):
            try:
                outputs = run(form, text, ranges)
            except Exception as e:
                failed.append(f"{path.name}: {form}: {str(e).splitlines()[0][:300]}")
                continue
            values = []
            for a in outputs:
                if a.dtype.kind == "c":
                    a = np.ascontiguousarray(a).view(a.real.dtype)
                exact = a.dtype.kind in "iub"
                flat = a.reshape(-1).tolist() if exact else a.astype(np.float64).reshape(-1).tolist()
                values.append([number(x if a.dtype != np.float32 or x != x else float(f"{x:.9g}")) for x in flat])
            lines.append(f"{json.dumps(form)}: {json.dumps(values)}")
        out = HERE / "expected" / (path.stem + ".json")
        out.parent.mkdir(exist_ok=True)
        out.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        print(f"{out.name}: {len(lines)} forms", *failed, sep="\n  ")


main(sys.argv[1:])
