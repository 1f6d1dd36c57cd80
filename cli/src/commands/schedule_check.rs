//! `meshloom schedule --check FILE`: reads a table of one's own, and says everything that is wrong with it, with the cells.

use crate::model;
use crate::rejected;
use meshloom_ir::{FileId, Span};
use meshloom_pipeline::{Delivery, PipelineProblem, PipelineSchedule, Waits, Where, check, csv};
use meshloom_source::SourceMap;
use meshloom_source::diagnostic::Diagnostic;
use meshloom_terminal::{Failed, Result};
use std::ops::Range;
use std::path::Path;

/// More faults than this are counted and not told.
const TOLD: usize = 40;

/// A table that can run under each delivery.
///
/// # Errors
/// A file that cannot be read, cells that are none, and what `meshloom_pipeline::check` finds.
pub fn read(path: &Path) -> Result<PipelineSchedule> {
    let name = model::display(path);
    let text = model::read(path)?;
    let mut sources = SourceMap::new();
    let file = sources.add(name.clone(), text.clone());
    let places = Places { file, cells: csv::places(&text) };
    let (rows, wrong) = csv::parse_all(&name, &text);
    if !wrong.is_empty() {
        let one = |e: &csv::CsvError| {
            let span = places.of(e.row - 1, e.column - 1);
            Diagnostic::error("schedule", format!("no cell of a table: {}", e.reason))
                .at(span, format!("rank {}, slot {}", e.row - 1, e.column - 1))
        };
        return Err(refused(wrong.iter().map(one).collect(), &sources));
    }
    if rows.iter().all(Vec::is_empty) {
        return Err(
            Failed::rejected(format!("{name}: has no cells")).help("a table has a row for each rank: `0F0,0B0`")
        );
    }
    let schedule =
        PipelineSchedule::of_rows(&name, rows).map_err(|e| Failed::rejected(format!("{name}: has too much: {e}")))?;
    let problems = check(&schedule, &Delivery::ALL);
    if problems.is_empty() {
        return Ok(schedule);
    }
    Err(refused(diagnostics(&schedule, &problems, &places), &sources))
}

fn refused(mut all: Vec<Diagnostic>, sources: &SourceMap) -> Failed {
    let more = all.len().saturating_sub(TOLD);
    all.truncate(TOLD);
    if let Some(last) = all.last_mut().filter(|_| more > 0) {
        last.notes.push(format!("{more} more faults of this table are not told"));
    }
    Failed::rendered(1, rejected::rendered(&all, sources))
}

/// Where cells stand in the file.
struct Places {
    file: FileId,
    cells: Vec<Vec<Range<usize>>>,
}

impl Places {
    fn of(&self, rank: usize, slot: usize) -> Span {
        let cell = self.cells.get(rank).and_then(|row| row.get(slot));
        cell.map_or(Span::default(), |c| Span::new(self.file, c.start, c.end.max(c.start)))
    }

    fn at(&self, place: Where) -> Span {
        self.of(place.rank, place.slot)
    }

    /// The last cell of a rank.
    fn end(&self, rank: usize) -> Span {
        self.of(rank, self.cells.get(rank).map_or(0, Vec::len).saturating_sub(1))
    }
}

fn diagnostics(schedule: &PipelineSchedule, problems: &[PipelineProblem], places: &Places) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    // One circle of waits is told once, with all deliveries under which ranks come to it.
    let mut circles: Vec<(Vec<Waits>, Vec<String>)> = Vec::new();
    for problem in problems {
        match problem {
            PipelineProblem::Deadlock { delivery, cycle } => {
                let under = delivery.map(|d| d.to_string());
                let cycle = turned(cycle);
                match circles.iter_mut().find(|(c, _)| *c == cycle) {
                    Some((_, known)) => known.extend(under),
                    None => circles.push((cycle, under.into_iter().collect())),
                }
            }
            other => all.push(plain(schedule, other, places)),
        }
    }
    all.extend(circles.into_iter().map(|(cycle, under)| circle(&cycle, &under, places)));
    all
}

/// The same circle from its first cell on, by rank and slot. What is no circle stays as it is.
fn turned(cycle: &[Waits]) -> Vec<Waits> {
    let mut turned = cycle.to_vec();
    if cycle.first().map(|w| w.who) == cycle.last().map(|w| w.whom) {
        let first = (0..cycle.len()).min_by_key(|i| (cycle[*i].who.rank, cycle[*i].who.slot)).unwrap_or(0);
        turned.rotate_left(first);
    }
    turned
}

fn plain(schedule: &PipelineSchedule, problem: &PipelineProblem, places: &Places) -> Diagnostic {
    let d = Diagnostic::error("schedule", problem.to_string());
    let lacks = match problem {
        PipelineProblem::IdleRank { rank } => Some(*rank),
        PipelineProblem::Missing { stage, microbatch, .. } => {
            schedule.placement().rank(*stage, *microbatch).map(|r| r as usize)
        }
        PipelineProblem::Unposted { rank, .. } => Some(*rank as usize),
        _ => None,
    };
    if let Some(rank) = lacks {
        return d.at(places.end(rank), format!("rank {rank} ends here"));
    }
    match problem.places().as_slice() {
        [] => d,
        [at, others @ ..] => others.iter().fold(d.at(places.at(*at), ""), |d, o| d.also(places.at(*o), "")),
    }
}

fn circle(cycle: &[Waits], under: &[String], places: &Places) -> Diagnostic {
    let how = match under {
        [] => "even where no send waits".into(),
        some => format!("under {}", some.join("; ")),
    };
    let mut d = Diagnostic::error("schedule", format!("deadlock {how}"));
    for (i, wait) in cycle.iter().enumerate() {
        let span = places.at(wait.who);
        d = if i == 0 { d.at(span, "waits") } else { d.also(span, "") };
    }
    cycle.iter().fold(d, |d, wait| d.note(wait.to_string()))
}
