//! What a source asks of pipeline stages, made definite: the table of the schedule, checked under every way of delivery, and the
//! layers of each stage.
//!
//! The number of ranks is the size of the axis, that of microbatches what the `train` accumulates. Where no sizes are given, they
//! are chosen once the step is planned ([`crate::cut`]); here each stage then has as many layers as any other, and the first ones
//! have one more where the number does not divide.
//!
//! Not here: cutting a program ([`crate::rank_program`]), what a schedule is (`meshloom_pipeline`).

use crate::rank_program::Ways;
use meshloom_ir::without_axis::without_axis;
use meshloom_ir::{Axis, DimSpec, FileId, Func, Mesh, Role, Span};
use meshloom_pipeline::schedules::{self, ALL};
use meshloom_pipeline::{
    CsvError, Delivery, PipelineProblem, PipelineSchedule, PipelineTimes, ScheduleRequest, Simulation, Where, check,
    csv, simulate,
};
use meshloom_source::entry::{LayerLayouts, Pipelining, ScheduleChoice};
use meshloom_source::suggest::{self, nearest};
use meshloom_source::{Diagnostic, SourceMap};

/// Problems of a table that are shown.
const SHOWN: usize = 5;

/// The pipeline stages of a train entry, with nothing open. The step of the entry is on the mesh without the axis.
#[derive(Clone, Debug)]
pub struct Stages {
    /// All devices.
    pub mesh: Mesh,
    /// On that mesh: the axis whose coordinates are the ranks of the pipeline.
    pub axis: Axis,
    /// The path of the list of layers.
    pub list: String,
    /// Layers of each stage: those of the source, or as many for each stage.
    pub sizes: Vec<u64>,
    /// The source says them.
    pub given: bool,
    /// Where the source asks for stages.
    pub span: Span,
    pub schedule: PipelineSchedule,
    /// Where the source names it; none where the command line does.
    pub schedule_span: Span,
    /// Layouts of runs of layers, where they differ.
    pub layers: Vec<LayerLayouts>,
}

impl Stages {
    /// The table at unit times: `F`, `I` and `W` take one tick each, `B` two, messages none.
    ///
    /// # Errors
    /// None for a table that was checked.
    pub fn at_unit_times(&self) -> Result<Simulation, PipelineProblem> {
        simulate(&self.schedule, &PipelineTimes::unit())
    }

    /// The stages of each rank, in their order; where microbatches go two ways, those of both.
    pub fn stages_of(&self, rank: usize) -> Vec<u32> {
        (0..self.schedule.stages()).filter(|s| self.ranks_of(*s).any(|r| r == rank)).collect()
    }

    /// The ranks of a stage, one for each way that microbatches go.
    pub fn ranks_of(&self, stage: u32) -> impl Iterator<Item = usize> + '_ {
        let routes = self.schedule.placement().routes().iter();
        routes.filter_map(move |r| r.get(stage as usize)).map(|&r| r as usize)
    }

    /// The stages of the step's loss, and the loss on the devices of one rank. It has one microbatch, and runs its forward actions
    /// alone. `None` where it cannot be cut so: then all devices compute it.
    pub fn forward(&self, loss: &Func) -> Option<(Func, Stages)> {
        let global = step(loss, self)?;
        meshloom_stage::layers(&global, &self.list).ok()?;
        Some((global, Stages { given: false, ..self.clone() }))
    }

    /// An axis of the whole mesh on the mesh of the step; `None` for that of the pipeline.
    pub fn own_axis(&self, axis: Axis) -> Option<Axis> {
        meshloom_ir::without_axis::behind(axis, self.axis)
    }
}

