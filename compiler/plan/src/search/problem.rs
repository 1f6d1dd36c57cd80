//! The extraction problem, read off the saturated e-graph. A *tensor* is a global class with its layouts; a *site* is what
//! brings tensors about, its *options* are the e-nodes that do, of whatever form; the Steiner tables are the classes'
//! collectives. Nothing here adds an alternative: a rule that is off is absent.

use super::cost::{Cost, Rent};
use super::steiner::Table;
use crate::effort;
use crate::saturate::program::RegionPort;
use meshloom_ir::OpId;
use meshloom_ir::ValueId;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A tensor in a layout, by position in [`Problem::tensors`] and in its table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Want {
    pub tensor: u32,
    pub layout: u16,
}

pub struct SearchTensor {
    /// The value that stands for it.
    pub value: ValueId,
    /// How often it comes about in one step.
    pub weight: u64,
    /// Its conversions can run beside other iterations of a loop.
    pub hidden: bool,
    pub table: usize,
    /// Its layouts are live for long: it is an input, or lives across a loop.
    pub long_lived: bool,
    /// Whose native layout says what is split, where it is not its own: what enters a region as an invariant.
    pub judge: u32,
    /// Tensors judged by this one.
    pub judged: Vec<u32>,
    /// Sites that may read it, with a position among the kids of their first option (for sites of one form).
    pub readers: Vec<(u32, u32)>,
    pub writer: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SiteSource {
    Op(OpId),
    Port(RegionPort),
    /// A result of the program that is no input's next value.
    Output(usize),
}

#[derive(Clone)]
pub struct Site {
    /// The first of the forms of its tensors: the one that the program was given with.
    pub source: SiteSource,
    pub options: Vec<Choice>,
    /// For each kid and axis the dims (bits) over which it could use a split operand; empty where idling is no fault.
    pub usable: Vec<Vec<u64>>,
    /// Elements it gives in one step.
    pub elements: u64,
    /// It is there whether or not anything reads it.
    pub root: bool,
    /// The option that it has to keep for the time being.
    pub fixed: Option<u32>,
    /// By option, filled when first asked for: the options that one step may lead to.
    pub near: Vec<Option<Rc<[u32]>>>,
    /// By option, filled when first asked for: those of `near` that do not read and give the tensors that it does.
    pub others: Vec<Option<Rc<[u32]>>>,
    /// Where no other option near that reads and gives the same tensors was better, with the placements tried to see it: by
    /// [`super::state::State::surroundings`].
    pub rests: FxHashMap<u64, u32>,
    /// By option and axis, filled when first asked for: the options of its form that differ from it in that axis alone.
    pub rings: Vec<Option<Rings>>,
}

/// Tensors in layouts that one option reads or gives. They are few, and lie with the option: the search comes by all options, in no
/// order that memory could be ahead of.
pub type Wants = SmallVec<[Want; 4]>;

/// Options by axis.
pub type Rings = Rc<[Ring]>;

#[derive(Debug, Default)]
pub struct Ring {
    /// The dims of the model (bits) that any of them lays the axis along.
    pub along: u64,
    pub options: Vec<u32>,
}

/// One way for a site: an e-node, or several that come together.
#[derive(Clone, Debug)]
pub struct Choice {
    pub source: SiteSource,
    /// The assignment of an op, the layout of a port.
    pub key: u32,
    pub natives: Wants,
    pub kids: Wants,
    /// Bits of axes (positions in [`SearchedProgram::axes`]) that it puts to use.
    pub uses: u32,
    /// By axis: what it does with it, as a number; options that differ in one of them are neighbours.
    pub slots: Box<[u16]>,
    /// By axis: the dims of the model (bits) that it is laid along; see [`super::dims`].
    pub along: Box<[u64]>,
    pub cost: Cost,
}

pub struct Problem {
    pub tensors: Vec<SearchTensor>,
    pub sites: Vec<Site>,
    pub tables: Vec<Table>,
    /// By table, layout and axis: the dim that it splits.
    pub splits: Vec<Vec<Vec<(u8, u8)>>>,
    /// By table and layout: the same layout with its sums finished, where it has any.
    pub finished: Vec<Vec<Option<u16>>>,
    /// What can be hidden takes a part of its time only.
    pub hides: bool,
    /// By axis and dim of the model ([`super::dims`]): the sites with options that lay the axis along the dim.
    pub laid: Vec<Vec<Rc<[u32]>>>,
    /// The sites of each parameter that has state: the parameter, then its state.
    pub families: Vec<Rc<[u32]>>,
    /// By axis: the first one with which it could change places, so that what is found for one is found for the other.
    pub twins: Vec<usize>,
}

impl SearchTensor {
    /// The time of one step for what takes `once` when the tensor comes about.
    pub fn time(&self, once: u64, hides: bool) -> u64 {
        once.saturating_mul(self.weight) >> if hides && self.hidden { effort::HIDDEN_SHIFT } else { 0 }
    }
}

impl Site {
    /// The options that one step of the descent may lead to from `from`.
    pub fn near(&mut self, from: u32) -> Rc<[u32]> {
        if self.fixed.is_some() {
            return Rc::new([]);
        }
        self.near.resize(self.options.len() + 1, None);
        let at = (from as usize).min(self.options.len());
        if let Some(list) = &self.near[at] {
            return list.clone();
        }
        let list: Rc<[u32]> = (0..self.options.len() as u32).filter(|&o| o != from && self.is_near(at, o)).collect();
        self.near[at] = Some(list.clone());
        list
    }

