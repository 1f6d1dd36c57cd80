//! Iteration spaces. A term in loops stands for a family of tensors, one for each point of the space of these loops: a list of trip
//! counts, the outermost first. Loops of one trip count in one space have one space, whichever way they run.
//!
//! Not here: which terms lie in which space ([`crate::classes`], [`crate::staged`]).

/// An iteration space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Space(u32);

#[derive(Clone, Debug)]
struct Loops {
    outer: Option<Space>,
    trip: u64,
    depth: u32,
    inner: Vec<(u64, Space)>,
}

/// All spaces that are known.
#[derive(Clone, Debug)]
pub struct Spaces(Vec<Loops>);

impl Spaces {
    /// The space of what stands in no loop.
    pub const OUTSIDE: Space = Space(0);

    pub fn new() -> Spaces {
        Spaces(vec![Loops { outer: None, trip: 1, depth: 0, inner: Vec::new() }])
    }

    fn at(&self, s: Space) -> &Loops {
        &self.0[s.0 as usize]
    }

    /// The space of a loop of `trip` iterations in `outer`.
    pub fn inside(&mut self, outer: Space, trip: u64) -> Space {
        if let Some(s) = self.at(outer).inner.iter().find(|s| s.0 == trip) {
            return s.1;
        }
        let new = Space(self.0.len() as u32);
        let depth = self.depth(outer) + 1;
        self.0.push(Loops { outer: Some(outer), trip, depth, inner: Vec::new() });
        self.0[outer.0 as usize].inner.push((trip, new));
        new
    }

    /// Iterations of the innermost loop; 1 outside of all loops.
    pub fn trip(&self, s: Space) -> u64 {
        self.at(s).trip
    }

    /// The space around the innermost loop.
    pub fn outer(&self, s: Space) -> Option<Space> {
        self.at(s).outer
    }

    /// How many loops there are around.
    pub fn depth(&self, s: Space) -> u32 {
        self.at(s).depth
    }

    /// The spaces from the outermost loop to `s` itself.
    pub fn path(&self, s: Space) -> Vec<Space> {
        let mut path: Vec<Space> =
            std::iter::successors(Some(s), |&s| self.outer(s)).filter(|&s| s != Spaces::OUTSIDE).collect();
        path.reverse();
        path
    }
}
