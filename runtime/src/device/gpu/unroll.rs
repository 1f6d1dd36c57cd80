//! Programs' instructions as work for streams: loops are unrolled, and each piece of work has the bytes that it
//! touches.
//!
//! Work is issued in windows, and all streams meet between windows. A window is a complete step if no loop waits for a
//! condition and there is not too much work; such a window can be captured once and replayed. A `while` ends a window
//! before each look at its condition, since the host has to know the condition.
//!
//! There is one program, or those of the ranks of a pipeline that this process has, in the order of [`super::sequence`].

use super::order::Task;
use super::sequence::{Piece, WireStep};
use meshloom_bundle::{BufRef, Instr, Iterations, LOOPS, Program};
use std::ops::Range;

/// The most pieces of work in a window.
pub const WINDOW: usize = 1 << 16;

/// A piece of work.
#[derive(Clone, Copy)]
pub struct Work<'p> {
    /// Which of the programs.
    pub part: usize,
    pub instr: &'p Instr,
    /// The device that does it, among those of the program in this process; meaningless for collectives, which all of them do.
    pub device: usize,
    pub at: Iterations,
    /// The turn of the actions that it belongs to.
    pub turn: Option<usize>,
    pub wire: WireStep,
}

/// Where the memory of a program's devices lies: that of device `d` of this process from `base + d * span` on.
#[derive(Clone, Copy, Debug)]
pub struct AddressMap {
    pub base: u64,
    pub devices: usize,
    pub span: u64,
    /// Where a device's workspace lies in its memory, which kernels that take it write to.
    pub workspace: (u64, u64),
    /// The stream of the first device; those of the others follow, and then the one for all collectives. Behind it are two for each
    /// device that has memory of the host: for copies from there, and for copies to there.
    pub stream: usize,
    pub host: HostMemory,
}

/// The host's memory that belongs to a program's devices: that of device `d` from `base + d * span` on.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostMemory {
    pub base: u64,
    pub span: u64,
    /// The offset that its first byte has.
    pub from: u64,
}

impl HostMemory {
    /// Where an offset lies, if that is in the host's memory.
    pub fn place(&self, device: usize, offset: u64) -> Option<u64> {
        let at = offset.checked_sub(self.from).filter(|_| self.span > 0)?;
        Some(self.base + device as u64 * self.span + at)
    }
}

impl AddressMap {
    /// The stream of all collectives.
    pub fn communication(&self) -> usize {
        self.stream + self.devices
    }

    /// Bytes of a device's memory.
    pub fn within(&self, device: usize, offset: u64, bytes: u64) -> Range<u64> {
        let start = self.base + device as u64 * self.span + offset;
        start..start + bytes
    }

    pub fn place(&self, device: usize, b: &BufRef, at: &Iterations) -> Range<u64> {
        let offset = b.at(at);
        match self.host.place(device, offset) {
            Some(start) => start..start + b.bytes,
            None => self.within(device, offset, b.bytes),
        }
    }

    /// The stream of a device's copies: to the host's memory if one goes there, else from it.
    pub fn copies(&self, device: usize, to_host: bool) -> usize {
        self.communication() + 1 + 2 * device + usize::from(to_host)
    }

