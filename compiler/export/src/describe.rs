//! A plan in PyTorch's words: what each axis of the mesh is for, what each module is, and what is sharded over data.
//!
//! Not here: the words of one stack (the writers).

use crate::lost::{self, Lost, some};
use crate::modules::{self, Module, Output, Style};
use crate::paths;
use meshloom_report::human::bytes;
use meshloom_report::{PlanReport, TensorReport};
use std::collections::BTreeSet;

/// A plan, described.
pub struct Description<'p> {
    pub plan: &'p PlanReport,
    pub parameters: Vec<&'p TensorReport>,
    pub modules: Vec<Module>,
    pub data: DataParallel,
    /// Axes that split modules, in the order of the mesh.
    pub tensor: Vec<String>,
    /// The axis over which norms and what lies between layers are split by the sequence.
    pub sequence: Option<String>,
    /// Paths of lists of layers.
    pub lists: Vec<String>,
    /// Layers are computed again in the backward pass.
    pub recomputes_layers: bool,
    /// Parameters and activations that lie otherwise than these words say.
    pub lost: Vec<Lost>,
}

/// Axes over which the batch is split.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataParallel {
    pub axes: Vec<String>,
    /// Those over which something is sharded.
    pub over: Vec<String>,
    pub sharded: Sharded,
    /// Parameters are gathered for the backward pass once more.
    pub again: bool,
}

/// What is sharded over data: ZeRO's stages 0, 1 and 3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharded {
    Nothing,
    State,
    Parameters,
}

/// Why a plan cannot be described.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undescribed {
    pub message: String,
    pub help: String,
}

impl<'p> Description<'p> {
    /// # Errors
    /// The plan is of no training step of a module, or its mesh has more axes for tensors than any stack has.
    pub fn of(plan: &'p PlanReport) -> Result<Description<'p>, Undescribed> {
        let parameters = parameters(plan);
        if parameters.is_empty() {
            let message = format!("the plan of `{}` has no parameters of a module of PyTorch", plan.entry);
            return Err(Undescribed {
                message,
                help: "give a train step of one: hf:FOLDER, or what it was traced to".into(),
            });
        }
        if plan.reads.is_empty() {
            let message = format!("the plan of `{}` does not say how parameters are read", plan.entry);
            return Err(Undescribed {
                message,
                help: "write the plan anew, with `meshloom plan --json` of this version".into(),
            });
        }
        let data = data(plan, &parameters);
        let tensor = tensor(plan, &data);
        let (modules, strange) = modules::modules(plan, &parameters, &tensor);
        let lists: BTreeSet<String> =
            parameters.iter().filter_map(|t| paths::list(&paths::pattern(&t.name)).map(String::from)).collect();
        let mut d = Description {
            plan,
            parameters,
            modules,
            data,
            tensor,
            sequence: None,
            lists: lists.into_iter().collect(),
            recomputes_layers: recomputes_layers(plan),
            lost: Vec::new(),
        };
        let mut found = sequence(&mut d);
        found.extend(unlike(&d, &strange));
        d.lost = found;
        Ok(d)
    }

    pub fn size(&self, axis: &str) -> u64 {
        self.plan.mesh.axes.iter().find(|a| a.name == axis).map_or(1, |a| a.size)
    }

    /// Devices along these axes together.
    pub fn product<'s>(&self, axes: impl IntoIterator<Item = &'s String>) -> u64 {
        axes.into_iter().map(|a| self.size(a)).fold(1, u64::saturating_mul)
    }

    /// The dim of a parameter of one layer that is sharded over data; 0 where dim 0 is, or the dim that counts layers.
    pub fn sharded_dim(&self, t: &TensorReport) -> Option<usize> {
        let first = usize::from(paths::is_stacked(&t.name));
        let at = t.layout.iter().position(|l| l.iter().any(|a| self.data.over.contains(a)))?;
        Some(at.saturating_sub(first))
    }

    /// Whether the loss is computed of logits that are split over the vocabulary.
    pub fn split_loss(&self) -> bool {
        self.modules.iter().any(|m| matches!(m.style, Style::Column { output: Output::Loss, .. }))
    }
}

/// Parameters of a module: those that the trace names so, or that its optimizer keeps moments of. A Loom program has structs of parameters
/// and no modules.
fn parameters(plan: &PlanReport) -> Vec<&TensorReport> {
    let traced = |t: &TensorReport| {
        let origin = t.source.as_ref().and_then(|s| s.origin.as_ref());
        origin.is_some_and(|o| o.name.starts_with("params["))
    };
    let moments = |t: &TensorReport| plan.tensors.iter().any(|m| m.name == format!("exp_avg.{}", t.name));
    let is = |t: &&TensorReport| t.role == "state" && (traced(t) || moments(t));
    plan.tensors.iter().filter(is).collect()
}

