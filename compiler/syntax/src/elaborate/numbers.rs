//! Arithmetic on numbers that are known while compiling. It is checked: nothing wraps, and integer division must come
//! out even.

use super::value::Num;
use crate::ast::BinaryOp;
use meshloom_ir::Comparison;

/// What is wrong with a computation, and how to write it instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NumError {
    /// Of the diagnostic that tells of it.
    pub code: &'static str,
    pub message: String,
    pub help: Option<String>,
}

fn error(message: impl Into<String>) -> NumError {
    NumError { code: "number", message: message.into(), help: None }
}

/// `a op b` for the arithmetic operators.
pub fn arithmetic(op: BinaryOp, a: Num, b: Num) -> Result<Num, NumError> {
    let overflow = || error(format!("{a} {} {b} is too large for an integer", op.symbol()));
    match (a, b) {
        (Num::Int(x), Num::Int(y)) => match op {
            BinaryOp::Add => x.checked_add(y).map(Num::Int).ok_or_else(overflow),
            BinaryOp::Sub => x.checked_sub(y).map(Num::Int).ok_or_else(overflow),
            BinaryOp::Mul => x.checked_mul(y).map(Num::Int).ok_or_else(overflow),
            BinaryOp::Div if y == 0 => Err(error("division by zero")),
            BinaryOp::Div if x.checked_rem(y) == Some(0) => x.checked_div(y).map(Num::Int).ok_or_else(overflow),
            BinaryOp::Div => Err(NumError {
                code: "division",
                message: format!("{x} is not divisible by {y}"),
                help: Some(format!("integers divide without rest; for a fraction write `{x}.0 / {y}`")),
            }),
            _ => Err(error(format!("`{}` does not give a number", op.symbol()))),
        },
        _ => {
            let (x, y) = (a.as_f64(), b.as_f64());
            let r = match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                BinaryOp::Mul => x * y,
                BinaryOp::Div => x / y,
                _ => return Err(error(format!("`{}` does not give a number", op.symbol()))),
            };
            if r.is_finite() { Ok(Num::Float(r)) } else { Err(error(format!("{a} {} {b} is not finite", op.symbol()))) }
        }
    }
}

pub fn compare(op: Comparison, a: Num, b: Num) -> bool {
    match (a, b) {
        (Num::Int(x), Num::Int(y)) => op.holds(&x, &y),
        _ => op.holds(&a.as_f64(), &b.as_f64()),
    }
}

pub fn negate(a: Num) -> Result<Num, NumError> {
    match a {
        Num::Int(x) => x.checked_neg().map(Num::Int).ok_or_else(|| error("too large for an integer")),
        Num::Float(x) => Ok(Num::Float(-x)),
    }
}
