//! What a program tells beside its result: the next values of state fields (`p.mean = ..`), and metrics
//! (`metric("accuracy", a)`).
//!
//! Both are told where they are computed, in any function and in loops. So no function in between has to return them.
//! A loop hands on what its body told as one more of its results, stacked. For the field of a list's entry that is the
//! list's next value; of a metric it is what the mean is taken of.
//!
//! Not here: state of optimizers (`super::update`) and of entries (`super::entry`).

use super::primitive::{Args, Given, Prim, need};
use super::state::{About, Elab, StateField, Told};
use super::value::{TensorVal, Val};
use crate::ast::{Expr, Name};
use meshloom_ir::{DType, Op, Port, Reduction, Role, Span, ValueId};
use meshloom_source::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Names that a step's report has already.
const TAKEN: [&str; 9] =
    ["step", "loss", "grad_norm", "lr", "loss_scale", "seed", "seconds", "tokens_per_second", "eval_loss"];

/// What was told before a body that is a program of its own.
pub(super) struct Aside {
    fields: BTreeMap<ValueId, StateField>,
    told: Vec<Told>,
}

impl Elab<'_> {
    /// Notes that `id` is a state field of the model.
    pub(super) fn state_field(&mut self, id: ValueId, path: String, span: Span) {
        self.fields.insert(id, StateField { path, span, depth: 0, list: None, assigned: None });
    }

    /// Notes that `entry` is an entry of the list `list`, in the loop whose body is open.
    pub(super) fn entry_of_state(&mut self, list: ValueId, entry: ValueId) {
        let Some(of) = self.fields.get(&list) else { return };
        let (path, span, depth) = (of.path.clone(), of.span, self.regions.len());
        self.fields.insert(entry, StateField { path, span, depth, list: Some(list), assigned: None });
    }

    /// Paths of the model's state fields.
    pub(super) fn state_paths(&self) -> BTreeSet<String> {
        self.fields.values().filter(|f| f.list.is_none()).map(|f| f.path.clone()).collect()
    }

    /// `base.field = value`
    pub(super) fn assign_field(&mut self, base: &Expr, field: &Name, value: &Expr) {
        let (of, v) = (self.expr(base), self.expr(value));
        if of.is_error() || v.is_error() {
            return;
        }
        let name = format!("{}.{}", self.sources.text(base.span), field.text);
        let fields = match &of {
            Val::Struct(s) => &s.fields[..],
            _ => &[],
        };
        let leaf = match fields.iter().find(|f| f.0 == field.text) {
            Some((_, Val::Tensor(t))) => t.clone(),
            _ => {
                let d = Diagnostic::error("unknown-field", format!("{of} has no tensor `{}` to assign", field.text));
                self.error(d.at(field.span, "not known"));
                return;
            }
        };
        let declared = match &of {
            Val::Struct(s) => self.program.structure(&s.name, s.library),
            _ => None,
        };
        let declared = declared.and_then(|s| s.def.fields.iter().find(|f| f.name.text == field.text));
        if let Some(d) = declared.filter(|d| !d.state) {
            let (text, at) = (self.sources.text(d.span).to_string(), d.span);
            let d =
                Diagnostic::error("train", format!("`{name}` is no state, so nothing but the optimizer changes it"))
                    .at(field.span, "assigned")
                    .also(at, "declared here");
            self.error(d.help(format!(
                "`state {}` makes it state, which is not trained",
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            )));
            return;
        }
        // What evaluates the loss may be another program.
        self.asked_training = true;
        let Some(next) = self.next_value(&name, &leaf, &v, value.span) else { return };
        if self.training {
            self.tell_field(leaf.id, next, field.span);
        }
    }

    /// A value as a tensor of the field's type.
    fn next_value(&mut self, name: &str, leaf: &TensorVal, v: &Val, span: Span) -> Option<TensorVal> {
        let next = match v {
            Val::Tensor(t) => self.solid(t, span)?,
            Val::Number(n, _) if leaf.rank() == 0 => self.scalar(*n, leaf.dtype, span)?,
            _ => leaf.clone(),
        };
        let fits =
            matches!(v, Val::Tensor(_) | Val::Number(..)) && (next.dtype, next.shape()) == (leaf.dtype, leaf.shape());
        if fits && (matches!(v, Val::Tensor(_)) || leaf.rank() == 0) {
            return Some(next);
        }
        let is = Val::Tensor(leaf.clone());
        let d = Diagnostic::error("type-mismatch", format!("`{name}` is {is} and would become {v}"));
        self.error(d.at(span, "state keeps its type from step to step"));
        None
    }

    fn tell_field(&mut self, leaf: ValueId, value: TensorVal, span: Span) {
        let depth = self.regions.len();
        let Some(field) = self.fields.get_mut(&leaf) else {
            let d = Diagnostic::error("train", "this is a copy of the model's state");
            self.error(d.at(span, "assigned").help(
                "assign the field of the model itself, or that of a list's entry in a `for` or `scan` over the list",
            ));
            return;
        };
        let path = field.path.clone();
        if field.depth != depth {
            let d = Diagnostic::error("train", format!("`{path}` is assigned in a loop that does not go over it"));
            self.error(
                d.at(span, "once for every iteration")
                    .help("carry the value out of the loop in a variable, and assign it behind the loop"),
            );
            return;
        }
        if let Some(first) = field.assigned.replace(span) {
            let d = Diagnostic::error("train", format!("`{path}` is assigned twice in one step"));
            self.error(
                d.at(span, "again here")
                    .also(first, "first here")
                    .help("a state field has one next value; a layer that is used twice needs one for each use"),
            );
            return;
        }
        self.told.push(Told { about: About::Field(leaf), value, span, depth });
    }

    fn tell_metric(&mut self, name: Rc<str>, value: TensorVal, span: Span) {
        let same = |t: &&Told| matches!(&t.about, About::Metric(n) if *n == name);
        if let Some(first) = self.told.iter().find(same).map(|t| t.span) {
            let d = Diagnostic::error("duplicate", format!("two metrics are called `{name}`")).at(span, "again here");
            self.error(d.also(first, "first here").help("a metric is one number a step; give each its own name"));
            return;
        }
        let depth = self.regions.len();
        self.told.push(Told { about: About::Metric(name), value, span, depth });
    }

    /// Takes what the body of the innermost open region told: further results of the region.
    pub(super) fn told_here(&mut self) -> Vec<Told> {
        let depth = self.regions.len();
        let (here, rest) = std::mem::take(&mut self.told).into_iter().partition(|t| t.depth == depth);
        self.told = rest;
        here
    }

    /// Hands on what the body of a loop of `trip` iterations told; `results` are these values stacked.
    pub(super) fn told_by_loop(&mut self, told: Vec<Told>, results: &[ValueId], trip: u64) {
        for (t, &id) in told.into_iter().zip(results) {
            let mut dims = t.value.dims.clone();
            dims.insert(0, super::value::Dim::plain(trip));
            let all = TensorVal { id, dtype: t.value.dtype, dims, units: Vec::new() };
            match t.about {
                About::Field(entry) => {
                    let list = self.fields.get(&entry).and_then(|f| f.list);
                    self.tell_field(list.unwrap_or(entry), all, t.span);
                }
                About::Metric(name) => {
                    let Val::Tensor(sum) = self.reduce(Reduction::Sum, &all, &[0], false, t.span) else { continue };
                    let n = self.builder.constant_like(sum.id, trip as f64);
                    let mean = self.builder.div(sum.id, n);
                    self.tell_metric(name, TensorVal { id: mean, ..sum }, t.span);
                }
            }
        }
    }

    /// Reports what was told in a place that cannot hand it on.
    pub(super) fn nothing_told(&mut self, told: Vec<Told>, place: &str, help: &str) {
        for t in told {
            let what = match &t.about {
                About::Metric(name) => format!("the metric `{name}`"),
                About::Field(_) => "the next value of a state field".to_string(),
            };
            let d = Diagnostic::error("train", format!("{what} cannot come out of {place}"));
            self.error(d.at(t.span, "told here").help(help));
        }
    }

    /// Begins a body that is a program of its own: values outside of it are no values of its.
    pub(super) fn set_told_aside(&mut self) -> Aside {
        Aside { fields: std::mem::take(&mut self.fields), told: std::mem::take(&mut self.told) }
    }

    /// Ends such a body. Gives what it told.
    pub(super) fn take_told_back(&mut self, before: Aside) -> Vec<Told> {
        self.fields = before.fields;
        std::mem::replace(&mut self.told, before.told)
    }

    /// The next values of state fields as outputs, each of the parameter that it replaces.
    pub(super) fn next_fields(&mut self) {
        let (fields, rest): (Vec<_>, _) =
            std::mem::take(&mut self.told).into_iter().partition(|t| matches!(t.about, About::Field(_)));
        self.told = rest;
        for t in fields {
            let About::Field(leaf) = t.about else { continue };
            // Of lists in lists, the entries of the input are in one row.
            let input = match self.builder.func.def_op(leaf).map(|o| self.builder.func.op(o)) {
                Some(data) => data.operands.first().copied().unwrap_or(leaf),
                None => leaf,
            };
            let Some(at) = self.builder.func.body().args.iter().position(|&a| a == input) else { continue };
            let next = if input == leaf {
                Some(t.value.id)
            } else {
                let shape = self.builder.func.ty(input).shape.clone();
                self.emit(Op::Reshape { shape }, &[t.value.id], t.span)
            };
            let Some(next) = next else { continue };
            let port = self.builder.func.inputs[at].clone();
            self.builder.output(next, Port { updates: Some(at), init: None, range: None, ..port });
        }
    }

    /// The metrics as outputs.
    pub(super) fn metrics(&mut self) {
        for t in std::mem::take(&mut self.told) {
            let About::Metric(name) = t.about else { continue };
            if let Some(port) = self.builder.func.inputs.iter().find(|p| p.name == *name) {
                let d = Diagnostic::error("duplicate", format!("`{name}` is a metric and an input"));
                let d = d.at(t.span, "").also(port.span, "the input").help("give the metric another name");
                self.error(d);
                continue;
            }
            let port = Port { span: t.span, ..Port::new(&*name, Role::Metric, 0) };
            self.builder.output(t.value.id, port);
        }
    }
}

