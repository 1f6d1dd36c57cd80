//! What becomes of a program: its loops, its stacked parameters, its ops on stacks. [`super::analyze`] decides it.

use super::found::{Pack, RolledBody};
use super::number::Numbers;
use super::stacks::{StackId, Stacks};
use super::wiring::{Line, Loop};
use meshloom_ir::{Def, Func, OpId, Port, ValueId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub struct Analysis<'f> {
    pub func: &'f Func,
    pub numbers: Numbers,
    pub line: Line,
    pub loops: Vec<Loop>,
    pub bodies: Vec<RolledBody>,
    pub packs: Vec<Pack>,
    pub stacks: Stacks,
    /// Stacks that are inputs: which inputs of the program they are.
    pub groups: BTreeMap<StackId, Vec<usize>>,
    /// Stacks that an input is as it was given, read slice by slice.
    pub given: BTreeMap<StackId, ValueId>,
    /// By op: the loop that it is in.
    pub(super) looped: Vec<Option<usize>>,
    /// By number: the first value outside of loops that has it.
    pub(super) first: HashMap<u32, ValueId>,
    /// Why the longest stretch that was not rolled was not.
    pub left: Option<Left>,
}

/// Ops that repeat and are not rolled.
#[derive(Clone, Debug)]
pub struct Left {
    pub times: usize,
    pub ops: usize,
    pub why: String,
    pub at: OpId,
}

impl Analysis<'_> {
    /// The value that stands for `v` and all that are the same: the first one that no loop computes.
    pub fn same(&self, v: ValueId) -> ValueId {
        match self.func.def_op(v).and_then(|o| self.looped[o.index()]) {
            Some(_) => v,
            None => self.first.get(&self.numbers.of(v)).copied().unwrap_or(v),
        }
    }

    pub fn loop_of(&self, o: OpId) -> Option<usize> {
        self.looped[o.index()]
    }

    /// Makes one stacked input of inputs that are alike, unless they are one already, or a part of another.
    pub fn group(&mut self, values: &[ValueId]) -> bool {
        if self.stacks.find(values).is_some() {
            return true;
        }
        let port = |&v: &ValueId| match self.func.value(v).def {
            Def::Arg(_, i) if !self.grouped(v) => Some(i as usize),
            _ => None,
        };
        let Some(ports) = values.iter().map(port).collect::<Option<Vec<usize>>>() else { return false };
        let distinct: BTreeSet<usize> = ports.iter().copied().collect();
        let alike = |i: usize| {
            let (a, b) = (&self.func.inputs[ports[0]], &self.func.inputs[i]);
            let next = |i: usize| self.func.outputs.iter().find(|o| o.updates == Some(i)).map(kind);
            kind(a) == kind(b)
                && next(ports[0]) == next(i)
                && self.func.ty(values[0]) == self.func.ty(self.func.body().args[i])
        };
        if distinct.len() != ports.len() || ports.len() < 2 || !ports.iter().all(|&i| alike(i)) {
            return false;
        }
        let id = self.stacks.add(values.to_vec());
        self.groups.insert(id, ports);
        true
    }

    fn grouped(&self, v: ValueId) -> bool {
        self.stacks.places(v).iter().any(|(s, _)| self.groups.contains_key(s))
    }
}

/// What ports that become one must have in common.
fn kind(p: &Port) -> Port {
    let of = p.of.as_ref().map(|_| String::new());
    Port { name: String::new(), span: Default::default(), updates: p.updates.map(|_| 0), of, ..p.clone() }
}
