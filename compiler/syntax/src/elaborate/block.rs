//! Statements: bindings, assignments, and loops. A loop over a list of structs or over the rows of a tensor becomes a
//! `repeat` region. A loop over a tuple or a list of values is unrolled.

use super::emit::Blame;
use super::state::{Elab, Scope, Variable};
use super::types::{Bindings, Mismatch};
use super::value::{Dim, Num, Val};
use crate::ast::{Block, Expr, ExprKind, Name, Pattern, PatternKind, Stmt, StmtKind};
use crate::scopes::Scoped;
use meshloom_ir::verify::{MAX_NESTING, MAX_TRIP};
use meshloom_ir::{DType, Op, Span, ValueId};
use meshloom_source::{Diagnostic, suggest};
use std::collections::BTreeSet;

impl Elab<'_> {
    /// Runs a block in a scope of its own; its value is that of its last expression.
    pub(super) fn block(&mut self, block: &Block) -> Val {
        self.frame().scopes.push(Scope::new());
        let value = self.statements(&block.stmts);
        self.frame().scopes.pop();
        value
    }

    fn statements(&mut self, stmts: &[Stmt]) -> Val {
        let mut value = Val::unit();
        for (i, stmt) in stmts.iter().enumerate() {
            let last = i + 1 == stmts.len();
            value = Val::unit();
            match &stmt.kind {
                StmtKind::Let { pattern, ty, value } => {
                    let mut v = self.expr(value);
                    if let Some(ty) = ty {
                        v = self.annotate(ty, v, value.span);
                    }
                    self.destructure(pattern, v, value.span);
                }
                StmtKind::Assign { name, value } => {
                    let v = self.expr(value);
                    self.assign(name, v);
                }
                StmtKind::AssignField { base, field, value } => self.assign_field(base, field, value),
                StmtKind::For { pattern, over, until, settings, body } => {
                    let unrolled = self.repeat(stmt.span, pattern, over, until.as_ref(), body);
                    self.loop_settings(settings, stmt.span, unrolled);
                }
                StmtKind::While { condition, most, body } => self.while_loop(stmt.span, condition, most.as_ref(), body),
                StmtKind::State { name, ty, init } => self.state(name, ty, init),
                StmtKind::Expr(e) => {
                    value = self.expr(e);
                    let nothing = matches!(&value, Val::Tuple(v) if v.is_empty());
                    if !last && !nothing && !value.is_error() {
                        self.error(
                            Diagnostic::error("unused-value", "this value goes nowhere")
                                .at(e.span, "only the last expression of a block is its value")
                                .help("give it a name with `let`, assign it, or remove it"),
                        );
                    }
                }
                StmtKind::Error => value = Val::Error,
            }
        }
        value
    }

    fn annotate(&mut self, ty: &crate::ast::Type, value: Val, span: Span) -> Val {
        if value.is_error() {
            return Val::Error;
        }
        let library = self.in_library();
        let mut b = Bindings::of(self.frame());
        match self.fit(ty, &value, span, library, &|_| false, &mut b) {
            Ok(v) => v,
            Err(Mismatch::Reported) => Val::Error,
            Err(Mismatch::Value { code, reason, note }) => {
                let wanted = self.sources.text(ty.span).to_string();
                let d = Diagnostic::error(code, format!("expected {wanted}, found {value}"))
                    .at(span, reason.unwrap_or_default())
                    .also(ty.span, "declared here");
                self.error(match note {
                    Some(n) => d.note(n),
                    None => d,
                })
            }
        }
    }

    fn destructure(&mut self, pattern: &Pattern, value: Val, span: Span) {
        let parts = match &pattern.kind {
            PatternKind::Ignore => return,
            PatternKind::Name(name) => return self.bind(name, value),
            PatternKind::Tuple(parts) | PatternKind::List(parts) => parts,
        };
        let values = match &value {
            Val::Error => vec![Val::Error; parts.len()],
            Val::Tuple(v) | Val::List(v) if v.len() == parts.len() => v.clone(),
            Val::Tensor(t) if t.dims.first().is_some_and(|d| d.size == parts.len() as u64) => {
                let t = t.clone();
                (0..parts.len() as u64).map(|i| self.entry_at(&t, i, span).map_or(Val::Error, Val::Tensor)).collect()
            }
            Val::Stack(s) if s.count.size == parts.len() as u64 => {
                let s = s.clone();
                (0..parts.len() as u64).map(|i| self.stack_entry(&s.element, i, span)).collect()
            }
            other => {
                let found = match other {
                    Val::Tuple(v) | Val::List(v) => format!("{} values", v.len()),
                    Val::Tensor(t) if t.rank() > 0 => format!("{other}, whose first dim is {}", t.dims[0].size),
                    Val::Stack(s) => format!("a list of {}", s.count.size),
                    other => other.to_string(),
                };
                let n = parts.len();
                self.error(
                    Diagnostic::error("pattern", format!("this pattern takes {n} parts, found {found}"))
                        .at(pattern.span, format!("{n} names"))
                        .also(span, format!("this is {other}")),
                );
                vec![Val::Error; n]
            }
        };
        for (p, v) in parts.iter().zip(values) {
            self.destructure(p, v, span);
        }
    }

    /// Entry `i` of a list of structs.
    pub(super) fn stack_entry(&mut self, element: &Val, i: u64, span: Span) -> Val {
        let mut ok = true;
        let v = element.map(&mut |t| match self.entry_at(t, i, span) {
            Some(e) => e,
            None => {
                ok = false;
                t.clone()
            }
        });
        if ok { v } else { Val::Error }
    }

    pub(super) fn assign(&mut self, name: &Name, value: Val) {
        let slot = self.frame().scopes.iter_mut().rev().find_map(|s| s.get_mut(&name.text));
        match slot {
            Some(variable) => {
                variable.value = value.clone();
                let declared = variable.span;
                self.kept(declared, value);
            }
            None => {
                let known: Vec<String> = self.frame().scopes.iter().flat_map(|s| s.keys().cloned()).collect();
                let d = Diagnostic::error("unknown-name", format!("there is no variable `{}` to assign", name.text))
                    .at(name.span, "");
                let d = match suggest::nearest(&name.text, known.iter().map(String::as_str)) {
                    Some(n) => d.did_you_mean(n),
                    None => d.help(format!("a new one is made with `let {} = ..`", name.text)),
                };
                self.error(d);
                // Said once: what reads it later is not at fault.
                self.bind(name, Val::Error);
            }
        }
    }

    /// Says whether the loop was unrolled.
    fn repeat(&mut self, span: Span, pattern: &Pattern, over: &Expr, until: Option<&Expr>, body: &Block) -> bool {
        let carried = self.carried(body);
        let items = match until {
            Some(end) => self.range(over, end),
            None => self.expr(over),
        };
        match &items {
            Val::Tuple(values) | Val::List(values) => {
                for v in values {
                    self.frame().scopes.push(Scope::new());
                    self.destructure(pattern, v.clone(), over.span);
                    self.loop_body(body);
                    self.frame().scopes.pop();
                }
            }
            Val::Stack(s) => {
                let (trip, element) = (s.count.size, s.element.clone());
                self.region(span, trip, &carried, pattern, &element, over.span, body);
            }
            Val::Tensor(t) if t.rank() > 0 => {
                let trip = t.dims[0].size;
                self.region(span, trip, &carried, pattern, &items, over.span, body);
            }
            Val::Error => {
                // What the loop would have changed is unknown now.
                for name in carried {
                    self.assign(&name, Val::Error);
                }
            }
            other => {
                let d = Diagnostic::error(
                    "type-mismatch",
                    format!("`for` goes over lists, tensors and ranges, not {other}"),
                )
                .at(over.span, "");
                let d = if matches!(other, Val::Number(..)) {
                    d.help(format!("to count, write `0..{}`", self.sources.text(over.span)))
                } else {
                    d
                };
                self.error(d);
                for name in carried {
                    self.assign(&name, Val::Error);
                }
            }
        }
        matches!(items, Val::Tuple(_) | Val::List(_))
    }

    pub(super) fn loop_body(&mut self, body: &Block) {
        let value = self.block(body);
        let empty = matches!(&value, Val::Tuple(v) if v.is_empty());
        if !empty && !value.is_error() {
            let span = body.stmts.last().map_or(body.span, |s| s.span);
            self.error(
                Diagnostic::error("unused-value", "the body of a loop has no value")
                    .at(span, "this value goes nowhere")
                    .help("assign it to a variable declared before the loop: `x = ..`"),
            );
        }
    }

    /// `a..b` as a tensor of counters.
    fn range(&mut self, start: &Expr, end: &Expr) -> Val {
        let (a, b) = (self.expr(start), self.expr(end));
        let mut whole = |v: &Val, e: &Expr| match v {
            Val::Number(Num::Int(n), _) => Some(*n),
            Val::Error => None,
            other => {
                self.error(
                    Diagnostic::error("not-constant", format!("the ends of a range are whole numbers, not {other}"))
                        .at(e.span, "not known while compiling")
                        .help("the number of iterations of a `for` is a number, a dim or a constant: `0..size(x, 0)`"),
                );
                None
            }
        };
        let (Some(a), Some(b)) = (whole(&a, start), whole(&b, end)) else { return Val::Error };
        let n = match b.checked_sub(a) {
            Some(n) if n > 0 => n as u64,
            _ => return Val::List(Vec::new()),
        };
        let span = start.span.to(end.span);
        let op = Op::Iota { dtype: DType::I32, shape: vec![n], dim: 0, shard: Vec::new() };
        let Val::Tensor(t) = self.tensor(op, &[], vec![Dim::plain(n)], span) else { return Val::Error };
        if a == 0 {
            return Val::Tensor(t);
        }
        match self.scalar(Num::Int(a), DType::I32, span) {
            Some(offset) => {
                self.elementwise("add", "`+`", &[t, offset], Blame { operation: span, operands: &[] }, span)
            }
            None => Val::Error,
        }
    }

    /// Variables from outside that a loop's body assigns, in the order of first assignment.
    fn carried(&self, body: &Block) -> Vec<Name> {
        self.assigned(body)
    }

    /// Variables from outside that a block assigns.
    pub(super) fn assigned(&self, body: &Block) -> Vec<Name> {
        let mut assigned = Assigned::default();
        assignments(&body.stmts, &mut Scoped::default(), &mut assigned);
        assigned.names.retain(|n| self.variable(&n.text).is_some());
        assigned.names
    }

    /// A `repeat` over the leading dim of every tensor in `element`.
    #[allow(clippy::too_many_arguments)] // the parts of a `for`
    fn region(
        &mut self,
        span: Span,
        trip: u64,
        carried: &[Name],
        pattern: &Pattern,
        element: &Val,
        over: Span,
        body: &Block,
    ) {
        if self.regions.len() + 2 > MAX_NESTING || trip > MAX_TRIP {
            let message = format!("loops nest at most {} deep and have at most {MAX_TRIP} iterations", MAX_NESTING - 2);
            self.error(Diagnostic::error("too-large", message).at(over, ""));
            return self.fail_carried(carried);
        }
        let mut initial: Vec<Val> = Vec::new();
        let mut operands: Vec<ValueId> = Vec::new();
        let mut ok = !element.is_error();
        for name in carried {
            let Some(v) = self.variable(&name.text).cloned() else { continue };
            let value = self.carry(name, &v);
            ok &= !value.is_error();
            operands.extend(value.tensors().iter().map(|t| t.id));
            initial.push(value);
        }
        let carries = operands.len();
        let mut stacked = Vec::new();
        for t in element.tensors() {
            match self.solid(&t, over) {
                Some(t) => stacked.push(t.id),
                None => ok = false,
            }
        }
        let xs = stacked.len();
        operands.extend(stacked);
        let id = self.open_loop(span);
        let (scope, arguments) = self.carried_arguments(id, carried, &initial);
        let item = self.entry_arguments(id, element);
        self.frame().scopes.push(scope);
        self.frame().scopes.push(Scope::new());
        self.destructure(pattern, item, over);
        self.loop_body(body);
        self.frame().scopes.pop();
        let scope = self.frame().scopes.pop().unwrap_or_default();
        let mut yields = Vec::new();
        for (name, before) in carried.iter().zip(&arguments) {
            let after = scope.get(&name.text).map_or(Val::Error, |v| v.value.clone());
            match self.carried_back(name, before, &after, body.span) {
                Some(ids) => yields.extend(ids),
                None => ok = false,
            }
        }
        let told = self.told_here();
        yields.extend(told.iter().map(|t| t.value.id));
        let yields: Vec<ValueId> = yields.into_iter().map(|v| self.here(v)).collect();
        self.builder.close(yields);
        let Some(region) = self.regions.pop() else { return };
        let Some(numbers) =
            self.captured(&region, trip, carries + xs, &mut operands, span).filter(|_| ok && !self.exhausted)
        else {
            return self.fail_carried(carried);
        };
        let operands: Vec<ValueId> = operands.into_iter().map(|v| self.here(v)).collect();
        self.locate(span);
        match self.builder.repeat(trip, false, carries, xs + numbers, &operands, id) {
            Ok(results) => {
                self.told_by_loop(told, results.get(carries..).unwrap_or_default(), trip);
                self.assign_carried(carried, initial, results.into_iter());
            }
            Err(message) => {
                self.error(Diagnostic::error("invalid", message).at(span, "in this loop"));
                self.fail_carried(carried);
            }
        }
    }

    /// A carried variable's value before the loop, as tensors of the IR.
    pub(super) fn carry(&mut self, name: &Name, v: &Variable) -> Val {
        if let Val::Number(n, _) = &v.value {
            let n = *n;
            return self.error(
                Diagnostic::error(
                    "loop-type",
                    format!("`{}` starts as the number {n}, which has no element type yet", name.text),
                )
                .at(v.span, "changed by a loop below")
                .also(name.span, "here")
                .help(format!("say which: `let {}: f32 = {n}`", name.text)),
            );
        }
        let mut ok = true;
        let solid = v.value.map(&mut |t| match self.solid(t, v.span) {
            Some(t) => t,
            None => {
                ok = false;
                t.clone()
            }
        });
        if ok { solid } else { Val::Error }
    }

    /// The values a carried variable has at the end of the body, if they are of the type it had at its start.
    pub(super) fn carried_back(&mut self, name: &Name, before: &Val, after: &Val, body: Span) -> Option<Vec<ValueId>> {
        if before.is_error() || after.is_error() {
            return None;
        }
        let after = match (before, after) {
            (Val::Tensor(t), Val::Number(n, _)) if t.rank() == 0 => Val::Tensor(self.scalar(*n, t.dtype, name.span)?),
            _ => after.clone(),
        };
        let (old, new) = (before.tensors(), after.tensors());
        let same = std::mem::discriminant(before) == std::mem::discriminant(&after)
            && old.len() == new.len()
            && old.iter().zip(&new).all(|(x, y)| x.dtype == y.dtype && x.shape() == y.shape());
        if !same {
            let notes = super::value::sizes_note(old.iter().chain(&new).flat_map(|t| &t.dims));
            let d = Diagnostic::error(
                "loop-type",
                format!("`{}` changes its type in the loop: {before} becomes {after}", name.text),
            )
            .at(name.span, format!("{after} after the first iteration"))
            .also(Span { end: body.start + 1, ..body }, format!("{before} before it"))
            .help("every iteration takes what the one before it left, so the type must stay");
            self.error(match notes {
                Some(n) => d.note(n),
                None => d,
            });
            return None;
        }
        let mut ids = Vec::new();
        for t in &new {
            ids.push(self.solid(t, name.span)?.id);
        }
        Some(ids)
    }
}

