//! A simulated step of a pipeline: as text with a chart, as JSON, and as a timeline.

use crate::args::colours;
use anstyle::AnsiColor;
use meshloom_pipeline::schedules::{self, ScheduleEntry, ScheduleRequest};
use meshloom_pipeline::{ActionKind, Fraction, PipelineSchedule, PipelineTimes, Simulation, chart::chart};
use meshloom_terminal::status;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write;

/// Width of a chart, in characters.
const WIDTH: usize = 120;

/// A step, and what its source says of it.
pub struct ShownStep<'a> {
    pub schedule: &'a PipelineSchedule,
    pub times: &'a PipelineTimes,
    pub run: &'a Simulation,
    /// None of a user's table.
    pub stated: Option<Stated>,
}

/// What is published of a schedule, and what that gives at the sizes and times at hand.
pub struct Stated {
    entry: &'static ScheduleEntry,
    /// In ticks; `None` where the formula does not hold.
    bubble: Option<u64>,
}

impl Stated {
    pub fn of(entry: &'static ScheduleEntry, request: &ScheduleRequest) -> Stated {
        Stated { entry, bubble: (entry.stated)(request).bubble }
    }
}

/// Names, and what is known of each.
pub fn list() -> String {
    let mut text = String::new();
    for e in schedules::ALL {
        let _ = writeln!(text, "{:14}{}", e.name, e.about);
        let _ = writeln!(text, "{:14}sizes   {}", "", e.domain);
        if !e.formula.is_empty() {
            let _ = writeln!(text, "{:14}bubble  {}", "", e.formula);
        }
        let _ = writeln!(text, "{:14}source  {}", "", e.source);
    }
    text + "\np ranks, m microbatches, v stages for each rank; F, I, W: forward, gradient by the input, by the weights; B = I + W\n"
}

/// The same as JSON.
pub fn list_json() -> String {
    let one = |e: &&ScheduleEntry| {
        json!({
            "name": e.name, "about": e.about, "domain": e.domain, "bubble": e.formula, "source": e.source,
            "virtual_stages": e.virtual_stages,
        })
    };
    format!("{}\n", json!({ "schema": 1, "schedules": schedules::ALL.iter().map(one).collect::<Vec<_>>() }))
}

/// `schedule --json`. Times are in ticks.
#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    schedule: &'a str,
    source: Option<&'a str>,
    microbatches: u32,
    /// For each route, the rank of each stage.
    routes: &'a [Vec<u32>],
    ticks_per_unit: u64,
    step: u64,
    bubble: Bubble<'a>,
    ranks: Vec<Rank>,
}

#[derive(Serialize)]
struct Bubble<'a> {
    rank: usize,
    ticks: u64,
    /// Of that rank's time from its first to its last action.
    share: f64,
    formula: Option<&'a str>,
    /// What the formula gives; absent where it does not hold.
    stated: Option<u64>,
}

#[derive(Serialize)]
struct Rank {
    busy: u64,
    waits: u64,
    /// The most activations at a time, kept from F to W.
    in_flight: u64,
    /// Kept from F to I.
    in_flight_until_inputs: u64,
    actions: Vec<Action>,
}

#[derive(Serialize)]
struct Action {
    action: String,
    start: u64,
    end: u64,
}

