//! How long actions and transfers take, in ticks: integers, so that a simulation is exact.
//!
//! Times that a user gives are fractions of a unit of his own. They become ticks by the least common denominator, and
//! [`PipelineTimes::ticks`] says how many ticks a unit has.

use crate::action::{ActionKind, Cell, PipelineAction};
use crate::fraction::{Fraction, gcd};
use std::fmt;

/// No time is longer than this many ticks, so that no sum over a table overflows.
const LONGEST: u64 = 1 << 36;

/// Times of the actions of one stage on one microbatch, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageTimes {
    pub f: u64,
    pub i: u64,
    pub w: u64,
    /// A full backward; `i + w` unless said otherwise.
    pub b: u64,
}

/// Times of a whole pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineTimes {
    /// For each stage, or one for all of them. Never empty.
    stages: Vec<StageTimes>,
    /// From the end of an action on one rank to the point where another rank may use its result. The rank itself goes on
    /// at once, and transfers do not slow each other.
    pub communication: u64,
    /// An overlapped pair of `F` and `B`; the sum of its parts where absent.
    pub overlapped: Option<u64>,
    /// Ticks of one unit of time.
    pub ticks: u64,
}

/// Times too long, too fine, or none at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimesError(String);

impl fmt::Display for TimesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TimesError {}

impl PipelineTimes {
    /// `F`, `I` and `W` take one tick each, `B` two, communication none: the papers' unit times.
    pub fn unit() -> PipelineTimes {
        PipelineTimes::even(1, 1, 1, 0)
    }

    /// The same integers for all stages; a unit is a tick.
    pub fn even(f: u64, i: u64, w: u64, communication: u64) -> PipelineTimes {
        let cut = |t: u64| t.min(LONGEST);
        let one = StageTimes { f: cut(f), i: cut(i), w: cut(w), b: cut(i) + cut(w) };
        PipelineTimes { stages: vec![one], communication: cut(communication), overlapped: None, ticks: 1 }
    }

    /// The same times for all stages, and no communication.
    pub fn all(stage: StageTimes) -> PipelineTimes {
        PipelineTimes { stages: vec![stage], communication: 0, overlapped: None, ticks: 1 }
    }

    /// `[F, I, W]` of each stage (or one triple for all stages), the time of communication, and that of an overlapped pair.
    ///
    /// # Errors
    /// No stage, or times whose common denominator makes them longer than 2^36 ticks.
    pub fn new(
        stages: &[[Fraction; 3]],
        communication: Fraction,
        overlapped: Option<Fraction>,
    ) -> Result<PipelineTimes, TimesError> {
        if stages.is_empty() {
            return Err(TimesError("no stage has times".into()));
        }
        let all = || stages.iter().flatten().chain([&communication]).chain(&overlapped);
        let mut ticks: u64 = 1;
        for t in all() {
            let common = (ticks / gcd(ticks, t.denominator)).checked_mul(t.denominator).filter(|c| *c <= LONGEST);
            ticks = common.ok_or_else(|| TimesError("the times have no common denominator below 2^36".into()))?;
        }
        let scaled = |t: Fraction| {
            let n = t.numerator.checked_mul(ticks / t.denominator).filter(|n| *n <= LONGEST);
            n.ok_or_else(|| TimesError(format!("{t} is longer than 2^36 ticks of 1/{ticks}")))
        };
        let stage = |&[f, i, w]: &[Fraction; 3]| {
            let (f, i, w) = (scaled(f)?, scaled(i)?, scaled(w)?);
            Ok(StageTimes { f, i, w, b: i + w })
        };
        Ok(PipelineTimes {
            stages: stages.iter().map(stage).collect::<Result<_, TimesError>>()?,
            communication: scaled(communication)?,
            overlapped: overlapped.map(scaled).transpose()?,
            ticks,
        })
    }

    /// Those of one stage; the last ones given where there are fewer than stages.
    pub fn stage(&self, stage: u32) -> StageTimes {
        let at = (stage as usize).min(self.stages.len().saturating_sub(1));
        self.stages.get(at).copied().unwrap_or(StageTimes { f: 0, i: 0, w: 0, b: 0 })
    }

    /// How long one action keeps its rank busy; sends, receives and actions of whole stages take no time.
    pub fn action(&self, action: PipelineAction) -> u64 {
        let t = self.stage(action.stage);
        match action.kind {
            ActionKind::F => t.f,
            ActionKind::I => t.i,
            ActionKind::W => t.w,
            ActionKind::B => t.b,
            _ => 0,
        }
    }

    /// How long a cell keeps its rank busy.
    pub fn cell(&self, cell: &Cell) -> u64 {
        let sum = cell.actions().iter().map(|a| self.action(*a)).sum();
        match (cell, self.overlapped) {
            (Cell::Overlap([a, b]), Some(t)) if a.kind == ActionKind::B || b.kind == ActionKind::B => t,
            _ => sum,
        }
    }
}
