//! How two values are compared, with the names for it: in the op table and in kernels, in StableHLO, and in Loom's expressions and
//! assertions.

use crate::named;

named! {
    Comparison {
        Eq "compare_eq",
        Ne "compare_ne",
        Lt "compare_lt",
        Le "compare_le",
        Gt "compare_gt",
        Ge "compare_ge",
    }
}

impl Comparison {
    /// StableHLO's word.
    pub const fn direction(self) -> &'static str {
        self.spelled().0
    }

    pub const fn symbol(self) -> &'static str {
        self.spelled().1
    }

    const fn spelled(self) -> (&'static str, &'static str) {
        match self {
            Comparison::Eq => ("EQ", "=="),
            Comparison::Ne => ("NE", "!="),
            Comparison::Lt => ("LT", "<"),
            Comparison::Le => ("LE", "<="),
            Comparison::Gt => ("GT", ">"),
            Comparison::Ge => ("GE", ">="),
        }
    }

    /// Whether it holds of two values.
    pub fn holds<T: PartialOrd>(self, a: &T, b: &T) -> bool {
        match self {
            Comparison::Eq => a == b,
            Comparison::Ne => a != b,
            Comparison::Lt => a < b,
            Comparison::Le => a <= b,
            Comparison::Gt => a > b,
            Comparison::Ge => a >= b,
        }
    }
}
