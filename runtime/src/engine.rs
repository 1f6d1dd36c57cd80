//! The devices of a session, CPUs or GPUs: they are run, and read and written by tensors.

use crate::device::{CpuMachine, TurnTimes, gpu};
use crate::error::Result;
use crate::held::Held;
use crate::shard::{self, Window};
use crate::stages::Stages;
use crate::trace::Trace;
use meshloom_bundle::{Port, Program};
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

pub enum Engine {
    Cpu(Box<CpuMachine>),
    /// Of an entry with pipeline stages.
    Stages(Box<Stages>),
    /// With stages or without. Reading goes through buffers of its own, so it is a change too.
    Cuda(Box<RefCell<gpu::GpuMachine>>),
}

impl Engine {
    /// One run of the whole program on all devices.
    pub fn run(&mut self) -> Result<()> {
        match self {
            Engine::Cpu(m) => {
                m.run();
                Ok(())
            }
            Engine::Stages(s) => s.run(None).map(|_| ()),
            Engine::Cuda(m) => m.get_mut().run(),
        }
    }

    /// Seconds of one of `runs` runs that follow each other: on GPUs by the device's clock, with one wait for all.
    pub fn timed(&mut self, runs: u64) -> Result<f64> {
        if let Engine::Cuda(m) = self {
            return m.get_mut().timed(runs);
        }
        let start = Instant::now();
        (0..runs.max(1)).try_for_each(|_| self.run())?;
        Ok(start.elapsed().as_secs_f64() / runs.max(1) as f64)
    }

    /// As [`Engine::run`], with what ran when.
    pub fn trace(&mut self) -> Result<Trace> {
        match self {
            Engine::Cpu(m) => Ok(m.trace(Instant::now())),
            Engine::Stages(s) => s.trace(),
            Engine::Cuda(m) => m.get_mut().trace(),
        }
    }

    /// The devices of this process.
    pub fn own(&self) -> Range<usize> {
        match self {
            Engine::Cpu(m) => m.own(),
            Engine::Stages(s) => s.own(),
            Engine::Cuda(m) => m.borrow().own(),
        }
    }

    /// Bytes that each device has received from others.
    pub fn received_bytes(&self) -> Vec<u64> {
        match self {
            Engine::Cpu(m) => m.received_bytes(),
            Engine::Stages(s) => s.received_bytes(),
            Engine::Cuda(m) => m.borrow().received_bytes(),
        }
    }

    /// Libraries of the machine that the run takes, and what it takes in the place of those that are not there: for people.
    pub fn libraries(&self) -> Vec<String> {
        match self {
            Engine::Cpu(_) | Engine::Stages(_) => Vec::new(),
            Engine::Cuda(m) => m.borrow().libraries(),
        }
    }

    /// The most bytes that were allocated for the devices at any time.
    pub fn peak_bytes(&self) -> u64 {
        match self {
            Engine::Cpu(m) => m.memory().peak_bytes(),
            Engine::Stages(s) => s.peak_bytes(),
            Engine::Cuda(m) => m.borrow().allocated(),
        }
    }

    /// Bytes of the host's memory that the devices keep tensors in.
    pub fn host_bytes(&self) -> u64 {
        match self {
            Engine::Cpu(m) => m.memory().host_bytes(),
            Engine::Stages(s) => s.host_bytes(),
            Engine::Cuda(m) => m.borrow().host_bytes(),
        }
    }

    /// See [`Stages::turns`]; nothing without pipeline stages.
    pub fn turns(&self) -> Vec<(usize, TurnTimes, u64)> {
        match self {
            Engine::Stages(s) => s.turns(),
            Engine::Cpu(_) | Engine::Cuda(_) => Vec::new(),
        }
    }

    /// Threads that compute; of the host, one gives work to GPUs.
    pub fn workers(&self) -> usize {
        match self {
            Engine::Cpu(m) => m.workers(),
            Engine::Stages(s) => s.workers(),
            Engine::Cuda(_) => 1,
        }
    }

