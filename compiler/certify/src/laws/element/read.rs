//! From a value to the formula of its element at given indices.

use super::formula::{Factor, Index, Reading, Scale, Stop, Sum, TERMS, Term};
use super::index::{Affine, Loop, Loops};
use crate::laws::LawCx;
use meshloom_ir::{Arithmetic, Class, Einsum, IndexMap, Literal, Op, OpData, Part, Reduction, TensorType, ValueId};

/// How much may be written out.
pub struct Limit<'a> {
    /// Definitions of one value.
    pub tries: usize,
    /// Elements, of both sides and all tries; what is left of them.
    pub elements: &'a mut usize,
}

/// The formulas of `v` by the first definitions that there are of it and of what it is made of, within a limit.
pub fn formulas(
    cx: &LawCx<'_>,
    v: ValueId,
    at: &[Index],
    reading: Reading,
    stop: &Stop<'_>,
    loops: &mut Loops,
    limit: &mut Limit<'_>,
) -> Vec<Sum> {
    let mut out = Vec::new();
    let mut script: Vec<(usize, usize)> = Vec::new();
    for _ in 0..limit.tries {
        let left = &mut *limit.elements;
        let mut r = Reader { cx, reading, stop, loops, left, script: std::mem::take(&mut script), step: 0 };
        out.extend(r.value(v, at, 0));
        script = r.script;
        // The next choice: the last one that has another.
        while script.last().is_some_and(|&(choice, of)| choice + 1 == of) {
            script.pop();
        }
        match script.last_mut() {
            Some(last) => last.0 += 1,
            None => break,
        }
    }
    out
}

struct Reader<'a, 'b> {
    cx: &'b LawCx<'a>,
    reading: Reading,
    stop: &'b Stop<'b>,
    loops: &'b mut Loops,
    /// Elements that may still be written out.
    left: &'b mut usize,
    /// Which of how many definitions is taken, in the order in which tensors are written out.
    script: Vec<(usize, usize)>,
    step: usize,
}

/// A way to write a tensor out: by which value's op, and how.
struct Way<'a> {
    by: ValueId,
    how: How<'a>,
}

enum How<'a> {
    Op(&'a OpData),
    /// Its elements are those of another tensor, which older ops make than this one or not.
    Move {
        from: ValueId,
        at: Vec<Index>,
        older: bool,
    },
}

/// Where an element is of what one part of a result is read from.
enum Within {
    Inside(Vec<Index>),
    Outside,
    /// In some iterations of the loops, or nobody can tell.
    Unknown,
}

fn affine(i: &Index) -> Option<Affine> {
    match i {
        Index::At(a) => Some(a.clone()),
        Index::Row(..) => None,
    }
}

fn one(f: Factor) -> Sum {
    vec![Term { negative: false, scales: Vec::new(), over: Vec::new(), factors: vec![f] }]
}