/// Inputs that are the batch: those of the step that have dims, but for a module's buffers.
pub fn batch(plan: &PlanReport) -> impl Iterator<Item = &TensorReport> {
    let is = |t: &&TensorReport| t.role == "input" && !t.name.starts_with("buffers.") && !t.shape.is_empty();
    plan.tensors.iter().filter(is)
}

/// The batch's axes, and what is sharded over them.
fn data(plan: &PlanReport, parameters: &[&TensorReport]) -> DataParallel {
    // Each input of the batch has its rows there: an axis that splits some of them alone is none of data.
    let batch: Vec<&TensorReport> = batch(plan).collect();
    let first = |t: &TensorReport| t.layout.first().cloned().unwrap_or_default();
    let everywhere = |axis: &String| !batch.is_empty() && batch.iter().all(|t| first(t).contains(axis));
    let names = plan.mesh.axes.iter().map(|a| a.name.clone());
    let axes: Vec<String> = names.filter(everywhere).filter(|a| !splits_modules(plan, parameters, a)).collect();
    let ordered = |set: &BTreeSet<&String>| {
        plan.mesh.axes.iter().map(|a| &a.name).filter(|a| set.contains(a)).cloned().collect::<Vec<String>>()
    };
    let over = |tensors: &mut dyn Iterator<Item = &TensorReport>| -> BTreeSet<String> {
        tensors.flat_map(|t| t.layout.iter().flatten()).filter(|a| axes.contains(a)).cloned().collect()
    };
    let of_parameters = over(&mut parameters.iter().copied());
    let of_state = over(&mut plan.tensors.iter().filter(|t| t.role == "state"));
    // By bytes: a few small tensors that are whole, or split, make no stage of ZeRO.
    let bytes = |t: &&&TensorReport| t.local_shape.iter().product::<u64>();
    let is_split = |t: &&&TensorReport| t.layout.iter().flatten().any(|a| axes.contains(a));
    let whole: u64 = parameters.iter().filter(|t| !is_split(t)).map(|t| bytes(&t)).sum();
    let sharded: u64 = parameters.iter().filter(is_split).map(|t| t.shape.iter().product::<u64>()).sum();
    let (sharded, over) = match sharded > whole {
        true => (Sharded::Parameters, of_parameters),
        false if !of_state.is_empty() => (Sharded::State, of_state),
        false => (Sharded::Nothing, BTreeSet::new()),
    };
    let over = ordered(&over.iter().collect());
    let again = again(plan, parameters, &over);
    DataParallel { axes, over, sharded, again }
}

/// Whether most of what lies split over an axis is computed with so, and not gathered: then the axis is of modules, even if rows are split
/// over it where modules are not.
fn splits_modules(plan: &PlanReport, parameters: &[&TensorReport], axis: &String) -> bool {
    let (mut split, mut gathered) = (0u64, 0u64);
    for t in parameters.iter().filter(|t| t.layout.iter().flatten().any(|a| a == axis)) {
        let mut reads = plan.reads.iter().filter(|r| r.tensor == t.name && r.op != "elementwise");
        let n = t.shape.iter().product::<u64>();
        match reads.any(|r| r.layout.iter().flatten().any(|a| a == axis)) {
            true => split = split.saturating_add(n),
            false => gathered = gathered.saturating_add(n),
        }
    }
    split > gathered
}

/// Whether most bytes are gathered at least twice a step.
fn again(plan: &PlanReport, parameters: &[&TensorReport], over: &[String]) -> bool {
    let (mut once, mut twice) = (0u64, 0u64);
    for t in parameters {
        let of = plan.gathers.iter().filter(|g| g.tensor == t.name && over.contains(&g.axis));
        match of.map(|g| g.times).max() {
            Some(n) if n > 1 => twice = twice.saturating_add(t.bytes_per_device),
            Some(_) => once = once.saturating_add(t.bytes_per_device),
            None => {}
        }
    }
    twice >= once
}

/// Axes of modules: those that split a parameter where it is read, or lies, and are none of the batch or of stages.
fn tensor(plan: &PlanReport, data: &DataParallel) -> Vec<String> {
    let read = plan.reads.iter().flat_map(|r| r.layout.iter().chain(&r.with));
    let lie = plan.tensors.iter().filter(|t| t.role == "state" || t.role == "parameter").flat_map(|t| &t.layout);
    let split: BTreeSet<&String> = read.chain(lie).flatten().collect();
    let stages = plan.pipeline.as_ref().map(|p| &p.axis);
    let axes = plan.mesh.axes.iter().map(|a| &a.name);
    axes.filter(|a| split.contains(a) && !data.axes.contains(a) && Some(*a) != stages).cloned().collect()
}

/// Whether most of what layers keep is recomputed.
fn recomputes_layers(plan: &PlanReport) -> bool {
    let sum = |recomputed: bool| {
        let of = plan.stashes.iter().filter(|s| s.recomputed == recomputed && s.iterations.of > 1);
        of.map(|s| s.bytes_per_device).sum::<u64>()
    };
    let full = plan.asked.iter().any(|a| a.setting == "recompute" && a.value == "full");
    full || (sum(true) > 0 && sum(true) > sum(false))
}

