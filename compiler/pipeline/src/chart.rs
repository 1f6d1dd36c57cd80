//! A simulated table as text: a line for each rank, a column for each piece of time.
//!
//! The width of a column is the greatest common divisor of all starts and lengths, so that nothing is rounded. A chart that is
//! wider than the page is cut into blocks. Colours are left to the caller, by a function that paints a label.

use crate::action::{ActionKind, Cell, PipelineAction};
use crate::fraction::{Fraction, gcd};
use crate::schedule::PipelineSchedule;
use crate::simulate::Simulation;
use std::fmt::Write;

/// The most columns of a chart. Longer steps are told by their figures alone.
pub const COLUMNS: u64 = 4096;

/// Draws what `run` says of `schedule`, in blocks of at most `width` characters. `paint` gets a text and the kind of its
/// action (that of the first one in an overlapped pair). `None` where the times have no common column.
pub fn chart(
    schedule: &PipelineSchedule,
    run: &Simulation,
    ticks: u64,
    width: usize,
    paint: &dyn Fn(&str, ActionKind) -> String,
) -> Option<String> {
    let step = run.events.iter().flatten().fold(run.makespan, |g, e| gcd(g, gcd(e.start, e.end)));
    if step == 0 || run.makespan / step > COLUMNS {
        return None;
    }
    let columns = usize::try_from(run.makespan / step).ok()?;
    let label = |cell: &Cell| cell_text(schedule, cell);
    let cells = schedule.rows().iter().zip(&run.events).flat_map(|(row, of)| of.iter().map(|e| (&row[e.slot], e)));
    // A label may take all columns of its event.
    let needs = |(cell, e): (&Cell, &crate::simulate::PipelineEvent)| {
        let columns = usize::try_from(((e.end - e.start) / step).max(1)).unwrap_or(1);
        (label(cell).len() + 1).div_ceil(columns)
    };
    let column = cells.map(needs).max().unwrap_or(2);
    let name = format!("rank {}", schedule.ranks().saturating_sub(1)).len() + 2;
    let per_block = (width.saturating_sub(name) / column).max(1);
    let mut text = String::new();
    let mut from = 0;
    while from < columns {
        let to = (from + per_block).min(columns);
        ruler(&mut text, name, from..to, column, Fraction::new(step, ticks));
        for rank in 0..schedule.ranks() {
            let line = line(schedule, run, rank, step, from..to, column, paint);
            let _ = writeln!(text, "{:name$}{}", format!("rank {rank}"), line.trim_end());
        }
        from = to;
        if from < columns {
            text.push('\n');
        }
    }
    Some(text)
}

/// The times at which columns start, where there is room for them.
fn ruler(text: &mut String, name: usize, columns: std::ops::Range<usize>, column: usize, step: Fraction) {
    let mut line = format!("{:name$}", "time");
    for c in columns.clone() {
        let place = name + (c - columns.start) * column;
        if line.len() > place || (line.len() == place && c != columns.start && !line.ends_with(' ')) {
            continue;
        }
        let time = Fraction::new(step.numerator * c as u64, step.denominator).to_string();
        let _ = write!(line, "{}{time} ", " ".repeat(place - line.len()));
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

fn line(
    schedule: &PipelineSchedule,
    run: &Simulation,
    rank: usize,
    step: u64,
    columns: std::ops::Range<usize>,
    column: usize,
    paint: &dyn Fn(&str, ActionKind) -> String,
) -> String {
    let mut out = String::new();
    // Characters so far; the text itself is longer where it is painted.
    let mut at = columns.start * column;
    let end = columns.end * column;
    for event in &run.events[rank] {
        let place = |t: u64| usize::try_from(t / step).unwrap_or(0) * column;
        let (start, stop) = (place(event.start).max(at), place(event.end).min(end));
        let Some(cell) = schedule.rows()[rank].get(event.slot) else { continue };
        if start >= stop {
            continue;
        }
        while at < start {
            // A dot for each column that is idle.
            out.push(if at.is_multiple_of(column) { '.' } else { ' ' });
            at += 1;
        }
        let room = stop - start - 1;
        // Where a block begins within an action, the label stands again.
        let label: String = cell_text(schedule, cell).chars().take(room.max(1)).collect();
        let bar = format!("{label}{}", "-".repeat(room.saturating_sub(label.len())));
        let kind = cell.actions().first().map_or(ActionKind::F, |a| a.kind);
        let _ = write!(out, "{} ", paint(&bar, kind));
        at = stop;
    }
    while at < end {
        out.push(if at.is_multiple_of(column) { '.' } else { ' ' });
        at += 1;
    }
    out
}

/// A cell in a chart: without the stage where a rank has only one.
fn cell_text(schedule: &PipelineSchedule, cell: &Cell) -> String {
    let alone = schedule.stages() as usize == schedule.ranks() && schedule.placement().copies() == 1;
    let short = |a: &PipelineAction| match alone {
        true => format!("{}{}", a.kind.text(), a.microbatch),
        false => a.to_string(),
    };
    cell.actions().iter().map(short).collect::<Vec<_>>().join("&")
}
