//! Expressions that must be known before any tensor is: sizes of dims, lists and mesh axes, initial values, optimizer
//! settings.

use super::numbers;
use super::value::{Dim, Num};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use meshloom_source::Diagnostic;
use meshloom_source::suggest::nearest;
use std::rc::Rc;

/// The dim that is the batch: microbatches split it, and data have a row for each of it.
pub const BATCH: &str = "batch";

/// The value of a `dim` or `const`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Const {
    Number(Num),
    Bool(bool),
}

/// Names that a constant expression may use.
pub trait Names {
    fn get(&self, name: &str) -> Option<Const>;
    fn names(&self) -> Vec<String>;
}

/// The value of a constant expression.
pub fn eval(e: &Expr, names: &dyn Names) -> Result<Const, Diagnostic> {
    match &e.bare().kind {
        ExprKind::Int(n) => Ok(Const::Number(Num::Int(*n))),
        ExprKind::Float(x) => Ok(Const::Number(Num::Float(*x))),
        ExprKind::Bool(b) => Ok(Const::Bool(*b)),
        ExprKind::Name(name) => names.get(name).ok_or_else(|| {
            let all = names.names();
            let d = Diagnostic::error("unknown-name", format!("there is no dim or constant `{name}`"))
                .at(e.span, "not declared");
            match nearest(name, all.iter().map(String::as_str)) {
                Some(n) => d.did_you_mean(n),
                None => d.help(format!("declare it: `dim {name} = 8`")),
            }
        }),
        ExprKind::Unary { op: UnaryOp::Neg, operand } => {
            let n = number(operand, names)?;
            numbers::negate(n).map(Const::Number).map_err(|err| Diagnostic::error(err.code, err.message).at(e.span, ""))
        }
        ExprKind::Binary {
            op: op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div),
            left,
            right,
            ..
        } => {
            let (a, b) = (number(left, names)?, number(right, names)?);
            numbers::arithmetic(*op, a, b).map(Const::Number).map_err(|err| {
                let d = Diagnostic::error(err.code, err.message).at(e.span, "");
                match err.help {
                    Some(h) => d.help(h),
                    None => d,
                }
            })
        }
        _ => Err(Diagnostic::error("not-constant", "this must be known before the program runs")
            .at(e.span, "not a constant")
            .help("numbers, dims, constants and `+ - * /` between them are")),
    }
}

pub fn number(e: &Expr, names: &dyn Names) -> Result<Num, Diagnostic> {
    match eval(e, names)? {
        Const::Number(n) => Ok(n),
        Const::Bool(_) => Err(Diagnostic::error("type-mismatch", "expected a number, found a bool").at(e.span, "")),
    }
}

pub fn float(e: &Expr, names: &dyn Names) -> Result<f64, Diagnostic> {
    number(e, names).map(Num::as_f64)
}

/// An integer that is not negative.
pub fn natural(e: &Expr, names: &dyn Names) -> Result<u64, Diagnostic> {
    match number(e, names)? {
        Num::Int(n) if n >= 0 => Ok(n as u64),
        n => Err(Diagnostic::error("number", format!("expected a whole number that is not negative, found {n}"))
            .at(e.span, "")),
    }
}

/// A size: a whole number of at least 1, with the expression as its name where it names dims.
pub fn size(e: &Expr, names: &dyn Names) -> Result<Dim, Diagnostic> {
    match number(e, names)? {
        Num::Int(n) if n >= 1 => Ok(Dim { size: n as u64, name: text(e) }),
        n => Err(Diagnostic::error("size", format!("a size must be a whole number of at least 1, not {n}"))
            .at(e.span, format!("this is {n}"))),
    }
}

/// How a size expression reads, if there is a name in it: `embed`, `4 * embed`.
pub fn text(e: &Expr) -> Option<Rc<str>> {
    fn write(e: &Expr, out: &mut String, named: &mut bool) -> bool {
        match &e.kind {
            ExprKind::Int(n) => *out += &n.to_string(),
            ExprKind::Name(n) => {
                *out += n;
                *named = true;
            }
            ExprKind::Paren(inner) => {
                out.push('(');
                if !write(inner, out, named) {
                    return false;
                }
                out.push(')');
            }
            ExprKind::Binary { op, left, right, .. } => {
                if !write(left, out, named) {
                    return false;
                }
                *out += &format!(" {} ", op.symbol());
                return write(right, out, named);
            }
            _ => return false,
        }
        true
    }
    let (mut out, mut named) = (String::new(), false);
    (e.depth <= 8 && write(e, &mut out, &mut named) && named).then(|| out.into())
}
