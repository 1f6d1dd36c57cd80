//! The train step: (parameters, state, data) to (next parameters, next state, loss, grad_norm, lr), as one function.
//!
//! State is what each parameter's optimizer keeps, `<name>.<path>` (`m.w`, `v.w`), and the i32 counter `step`. An
//! output whose port has `updates` is the next value of that input, so a step can run in place. A frozen parameter has
//! no such output and no state. Where the loss itself gives a parameter's next value (a running statistic), that is the
//! step's too; other results of the loss, metrics, come last.

use crate::accumulate::{Microbatch, accumulate, differentiate};
use crate::counted;
use crate::custom;
use crate::eight;
use crate::error::AutodiffError;
use crate::optimizer::{self, ListedValue, RANDOM_STEP};
use crate::precision;
use crate::scaling::{self, Kept};
use crate::simplify::simplify;
use crate::weight::BatchParts;
use crate::wide::widen;
use meshloom_ir::graph::Def;
use meshloom_ir::prune::prune;
use meshloom_ir::train::{LossScale, TrainSpec};
use meshloom_ir::{
    Builder, Constraint, DType, Func, Init, Phase, Port, Reduction, Role, Scalar, Span, TensorType, ValueId,
};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct TrainOptions {
    /// Also give every parameter's gradient, as `grad.<path>` (before clipping).
    pub gradients: bool,
    /// Loss and gradients alone: no state, no update.
    pub only_gradients: bool,
    /// Layouts of optimizer state by the path of its parameter, where a layout block gives one. Other state has no
    /// constraint of its own.
    pub state: BTreeMap<String, Constraint>,
    /// Backward loops also get what recomputation would read: see [`crate::widen`].
    pub wide: bool,
    /// Its loops become pipeline stages, which run several microbatches forward before the first goes backward.
    pub staged: bool,
    /// Gradients are summed over microbatches of this kind.
    pub microbatch: Option<Microbatch>,
}

/// Builds the train step of a loss function: one scalar float output of role `Loss`, trained over those inputs of role
/// `Parameter` that `spec` has an update for.
///
/// # Errors
/// No loss, a loss that is no float scalar, no parameter to train, an op that the loss depends on and that has no gradient,
/// or an op in an optimizer that has no form over all entries of a list.
pub fn train_step(loss: &Func, spec: &TrainSpec, options: &TrainOptions) -> Result<Func, AutodiffError> {
    let parameters = float_parameters(loss, spec)?;
    let at = loss_output(loss)?;
    free_names(loss, spec, options)?;

    let lowered = |f: &Func| spec.precision.as_ref().map_or_else(|| f.clone(), |p| precision::lower(f, p));
    let rule = spec.precision.map_or(LossScale::Fixed(1.0), |p| p.loss_scale);
    // Gradients alone have no state to keep a scale in.
    let dynamic = rule.is_dynamic() && !options.only_gradients;
    let lowered = |f: &Func| if dynamic { scaling::with_input(&lowered(f)) } else { lowered(f) };
    let loss = &lowered(loss);
    let scale = rule.first();
    let mut made = match &options.microbatch {
        Some(micro) => {
            let parts = BatchParts { loss: lowered(&micro.parts.loss), ..micro.parts.clone() };
            let micro = Microbatch { parts, ..micro.clone() };
            accumulate(loss, at, &parameters, &micro, scale, options.staged)?
        }
        None => differentiate(loss, at, &parameters, 1.0, scale, options.staged)?,
    };
    scaling::undo(&mut made.b, &mut made.gradients, scale);
    // From here on the loss is a value of the step, whatever it was computed by.
    let mut whole = made.b.func.clone();
    whole.outputs.clone_from(&loss.outputs);
    whole.regions[0].yields = made.results;
    whole.regions[0].yields[at] = made.loss;
    let (b, gradients, loss) = (made.b, made.gradients, &whole);

    let mut step = Step { b, loss, spec, options, parameters, gradients, outputs: Vec::new() };
    step.build(at)?;
    let mut func = step.finish();
    // A gradient within a program is differentiated again where the program is.
    if !options.only_gradients {
        custom::written_out(&mut func);
    }
    if spec.precision.is_some_and(|p| p.reduce == DType::F32) {
        precision::widen_sums(&mut func);
    }
    if spec.precision.is_some_and(|p| p.eight) {
        eight::lower(&mut func);
    }
    // Folding can make more dead code and pruning more equal ops; two passes reach the end of both.
    for _ in 0..2 {
        simplify(&mut func);
        func = prune(&func);
    }
    if options.wide {
        widen(&mut func);
    }
    Ok(func)
}