    /// Those of [`Site::near`] that read or give other tensors than `from`.
    pub fn others(&mut self, from: u32) -> Rc<[u32]> {
        if self.fixed.is_some() {
            return Rc::new([]);
        }
        self.others.resize(self.options.len(), None);
        if let Some(list) = &self.others[from as usize] {
            return list.clone();
        }
        let near = self.near(from);
        let a = &self.options[from as usize];
        let same = |x: &[Want], y: &[Want]| x.iter().map(|w| w.tensor).eq(y.iter().map(|w| w.tensor));
        let alike = |b: &Choice| a.source == b.source && same(&a.kids, &b.kids) && same(&a.natives, &b.natives);
        let list: Rc<[u32]> = near.iter().copied().filter(|&o| !alike(&self.options[o as usize])).collect();
        self.others[from as usize] = Some(list.clone());
        list
    }

    /// Notes that no option near that reads and gives the same tensors is better here, and what it took to see it.
    pub fn rest(&mut self, here: u64, moves: usize) {
        if self.rests.len() < effort::RESTS {
            self.rests.insert(here, u32::try_from(moves).unwrap_or(u32::MAX));
        }
    }

    /// Forgets what was found out about the options, which are about to be others.
    pub fn forget(&mut self) {
        self.near.clear();
        self.others.clear();
        self.rests.clear();
        self.rings.clear();
    }

    /// The options that do something else with one axis, by axis, and everything else as `from` does.
    pub fn rings(&mut self, from: u32) -> Rings {
        self.rings.resize(self.options.len(), None);
        if self.fixed.is_some() {
            return Rc::new([]);
        }
        if let Some(rings) = &self.rings[from as usize] {
            return rings.clone();
        }
        let a = &self.options[from as usize];
        let mut rings: Vec<Ring> = a.slots.iter().map(|_| Ring::default()).collect();
        for (o, b) in self.options.iter().enumerate().filter(|(_, b)| b.source == a.source) {
            let mut differ = (0..a.slots.len()).filter(|&i| a.slots[i] != b.slots[i]);
            if let (Some(axis), None) = (differ.next(), differ.next()) {
                rings[axis].along |= b.along[axis];
                rings[axis].options.push(o as u32);
            }
        }
        let rings: Rings = rings.into();
        self.rings[from as usize] = Some(rings.clone());
        rings
    }

    fn is_near(&self, from: usize, to: u32) -> bool {
        if self.options.len() <= effort::NEAR_OPTIONS {
            return true;
        }
        let Some(a) = self.options.get(from) else {
            return true;
        };
        let b = &self.options[to as usize];
        a.source != b.source || a.slots.iter().zip(&b.slots).filter(|(x, y)| x != y).count() <= 1
    }
}

impl Problem {
    /// A hash of what may change about a problem: options that were taken away, sites that are fixed, the rent, and what hides.
    pub fn conditions(&self, rent: Rent) -> u64 {
        let mut hasher = FxHasher::default();
        (rent, self.hides).hash(&mut hasher);
        for site in &self.sites {
            (site.fixed, site.options.len(), site.options.first().map(|o| (o.source, o.key))).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// What every plan of this e-graph must do, at its cheapest, however operands come about: no plan that the search knows takes
    /// less time, since conversions and waiting only add to it. What must be done is found from the outputs: a tensor that all
    /// forms of its reader read.
    pub fn lower_bound(&self) -> u64 {
        let mut must = vec![false; self.sites.len()];
        let mut open: Vec<usize> = (0..self.sites.len()).filter(|&s| self.sites[s].root).collect();
        let mut sum = 0u64;
        while let Some(s) = open.pop() {
            if std::mem::replace(&mut must[s], true) {
                continue;
            }
            let options = &self.sites[s].options;
            // What a port costs is for the choice between layouts; no step of the program takes it.
            let time = |o: &Choice| if matches!(o.source, SiteSource::Port(_)) { 0 } else { o.cost.time };
            sum = sum.saturating_add(options.iter().map(time).min().unwrap_or(0));
            let Some((first, rest)) = options.split_first() else {
                continue;
            };
            let read = first.kids.iter().map(|k| k.tensor);
            let always = read.filter(|t| rest.iter().all(|o| o.kids.iter().any(|k| k.tensor == *t)));
            open.extend(always.map(|t| self.tensors[t as usize].writer as usize).filter(|&w| w < must.len()));
        }
        sum
    }
}
