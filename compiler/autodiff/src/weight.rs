//! How much the loss of a microbatch counts in the loss of the batch: 1 / k for a mean over the batch, 1 for a sum.
//!
//! The loss is there twice, for the batch and for a microbatch. Both are the same program with other sizes, so the two
//! are read side by side. For each value this finds how the batch's value follows from the microbatches': row by row,
//! as a weighted sum, or not at all. An op that mixes rows (a maximum over the batch, a quotient of two sums) has no
//! weight: its microbatches do not add up to one batch, and the answer names the op.

use crate::custom;
use meshloom_ir::{
    FactorKind, FactorRule, Func, Literal, Op, OpId, Reduction, RegionId, Role, Scalar, Span, ValueId, table,
};
use std::collections::BTreeMap;

/// Why a loss has no weight.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coupled {
    pub span: Span,
    pub message: String,
}

/// How a value of the batch follows from those of the microbatches.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    /// Zero in both.
    Zero,
    /// Depends on no row. It is this many times its value in every microbatch.
    Alone(f64),
    /// Has the batch in one dim. Each row is this many times the row in its microbatch.
    Rows(f64),
    /// This many times the sum over microbatches.
    Total(f64),
    /// None of these; a [`Coupled`] was noted.
    Mixed,
}

/// The weight of the loss `micro` of one of `count` microbatches in the loss `whole`.
///
/// # Errors
/// The first op that mixes rows in a way that no weight undoes.
pub fn weight(whole: &Func, micro: &Func, count: u64) -> Result<f64, Coupled> {
    let (mut whole, mut micro) = (whole.clone(), micro.clone());
    custom::written_out(&mut whole);
    custom::written_out(&mut micro);
    let (whole, micro) = (&whole, &micro);
    let at = |f: &Func| f.outputs.iter().position(|p| p.role == Role::Loss);
    let alike = whole.ops.len() == micro.ops.len()
        && whole.values.len() == micro.values.len()
        && whole.ops.iter().zip(&micro.ops).all(|(a, b)| a.op.name() == b.op.name() && a.operands == b.operands);
    let (Some(i), true) = (at(whole), alike && at(whole) == at(micro)) else {
        let message = "the program is another one for a smaller batch".into();
        return Err(Coupled { span: Span::default(), message });
    };
    let mut w = Walk { whole, micro, count: count as f64, kinds: BTreeMap::new(), first: None };
    for (port, &v) in whole.inputs.iter().zip(&whole.body().args) {
        let batched = port.role != Role::Parameter && w.batch_dim(v).is_some();
        w.kinds.insert(v, if batched { Kind::Rows(1.0) } else { Kind::Alone(1.0) });
    }
    w.region(Func::BODY);
    match w.kind(whole.body().yields[i]) {
        Kind::Zero => Ok(1.0 / w.count),
        Kind::Alone(r) => Ok(r / w.count),
        Kind::Total(weight) => Ok(weight),
        Kind::Rows(_) | Kind::Mixed => Err(w
            .first
            .unwrap_or(Coupled { span: whole.outputs[i].span, message: "the loss is no sum over the batch".into() })),
    }
}

struct Walk<'a> {
    whole: &'a Func,
    micro: &'a Func,
    count: f64,
    kinds: BTreeMap<ValueId, Kind>,
    first: Option<Coupled>,
}

