"""Programs as JAX prints them, of functions whose ops have many forms: writes jax.mlir and, of decompositions, eigen.mlir.

    python tests/data/stablehlo/ops/from_jax.py        # jax 0.10.2; then expected.py
"""
import os
import re
from pathlib import Path

os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jax.numpy as jnp
from jax import lax, random

f32, i32 = jnp.float32, jnp.int32
x, i, key = jnp.zeros((4, 6)), jnp.zeros((4,), i32), random.PRNGKey(0)
FORMS = {
    # Ranges of arguments stand behind them.
    "jax_argmax": (lambda x: jnp.argmax(x, -1), [x]),
    "jax_argmin": (lambda x: jnp.argmin(x, 0), [x]),
    "jax_argsort": (lambda x: jnp.argsort(x, -1), [x]),
    "jax_sort": (lambda x: jnp.sort(x, 0), [x]),
    "jax_top_k": (lambda x: jax.lax.top_k(x, 2), [x]),
    "jax_take": (lambda x, i: x[i], [x, (i, "0..4")]),
    "jax_take_along": (lambda x, i: jnp.take_along_axis(x, i[:, None], 1), [x, (i, "0..6")]),
    "jax_take_along_gradient": (
        lambda x, i: jax.grad(lambda x: jnp.sum(jnp.take_along_axis(jnp.tanh(x), i[:, None], 1)))(x), [x, (i, "0..6")]),
    "jax_set": (lambda x, i: x.at[i].set(1.5), [x, (i, "0..4")]),
    "jax_add": (lambda x, i: x.at[:, i].add(x[:, :4]), [x, (i, "0..6")]),
    "jax_max": (lambda x, i: x.at[i].max(x * 2), [x, (i, "0..4")]),
    "jax_segment_sum": (lambda x, i: jax.ops.segment_sum(x, i, 3), [x, (i, "0..3")]),
    "jax_gelu": (lambda x: jax.nn.gelu(x, approximate=False), [x]),
    "jax_softplus": (jax.nn.softplus, [x]),
    "jax_logsumexp": (lambda x: jax.nn.logsumexp(x, 1), [x]),
    "jax_cumlogsumexp": (lambda x: (lax.cumlogsumexp(x, 1), lax.cumlogsumexp(x * 400, 0, reverse=True)), [x]),
    "jax_cumlogsumexp_gradient": (lambda x: jax.grad(lambda x: jnp.sum(jnp.sin(lax.cumlogsumexp(x, 1))))(x), [x]),
    "jax_one_hot": (lambda i: jax.nn.one_hot(i, 6), [(i, "0..6")]),
    "jax_median": (lambda x: jnp.median(x, 1), [x]),
    "jax_bits": (lambda k: random.bits(k, (4, 6)), [key]),
    "jax_uniform": (lambda k: random.uniform(k, (4, 6)), [key]),
    "jax_normal": (lambda k: random.normal(k, (4, 6)), [key]),
    "jax_bernoulli": (lambda k: random.bernoulli(k, 0.3, (4, 6)), [key]),
    "jax_split": (lambda k: random.split(k, 3), [key]),
    "jax_fold_in": (lambda k: random.fold_in(k, 7), [key]),
    "jax_randint": (lambda k: random.randint(k, (4, 6), 0, 10), [key]),
    "jax_categorical": (lambda k, x: random.categorical(k, x), [key, x]),
    "jax_permutation": (lambda k: random.permutation(k, 6), [key]),
}


def form(name, f, args):
    values = [a[0] if isinstance(a, tuple) else a for a in args]
    text = jax.jit(f).lower(*values).as_text()
    body = re.search(r"module [^\n]*\{\n(.*)\n\}\s*$", text, re.S)[1]
    ranges = [f"// %arg{k}: {a[1]}\n" for k, a in enumerate(args) if isinstance(a, tuple)]
    lines = [l[2:] if l.startswith("  ") else l for l in body.splitlines()]
    return f"// {name}\n" + "".join(ranges) + "\n".join(lines) + "\n"


