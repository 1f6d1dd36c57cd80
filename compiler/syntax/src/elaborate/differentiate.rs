//! `grad(f)(..)` and `value_and_grad(f)(..)`: gradients as values of the program.
//!
//! The function is elaborated on its own, as the loss of a program whose inputs are the arguments. Reverse mode makes a
//! function of that, whose body is copied to the place of the call. So there is one engine for `train` and for these, a
//! gradient may be taken inside of a loop or of another gradient, and the result is ordinary ops that later phases
//! know.

use super::primitive::Given;
use super::program::FnRef;
use super::state::{Elab, MAX_OPS};
use super::value::{TensorVal, Val};
use crate::ast::{Arg, ExprKind, Name};
use meshloom_ir::{Builder, Func, Port, Role, Span, ValueId, copy};
use meshloom_source::Diagnostic;
use meshloom_source::suggest::{self, nearest};

/// What a transform was told: the function, and which of its parameters.
struct Of<'a> {
    f: FnRef<'a>,
    name: Name,
    wrt: usize,
}

impl<'a> Elab<'a> {
    /// `callee(settings)(args)`.
    pub(super) fn transform(&mut self, callee: &Name, settings: &[Arg], args: &[Arg], span: Span) -> Val {
        let given: Vec<Given> = args
            .iter()
            .map(|a| Given { name: a.name.clone(), value: self.expr(&a.value), span: a.value.span })
            .collect();
        let Some(of) = self.transformed(callee, settings) else { return Val::Error };
        if given.iter().any(|g| g.value.is_error()) {
            return Val::Error;
        }
        self.gradient(callee, &of, given, span)
    }

