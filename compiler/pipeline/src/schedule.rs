//! The table: for each rank a row of cells in the order in which the rank works through them.
//!
//! The order is what counts. Idle cells are for people and for PyTorch, which reads a table by columns; nothing here
//! waits because of one. A rank starts a cell when it is through with the cell before it and all inputs are there.

use crate::action::{ActionKind, Cell, PipelineAction};
use crate::index::Index;
use crate::placement::StagePlacement;
use std::collections::BTreeMap;
use std::fmt;

/// Stages times microbatches of a table are at most this many.
pub const LARGEST: u64 = 1 << 20;

/// A schedule of a pipeline. Not every value is a good one: [`crate::check`] says what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineSchedule {
    /// That of its generator, or of its file.
    pub name: String,
    placement: StagePlacement,
    rows: Vec<Vec<Cell>>,
}

/// A table with more stages and microbatches than anyone would run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    pub stages: u64,
    pub microbatches: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooLarge { stages, microbatches } = self;
        write!(f, "a table of {stages} stages and {microbatches} microbatches; the product is at most {LARGEST}")
    }
}

impl std::error::Error for TooLarge {}

impl PipelineSchedule {
    /// A table with a placement that is known.
    pub fn new(name: &str, placement: StagePlacement, rows: Vec<Vec<Cell>>) -> PipelineSchedule {
        PipelineSchedule { name: name.into(), placement, rows }
    }

    /// A table alone, such as a user's: stages, microbatches and placement are what its actions say. A stage is where the
    /// first `F` of it is (else its first action); microbatches that go elsewhere make a second route.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn of_rows(name: &str, rows: Vec<Vec<Cell>>) -> Result<PipelineSchedule, TooLarge> {
        let all = || rows.iter().flatten().flat_map(Cell::actions);
        let most = |n: fn(&PipelineAction) -> u32| all().map(|a| u64::from(n(a)) + 1).max().unwrap_or(0);
        let (stages, microbatches) = (most(|a| a.stage), most(|a| a.microbatch));
        if stages * microbatches > LARGEST {
            return Err(TooLarge { stages, microbatches });
        }
        let placement = inferred(&rows, stages as usize, microbatches as usize);
        Ok(PipelineSchedule { name: name.into(), placement, rows })
    }

    pub fn ranks(&self) -> usize {
        self.rows.len()
    }

    pub fn stages(&self) -> u32 {
        self.placement.stages()
    }

    pub fn microbatches(&self) -> u32 {
        self.placement.microbatches()
    }

    pub fn placement(&self) -> &StagePlacement {
        &self.placement
    }

    /// For each rank its cells.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// Has sends or receives of its own; otherwise they follow from the actions ([`crate::with_transfers`]).
    pub fn explicit(&self) -> bool {
        self.rows.iter().flatten().flat_map(Cell::actions).any(|a| a.kind.transfers())
    }

    pub(crate) fn index(&self) -> Index {
        Index::new(&self.placement, &self.rows)
    }
}

/// For each microbatch the route that its actions show; see [`PipelineSchedule::of_rows`].
fn inferred(rows: &[Vec<Cell>], stages: usize, microbatches: usize) -> StagePlacement {
    let mut seen: Vec<Option<(bool, u32)>> = vec![None; stages * microbatches];
    let mut home: Vec<Option<(bool, u32)>> = vec![None; stages];
    for (rank, row) in (0u32..).zip(rows) {
        for a in row.iter().flat_map(Cell::actions).filter(|a| a.kind.computes()) {
            let forward = a.kind == ActionKind::F;
            let places =
                [&mut seen[a.stage as usize * microbatches + a.microbatch as usize], &mut home[a.stage as usize]];
            for place in places {
                if place.is_none_or(|(f, _)| forward && !f) {
                    *place = Some((forward, rank));
                }
            }
        }
    }
    // Gaps go by another microbatch's route that agrees with what is seen, else by the home of the stage.
    let partial = |m: usize| (0..stages).map(|s| seen[s * microbatches + m].map(|p| p.1)).collect::<Vec<_>>();
    let mut routes: Vec<Vec<u32>> = Vec::new();
    let mut numbers: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
    let mut route_of = vec![0; microbatches];
    let mut number = |routes: &mut Vec<Vec<u32>>, route: Vec<u32>| {
        *numbers.entry(route.clone()).or_insert_with(|| {
            routes.push(route);
            routes.len() - 1
        })
    };
    for (m, of) in route_of.iter_mut().enumerate() {
        if let Some(whole) = partial(m).into_iter().collect::<Option<Vec<u32>>>() {
            *of = number(&mut routes, whole);
        }
    }
    for (m, of) in route_of.iter_mut().enumerate() {
        let parts = partial(m);
        if parts.iter().all(Option::is_some) {
            continue;
        }
        let agrees = |r: &Vec<u32>| parts.iter().zip(r).all(|(p, r)| p.is_none_or(|p| p == *r));
        *of = match routes.iter().position(agrees) {
            Some(n) => n,
            None => {
                let at_home = parts.iter().zip(&home).map(|(p, h)| p.or(h.map(|h| h.1)).unwrap_or(0));
                number(&mut routes, at_home.collect())
            }
        };
    }
    StagePlacement::of(routes, route_of).unwrap_or_else(|| StagePlacement::looped(0, 0, 0))
}