def write(file, forms):
    text = "// -----\n".join(form(name, f, args) for name, (f, args) in forms.items())
    (Path(__file__).parent / file).write_text(text)


write("jax.mlir", FORMS)
jax.config.update("jax_enable_x64", True)


def H(x):
    return jnp.swapaxes(x, -1, -2).conj()


def eigh(a):
    """What does not depend on the signs of vectors: values, whether vectors are a basis, and the matrix of both."""
    values, v = jnp.linalg.eigh(a)
    return values, H(v) @ v + 1, v @ (values[..., None] * H(v))


def svd(a, full=False):
    u, s, vh = jnp.linalg.svd(a, full_matrices=full)
    k = s.shape[-1]
    return s, H(u) @ u + 1, vh @ H(vh) + 1, u[..., :k] @ (s[..., None] * vh[..., :k, :])


def equal(a):
    """Of eigenvalues that come in pairs, and of less than full rank."""
    return jnp.concatenate([jnp.concatenate([a, a * 0], -1), jnp.concatenate([a * 0, -a], -1)], -2)


def complex_of(a):
    return lax.complex(a, jnp.roll(jnp.cos(a), 1, -1))


def gradient_of(f):
    return lambda a: jax.grad(lambda a: jnp.sum(jnp.stack([jnp.sum(jnp.sin(x)) for x in f(a)])))(a)


EIGEN = {}
for dtype in ["float32", "float64"]:
    square, tall, wide, one, odd = [jnp.zeros(s, dtype) for s in [(2, 4, 4), (2, 5, 3), (3, 4), (1, 1), (5, 5)]]
    EIGEN |= {
        f"eigh_{dtype}": (eigh, [square]),
        f"eigh_odd_{dtype}": (eigh, [odd]),
        f"eigh_one_{dtype}": (eigh, [one]),
        f"eigh_equal_{dtype}": (lambda a: eigh(equal(a)), [square]),
        f"eigh_complex_{dtype}": (lambda a: [x.real for x in eigh(complex_of(a))], [odd]),
        f"eigvalsh_upper_{dtype}": (lambda a: jnp.linalg.eigvalsh(a, UPLO="U", symmetrize_input=False), [square]),
        f"svd_tall_{dtype}": (svd, [tall]),
        f"svd_wide_{dtype}": (svd, [wide]),
        f"svd_full_{dtype}": (lambda a: svd(a, True), [tall]),
        f"svd_full_wide_{dtype}": (lambda a: svd(a, True), [wide]),
        f"svd_rank_{dtype}": (lambda a: svd(a[:, :1] * a[:1]), [odd]),
        f"svd_zero_{dtype}": (lambda a: svd(a * 0, True), [tall]),
        f"svd_complex_{dtype}": (lambda a: [x.real for x in svd(complex_of(a))], [tall]),
        f"svd_complex_full_{dtype}": (lambda a: [x.real for x in svd(complex_of(a), True)], [wide]),
        f"singular_values_{dtype}": (lambda a: jnp.linalg.svd(a, compute_uv=False), [tall]),
        f"pinv_{dtype}": (jnp.linalg.pinv, [tall]),
    }
a = jnp.zeros((4, 4))
EIGEN |= {
    "eigh_gradient": (gradient_of(lambda a: eigh(a)[::2]), [a]),
    "svd_gradient": (gradient_of(lambda a: svd(a)[::3]), [a]),
    "norm": (lambda a: (jnp.linalg.norm(a, 2), jnp.linalg.norm(a, "nuc"), jnp.linalg.cond(a)), [a]),
    "failed": (lambda a: jnp.linalg.eigh(a.at[1, 2].set(jnp.nan))[0], [a]),
}
write("eigen.mlir", EIGEN)
