"""Programs as JAX prints them, of functions whose ops have many forms: writes jax.mlir.

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


text = "// -----\n".join(form(name, f, args) for name, (f, args) in FORMS.items())
(Path(__file__).parent / "jax.mlir").write_text(text)
