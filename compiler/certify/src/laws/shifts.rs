//! Shifts along a dim in blocks: slices, concatenations and pads along one dim give each element of the result one of the operand's
//! that stands so much further, or a number. The same can be written block by block, with borders that come from blocks beside.
//!
//! Both sides are read as runs of elements that stand together in the operand, in the dim as it is and in rows of blocks. They
//! are equal if their runs are. So the law says nothing of how the blocks' side is written: which borders it takes, in which order, and
//! what it selects at the ends.
//!
//! A run is as short as what ops leave of it, never one element at a time: a dim may have billions of them.
//!
//! Not here: windows ([`super::windows`]), which have elements several times; reversals.

use super::blocks::in_blocks;
use super::{Law, LawCx, sample};
use meshloom_ir::random::Rng;
use meshloom_ir::{Builder, DType, Literal, Op, OpData, Scalar, ValueId};

pub const LAWS: &[Law] = &[Law {
    name: "shifted-blocks",
    law: "elements that stand further along a dim are those of its blocks, each with borders of the blocks beside it",
    reassociates: false,
    check: |cx, a, b| bases(cx, b).iter().any(|place| place.alike(cx, a, b)),
    sample: shifted_sample,
}];

/// Blocks that are told apart: each has a row of runs.
const ROWS: u64 = 256;
/// Nested ops that are read.
const DEPTH: usize = 12;
/// Definitions that are read of both sides together.
const DEFINITIONS: usize = 512;

/// Where an element is from.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Source {
    /// It is this one of the operand.
    Element(u64),
    Number(Scalar),
}

/// Elements one after the other: those of the operand from the source on, or one number over and over.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Run {
    length: u64,
    source: Source,
}

impl Run {
    fn part(self, from: u64, to: u64) -> Run {
        let source = match self.source {
            Source::Element(i) => Source::Element(i + from),
            number => number,
        };
        Run { length: to - from, source }
    }

    /// Whether `next`, which stands behind it, goes on as it does.
    fn goes_on(self, next: Run) -> bool {
        match (self.source, next.source) {
            (Source::Element(i), Source::Element(j)) => i + self.length == j,
            (x, y) => x == y,
        }
    }
}

/// Runs one behind the other, as few as there can be.
#[derive(Clone, PartialEq, Debug, Default)]
struct Row(Vec<Run>);

impl Row {
    fn of(run: Run) -> Row {
        let mut row = Row::default();
        row.push(run);
        row
    }

    fn push(&mut self, run: Run) {
        match self.0.last_mut() {
            _ if run.length == 0 => {}
            Some(last) if last.goes_on(run) => last.length += run.length,
            _ => self.0.push(run),
        }
    }

    fn append(&mut self, more: &Row) {
        more.0.iter().for_each(|&run| self.push(run));
    }

    fn length(&self) -> u64 {
        self.0.iter().map(|r| r.length).sum()
    }

    fn part(&self, from: u64, to: u64) -> Row {
        let (mut out, mut at) = (Row::default(), 0);
        for run in &self.0 {
            let (low, high) = (from.max(at), to.min(at + run.length));
            if low < high {
                out.push(run.part(low - at, high - at));
            }
            at += run.length;
        }
        out
    }
}

/// A dim of a tensor that others are made of.
struct Place<'a> {
    base: ValueId,
    shape: &'a [u64],
    dim: usize,
}

/// What is made of dims that begin blocks where `b` is made, with what is filled up to be even blocks.
fn bases<'a>(cx: &LawCx<'a>, b: ValueId) -> Vec<Place<'a>> {
    let (mut out, mut level) = (Vec::new(), vec![b]);
    let mut left = DEFINITIONS;
    for _ in 0..DEPTH {
        let mut next = Vec::new();
        for v in level {
            for d in cx.defs(v).filter(|d| d.regions.is_empty() && !d.operands.is_empty()).take(left) {
                left -= 1;
                next.extend(d.operands.iter().copied());
                let x = d.operands[0];
                if matches!(d.op, Op::Reshape { .. }) {
                    let pads = cx.defs(x).filter(|p| matches!(p.op, Op::Pad { .. })).map(|p| p.operands[0]);
                    let all = pads.chain([x]).collect::<Vec<_>>();
                    let dims = blocked(&cx.ty(x).shape, &cx.ty(v).shape);
                    let place = |(dim, base)| Place { base, shape: &cx.ty(base).shape, dim };
                    out.extend(dims.into_iter().flat_map(|d| all.iter().map(move |&x| (d, x))).map(place));
                }
            }
        }
        level = next;
    }
    out
}

/// The dims of `from` that `to` has in blocks.
fn blocked(from: &[u64], to: &[u64]) -> Vec<usize> {
    let dim = |&d: &usize| to.get(d).is_some_and(|&blocks| in_blocks(from, d, blocks).is_some_and(|s| s == to));
    (0..from.len()).filter(dim).collect()
}

