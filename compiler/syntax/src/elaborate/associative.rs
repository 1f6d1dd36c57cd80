//! `associative_scan(f, xs, dim, reverse)`: running results of any associative function, such as the states of a linear recurrence.
//! What is read here are the arguments; [`super::prefix`] makes the loops.
//!
//! `f` is expanded for parts of the scanned dim, several times and with different sizes. So it says nothing of that dim's size.

use super::prefix::{Associative, Parts};
use super::primitive::Given;
use super::program::FnRef;
use super::state::Elab;
use super::value::{TensorVal, Val, sizes_note};
use crate::ast::{Arg, DimArg, ExprKind, Name, Type, TypeKind};
use meshloom_ir::Span;
use meshloom_ir::verify::MAX_NESTING;
use meshloom_source::Diagnostic;

impl<'a> Elab<'a> {
    /// `f(so far, next) -> so far`, along a dim of one or several tensors.
    pub(super) fn associative_scan(&mut self, args: &[Arg], span: Span) -> Val {
        let Some(f) = self.function_named(args.first().filter(|a| a.name.is_none()), "associative_scan", span) else {
            return Val::Error;
        };
        let callee = Name { text: f.def.name.text.clone(), span: args[0].value.span };
        let given: Vec<Given> = args[1..]
            .iter()
            .map(|a| Given { name: a.name.clone(), value: self.expr(&a.value), span: a.value.span })
            .collect();
        let params = ["xs", "dim", "reverse"];
        let Some(slots) = self.arrange("associative_scan", &params, &given, span, None) else { return Val::Error };
        let Some(xs) = &slots[0] else {
            let d = Diagnostic::error("arguments", "`associative_scan` needs a function and what it goes over");
            return self.error(d.at(span, "").help("such as `associative_scan(combine, (a, b), 1)`"));
        };
        let Some((shape, dims)) = self.along_one_dim(xs, slots[1].as_ref()) else { return Val::Error };
        let Some(reverse) = self.bool_arg(slots[2].as_ref()) else { return Val::Error };
        if self.regions.len() + 2 > MAX_NESTING {
            let message = format!("loops nest at most {} deep", MAX_NESTING - 2);
            return self.error(Diagnostic::error("too-large", message).at(span, ""));
        }
        let parts = shape.tensors();
        let scan = Associative { f, callee, shape, dims, reverse, span };
        if !self.takes_parts(&scan) {
            return Val::Error;
        }
        match self.running(&scan, parts.clone()) {
            Some(made) => {
                let named = made.into_iter().zip(parts).map(|(t, x)| TensorVal { dims: x.dims, ..t });
                scan.of(named.collect())
            }
            None => Val::Error,
        }
    }

    /// The tensors with all dims, and which dim of each is scanned.
    fn along_one_dim(&mut self, xs: &Given, dim: Option<&Given>) -> Option<(Val, Vec<usize>)> {
        let tensors = match &xs.value {
            Val::Tensor(_) => true,
            Val::Tuple(v) => !v.is_empty() && v.iter().all(|x| matches!(x, Val::Tensor(_))),
            Val::Error => return None,
            _ => xs.value.is_error(),
        };
        if !tensors {
            if !xs.value.is_error() {
                let message = format!("`associative_scan` cannot go over {}", xs.value);
                let d = Diagnostic::error("type-mismatch", message).at(xs.span, "");
                self.error(d.help("it goes over a tensor, or a tuple of tensors: `(a, b)`"));
            }
            return None;
        }
        let solid = self.solid_value(&xs.value, xs.span)?;
        let all = solid.tensors();
        let mut dims = Vec::new();
        for t in &all {
            if t.rank() == 0 {
                let d = Diagnostic::error("dims", "a scalar has no dim to scan").at(xs.span, "");
                self.error(d);
                return None;
            }
            dims.push(match dim {
                None => 0,
                Some(_) => super::dynamic::dim_arg(self, t, dim, xs.span)?,
            });
        }
        let scanned: Vec<_> = all.iter().zip(&dims).map(|(t, &d)| t.dims[d].clone()).collect();
        if let Some(other) = scanned.iter().find(|d| d.size != scanned[0].size) {
            let message = format!("the scanned dims of {} differ: {} and {other}", xs.value, scanned[0]);
            let d = Diagnostic::error("shape-mismatch", message)
                .at(xs.span, "")
                .help("all tensors have the scanned dim, of the same size");
            self.error(match sizes_note(scanned.iter()) {
                Some(n) => d.note(n),
                None => d,
            });
            return None;
        }
        if scanned[0].size == 0 {
            self.error(Diagnostic::error("dims", "there is nothing to scan: the dim has no elements").at(xs.span, ""));
            return None;
        }
        Some((solid, dims))
    }

