//! Why each collective is there: the op that left sums partial, or the op that needs a dim replicated. Dims are named by their
//! subscripts.

use super::LocalProgram;
use crate::OpOrigin;
use crate::cost;
use crate::program::SearchedProgram;
use crate::saturate::rules;
use crate::search::Solution;
use crate::search::problem::SiteSource;
use meshloom_ir::layout::Slot;
use meshloom_ir::{Axis, DType, Def, FactorKind, Func, Layout, Op, OpId, Phase, RegionId, Span, ValueId};

/// One collective of the local program.
#[derive(Clone, PartialEq, Debug)]
pub struct CollectiveInfo {
    /// The op of the local program.
    pub op: OpId,
    pub kind: &'static str,
    pub axes: Vec<Axis>,
    pub group_size: u64,
    pub dtype: DType,
    /// One device's full buffer, once.
    pub bytes: u64,
    /// Bytes of one execution, summed over all devices of the mesh: a whole number.
    pub mesh_wire_bytes: u64,
    /// Bytes of one device in one step.
    pub wire_bytes_per_device: f64,
    pub times_per_step: u64,
    pub phase: Phase,
    /// The global tensor that it converts.
    pub global: ValueId,
    pub tensor: String,
    /// The rule that put it there.
    pub rule: &'static str,
    /// The op that is the reason: it left the sums partial, or needs the dim whole.
    pub cause: Option<OpId>,
    pub why: String,
    /// Of all executions. Of collectives that start as one, the first has the latency of all.
    pub predicted_us: f64,
    /// For how long of the time of all executions nothing is computed.
    pub exposed_us: f64,
    pub span: Span,
}

/// All collectives in the order of the local program.
pub fn collectives(program: &SearchedProgram<'_>, solution: &Solution, local: &LocalProgram) -> Vec<CollectiveInfo> {
    let mut out = Vec::new();
    walk(program, solution, local, (Func::BODY, 1), &mut out);
    out
}

fn walk(
    program: &SearchedProgram<'_>,
    solution: &Solution,
    local: &LocalProgram,
    (r, times): (RegionId, u64),
    out: &mut Vec<CollectiveInfo>,
) {
    for &o in &local.func.region(r).ops {
        let data = local.func.op(o);
        if let Op::Repeat { .. } = data.op {
            walk(program, solution, local, (data.regions[0], times.saturating_mul(data.op.iterations())), out);
        }
        if data.op.communicates() {
            out.extend(info(program, solution, local, o, times));
        }
    }
}

fn info(
    program: &SearchedProgram<'_>,
    solution: &Solution,
    local: &LocalProgram,
    o: OpId,
    times: u64,
) -> Option<CollectiveInfo> {
    let (mesh, data) = (&program.func.mesh, local.func.op(o));
    let (v, written) = match *local.origins.get(o.index())? {
        OpOrigin::Reshard(v) => (v, None),
        OpOrigin::Op(g) => (program.func.op(g).results[0], Some(g)),
    };
    let operand = local.func.ty(data.operands[0]);
    let axes = data.op.collective_axes()?.to_vec();
    let from = local.func.value(data.operands[0]).layout.clone()?;
    let to = local.func.value(data.results[0]).layout.clone()?;
    let total = cost::wire_bytes(&data.op, operand, mesh);
    let share = total as f64 / mesh.devices() as f64;
    let group_size = mesh.group_size(&axes);
    let reason = Reason { program, solution };
    let (cause, why) = match written {
        None => reason.of(v, &data.op, &from, &to),
        Some(g) => (Some(g), format!("each device of {} passes on what it has", reason.axes(&axes))),
    };
    Some(CollectiveInfo {
        op: o,
        kind: data.op.name(),
        group_size,
        dtype: operand.dtype,
        bytes: cost::buffer_bytes(&data.op, operand, mesh),
        mesh_wire_bytes: total,
        wire_bytes_per_device: share * times as f64,
        times_per_step: times,
        phase: data.phase,
        global: v,
        tensor: program.name(v),
        rule: rule_of(&data.op),
        cause,
        why,
        predicted_us: 0.0,
        exposed_us: 0.0,
        span: place(program, v, cause),
        axes,
    })
}

/// The source line of the tensor, or of what caused the conversion where the tensor has none.
fn place(program: &SearchedProgram<'_>, v: ValueId, cause: Option<OpId>) -> Span {
    let own = match program.func.value(v).def {
        Def::Op(o, _) => program.func.op(o).span,
        Def::Arg(..) => program.func.value(v).span,
    };
    match cause {
        Some(o) if own.is_none() => program.func.op(o).span,
        _ => own,
    }
}

/// The rule that adds such a collective: it is called as the op is.
fn rule_of(op: &Op) -> &'static str {
    let names = rules::ALL.iter().map(|r| r.name);
    names.into_iter().find(|n| n.replace('-', "_") == op.name()).unwrap_or("collective-permute")
}

struct Reason<'r, 'a> {
    program: &'r SearchedProgram<'a>,
    solution: &'r Solution,
}

