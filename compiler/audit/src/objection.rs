//! What an audit says.

use meshloom_bundle::program::SourcePlace;
use std::fmt;

/// What was found of a program in which nothing is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Audit {
    /// Launches, fills and collectives that were run, each once for each iteration of the loops around it.
    pub steps: usize,
    /// The comparisons of terms that the launch with the most of them took.
    pub work: u32,
    /// What is not proved, and why; empty of a program that is proved.
    pub unfollowed: Vec<Objection>,
}

impl Audit {
    pub fn is_proved(&self) -> bool {
        self.unfollowed.is_empty()
    }
}

/// Something that is wrong with an executable program, or that is not known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objection {
    /// The instruction it is about, counting loops as one.
    pub instruction: Option<usize>,
    pub source: Option<SourcePlace>,
    pub message: String,
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(s) = &self.source {
            write!(f, "{s}: ")?;
        }
        if let Some(i) = self.instruction {
            write!(f, "instruction {i}: ")?;
        }
        f.write_str(&self.message)
    }
}
