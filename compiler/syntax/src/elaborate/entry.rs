//! Entries: each `train`, each `entry` function, or the one function asked for, as a global IR function with ports.
//!
//! A struct parameter of an entry is the model: its tensors become parameters, named by their paths without the
//! parameter's own name, so that all entries of a file share them. A tensor parameter is an input.

use super::layout::{self, rule_for};
use super::program::{FnRef, Program, TrainRef, is_entry};
use super::types::{Bindings, Scope};
use super::value::{Dim, StackVal, Tensor, Val};
use super::{Elab, Frame, Options, consts, optimizer, prune, suggest};
use crate::ast::{self, DimArg, Expr, ExprKind, FnDef, LayoutKind, Type, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::source::SourceMap;
use meshloom_ir::train::TrainSpec;
use meshloom_ir::{Constraint, DType, DimSpec, Func, Init, Mesh, Port, Role, Span, TensorType, verify};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A checked program.
#[derive(Clone, Debug)]
pub struct Elaborated {
    pub mesh: Mesh,
    /// The chosen layout block.
    pub layout: Option<String>,
    /// In the order of the source, or the one that was asked for.
    pub entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub name: String,
    pub kind: EntryKind,
    /// Inputs: the model's parameters by path, then data. Outputs: the loss of a `train`, the results of a function.
    pub func: Func,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum EntryKind {
    /// `func` is the loss; autodiff makes the step from it.
    Train {
        spec: TrainSpec,
        /// Layouts that the layout block gives to optimizer state, by the parameter's path. Other state follows its
        /// parameter.
        state: BTreeMap<String, Constraint>,
    },
    Function,
}

enum Wanted<'a> {
    Train(TrainRef<'a>),
    Function(FnRef<'a>),
}

/// Nesting of structs in structs.
const MAX_STRUCTS: usize = 16;

pub fn elaborate(program: &Program<'_>, sources: &SourceMap, options: &Options, errors: &mut Vec<Diagnostic>) -> Option<Elaborated> {
    let mut reached = BTreeSet::new();
    let mut used_rules: Vec<Span> = Vec::new();
    let mut entries = Vec::new();
    for (name, wanted) in wanted(program, options, errors) {
        let mut elab = Elab::new(program, sources, name);
        let made = elab.entry(name, &wanted, &mut used_rules);
        reached.append(&mut elab.reached);
        let failed = !elab.errors.is_empty();
        errors.append(&mut elab.errors);
        if !failed {
            entries.extend(made);
        }
    }
    // What no entry calls is checked all the same, where its types say all that is needed.
    for (name, &f) in &program.functions {
        if !reached.contains(*name) && is_closed(program, f.def) {
            let mut elab = Elab::new(program, sources, name);
            elab.function(f);
            reached.append(&mut elab.reached);
            errors.append(&mut elab.errors);
        }
    }
    if options.entry.is_none() {
        unused_rules(program, &used_rules, &entries, errors);
    }
    let layout = program.layout.map(|l| l.name.text.clone());
    Some(Elaborated { mesh: program.mesh.clone(), layout, entries })
}

/// The entries to make.
fn wanted<'a>(program: &Program<'a>, options: &Options, errors: &mut Vec<Diagnostic>) -> Vec<(&'a str, Wanted<'a>)> {
    let trains = program.trains.iter().map(|(&n, &t)| (n, Wanted::Train(t)));
    let functions = program.functions.iter().filter(|f| is_entry(f.1.def)).map(|(&n, &f)| (n, Wanted::Function(f)));
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
        Some(n) => d.help(format!("did you mean `{n}`?")),
        None => d.help(format!("entries: {}", suggest::list(all))),
    });
    Vec::new()
}