/// The value of a function and its gradients with respect to the inputs of role `Parameter`. Outputs are in this order. Inputs
/// are the parameters first, then the others.
///
/// # Errors
/// As for [`train_step`].
pub fn gradients(loss: &Func) -> Result<Func, AutodiffError> {
    // No update is made, so what it would be does not matter.
    let none = || Func::new("", loss.mesh.clone());
    let parameters = loss.inputs.iter().filter(|p| p.role == Role::Parameter);
    let updates = parameters.map(|p| (p.name.clone(), Arc::new(none()))).collect();
    let spec = TrainSpec { lr: none(), updates, clip: None, precision: None };
    train_step(loss, &spec, &TrainOptions { only_gradients: true, ..TrainOptions::default() })
}

fn float_parameters(loss: &Func, spec: &TrainSpec) -> Result<Vec<usize>, AutodiffError> {
    let is = |i: &usize| loss.inputs[*i].role == Role::Parameter && spec.updates.contains_key(&loss.inputs[*i].name);
    let all: Vec<usize> = (0..loss.inputs.len()).filter(is).collect();
    if all.is_empty() {
        return Err(AutodiffError::new(Span::default(), format!("`{}` has no parameters to train", loss.name))
            .help("give the loss an argument whose type is a struct of tensors"));
    }
    for &i in &all {
        let ty = loss.ty(loss.body().args[i]);
        if !ty.dtype.is_float() {
            let port = &loss.inputs[i];
            return Err(AutodiffError::new(
                port.span,
                format!("parameter `{}` is {ty}; only floats are trained", port.name),
            )
            .help("freeze it (`groups: [params(\"..\", frozen: true)]`), or pass it as an input of the loss"));
        }
    }
    Ok(all)
}

fn loss_output(loss: &Func) -> Result<usize, AutodiffError> {
    let mut found = (0..loss.outputs.len()).filter(|&i| loss.outputs[i].role == Role::Loss);
    let Some(at) = found.next() else {
        return Err(AutodiffError::new(Span::default(), format!("`{}` has no loss", loss.name)));
    };
    if let Some(second) = found.next() {
        return Err(AutodiffError::new(loss.outputs[second].span, format!("`{}` has two losses", loss.name)));
    }
    let value = loss.value(loss.body().yields[at]);
    if !value.ty.dtype.is_float() || !value.ty.shape.is_empty() {
        return Err(AutodiffError::new(value.span, format!("the loss is {}; training needs a float scalar", value.ty))
            .help("reduce it, for example with `mean`"));
    }
    Ok(at)
}

/// The names that the step adds must not be taken.
fn free_names(loss: &Func, spec: &TrainSpec, options: &TrainOptions) -> Result<(), AutodiffError> {
    let counts = |name: &str| counted::NAMES.into_iter().any(|n| counted::is_read(spec, n) && name == counted::port(n));
    if let Some(port) = loss.inputs.iter().find(|p| !options.only_gradients && counts(&p.name)) {
        return Err(AutodiffError::new(port.span, format!("`{}` is the name of what schedules count by", port.name))
            .help("give what is called `counted` another name"));
    }
    for port in loss.inputs.iter().filter(|p| p.role != Role::Parameter && !options.only_gradients) {
        let state = |p: &Port| {
            let update = spec.updates.get(&p.name);
            update.is_some_and(|u| optimizer::state_names(u).any(|n| port.name == format!("{n}.{}", p.name)))
        };
        let scaled = spec.precision.is_some_and(|p| p.loss_scale.is_dynamic());
        if port.name == "step"
            || (scaled && scaling::NAMES.contains(&port.name.as_str()))
            || loss.inputs.iter().any(state)
        {
            return Err(AutodiffError::new(port.span, format!("`{}` is the name of optimizer state", port.name))
                .help("give the loss function's argument another name"));
        }
    }
    Ok(())
}

/// A parameter and its state after an update, each with what it replaces.
type Updated = (Option<(ValueId, ValueId, Port)>, Vec<(ValueId, ValueId)>);

/// A number of samples or tokens, before the step and with it.
struct Counted {
    name: &'static str,
    before: ValueId,
    after: ValueId,
}

struct Step<'a> {
    b: Builder,
    loss: &'a Func,
    spec: &'a TrainSpec,
    options: &'a TrainOptions,
    /// Input indices of the parameters, and their gradients.
    parameters: Vec<usize>,
    gradients: Vec<ValueId>,
    outputs: Vec<(ValueId, Port)>,
}

