//! Calls: arguments are matched with parameters, and the callee's body is expanded in place. A composite with a kernel
//! of its own keeps its body as a region.

use super::primitive::Given;
use super::program::FnRef;
use super::state::{Elab, Frame, IterationNumber, OpenRegion, Variable};
use super::types::{Bindings, Mismatch};
use super::value::{Num, TensorVal, Val, plural};
use super::{collective, foreign, prims};
use crate::ast::{self, Arg, ExprKind, FnDef, FnKind, Name, Param, StmtKind, TRANSFORMS};
use meshloom_ir::op::Attr;
use meshloom_ir::table::composite::ATTENTIONS;
use meshloom_ir::{DType, Span};
use meshloom_source::Diagnostic;
use meshloom_source::suggest::{self, nearest};
use std::collections::BTreeMap;

impl<'a> Elab<'a> {
    pub(super) fn call(&mut self, callee: &Name, args: &[Arg], span: Span) -> Val {
        let library = self.in_library();
        if self.program.function(&callee.text, library).is_none() {
            if callee.text == "scan" {
                return self.scan(args, span);
            }
            if callee.text == "associative_scan" {
                return self.associative_scan(args, span);
            }
            if let Some(c) = collective::find(&callee.text) {
                return self.collective(c, args, span);
            }
            if TRANSFORMS.contains(&callee.text.as_str()) {
                let d = Diagnostic::error(
                    "type-mismatch",
                    format!("`{}` makes a function, which is called at once", callee.text),
                );
                let f = args.first().map_or("f", |a| self.sources.text(a.value.span));
                // `grad(loss(w))`: the function itself is meant, and called afterwards.
                if let Some((name, rest)) = f.split_once('(').filter(|f| self.program.function(f.0, false).is_some()) {
                    let right = format!("`{}({name})({rest}`", callee.text);
                    return self.error(d.at(span, "not called").help(format!("it takes the function itself: {right}")));
                }
                return self.error(
                    d.at(span, "not called").help(format!("`{}({f})(..)`, with the arguments of `{f}`", callee.text)),
                );
            }
        }
        let given: Vec<Given> = args
            .iter()
            .map(|a| Given { name: a.name.clone(), value: self.expr(&a.value), span: a.value.span })
            .collect();
        if let Some(f) = self.program.function(&callee.text, library) {
            if f.def.kind == FnKind::Optimizer && self.update.is_none() {
                let d = Diagnostic::error("train", format!("`{}` is an optimizer", callee.text));
                return self.error(
                    d.at(callee.span, "called outside of an optimizer").help(format!(
                        "it updates the parameters of a model: `train name = {}(loss, ..)`",
                        callee.text
                    )),
                );
            }
            return self.expand(f, callee, &given, span);
        }
        if let Some(p) = prims::find(&callee.text) {
            return self.primitive(p, &given, span);
        }
        // A value that an error was told of.
        if self.variable(&callee.text).is_some_and(|v| matches!(v.value, Val::Error)) {
            return Val::Error;
        }
        let d = Diagnostic::error("unknown-function", format!("there is no function `{}`", callee.text))
            .at(callee.span, "not known");
        let own = self.program.functions.keys().copied();
        let all =
            own.chain(self.program.library_functions.keys().copied()).chain(prims::names().map(|n| -> &str { n }));
        let method =
            callee.text.rsplit_once('.').filter(|(of, _)| self.variable(of.split('.').next().unwrap_or(of)).is_some());
        let d = match nearest(&callee.text, all) {
            _ if foreign::function(&callee.text).is_some() => {
                d.help(format!("here it is {}", foreign::function(&callee.text).unwrap_or_default()))
            }
            _ if method.is_some() => {
                let (of, name) = method.unwrap_or_default();
                d.help(format!("values have no methods; functions take them as arguments: `{name}({of}, ..)`"))
            }
            _ if foreign::module(&callee.text)
                .is_some_and(|f| self.program.function(f, false).is_some() || prims::find(f).is_some()) =>
            {
                d.did_you_mean(foreign::module(&callee.text).unwrap_or_default())
            }
            Some(n) => d.did_you_mean(n),
            None if self.variable(&callee.text).is_some() => d.help("this is a value; rows are taken with `[..]`"),
            None if self.program.functions.keys().any(|f| f.split_once('.').is_some_and(|f| f.1 == callee.text)) => {
                let file =
                    self.program.functions.keys().find(|f| f.split_once('.').is_some_and(|f| f.1 == callee.text));
                d.did_you_mean(file.copied().unwrap_or_default())
            }
            None => d.help("functions are declared with `fn`; docs/language.md lists the library"),
        };
        self.error(d)
    }

