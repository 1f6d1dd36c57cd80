//! Windows as code: where they begin and end in a launch, and loops over the rows inside of them ([`crate::windowed`]).

use super::builder::{Buf, Builder, ElemKind, Ix, Val};
use super::eval::{Eval, Frame, Points, Values};
use crate::expr::Body;
use crate::geometry::product;
use crate::windowed::{IndexWindow, PositionSum};

/// The indices of a dim that are in a window.
pub type Span = (Ix, Ix);

/// Where a window begins and ends: all of the dim's `size`, where a term is too large for sums of it to be sums.
pub fn span(b: &mut Builder, body: &Body, window: &IndexWindow, [rank, size]: [u64; 2], lanes: u64) -> Span {
    let eval = Eval { body, dim: rank as usize - 1, lanes, aligned: false };
    let frame = Frame::new(b, body, vec![Ix::ZERO; rank as usize]);
    let mut values: Values = vec![None; body.nodes.len()];
    let points = Points { at: Ix::ZERO, mask: None };
    let terms: Vec<_> = window.lower.iter().chain(&window.upper).flat_map(|s| &s.terms).map(|t| t.1).collect();
    eval.compute(b, &frame, points, &mut values, &terms);
    let mut small = None;
    let mut sum = |b: &mut Builder, of: &PositionSum| {
        let mut at = Ix::from(of.plus);
        for (sign, id) in &of.terms {
            let Some(v) = values[id.index()] else { continue };
            let first = b.extract(v, 0);
            let term = Ix::from(b.cast("index_cast", first, ElemKind::Index));
            let fits = b.test("ult", term.plus(PositionSum::SMALL), (2 * PositionSum::SMALL).into());
            small = Some(small.map_or(fits, |all| b.binary("andi", all, fits)));
            let term = b.scale(term, *sign);
            at = b.add(at, term);
        }
        at
    };
    let (mut from, mut to) = (Ix::ZERO, Ix::from(size));
    for s in &window.lower {
        let at = sum(b, s);
        from = b.max(from, at);
    }
    for s in &window.upper {
        let at = sum(b, s);
        to = b.min(to, at);
    }
    let (from, to) = (b.min(from, size.into()), b.max(to, Ix::ZERO));
    let Some(small) = small else { return (from, to) };
    let (from, to) = (b.ix(from), b.ix(to));
    let (first, last) = (b.ix(Ix::ZERO), b.ix(size.into()));
    (b.select(small, from, first).into(), b.select(small, to, last).into())
}

/// The same, but for all of the dim where `inside` does not hold.
pub fn span_if(b: &mut Builder, inside: Val, span: Span, size: u64) -> Span {
    let (from, to) = (b.ix(span.0), b.ix(span.1));
    let (first, last) = (b.ix(Ix::ZERO), b.ix(size.into()));
    (b.select(inside, from, first).into(), b.select(inside, to, last).into())
}

/// Some dims of the rows, as one loop.
struct Level {
    size: u64,
    /// Rows in one of its indices.
    rows: u64,
    span: Option<Span>,
}

/// Levels of the dims `dims`: those with spans, and what is before, between and behind them.
fn levels(dims: &[u64], spans: &[(usize, Span)]) -> Vec<Level> {
    let mut levels = Vec::new();
    let mut first = 0;
    for (d, span) in spans {
        let rows = product(&dims[*d..]);
        levels.push(Level { size: product(&dims[first..*d]), rows, span: None });
        levels.push(Level { size: dims[*d], rows: rows / dims[*d].max(1), span: Some(*span) });
        first = d + 1;
    }
    levels
}

/// What is done with a row.
pub type RowStep<'r> = &'r mut (dyn FnMut(&mut Builder, Ix) + 'r);

/// Calls `row` for the rows `from..to` of `dims` that are in all spans; with `outside`, that for the others. There is one span then.
pub fn rows<'r>(
    b: &mut Builder,
    dims: &[u64],
    spans: &[(usize, Span)],
    [from, to]: [Ix; 2],
    row: RowStep<'r>,
    outside: Option<RowStep<'r>>,
) {
    Rows { levels: levels(dims, spans), from, to, row, outside }.over(b, 0, Ix::ZERO);
}

struct Rows<'r> {
    levels: Vec<Level>,
    from: Ix,
    to: Ix,
    row: RowStep<'r>,
    outside: Option<RowStep<'r>>,
}

impl Rows<'_> {
    /// The rows of one index of the levels before `level`, of which `base` is the first.
    fn over(&mut self, b: &mut Builder, level: usize, base: Ix) {
        let Some(&Level { size, rows, span }) = self.levels.get(level) else { return };
        let last = level + 1 == self.levels.len();
        if last && let Some((from, to)) = span {
            let (from, to) = (b.scale(from, rows as i64), b.scale(to, rows as i64));
            let (start, first, behind, end) =
                (base, b.add(base, from), b.add(base, to), base.plus((size * rows) as i64));
            let behind = b.max(first, behind);
            if let Some(outside) = &mut self.outside {
                part(b, [start, first], [self.from, self.to], &mut **outside);
                part(b, [behind, end], [self.from, self.to], &mut **outside);
            }
            return part(b, [first, behind], [self.from, self.to], &mut *self.row);
        }
        let (low, high) = span.unwrap_or((Ix::ZERO, size.into()));
        // Indices of which a row is in the range.
        let minus = b.scale(base, -1);
        let (before, until) = (b.add(self.from, minus), b.add(self.to, minus));
        let (before, until) = (b.max(before, Ix::ZERO), b.max(until.plus(rows as i64 - 1), Ix::ZERO));
        let ((first, _), (end, _)) = (b.div_rem(before, rows), b.div_rem(until, rows));
        let (low, high) = (b.max(low, first), b.min(high, end));
        b.loop_(low, high, 1, |b, i| {
            let step = b.scale(i, rows as i64);
            let at = b.add(base, step);
            self.over(b, level + 1, at);
        });
    }
}

/// The rows of a part that are in the range.
fn part(b: &mut Builder, part: [Ix; 2], range: [Ix; 2], row: &mut dyn FnMut(&mut Builder, Ix)) {
    let (from, to) = (b.max(part[0], range[0]), b.min(part[1], range[1]));
    b.loop_(from, to, 1, |b, r| row(b, r));
}

/// Whether two buffers are the same memory.
pub fn same(b: &mut Builder, x: Buf, y: Buf) -> Val {
    let (x, y) = (b.address_of(x), b.address_of(y));
    b.test("eq", x, y)
}
