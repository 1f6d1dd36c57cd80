//! Alternatives before layouts: the global program with further ops, which compute tensors that it already has in other ways.
//! Equalities stand beside the program, each with its law. The search decides which form is used, as it decides everything else.
//!
//! The given program is a prefix: its values, ops and regions keep their ids, and what is added stands at the end of its
//! region. Additions that nothing reads cost nothing; partition writes only what was chosen.
//!
//! Not here: layouts (`saturate`), and the laws' own checks (`certify`).

pub mod algebra;
pub mod prepared;
pub mod recompute;
pub mod ring;

use meshloom_ir::{Func, OpId, ValueId};

/// The rule that recognises composites in what is written op by op.
pub const RECOGNITION: &str = "attention";

/// A program with alternatives.
#[derive(Clone, Debug)]
pub struct Extended {
    pub func: Func,
    pub equal: Vec<Equal>,
    /// Composites, and transposes of what they give, that replace what else gives their results.
    pub preferred: Vec<OpId>,
}

/// `a` and `b` are one tensor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Equal {
    pub a: ValueId,
    pub b: ValueId,
    /// Name of the law, among `meshloom_certify`'s.
    pub law: &'static str,
}

impl Extended {
    /// The program as it is given.
    pub fn new(func: Func) -> Extended {
        Extended { func, equal: Vec::new(), preferred: Vec::new() }
    }
}
