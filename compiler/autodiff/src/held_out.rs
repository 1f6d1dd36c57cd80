//! The loss of a `train` over data that come in batches, as a program that runs once for each batch and has then the loss, and
//! the metrics, of all rows so far.
//!
//! What a loss sums over the rows of its batch is summed over batches, in f64, as state of the program. What comes after these
//! sums is computed of the sums so far: the division by a number of rows (a constant, which grows with the rows), or by the sum
//! of a mask. So a loss does not depend on how rows are dealt to batches, and where the last batch is not full, its rows count
//! as what they are: `held-out.times` says how often a batch counts. The runtime fills the last batch with copies of its rows,
//! and subtracts those that it has too many of.
//!
//! An output that is no function of sums over rows (a maximum over the batch, or what a loop over layers makes of such sums) is
//! averaged over batches, each of which counts `held-out.share`.

use crate::rows::{Coupled, Followed, Kind, Told, follow};
use meshloom_ir::copy::{ValueMap, copy_op};
use meshloom_ir::prune::prune;
use meshloom_ir::{Builder, DType, Func, Init, OpId, Port, Role, Scalar, TensorType, ValueId};
use std::collections::BTreeMap;

/// How often the rows of this batch count.
const TIMES: &str = "held-out.times";
/// How much this batch counts in a mean over batches.
const SHARE: &str = "held-out.share";

/// A loss over several batches.
#[derive(Clone, Debug)]
pub struct HeldOut {
    pub func: Func,
    /// Outputs that are means over batches, by name, and why.
    pub means: Vec<(String, Coupled)>,
}

/// A batch so many times as large says what grows with the batch. A small number would be met by chance: a batch of 3 less 2 grows
/// fourfold with twice the batch, as its square would.
pub const LARGER: u64 = 7;

/// The loss over several batches, of the loss of one. `larger` is the loss of a batch [`LARGER`] times as large, or why there is none.
pub fn held_out(loss: &Func, larger: Result<&Func, Coupled>) -> HeldOut {
    let rows = larger.and_then(|larger| follow(larger, loss, LARGER, &Told::default()));
    let rows = rows.and_then(|rows| in_front(loss, &rows).map(|()| rows));
    let made = rows.map(|rows| {
        let mut sums = Sums::new(loss, &rows);
        sums.ops();
        let outputs: Vec<_> = (0..loss.outputs.len()).map(|i| sums.output(i)).collect();
        sums.finish(outputs)
    });
    made.unwrap_or_else(|why| {
        let none = Followed::default();
        Sums::new(loss, &none).finish(loss.outputs.iter().map(|_| Err(why.clone())).collect())
    })
}

/// Data come row by row in dim 0, so that is where the batch has to be.
fn in_front(loss: &Func, rows: &Followed) -> Result<(), Coupled> {
    let inputs = loss.inputs.iter().zip(&loss.body().args).filter(|(p, _)| p.role == Role::Input);
    let batch = inputs.clone().find(|(_, v)| !rows.is_alike(**v));
    let Some(size) = batch.and_then(|(_, v)| loss.ty(*v).shape.first().copied()) else {
        let message = "no input has the dim `batch`".into();
        return Err(Coupled { span: loss.inputs.first().map_or_else(Default::default, |p| p.span), message });
    };
    for (port, &v) in inputs {
        let first = loss.ty(v).shape.first() == Some(&size);
        if first == rows.is_alike(v) {
            let message = format!("the rows of `{}` do not follow the dim `batch`", port.name);
            return Err(Coupled { span: port.span, message });
        }
    }
    Ok(())
}

struct Sums<'a> {
    loss: &'a Func,
    rows: &'a Followed,
    b: Builder,
    /// What stands for values of one batch, computed of all rows so far.
    so_far: ValueMap,
    /// Values for which nothing can stand, and why.
    lost: BTreeMap<ValueId, Coupled>,
    /// State: input, next value.
    state: Vec<(usize, ValueId)>,
    /// `held-out.times` and the sum of it, in batches.
    times: Option<(ValueId, ValueId)>,
}