    /// Puts arguments in the order of the parameters; `None` where one is left out.
    pub(super) fn arrange(
        &mut self,
        what: &str,
        params: &[&str],
        given: &[Given],
        span: Span,
        declared: Option<Span>,
    ) -> Option<Vec<Option<Given>>> {
        let mut slots: Vec<Option<Given>> = vec![None; params.len()];
        let mut ok = true;
        for (i, g) in given.iter().enumerate() {
            let at = match &g.name {
                None if i < params.len() => i,
                None => {
                    let d = Diagnostic::error(
                        "arguments",
                        format!(
                            "`{what}` takes {} argument{}, found {}",
                            params.len(),
                            plural(params.len()),
                            given.len()
                        ),
                    )
                    .at(g.span, "one too many");
                    let d = match what {
                        "transpose" => d.help("the new order of all dims: `transpose(x, [0, 2, 1])`"),
                        "reshape" => d.help("the sizes stand in one list: `reshape(x, [batch, -1])`"),
                        "random_uniform" | "random_normal" | "random_bits" => d.help(
                            "there are no keys: numbers follow from `--seed`, the step and the place in the program",
                        ),
                        _ => d,
                    };
                    self.error(match declared {
                        Some(s) => d.also(s, "declared here"),
                        None => d.note(format!("its parameters: {}", suggest::list(params.iter().copied()))),
                    });
                    return None;
                }
                Some(n) => match params.iter().position(|p| *p == n.text) {
                    Some(i) => i,
                    None => {
                        let d = Diagnostic::error("arguments", format!("`{what}` has no parameter `{}`", n.text))
                            .at(n.span, "");
                        let near = nearest(&n.text, params.iter().copied());
                        self.error(match foreign::parameter(&n.text, params).or(near) {
                            Some(m) => d.did_you_mean(m),
                            None => d.help(format!("its parameters: {}", suggest::list(params.iter().copied()))),
                        });
                        ok = false;
                        continue;
                    }
                },
            };
            if let Some(first) = &slots[at] {
                self.error(
                    Diagnostic::error("arguments", format!("`{}` is given twice", params[at]))
                        .at(g.span, "again here")
                        .also(first.span, "first here"),
                );
                ok = false;
                continue;
            }
            slots[at] = Some(g.clone());
        }
        if !ok {
            return None;
        }
        let _ = span;
        Some(slots)
    }

    pub(super) fn expand(&mut self, f: FnRef<'a>, callee: &Name, given: &[Given], span: Span) -> Val {
        let def = f.def;
        if self.frames.iter().any(|g| std::ptr::eq(g.function.def, def)) {
            return self.error(
                Diagnostic::error("recursion", format!("`{}` calls itself", def.name.text))
                    .at(callee.span, "functions are expanded where they are called, so this never ends")
                    .help("use a `for` loop"),
            );
        }
        let params: Vec<&str> = def.params.iter().map(|p| p.name.text.as_str()).collect();
        let Some(slots) = self.arrange(&def.name.text, &params, given, span, Some(def.name.span)) else {
            return Val::Error;
        };
        let mut frame = Frame::new(f, span);
        let mut bindings = Bindings::default();
        let mut values: Vec<Option<Val>> = Vec::new();
        let mut ok = true;
        for (param, slot) in def.params.iter().zip(&slots) {
            let value = match slot {
                Some(g) => Some(self.argument(def, f.library, param, g, &mut bindings)),
                None if param.default.is_some() => None,
                None if param.name.text == "step" && self.update.is_some() => {
                    let step = self.step(span);
                    Some(self.argument(def, f.library, param, &step, &mut bindings))
                }
                None => {
                    self.error(
                        Diagnostic::error(
                            "arguments",
                            format!("`{}` needs its argument `{}`", def.name.text, param.name.text),
                        )
                        .at(span, "not given here")
                        .also(param.span, "declared here"),
                    );
                    Some(Val::Error)
                }
            };
            ok &= !value.as_ref().is_some_and(Val::is_error);
            values.push(value);
        }
        if !ok {
            return Val::Error;
        }
        frame.dims = bindings.dims;
        frame.rest = bindings.rest;
        frame.float = bindings.float;
        self.enter(frame, values, span)
    }

