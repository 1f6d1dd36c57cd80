//! From a plan to the report that people and tools read, with places in the source.

use crate::per_device;
use crate::program::{Asked, HasPlan, Planned, Program};
use crate::staged;
use meshloom_bundle::{EntryContents, EntryKind};
use meshloom_ir::{Phase, Span};
use meshloom_lower::LowerError;
use meshloom_plan::TensorPlan;
use meshloom_plan::cost::{Level, Model};
use meshloom_report::{
    AskedReport, CertificateReport, ExpandedReport, LevelReport, Memory, PlanReport, ProfileReport, ReportContext,
    Shown, SourceOrigin, SourcePlace, TensorReport, Time, TotalsReport, from_plan, snippet, text,
};
use meshloom_strategy::speed::StepWork;
use meshloom_strategy::wire;

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

/// The report of a planned entry.
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
        peak_bytes_per_device: peak(entry).ok(),
        host_bytes_per_device: host(entry),
        lower_bound_us: plan.totals.lower_bound_us,
        expanded: expanded(program, entry),
    };
    let kind = match planned.kind {
        EntryKind::Train => "train step",
        EntryKind::Function => "function",
    };
    let totals = &plan.totals;
    let time = Time {
        compute: totals.compute_us,
        communication: totals.communication_us,
        host: totals.host_us,
        hidden: totals.hidden_us,
    };
    let mut shown = Shown {
        kind: kind.into(),
        layout: program.layout.clone(),
        memory: memory(program, entry),
        time: Some(time),
        room: Some(program.target.room()),
        all: false,
    };
    let mut data = from_plan(plan, &context);
    data.tensors.iter_mut().for_each(|t| t.rule = rule(program, t));
    if let (Some(of), Some(ranks)) = (&planned.pipeline, &planned.ranks) {
        data.pipeline = Some(staged::report(of, ranks));
        // The plan is that of a whole step on the devices of one rank.
        (data.totals.lower_bound_us, shown.time) = (None, None);
        let model = Model::new(&program.target, &planned.global.mesh);
        data.totals.predicted_step_us = ranks.step_us(&model).unwrap_or(0.0);
        data.mesh = meshloom_report::mesh(&of.mesh);
        let listed = (0..plan.tensors.len()).filter(|k| self::shown(&plan.tensors[*k]));
        per_device::told(&mut data, &listed.collect::<Vec<_>>(), &planned.shares());
    }
    data.totals.profile = program.target.profile.as_ref().map(ProfileReport::of);
    data.last_apart = planned.last_apart;
    data.levels = levels(program, planned);
    if planned.kind == EntryKind::Train {
        speed(program, planned, &mut data.totals);
    }
    data.asked = planned.asked.iter().map(|a| asked(program, a)).collect();
    Report { data, shown }
}

/// Where a layout block says how a tensor lies. A rule counts before what the tensor's declaration says.
pub fn rule<E>(program: &Program<E>, t: &TensorReport) -> Option<SourcePlace> {
    if t.decided_by != "annotation" {
        return None;
    }
    let (role, path) = match (t.role.as_str(), &t.of) {
        ("state", Some(of)) => ("state", of),
        ("input", _) => ("inputs", &t.name),
        _ => ("params", &t.name),
    };
    source(program, *program.sources.rules.get(&(role, path.clone()))?)
}

/// The levels of the network that the step uses; of a pipeline, on the rank that sends most.
fn levels<E>(program: &Program<E>, planned: &Planned) -> Vec<LevelReport> {
    let target = &program.target;
    let model = Model::new(target, &planned.global.mesh);
    let stages = planned.mesh().devices() / planned.global.mesh.devices().max(1);
    let bytes = wire::of_plan(&model, &planned.plan, planned.ranks.as_ref(), stages);
    let times = |k: usize| planned.plan.totals.levels.get(k).filter(|_| planned.ranks.is_none());
    let levels = target.levels.iter().zip(bytes).enumerate().filter(|(_, (_, bytes))| *bytes > 0);
    let one = |(k, (level, bytes)): (usize, (&Level, u64))| LevelReport {
        level: level.name.clone(),
        wire_bytes_per_device: bytes,
        predicted_us: times(k).map(|t| t.communication_us),
        exposed_us: times(k).map(|t| t.exposed_us),
    };
    levels.map(one).collect()
}

