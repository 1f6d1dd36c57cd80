//! How the values of a loss follow from those of a part of its batch: row by row, as a weighted sum, as a function of such
//! sums, or not at all.
//!
//! There are two programs of the loss: one for the batch, and one for one of its equal parts. They differ only in sizes, so
//! they are read side by side. [`crate::weight`] asks how much a microbatch counts, and [`crate::held_out`] from which sums
//! over rows a held-out loss is computed.

use meshloom_ir::einsum::ContractionOp;
use meshloom_ir::{
    Arithmetic, FactorKind, FactorRule, Func, Literal, Op, OpId, Reduction, RegionId, Role, Scalar, Span, ValueId,
    table,
};
use std::collections::{BTreeMap, BTreeSet};

/// Why a loss has no weight.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coupled {
    pub span: Span,
    pub message: String,
}

/// How a value of the batch follows from those of the parts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Kind {
    /// Zero in both.
    Zero,
    /// Depends on no row. It is this many times its value in every part.
    Alone(f64),
    /// Has the batch in one dim. Each row is this many times the row in its part.
    Rows(f64),
    /// This many times the sum over the parts.
    Total(f64),
    /// A function of values of the kinds `Total` and `Alone`, and no sum of them.
    Of,
    /// None of these; a [`Coupled`] was noted.
    Mixed,
}

/// An op of the body that mixes rows, although none of its operands does.
pub(crate) struct Mixing {
    pub op: OpId,
    pub coupled: Coupled,
}

/// The kinds of all values of `whole`.
#[derive(Default)]
pub(crate) struct Followed {
    kinds: BTreeMap<ValueId, Kind>,
    /// Whether a value has the same type in the batch and in a part of it.
    alike: Vec<bool>,
    /// Whether an op is the same in the batch and in a part of it, with all that it has inside.
    same: Vec<bool>,
    /// In the order of the body.
    pub mixing: Vec<Mixing>,
}

impl Followed {
    pub fn kind(&self, v: ValueId) -> Kind {
        self.kinds.get(&v).copied().unwrap_or(Kind::Mixed)
    }

    pub fn is_alike(&self, v: ValueId) -> bool {
        self.alike.get(v.index()).is_some_and(|a| *a)
    }

    pub fn is_same(&self, o: OpId) -> bool {
        self.same.get(o.index()).is_some_and(|s| *s)
    }

    /// Why an output of `whole` is no sum over the batch: the first op that it comes from and that mixes rows.
    pub fn why(&self, whole: &Func, output: usize) -> Coupled {
        let mut from: BTreeSet<ValueId> = BTreeSet::from([whole.body().yields[output]]);
        for &o in whole.body().ops.iter().rev() {
            if whole.op(o).results.iter().any(|r| from.contains(r)) {
                from.extend(&whole.op(o).operands);
            }
        }
        let feeds = |m: &&Mixing| whole.op(m.op).results.iter().any(|r| from.contains(r));
        let first = self.mixing.iter().find(feeds).map(|m| m.coupled.clone());
        let span = whole.outputs[output].span;
        first.unwrap_or(Coupled { span, message: "it is no sum over the batch".into() })
    }
}

/// What a part is given from the batch, and what it computes otherwise than it is written.
#[derive(Default)]
pub(crate) struct Told {
    /// Values that the parts take from the batch.
    pub values: BTreeSet<ValueId>,
    /// Operands of ops of the body, by their place, that the parts multiply by a number first.
    pub scaled: BTreeMap<(OpId, usize), f64>,
}

