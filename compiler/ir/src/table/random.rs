//! Counter-based random bits: an element is a function of the key and of its index in the whole tensor, so that a program has
//! the same random numbers on every mesh, and a recomputed value is the same value.
//!
//! The function is Threefry-2x32 with 20 rounds (Salmon et al., 2011), as in JAX. Its counter is the element's flat index in
//! two words: over as many of the last dims as 31 bits count, and over the dims before them.

use super::{BASE, Class, Cost, INT, NO_TEXT, OpDef, Text, arity, attrs};
use crate::factor::{FactorKind, FactorRule};
use crate::mesh::Axis;
use crate::op::Op;
use crate::tensor::{Tensor, for_each_index};
use crate::text::show_split;
use crate::types::{DType, TensorType};
use crate::verify::{check_axes, check_shape};

/// The entries of this family.
pub static ENTRIES: &[&OpDef] = &[&RANDOM_BITS];

/// By how much the second word turns in each round; even rounds, then odd ones.
pub const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];

/// Both words of Threefry-2x32.
pub fn threefry(key: [u32; 2], counter: [u32; 2]) -> [u32; 2] {
    let keys = [key[0], key[1], key[0] ^ key[1] ^ 0x1bd1_1bda];
    let mut x = [counter[0].wrapping_add(keys[0]), counter[1].wrapping_add(keys[1])];
    for round in 0..5usize {
        for r in ROTATIONS[round % 2] {
            x[0] = x[0].wrapping_add(x[1]);
            x[1] = x[1].rotate_left(r) ^ x[0];
        }
        x[0] = x[0].wrapping_add(keys[(round + 1) % 3]);
        x[1] = x[1].wrapping_add(keys[(round + 2) % 3]).wrapping_add(round as u32 + 1);
    }
    x
}

/// Where the dims of the second word begin: of a whole tensor's shape.
pub fn split(total: &[u64]) -> usize {
    let mut n = 1u64;
    let mut fits = |d: &u64| {
        n = n.saturating_mul(*d);
        n <= 1 << 31
    };
    total.len() - total.iter().rev().take_while(|d| fits(d)).count()
}

pub static RANDOM_BITS: OpDef = OpDef {
    name: "random_bits",
    class: Class::Random,
    text: Text {
        show: |op, mesh| {
            let (total, shard) = attrs!(op, Op::RandomBits { total, shard, .. } => (total, shard));
            let split = if shard.is_empty() { String::new() } else { format!(" split {}", show_split(shard, mesh)) };
            Some(format!("of {total:?}{split}"))
        },
        read: Some(|a| {
            a.c.expect_word("of")?;
            Ok(Op::RandomBits { shape: Vec::new(), total: a.sizes()?, shard: a.split()? })
        }),
        complete: |op, ty| {
            if let Op::RandomBits { shape, .. } = op {
                shape.clone_from(&ty.shape);
            }
        },
        ..NO_TEXT
    },
    check: |op, mesh| {
        let (shape, total, shard) = attrs!(op, Op::RandomBits { shape, total, shard } => (shape, total, shard));
        check_shape(shape)?;
        check_shape(total)?;
        let axes: Vec<Axis> = shard.iter().flatten().copied().collect();
        check_axes(&axes, mesh)?;
        let blocks = |d: usize| shard.get(d).map_or(1, |a| mesh.group_size(a));
        let fits = shape.len() == total.len()
            && (shard.is_empty() || shard.len() == total.len() && !axes.is_empty())
            && (0..total.len()).all(|d| total[d].div_ceil(blocks(d)) == shape[d]);
        fits.then_some(()).ok_or_else(|| format!("`random_bits` of {shape:?} here of {total:?} in all"))
    },
    cost: Cost::Fused,
    batch: |_, _| Err("its key differs between devices"),
    reads_device: |op| attrs!(op, Op::RandomBits { shard, .. } => !shard.is_empty()),
    infer: |op, xs, _| {
        arity(op, xs, 1)?;
        if *xs[0] != TensorType::new(DType::I32, [2]) {
            return Err(format!("a key is i32[2], not {}", xs[0]));
        }
        Ok(TensorType::new(DType::I32, attrs!(op, Op::RandomBits { shape, .. } => shape.clone())))
    },
    factors: |_, _, r| {
        let mut rule = FactorRule::elementwise(&r.shape, 0, Vec::new());
        rule.sizes.push(2);
        rule.kinds.push(FactorKind::Blocked);
        rule.operands = vec![vec![vec![rule.sizes.len() - 1]]];
        rule
    },
    localize: |op, l| {
        let total = attrs!(op, Op::RandomBits { total, .. } => total.clone());
        let mut shard: Vec<_> =
            (0..total.len()).map(|d| l.assignment.factors.get(&d).cloned().unwrap_or_default()).collect();
        if shard.iter().all(Vec::is_empty) {
            shard.clear();
        }
        Op::RandomBits { shape: l.result.shape.clone(), total, shard }
    },
    eval: |op, xs, cx| {
        let (shape, total, shard) = attrs!(op, Op::RandomBits { shape, total, shard } => (shape, total, shard));
        let key = [xs[0].i(0) as u32, xs[0].i(1) as u32];
        let start: Vec<u64> =
            (0..shape.len()).map(|d| shard.get(d).map_or(0, |a| cx.mesh.index_in(cx.device, a) * shape[d])).collect();
        let at = split(total);
        let mut out = Vec::new();
        for_each_index(shape, |_, idx| {
            let word = |dims: std::ops::Range<usize>| {
                dims.fold(0u64, |n, d| n.wrapping_mul(total[d]).wrapping_add(start[d] + idx[d] as u64)) as u32
            };
            let bits = threefry(key, [word(0..at), word(at..shape.len())])[0];
            out.push(i64::from(bits as i32));
        });
        Tensor::ints(DType::I32, shape, out)
    },
    flops: |_, _, r| r.elements().saturating_mul(60),
    samples: |put| put(Op::RandomBits { shape: vec![4, 6], total: vec![4, 6], shard: vec![] }, &[(INT, &[2])]),
    ..BASE
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of the authors' library.
    #[test]
    fn as_published() {
        assert_eq!(threefry([0, 0], [0, 0]), [0x6b20_0159, 0x99ba_4efe]);
        assert_eq!(threefry([u32::MAX; 2], [u32::MAX; 2]), [0x1cb9_96fc, 0xbb00_2be7]);
        assert_eq!(threefry([0x1319_8a2e, 0x0370_7344], [0x243f_6a88, 0x85a3_08d3]), [0xc492_3a9c, 0x483d_f7a0]);
    }

    #[test]
    fn counters_of_large_tensors_have_two_words() {
        assert_eq!(split(&[8, 16]), 0);
        assert_eq!(split(&[4, 1 << 20, 1 << 11]), 1);
        assert_eq!(split(&[1 << 20, 1 << 20]), 1);
    }
}
