//! Types against values: matching an argument with the type in a signature, which binds generic dims, and building
//! values of a type for the inputs of an entry.

use super::consts::{self, Const, Names};
use super::foreign;
use super::program::StructRef;
use super::state::{Elab, Frame};
use super::value::{Dim, Num, StructVal, Val, count, sizes_note};
use crate::ast::{DimArg, Expr, ExprKind, Name, Type, TypeKind};
use meshloom_ir::{DType, Span};
use meshloom_source::{Diagnostic, suggest};
use std::collections::BTreeMap;

/// Names visible in a signature or a struct: its own dims, then the file's.
pub(super) struct Scope<'e, 'a> {
    pub elab: &'e Elab<'a>,
    pub dims: &'e BTreeMap<String, Dim>,
    pub library: bool,
}

impl Names for Scope<'_, '_> {
    fn get(&self, name: &str) -> Option<Const> {
        if let Some(d) = self.dims.get(name) {
            return Some(Const::Number(Num::Int(i64::try_from(d.size).unwrap_or(i64::MAX))));
        }
        if self.library { None } else { self.elab.program.constants.get(name).copied() }
    }

    fn names(&self) -> Vec<String> {
        let mut all: Vec<String> = self.dims.keys().cloned().collect();
        if !self.library {
            all.extend(self.elab.program.constants.names());
        }
        all
    }
}

/// What a signature's types have bound so far.
#[derive(Clone, Default)]
pub(super) struct Bindings {
    pub dims: BTreeMap<String, Dim>,
    pub rest: Option<Vec<Dim>>,
    pub float: Option<DType>,
}

impl Bindings {
    pub fn of(frame: &Frame<'_>) -> Bindings {
        Bindings { dims: frame.dims.clone(), rest: frame.rest.clone(), float: frame.float }
    }
}

/// Why a value is not of a type; the caller adds what it was needed for.
pub(super) enum Mismatch {
    /// The value does not fit; with what to say about it, and under which code.
    Value { code: &'static str, reason: Option<String>, note: Option<String> },
    /// The type itself is wrong; reported already.
    Reported,
}

/// An unknown name in a size of a signature may be meant as one of the function's own.
fn of_signature(d: Diagnostic, e: &Expr) -> Diagnostic {
    if d.code != "unknown-name" {
        return d;
    }
    let name = d.message.split('`').nth(1).unwrap_or("n").to_string();
    let text = consts::text(e).filter(|_| !matches!(e.kind, ExprKind::Name(_)));
    let then = text.map_or_else(String::new, |t| format!("; then `{t}` may stand elsewhere"));
    d.help(format!("or let a parameter give it, in whose type it stands alone: `fn f<{name}>(x: f32[{name}])`{then}"))
}

fn mismatch(code: &'static str, reason: impl Into<String>) -> Mismatch {
    Mismatch::Value { code, reason: Some(reason.into()), note: None }
}

/// Another kind of value altogether.
const OTHER_TYPE: Mismatch = Mismatch::Value { code: "type-mismatch", reason: None, note: None };

impl<'a> Elab<'a> {
    /// The dtype that a type name stands for.
    pub(super) fn dtype(&self, name: &str) -> Option<DType> {
        let d = DType::from_name(name)?;
        Some(match self.program.float {
            Some(float) if d == DType::F32 => float,
            _ => d,
        })
    }

    /// Matches a value with a type. Names of `generic` dims are bound at first sight. Numbers become scalars.
    pub(super) fn fit(
        &mut self,
        ty: &Type,
        value: &Val,
        span: Span,
        library: bool,
        generic: &dyn Fn(&str) -> bool,
        b: &mut Bindings,
    ) -> Result<Val, Mismatch> {
        match (&ty.kind, value) {
            (TypeKind::Error, _) | (_, Val::Error) => Err(Mismatch::Reported),
            (TypeKind::Tuple(types), Val::Tuple(values)) if types.len() == values.len() => {
                let mut out = Vec::new();
                for (t, v) in types.iter().zip(values) {
                    out.push(self.fit(t, v, span, library, generic, b)?);
                }
                Ok(Val::Tuple(out))
            }
            (TypeKind::List { element, count }, Val::Stack(stack)) => {
                self.fit_dim(count, &stack.count, library, generic, b)?;
                // The elements' type is that of one entry.
                self.fit(element, &stack.entry(), span, library, generic, b)?;
                Ok(value.clone())
            }
            (TypeKind::List { element, count }, Val::List(values)) => {
                self.fit_dim(count, &Dim::plain(values.len() as u64), library, generic, b)?;
                let mut out = Vec::new();
                for v in values {
                    out.push(self.fit(element, v, span, library, generic, b)?);
                }
                Ok(Val::List(out))
            }
            (TypeKind::Named { name, dims }, Val::Struct(s)) => {
                let Some(def) = self.program.structure(&name.text, library) else {
                    if self.is_element_type(&name.text) {
                        return Err(OTHER_TYPE);
                    }
                    return Err(self.unknown_type(name, library));
                };
                if s.name.as_ref() != def.def.name.text || s.library != def.library {
                    return Err(OTHER_TYPE);
                }
                self.fit_dims(dims, &s.dims, library, generic, b)?;
                Ok(value.clone())
            }
            (TypeKind::Named { name, dims }, _) => {
                if self.program.structure(&name.text, library).is_some() {
                    return Err(OTHER_TYPE);
                }
                if !self.is_element_type(&name.text) {
                    return Err(self.unknown_type(name, library));
                }
                self.fit_tensor(name, dims, value, span, library, generic, b)
            }
            _ => Err(OTHER_TYPE),
        }
    }

