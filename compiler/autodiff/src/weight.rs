//! How the loss and the metrics of a batch follow from those of its microbatches.
//!
//! A mean over the batch counts 1 / k, a sum 1. A quotient of two sums, such as the mean over the tokens that count, is no sum.
//! But if its divisor depends on the data alone, the divisor is computed from the whole batch before the first microbatch. All
//! microbatches share it, and only a sum is left to add up. The same is done with any other value that mixes rows, if it depends
//! on no trained parameter, no state and no random number. Terms of a loss that count differently, such as a mean and a term
//! that depends on parameters alone, are multiplied so that they count alike.
//!
//! Ops that mix rows in another way (a maximum over the batch, a quotient of two sums over what the model computes) have no
//! weight. Then microbatches do not add up to one batch, and the answer names the op.

use crate::custom;
use crate::rows::{Coupled, Followed, Kind, Told, follow};
use meshloom_ir::prune::prune;
use meshloom_ir::train::TrainSpec;
use meshloom_ir::{Arithmetic, Builder, Func, Op, OpId, Port, Role, ValueId};

/// The program of a microbatch, and how its outputs add up to those of the batch.
#[derive(Clone, Debug)]
pub struct BatchParts {
    /// The loss of a microbatch. After its own inputs it has one input for each output of `shared`.
    pub loss: Func,
    /// Computes, from the inputs of the batch, the values that all microbatches share.
    pub shared: Option<Func>,
    /// How much each output of a microbatch counts.
    pub weights: Vec<f64>,
    /// Outputs by index that do not add up; they are means of those of microbatches.
    pub coupled: Vec<(usize, Coupled)>,
}

/// The loss `whole` of a batch in `count` microbatches, of which `micro` is the loss.
pub fn parts(whole: &Func, micro: &Func, count: u64, spec: &TrainSpec) -> BatchParts {
    let (mut a, mut b) = (whole.clone(), micro.clone());
    custom::written_out(&mut a);
    custom::written_out(&mut b);
    let search = Search { whole, written: &a, known: known(&a, spec), count: count as f64 };
    let mut told = Told::default();
    let mut followed = follow(&a, &b, count, &told);
    while let Ok(f) = &followed
        && search.next(f, &mut told)
    {
        followed = follow(&a, &b, count, &told);
    }
    // What does not help to put the loss together is left as it was. State follows the microbatches as they are.
    let fits = |i: usize| followed.as_ref().is_ok_and(|f| weight(f.kind(a.body().yields[i]), count).is_some());
    let loss = whole.outputs.iter().position(|p| p.role == Role::Loss);
    if !loss.is_some_and(fits) || whole.outputs.iter().any(|p| p.updates.is_some()) {
        told = Told::default();
        followed = follow(&a, &b, count, &told);
    }
    let mut parts = BatchParts { loss: micro.clone(), shared: None, weights: Vec::new(), coupled: Vec::new() };
    for (i, port) in whole.outputs.iter().enumerate() {
        let weight = match &followed {
            _ if port.updates.is_some() => Ok(1.0),
            Ok(f) => weight(f.kind(a.body().yields[i]), count).ok_or_else(|| f.why(&a, i)),
            Err(other) => Err(other.clone()),
        };
        parts.weights.push(weight.as_ref().map_or(1.0 / count as f64, |w| *w));
        parts.coupled.extend(weight.err().map(|why| (i, why)));
    }
    scale(&mut parts.loss, &told);
    share(&mut parts, whole, &told);
    parts
}

/// How much an output of this kind counts.
fn weight(kind: Kind, count: u64) -> Option<f64> {
    match kind {
        Kind::Zero => Some(1.0 / count as f64),
        Kind::Alone(times) => Some(times / count as f64),
        Kind::Total(weight) => Some(weight),
        Kind::Rows(_) | Kind::Of | Kind::Mixed => None,
    }
}

/// Whether each value of the body of `f` follows from data alone, or from parameters that stay what they are.
fn known(f: &Func, spec: &TrainSpec) -> Vec<bool> {
    let mut known = vec![false; f.values.len()];
    for (i, (port, &v)) in f.inputs.iter().zip(&f.body().args).enumerate() {
        let changes = spec.updates.contains_key(&port.name) || f.outputs.iter().any(|p| p.updates == Some(i));
        known[v.index()] = match port.role {
            Role::Input => true,
            Role::Parameter => !changes,
            _ => false,
        };
    }
    let random = |o: OpId| matches!(f.op(o).op, Op::RandomBits { .. });
    for &o in &f.body().ops {
        let data = f.op(o);
        let draws = random(o) || data.regions.iter().any(|&r| f.walk(r).into_iter().any(random));
        if !draws && data.operands.iter().all(|x| known[x.index()]) {
            data.results.iter().for_each(|r| known[r.index()] = true);
        }
    }
    known
}

