//! A program's instructions as work for streams: loops are unrolled, and each piece of work has the bytes that it
//! touches.
//!
//! Work is issued in windows, and all streams meet between windows. A window is a complete step if no loop waits for a
//! condition and there is not too much work; such a window can be captured once and replayed. A `while` ends a window
//! before each look at its condition, since the host has to know the condition.

use super::order::Task;
use meshloom_bundle::{BufRef, Instr, Iterations, LOOPS, Program};
use std::ops::Range;

/// Most pieces of work in a window.
pub const WINDOW: usize = 1 << 16;

/// A piece of work.
#[derive(Clone, Copy)]
pub struct Work<'p> {
    pub instr: &'p Instr,
    /// The device that does it, among those of this process; meaningless for collectives, which all of them do.
    pub device: usize,
    pub at: Iterations,
}

/// Where devices' memory lies in the numbers by which [`super::order`] compares: device `d` of this process from `d * span` on.
#[derive(Clone, Copy, Debug)]
pub struct AddressMap {
    pub devices: usize,
    pub span: u64,
    /// Where a device's workspace lies in its memory, which kernels that take it write to.
    pub workspace: (u64, u64),
}

impl AddressMap {
    /// Streams: one for each device, and one for all collectives.
    pub fn streams(&self) -> usize {
        self.devices + 1
    }

    pub fn communication(&self) -> usize {
        self.devices
    }

    fn place(&self, device: usize, b: &BufRef, at: &Iterations) -> Range<u64> {
        let start = device as u64 * self.span + b.at(at);
        start..start + b.bytes
    }

    /// What a piece of work does to memory.
    pub fn task(&self, p: &Program, w: &Work<'_>) -> Task {
        let place = |b: &BufRef| self.place(w.device, b, &w.at);
        match w.instr {
            Instr::Launch(l) => {
                let writes = l.writes.iter().map(|&k| place(&l.args[k as usize]));
                let workspace = p.kernels[l.kernel as usize].scratch.then(|| {
                    let start = w.device as u64 * self.span + self.workspace.0;
                    start..start + self.workspace.1
                });
                let reads = l.args.iter().map(place).collect();
                Task { stream: w.device, reads, writes: writes.chain(workspace).collect() }
            }
            Instr::Copy { src, dst, .. } => {
                Task { stream: w.device, reads: vec![place(src)], writes: vec![place(dst)] }
            }
            Instr::Fill { dst, .. } => Task { stream: w.device, reads: vec![], writes: vec![place(dst)] },
            Instr::Collective(_) | Instr::Bucket(_) => {
                let all = w.instr.collectives();
                let of = |b: fn(&meshloom_bundle::Collective) -> &BufRef| -> Vec<Range<u64>> {
                    let devices = 0..self.devices;
                    devices.flat_map(|d| all.iter().map(move |c| self.place(d, b(c), &w.at))).collect()
                };
                Task { stream: self.communication(), reads: of(|c| &c.src), writes: of(|c| &c.dst) }
            }
            Instr::Loop { .. } | Instr::While(_) | Instr::Actions(_) | Instr::Send(_) | Instr::Receive(_) => {
                Task::default()
            }
        }
    }
}

/// Who does the work.
pub trait Sink<'p> {
    type Error;

    /// Work in program order, after all that was put out before.
    fn window(&mut self, work: &[Work<'p>]) -> Result<(), Self::Error>;

    /// Whether a loop makes one more iteration: a byte of any device, after all that was put out before.
    fn goes_on(&mut self, condition: &BufRef, at: &Iterations) -> Result<bool, Self::Error>;
}

/// Puts out a program's work.
///
/// # Errors
/// Those of the sink.
pub fn unroll<'p, S: Sink<'p>>(p: &'p Program, devices: usize, sink: &mut S) -> Result<(), S::Error> {
    let mut unroller = Unroller { devices, window: Vec::new(), sink };
    unroller.list(&p.instrs, &mut [0; LOOPS], 0)?;
    unroller.flush()
}

/// The whole program as one window, if it is one.
pub fn single_window(p: &Program, devices: usize) -> Option<Vec<Work<'_>>> {
    if pieces(&p.instrs, devices as u64)? > WINDOW as u64 {
        return None;
    }
    struct Kept<'p>(Vec<Work<'p>>);
    impl<'p> Sink<'p> for Kept<'p> {
        type Error = std::convert::Infallible;

        fn window(&mut self, work: &[Work<'p>]) -> Result<(), Self::Error> {
            self.0.extend_from_slice(work);
            Ok(())
        }

        fn goes_on(&mut self, _: &BufRef, _: &Iterations) -> Result<bool, Self::Error> {
            Ok(false)
        }
    }
    let mut kept = Kept(Vec::new());
    let Ok(()) = unroll(p, devices, &mut kept);
    Some(kept.0)
}

/// How many pieces of work there are; `None` where a condition decides.
fn pieces(instrs: &[Instr], devices: u64) -> Option<u64> {
    instrs.iter().try_fold(0u64, |sum, instr| {
        let n = match instr {
            Instr::While(_) => return None,
            Instr::Loop { trip, body } => trip.saturating_mul(pieces(body, devices)?),
            Instr::Actions(a) => {
                let each = a.bodies.iter().try_fold(0u64, |n, b| Some(n.saturating_add(pieces(&b.body, devices)?)))?;
                a.microbatches.saturating_mul(each)
            }
            Instr::Collective(_) | Instr::Bucket(_) => 1,
            Instr::Launch(_) | Instr::Copy { .. } | Instr::Fill { .. } => devices,
            // Programs with wires are refused before.
            Instr::Send(_) | Instr::Receive(_) => 0,
        };
        Some(sum.saturating_add(n))
    })
}

struct Unroller<'p, 's, S> {
    devices: usize,
    window: Vec<Work<'p>>,
    sink: &'s mut S,
}

impl<'p, S: Sink<'p>> Unroller<'p, '_, S> {
    fn flush(&mut self) -> Result<(), S::Error> {
        if !self.window.is_empty() {
            self.sink.window(&self.window)?;
            self.window.clear();
        }
        Ok(())
    }

    fn list(&mut self, instrs: &'p [Instr], at: &mut Iterations, depth: usize) -> Result<(), S::Error> {
        for instr in instrs {
            match instr {
                Instr::Launch(_) | Instr::Copy { .. } | Instr::Fill { .. } => {
                    self.window.extend((0..self.devices).map(|device| Work { instr, device, at: *at }));
                }
                Instr::Collective(_) | Instr::Bucket(_) => self.window.push(Work { instr, device: 0, at: *at }),
                Instr::Loop { trip, body } => {
                    for i in 0..*trip {
                        at[depth] = i;
                        self.list(body, at, depth + 1)?;
                    }
                    at[depth] = 0;
                }
                Instr::Actions(a) => {
                    for turn in &a.order {
                        at[depth] = turn.microbatch;
                        self.list(&a.bodies[turn.action as usize].body, at, depth + 1)?;
                    }
                    at[depth] = 0;
                }
                Instr::Send(_) | Instr::Receive(_) => {}
                Instr::While(w) => {
                    let mut i = 0;
                    while w.most.is_none_or(|most| i < most) {
                        at[depth] = i;
                        self.flush()?;
                        if !self.sink.goes_on(&w.going, at)? {
                            break;
                        }
                        self.list(&w.body, at, depth + 1)?;
                        i += 1;
                    }
                    at[depth] = i;
                    self.list(&w.after, at, depth + 1)?;
                    at[depth] = 0;
                }
            }
            if self.window.len() >= WINDOW {
                self.flush()?;
            }
        }
        Ok(())
    }
}
