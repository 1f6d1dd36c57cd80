//! The options of a planner.

use crate::cost::Target;
use meshloom_ir::{Func, OpId, Recompute};
use std::collections::BTreeSet;

/// The bounds on the work. They are counts, never seconds, so that a plan does not depend on the machine that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// E-nodes; beyond them tensors are only offered whole.
    pub nodes: usize,
    /// Layouts considered for one tensor.
    pub layouts: usize,
    /// How many axes of one dim stand in every order, on meshes of few axes.
    pub orders: usize,
    /// Changes forced by the search to leave a local minimum.
    pub perturbations: usize,
    /// Placements tried by the search, in all.
    pub moves: usize,
    /// States of the exact solution of small programs.
    pub states: usize,
    /// Whole programs that are timed near the best choices, in all.
    pub programs: usize,
    /// Parts of a budget that is in the way, under which plans are made too.
    pub smaller: usize,
    /// The most plans with a loop in two segments that are made of a program of many ops. If it is 0, no program has such
    /// plans.
    pub segments: usize,
    /// Sets of axes along which keys may go round that are tried, the outermost axes first.
    pub rings: usize,
}

impl Limits {
    /// A brief search, for plans that are only compared or composed from, and never run.
    pub const BRIEF: Limits = Limits {
        nodes: 3_000_000,
        layouts: 1024,
        orders: 3,
        perturbations: 60,
        moves: 400_000,
        states: 400_000,
        programs: 24,
        smaller: 0,
        segments: 5,
        rings: 1,
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            nodes: 3_000_000,
            layouts: 1024,
            orders: 3,
            perturbations: 2000,
            moves: 12_000_000,
            states: 400_000,
            programs: 220,
            smaller: 2,
            segments: 10,
            rings: 4,
        }
    }
}

meshloom_ir::named! {
    /// What decides the layouts that no annotation decides.
    #[derive(Default)]
    Mode {
        #[default]
        Follow "follow" "Annotations are followed, everything else is propagated",
        Search "search" "Everything open is chosen by predicted time under the memory budget",
    }
}

/// What a search minimises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objective {
    /// The predicted time of a step.
    Time,
    /// The same where every byte also passes a network of 1 Gbit/s: bytes on the wire count most. For devices that share
    /// memory, whose links say nothing about the machine that a plan is tried out for.
    Traffic,
}

#[derive(Clone, Debug, Default)]
pub struct PlanOptions {
    pub mode: Mode,
    /// By default [`Objective::Traffic`] for CPUs, whose devices share memory; else [`Objective::Time`].
    pub objective: Option<Objective>,
    /// Devices and links to plan for.
    pub target: Target,
    /// Bytes that a device may hold; the target's memory where absent.
    pub budget: Option<u64>,
    /// What is recomputed in the backward pass, for loops without a setting in the source and for values outside of
    /// loops.
    pub recompute: Recompute,
    /// The same for all loops, in place of the settings in the source.
    pub recompute_all: Option<Recompute>,
    /// Names of rules that are not applied ([`crate::saturate::rules::ALL`]); for tests, and for asking what a rule is worth.
    pub disabled_rules: BTreeSet<String>,
    /// Names of variants that are not tried ([`crate::variants::all`]).
    pub disabled_variants: BTreeSet<String>,
    /// A list that is cut into pipeline stages: no tensor is split along its layers.
    pub layers: Option<String>,
    /// The parts of that list from this layer on are on devices that have room: what they hold has no price.
    pub roomy: Option<u64>,
    /// Names of axes along which keys go round ([`crate::extend::ring`]), in every attention that can be computed so. `None`:
    /// where that is faster.
    pub ring: Option<Vec<String>>,
    pub limits: Limits,
}

impl PlanOptions {
    /// The setting for values outside of loops.
    pub fn recompute_outside(&self) -> Recompute {
        self.recompute_all.unwrap_or(self.recompute)
    }

    /// The setting for the values of the loop `o`.
    pub fn recompute_in(&self, func: &Func, o: OpId) -> Recompute {
        self.recompute_all.or(func.op(o).recompute).unwrap_or(self.recompute)
    }

    pub fn objective(&self) -> Objective {
        let usual = if self.target.arch.is_gpu() { Objective::Time } else { Objective::Traffic };
        self.objective.unwrap_or(usual)
    }
}
