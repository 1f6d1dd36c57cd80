//! The instructions of the ranks of a pipeline that one process has, as one list in which nothing comes before what it needs.
//!
//! A value on a wire lies in a *slot* of the receiver's memory from when it is sent to when it is received, so a sender goes on while
//! the receiver still computes. There are as many slots as [`Pipeline::room`] says: with these, ranks that block where there is no room
//! come to the end, which the reader of bundles has shown. On GPUs less waits than that. The list is an order in which the work may be
//! issued and in which [`super::order`] looks for who touches the same bytes; streams then run it side by side.
//!
//! Where all ranks are in this process, a send copies to the slot, and comes in the list where the slot is free. Where each rank has a
//! process of its own, the list is that of one rank, and what fills a slot is a receive of NCCL's, which is *posted*: given out as
//! soon as its slot is free, long before the value is needed. NCCL matches messages by their order, so those from one rank to another
//! are posted in the order in which the sender gives them out. If the next one has no free slot, then the sender, blocking where there
//! is no room, would be held up at the same place; so none is posted too late for the rank that takes it.
//!
//! Pure: no device, no memory.

use meshloom_bundle::{Instr, Pipeline, Program};
use std::collections::{BTreeMap, VecDeque};

/// What is done about a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireStep {
    /// The instruction is no transfer.
    None,
    /// A value goes to the receiver's slot.
    Send,
    /// From now on the next value of a sender in another process may come to its slot.
    Post,
    /// A value is copied from its slot to where it is read.
    Take,
}

/// An instruction with all that is in it, at a turn of the actions or outside of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Which of the programs.
    pub part: usize,
    /// Its number among the program's instructions.
    pub top: usize,
    /// Where that is the actions: the number of the turn, and of the instruction in the action's body.
    pub turn: Option<(usize, usize)>,
    pub wire: WireStep,
}

impl Piece {
    /// The instruction, and the microbatch of its turn.
    pub fn find<'p>(&self, program: &'p Program) -> Option<(&'p Instr, Option<u64>)> {
        let top = program.instrs.get(self.top)?;
        match (top, self.turn) {
            (Instr::Actions(a), Some((turn, inner))) => {
                let turn = a.order.get(turn)?;
                Some((a.bodies.get(turn.action as usize)?.body.get(inner)?, Some(turn.microbatch)))
            }
            _ => Some((top, None)),
        }
    }
}

/// The pieces of one program in its own order.
fn pieces(part: usize, program: &Program) -> Vec<Piece> {
    let step = |i: &Instr| match i {
        Instr::Send(_) => WireStep::Send,
        Instr::Receive(_) => WireStep::Take,
        _ => WireStep::None,
    };
    let mut all = Vec::new();
    for (top, instr) in program.instrs.iter().enumerate() {
        let Instr::Actions(a) = instr else {
            all.push(Piece { part, top, turn: None, wire: step(instr) });
            continue;
        };
        for (k, turn) in a.order.iter().enumerate() {
            let body = a.bodies.get(turn.action as usize).into_iter().flat_map(|b| &b.body);
            let of = |(n, i): (usize, &Instr)| Piece { part, top, turn: Some((k, n)), wire: step(i) };
            all.extend(body.enumerate().map(of));
        }
    }
    all
}

/// The wire of a transfer, by its number in the program, and the microbatch; 0 for what comes once in a step.
pub fn transfer(program: &Program, piece: &Piece) -> Option<(u32, u64)> {
    match piece.find(program)? {
        (Instr::Send(t) | Instr::Receive(t), microbatch) => Some((t.wire, microbatch.unwrap_or(0))),
        _ => None,
    }
}

/// The other end of a rank's wire: its rank and its number there.
pub fn other_end(pipeline: &Pipeline, rank: usize, wire: u32) -> Option<(usize, u32)> {
    let own = pipeline.ranks.get(rank)?.wires.get(wire as usize)?;
    pipeline.ranks.iter().enumerate().find_map(|(k, p)| {
        let at = p.wires.iter().position(|w| w.sends != own.sends && w.name == own.name)?;
        Some((k, at as u32))
    })
}

