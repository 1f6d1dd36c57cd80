//! Translates the ops of both sides to terms. The ranks are read together, since a received value is the term that was sent,
//! so values are read in the order in which they depend on each other.
//!
//! A value whose dim 0 is cut is a list of runs of rows; any other value is a list of one run. A loop whose iterations are cut is
//! read part by part. Each part starts with the carries that the part before it leaves.

use super::ports::Ports;
use super::program::{Rank, RankInput, RankOutput};
use super::refusal::Refusal;
use super::terms::{MadeBy, TermKind, Terms};
use crate::spaces::{Space, Spaces};
use crate::term_ref::TermRef;
use meshloom_ir::unstack::rows;
use meshloom_ir::{Arithmetic, Def, Func, Op, OpId, Reduction, RegionId, ValueId};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

/// A value: its runs of rows.
type Runs = Vec<TermRef>;

/// The most terms. A program that needs more is not followed.
const MAX_TERMS: usize = 1 << 24;

/// Two terms that must be equal.
#[derive(Clone, Debug)]
pub struct Pair {
    pub wanted: TermRef,
    pub found: TermRef,
    pub rank: usize,
    /// The output of the rank.
    pub output: usize,
}

pub struct Reader<'a> {
    pub local: &'a Func,
    pub ranks: &'a [Rank<'a>],
    plan: Ports,
    pub terms: Terms,
    /// By side and value.
    values: Vec<Vec<Option<Runs>>>,
    bodies: BTreeMap<(usize, OpId), u32>,
}

