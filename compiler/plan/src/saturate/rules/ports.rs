//! What enters and leaves regions. A repeat's body stands in the e-graph once: its arguments are leaves, and these rules
//! tie a leaf's layout to the layouts of what flows into it. Nothing is unrolled, so the depth of a model costs nothing; the
//! trip count is a weight in the search.

use super::rule::{Applies, Form, Goal, Rule, TensorSource};
use crate::saturate::program::{RegionPort, stacked, unstacked};
use meshloom_ir::{DType, Layout, Reduction};

pub const INPUT_PINS: Rule = Rule {
    name: "input-pins",
    law: "an input is there in the layouts that its annotation admits; an output that is its next value has the same",
    applies: Applies::Ports,
    expand: |goal, add| {
        if let TensorSource::Port(RegionPort::Input(i), _) = goal.source
            && goal.program.admits(i, goal.layout)
        {
            let updates = goal.program.func.outputs.iter().filter(|p| p.updates == Some(i));
            add(Form::Port(updates.map(|_| goal.layout.clone()).collect()));
        }
    },
};

pub const REGION_CARRIES: Rule = Rule {
    name: "region-carries",
    law: "a carry has one layout: where it starts, in the body, after each iteration, and as a result",
    applies: Applies::Ports,
    expand: |goal, add| whole(goal, |p| matches!(p, RegionPort::Carry(..)), add),
};

pub const REGION_SLICES: Rule = Rule {
    name: "region-slices",
    law: "a slice in layout L is a slice of the stack in layout [_, L]",
    applies: Applies::Ports,
    expand: |goal, add| whole(goal, |p| matches!(p, RegionPort::Slice(..)), add),
};

pub const REGION_INVARIANTS: Rule = Rule {
    name: "region-invariants",
    law: "an operand that all iterations share enters in any layout, and is converted once, outside",
    applies: Applies::Ports,
    expand: |goal, add| whole(goal, |p| matches!(p, RegionPort::Invariant(..)), add),
};

pub const REGION_STACKS: Rule = Rule {
    name: "region-stacks",
    law: "a stack of what the body yields in layout L has layout [_, L]",
    applies: Applies::Ports,
    expand: |goal, add| whole(goal, |p| matches!(p, RegionPort::Stack(..)), add),
};

pub const PARTIAL_PORTS: Rule = Rule {
    name: "partial-ports",
    law: "carries, slices, invariants and stacks may be partial: sums are finished once, outside the loop",
    applies: Applies::Ports,
    expand: |goal, add| {
        if let (TensorSource::Port(p, _), false) = (goal.source, goal.layout.partial.is_empty()) {
            // All devices ask the condition of a `while`, so it is whole.
            let asked = matches!(p, RegionPort::Carry(o, 0) if goal.program.func.op(o).op.ends_early());
            if !asked {
                form(goal, p, add);
            }
        }
    },
};

/// A device can make any shard of a tensor that depends on no input; which form it takes is decided where the local program
/// is written.
pub const GENERATE: Rule = Rule {
    name: "generate",
    law: "a tensor that depends on no input is there in every layout; partial only where it is a sum, with zeros on all devices but \
          one",
    applies: Applies::Generated,
    expand: |goal, add| {
        let partial = &goal.layout.partial;
        if partial.is_empty() || goal.ty.dtype != DType::Bool && partial.values().all(|&k| k == Reduction::Sum) {
            add(Form::Port(Vec::new()));
        }
    },
};

/// Ports in layouts that are not partial.
fn whole(goal: &Goal<'_>, mine: fn(RegionPort) -> bool, add: &mut dyn FnMut(Form)) {
    if let TensorSource::Port(p, _) = goal.source
        && mine(p)
        && goal.layout.partial.is_empty()
    {
        form(goal, p, add);
    }
}

/// What flows into a region's port when its value has layout `l`: for the argument of a carry its start and its next value,
/// for the result of a carry its argument.
fn form(goal: &Goal<'_>, p: RegionPort, add: &mut dyn FnMut(Form)) {
    let l = goal.layout;
    match p {
        RegionPort::Input(_) => {}
        // The result of a carry has one child, its argument; the saturator knows which of the two it asked for.
        RegionPort::Carry(o, i) => {
            let mut from = vec![l.clone(), l.clone()];
            if i > 0 && goal.program.func.op(o).op.ends_early() {
                from.push(Layout::replicated(0));
            }
            add(Form::Port(from));
        }
        RegionPort::Slice(..) => add(Form::Port(vec![stacked(l)])),
        RegionPort::Invariant(..) => add(Form::Port(vec![l.clone()])),
        RegionPort::Stack(..) => {
            if let Some(slice) = unstacked(l) {
                add(Form::Port(vec![slice]));
            }
        }
    }
}