/// How many slots a wire has, where the pipeline needs `room`.
pub fn slots(program: &Program, wire: u32, room: u64) -> u64 {
    let each = program.wires.get(wire as usize).is_some_and(|w| w.each);
    let microbatches = program.instrs.iter().find_map(|i| match i {
        Instr::Actions(a) => Some(a.microbatches),
        _ => None,
    });
    if each { room.min(microbatches.unwrap_or(1)).max(1) } else { 1 }
}

/// All ranks of a pipeline, or a program without one. `None` where they wait for each other for ever, which no validated pipeline does.
pub fn together(programs: &[&Program], room: u64) -> Option<Vec<Piece>> {
    let lists: Vec<Vec<Piece>> = programs.iter().enumerate().map(|(k, p)| pieces(k, p)).collect();
    let mut at = vec![0; lists.len()];
    // Values of a wire in their slots.
    let mut there: BTreeMap<&str, u64> = BTreeMap::new();
    let mut all = Vec::new();
    let mut moved = true;
    while std::mem::take(&mut moved) {
        for (k, list) in lists.iter().enumerate() {
            while let Some(piece) = list.get(at[k]) {
                if piece.wire != WireStep::None {
                    let (wire, _) = transfer(programs[k], piece)?;
                    let name = &programs[k].wires.get(wire as usize)?.name;
                    let n = there.entry(name).or_default();
                    match piece.wire {
                        WireStep::Send if *n < slots(programs[k], wire, room) => *n += 1,
                        WireStep::Take if *n > 0 => *n -= 1,
                        _ => break,
                    }
                }
                all.push(*piece);
                at[k] += 1;
                moved = true;
            }
        }
    }
    (all.len() == lists.iter().map(Vec::len).sum::<usize>()).then_some(all)
}

/// One rank of a pipeline, the others of which are in other processes. `None` as for [`together`].
pub fn alone(pipeline: &Pipeline, rank: usize, room: u64) -> Option<Vec<Piece>> {
    let program = pipeline.ranks.get(rank)?;
    let own = pieces(0, program);
    let take = |p: &Piece| (p.wire == WireStep::Take).then(|| transfer(program, p)).flatten();
    let takes: BTreeMap<(u32, u64), Piece> = own.iter().filter_map(|p| Some((take(p)?, *p))).collect();
    // By sender: the messages in its order, by the wire's number here and the microbatch.
    let mut coming: BTreeMap<usize, VecDeque<(u32, u64)>> = BTreeMap::new();
    for (from, sender) in pipeline.ranks.iter().enumerate() {
        for piece in pieces(0, sender).iter().filter(|p| p.wire == WireStep::Send) {
            let (wire, microbatch) = transfer(sender, piece)?;
            if let Some((to, wire)) = other_end(pipeline, from, wire)
                && to == rank
            {
                coming.entry(from).or_default().push_back((wire, microbatch));
            }
        }
    }
    // Posted and not taken.
    let mut full: BTreeMap<u32, u64> = BTreeMap::new();
    let mut all = Vec::new();
    let mut post = |full: &mut BTreeMap<u32, u64>, all: &mut Vec<Piece>| {
        for queue in coming.values_mut() {
            while let Some(&message) = queue.front() {
                let n = full.entry(message.0).or_default();
                if *n >= slots(program, message.0, room) {
                    break;
                }
                *n += 1;
                queue.pop_front();
                all.extend(takes.get(&message).map(|take| Piece { wire: WireStep::Post, ..*take }));
            }
        }
    };
    post(&mut full, &mut all);
    for piece in &own {
        all.push(*piece);
        if let Some((wire, _)) = take(piece) {
            let n = full.get_mut(&wire)?;
            *n = n.checked_sub(1)?;
            post(&mut full, &mut all);
        }
    }
    Some(all)
}
