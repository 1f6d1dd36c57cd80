//! What the generators of law instances share.

use meshloom_ir::random::Rng;
use meshloom_ir::{Builder, DType, Einsum, Port, Role, TensorType, ValueId};

/// A dim size: 1 to 4; 1 and 2 are more likely.
pub fn size(rng: &mut Rng) -> u64 {
    rng.pick(&[1, 2, 2, 3, 4])
}

pub fn shape(rng: &mut Rng, rank: usize) -> Vec<u64> {
    (0..rank).map(|_| size(rng)).collect()
}

/// A permutation of `0..rank`.
pub fn permutation(rng: &mut Rng, rank: usize) -> Vec<usize> {
    let mut p: Vec<usize> = (0..rank).collect();
    rng.shuffle(&mut p);
    p
}

/// A new input of type f64.
pub fn input(b: &mut Builder, shape: &[u64]) -> ValueId {
    typed_input(b, DType::F64, shape)
}

/// A new input; integers are in 0..4.
pub fn typed_input(b: &mut Builder, dtype: DType, shape: &[u64]) -> ValueId {
    let port = Port::new(format!("x{}", b.func.inputs.len()), Role::Input, shape.len());
    b.input(TensorType::new(dtype, shape), port)
}

pub fn einsum(spec: &str) -> Einsum {
    Einsum::parse(spec).unwrap_or_else(|e| panic!("`{spec}`: {e}"))
}
