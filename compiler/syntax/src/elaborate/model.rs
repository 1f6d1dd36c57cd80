//! The inputs of an entry as ports: parameters with paths, initial values and layouts, and data with ranges.

use super::consts;
use super::placed::Lives;
use super::program::StructRef;
use super::stages::StagedField;
use super::state::Elab;
use super::types::{Bindings, Scope};
use super::value::{Dim, Num, StackVal, TensorVal, Val};
use crate::ast::{self, Expr, ExprKind, Type, TypeKind};
use meshloom_ir::{Constraint, DType, DimSpec, Init, Op, Port, Role, Scalar, Span, TensorType, tensor, verify};
use meshloom_source::{Diagnostic, suggest};
use std::rc::Rc;

/// Nesting of structs in structs.
const MAX_STRUCTS: usize = 16;

/// The most entries of lists in lists: as many as a bundle has layers of one tensor.
const MAX_ENTRIES: u64 = 1 << 16;

/// Where a leaf of the model gets its port from.
struct Leaf<'e> {
    path: String,
    /// The lengths of the lists that it is in, the outermost first.
    lists: Vec<Dim>,
    layout: Option<&'e ast::LayoutExpr>,
    init: Option<&'e Expr>,
    state: bool,
    /// The scope of the struct that declares it.
    bindings: &'e Bindings,
    library: bool,
    span: Span,
}

