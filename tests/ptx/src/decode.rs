//! What instructions are, once and for all before a kernel runs.

use crate::alu::{Function, function};
use crate::memory::of_cluster;
use crate::operand::{MemoryPlace, NamePlaces, Operand, Operands, PARAMETERS, PartType};
use crate::parse::{Raw, RawInstr, RawKernel, bits};
use crate::tcgen05::{self, TensorOp};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemorySpace {
    Global,
    Shared,
    Param,
}

#[derive(Debug)]
pub struct Wgmma {
    pub n: u32,
    pub k: u32,
    pub a: PartType,
    pub b: PartType,
    pub d: Vec<u32>,
    /// A descriptor, or the registers of the first operand.
    pub first: Vec<Operand>,
    pub in_registers: bool,
    pub second: Operand,
    pub keep: Operand,
    pub negate: [bool; 2],
    pub transposed: [bool; 2],
}

#[derive(Debug)]
pub enum Op {
    Compute {
        f: Function,
        d: u32,
        from: [Operand; 3],
    },
    /// From parts of a register to a whole, and back.
    Join {
        d: u32,
        parts: Vec<Operand>,
        bits: u32,
    },
    Split {
        d: Vec<Option<u32>>,
        from: Operand,
        bits: u32,
    },
    Select {
        d: u32,
        yes: Operand,
        no: Operand,
        p: Operand,
    },
    Load {
        space: MemorySpace,
        bytes: u32,
        signed: bool,
        d: Vec<Option<u32>>,
        from: MemoryPlace,
    },
    Store {
        space: MemorySpace,
        bytes: u32,
        to: MemoryPlace,
        values: Vec<Operand>,
    },
    Branch(usize),
    /// To the place of that number.
    BranchIndex(Operand, Vec<usize>),
    Exit,
    Trap,
    Shuffle {
        mode: Shuffle,
        d: u32,
        from: Operand,
        by: Operand,
        clamp: Operand,
    },
    /// All threads of a block, or as many as it says.
    Barrier {
        id: Operand,
        threads: Option<Operand>,
    },
    WarpSync,
    /// In one lane of the warp it holds, in the others not.
    Elect(u32),
    CopyAsync {
        bytes: u32,
        to: MemoryPlace,
        from: MemoryPlace,
        read: Option<Operand>,
    },
    CopyCommit,
    /// Until no more than so many groups are left.
    CopyWait(u64),
    BarrierInit {
        at: MemoryPlace,
        count: Operand,
    },
    Arrive {
        at: MemoryPlace,
        expect: Option<Operand>,
    },
    /// At the barrier of the cluster: arrives, waits.
    ClusterArrive,
    ClusterWait,
    TryWait {
        d: u32,
        at: MemoryPlace,
        parity: Operand,
    },
    FenceProxy,
    FenceBarrierInit,
    /// What changes nothing here.
    Nothing,
    Tile {
        to: MemoryPlace,
        map: Operand,
        coordinates: Vec<Operand>,
        barrier: MemoryPlace,
        /// To which blocks of the cluster, a bit each; to the own one.
        blocks: Option<Operand>,
    },
    StoreTile {
        from: MemoryPlace,
        map: Operand,
        coordinates: Vec<Operand>,
    },
    StoreCommit,
    /// Until no more than so many groups are left, or are not read.
    StoreWait(u64, bool),
    LoadMatrix {
        d: Vec<u32>,
        transposed: bool,
        from: MemoryPlace,
    },
    Mma {
        k: u32,
        a: PartType,
        b: PartType,
        d: Vec<u32>,
        first: Vec<Operand>,
        second: Vec<Operand>,
        c: Vec<Operand>,
    },
    WgmmaFence,
    WgmmaCommit,
    WgmmaWait(u64),
    Wgmma(Box<Wgmma>),
    Tensor(Box<TensorOp>),
}

#[derive(Clone, Copy, Debug)]
pub enum Shuffle {
    Butterfly,
    Down,
    Up,
    Index,
}

#[derive(Debug)]
pub struct Instr {
    pub line: u32,
    pub name: String,
    pub guard: Option<(u32, bool)>,
    pub op: Op,
}