    /// Matches one argument with its parameter.
    fn argument(&mut self, def: &FnDef, library: bool, param: &Param, g: &Given, b: &mut Bindings) -> Val {
        if g.value.is_error() {
            return Val::Error;
        }
        let Some(ty) = &param.ty else { return self.untyped(def, library, param, g) };
        let program = self.program;
        let generic =
            |n: &str| library || def.generics.iter().any(|g| g.text == n) || program.constants.get(n).is_none();
        match self.fit(ty, &g.value, g.span, library, &generic, b) {
            Ok(v) => v,
            Err(Mismatch::Reported) => Val::Error,
            Err(Mismatch::Value { code, reason, note }) => {
                let wanted = self.sources.text(ty.span).to_string();
                let message = format!("`{}` expects `{}: {wanted}`, found {}", def.name.text, param.name.text, g.value);
                let about_dims = reason.is_some();
                let mut d = Diagnostic::error(code, message)
                    .at(g.span, reason.unwrap_or_else(|| format!("this is {}", g.value)))
                    .also(ty.span, "expected because of this");
                if let Some(note) = note {
                    d = d.note(note);
                }
                let bound: Vec<String> = b
                    .dims
                    .iter()
                    .filter(|(n, dim)| dim.name.as_deref() != Some(n.as_str()) && wanted.contains(n.as_str()))
                    .map(|(n, dim)| format!("{n} is {dim}"))
                    .collect();
                if let Some(help) = self.own_dims(def, ty, d.primary.as_ref().map_or("", |l| l.text.as_str())) {
                    d = d.help(help);
                }
                if about_dims && !bound.is_empty() {
                    d = d.note(format!("from the other arguments, {}", bound.join(", ")));
                }
                self.error(d)
            }
        }
    }

    /// How a function takes any size where its signature names a dim of the file, as `reason` says.
    fn own_dims(&self, def: &FnDef, ty: &ast::Type, reason: &str) -> Option<String> {
        let ast::TypeKind::Named { dims, .. } = &ty.kind else { return None };
        let name = dims.iter().find_map(|d| match d {
            ast::DimArg::Expr(e) => match &e.kind {
                ExprKind::Name(n) if reason.ends_with(&format!("should be {n}")) => Some(n),
                _ => None,
            },
            ast::DimArg::Rest(_) => None,
        })?;
        self.program.constants.get(name).filter(|_| !def.generics.iter().any(|g| g.text == *name))?;
        let all: Vec<&str> = def.generics.iter().map(|g| g.text.as_str()).chain([name.as_str()]).collect();
        Some(format!(
            "`{name}` is a dim of the file; for any size, make it the function's own: `fn {}<{}>(..)`",
            def.name.text,
            all.join(", ")
        ))
    }

    /// A parameter without a type takes anything. But the defaults of a library function say what it takes. A message about
    /// another argument should be about that, and not about a line in the library that cannot use it.
    fn untyped(&mut self, def: &FnDef, library: bool, param: &Param, g: &Given) -> Val {
        // A schedule is a function of the step.
        let of_train = def.kind == FnKind::Optimizer || def.params.first().is_some_and(|p| p.name.text == "step");
        if self.in_library() || !library {
            return g.value.clone();
        }
        let number = |v: &Val| matches!(v, Val::Number(..)) || matches!(v, Val::Tensor(t) if t.dtype != DType::Bool);
        let default = param.default.as_ref().map(|e| &e.bare().kind);
        let (fits, wanted) = match default {
            Some(ExprKind::Bool(_)) => (matches!(g.value, Val::Bool(_)), "`true` or `false`".to_string()),
            Some(ExprKind::Tuple(items)) if !items.is_empty() => {
                let fits = match &g.value {
                    Val::Tuple(given) | Val::List(given) => given.len() == items.len() && given.iter().all(number),
                    _ => false,
                };
                (fits, format!("{} numbers", items.len()))
            }
            Some(ExprKind::Int(_) | ExprKind::Float(_)) => (number(&g.value), "a number".to_string()),
            None | Some(ExprKind::Name(_)) if of_train => (number(&g.value), "a number".to_string()),
            _ => return g.value.clone(),
        };
        if fits {
            return g.value.clone();
        }
        let name = &param.name.text;
        let d =
            Diagnostic::error("type-mismatch", format!("`{name}` of `{}` is {wanted}, not {}", def.name.text, g.value))
                .at(g.span, format!("this is {}", g.value));
        let default = param.default.as_ref().map(|e| self.sources.text(e.span).to_string());
        self.error(match default {
            Some(text) => d.help(format!("such as `{name}: {text}`, which it is where nothing is given")),
            None => d,
        })
    }