impl ShownStep<'_> {
    fn unit(&self, ticks: u64) -> String {
        Fraction::new(ticks, self.times.ticks).to_string()
    }

    /// Chart, bubble, step, and a line for each rank.
    pub fn text(&self) -> String {
        let run = self.run;
        let mut text = format!("{}: {}\n", self.schedule.name, sizes(self.schedule));
        if let Some(stated) = &self.stated {
            let _ = writeln!(text, "{}\n{}", stated.entry.about, stated.entry.source);
        }
        let colour = colours();
        let paint = |label: &str, kind: ActionKind| match colour {
            true => format!("{0}{label}{0:#}", ink(kind).on_default()),
            false => label.to_string(),
        };
        match chart(self.schedule, run, self.times.ticks, WIDTH, &paint) {
            Some(drawn) => text += &format!("\n{drawn}\n"),
            None => text += "\nno chart: the step has too many columns\n\n",
        }
        let worst = run.worst();
        let _ = writeln!(text, "step    {}", self.unit(run.makespan));
        let span = self.unit(run.span(worst));
        let _ = write!(
            text,
            "bubble  {}, {} of the {span} of rank {worst}",
            self.unit(run.bubble()),
            run.bubble_share().percent()
        );
        if let Some(Stated { entry, bubble }) = &self.stated
            && !entry.formula.is_empty()
        {
            let _ = match bubble {
                Some(ticks) => write!(text, "; published: {} = {}", entry.formula, self.unit(*ticks)),
                None => write!(text, "; published, and not for these sizes and times: {}", entry.formula),
            };
        }
        let _ = writeln!(text, "\n\n{:8}{:>10}{:>10}{:>14}{:>14}", "rank", "busy", "waits", "kept until W", "until I");
        for (rank, (busy, kept)) in run.busy.iter().zip(&run.in_flight).enumerate() {
            let (busy, waits) = (self.unit(*busy), self.unit(run.waits(rank)));
            let _ = writeln!(text, "{rank:<8}{busy:>10}{waits:>10}{:>14}{:>14}", kept.until_weights, kept.until_inputs);
        }
        text
    }

    pub fn json(&self) -> String {
        let run = self.run;
        let worst = run.worst();
        let share = run.bubble_share();
        let rank = |rank: usize| Rank {
            busy: run.busy[rank],
            waits: run.waits(rank),
            in_flight: run.in_flight[rank].until_weights,
            in_flight_until_inputs: run.in_flight[rank].until_inputs,
            actions: self.events(rank).map(|(action, start, end)| Action { action, start, end }).collect(),
        };
        let stated = self.stated.as_ref();
        let document = Document {
            schema: 1,
            schedule: &self.schedule.name,
            source: stated.map(|s| s.entry.source),
            microbatches: self.schedule.microbatches(),
            routes: self.schedule.placement().routes(),
            ticks_per_unit: self.times.ticks,
            step: run.makespan,
            bubble: Bubble {
                rank: worst,
                ticks: run.bubble(),
                share: share.numerator as f64 / share.denominator as f64,
                formula: stated.map(|s| s.entry.formula).filter(|f| !f.is_empty()),
                stated: stated.and_then(|s| s.bubble),
            },
            ranks: (0..self.schedule.ranks()).map(rank).collect(),
        };
        serde_json::to_string(&document).unwrap_or_default() + "\n"
    }

    /// In the Trace Event Format that Perfetto and Chrome read: a rank is a process, a unit of time a millisecond.
    pub fn timeline(&self) -> String {
        let micros = |ticks: u64| ticks as f64 * 1000.0 / self.times.ticks as f64;
        let mut all: Vec<Value> = Vec::new();
        for rank in 0..self.schedule.ranks() {
            let name = format!("rank {rank}");
            all.push(json!({ "ph": "M", "pid": rank, "name": "process_name", "args": { "name": name } }));
            all.push(json!({ "ph": "M", "pid": rank, "name": "process_sort_index", "args": { "sort_index": rank } }));
            all.extend(self.events(rank).map(|(action, start, end)| {
                let kind: String = action.chars().filter(char::is_ascii_alphabetic).collect();
                json!({
                    "ph": "X", "pid": rank, "tid": 0, "name": action, "cat": kind, "ts": micros(start),
                    "dur": micros(end - start),
                })
            }));
        }
        format!("{}\n", json!({ "displayTimeUnit": "ms", "traceEvents": all }))
    }

    fn events(&self, rank: usize) -> impl Iterator<Item = (String, u64, u64)> {
        let row = self.schedule.rows().get(rank).map(Vec::as_slice).unwrap_or_default();
        let events = self.run.events.get(rank).map(Vec::as_slice).unwrap_or_default();
        events.iter().filter_map(|e| row.get(e.slot).map(|cell| (cell.to_string(), e.start, e.end)))
    }
}

fn ink(kind: ActionKind) -> AnsiColor {
    match kind {
        ActionKind::F => AnsiColor::Blue,
        ActionKind::W => AnsiColor::Yellow,
        ActionKind::I => AnsiColor::Cyan,
        _ => AnsiColor::Green,
    }
}

/// `4 ranks, 8 stages, 8 microbatches`
fn sizes(schedule: &PipelineSchedule) -> String {
    let count = |n: usize, what| status::count(n as u64, what);
    let (stages, microbatches) = (schedule.stages() as usize, schedule.microbatches() as usize);
    let parts = [count(schedule.ranks(), "rank"), count(stages, "stage"), count(microbatches, "microbatch")];
    parts.join(", ").replace("microbatchs", "microbatches")
}