/// Decodes a kernel.
///
/// # Errors
/// The line and the instruction that is not known.
pub fn decode(kernel: &RawKernel, names: &NamePlaces<'_>) -> Result<Vec<Instr>, String> {
    kernel
        .instrs
        .iter()
        .map(|raw| one(raw, names).map_err(|why| format!("line {}: `{}`: {why}", raw.line, raw.op)))
        .collect()
}

fn one(raw: &RawInstr, names: &NamePlaces<'_>) -> Result<Instr, String> {
    let words: Vec<&str> = raw.op.split('.').collect();
    let o = Operands { all: &raw.operands, names };
    let op = op(&words, &o)?;
    Ok(Instr { line: raw.line, name: raw.op.clone(), guard: raw.guard, op })
}

fn op(words: &[&str], o: &Operands<'_>) -> Result<Op, String> {
    let last = words.last().copied().unwrap_or("");
    let unknown = || Err("not known here".to_owned());
    Ok(match (words[0], words.get(1).copied().unwrap_or("")) {
        ("ld" | "st", _) => memory(words, o)?,
        ("bra", _) => match o.raw(0)? {
            Raw::Label(to) => Op::Branch(*to),
            other => return Err(format!("to {other:?}")),
        },
        ("brx", _) => {
            let to = |r: &Raw| match r {
                Raw::Label(to) => Ok(*to),
                other => Err(format!("to {other:?}")),
            };
            Op::BranchIndex(o.value(0)?, o.all[1..].iter().map(to).collect::<Result<_, _>>()?)
        }
        ("ret" | "exit", _) => Op::Exit,
        ("trap", _) => Op::Trap,
        ("membar" | "prefetch" | "setmaxnreg", _) | ("fence", "sc" | "acq_rel") => Op::Nothing,
        ("mov", _) if matches!(o.raw(1)?, Raw::List(_)) => {
            let (d, parts, bits) = (o.register(0)?, o.list(1)?, bits(last).ok_or("its type")?);
            let bits = bits / parts.len() as u32;
            Op::Join { d, parts, bits }
        }
        ("mov", _) if matches!(o.raw(0)?, Raw::List(_)) => {
            let (d, from, bits) = (o.registers(0)?, o.value(1)?, bits(last).ok_or("its type")?);
            let bits = bits / d.len() as u32;
            Op::Split { d, from, bits }
        }
        ("cvta", "param") => Op::Compute { f: |a, _, _| a + PARAMETERS, d: o.register(0)?, from: three(o, 1)? },
        ("cvta", _) => Op::Compute { f: |a, _, _| a, d: o.register(0)?, from: three(o, 1)? },
        ("selp", _) => Op::Select { d: o.register(0)?, yes: o.value(1)?, no: o.value(2)?, p: o.value(3)? },
        ("shfl", "sync") => {
            let mode = match words.get(2) {
                Some(&"bfly") => Shuffle::Butterfly,
                Some(&"down") => Shuffle::Down,
                Some(&"up") => Shuffle::Up,
                Some(&"idx") => Shuffle::Index,
                _ => return unknown(),
            };
            Op::Shuffle { mode, d: o.register(0)?, from: o.value(1)?, by: o.value(2)?, clamp: o.value(3)? }
        }
        ("elect", "sync") => Op::Elect(o.register(1)?),
        ("bar", "warp") => Op::WarpSync,
        ("barrier", "cluster") if words.get(2) == Some(&"arrive") => Op::ClusterArrive,
        ("barrier", "cluster") if words.get(2) == Some(&"wait") => Op::ClusterWait,
        ("mapa", "shared::cluster") => {
            Op::Compute { f: |at, rank, _| of_cluster(at, rank), d: o.register(0)?, from: three(o, 1)? }
        }
        ("bar" | "barrier", "sync") | ("barrier", "cta") => Op::Barrier { id: o.value(0)?, threads: o.maybe(1)? },
        ("cp", "async") => copy(words, o)?,
        ("mbarrier", "init") => Op::BarrierInit { at: o.place(0)?, count: o.value(1)? },
        ("mbarrier", "arrive") => {
            let expect = words.contains(&"expect_tx").then(|| o.value(2)).transpose()?;
            Op::Arrive { at: o.place(1)?, expect }
        }
        ("mbarrier", "try_wait" | "test_wait") if words.contains(&"parity") => {
            Op::TryWait { d: o.register(0)?, at: o.place(1)?, parity: o.value(2)? }
        }
        ("fence", "proxy") if words.get(2) == Some(&"async") => Op::FenceProxy,
        ("fence", "mbarrier_init") => Op::FenceBarrierInit,
        ("ldmatrix", _) => Op::LoadMatrix { d: o.whole(0)?, transposed: words.contains(&"trans"), from: o.place(1)? },
        ("mma", _) => mma(words, o)?,
        ("wgmma", "fence") => Op::WgmmaFence,
        ("wgmma", "commit_group") => Op::WgmmaCommit,
        ("wgmma", "wait_group") => Op::WgmmaWait(o.number(0)?),
        ("wgmma", "mma_async") => wgmma(words, o)?,
        ("tcgen05", _) => Op::Tensor(Box::new(tcgen05::decode(words, o)?)),
        _ => match function(words) {
            Some(f) => Op::Compute { f, d: o.register(0)?, from: three(o, 1)? },
            None => return unknown(),
        },
    })
}

