//! The devices of a session, CPUs or GPUs: they are run, and read and written by tensors.

use crate::device::{CpuMachine, cuda};
use crate::error::Result;
use crate::shard::{self, Window};
use crate::trace::Trace;
use meshloom_bundle::{Port, Program};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub enum Engine {
    Cpu(Box<CpuMachine>),
    /// Reading goes through buffers of its own, so it is a change too.
    Cuda(Box<RefCell<cuda::GpuMachine>>),
}

impl Engine {
    /// One run of the whole program on all devices.
    pub fn run(&mut self) -> Result<()> {
        match self {
            Engine::Cpu(m) => {
                m.run();
                Ok(())
            }
            Engine::Cuda(m) => m.get_mut().run(),
        }
    }

    /// As [`Engine::run`], with what ran when.
    pub fn trace(&mut self) -> Result<Trace> {
        match self {
            Engine::Cpu(m) => Ok(m.trace()),
            Engine::Cuda(m) => m.get_mut().trace(),
        }
    }

    /// The devices of this process.
    pub fn own(&self) -> Range<usize> {
        match self {
            Engine::Cpu(m) => m.own(),
            Engine::Cuda(m) => m.borrow().own(),
        }
    }

    /// Bytes that each device has received from others.
    pub fn received_bytes(&self) -> Vec<u64> {
        match self {
            Engine::Cpu(m) => m.collectives().traffic().per_device(),
            Engine::Cuda(m) => m.borrow().traffic().per_device(),
        }
    }

    /// Libraries of the machine that the run takes, and what it takes in the place of those that are not there: for people.
    pub fn libraries(&self) -> Vec<String> {
        match self {
            Engine::Cpu(_) => Vec::new(),
            Engine::Cuda(m) => m.borrow().libraries(),
        }
    }

    /// Most bytes that were allocated for the devices at any time.
    pub fn peak_bytes(&self) -> u64 {
        match self {
            Engine::Cpu(m) => m.memory().peak_bytes(),
            Engine::Cuda(m) => m.borrow().allocated(),
        }
    }

    /// Threads that compute; of the host, one gives work to GPUs.
    pub fn workers(&self) -> usize {
        match self {
            Engine::Cpu(m) => m.workers(),
            Engine::Cuda(_) => 1,
        }
    }

    /// A window of a global tensor, as far as this process holds it; what others hold is 0.
    pub fn gather(&self, program: &Program, port: &Port, w: &Window) -> Result<Vec<u8>> {
        match self {
            Engine::Cpu(m) => Ok(shard::gather(program, port, w, m.own(), |d| m.arena(d))),
            Engine::Cuda(m) => {
                let mut m = m.borrow_mut();
                let mut host = vec![0; shard::bytes(port, w) as usize];
                for device in m.own().filter(|&d| shard::is_first_copy(program, port, d)) {
                    let Some(span) = shard::span(program, port, w, device) else { continue };
                    let mut piece = vec![0; span.range.len()];
                    m.read(device, span.range.start as u64, &mut piece)?;
                    shard::gather_from(program, port, w, &mut host, device, span.range.start, &piece);
                }
                Ok(host)
            }
        }
    }

    /// Writes a window of a global tensor, as far as this process holds it.
    pub fn scatter(&mut self, program: &Program, port: &Port, w: &Window, host: &[u8]) -> Result<()> {
        match self {
            Engine::Cpu(m) => {
                m.own().for_each(|d| shard::scatter(program, port, w, host, d, m.arena_mut(d)));
                Ok(())
            }
            Engine::Cuda(m) => {
                let m = m.get_mut();
                for device in m.own() {
                    let Some(span) = shard::span(program, port, w, device) else { continue };
                    let mut piece = vec![0; span.range.len()];
                    if !span.dense {
                        m.read(device, span.range.start as u64, &mut piece)?;
                    }
                    shard::scatter_into(program, port, w, host, device, span.range.start, &mut piece);
                    m.write(device, span.range.start as u64, &piece)?;
                }
                Ok(())
            }
        }
    }

    /// Hashes of what each device of this process holds of these ports: for each port, by device.
    pub fn hashes(&self, program: &Program, ports: &[&Port]) -> Result<Vec<Vec<u64>>> {
        match self {
            Engine::Cpu(m) => {
                let arenas: Vec<(usize, &[u8])> = m.own().map(|d| (d, m.arena(d))).collect();
                let of = |port: &Port| {
                    let one = |&(d, arena): &(usize, &[u8])| shard::hash(program, port, d, 0, arena);
                    arenas.iter().map(one).collect()
                };
                Ok(side_by_side(ports, m.workers(), |p| of(p)))
            }
            Engine::Cuda(m) => {
                let mut m = m.borrow_mut();
                let own = m.own();
                let mut one = |port: &Port, device: usize| {
                    let w = shard::window(port, None);
                    let span = shard::span(program, port, &w, device);
                    let range = span.map_or(0..0, |s| s.range);
                    let mut piece = vec![0; range.len()];
                    m.read(device, range.start as u64, &mut piece)?;
                    Ok(shard::hash(program, port, device, range.start, &piece))
                };
                ports.iter().map(|p| own.clone().map(|d| one(p, d)).collect()).collect()
            }
        }
    }

    /// A window of a global tensor that one device of this process holds all of.
    pub fn part(&self, program: &Program, port: &Port, w: &Window, device: usize) -> Result<Vec<u8>> {
        let mut host = vec![0; shard::bytes(port, w) as usize];
        match self {
            Engine::Cpu(m) => shard::gather_from(program, port, w, &mut host, device, 0, m.arena(device)),
            Engine::Cuda(m) => {
                let Some(span) = shard::span(program, port, w, device) else { return Ok(host) };
                let mut piece = vec![0; span.range.len()];
                m.borrow_mut().read(device, span.range.start as u64, &mut piece)?;
                shard::gather_from(program, port, w, &mut host, device, span.range.start, &piece);
            }
        }
        Ok(host)
    }

    /// Reads bytes of a device of this process.
    pub fn read(&self, device: usize, from: u64, bytes: &mut [u8]) -> Result<()> {
        match self {
            Engine::Cpu(m) => {
                bytes.copy_from_slice(&m.arena(device)[from as usize..][..bytes.len()]);
                Ok(())
            }
            Engine::Cuda(m) => m.borrow_mut().read(device, from, bytes),
        }
    }

    /// Writes bytes of a device of this process.
    pub fn write(&mut self, device: usize, to: u64, bytes: &[u8]) -> Result<()> {
        match self {
            Engine::Cpu(m) => {
                m.arena_mut(device)[to as usize..][..bytes.len()].copy_from_slice(bytes);
                Ok(())
            }
            Engine::Cuda(m) => m.get_mut().write(device, to, bytes),
        }
    }

    /// The first bytes of a port on the first device of this process.
    pub fn first_bytes(&self, port: &Port, bytes: usize) -> Result<Cow<'_, [u8]>> {
        let from = port.offset as usize;
        match self {
            Engine::Cpu(m) => Ok(Cow::Borrowed(&m.arena(m.own().start)[from..from + bytes])),
            Engine::Cuda(m) => {
                let (mut m, mut piece) = (m.borrow_mut(), vec![0; bytes]);
                let device = m.own().start;
                m.read(device, port.offset, &mut piece)?;
                Ok(Cow::Owned(piece))
            }
        }
    }
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
