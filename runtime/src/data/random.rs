//! Numbers for inputs that have no values: to see that a program runs, how fast, and that two plans of it agree.
//!
//! Floats are normal with deviation 1. Integers are uniform in the range that the program declares, else in 0..8. Bools
//! are true or false at random. As everywhere, the numbers are counter-based, by seed, name and flat index, and do not
//! depend on the mesh.

use super::det::{GAMMA, fnv1a, splitmix};
use super::init::initial;
use super::parallel::in_pieces;
use crate::error::Result;
use crate::host::HostTensor;
use meshloom_bundle::{DType, Init};

/// What integers are below, where the program does not say.
const BELOW: i64 = 8;

/// Random numbers for an input of this name. `range` is of integers.
///
/// # Errors
/// None that a program's own ports lead to.
pub fn tensor(dtype: DType, shape: &[u64], name: &str, seed: u64, range: Option<(i64, i64)>) -> Result<HostTensor> {
    if dtype.is_float() {
        return initial(Init::Normal { std: 1.0 }, dtype, shape, name, seed);
    }
    let (low, high) = match (dtype, range) {
        (DType::Bool, _) => (0, 2),
        (_, Some((low, high))) if low < high => (low, high),
        _ => (0, BELOW),
    };
    let key = splitmix(fnv1a(name) ^ splitmix(seed.wrapping_add(GAMMA)));
    let many = high.wrapping_sub(low) as u64;
    let size = dtype.bytes() as usize;
    let value = |i: u64| {
        let bits = splitmix(key.wrapping_add((i + 1).wrapping_mul(GAMMA)));
        low.wrapping_add((bits % many.max(1)) as i64)
    };
    let mut t = HostTensor::zeros(dtype, shape);
    in_pieces(&mut t.bytes, size, |first, piece| {
        for (i, c) in (first..).zip(piece.chunks_exact_mut(size)) {
            c.copy_from_slice(&value(i).to_le_bytes()[..size]);
        }
    });
    Ok(t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_in_range_and_seeds_differ() {
        let draw = |dtype, seed, range| tensor(dtype, &[4096], "x", seed, range).unwrap().to_i64().unwrap();
        for (dtype, range, within) in [
            (DType::I32, None, 0..8),
            (DType::I64, Some((-3, 5)), -3..5),
            (DType::U8, Some((7, 7)), 0..8),
            (DType::U32, Some((2, 3)), 2..3),
        ] {
            let all = draw(dtype, 0, range);
            assert!(all.iter().all(|v| within.contains(v)), "{dtype:?}");
            assert!(within.clone().all(|v| all.contains(&v)), "{dtype:?}");
        }
        assert_ne!(draw(DType::I32, 0, None), draw(DType::I32, 1, None));
        let coins = tensor(DType::Bool, &[64], "x", 0, None).unwrap().bytes;
        assert!(coins.contains(&0) && coins.contains(&1) && coins.iter().all(|&b| b < 2));
    }
}