    /// The function and the parameter that the settings name.
    fn transformed(&mut self, callee: &Name, settings: &[Arg]) -> Option<Of<'a>> {
        let what = &callee.text;
        let f = self.function_named(settings.first().filter(|a| a.name.is_none()), what, callee.span)?;
        let params: Vec<&str> = f.def.params.iter().map(|p| p.name.text.as_str()).collect();
        let mut wrt = 0;
        for a in &settings[1..] {
            let Some(name) = a.name.as_ref().filter(|n| n.text == "wrt") else {
                self.error(
                    Diagnostic::error("arguments", format!("`{what}` takes a function and `wrt: a parameter of it`"))
                        .at(a.span, ""),
                );
                return None;
            };
            let ExprKind::Name(wanted) = &a.value.bare().kind else {
                self.error(Diagnostic::error("arguments", "`wrt` names a parameter").at(a.value.span, ""));
                return None;
            };
            let Some(at) = params.iter().position(|p| p == wanted) else {
                let d = Diagnostic::error("arguments", format!("`{}` has no parameter `{wanted}`", f.def.name.text))
                    .at(a.value.span, "")
                    .also(f.def.name.span, "declared here");
                self.error(match nearest(wanted, params.iter().copied()) {
                    Some(n) => d.did_you_mean(n),
                    None => d.help(format!("its parameters: {}", suggest::list(params.iter().copied()))),
                });
                return None;
            };
            let _ = name;
            wrt = at;
        }
        if params.is_empty() {
            self.error(
                Diagnostic::error("arguments", format!("`{}` has no parameter to differentiate by", f.def.name.text))
                    .at(callee.span, ""),
            );
            return None;
        }
        Some(Of { f, name: Name { text: f.def.name.text.clone(), span: settings[0].value.span }, wrt })
    }

    /// A function that is an argument. Functions are no values: their names stand in the argument's place.
    pub(super) fn function_named(&mut self, arg: Option<&Arg>, what: &str, span: Span) -> Option<FnRef<'a>> {
        let Some(arg) = arg else {
            self.error(Diagnostic::error("arguments", format!("`{what}` takes a function first")).at(span, ""));
            return None;
        };
        let ExprKind::Name(name) = &arg.value.bare().kind else {
            self.error(
                Diagnostic::error("arguments", format!("`{what}` takes the name of a function"))
                    .at(arg.value.span, "no name")
                    .help("declare it with `fn`"),
            );
            return None;
        };
        let found = self.program.function(name, self.in_library());
        if found.is_none() {
            let all = self.program.functions.keys().chain(self.program.library_functions.keys()).copied();
            let d = Diagnostic::error("unknown-function", format!("there is no function `{name}`"))
                .at(arg.value.span, "not known");
            self.error(match nearest(name, all) {
                Some(n) => d.did_you_mean(n),
                None => d.help(format!("`{what}` takes functions that are declared with `fn`")),
            });
        }
        found
    }

    fn gradient(&mut self, callee: &Name, of: &Of<'a>, given: Vec<Given>, span: Span) -> Val {
        let def = of.f.def;
        let params: Vec<&str> = def.params.iter().map(|p| p.name.text.as_str()).collect();
        let Some(slots) = self.arrange(&def.name.text, &params, &given, span, Some(def.name.span)) else {
            return Val::Error;
        };
        let Some(by) = slots[of.wrt].clone() else {
            let d = Diagnostic::error(
                "arguments",
                format!("`{}` is differentiated by `{}`", def.name.text, params[of.wrt]),
            )
            .at(span, "not given here");
            return self.error(d);
        };
        if let Err(d) = floats(params[of.wrt], &by) {
            return self.error(d);
        }
        let mut solid = Vec::new();
        for g in &given {
            let Some(value) = self.solid_value(&g.value, g.span) else { return Val::Error };
            solid.push(value);
        }
        // The arguments are inputs of a function of its own.
        let outer: Vec<ValueId> = solid.iter().flat_map(Val::tensors).map(|t| t.id).collect();
        let name = callee.text.clone();
        let own = Builder::new(name, self.mesh().clone());
        let caller = std::mem::replace(&mut self.builder, own);
        let (regions, random) = (std::mem::take(&mut self.regions), self.random.take());
        let aside = self.set_told_aside();
        let inner = self.gradient_inputs(&caller.func, &given, &solid, by.span);
        let loss = self.gradient_loss(of, &inner, span);
        let made = std::mem::replace(&mut self.builder, caller).finish();
        self.regions = regions;
        let told = self.take_told_back(aside);
        self.nothing_told(
            told,
            "a function that is differentiated here",
            "return it beside the value, from a function that `grad` is not of",
        );
        if std::mem::replace(&mut self.random, random).is_some() {
            // Their keys count the iterations of enclosing loops, which this function does not see.
            let message =
                format!("`{}` draws random numbers, which `{}` does not take along", def.name.text, callee.text);
            let d = Diagnostic::error("not-differentiable", message).at(of.name.span, "");
            return self.error(d.help("draw them before, and pass them as an argument"));
        }
        if loss.is_none() || self.exhausted {
            return Val::Error;
        }
        let step = match meshloom_autodiff::gradients(&made) {
            Ok(f) => f,
            Err(e) => {
                let at = if e.span.is_none() { span } else { e.span };
                let d = Diagnostic::error(e.code, e.message.clone()).at(at, "").also(span, "in this gradient");
                return self.error(match e.help {
                    Some(h) => d.help(h),
                    None => d,
                });
            }
        };
        self.splice(callee, &step, &outer, &by.value, span)
    }

    /// The arguments as inputs of the open function, which have the names that they have in the caller. What is written
    /// at `by` is what the gradient is by.
    fn gradient_inputs(&mut self, caller: &Func, given: &[Given], solid: &[Val], by: Span) -> Vec<Given> {
        let (mut inner, mut count) = (Vec::new(), 0);
        for (g, value) in given.iter().zip(solid) {
            let role = if g.span == by { Role::Parameter } else { Role::Input };
            let value = value.map(&mut |t| {
                let old = caller.value(t.id);
                let port = port(&format!("{count}"), role, t.rank(), g.span);
                let id = self.builder.input(Elab::ir_type(t), port);
                count += 1;
                let v = &mut self.builder.func.values[id.index()];
                (v.name, v.span) = (old.name.clone(), old.span);
                TensorVal { id, ..t.clone() }
            });
            inner.push(Given { value, ..g.clone() });
        }
        inner
    }

    /// Expands the function that is differentiated; its one number is the loss.
    fn gradient_loss(&mut self, of: &Of<'a>, inner: &[Given], span: Span) -> Option<TensorVal> {
        let def = of.f.def;
        let value = self.expand(of.f, &of.name, inner, span);
        let loss = match &value {
            Val::Tensor(t) if t.rank() == 0 && t.dtype.is_float() => self.solid(t, span),
            Val::Error => None,
            other => {
                let at = def.result.as_ref().map_or(def.name.span, |t| t.span);
                let message = format!("`{}` returns {other}; a gradient is of one number", def.name.text);
                let d = Diagnostic::error("not-differentiable", message).at(of.name.span, "").also(at, "declared here");
                self.error(d.help("`mean(..)` or `sum(..)` makes one number of a tensor"));
                None
            }
        };
        if let Some(t) = &loss {
            self.builder.output(t.id, port("value", Role::Loss, 0, span));
        }
        loss
    }

    /// The body of `step` at this place; the result in the structure of `by`.
    fn splice(&mut self, callee: &Name, step: &Func, outer: &[meshloom_ir::ValueId], by: &Val, span: Span) -> Val {
        if self.builder.func.ops.len() + step.ops.len() > MAX_OPS {
            self.exhausted = true;
            let message = format!("the program grows past {MAX_OPS} operations when its functions are expanded");
            return self.error(Diagnostic::error("too-large", message).at(span, "while expanding this gradient"));
        }
        self.locate(span);
        // Inputs of the step are the same ports in another order: parameters first.
        let mut operands = Vec::new();
        for p in &step.inputs {
            let at: usize = p.name.parse().unwrap_or(0);
            operands.push(self.here(outer[at]));
        }
        let results = copy::inline(&mut self.builder, step, &operands);
        let mut grads = results[1..].iter().copied();
        let gradient = by.map(&mut |t| {
            let id = grads.next().unwrap_or(t.id);
            TensorVal { id, dtype: t.dtype, dims: t.dims.clone(), units: Vec::new() }
        });
        if callee.text == "grad" {
            return gradient;
        }
        let ty = self.builder.ty(results[0]).clone();
        let value = TensorVal { id: results[0], dtype: ty.dtype, dims: Vec::new(), units: Vec::new() };
        Val::Tuple(vec![Val::Tensor(value), gradient])
    }
}

/// What a gradient is by has to be tensors of floats.
fn floats(param: &str, by: &Given) -> Result<(), Diagnostic> {
    let tensors = by.value.tensors();
    if let Some(t) = tensors.iter().find(|t| !t.dtype.is_float()) {
        return Err(Diagnostic::error("not-differentiable", format!("`{param}` has a tensor of {}", t.dtype))
            .at(by.span, format!("this is {}", by.value))
            .help("a gradient is by floats; pass integers in another argument"));
    }
    if tensors.is_empty() {
        return Err(Diagnostic::error("type-mismatch", format!("a gradient is by tensors, not {}", by.value))
            .at(by.span, "")
            .help("give a number its type: `let x: f32 = 1`"));
    }
    Ok(())
}

fn port(name: &str, role: Role, rank: usize, span: Span) -> Port {
    Port { span, ..Port::new(name, role, rank) }
}