/// Norms whose input is split by the sequence: all of them make it sequence-parallel, some of them are lost.
fn sequence(d: &mut Description<'_>) -> Vec<Lost> {
    let norms: Vec<String> =
        d.modules.iter().filter(|m| matches!(m.style, Style::Norm { .. })).map(|m| m.path.clone()).collect();
    let mut split: Vec<(usize, String)> = Vec::new();
    let (mut whole, mut bytes_of_split) = (false, 0u64);
    for r in d.plan.reads.iter().filter(|r| r.op == "elementwise") {
        if !norms.contains(&paths::pattern(paths::split(&r.tensor).0)) {
            continue;
        }
        let dims = r.with.iter().enumerate();
        let found = dims.filter_map(|(i, l)| Some((i, l.iter().find(|a| d.tensor.contains(a))?.clone()))).next();
        match found {
            Some(at) => {
                bytes_of_split = bytes_of_split.saturating_add(r.result_bytes_per_device);
                split.push(at);
            }
            None => whole = true,
        }
    }
    split.sort();
    split.dedup();
    match &split[..] {
        [] => Vec::new(),
        [(1, axis)] if !whole && !d.lists.is_empty() => {
            d.sequence = Some(axis.clone());
            Vec::new()
        }
        _ => {
            let what = "what lies between layers is split over a tensor axis for some ops, and not by the sequence for all of them";
            vec![Lost::new(what, format!("{} more for each copy that is whole", lost::held(bytes_of_split)))]
        }
    }
}

/// Parameters and state that lie otherwise than the stack has them.
fn unlike(d: &Description<'_>, strange: &[String]) -> Vec<Lost> {
    let mut out = Vec::new();
    let of = |names: &[String]| {
        d.parameters.iter().filter(|t| names.contains(&t.name)).map(|t| t.bytes_per_device).sum::<u64>()
    };
    if !strange.is_empty() {
        let n = d.product(&d.tensor).saturating_sub(1);
        let cost = format!("{} more, and three times that with moments", lost::held(of(strange).saturating_mul(n)));
        let what = format!(
            "split over {}, and whole in the stack, since they are no matrices: {}",
            some(&d.tensor),
            some(strange)
        );
        out.push(Lost::new(what, cost));
    }
    if d.data.sharded == Sharded::Parameters {
        let whole: Vec<String> =
            d.parameters.iter().filter(|t| d.sharded_dim(t).is_none()).map(|t| t.name.clone()).collect();
        if !whole.is_empty() {
            out.push(Lost::new(
                format!("whole in the plan, and sharded and gathered with the others: {}", some(&whole)),
                format!("{} gathered", bytes(of(&whole) as f64)),
            ));
        }
    }
    let mut gathered: BTreeSet<&str> = BTreeSet::new();
    for g in d.plan.gathers.iter().filter(|g| d.tensor.contains(&g.axis)) {
        if d.parameters.iter().any(|t| t.name == g.tensor) {
            gathered.insert(&g.tensor);
        }
    }
    if !gathered.is_empty() {
        let names: Vec<String> = gathered.iter().map(ToString::to_string).collect();
        let what = format!(
            "gathered over {} before they are read, and computed with as they lie in the stack: {}",
            some(&d.tensor),
            some(&names)
        );
        out.push(Lost::new(
            what,
            format!("{} lie on a device; activations are exchanged instead", bytes(of(&names) as f64)),
        ));
    }
    out.extend(moments(d));
    let padded: Vec<String> =
        d.parameters.iter().filter(|t| t.padding.iter().any(|n| *n > 0)).map(|t| t.name.clone()).collect();
    if !padded.is_empty() {
        out.push(Lost::new(format!("split into uneven blocks: {}", some(&padded)), lost::held(of(&padded))));
    }
    out
}

/// Moments that are split more than their parameters, where parameters are sharded, or not at all.
fn moments(d: &Description<'_>) -> Vec<Lost> {
    let mut names = Vec::new();
    let mut n = 0u64;
    for t in d.plan.tensors.iter().filter(|t| t.role == "state") {
        let of = d.parameters.iter().find(|p| t.name.strip_suffix(p.name.as_str()).is_some_and(|s| s.ends_with('.')));
        let Some(of) = of else { continue };
        let more = t.layout.iter().flatten().filter(|a| !of.layout.iter().flatten().any(|b| b == *a));
        let more: u64 = more.map(|a| d.size(a)).product();
        if more > 1 && d.data.sharded == Sharded::Parameters {
            names.push(t.name.clone());
            n = n.saturating_add(t.bytes_per_device.saturating_mul(more - 1));
        }
    }
    match names.is_empty() {
        true => Vec::new(),
        false => vec![Lost::new(
            format!("split more than their parameters: {}", some(&names)),
            format!("{} more", lost::held(n)),
        )],
    }
}