impl<'a> Elab<'a> {
    /// One parameter of an entry. `None` for a constant that has a default.
    pub(super) fn input(&mut self, param: &'a ast::Param) -> Option<Val> {
        let Some(ty) = &param.ty else {
            if param.default.is_some() {
                return None;
            }
            return Some(
                self.error(
                    Diagnostic::error("entry", format!("the parameter `{}` of an entry needs a type", param.name.text))
                        .at(param.span, "")
                        .help(format!("such as `{}: f32[batch, seq]`", param.name.text)),
                ),
            );
        };
        let bindings = Bindings::default();
        let is_struct = match &ty.kind {
            TypeKind::Named { name, .. } => self.program.structure(&name.text, false).is_some(),
            TypeKind::List { .. } => true,
            _ => false,
        };
        if is_struct {
            return Some(self.input_model(param, ty));
        }
        let TypeKind::Named { name, dims } = &ty.kind else {
            return Some(self.error(Diagnostic::error("entry", "an entry takes structs and tensors").at(ty.span, "")));
        };
        if name.text == "bool" && dims.is_empty() && param.default.is_some() {
            return None;
        }
        let Some(dtype) = self.dtype(&name.text) else {
            if name.text == "float" {
                return Some(
                    self.error(
                        Diagnostic::error("entry", "an entry says its element types")
                            .at(name.span, "")
                            .help("such as `f32`"),
                    ),
                );
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
        let rule = self.program.rule_for("inputs", &param.name.text).map(|r| &r.layout);
        let constraint = match rule.or(param.layout.as_ref()) {
            None => Constraint::absent(dims.len()),
            Some(l) => match self.constraint(l, &dims, Some(Lives::Stored)) {
                Some(c) => c,
                None => return Some(Val::Error),
            },
        };
        let init = match self.initial(param, dtype, &bindings) {
            Ok(init) => init,
            Err(d) => return Some(self.error(d)),
        };
        let port = Port {
            name: param.name.text.clone(),
            role: if init.is_some() { Role::State } else { Role::Input },
            constraint,
            stacked: false,
            first_layer: 0,
            entries: Vec::new(),
            complex: false,
            unsigned: false,
            init,
            range,
            updates: None,
            of: None,
            host: false,
            span: param.span,
        };
        Some(self.port(dtype, dims, port))
    }

    /// A parameter of an entry that is a struct or a list. A struct lends its fields' names; a list has none but its
    /// parameter's.
    fn input_model(&mut self, param: &'a ast::Param, ty: &'a Type) -> Val {
        let path = if matches!(ty.kind, TypeKind::List { .. }) { param.name.text.clone() } else { String::new() };
        let bindings = Bindings::default();
        let leaf = Leaf {
            path,
            lists: Vec::new(),
            layout: param.layout.as_ref(),
            init: None,
            state: false,
            bindings: &bindings,
            library: false,
            span: param.span,
        };
        self.model(ty, leaf, 0)
    }

    /// What a tensor starts as. One that starts as something is state: what the body assigns to it is there at the next run.
    fn initial(&mut self, param: &ast::Param, dtype: DType, bindings: &Bindings) -> Result<Option<Init>, Diagnostic> {
        let Some(e) = &param.default else { return Ok(None) };
        match self.init(e, dtype, bindings, false) {
            Ok(init) => Ok(Some(init)),
            Err(d) if self.frame().function.def.kind == ast::FnKind::Entry => Err(d),
            Err(_) => Ok(None),
        }
    }

    fn port(&mut self, dtype: DType, dims: Vec<Dim>, port: Port) -> Val {
        let ty = TensorType::new(dtype, dims.iter().map(|d| d.size).collect::<Vec<_>>());
        if ty.elements() > self.most_elements() || ty.rank() > verify::MAX_RANK {
            return self.error(Diagnostic::error("too-large", format!("{ty} is too large")).at(port.span, ""));
        }
        let id = self.builder.input(ty, port);
        Val::Tensor(TensorVal { id, dtype, dims, units: Vec::new() })
    }

    fn data_range(&mut self, lo: &Expr, hi: &Expr, dtype: DType) -> Option<(i64, i64)> {
        let ends =
            |cx: &Elab<'a>, e: &Expr| match consts::number(e, &cx.program.constants) {
                Ok(Num::Int(n)) => Ok(n),
                Ok(n) => Err(Diagnostic::error("range", format!("the ends of a range are whole numbers, not {n}"))
                    .at(e.span, "")),
                Err(d) => Err(d),
            };
        let problem = match (ends(self, lo), ends(self, hi)) {
            (Ok(a), Ok(b)) if !dtype.is_int() => {
                Diagnostic::error("range", format!("a range {a}..{b} is for integers, not {dtype}"))
                    .at(lo.span.to(hi.span), "")
            }
            (Ok(a), Ok(b)) if a >= b => {
                Diagnostic::error("range", format!("the range {a}..{b} is empty")).at(lo.span.to(hi.span), "")
            }
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
                Diagnostic::error("recursion", format!("structs are nested more than {MAX_STRUCTS} deep"))
                    .at(ty.span, "does it contain itself?"),
            );
        }
        match &ty.kind {
            TypeKind::Error | TypeKind::Tuple(_) => {
                self.error(Diagnostic::error("entry", "a model is made of structs, lists and tensors").at(ty.span, ""))
            }
            TypeKind::List { element, count } => {
                let names = Scope { elab: self, dims: &leaf.bindings.dims, library: leaf.library };
                let count = match consts::size(count, &names) {
                    Ok(d) => d,
                    Err(d) => return self.error(d),
                };
                let path = join(&leaf.path, "*");
                let lists = leaf.lists.iter().chain([&count]).cloned().collect();
                let element = self.model(element, Leaf { path, lists, ..leaf }, depth + 1);
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
                Some(def) => self.model_struct(name, dims, def, leaf, depth),
            },
        }
    }

