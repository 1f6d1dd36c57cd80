//! A step of GPUs as it is traced: two events for each piece of a window, before and after it.

use super::driver::{Driver, Event, Stream};
use super::unroll::Work;
use crate::error::Result;
use crate::trace::{Label, Trace, TraceSpan, What};
use meshloom_bundle::{Iterations, LOOPS, Program};
use std::collections::BTreeMap;
use std::sync::Arc;

pub struct Recording {
    begin: Event,
    events: Vec<Event>,
    used: usize,
    /// With the number of the program and of the device among those of the program in the place of the device.
    spans: Vec<(TraceSpan, Option<(usize, usize)>)>,
    /// Of each program, device and turn: the microbatch, and when the device was at work on it.
    turns: BTreeMap<(usize, usize, usize), (u64, f64, f64)>,
}

impl Recording {
    /// From here on, what runs is written down.
    pub fn new(driver: &mut dyn Driver, stream: Stream) -> Result<Recording> {
        let begin = driver.timed_event()?;
        driver.record(begin, stream)?;
        Ok(Recording { begin, events: Vec::new(), used: 0, spans: Vec::new(), turns: BTreeMap::new() })
    }

    pub fn mark(&mut self, driver: &mut dyn Driver, stream: Stream) -> Result<()> {
        if self.used == self.events.len() {
            self.events.push(driver.timed_event()?);
        }
        self.used += 1;
        driver.record(self.events[self.used - 1], stream)
    }

    /// The times of a window that is done: each piece of work with its stream.
    pub fn read<'w, 'p: 'w>(
        &mut self,
        driver: &mut dyn Driver,
        window: impl Iterator<Item = (usize, &'w Work<'p>)>,
        program: impl Fn(&Work<'p>) -> Arc<Program>,
    ) -> Result<()> {
        for ((track, w), ends) in window.zip(self.events.chunks(2)) {
            let label = Label::of(&program(w), w.instr);
            let (start, end) = (driver.elapsed(self.begin, ends[0])?, driver.elapsed(self.begin, ends[1])?);
            let device = (label.what != What::Collective).then_some((w.part, w.device));
            // What waits on a stream of its own is not what the device works on.
            let works = matches!(label.what, What::Kernel | What::Copy);
            if let (Some(turn), Some((part, device)), true) = (w.turn, device, works) {
                let span = self.turns.entry((part, device, turn)).or_insert((w.at[0], start, end));
                *span = (span.0, span.1.min(start), span.2.max(end));
            }
            self.spans.push((TraceSpan { label, track, device: None, at: w.at, start, end }, device));
        }
        self.used = 0;
        Ok(())
    }

    /// `device` gives the track and the number of a program's device, `action` the name of a turn's action.
    pub fn finish(
        self,
        tracks: Vec<String>,
        device: impl Fn(usize, usize) -> (usize, usize),
        action: impl Fn(usize, usize) -> String,
    ) -> Trace {
        let number = |at: Option<(usize, usize)>| at.map(|(part, place)| device(part, place).1);
        let mut spans: Vec<TraceSpan> =
            self.spans.into_iter().map(|(s, at)| TraceSpan { device: number(at), ..s }).collect();
        for ((part, place, turn), (microbatch, start, end)) in self.turns {
            let (track, device) = device(part, place);
            let mut at: Iterations = [0; LOOPS];
            at[0] = microbatch;
            let name = format!("{}{microbatch}", action(part, turn));
            let label = Label { name, what: What::Action, source: None };
            spans.push(TraceSpan { label, track, device: Some(device), at, start, end });
        }
        Trace { tracks, spans }
    }
}
