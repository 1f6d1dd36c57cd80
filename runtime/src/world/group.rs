//! The processes of a run that have devices of one program: all of them, or those of one rank of a pipeline.
//!
//! The ranks of a pipeline exchange at times of their own, so each has a barrier of its own, in memory that its processes share.
//! A rank whose devices are all in one process needs none.

use super::control::{Control, Late};
use super::ranks::share;
use super::run::{Meetings, World};
use super::segment::{self, Segment};
use super::spot::Spot;
use crate::error::Result;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

pub struct ProgramRanks {
    world: Arc<World>,
    /// By member, in the order of ranks: its rank, and the devices that it has.
    members: Vec<(usize, Range<usize>)>,
    /// The number of this process among the members.
    index: usize,
    meets: Meets,
}

/// How members meet.
enum Meets {
    /// As the run does.
    AsAll,
    /// There is one member, or messages between members are all that they need.
    Never,
    Control(Control),
}

impl ProgramRanks {
    /// All processes of the run, which share so many devices.
    ///
    /// # Errors
    /// The devices cannot be shared out evenly.
    pub fn all(world: &Arc<World>, devices: usize) -> Result<ProgramRanks> {
        let members = (0..world.size).map(|r| Ok((r, share(devices, r, world.size)?))).collect::<Result<_>>()?;
        Ok(ProgramRanks { world: world.clone(), members, index: world.rank, meets: Meets::AsAll })
    }

    /// Some of the processes. All processes of the run make the same groups in the same order; those that are not of this one get
    /// `None`.
    ///
    /// # Errors
    /// No memory to meet in.
    pub fn of(world: &Arc<World>, members: Vec<(usize, Range<usize>)>) -> Result<Option<ProgramRanks>> {
        let index = members.iter().position(|m| m.0 == world.rank);
        let n = members.len();
        if n < 2 || world.transport().is_some() {
            return Ok(index.map(|index| ProgramRanks { world: world.clone(), members, index, meets: Meets::Never }));
        }
        let what = "the common memory of a pipeline's rank";
        let made = (index == Some(0)).then(|| Segment::create(Control::len(n), what)).transpose()?;
        let own = made.as_ref().map_or(0, |m| m.1.address().to_word());
        let first = world.gather(own)[members[0].0];
        let (segment, _offer) = match (made, index) {
            (Some((segment, offer)), _) => (Some(segment), Some(offer)),
            (None, Some(_)) => (Some(Segment::open(segment::Address::from_word(first, Control::len(n)), what)?), None),
            (None, None) => (None, None),
        };
        // The offer ends once all have it.
        world.meet(Spot::START);
        let Some((segment, index)) = segment.zip(index) else { return Ok(None) };
        let control = Control::new(segment, index, n).spinning(crate::device::may_spin(world.sharers));
        Ok(Some(ProgramRanks { world: world.clone(), members, index, meets: Meets::Control(control) }))
    }

    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    pub fn size(&self) -> usize {
        self.members.len()
    }

    /// Whether devices of several processes lie in memory that all of these have.
    pub fn shares_memory(&self) -> bool {
        self.world.transport().is_none() && !matches!(self.meets, Meets::Never)
    }

    /// This process's number.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The devices of this process.
    pub fn devices(&self) -> Range<usize> {
        self.members[self.index].1.clone()
    }

    /// By device, the rank of the process that has it.
    pub fn processes(&self) -> Vec<usize> {
        self.members.iter().flat_map(|(rank, devices)| devices.clone().map(|_| *rank)).collect()
    }

    /// Waits for all members.
    #[inline]
    pub fn meet(&self, spot: Spot) {
        self.met(spot, false);
    }

    /// The same before a collective: who comes last is written down where that is asked for.
    #[inline]
    pub fn meet_before(&self, spot: Spot) {
        if let Some(nanos) = self.met(spot, self.world.timed.load(Relaxed)) {
            self.world.came_last(spot, nanos);
        }
    }

    #[inline]
    fn met(&self, spot: Spot, timed: bool) -> Option<u64> {
        let control = match &self.meets {
            Meets::AsAll => return self.world.met(spot, timed),
            Meets::Never => return None,
            Meets::Control(control) => control,
        };
        let spot = self.world.arrive(spot);
        control.meet(spot, self.world.timeout, timed).unwrap_or_else(|late| self.hang(spot, &late))
    }

    /// A number of each member, by its number. All of them ask at the same time.
    pub fn gather(&self, own: u64) -> Vec<u64> {
        let control = match &self.meets {
            Meets::AsAll => return self.world.gather(own),
            Meets::Never => return vec![own],
            Meets::Control(control) => control,
        };
        let mut bytes = vec![0; 8 * self.size()];
        bytes[8 * self.index..][..8].copy_from_slice(&own.to_ne_bytes());
        let spot = self.world.arrive(Spot::START);
        if let Err(late) = control.combine(&mut bytes, spot, self.world.timeout) {
            self.hang(spot, &late);
        }
        bytes.chunks_exact(8).map(|b| b.try_into().map_or(0, u64::from_ne_bytes)).collect()
    }

    /// Memory that all members share: the first one makes it. `None` where a pipeline's rank has only one member, or members share none.
    ///
    /// # Errors
    /// There is not enough.
    pub fn share(&self, len: u64, what: &str) -> Result<Option<Segment>> {
        if matches!(self.meets, Meets::Never) || matches!(self.world.meetings, Meetings::Connections(_)) {
            return Ok(None);
        }
        let made = if self.index == 0 { Some(Segment::create(len, what)?) } else { None };
        let word = self.gather(made.as_ref().map_or(0, |m| m.1.address().to_word()))[0];
        let (segment, _offer) = match made {
            Some((segment, offer)) => (segment, Some(offer)),
            None => (Segment::open(segment::Address::from_word(word, len), what)?, None),
        };
        // The offer ends once all have it.
        self.meet(Spot::START);
        Ok(Some(segment))
    }

    fn hang(&self, spot: Spot, late: &Late) -> ! {
        let late = late.iter().filter_map(|&m| self.members.get(m)).map(|m| m.0).collect();
        self.world.hang(spot, &late)
    }
}