/// Whether a function can be checked by itself: every parameter has a type whose dims are all declared.
fn is_closed(program: &Program<'_>, def: &FnDef) -> bool {
    fn expr(program: &Program<'_>, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Name(n) => program.constants.get(n).is_some(),
            ExprKind::Int(_) => true,
            ExprKind::Paren(e) => expr(program, e),
            ExprKind::Binary { left, right, .. } => expr(program, left) && expr(program, right),
            _ => false,
        }
    }
    fn ty(program: &Program<'_>, t: &Type) -> bool {
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
fn unused_rules(program: &Program<'_>, used: &[Span], entries: &[Entry], errors: &mut Vec<Diagnostic>) {
    let Some(def) = program.layout else { return };
    let ports = |role: Role| -> Vec<&str> {
        entries.iter().flat_map(|e| &e.func.inputs).filter(|p| p.role == role).map(|p| p.name.as_str()).collect()
    };
    if entries.is_empty() {
        return;
    }
    for rule in &def.rules {
        let names = ports(if rule.role.text == "inputs" { Role::Input } else { Role::Parameter });
        if names.iter().any(|n| layout::matches(&rule.glob, n)) || used.contains(&rule.span) {
            continue;
        }
        let text = rule.glob.segments.join(".");
        let d = Diagnostic::error("layout", format!("`{text}` matches nothing in `{}`", rule.role.text)).at(rule.glob.span, "no such path");
        errors.push(match suggest::nearest(&text, names.iter().copied()) {
            Some(n) => d.help(format!("did you mean `{n}`?")),
            None => d.help(format!("paths: {}", suggest::list(names.into_iter().take(12)))),
        });
    }
}

/// Where a leaf of the model gets its port from.
struct Leaf<'e> {
    path: String,
    stack: Option<Dim>,
    layout: Option<&'e ast::Layout>,
    init: Option<&'e Expr>,
    /// The scope of the struct that declares it.
    bindings: &'e Bindings,
    library: bool,
    span: Span,
}

impl<'a> Elab<'a> {
    fn entry(&mut self, name: &str, wanted: &Wanted<'a>, used_rules: &mut Vec<Span>) -> Option<Entry> {
        let (kind, f, span) = match wanted {
            Wanted::Function(f) => (EntryKind::Function, *f, f.def.name.span),
            Wanted::Train(t) => match optimizer::read(self.program, *t) {
                Ok(training) => (EntryKind::Train { spec: training.spec, state: BTreeMap::new() }, training.loss, t.name.span),
                Err(d) => {
                    self.error(d);
                    return None;
                }
            },
        };
        let value = self.function(f)?;
        let mut kind = kind;
        match &mut kind {
            EntryKind::Function => self.outputs(&value, f.def),
            EntryKind::Train { state, .. } => {
                self.loss(&value, f.def, span);
                *state = self.state(used_rules);
            }
        }
        if !self.errors.is_empty() {
            return None;
        }
        let mut func = std::mem::replace(&mut self.builder, meshloom_ir::Builder::new("", Mesh::default())).finish();
        prune::prune(&mut func);
        func.name = name.to_string();
        if let Err(broken) = verify::verify(&func) {
            let first = broken.first().map_or(String::new(), |e| e.message.clone());
            self.error(
                Diagnostic::error("internal", format!("the compiler made an ill-formed program: {first}"))
                    .at(span, "from this entry")
                    .help("this is a bug in meshloom; please report it with the source"),
            );
            return None;
        }
        Some(Entry { name: name.to_string(), kind, func, span })
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
        let mut names = BTreeSet::new();
        for port in self.builder.func.inputs.clone() {
            if !names.insert(port.name.clone()) {
                self.error(
                    Diagnostic::error("duplicate", format!("two parameters of `{}` have the path `{}`", def.name.text, port.name))
                        .at(port.span, "")
                        .help("an entry takes one model; put its parts in one struct"),
                );
            }
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
            let variable = super::Variable { value, span: param.name.span };
            if let Some(scope) = self.frame().scopes.last_mut() {
                scope.insert(param.name.text.clone(), variable);
            }
        }
        let value = self.body_of_entry(f.def);
        self.frames.pop();
        value
    }

    /// As for a call, but the layout of the result belongs to the output port.
    fn body_of_entry(&mut self, def: &'a FnDef) -> Val {
        let value = self.body(def, false);
        match value {
            Val::Tuple(results) if def.kind == ast::FnKind::Composite => results.into_iter().next().unwrap_or(Val::unit()),
            v => v,
        }
    }