    /// What a piece of work does to memory, where it is no transfer.
    pub fn task(&self, p: &Program, w: &Work<'_>) -> Task {
        let place = |b: &BufRef| self.place(w.device, b, &w.at);
        let stream = self.stream + w.device;
        match w.instr {
            Instr::Launch(l) => {
                let writes = l.writes.iter().map(|&k| place(&l.args[k as usize]));
                let workspace = p.kernels[l.kernel as usize]
                    .scratch
                    .then(|| self.within(w.device, self.workspace.0, self.workspace.1));
                let reads = l.args.iter().map(place).collect();
                Task { stream, reads, writes: writes.chain(workspace).collect() }
            }
            Instr::Copy { src, dst, .. } => {
                let [from, to] = [src, dst].map(|b| p.in_host(b.offset));
                let stream = if from || to { self.copies(w.device, to) } else { stream };
                Task { stream, reads: vec![place(src)], writes: vec![place(dst)] }
            }
            Instr::Fill { dst, .. } => Task { stream, reads: vec![], writes: vec![place(dst)] },
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

    /// Whether a loop of a program makes one more iteration: a byte of any device, after all that was put out before.
    fn goes_on(&mut self, part: usize, condition: &BufRef, at: &Iterations) -> Result<bool, Self::Error>;
}

/// A program, and how many of its devices are in this process.
#[derive(Clone, Copy)]
pub struct UnrolledPart<'p> {
    pub program: &'p Program,
    pub devices: usize,
}

/// Puts out the work of programs in an order of their pieces.
///
/// # Errors
/// Those of the sink.
pub fn unroll<'p, S: Sink<'p>>(parts: &[UnrolledPart<'p>], order: &[Piece], sink: &mut S) -> Result<(), S::Error> {
    let now = Piece { part: 0, top: 0, turn: None, wire: WireStep::None };
    // All streams meet at the end of a window. What was posted may come later than that, if others wait for what comes after it.
    let limit = if order.iter().any(|p| p.wire == WireStep::Post) { usize::MAX } else { WINDOW };
    let mut unroller = Unroller { parts, now, limit, window: Vec::new(), sink };
    for piece in order {
        let Some((instr, microbatch)) = parts.get(piece.part).and_then(|p| piece.find(p.program)) else { continue };
        unroller.now = *piece;
        let mut at = [0; LOOPS];
        at[0] = microbatch.unwrap_or(0);
        unroller.list(std::slice::from_ref(instr), &mut at, usize::from(microbatch.is_some()))?;
    }
    unroller.flush()
}

/// How many pieces of work there are in all; `None` where a condition decides.
pub fn pieces_of(parts: &[UnrolledPart<'_>], order: &[Piece]) -> Option<u64> {
    let of = |piece: &Piece| {
        let part = parts.get(piece.part)?;
        let (instr, _) = piece.find(part.program)?;
        pieces(std::slice::from_ref(instr), part.devices as u64)
    };
    order.iter().try_fold(0u64, |sum, p| Some(sum.saturating_add(of(p)?)))
}

/// All of it as one window, if it is one.
pub fn single_window<'p>(parts: &[UnrolledPart<'p>], order: &[Piece]) -> Option<Vec<Work<'p>>> {
    if pieces_of(parts, order)? > WINDOW as u64 {
        return None;
    }
    struct Kept<'p>(Vec<Work<'p>>);
    impl<'p> Sink<'p> for Kept<'p> {
        type Error = std::convert::Infallible;

        fn window(&mut self, work: &[Work<'p>]) -> Result<(), Self::Error> {
            self.0.extend_from_slice(work);
            Ok(())
        }

        fn goes_on(&mut self, _: usize, _: &BufRef, _: &Iterations) -> Result<bool, Self::Error> {
            Ok(false)
        }
    }
    let mut kept = Kept(Vec::new());
    let Ok(()) = unroll(parts, order, &mut kept);
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
            Instr::Launch(_) | Instr::Copy { .. } | Instr::Fill { .. } | Instr::Send(_) | Instr::Receive(_) => devices,
        };
        Some(sum.saturating_add(n))
    })
}

struct Unroller<'p, 's, S> {
    parts: &'s [UnrolledPart<'p>],
    /// What is unrolled.
    now: Piece,
    limit: usize,
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
        let Piece { part, turn, wire, .. } = self.now;
        let turn = turn.map(|t| t.0);
        for instr in instrs {
            let work = Work { part, instr, device: 0, at: *at, turn, wire };
            match instr {
                Instr::Launch(_) | Instr::Copy { .. } | Instr::Fill { .. } | Instr::Send(_) | Instr::Receive(_) => {
                    for device in 0..self.parts[part].devices {
                        self.window.push(Work { device, ..work });
                    }
                }
                Instr::Collective(_) | Instr::Bucket(_) => self.window.push(work),
                Instr::Loop { trip, body } => {
                    for i in 0..*trip {
                        at[depth] = i;
                        self.list(body, at, depth + 1)?;
                    }
                    at[depth] = 0;
                }
                // Their turns are pieces of their own.
                Instr::Actions(_) => {}
                Instr::While(w) => {
                    let mut i = 0;
                    while w.most.is_none_or(|most| i < most) {
                        at[depth] = i;
                        self.flush()?;
                        if !self.sink.goes_on(part, &w.going, at)? {
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
            if self.window.len() >= self.limit {
                self.flush()?;
            }
        }
        Ok(())
    }
}
