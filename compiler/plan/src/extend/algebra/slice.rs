//! Slices move towards the operands, so that only what is read is computed and moved. `slice(x y) = slice(x) y`, and so through
//! all ops that treat the elements of a dim alike, down to where the tensor comes from. If slices are all that is read of a
//! tensor (queries, keys and values out of one contraction), each slice becomes a contraction of its own with a slice of the
//! weight.

use super::graph::{Algebra, Rule};
use super::law;
use meshloom_ir::types::dim_groups;
use meshloom_ir::{At, Class, Literal, Op, OpData, OpId, Part, TensorType, ValueId};

pub const RULES: &[Rule] = &[Rule {
    name: "slice",
    about: "a slice of an op's result is the op on slices of its operands",
    reassociates: false,
    apply: slices,
}];

/// `start..limit` of each dim.
#[derive(Clone, Debug)]
struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    fn whole(shape: &[u64]) -> Ranges {
        Ranges(shape.iter().map(|&n| (0, n)).collect())
    }

    fn shape(&self) -> Vec<u64> {
        self.0.iter().map(|(s, l)| l - s).collect()
    }
}

fn slices(a: &mut Algebra<'_>, o: OpId) {
    let Op::Slice { start, limit } = &a.op(o).op else { return };
    let ranges = Ranges(start.iter().copied().zip(limit.iter().copied()).collect());
    let x = a.op(o).operands[0];
    if ranges.0.iter().any(|(s, l)| s == l) {
        return;
    }
    for m in a.definitions(x) {
        if !a.first("slice", o, m) {
            continue;
        }
        if let Some((form, law)) = inside(a, o, m, &ranges) {
            a.equate(o, Some(form), law);
        }
    }
}

/// The part of `x` in the ranges; of a constant, a smaller constant.
fn part(a: &mut Algebra<'_>, at: OpId, x: ValueId, ranges: &Ranges) -> Option<ValueId> {
    if let Some(value) = a.splat(x) {
        return a.make(at, Op::Constant { dtype: a.ty(x).dtype, shape: ranges.shape(), value }, &[]);
    }
    let (start, limit) = ranges.0.iter().copied().unzip();
    let v = a.make(at, Op::Slice { start, limit }, &[x])?;
    if v != x {
        a.settle(v);
        // Rules that wait for somebody to read a slice.
        a.revisit(x);
    }
    Some(v)
}

fn parts(a: &mut Algebra<'_>, at: OpId, xs: &[ValueId], ranges: &Ranges) -> Option<Vec<ValueId>> {
    xs.iter().map(|&x| part(a, at, x, ranges)).collect()
}

/// The ranges of the result of `m`, which slice `o` reads, as an op on slices of the operands of `m`.
fn inside(a: &mut Algebra<'_>, o: OpId, m: OpId, ranges: &Ranges) -> Option<(ValueId, &'static str)> {
    let d = a.op(m).clone();
    let r = &ranges.0;
    let first = d.operands.first().copied();
    Some(match &d.op {
        op if op.is_elementwise() => {
            let xs = parts(a, o, &d.operands, ranges)?;
            (a.make(o, d.op, &xs)?, law::ELEMENTWISE)
        }
        Op::DotGeneral(e) => {
            let mut xs = Vec::new();
            for (subscripts, &x) in e.operands.iter().zip(&d.operands) {
                let mut inner = Ranges::whole(a.shape(x));
                for (c, range) in subscripts.iter().zip(&mut inner.0) {
                    if let Some(i) = e.result.iter().position(|l| l == c) {
                        *range = r[i];
                    }
                }
                xs.push(part(a, o, x, &inner)?);
            }
            (a.make(o, d.op, &xs)?, law::MOVE_PRODUCT)
        }
        Op::Reduce { dims, .. } => {
            let mut inner = Ranges::whole(a.shape(first?));
            let kept = (0..inner.0.len()).filter(|k| !dims.contains(k)).collect::<Vec<_>>();
            for (&k, &range) in kept.iter().zip(r) {
                inner.0[k] = range;
            }
            let x = part(a, o, first?, &inner)?;
            (a.make(o, d.op, &[x])?, law::MOVE_PRODUCT)
        }
        Op::Reshape { .. } => {
            let inner = before_reshape(a.shape(first?), a.shape(d.results[0]), r)?;
            let x = part(a, o, first?, &inner)?;
            (a.make(o, Op::Reshape { shape: ranges.shape() }, &[x])?, law::MOVES)
        }
        Op::Gather { .. } => {
            let [table, rows] = d.operands[..] else { return None };
            let k = a.shape(rows).len();
            let rows = part(a, o, rows, &Ranges(r[..k].to_vec()))?;
            let mut inner = vec![(0, a.shape(table)[0])];
            inner.extend(&r[k..]);
            let table = part(a, o, table, &Ranges(inner))?;
            (a.make(o, d.op, &[table, rows])?, law::MOVES)
        }
        Op::Iota { dtype, dim, .. } if r[*dim].0 == 0 => {
            let op = Op::Iota { dtype: *dtype, shape: ranges.shape(), dim: *dim, shard: Vec::new() };
            (a.make(o, op, &[])?, law::MOVES)
        }
        Op::Constant { dtype, value: value @ Literal::Splat(_), .. } => {
            let op = Op::Constant { dtype: *dtype, shape: ranges.shape(), value: value.clone() };
            (a.make(o, op, &[])?, law::MOVES)
        }
        op if matches!(op.class(), Class::View | Class::Move) => (moved(a, o, &d, ranges)?, law::MOVES),
        _ => return None,
    })
}

