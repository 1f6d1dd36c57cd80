//! Expressions, types, patterns and layouts.

use super::doc::{Doc, render};
use super::lines::Formatter;
use crate::ast::*;
use meshloom_ir::Span;
use meshloom_ir::layout::text;

impl Formatter<'_> {
    /// An expression on one line, for places that do not break.
    pub(super) fn flat(&mut self, e: &Expr) -> String {
        let next = self.next;
        let doc = self.expr(e);
        if self.next == next {
            return render(&doc, usize::MAX);
        }
        // A comment inside: give it back, it moves out with the others.
        self.next = next;
        let comments = std::mem::take(&mut self.comments);
        let doc = self.expr(e);
        self.comments = comments;
        render(&doc, usize::MAX)
    }

    pub(super) fn expr(&mut self, e: &Expr) -> Doc {
        let end = e.span.end as usize;
        match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Str(_)
            | ExprKind::Name(_)
            | ExprKind::Error => Doc::text(self.text(e.span)),
            ExprKind::Paren(inner) => {
                let inner = self.expr(inner);
                Doc::Concat(vec![
                    Doc::text("("),
                    Doc::Concat(vec![Doc::SoftLine, inner]).indent(),
                    Doc::SoftLine,
                    Doc::text(")"),
                ])
                .group()
            }
            ExprKind::Tuple(items) => {
                if let [one] = &items[..] {
                    let one = self.expr(one);
                    return Doc::Concat(vec![Doc::text("("), one, Doc::text(",)")]);
                }
                self.list(("(", ")"), items, end, |e| e.span, |f, e| f.expr(e))
            }
            ExprKind::List(items) => self.list(("[", "]"), items, end, |e| e.span, |f, e| f.expr(e)),
            ExprKind::Field { base, field } => {
                let base = self.expr(base);
                Doc::Concat(vec![base, Doc::text(format!(".{}", field.text))])
            }
            ExprKind::Index { base, items } => {
                let base = self.expr(base);
                let items = self.list(("[", "]"), items, end, index_span, |f, i| f.index_item(i));
                Doc::Concat(vec![base, items])
            }
            ExprKind::Call { callee, args } => {
                let args = self.arguments(args, end);
                Doc::Concat(vec![Doc::text(callee.text.clone()), args])
            }
            ExprKind::Apply { callee, settings, args } => {
                let until = args.first().map_or(end, |a| a.span.start as usize);
                let settings = self.arguments(settings, until);
                let args = self.arguments(args, end);
                Doc::Concat(vec![Doc::text(callee.text.clone()), settings, args])
            }
            ExprKind::Unary { op, operand } => {
                let operand = self.expr(operand);
                let op = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "!",
                };
                Doc::Concat(vec![Doc::text(op), operand])
            }
            ExprKind::Binary { .. } => self.binary(e),
            ExprKind::Cast { value, dtype } => {
                let value = self.expr(value);
                Doc::Concat(vec![value, Doc::text(format!(" as {}", dtype.text))])
            }
            ExprKind::Measured { value, unit } => {
                let value = self.expr(value);
                Doc::Concat(vec![value, Doc::text(format!(" {}", unit.text))])
            }
            ExprKind::Constrain { value, layout: l } => {
                let value = self.expr(value);
                let to = Doc::Concat(vec![Doc::Line, Doc::text(format!("@ {}", layout(l)))]).indent();
                Doc::Concat(vec![value, to]).group()
            }
            ExprKind::Manual(m) => self.manual(m),
            ExprKind::If { condition, then, otherwise } => {
                let condition = self.expr(condition);
                let then = self.block(then);
                let otherwise = match &otherwise.stmts[..] {
                    // `else if`
                    [Stmt { kind: StmtKind::Expr(e), span }] if *span == otherwise.span => self.expr(e),
                    _ => self.block(otherwise),
                };
                Doc::Concat(vec![Doc::text("if "), condition, Doc::text(" "), then, Doc::text(" else "), otherwise])
            }
        }
    }

    fn manual(&mut self, m: &Manual) -> Doc {
        let mut parts = vec![Doc::text(format!("manual({})", names(&m.axes)))];
        if !m.inputs.is_empty() {
            let until = m.body.span.start as usize;
            parts.push(self.list(
                ("(", ")"),
                &m.inputs,
                until,
                |i| i.span,
                |f, i| {
                    let value = f.expr(&i.value);
                    let name = i.name.as_ref().map_or(String::new(), |n| format!("{}: ", n.text));
                    Doc::Concat(vec![Doc::text(name), value, Doc::text(format!(" @ {}", layout(&i.layout)))])
                },
            ));
        }
        match &m.result {
            None => {}
            Some(ManualResult::One(l)) => parts.push(Doc::text(format!(" -> {}", layout(l)))),
            Some(ManualResult::Tuple(all)) => {
                let all: Vec<String> = all.iter().map(layout).collect();
                parts.push(Doc::text(format!(" -> ({})", all.join(", "))));
            }
        }
        parts.push(Doc::text(" "));
        parts.push(self.block(&m.body));
        Doc::Concat(parts)
    }

    fn arguments(&mut self, args: &[Arg], end: usize) -> Doc {
        self.list(
            ("(", ")"),
            args,
            end,
            |a| a.span,
            |f, a| {
                let value = f.expr(&a.value);
                match &a.name {
                    Some(n) => Doc::Concat(vec![Doc::text(format!("{}: ", n.text)), value]),
                    None => value,
                }
            },
        )
    }

    /// A chain of operators of one precedence breaks before all of them or none.
    fn binary(&mut self, e: &Expr) -> Doc {
        let mut chain: Vec<(&'static str, &Expr)> = Vec::new();
        let mut first = e;
        while let ExprKind::Binary { op, left, right, .. } = &first.kind {
            if let ExprKind::Binary { op: top, .. } = &e.kind
                && op.precedence() != top.precedence()
            {
                break;
            }
            chain.push((op.symbol(), right));
            first = left;
        }
        let first = self.expr(first);
        let mut rest = Vec::new();
        for (op, operand) in chain.into_iter().rev() {
            let operand = self.expr(operand);
            rest.extend([Doc::Line, Doc::text(format!("{op} ")), operand]);
        }
        Doc::Concat(vec![first, Doc::Concat(rest).indent()]).group()
    }

    fn index_item(&mut self, item: &IndexItem) -> Doc {
        match item {
            IndexItem::At(e) => self.expr(e),
            IndexItem::Slice { start, end, .. } => {
                let mut parts = Vec::new();
                parts.extend(start.as_ref().map(|e| self.expr(e)));
                parts.push(Doc::text(":"));
                parts.extend(end.as_ref().map(|e| self.expr(e)));
                Doc::Concat(parts)
            }
        }
    }

    pub(super) fn ty(&mut self, t: &Type) -> String {
        match &t.kind {
            TypeKind::Named { name, dims } if dims.is_empty() => name.text.clone(),
            TypeKind::Named { name, dims } => {
                let dims: Vec<String> = dims
                    .iter()
                    .map(|d| match d {
                        DimArg::Expr(e) => self.flat(e),
                        DimArg::Rest(_) => "..".to_string(),
                    })
                    .collect();
                format!("{}[{}]", name.text, dims.join(", "))
            }
            TypeKind::List { element, count } => format!("[{}; {}]", self.ty(element), self.flat(count)),
            TypeKind::Tuple(types) => {
                let types: Vec<String> = types.iter().map(|t| self.ty(t)).collect();
                format!("({}{})", types.join(", "), if types.len() == 1 { "," } else { "" })
            }
            TypeKind::Error => self.text(t.span).to_string(),
        }
    }
}

