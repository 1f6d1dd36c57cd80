//! Where the walk stands: what a device has of each value, what was done at boundaries, and what was refused.

use crate::boundary::Done;
use crate::local::Local;
use crate::places::{Mark, Place};
use crate::refusal::PlanRefusal;
use crate::styles::Styled;
use crate::tensor::LocalTensor;
use crate::tree::Modules;
use meshloom_ir::{Assignment, Func, Layout, OpId, Span, ValueId};
use std::collections::{BTreeMap, BTreeSet};

pub struct Walk<'a> {
    pub func: &'a Func,
    pub modules: &'a Modules,
    pub place: &'a dyn Fn(Span) -> Option<Place>,
    pub styled: &'a Styled,
    pub local: Local<'a>,
    /// By value; nothing where something before was refused.
    pub held: Vec<Option<LocalTensor>>,
    pub assigned: BTreeMap<OpId, Assignment>,
    /// Values that repeat themselves, in further layouts.
    pub forms: BTreeMap<(ValueId, Layout), ValueId>,
    /// What was done at each boundary, once for each call of its module.
    pub done: BTreeMap<Mark, Vec<Vec<Done>>>,
    /// Values at boundaries with a style: they are as the style has them.
    pub bounded: BTreeSet<ValueId>,
    pub refusals: Vec<PlanRefusal>,
    pub warnings: Vec<String>,
}

impl Walk<'_> {
    pub fn refuse(&mut self, module: &str, op: Option<String>, text: impl Into<String>) {
        self.refuse_at(module, op, None, text);
    }

    pub fn refuse_at(&mut self, module: &str, op: Option<String>, line: Option<String>, text: impl Into<String>) {
        let line = line.filter(|l| !l.is_empty());
        self.refusals.push(PlanRefusal { op, line, ..PlanRefusal::new(module, text) });
    }

    pub fn place_of(&self, o: OpId) -> Option<Place> {
        (self.place)(self.func.op(o).span)
    }
}