    fn is_element_type(&self, name: &str) -> bool {
        name == "float" || DType::from_name(name).is_some()
    }

    #[allow(clippy::too_many_arguments)] // one for each part of `name[dims]` against a value
    fn fit_tensor(
        &mut self,
        name: &Name,
        dims: &[DimArg],
        value: &Val,
        span: Span,
        library: bool,
        generic: &dyn Fn(&str) -> bool,
        b: &mut Bindings,
    ) -> Result<Val, Mismatch> {
        let wanted = if name.text == "float" { b.float } else { self.dtype(&name.text) };
        let t = match value {
            Val::Bool(_) if name.text == "bool" && dims.is_empty() => return Ok(value.clone()),
            Val::Number(x, _) if dims.iter().all(|d| matches!(d, DimArg::Rest(_))) => {
                let dtype = wanted.unwrap_or(self.program.float.unwrap_or(DType::F32));
                self.scalar(*x, dtype, span).ok_or(Mismatch::Reported)?
            }
            Val::Tensor(t) => t.clone(),
            _ => return Err(OTHER_TYPE),
        };
        match wanted {
            Some(d) if d != t.dtype => {
                return Err(Mismatch::Value {
                    code: "dtype-mismatch",
                    reason: Some(format!("the element type is {}, not {d}", t.dtype)),
                    note: Some(format!("conversions are explicit: `as {d}`")),
                });
            }
            None if !t.dtype.is_float() => {
                return Err(mismatch("dtype-mismatch", format!("{} is not a float type", t.dtype)));
            }
            None => b.float = Some(t.dtype),
            Some(_) => {}
        }
        self.fit_dims(dims, &t.dims, library, generic, b)?;
        Ok(Val::Tensor(t))
    }

