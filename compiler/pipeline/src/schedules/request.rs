//! What an entry of the table of schedules consists of, and what is asked of it.

use crate::schedule::PipelineSchedule;
use crate::times::PipelineTimes;

/// Sizes of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleRequest {
    /// Ranks of the pipeline, which the papers call stages, p.
    pub ranks: u32,
    /// Microbatches of one step, m.
    pub microbatches: u32,
    /// Stages of each rank, v; what the schedule has where absent.
    pub virtual_stages: Option<u32>,
    /// Activations that a rank may keep until their `W`. For `search` alone.
    pub memory: Option<u64>,
    /// What `search` goes by. The other schedules do not ask.
    pub times: PipelineTimes,
}

impl ScheduleRequest {
    /// With unit times, and no more than that.
    pub fn of(ranks: u32, microbatches: u32) -> ScheduleRequest {
        ScheduleRequest { ranks, microbatches, virtual_stages: None, memory: None, times: PipelineTimes::unit() }
    }

    pub fn with_virtual(self, stages: u32) -> ScheduleRequest {
        ScheduleRequest { virtual_stages: Some(stages), ..self }
    }

    /// Stages of each rank, for schedules that leave it open: 2 where nothing is said.
    pub(crate) fn v(&self) -> u32 {
        self.virtual_stages.unwrap_or(2)
    }
}

/// What a source says of a schedule at even times, in ticks of the times given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatedFigures {
    /// Of the rank that waits longest ([`crate::Simulation::bubble`]).
    pub bubble: Option<u64>,
    /// The most activations that a rank keeps until their weights' gradient, in activations of one stage.
    pub in_flight: Option<u64>,
}

/// One schedule.
pub struct ScheduleEntry {
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Which sizes it has, in words: p ranks, m microbatches, v stages for each rank.
    pub domain: &'static str,
    /// Paper and section.
    pub source: &'static str,
    /// The bubble that the source states, and where the statement holds, for people.
    pub formula: &'static str,
    /// Stages of each rank where they are fixed.
    pub virtual_stages: Option<u32>,
    /// The order, without idle cells; or the rule that the request breaks.
    pub make: fn(&ScheduleRequest) -> Result<PipelineSchedule, String>,
    /// What the source states at these sizes and times; nothing outside of the statement's domain.
    pub stated: fn(&ScheduleRequest) -> StatedFigures,
}
