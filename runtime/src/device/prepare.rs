//! A program made ready to run: kernels are looked up, groups are worked out, and the instruction list is cut into
//! segments. A segment is the longest run of instructions that a device can do without the others.

use super::call::KernelAddress;
use super::library::Library;
use crate::collectives::Call;
use crate::data::element::odd;
use crate::error::Result;
use crate::trace::Label;
use meshloom_bundle::{BufRef, DType, Dim, Instr, Launch, Number, Program, Turn};

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

/// One element, repeated.
#[derive(Clone, Copy)]
pub struct Pattern {
    pub bytes: [u8; 8],
    pub size: usize,
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

/// The bytes of a value in a dtype. Floats out of range saturate, as Rust's `as` does; integers out of range wrap.
pub fn pattern(dtype: DType, value: Number) -> Pattern {
    fn of<const N: usize>(b: [u8; N]) -> Pattern {
        let mut bytes = [0; 8];
        bytes[..N].copy_from_slice(&b);
        Pattern { bytes, size: N }
    }
    let x = value.as_f64();
    let integer = || match value {
        Number::Int(n) => n,
        Number::Float(x) => dtype.range().map_or(x as i64, |r| (x as i64).clamp(*r.start(), *r.end())),
    };
    match dtype {
        DType::F32 => of((x as f32).to_ne_bytes()),
        DType::F64 => of(x.to_ne_bytes()),
        DType::I32 => of((integer() as i32).to_ne_bytes()),
        DType::I64 => of(integer().to_ne_bytes()),
        DType::U32 => of((integer() as u32).to_ne_bytes()),
        DType::I8 => of((integer() as i8).to_ne_bytes()),
        DType::U8 | DType::F8E4M3 | DType::F8E5M2 => of([integer() as u8]),
        DType::Bool => of([u8::from(x != 0.0)]),
        DType::BF16 => of(half::bf16::from_f32(odd(x)).to_ne_bytes()),
        DType::F16 => of(half::f16::from_f32(odd(x)).to_ne_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision() {
        for (x, bits) in
            [(1.0, 0x3c00), (-2.0, 0xc000), (65504.0, 0x7bff), (65520.0, 0x7c00), (5.960_464_5e-8, 1), (0.1, 0x2e66)]
        {
            assert_eq!(pattern(DType::F16, Number::Float(x)).bytes[..2], u16::to_ne_bytes(bits), "{x}");
        }
        for n in [i64::MIN, i64::MAX, (1 << 53) + 1, -(1 << 53) - 1] {
            assert_eq!(pattern(DType::I64, Number::Int(n)).bytes, n.to_ne_bytes(), "{n}");
        }
        let ends = [(f64::INFINITY, i32::MAX), (-1e12, i32::MIN), (f64::NAN, 0)];
        for (x, n) in ends {
            assert_eq!(pattern(DType::I32, Number::Float(x)).bytes[..4], n.to_ne_bytes(), "{x}");
        }
        for (x, bits) in [(1.0, 0x3f80), (-0.1, 0xbdcd), (f64::INFINITY, 0x7f80)] {
            assert_eq!(pattern(DType::BF16, Number::Float(x)).bytes[..2], u16::to_ne_bytes(bits), "{x}");
        }
    }
}
