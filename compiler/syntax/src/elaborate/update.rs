//! One parameter's update: an `optimizer` expanded for the parameter's type, as a function of its own, and the `state`
//! that it keeps. Settings are expressions over `step`, evaluated in this function too: a schedule is ordinary code.

use super::model::start;
use super::primitive::Given;
use super::request::Request;
use super::state::{Elab, Frame, State, Update, Variable};
use super::types::Bindings;
use super::value::{Dim, TensorVal, Val};
use crate::ast::{Expr, ExprKind, Name, Type, TypeKind};
use meshloom_ir::{DType, Func, Init, Port, Role, Scalar, Span, TensorType};
use meshloom_source::Diagnostic;

/// What stands beside `step`: what was trained on, the step's own included.
const COUNTED: [&str; 2] = ["samples", "tokens"];

impl<'a> Elab<'a> {
    /// Opens a frame in which `step` stands for the number of the step.
    fn begin(&mut self, request: &Request<'a>, float: DType) {
        let id = self.builder.input(TensorType::scalar(float), Port::new("step", Role::Input, 0));
        let step = TensorVal { id, dtype: float, dims: Vec::new(), units: Vec::new() };
        let mut frame = Frame::new(request.user, Span::default());
        if let Some(scope) = frame.scopes.last_mut() {
            scope.insert("step".into(), Variable { value: Val::Tensor(step.clone()), span: Span::default() });
        }
        // A constant of the program by the same name is that constant.
        for name in COUNTED.into_iter().filter(|name| self.program.constants.get(name).is_none()) {
            let id = self.builder.input(TensorType::scalar(float), Port::new(name, Role::Input, 0));
            let number = TensorVal { id, ..step.clone() };
            if let Some(scope) = frame.scopes.last_mut() {
                scope.insert(name.into(), Variable { value: Val::Tensor(number), span: Span::default() });
            }
        }
        self.frames.push(frame);
        self.update = Some(Update { step, states: Vec::new() });
    }

    /// The value of `lr`, as a function of the step.
    pub(super) fn rate(
        mut self,
        request: &Request<'a>,
        lr: Option<&'a Expr>,
        float: DType,
    ) -> Result<Func, Vec<Diagnostic>> {
        self.begin(request, float);
        let default =
            request.optimizer.def.params.iter().find(|p| p.name.text == "lr").and_then(|p| p.default.as_ref());
        let value = match lr.or(default) {
            Some(e) => (self.expr(e), e.span),
            None => (Val::int(0), request.call),
        };
        let value = match value {
            (Val::Number(n, _), span) => self.scalar(n, float, span).map_or(Val::Error, Val::Tensor),
            (Val::Tensor(t), span) => self.solid(&t, span).map_or(Val::Error, Val::Tensor),
            (Val::Error, _) => Val::Error,
            (other, span) => {
                let d = Diagnostic::error("train", format!("`lr` is a number or a schedule, not {other}"));
                self.error(d.at(span, ""))
            }
        };
        if let Val::Tensor(t) = &value {
            if t.rank() > 0 {
                let message = format!("`lr` is one number on each step, not {value}");
                self.error(Diagnostic::error("train", message).at(lr.map_or(request.call, |e| e.span), ""));
            }
            self.builder.output(t.id, Port::new("lr", Role::Output, 0));
        }
        self.close()
    }

    /// The function that updates a parameter of this type.
    pub(super) fn parameter_update(mut self, request: &Request<'a>, ty: &TensorType) -> Result<Func, Vec<Diagnostic>> {
        // Less than f32 is not enough for what an optimizer adds up.
        let float = if ty.dtype == DType::F64 { DType::F64 } else { DType::F32 };
        let dims: Vec<Dim> = ty.shape.iter().map(|&n| Dim::plain(n)).collect();
        let mut tensor = |name: &str| {
            let ty = TensorType::new(float, ty.shape.clone());
            let id = self.builder.input(ty, Port::new(name, Role::Input, dims.len()));
            TensorVal { id, dtype: float, dims: dims.clone(), units: Vec::new() }
        };
        let (p, g) = (tensor("parameter"), tensor("gradient"));
        self.begin(request, float);
        let given = |name: Option<&Name>, value: Val, span: Span| Given { name: name.cloned(), value, span };
        let mut gradient = Val::Tensor(g);
        if let (Some((name, limit)), Some(f)) = (request.clip_value, self.program.function("clip_by_value", true)) {
            let given = [given(None, gradient, request.call), given(None, self.expr(limit), limit.span)];
            gradient = self.expand(f, name, &given, limit.span);
        }
        let tensors = [Val::Tensor(p.clone()), gradient].map(|v| given(None, v, request.call));
        let settings: Vec<Given> =
            request.settings.iter().map(|(name, e)| given(Some(name), self.expr(e), e.span)).collect();
        let all: Vec<Given> = tensors.into_iter().chain(settings).collect();
        let mut next = self.expand(request.optimizer, request.callee, &all, request.call);
        if let (Some((name, decay)), Some(f)) = (request.ema, self.program.function("average_parameter", true)) {
            let given = [
                given(None, Val::Tensor(p.clone()), request.call),
                given(None, next, request.call),
                given(None, Val::Tensor(self.step_tensor()), request.call),
                given(None, self.expr(decay), decay.span),
            ];
            next = self.expand(f, name, &given, decay.span);
        }
        let next = match next {
            Val::Tensor(t) => Some(t),
            Val::Number(n, _) => self.scalar(n, float, request.call),
            Val::Error => None,
            other => {
                let message = format!("an optimizer gives the next value of its parameter, not {other}");
                let d = Diagnostic::error("train", message).at(request.optimizer.def.name.span, "");
                self.error(d.help("its last expression is that value: `p - lr * g`"));
                None
            }
        };
        if let Some(next) = next {
            self.finish(&next, &p, request.call);
        }
        self.close()
    }

