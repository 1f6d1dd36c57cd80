//! A program made ready to run: kernels are looked up, groups are worked out, and the instruction list is cut into
//! segments. A segment is the longest run of instructions that a device can do without the others.

use crate::collectives::Call;
use crate::device::call::KernelAddress;
use crate::device::library::Library;
use crate::device::pattern::{Pattern, pattern};
use crate::error::Result;
use crate::trace::Label;
use meshloom_bundle::{BufRef, Dim, Instr, Launch, Program, Turn};

/// What all devices do together, in order.
pub enum TeamStep {
    Segment(Vec<DeviceOp>),
    /// Collectives with nothing between them: one after the other, each a bucket of calls that are made together.
    Exchange(Vec<(Label, Vec<Call>)>),
    /// A loop that holds an exchange.
    Loop(LoopBounds, Vec<TeamStep>),
    /// The actions of a pipeline stage, and which of them runs for which microbatch, in order.
    Actions {
        names: Vec<String>,
        bodies: Vec<Vec<TeamStep>>,
        order: Vec<Turn>,
    },
    Transfer(WireTransfer),
}

/// What goes over a wire.
pub struct WireTransfer {
    /// Its number in the program.
    pub wire: u32,
    pub sends: bool,
    pub buf: BufRef,
    pub label: Label,
}

/// How many iterations a loop has.
pub struct LoopBounds {
    pub most: u64,
    /// Of a `while`.
    pub exit: Option<Exit>,
}

/// A byte that is 0 where a loop ends, and what is done there.
pub struct Exit {
    pub going: BufRef,
    pub after: Vec<DeviceOp>,
}

/// What one device does alone.
pub enum DeviceOp {
    Launch(Prepared),
    Copy { label: Label, src: BufRef, dst: BufRef },
    Fill { dst: BufRef, pattern: Pattern },
    Loop(LoopBounds, Vec<DeviceOp>),
}

pub struct Prepared {
    pub label: Label,
    pub kernel: KernelAddress,
    pub args: Vec<BufRef>,
    pub scratch: bool,
    pub units: u64,
    pub dims: Vec<DimValue>,
}

pub enum DimValue {
    Same(i64),
    PerDevice(Vec<i64>),
}

/// `program` was validated.
pub fn prepare(program: &Program, library: &Library) -> Result<Vec<TeamStep>> {
    let kernels = program.kernels.iter().map(|k| library.kernel(&k.symbol)).collect::<Result<Vec<_>>>()?;
    Ok(Cutter { program, kernels }.nodes(&program.instrs))
}

struct Cutter<'a> {
    program: &'a Program,
    kernels: Vec<KernelAddress>,
}

impl Cutter<'_> {
    fn nodes(&self, instrs: &[Instr]) -> Vec<TeamStep> {
        let mut nodes = Vec::new();
        for instr in instrs {
            match instr {
                Instr::Collective(_) | Instr::Bucket(_) => {
                    let calls = instr.collectives().iter().map(|c| Call::new(self.program, c)).collect();
                    let bucket = (Label::of(self.program, instr), calls);
                    match nodes.last_mut() {
                        Some(TeamStep::Exchange(buckets)) => buckets.push(bucket),
                        _ => nodes.push(TeamStep::Exchange(vec![bucket])),
                    }
                }
                Instr::Loop { body, .. } if holds_collective(body) => {
                    nodes.push(TeamStep::Loop(self.bounds(instr), self.nodes(body)));
                }
                Instr::While(w) if holds_collective(&w.body) => {
                    nodes.push(TeamStep::Loop(self.bounds(instr), self.nodes(&w.body)));
                }
                Instr::Actions(a) => {
                    let bodies = a.bodies.iter().map(|b| self.nodes(&b.body)).collect();
                    let names = a.bodies.iter().map(|b| b.name.clone()).collect();
                    nodes.push(TeamStep::Actions { names, bodies, order: a.order.clone() });
                }
                Instr::Send(t) | Instr::Receive(t) => {
                    let (sends, label) = (matches!(instr, Instr::Send(_)), Label::of(self.program, instr));
                    nodes.push(TeamStep::Transfer(WireTransfer { wire: t.wire, sends, buf: t.buf, label }));
                }
                _ => {
                    let Some(op) = self.op(instr) else { continue };
                    match nodes.last_mut() {
                        Some(TeamStep::Segment(ops)) => ops.push(op),
                        _ => nodes.push(TeamStep::Segment(vec![op])),
                    }
                }
            }
        }
        nodes
    }

    fn op(&self, instr: &Instr) -> Option<DeviceOp> {
        Some(match instr {
            Instr::Launch(l) => DeviceOp::Launch(self.launch(l, Label::of(self.program, instr))),
            Instr::Copy { src, dst, .. } => {
                DeviceOp::Copy { label: Label::of(self.program, instr), src: *src, dst: *dst }
            }
            Instr::Fill { dst, dtype, value, .. } => DeviceOp::Fill { dst: *dst, pattern: pattern(*dtype, *value) },
            Instr::Loop { body, .. } => DeviceOp::Loop(self.bounds(instr), self.ops(body)),
            Instr::While(w) => DeviceOp::Loop(self.bounds(instr), self.ops(&w.body)),
            Instr::Collective(_) | Instr::Bucket(_) => return None,
            // Steps of the team.
            Instr::Actions(_) | Instr::Send(_) | Instr::Receive(_) => return None,
        })
    }

    fn ops(&self, instrs: &[Instr]) -> Vec<DeviceOp> {
        instrs.iter().filter_map(|i| self.op(i)).collect()
    }

    fn bounds(&self, instr: &Instr) -> LoopBounds {
        match instr {
            Instr::Loop { trip, .. } => LoopBounds { most: *trip, exit: None },
            Instr::While(w) => {
                let exit = Exit { going: w.going, after: self.ops(&w.after) };
                LoopBounds { most: w.most.unwrap_or(u64::MAX), exit: Some(exit) }
            }
            _ => LoopBounds { most: 1, exit: None },
        }
    }

    fn launch(&self, l: &Launch, label: Label) -> Prepared {
        let k = &self.program.kernels[l.kernel as usize];
        let dim = |d: &Dim| match d {
            Dim::Const(n) => DimValue::Same(*n),
            Dim::ShardStart { axes, block } => DimValue::PerDevice(
                (0..self.program.devices()).map(|d| self.program.rank_over(d, axes) as i64 * block).collect(),
            ),
        };
        Prepared {
            label,
            kernel: self.kernels[l.kernel as usize],
            args: l.args.clone(),
            scratch: k.scratch,
            units: l.units,
            dims: l.dims.iter().map(dim).collect(),
        }
    }
}

fn holds_collective(body: &[Instr]) -> bool {
    body.iter().any(|i| match i {
        Instr::Loop { body, .. } => holds_collective(body),
        Instr::While(w) => holds_collective(&w.body),
        _ => !i.collectives().is_empty(),
    })
}