/// Tokens per second and what follows from them, where the step's time is known.
fn speed<E>(program: &Program<E>, planned: &Planned, totals: &mut TotalsReport) {
    let (work, seconds) = (StepWork::of(planned), totals.predicted_step_us / 1e6);
    if seconds <= 0.0 || work.tokens == 0 {
        return;
    }
    let devices = planned.mesh().devices();
    totals.tokens_per_second = Some(work.tokens as f64 / seconds);
    totals.mfu = Some(work.mfu(&program.target, devices, seconds));
    totals.usd_per_million_tokens = work.usd_per_million_tokens(&program.target, devices, seconds);
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

/// What stands in the source there, on one line and short.
pub fn called<E>(program: &Program<E>, span: Span) -> Option<String> {
    source(program, span).map(|place| snippet(&place.text))
}

/// What a bundle's program tells of its plan: ports, collectives and memory, without places and reasons.
///
/// # Errors
/// A program whose text cannot be read.
pub fn of_bundle(contents: &EntryContents, target: &str) -> Result<PlanReport, String> {
    let local =
        meshloom_ir::parse::parse(&contents.plan).map_err(|e| format!("its local program cannot be read: {e}"))?;
    let p = &contents.program;
    let ranks = contents.pipeline.as_ref().map_or(std::slice::from_ref(p), |of| &of.ranks);
    let bytes = ranks.iter().map(|p| p.device_bytes()).max();
    let host = ranks.iter().map(|p| p.host_bytes).max();
    let mut data = meshloom_report::from_local(&local, &p.entry, target, bytes);
    data.totals.host_bytes_per_device = host;
    let axes = p.mesh.iter().map(|a| (a.name.clone(), u64::from(a.size)));
    data.mesh = meshloom_report::mesh(&meshloom_ir::Mesh::new(axes));
    Ok(data)
}

/// Whether a tensor is listed: the next value of a parameter or of state lies where the value does.
pub fn shown(t: &TensorPlan) -> bool {
    !(t.is_output && matches!(t.role, Some(meshloom_ir::Role::Parameter | meshloom_ir::Role::State)))
}

/// One device's peak in bytes; of a pipeline, on the rank that needs most.
///
/// # Errors
/// Why the target cannot run the program.
pub fn peak<E: HasPlan>(entry: &E) -> Result<u64, LowerError> {
    match &entry.planned().ranks {
        Some(ranks) => ranks.device_bytes(),
        None => entry.planned().plan.memory.as_ref().map(|p| p.total).map_err(Clone::clone),
    }
}

/// Bytes of the host's memory for one device; of a pipeline, of the rank that needs most.
pub fn host<E: HasPlan>(entry: &E) -> Option<u64> {
    match &entry.planned().ranks {
        Some(ranks) => ranks.host_bytes(),
        None => entry.planned().plan.memory.as_ref().ok().map(|p| p.host),
    }
}

/// What the peak is made of.
fn memory<E: HasPlan>(program: &Program<E>, entry: &E) -> Option<Memory> {
    // Of a pipeline each rank has other parts.
    let p = entry.planned().plan.memory.as_ref().ok().filter(|_| entry.planned().ranks.is_none())?;
    // Of a dump the line of Python, which is what the user has.
    let place = source(program, p.span).map(|s| match s.origin {
        Some(_) => s.text,
        None => format!("{}:{}", s.file, s.line),
    });
    let at = match (place, p.phase) {
        (Some(place), Phase::Forward) => Some(place),
        (Some(place), phase) => Some(format!("{} of {place}", phase.name())),
        (None, phase) => p.at.map(|_| phase.name().to_string()),
    };
    Some(Memory {
        parameters: p.parameters,
        state: p.state,
        gradients: p.gradients,
        activations: p.activations,
        data: p.ports,
        scratch: p.scratch,
        host: p.host,
        at,
    })
}