/// Reads the loss `whole` of a batch beside the loss `part` of one of `count` parts of it.
///
/// # Errors
/// The two are not the same program.
pub(crate) fn follow(whole: &Func, part: &Func, count: u64, told: &Told) -> Result<Followed, Coupled> {
    let roles = |f: &Func| f.outputs.iter().map(|p| p.role).collect::<Vec<_>>();
    let alike = whole.ops.len() == part.ops.len()
        && whole.values.len() == part.values.len()
        && roles(whole) == roles(part)
        && whole.ops.iter().zip(&part.ops).all(|(a, b)| a.op.name() == b.op.name() && a.operands == b.operands);
    if !alike {
        let message = "the program is another one for a smaller batch".into();
        return Err(Coupled { span: Span::default(), message });
    }
    let mut w =
        Walk { whole, part, count: count as f64, told, kinds: BTreeMap::new(), mixing: Vec::new(), top: OpId(0) };
    for (port, &v) in whole.inputs.iter().zip(&whole.body().args) {
        let batched = port.role != Role::Parameter && w.batch_dim(v).is_some();
        w.kinds.insert(v, if batched { Kind::Rows(1.0) } else { Kind::Alone(1.0) });
    }
    w.region(Func::BODY);
    let alike = whole.values.iter().zip(&part.values).map(|(a, b)| a.ty == b.ty).collect();
    let same = |i: usize| whole.ops[i].op == part.ops[i].op && w.same_inside(OpId(i as u32));
    let same = (0..whole.ops.len()).map(same).collect();
    Ok(Followed { kinds: w.kinds, alike, same, mixing: w.mixing })
}

struct Walk<'a> {
    whole: &'a Func,
    part: &'a Func,
    count: f64,
    told: &'a Told,
    kinds: BTreeMap<ValueId, Kind>,
    mixing: Vec<Mixing>,
    /// The op of the body that is walked.
    top: OpId,
}