    /// Runs a function's body in a frame with its parameters; `None` takes the default.
    pub(super) fn enter(&mut self, frame: Frame<'a>, values: Vec<Option<Val>>, span: Span) -> Val {
        let f = frame.function;
        let def = f.def;
        if !f.library {
            self.reached.insert(def.name.text.clone());
        }
        self.frames.push(frame);
        for (param, value) in def.params.iter().zip(values) {
            let mut value = match (value, &param.default) {
                (Some(v), _) => v,
                (None, Some(default)) => self.expr(default),
                (None, None) => Val::Error,
            };
            if let Some(layout) = &param.layout {
                value = self.constrain(value, layout, param.span);
            }
            let variable = Variable { value, span: param.name.span };
            if let Some(scope) = self.frame().scopes.last_mut() {
                scope.insert(param.name.text.clone(), variable);
            }
        }
        // Other composites of the library are expanded: fusion and the rules of their ops do as well.
        let composite = def.kind == FnKind::Composite && f.library;
        let kernel = ATTENTIONS.into_iter().find(|k| composite && k.function == def.name.text);
        let value = match (kernel, &def.rule) {
            (Some(attention), _) => self.composite(def, attention.name, span),
            (None, Some(rule)) => self.with_rule(f, rule, span),
            (None, None) => self.body(def, f.library),
        };
        self.frames.pop();
        // Users see a composite's first result; the others are kept for its gradient.
        match value {
            Val::Tuple(results) if def.kind == FnKind::Composite => results.into_iter().next().unwrap_or(Val::unit()),
            v => v,
        }
    }

    /// The value of the body, checked against the declared result.
    pub(super) fn body(&mut self, def: &FnDef, library: bool) -> Val {
        let value = self.block(&def.body);
        let Some(ty) = &def.result else { return value };
        if value.is_error() {
            return Val::Error;
        }
        let last = def.body.stmts.last().map_or(def.name.span, |s| s.span);
        let mut b = Bindings::of(self.frame());
        let generic = |_: &str| false;
        let value = match self.fit(ty, &value, last, library, &generic, &mut b) {
            Ok(v) => v,
            Err(Mismatch::Reported) => return Val::Error,
            Err(Mismatch::Value { code, reason, note }) => {
                let wanted = self.sources.text(ty.span).to_string();
                let found = match &value {
                    Val::Tuple(v) if v.is_empty() => "nothing".to_string(),
                    v => v.to_string(),
                };
                let d = Diagnostic::error(
                    code,
                    format!("`{}` returns {wanted}, but its body gives {found}", def.name.text),
                )
                .at(last, reason.unwrap_or_else(|| format!("this is {found}")))
                .also(ty.span, "declared here");
                let d = match def.body.stmts.last().map(|s| &s.kind) {
                    Some(StmtKind::Assign { .. }) => d.help("`x = ..` has no value; `==` compares"),
                    Some(StmtKind::Let { .. } | StmtKind::For { .. }) => {
                        d.help("the last expression of the body is its value")
                    }
                    _ => d,
                };
                return self.error(match note {
                    Some(n) => d.note(n),
                    None => d,
                });
            }
        };
        let value = match (value, &def.part_layouts[..]) {
            (Val::Tuple(parts), layouts @ [_, ..]) => {
                let laid_out = parts.into_iter().zip(layouts).map(|(v, layout)| match layout {
                    Some(layout) => self.constrain(v, layout, last),
                    None => v,
                });
                Val::Tuple(laid_out.collect())
            }
            (value, _) => value,
        };
        match &def.result_layout {
            Some(layout) => self.constrain(value, layout, last),
            None => value,
        }
    }