    /// Reads a window of a global tensor into `host`, as far as this process holds it; what others hold is left as it is.
    pub fn gather(&self, program: &Program, port: &Port, w: &Window, host: &mut [u8]) -> Result<()> {
        match self {
            Engine::Cpu(m) => shard::gather(program, port, w, host, m.own(), |d| m.arena(d)),
            Engine::Stages(s) => s.gather(port, w, host),
            Engine::Cuda(m) => {
                let m = &mut *m.borrow_mut();
                for (device, place, program, port) in on_gpus(m, port) {
                    if !shard::is_first_copy(&program, &port, place) {
                        continue;
                    }
                    let Some(span) = shard::span(&program, &port, w, place) else { continue };
                    let mut piece = vec![0; span.range.len()];
                    m.read(device, span.range.start as u64, &mut piece)?;
                    shard::gather_from(&program, &port, w, host, place, span.range.start, &piece);
                }
            }
        }
        Ok(())
    }

    /// Writes a window of a global tensor, as far as this process holds it.
    pub fn scatter(&mut self, program: &Program, port: &Port, w: &Window, host: &[u8]) -> Result<()> {
        match self {
            Engine::Cpu(m) => {
                m.own().for_each(|d| shard::scatter(program, port, w, host, d, m.arena_mut(d)));
                Ok(())
            }
            Engine::Stages(s) => {
                s.scatter(port, w, host);
                Ok(())
            }
            Engine::Cuda(m) => {
                let m = m.get_mut();
                for (device, place, program, port) in on_gpus(m, port) {
                    let Some(span) = shard::span(&program, &port, w, place) else { continue };
                    let mut piece = vec![0; span.range.len()];
                    if !span.dense {
                        m.read(device, span.range.start as u64, &mut piece)?;
                    }
                    shard::scatter_into(&program, &port, w, host, place, span.range.start, &mut piece);
                    m.write(device, span.range.start as u64, &piece)?;
                }
                Ok(())
            }
        }
    }