/// Assigned names in the order of first assignment.
#[derive(Default)]
struct Assigned {
    names: Vec<Name>,
    seen: BTreeSet<String>,
}

/// Names assigned in some statements that are not bound there by `let` or `for` before.
fn assignments(stmts: &[Stmt], bound: &mut Scoped, out: &mut Assigned) {
    let depth = bound.depth();
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Let { pattern, value, .. } => {
                in_expr(value, bound, out);
                pattern_names(pattern, bound);
            }
            StmtKind::Assign { name, value } => {
                in_expr(value, bound, out);
                if !bound.contains(&name.text) && out.seen.insert(name.text.clone()) {
                    out.names.push(name.clone());
                }
            }
            StmtKind::AssignField { value, .. } => in_expr(value, bound, out),
            StmtKind::For { pattern, body, .. } => {
                let inner = bound.depth();
                pattern_names(pattern, bound);
                assignments(&body.stmts, bound, out);
                bound.truncate(inner);
            }
            StmtKind::While { body, .. } => assignments(&body.stmts, bound, out),
            StmtKind::State { name, .. } => bound.push(name.text.clone(), ()),
            StmtKind::Expr(e) => in_expr(e, bound, out),
            StmtKind::Error => {}
        }
    }
    bound.truncate(depth);
}

/// Blocks inside an expression are those of `if`.
fn in_expr(e: &Expr, bound: &mut Scoped, out: &mut Assigned) {
    if let ExprKind::If { then, otherwise, .. } = &e.bare().kind {
        assignments(&then.stmts, bound, out);
        assignments(&otherwise.stmts, bound, out);
    }
}

fn pattern_names(p: &Pattern, out: &mut Scoped) {
    match &p.kind {
        PatternKind::Name(n) => out.push(n.text.clone(), ()),
        PatternKind::Ignore => {}
        PatternKind::Tuple(v) | PatternKind::List(v) => v.iter().for_each(|p| pattern_names(p, out)),
    }
}