impl<'a> Reader<'a, '_> {
    /// The element of `v` at `at`. `None`: there is none, or it is too much to write out.
    fn value(&mut self, v: ValueId, at: &[Index], depth: usize) -> Option<Sum> {
        *self.left = self.left.checked_sub(1)?;
        let common = self.cx.class(v).is_none_or(|c| self.stop.common.contains(&c));
        if depth >= self.stop.depth || depth >= self.stop.through && common {
            return self.element_of(v, at);
        }
        let mut ways = self.ways(v, at);
        if let Some(own) = self.cx.func.def_op(v).map(|o| self.cx.func.op(o).results[0]) {
            // Its own op first, and that alone for the value that is asked about.
            ways.sort_by_key(|w| w.by != own);
            if depth == 0 && ways.first().is_some_and(|w| w.by == own) {
                ways.truncate(1);
            }
        }
        let choices = ways.len() + usize::from(common);
        let mut choice = 0;
        if choices > 1 {
            if self.step == self.script.len() {
                self.script.push((0, choices));
            }
            choice = self.script[self.step].0;
            self.step += 1;
        }
        if choice == ways.len() {
            return self.element_of(v, at);
        }
        match ways.swap_remove(choice).how {
            How::Op(d) => self.op(d, v, at, depth),
            // Unless it goes towards older definitions, this may run in a circle.
            How::Move { from, at, older } => self.value(from, &at, (depth + usize::from(!older)).max(1)),
        }
    }

    /// The element of a tensor that is not written out, or of the one whose elements it only moves; numbers are numbers.
    fn element_of(&mut self, v: ValueId, at: &[Index]) -> Option<Sum> {
        if let [d] = self.constant(v)[..] {
            return self.op(d, v, at, self.stop.depth);
        }
        // The oldest of the moves that lead to an older definition: so this ends, and every path leaves a class in the same
        // way.
        let mut moves: Vec<(ValueId, ValueId, Vec<Index>)> = Vec::new();
        for w in self.ways(v, at) {
            if let How::Move { from, at, older: true } = w.how {
                moves.push((w.by, from, at));
            }
        }
        match moves.into_iter().min_by_key(|m| m.0) {
            Some((_, x, at)) => self.element_of(x, &at),
            None => self.element(v, at),
        }
    }

    fn element(&self, v: ValueId, at: &[Index]) -> Option<Sum> {
        Some(one(Factor::Element { of: self.cx.class(v)?, at: at.to_vec() }))
    }

    fn constant(&self, v: ValueId) -> Vec<&'a OpData> {
        self.cx
            .defs(v)
            .filter(|d| matches!(d.op, Op::Constant { value: Literal::Splat(_), .. } | Op::Iota { .. }))
            .take(1)
            .collect()
    }

    /// The definitions of `v` that can be written out; a constant alone, if there is one. Those come first that lead to where
    /// writing out ends.
    fn ways(&mut self, v: ValueId, at: &[Index]) -> Vec<Way<'a>> {
        if let [d] = self.constant(v)[..] {
            return vec![Way { by: d.results[0], how: How::Op(d) }];
        }
        let cx = self.cx;
        let mut defs: Vec<&OpData> = cx.defs(v).filter(|d| d.regions.is_empty()).collect();
        defs.sort_unstable_by_key(|d| d.results[0]);
        let age = |v: ValueId| cx.defs(v).map(|d| d.results[0]).min();
        let mut ways = Vec::new();
        for d in defs {
            let by = d.results[0];
            if let Some((from, at)) = self.source(d, v, at) {
                let older = age(from).is_none_or(|a| age(v).is_some_and(|mine| a < mine));
                ways.push(Way { by, how: How::Move { from, at, older } });
            } else if matches!(
                d.op,
                Op::Elem(_) | Op::Convert { .. } | Op::DotGeneral(_) | Op::Reduce { .. } | Op::Gather { .. }
            ) {
                ways.push(Way { by, how: How::Op(d) });
            }
        }
        let ends = |w: &Way<'_>| match &w.how {
            How::Move { from, .. } => cx.class(*from).is_some_and(|c| self.stop.common.contains(&c)),
            How::Op(_) => false,
        };
        ways.sort_by_key(|w| !ends(w));
        ways
    }

    /// The tensor that `d` takes this element of `v` from, and where in it.
    fn source(&mut self, d: &OpData, v: ValueId, at: &[Index]) -> Option<(ValueId, Vec<Index>)> {
        // What is pinned is its operand already.
        if d.op.class() == Class::Pin {
            return None;
        }
        let to = self.cx.ty(v);
        let types: Vec<&TensorType> = d.operands.iter().map(|&x| self.cx.ty(x)).collect();
        let map = d.op.index_map(&types, to)?;
        if map == IndexMap::Flat {
            let at: Vec<Affine> = at.iter().map(affine).collect::<Option<_>>()?;
            let inside = self.loops.reshape(&at, &to.shape, &types[0].shape)?;
            return Some((d.operands[0], inside.into_iter().map(Index::At).collect()));
        }
        // The first part that has the element: those before it do not, in any iteration of the loops.
        for part in map.parts() {
            match self.inside(part, at, &to.shape, &types[part.operand].shape) {
                Within::Inside(at) => return Some((d.operands[part.operand], at)),
                Within::Outside => {}
                Within::Unknown => return None,
            }
        }
        None
    }

    /// Whether `at`, an index into a result of shape `to`, comes from a part, an operand of shape `from`.
    fn inside(&self, part: &Part, at: &[Index], to: &[u64], from: &[u64]) -> Within {
        let mut out = Vec::new();
        for (coordinate, &n) in part.at.iter().zip(from) {
            match coordinate.terms[..] {
                [] if coordinate.offset == 0 => out.push(Index::At(Affine::default())),
                [(k, 1)] if coordinate.offset == 0 && to[k] == n => out.push(at[k].clone()),
                [(k, 1)] if !coordinate.around => {
                    let Some(a) = affine(&at[k]) else { return Within::Unknown };
                    let low = i128::from(a.offset) + i128::from(coordinate.offset);
                    let high = i128::from(self.loops.max(&a)) + i128::from(coordinate.offset);
                    if high < 0 || low >= i128::from(n) {
                        return Within::Outside;
                    }
                    match u64::try_from(low) {
                        Ok(offset) if high < i128::from(n) => out.push(Index::At(Affine { offset, ..a })),
                        _ => return Within::Unknown,
                    }
                }
                _ => return Within::Unknown,
            }
        }
        Within::Inside(out)
    }

    fn op(&mut self, d: &OpData, v: ValueId, at: &[Index], depth: usize) -> Option<Sum> {
        let ty = self.cx.ty(v);
        let real = self.reading == Reading::Real && ty.dtype.is_float();
        match &d.op {
            Op::Constant { value: Literal::Splat(s), .. } if ty.dtype.is_float() => {
                let scales = vec![Scale::Times(s.as_f64().to_bits())];
                Some(vec![Term { negative: false, scales, over: Vec::new(), factors: Vec::new() }])
            }
            Op::Constant { dtype, value, .. } => {
                let op = Op::Constant { dtype: *dtype, shape: Vec::new(), value: value.clone() };
                Some(one(Factor::Apply { op, args: Vec::new() }))
            }
            Op::Iota { dtype, dim, .. } => match &at[*dim] {
                Index::At(a) => Some(one(Factor::Position { dtype: *dtype, at: a.clone() })),
                Index::Row(..) => self.element(v, at),
            },
            Op::Elem(_) => {
                let mut args = Vec::new();
                for &x in &d.operands {
                    args.push(self.value(x, at, depth + 1)?);
                }
                if let (Arithmetic::Logarithm, [of], true) =
                    (d.op.arithmetic(), &args[..], real && positive(self.cx, d.operands[0]))
                {
                    return Some(one(Factor::Log { of: of.clone() }));
                }
                if real && let Some(sum) = arithmetic(d.op.arithmetic(), &args) {
                    return sum;
                }
                Some(one(Factor::Apply { op: d.op.clone(), args }))
            }
            Op::Convert { .. } => {
                let x = self.value(d.operands[0], at, depth + 1)?;
                if self.cx.ty(d.operands[0]).dtype == ty.dtype {
                    return Some(x);
                }
                Some(one(Factor::Apply { op: d.op.clone(), args: vec![x] }))
            }
            Op::DotGeneral(e) => self.contraction(e, d, at, depth),
            Op::Reduce { kind, dims } => {
                let mut over = Vec::new();
                let mut rest = at.iter();
                let mut inside = Vec::new();
                for (k, &n) in self.cx.ty(d.operands[0]).shape.iter().enumerate() {
                    inside.push(if dims.contains(&k) {
                        Index::At(self.bind(n, &mut over)?)
                    } else {
                        rest.next()?.clone()
                    });
                }
                let body = self.value(d.operands[0], &inside, depth + 1)?;
                if *kind == Reduction::Sum && ty.dtype.is_float() {
                    return Some(self.summed(body, over));
                }
                Some(one(Factor::Fold { kind: *kind, over, body }))
            }
            Op::Gather { .. } => {
                let rank = self.cx.ty(d.operands[1]).rank();
                let row = self.value(d.operands[1], &at[..rank], depth + 1)?;
                let rows = self.cx.ty(d.operands[0]).shape[0];
                let inside: Vec<Index> =
                    [Index::Row(row, rows)].into_iter().chain(at[rank..].iter().cloned()).collect();
                self.value(d.operands[0], &inside, depth + 1)
            }
            _ => self.element(v, at),
        }
    }

    /// An element of a contraction: a sum of products over the subscripts that the result lacks.
    fn contraction(&mut self, e: &Einsum, d: &OpData, at: &[Index], depth: usize) -> Option<Sum> {
        let mut over = Vec::new();
        let mut index: Vec<(char, Index)> = e.result.iter().copied().zip(at.iter().cloned()).collect();
        let mut sums = Vec::new();
        for (subscripts, &x) in e.operands.iter().zip(&d.operands) {
            for (&c, &n) in subscripts.iter().zip(&self.cx.ty(x).shape) {
                if !index.iter().any(|i| i.0 == c) {
                    index.push((c, Index::At(self.bind(n, &mut over)?)));
                }
            }
            let at = subscripts.iter().filter_map(|c| index.iter().find(|i| i.0 == *c)).map(|i| i.1.clone());
            sums.push(self.value(x, &at.collect::<Vec<_>>(), depth + 1)?);
        }
        let idle = over.iter().all(|&l| self.loops.size(l) == 1);
        if let Some(to) = e.to.filter(|to| !to.is_float()) {
            // Integers of 8 bits become i32 before they are multiplied: as they are, their product would wrap.
            let convert = |x: Sum| one(Factor::Apply { op: Op::Convert { to }, args: vec![x] });
            let args = sums.into_iter().map(convert).collect();
            let body = one(Factor::Apply { op: Op::elem("multiply")?, args });
            return Some(if idle { body } else { one(Factor::Fold { kind: Reduction::Sum, over, body }) });
        }
        if self.reading == Reading::Exact && idle {
            return Some(one(Factor::Apply { op: Op::elem("multiply")?, args: sums }));
        }
        let body = product(&sums[0], &sums[1])?;
        Some(self.summed(body, over))
    }

    /// A new loop; none of no iterations, since sums over those are another matter.
    fn bind(&mut self, n: u64, over: &mut Vec<Loop>) -> Option<Affine> {
        if n == 0 {
            return None;
        }
        let l = self.loops.fresh(n);
        over.push(l);
        Some(Affine::of(l, n))
    }

    fn summed(&self, mut body: Sum, over: Vec<Loop>) -> Sum {
        if self.reading == Reading::Exact && over.iter().any(|&l| self.loops.size(l) > 1) {
            return one(Factor::Fold { kind: Reduction::Sum, over, body });
        }
        for t in &mut body {
            t.over.extend(&over);
        }
        body
    }
}

