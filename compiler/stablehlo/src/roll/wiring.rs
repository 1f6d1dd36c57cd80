//! From a stretch of ops of the same kinds to a loop: where its iterations begin, and whether they read each other alike.
//!
//! A stretch of a period may be cut into iterations anywhere. It is cut where the fewest bytes go from one iteration to the
//! next, which is between layers: inside of one, activations wait beside the residual stream.

use super::detect::Stretch;
use super::number::Numbers;
use meshloom_ir::{Def, Func, Op, OpId, ValueId};
use std::collections::BTreeMap;

/// The ops of a program in order, without those that a loop need not read (see [`super::program`]).
pub struct Line {
    pub ops: Vec<OpId>,
    /// By op.
    at: Vec<Option<usize>>,
}

/// What an op of an iteration reads: result `1` of the op at place `0` of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read {
    /// Of the same one.
    Here(usize, usize),
    /// Of the one before.
    Before(usize, usize),
    /// Of an earlier one: what no loop can read.
    Far,
    /// Something else.
    Outside,
}

/// `count` iterations of `period` ops of the line, from `start` on.
#[derive(Clone, Debug)]
pub struct Loop {
    pub start: usize,
    pub period: usize,
    pub count: usize,
    /// By place in the body and operand; in the first iteration, `Before` is an initial value from outside.
    pub reads: Vec<Vec<Read>>,
    /// By place: every iteration computes the same, so the loop reads it from outside.
    pub fixed: Vec<bool>,
}

impl Loop {
    pub fn op(&self, line: &Line, iteration: usize, place: usize) -> OpId {
        line.ops[self.start + iteration * self.period + place]
    }

    pub fn len(&self) -> usize {
        self.count * self.period
    }
}

impl Line {
    pub fn new(func: &Func, ops: Vec<OpId>) -> Line {
        let mut at = vec![None; func.ops.len()];
        for (i, &o) in ops.iter().enumerate() {
            at[o.index()] = Some(i);
        }
        Line { ops, at }
    }
}

/// The longest loop in a stretch.
///
/// # Errors
/// Why there is none, as a sentence about "them", and the op that says most about it. `None` where nothing goes from one to the
/// next: those are no layers.
pub fn find(func: &Func, numbers: &Numbers, line: &Line, s: Stretch) -> Result<Loop, Option<(String, OpId)>> {
    let mut best: Option<Loop> = None;
    let mut reason = None;
    for start in starts(func, numbers, line, s) {
        match from(func, numbers, line, Stretch { start, len: s.start + s.len - start, ..s }) {
            Ok(l) if best.as_ref().is_none_or(|b| l.count > b.count) => best = Some(l),
            Ok(_) => {}
            Err(e) => reason = reason.or(Some(e)),
        }
    }
    best.ok_or(reason)
}

/// Where iterations may begin: the places that the fewest bytes cross; those that leave room for most iterations.
fn starts(func: &Func, numbers: &Numbers, line: &Line, s: Stretch) -> Vec<usize> {
    let middle = s.start + (s.len / s.period - 1) / 2 * s.period;
    // By value: the last place in this iteration and the next that reads it.
    let mut last: BTreeMap<ValueId, usize> = BTreeMap::new();
    for p in middle..middle + 2 * s.period {
        last.extend(func.op(line.ops[p]).operands.iter().map(|&v| (v, p)));
    }
    // Bytes that begin and cease to cross, by place; folded by period.
    let mut change = vec![0i128; 2 * s.period + 1];
    for p in middle..middle + s.period {
        for (i, &v) in func.op(line.ops[p]).results.iter().enumerate() {
            let next = func.op(line.ops[p + s.period]).results[i];
            if numbers.of(v) == numbers.of(next) {
                continue;
            }
            if let Some(last) = last.get(&v) {
                let bytes = i128::from(func.ty(v).bytes());
                change[p + 1 - middle] += bytes;
                change[last + 1 - middle] -= bytes;
            }
        }
    }
    let mut crossing = vec![0i128; s.period];
    let mut now = 0;
    for (b, c) in change.iter().take(2 * s.period).enumerate() {
        now += c;
        crossing[b % s.period] += now;
    }
    let Some(&least) = crossing.iter().filter(|&&c| c > 0).min() else { return Vec::new() };
    let all = (0..s.period).filter(|&r| crossing[r] == least);
    let most = all.clone().map(|r| (s.len - r) / s.period).max().unwrap_or(0);
    all.filter(|r| (s.len - r) / s.period == most).map(|r| s.start + r).collect()
}

