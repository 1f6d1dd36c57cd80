//! What people who come from numpy, JAX or PyTorch write, and what it is called here. Only help lines use it.

/// Functions and methods, and how the same is said here.
const FUNCTIONS: &[(&str, &str)] = &[
    ("matmul", "`dot(x, w)`; with batch dims, `einsum(\"..ij,..jk->..ik\", x, y)`"),
    ("mm", "`dot(x, w)`"),
    ("bmm", "`einsum(\"bij,bjk->bik\", x, y)`"),
    ("tensordot", "`einsum`"),
    ("where", "`select(condition, a, b)`"),
    ("cat", "`concat([x, y], dim)`"),
    ("concatenate", "`concat([x, y], dim)`"),
    ("stack", "`concat([expand(x, 0), expand(y, 0)], 0)`"),
    ("permute", "`transpose(x, [0, 2, 1])`"),
    ("swapaxes", "`transpose(x, [0, 2, 1])`"),
    ("moveaxis", "`movedim(x, from, to)`"),
    ("view", "`reshape(x, [batch, -1])`"),
    ("flatten", "`reshape(x, [-1])`"),
    ("unsqueeze", "`expand(x, dim)`"),
    ("expand_dims", "`expand(x, dim)`"),
    ("squeeze", "`reshape(x, [..])` without the dim"),
    ("broadcast_to", "`broadcast(x, [..])`"),
    ("repeat", "`broadcast(x, [..])`"),
    ("arange", "`iota(n)`"),
    ("zeros", "`full([n, m], 0)`"),
    ("ones", "`full([n, m], 1)`"),
    ("zeros_like", "`full(x, 0)`"),
    ("ones_like", "`full(x, 1)`"),
    ("full_like", "`full(x, value)`"),
    ("astype", "`x as bf16`"),
    ("to", "`x as bf16`"),
    ("float", "`x as f32`"),
    ("detach", "`stop_gradient(x)`"),
    ("linear", "`dot(x, w) + b`"),
    ("Linear", "`dot(x, w) + b`, with `w` and `b` as fields of a struct"),
    ("scaled_dot_product_attention", "`attention(q, k, v, causal: true)`"),
    ("with_sharding_constraint", "`x @ [data, _]`"),
    ("redistribute", "`x @ [data, _]`"),
    ("len", "`size(x, 0)`"),
    ("range", "`for i in 0..n { .. }`"),
    ("print", "nothing: programs have no effects. What an entry returns is printed when it runs"),
    ("clip", "`clamp(x, low, high)`"),
    ("amax", "`max(x, dim)`"),
    ("one_hot", "`(expand(t, -1) == iota(n)) as f32`"),
    ("dynamic_update_slice", "`dynamic_update(x, update, start, dim)`"),
    ("fori_loop", "`for i in 0..n { .. }`"),
    ("jit", "nothing: an `entry` is compiled as a whole"),
    ("checkpoint", "nothing: `--recompute` says which values are recomputed"),
    ("remat", "nothing: `--recompute` says which values are recomputed"),
    ("psum", "nothing: sums over devices follow from layouts; `sum(x)` is of the whole tensor, wherever it lies"),
    ("pmean", "nothing: sums over devices follow from layouts; `mean(x)` is of the whole tensor, wherever it lies"),
    ("randn", "`random_normal([n, m])`"),
    ("rand", "`random_uniform([n, m])`"),
    ("square", "`x * x`"),
    ("power", "`pow(x, y)`"),
    ("remainder", "`rem(x, y)`"),
    ("mod", "`rem(x, y)`"),
    ("logical_and", "`a && b`"),
    ("logical_or", "`a || b`"),
    ("logical_not", "`!a`"),
    ("not", "`!a`"),
];

/// Modules that functions stand in there.
const MODULES: &[&str] = &["jnp", "np", "numpy", "jax", "lax", "nn", "F", "torch", "math", "optax"];

/// Fields of tensors there.
const FIELDS: &[(&str, &str)] = &[
    ("T", "`transpose(x)` swaps two dims"),
    ("mT", "`movedim(x, -1, -2)` exchanges the last two dims"),
    ("shape", "`size(x, 0)` is the size of a dim; in a signature, dims have names"),
    ("ndim", "the number of dims stands in the type"),
    ("dtype", "the element type stands in the type"),
];

/// Element types.
const TYPES: &[(&str, &str)] = &[
    ("float32", "f32"),
    ("float64", "f64"),
    ("double", "f64"),
    ("float16", "f16"),
    ("half", "f16"),
    ("bfloat16", "bf16"),
    ("int32", "i32"),
    ("int", "i32"),
    ("int64", "i64"),
    ("long", "i64"),
    ("int8", "i8"),
    ("uint8", "u8"),
    ("uint32", "u32"),
    ("float8_e4m3fn", "f8e4m3"),
    ("float8_e5m2", "f8e5m2"),
    ("boolean", "bool"),
    ("Tensor", "f32"),
    ("Array", "f32"),
];

/// Parameters.
const PARAMETERS: &[(&str, &str)] = &[
    ("axis", "dims"),
    ("axis", "dim"),
    ("dim", "dims"),
    ("keepdim", "keep"),
    ("keepdims", "keep"),
    ("is_causal", "causal"),
    ("learning_rate", "lr"),
    ("max_norm", "clip"),
];

fn of(table: &[(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|t| t.0 == name).map(|t| t.1)
}

pub fn function(name: &str) -> Option<&'static str> {
    of(FUNCTIONS, name.rsplit('.').next().unwrap_or(name))
}

/// The function of a module of theirs: `softmax` for `jax.nn.softmax`.
pub fn module(name: &str) -> Option<&str> {
    let (of, name) = name.rsplit_once('.')?;
    of.split('.').all(|m| MODULES.contains(&m)).then_some(name)
}

pub fn field(name: &str) -> Option<&'static str> {
    of(FIELDS, name)
}

pub fn dtype(name: &str) -> Option<&'static str> {
    of(TYPES, name)
}

/// The parameter that is meant, if the function has it.
pub fn parameter(name: &str, params: &[&str]) -> Option<&'static str> {
    PARAMETERS.iter().find(|t| t.0 == name && params.contains(&t.1)).map(|t| t.1)
}