/// Up to three operands from the one of this number on.
fn three(o: &Operands<'_>, first: usize) -> Result<[Operand; 3], String> {
    let mut all = [Operand::Number(0); 3];
    if o.all.len() > first + 3 {
        return Err(format!("{} operands", o.all.len()));
    }
    for (i, to) in all.iter_mut().enumerate() {
        if let Some(found) = o.maybe(first + i)? {
            *to = found;
        }
    }
    Ok(all)
}

fn memory(words: &[&str], o: &Operands<'_>) -> Result<Op, String> {
    let ty = words.last().copied().unwrap_or("");
    let bytes = bits(ty).ok_or("its type")? / 8;
    let space = words.iter().find_map(|w| match *w {
        "global" => Some(MemorySpace::Global),
        "shared" | "shared::cta" => Some(MemorySpace::Shared),
        "param" => Some(MemorySpace::Param),
        _ => None,
    });
    let space = space.ok_or("no space of memory")?;
    Ok(match words[0] {
        "ld" => Op::Load { space, bytes, signed: ty.starts_with('s'), d: o.registers(0)?, from: o.place(1)? },
        _ => Op::Store { space, bytes, to: o.place(0)?, values: o.list(1)? },
    })
}

/// How copies by tensor maps say that they are there.
const TELLS: &str = "mbarrier::complete_tx::bytes";

fn copy(words: &[&str], o: &Operands<'_>) -> Result<Op, String> {
    Ok(match words[2] {
        "commit_group" => Op::CopyCommit,
        "wait_group" => Op::CopyWait(o.number(0)?),
        "wait_all" => Op::CopyWait(0),
        "ca" | "cg" => {
            Op::CopyAsync { bytes: o.number(2)? as u32, to: o.place(0)?, from: o.place(1)?, read: o.maybe(3)? }
        }
        "bulk"
            if words.len() > 4 && words[3..].starts_with(&["tensor", words[4], "shared::cluster", "global", TELLS]) =>
        {
            let blocks = match &words[8..] {
                [] => None,
                ["multicast::cluster"] => Some(o.value(3)?),
                _ => return Err("not known here".into()),
            };
            let (map, coordinates) = tile(words[4], o, 1)?;
            Op::Tile { to: o.place(0)?, map, coordinates, barrier: o.place(2)?, blocks }
        }
        "bulk" if matches!(words[3..], ["tensor", _, "global", "shared::cta", "bulk_group"]) => {
            let (map, coordinates) = tile(words[4], o, 0)?;
            Op::StoreTile { from: o.place(1)?, map, coordinates }
        }
        "bulk" if words[3..] == ["commit_group"] => Op::StoreCommit,
        "bulk" if matches!(words[3..], ["wait_group"] | ["wait_group", "read"]) => {
            Op::StoreWait(o.number(0)?, words.len() > 4)
        }
        _ => return Err("not known here".into()),
    })
}

