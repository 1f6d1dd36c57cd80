//! Normalization: before fusion, ops that no kernel computes as they stand become ops that some kernel does.
//!
//! - Uneven dims become even ones ([`crate::uneven`]).
//! - Composites without a kernel of their own are expanded.
//! - A reduction over several dims that include the last becomes a reduction of rows, and another one of the other
//!   dims.
//! - A reduction of one long row is cut in blocks, so that it has more than one unit of work.
//! - Rotations, padded windows, ops along a dim that is not the last, and operands of 8 bits are written in simpler
//!   ops.
//! - On CPUs, a product of a matrix and one vector becomes a product and its sum ([`crate::vector_product`]).
//! - A contraction of integers becomes a product and its sum where no GPU's tensor cores multiply them.
//!
//! The order of every sum is fixed here. It does not depend on the number of threads.

use crate::contracted::size_of;
use crate::inserted::{Spread, insert_before, push, spread};
use crate::vector_product;
use meshloom_ir::{
    Class, DType, Func, Literal, Op, OpId, Reduction, RegionId, Scalar, Span, TensorType, ValueId, Window,
};
use meshloom_kernels::Device;
use meshloom_kernels::gpu::ALIGN;
use std::collections::BTreeMap;

/// Rows that are longer than this are reduced in blocks.
const LONG_ROW: u64 = 1 << 14;

/// Rows (or columns) of a result from which on an operand of integers of 8 bits that does not lie along a summed dim is transposed
/// into a copy: two of the large tiles read it. Not measured.
const TURNED_ONCE: u64 = 256;

/// A composite that runs as the ops of its body, so that the values between them take memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expanded {
    pub name: String,
    pub why: String,
    pub span: Span,
}

/// A normalized function.
pub struct Normal {
    pub func: Func,
    /// For each op, the op of the given function that it comes from.
    pub origin: Vec<u32>,
    pub expanded: Vec<Expanded>,
    /// What is stored for products that were written out.
    pub stored: vector_product::Stored,
}

/// Normalizes a function for a kind of device.
pub fn normalize(func: &Func, device: Device) -> Normal {
    let mut f = func.clone();
    let mut origin: Vec<u32> = (0..f.ops.len() as u32).collect();
    crate::uneven::even(&mut f, &mut origin);
    let mut renamed: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    let (mut expanded, mut products) = (Vec::new(), Vec::new());
    for r in 0..f.regions.len() {
        // A composite's body is its meaning, not code.
        if f.regions[r].owner.is_some_and(|o| matches!(f.op(o).op, Op::Composite { .. })) {
            continue;
        }
        let mut at = 0;
        while at < f.regions[r].ops.len() {
            let o = f.regions[r].ops[at];
            if let Op::Composite { name, .. } = &f.op(o).op
                && let Err(why) = crate::composite::call(&f, o)
            {
                expanded.push(Expanded { name: name.clone(), why, span: f.op(o).span });
                inline(&mut f, RegionId(r as u32), at, &mut renamed, &mut origin);
                continue;
            }
            if let Some((i, first, rest)) = split_contraction(&f, o) {
                let inserted = insert_before(&mut f, o, i, vec![first]);
                f.regions[r].ops.splice(at..at, inserted.iter().copied());
                origin.resize(f.ops.len(), origin[o.index()]);
                f.ops[o.index()].operands[i] = f.ops[inserted[0].index()].results[0];
                f.ops[o.index()].op = rest;
                continue;
            }
            if let Some((i, first, rest)) = narrow_operand(&f, o, device) {
                let inserted = insert_before(&mut f, o, i, first);
                f.regions[r].ops.splice(at..at, inserted.iter().copied());
                origin.resize(f.ops.len(), origin[o.index()]);
                let last = *inserted.last().unwrap_or(&o);
                f.ops[o.index()].operands[i] = f.ops[last.index()].results[0];
                f.ops[o.index()].op = rest;
                continue;
            }
            let simpler = match f.op(o).op {
                Op::Rotate { dim, by, mirror } => Some(rotated(&mut f, o, dim, by, mirror)),
                _ if device.gpu().is_none() => plain_product(&mut f, o),
                _ => None,
            };
            if let Some(inserted) = simpler {
                f.regions[r].ops.splice(at..at, inserted);
                origin.resize(f.ops.len(), origin[o.index()]);
                continue;
            }
            if device.gpu().is_none()
                && let Some(written) = vector_product::written_out(&mut f, o)
            {
                f.regions[r].ops.splice(at..at, written.before.iter().copied());
                origin.resize(f.ops.len(), origin[o.index()]);
                products.push(written);
                continue;
            }
            if let Op::Windows { dim, window } = f.op(o).op
                && window.pads()
            {
                let inserted = padded(&mut f, o, dim, window);
                at += inserted.len();
                f.regions[r].ops.splice(at - inserted.len()..at - inserted.len(), inserted);
                origin.resize(f.ops.len(), origin[o.index()]);
                continue;
            }
            if let Some((first, rest)) = split(&f, o) {
                let inserted = insert_before(&mut f, o, 0, first);
                f.regions[r].ops.splice(at..at, inserted.iter().copied());
                origin.resize(f.ops.len(), origin[o.index()]);
                let last = *inserted.last().unwrap_or(&o);
                f.ops[o.index()].operands = f.ops[last.index()].results.clone();
                f.ops[o.index()].op = rest;
                at += inserted.len();
                // What is left may split again.
                continue;
            }
            at += 1;
        }
    }
    rename(&mut f, &renamed);
    let stored = vector_product::stored(&f, &products);
    Normal { func: f, origin, expanded, stored }
}