/// `metric("accuracy", mean(..))`
pub(super) fn metric(cx: &mut Elab<'_>, _: &Prim, args: Args) -> Val {
    let (name, value) = (need!(args, 0), need!(args, 1));
    let wrong = |cx: &mut Elab<'_>, g: &Given, message: String, help: &str| {
        cx.error(Diagnostic::error("type-mismatch", message).at(g.span, "").help(help))
    };
    let Val::Str(text) = &name.value else {
        let message = format!("the name of a metric is a string, not {}", name.value);
        return wrong(cx, &name, message, "such as `metric(\"accuracy\", a)`");
    };
    let word = |c: char| c.is_ascii_alphanumeric() || "_.-/".contains(c);
    if text.is_empty() || text.len() > 100 || !text.chars().all(word) || TAKEN.contains(&&**text) {
        let message = format!("\"{text}\" cannot be the name of a metric");
        let help = "letters, digits and `_ . - /`, and no name that every step's report has, such as `loss`";
        return wrong(cx, &name, message, help);
    }
    if cx.update.is_some() {
        let d = Diagnostic::error("train", "an optimizer tells no metrics").at(args.span, "");
        return cx.error(d.help("tell them in the loss"));
    }
    let f32s = |cx: &mut Elab<'_>, t: &TensorVal| {
        let t = cx.solid(t, value.span)?;
        let to = if t.dtype == DType::F64 { DType::F64 } else { DType::F32 };
        Some(TensorVal { id: cx.builder.convert(t.id, to), dtype: to, ..t })
    };
    let number = match &value.value {
        Val::Tensor(t) if t.rank() == 0 => f32s(cx, t),
        Val::Number(n, _) => cx.scalar(*n, DType::F32, value.span),
        other => {
            let message = format!("a metric is one number, not {other}");
            return wrong(cx, &value, message, "`mean(..)` or `sum(..)` makes one number of a tensor");
        }
    };
    if let Some(number) = number {
        cx.tell_metric(text.clone(), number, args.span);
    }
    Val::unit()
}
