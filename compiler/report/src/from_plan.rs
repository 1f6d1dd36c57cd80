//! The report of a plan, with the names of axes, files and lines in place of ids.

use crate::model::{
    AxisSize, CertificateReport, CollectiveReport, EndReport, ExpandedReport, GatherReport, Iterations, MeshReport,
    PartialAxis, PlanReport, ReadReport, SCHEMA, SourcePlace, StashReport, TensorReport, TotalsReport,
};
use crate::text::{groups, snippet};
use crate::tried::{MoveReport, TriedReport, told};
use meshloom_ir::{Axis, Layout, Mesh, Role, Span};
use meshloom_plan::reads::End;
use meshloom_plan::{Plan, TensorPlan};

/// What the report needs and the planner does not know.
pub struct ReportContext<'a> {
    pub entry: &'a str,
    pub target: &'a str,
    /// The place of a span; `None` where it points nowhere.
    pub locate: &'a dyn Fn(Span) -> Option<SourcePlace>,
    /// Steps of the certificate, and whether the checker accepted them.
    pub certificate: CertificateReport,
    /// From the schedule, where there is one.
    pub peak_bytes_per_device: Option<u64>,
    pub host_bytes_per_device: Option<u64>,
    pub lower_bound_us: Option<f64>,
    /// Known once the program is scheduled.
    pub expanded: Vec<ExpandedReport>,
}

/// A mesh as reports have it.
pub fn mesh(mesh: &Mesh) -> MeshReport {
    MeshReport {
        axes: mesh.axes.iter().map(|(name, size)| AxisSize { name: name.clone(), size: *size }).collect(),
        devices: mesh.devices(),
    }
}

pub fn from_plan(plan: &Plan, cx: &ReportContext<'_>) -> PlanReport {
    let mesh = &plan.local.mesh;
    let collectives = plan.collectives.iter().map(|c| CollectiveReport {
        number: 0,
        op: c.does.name().into(),
        axes: names(mesh, &c.axes),
        group_size: c.group_size,
        dtype: c.dtype.name().into(),
        bytes: c.bytes,
        wire_bytes_per_device: c.wire_bytes_per_device,
        times_per_step: c.times_per_step,
        phase: c.phase.name().into(),
        stage: None,
        rank: None,
        predicted_us: c.predicted_us,
        exposed_us: c.exposed_us,
        why: c.why.told(&|span| (cx.locate)(span).map(|place| snippet(&place.text))),
        source: (cx.locate)(c.span),
    });
    let mut collectives: Vec<CollectiveReport> = collectives.collect();
    number(&mut collectives);
    let stashes = plan.stashes.iter().map(|s| StashReport {
        name: s.name.clone(),
        bytes_per_device: s.bytes_per_device,
        recomputed: s.rematerialized,
        iterations: Iterations { from: s.iterations.start, to: s.iterations.end, of: s.of, list: s.list.clone() },
        source: (cx.locate)(s.span),
    });
    let (reads, gathers) = read(plan, cx);
    PlanReport {
        schema: SCHEMA,
        entry: cx.entry.into(),
        mesh: self::mesh(mesh),
        target: cx.target.into(),
        tensors: plan.tensors.iter().filter(|t| !is_next_value(t)).map(|t| tensor(t, mesh, cx.locate)).collect(),
        collectives,
        reads,
        gathers,
        stashes: stashes.collect(),
        expanded: cx.expanded.clone(),
        limits: plan.stats.limits_hit.clone(),
        tried: told(&plan.tried).map(TriedReport::of).collect(),
        moves: MoveReport::all(&plan.moves),
        asked: Vec::new(),
        last_apart: false,
        totals: TotalsReport {
            flops_per_device: plan.totals.flops_per_device,
            wire_bytes_per_device: plan.totals.wire_bytes_per_device,
            peak_bytes_per_device: cx.peak_bytes_per_device,
            host_bytes_per_device: cx.host_bytes_per_device,
            predicted_step_us: plan.totals.predicted_step_us,
            lower_bound_us: cx.lower_bound_us,
            ..TotalsReport::default()
        },
        levels: Vec::new(),
        pipeline: None,
        certificate: cx.certificate.clone(),
    }
}

