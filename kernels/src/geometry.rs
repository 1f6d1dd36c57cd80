//! Arithmetic on dims and strides, for specs and emitters alike.

use crate::expr::{Access, Body, DType, Node};

pub fn product(dims: &[u64]) -> u64 {
    dims.iter().product()
}

pub fn ceil_div(a: u64, b: u64) -> u64 {
    a.div_ceil(b)
}

pub fn round_up(a: u64, to: u64) -> u64 {
    a.div_ceil(to) * to
}

/// Row-major strides.
pub fn row_major(dims: &[u64]) -> Vec<i64> {
    let mut strides = vec![1i64; dims.len()];
    for i in (0..dims.len().saturating_sub(1)).rev() {
        strides[i] = strides[i + 1] * dims[i + 1] as i64;
    }
    strides
}

/// The largest element that an access touches over a space, plus one; 0 where it moves along a dim that has no points.
pub fn extent(access: &Access, space: &[u64]) -> u64 {
    if access.strides.iter().zip(space).any(|(&s, &d)| s != 0 && d == 0) {
        return 0;
    }
    let reach: i64 = access.strides.iter().zip(space).map(|(&s, &d)| s.max(0) * (d.max(1) as i64 - 1)).sum();
    (access.offset + reach + 1).max(0) as u64
}

/// Row-major decomposition of a linear index.
pub fn unravel(mut linear: u64, dims: &[u64]) -> Vec<u64> {
    let mut index = vec![0; dims.len()];
    for (i, &d) in dims.iter().enumerate().rev() {
        index[i] = linear % d.max(1);
        linear /= d.max(1);
    }
    index
}

/// Whether dim `outer` can be a part of `inner`: every access steps from row to row as it would within a row.
fn mergeable(dims: &[u64], body: &Body, outer: usize, inner: usize) -> bool {
    let iota = body.nodes.iter().any(|n| matches!(n, Node::Iota { dim } if [outer, inner].contains(&(*dim as usize))));
    !iota && body.accesses().all(|a| a.strides[outer] == a.strides[inner] * dims[inner] as i64)
}

/// Makes dim `outer` a part of `inner`, where that can be. The two need not be neighbours.
pub fn merge(dims: &mut Vec<u64>, body: &mut Body, outer: usize, inner: usize) -> bool {
    let can = mergeable(dims, body, outer, inner);
    if can {
        dims[inner] *= dims[outer];
        remove_dim(dims, body, outer);
    }
    can
}

fn remove_dim(dims: &mut Vec<u64>, body: &mut Body, i: usize) {
    dims.remove(i);
    body.accesses_mut().for_each(|a| {
        a.strides.remove(i);
    });
    for n in &mut body.nodes {
        match n {
            Node::Iota { dim } if *dim as usize == i => *n = Node::Const { dtype: DType::I32, bits: 0 },
            Node::Iota { dim } if *dim as usize > i => *dim -= 1,
            _ => {}
        }
    }
}

/// Drops dims of size 1 and merges neighbours within `range` of the space. The range keeps at least one dim. Returns
/// how many dims were removed. Kernels become equal if they differ only in how a contiguous block was split into dims.
pub fn collapse(dims: &mut Vec<u64>, body: &mut Body, range: std::ops::Range<usize>) -> usize {
    let (mut i, mut end) = (range.start, range.end);
    while end - range.start > 1 && i < end {
        if dims[i] == 1 {
            remove_dim(dims, body, i);
        } else if !(i + 1 < end && merge(dims, body, i, i + 1)) {
            i += 1;
            continue;
        }
        end -= 1;
        i = range.start;
    }
    range.end - end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contiguous_dims_become_one() {
        let mut body = Body::new(&[DType::F32, DType::F32]);
        let x = body.leaf(Access::new(0, &[60, 12, 4, 1]));
        body.output(x, Access::new(1, &[60, 12, 4, 1]));
        let mut dims = vec![2, 5, 3, 4];
        assert_eq!(collapse(&mut dims, &mut body, 0..4), 3);
        assert_eq!(dims, [120]);
        assert_eq!(body.outputs[0].access.strides, [1]);
    }

    #[test]
    fn broadcasts_and_iotas_keep_their_dims() {
        let mut body = Body::new(&[DType::F32, DType::F32]);
        let (x, i) = (body.leaf(Access::new(0, &[0, 4, 1])), body.iota(0));
        let i = body.convert(i, DType::F32);
        let y = body.elem(crate::expr::Elem::Add, &[x, i]);
        body.output(y, Access::new(1, &[12, 4, 1]));
        let mut dims = vec![2, 3, 4];
        collapse(&mut dims, &mut body, 0..3);
        assert_eq!(dims, [2, 12]);
    }
}
