//! What a page shows of a run beside its plan (`run --html`): the steps, and one traced step.
//!
//! Figures are as they were measured. What a page has too little room for is left out here, the smallest first, after it was
//! counted: sums by source line are of the whole step. Not here: measuring (`runtime::trace`).

use super::PagePlace;
use crate::model::rounded;
use serde::Serialize;
use std::collections::BTreeMap;

/// Rows of pictures.
const STEPS: usize = 2_000;
const SPANS: usize = 6_000;

/// A run of one entry.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PageMeasured {
    pub entry: String,
    /// Steps in the order in which they ran; of many, some at equal distances, the first and the last among them.
    pub steps: Vec<PageStep>,
    /// Of all steps but the first, which touches memory for the first time; 0 if there was no other.
    #[serde(serialize_with = "rounded")]
    pub median_us: f64,
    pub tokens_per_step: u64,
    pub traced: Option<PageTraced>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PageStep {
    pub step: u64,
    pub loss: Option<f64>,
    /// On held-out data.
    pub eval_loss: Option<f64>,
    #[serde(serialize_with = "rounded")]
    pub us: f64,
}

/// What ran when in one step of this process's devices.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PageTraced {
    pub step: u64,
    /// Streams of devices, or worker threads.
    pub tracks: Vec<String>,
    pub devices: usize,
    pub spans: Vec<PageTracedSpan>,
    /// Stretches that are not in `spans` for want of room.
    pub left_out: usize,
    pub lines: Vec<PageMeasuredLine>,
}

/// A stretch of a track, in microseconds since the step began.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PageTracedSpan {
    pub name: String,
    /// `kernel`, `copy`, `collective`, `wire` or `action`.
    pub what: &'static str,
    pub track: usize,
    pub device: Option<usize>,
    #[serde(serialize_with = "rounded")]
    pub start: f64,
    #[serde(serialize_with = "rounded")]
    pub us: f64,
    pub at: Option<PagePlace>,
}

/// What the instructions that name a source line took, in the mean of the devices.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PageMeasuredLine {
    /// `None`: those that name no line.
    pub at: Option<PagePlace>,
    pub calls: u64,
    #[serde(serialize_with = "rounded")]
    pub kernels_us: f64,
    /// Collectives, wires and copies, waits for other devices included.
    #[serde(serialize_with = "rounded")]
    pub moves_us: f64,
}

impl PageMeasured {
    /// Of a run's `steps`, all of them.
    pub fn of(entry: &str, steps: Vec<PageStep>, tokens_per_step: u64, traced: Option<PageTraced>) -> PageMeasured {
        let mut times: Vec<f64> = steps.iter().skip(1).map(|s| s.us).collect();
        times.sort_by(f64::total_cmp);
        let median_us = times.get(times.len() / 2).copied().unwrap_or(0.0);
        PageMeasured { entry: entry.into(), steps: thinned(steps), median_us, tokens_per_step, traced }
    }
}

fn thinned(steps: Vec<PageStep>) -> Vec<PageStep> {
    let (stride, last) = (steps.len().div_ceil(STEPS).max(1), steps.len().saturating_sub(1));
    // A loss on held-out data is rare, and a point of its own curve.
    let kept = |(k, s): &(usize, PageStep)| k.is_multiple_of(stride) || *k == last || s.eval_loss.is_some();
    steps.into_iter().enumerate().filter(kept).map(|(_, s)| s).collect()
}

impl PageTraced {
    /// Of all stretches of a step on `devices` devices. An action lies around others, so its time counts for no line.
    pub fn of(step: u64, tracks: Vec<String>, devices: usize, mut spans: Vec<PageTracedSpan>) -> PageTraced {
        let mut by: BTreeMap<Option<&PagePlace>, (u64, f64, f64)> = BTreeMap::new();
        for s in spans.iter().filter(|s| s.what != "action") {
            let (calls, kernels, moves) = by.entry(s.at.as_ref()).or_default();
            *calls += 1;
            *if s.what == "kernel" { kernels } else { moves } += s.us;
        }
        let of = devices.max(1) as f64;
        let line = |(at, (calls, kernels, moves)): (Option<&PagePlace>, (u64, f64, f64))| PageMeasuredLine {
            at: at.cloned(),
            calls,
            kernels_us: kernels / of,
            moves_us: moves / of,
        };
        let lines = by.into_iter().map(line).collect();
        let all = spans.len();
        if all > SPANS {
            let mut sizes: Vec<f64> = spans.iter().map(|s| s.us).collect();
            sizes.sort_by(|a, b| b.total_cmp(a));
            let least = sizes[SPANS];
            spans.retain(|s| s.us > least);
        }
        PageTraced { step, tracks, devices, left_out: all - spans.len(), spans, lines }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(what: &'static str, us: f64, line: Option<u64>) -> PageTracedSpan {
        let at = line.map(|l| PagePlace("m.loom".into(), l));
        PageTracedSpan { name: "k".into(), what, track: 0, device: Some(0), start: 0.0, us, at }
    }

    #[test]
    fn lines_count_what_has_no_room() {
        let mut spans: Vec<PageTracedSpan> = (0..SPANS).map(|_| span("kernel", 2.0, Some(7))).collect();
        spans.extend([span("kernel", 1.0, Some(7)), span("collective", 4.0, Some(7)), span("copy", 6.0, None)]);
        spans.push(span("action", 1e6, None));
        let t = PageTraced::of(3, vec!["worker 0".into()], 2, spans);
        let at = Some(PagePlace("m.loom".into(), 7));
        let named = PageMeasuredLine { at, calls: SPANS as u64 + 2, kernels_us: SPANS as f64 + 0.5, moves_us: 2.0 };
        let nameless = PageMeasuredLine { at: None, calls: 1, kernels_us: 0.0, moves_us: 3.0 };
        assert_eq!(t.lines, [nameless, named]);
        assert!(t.spans.len() <= SPANS && t.spans.len() + t.left_out == SPANS + 4, "{} of them", t.spans.len());
        assert!(t.spans.iter().any(|s| s.what == "collective"), "the longest stay");
    }

    #[test]
    fn many_steps_are_thinned_and_the_median_leaves_out_the_first() {
        let step = |k: u64| PageStep { step: k, loss: Some(1.0), eval_loss: (k == 4000).then_some(2.0), us: k as f64 };
        let m = PageMeasured::of("f", (1..=9999).map(step).collect(), 8, None);
        assert!(m.steps.len() <= STEPS + 2, "{} steps", m.steps.len());
        assert_eq!((m.steps[0].step, m.steps.last().map(|s| s.step)), (1, Some(9999)));
        assert!(m.steps.iter().any(|s| s.step == 4000));
        assert_eq!(m.median_us, 5001.0);
        assert_eq!(PageMeasured::of("f", vec![step(1)], 8, None).median_us, 0.0);
    }
}
