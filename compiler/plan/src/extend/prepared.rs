//! A program with its alternatives, before it is known which of them pay.

use crate::ask::options::{Mode, PlanOptions};
use crate::extend::recompute::{self, Stash};
use crate::extend::{Extended, algebra, ring};
use meshloom_ir::{Axis, Func};

/// A program with its alternatives.
pub struct Prepared {
    pub ext: Extended,
    pub stashes: Vec<Stash>,
    pub limits_hit: Vec<String>,
}

impl Prepared {
    pub fn new(global: &Func, options: &PlanOptions) -> Prepared {
        let mut ext = Extended::new(global.clone());
        let follows = options.mode == Mode::Follow;
        // An op along a dim has no form on a split one but those that work in blocks.
        let blocks = global.ops.iter().any(|d| algebra::blocks::concern(&d.op))
            || algebra::windows::concern(global)
            || algebra::shifts::concern(global);
        if follows && !blocks && options.ring.is_none() {
            return Prepared { ext, stashes: Vec::new(), limits_hit: Vec::new() };
        }
        let stashes = if follows { Vec::new() } else { recompute::extend(&mut ext, options) };
        let algebra = algebra::AlgebraOptions {
            strict_float: options.target.strict_float,
            disabled: &options.disabled_rules,
            limits: algebra::AlgebraLimits::default(),
            blocks_alone: follows,
        };
        let limits_hit = algebra::extend(&mut ext, &algebra).limits_hit;
        if let Some(names) = &options.ring {
            let axes: Vec<Axis> = names.iter().filter_map(|n| global.mesh.axis(n)).collect();
            let zigzag = !options.disabled_rules.contains(ring::ZIGZAG);
            ring::extend(&mut ext, global.ops.len(), &axes, zigzag);
        }
        Prepared { ext, stashes, limits_hit }
    }
}
