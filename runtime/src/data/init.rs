//! Initial values of parameters and state.
//!
//! Random values are counter-based: there is a stream for each (seed, path, layer), and a value for each flat index of
//! the global tensor. So they do not depend on the mesh, on the order in which tensors are filled, or on whether layers
//! are stacked.

use super::det::{GAMMA, fnv1a, splitmix};
use super::parallel::in_pieces;
use crate::error::{Result, RuntimeError};
use crate::host::HostTensor;
use meshloom_bundle::{DType, Init};

/// The initial value of one tensor, or of one layer if layers are stacked. `name` is its path with the layer's number.
pub fn initial(init: Init, dtype: DType, shape: &[u64], name: &str, seed: u64) -> Result<HostTensor> {
    let mut t = HostTensor::zeros(dtype, shape);
    let n = t.elements();
    let key = splitmix(fnv1a(name) ^ splitmix(seed.wrapping_add(GAMMA)));
    match init {
        Init::Zeros | Init::Given => {}
        Init::Ones => write(&mut t, |_| (1.0, 1.0)),
        Init::Constant(x) => {
            let element = crate::device::pattern::pattern(dtype, x);
            t.bytes.chunks_exact_mut(element.size).for_each(|c| c.copy_from_slice(&element.bytes[..element.size]));
        }
        Init::Seed => {
            let x = f64::from((seed ^ (seed >> 32)) as u32 as i32);
            write(&mut t, |_| (x, x));
        }
        Init::Uniform { bound } => {
            let one = |i| (2.0 * unit(key, i) - 1.0) * bound;
            write(&mut t, |i| (one(i), one(i + 1)));
        }
        Init::Normal { std } => {
            if !dtype.is_float() {
                return Err(RuntimeError::usage(name, format!("random initial values of {}", dtype.name())));
            }
            // Box and Muller: a pair of uniform values gives two normal ones, for an even index and the one after it.
            write(&mut t, |i| {
                let radius = (-2.0 * (1.0 - unit(key, i)).ln()).sqrt();
                let (sin, cos) = (std::f64::consts::TAU * unit(key, i + 1)).sin_cos();
                (std * radius * cos, std * radius * sin)
            });
        }
    }
    debug_assert_eq!(n, t.elements());
    Ok(t)
}

/// Uniform in `[0, 1)` with 53 bits.
fn unit(key: u64, i: u64) -> f64 {
    (splitmix(key.wrapping_add((i + 1).wrapping_mul(GAMMA))) >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
}

/// Writes the two values of `pair(i)` to the elements `i` and `i + 1`, for every even `i`.
fn write(t: &mut HostTensor, pair: impl Fn(u64) -> (f64, f64) + Sync) {
    match t.dtype {
        DType::F32 => in_pieces(&mut t.bytes, 8, |first, piece| {
            for (k, two) in (first..).zip(piece.chunks_mut(8)) {
                let (a, b) = pair(2 * k);
                let values = [a, b].map(|x| (x as f32).to_le_bytes());
                two.copy_from_slice(&values.as_flattened()[..two.len()]);
            }
        }),
        dtype => {
            let size = dtype.bytes() as usize;
            in_pieces(&mut t.bytes, 2 * size, |first, piece| {
                for (k, two) in (first..).zip(piece.chunks_mut(2 * size)) {
                    let (a, b) = pair(2 * k);
                    for (c, x) in two.chunks_exact_mut(size).zip([a, b]) {
                        c.copy_from_slice(&crate::device::element(dtype, x)[..size]);
                    }
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_bundle::Number;

    #[test]
    fn moments_and_independence() {
        let draw = |init, name, seed| initial(init, DType::F64, &[20_000], name, seed).unwrap().to_f64().unwrap();
        let normal = draw(Init::Normal { std: 2.0 }, "w", 0);
        let mean = normal.iter().sum::<f64>() / 20_000.0;
        let var = normal.iter().map(|x| x * x).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.05 && (var - 4.0).abs() < 0.15, "{mean} {var}");
        let uniform = draw(Init::Uniform { bound: 3.0 }, "w", 0);
        assert!(uniform.iter().all(|x| (-3.0..3.0).contains(x)));
        assert!((uniform.iter().map(|x| x * x).sum::<f64>() / 20_000.0 - 3.0).abs() < 0.1);
        assert_eq!(normal, draw(Init::Normal { std: 2.0 }, "w", 0));
        for (name, seed) in [("w", 1), ("v", 0)] {
            let other = draw(Init::Normal { std: 2.0 }, name, seed);
            let dot = normal.iter().zip(&other).map(|(a, b)| a * b).sum::<f64>() / 80_000.0;
            assert!(dot.abs() < 0.05, "{dot}");
        }
    }

    #[test]
    fn constants_in_every_dtype() {
        for dtype in [DType::F32, DType::F64, DType::I32, DType::I64, DType::U32, DType::I8, DType::U8] {
            for seven in [Number::Int(7), Number::Float(7.0)] {
                let t = initial(Init::Constant(seven), dtype, &[3], "c", 0).unwrap();
                assert_eq!(t.to_f64().unwrap(), [7.0; 3]);
            }
        }
    }

    /// Integers that no f64 is.
    #[test]
    fn integers_are_exact() {
        for n in [i64::MAX, i64::MIN + 1, (1 << 53) + 1] {
            let t = initial(Init::Constant(Number::Int(n)), DType::I64, &[2], "c", 0).unwrap();
            assert_eq!(t.bytes, [n.to_le_bytes(), n.to_le_bytes()].concat());
        }
    }
}
