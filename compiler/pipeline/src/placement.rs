//! Which rank runs which stage.
//!
//! Most tables have one *route*, a map from stages to ranks that all microbatches take: in a loop (stage `s` on rank
//! `s mod p`), or in the shape of a V (there and back). DualPipe has two, one for each direction, and each rank then holds
//! two copies of parameters, of the stages `r` and `p - 1 - r`.

/// From stages and microbatches to ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StagePlacement {
    /// For each route, the rank of each stage.
    routes: Vec<Vec<u32>>,
    /// For each microbatch, the number of its route.
    route_of: Vec<usize>,
}

impl StagePlacement {
    /// Stage `s` of `ranks * virtual_stages` on rank `s mod ranks` (Megatron, arXiv 2104.04473, section 2.2).
    pub fn looped(ranks: u32, virtual_stages: u32, microbatches: u32) -> StagePlacement {
        let route = (0..ranks * virtual_stages).map(|s| s % ranks.max(1)).collect();
        StagePlacement { routes: vec![route], route_of: vec![0; microbatches as usize] }
    }

    /// Two stages for each rank, there and back: stage `s` on rank `s`, then on rank `2 ranks - 1 - s` (arXiv 2401.10241,
    /// section 6).
    pub fn v_shape(ranks: u32, microbatches: u32) -> StagePlacement {
        let route = (0..2 * ranks).map(|s| s.min(2 * ranks - 1 - s)).collect();
        StagePlacement { routes: vec![route], route_of: vec![0; microbatches as usize] }
    }

    /// The first half of the microbatches enters at rank 0, the second half at the last rank (DualPipe, arXiv 2412.19437,
    /// section 3.2.1).
    pub fn two_ways(ranks: u32, microbatches: u32) -> StagePlacement {
        let there = (0..ranks).collect();
        let back = (0..ranks).rev().collect();
        let half = microbatches / 2;
        StagePlacement {
            routes: vec![there, back],
            route_of: (0..microbatches).map(|m| usize::from(m >= half)).collect(),
        }
    }

    /// Any routes. `None` where a microbatch has no route, or routes differ in length.
    pub fn of(routes: Vec<Vec<u32>>, route_of: Vec<usize>) -> Option<StagePlacement> {
        let stages = routes.first()?.len();
        let fits = routes.iter().all(|r| r.len() == stages) && route_of.iter().all(|r| *r < routes.len());
        fits.then_some(StagePlacement { routes, route_of })
    }

    pub fn stages(&self) -> u32 {
        u32::try_from(self.routes.first().map_or(0, Vec::len)).unwrap_or(u32::MAX)
    }

    pub fn microbatches(&self) -> u32 {
        u32::try_from(self.route_of.len()).unwrap_or(u32::MAX)
    }

    /// The rank that runs `stage` of `microbatch`; `None` outside of the table.
    pub fn rank(&self, stage: u32, microbatch: u32) -> Option<u32> {
        self.routes.get(*self.route_of.get(microbatch as usize)?)?.get(stage as usize).copied()
    }

    /// For each route, the rank of each stage.
    pub fn routes(&self) -> &[Vec<u32>] {
        &self.routes
    }

    /// How many copies of each stage's parameters there are: 1, or 2 where microbatches run in two directions.
    pub fn copies(&self) -> usize {
        self.routes.len()
    }
}
