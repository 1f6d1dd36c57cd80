//! The gradients of a batch as a loop over microbatches. The loop is a `repeat`: its carries are the sums of loss and
//! gradients, and its body computes the loss and gradients of one microbatch.
//!
//! Two things are decided here. The first is which rows make a microbatch: every k-th row, not a run of neighbours. So
//! a batch that is split over mesh axes is split in every microbatch, without moving a row. The second is how much a
//! microbatch counts: its weight ([`crate::weight`]) is the seed of its backward pass. So the sums are those of one
//! batch, and nothing is scaled afterwards. What microbatches have to know of the whole batch, the divisor of a mean over
//! the tokens that count, is computed before the loop.
//!
//! Sums start as zeros and grow by addition alone (in the loops over layers where these stack the gradients, [`crate::inside`]), so they may stay partial over mesh axes until the loop is done.
//! Whether there is one collective after the loop or one in each iteration is then the planner's choice by cost.

use crate::error::AutodiffError;
use crate::facts::Facts;
use crate::inside;
use crate::optimizer::RANDOM_STEP;
use crate::reverse::{Cotangents, Engine};
use crate::scaling;
use crate::weight::BatchParts;
use meshloom_ir::copy::inline;
use meshloom_ir::graph::{Def, Region};
use meshloom_ir::{Builder, Func, Op, Phase, RegionId, Role, TensorType, ValueId};

/// The loss of one microbatch, and how many make a batch.
#[derive(Clone, Debug)]
pub struct Microbatch {
    /// The loss as for the batch, with inputs that are `count` times smaller in one dim, and how it adds up.
    pub parts: BatchParts,
    pub count: u64,
    /// Whether loops over layers may add their gradients to the sums themselves ([`crate::inside`]).
    pub inside: bool,
}

/// A loss with its gradients: in `b`, whose function has the loss's inputs.
pub(crate) struct Differentiated {
    pub b: Builder,
    pub loss: ValueId,
    /// One for each parameter, in the order of the inputs.
    pub gradients: Vec<ValueId>,
    /// All results of the loss function, in the order of its outputs.
    pub results: Vec<ValueId>,
}

/// Loss and gradients in the function's body. The cotangent of the loss is `weight * scale`, or `weight` times the scale that
/// is one of its inputs. `staged` as in [`crate::TrainOptions`].
pub(crate) fn differentiate(
    loss: &Func,
    at: usize,
    parameters: &[usize],
    weight: f64,
    scale: f64,
    staged: bool,
) -> Result<Differentiated, AutodiffError> {
    let value = loss.body().yields[at];
    let mut b = Builder::resume(loss.clone());
    b.phase = Phase::Backward;
    b.span = loss.value(value).span;
    let seed = scaling::seed(&mut b, loss, value, weight, scale);
    let mut engine = Engine::new(b, Facts::of_func(loss, parameters), !staged);
    let mut cts = Cotangents::default();
    engine.add(&mut cts, value, seed);
    engine.backward(&loss.body().ops, &mut cts)?;
    let mut b = engine.b;
    let mut gradients = Vec::new();
    for &i in parameters {
        let p = loss.body().args[i];
        b.span = loss.inputs[i].span;
        let g = cts.get(p).unwrap_or_else(|| b.constant_like(p, 0.0));
        // One value may be the gradient of two parameters; the name is that of the first.
        if b.func.value(g).name.is_none() {
            b.name(g, &format!("grad.{}", loss.inputs[i].name));
        }
        gradients.push(g);
    }
    Ok(Differentiated { b, loss: value, gradients, results: loss.body().yields.clone() })
}

