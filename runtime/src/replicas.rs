//! Whether the copies of a tensor that lies on several devices are still equal.
//!
//! A program never changes one copy of a replicated tensor alone. If copies differ all the same, then memory was damaged,
//! a kernel is wrong, or devices read different data, and each step makes it worse. The hash of every copy is compared
//! with those of the other devices along the axes over which the tensor is replicated: between the devices of one
//! process, and between processes.
//!
//! Not here: what ranks compare once, before the first step ([`crate::world::Fingerprint`]).

use crate::error::{ErrorKind, Result, RuntimeError};
use crate::held::Held;
use crate::session::Session;
use crate::world::{Spot, Votes, ranks};
use meshloom_bundle::{Port, Role};
use std::collections::BTreeMap;

/// What lives from step to step, and what a step reports.
const COMPARED: [Role; 4] = [Role::Parameter, Role::State, Role::Loss, Role::Metric];

/// A tensor of which several devices hold the same block.
struct Replicated<'a> {
    /// The rank of the pipeline whose program has it.
    rank: usize,
    port: &'a Port,
    /// The axes that split it.
    split: Vec<u32>,
    /// The number of its first block among the blocks of all tensors.
    first: usize,
}

impl Replicated<'_> {
    /// The number of the block that the device at a place of the rank holds.
    fn block(&self, held: Held<'_>, place: usize) -> usize {
        self.first + held.program(self.rank).rank_over(place, &self.split) as usize
    }
}

impl Session {
    /// Compares the copies of every parameter, of state, of the loss and of metrics. All processes do so at the same time.
    ///
    /// # Errors
    /// The tensor whose copies differ, and on which devices (kind `Rank`): the same on all ranks. A run of several processes
    /// has ended in order then.
    pub fn check_replicas(&self) -> Result<()> {
        let held = self.held();
        let (tensors, blocks) = replicated(held);
        let places: Vec<(usize, usize, usize)> =
            self.devices().map(|d| (d, held.place(d).0, held.place(d).1)).collect();
        // Each tensor on each device of this process that has it.
        let copies: Vec<(usize, usize)> = (0..tensors.len())
            .flat_map(|t| (0..places.len()).map(move |d| (t, d)))
            .filter(|&(t, d)| places[d].1 == tensors[t].rank)
            .collect();
        let asked: Vec<(usize, usize, &Port)> =
            copies.iter().map(|&(t, d)| (places[d].1, places[d].2, tensors[t].port)).collect();
        let hashes = self.engine().hashes(held, &asked)?;
        let mut votes = Votes::new(blocks);
        for (&(t, d), &hash) in copies.iter().zip(&hashes) {
            votes.add(tensors[t].block(held, places[d].2), hash);
        }
        if let Some(w) = self.world() {
            votes.combine(w, Spot::COPIES);
        }
        let contested = votes.contested();
        let Some(&block) = contested.first() else { return Ok(()) };
        let of = |block: usize| tensors.iter().rposition(|t| t.first <= block).unwrap_or(0);
        let (mut names, t) = (contested.iter().map(|&b| of(b)).collect::<Vec<usize>>(), of(block));
        names.dedup();
        let own =
            copies.iter().zip(&hashes).filter(|(c, _)| c.0 == t).map(|(c, &hash)| (places[c.1].0, hash)).collect();
        let message = self.difference(&tensors[t], block, own, names.len() - 1);
        if let Some(w) = self.world() {
            w.finish();
        }
        Err(RuntimeError::new(ErrorKind::Rank, format!("entry `{}`", held.whole.entry), message))
    }

    /// `own` are hashes of the tensor by device of this process.
    fn difference(&self, t: &Replicated<'_>, block: usize, own: Vec<(usize, u64)>, more: usize) -> String {
        let (held, program) = (self.held(), self.held().program(t.rank));
        let mut bytes = vec![0; 8 * held.devices()];
        for (device, hash) in own {
            bytes[8 * device..][..8].copy_from_slice(&hash.to_le_bytes());
        }
        if let Some(w) = self.world() {
            w.combine(&mut bytes, Spot::COPIES);
        }
        let mut groups: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (device, hash) in bytes.as_chunks::<8>().0.iter().enumerate() {
            let (rank, place) = held.place(device);
            if rank == t.rank && t.block(held, place) == block {
                groups.entry(u64::from_le_bytes(*hash)).or_default().push(device);
            }
        }
        let each = held.devices() / self.world().map_or(1, |w| w.size());
        let one = |(hash, devices): &(u64, Vec<usize>)| {
            let list: Vec<String> = devices.iter().map(usize::to_string).collect();
            let mut on: Vec<usize> = devices.iter().map(|d| d / each).collect();
            on.dedup();
            let place = if self.world().is_some() { format!(" ({})", ranks(&on)) } else { String::new() };
            let (s, has) = if devices.len() == 1 { ("", "has") } else { ("s", "have") };
            format!("device{s} {}{place} {has} {:012x}", list.join(", "), hash >> 16)
        };
        let mut groups: Vec<(u64, Vec<usize>)> = groups.into_iter().collect();
        groups.sort_by_key(|g| (g.1.len(), g.1[0]));
        let each: Vec<String> = groups.iter().map(one).collect();
        let axes = program.mesh.iter().enumerate().filter(|(a, m)| m.size > 1 && !t.split.contains(&(*a as u32)));
        let axes: Vec<&str> = axes.map(|(_, m)| m.name.as_str()).collect();
        let more = if more > 0 { format!("; {more} more tensors differ") } else { String::new() };
        format!(
            "after step {} the copies of `{}` differ, which are equal along {} in a sound run: {}{more}",
            self.steps_done(),
            t.port.name,
            axes.join(", "),
            each.join("; ")
        )
    }
}

/// The tensors of which several devices hold the same block, and how many blocks they have together.
fn replicated(held: Held<'_>) -> (Vec<Replicated<'_>>, usize) {
    let (mut all, mut blocks) = (Vec::new(), 0);
    for rank in 0..held.ranks() {
        let program = held.program(rank);
        for port in program.ports.iter().filter(|p| p.alias.is_none() && COMPARED.contains(&p.role)) {
            let split = port.layout.concat();
            let own = program.group_size(&split) as usize;
            if own < program.devices() {
                all.push(Replicated { rank, port, split, first: blocks });
                blocks += own;
            }
        }
    }
    (all, blocks)
}
