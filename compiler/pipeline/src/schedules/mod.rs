//! The schedules that have a name: one entry each, with its domain, its source, and the figures that its source states.
//!
//! A new schedule is a file with an entry, and its line in [`ALL`]. The tests run every check on every entry.

mod breadth_first;
mod dualpipe;
mod gpipe;
mod interleaved;
mod one_f_one_b;
mod request;
mod search;
mod zbv;
mod zero_bubble;

pub use request::{ScheduleEntry, ScheduleRequest, StatedFigures};
pub use search::{SearchRefused, search};

use crate::align::aligned;
use crate::schedule::{LARGEST, PipelineSchedule};

/// All of them, the older ones first.
pub const ALL: &[&ScheduleEntry] = &[
    &gpipe::GPIPE,
    &one_f_one_b::ONE_F_ONE_B,
    &interleaved::INTERLEAVED,
    &breadth_first::BREADTH_FIRST,
    &zero_bubble::ZB_H1,
    &zero_bubble::ZB_H2,
    &zbv::ZB_V,
    &dualpipe::DUALPIPE,
    &dualpipe::DUALPIPE_V,
    &search::SEARCH,
];

/// The entry of a name.
pub fn find(name: &str) -> Option<&'static ScheduleEntry> {
    ALL.iter().find(|e| e.name == name).copied()
}

/// Makes the table of an entry, with idle cells where ranks wait.
///
/// # Errors
/// The rule of the schedule that the request breaks.
pub fn make(entry: &ScheduleEntry, request: &ScheduleRequest) -> Result<PipelineSchedule, String> {
    let of = |rule: String| format!("{}: {rule}", entry.name);
    if request.ranks == 0 || request.microbatches == 0 {
        return Err(of("there is at least one stage and one microbatch".into()));
    }
    let virtual_stages = match (entry.virtual_stages, request.virtual_stages) {
        (None, v) => v.unwrap_or(2),
        (Some(own), None) => own,
        (Some(own), Some(v)) if own == v => own,
        (Some(own), Some(v)) => {
            let stages = if own == 1 { "one stage".into() } else { format!("{own} stages") };
            return Err(of(format!("each rank has {stages}, not {v}")));
        }
    };
    if virtual_stages == 0 {
        return Err(of("each rank has at least one stage".into()));
    }
    let cells = u64::from(request.ranks) * u64::from(request.microbatches) * u64::from(virtual_stages);
    if cells > LARGEST {
        return Err(of(format!("stages times microbatches are at most {LARGEST}, not {cells}")));
    }
    if request.memory.is_some() && entry.name != search::SEARCH.name {
        return Err(of("only `search` goes by a limit of memory; the other orders are fixed".into()));
    }
    let request = ScheduleRequest { virtual_stages: Some(virtual_stages), ..request.clone() };
    (entry.make)(&request).map(aligned).map_err(of)
}