/// The same, microbatch by microbatch; gradients are `scale` times what they are.
pub(crate) fn accumulate(
    loss: &Func,
    at: usize,
    parameters: &[usize],
    micro: &Microbatch,
    scale: f64,
    staged: bool,
) -> Result<Differentiated, AutodiffError> {
    let shared = micro.parts.shared.as_ref();
    let (own, more) = shared.map_or((0, 0), |s| (s.inputs.len(), s.outputs.len()));
    let small = &micro.parts.loss;
    let fits = small.inputs.len() == loss.inputs.len() + more && small.outputs.len() == loss.outputs.len();
    if !fits {
        return Err(AutodiffError::new(
            loss.outputs[at].span,
            "the loss of a microbatch has other inputs or outputs than that of the batch",
        ));
    }
    let made = differentiate(small, at, parameters, micro.parts.weights[at], scale, staged)?;
    let (mut b, body) = as_region(made.b);
    let mut inner = b.func.region(body).args.clone();
    let told: Vec<ValueId> = inner.drain(own..own + more).collect();
    let state = State::of(loss, &made.results);
    b.span = loss.value(loss.body().yields[at]).span;

    let mut dealt = inputs(&mut b, loss, &inner, micro.count, &state)?;
    if let Some(shared) = shared {
        let args = b.func.body().args[..own].to_vec();
        dealt.shared.extend(inline(&mut b, shared, &args));
        dealt.inside.extend(told);
    }
    b.phase = Phase::Backward;
    // The loss, metrics, then gradients.
    let metrics: Vec<usize> =
        (0..loss.outputs.len()).filter(|&i| i != at && loss.outputs[i].updates.is_none()).collect();
    let scalars = metrics.iter().map(|&i| (made.results[i], micro.parts.weights[i]));
    let scalars: Vec<(ValueId, f64)> = std::iter::once((made.loss, micro.parts.weights[at])).chain(scalars).collect();
    let terms: Vec<ValueId> = scalars.iter().map(|s| s.0).chain(made.gradients.iter().copied()).collect();
    let (mut starts, mut carries, mut sums) = sums(&mut b, body, &terms, &scalars, micro.inside);
    starts.extend(&dealt.before);
    carries.extend(state.inputs.iter().map(|&i| inner[i]));
    sums.extend(&state.next);
    let order: Vec<ValueId> = carries.iter().chain(&dealt.slices).chain(&dealt.inside).copied().collect();
    for (i, v) in order.iter().enumerate() {
        b.func.values[v.index()].def = Def::Arg(body, i as u32);
    }
    let region = &mut b.func.regions[body.index()];
    (region.args, region.yields) = (order, sums);
    let operands: Vec<ValueId> = starts.iter().chain(&dealt.xs).chain(&dealt.shared).copied().collect();
    let results = b
        .repeat(micro.count, false, starts.len(), dealt.xs.len(), &operands, body)
        .map_err(|e| AutodiffError::new(b.span, format!("the loop over microbatches does not fit: {e}")))?;
    let gradients = results[1 + metrics.len()..terms.len()].to_vec();
    for (&i, &g) in parameters.iter().zip(&gradients) {
        b.name(g, &format!("grad.{}", loss.inputs[i].name));
    }
    let mut all = made.results;
    all[at] = results[0];
    for (&i, &r) in metrics.iter().zip(&results[1..]) {
        all[i] = r;
    }
    for (&i, &r) in state.outputs.iter().zip(&results[terms.len()..]) {
        all[i] = r;
    }
    Ok(Differentiated { b, loss: results[0], gradients, results: all })
}

/// Parameters of which the loss itself gives the next value: each microbatch gets what the one before it left.
struct State {
    /// By index, in one order: inputs, the outputs that replace them, and the next values in the loop.
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    next: Vec<ValueId>,
}

impl State {
    fn of(loss: &Func, results: &[ValueId]) -> State {
        let pairs = loss.outputs.iter().enumerate().filter_map(|(o, p)| Some((p.updates?, o)));
        let (inputs, outputs): (Vec<usize>, Vec<usize>) = pairs.unzip();
        let next = outputs.iter().map(|&o| results[o]).collect();
        State { inputs, outputs, next }
    }
}

/// The batch's inputs, and what of them one microbatch gets.
#[derive(Default)]
struct Dealt {
    /// Inputs with the microbatches along a new dim 0, and the body's arguments that are entries of them.
    xs: Vec<ValueId>,
    slices: Vec<ValueId>,
    /// Inputs that all microbatches share, and the body's arguments that are these.
    shared: Vec<ValueId>,
    inside: Vec<ValueId>,
    /// What state is before the first microbatch, in the order of [`State`].
    before: Vec<ValueId>,
}

/// Adds the inputs of `loss`; `inner` are the arguments of the loss of one of `count` microbatches.
fn inputs(b: &mut Builder, loss: &Func, inner: &[ValueId], count: u64, state: &State) -> Result<Dealt, AutodiffError> {
    let mut dealt = Dealt { before: vec![ValueId(0); state.inputs.len()], ..Dealt::default() };
    for (i, port) in loss.inputs.iter().enumerate() {
        let ty = loss.ty(loss.body().args[i]).clone();
        let x = b.input(ty.clone(), port.clone());
        let (small, span) = (b.ty(inner[i]).clone(), port.span);
        match batch_dim(&ty, &small, count) {
            Some(None) if state.inputs.contains(&i) => {
                let carried = state.inputs.iter().zip(&mut dealt.before).filter(|c| *c.0 == i);
                carried.for_each(|c| *c.1 = x);
            }
            // Random numbers are drawn anew in every microbatch.
            Some(None) if port.name == RANDOM_STEP => {
                b.phase = Phase::Forward;
                dealt.xs.push(draws(b, x, count));
                dealt.slices.push(inner[i]);
            }
            Some(None) => {
                dealt.shared.push(x);
                dealt.inside.push(inner[i]);
            }
            Some(Some(_)) if port.role == Role::Parameter => {
                return Err(AutodiffError::new(
                    span,
                    format!("parameter `{}` has a batch dim, so microbatches would have other parameters", port.name),
                ));
            }
            Some(Some(d)) => {
                b.phase = Phase::Forward;
                dealt.xs.push(deal(b, x, d, count));
                dealt.slices.push(inner[i]);
            }
            None => {
                return Err(AutodiffError::new(
                    span,
                    format!(
                        "`{}` is {ty} in a batch and {small} in one of {count} microbatches, which is no even part of it",
                        port.name
                    ),
                ));
            }
        }
    }
    Ok(dealt)
}

