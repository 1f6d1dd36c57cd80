//! Functions with a gradient of their own: `fn f(x) { .. } gradient(y, dy) { .. }`.
//!
//! A call becomes a composite that reverse mode knows ([`meshloom_autodiff::custom`]). Its body is the function and then the rule, as
//! ordinary ops, so the rule is checked like any other code and may be differentiated itself. Where the program is differentiated,
//! or where an entry is finished that is not trained, the ops stand in the composite's place.

use super::program::FnRef;
use super::state::{Elab, IterationNumber, OpenRegion, Scope, Variable};
use super::value::{Num, TensorVal, Val};
use crate::ast::{FnDef, GradientRule};
use meshloom_autodiff::custom::{ARGUMENTS, CUSTOM, RESULTS};
use meshloom_ir::op::Attr;
use meshloom_ir::{Span, TensorType, ValueId};
use meshloom_source::Diagnostic;
use std::collections::BTreeMap;

/// What stands in the open region of a call.
struct Inside {
    /// The parameters, as the body and the rule see them.
    params: Vec<(String, Variable)>,
    /// Their tensors' values around the region, and how many there are.
    outer: Vec<ValueId>,
}

impl<'a> Elab<'a> {
    /// A call of a function that has a rule, in the function's frame.
    pub(super) fn with_rule(&mut self, f: FnRef<'a>, rule: &GradientRule, span: Span) -> Val {
        let def = f.def;
        if let Some((_, at)) = self.manual.first() {
            let at = *at;
            let message = format!("`{}` has a gradient of its own, and stands in a manual region", def.name.text);
            let d = Diagnostic::error("not-differentiable", message).at(span, "called here").also(at, "the region");
            return self.error(d.help("call it outside of the region, on the whole tensors"));
        }
        let Some(given) = self.solid_params(def, span) else { return Val::Error };
        self.locate(span);
        let id = self.builder.open();
        let region =
            OpenRegion { id, captures: Vec::new(), copies: Vec::new(), number: IterationNumber::None, meaning: false };
        self.regions.push(region);
        let aside = self.set_told_aside();
        let mut inside = Inside { params: Vec::new(), outer: Vec::new() };
        for (name, v) in given {
            let value = v.value.map(&mut |t| {
                let arg = self.builder.arg(id, Elab::ir_type(t));
                self.name_value(arg, &name);
                inside.outer.push(t.id);
                TensorVal { id: arg, ..t.clone() }
            });
            inside.params.push((name, Variable { value, span: v.span }));
        }
        let made = self.body_and_rule(f, rule, &inside, span);
        let told = self.take_told_back(aside);
        self.nothing_told(
            told,
            "a function with a gradient of its own",
            "return it beside the value, from the function that calls this one",
        );
        let (value, placeholders, yields) = match made {
            Some(made) => made,
            None => {
                self.builder.close(Vec::new());
                self.regions.pop();
                return Val::Error;
            }
        };
        self.builder.close(yields);
        let captures = self.regions.pop().map(|r| r.captures).unwrap_or_default();
        let n = inside.outer.len();
        for (k, (arg, _)) in placeholders.iter().enumerate() {
            self.builder.move_arg(id, *arg, n + k);
        }
        let mut operands: Vec<ValueId> = inside.outer.iter().map(|&v| self.here(v)).collect();
        for (_, ty) in &placeholders {
            let Some(zero) = self.splat(ty.dtype, &ty.shape, Num::Int(0), span) else { return Val::Error };
            operands.push(zero);
        }
        operands.extend(captures.iter().map(|c| c.0));
        if self.exhausted {
            return Val::Error;
        }
        let count = |n: usize| Attr::Int(i64::try_from(n).unwrap_or(i64::MAX));
        let attrs: BTreeMap<String, Attr> =
            [(ARGUMENTS.to_string(), count(n)), (RESULTS.to_string(), count(placeholders.len()))].into();
        self.locate(span);
        match self.builder.composite(CUSTOM, attrs, &operands, id) {
            Ok(results) => {
                let mut results = results.into_iter();
                value.map(&mut |t| TensorVal { id: results.next().unwrap_or(t.id), units: Vec::new(), ..t.clone() })
            }
            Err(message) => self.error(Diagnostic::error("invalid", message).at(span, "")),
        }
    }

    /// The parameters of the function that is being expanded, their tensors with all dims.
    fn solid_params(&mut self, def: &FnDef, span: Span) -> Option<Vec<(String, Variable)>> {
        let mut out = Vec::new();
        for p in &def.params {
            let v = self.variable(&p.name.text)?.clone();
            let value = self.solid_value(&v.value, span)?;
            out.push((p.name.text.clone(), Variable { value, ..v }));
        }
        Some(out)
    }

