//! Which device holds what of an entry's tensors.
//!
//! Of a program that all devices run, each device holds one block of each tensor. Of an entry with pipeline stages, the device at
//! coordinate `k` of the pipeline's axis runs the program of rank `k`, and holds what that program has: some layers of a stack, and
//! of other tensors everything or nothing. Its place in the rank is its number in the mesh without the axis.

use crate::shard::{self, Window};
use meshloom_bundle::{EntryContents, Pipeline, Port, Program};
use std::collections::BTreeMap;
use std::ops::Range;

/// An entry, to ask who holds what.
#[derive(Clone, Copy)]
pub struct Held<'a> {
    /// The program, or the outline of the pipeline: its ports are the whole tensors.
    pub whole: &'a Program,
    pub pipeline: Option<&'a Pipeline>,
}

/// The parts of a port in the program of a rank: the rank's ports of the same name and role.
pub fn parts<'p>(program: &'p Program, whole: &'p Port) -> impl Iterator<Item = &'p Port> {
    program.ports.iter().filter(move |p| p.alias.is_none() && p.role == whole.role && p.name == whole.name)
}

impl<'a> Held<'a> {
    pub fn of(entry: &'a EntryContents) -> Held<'a> {
        Held { whole: &entry.program, pipeline: entry.pipeline.as_ref() }
    }

    pub fn devices(&self) -> usize {
        self.whole.devices()
    }

    /// Ranks of the pipeline; 1 without one.
    pub fn ranks(&self) -> usize {
        self.pipeline.map_or(1, |p| p.ranks.len())
    }

    /// The program that the devices of a rank run.
    pub fn program(&self, rank: usize) -> &'a Program {
        self.pipeline.and_then(|p| p.ranks.get(rank)).unwrap_or(self.whole)
    }

    /// Devices that follow each other along the axis of the pipeline are so far apart.
    fn stride(&self, p: &Pipeline) -> usize {
        self.whole.mesh.iter().skip(p.axis as usize + 1).map(|a| a.size as usize).product()
    }

    /// A device's rank in the pipeline, and its place there.
    pub fn place(&self, device: usize) -> (usize, usize) {
        let Some(p) = self.pipeline else { return (0, device) };
        let (stride, ranks) = (self.stride(p), p.ranks.len().max(1));
        (device / stride % ranks, device / (stride * ranks) * stride + device % stride)
    }

    /// The device at a place of a rank.
    pub fn device(&self, rank: usize, place: usize) -> usize {
        let Some(p) = self.pipeline else { return place };
        let stride = self.stride(p);
        (place / stride * p.ranks.len() + rank) * stride + place % stride
    }

    /// The places that devices which follow each other have in a rank; they follow each other too.
    pub fn places(&self, devices: Range<usize>, rank: usize) -> Range<usize> {
        let mut own = devices.map(|d| self.place(d)).filter(|p| p.0 == rank).map(|p| p.1);
        let Some(first) = own.next() else { return 0..0 };
        first..own.next_back().unwrap_or(first) + 1
    }

    /// The boxes of a tensor that a device holds.
    pub fn blocks(&self, port: &Port, device: usize) -> Vec<Window> {
        let (rank, place) = self.place(device);
        let program = self.program(rank);
        match self.pipeline {
            None => vec![shard::block(program, port, place)],
            Some(_) => parts(program, port).map(|p| shard::block(program, p, place)).collect(),
        }
    }

    /// Whether a device holds something of a window.
    pub fn holds(&self, port: &Port, w: &Window, device: usize) -> bool {
        self.blocks(port, device).iter().any(|b| shard::intersection(w, b).is_some())
    }

    /// The boxes into which a tensor is split, empty ones left out, each with the devices that hold it, in order.
    pub fn copies(&self, port: &Port) -> Vec<(Window, Vec<usize>)> {
        let mut all: BTreeMap<Vec<u64>, (Window, Vec<usize>)> = BTreeMap::new();
        for device in 0..self.devices() {
            for own in self.blocks(port, device) {
                if own.iter().all(|r| r.start < r.end) {
                    let start = own.iter().map(|r| r.start).collect();
                    all.entry(start).or_insert_with(|| (own, Vec::new())).1.push(device);
                }
            }
        }
        all.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shard::tests::program;

    #[test]
    fn places_and_devices() {
        // Data, stages, model.
        let whole = program(&[2, 3, 2]);
        let ranks = vec![program(&[2, 2]); 3];
        let pipeline = Pipeline { axis: 1, schedule: String::new(), ranks };
        let held = Held { whole: &whole, pipeline: Some(&pipeline) };
        for device in 0..12 {
            let (rank, place) = held.place(device);
            let c = whole.coordinates(device);
            assert_eq!(rank, c[1] as usize);
            assert_eq!(pipeline.ranks[rank].coordinates(place), [c[0], c[2]]);
            assert_eq!(held.device(rank, place), device);
        }
        // Three processes with four devices each.
        let places = |process: usize| (0..3).map(|k| held.places(4 * process..4 * process + 4, k)).collect::<Vec<_>>();
        assert_eq!([places(0), places(1), places(2)], [[0..2, 0..2, 0..0], [2..4, 0..0, 0..2], [0..0, 2..4, 2..4]]);
    }
}
