//! Integers without a sign of 8 and 32 bits. Kernels compute them in wider ones, so they have to wrap where the program's do.
//!
//! Two integers are alike *modulo* a type if they are the same once both have wrapped to it. A sum or a product of such integers is
//! such an integer, so a kernel may wrap once after several ops. It has to wrap before anything else is done with the number.

use meshloom_kernels::{DType, Elem, ReduceKind};

/// Whether this is a type of integers that is computed in a wider one.
pub(crate) fn is_narrow(dtype: DType) -> bool {
    dtype.is_stored_only() && dtype.is_integer()
}

/// Whether the result modulo a type depends on the operands modulo that type alone.
pub(crate) fn is_modular(op: Elem) -> bool {
    use Elem::*;
    matches!(op, Add | Subtract | Multiply | Negate | And | Or | Xor | Not | Select)
}

/// Whether the result of operands of a type without a sign, computed in a wider type, is of the narrow type without wrapping.
pub(crate) fn stays(op: Elem) -> bool {
    use Elem::*;
    matches!(op, Maximum | Minimum | And | Or | Xor | Select | ShiftRightLogical | Popcnt | Compare(_))
}

/// Whether the reduction is modular.
pub(crate) fn accumulates(kind: ReduceKind) -> bool {
    matches!(kind, ReduceKind::Sum | ReduceKind::Prod)
}

/// Whether integers that are converted `from` one type `to` another on their way into a reduction may stay as they are, where the
/// result is of `dtype`.
pub(crate) fn flows(kind: ReduceKind, from: DType, to: DType, dtype: DType) -> bool {
    let widens = from == to || from.computed() == to || to.bytes() > from.bytes();
    if accumulates(kind) { from.bytes().min(to.bytes()) >= dtype.bytes() } else { widens }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_that_wrapped_is_no_part_of_a_wider_one() {
        assert!(!flows(ReduceKind::Sum, DType::U8, DType::I32, DType::I32));
        assert!(flows(ReduceKind::Sum, DType::U8, DType::I32, DType::U8));
        assert!(flows(ReduceKind::Sum, DType::I32, DType::U8, DType::U8));
        assert!(flows(ReduceKind::Max, DType::U8, DType::I32, DType::I32));
        assert!(!flows(ReduceKind::Max, DType::I32, DType::U8, DType::U8));
    }
}