    /// The value of a struct type, field by field.
    fn model_struct(
        &mut self,
        name: &ast::Name,
        dims: &[ast::DimArg],
        def: StructRef<'a>,
        leaf: Leaf<'_>,
        depth: usize,
    ) -> Val {
        if leaf.state {
            let d = Diagnostic::error("train", format!("state is a tensor, not the struct `{}`", name.text));
            return self.error(d.at(leaf.span, "").help("write `state` before the fields of that struct"));
        }
        for (at, what) in [(leaf.layout.map(|l| l.span), "a layout"), (leaf.init.map(|e| e.span), "an initial value")] {
            if let Some(at) = at {
                let message = format!("{what} is for a tensor, not for the struct `{}`", name.text);
                return self.error(Diagnostic::error("type-mismatch", message).at(at, ""));
            }
        }
        let Some((dims, inner)) = self.open_struct(name, dims, def, leaf.library, leaf.bindings) else {
            return Val::Error;
        };
        let mut fields: Vec<(String, Val)> = Vec::new();
        for field in &def.def.fields {
            if let Some(first) = def
                .def
                .fields
                .iter()
                .find(|f| f.name.text == field.name.text && f.span != field.span && f.span.start < field.span.start)
            {
                let message = format!("field `{}` stands twice in `{}`", field.name.text, def.def.name.text);
                return self.error(
                    Diagnostic::error("duplicate", message)
                        .at(field.name.span, "again here")
                        .also(first.name.span, "first here"),
                );
            }
            let v = self.model(
                &field.ty,
                Leaf {
                    path: join(&leaf.path, &field.name.text),
                    lists: leaf.lists.clone(),
                    layout: field.layout.as_ref(),
                    init: field.init.as_ref(),
                    state: field.state,
                    bindings: &inner,
                    library: def.library,
                    span: if def.library { leaf.span } else { field.span },
                },
                depth + 1,
            );
            if let Some(stages) = field.stages.as_ref().filter(|_| !v.is_error()) {
                let path = join(&leaf.path, &field.name.text);
                let staged = StagedField { field, stages, path, value: &v, inside: !leaf.lists.is_empty() };
                self.split_list(staged, &inner, def.library);
            }
            fields.push((field.name.text.clone(), v));
        }
        Elab::struct_value(def, dims, fields)
    }

    /// A tensor of the model.
    fn parameter(&mut self, dtype: DType, own: Vec<Dim>, leaf: Leaf<'_>) -> Val {
        let rule = self.program.rule_for("params", &leaf.path).map(|r| &r.layout);
        let constraint = match rule.or(leaf.layout) {
            None => None,
            Some(l) => match self.constraint(l, &own, Some(Lives::Stored)) {
                Some(c) => Some(c),
                None => return Val::Error,
            },
        };
        let init = match leaf.init {
            None => None,
            Some(e) => match self.init(e, dtype, leaf.bindings, leaf.library) {
                Ok(i) => Some(i),
                Err(d) => return self.error(d),
            },
        };
        if leaf.state && init.is_none() {
            let name = leaf.path.rsplit('.').next().unwrap_or_default();
            let d = Diagnostic::error("train", format!("the state `{}` has no first value", leaf.path));
            return self.error(d.at(leaf.span, "").help(format!("such as `state {name}: {dtype}[..] = zeros`")));
        }
        let state = leaf.state.then(|| (leaf.path.clone(), leaf.span));
        let stacked = !leaf.lists.is_empty();
        let Some(entries) = self.entries(&leaf) else { return Val::Error };
        let lists = leaf.lists;
        let rank = own.len() + usize::from(stacked);
        let constraint = match constraint {
            None => Constraint::absent(rank),
            Some(c) => stack(c, stacked),
        };
        let port =
            Port { stacked, constraint, entries, init, span: leaf.span, ..Port::new(leaf.path, Role::Parameter, rank) };
        let value = match &lists[..] {
            [_, _, ..] => self.nested(dtype, &lists, &own, port),
            _ => self.port(dtype, [lists, own].concat(), port),
        };
        if let (Val::Tensor(t), Some((path, span))) = (&value, state) {
            self.state_field(t.id, path, span);
        }
        value
    }

