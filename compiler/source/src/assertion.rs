//! What a source asserts of its plan (`assert wire_bytes(data) <= 3 MiB`), with names resolved.
//!
//! Not here: how an assertion is written (`syntax`), and whether a plan keeps it (`driver::assert`).

use crate::glob::Glob;
use meshloom_ir::{Axis, Comparison, Constraint, Phase, Span};

/// A checked `assert`.
#[derive(Clone, PartialEq, Debug)]
pub struct Assert {
    /// The item.
    pub span: Span,
    pub check: Check,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Check {
    Absent {
        /// `None` for collectives of any kind.
        kind: Option<String>,
        axis: Option<Axis>,
        scope: Scope,
    },
    Bound {
        quantity: Quantity,
        op: Comparison,
        value: f64,
    },
    Layout {
        glob: Glob,
        /// For a tensor of a list: of one entry.
        constraint: Constraint,
    },
}

/// Where a collective must not be.
#[derive(Clone, PartialEq, Debug)]
pub enum Scope {
    Everywhere,
    Phase(Phase),
    Entry(String),
    /// The bodies of a function and of those that it calls.
    Bodies(Vec<Span>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Quantity {
    /// Per device and step, over all axes or those with one.
    WireBytes(Option<Axis>),
    PeakBytes,
    /// Executions in one step.
    Collectives {
        kind: Option<String>,
        axis: Option<Axis>,
    },
    /// Pipeline stages of a `train`, of any list or the one with this path; 1 where nothing is split.
    Stages(Option<Name>),
    /// The share of its time that the rank waits which waits longest, at unit times; 0 without stages.
    Bubble,
}

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

impl Quantity {
    pub fn is_bytes(&self) -> bool {
        matches!(self, Quantity::WireBytes(_) | Quantity::PeakBytes)
    }
}
