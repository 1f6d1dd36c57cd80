//! What stands at the top of a file, and the scopes that it opens: dims of structs, and signatures of functions.

use super::code::{arguments, block, expr, free_dims, layout, ty};
use super::visitor::{Binds, Heading, Visitor, bind};
use crate::ast::{Assertion, Binding, Expr, ExprKind, File, FnDef, Item, ItemKind, Name, StructDef, Type};

/// Tells of all names of a file.
pub fn file<N: Visitor>(n: &mut N, f: &mut File) {
    f.items.iter_mut().for_each(|i| item(n, i));
}

fn item<N: Visitor>(n: &mut N, item: &mut Item) {
    match &mut item.kind {
        ItemKind::Mesh(axes) => {
            for b in axes {
                n.mesh_axis(&b.name);
                expr(n, &mut b.value);
            }
        }
        ItemKind::Dim(all) | ItemKind::Const(all) => all.iter_mut().for_each(|b| constant(n, b)),
        ItemKind::Struct(s) => structure(n, s),
        ItemKind::Fn(f) => function(n, f),
        ItemKind::Train { name, optimizer } => {
            n.heading(name, Heading::Function);
            recipe(n, optimizer, true);
        }
        ItemKind::Layout(l) => {
            n.heading(&mut l.name, Heading::Layout);
            for r in &l.rules {
                let rank = n.paths(&r.glob, r.layers.as_ref());
                layout(n, &r.layout, rank);
            }
        }
        ItemKind::Assert(a) => assertion(n, a),
        ItemKind::Import(i) => n.import(i),
        ItemKind::Error => {}
    }
}

fn assertion<N: Visitor>(n: &mut N, a: &mut Assertion) {
    match a {
        Assertion::Absent { axis, scope, .. } => {
            axis.iter().for_each(|a| n.axis(a, None));
            scope.iter().for_each(|s| n.asserted(s));
        }
        Assertion::Bound { args, value, .. } => {
            args.iter().for_each(|a| n.axis(a, None));
            expr(n, value);
        }
        Assertion::Layout { glob, layout: l } => {
            let rank = n.paths(glob, None);
            layout(n, l, rank);
        }
    }
}

fn constant<N: Visitor>(n: &mut N, b: &mut Binding) {
    n.heading(&mut b.name, Heading::Constant);
    expr(n, &mut b.value);
}

/// An optimizer with its settings, of which one may be a schedule with settings of its own.
fn recipe<N: Visitor>(n: &mut N, e: &mut Expr, outer: bool) {
    let ExprKind::Call { callee, args } = &mut e.kind else { return expr(n, e) };
    let of = n.recipe(callee);
    if !outer {
        return arguments(n, &of, args);
    }
    for a in args {
        a.name.iter().for_each(|name| n.argument(&of, &name.text, name.span));
        recipe(n, &mut a.value, false);
    }
}

fn structure<N: Visitor>(n: &mut N, s: &mut StructDef) {
    n.heading(&mut s.name, Heading::Struct);
    s.dims.iter().for_each(|d| bind(n, d, Binds::Dim));
    s.fields.iter().for_each(|f| n.has_field(s, f));
    for f in &mut s.fields {
        ty(n, &mut f.ty);
        let rank = f.ty.rank();
        f.layout.iter().for_each(|l| layout(n, l, rank));
        if let Some(stages) = &mut f.stages {
            n.axis(&stages.axis, rank);
            stages.sizes.iter_mut().flatten().for_each(|e| expr(n, e));
        }
        f.init.iter_mut().for_each(|e| initial(n, e));
    }
    n.scope().clear();
}

/// `normal(0.02)`, `zeros`: names of initial values are no functions.
fn initial<N: Visitor>(n: &mut N, e: &mut Expr) {
    match &mut e.kind {
        ExprKind::Call { args, .. } => args.iter_mut().for_each(|a| expr(n, &mut a.value)),
        ExprKind::Name(name) if !n.is_declared(name) => {}
        _ => expr(n, e),
    }
}

/// The parameters are in scope in the body and in the gradient rule, but not in types and defaults; what the body binds is not in
/// scope in the rule.
fn function<N: Visitor>(n: &mut N, f: &mut FnDef) {
    n.heading(&mut f.name, Heading::Function);
    f.generics.iter().for_each(|g| bind(n, g, Binds::Dim));
    signature_dims(n, f);
    for p in &mut f.params {
        p.ty.iter_mut().for_each(|t| ty(n, t));
        if let Some((a, b)) = &mut p.range {
            expr(n, a);
            expr(n, b);
        }
        p.layout.iter().for_each(|l| layout(n, l, p.ty.as_ref().and_then(Type::rank)));
        p.default.iter_mut().for_each(|d| expr(n, d));
    }
    f.result.iter_mut().for_each(|t| ty(n, t));
    f.result_layout.iter().for_each(|l| layout(n, l, f.result.as_ref().and_then(Type::rank)));
    f.part_layouts.iter().flatten().for_each(|l| layout(n, l, None));
    f.params.iter().for_each(|p| bind(n, &p.name, Binds::Variable));
    block(n, &mut f.body);
    if let Some(rule) = &mut f.rule {
        rule.names.iter().for_each(|name| bind(n, name, Binds::Variable));
        block(n, &mut rule.body);
    }
    n.scope().clear();
}

/// Binds the dims that a signature makes generic by naming them, as long as nothing else has the name.
fn signature_dims<N: Visitor>(n: &mut N, f: &mut FnDef) {
    let mut named: Vec<Name> = Vec::new();
    f.params.iter().filter_map(|p| p.ty.as_ref()).for_each(|t| free_dims(t, &mut named));
    let mut free = Vec::new();
    for name in named {
        if !n.is_declared(&name.text) && !n.scope().contains(&name.text) {
            bind(n, &name, Binds::Dim);
            free.push(name);
        }
    }
    n.generic(f, free);
}