    /// The function's value, placeholders for the cotangents of its tensors, and what the region yields.
    #[allow(clippy::type_complexity)] // placeholders with their types
    fn body_and_rule(
        &mut self,
        f: FnRef<'a>,
        rule: &GradientRule,
        inside: &Inside,
        span: Span,
    ) -> Option<(Val, Vec<(ValueId, TensorType)>, Vec<ValueId>)> {
        let def = f.def;
        self.in_names(inside.params.iter().cloned());
        let value = self.body(def, f.library);
        let value = self.solid_value(&value, span)?;
        let results = value.tensors();
        if results.is_empty() || results.iter().any(|t| !t.dtype.is_float()) {
            let at = def.result.as_ref().map_or(def.name.span, |t| t.span);
            let message = format!("`{}` returns {value}, and a gradient is of floats", def.name.text);
            self.error(
                Diagnostic::error("not-differentiable", message).at(at, "").also(rule.body.span, "this gradient"),
            );
            return None;
        }
        let mut yields: Vec<ValueId> = results.iter().map(|t| self.here(t.id)).collect();
        let region = self.regions.last()?.id;
        let mut placeholders = Vec::new();
        let cotangent = value.map(&mut |t| {
            let ty = Elab::ir_type(t);
            let arg = self.builder.arg(region, ty.clone());
            placeholders.push((arg, ty));
            TensorVal { id: arg, ..t.clone() }
        });
        // The body may have assigned its parameters; the rule sees them as they were given.
        let named = |name: &crate::ast::Name, value: Val| (name.text.clone(), Variable { value, span: name.span });
        let own = match &rule.names[..] {
            [y, dy] => vec![named(y, value.clone()), named(dy, cotangent)],
            names => names.iter().map(|dy| named(dy, cotangent.clone())).collect(),
        };
        self.in_names(inside.params.iter().cloned().chain(own));
        let gradients = self.block(&rule.body);
        yields.extend(self.gradients_of(def, rule, &gradients, inside)?);
        Some((value, placeholders, yields))
    }

    /// The frame's variables are these and no others.
    fn in_names(&mut self, names: impl Iterator<Item = (String, Variable)>) {
        self.frame().scopes = vec![names.collect::<Scope>()];
    }

    /// What the rule gives, as one tensor for each tensor of floats among the parameters.
    fn gradients_of(&mut self, def: &FnDef, rule: &GradientRule, value: &Val, inside: &Inside) -> Option<Vec<ValueId>> {
        if value.is_error() {
            return None;
        }
        let at = rule.body.stmts.last().map_or(rule.body.span, |s| s.span);
        let floats = |v: &Val| v.tensors().iter().any(|t| t.dtype.is_float());
        let params: Vec<&(String, Variable)> = inside.params.iter().filter(|p| floats(&p.1.value)).collect();
        let parts = match value {
            _ if params.len() == 1 => vec![value.clone()],
            Val::Tuple(parts) if parts.len() == params.len() => parts.clone(),
            other => {
                let names: Vec<String> = params.iter().map(|p| format!("`{}`", p.0)).collect();
                let message = format!("the gradient of `{}` gives {other}", def.name.text);
                let d = Diagnostic::error("arguments", message).at(at, "");
                self.error(match names.is_empty() {
                    true => d.help("it has no parameter of floats to give a gradient of"),
                    false => d.help(format!("one value for each parameter of floats, in order: {}", names.join(", "))),
                });
                return None;
            }
        };
        let mut out = Vec::new();
        for ((name, v), part) in params.into_iter().zip(&parts) {
            let wanted = v.value.tensors();
            let given: Vec<Option<TensorVal>> = match part {
                Val::Number(..) => vec![None; wanted.len()],
                other => self.solid_value(other, at)?.tensors().into_iter().map(Some).collect(),
            };
            let alike = |t: &TensorVal, g: &Option<TensorVal>| {
                let given = g.as_ref().map(|g| (g.dtype, g.shape()));
                !t.dtype.is_float() || given.is_none_or(|g| g == (t.dtype, t.shape()))
            };
            if wanted.len() != given.len() || !wanted.iter().zip(&given).all(|(t, g)| alike(t, g)) {
                let d =
                    Diagnostic::error("shape-mismatch", format!("the gradient of `{name}` is {part}, not {}", v.value));
                self.error(
                    d.at(at, "")
                        .also(v.span, "declared here")
                        .help("it has the type of the parameter; a number is that everywhere"),
                );
                return None;
            }
            for (t, g) in wanted.iter().zip(given).filter(|(t, _)| t.dtype.is_float()) {
                let id = match (g, part) {
                    (Some(g), _) => g.id,
                    (None, Val::Number(n, _)) => self.splat(t.dtype, &t.shape(), *n, at)?,
                    (None, _) => return None,
                };
                out.push(self.here(id));
            }
        }
        Some(out)
    }
}