/// Puts the body of the composite at position `at` of a region into the composite's place.
fn inline(f: &mut Func, region: RegionId, at: usize, renamed: &mut BTreeMap<ValueId, ValueId>, origin: &mut [u32]) {
    let o = f.region(region).ops[at];
    let data = f.op(o).clone();
    let body = f.region(data.regions[0]).clone();
    renamed.extend(body.args.iter().copied().zip(data.operands.iter().copied()));
    renamed.extend(data.results.iter().copied().zip(body.yields.iter().copied()));
    for &inner in &body.ops {
        f.ops[inner.index()].parent = region;
        origin[inner.index()] = origin[o.index()];
    }
    f.regions[region.index()].ops.splice(at..=at, body.ops);
    f.regions[data.regions[0].index()].ops.clear();
}

/// Replaces each value by what it was renamed to, as often as that was renamed in turn.
fn rename(f: &mut Func, renamed: &BTreeMap<ValueId, ValueId>) {
    let last = |v: &mut ValueId| {
        while let Some(&n) = renamed.get(v) {
            *v = n;
        }
    };
    f.ops.iter_mut().for_each(|o| o.operands.iter_mut().for_each(last));
    f.regions.iter_mut().for_each(|r| r.yields.iter_mut().for_each(last));
}

/// Makes two slices of a rotation, put together; of a mirrored one a reversal, and a rotation of what that gives. The ops that it
/// needs before it.
fn rotated(f: &mut Func, o: OpId, dim: usize, by: u64, mirror: bool) -> Vec<OpId> {
    if !mirror {
        let [front, back] = turned(f, o, dim, by);
        let mut inserted = insert_before(f, o, 0, vec![front]);
        inserted.extend(insert_before(f, o, 0, vec![back]));
        f.ops[o.index()].operands = inserted.iter().map(|i| f.ops[i.index()].results[0]).collect();
        f.ops[o.index()].op = Op::Concatenate { dim };
        return inserted;
    }
    let n = f.ty(f.op(o).operands[0]).shape[dim];
    // Reversed, the last entry is the first; it belongs at `by - (n - 1)`.
    let by = (by + 1) % n.max(1);
    if by == 0 {
        f.ops[o.index()].op = Op::Reverse { dim };
        return Vec::new();
    }
    let inserted = insert_before(f, o, 0, vec![Op::Reverse { dim }]);
    f.ops[o.index()].operands = inserted.iter().map(|i| f.ops[i.index()].results[0]).collect();
    f.ops[o.index()].op = Op::Rotate { dim, by, mirror: false };
    inserted
}