/// The ranges of the result of an op that moves elements, where one operand has them all.
fn moved(a: &mut Algebra<'_>, o: OpId, d: &OpData, ranges: &Ranges) -> Option<ValueId> {
    let types: Vec<&TensorType> = d.operands.iter().map(|&x| a.ty(x)).collect();
    let map = d.op.index_map(&types, a.ty(d.results[0]))?;
    let (part, inner) = map.parts().iter().find_map(|p| Some((p, inside_of(p, types[p.operand], ranges)?)))?;
    // Where the dims are those of the result, in their order, the slice is all that is left of the op.
    let straight = part.at.len() == ranges.0.len() && part.at.iter().enumerate().all(|(k, at)| at.terms == [(k, 1)]);
    let x = self::part(a, o, d.operands[part.operand], &inner)?;
    match &d.op {
        _ if straight => Some(x),
        Op::Broadcast { dims, .. } => a.make(o, Op::Broadcast { shape: ranges.shape(), dims: dims.clone() }, &[x]),
        op => a.make(o, op.clone(), &[x]),
    }
}

/// The ranges of an operand that ranges of the result are read from; `None` if they are not all of one part.
fn inside_of(part: &Part, from: &TensorType, ranges: &Ranges) -> Option<Ranges> {
    let range = |(at, &n): (&At, &u64)| match at.terms[..] {
        [] if at.offset == 0 => Some((0, n)),
        [(k, 1)] if !at.around => {
            let (low, high) = ranges.0[k];
            let moved = |i: u64| u64::try_from(i128::from(i) + i128::from(at.offset)).ok().filter(|&i| i <= n);
            Some((moved(low)?, moved(high)?))
        }
        _ => None,
    };
    part.at.iter().zip(&from.shape).map(range).collect::<Option<_>>().map(Ranges)
}

/// The ranges of a tensor of shape `from` that hold the elements which `r` holds once it is reshaped to `to`: where those of
/// each run of dims stand together.
fn before_reshape(from: &[u64], to: &[u64], r: &[(u64, u64)]) -> Option<Ranges> {
    let mut out = Ranges::whole(from);
    for (f, t) in dim_groups(from, to) {
        if t.iter().all(|&j| r[j] == (0, to[j])) {
            continue;
        }
        if let ([i], [j]) = (&f[..], &t[..]) {
            out.0[*i] = r[*j];
            continue;
        }
        // One index of the dims before the last that is not whole, and all of those after it.
        let last = t.iter().rposition(|&j| r[j] != (0, to[j]))?;
        if t[..last].iter().any(|&j| r[j].1 - r[j].0 != 1) {
            return None;
        }
        let mut low = 0u64;
        for &j in &t {
            low = low * to[j] + r[j].0;
        }
        let step: u64 = t[last + 1..].iter().map(|&j| to[j]).product();
        let high = low + (r[t[last]].1 - r[t[last]].0) * step;
        // The same in the dims before.
        let mut inner = 1;
        let found = f.iter().rev().find_map(|&i| {
            let here = inner;
            inner *= from[i];
            let fits = low.is_multiple_of(here) && high.is_multiple_of(here) && low / inner == (high - 1) / inner;
            fits.then_some((i, here))
        });
        let (at, here) = found?;
        out.0[at] = (low / here % from[at], low / here % from[at] + (high - low) / here);
        let mut outer = low / here / from[at];
        for &i in f.iter().rev().skip_while(|&&i| i != at).skip(1) {
            out.0[i] = (outer % from[i], outer % from[i] + 1);
            outer /= from[i];
        }
    }
    Some(out)
}
