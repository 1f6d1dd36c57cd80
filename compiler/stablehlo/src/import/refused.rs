//! What is not supported, and what to do instead: a row for each family of ops and of custom calls, by how their names begin.

/// What a name begins with, and a way out.
const OPS: &[(&str, &str)] = &[
    ("stablehlo.rng", "`jax.random` with its default keys lowers to plain ops; `jax_default_prng_impl` chooses it"),
    ("stablehlo.dynamic_", DYNAMIC),
    ("stablehlo.real_dynamic_slice", DYNAMIC),
    ("stablehlo.set_dimension_size", DYNAMIC),
    ("stablehlo.get_dimension_size", DYNAMIC),
    ("stablehlo.uniform_", "quantise outside of the step: parameters of i8 with their scales are read as tensors"),
    ("stablehlo.infeed", CALLBACKS),
    ("stablehlo.outfeed", CALLBACKS),
    ("stablehlo.send", CALLBACKS),
    ("stablehlo.recv", CALLBACKS),
    ("mhlo.", "convert the module with `stablehlo-opt --hlo-legalize-to-stablehlo`, or lower it with JAX 0.4 or later"),
    (
        "vhlo.",
        "this is the portable form: print the module with `as_text()`, or convert it with `stablehlo-translate --deserialize`",
    ),
];

const CALLS: &[(&str, &str)] = &[
    ("lapack_", DECOMPOSITIONS),
    ("cusolver_", DECOMPOSITIONS),
    ("hipsolver_", DECOMPOSITIONS),
    ("Qr", DECOMPOSITIONS),
    ("Eigh", DECOMPOSITIONS),
    ("ProductOfElementaryHouseholderReflectors", DECOMPOSITIONS),
    ("shape_assertion", DYNAMIC),
    ("xla_python_", CALLBACKS),
    ("xla_ffi_python_", CALLBACKS),
    ("xla_ffi_partitioned_python_", CALLBACKS),
    ("tpu_custom_call", KERNELS),
    ("triton_kernel_call", KERNELS),
    ("__gpu$", KERNELS),
    ("mosaic_gpu", KERNELS),
    (
        "CustomSPMDPartitioning",
        "what it calls is a number of the Python process that wrote the module: lower the step without a mesh and give it with `--mesh`, or call the function in a `jax.shard_map` over all axes",
    ),
    ("__cudnn$", "turn the fused kernel off: `jax.nn.dot_product_attention(.., implementation='xla')`"),
    (
        "cu_threefry2x32",
        "lower for the CPU, `jax.jit(f).trace(..).lower(lowering_platforms=('cpu',))`, where random bits are plain ops",
    ),
];

const DECOMPOSITIONS: &str = "LU, QR and Cholesky factors, triangular solves, `eigh` and `svd` are computed on devices as JAX lowers them for CPUs: compute other decompositions (`eig`, `schur`) before the step, and pass what they give";
const DYNAMIC: &str =
    "shapes must be known: lower with arguments of fixed shapes, without `jax.export` of symbolic ones";
const CALLBACKS: &str = "a step cannot talk to its host: take `jax.debug`, `io_callback` and `pure_callback` out of it";
const KERNELS: &str =
    "kernels of others are not run: lower the step with the plain function in place of the Pallas or Triton kernel";

fn way_out(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|row| name.starts_with(row.0)).map(|row| row.1)
}

/// What is said of an op that nothing imports.
pub fn op(name: &str) -> String {
    let out = way_out(OPS, name)
        .unwrap_or("docs/from-jax.md lists what is read; another form of the line that makes it may do");
    format!("`{name}` is not supported\n{out}")
}

/// What is said of an op that is imported of real numbers alone.
pub fn complex(name: &str) -> String {
    format!("`{name}` of complex numbers is not supported\nwrite it in their `real` and `imag` parts")
}

/// What is said of a custom call that nothing imports.
pub fn call(target: &str) -> String {
    let out = way_out(CALLS, target).unwrap_or(
        "what it computes is known to who wrote it alone: lower the step with a plain function in its place",
    );
    format!("the custom call of `{target}` is not supported\n{out}")
}