/// Searches for changes that make a loss add up.
struct Search<'a> {
    whole: &'a Func,
    /// `whole` with the bodies of functions that have a gradient of their own in their place.
    written: &'a Func,
    known: Vec<bool>,
    count: f64,
}

impl Search<'_> {
    /// Adds one change to `told`: for the first op that mixes rows and that a change can help. Returns whether there is one.
    fn next(&self, f: &Followed, told: &mut Told) -> bool {
        f.mixing.iter().any(|m| self.balanced(f, m.op, told) || self.computed(f, m.op, told))
    }

    fn own(&self, o: OpId) -> bool {
        o.index() < self.whole.ops.len() && self.whole.op(o).parent == Func::BODY
    }

    /// Terms of one sum that count differently, such as a mean and a quotient: all count as the first sum of them does.
    fn balanced(&self, f: &Followed, o: OpId, told: &mut Told) -> bool {
        let data = self.written.op(o);
        if !self.own(o) || !matches!(data.op.arithmetic(), Arithmetic::Add | Arithmetic::Subtract) {
            return false;
        }
        let kinds: Vec<Kind> = data.operands.iter().map(|&v| f.kind(v)).collect();
        let first = kinds.iter().find_map(|k| if let Kind::Total(w) = k { Some(*w) } else { None });
        let (Some(first), false) = (first, told.scaled.keys().any(|k| k.0 == o)) else { return false };
        let by: Option<Vec<f64>> = kinds
            .iter()
            .map(|k| match *k {
                Kind::Total(w) => Some(w / first),
                Kind::Alone(times) => Some(times / self.count / first),
                Kind::Zero => Some(1.0),
                Kind::Rows(_) | Kind::Of | Kind::Mixed => None,
            })
            .collect();
        let Some(by) = by else { return false };
        told.scaled.extend(by.into_iter().enumerate().filter(|b| b.1 != 1.0).map(|(i, x)| ((o, i), x)));
        true
    }

    /// Has a value that depends on data alone computed from the whole batch: a result of the op, or else an operand.
    fn computed(&self, f: &Followed, o: OpId, told: &mut Told) -> bool {
        let fits = |v: &ValueId| {
            let own = self.whole.def_op(*v).is_some_and(|o| self.own(o));
            let mixes = matches!(f.kind(*v), Kind::Total(_) | Kind::Of | Kind::Mixed);
            own && mixes && self.known[v.index()] && f.is_alike(*v) && !told.values.contains(v)
        };
        let op = self.written.op(o);
        let found = op.results.iter().chain(&op.operands).find(|v| fits(v)).copied();
        found.is_some_and(|v| told.values.insert(v))
    }
}

/// Multiplies the operands that are to be scaled.
fn scale(loss: &mut Func, told: &Told) {
    for (&(o, i), &by) in &told.scaled {
        let mut b = Builder::resume(std::mem::replace(loss, Func::new("", Default::default())));
        let (x, end) = (b.func.op(o).operands[i], b.func.body().ops.len());
        b.span = b.func.op(o).span;
        let by = b.constant_like(x, by);
        let scaled = b.mul(x, by);
        *loss = b.finish();
        loss.ops[o.index()].operands[i] = scaled;
        // In front of the op.
        let ops = &mut loss.regions[0].ops;
        let new = ops.split_off(end);
        let at = ops.iter().position(|other| *other == o).unwrap_or(0);
        ops.splice(at..at, new);
    }
}

/// Makes values of the batch inputs of the loss of a microbatch.
fn share(parts: &mut BatchParts, whole: &Func, told: &Told) {
    if told.values.is_empty() {
        return;
    }
    let port = |n: usize, v: ValueId| Port::new(format!("batch.{n}"), Role::Input, whole.ty(v).rank());
    let mut shared = whole.clone();
    shared.outputs = told.values.iter().enumerate().map(|(n, &v)| port(n, v)).collect();
    shared.regions[0].yields = told.values.iter().copied().collect();
    parts.shared = Some(prune(&shared));
    let mut b = Builder::resume(std::mem::replace(&mut parts.loss, Func::new("", whole.mesh.clone())));
    for (n, &v) in told.values.iter().enumerate() {
        let x = b.input(whole.ty(v).clone(), port(n, v));
        let operands = b.func.ops.iter_mut().flat_map(|o| &mut o.operands);
        operands.chain(&mut b.func.regions[0].yields).filter(|y| **y == v).for_each(|y| *y = x);
    }
    parts.loss = prune(&b.finish());
}