    /// The arguments of a composite: constants as attributes, and tensors. `None` where something was reported.
    #[allow(clippy::type_complexity)] // a tensor, its name and where it was bound
    fn composite_arguments(
        &mut self,
        def: &FnDef,
        span: Span,
    ) -> Option<(BTreeMap<String, Attr>, Vec<(String, TensorVal, Span)>)> {
        let mut attrs = BTreeMap::new();
        let mut solid = Vec::new();
        let outer: Vec<(String, Variable)> = def
            .params
            .iter()
            .filter_map(|p| Some((p.name.text.clone(), self.variable(&p.name.text)?.clone())))
            .collect();
        for (name, v) in outer {
            match v.value {
                Val::Tensor(t) => solid.push((name, self.solid(&t, span)?, v.span)),
                Val::Bool(b) => drop(attrs.insert(name, Attr::Bool(b))),
                Val::Number(Num::Int(i), _) => drop(attrs.insert(name, Attr::Int(i))),
                Val::Number(Num::Float(x), _) => drop(attrs.insert(name, Attr::Float(x.to_bits()))),
                Val::Str(s) => drop(attrs.insert(name, Attr::Str(s.to_string()))),
                Val::Error => return None,
                other => {
                    let message = format!("a composite takes tensors and constants, not {other}");
                    self.error(Diagnostic::error("type-mismatch", message).at(span, ""));
                    return None;
                }
            }
        }
        Some((attrs, solid))
    }

    /// A composite op: tensor parameters become operands, constant ones attributes. Of operands in 16 bits the body is computed in f32, as
    /// its kernel does: the first result is rounded to their type, and what is kept for the gradient is not.
    fn composite(&mut self, def: &FnDef, op: &str, span: Span) -> Val {
        self.locate(span);
        let Some((attrs, solid)) = self.composite_arguments(def, span) else { return Val::Error };
        let (mut operands, mut inner) = (Vec::new(), Vec::new());
        for (_, t, _) in &solid {
            operands.push(self.here(t.id));
        }
        let id = self.builder.open();
        self.regions.push(OpenRegion {
            id,
            captures: Vec::new(),
            copies: Vec::new(),
            number: IterationNumber::None,
            meaning: true,
        });
        let mut narrow = None;
        for (name, t, at) in solid {
            let arg = self.builder.arg(id, Elab::ir_type(&t));
            self.name_value(arg, &name);
            let t = if t.dtype.is_float() && t.dtype.bytes() < 4 {
                narrow = Some(t.dtype);
                TensorVal { id: self.builder.convert(arg, DType::F32), dtype: DType::F32, ..t }
            } else {
                TensorVal { id: arg, ..t }
            };
            inner.push((name, Variable { value: Val::Tensor(t), span: at }));
        }
        if narrow.is_some() {
            self.frame().float = Some(DType::F32);
        }
        if let Some(scope) = self.frame().scopes.last_mut() {
            scope.extend(inner);
        }
        let value = self.body(def, true);
        let mut ok = !value.is_error();
        let mut yields = Vec::new();
        for t in value.tensors() {
            match self.solid(&t, span) {
                Some(t) => yields.push(self.here(t.id)),
                None => ok = false,
            }
        }
        if let (Some(to), Some(first)) = (narrow, yields.first_mut()) {
            *first = self.builder.convert(*first, to);
        }
        self.builder.close(yields);
        let captures = self.regions.pop().map(|r| r.captures).unwrap_or_default();
        operands.extend(captures.iter().map(|c| c.0));
        if !ok || self.exhausted {
            return Val::Error;
        }
        self.locate(span);
        match self.builder.composite(op, attrs, &operands, id) {
            Ok(results) => {
                let types: Vec<DType> = results.iter().map(|&r| self.builder.ty(r).dtype).collect();
                let mut results = results.into_iter().zip(types);
                value.map(&mut |t| {
                    let (id, dtype) = results.next().unwrap_or((t.id, t.dtype));
                    TensorVal { id, dtype, units: Vec::new(), ..t.clone() }
                })
            }
            Err(message) => self.error(Diagnostic::error("invalid", message).at(span, "")),
        }
    }
}