    /// One parameter of an entry. `None` for a constant that has a default.
    fn input(&mut self, param: &'a ast::Param) -> Option<Val> {
        let Some(ty) = &param.ty else {
            if param.default.is_some() {
                return None;
            }
            return Some(self.error(
                Diagnostic::error("entry", format!("the parameter `{}` of an entry needs a type", param.name.text))
                    .at(param.span, "")
                    .help(format!("such as `{}: f32[batch, seq]`", param.name.text)),
            ));
        };
        let bindings = Bindings::default();
        let is_struct = match &ty.kind {
            TypeKind::Named { name, .. } => self.program.structure(&name.text, false).is_some(),
            TypeKind::List { .. } => true,
            _ => false,
        };
        if is_struct {
            let leaf = Leaf { path: String::new(), stack: None, layout: param.layout.as_ref(), init: None, bindings: &bindings, library: false, span: param.span };
            return Some(self.model(ty, leaf, 0));
        }
        let TypeKind::Named { name, dims } = &ty.kind else {
            return Some(self.error(Diagnostic::error("entry", "an entry takes structs and tensors").at(ty.span, "")));
        };
        if name.text == "bool" && dims.is_empty() && param.default.is_some() {
            return None;
        }
        let Some(dtype) = self.dtype(&name.text) else {
            if name.text == "float" {
                return Some(self.error(
                    Diagnostic::error("entry", "an entry says its element types").at(name.span, "").help("such as `f32`"),
                ));
            }
            self.unknown_type(name, false);
            return Some(Val::Error);
        };
        let Some(dims) = self.dims_of(dims, false, &bindings) else { return Some(Val::Error) };
        let range = match &param.range {
            None => None,
            Some((lo, hi)) => match self.data_range(lo, hi, dtype) {
                Some(r) => Some(r),
                None => return Some(Val::Error),
            },
        };
        let rule = rule_for(self.program, "inputs", &param.name.text).map(|r| &r.layout);
        let constraint = match rule.or(param.layout.as_ref()) {
            None => Constraint::absent(dims.len()),
            Some(l) => match self.constraint(l, &dims, true) {
                Some(c) => c,
                None => return Some(Val::Error),
            },
        };
        let port = Port {
            name: param.name.text.clone(),
            role: Role::Input,
            constraint,
            stacked: false,
            init: None,
            range,
            updates: None,
            span: param.span,
        };
        Some(self.port(dtype, dims, port))
    }

    fn port(&mut self, dtype: DType, dims: Vec<Dim>, port: Port) -> Val {
        let ty = TensorType::new(dtype, dims.iter().map(|d| d.size).collect::<Vec<_>>());
        if ty.elements() > super::MAX_ELEMENTS || ty.rank() > verify::MAX_RANK {
            return self.error(Diagnostic::error("too-large", format!("{ty} is too large")).at(port.span, ""));
        }
        let id = self.builder.input(ty, port);
        Val::Tensor(Tensor { id, dtype, dims, units: Vec::new() })
    }

