//! Entries: each `train`, each `entry` function, or the one function that `--entry` names, as a global IR function with
//! ports.
//!
//! A struct parameter of an entry is the model. Its tensors become parameters, named by their paths without the
//! parameter's own name, so that all entries of a file share them. A tensor parameter is an input.

use super::assert;
use super::model::stack;
use super::placed::Lives;
use super::program::{Declarations, FnRef, TrainRef};
use super::state::{Elab, Frame, MAX_ERRORS, Variable};
use super::value::{Dim, Val};
use super::{chance, optimizer, prune};
use crate::ast::{self, DimArg, Expr, ExprKind, FnDef, LayoutKind, Type, TypeKind};
use meshloom_ir::{Constraint, Func, Mesh, Port, Role, Span, verify};
use meshloom_source::entry::{Elaborated, Entry, EntryKind};
use meshloom_source::{Diagnostic, FrontOptions, SourceMap, suggest};
use std::collections::{BTreeMap, BTreeSet};

enum Wanted<'a> {
    Train(TrainRef<'a>),
    Function(FnRef<'a>),
}

pub fn elaborate(
    program: &Declarations<'_>,
    sources: &SourceMap,
    options: &FrontOptions,
    errors: &mut Vec<Diagnostic>,
) -> Option<Elaborated> {
    let mut reached = BTreeSet::new();
    let mut used_rules: Vec<Span> = Vec::new();
    let mut entries = Vec::new();
    for (name, wanted) in wanted(program, options, errors) {
        let mut elab = Elab::new(program, sources, name);
        let made = elab.entry(name, &wanted, &mut used_rules);
        reached.extend(std::mem::take(&mut elab.reached));
        let failed = !elab.errors.is_empty();
        errors.append(&mut elab.errors);
        if !failed {
            entries.extend(made);
        }
        if errors.len() > MAX_ERRORS {
            return None;
        }
    }
    // What no entry calls is checked all the same, where its types say all that is needed.
    for (name, &f) in &program.functions {
        // Of an imported file only what is used: the rest may be for other meshes.
        let imported = name.contains('.');
        if !imported && !reached.contains(*name) && is_closed(program, f.def) {
            let mut elab = Elab::new(program, sources, name);
            elab.function(f);
            reached.extend(std::mem::take(&mut elab.reached));
            errors.append(&mut elab.errors);
        }
        if errors.len() > MAX_ERRORS {
            return None;
        }
    }
    let asserts = assert::check(program, errors);
    if options.entry.is_none() {
        unused_rules(program, &used_rules, &entries, errors);
    }
    let layout = program.layout.map(|l| l.name.text.clone());
    Some(Elaborated { mesh: program.mesh.clone(), layout, entries, asserts })
}

/// The entries to make.
fn wanted<'a>(
    program: &Declarations<'a>,
    options: &FrontOptions,
    errors: &mut Vec<Diagnostic>,
) -> Vec<(&'a str, Wanted<'a>)> {
    let trains = program.trains.iter().map(|(&n, &t)| (n, Wanted::Train(t)));
    let functions = program
        .functions
        .iter()
        .filter(|f| f.1.def.kind == ast::FnKind::Entry)
        .map(|(&n, &f)| (n, Wanted::Function(f)));
    let Some(name) = &options.entry else { return trains.chain(functions).collect() };
    if let Some((&n, &t)) = program.trains.get_key_value(name.as_str()) {
        return vec![(n, Wanted::Train(t))];
    }
    if let Some((&n, &f)) = program.functions.get_key_value(name.as_str()) {
        return vec![(n, Wanted::Function(f))];
    }
    let all = program.trains.keys().chain(program.functions.keys()).copied();
    let d = Diagnostic::error("unknown-entry", format!("--entry {name}: there is no `{name}` in the program"));
    errors.push(match suggest::nearest(name, all.clone()) {
        Some(n) => d.did_you_mean(n),
        None => d.help(format!("entries: {}", suggest::list(all))),
    });
    Vec::new()
}

