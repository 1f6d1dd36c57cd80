//! Tensors of planned programs by name, for those who ask about one: paths of parameters and state, one entry of a list
//! (`blocks.0.up`), names of intermediates, patterns.

use crate::pipeline::{Entry, Program};
use crate::{question, report};
use meshloom_ir::{Layout, Span};
use meshloom_plan::TensorPlan;
use meshloom_report::inspect::Subject;
use meshloom_syntax::ast::Glob;
use meshloom_syntax::elaborate;

/// A tensor, and which entry's.
pub struct Found<'a> {
    pub entry: &'a str,
    pub program: &'a Entry,
    pub tensor: &'a TensorPlan,
    /// The name as it was asked for, where it names one entry of a list.
    name: String,
    shape: Vec<u64>,
    layout: Layout,
}

impl<'a> Found<'a> {
    fn new(program: &'a Entry, tensor: &'a TensorPlan) -> Found<'a> {
        let (name, shape, layout) = (tensor.name.clone(), tensor.shape.clone(), tensor.layout.clone());
        Found { entry: &program.name, program, tensor, name, shape, layout }
    }

    /// One entry of a list.
    fn one(mut self, name: &str) -> Found<'a> {
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
pub fn find<'a>(program: &'a Program, name: &str) -> Vec<Found<'a>> {
    if name.is_empty() {
        return Vec::new();
    }
    let glob = Glob { span: Span::default(), segments: name.split('.').map(str::to_string).collect() };
    let mut out: Vec<Found<'a>> = Vec::new();
    for e in &program.entries {
        let tensors = e.plan.iter().flat_map(|p| &p.tensors).filter(|t| report::shown(t));
        let tensors = tensors.filter(|t| !question::is_stash(e.program(), t.global));
        for t in tensors {
            let found = if elaborate::matches(&glob, &t.name) {
                Found::new(e, t)
            } else if is_entry(name, t) {
                Found::new(e, t).one(name)
            } else {
                continue;
            };
            let same = |f: &Found<'_>| f.name == found.name && f.shape == found.shape && f.layout == found.layout;
            if !out.iter().any(same) {
                out.push(found);
            }
        }
    }
    out
}

/// Whether `blocks.0.up` is an entry of the list `blocks.*.up`.
pub fn is_entry(name: &str, t: &TensorPlan) -> bool {
    let (asked, has): (Vec<&str>, Vec<&str>) = (name.split('.').collect(), t.name.split('.').collect());
    let stacked = t.shape.first().filter(|_| has.contains(&"*"));
    let one = |(a, h): (&&str, &&str)| {
        a == h || (*h == "*" && a.parse::<u64>().is_ok_and(|i| stacked.is_some_and(|n| i < *n)))
    };
    stacked.is_some() && asked.len() == has.len() && asked.iter().zip(&has).all(one)
}

/// The name that was most likely meant.
pub fn nearest(program: &Program, name: &str) -> Option<String> {
    let plans = program.entries.iter().filter_map(|e| e.plan.as_ref());
    let names: Vec<&str> = plans.flat_map(|p| &p.tensors).map(|t| t.name.as_str()).collect();
    elaborate::nearest(name, names).map(str::to_string)
}
