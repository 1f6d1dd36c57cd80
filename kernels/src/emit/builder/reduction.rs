//! Reductions of a [`Reduction`]: where they start, how two values are combined, and how the lanes of a vector are.

use super::{Builder, ElemKind, Ty, Val};
use crate::expr::Reduction;

impl Builder {
    /// The reduction of no values.
    pub fn identity(&mut self, kind: Reduction, ty: Ty) -> Val {
        let float = ty.kind.is_float();
        let x = match kind {
            Reduction::Sum | Reduction::Or => 0.0,
            Reduction::Prod => 1.0,
            Reduction::And => -1.0,
            Reduction::Max if float => f64::NEG_INFINITY,
            Reduction::Min if float => f64::INFINITY,
            Reduction::Max | Reduction::Min if ty.kind == ElemKind::I64 => {
                return self.int(ty, if kind == Reduction::Max { i64::MIN } else { i64::MAX });
            }
            Reduction::Max => f64::from(i32::MIN),
            Reduction::Min => f64::from(i32::MAX),
        };
        self.number(ty, x)
    }

    /// The reduction of two values, lane by lane.
    pub fn combine(&mut self, kind: Reduction, x: Val, y: Val) -> Val {
        let op = match (kind, self.ty(x).kind.is_float()) {
            (Reduction::Sum, true) => "addf",
            (Reduction::Sum, false) => "addi",
            (Reduction::Max, true) => "maximumf",
            (Reduction::Max, false) => "maxsi",
            (Reduction::Min, true) => "minimumf",
            (Reduction::Min, false) => "minsi",
            (Reduction::Prod, true) => "mulf",
            (Reduction::Prod, false) => "muli",
            (Reduction::And, _) => "andi",
            (Reduction::Or, _) => "ori",
        };
        self.binary(op, x, y)
    }

    /// The reduction of a vector's lanes.
    pub fn across(&mut self, kind: Reduction, v: Val) -> Val {
        let op = match (kind, self.ty(v).kind.is_float()) {
            (Reduction::Sum, _) => "add",
            (Reduction::Max, true) => "maximumf",
            (Reduction::Max, false) => "maxsi",
            (Reduction::Min, true) => "minimumf",
            (Reduction::Min, false) => "minsi",
            (Reduction::Prod, _) => "mul",
            (Reduction::And, _) => "and",
            (Reduction::Or, _) => "or",
        };
        self.reduction(op, v)
    }
}