/// The ops that are written into the formula; `Some(None)` where it would be too long.
fn arithmetic(arithmetic: Arithmetic, args: &[Sum]) -> Option<Option<Sum>> {
    let negated = |sum: &Sum| -> Sum { sum.iter().map(|t| Term { negative: !t.negative, ..t.clone() }).collect() };
    let sum = |x: &Sum, y: &Sum| -> Option<Sum> {
        (x.len() + y.len() <= TERMS).then(|| x.iter().chain(y).cloned().collect())
    };
    Some(match (arithmetic, args) {
        (Arithmetic::Add, [x, y]) => sum(x, y),
        (Arithmetic::Subtract, [x, y]) => sum(x, &negated(y)),
        (Arithmetic::Negate, [x]) => Some(negated(x)),
        (Arithmetic::Multiply, [x, y]) => product(x, y),
        (Arithmetic::Divide, [x, y]) => inverse(y).and_then(|y| product(x, &y)),
        // exp(x + log y) = exp(x) y
        (Arithmetic::Exponential, [x]) => {
            let (logs, rest): (Vec<&Term>, Vec<&Term>) = x.iter().partition(|t| logarithm(t).is_some());
            if logs.is_empty() {
                return None;
            }
            let rest: Sum = rest.into_iter().cloned().collect();
            let first = if rest.is_empty() {
                vec![number()]
            } else {
                one(Factor::Apply { op: Op::elem("exponential")?, args: vec![rest] })
            };
            logs.into_iter().try_fold(first, |all, t| {
                let of = logarithm(t)?;
                if t.negative { product(&all, &inverse(of)?) } else { product(&all, of) }
            })
        }
        _ => return None,
    })
}

