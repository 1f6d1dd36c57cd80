//! How much of a GPU a contraction of a given shape uses.
//!
//! A matmul's result is computed tile by tile, on each processor (SM) one at a time. Three things are lost to the shape:
//!
//! - tiles are computed whole, so a matmul of 16 rows does the work of one of as many rows as its tile has;
//! - the last wave of tiles leaves processors idle (wave quantization);
//! - the first operands of a tile are waited for and its result is written, which takes as long as some steps along `k`.
//!
//! The table of tiles is the target's. Libraries choose among some shapes of tiles, and may split `k` where tiles are few;
//! so does this, by the least time (NVIDIA, "Matrix Multiplication Background User's Guide", sections 4 and 5).
//!
//! Not here: rates of whole tiles, which are the target's, and memory.

use meshloom_ir::{Einsum, TensorType};
use std::borrow::Borrow;

/// Parts into which `k` may be split.
const SPLITS: [u64; 4] = [1, 2, 4, 8];

/// What computes tiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tiles {
    pub processors: u64,
    /// Steps along `k` in bf16 that a tile takes longer than its own. It is the wait for memory, and as long in other types.
    pub fill: u64,
    pub shapes: Vec<TileShape>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileShape {
    pub rows: u64,
    pub columns: u64,
    /// Of the rate of the best tile, in per mille: small tiles read more for what they compute.
    pub rate: u64,
}

/// A matmul: `batch` products of `m x k` and `k x n`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatmulShape {
    pub batch: u64,
    pub m: u64,
    pub n: u64,
    pub k: u64,
}

impl MatmulShape {
    /// That of an einsum of two operands; dims that one operand has alone and the result lacks are summed, as `k` is.
    pub fn of<T: Borrow<TensorType>>(e: &Einsum, operands: &[T]) -> Option<MatmulShape> {
        let [a, b] = operands else { return None };
        let (a, b): (&TensorType, &TensorType) = (a.borrow(), b.borrow());
        let mut shape = MatmulShape { batch: 1, m: 1, n: 1, k: 1 };
        let [in_a, in_b] = &e.operands[..] else { return None };
        let sizes = in_a.iter().zip(&a.shape).map(|(c, n)| (*c, *n));
        let only_b = in_b.iter().zip(&b.shape).filter(|(c, _)| !in_a.contains(c)).map(|(c, n)| (*c, *n));
        for (c, n) in sizes.chain(only_b) {
            let of = match (e.result.contains(&c), in_a.contains(&c), in_b.contains(&c)) {
                (false, ..) => &mut shape.k,
                (true, true, true) => &mut shape.batch,
                (true, true, false) => &mut shape.m,
                _ => &mut shape.n,
            };
            *of = of.saturating_mul(n);
        }
        Some(shape)
    }
}

impl Tiles {
    /// The operations that all processors could do in the time of this matmul, at the rate of the best tile; `fill` is in steps
    /// of its type.
    pub fn operations(&self, s: MatmulShape, fill: u64) -> u128 {
        let least = |t: &TileShape| {
            let across = |rows, columns| u128::from(s.m.div_ceil(rows)) * u128::from(s.n.div_ceil(columns));
            let tiles = across(t.rows, t.columns).min(across(t.columns, t.rows)).saturating_mul(s.batch.into());
            let per_step = 2 * u128::from(t.rows) * u128::from(t.columns) * u128::from(self.processors);
            let split = |parts: u64| {
                let waves = tiles.saturating_mul(parts.into()).div_ceil(self.processors.into());
                let steps = u128::from(s.k.div_ceil(parts)) + u128::from(fill);
                waves.saturating_mul(per_step).saturating_mul(steps)
            };
            let splits = SPLITS.iter().filter(|&&p| p == 1 || s.k / p >= fill).map(|&p| split(p));
            splits.min().unwrap_or(u128::MAX).saturating_mul(1000) / u128::from(t.rate)
        };
        self.shapes.iter().map(least).min().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles() -> Tiles {
        let shapes =
            vec![TileShape { rows: 256, columns: 128, rate: 1000 }, TileShape { rows: 64, columns: 64, rate: 500 }];
        Tiles { processors: 100, fill: 100, shapes }
    }

    fn efficiency(batch: u64, m: u64, n: u64, k: u64) -> f64 {
        let s = MatmulShape { batch, m, n, k };
        2.0 * (batch * m * n * k) as f64 / tiles().operations(s, tiles().fill) as f64
    }

    #[test]
    fn whole_waves_of_deep_tiles_are_efficient() {
        // 100 tiles: one wave.
        assert!((efficiency(1, 2560, 1280, 9900) - 0.99).abs() < 1e-3);
        assert!((efficiency(100, 256, 128, 100) - 0.5).abs() < 1e-3, "half of the time is the fill");
        // One row of tiles more: two waves, of which the second is nearly empty.
        assert!((efficiency(1, 2560 + 256, 1280, 100) - 0.275).abs() < 1e-3);
        // Eight tiles, each in eight parts along k.
        assert!((efficiency(1, 1024, 256, 80_000) - 0.64).abs() < 0.02);
    }

    #[test]
    fn few_rows_do_the_work_of_a_tile() {
        let one = efficiency(1, 1, 6400, 1 << 20);
        assert!((0.5 / 64.0 - one).abs() < 1e-3, "{one}");
    }

    #[test]
    fn the_shape_of_an_einsum() {
        let e = Einsum::parse("bse,nehd->nbhsd").unwrap();
        let t = |shape: &[u64]| TensorType::new(meshloom_ir::DType::BF16, shape.to_vec());
        let s = MatmulShape::of(&e, &[t(&[2, 3, 5]), t(&[7, 5, 11, 13])]).unwrap();
        assert_eq!(s, MatmulShape { batch: 1, m: 6, n: 7 * 11 * 13, k: 5 });
        let e = Einsum::parse("bij,bjk->bik").unwrap();
        let s = MatmulShape::of(&e, &[t(&[2, 3, 5]), t(&[2, 5, 7])]).unwrap();
        assert_eq!(s, MatmulShape { batch: 2, m: 3, n: 7, k: 5 });
    }
}
