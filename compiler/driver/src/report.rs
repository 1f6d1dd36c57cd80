//! From a plan to the report that people and tools read: places in the source, and what scheduling found out about memory.

use crate::pipeline::{Entry, Program};
use meshloom_bundle::program::{Program as Executable, Role};
use meshloom_bundle::{EntryContents, EntryKind};
use meshloom_ir::Span;
use meshloom_plan::TensorPlan;
use meshloom_report::{CertificateReport, Context, Memory, PlanReport, Shown, Source, Time, from_plan, text};

/// What `meshloom plan` prints, as data and as text.
pub struct Report {
    pub data: PlanReport,
    pub shown: Shown,
}

impl Report {
    pub fn text(&self) -> String {
        text(&self.data, &self.shown)
    }

    pub fn json(&self) -> String {
        self.data.to_json()
    }
}

/// The report of a planned entry. Memory is in it if the entry is scheduled too.
pub fn of(program: &Program, entry: &Entry) -> Option<Report> {
    let plan = entry.plan.as_ref()?;
    let locate = |span: Span| source(program, span);
    let certificate = match &entry.proof {
        Some(p) => CertificateReport { status: "proved".into(), steps: p.steps as u64 },
        None => CertificateReport { status: "failed".into(), steps: 0 },
    };
    let executable = entry.scheduled.as_ref().map(|s| &s.program);
    let context = Context {
        entry: &entry.name,
        target: &program.target,
        locate: &locate,
        certificate,
        peak_bytes_per_device: peak(entry),
        lower_bound_us: plan.totals.lower_bound_us,
    };
    let kind = match entry.kind {
        EntryKind::Train => "train step",
        EntryKind::Function => "function",
    };
    let totals = &plan.totals;
    let time = Time { compute: totals.compute_us, communication: totals.communication_us, hidden: totals.hidden_us };
    let shown = Shown {
        kind: kind.into(),
        layout: program.layout.clone(),
        memory: executable.map(memory),
        time: Some(time),
        limits: plan.stats.limits_hit.clone(),
        all: false,
    };
    Some(Report { data: from_plan(plan, &context), shown })
}

/// The place of a span, with what stands there.
pub fn source(program: &Program, span: Span) -> Option<Source> {
    let place = program.locate(span)?;
    let text = program.sources.text(span).to_string();
    Some(Source { file: place.file, line: place.line.into(), column: place.column.into(), text })
}

/// What a bundle's program tells of its plan: ports, collectives and memory, without places and reasons.
///
/// # Errors
/// A program whose text cannot be read.
pub fn of_bundle(contents: &EntryContents, target: &str) -> Result<PlanReport, String> {
    let local =
        meshloom_ir::parse::parse(&contents.plan).map_err(|e| format!("its local program cannot be read: {e}"))?;
    let p = &contents.program;
    Ok(meshloom_report::from_local(&local, &p.entry, target, Some(p.arena_bytes + p.scratch_bytes)))
}

/// Whether a tensor is listed: the next value of a parameter or of state lies where the value does.
pub fn shown(t: &TensorPlan) -> bool {
    !(t.is_output && matches!(t.role, Some(meshloom_ir::Role::Parameter | meshloom_ir::Role::State)))
}

/// One device's peak, once it is known.
pub fn peak(entry: &Entry) -> Option<u64> {
    entry.scheduled.as_ref().map(|s| s.program.arena_bytes + s.program.scratch_bytes)
}

/// The arena's parts. What is no parameter and no state is activations: temporaries, inputs, outputs, padding.
fn memory(p: &Executable) -> Memory {
    let of = |role: Role| -> u64 {
        p.ports.iter().filter(|port| port.role == role && port.alias.is_none()).map(|port| port.bytes).sum()
    };
    let (parameters, state) = (of(Role::Parameter), of(Role::State));
    Memory {
        parameters,
        state,
        activations: p.arena_bytes.saturating_sub(parameters + state),
        scratch: p.scratch_bytes,
        at: None,
    }
}