/// 1, to be multiplied with.
fn number() -> Term {
    Term { negative: false, scales: Vec::new(), over: Vec::new(), factors: Vec::new() }
}

/// What a term is the logarithm of, if it is nothing else.
fn logarithm(t: &Term) -> Option<&Sum> {
    match (&t.factors[..], &t.scales[..], &t.over[..]) {
        ([Factor::Log { of }], [], []) => Some(of),
        _ => None,
    }
}

/// 1 over `y`: of a product that of each factor.
fn inverse(y: &Sum) -> Option<Sum> {
    let divide = |y: Sum| Some(Factor::Apply { op: Op::elem("divide")?, args: vec![y] });
    let [t] = &y[..] else { return Some(one(divide(y.clone())?)) };
    if !t.over.is_empty() {
        return Some(one(divide(y.clone())?));
    }
    let turned = |s: &Scale| match *s {
        Scale::Times(b) => Scale::Over(b),
        Scale::Over(b) => Scale::Times(b),
    };
    let factors = t.factors.iter().map(|f| divide(one(f.clone()))).collect::<Option<_>>()?;
    Some(vec![Term { factors, scales: t.scales.iter().map(turned).collect(), ..t.clone() }])
}

/// The most nested ops that are searched for the reason why a number is positive.
const REASON: usize = 8;