/// Whether a function can be checked by itself: every parameter has a type whose dims are all declared.
fn is_closed(program: &Declarations<'_>, def: &FnDef) -> bool {
    fn expr(program: &Declarations<'_>, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Name(n) => program.constants.get(n).is_some(),
            ExprKind::Int(_) => true,
            ExprKind::Paren(e) => expr(program, e),
            ExprKind::Binary { left, right, .. } => expr(program, left) && expr(program, right),
            _ => false,
        }
    }
    fn ty(program: &Declarations<'_>, t: &Type) -> bool {
        match &t.kind {
            TypeKind::Named { name, dims } => {
                name.text != "float" && dims.iter().all(|d| matches!(d, DimArg::Expr(e) if expr(program, e)))
            }
            TypeKind::List { element, count } => ty(program, element) && expr(program, count),
            TypeKind::Tuple(_) | TypeKind::Error => false,
        }
    }
    def.generics.is_empty() && def.params.iter().all(|p| p.ty.as_ref().is_some_and(|t| ty(program, t)))
}

/// Rules of the chosen layout block that nothing matched: most likely a misspelt path.
fn unused_rules(program: &Declarations<'_>, used: &[Span], entries: &[Entry], errors: &mut Vec<Diagnostic>) {
    let Some(def) = program.layout else { return };
    let ports = |role: Role| -> Vec<&str> {
        entries.iter().flat_map(|e| &e.func.inputs).filter(|p| p.role == role).map(|p| p.name.as_str()).collect()
    };
    if entries.is_empty() {
        return;
    }
    for rule in &def.rules {
        let names = match rule.role.text.as_str() {
            "inputs" => [ports(Role::Input), ports(Role::State)].concat(),
            _ => ports(Role::Parameter),
        };
        if names.iter().any(|n| rule.matches(n)) || used.contains(&rule.span) {
            continue;
        }
        let text = rule.glob.segments.join(".");
        let d = Diagnostic::error(
            "unmatched-rule",
            format!("`{}` matches nothing in `{}`", rule.pattern(), rule.role.text),
        )
        .at(rule.glob.span, "no such path");
        errors.push(match suggest::nearest(&text, names.iter().copied()) {
            Some(n) => d.did_you_mean(n),
            None => d.help(format!("paths: {}", suggest::list(names.into_iter().take(12)))),
        });
    }
}

impl<'a> Elab<'a> {
    fn entry(&mut self, name: &str, wanted: &Wanted<'a>, used_rules: &mut Vec<Span>) -> Option<Entry> {
        let (training, f, span) = match wanted {
            Wanted::Function(f) => (None, *f, f.def.name.span),
            Wanted::Train(t) => match optimizer::read(self.program, *t) {
                Ok(training) => {
                    let loss = training.loss;
                    (Some(training), loss, t.name.span)
                }
                Err(d) => {
                    self.error(d);
                    return None;
                }
            },
        };
        self.training = training.is_some();
        let value = self.function(f)?;
        let mut state = BTreeMap::new();
        if training.is_some() {
            self.loss(&value, f.def, span);
            self.no_state(f.def, span);
            self.next_fields();
            state = self.state_layouts(used_rules);
        } else {
            self.outputs(&value, f.def);
            self.next_state();
        }
        self.metrics();
        if !self.errors.is_empty() {
            return None;
        }
        let mut func = std::mem::replace(&mut self.builder, meshloom_ir::Builder::new("", Mesh::default())).finish();
        prune::prune(&mut func);
        func.name = name.to_string();
        if training.is_none() {
            func = without_rules(func);
            if super::carried_stacks::apart(&mut func) {
                func = meshloom_autodiff::prune(&func);
            }
        }
        if let Err(broken) = verify::verify(&func) {
            let first = broken.first().map_or(String::new(), |e| e.message.clone());
            self.error(
                Diagnostic::error("internal", format!("the compiler made an ill-formed program: {first}"))
                    .at(span, "from this entry")
                    .help("this is a bug in meshloom; please report it with the source"),
            );
            return None;
        }
        let evaluation = self.asked_training && training.is_some();
        let own = self.state_paths();
        let memory = training.as_ref().map(|t| t.memory).unwrap_or_default();
        let pipeline = match training.as_ref().map(|t| self.pipelining(t, &func, &state)) {
            Some(Ok(pipeline)) => pipeline.map(Box::new),
            Some(Err(mut errors)) => {
                self.errors.append(&mut errors);
                return None;
            }
            None => self.forward_stages(&func).map(Box::new),
        };
        let settings = training.as_ref().map(|t| t.described(self.program, self.sources)).unwrap_or_default();
        let kind = match training.map(|t| t.spec(self.program, self.sources, &func, &own)) {
            None => EntryKind::Function,
            Some(Ok(spec)) => {
                let evaluation = if evaluation { Some(Box::new(self.evaluation(name, f, span)?)) } else { None };
                EntryKind::Train { spec, state, microbatch: None, evaluation, memory, settings }
            }
            Some(Err(mut errors)) => {
                self.errors.append(&mut errors);
                return None;
            }
        };
        Some(Entry { name: name.to_string(), kind, func, span, pipeline })
    }

