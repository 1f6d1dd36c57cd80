//! Why each collective is there: the op that left sums partial, or the op that needs a dim replicated. Dims are named by their
//! subscripts.

use super::LocalProgram;
use crate::OpOrigin;
use crate::cost;
use crate::saturate::program::SearchedProgram;
use crate::saturate::rules;
use crate::search::Solution;
use crate::search::problem::SiteSource;
use meshloom_ir::layout::Slot;
use meshloom_ir::table::comm::Effect;
use meshloom_ir::{Axis, DType, Def, Einsum, FactorKind, Func, Layout, Op, OpId, Phase, RegionId, Span, ValueId};
use std::fmt;

/// The reason of a collective, in which [`Why::told`] names the op that reads the tensor by what stands in the source.
#[derive(Clone, PartialEq, Debug)]
pub struct Why {
    before: String,
    reader: Option<Reader>,
    after: String,
}

#[derive(Clone, PartialEq, Debug)]
struct Reader {
    span: Span,
    phase: Phase,
    name: &'static str,
}

impl Why {
    fn plain(text: String) -> Why {
        Why { before: text, reader: None, after: String::new() }
    }

    /// `source` is the text of a place in the source, shortened; ops without one keep their own name.
    pub fn told(&self, source: &dyn Fn(Span) -> Option<String>) -> String {
        let name = |r: &Reader| {
            let text = source(r.span).filter(|text| !text.is_empty());
            text.map_or_else(|| r.name.to_owned(), |text| format!("{}{text}", r.part()))
        };
        format!("{}{}{}", self.before, self.reader.as_ref().map_or_else(String::new, name), self.after)
    }
}

impl Reader {
    /// What the op is of what stands in the source.
    fn part(&self) -> &'static str {
        if self.phase == Phase::Backward { "the gradient of " } else { "" }
    }
}

/// With the op's own name.
impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(&|_| None))
    }
}

/// One collective of the local program.
#[derive(Clone, PartialEq, Debug)]
pub struct CollectiveInfo {
    /// The op of the local program.
    pub op: OpId,
    /// What it does.
    pub does: Op,
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
    pub why: Why,
    /// Of all executions. Of collectives that start as one, the first has the latency of all.
    pub predicted_us: f64,
    /// For how long of the time of all executions nothing is computed.
    pub exposed_us: f64,
    pub span: Span,
}

/// All collectives in the order of the local program.
pub fn collectives(program: &SearchedProgram<'_>, solution: &Solution, local: &LocalProgram) -> Vec<CollectiveInfo> {
    let mut out = Vec::new();
    walk(program, solution, local, Func::BODY, 1, &mut out);
    out
}

/// Those of a region that is run so many `times` in a step.
fn walk(
    program: &SearchedProgram<'_>,
    solution: &Solution,
    local: &LocalProgram,
    r: RegionId,
    times: u64,
    out: &mut Vec<CollectiveInfo>,
) {
    for &o in &local.func.region(r).ops {
        let data = local.func.op(o);
        if let Op::Repeat { .. } = data.op {
            let times = times.saturating_mul(data.op.iterations());
            walk(program, solution, local, data.regions[0], times, out);
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
        Some(g) => (Some(g), Why::plain(moved(&data.op, &reason.axes(&axes)))),
    };
    Some(CollectiveInfo {
        op: o,
        does: data.op.clone(),
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

/// What a shift between devices along `axes` does, in words.
fn moved(op: &Op, axes: &str) -> String {
    match op {
        Op::CollectiveShift { mirror: true, .. } => {
            format!("each device of {axes} changes places with the one that is as far from the end")
        }
        _ => format!("each device of {axes} passes on what it has"),
    }
}

/// The rule that adds such a collective: it is called as the op is.
fn rule_of(op: &Op) -> &'static str {
    let named = rules::ALL.iter().map(|r| r.name).find(|n| n.replace('-', "_") == op.name());
    named.unwrap_or_else(|| unreachable!("`{}` has no rule of its name", op.name()))
}

struct Reason<'r, 'a> {
    program: &'r SearchedProgram<'a>,
    solution: &'r Solution,
}

impl Reason<'_, '_> {
    fn of(&self, v: ValueId, op: &Op, from: &Layout, to: &Layout) -> (Option<OpId>, Why) {
        let axes = op.collective_axes().unwrap_or_default();
        let names = self.axes(axes);
        match op.effect() {
            Effect { reduced: Some(_), .. } => match self.partial(v, axes[0]) {
                Some((o, factor)) => (Some(o), Why::plain(format!("{factor} and split over {names}"))),
                None => (None, Why::plain(format!("sums over {names} are partial"))),
            },
            Effect { gathered: Some((dim, _)), .. } => {
                let (reader, need) = self.need(v, to, axes[0]);
                (reader, Why { before: format!("dim {dim} is split over {names}, and {}", need.before), ..need })
            }
            Effect { gathered: None, .. } => {
                let mesh = &self.program.func.mesh;
                let orders = format!("the order of axes changes from {} to {}", from.show(mesh), to.show(mesh));
                (None, Why::plain(orders))
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
    fn need(&self, v: ValueId, to: &Layout, axis: Axis) -> (Option<OpId>, Why) {
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
            let used = form.factors.iter().find(|f| f.1.contains(&axis));
            let after = match used {
                Some((&f, _)) => match &data.op {
                    Op::DotGeneral(e) => format!(" uses {name} for {}", role(e, f, rule.sizes[f])),
                    _ => format!(" uses {name} for another dim"),
                },
                None => " needs it replicated".into(),
            };
            let reader = Reader { span: data.span, phase: data.phase, name: data.op.name() };
            return (Some(o), Why { before: String::new(), reader: Some(reader), after });
        }
        let output = func.body().yields.iter().position(|&y| self.program.rep(y) == v);
        let input = output.and_then(|i| func.outputs[i].updates);
        match (output, input) {
            (_, Some(j)) => (None, Why::plain(format!("`{}` is not", func.inputs[j].name))),
            (Some(i), None) => (None, Why::plain(format!("output `{}` is not", func.outputs[i].name))),
            _ => {
                let inside = self.program.order.iter().find(|&&o| {
                    let data = func.op(o);
                    matches!(data.op, Op::Repeat { .. }) && data.operands.iter().any(|&x| self.program.rep(x) == v)
                });
                let place = if inside.is_some() { "the loop that reads it" } else { "what reads it" };
                (inside.copied(), Why::plain(format!("{place} needs it in another layout")))
            }
        }
    }
}

/// What the dim of a subscript is to a contraction, with its size.
fn role(e: &Einsum, factor: usize, size: u64) -> String {
    let c = e.factors()[factor];
    let within: Vec<bool> = e.operands.iter().map(|o| o.contains(&c)).collect();
    match (e.result.contains(&c), &within[..]) {
        (false, _) => format!("the dim that it contracts ({size})"),
        (true, [true, true]) => format!("its batch dim ({size})"),
        (true, [true, ..]) => format!("a dim of its first operand ({size})"),
        (true, _) => format!("a dim of its second operand ({size})"),
    }
}