/// Whether every element of `v` is above 0 whatever the inputs are: exponentials, their sums and products.
pub fn positive(cx: &LawCx<'_>, v: ValueId) -> bool {
    above_zero(cx, v, 0)
}

fn above_zero(cx: &LawCx<'_>, v: ValueId, depth: usize) -> bool {
    depth < REASON
        && cx.defs(v).any(|d| {
            let all = || d.operands.iter().all(|&x| above_zero(cx, x, depth + 1));
            match &d.op {
                Op::Elem(_) => match d.op.arithmetic() {
                    Arithmetic::Exponential => true,
                    Arithmetic::Add | Arithmetic::Multiply | Arithmetic::Divide => all(),
                    _ => false,
                },
                Op::Reduce { kind: Reduction::Sum, .. } => !cx.ty(d.operands[0]).shape.contains(&0) && all(),
                op if op.class() == Class::View => all(),
                Op::Constant { value: Literal::Splat(s), .. } => s.as_f64() > 0.0,
                _ => false,
            }
        })
}

fn product(x: &Sum, y: &Sum) -> Option<Sum> {
    if x.len() * y.len() > TERMS {
        return None;
    }
    let both = |a: &Term, b: &Term| Term {
        negative: a.negative != b.negative,
        scales: a.scales.iter().chain(&b.scales).copied().collect(),
        over: a.over.iter().chain(&b.over).copied().collect(),
        factors: a.factors.iter().chain(&b.factors).cloned().collect(),
    };
    Some(x.iter().flat_map(|a| y.iter().map(move |b| both(a, b))).collect())
}
