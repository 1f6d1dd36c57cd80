//! Reductions of a [`ReduceKind`]: where they start, how two values are combined, and how the lanes of a vector are.

use super::{Builder, ElemKind, Ty, Val};
use crate::expr::ReduceKind;

impl Builder {
    /// The reduction of no values.
    pub fn identity(&mut self, kind: ReduceKind, ty: Ty) -> Val {
        let float = ty.kind.is_float();
        let x = match kind {
            ReduceKind::Sum | ReduceKind::Or => 0.0,
            ReduceKind::Prod => 1.0,
            ReduceKind::And => -1.0,
            ReduceKind::Max if float => f64::NEG_INFINITY,
            ReduceKind::Min if float => f64::INFINITY,
            ReduceKind::Max | ReduceKind::Min if ty.kind == ElemKind::I64 => {
                return self.int(ty, if kind == ReduceKind::Max { i64::MIN } else { i64::MAX });
            }
            ReduceKind::Max => f64::from(i32::MIN),
            ReduceKind::Min => f64::from(i32::MAX),
        };
        self.number(ty, x)
    }

    /// The reduction of two values, lane by lane.
    pub fn combine(&mut self, kind: ReduceKind, x: Val, y: Val) -> Val {
        let op = match (kind, self.ty(x).kind.is_float()) {
            (ReduceKind::Sum, true) => "addf",
            (ReduceKind::Sum, false) => "addi",
            (ReduceKind::Max, true) => "maximumf",
            (ReduceKind::Max, false) => "maxsi",
            (ReduceKind::Min, true) => "minimumf",
            (ReduceKind::Min, false) => "minsi",
            (ReduceKind::Prod, true) => "mulf",
            (ReduceKind::Prod, false) => "muli",
            (ReduceKind::And, _) => "andi",
            (ReduceKind::Or, _) => "ori",
        };
        self.binary(op, x, y)
    }

    /// The reduction of a vector's lanes.
    pub fn across(&mut self, kind: ReduceKind, v: Val) -> Val {
        let op = match (kind, self.ty(v).kind.is_float()) {
            (ReduceKind::Sum, _) => "add",
            (ReduceKind::Max, true) => "maximumf",
            (ReduceKind::Max, false) => "maxsi",
            (ReduceKind::Min, true) => "minimumf",
            (ReduceKind::Min, false) => "minsi",
            (ReduceKind::Prod, _) => "mul",
            (ReduceKind::And, _) => "and",
            (ReduceKind::Or, _) => "or",
        };
        self.reduction(op, v)
    }
}