    /// Names of the entries of lists in lists, in the order in which they lie; none where a number for the one `*` of the path will do.
    /// `None` where they are too many, which was reported.
    fn entries(&mut self, leaf: &Leaf<'_>) -> Option<Vec<String>> {
        if leaf.lists.len() < 2 {
            return Some(Vec::new());
        }
        let all = leaf.lists.iter().try_fold(1u64, |n, d| n.checked_mul(d.size).filter(|&n| n <= MAX_ENTRIES));
        if all.is_none() {
            let sizes: Vec<String> = leaf.lists.iter().map(|d| d.size.to_string()).collect();
            let message = format!("`{}` has {} entries", leaf.path, sizes.join(" x "));
            let d = Diagnostic::error("too-large", message).at(leaf.span, "in lists inside of lists");
            self.error(d.help(format!("these have at most {MAX_ENTRIES} entries together")));
            return None;
        }
        let mut names = vec![leaf.path.clone()];
        for list in &leaf.lists {
            let each = |name: String| (0..list.size).map(move |i| name.replacen('*', &i.to_string(), 1));
            names = names.into_iter().flat_map(each).collect();
        }
        Some(names)
    }

    /// A tensor of lists in lists. Files, checkpoints and optimizers know one list: the entries of all lists, one behind the other.
    fn nested(&mut self, dtype: DType, lists: &[Dim], own: &[Dim], port: Port) -> Val {
        let (name, span) = (port.name.clone(), port.span);
        let all = Dim::plain(port.entries.len() as u64);
        let flat = match self.port(dtype, [&[all], own].concat(), port) {
            Val::Tensor(t) => t,
            other => return other,
        };
        let dims = [lists, own].concat();
        let shape = dims.iter().map(|d| d.size).collect();
        let Some(id) = self.emit(Op::Reshape { shape }, &[flat.id], span) else { return Val::Error };
        self.name_value(id, &name);
        Val::Tensor(TensorVal { id, dims, ..flat })
    }

    /// How a tensor begins.
    fn init(&self, e: &Expr, dtype: DType, bindings: &Bindings, library: bool) -> Result<Init, Diagnostic> {
        let names = Scope { elab: self, dims: &bindings.dims, library };
        let known = ["normal", "uniform", "zeros", "ones"];
        let wrong = |span, message: String, name: &str| {
            let d = Diagnostic::error("init", message).at(span, "");
            Err(match suggest::nearest(name, known) {
                Some(n) => d.did_you_mean(n),
                None => d.help("`normal(std)`, `uniform(bound)`, `zeros`, `ones` or a number"),
            })
        };
        match &e.bare().kind {
            ExprKind::Name(n) if n == "zeros" => Ok(Init::Constant(Scalar::float(0.0))),
            ExprKind::Name(n) if n == "ones" => Ok(Init::Constant(Scalar::float(1.0))),
            ExprKind::Name(n) if consts::Names::get(&names, n).is_none() => {
                wrong(e.span, format!("`{n}` is no initial value"), n)
            }
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
            _ => start(e, dtype, &names).map(Init::Constant),
        }
    }
}

/// A constant as the first value of a tensor: exact, or refused where the type does not have it.
pub(super) fn start(e: &Expr, dtype: DType, names: &dyn consts::Names) -> Result<Scalar, Diagnostic> {
    let x = consts::number(e, names)?;
    let whole = match x {
        _ if dtype.is_float() => return Ok(Scalar::float(x.as_f64())),
        Num::Int(n) => Some(n),
        Num::Float(v) => Some(v as i64).filter(|&n| n as f64 == v),
    };
    match whole.filter(|&n| tensor::wrap(dtype, n) == n) {
        Some(n) => Ok(Scalar::Int(n)),
        None => Err(Diagnostic::error("literal", format!("{x} is no {dtype}")).at(e.span, "")),
    }
}

/// A constraint on one entry as one on the whole list: the list's own dim is not split.
pub(super) fn stack(mut c: Constraint, stacked: bool) -> Constraint {
    if stacked {
        c.dims.insert(0, DimSpec::Exactly(Vec::new()));
    }
    c
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_string() } else { format!("{path}.{name}") }
}