/// How parameters are read and gathered, by their names.
fn read(plan: &Plan, cx: &ReportContext<'_>) -> (Vec<ReadReport>, Vec<GatherReport>) {
    let mesh = &plan.local.mesh;
    // JAX says in the names of places which ops are of its backward pass.
    let is_backward = |span| (cx.locate)(span).and_then(|p| p.origin).is_some_and(|o| o.name.contains("transpose("));
    let (reads, gathers) = meshloom_plan::reads::reads(plan, &is_backward);
    let name = |i: usize| plan.local.inputs.get(i).map_or_else(String::new, |p| p.name.clone());
    let dims = |dims: &[Vec<Axis>]| dims.iter().map(|axes| names(mesh, axes)).collect::<Vec<_>>();
    let reads = reads.iter().map(|r| ReadReport {
        tensor: name(r.input),
        op: r.kind.name().into(),
        contracted: r.contracted.iter().map(|d| *d as u64).collect(),
        layout: dims(&r.layout),
        gathered: r.gathered.iter().map(|a| mesh.name(*a).to_string()).collect(),
        with: dims(&r.with.dims),
        result: dims(&r.result.dims),
        partial: r.result.partial.keys().map(|a| mesh.name(*a).to_string()).collect(),
        result_bytes_per_device: r.result_bytes,
        ends: r.ends.iter().map(|e| end(e, mesh, &name)).collect(),
        only_contracted: r.only_contracted,
        source: (cx.locate)(r.span),
    });
    let gathers = gathers.into_iter().map(|((i, axis), times)| GatherReport {
        tensor: name(i),
        axis: mesh.name(axis).to_string(),
        times,
    });
    (reads.collect(), gathers.collect())
}

fn end(e: &End, mesh: &Mesh, name: &dyn Fn(usize) -> String) -> EndReport {
    EndReport {
        axis: mesh.name(e.axis).to_string(),
        contracted_with: e.contracted_with.iter().map(|i| name(*i)).collect(),
        reduced: e.reduced,
        exchanged: e.exchanged,
    }
}

/// Gives each collective the number of its row.
pub fn number(collectives: &mut [CollectiveReport]) {
    let rows: Vec<Vec<usize>> = groups(collectives).into_iter().map(|g| g.members).collect();
    for (i, members) in rows.into_iter().enumerate() {
        members.into_iter().for_each(|m| collectives[m].number = i as u64 + 1);
    }
}

/// The next value of a parameter or of state has the memory and layout of the value; it is shown once.
fn is_next_value(t: &TensorPlan) -> bool {
    t.is_output && matches!(t.role, Some(Role::Parameter | Role::State))
}

/// A tensor of a plan; the place of its span comes through a function.
pub fn tensor(t: &TensorPlan, mesh: &Mesh, locate: &dyn Fn(Span) -> Option<SourcePlace>) -> TensorReport {
    let role = match t.role {
        Some(Role::Parameter) => "parameter",
        Some(Role::State) => "state",
        Some(Role::Input) => "input",
        Some(_) => "output",
        None => "activation",
    };
    TensorReport {
        name: match (t.first_layer, t.shape.first()) {
            (Some(first), Some(n)) => part_name(&t.name, first, *n),
            _ => t.name.clone(),
        },
        role: role.into(),
        of: t.of.clone(),
        dtype: t.dtype.name().into(),
        shape: t.shape.clone(),
        layout: t.layout.dims.iter().map(|axes| names(mesh, axes)).collect(),
        partial: partial(&t.layout, mesh),
        local_shape: t.local_shape.clone(),
        padding: padding(t, mesh),
        stage: None,
        ranks: Vec::new(),
        bytes_per_device: t.bytes_per_device,
        in_host: t.in_host,
        decided_by: t.decided_by.name().into(),
        rule: None,
        source: locate(t.span),
    }
}

/// `blocks[0..2].up`: some layers of `blocks.*.up`, as layout blocks write them.
pub fn part_name(name: &str, first: u64, layers: u64) -> String {
    let which = if layers == 1 { format!("[{first}]") } else { format!("[{first}..{}]", first + layers) };
    name.replacen(".*", &which, 1)
}

pub(crate) fn names(mesh: &Mesh, axes: &[Axis]) -> Vec<String> {
    axes.iter().map(|&a| mesh.name(a).to_string()).collect()
}

fn partial(l: &Layout, mesh: &Mesh) -> Vec<PartialAxis> {
    let one = |(&a, r): (&Axis, &meshloom_ir::Reduction)| PartialAxis {
        axis: mesh.name(a).to_string(),
        reduction: r.name().to_string(),
    };
    l.partial.iter().map(one).collect()
}

fn padding(t: &TensorPlan, mesh: &Mesh) -> Vec<u64> {
    let blocks = t.local_shape.iter().zip(&t.layout.dims).map(|(n, axes)| n * mesh.group_size(axes));
    blocks.zip(&t.shape).map(|(held, n)| held.saturating_sub(*n)).collect()
}
