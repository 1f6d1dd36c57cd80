//! Statements, expressions, types and layouts: what they bind and for how long, and which names they mention.

use super::visitor::{Binds, Visitor, bind};
use crate::ast::{
    Arg, Block, DimArg, Expr, ExprKind, LayoutExpr, LayoutKind, Manual, ManualResult, Name, Pattern, PatternKind, Stmt,
    StmtKind, Type, TypeKind, children_mut,
};

pub(super) fn block<N: Visitor>(n: &mut N, b: &mut Block) {
    let depth = n.scope().depth();
    b.stmts.iter_mut().for_each(|s| stmt(n, s));
    n.scope().truncate(depth);
}

fn stmt<N: Visitor>(n: &mut N, s: &mut Stmt) {
    match &mut s.kind {
        StmtKind::Let { pattern: p, ty: t, value } => {
            expr(n, value);
            t.iter_mut().for_each(|t| ty(n, t));
            pattern(n, p);
        }
        StmtKind::Assign { name, value } => {
            expr(n, value);
            n.assigned(name);
        }
        StmtKind::AssignField { base, field, value } => {
            expr(n, base);
            expr(n, value);
            n.field(base, field);
        }
        StmtKind::Expr(value) => expr(n, value),
        StmtKind::For { pattern: p, over, until, body, .. } => {
            expr(n, over);
            until.iter_mut().for_each(|e| expr(n, e));
            let depth = n.scope().depth();
            pattern(n, p);
            block(n, body);
            n.scope().truncate(depth);
        }
        StmtKind::While { condition, most, body } => {
            expr(n, condition);
            most.iter_mut().for_each(|e| expr(n, e));
            block(n, body);
        }
        StmtKind::State { name, ty: t, init } => {
            ty(n, t);
            expr(n, init);
            bind(n, name, Binds::Variable);
        }
        StmtKind::Error => {}
    }
}

fn pattern<N: Visitor>(n: &mut N, p: &Pattern) {
    match &p.kind {
        PatternKind::Name(name) => bind(n, name, Binds::Variable),
        PatternKind::Ignore => {}
        PatternKind::Tuple(v) | PatternKind::List(v) => v.iter().for_each(|p| pattern(n, p)),
    }
}

pub(super) fn expr<N: Visitor>(n: &mut N, e: &mut Expr) {
    if is_of_file(n, e) {
        n.of_file(e);
        return;
    }
    match &mut e.kind {
        ExprKind::Name(name) => n.value(name, e.span),
        ExprKind::Field { base, field } => {
            expr(n, base);
            n.field(base, field);
        }
        ExprKind::Call { callee, args } => {
            let of = n.function(&mut callee.text, callee.span);
            arguments(n, &of, args);
        }
        ExprKind::Apply { callee, settings, args } => apply(n, callee, settings, args),
        ExprKind::Constrain { value, layout: l } => {
            expr(n, value);
            let rank = n.rank(value.span);
            layout(n, l, rank);
        }
        ExprKind::If { condition, then, otherwise } => {
            expr(n, condition);
            block(n, then);
            block(n, otherwise);
        }
        ExprKind::Manual(m) => manual(n, m),
        _ => children_mut(e).into_iter().for_each(|c| expr(n, c)),
    }
}

/// Whether it is a name of an imported file: `layers.width`.
fn is_of_file<N: Visitor>(n: &mut N, e: &Expr) -> bool {
    let ExprKind::Field { base, .. } = &e.kind else { return false };
    let ExprKind::Name(file) = &base.kind else { return false };
    n.is_file(file) && !n.scope().contains(file)
}

pub(super) fn arguments<N: Visitor>(n: &mut N, of: &N::Item, args: &mut [Arg]) {
    for a in args {
        a.name.iter().for_each(|name| n.argument(of, &name.text, name.span));
        expr(n, &mut a.value);
    }
}