fn index_span(item: &IndexItem) -> Span {
    match item {
        IndexItem::At(e) => e.span,
        IndexItem::Slice { span, .. } => *span,
    }
}

pub(super) fn names(names: &[Name]) -> String {
    names.iter().map(|n| n.text.as_str()).collect::<Vec<_>>().join(", ")
}

pub(super) fn show_pattern(p: &Pattern) -> String {
    let all = |v: &[Pattern]| v.iter().map(show_pattern).collect::<Vec<_>>().join(", ");
    match &p.kind {
        PatternKind::Name(n) => n.text.clone(),
        PatternKind::Ignore => "_".into(),
        PatternKind::Tuple(v) => format!("({}{})", all(v), if v.len() == 1 { "," } else { "" }),
        PatternKind::List(v) => format!("[{}]", all(v)),
    }
}

pub(super) fn layout(l: &LayoutExpr) -> String {
    match &l.kind {
        LayoutKind::Dims { dims, partial } => {
            let dims: Vec<String> = dims.iter().map(layout_dim).collect();
            text::show(
                &dims,
                partial.iter().map(|p| (p.axis.text.as_str(), p.reduction.as_ref().map_or("sum", |r| &r.text))),
            )
        }
        LayoutKind::Replicated => "_".into(),
        LayoutKind::Largest(axis) => format!("largest({})", axis.text),
        LayoutKind::Like(of) => format!("like {}", of.text),
    }
}

fn layout_dim(d: &LayoutDim) -> String {
    let axes: Vec<&str> = d.axes.iter().map(|a| a.text.as_str()).collect();
    text::show_dim(&axes, d.open)
}