/// Makes definite what a `train` with `microbatches` asks. `func` is its loss, on the whole mesh.
///
/// # Errors
/// A schedule that there is not, or not for these numbers; a table that cannot run; fewer layers than stages. Warnings are added to
/// the last argument.
pub fn stages(
    asked: &Pipelining,
    func: &Func,
    microbatches: u64,
    sources: &SourceMap,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Stages, Vec<Diagnostic>> {
    let internal = |m: &str| vec![Diagnostic::error("internal", m).at(asked.span, "")];
    let axis = func.mesh.axis(&asked.axis).ok_or_else(|| internal("the axis of the stages is gone"))?;
    let ranks = func.mesh.size(axis);
    let layers = layers(func, &asked.list).ok_or_else(|| internal("the list of the stages is gone"))?;
    let request = Asked { asked, ranks, microbatches, option: asked.schedule_span.is_none() };
    let schedule = match &asked.schedule {
        ScheduleChoice::Named { name, virtual_stages } => request.named(name, *virtual_stages)?,
        ScheduleChoice::Table { file, text } => request.table(file, text, sources)?,
    };
    let sizes = sizes(&request, &schedule, layers)?;
    if microbatches == 1 {
        let bubble = simulate(&schedule, &PipelineTimes::unit()).map(|s| s.idle_share().percent()).unwrap_or_default();
        let d = Diagnostic::warning("schedule", "one microbatch goes through the stages, one after the other");
        let d = d.at(asked.span, format!("devices wait for {bubble} of a step"));
        warnings.push(d.help("`accumulate: k` of the `train` splits the batch into k microbatches"));
    }
    Ok(Stages {
        mesh: func.mesh.clone(),
        axis,
        list: asked.list.clone(),
        sizes,
        given: asked.sizes.is_some(),
        span: asked.span,
        schedule,
        schedule_span: asked.schedule_span,
        layers: asked.layers.clone(),
    })
}

/// The step of a train entry on the devices of one rank: without the axis of the stages, and with every layer whole, so that
/// stacks of layers can be cut. Where layers have layouts of their own, the list is in parts. `None` where something names the axis,
/// or the list cannot be taken apart.
pub fn step(global: &Func, of: &Stages) -> Option<Func> {
    let parts = if of.layers.is_empty() { None } else { Some(with_layouts(global, of)?) };
    let mut step = without_axis(parts.as_ref().unwrap_or(global), of.axis)?;
    // Where nothing is said the planner keeps layers whole by itself.
    for port in step.inputs.iter_mut().filter(|p| p.is_of_list(&of.list) && !p.constraint.absent) {
        if let Some(layers) = port.constraint.dims.first_mut() {
            *layers = DimSpec::Exactly(Vec::new());
        }
    }
    Some(step)
}

/// A program whose list is in parts, each with the layouts of its layers.
pub(crate) fn with_layouts(global: &Func, of: &Stages) -> Option<Func> {
    let mut bounds: Vec<u64> = of.layers.iter().flat_map(|l| [l.first, l.end]).collect();
    bounds.extend([0, of.sizes.iter().sum()]);
    bounds.sort_unstable();
    bounds.dedup();
    let mut parts = meshloom_stage::apart(global, &of.list, &bounds).ok()?;
    for port in parts.inputs.iter_mut().filter(|p| p.is_of_list(&of.list)) {
        let name = port.of.as_ref().unwrap_or(&port.name);
        let own = |l: &&LayerLayouts| l.name == *name && (l.first..l.end).contains(&port.first_layer);
        let Some(layouts) = of.layers.iter().find(own) else { continue };
        match port.role {
            Role::Parameter => port.constraint = layouts.params.clone(),
            // What does not have the parameter's shape has no layout of it.
            _ => {
                port.constraint = layouts
                    .state
                    .clone()
                    .filter(|c| c.dims.len() == port.constraint.dims.len())
                    .unwrap_or_else(|| port.constraint.clone())
            }
        }
    }
    // A next value lies as the value.
    for i in 0..parts.outputs.len() {
        let Some(value) = parts.outputs[i].updates.and_then(|v| parts.inputs.get(v)) else { continue };
        if value.is_of_list(&of.list) && !parts.outputs[i].constraint.absent {
            parts.outputs[i].constraint = value.constraint.clone();
        }
    }
    Some(parts)
}

/// How many layers a list has: dim 0 of its tensors.
fn layers(func: &Func, list: &str) -> Option<u64> {
    let i = func.inputs.iter().position(|p| p.is_of_list(list))?;
    func.ty(*func.body().args.get(i)?).shape.first().copied()
}

struct Asked<'a> {
    asked: &'a Pipelining,
    ranks: u64,
    microbatches: u64,
    /// The command line says so.
    option: bool,
}