    /// The loss `f` once more, as it is where nothing is trained.
    fn evaluation(&mut self, name: &str, f: FnRef<'a>, span: Span) -> Option<Func> {
        let mut elab = Elab::new(self.program, self.sources, name);
        if let Some(value) = elab.function(f) {
            elab.loss(&value, f.def, span);
            elab.metrics();
        }
        self.errors.append(&mut elab.errors);
        let mut func = elab.builder.finish();
        prune::prune(&mut func);
        self.errors.is_empty().then(|| without_rules(func))
    }

    /// A function's body with its parameters as inputs of the program.
    fn function(&mut self, f: FnRef<'a>) -> Option<Val> {
        let def = f.def;
        self.frames.push(Frame::new(f, Span::default()));
        let mut values = Vec::new();
        for param in &def.params {
            values.push(self.input(param));
        }
        self.frames.pop();
        let ports = self.builder.func.inputs.clone();
        let mut names: BTreeMap<&str, &Port> = BTreeMap::new();
        for port in &ports {
            let Some(first) = names.insert(&port.name, port) else { continue };
            let message = format!("two parameters of `{}` have the path `{}`", def.name.text, port.name);
            let d = Diagnostic::error("duplicate", message).at(port.span, "").also(first.span, "the other one");
            let models = [first, port].iter().all(|p| p.role == Role::Parameter);
            self.error(d.help(match models {
                true => "an entry takes one model; put its parts in one struct",
                false => "give one of them another name: inputs and the model's fields are told apart by names alone",
            }));
        }
        if !self.errors.is_empty() {
            return None;
        }
        // Layouts of the parameters are on the ports already.
        let value = self.enter_entry(f, values);
        (!value.is_error() && self.errors.is_empty()).then_some(value)
    }

    fn enter_entry(&mut self, f: FnRef<'a>, values: Vec<Option<Val>>) -> Val {
        self.reached.insert(f.def.name.text.clone());
        self.frames.push(Frame::new(f, Span::default()));
        for (param, value) in f.def.params.iter().zip(values) {
            let value = match (value, &param.default) {
                (Some(v), _) => v,
                (None, Some(default)) => self.expr(default),
                (None, None) => Val::Error,
            };
            let variable = Variable { value, span: param.name.span };
            if let Some(scope) = self.frame().scopes.last_mut() {
                scope.insert(param.name.text.clone(), variable);
            }
        }
        let value = self.body_of_entry(f.def);
        for (i, port) in self.builder.func.inputs.iter().enumerate().filter(|p| p.1.role == Role::State) {
            if let Some(v) = self.frames.last().and_then(|f| f.scopes[0].get(&port.name)) {
                self.state.push((i, v.value.clone()));
            }
        }
        self.frames.pop();
        value
    }

    /// State that the body assigned to is an output too: the next value of its input.
    fn next_state(&mut self) {
        for (i, value) in std::mem::take(&mut self.state) {
            let (port, old) = (self.builder.func.inputs[i].clone(), self.builder.func.body().args[i]);
            let solid = match &value {
                Val::Tensor(t) if t.id == old => continue,
                Val::Tensor(t) => self.solid(t, port.span),
                _ => None,
            };
            let Some(t) = solid.filter(|t| self.builder.ty(t.id) == self.builder.ty(old)) else {
                let due = self.builder.ty(old).clone();
                self.error(
                    Diagnostic::error("type-mismatch", format!("`{}` is {due} and ends as {value}", port.name))
                        .at(port.span, "state keeps its type from run to run"),
                );
                continue;
            };
            self.builder.output(t.id, Port { updates: Some(i), init: None, range: None, ..port });
        }
    }