    fn data_range(&mut self, lo: &Expr, hi: &Expr, dtype: DType) -> Option<(i64, i64)> {
        let ends = |cx: &Elab<'a>, e: &Expr| match consts::number(e, &cx.program.constants) {
            Ok(super::Num::Int(n)) => Ok(n),
            Ok(n) => Err(Diagnostic::error("number", format!("the ends of a range are whole numbers, not {n}")).at(e.span, "")),
            Err(d) => Err(d),
        };
        let problem = match (ends(self, lo), ends(self, hi)) {
            (Ok(a), Ok(b)) if !dtype.is_int() => Diagnostic::error("type-mismatch", format!("a range {a}..{b} is for integers, not {dtype}")).at(lo.span.to(hi.span), ""),
            (Ok(a), Ok(b)) if a >= b => Diagnostic::error("number", format!("the range {a}..{b} is empty")).at(lo.span.to(hi.span), ""),
            (Ok(a), Ok(b)) => return Some((a, b)),
            (Err(d), _) | (_, Err(d)) => d,
        };
        self.error(problem);
        None
    }

    /// The value of a struct or list type, its tensors being parameters.
    fn model(&mut self, ty: &'a Type, leaf: Leaf<'_>, depth: usize) -> Val {
        if depth > MAX_STRUCTS {
            return self.error(
                Diagnostic::error("recursion", format!("structs are nested more than {MAX_STRUCTS} deep")).at(ty.span, "does it contain itself?"),
            );
        }
        match &ty.kind {
            TypeKind::Error | TypeKind::Tuple(_) => self.error(Diagnostic::error("entry", "a model is made of structs, lists and tensors").at(ty.span, "")),
            TypeKind::List { element, count } => {
                if leaf.stack.is_some() {
                    return self.error(Diagnostic::error("entry", "lists inside of lists are not built yet").at(ty.span, "inside of another list"));
                }
                let names = Scope { elab: self, dims: &leaf.bindings.dims, library: leaf.library };
                let count = match consts::size(count, &names) {
                    Ok(d) => d,
                    Err(d) => return self.error(d),
                };
                let path = join(&leaf.path, "*");
                let element = self.model(element, Leaf { path, stack: Some(count.clone()), ..leaf }, depth + 1);
                if element.is_error() {
                    return Val::Error;
                }
                Val::Stack(Rc::new(StackVal { count, element }))
            }
            TypeKind::Named { name, dims } => match self.program.structure(&name.text, leaf.library) {
                None => match self.dtype(&name.text) {
                    Some(dtype) => match self.dims_of(dims, leaf.library, leaf.bindings) {
                        Some(own) => self.parameter(dtype, own, leaf),
                        None => Val::Error,
                    },
                    None => {
                        self.unknown_type(name, leaf.library);
                        Val::Error
                    }
                },
                Some(def) => {
                    for (at, what) in [(leaf.layout.map(|l| l.span), "a layout"), (leaf.init.map(|e| e.span), "an initial value")] {
                        if let Some(at) = at {
                            return self.error(Diagnostic::error("type-mismatch", format!("{what} is for a tensor, not for the struct `{}`", name.text)).at(at, ""));
                        }
                    }
                    let Some((dims, inner)) = self.open_struct(name, dims, def, leaf.library, leaf.bindings) else { return Val::Error };
                    let mut fields: Vec<(String, Val)> = Vec::new();
                    for field in &def.def.fields {
                        if let Some(first) = def.def.fields.iter().find(|f| f.name.text == field.name.text && f.span != field.span && f.span.start < field.span.start) {
                            return self.error(
                                Diagnostic::error("duplicate", format!("field `{}` stands twice in `{}`", field.name.text, def.def.name.text))
                                    .at(field.name.span, "again here")
                                    .also(first.name.span, "first here"),
                            );
                        }
                        let v = self.model(
                            &field.ty,
                            Leaf {
                                path: join(&leaf.path, &field.name.text),
                                stack: leaf.stack.clone(),
                                layout: field.layout.as_ref(),
                                init: field.init.as_ref(),
                                bindings: &inner,
                                library: def.library,
                                span: if def.library { leaf.span } else { field.span },
                            },
                            depth + 1,
                        );
                        fields.push((field.name.text.clone(), v));
                    }
                    Elab::struct_value(def, dims, fields)
                }
            },
        }
    }

    /// A tensor of the model.
    fn parameter(&mut self, dtype: DType, own: Vec<Dim>, leaf: Leaf<'_>) -> Val {
        let rule = rule_for(self.program, "params", &leaf.path).map(|r| &r.layout);
        let constraint = match rule.or(leaf.layout) {
            None => None,
            Some(l) => match self.constraint(l, &own, true) {
                Some(c) => Some(c),
                None => return Val::Error,
            },
        };
        let init = match leaf.init {
            None => None,
            Some(e) => match self.init(e, &leaf) {
                Ok(i) => Some(i),
                Err(d) => return self.error(d),
            },
        };
        let mut dims = own;
        let stacked = leaf.stack.is_some();
        if let Some(count) = leaf.stack {
            dims.insert(0, count);
        }
        let constraint = match constraint {
            None => Constraint::absent(dims.len()),
            Some(c) => stack(c, stacked),
        };
        let port = Port { name: leaf.path, role: Role::Parameter, constraint, stacked, init, range: None, updates: None, span: leaf.span };
        self.port(dtype, dims, port)
    }

    fn init(&self, e: &Expr, leaf: &Leaf<'_>) -> Result<Init, Diagnostic> {
        let names = Scope { elab: self, dims: &leaf.bindings.dims, library: leaf.library };
        let known = ["normal", "uniform", "zeros", "ones"];
        let wrong = |span, message: String, name: &str| {
            let d = Diagnostic::error("init", message).at(span, "");
            Err(match suggest::nearest(name, known) {
                Some(n) => d.help(format!("did you mean `{n}`?")),
                None => d.help("`normal(std)`, `uniform(bound)`, `zeros`, `ones` or a number"),
            })
        };
        match &e.bare().kind {
            ExprKind::Name(n) if n == "zeros" => Ok(Init::Constant(0f64.to_bits())),
            ExprKind::Name(n) if n == "ones" => Ok(Init::Constant(1f64.to_bits())),
            ExprKind::Name(n) if consts::Names::get(&names, n).is_none() => wrong(e.span, format!("`{n}` is no initial value"), n),
            ExprKind::Call { callee, args } => {
                let make = match callee.text.as_str() {
                    "normal" => Init::Normal,
                    "uniform" => Init::Uniform,
                    other => return wrong(callee.span, format!("`{other}` is no initial value"), other),
                };
                let [arg] = &args[..] else {
                    return wrong(e.span, format!("`{}` takes one number", callee.text), "");
                };
                let x = consts::float(&arg.value, &names)?;
                if x >= 0.0 {
                    return Ok(make(x.to_bits()));
                }
                wrong(arg.span, format!("`{}` takes a number of at least 0, not {x}", callee.text), "")
            }
            _ => Ok(Init::Constant(consts::float(e, &names)?.to_bits())),
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
                    Diagnostic::error("train", format!("the loss must be one number, but `{}` returns {other}", def.name.text))
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
        for (i, t) in tensors.iter().enumerate() {
            let name = if tensors.len() == 1 { "out".to_string() } else { format!("out.{i}") };
            let Some(t) = self.solid(t, at) else { continue };
            let mut port = self.result_port(&name, Role::Output, t.rank(), at);
            if let (Some(layout), 1) = (&def.result_layout, tensors.len())
                && let Some(c) = self.constraint(layout, &t.dims, false)
            {
                port.constraint = c;
            }
            self.builder.output(t.id, port);
        }
    }

    fn result_port(&self, name: &str, role: Role, rank: usize, span: Span) -> Port {
        Port {
            name: name.to_string(),
            role,
            constraint: Constraint::absent(rank),
            stacked: false,
            init: None,
            range: None,
            updates: None,
            span,
        }
    }

    /// Layouts of optimizer state that the layout block gives.
    fn state(&mut self, used_rules: &mut Vec<Span>) -> BTreeMap<String, Constraint> {
        let mut out = BTreeMap::new();
        for i in 0..self.builder.func.inputs.len() {
            let port = self.builder.func.inputs[i].clone();
            if port.role != Role::Parameter {
                continue;
            }
            let Some(rule) = rule_for(self.program, "state", &port.name) else { continue };
            used_rules.push(rule.span);
            let constraint = match &rule.layout.kind {
                LayoutKind::Like(_) => port.constraint.clone(),
                _ => {
                    let v = self.builder.func.body().args[i];
                    let own: Vec<Dim> = self.builder.ty(v).shape[usize::from(port.stacked)..].iter().map(|&n| Dim::plain(n)).collect();
                    match self.constraint(&rule.layout, &own, true) {
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

/// A constraint on one entry as one on the whole list: the list's own dim is not split.
fn stack(mut c: Constraint, stacked: bool) -> Constraint {
    if stacked {
        c.dims.insert(0, DimSpec::Exactly(Vec::new()));
    }
    c
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_string() } else { format!("{path}.{name}") }
}