    /// Copies a window between the devices and memory of their GPU, dense and row-major. `false`: not all of it was copied, since the
    /// devices are no GPUs, or keep some of the tensor in the host's memory.
    ///
    /// # Errors
    /// The device's.
    ///
    /// # Safety
    /// As [`gpu::GpuMachine::pass`].
    pub unsafe fn pass(&self, port: &Port, w: &Window, other: u64, way: gpu::Direction) -> Result<bool> {
        let Engine::Cuda(m) = self else { return Ok(false) };
        let m = &mut *m.borrow_mut();
        for (device, place, program, port) in on_gpus(m, port) {
            if way == gpu::Direction::FromDevice && !shard::is_first_copy(&program, &port, place) {
                continue;
            }
            // SAFETY: as the caller promises.
            if !unsafe { m.pass(device, &shard::rows(&program, &port, w, place), other, way)? } {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Hashes of what devices of this process hold, side by side: for each device and port of the program that it runs, as
    /// `(rank in the pipeline, place there, port)`.
    pub fn hashes<'p>(&self, held: Held<'p>, asked: &[(usize, usize, &'p Port)]) -> Result<Vec<u64>> {
        let arena = |device| match self {
            Engine::Cpu(m) => Some(m.arena(device)),
            Engine::Stages(s) => Some(s.arena(device)),
            Engine::Cuda(_) => None,
        };
        match self {
            Engine::Cpu(_) | Engine::Stages(_) => {
                let of = |&(rank, place, port): &(usize, usize, &'p Port)| {
                    let arena = arena(held.device(rank, place))?;
                    Some((held.program(rank), place, port, arena))
                };
                let all: Vec<(&Program, usize, &Port, &[u8])> = asked.iter().filter_map(of).collect();
                let one = |(program, place, port, arena): &(&Program, usize, &Port, &[u8])| {
                    shard::hash(program, port, *place, 0, arena)
                };
                Ok(side_by_side(&all, self.workers(), one))
            }
            Engine::Cuda(m) => {
                let mut m = m.borrow_mut();
                let mut one = |&(rank, place, port): &(usize, usize, &Port)| {
                    let (program, w) = (held.program(rank), shard::window(port, None));
                    let span = shard::span(program, port, &w, place);
                    let range = span.map_or(0..0, |s| s.range);
                    let mut piece = vec![0; range.len()];
                    m.read(held.device(rank, place), range.start as u64, &mut piece)?;
                    Ok(shard::hash(program, port, place, range.start, &piece))
                };
                asked.iter().map(&mut one).collect()
            }
        }
    }

    /// A window of a global tensor that one device of this process holds all of.
    pub fn part(&self, program: &Program, port: &Port, w: &Window, device: usize) -> Result<Vec<u8>> {
        let mut host = vec![0; shard::bytes(port, w) as usize];
        match self {
            Engine::Cpu(m) => shard::gather_from(program, port, w, &mut host, device, 0, m.arena(device)),
            Engine::Stages(s) => return Ok(s.part(port, w, device)),
            Engine::Cuda(m) => {
                let m = &mut *m.borrow_mut();
                for (_, place, program, port) in on_gpus(m, port).into_iter().filter(|p| p.0 == device) {
                    let Some(span) = shard::span(&program, &port, w, place) else { continue };
                    let mut piece = vec![0; span.range.len()];
                    m.read(device, span.range.start as u64, &mut piece)?;
                    shard::gather_from(&program, &port, w, &mut host, place, span.range.start, &piece);
                }
            }
        }
        Ok(host)
    }

    /// Where a device of this process has a tensor, or its parts of it: offset and bytes in its arena.
    pub fn places(&self, port: &Port, device: usize) -> Vec<(u64, u64)> {
        match self {
            Engine::Stages(s) => s.places(port, device),
            Engine::Cuda(m) => m.borrow().ports(port, device).iter().map(|p| (p.offset, p.bytes)).collect(),
            Engine::Cpu(_) => vec![(port.offset, port.bytes)],
        }
    }

    /// Reads bytes of a device of this process.
    pub fn read(&self, device: usize, from: u64, bytes: &mut [u8]) -> Result<()> {
        let arena = match self {
            Engine::Cpu(m) => m.arena(device),
            Engine::Stages(s) => s.arena(device),
            Engine::Cuda(m) => return m.borrow_mut().read(device, from, bytes),
        };
        bytes.copy_from_slice(&arena[from as usize..][..bytes.len()]);
        Ok(())
    }

    /// Writes bytes of a device of this process.
    pub fn write(&mut self, device: usize, to: u64, bytes: &[u8]) -> Result<()> {
        let arena = match self {
            Engine::Cpu(m) => m.arena_mut(device),
            Engine::Stages(s) => s.arena_mut(device),
            Engine::Cuda(m) => return m.get_mut().write(device, to, bytes),
        };
        arena[to as usize..][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    /// The first bytes of a port that all devices of this process hold.
    pub fn first_bytes(&self, port: &Port, bytes: usize) -> Result<Vec<u8>> {
        let mut piece = vec![0; bytes];
        self.read(self.own().start, port.offset, &mut piece)?;
        Ok(piece)
    }

    /// Whether each device holds all of what is not split.
    pub fn is_alike(&self) -> bool {
        match self {
            Engine::Cpu(_) => true,
            Engine::Stages(_) => false,
            Engine::Cuda(m) => m.borrow().held().ranks() == 1,
        }
    }
}

/// What GPUs of this process have of a tensor: device, its place in its program, the program, and the port there.
fn on_gpus(m: &gpu::GpuMachine, whole: &Port) -> Vec<(usize, usize, Arc<Program>, Port)> {
    let of = |device: usize| {
        let place = m.held().place(device).1;
        let port = move |p: Port| Some((device, place, m.program_of(device)?, p));
        m.ports(whole, device).into_iter().filter_map(port)
    };
    m.own().flat_map(of).collect()
}

/// What `f` gives for each item. Several threads share the work, where the system lets them start.
fn side_by_side<I: Sync, T: Send>(items: &[I], threads: usize, f: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Relaxed);
            let Some(item) = items.get(i) else { return done };
            done.push((i, f(item)));
        }
    };
    let mut all = std::thread::scope(|s| {
        let start = |_| std::thread::Builder::new().spawn_scoped(s, work).ok();
        let others: Vec<_> = (1..threads.min(items.len())).map_while(start).collect();
        let mut all = work();
        for other in others {
            all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    });
    all.sort_by_key(|d| d.0);
    all.into_iter().map(|d| d.1).collect()
}