/// The two slices of a rotated value: the elements that wrap around to its front, then the others.
fn turned(f: &Func, o: OpId, dim: usize, by: u64) -> [Op; 2] {
    let shape = &f.ty(f.op(o).operands[0]).shape;
    let at = shape[dim] - by;
    let slice = |from: u64, to: u64| {
        let (mut start, mut limit) = (vec![0; shape.len()], shape.clone());
        (start[dim], limit[dim]) = (from, to);
        Op::Slice { start, limit }
    };
    [slice(at, shape[dim]), slice(0, at)]
}

/// Windows over a padded operand. The memory is padded with zeros. Where another number is asked for, a `select` puts
/// it in their place, inside the kernel that reads them.
fn padded(f: &mut Func, o: OpId, dim: usize, window: Window) -> Vec<OpId> {
    let TensorType { dtype, shape } = f.ty(f.op(o).operands[0]).clone();
    let (before, behind) = (window.low.max(0) as u64, window.high.max(0) as u64);
    let (mut low, mut high) = (vec![0; shape.len()], vec![0; shape.len()]);
    (low[dim], high[dim]) = (before, behind);
    let mut all = insert_before(f, o, 0, vec![Op::Pad { low, high }]);
    let mut x = f.op(all[0]).results[0];
    if window.fill.as_f64() != 0.0 {
        let wide = f.ty(x).shape.clone();
        let mut add = |op: Op, operands: Vec<ValueId>, ty: TensorType| {
            let id = push(f, o, op, operands, ty);
            all.push(id);
            f.op(id).results[0]
        };
        let number = |n: u64| Op::Constant {
            dtype: DType::I32,
            shape: wide.clone(),
            value: Literal::Splat(Scalar::Int(n as i64)),
        };
        let (places, truth) = (TensorType::new(DType::I32, wide.clone()), TensorType::new(DType::Bool, wide.clone()));
        let at = Op::Iota { dtype: DType::I32, shape: wide.clone(), dim, shard: Vec::new() };
        let at = add(at, vec![], places.clone());
        let first = add(number(before), vec![], places.clone());
        let last = add(number(before + shape[dim]), vec![], places);
        let elem = |name: &str| Op::elem(name).expect("a row of the table");
        let from = add(elem("compare_ge"), vec![at, first], truth.clone());
        let to = add(elem("compare_lt"), vec![at, last], truth.clone());
        let inside = add(elem("and"), vec![from, to], truth);
        let ty = TensorType::new(dtype, wide.clone());
        let fill =
            add(Op::Constant { dtype, shape: wide.clone(), value: Literal::Splat(window.fill) }, vec![], ty.clone());
        x = add(elem("select"), vec![inside, x, fill], ty);
    }
    let (low, high) = (window.low.min(0), window.high.min(0));
    f.ops[o.index()].operands = vec![x];
    f.ops[o.index()].op = Op::Windows { dim, window: Window { low, high, ..window } };
    all
}

/// The ops that come before a reduction (or before an op along a dim that must be the last), and the op that is left.
fn split(f: &Func, o: OpId) -> Option<(Vec<Op>, Op)> {
    let op = &f.op(o).op;
    if let (Class::Sort, Some((dim, along))) = (op.class(), op.entry().along) {
        return rows_first(f.ty(f.op(o).operands[0]).rank(), dim(op), |dim| along(op, dim));
    }
    let Op::Reduce { kind, dims } = &f.op(o).op else { return None };
    let shape = &f.ty(f.op(o).operands[0]).shape;
    let last = shape.len().checked_sub(1)?;
    if *dims.last()? != last {
        return None;
    }
    let row = |d: usize| Op::Reduce { kind: *kind, dims: vec![d] };
    if dims.len() > 1 {
        return Some((vec![row(last)], Op::Reduce { kind: *kind, dims: dims[..dims.len() - 1].to_vec() }));
    }
    let n = shape[last];
    let rows: u64 = shape[..last].iter().product();
    if rows >= 4 || n < LONG_ROW {
        return None;
    }
    let piece = (64..=4096).rev().find(|&p| n.is_multiple_of(p))?;
    let mut pieces = shape.clone();
    pieces[last] = n / piece;
    pieces.push(piece);
    Some((vec![Op::Reshape { shape: pieces }, row(last + 1)], row(last)))
}

