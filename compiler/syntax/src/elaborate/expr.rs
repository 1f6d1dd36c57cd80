//! Expressions.

use super::consts;
use super::emit::Blame;
use super::foreign;
use super::numbers;
use super::state::{Elab, MAX_NESTING, MAX_STEPS};
use super::value::{MAX_LEAVES, MAX_LEVELS, Num, TensorVal, Val};
use crate::ast::{BinaryOp, Expr, ExprKind, LayoutExpr, Name, UnaryOp};
use meshloom_ir::Comparison;
use meshloom_ir::{DType, Op, Span};
use meshloom_source::Diagnostic;
use meshloom_source::suggest::{self, nearest};
use std::rc::Rc;

impl Elab<'_> {
    pub(super) fn expr(&mut self, e: &Expr) -> Val {
        if self.exhausted {
            return Val::Error;
        }
        self.steps += 1;
        let limit = if self.nesting >= MAX_NESTING {
            Some(("too-deep", format!("calls and expressions are nested more than {MAX_NESTING} deep")))
        } else if self.steps > MAX_STEPS {
            Some(("too-large", format!("the program takes more than {MAX_STEPS} steps to expand")))
        } else {
            None
        };
        if let Some((code, message)) = limit {
            self.exhausted = true;
            return self.error(Diagnostic::error(code, message).at(e.span, "while expanding this"));
        }
        self.nesting += 1;
        let value = self.expr_kind(e);
        self.nesting -= 1;
        self.see(e.span, &value);
        value
    }

    fn expr_kind(&mut self, e: &Expr) -> Val {
        match &e.kind {
            ExprKind::Int(n) => Val::int(*n),
            ExprKind::Float(x) => Val::Number(Num::Float(*x), None),
            ExprKind::Bool(b) => Val::Bool(*b),
            ExprKind::Str(s) => Val::Str(s.as_str().into()),
            ExprKind::Name(name) => self.name(name, e.span),
            ExprKind::Paren(inner) => self.expr(inner),
            ExprKind::Tuple(items) => {
                let v = Val::Tuple(items.iter().map(|i| self.expr(i)).collect());
                self.bounded(v, e.span)
            }
            ExprKind::List(items) => {
                let v = Val::List(items.iter().map(|i| self.expr(i)).collect());
                self.bounded(v, e.span)
            }
            ExprKind::Field { base, field } => {
                let base_value = self.expr(base);
                self.field(&base_value, base.span, field)
            }
            ExprKind::Index { base, items } => {
                let base_value = self.expr(base);
                self.index(&base_value, base.span, items, e.span)
            }
            ExprKind::Call { callee, args } => self.call(callee, args, e.span),
            ExprKind::Apply { callee, settings, args } => self.transform(callee, settings, args, e.span),
            ExprKind::Unary { op, operand } => {
                let v = self.expr(operand);
                self.unary(*op, v, e.span)
            }
            ExprKind::Binary { op, op_span, left, right } => {
                let (a, b) = (self.expr(left), self.expr(right));
                let named = match (&a, &b) {
                    (Val::Number(..), Val::Number(..)) => consts::text(e),
                    _ => None,
                };
                self.binary(*op, *op_span, (a, left.span), (b, right.span), e.span, named)
            }
            ExprKind::Cast { value, dtype } => {
                let v = self.expr(value);
                self.cast(v, dtype, e.span)
            }
            ExprKind::Measured { unit, .. } => self.error(
                Diagnostic::error("recompute", format!("a number of `{}` is no tensor", unit.text))
                    .at(e.span, "")
                    .help("units stand in `budget: 40 GiB` of a `train` and in `assert`"),
            ),
            ExprKind::Constrain { value, layout } => {
                let v = self.expr(value);
                self.constrain(v, layout, e.span)
            }
            ExprKind::If { condition, then, otherwise } => match self.expr(condition) {
                Val::Bool(true) => self.block(then),
                Val::Bool(false) => self.block(otherwise),
                Val::Error => Val::Error,
                other => {
                    let d = Diagnostic::error(
                        "not-constant",
                        format!("`if` decides while compiling, on a constant, not on {other}"),
                    )
                    .at(condition.span, "not a constant bool");
                    self.error(d.help("to choose element by element, use `select(condition, a, b)`"))
                }
            },
            ExprKind::Manual(m) => self.manual(m, e.span),
            ExprKind::Error => Val::Error,
        }
    }

    /// The value, unless it has grown beyond what is handled.
    fn bounded(&mut self, v: Val, span: Span) -> Val {
        let (leaves, levels) = v.extent();
        if leaves <= MAX_LEAVES && levels <= MAX_LEVELS {
            return v;
        }
        let message = format!("a tuple or list has at most {MAX_LEAVES} parts and {MAX_LEVELS} levels");
        self.error(Diagnostic::error("too-large", message).at(span, ""))
    }

    fn name(&mut self, name: &str, span: Span) -> Val {
        if let Some(v) = self.variable(name) {
            return v.value.clone();
        }
        if self.frames.last().is_some_and(|f| f.outside.iter().any(|s| s.contains_key(name))) {
            let d = Diagnostic::error("manual-input", format!("`{name}` is outside of this manual region"));
            let d = d.at(span, "what a device has of it is not said");
            return self.error(d.help(format!(
                "make it an input, with its layout over the manual axes: `{name} @ [..]`, or `{name} @ _` for all of it"
            )));
        }
        if let Some(v) = self.constant(name) {
            return v;
        }
        let d = Diagnostic::error("unknown-name", format!("there is no `{name}` here")).at(span, "not known");
        if self.program.function(name, self.in_library()).is_some() || super::prims::find(name).is_some() {
            return self.error(
                Diagnostic::error("unknown-name", format!("`{name}` is a function"))
                    .at(span, "used as a value")
                    .help(format!("call it: `{name}(..)`")),
            );
        }
        let mut all: Vec<String> = Vec::new();
        if let Some(f) = self.frames.last() {
            all.extend(f.scopes.iter().rev().flat_map(|s| s.keys().cloned()));
            all.extend(f.dims.keys().cloned());
        }
        all.extend(consts::Names::names(&self.program.constants));
        let d = match nearest(name, all.iter().map(String::as_str)) {
            Some(n) => d.did_you_mean(n),
            None if name.contains('.') => {
                d.help("a file sees what it declares and imports, and nothing of who imports it: make it a parameter")
            }
            None if name == "None" => d.help("a dim of size 1 is inserted with `expand(x, -1)`"),
            None if matches!(name, "True" | "False") => d.did_you_mean(&name.to_lowercase()),
            None => d,
        };
        self.error(d)
    }

    fn field(&mut self, base: &Val, base_span: Span, field: &Name) -> Val {
        let d = match base {
            Val::Error => return Val::Error,
            Val::Struct(s) => {
                if let Some((_, v)) = s.fields.iter().find(|f| f.0 == field.text) {
                    return v.clone();
                }
                let d = Diagnostic::error("unknown-field", format!("`{}` has no field `{}`", s.name, field.text))
                    .at(field.span, "not a field");
                let names = s.fields.iter().map(|f| f.0.as_str());
                match nearest(&field.text, names.clone()) {
                    Some(n) => d.did_you_mean(n),
                    None => d.help(format!("its fields: {}", suggest::list(names))),
                }
            }
            Val::Stack(_) => Diagnostic::error("unknown-field", format!("{base} is a list; its entries have fields"))
                .at(field.span, "")
                .also(base_span, format!("this is {base}"))
                .help("take an entry, `list[0]`, or go through all: `for p in list { .. }`"),
            other => {
                let d = Diagnostic::error("unknown-field", format!("{other} has no fields")).at(field.span, "");
                match foreign::field(&field.text) {
                    Some(help) if matches!(other, Val::Tensor(_)) => d.help(help),
                    _ => d,
                }
            }
        };
        self.error(d)
    }

    fn unary(&mut self, op: UnaryOp, v: Val, span: Span) -> Val {
        match (op, v) {
            (_, Val::Error) => Val::Error,
            (UnaryOp::Neg, Val::Number(n, _)) => match numbers::negate(n) {
                Ok(n) => Val::Number(n, None),
                Err(e) => self.error(Diagnostic::error(e.code, e.message).at(span, "")),
            },
            (UnaryOp::Neg, Val::Tensor(t)) if t.dtype != DType::Bool => {
                self.elementwise("negate", "`-`", &[t], Blame { operation: span, operands: &[] }, span)
            }
            (UnaryOp::Not, Val::Bool(b)) => Val::Bool(!b),
            (UnaryOp::Not, Val::Tensor(t)) if t.dtype == DType::Bool => {
                self.elementwise("not", "`!`", &[t], Blame { operation: span, operands: &[] }, span)
            }
            (UnaryOp::Neg, other) => self.error(
                Diagnostic::error("type-mismatch", format!("`-` is for numbers and tensors, not {other}")).at(span, ""),
            ),
            (UnaryOp::Not, other) => {
                self.error(Diagnostic::error("type-mismatch", format!("`!` is for bools, not {other}")).at(span, ""))
            }
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        at: Span,
        a: (Val, Span),
        b: (Val, Span),
        span: Span,
        named: Option<Rc<str>>,
    ) -> Val {
        let what = format!("`{}`", op.symbol());
        match (&a.0, &b.0) {
            (Val::Error, _) | (_, Val::Error) => Val::Error,
            (Val::Number(x, _), Val::Number(y, _)) => {
                if let BinaryOp::Compare(c) = op {
                    return Val::Bool(numbers::compare(c, *x, *y));
                }
                match numbers::arithmetic(op, *x, *y) {
                    Ok(n) => Val::Number(n, named.filter(|_| matches!(n, Num::Int(_)))),
                    Err(e) => {
                        let d = Diagnostic::error(e.code, e.message).at(span, "");
                        self.error(match e.help {
                            Some(h) => d.help(h),
                            None => d,
                        })
                    }
                }
            }
            (Val::Bool(x), Val::Bool(y)) => match op {
                BinaryOp::And => Val::Bool(*x && *y),
                BinaryOp::Or => Val::Bool(*x || *y),
                BinaryOp::Compare(c @ (Comparison::Eq | Comparison::Ne)) => Val::Bool(c.holds(x, y)),
                _ => self.error(Diagnostic::error("type-mismatch", format!("{what} is not for bools")).at(span, "")),
            },
            // A constant decides, or leaves it to the other side.
            (Val::Bool(known), Val::Tensor(t)) | (Val::Tensor(t), Val::Bool(known))
                if t.dtype == DType::Bool && matches!(op, BinaryOp::And | BinaryOp::Or) =>
            {
                let decides = *known == (op == BinaryOp::Or);
                if decides { Val::Bool(*known) } else { Val::Tensor(t.clone()) }
            }
            _ => {
                let op_name = match op {
                    BinaryOp::Add => "add",
                    BinaryOp::Sub => "subtract",
                    BinaryOp::Mul => "multiply",
                    BinaryOp::Div => "divide",
                    BinaryOp::Compare(c) => c.name(),
                    BinaryOp::And => "and",
                    BinaryOp::Or => "or",
                };
                self.apply(op_name, &what, &[a, b], at, span)
            }
        }
    }

    /// An elementwise op on values: numbers take the element type of the tensors, which must agree on it. `operation` is
    /// where the operator is written, `span` the whole expression.
    pub(super) fn apply(&mut self, op: &str, what: &str, operands: &[(Val, Span)], operation: Span, span: Span) -> Val {
        let mut first: Option<(TensorVal, Span)> = None;
        for (v, at) in operands {
            match v {
                Val::Error => return Val::Error,
                Val::Tensor(t) => match &first {
                    None => first = Some((t.clone(), *at)),
                    Some((f, f_at)) if f.dtype != t.dtype => {
                        let (x, y) = (Val::Tensor(f.clone()), v);
                        return self.error(
                            Diagnostic::error(
                                "dtype-mismatch",
                                format!("{what} needs one element type, found {} and {}", f.dtype, t.dtype),
                            )
                            .at(*at, format!("{y}"))
                            .also(*f_at, format!("{x}"))
                            .help(format!("convert one side: `.. as {}`", f.dtype)),
                        );
                    }
                    Some(_) => {}
                },
                Val::Number(..) => {}
                other => {
                    let d =
                        Diagnostic::error("type-mismatch", format!("{what} is for numbers and tensors, not {other}"))
                            .at(*at, "");
                    return self.error(match other {
                        Val::Tuple(_) => d.help("take it apart first: `let (a, b) = ..`"),
                        _ => d,
                    });
                }
            }
        }
        let Some((first, _)) = first else {
            return self.error(Diagnostic::error("type-mismatch", format!("{what} needs a tensor")).at(span, ""));
        };
        let logical = matches!(op, "and" | "or");
        if (first.dtype == DType::Bool) != logical && !matches!(op, "compare_eq" | "compare_ne") {
            let kind = if logical { "bools" } else { "numbers" };
            return self.error(
                Diagnostic::error("dtype-mismatch", format!("{what} is for {kind}, not {}", first.dtype)).at(span, ""),
            );
        }
        self.apply_as(first.dtype, op, what, operands, operation, span)
    }

    /// An elementwise op on tensors of `dtype` and numbers.
    pub(super) fn apply_as(
        &mut self,
        dtype: DType,
        op: &str,
        what: &str,
        operands: &[(Val, Span)],
        operation: Span,
        span: Span,
    ) -> Val {
        let mut tensors = Vec::new();
        for (v, at) in operands {
            match v {
                Val::Tensor(t) => tensors.push(t.clone()),
                Val::Number(n, _) => match self.scalar(*n, dtype, *at) {
                    Some(t) => tensors.push(t),
                    None => return Val::Error,
                },
                _ => return Val::Error,
            }
        }
        let spans: Vec<Span> = operands.iter().map(|o| o.1).collect();
        self.elementwise(op, what, &tensors, Blame { operation, operands: &spans }, span)
    }

    fn cast(&mut self, v: Val, dtype: &Name, span: Span) -> Val {
        let generic = if dtype.text == "float" { self.frame().float } else { None };
        let Some(to) = generic.or_else(|| self.dtype(&dtype.text)) else {
            let d = Diagnostic::error("unknown-type", format!("there is no element type `{}`", dtype.text))
                .at(dtype.span, "");
            let names = DType::ALL.map(DType::name);
            return self.error(match foreign::dtype(&dtype.text).or(nearest(&dtype.text, names)) {
                Some(n) => d.did_you_mean(n),
                None => d.help(format!("element types: {}", suggest::list(names))),
            });
        };
        match v {
            Val::Error => Val::Error,
            Val::Number(n, _) => match self.scalar(n, to, span) {
                Some(t) => Val::Tensor(t),
                None => Val::Error,
            },
            Val::Tensor(t) if t.dtype == to => Val::Tensor(t),
            Val::Tensor(t) => match self.emit(Op::Convert { to }, &[t.id], span) {
                Some(id) => Val::Tensor(TensorVal { id, dtype: to, ..t }),
                None => Val::Error,
            },
            other => self.error(
                Diagnostic::error("type-mismatch", format!("`as` converts numbers and tensors, not {other}"))
                    .at(span, ""),
            ),
        }
    }

    pub(super) fn constrain(&mut self, v: Val, layout: &LayoutExpr, span: Span) -> Val {
        match v {
            Val::Error => Val::Error,
            Val::Tensor(t) => {
                let Some(t) = self.solid(&t, span) else { return Val::Error };
                match self.constraint(layout, &t.dims, None) {
                    Some(c) if !self.automatic(&c, layout.span) => Val::Error,
                    Some(c) => self.tensor(Op::Constrain(c), &[t.id], t.dims, span),
                    None => Val::Error,
                }
            }
            other => self.error(
                Diagnostic::error("layout", format!("a layout is for a tensor, not {other}")).at(layout.span, ""),
            ),
        }
    }
}