    /// Outputs: the next parameter, the next state.
    fn finish(&mut self, next: &TensorVal, p: &TensorVal, span: Span) {
        let states = self.update.as_mut().map(|u| std::mem::take(&mut u.states)).unwrap_or_default();
        let mut outputs = vec![("parameter".to_string(), next.clone(), p.clone(), Role::Output)];
        for s in states {
            match s.after {
                Val::Tensor(after) => outputs.push((s.name, after, s.before, Role::State)),
                Val::Error => return,
                other => {
                    let d = Diagnostic::error("type-mismatch", format!("`{}` has become {other}", s.name));
                    self.error(d.at(s.declared, "a tensor of this type from step to step"));
                    return;
                }
            }
        }
        for (name, after, before, role) in outputs {
            let Some(after) = self.solid(&after, span) else { return };
            if (after.dtype, after.shape()) != (before.dtype, before.shape()) {
                let (was, is) = (Val::Tensor(before), Val::Tensor(after));
                let message = format!("`{name}` keeps its type from step to step: it was {was} and would become {is}");
                self.error(Diagnostic::error("type-mismatch", message).at(span, ""));
                return;
            }
            self.builder.output(after.id, Port::new(&name, role, after.rank()));
        }
    }

    fn close(mut self) -> Result<Func, Vec<Diagnostic>> {
        self.frames.clear();
        if self.errors.is_empty() { Ok(self.builder.finish()) } else { Err(self.errors) }
    }

    fn step_tensor(&self) -> TensorVal {
        let none = TensorVal { id: meshloom_ir::ValueId(0), dtype: DType::F32, dims: Vec::new(), units: Vec::new() };
        self.update.as_ref().map_or(none, |u| u.step.clone())
    }

    /// The number of the step, for a parameter called `step` that is not given.
    pub(super) fn step(&self, span: Span) -> Given {
        Given { name: None, value: Val::Tensor(self.step_tensor()), span }
    }

    /// `state m: float[..] = zeros`
    pub(super) fn state(&mut self, name: &Name, ty: &Type, init: &Expr) {
        let value = self.new_state(name, ty, init).map_or(Val::Error, Val::Tensor);
        self.bind(name, value);
    }

    fn new_state(&mut self, name: &Name, ty: &Type, init: &Expr) -> Option<TensorVal> {
        let Some(update) = &self.update else {
            self.error(
                Diagnostic::error("train", "only an optimizer keeps state")
                    .at(name.span, "")
                    .help("`optimizer name(p: float[..], g: float[..], lr) -> float[..] { .. }` declares one"),
            );
            return None;
        };
        if !self.regions.is_empty() {
            self.error(Diagnostic::error("train", "state is declared outside of loops").at(name.span, ""));
            return None;
        }
        if let Some(first) = update.states.iter().find(|s| s.name == name.text) {
            let first = first.declared;
            self.error(
                Diagnostic::error("duplicate", format!("two tensors of state are called `{}`", name.text))
                    .at(name.span, "again here")
                    .also(first, "first here")
                    .help("state is named in checkpoints: give each its own name"),
            );
            return None;
        }
        let TypeKind::Named { name: element, dims } = &ty.kind else {
            self.error(Diagnostic::error("train", "state is a tensor").at(ty.span, ""));
            return None;
        };
        let dtype = if element.text == "float" { self.frame().float } else { self.dtype(&element.text) };
        let Some(dtype) = dtype else {
            self.unknown_type(element, self.in_library());
            return None;
        };
        let bindings = Bindings::of(self.frame());
        let dims = self.dims_of(dims, self.in_library(), &bindings)?;
        let start = match &init.bare().kind {
            ExprKind::Name(n) if n == "zeros" => Scalar::float(0.0),
            ExprKind::Name(n) if n == "ones" => Scalar::float(1.0),
            _ => match start(init, dtype, &self.program.constants) {
                Ok(x) => x,
                Err(d) => {
                    self.error(d.help("state starts as `zeros`, `ones` or a number"));
                    return None;
                }
            },
        };
        let ty = TensorType::new(dtype, dims.iter().map(|d| d.size).collect::<Vec<_>>());
        let mut port = Port::new(&name.text, Role::State, dims.len());
        port.init = Some(Init::Constant(start));
        port.span = name.span;
        let id = self.builder.input(ty, port);
        let before = TensorVal { id, dtype, dims, units: Vec::new() };
        if let Some(update) = &mut self.update {
            let after = Val::Tensor(before.clone());
            update.states.push(State { declared: name.span, name: name.text.clone(), before: before.clone(), after });
        }
        Some(before)
    }

    /// A variable declared at `declared` has a new value: if it is state, that is kept.
    pub(super) fn kept(&mut self, declared: Span, value: Val) {
        let states = self.update.iter_mut().flat_map(|u| &mut u.states);
        for s in states.filter(|s| s.declared == declared) {
            s.after = value.clone();
        }
    }
}