/// `grad(f, wrt: m)(args)`: its settings name a function and a parameter of that one.
fn apply<N: Visitor>(n: &mut N, callee: &Name, settings: &mut [Arg], args: &mut [Arg]) {
    n.transform(callee);
    let mut of = N::Item::default();
    for a in settings {
        let value = bare(&mut a.value);
        let wrt = a.name.as_ref().is_some_and(|name| name.text == "wrt");
        if a.name.is_none() && is_of_file(n, value) {
            of = n.of_file(value);
            continue;
        }
        match &mut value.kind {
            ExprKind::Name(name) if a.name.is_none() => of = n.function(name, value.span),
            ExprKind::Name(name) if wrt => n.argument(&of, name, value.span),
            _ => expr(n, value),
        }
    }
    arguments(n, &of, args);
}

/// [`Expr::bare`], to be changed.
fn bare(mut e: &mut Expr) -> &mut Expr {
    while matches!(e.kind, ExprKind::Paren(_)) {
        let ExprKind::Paren(inner) = &mut e.kind else { unreachable!("it was asked") };
        e = inner;
    }
    e
}

/// The inputs are values from outside; inside, only the body sees what they are called there.
fn manual<N: Visitor>(n: &mut N, m: &mut Manual) {
    m.axes.iter().for_each(|a| n.axis(a, None));
    for i in &mut m.inputs {
        expr(n, &mut i.value);
        let rank = n.rank(i.value.span);
        layout(n, &i.layout, rank);
    }
    match &m.result {
        Some(ManualResult::One(l)) => layout(n, l, None),
        Some(ManualResult::Tuple(v)) => v.iter().for_each(|l| layout(n, l, None)),
        None => {}
    }
    let depth = n.scope().depth();
    for i in &m.inputs {
        match (&i.name, i.inner()) {
            (Some(own), _) => bind(n, own, Binds::Variable),
            (None, Some(name)) => {
                if let Some(means) = n.keeps(&name, &i.value) {
                    n.scope().push(name.text, means);
                }
            }
            (None, None) => {}
        }
    }
    block(n, &mut m.body);
    n.scope().truncate(depth);
}

pub(super) fn ty<N: Visitor>(n: &mut N, t: &mut Type) {
    match &mut t.kind {
        TypeKind::Named { name, dims } => {
            n.type_name(name);
            for d in dims {
                if let DimArg::Expr(e) = d {
                    expr(n, e);
                }
            }
        }
        TypeKind::List { element, count } => {
            ty(n, element);
            expr(n, count);
        }
        TypeKind::Tuple(v) => v.iter_mut().for_each(|t| ty(n, t)),
        TypeKind::Error => {}
    }
}

pub(super) fn layout<N: Visitor>(n: &mut N, l: &LayoutExpr, rank: Option<usize>) {
    match &l.kind {
        LayoutKind::Dims { dims, partial } => {
            dims.iter().flat_map(|d| &d.axes).for_each(|a| n.axis(a, rank));
            partial.iter().for_each(|p| n.axis(&p.axis, rank));
        }
        LayoutKind::Largest(axis) => n.axis(axis, rank),
        LayoutKind::Replicated | LayoutKind::Like(_) => {}
    }
}

/// Names that stand alone as dims of a type.
pub(super) fn free_dims(t: &Type, out: &mut Vec<Name>) {
    let mut take = |e: &Expr| {
        if let ExprKind::Name(n) = &e.kind {
            out.push(Name { text: n.clone(), span: e.span });
        }
    };
    match &t.kind {
        TypeKind::Named { dims, .. } => {
            dims.iter().for_each(|d| {
                if let DimArg::Expr(e) = d {
                    take(e)
                }
            });
        }
        TypeKind::List { element, count } => {
            take(count);
            free_dims(element, out);
        }
        TypeKind::Tuple(v) => v.iter().for_each(|t| free_dims(t, out)),
        TypeKind::Error => {}
    }
}