/// How many rows a tensor has, and how long they are.
type Form = (u64, u64);

impl Place<'_> {
    fn alike(&self, cx: &LawCx<'_>, a: ValueId, b: ValueId) -> bool {
        let mut left = DEFINITIONS;
        let whole = |v: ValueId| self.form(cx, v).is_some_and(|(rows, _)| rows == 1);
        if !whole(a) || !whole(b) {
            return false;
        }
        let Some(right) = self.read(cx, b, DEPTH, &mut left) else { return false };
        self.read(cx, a, DEPTH, &mut left).is_some_and(|left| left == right)
    }

    /// The rows of `v` that its shape says: one if it has the dims of the operand, as many as blocks if it has one more.
    fn form(&self, cx: &LawCx<'_>, v: ValueId) -> Option<Form> {
        let (shape, dim) = (&cx.ty(v).shape, self.dim);
        let extra = shape.len().checked_sub(self.shape.len()).filter(|&n| n <= 1)?;
        let beside = shape[..dim] == self.shape[..dim] && shape[dim + 1 + extra..] == self.shape[dim + 1..];
        let (rows, columns) = if extra == 1 { (shape[dim], shape[dim + 1]) } else { (1, shape[dim]) };
        (beside && (1..=ROWS).contains(&rows) && columns > 0).then_some((rows, columns))
    }

    /// Whether `v` has its dim in blocks.
    fn in_rows(&self, cx: &LawCx<'_>, v: ValueId) -> bool {
        cx.ty(v).shape.len() > self.shape.len()
    }

    fn read(&self, cx: &LawCx<'_>, v: ValueId, depth: usize, left: &mut usize) -> Option<Vec<Row>> {
        let (rows, columns) = self.form(cx, v)?;
        if cx.same(v, self.base) {
            return Some(vec![Row::of(Run { length: columns, source: Source::Element(0) })]);
        }
        if let Some(x) = splat(cx, v) {
            return Some(vec![Row::of(Run { length: columns, source: Source::Number(x) }); rows as usize]);
        }
        let depth = depth.checked_sub(1)?;
        cx.defs(v).find_map(|d| {
            *left = left.checked_sub(1)?;
            let read = self.read_op(cx, d, self.in_rows(cx, v), depth, left)?;
            (read.len() as u64 == rows && read.iter().all(|r| r.length() == columns)).then_some(read)
        })
    }

    /// The rows of an op's result, which is `in_rows` or has but one.
    fn read_op(&self, cx: &LawCx<'_>, d: &OpData, in_rows: bool, depth: usize, left: &mut usize) -> Option<Vec<Row>> {
        let mut operand = |i: usize| self.read(cx, *d.operands.get(i)?, depth, left);
        let column = self.dim + usize::from(in_rows);
        match &d.op {
            Op::Slice { start, limit } => {
                let rows = if in_rows { start[self.dim] as usize..limit[self.dim] as usize } else { 0..1 };
                let all = operand(0)?;
                Some(all.get(rows)?.iter().map(|r| r.part(start[column], limit[column])).collect())
            }
            Op::Pad { low, high } => {
                let zeros =
                    |length| Run { length, source: Source::Number(Scalar::of(cx.ty(d.operands[0]).dtype, 0.0)) };
                let mut out = operand(0)?;
                for row in &mut out {
                    let mut wide = Row::of(zeros(low[column]));
                    wide.append(row);
                    wide.push(zeros(high[column]));
                    *row = wide;
                }
                Some(out)
            }
            Op::Concatenate { dim } => {
                let mut parts: Vec<Vec<Row>> = (0..d.operands.len()).map(operand).collect::<Option<_>>()?;
                if in_rows && *dim == self.dim {
                    return Some(parts.concat());
                }
                let mut out = parts.remove(0);
                for part in parts {
                    out.iter_mut().zip(&part).for_each(|pair| pair.0.append(pair.1));
                }
                (*dim == column).then_some(out)
            }
            Op::Rotate { dim, by, mirror: false } if in_rows && *dim == self.dim => {
                let mut out = operand(0)?;
                let rows = out.len();
                out.rotate_right(*by as usize % rows);
                Some(out)
            }
            Op::Reshape { .. } => {
                let shape = &cx.ty(d.results[0]).shape;
                let from = operand(0)?;
                let mut all = Row::default();
                from.iter().for_each(|r| all.append(r));
                if !in_rows {
                    return Some(vec![all]);
                }
                let (rows, columns) = (shape[self.dim], shape[self.dim + 1]);
                let same = from.len() > 1 && from.len() as u64 != rows;
                (!same).then(|| (0..rows).map(|k| all.part(k * columns, (k + 1) * columns)).collect())
            }
            Op::Elem(_) if in_rows && d.operands.len() == 3 && Op::elem("select").as_ref() == Some(&d.op) => {
                let here = self.row_of(cx, d.operands[0])?;
                let (there, mut out) = (operand(1)?, operand(2)?);
                // None of the rows, if the number is of none.
                if let Some(row) = usize::try_from(here).ok().filter(|&k| k < out.len()) {
                    out[row] = there.get(row)?.clone();
                }
                Some(out)
            }
            _ => None,
        }
    }

    /// The row of which `mask` is true: it compares the number of rows with one.
    fn row_of(&self, cx: &LawCx<'_>, mask: ValueId) -> Option<i64> {
        let equal = Op::elem("compare_eq")?;
        let number = |v: ValueId| {
            let rows = |d: &Op| matches!(d, Op::Iota { dtype: DType::I32, dim, shard, .. } if *dim == self.dim && shard.is_empty());
            cx.defs(v).any(|d| rows(&d.op))
        };
        cx.defs(mask).filter(|d| d.op == equal && number(d.operands[0])).find_map(|d| match splat(cx, d.operands[1])? {
            Scalar::Int(k) => Some(k),
            _ => None,
        })
    }
}