impl Asked<'_> {
    fn wrong(&self, code: &'static str, message: String, label: &str) -> Diagnostic {
        let message = if self.option { format!("--schedule: {message}") } else { message };
        Diagnostic::error(code, message).at(self.asked.schedule_span, label)
    }

    /// `2 ranks (axis `pipe`) and 8 microbatches (`accumulate`)`
    fn numbers(&self) -> String {
        let (r, m) = (self.ranks, self.microbatches);
        let plural = if m == 1 { "" } else { "es" };
        format!("{r} ranks (axis `{}`) and {m} microbatch{plural} (`accumulate`)", self.asked.axis)
    }

    fn named(&self, name: &str, virtual_stages: Option<u32>) -> Result<PipelineSchedule, Vec<Diagnostic>> {
        let Some(entry) = schedules::find(name) else {
            let d = self.wrong("schedule", format!("there is no schedule `{name}`"), "");
            let names = || ALL.iter().map(|e| e.name);
            let d = match nearest(name, names()) {
                Some(n) if self.option => d.help(format!("did you mean `{n}`?")),
                Some(n) => d.fix(self.asked.schedule_span, format!("\"{n}\""), format!("did you mean `{n}`?")),
                None => d.help(format!("there are {}; or a table, FILE.csv", suggest::list(names()))),
            };
            return Err(vec![d]);
        };
        let count = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        let request =
            ScheduleRequest { virtual_stages, ..ScheduleRequest::of(count(self.ranks), count(self.microbatches)) };
        let made = schedules::make(entry, &request).map_err(|rule| {
            let d = self.wrong("schedule", rule, "");
            vec![d.note(format!("here are {}", self.numbers())).help(format!("`{name}` is for {}", entry.domain))]
        })?;
        match check(&made, &Delivery::ALL).first() {
            None => Ok(made),
            Some(problem) => Err(vec![Diagnostic::error("internal", format!("schedule `{name}`: {problem}"))]),
        }
    }

    /// The user's table.
    fn table(&self, file: &str, text: &str, sources: &SourceMap) -> Result<PipelineSchedule, Vec<Diagnostic>> {
        let place = Cells { text, file: sources.files().find(|(_, f)| f.name == file).map(|f| f.0) };
        let named = |d: Diagnostic| match self.option {
            true => d,
            false => d.also(self.asked.schedule_span, "the table that is named here"),
        };
        let whole = |message: String| vec![self.wrong("schedule", message, "")];
        let rows = csv::parse(file, text).map_err(|CsvError { row, column, cell, reason, .. }| {
            let message = format!("{file}: row {row}, column {column}: `{cell}`: {reason}");
            vec![named(Diagnostic::error("schedule", message).at(place.cell(row - 1, column - 1), "no cell"))]
        })?;
        let rows: Vec<_> = rows.into_iter().rev().skip_while(Vec::is_empty).collect();
        let rows: Vec<_> = rows.into_iter().rev().collect();
        let made = PipelineSchedule::of_rows(file, rows).map_err(|e| whole(format!("{file}: {e}")))?;
        let (ranks, m) = (made.ranks() as u64, u64::from(made.microbatches()));
        if ranks != self.ranks || m != self.microbatches {
            let d = self.wrong("schedule", format!("`{file}` is for {ranks} ranks and {m} microbatches"), "");
            return Err(vec![d.note(format!("here are {}", self.numbers()))]);
        }
        let problems = check(&made, &Delivery::ALL);
        if !problems.is_empty() {
            // Of a table that was given its sends and receives, slots are others.
            let slot = |w: Where| made.rows().get(w.rank)?.iter().position(|c| c.actions().contains(&w.action));
            let found = |w: Where| match made.rows().get(w.rank).and_then(|row| row.get(w.slot)) {
                Some(cell) if cell.actions().contains(&w.action) => place.cell(w.rank, w.slot),
                _ => slot(w).map_or(Span::default(), |slot| place.cell(w.rank, slot)),
            };
            let one = |p: &PipelineProblem| {
                let at = p.places().first().map_or(Span::default(), |w| found(*w));
                named(Diagnostic::error("schedule", format!("{file}: {p}")).at(at, "in this cell"))
            };
            return Err(problems.iter().take(SHOWN).map(one).collect());
        }
        Ways::of(&made, false).map_err(whole)?;
        Ok(made)
    }
}