impl Walk<'_> {
    fn kind(&self, v: ValueId) -> Kind {
        self.kinds.get(&v).copied().unwrap_or(Kind::Mixed)
    }

    /// The dim in which the batch is: where the two programs differ.
    fn batch_dim(&self, v: ValueId) -> Option<usize> {
        let (a, b) = (&self.whole.ty(v).shape, &self.micro.ty(v).shape);
        a.iter().zip(b).position(|(x, y)| x != y)
    }

    fn region(&mut self, r: RegionId) {
        for &o in &self.whole.region(r).ops {
            match self.whole.op(o).op {
                Op::Repeat { carries, .. } => self.repeat(o, carries),
                _ => self.op(o),
            }
        }
    }

    fn repeat(&mut self, o: OpId, carries: usize) {
        let data = self.whole.op(o);
        let body = self.whole.region(data.regions[0]);
        for (&a, &x) in body.args.iter().zip(&data.operands) {
            self.kinds.insert(a, self.kind(x));
        }
        // A carry that starts as zero becomes what is added to it, once for each carry at most.
        for _ in 0..=carries {
            let first = self.first.take();
            self.region(data.regions[0]);
            let mut changed = false;
            for (&a, &y) in body.args.iter().zip(&body.yields).take(carries) {
                let (old, new) = (self.kind(a), self.kind(y));
                if old != new {
                    self.kinds.insert(a, if old == Kind::Zero { new } else { Kind::Mixed });
                    changed = old != Kind::Mixed;
                }
            }
            self.first = first.or(self.first.take());
            if !changed {
                break;
            }
        }
        for (&r, &y) in data.results.iter().zip(&body.yields) {
            self.kinds.insert(r, self.kind(y));
        }
    }

    fn op(&mut self, o: OpId) {
        let data = self.whole.op(o);
        let kinds: Vec<Kind> = data.operands.iter().map(|&v| self.kind(v)).collect();
        for &r in &data.results {
            let kind = if kinds.contains(&Kind::Mixed) { None } else { self.result(o, &kinds, r) };
            if kind.is_none() && self.first.is_none() && !kinds.contains(&Kind::Mixed) {
                let message = format!("`{}` mixes rows of the batch", data.op.name());
                self.first = Some(Coupled { span: data.span, message });
            }
            self.kinds.insert(r, kind.unwrap_or(Kind::Mixed));
        }
    }

    fn result(&self, o: OpId, kinds: &[Kind], r: ValueId) -> Option<Kind> {
        let data = self.whole.op(o);
        let batch = self.batch_dim(r);
        if let (Op::Constant { value: a, .. }, Op::Constant { value: b, .. }) = (&data.op, &self.micro.op(o).op) {
            return constant(a, b, batch.is_some());
        }
        let rows = kinds.iter().any(|k| matches!(k, Kind::Rows(_)));
        if !rows {
            let new = match data.op {
                // Every row has random numbers of its own, in a microbatch as in a batch.
                Op::Broadcast { .. } | Op::RandomBits { .. } => true,
                Op::Iota { dim, .. } => batch != Some(dim),
                _ => batch.is_none(),
            };
            let kind = if kinds.is_empty() { Some(Kind::Alone(1.0)) } else { self.combine(&data.op, kinds) };
            return match (kind?, batch) {
                _ if !new => None,
                (k, None) => Some(k),
                (Kind::Zero, Some(_)) => Some(Kind::Rows(1.0)),
                (Kind::Alone(x), Some(_)) => Some(Kind::Rows(x)),
                _ => None,
            };
        }
        let rule = table::factors(self.whole, o)?;
        let f = self.batch_factor(&rule, &data.operands, kinds)?;
        let at = data.results.iter().position(|&x| x == r)?;
        let stays = batch.is_some_and(|d| rule.results[at][d].contains(&f));
        match (rule.kinds[f], self.combine(&data.op, kinds)?) {
            (FactorKind::Parallel, k @ Kind::Rows(_)) if stays => Some(k),
            (FactorKind::Reduced(Reduction::Sum), Kind::Rows(x)) if batch.is_none() => Some(Kind::Total(x)),
            _ => None,
        }
    }

    /// The factor that is the batch in all operands that have it.
    fn batch_factor(&self, rule: &FactorRule, operands: &[ValueId], kinds: &[Kind]) -> Option<usize> {
        let mut found = None;
        for (i, (&v, kind)) in operands.iter().zip(kinds).enumerate() {
            if !matches!(kind, Kind::Rows(_)) {
                continue;
            }
            let f = *rule.operands[i][self.batch_dim(v)?].first()?;
            if found.is_some_and(|g| g != f) {
                return None;
            }
            found = Some(f);
        }
        found
    }

    /// How the result of an op follows from its operands, apart from the dims that it sums.
    fn combine(&self, op: &Op, kinds: &[Kind]) -> Option<Kind> {
        let name = op.name();
        let linear = op.is_view()
            || matches!(
                op,
                Op::Convert { .. } | Op::Pad { .. } | Op::Concatenate { .. } | Op::Reduce { kind: Reduction::Sum, .. }
            );
        match name {
            "add" | "subtract" => kinds.iter().copied().try_fold(Kind::Zero, |a, b| self.sum(a, b)),
            "negate" | "stop_gradient" => Some(kinds[0]),
            _ if linear => kinds.iter().copied().try_fold(Kind::Zero, |a, b| self.sum(a, b)),
            "multiply" | "dot_general" => kinds.iter().copied().try_fold(Kind::Alone(1.0), product),
            "divide" => match (kinds[0], kinds[1]) {
                (Kind::Rows(x), Kind::Rows(y)) => Some(Kind::Rows(x / y)),
                (x, Kind::Alone(y)) => product(x, Kind::Alone(1.0 / y)),
                _ => None,
            },
            _ => {
                let plain = |k: &Kind| matches!(k, Kind::Zero | Kind::Alone(1.0) | Kind::Rows(1.0));
                let rows = kinds.contains(&Kind::Rows(1.0));
                kinds.iter().all(plain).then_some(if rows { Kind::Rows(1.0) } else { Kind::Alone(1.0) })
            }
        }
    }

    fn sum(&self, a: Kind, b: Kind) -> Option<Kind> {
        match (a, b) {
            (Kind::Zero, k) | (k, Kind::Zero) => Some(k),
            _ if a == b => Some(a),
            // What is the same in all microbatches is so often in their sum.
            (Kind::Total(w), Kind::Alone(x)) | (Kind::Alone(x), Kind::Total(w)) if close(w, x / self.count) => {
                Some(Kind::Total(w))
            }
            (Kind::Rows(x), Kind::Rows(y)) | (Kind::Total(x), Kind::Total(y)) if close(x, y) => Some(a),
            _ => None,
        }
    }
}