impl<'a> Sums<'a> {
    fn new(loss: &'a Func, rows: &'a Followed) -> Sums<'a> {
        let b = Builder::resume(loss.clone());
        Sums { loss, rows, b, so_far: ValueMap::new(), lost: BTreeMap::new(), state: Vec::new(), times: None }
    }

    /// Sums up what ops give that sum over rows, and copies the ops that go on from there.
    fn ops(&mut self) {
        for &o in &self.loss.body().ops {
            let data = self.loss.op(o);
            let kinds = |of: &[ValueId]| of.iter().map(|&v| self.rows.kind(v)).collect::<Vec<_>>();
            let (operands, results) = (kinds(&data.operands), kinds(&data.results));
            let rows = operands.iter().any(|k| matches!(k, Kind::Rows(_) | Kind::Mixed));
            let lost = data.operands.iter().find_map(|v| self.lost.get(v)).cloned();
            let goes_on = data.operands.iter().any(|v| self.so_far.contains_key(v)) || results.contains(&Kind::Of);
            if rows {
                for (&v, kind) in data.results.iter().zip(results) {
                    if let Kind::Total(weight) = kind
                        && let Err(why) = self.sum(v, weight)
                    {
                        self.lost.insert(v, why);
                    }
                }
            } else if let Some(why) = lost.or_else(|| if goes_on { self.copy(o).err() } else { None }) {
                self.lost.extend(data.results.iter().map(|&v| (v, why.clone())));
            }
        }
    }

    /// The op once more, on what its operands are for all rows so far.
    fn copy(&mut self, o: OpId) -> Result<(), Coupled> {
        let data = self.loss.op(o);
        if !self.rows.is_same(o) {
            let message = format!("`{}` depends on the size of the batch", data.op.name());
            return Err(Coupled { span: data.span, message });
        }
        for &x in &data.operands {
            if let (Kind::Alone(times), false) = (self.rows.kind(x), self.so_far.contains_key(&x)) {
                let grown = self.grown(x, power(self.loss, o, times)?, None);
                self.so_far.insert(x, grown);
            }
        }
        self.b.span = data.span;
        copy_op(&mut self.b, o, &mut self.so_far);
        Ok(())
    }

    /// The sum of `v` over all batches, as the value that `v` would have in one batch of all rows.
    fn sum(&mut self, v: ValueId, weight: f64) -> Result<(), Coupled> {
        let Some(o) = self.loss.def_op(v) else { return Ok(()) };
        let power = power(self.loss, o, weight)?;
        self.b.span = self.loss.value(v).span;
        let (times, _) = self.times();
        let wide = self.b.convert(v, DType::F64);
        let shape = self.b.shape(wide);
        let spread = self.b.broadcast(times, &shape, &[]);
        let term = self.b.mul(wide, spread);
        let sum = self.add(&format!("held-out.sum.{}", self.state.len()), term);
        let sum = self.grown(v, power, Some(sum));
        self.so_far.insert(v, sum);
        Ok(())
    }

    /// State of this name, and the value that `term` makes of it.
    fn add(&mut self, name: &str, term: ValueId) -> ValueId {
        let before = self.input(name, self.b.ty(term).clone(), 0.0);
        let next = self.b.add(before, term);
        self.state.push((self.b.func.inputs.len() - 1, next));
        next
    }

    fn input(&mut self, name: &str, ty: TensorType, start: f64) -> ValueId {
        let port = Port::new(name, Role::State, ty.rank());
        self.b.input(ty, Port { init: Some(Init::Constant(Scalar::float(start))), ..port })
    }

    fn times(&mut self) -> (ValueId, ValueId) {
        if let Some(times) = self.times {
            return times;
        }
        let times = self.input(TIMES, TensorType::scalar(DType::F64), 1.0);
        let all = self.add("held-out.batches", times);
        *self.times.insert((times, all))
    }

    /// A value of one batch, times as many batches as there were, to the half of a power; `wide` is the value in f64, where it is
    /// known.
    fn grown(&mut self, v: ValueId, halves: i32, wide: Option<ValueId>) -> ValueId {
        if halves == 0 && wide.is_none() {
            return v;
        }
        let mut x = wide.unwrap_or_else(|| self.b.convert(v, DType::F64));
        let (_, batches) = self.times();
        let shape = self.b.shape(x);
        let n = halves.unsigned_abs() as usize;
        let mut factors = vec![batches; n / 2];
        if n % 2 == 1 {
            factors.push(self.b.elem("sqrt", &[batches]));
        }
        for by in factors {
            let by = self.b.broadcast(by, &shape, &[]);
            x = if halves > 0 { self.b.mul(x, by) } else { self.b.div(x, by) };
        }
        let dtype = self.b.ty(v).dtype;
        if !dtype.is_float() {
            x = self.b.elem("round_nearest_even", &[x]);
        }
        self.b.convert(x, dtype)
    }

    /// An output for all rows so far, or why it is no function of sums over rows.
    fn output(&mut self, i: usize) -> Result<ValueId, Coupled> {
        let v = self.loss.body().yields[i];
        let known = match self.rows.kind(v) {
            Kind::Zero => Some(v),
            _ if self.so_far.contains_key(&v) => self.so_far.get(&v).copied(),
            Kind::Alone(times) => exponent(times).map(|halves| self.grown(v, halves, None)),
            _ => None,
        };
        known.ok_or_else(|| self.lost.get(&v).cloned().unwrap_or_else(|| self.rows.why(self.loss, i)))
    }

    fn finish(mut self, outputs: Vec<Result<ValueId, Coupled>>) -> HeldOut {
        let mut means = Vec::new();
        let mut shares = None;
        for (i, output) in outputs.into_iter().enumerate() {
            let port = &self.loss.outputs[i];
            let v = output.unwrap_or_else(|why| {
                means.push((port.name.clone(), why));
                let (share, all) = *shares.get_or_insert_with(|| {
                    let share = self.input(SHARE, TensorType::scalar(DType::F64), 1.0);
                    (share, self.add("held-out.shares", share))
                });
                self.mean(self.loss.body().yields[i], share, all)
            });
            self.b.func.regions[0].yields[i] = v;
        }
        for (i, next) in std::mem::take(&mut self.state) {
            let port = Port { updates: Some(i), init: None, ..self.b.func.inputs[i].clone() };
            self.b.output(next, port);
        }
        HeldOut { func: prune(&self.b.finish()), means }
    }

    /// The mean of a scalar over batches.
    fn mean(&mut self, v: ValueId, share: ValueId, all: ValueId) -> ValueId {
        let wide = self.b.convert(v, DType::F64);
        let term = self.b.mul(wide, share);
        // A batch that is there for its sums alone counts nothing, whatever it gives.
        let zero = self.b.constant_like(share, 0.0);
        let counts = self.b.elem("compare_gt", &[share, zero]);
        let term = self.b.select(counts, term, zero);
        let sum = self.add(&format!("held-out.sum.{}", self.state.len()), term);
        let mean = self.b.div(sum, all);
        let dtype = self.b.ty(v).dtype;
        self.b.convert(mean, dtype)
    }
}

/// What grows by this much with [`LARGER`] times the rows grows with the rows to the half of this power.
fn exponent(times: f64) -> Option<i32> {
    let halves = (2.0 * times.ln() / (LARGER as f64).ln()).round();
    let close = (times / (LARGER as f64).powf(halves / 2.0) - 1.0).abs() < 1e-9;
    (close && halves.abs() <= 16.0).then_some(halves as i32)
}

fn power(f: &Func, o: OpId, times: f64) -> Result<i32, Coupled> {
    exponent(times).ok_or_else(|| {
        let message = format!("`{}` changes with the batch, and not as a power of it", f.op(o).op.name());
        Coupled { span: f.op(o).span, message }
    })
}
