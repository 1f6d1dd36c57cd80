//! Tensors of planned programs by name, for those who ask about one: paths of parameters and state, one entry of a list
//! (`blocks.0.up`), names of intermediates, patterns.

use crate::program::{HasPlan, Planned, Program};
use crate::report;
pub use crate::tensors::nearest;
use crate::tensors::{is_entry, is_stash};
use meshloom_ir::Layout;
use meshloom_plan::TensorPlan;
use meshloom_report::inspect::Subject;
use meshloom_source::Glob;

/// A tensor, and which entry's.
pub struct FoundTensor<'a> {
    pub entry: &'a str,
    pub program: &'a Planned,
    pub tensor: &'a TensorPlan,
    /// The name, as the user gave it if it names one entry of a list.
    name: String,
    shape: Vec<u64>,
    layout: Layout,
}

impl<'a> FoundTensor<'a> {
    fn new(program: &'a Planned, tensor: &'a TensorPlan) -> FoundTensor<'a> {
        let (name, shape, layout) = (tensor.name.clone(), tensor.shape.clone(), tensor.layout.clone());
        FoundTensor { entry: &program.name, program, tensor, name, shape, layout }
    }

    /// One entry of a list.
    fn one(mut self, name: &str) -> FoundTensor<'a> {
        self.name = name.into();
        self.shape.remove(0);
        self.layout.dims.remove(0);
        self
    }

    pub fn subject(&self) -> Subject<'_> {
        Subject {
            name: self.name.clone(),
            dtype: self.tensor.dtype,
            shape: &self.shape,
            layout: &self.layout,
            mesh: &self.program.global.mesh,
        }
    }
}

/// All tensors that a name or pattern means, each entry's own. The same tensor of several entries, laid out alike, is found
/// once.
pub fn find<'a, E: HasPlan>(program: &'a Program<E>, name: &str) -> Vec<FoundTensor<'a>> {
    if name.is_empty() {
        return Vec::new();
    }
    let glob = Glob::new(name);
    let mut out: Vec<FoundTensor<'a>> = Vec::new();
    for e in program.entries.iter().map(HasPlan::planned) {
        let tensors = e.plan.tensors.iter().filter(|t| report::shown(t));
        let tensors = tensors.filter(|t| !is_stash(e.program(), t.global));
        for t in tensors {
            let found = if glob.matches(&t.name) {
                FoundTensor::new(e, t)
            } else if is_entry(name, t) {
                FoundTensor::new(e, t).one(name)
            } else {
                continue;
            };
            let same = |f: &FoundTensor<'_>| f.name == found.name && f.shape == found.shape && f.layout == found.layout;
            if !out.iter().any(same) {
                out.push(found);
            }
        }
    }
    out
}