impl<'a> Reader<'a> {
    pub fn new(local: &'a Func, ranks: &'a [Rank<'a>], plan: Ports) -> Reader<'a> {
        let of = |f: &Func| vec![None; f.values.len()];
        let values = std::iter::once(of(local)).chain(ranks.iter().map(|r| of(r.func))).collect();
        Reader { local, ranks, plan, terms: Terms::new(), values, bodies: BTreeMap::new() }
    }

    /// Reads both sides, and gives the pairs of terms that must be equal.
    pub fn all(&mut self) -> Result<Vec<Pair>, Refusal> {
        let local = self.local;
        for (i, &v) in local.body().args.iter().enumerate() {
            let n = rows_of(local, v);
            let runs = self.given(i, 0, n, (0, None));
            self.set(0, v, runs);
        }
        self.region(0, Func::BODY, Spaces::OUTSIDE)?;
        let ranks = self.ranks;
        let mut pairs = Vec::new();
        for (k, r) in ranks.iter().enumerate() {
            for (o, (t, &y)) in r.outputs.iter().zip(&r.func.body().yields).enumerate() {
                self.demand(k, y)?;
                let RankOutput::Output { output, layers } = *t else { continue };
                let v = local.body().yields[output];
                let n = rows_of(local, v);
                let (lo, hi) = layers.unwrap_or((0, n));
                let cuts = self.cuts(n);
                let wanted = self.get(0, v);
                let inside = cuts.windows(2).zip(wanted).filter(|(w, _)| lo <= w[0] && w[1] <= hi);
                let wanted: Runs = inside.map(|x| x.1).collect();
                let found = self.get(k + 1, y);
                if wanted.len() != found.len() || wanted.is_empty() {
                    return Err(Refusal::rank(
                        k,
                        format!("the parts of output `{}` are not followed", r.func.outputs[o].name),
                    ));
                }
                let pair = |(wanted, found)| Pair { wanted, found, rank: k, output: o };
                pairs.extend(wanted.into_iter().zip(found).map(pair));
            }
        }
        Ok(pairs)
    }

    pub fn func(&self, side: usize) -> &'a Func {
        match side {
            0 => self.local,
            k => self.ranks[k - 1].func,
        }
    }

    fn refuse<T>(&self, side: usize, o: OpId, message: impl Into<String>) -> Result<T, Refusal> {
        Err(Refusal::at(side.checked_sub(1), self.func(side), o, message))
    }

    /// Where a dim 0 of `n` is cut, with both ends.
    fn cuts(&self, n: u64) -> Vec<u64> {
        self.plan.cuts.get(&n).cloned().unwrap_or_else(|| vec![0, n])
    }

    /// The cuts of a value's dim 0; those of a scalar are none.
    fn cuts_of(&self, side: usize, v: ValueId) -> Vec<u64> {
        self.cuts(rows_of(self.func(side), v))
    }

    /// Rows `lo..hi` of an input.
    fn given(&mut self, i: usize, lo: u64, hi: u64, origin: MadeBy) -> Runs {
        let cuts = self.cuts(hi - lo);
        cuts.windows(2).map(|w| self.terms.input(i, lo + w[0], lo + w[1], origin)).collect()
    }

    fn set(&mut self, side: usize, v: ValueId, runs: Runs) {
        self.values[side][v.index()] = Some(runs);
    }

    fn known(&self, side: usize, v: ValueId) -> bool {
        self.values[side][v.index()].is_some()
    }

    fn get(&self, side: usize, v: ValueId) -> Runs {
        self.values[side][v.index()].clone().unwrap_or_default()
    }

    /// The value as one term.
    fn whole(&mut self, side: usize, v: ValueId) -> TermRef {
        let (runs, cuts) = (self.get(side, v), self.cuts_of(side, v));
        let origin = (side, self.func(side).def_op(v));
        self.terms.join(&runs, &cuts, origin)
    }

    /// Reads a value of the body of a rank, and first what it depends on, in other ranks too.
    fn demand(&mut self, rank: usize, v: ValueId) -> Result<(), Refusal> {
        let mut open = vec![(rank, v)];
        // What is read as soon as all that is above it on the stack is.
        let mut entered: HashMap<(usize, ValueId), bool> = HashMap::new();
        while let Some(&(k, v)) = open.last() {
            if self.known(k + 1, v) {
                open.pop();
                continue;
            }
            let func = self.ranks[k].func;
            let needs: Vec<(usize, ValueId)> = match func.value(v).def {
                Def::Op(o, _) => func.op(o).operands.iter().map(|&x| (k, x)).collect(),
                Def::Arg(_, i) => match (self.ranks[k].inputs[i as usize], self.plan.senders.get(&(k, i as usize))) {
                    (RankInput::Received { .. }, Some(&(from, o))) => {
                        vec![(from, self.ranks[from].func.body().yields[o])]
                    }
                    _ => Vec::new(),
                },
            };
            if entered.insert((k, v), true).is_none() {
                for &(r, x) in needs.iter().filter(|(r, x)| !self.known(r + 1, *x)) {
                    if entered.contains_key(&(r, x)) {
                        let message = "ranks wait for each other: a value is computed from itself, through wires";
                        return match self.ranks[r].func.def_op(x) {
                            Some(o) => self.refuse(r + 1, o, message),
                            None => Err(Refusal::rank(r, message)),
                        };
                    }
                    open.push((r, x));
                }
                continue;
            }
            match (func.value(v).def, needs.first()) {
                (Def::Op(o, _), _) => self.op(k + 1, o, Spaces::OUTSIDE)?,
                (Def::Arg(_, i), None) => {
                    let RankInput::Input { input, layers } = self.ranks[k].inputs[i as usize] else {
                        return Err(Refusal::rank(k, "a wire without a sender"));
                    };
                    let (lo, hi) = layers.unwrap_or((0, rows_of(func, v)));
                    let runs = self.given(input, lo, hi, (k + 1, None));
                    self.set(k + 1, v, runs);
                }
                (Def::Arg(..), Some(&(from, x))) => {
                    let runs = self.get(from + 1, x);
                    self.set(k + 1, v, runs);
                }
            }
            open.pop();
        }
        Ok(())
    }

    fn region(&mut self, side: usize, region: RegionId, space: Space) -> Result<(), Refusal> {
        let func = self.func(side);
        func.region(region).ops.iter().try_for_each(|&o| self.op(side, o, space))
    }

    fn op(&mut self, side: usize, o: OpId, space: Space) -> Result<(), Refusal> {
        let func = self.func(side);
        let data = func.op(o);
        if self.terms.len() > MAX_TERMS {
            return self.refuse(side, o, "the program is larger than what is followed");
        }
        match &data.op {
            _ if is_operand(func, o) => {
                let runs = self.get(side, data.operands[0]);
                self.set(side, data.results[0], runs);
                return Ok(());
            }
            Op::Repeat { early: false, .. } => return self.repeat(side, o, space),
            Op::Repeat { .. } | Op::Composite { .. } => {
                let number = self.body(side, o);
                self.made(side, o, number);
                return Ok(());
            }
            _ => {}
        }
        let [result] = data.results[..] else {
            return self.refuse(side, o, "an op with several results is not followed");
        };
        let runs = match self.by_runs(side, o, result) {
            Some(runs) => runs,
            None => {
                let number = self.terms.number(&data.op);
                self.made(side, o, number);
                return Ok(());
            }
        };
        self.set(side, result, runs);
        Ok(())
    }

    /// An op that reads its operands as a whole.
    fn made(&mut self, side: usize, o: OpId, number: u32) {
        let data = self.func(side).op(o);
        let origin = (side, Some(o));
        let of: Vec<TermRef> = data.operands.iter().map(|&x| self.whole(side, x)).collect();
        for (i, &r) in data.results.iter().enumerate() {
            let t = self.terms.op(number, i as u32, of.clone(), origin);
            let cuts = self.cuts_of(side, r);
            let runs = self.terms.split(t, &cuts, origin);
            self.set(side, r, runs);
        }
    }

    /// The runs of rows of an op's result, where they are made of runs, and sums; `None` for all else.
    fn by_runs(&mut self, side: usize, o: OpId, result: ValueId) -> Option<Runs> {
        let func = self.func(side);
        let data = func.op(o);
        let origin = (side, Some(o));
        let cuts = self.cuts_of(side, result);
        match &data.op {
            op if op.arithmetic() == Arithmetic::Add => {
                let [x, y] = data.operands[..] else { return None };
                let (xs, ys) = (self.get(side, x), self.get(side, y));
                return Some(xs.iter().zip(&ys).map(|(&x, &y)| self.terms.sum(&[x, y], origin)).collect());
            }
            Op::Concatenate { dim: 0 } => return self.concatenated(side, o, &cuts),
            Op::Slice { start, limit } => {
                if let Some(runs) = self.sliced(side, data.operands[0], result, start, limit) {
                    return Some(runs);
                }
            }
            Op::Reduce { kind, dims } if dims.contains(&0) => {
                let runs = self.get(side, data.operands[0]);
                if runs.len() > 1 {
                    let number = self.terms.number(&data.op);
                    let parts: Vec<TermRef> = runs.iter().map(|&x| self.terms.op(number, 0, vec![x], origin)).collect();
                    let all = self.combined(*kind, &parts, origin)?;
                    return Some(self.terms.split(all, &cuts, origin));
                }
            }
            _ => {}
        }
        if cuts.len() <= 2 {
            return None;
        }
        let by = rows::operands(func, o)?;
        let mut operands: Vec<(bool, Runs)> = Vec::new();
        for (&x, rows) in data.operands.iter().zip(by) {
            let runs = if rows { self.get(side, x) } else { vec![self.whole(side, x)] };
            if rows && runs.len() + 1 != cuts.len() {
                return None;
            }
            operands.push((rows, runs));
        }
        let mut out = Runs::new();
        for (k, w) in cuts.windows(2).enumerate() {
            let number = self.terms.number(&rows::resized(func, o, w[1] - w[0]));
            let of = operands.iter().map(|(rows, runs)| runs[if *rows { k } else { 0 }]).collect();
            out.push(self.terms.op(number, 0, of, origin));
        }
        Some(out)
    }

    /// What a reduction makes of some tensors, one after the other.
    fn combined(&mut self, kind: Reduction, parts: &[TermRef], origin: MadeBy) -> Option<TermRef> {
        if kind == Reduction::Sum {
            return Some(self.terms.sum(parts, origin));
        }
        let number = self.terms.number(&Op::elem(kind.elementwise())?);
        let (&first, rest) = parts.split_first()?;
        Some(rest.iter().fold(first, |acc, &x| self.terms.op(number, 0, vec![acc, x], origin)))
    }

    /// Tensors one after the other, if the result is cut where they end.
    fn concatenated(&mut self, side: usize, o: OpId, cuts: &[u64]) -> Option<Runs> {
        let operands = &self.func(side).op(o).operands;
        let (mut runs, mut ends, mut at) = (Runs::new(), vec![0], 0);
        for &x in operands {
            runs.extend(self.get(side, x));
            ends.extend(self.cuts_of(side, x).iter().skip(1).map(|e| at + e));
            at += rows_of(self.func(side), x);
        }
        (cuts.len() > 2 && ends == cuts).then_some(runs)
    }

    /// Rows of a tensor that is cut where they begin and end.
    fn sliced(&mut self, side: usize, x: ValueId, result: ValueId, start: &[u64], limit: &[u64]) -> Option<Runs> {
        let func = self.func(side);
        let shape = &func.ty(x).shape;
        let rest = (1..shape.len()).all(|d| start[d] == 0 && limit[d] == shape[d]);
        let cuts = self.cuts_of(side, x);
        if !rest || cuts.len() <= 2 {
            return None;
        }
        let (lo, hi) = (*start.first()?, *limit.first()?);
        let inside: Vec<u64> = cuts.iter().filter(|c| (lo..=hi).contains(*c)).map(|c| c - lo).collect();
        if inside != self.cuts_of(side, result) {
            return None;
        }
        let runs = self.get(side, x).into_iter().zip(cuts.windows(2));
        Some(runs.filter(|(_, w)| lo <= w[0] && w[1] <= hi).map(|r| r.0).collect())
    }

    /// The number of an op that is compared as it stands, its body op by op.
    fn body(&mut self, side: usize, o: OpId) -> u32 {
        if let Some(&n) = self.bodies.get(&(side, o)) {
            return n;
        }
        let mut text = String::new();
        written(self.func(side), o, &mut text);
        let n = self.terms.body(text);
        self.bodies.insert((side, o), n);
        n
    }

    fn repeat(&mut self, side: usize, o: OpId, space: Space) -> Result<(), Refusal> {
        let func = self.func(side);
        let data = func.op(o);
        let Op::Repeat { trip, reverse, carries, xs, .. } = data.op else { return Ok(()) };
        let origin = (side, Some(o));
        let body = func.region(data.regions[0]);
        let cuts = self.cuts(trip);
        let parts = cuts.len() - 1;
        let mut carried: Vec<Runs> = data.operands[..carries].iter().map(|&x| self.get(side, x)).collect();
        let mut stacks: Vec<Runs> = vec![vec![TermRef(0); parts]; data.results.len() - carries];
        for n in 0..parts {
            let part = if reverse { parts - 1 - n } else { n };
            let inside = self.terms.inside(space, cuts[part + 1] - cuts[part]);
            let mut open: Vec<Runs> = Vec::new();
            for (i, (&a, &x)) in body.args.iter().zip(&data.operands).enumerate() {
                let own = self.cuts_of(side, a);
                let runs = if i < carries {
                    let mut runs = Runs::new();
                    for (w, &start) in own.windows(2).zip(&carried[i]) {
                        let mut ty = func.ty(a).clone();
                        if let Some(rows) = ty.shape.first_mut() {
                            *rows = w[1] - w[0];
                        }
                        runs.push(self.terms.carry(inside, reverse, ty, start, origin));
                    }
                    open.push(runs.clone());
                    runs
                } else if i < carries + xs {
                    let Some(&run) = self.get(side, x).get(part) else {
                        return self.refuse(side, o, "a slice of what is cut otherwise is not followed");
                    };
                    let t = self.terms.slice(inside, run, origin);
                    self.terms.split(t, &own, origin)
                } else {
                    self.get(side, x)
                };
                self.set(side, a, runs);
            }
            self.region(side, data.regions[0], inside)?;
            for (j, &y) in body.yields.iter().enumerate().skip(carries) {
                let y = self.whole(side, y);
                stacks[j - carries][part] = self.terms.stack(inside, y, origin);
            }
            let nexts: Vec<Runs> = body.yields[..carries].iter().map(|&y| self.get(side, y)).collect();
            // A carry or a next value that several ports read.
            let mut count: HashMap<TermRef, u32> = HashMap::new();
            nexts.iter().flatten().for_each(|&t| *count.entry(t).or_default() += 1);
            for (i, (runs, nexts)) in open.iter().zip(&nexts).enumerate() {
                if runs.len() != nexts.len() {
                    return self.refuse(side, o, "a carry that is cut otherwise is not followed");
                }
                let left = runs.iter().zip(nexts).map(|(&t, &next)| {
                    let read = count.contains_key(&t) || count.get(&next).is_some_and(|&n| n > 1);
                    self.terms.carried(inside, t, next, read, origin)
                });
                carried[i] = left.collect();
            }
        }
        for (i, &r) in data.results.iter().enumerate() {
            let runs = match i.checked_sub(carries) {
                None => carried[i].clone(),
                Some(j) => stacks[j].clone(),
            };
            self.set(side, r, runs);
        }
        Ok(())
    }
}

/// Whether an op gives its only operand as it is.
fn is_operand(func: &Func, o: OpId) -> bool {
    let data = func.op(o);
    let shape = |x: &ValueId| func.ty(*x).shape.as_slice();
    match (&data.op, &data.operands[..]) {
        (Op::Constrain(_) | Op::Concatenate { .. }, [_]) => true,
        (Op::Slice { start, limit }, [x]) => start.iter().all(|&s| s == 0) && limit == shape(x),
        _ => false,
    }
}

/// Entries of dim 0; 0 for a scalar.
fn rows_of(func: &Func, v: ValueId) -> u64 {
    func.ty(v).shape.first().copied().unwrap_or(0)
}

/// Writes an op with its body: attributes, types, and operands by the place where they are computed.
fn written(func: &Func, o: OpId, out: &mut String) {
    let mut names: HashMap<ValueId, usize> = HashMap::new();
    let types: Vec<String> = func.op(o).operands.iter().map(|&x| func.ty(x).to_string()).collect();
    let _ = write!(out, "({})", types.join(","));
    inner(func, o, &mut names, out);
}

fn inner(func: &Func, o: OpId, names: &mut HashMap<ValueId, usize>, out: &mut String) {
    let data = func.op(o);
    let _ = write!(out, "{:?}[", data.op);
    for x in &data.operands {
        // Those of the outermost op are not named: they are operands of the term.
        let _ = write!(out, "{},", names.get(x).map_or("-".into(), ToString::to_string));
    }
    for &r in &data.regions {
        let region = func.region(r);
        for &a in &region.args {
            let n = names.len();
            names.insert(a, n);
            let _ = write!(out, "{n}:{},", func.ty(a));
        }
        out.push('{');
        region.ops.iter().for_each(|&x| inner(func, x, names, out));
        for y in &region.yields {
            let _ = write!(out, "{},", names.get(y).map_or("-".into(), ToString::to_string));
        }
        out.push('}');
    }
    for &r in &data.results {
        let n = names.len();
        names.insert(r, n);
        let _ = write!(out, "{n}:{};", func.ty(r));
    }
    out.push(']');
}

/// Whether a term is a carry.
pub fn carry(terms: &Terms, t: TermRef) -> Option<&super::terms::Carry> {
    match terms.node(t).kind {
        TermKind::Carry(n) => terms.carries.get(n as usize),
        _ => None,
    }
}