/// A tensor map, and where the tile of so many dims begins in it.
fn tile(dims: &str, o: &Operands<'_>, i: usize) -> Result<(Operand, Vec<Operand>), String> {
    let Raw::Memory { base, coordinates, .. } = o.raw(i)? else { return Err("no tensor map".into()) };
    let coordinates: Vec<Operand> = coordinates.iter().map(|c| o.of(c)).collect::<Result<_, _>>()?;
    match dims == format!("{}d", coordinates.len()) {
        true => Ok((o.of(base)?, coordinates)),
        false => Err(format!("{} coordinates", coordinates.len())),
    }
}

/// `m16n8k16` as its three sizes.
fn sizes(shape: &str) -> Option<[u32; 3]> {
    let (m, rest) = shape.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}

fn mma(words: &[&str], o: &Operands<'_>) -> Result<Op, String> {
    let ["mma", "sync", "aligned", shape, "row", "col", sum, a, b, same] = words else {
        return Err("not known here".into());
    };
    let (Some([16, 8, k]), Some(a), Some(b)) = (sizes(shape), PartType::by_name(a), PartType::by_name(b)) else {
        return Err("its shape or types".into());
    };
    let integers = a.is_integer() && b.is_integer();
    if sum != same || *sum != if integers { "s32" } else { "f32" } || integers != (a.is_integer() || b.is_integer()) {
        return Err("the type of its sums".into());
    }
    let (d, first, second, c) = (o.whole(0)?, o.list(1)?, o.list(2)?, o.list(3)?);
    let words = u64::from(k) * a.bytes() / 4;
    if (d.len(), c.len()) != (4, 4) || first.len() as u64 * 2 != words || second.len() as u64 * 4 != words {
        return Err("the number of its registers".into());
    }
    Ok(Op::Mma { k, a, b, d, first, second, c })
}

fn wgmma(words: &[&str], o: &Operands<'_>) -> Result<Op, String> {
    let ["wgmma", "mma_async", "sync", "aligned", shape, sum, a, b] = words else {
        return Err("not known here".into());
    };
    let (Some([64, n, k]), Some(a), Some(b)) = (sizes(shape), PartType::by_name(a), PartType::by_name(b)) else {
        return Err("its shape or types".into());
    };
    let integers = a.is_integer() && b.is_integer();
    if *sum != if integers { "s32" } else { "f32" } || integers != (a.is_integer() || b.is_integer()) {
        return Err("the type of its sums".into());
    }
    let d = o.whole(0)?;
    let in_registers = matches!(o.raw(1)?, Raw::List(_));
    let first = o.list(1)?;
    // From 32 columns on, integers have multiples of 16.
    let columns = if integers && n > 24 { 16 } else { 8 };
    if d.len() as u32 * 2 != n || u64::from(k) * a.bytes() != 32 || n % columns != 0 || !(8..=256).contains(&n) {
        return Err("its sizes".into());
    }
    if in_registers && first.len() != 4 {
        return Err("the number of its registers".into());
    }
    let flag = |i: usize| o.number(i).map(|n| n as i32);
    let (negate, signs) = if integers { ([false; 2], 0) } else { ([flag(4)? == -1, flag(5)? == -1], 2) };
    // Of 16 bits alone there are operands that lie the other way.
    let flags: Vec<bool> = (4 + signs..o.all.len()).map(|i| flag(i).map(|f| f == 1)).collect::<Result<_, _>>()?;
    let transposed = match (a.bytes(), in_registers, &flags[..]) {
        (2, false, &[a, b]) => [a, b],
        (2, true, &[b]) => [false, b],
        (4 | 1, _, []) => [false; 2],
        _ => return Err("the number of its flags".into()),
    };
    let (second, keep) = (o.value(2)?, o.value(3)?);
    Ok(Op::Wgmma(Box::new(Wgmma { n, k, a, b, d, first, in_registers, second, keep, negate, transposed })))
}