/// An op along a dim that is not the last: the same op along the last dim, between two transposes.
fn rows_first(rank: usize, dim: usize, op: impl Fn(usize) -> Op) -> Option<(Vec<Op>, Op)> {
    if dim + 1 == rank {
        return None;
    }
    let perm: Vec<usize> = (0..rank).filter(|&d| d != dim).chain([dim]).collect();
    let mut back = vec![0; rank];
    for (i, &p) in perm.iter().enumerate() {
        back[p] = i;
    }
    Some((vec![Op::Transpose { perm }, op(rank - 1)], Op::Transpose { perm: back }))
}

/// For a contraction that sums a dim which only one operand has: the operand, its reduction, and the contraction that
/// is left.
fn split_contraction(f: &Func, o: OpId) -> Option<(usize, Op, Op)> {
    let Op::DotGeneral(e) = &f.op(o).op else { return None };
    (0..2).find_map(|i| {
        let alone = |c: &char| !e.result.contains(c) && !e.operands[1 - i].contains(c);
        let dims: Vec<usize> = (0..e.operands[i].len()).filter(|&d| alone(&e.operands[i][d])).collect();
        if dims.is_empty() {
            return None;
        }
        let mut rest = e.clone();
        rest.operands[i].retain(|c| !alone(c));
        Some((i, Op::Reduce { kind: Reduction::Sum, dims }, Op::DotGeneral(rest)))
    })
}

/// A contraction of integers as the sum of a product, for which it becomes the sum; the ops before it. Both operands are spread over
/// all dims, those that are summed last, which takes no memory. `None` for other ops.
fn plain_product(f: &mut Func, o: OpId) -> Option<Vec<OpId>> {
    let Op::DotGeneral(e) = f.op(o).op.clone() else { return None };
    let to = e.to.filter(|to| !to.is_float())?;
    let summed = e.contracted();
    let all: Vec<char> = e.result.iter().chain(&summed).copied().collect();
    let Spread { before: mut inserted, operands: wide, shape } = spread(f, o, &all, to)?;
    let multiply = Op::elem("multiply")?;
    if summed.is_empty() {
        (f.ops[o.index()].op, f.ops[o.index()].operands) = (multiply, wide);
        return Some(inserted);
    }
    let product = push(f, o, multiply, wide, TensorType::new(to, shape));
    inserted.push(product);
    f.ops[o.index()].operands = f.op(product).results.clone();
    let dims = (e.result.len()..all.len()).collect();
    f.ops[o.index()].op = Op::Reduce { kind: Reduction::Sum, dims };
    Some(inserted)
}

/// For a contraction with an 8-bit operand that the device cannot multiply as it is: the operand, the ops that change
/// it, and the contraction of their result.
///
/// A device without instructions for floats of 8 bits multiplies bf16, which has all of these numbers. A device with such
/// instructions takes operands whose last dim is a summed one, so another operand is transposed into a copy. The copy
/// costs no kernel of its own if nobody else reads the operand: then the kernel that rounds the operand writes it.
///
/// All GPUs multiply integers, and turn an operand that lies another way on its way to tensor cores. Each tile does that anew, so
/// an operand that many tiles read is transposed into a copy as well.
fn narrow_operand(f: &Func, o: OpId, device: Device) -> Option<(usize, Vec<Op>, Op)> {
    let data = f.op(o);
    let narrow = |v: &ValueId| f.ty(*v).dtype.is_float8();
    let Op::DotGeneral(e) = &data.op else { return None };
    if narrow(&data.results[0]) {
        return None;
    }
    let integers = data.operands.iter().all(|v| f.ty(*v).dtype.is_int8());
    let multiplies = if integers { device.gpu().is_some() } else { device.multiplies_float8() };
    let Some(along) = summed_along(f, o).filter(|_| multiplies) else {
        let i = data.operands.iter().position(narrow)?;
        return Some((i, vec![Op::Convert { to: DType::BF16 }], data.op.clone()));
    };
    let others = |i: usize| -> u64 {
        let free = e.operands[1 - i].iter().filter(|c| !e.operands[i].contains(c));
        free.map(|&c| size_of(f, &data.operands, e, c)).product()
    };
    let copied = |i: usize| !integers || others(i) >= TURNED_ONCE;
    let i = (0..2).find(|&i| e.operands[i].last() != Some(&along) && copied(i))?;
    let subscripts = &e.operands[i];
    let mut perm: Vec<usize> = (0..subscripts.len()).filter(|&d| subscripts[d] != along).collect();
    perm.extend(subscripts.iter().position(|&c| c == along));
    let mut rest = e.clone();
    rest.operands[i] = perm.iter().map(|&d| subscripts[d]).collect();
    let to = f.ty(data.operands[i]).dtype;
    // The conversion changes nothing; it is what gets memory of its own.
    Some((i, vec![Op::Transpose { perm }, Op::Convert { to }], Op::DotGeneral(rest)))
}