impl Step<'_> {
    fn build(&mut self, loss_at: usize) -> Result<(), AutodiffError> {
        let args = self.loss.body().args.iter().copied();
        let all: Vec<(ValueId, Port)> = args.zip(self.loss.inputs.iter().cloned()).collect();
        let (mut inputs, data): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, p)| p.role == Role::Parameter);
        // Random numbers count with the optimizer's counter; a scale that is kept is state.
        let counted = |p: &Port| !self.options.only_gradients && (p.name == RANDOM_STEP || p.name == scaling::SCALE);
        let data: Vec<_> = data.into_iter().filter(|(_, p)| !counted(p)).collect();

        let value = self.loss.body().yields[loss_at];
        self.outputs.push((value, self.loss.outputs[loss_at].clone()));
        if self.options.only_gradients {
            self.push_gradients();
        } else {
            self.update(&mut inputs)?;
            if self.options.gradients {
                self.push_gradients();
            }
        }
        let others = self.loss.outputs.iter().enumerate().filter(|(i, p)| *i != loss_at && p.updates.is_none());
        for (i, port) in others {
            self.outputs.push((self.loss.body().yields[i], port.clone()));
        }
        inputs.extend(data);
        self.set_inputs(inputs);
        Ok(())
    }

    /// Everything after the gradients: norm, clipping, learning rate, the optimizer.
    fn update(&mut self, inputs: &mut Vec<(ValueId, Port)>) -> Result<(), AutodiffError> {
        self.b.phase = Phase::Update;
        self.b.span = Span::default();
        // Scalars are f32, and f64 in a program whose loss is.
        let wide = self.loss.ty(self.outputs[0].0).dtype == DType::F64;
        let scalar = if wide { DType::F64 } else { DType::F32 };

        let i32_scalar = TensorType::scalar(DType::I32);
        let step = match self.loss.inputs.iter().position(|p| p.name == RANDOM_STEP) {
            Some(i) => self.loss.body().args[i],
            None => self.new_input(i32_scalar, "step"),
        };
        let step_port = self.state_port("step", None);
        let one = self.b.constant_like(step, 1.0);
        let next_step = self.b.add(step, one);
        let spec = self.spec;
        let counted = self.counted();
        let t = self.numbers(next_step, &counted, &spec.lr);
        let lr = self.inline(&spec.lr, &t, None, Span::default())?[0].value;
        let lr = self.b.convert(lr, scalar);
        self.b.name(lr, "lr");
        let norm = self.global_norm(scalar);
        self.b.name(norm, "grad_norm");
        let kept = self.scaling(norm);
        let clip = self.spec.clip.map(|limit| clipping(&mut self.b, norm, limit));

        let mut next_parameters = Vec::new();
        let mut next_state = Vec::new();
        let first_state = inputs.len();
        let number = kept.as_ref().map_or(next_step, |k| k.number);
        for (&i, &g) in self.parameters.clone().iter().zip(&self.gradients.clone()) {
            let Some(update) = spec.updates.get(&self.loss.inputs[i].name) else { continue };
            self.b.span = self.loss.inputs[i].span;
            let g = match clip {
                Some(s) => {
                    let s = spread(&mut self.b, s, g);
                    self.b.mul(g, s)
                }
                None => g,
            };
            let (parameter, state) = self.update_parameter(i, g, update, number, &counted, inputs)?;
            let kept_or = |b: &mut Builder, new, old| kept.as_ref().map_or(new, |k| k.next(b, new, old));
            if let Some((new, old, port)) = parameter {
                next_parameters.push((kept_or(&mut self.b, new, old), port));
            }
            for (new, old) in state {
                next_state.push(kept_or(&mut self.b, new, old));
            }
        }
        for (o, port) in self.loss.outputs.iter().enumerate() {
            let Some(old) = port.updates.map(|i| self.loss.body().args[i]) else { continue };
            let at = inputs.iter().position(|x| x.0 == old).unwrap_or_default();
            let new = self.loss.body().yields[o];
            let new = kept.as_ref().map_or(new, |k| k.next(&mut self.b, new, old));
            next_parameters.push((new, next_port(port, at)));
        }
        inputs.push((step, step_port));
        next_state.push(next_step);
        for c in &counted {
            inputs.push((c.before, self.state_port(&counted::port(c.name), None)));
            next_state.push(c.after);
        }
        for ((v, init, next), name) in kept.iter().flat_map(|k| &k.state).zip(scaling::NAMES) {
            inputs.push((*v, Port { init: Some(*init), ..self.state_port(name, None) }));
            next_state.push(*next);
        }
        let next_state = next_state.into_iter().enumerate().map(|(k, v)| {
            let at = first_state + k;
            (v, next_port(&inputs[at].1, at))
        });
        let metric = |name| Port::new(name, Role::Metric, 0);
        let loss = self.outputs.pop();
        self.outputs.extend(next_parameters);
        self.outputs.extend(next_state);
        self.outputs.extend(loss);
        self.outputs.push((norm, metric("grad_norm")));
        self.outputs.push((lr, metric("lr")));
        if let Some(k) = &kept {
            self.outputs.push((k.state[0].0, metric("loss_scale")));
        }
        Ok(())
    }

    /// The samples and tokens that schedules count by, where they do.
    fn counted(&mut self) -> Vec<Counted> {
        let (spec, loss) = (self.spec, self.loss);
        let read = counted::NAMES.into_iter().filter(|name| counted::is_read(spec, name));
        read.map(|name| {
            let before = self.new_input(TensorType::scalar(DType::F64), &counted::port(name));
            let n = self.b.constant_like(before, counted::per_step(loss, name) as f64);
            Counted { name, before, after: self.b.add(before, n) }
        })
        .collect()
    }

    /// The optimizer's update of parameter `i` by the gradient `g` in a step with these numbers: the new parameter and the new
    /// state, each with what it replaces. Adds the state to `inputs`.
    fn update_parameter(
        &mut self,
        i: usize,
        g: ValueId,
        update: &Func,
        number: ValueId,
        counted: &[Counted],
        inputs: &mut Vec<(ValueId, Port)>,
    ) -> Result<Updated, AutodiffError> {
        let (p, port) = (self.loss.body().args[i], self.loss.inputs[i].clone());
        let at = inputs.iter().position(|x| x.0 == p).unwrap_or_default();
        let ty = self.b.ty(p).clone();
        let entries = port.stacked.then(|| ty.shape[0]);
        // The update computes in a type of its own: f32 at least.
        let to = update.ty(update.body().args[0]).dtype;
        let mut args = Vec::new();
        for x in [p, g] {
            args.push(ListedValue { value: self.b.convert(x, to), listed: port.stacked });
        }
        args.extend(self.numbers(number, counted, update));
        let mut before = Vec::new();
        for (k, state) in update.inputs.iter().enumerate().filter(|(_, s)| s.role == Role::State) {
            let own = update.ty(update.body().args[k]);
            let shape: Vec<u64> = entries.iter().chain(&own.shape).copied().collect();
            let path = format!("{}.{}", state.name, port.name);
            let v = self.new_input(TensorType::new(own.dtype, shape.clone()), &path);
            let follows = shape == ty.shape;
            let mut state_port = self.state_port(&path, Some((&port, shape.len(), follows)));
            state_port.init = state.init;
            inputs.push((v, state_port));
            before.push(v);
            args.push(ListedValue { value: v, listed: port.stacked });
        }
        self.b.span = port.span;
        let next = self.inline(update, &args, entries, port.span)?;
        let mut next = next.into_iter().map(|x| match entries {
            Some(n) => optimizer::listed(&mut self.b, x, n),
            None => x.value,
        });
        let first = next.next();
        let rest: Vec<ValueId> = next.collect();
        let parameter = first.map(|next| (self.b.convert(next, ty.dtype), p, next_port(&port, at)));
        Ok((parameter, rest.into_iter().zip(before).collect()))
    }

    /// Whether the update is made, where the loss has a scale that is kept.
    fn scaling(&mut self, norm: ValueId) -> Option<Kept> {
        let at = self.loss.inputs.iter().position(|p| p.name == scaling::SCALE)?;
        let scale = self.loss.body().args[at];
        let rule = self.spec.precision?.loss_scale;
        Kept::new(&mut self.b, scale, rule, norm, |b, name| {
            let v = b.arg(Func::BODY, TensorType::scalar(DType::I32));
            b.name(v, name);
            v
        })
    }

    /// The numbers that `f` takes, in its types: that of the step, and what it counts by else.
    fn numbers(&mut self, step: ValueId, counted: &[Counted], f: &Func) -> Vec<ListedValue> {
        let known = |name: &str| name == "step" || counted::NAMES.contains(&name);
        let ports = f.inputs.iter().zip(&f.body().args).filter(|(p, _)| p.role == Role::Input && known(&p.name));
        ports
            .map(|(port, &v)| {
                // What nothing reads may be any number.
                let number = counted.iter().find(|c| c.name == port.name).map_or(step, |c| c.after);
                ListedValue { value: self.b.convert(number, f.ty(v).dtype), listed: false }
            })
            .collect()
    }

    fn inline(
        &mut self,
        f: &Func,
        args: &[ListedValue],
        entries: Option<u64>,
        span: Span,
    ) -> Result<Vec<ListedValue>, AutodiffError> {
        optimizer::apply(&mut self.b, f, args, entries).map_err(|op| {
            AutodiffError::new(
                span,
                format!("the optimizer of this parameter uses `{op}`, which is not done for a whole list"),
            )
            .help("optimizers are made of elementwise ops, reductions, contractions, moves and `for`, without `while`")
        })
    }

    /// The L2 norm of all gradients together, summed parameter by parameter in the order of the inputs.
    fn global_norm(&mut self, scalar: DType) -> ValueId {
        let b = &mut self.b;
        let mut total = None;
        for &g in &self.gradients {
            let g = b.convert(g, scalar);
            let squares = b.mul(g, g);
            let dims: Vec<usize> = (0..b.shape(g).len()).collect();
            let sum = b.reduce(Reduction::Sum, squares, &dims);
            total = Some(match total {
                Some(t) => b.add(t, sum),
                None => sum,
            });
        }
        let total = total.unwrap_or_else(|| b.constant(scalar, &[], 0.0));
        b.elem("sqrt", &[total])
    }

    fn push_gradients(&mut self) {
        for (&i, &g) in self.parameters.iter().zip(&self.gradients) {
            let port = &self.loss.inputs[i];
            let rank = self.b.ty(g).rank();
            let name = format!("grad.{}", port.name);
            let plain = Port::new(&name, Role::Gradient, rank);
            let entries = entries_below(&name, port);
            self.outputs.push((g, Port { stacked: port.stacked, entries, span: port.span, ..plain }));
        }
    }

    /// A new argument of the body; [`Step::set_inputs`] puts it in its place.
    fn new_input(&mut self, ty: TensorType, name: &str) -> ValueId {
        let v = self.b.arg(Func::BODY, ty);
        self.b.name(v, name);
        v
    }

    /// `of`: the parameter that the state belongs to, the state's rank, and whether it has the parameter's shape (else the
    /// parameter's layout means nothing for it).
    fn state_port(&self, path: &str, of: Option<(&Port, usize, bool)>) -> Port {
        let rank = of.map_or(0, |o| o.1);
        let mut port = Port::new(path, Role::State, rank);
        port.init = Some(Init::Constant(Scalar::float(0.0)));
        if let Some((p, _, follows)) = of {
            (port.stacked, port.span, port.of) = (p.stacked, p.span, Some(p.name.clone()));
            port.entries = entries_below(path, p);
            if let Some(c) = self.options.state.get(&p.name).filter(|_| follows) {
                port.constraint = c.clone();
            }
        }
        port
    }

    fn set_inputs(&mut self, inputs: Vec<(ValueId, Port)>) {
        let func = &mut self.b.func;
        for (i, (v, _)) in inputs.iter().enumerate() {
            func.values[v.index()].def = Def::Arg(Func::BODY, i as u32);
        }
        let (args, ports) = inputs.into_iter().unzip();
        func.regions[0].args = args;
        func.inputs = ports;
    }

    fn finish(self) -> Func {
        let mut func = self.b.finish();
        let (yields, ports) = self.outputs.into_iter().unzip();
        func.regions[0].yields = yields;
        func.outputs = ports;
        func
    }
}