    /// A loss has nothing to carry from step to step but the model and the optimizer's state.
    fn no_state(&mut self, def: &FnDef, span: Span) {
        // Seed and step of random numbers are the optimizer's to advance.
        let random = |p: &Port| [chance::SEED, chance::STEP].contains(&p.name.as_str());
        let state = self.builder.func.inputs.iter().find(|p| p.role == Role::State && !random(p));
        if let Some(port) = state.cloned() {
            self.error(
                Diagnostic::error(
                    "train",
                    format!("`{}` of the loss `{}` has a first value", port.name, def.name.text),
                )
                .at(port.span, "state, as a first value makes it, is for entries that are not trained")
                .also(span, "trained here"),
            );
        }
    }

    /// As for a call, but the layout of the result belongs to the output port.
    fn body_of_entry(&mut self, def: &'a FnDef) -> Val {
        let value = self.body(def, false);
        match value {
            Val::Tuple(results) if def.kind == ast::FnKind::Composite => {
                results.into_iter().next().unwrap_or(Val::unit())
            }
            v => v,
        }
    }

    /// The loss of a `train`: one float.
    fn loss(&mut self, value: &Val, def: &FnDef, span: Span) {
        let at = def.result.as_ref().map_or(def.name.span, |t| t.span);
        match value {
            Val::Tensor(t) if t.rank() == 0 && t.dtype.is_float() => {
                let port = self.result_port("loss", Role::Loss, 0, at);
                self.builder.output(t.id, port);
            }
            other => {
                self.error(
                    Diagnostic::error(
                        "train",
                        format!("the loss must be one number, but `{}` returns {other}", def.name.text),
                    )
                    .at(at, "")
                    .also(span, "trained here")
                    .help("`mean(..)` makes one number of a tensor"),
                );
            }
        }
    }

    fn outputs(&mut self, value: &Val, def: &FnDef) {
        let at = def.result.as_ref().map_or(def.name.span, |t| t.span);
        let tensors = value.tensors();
        if tensors.is_empty() {
            self.error(
                Diagnostic::error("entry", format!("`{}` is an entry and returns no tensor", def.name.text))
                    .at(at, "")
                    .help("its last expression is its result"),
            );
        }
        // By tensor: a part that is no tensor has none.
        let layouts: Vec<Option<&ast::LayoutExpr>> = match (value, &def.part_layouts[..]) {
            (Val::Tuple(parts), layouts @ [_, ..]) => {
                let each = parts.iter().zip(layouts);
                each.flat_map(|(v, l)| vec![l.as_ref(); v.tensors().len()]).collect()
            }
            _ if tensors.len() == 1 => vec![def.result_layout.as_ref()],
            _ => Vec::new(),
        };
        for (i, t) in tensors.iter().enumerate() {
            let name = if tensors.len() == 1 { "out".to_string() } else { format!("out.{i}") };
            let Some(t) = self.solid(t, at) else { continue };
            let mut port = self.result_port(&name, Role::Output, t.rank(), at);
            if let Some(layout) = layouts.get(i).copied().flatten()
                && let Some(c) = self.constraint(layout, &t.dims, Some(Lives::Result))
            {
                port.constraint = c;
            }
            self.builder.output(t.id, port);
        }
    }

    fn result_port(&self, name: &str, role: Role, rank: usize, span: Span) -> Port {
        Port { span, ..Port::new(name, role, rank) }
    }

    /// Layouts of optimizer state that the layout block gives.
    fn state_layouts(&mut self, used_rules: &mut Vec<Span>) -> BTreeMap<String, Constraint> {
        let mut out = BTreeMap::new();
        for i in 0..self.builder.func.inputs.len() {
            let port = self.builder.func.inputs[i].clone();
            if port.role != Role::Parameter {
                continue;
            }
            let Some(rule) = self.program.rule_for("state", &port.name) else { continue };
            used_rules.push(rule.span);
            let constraint = match &rule.layout.kind {
                LayoutKind::Like(_) => port.constraint.clone(),
                _ => {
                    let v = self.builder.func.body().args[i];
                    let own: Vec<Dim> =
                        self.builder.ty(v).shape[usize::from(port.stacked)..].iter().map(|&n| Dim::plain(n)).collect();
                    match self.constraint(&rule.layout, &own, Some(Lives::Stored)) {
                        Some(c) => stack(c, port.stacked),
                        None => continue,
                    }
                }
            };
            out.insert(port.name, constraint);
        }
        out
    }
}

/// A program that is not differentiated: gradients of its functions are not asked for.
fn without_rules(mut func: Func) -> Func {
    if meshloom_autodiff::custom::written_out(&mut func) { meshloom_autodiff::prune(&func) } else { func }
}