/// The summed dim that should be the last of both operands in a contraction of 8 bits. It is the one that needs the
/// fewest copies. `None` if rows of its length would not begin at multiples of [`ALIGN`] bytes.
fn summed_along(f: &Func, o: OpId) -> Option<char> {
    let data = f.op(o);
    let Op::DotGeneral(e) = &data.op else { return None };
    let all = |is: fn(DType) -> bool| data.operands.iter().all(|v| is(f.ty(*v).dtype));
    if !all(DType::is_float8) && !all(DType::is_int8) {
        return None;
    }
    let summed = |c: &char| !e.result.contains(c) && e.operands[1].contains(c);
    let last = e.operands.iter().filter_map(|subscripts| subscripts.last().copied().filter(summed)).next();
    let along = last.or_else(|| e.operands[0].iter().copied().rfind(summed))?;
    let at = e.operands[0].iter().position(|&c| c == along)?;
    f.ty(data.operands[0]).shape[at].is_multiple_of(ALIGN).then_some(along)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_ir::{Builder, DType, Mesh};

    #[test]
    fn a_rotation_within_a_device_is_two_slices() {
        let mut b = Builder::new("f", Mesh::default());
        let x = b.constant(DType::F32, &[4, 5], 1.0);
        b.op(Op::Rotate { dim: 1, by: 2, mirror: false }, &[x]);
        let g = normalize(&b.finish(), Device::Cpu).func;
        let ops: Vec<&Op> = g.body().ops[1..].iter().map(|&o| &g.op(o).op).collect();
        let slice = |from, to| Op::Slice { start: vec![0, from], limit: vec![4, to] };
        assert_eq!(ops, [&slice(3, 5), &slice(0, 3), &Op::Concatenate { dim: 1 }]);
    }

    #[test]
    fn a_mirrored_rotation_within_a_device_is_a_reversal_and_slices() {
        let ops = |by| {
            let mut b = Builder::new("f", Mesh::default());
            let x = b.constant(DType::F32, &[4, 5], 1.0);
            b.op(Op::Rotate { dim: 1, by, mirror: true }, &[x]);
            let g = normalize(&b.finish(), Device::Cpu).func;
            g.body().ops[1..].iter().map(|&o| g.op(o).op.name()).collect::<Vec<_>>()
        };
        assert_eq!(ops(2), ["reverse", "slice", "slice", "concatenate"]);
        assert_eq!(ops(4), ["reverse"]);
    }

    #[test]
    fn reductions_become_row_reductions_and_the_rest() {
        let mut b = Builder::new("f", Mesh::default());
        let x = b.constant(DType::F32, &[4, 8, 65536], 1.0);
        let y = b.reduce(Reduction::Sum, x, &[0, 1, 2]);
        let f = b.finish();
        let Normal { func: g, origin, .. } = normalize(&f, Device::Cpu);
        let kinds: Vec<String> = g.body().ops.iter().map(|&o| format!("{:?}", g.op(o).op)).collect();
        assert_eq!(g.body().ops.len(), 4, "{kinds:?}");
        assert_eq!(origin.len(), g.ops.len());
        assert_eq!(g.ty(y).rank(), 0);
    }
}