fn product(a: Kind, b: Kind) -> Option<Kind> {
    Some(match (a, b) {
        (Kind::Zero, Kind::Rows(_)) | (Kind::Rows(_), Kind::Zero) => Kind::Rows(1.0),
        (Kind::Zero, _) | (_, Kind::Zero) => Kind::Zero,
        (Kind::Alone(x), Kind::Alone(y)) => Kind::Alone(x * y),
        (Kind::Alone(x), Kind::Rows(y)) | (Kind::Rows(y), Kind::Alone(x)) | (Kind::Rows(x), Kind::Rows(y)) => {
            Kind::Rows(x * y)
        }
        (Kind::Alone(x), Kind::Total(y)) | (Kind::Total(y), Kind::Alone(x)) => Kind::Total(x * y),
        _ => return None,
    })
}

fn constant(a: &Literal, b: &Literal, batched: bool) -> Option<Kind> {
    let ratio = match (a, b) {
        (Literal::Splat(a), Literal::Splat(b)) => {
            let (x, y) = (a.as_f64(), b.as_f64());
            if x == 0.0 && y == 0.0 && !batched {
                return Some(Kind::Zero);
            }
            match (a, b) {
                // Integers that f64 cannot tell apart.
                (Scalar::Int(m), Scalar::Int(n)) if m != n && x == y => return None,
                _ if x == y => 1.0,
                _ => x / y,
            }
        }
        _ if a == b && !batched => 1.0,
        _ => return None,
    };
    (ratio.is_finite() && ratio != 0.0).then_some(if batched { Kind::Rows(ratio) } else { Kind::Alone(ratio) })
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}
