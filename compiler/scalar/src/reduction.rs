//! How many values become one: in reductions of tensors and of kernels, in collectives, and of the parts of a partial value.
//!
//! Not here: identities and steps, which the interpreters, the kernels and the runtime each have.

use crate::DType;
use crate::named;

named! {
    Reduction {
        Sum "sum",
        Max "max",
        Min "min",
        Prod "prod",
        /// Bit by bit, of integers.
        And "and",
        Or "or",
    }
}

impl Reduction {
    /// The elementwise op of two operands that it repeats.
    pub fn elementwise(self) -> &'static str {
        match self {
            Reduction::Sum => "add",
            Reduction::Max => "maximum",
            Reduction::Min => "minimum",
            Reduction::Prod => "multiply",
            Reduction::And => "and",
            Reduction::Or => "or",
        }
    }

    /// Whether a value combined with itself is itself.
    pub fn is_idempotent(self) -> bool {
        !matches!(self, Reduction::Sum | Reduction::Prod)
    }

    /// And and or are of bits, which floats are not asked for.
    pub fn is_for(self, dtype: DType) -> bool {
        dtype.is_int() || dtype.is_float() && !matches!(self, Reduction::And | Reduction::Or)
    }
}
