//! An entry of a program as the phases before the planner leave it: a verified global function, with what its source says of stages
//! and memory.
//!
//! Not here: how a source becomes one (`driver::front`), and what an entry is behind the planner (`driver::program`).

use crate::pipelining::Stages;
use meshloom_bundle::EntryKind;
use meshloom_ir::{Func, Mesh, Span};
use meshloom_plan::PlanOptions;
use meshloom_source::entry::Memory;
use std::collections::BTreeMap;

/// An entry as a verified global function: what the front end gives.
#[derive(Clone)]
pub struct Elaborated {
    pub name: String,
    pub kind: EntryKind,
    pub span: Span,
    /// What the source says of memory.
    pub memory: Memory,
    /// The loss of a train entry, the function of another, as elaborated.
    pub elaborated: Func,
    /// The loss of a train entry where nothing is trained, if that is another program: one without dropout.
    pub evaluation: Option<Func>,
    /// The whole step: what is planned.
    pub global: Func,
    /// How its layers are split over an axis of the mesh; then `global` is on the mesh without that axis.
    pub pipeline: Option<Box<Stages>>,
    /// Its last microbatch is computed after the loop over the others ([`crate::last_apart`]).
    pub last_apart: bool,
    /// It stands in no source, but is the loss of a train entry: see `Program::add_evaluations` of the driver.
    pub derived: bool,
    /// For a train entry, the values of its settings, and of the dims and constants of the source.
    pub settings: BTreeMap<String, String>,
}

impl Elaborated {
    /// A function that no source says more of.
    pub fn function(func: Func) -> Elaborated {
        Elaborated {
            name: func.name.clone(),
            kind: EntryKind::Function,
            span: Span::default(),
            memory: Memory::default(),
            elaborated: func.clone(),
            evaluation: None,
            global: func,
            pipeline: None,
            last_apart: false,
            derived: false,
            settings: BTreeMap::new(),
        }
    }

    /// The names and types of its inputs and outputs, which are known before there is a plan.
    pub fn ports(&self) -> Vec<meshloom_bundle::Port> {
        meshloom_lower::declared(&self.global)
    }

    /// All devices: the mesh of its step, and the axis of its pipeline.
    pub fn mesh(&self) -> &Mesh {
        self.pipeline.as_ref().map_or(&self.global.mesh, |p| &p.mesh)
    }

    /// Whether it runs in the stages of a train entry, which says how many layers each has.
    pub fn follows(&self) -> bool {
        self.derived && self.pipeline.is_some()
    }

    /// Options of its plan: what its `train` says of memory holds where the caller says nothing.
    pub fn plan_options(&self, options: &PlanOptions) -> PlanOptions {
        let said = self.memory;
        PlanOptions {
            budget: options.budget.or(said.budget),
            recompute: said.recompute.unwrap_or(options.recompute),
            layers: self.pipeline.as_ref().map(|of| of.list.clone()),
            ..options.clone()
        }
    }
}