impl Walk<'_> {
    fn kind(&self, v: ValueId) -> Kind {
        self.kinds.get(&v).copied().unwrap_or(Kind::Mixed)
    }

    /// The dim in which the batch is: where the two programs differ.
    fn batch_dim(&self, v: ValueId) -> Option<usize> {
        let (a, b) = (&self.whole.ty(v).shape, &self.part.ty(v).shape);
        a.iter().zip(b).position(|(x, y)| x != y)
    }

    fn region(&mut self, r: RegionId) {
        for &o in &self.whole.region(r).ops {
            if r == Func::BODY {
                self.top = o;
            }
            match self.whole.op(o).op {
                Op::Repeat { carries, .. } => self.repeat(o, carries),
                _ => self.op(o),
            }
            for v in self.whole.op(o).results.iter().filter(|v| self.told.values.contains(v)) {
                self.kinds.insert(*v, Kind::Alone(1.0));
            }
        }
    }

    fn repeat(&mut self, o: OpId, carries: usize) {
        let data = self.whole.op(o);
        let body = self.whole.region(data.regions[0]);
        for (&a, &x) in body.args.iter().zip(&data.operands) {
            self.kinds.insert(a, self.kind(x));
        }
        let before = self.mixing.len();
        // A carry that starts as zero becomes what is added to it, and any may become mixed: two changes of each at most.
        for _ in 0..=2 * carries {
            self.mixing.truncate(before);
            self.region(data.regions[0]);
            let mut changed = false;
            for (&a, &y) in body.args.iter().zip(&body.yields).take(carries) {
                let (old, new) = (self.kind(a), self.kind(y));
                if old != new {
                    self.kinds.insert(a, if old == Kind::Zero { new } else { Kind::Mixed });
                    changed |= old != Kind::Mixed;
                }
            }
            if !changed {
                break;
            }
        }
        // How long a `while` goes on for all rows is no matter of one of them.
        let ends = data.op.ends_early()
            && !body.yields.first().is_some_and(|&y| matches!(self.kind(y), Kind::Zero | Kind::Alone(_)));
        // A loop over sums alone is a function of them. In one that goes over rows too, nothing can be done about such a function.
        let late = !data.operands.iter().any(|&v| matches!(self.kind(v), Kind::Rows(_) | Kind::Mixed));
        let late = late && self.same_inside(o);
        for (&r, &y) in data.results.iter().zip(&body.yields) {
            let kind = match self.kind(y) {
                Kind::Of if !late => Kind::Mixed,
                Kind::Rows(_) | Kind::Total(_) | Kind::Zero if ends => Kind::Mixed,
                Kind::Mixed if late && self.batch_dim(r).is_none() => Kind::Of,
                kind => kind,
            };
            self.kinds.insert(r, kind);
        }
    }

    /// Whether the regions of an op do not depend on the size of the batch.
    fn same_inside(&self, o: OpId) -> bool {
        let regions = &self.whole.op(o).regions;
        regions.iter().all(|&r| {
            self.whole.walk(r).iter().all(|&inner| {
                let same = |&v: &ValueId| self.whole.ty(v) == self.part.ty(v);
                self.whole.op(inner).op == self.part.op(inner).op && self.whole.op(inner).results.iter().all(same)
            })
        })
    }

    fn op(&mut self, o: OpId) {
        let data = self.whole.op(o);
        let scaled = |(i, &v): (usize, &ValueId)| match (self.kind(v), self.told.scaled.get(&(o, i))) {
            (Kind::Total(weight), Some(by)) => Kind::Total(weight / by),
            (Kind::Alone(times), Some(by)) => Kind::Alone(times / by),
            (kind, _) => kind,
        };
        let kinds: Vec<Kind> = data.operands.iter().enumerate().map(scaled).collect();
        let derived = kinds.iter().any(|k| matches!(k, Kind::Mixed | Kind::Of));
        for &r in &data.results {
            let simple = if kinds.contains(&Kind::Mixed) { None } else { self.result(o, &kinds, r) };
            let kind = simple.unwrap_or_else(|| self.function(o, &kinds, r));
            if matches!(kind, Kind::Mixed | Kind::Of) && !derived && !self.told.values.contains(&r) {
                let message = format!("`{}` mixes rows of the batch", data.op.name());
                self.mixing.push(Mixing { op: self.top, coupled: Coupled { span: data.span, message } });
            }
            self.kinds.insert(r, kind);
        }
    }

    /// What is no sum over the batch may still be a function of such sums.
    fn function(&self, o: OpId, kinds: &[Kind], r: ValueId) -> Kind {
        let rows = kinds.iter().any(|k| matches!(k, Kind::Rows(_) | Kind::Mixed));
        let sums = kinds.iter().any(|k| match *k {
            Kind::Total(_) | Kind::Of => true,
            Kind::Alone(times) => times != 1.0,
            Kind::Zero | Kind::Rows(_) | Kind::Mixed => false,
        });
        if sums && !rows && self.batch_dim(r).is_none() && self.same_inside(o) { Kind::Of } else { Kind::Mixed }
    }

    fn result(&self, o: OpId, kinds: &[Kind], r: ValueId) -> Option<Kind> {
        let data = self.whole.op(o);
        let batch = self.batch_dim(r);
        if let (Op::Constant { value: a, .. }, Op::Constant { value: b, .. }) = (&data.op, &self.part.op(o).op) {
            return constant(a, b, batch.is_some());
        }
        let rows = kinds.iter().any(|k| matches!(k, Kind::Rows(_)));
        if !rows {
            let new = match data.op {
                // Every row has random numbers of its own, in a part as in a batch.
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
        let linear = op.is_view()
            || matches!(
                op,
                Op::Convert { .. } | Op::Pad { .. } | Op::Concatenate { .. } | Op::Reduce { kind: Reduction::Sum, .. }
            );
        let multiplies = matches!(op.contraction(), Some(ContractionOp::Multiply | ContractionOp::Dot));
        match op.arithmetic() {
            Arithmetic::Add | Arithmetic::Subtract => kinds.iter().copied().try_fold(Kind::Zero, |a, b| self.sum(a, b)),
            Arithmetic::Negate | Arithmetic::Same => Some(kinds[0]),
            _ if linear => kinds.iter().copied().try_fold(Kind::Zero, |a, b| self.sum(a, b)),
            _ if multiplies => kinds.iter().copied().try_fold(Kind::Alone(1.0), product),
            Arithmetic::Divide => match (kinds[0], kinds[1]) {
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
            // What is the same in all parts is so often in their sum.
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
