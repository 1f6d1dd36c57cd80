//! From a plan to the report that people and tools read: places in the source, and what scheduling found out about memory.

use crate::program::{Asked, HasPlan, Program};
use meshloom_bundle::{EntryContents, EntryKind};
use meshloom_ir::{Phase, Span};
use meshloom_plan::TensorPlan;
use meshloom_report::{
    AskedReport, CertificateReport, ExpandedReport, Memory, PlanReport, ReportContext, Shown, SourceOrigin,
    SourcePlace, Time, from_plan, text,
};

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

/// The report of a planned entry. Memory is that of the arena if the entry is scheduled too, and estimated otherwise.
pub fn of<E: HasPlan>(program: &Program<E>, entry: &E) -> Report {
    let planned = entry.planned();
    let plan = &planned.plan;
    let locate = |span: Span| source(program, span);
    let certificate = CertificateReport { status: "proved".into(), steps: planned.proof.steps as u64 };
    let context = ReportContext {
        entry: &planned.name,
        target: &program.target.name,
        locate: &locate,
        certificate,
        peak_bytes_per_device: Some(peak(entry)),
        lower_bound_us: plan.totals.lower_bound_us,
        expanded: expanded(program, entry),
    };
    let kind = match planned.kind {
        EntryKind::Train => "train step",
        EntryKind::Function => "function",
    };
    let totals = &plan.totals;
    let time = Time { compute: totals.compute_us, communication: totals.communication_us, hidden: totals.hidden_us };
    let shown = Shown {
        kind: kind.into(),
        layout: program.layout.clone(),
        memory: Some(memory(program, entry)),
        time: Some(time),
        all: false,
    };
    let mut data = from_plan(plan, &context);
    data.asked = planned.asked.iter().map(|a| asked(program, a)).collect();
    Report { data, shown }
}

fn asked<E>(program: &Program<E>, a: &Asked) -> AskedReport {
    let source = a.span.and_then(|s| source(program, s)).map(|s| SourcePlace { text: String::new(), ..s });
    AskedReport { setting: a.setting.into(), value: a.value.clone(), source }
}

/// Composites without a kernel, one for all that are alike.
fn expanded<E: HasPlan>(program: &Program<E>, entry: &E) -> Vec<ExpandedReport> {
    let mut all: Vec<ExpandedReport> = Vec::new();
    for e in entry.scheduled().iter().flat_map(|s| &s.expanded) {
        let one = ExpandedReport { name: e.name.clone(), why: e.why.clone(), source: source(program, e.span) };
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// The place of a span, with what stands there: of a dump the line of Python that it comes from.
pub fn source<E>(program: &Program<E>, span: Span) -> Option<SourcePlace> {
    let place = program.locate(span)?;
    let origin = program.sources.origins.get(span);
    let text = origin.map_or_else(|| program.sources.text(span).to_string(), |o| o.short());
    let origin = origin.map(|o| {
        let f = o.place();
        SourceOrigin {
            name: o.name.clone(),
            file: f.map_or(String::new(), |f| f.file.clone()),
            line: f.map_or(0, |f| f.line.into()),
            column: f.map_or(0, |f| f.column.into()),
            function: f.map_or(String::new(), |f| f.function.clone()),
            text: o.long(),
        }
    });
    Some(SourcePlace { file: place.file, line: place.line.into(), column: place.column.into(), text, origin })
}

/// What a bundle's program tells of its plan: ports, collectives and memory, without places and reasons.
///
/// # Errors
/// A program whose text cannot be read.
pub fn of_bundle(contents: &EntryContents, target: &str) -> Result<PlanReport, String> {
    let local =
        meshloom_ir::parse::parse(&contents.plan).map_err(|e| format!("its local program cannot be read: {e}"))?;
    let p = &contents.program;
    Ok(meshloom_report::from_local(&local, &p.entry, target, Some(p.device_bytes())))
}

/// Whether a tensor is listed: the next value of a parameter or of state lies where the value does.
pub fn shown(t: &TensorPlan) -> bool {
    !(t.is_output && matches!(t.role, Some(meshloom_ir::Role::Parameter | meshloom_ir::Role::State)))
}

/// One device's peak in bytes: what the arena takes, and of an entry that is not scheduled what the planner says.
pub fn peak<E: HasPlan>(entry: &E) -> u64 {
    let memory = &entry.planned().plan.memory;
    // Programs are scheduled for the CPU; other targets hold what the planner says.
    let scheduled = entry.scheduled().filter(|_| memory.packs);
    scheduled.map_or(memory.total, |s| s.program.device_bytes())
}

/// What the peak is made of. Parameters, state and data are exact; what else is held at the fullest moment is the planner's
/// estimate, and the rest of the arena is scratch: temporaries, holes between buffers.
fn memory<E: HasPlan>(program: &Program<E>, entry: &E) -> Memory {
    let p = &entry.planned().plan.memory;
    let mut rest = peak(entry);
    let [parameters, state, data, gradients, activations] =
        [p.parameters, p.state, p.ports, p.gradients, p.activations].map(|n| {
            let n = n.min(rest);
            rest -= n;
            n
        });
    let place = program.locate(p.span).map(|s| format!("{}:{}", s.file, s.line));
    let at = match (place, p.phase) {
        (Some(place), Phase::Forward) => Some(place),
        (Some(place), phase) => Some(format!("{} of {place}", phase.name())),
        (None, phase) => p.at.map(|_| phase.name().to_string()),
    };
    Memory { parameters, state, gradients, activations, data, scratch: rest, at }
}