    fn fit_dims(
        &mut self,
        args: &[DimArg],
        dims: &[Dim],
        library: bool,
        generic: &dyn Fn(&str) -> bool,
        b: &mut Bindings,
    ) -> Result<(), Mismatch> {
        let rest = args.iter().position(|a| matches!(a, DimArg::Rest(_)));
        let named = args.len() - usize::from(rest.is_some());
        if dims.len() < named || (rest.is_none() && dims.len() != named) {
            let at_least = if rest.is_some() { "at least " } else { "" };
            let due = if named == 1 { "dim is" } else { "dims are" };
            return Err(mismatch(
                "shape-mismatch",
                format!("it has {} where {at_least}{named} {due} expected", count(dims.len())),
            ));
        }
        let (before, after) = match rest {
            Some(i) => (&args[..i], &args[i + 1..]),
            None => (args, &[][..]),
        };
        let tail = dims.len() - after.len();
        let pairs = before.iter().zip(dims).chain(after.iter().zip(&dims[tail..]));
        for (arg, dim) in pairs {
            if let DimArg::Expr(e) = arg {
                self.fit_dim(e, dim, library, generic, b)?;
            }
        }
        if rest.is_some() {
            let found = dims[before.len()..tail].to_vec();
            match &b.rest {
                None => b.rest = Some(found),
                Some(have) => {
                    let same = have.len() == found.len() && have.iter().zip(&found).all(|(x, y)| x.size == y.size);
                    if !same {
                        let (x, y) = (super::value::show_dims(have), super::value::show_dims(&found));
                        let reason = format!("the leading dims `..` are [{x}] in another argument and [{y}] here");
                        return Err(Mismatch::Value {
                            code: "shape-mismatch",
                            reason: Some(reason),
                            note: sizes_note(have.iter().chain(&found)),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    fn fit_dim(
        &mut self,
        e: &Expr,
        dim: &Dim,
        library: bool,
        generic: &dyn Fn(&str) -> bool,
        b: &mut Bindings,
    ) -> Result<(), Mismatch> {
        if let ExprKind::Name(name) = &e.kind
            && generic(name)
            && !b.dims.contains_key(name)
        {
            // What is only a number to the caller has the signature's name inside.
            let bound = if dim.name.is_some() { dim.clone() } else { Dim::named(name, dim.size) };
            b.dims.insert(name.clone(), bound);
            return Ok(());
        }
        let want = match consts::size(e, &Scope { elab: self, dims: &b.dims, library }) {
            Ok(d) => self.rename(e, d, b),
            Err(d) => {
                self.error(of_signature(d, e));
                return Err(Mismatch::Reported);
            }
        };
        if want.size == dim.size {
            return Ok(());
        }
        let own = consts::text(e).filter(|t| want.name.as_deref() != Some(t)).map(|t| format!("{t} = "));
        let reason = format!("the dim {dim} should be {}{want}", own.unwrap_or_default());
        Err(Mismatch::Value { code: "shape-mismatch", reason: Some(reason), note: sizes_note([&want, dim]) })
    }

    /// A generic dim is shown under the name it has at the caller.
    fn rename(&self, e: &Expr, d: Dim, b: &Bindings) -> Dim {
        match &e.kind {
            ExprKind::Name(n) => b.dims.get(n).cloned().unwrap_or(d),
            _ => d,
        }
    }

    pub(super) fn unknown_type(&mut self, name: &Name, library: bool) -> Mismatch {
        let own = self.program.structs.keys().copied().filter(|_| !library);
        let all: Vec<&str> =
            own.chain(self.program.library_structs.keys().copied()).chain(DType::ALL.map(DType::name)).collect();
        let d =
            Diagnostic::error("unknown-type", format!("there is no type `{}`", name.text)).at(name.span, "not known");
        let d = match foreign::dtype(&name.text).or(suggest::nearest(&name.text, all)) {
            Some(n) => d.did_you_mean(n),
            None => d.help("a type is an element type such as `f32`, or a struct of this file"),
        };
        self.error(d);
        Mismatch::Reported
    }

    /// The dims of a type whose names are all known.
    pub(super) fn dims_of(&mut self, args: &[DimArg], library: bool, b: &Bindings) -> Option<Vec<Dim>> {
        let mut out = Vec::new();
        for arg in args {
            match arg {
                DimArg::Expr(e) => match consts::size(e, &Scope { elab: self, dims: &b.dims, library }) {
                    Ok(d) => out.push(self.rename(e, d, b)),
                    Err(d) => {
                        self.error(d);
                        return None;
                    }
                },
                DimArg::Rest(span) => match &b.rest {
                    Some(rest) => out.extend(rest.iter().cloned()),
                    None => {
                        self.error(
                            Diagnostic::error("unknown-name", "`..` stands for dims that nothing gives here")
                                .at(*span, "which dims?"),
                        );
                        return None;
                    }
                },
            }
        }
        Some(out)
    }

    /// The struct a type names, with its dims bound for its fields.
    pub(super) fn open_struct(
        &mut self,
        name: &Name,
        args: &[DimArg],
        def: StructRef<'a>,
        library: bool,
        b: &Bindings,
    ) -> Option<(Vec<Dim>, Bindings)> {
        let dims = self.dims_of(args, library, b)?;
        if dims.len() != def.def.dims.len() {
            let wanted = &def.def.dims;
            let shown: Vec<&str> = wanted.iter().map(|d| d.text.as_str()).collect();
            self.error(
                Diagnostic::error(
                    "dim-count",
                    format!("`{}` takes {}, found {}", name.text, count(wanted.len()), dims.len()),
                )
                .at(name.span, "")
                .also(def.def.name.span, format!("defined as `{}[{}]`", def.def.name.text, shown.join(", "))),
            );
            return None;
        }
        let bound = def.def.dims.iter().zip(&dims).map(|(n, d)| (n.text.clone(), d.clone())).collect();
        Some((dims, Bindings { dims: bound, rest: None, float: None }))
    }

    pub(super) fn struct_value(def: StructRef<'_>, dims: Vec<Dim>, fields: Vec<(String, Val)>) -> Val {
        Val::Struct(std::rc::Rc::new(StructVal {
            name: def.def.name.text.as_str().into(),
            library: def.library,
            dims,
            fields,
        }))
    }
}