/// The longest loop whose iterations begin at `s.start` plus a multiple of the period.
fn from(func: &Func, numbers: &Numbers, line: &Line, s: Stretch) -> Result<Loop, (String, OpId)> {
    let count = s.len / s.period;
    if count < 2 {
        return Err(("they are too few".into(), line.ops[s.start]));
    }
    let results = |k: usize, p: usize| &func.op(line.ops[s.start + k * s.period + p]).results;
    let fixed: Vec<bool> = (0..s.period)
        .map(|p| {
            let same =
                |k: usize| results(k, p).iter().zip(results(0, p)).all(|(&a, &b)| numbers.of(a) == numbers.of(b));
            (1..count).all(same)
        })
        .collect();
    let read = |k: usize, v: ValueId| -> Read {
        let Def::Op(o, r) = func.value(v).def else { return Read::Outside };
        let Some(at) = line.at[o.index()].and_then(|at| at.checked_sub(s.start)) else { return Read::Outside };
        let (from, p) = (at / s.period, at % s.period);
        match k - from {
            _ if fixed[p] => Read::Outside,
            0 => Read::Here(p, r as usize),
            1 => Read::Before(p, r as usize),
            _ => Read::Far,
        }
    };
    let reads = |k: usize| -> Vec<Vec<Read>> {
        let of =
            |p: usize| func.op(line.ops[s.start + k * s.period + p]).operands.iter().map(|&v| read(k, v)).collect();
        (0..s.period).map(|p| if fixed[p] { Vec::new() } else { of(p) }).collect()
    };
    // Runs of iterations that read alike, the first of them with its initial values.
    let mut best: Option<Loop> = None;
    let mut differs = None;
    let mut before = reads(0);
    let mut pattern: Option<(usize, Vec<Vec<Read>>)> = None;
    for k in 1..count {
        let now = reads(k);
        let first = match &pattern {
            Some((first, p)) if *p == now => *first,
            Some(_) | None => {
                if pattern.is_some() {
                    differs = differs.or(unlike(&before, &now).map(|p| line.ops[s.start + k * s.period + p]));
                }
                if may_begin(&before, &now) { k - 1 } else { k }
            }
        };
        let carries = now.iter().flatten().any(|r| matches!(r, Read::Before(..)));
        let far = now.iter().flatten().any(|r| *r == Read::Far);
        let n = k + 1 - first;
        if carries && !far && n >= 2 && best.as_ref().is_none_or(|b| n > b.count) {
            let start = s.start + first * s.period;
            best = Some(Loop { start, period: s.period, count: n, reads: now.clone(), fixed: fixed.clone() });
        }
        pattern = Some((first, now.clone()));
        before = now;
    }
    let op = differs.unwrap_or(line.ops[s.start]);
    best.ok_or_else(|| ("they do not read each other alike".into(), op))
}

/// Whether an iteration that reads `first` can be the one before iterations that read `next`.
fn may_begin(first: &[Vec<Read>], next: &[Vec<Read>]) -> bool {
    first.iter().flatten().zip(next.iter().flatten()).all(|(f, n)| match (f, n) {
        (Read::Here(..), _) | (_, Read::Here(..)) => f == n,
        _ => true,
    })
}

fn unlike(a: &[Vec<Read>], b: &[Vec<Read>]) -> Option<usize> {
    (0..a.len()).find(|&p| a[p] != b[p])
}

/// Whether a body is a layer: it contracts something. Chains of small ops are as well off as they stand.
pub fn contracts(func: &Func, line: &Line, s: Stretch) -> bool {
    line.ops[s.start..s.start + s.period]
        .iter()
        .any(|&o| matches!(func.op(o).op, Op::DotGeneral(_) | Op::Repeat { .. } | Op::Composite { .. }))
}
