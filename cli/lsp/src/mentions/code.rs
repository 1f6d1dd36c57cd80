//! Statements and expressions: variables and what they hide, calls and their arguments, fields.

use super::{NameSpace, Symbol, Walk, field};
use crate::project::Declared;
use meshloom_ir::Span;
use meshloom_syntax::ast::{
    Arg, Block, Expr, ExprKind, FnDef, Manual, ManualResult, Name, Pattern, PatternKind, Stmt, StmtKind, children,
};

impl Walk<'_> {
    pub(super) fn block(&mut self, b: &Block) {
        let depth = self.bound.len();
        b.stmts.iter().for_each(|s| self.stmt(s));
        self.bound.truncate(depth);
    }

    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Let { pattern, ty, value } => {
                self.expr(value);
                ty.iter().for_each(|t| self.ty(t));
                self.pattern(pattern);
            }
            StmtKind::Assign { name, value } => {
                self.expr(value);
                let symbol = self.variable(&name.text);
                self.uses(name, NameSpace::Value, symbol);
            }
            StmtKind::AssignField { base, field, value } => {
                self.expr(value);
                self.field(base, field);
            }
            StmtKind::Expr(value) => self.expr(value),
            StmtKind::For { pattern, over, until, body, .. } => {
                self.expr(over);
                until.iter().for_each(|e| self.expr(e));
                let depth = self.bound.len();
                self.pattern(pattern);
                self.block(body);
                self.bound.truncate(depth);
            }
            StmtKind::While { condition, most, body } => {
                self.expr(condition);
                most.iter().for_each(|e| self.expr(e));
                self.block(body);
            }
            StmtKind::State { name, ty, init } => {
                self.ty(ty);
                self.expr(init);
                self.bind(name);
            }
            StmtKind::Error => {}
        }
    }

    fn pattern(&mut self, p: &Pattern) {
        match &p.kind {
            PatternKind::Name(n) => self.bind(n),
            PatternKind::Ignore => {}
            PatternKind::Tuple(v) | PatternKind::List(v) => v.iter().for_each(|p| self.pattern(p)),
        }
    }

    pub(super) fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(n) => self.name(n, e.span),
            ExprKind::Field { base, field } => self.field(base, field),
            ExprKind::Call { callee, args } => {
                let symbol = self.qualified(callee, NameSpace::Function);
                self.arguments(symbol.as_ref(), args);
            }
            ExprKind::Apply { callee, settings, args } => self.apply(callee, settings, args),
            ExprKind::Constrain { value, layout } => {
                self.expr(value);
                let rank = self.shown(value.span).and_then(shown_rank);
                self.layout(layout, rank);
            }
            ExprKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.block(then);
                self.block(otherwise);
            }
            ExprKind::Manual(m) => self.manual(m),
            _ => children(e).into_iter().for_each(|c| self.expr(c)),
        }
    }

    fn name(&mut self, name: &str, span: Span) {
        let symbol = self.variable(name).or_else(|| self.declared(name)).or_else(|| self.axis_symbol(name));
        self.push(span, name, NameSpace::Value, symbol, false);
    }

    fn shown(&self, span: Span) -> Option<&str> {
        self.types.get(&(span.start, span.end))?.first().map(String::as_str)
    }

    fn field(&mut self, base: &Expr, name: &Name) {
        if let ExprKind::Name(n) = &base.kind
            && self.variable(n).is_none()
            && self.project.qualifier(self.path, n).is_some()
        {
            self.file_name(n, base.span);
            let symbol = self.declared(&format!("{n}.{}", name.text));
            return self.uses(name, NameSpace::Value, symbol);
        }
        self.expr(base);
        let of_type = self.shown(base.span).and_then(|t| self.project.structure(t));
        let owner = of_type.or_else(|| {
            // What was not elaborated has no type. A name that one struct alone has is that struct's.
            let mut all = self.project.owners(&name.text);
            if all.len() == 1 { all.pop() } else { None }
        });
        let has = owner.filter(|(_, s)| s.fields.iter().any(|f| f.name.text == name.text));
        let symbol = has.map(|(file, s)| field(&file, s, &name.text));
        self.uses(name, NameSpace::Field { base: (base.span.start, base.span.end) }, symbol);
    }

    /// The function that a symbol stands for, and its file.
    fn definition(&self, symbol: Option<&Symbol>) -> Option<(String, &FnDef)> {
        let Symbol::Item { file, name } = symbol? else { return None };
        match self.project.declared(file, name)? {
            Declared::Function(f) => Some((file.clone(), f)),
            _ => None,
        }
    }

    fn parameter(&self, callee: Option<&Symbol>, name: &str) -> Option<Symbol> {
        let (file, def) = self.definition(callee)?;
        let p = def.params.iter().find(|p| p.name.text == name)?;
        Some(Symbol::Local { file, at: p.name.span.start })
    }

    fn arguments(&mut self, callee: Option<&Symbol>, args: &[Arg]) {
        for a in args {
            if let Some(name) = &a.name {
                let symbol = self.parameter(callee, &name.text);
                self.uses(name, NameSpace::Argument { callee: callee.cloned() }, symbol);
            }
            self.expr(&a.value);
        }
    }

    /// `grad(f, wrt: m)(args)`
    fn apply(&mut self, callee: &Name, settings: &[Arg], args: &[Arg]) {
        let symbol = self.declared(&callee.text);
        self.uses(callee, NameSpace::Function, symbol);
        let mut of = None;
        for a in settings {
            match (&a.name, &a.value.kind) {
                (None, ExprKind::Name(n)) => {
                    of = self.declared(n);
                    self.push(a.value.span, n, NameSpace::Function, of.clone(), false);
                }
                (Some(name), ExprKind::Name(n)) if name.text == "wrt" => {
                    let symbol = self.parameter(of.as_ref(), n);
                    self.push(a.value.span, n, NameSpace::Argument { callee: of.clone() }, symbol, false);
                }
                _ => self.expr(&a.value),
            }
        }
        self.arguments(of.as_ref(), args);
    }

    fn manual(&mut self, m: &Manual) {
        m.axes.iter().for_each(|a| self.axis(a, None));
        let mut inner = Vec::new();
        for i in &m.inputs {
            self.expr(&i.value);
            let rank = self.shown(i.value.span).and_then(shown_rank);
            self.layout(&i.layout, rank);
            let outside = self.named_by(&i.value);
            inner.push((i.name.clone(), i.inner(), outside));
        }
        match &m.result {
            Some(ManualResult::One(l)) => self.layout(l, None),
            Some(ManualResult::Tuple(v)) => v.iter().for_each(|l| self.layout(l, None)),
            None => {}
        }
        let depth = self.bound.len();
        for (own, name, outside) in inner {
            match (own, name, outside) {
                (Some(own), _, _) => self.bind(&own),
                // A variable or field has its own name inside, so it is the same name.
                (None, Some(name), Some(symbol)) => self.bound.push((name.text, symbol)),
                (None, _, _) => {}
            }
        }
        self.block(&m.body);
        self.bound.truncate(depth);
    }

    /// What a variable or a field that was just walked over means.
    fn named_by(&self, e: &Expr) -> Option<Symbol> {
        let span = match &e.bare().kind {
            ExprKind::Field { field, .. } => field.span,
            _ => e.bare().span,
        };
        self.out.iter().rev().find(|m| (m.start, m.end) == (span.start, span.end))?.symbol.clone()
    }
}

/// The number of dims of a tensor's type as it is shown: `f32[batch, seq]`.
pub(super) fn shown_rank(shown: &str) -> Option<usize> {
    let (dtype, dims) = shown.split_once('[').map_or((shown, ""), |(d, rest)| (d, rest.trim_end_matches(']')));
    meshloom_ir::DType::from_name(dtype)?;
    let mut depth = 0usize;
    let commas = dims.chars().filter(|&c| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    Some(if dims.is_empty() { 0 } else { commas.count() + 1 })
}
