//! What is found in a program that is rolled: bodies of loops, and ops on stacks.

use super::stacks::StackId;
use meshloom_ir::{OpId, ValueId};

/// An operand in a body.
#[derive(Clone, Debug)]
pub enum OperandSource {
    /// Result `1` of the op at place `0`.
    Here(usize, usize),
    /// An argument, by its place among those of its kind.
    Carry(usize),
    Entry(usize),
    Invariant(usize),
    /// Made anew from constants.
    Closed(ValueId),
    /// Made anew from what the body has anyway, as this op does it: not worth a stack. Its place among what is.
    Sunk(usize, OpId, Vec<OperandSource>),
}

/// What goes from one iteration to the next: result `1` of the op at place `0`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Carry {
    pub from: (usize, usize),
    pub init: ValueId,
}

#[derive(Clone, Debug, Default)]
pub struct RolledBody {
    pub carries: Vec<Carry>,
    /// Of each tensor that the loop goes through: its entries, as the iterations read them.
    pub entries: Vec<Vec<ValueId>>,
    pub invariants: Vec<ValueId>,
    /// By place and operand.
    pub sources: Vec<Vec<OperandSource>>,
    /// Iteration 0 is the last entry of the stacks: it runs backwards through what another loop has written.
    pub reverse: bool,
    /// Carries whose values before each iteration others read, and their stacks.
    pub before: Vec<(usize, StackId)>,
    /// Values of the body that others read, and their stacks.
    pub stacked: Vec<((usize, usize), StackId)>,
}

/// An operand of a pack.
#[derive(Clone, Debug)]
pub enum PackOperand {
    /// The same for all entries.
    Shared(ValueId),
    Stack(StackId),
}

#[derive(Clone, Debug)]
pub struct Pack {
    /// The op of each entry.
    pub ops: Vec<OpId>,
    pub operands: Vec<PackOperand>,
    pub result: StackId,
}
