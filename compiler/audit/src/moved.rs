//! Copies of bytes: the destination gets the contents of the source. Slices of tensors are copied between a device's memory
//! and the host's, so a copy may take only a part of a piece.

use crate::affine::{Affine, Var};
use crate::memory::{Memory, Piece};
use crate::piece::COORDINATES;
use std::rc::Rc;

/// The pieces of some bytes, moved to where the bytes are copied; `None` if an element lies only partly in the bytes.
pub(crate) fn copied(memory: &Memory, from: &Affine, to: &Affine, bytes: i64) -> Option<Vec<Piece>> {
    let there = |p: &Rc<Piece>| match memory.is_within(p, from, bytes) {
        true => Some(vec![Piece { base: p.base.minus(from).plus(to, 1), ..(**p).clone() }]),
        false => moved(p, from, to, bytes),
    };
    let parts: Option<Vec<Vec<Piece>>> = memory.seen(from, bytes).iter().rev().map(|x| there(&x.what)).collect();
    parts.map(|all| all.concat())
}

/// The parts of a piece whose elements lie in some bytes, each as it is after the bytes were copied to `to`. `None` where an
/// element lies across their end, or where the piece lies elsewhere in each round.
fn moved(piece: &Piece, from: &Affine, to: &Affine, bytes: i64) -> Option<Vec<Piece>> {
    let start = from.minus(&piece.base).as_constant()?;
    let mut parts = Vec::new();
    part(piece, start, start.checked_add(bytes)?, &mut parts).then_some(())?;
    let there = |p: Piece| Piece { base: p.base.minus(from).plus(to, 1), ..p };
    Some(parts.into_iter().map(there).collect())
}

/// Adds the parts of a piece that lie in bytes `lo..hi` from its first on; `false` if an element lies across their end.
fn part(piece: &Piece, lo: i64, hi: i64, out: &mut Vec<Piece>) -> bool {
    let reach = piece.reach();
    if hi <= 0 || lo >= reach || lo >= hi {
        return true;
    }
    if lo <= 0 && hi >= reach {
        out.push(piece.clone());
        return true;
    }
    let Some(&(stride, count)) = piece.coordinates.first() else { return false };
    let (last, block) = (count as i64 - 1, reach - stride * (count as i64 - 1));
    // Blocks that begin at `lo` or later and end at `hi` or before.
    let first = ceil(lo.max(0), stride);
    let end = if hi < block { 0 } else { ((hi - block) / stride).min(last) + 1 };
    match end - first {
        ..=0 => {}
        // A coordinate has two values or more.
        1 => out.push(row(piece, first)),
        _ => out.push(rows(piece, first, end)),
    }
    // The blocks on both sides are there in part, if at all.
    let before = (first - 1).max(0);
    let after = end.max(first).min(last);
    let cut = [before, after].into_iter().filter(|&i| !(first..end).contains(&i));
    let mut cut: Vec<i64> = cut.collect();
    cut.dedup();
    cut.into_iter().all(|i| part(&row(piece, i), lo - i * stride, hi - i * stride, out))
}

fn ceil(n: i64, by: i64) -> i64 {
    n.div_euclid(by) + i64::from(n.rem_euclid(by) != 0)
}

/// The elements whose first coordinate is in `first..end`.
fn rows(piece: &Piece, first: i64, end: i64) -> Piece {
    let (stride, _) = piece.coordinates[0];
    let mut coordinates = piece.coordinates.clone();
    coordinates[0].1 = (end - first) as u64;
    let on = |v: Var| (v == COORDINATES).then(|| Affine::var(v).shifted(first));
    let content = piece.content.clone().map(&|a| a.with(&on));
    Piece { base: piece.base.shifted(first * stride), coordinates, content, ..piece.clone() }
}

/// The elements with this first coordinate, as a piece of the other coordinates.
fn row(piece: &Piece, i: i64) -> Piece {
    let (stride, _) = piece.coordinates[0];
    let inner = |v: Var| match v.checked_sub(COORDINATES)? {
        0 => Some(Affine::constant(i)),
        n => Some(Affine::var(COORDINATES + n - 1)),
    };
    let content = piece.content.clone().map(&|a| a.with(&inner));
    Piece {
        base: piece.base.shifted(i * stride),
        coordinates: piece.coordinates[1..].to_vec(),
        content,
        ..piece.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Content;
    use crate::place::Place;
    use meshloom_ir::ValueId;

    /// A value of 3 x 4 elements of 4 bytes, with 8 bytes between rows.
    fn piece() -> Piece {
        let content =
            |at: Vec<Affine>| Content::Value(Place { value: ValueId(0), iterations: [].into(), at: at.into() });
        Piece::strided(Affine::constant(100), &[24, 4], &[3, 4], 4, content).expect("rows do not overlap")
    }

    /// Address and coordinates of all elements.
    fn elements(p: &Piece) -> Vec<(i64, Vec<i64>)> {
        let Content::Value(place) = &p.content else { return Vec::new() };
        let count: u64 = p.coordinates.iter().map(|c| c.1).product();
        let mut all: Vec<(i64, Vec<i64>)> = (0..count)
            .map(|n| {
                let (mut rest, mut at) = (n, vec![0; p.coordinates.len()]);
                for (k, &(_, size)) in p.coordinates.iter().enumerate().rev() {
                    at[k] = (rest % size) as i64;
                    rest /= size;
                }
                let base = p.base.as_constant().unwrap_or(-1);
                let address = base + p.coordinates.iter().zip(&at).map(|(c, i)| c.0 * i).sum::<i64>();
                let put = |v: Var| v.checked_sub(COORDINATES).map(|k| Affine::constant(at[k as usize]));
                (address, place.at.iter().map(|a| a.with(&put).as_constant().unwrap_or(-1)).collect())
            })
            .collect();
        all.sort();
        all
    }

    /// All parts of all bytes: the elements that lie there, at the same distance, or none if one lies across an end.
    #[test]
    fn parts_have_the_elements_that_lie_there() {
        let whole = elements(&piece());
        let mut refused = 0;
        for lo in 90..175 {
            for bytes in 1..90 {
                let hi = lo + bytes;
                let across = whole.iter().any(|(a, _)| (*a < lo && a + 4 > lo) || (*a < hi && a + 4 > hi));
                let got = moved(&piece(), &Affine::constant(lo), &Affine::constant(lo + 1000), bytes);
                match got {
                    None => {
                        assert!(across, "{lo}..{hi}");
                        refused += 1;
                    }
                    Some(parts) => {
                        let mut found: Vec<_> = parts.iter().flat_map(elements).collect();
                        found.sort();
                        let want = whole.iter().filter(|(a, _)| *a >= lo && a + 4 <= hi);
                        let want: Vec<_> = want.map(|(a, at)| (a + 1000, at.clone())).collect();
                        assert!(!across && found == want, "{lo}..{hi}: {found:?}");
                    }
                }
            }
        }
        assert!(refused > 1000, "{refused}");
    }
}