impl Reason<'_, '_> {
    fn of(&self, v: ValueId, op: &Op, from: &Layout, to: &Layout) -> (Option<OpId>, String) {
        let axes = op.collective_axes().unwrap_or_default();
        let names = self.axes(axes);
        match op {
            op if op.effect().reduced.is_some() => match self.partial(v, axes[0]) {
                Some((o, factor)) => (Some(o), format!("{factor} and split over {names}")),
                None => (None, format!("sums over {names} are partial")),
            },
            Op::CollectivePermute { .. } => {
                let mesh = &self.program.func.mesh;
                (None, format!("the order of axes changes from {} to {}", from.show(mesh), to.show(mesh)))
            }
            _ => {
                let dim = op.effect().gathered.map_or(0, |g| g.0);
                let (reader, need) = self.need(v, to, axes[0]);
                (reader, format!("dim {dim} is split over {names}, {need}"))
            }
        }
    }

    fn axes(&self, axes: &[Axis]) -> String {
        let names: Vec<&str> = axes.iter().map(|&a| self.program.func.mesh.name(a)).collect();
        names.join(", ")
    }

    /// Where the sums of `v` that are partial over `axis` come from: back through ops that only pass them on.
    fn partial(&self, v: ValueId, axis: Axis) -> Option<(OpId, String)> {
        let func = self.program.func;
        let mut at = v;
        let mut seen = vec![false; func.values.len()];
        while !std::mem::replace(&mut seen[at.index()], true) {
            let source = self.solution.sources.get(&self.program.rep(at));
            if let Some(port) = self.program.port(at).filter(|_| !matches!(source, Some(SiteSource::Op(_)))) {
                let next = crate::saturate::port_sources(self.program, port, at);
                // What a carry becomes tells more than what it starts as.
                at = *next.iter().take(2).rev().find(|x| !self.program.generated(**x) && !seen[x.index()])?;
                continue;
            }
            let Some(&SiteSource::Op(o)) = self.solution.sources.get(&self.program.rep(at)) else {
                return None;
            };
            let (form, rule) = (self.solution.forms.get(&o)?, self.program.rule(o)?);
            let reduced = form
                .factors
                .iter()
                .find(|(f, axes)| axes.contains(&axis) && matches!(rule.kinds[**f], FactorKind::Reduced(_)));
            if let Some((&f, _)) = reduced {
                return Some((o, self.reduced(o, f)));
            }
            let (_, set) = rule.set(*form.linear.get(&axis)?)?;
            let operands = set.iter().map(|&i| func.op(o).operands[i]);
            let native = |x: &ValueId| {
                let l = self.solution.native.get(&self.program.rep(*x));
                l.is_some_and(|l| matches!(l.slot(axis), Slot::Partial(_)))
            };
            at = operands.clone().find(native).or_else(|| operands.clone().next())?;
        }
        None
    }

    /// What an op combines away.
    fn reduced(&self, o: OpId, f: usize) -> String {
        let func = self.program.func;
        let size = self.program.rule(o).map_or(0, |r| r.sizes[f]);
        match &func.op(o).op {
            Op::DotGeneral(e) => format!("{} ({size}) is contracted", e.factors()[f]),
            Op::Gather { .. } => format!("the rows of `{}` are indexed", self.program.name(func.op(o).operands[0])),
            Op::Scatter { .. } => "updates of the same row are summed".into(),
            Op::Reduce { kind, .. } => format!("dim {f} ({size}) is reduced by {}", kind.name()),
            _ => format!("dim {f} ({size}) is combined"),
        }
    }

    /// Who needs `v` in layout `to`, not split over `axis` as it was, and for what.
    fn need(&self, v: ValueId, to: &Layout, axis: Axis) -> (Option<OpId>, String) {
        let func = self.program.func;
        let name = func.mesh.name(axis);
        for &o in &self.program.order {
            let (Some(form), Some(rule)) = (self.solution.forms.get(&o), self.program.rule(o)) else {
                continue;
            };
            let data = func.op(o);
            let reads = data.operands.iter().enumerate();
            if !reads.clone().any(|(i, &x)| self.program.rep(x) == v && rule.operand_layout(form, i) == *to) {
                continue;
            }
            let what = data.op.name();
            let used = form.factors.iter().find(|f| f.1.contains(&axis));
            return (
                Some(o),
                match used {
                    Some((&f, _)) => match &data.op {
                        Op::DotGeneral(e) => format!("and {what} uses {name} for {}", e.factors()[f]),
                        _ => format!("and {what} uses {name} for another dim"),
                    },
                    None => format!("and {what} needs it replicated"),
                },
            );
        }
        let output = func.body().yields.iter().position(|&y| self.program.rep(y) == v);
        let input = output.and_then(|i| func.outputs[i].updates);
        match (output, input) {
            (_, Some(j)) => (None, format!("and `{}` is not", func.inputs[j].name)),
            (Some(i), None) => (None, format!("and output `{}` is not", func.outputs[i].name)),
            _ => {
                let inside = self.program.order.iter().find(|&&o| {
                    let data = func.op(o);
                    matches!(data.op, Op::Repeat { .. }) && data.operands.iter().any(|&x| self.program.rep(x) == v)
                });
                let place = if inside.is_some() { "the loop that reads it" } else { "what reads it" };
                (inside.copied(), format!("and {place} takes it otherwise"))
            }
        }
    }
}
