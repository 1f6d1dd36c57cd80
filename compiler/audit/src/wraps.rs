//! Integers of 8 bits, and those without a sign of 32. Kernels compute them in wider ones, so they have to wrap where the program's do.
//!
//! Two integers are alike *modulo* a type if they are the same once both have wrapped to it. A sum or a product of such integers is
//! such an integer, so a kernel may wrap once after several ops. It has to wrap before anything else is done with the number.

use meshloom_kernels::{DType, Elem, Reduction};

/// Whether this is a type of integers that is computed in a wider one.
pub(crate) fn is_narrow(dtype: DType) -> bool {
    dtype.is_stored_only() && dtype.is_int()
}

/// Whether the result modulo a type depends on the operands modulo that type alone.
pub(crate) fn is_modular(op: Elem) -> bool {
    use Elem::*;
    matches!(op, Add | Subtract | Multiply | Negate | And | Or | Xor | Not | Select)
}

/// Whether the result of operands of such a type, computed in a wider type, is of the narrow type without wrapping. Where the type has a
/// sign, that fills the bits above, so an op that looks at these is not what it is of the narrow type.
pub(crate) fn stays(op: Elem, dtype: DType) -> bool {
    use Elem::*;
    match op {
        Maximum | Minimum | And | Or | Xor | Select | Compare(_) => true,
        ShiftRightLogical | Popcnt => dtype != DType::I8,
        _ => false,
    }
}

/// Whether the reduction is modular.
pub(crate) fn accumulates(kind: Reduction) -> bool {
    matches!(kind, Reduction::Sum | Reduction::Prod)
}

/// Whether integers that are converted `from` one type `to` another on their way into a reduction may stay as they are, where the
/// result is of `dtype`. Negative numbers become large ones in a type without a sign, however wide.
pub(crate) fn flows(kind: Reduction, from: DType, to: DType, dtype: DType) -> bool {
    let widens =
        from == to || from.computed() == to || to.bytes() > from.bytes() && !(from == DType::I8 && to == DType::U32);
    if accumulates(kind) { from.bytes().min(to.bytes()) >= dtype.bytes() } else { widens }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bits_above_a_sign_are_not_seen() {
        assert!(stays(Elem::Popcnt, DType::U8) && stays(Elem::Maximum, DType::I8));
        assert!(!stays(Elem::Popcnt, DType::I8) && !stays(Elem::ShiftRightLogical, DType::I8));
        assert!(!stays(Elem::CountLeadingZeros, DType::U8));
    }

    #[test]
    fn a_sum_that_wrapped_is_no_part_of_a_wider_one() {
        assert!(!flows(Reduction::Sum, DType::U8, DType::I32, DType::I32));
        assert!(flows(Reduction::Sum, DType::U8, DType::I32, DType::U8));
        assert!(flows(Reduction::Sum, DType::I32, DType::U8, DType::U8));
        assert!(flows(Reduction::Max, DType::U8, DType::I32, DType::I32));
        assert!(!flows(Reduction::Max, DType::I32, DType::U8, DType::U8));
        assert!(flows(Reduction::Max, DType::I8, DType::I64, DType::I64));
        assert!(!flows(Reduction::Max, DType::I8, DType::U32, DType::U32));
        assert!(!flows(Reduction::Min, DType::I8, DType::U8, DType::U8));
    }
}