/// The layers of each stage.
fn sizes(request: &Asked<'_>, schedule: &PipelineSchedule, layers: u64) -> Result<Vec<u64>, Vec<Diagnostic>> {
    let (asked, stages) = (request.asked, u64::from(schedule.stages()));
    let each = stages / request.ranks.max(1);
    let whose = match each {
        1 => format!("{} ranks of axis `{}`", request.ranks, asked.axis),
        v => format!("{v} for each of {} ranks of axis `{}`", request.ranks, asked.axis),
    };
    if let Some(sizes) = &asked.sizes {
        let option = asked.sizes_span.is_none();
        let wrong = |message: String, label: &str| {
            let message = if option { format!("--stages: {message}") } else { message };
            let d = Diagnostic::error("stages", message).at(asked.sizes_span, label);
            vec![d.help(match option {
                true => "without --stages Meshloom chooses".into(),
                false => format!("`@ {}` alone lets Meshloom choose", asked.axis),
            })]
        };
        if sizes.len() as u64 != stages {
            let plural = if sizes.len() == 1 { "" } else { "s" };
            let message = format!("{} size{plural} for {stages} stages ({whose})", sizes.len());
            return Err(wrong(message, "one number for each stage"));
        }
        let found = sizes.iter().fold(0u64, |n, s| n.saturating_add(*s));
        if found != layers {
            let message = format!("the stages have {found} layers, and `{}` has {layers}", asked.list);
            return Err(wrong(message, "the sizes do not add up"));
        }
        return Ok(sizes.clone());
    }
    if layers < stages {
        let message = format!("`{}` has {layers} layers, and there are {stages} stages ({whose})", asked.list);
        let d = Diagnostic::error("stages", message).at(asked.span, "a stage has at least one layer");
        let d = d.help(format!("use fewer ranks: `--mesh {}={}`", asked.axis, layers / each.max(1)));
        // One layer each, and the ends alone: no rank may be left without anything.
        let has = |s: &u64| *s <= layers || s + 1 == stages;
        let of = |s: u64| schedule.placement().rank(u32::try_from(s).unwrap_or(u32::MAX), 0).map(u64::from);
        if !(0..request.ranks).all(|r| (0..stages).filter(has).any(|s| of(s) == Some(r))) {
            return Err(vec![d]);
        }
        let ends: Vec<String> = (0..stages).map(|s| u64::from(s > 0 && s <= layers).to_string()).collect();
        return Err(vec![d.help(format!(
            "or say which stages have none: in `@ {}({})` the first one has what comes before the layers",
            asked.axis,
            ends.join(", ")
        ))]);
    }
    let more = layers % stages;
    Ok((0..stages).map(|s| layers / stages + u64::from(s < more)).collect())
}

/// Where the cells of a table stand.
struct Cells<'a> {
    text: &'a str,
    file: Option<FileId>,
}

impl Cells<'_> {
    /// The place of a cell; none where there is no such cell. Rows and columns from 0.
    fn cell(&self, row: usize, column: usize) -> Span {
        let Some(file) = self.file else { return Span::default() };
        let Some(line) = self.text.split('\n').nth(row) else { return Span::default() };
        let start: usize = self.text.split('\n').take(row).map(|l| l.len() + 1).sum();
        let Some(cell) = line.split(',').nth(column) else { return Span::default() };
        let before: usize = line.split(',').take(column).map(|c| c.len() + 1).sum();
        let blank = cell.len() - cell.trim_start().len();
        let start = start + before + blank;
        Span::new(file, start, start + cell.trim().len().max(1))
    }
}
