//! The devices of a session, CPUs or GPUs: they are run, and read and written by tensors.

use crate::device::{CpuMachine, cuda};
use crate::error::Result;
use crate::shard::{self, Window};
use crate::trace::Trace;
use meshloom_bundle::{Port, Program};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

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