/// The number that all elements of `v` are.
fn splat(cx: &LawCx<'_>, v: ValueId) -> Option<Scalar> {
    let constant = |d: &OpData| match d.op {
        Op::Constant { value: Literal::Splat(x), .. } => Some(x),
        _ => None,
    };
    cx.defs(v).find_map(|d| match d.op {
        Op::Broadcast { .. } => cx.defs(d.operands[0]).find_map(constant),
        _ => constant(d),
    })
}

/// A roll, a shift over zeros, what is left behind the first elements, and a shift by whole blocks.
fn shifted_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let (mut shape, dim) = (sample::shape(rng, 2), rng.below(2));
    let (blocks, block) = (2 + rng.below(3) as u64, 2 + rng.below(3) as u64);
    let n = blocks * block;
    let by = 1 + rng.below(block as usize - 1) as u64;
    shape[dim] = n;
    let dtype = rng.pick(&[DType::F64, DType::I32]);
    let x = sample::typed_input(b, dtype, &shape);
    let kind = rng.below(4);
    let rows = in_blocks(&shape, dim, blocks).unwrap_or_default();
    let own = b.reshape(x, &rows);
    let turned = |b: &mut Builder, x: ValueId, by: u64| b.op(Op::Rotate { dim, by, mirror: false }, &[x]);
    if kind == 3 {
        let by = 1 + rng.below(blocks as usize - 1) as u64;
        let whole = rolled(b, x, dim, by * block);
        let moved = turned(b, own, by);
        return (whole, b.reshape(moved, &shape));
    }
    let after = kind == 2;
    let (sent, kept) = if after { ((0, by), (by, block)) } else { ((block - by, block), (0, block - by)) };
    let sent = part(b, own, dim + 1, sent.0, sent.1);
    let kept = part(b, own, dim + 1, kept.0, kept.1);
    let mut border = turned(b, sent, if after { blocks - 1 } else { 1 });
    let whole = match kind {
        0 => rolled(b, x, dim, by),
        1 => {
            let (mut low, high) = (vec![0; 2], vec![0; 2]);
            low[dim] = by;
            let wide = b.op(Op::Pad { low, high }, &[x]);
            let shape = b.shape(border);
            let number = b.op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[]);
            let first = b.constant(DType::I32, &shape, 0.0);
            let none = b.elem("compare_eq", &[number, first]);
            let zeros = b.constant(dtype, &shape, 0.0);
            border = b.select(none, zeros, border);
            part(b, wide, dim, 0, n)
        }
        _ => part(b, x, dim, by, n),
    };
    let parts = if after { [kept, border] } else { [border, kept] };
    let all = b.op(Op::Concatenate { dim: dim + 1 }, &parts);
    let all = b.reshape(all, &shape);
    (whole, if after { part(b, all, dim, 0, n - by) } else { all })
}

fn part(b: &mut Builder, x: ValueId, dim: usize, from: u64, to: u64) -> ValueId {
    let mut limit = b.shape(x);
    let mut start = vec![0; limit.len()];
    (start[dim], limit[dim]) = (from, to);
    b.op(Op::Slice { start, limit }, &[x])
}

/// `x` with its last `by` elements along a dim before the others.
fn rolled(b: &mut Builder, x: ValueId, dim: usize, by: u64) -> ValueId {
    let n = b.shape(x)[dim];
    let (last, first) = (part(b, x, dim, n - by, n), part(b, x, dim, 0, n - by));
    b.op(Op::Concatenate { dim }, &[last, first])
}