/// What gradients of this norm are multiplied by, so that their norm is at most `limit`.
fn clipping(b: &mut Builder, norm: ValueId, limit: f64) -> ValueId {
    let tiny = b.constant_like(norm, 1e-6);
    let above = b.add(norm, tiny);
    let (limit, one) = (b.constant_like(norm, limit), b.constant_like(norm, 1.0));
    let ratio = b.div(limit, above);
    b.elem("minimum", &[ratio, one])
}

/// A scalar in every element of a value like `like`.
fn spread(b: &mut Builder, scalar: ValueId, like: ValueId) -> ValueId {
    let ty = b.ty(like).clone();
    let scalar = b.convert(scalar, ty.dtype);
    b.broadcast(scalar, &ty.shape, &[])
}

/// The output that is the next value of input `at`.
fn next_port(input: &Port, at: usize) -> Port {
    Port { updates: Some(at), init: None, range: None, ..input.clone() }
}

/// Names of the entries of what belongs to a stacked parameter and is called `path`: its names, with what stands before the
/// parameter's in `path`.
fn entries_below(path: &str, parameter: &Port) -> Vec<String> {
    let before = path.strip_suffix(parameter.name.as_str()).unwrap_or_default();
    parameter.entries.iter().map(|e| format!("{before}{e}")).collect()
}