/// The sum of each of `terms` over the microbatches, as a carry of `body`: what it starts as, the argument, and the next
/// value. The first terms are `scalars`, loss and metrics, each with what it counts; the others are gradients.
fn sums(
    b: &mut Builder,
    body: RegionId,
    terms: &[ValueId],
    scalars: &[(ValueId, f64)],
    inside: bool,
) -> (Vec<ValueId>, Vec<ValueId>, Vec<ValueId>) {
    let (mut starts, mut carries, mut sums) = (Vec::new(), Vec::new(), Vec::new());
    for (n, &term) in terms.iter().enumerate() {
        starts.push(b.constant_like(term, 0.0));
        let ty = b.ty(term).clone();
        let carry = b.arg(body, ty);
        carries.push(carry);
        let name = b.func.value(term).name.clone();
        // One value may be the gradient of two parameters.
        let alone = terms.iter().filter(|&&t| t == term).count() == 1;
        let weight = scalars.get(n).map_or(1.0, |s| s.1);
        let sum = if n >= scalars.len() && alone && inside {
            inside::add(b, body, carry, term)
        } else {
            b.within(body, |b| {
                let term = if weight != 1.0 {
                    b.phase = Phase::Forward;
                    let w = b.constant_like(term, weight);
                    b.mul(term, w)
                } else {
                    term
                };
                b.add(carry, term)
            })
        };
        b.phase = Phase::Backward;
        if let Some(name) = name.filter(|_| n >= scalars.len()) {
            b.name(sum, &name);
        }
        sums.push(sum);
    }
    (starts, carries, sums)
}

/// The dim in which a microbatch is `count` times smaller; `Some(None)` for an input that all microbatches share.
fn batch_dim(whole: &TensorType, small: &TensorType, count: u64) -> Option<Option<usize>> {
    if whole == small {
        return Some(None);
    }
    if whole.rank() != small.rank() || whole.dtype != small.dtype {
        return None;
    }
    let differ: Vec<usize> = (0..whole.rank()).filter(|&d| whole.shape[d] != small.shape[d]).collect();
    match differ[..] {
        [d] if small.shape[d].checked_mul(count) == Some(whole.shape[d]) => Some(Some(d)),
        _ => None,
    }
}

/// A step number for each microbatch, unique in a run: `step * count + microbatch`.
fn draws(b: &mut Builder, step: ValueId, count: u64) -> ValueId {
    let dtype = b.ty(step).dtype;
    let number = b.op(Op::Iota { dtype, shape: vec![count], dim: 0, shard: Vec::new() }, &[]);
    let first = b.constant_like(step, count as f64);
    let first = b.mul(step, first);
    let first = b.broadcast(first, &[count], &[]);
    b.add(first, number)
}

/// The batch as a stack of `count` microbatches: row `i` of dim `d` goes to microbatch `i mod count`.
fn deal(b: &mut Builder, x: ValueId, d: usize, count: u64) -> ValueId {
    let name = b.func.value(x).name.clone();
    let mut shape = b.shape(x);
    shape[d] /= count;
    shape.insert(d + 1, count);
    let split = b.reshape(x, &shape);
    let mut perm: Vec<usize> = (0..shape.len()).filter(|&i| i != d + 1).collect();
    perm.insert(0, d + 1);
    let stack = b.transpose(split, &perm);
    if let Some(name) = name {
        b.name(stack, &format!("{name}.microbatches"));
    }
    stack
}

/// Makes the body of a finished function a region, below a body that is empty again.
fn as_region(b: Builder) -> (Builder, RegionId) {
    let mut func = b.finish();
    let body = RegionId(func.regions.len() as u32);
    let old = std::mem::take(&mut func.regions[0]);
    for &o in &old.ops {
        func.ops[o.index()].parent = body;
    }
    for (i, &a) in old.args.iter().enumerate() {
        func.values[a.index()].def = Def::Arg(body, i as u32);
    }
    func.regions.push(Region { yields: Vec::new(), ..old });
    (func.inputs, func.outputs) = (Vec::new(), Vec::new());
    (Builder::resume(func), body)
}