    /// Whether `f` says nothing of the scanned dim's size; else that is reported.
    fn takes_parts(&mut self, scan: &Associative<'a>) -> bool {
        let tensors = scan.shape.tensors();
        for param in &scan.f.def.params {
            let Some(ty) = &param.ty else { continue };
            let types: Vec<&Type> = match (&ty.kind, &scan.shape) {
                (TypeKind::Tuple(types), Val::Tuple(_)) => types.iter().collect(),
                _ => vec![ty],
            };
            for ((ty, t), &dim) in types.into_iter().zip(&tensors).zip(&scan.dims) {
                let Some(at) = self.size_of_scanned(scan.f, ty, t.rank(), dim) else { continue };
                let message = format!("`{}` is for one size of the scanned dim", scan.callee.text);
                let d = Diagnostic::error("shape-mismatch", message)
                    .at(at, "no name of its own")
                    .also(scan.callee.span, "scanned with this")
                    .help("it is called with parts of the dim, so the size is left open: `n`, a name that is no constant, or `..`");
                self.error(d);
                return false;
            }
        }
        true
    }

    /// Where a type says the size of the scanned dim, if it is no name that is bound by what is given.
    fn size_of_scanned(&self, f: FnRef<'a>, ty: &Type, rank: usize, dim: usize) -> Option<Span> {
        let TypeKind::Named { dims, .. } = &ty.kind else { return None };
        let at = match dims.first() {
            Some(DimArg::Rest(_)) => 1 + dim.checked_sub((rank + 1).checked_sub(dims.len())?)?,
            _ if dims.len() == rank => dim,
            _ => return None,
        };
        let DimArg::Expr(size) = dims.get(at)? else { return None };
        let open = match &size.bare().kind {
            ExprKind::Name(n) => {
                let generic = f.def.generics.iter().any(|g| g.text == *n);
                f.library || generic || self.program.constants.get(n).is_none()
            }
            _ => false,
        };
        (!open).then_some(size.span)
    }

    /// `f(a, b)`, part by part; it has the types of `a`.
    pub(super) fn combined(&mut self, scan: &Associative<'a>, a: &Parts, b: &Parts) -> Option<Parts> {
        let given = [a, b].map(|x| Given { name: None, value: scan.of(x.clone()), span: scan.span });
        let aside = self.set_told_aside();
        let value = self.expand(scan.f, &scan.callee, &given, scan.span);
        let told = self.take_told_back(aside);
        let quiet = told.is_empty();
        self.nothing_told(
            told,
            "the function of an `associative_scan`",
            "it is called with parts of the tensors: say it of the result",
        );
        if value.is_error() || !quiet {
            return None;
        }
        let made = value.tensors();
        let same = std::mem::discriminant(&value) == std::mem::discriminant(&scan.shape)
            && made.len() == a.len()
            && made.iter().zip(a).all(|(x, y)| x.dtype == y.dtype && x.shape() == y.shape());
        if !same {
            let def = scan.f.def;
            let at = def.result.as_ref().map_or(def.name.span, |t| t.span);
            let message = format!("`{}` makes {value} of two {}", scan.callee.text, given[0].value);
            let d = Diagnostic::error("type-mismatch", message)
                .at(scan.callee.span, "scanned with this")
                .also(at, "declared here")
                .help("what it returns is combined further, so it has the type of its arguments");
            self.error(d);
            return None;
        }
        self.solid_value(&value, scan.callee.span).map(|v| v.tensors())
    }
}
