//! What `plan` shows: every named tensor with its layout and who decided it, and the totals.

use crate::Mode;
use crate::cost;
use crate::partition::{output_layout, why::CollectiveInfo};
use crate::saturate::program::SearchedProgram;
use crate::search::Solution;
use meshloom_ir::{DType, Func, Layout, Op, OpId, Port, Role, Span, ValueId, table};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DecidedBy {
    Annotation,
    Propagation,
    Search,
}

impl DecidedBy {
    pub fn name(self) -> &'static str {
        match self {
            DecidedBy::Annotation => "annotation",
            DecidedBy::Propagation => "propagation",
            DecidedBy::Search => "search",
        }
    }
}

/// A tensor of the global program that has a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TensorPlan {
    pub name: String,
    /// `None` for intermediates.
    pub role: Option<Role>,
    /// For optimizer state: the parameter that it belongs to.
    pub of: Option<String>,
    /// True for the program's outputs.
    pub is_output: bool,
    /// For a list in parts, whose layers have different layouts: the layer with which this part begins.
    pub first_layer: Option<u64>,
    pub global: ValueId,
    pub dtype: DType,
    pub shape: Vec<u64>,
    pub layout: Layout,
    pub local_shape: Vec<u64>,
    pub bytes_per_device: u64,
    /// It lies in the host's memory, and comes in slices while it is read and written.
    pub in_host: bool,
    pub decided_by: DecidedBy,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Totals {
    pub flops_per_device: u64,
    /// Summed over all devices: a whole number. One device's share is this over the mesh's size.
    pub mesh_wire_bytes: u64,
    pub wire_bytes_per_device: f64,
    pub compute_us: f64,
    pub communication_us: f64,
    /// Copies to and from the host's memory.
    pub host_us: f64,
    /// Communication and copies that run under computation.
    pub hidden_us: f64,
    /// `compute + communication + host - hidden`.
    pub predicted_step_us: f64,
    /// A lower bound on the time of every plan that the search knows, if it has one.
    pub lower_bound_us: Option<f64>,
    /// Communication by level of the target.
    pub levels: Vec<LevelTotals>,
}

/// A step's communication on one level of the network.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LevelTotals {
    pub communication_us: f64,
    /// Time of its collectives in which nothing is computed.
    pub exposed_us: f64,
}

/// What decides a layout that no annotation decides.
fn open(program: &SearchedProgram<'_>) -> DecidedBy {
    match program.mode {
        Mode::Follow => DecidedBy::Propagation,
        Mode::Search => DecidedBy::Search,
    }
}

/// The tensors of the given program, which are among the first `given` values.
pub fn tensors(program: &SearchedProgram<'_>, solution: &Solution, given: usize) -> Vec<TensorPlan> {
    let func = program.func;
    let mut out = Vec::new();
    for (i, &v) in func.body().args.iter().enumerate() {
        let p = &func.inputs[i];
        // State without an annotation takes its parameter's layout: that is propagation too.
        let by = if p.constraint.absent { open(program) } else { DecidedBy::Annotation };
        if let Some(l) = solution.native.get(&program.rep(v)) {
            let t = tensor(func, v, &p.name, Some(p.role), false, l, by, p.span);
            let first_layer = first_layer(&func.inputs, p);
            out.push(TensorPlan { of: p.of.clone(), first_layer, in_host: p.host, ..t });
        }
    }
    for &o in &program.order {
        let data = func.op(o);
        for &v in data.results.iter().filter(|v| v.index() < given) {
            let (Some(name), Some(l)) = (&func.value(v).name, solution.native.get(&program.rep(v))) else {
                continue;
            };
            let by = if matches!(data.op, Op::Constrain(_)) { DecidedBy::Annotation } else { open(program) };
            out.push(tensor(func, v, name, None, false, l, by, func.value(v).span));
        }
    }
    for (i, &v) in func.body().yields.iter().enumerate() {
        let p = &func.outputs[i];
        let by = if program.outputs[i].is_some() { DecidedBy::Annotation } else { open(program) };
        let l = output_layout(program, solution, i);
        let t = tensor(func, v, &p.name, Some(p.role), true, &l, by, p.span);
        out.push(TensorPlan { first_layer: first_layer(&func.outputs, p), ..t });
    }
    out
}

/// The layer that a port begins with, where others have the rest of the tensor.
fn first_layer(ports: &[Port], of: &Port) -> Option<u64> {
    let parts = ports.iter().any(|p| p.first_layer > 0 && (p.role, &p.name) == (of.role, &of.name));
    parts.then_some(of.first_layer)
}

#[expect(clippy::too_many_arguments, reason = "one line per field of what it makes")]
fn tensor(
    func: &Func,
    v: ValueId,
    name: &str,
    role: Option<Role>,
    is_output: bool,
    layout: &Layout,
    decided_by: DecidedBy,
    span: Span,
) -> TensorPlan {
    let ty = func.ty(v);
    let local_shape = layout.local_shape(&ty.shape, &func.mesh).unwrap_or_else(|| ty.shape.clone());
    let elements: u64 = local_shape.iter().product();
    TensorPlan {
        name: name.into(),
        role,
        of: None,
        is_output,
        first_layer: None,
        global: v,
        dtype: ty.dtype,
        shape: ty.shape.clone(),
        layout: layout.clone(),
        bytes_per_device: elements * ty.dtype.bytes(),
        local_shape,
        in_host: false,
        decided_by,
        span,
    }
}

/// Totals; and the times of each collective, which follow from the same timeline.
pub fn totals(model: &cost::Model, local: &Func, collectives: &mut [CollectiveInfo]) -> Totals {
    let mut t = Totals::default();
    for &o in &local.body().ops {
        t.flops_per_device = t.flops_per_device.saturating_add(table::flops(local, o));
    }
    for c in &*collectives {
        t.mesh_wire_bytes = t.mesh_wire_bytes.saturating_add(c.mesh_wire_bytes.saturating_mul(c.times_per_step));
    }
    t.wire_bytes_per_device = t.mesh_wire_bytes as f64 / local.mesh.devices() as f64;
    let timeline = cost::simulate_exposed(model, local);
    let us = |ps: u64| ps as f64 / 1e6;
    t.compute_us = us(timeline.compute_ps);
    t.communication_us = us(timeline.communication_ps);
    t.host_us = us(timeline.host_ps());
    t.hidden_us = us(timeline.hidden_ps);
    t.predicted_step_us = us(timeline.step_ps);
    let level = |&ps: &u64| LevelTotals { communication_us: us(ps), exposed_us: 0.0 };
    t.levels = timeline.levels_ps.iter().map(level).collect();
    let calls: BTreeMap<OpId, &cost::Call> = timeline.calls.iter().map(|c| (c.op, c)).collect();
    for c in collectives {
        if let Some(call) = calls.get(&c.op) {
            c.predicted_us = us(call.ps.saturating_mul(call.times));
            c.exposed_us = us(call.exposed_ps);
        }
        t.levels[model.level(&local.op(c.op).op)].exposed_us += c.exposed_us;
    }
    t
}
