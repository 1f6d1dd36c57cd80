//! The rules, one entry each: a name to switch it off by, its law, and what it adds to the class of a goal `At(L, x)`.
//!
//! A rule states an equation. It does not judge: what is expensive is left to the search. Side conditions are those without
//! which the equation is false or has no local form (README.md says how to write one).

mod constrain;
mod factor;
mod ports;
mod reshard;
mod rule;

pub use factor::{assignments, splits, usable, used};
pub use rule::{Applies, Form, Goal, Rule, TensorSource};

/// All rules, in the order in which they are applied.
pub static ALL: &[Rule] = &[
    factor::FACTOR_RULE,
    factor::LINEAR_SETS,
    factor::COMMUTING_SETS,
    constrain::CONSTRAIN,
    ports::INPUT_PINS,
    ports::REGION_CARRIES,
    ports::REGION_SLICES,
    ports::REGION_INVARIANTS,
    ports::REGION_STACKS,
    ports::PARTIAL_PORTS,
    ports::GENERATE,
    reshard::ALL_REDUCE,
    reshard::REDUCE_SCATTER,
    reshard::ALL_GATHER,
    reshard::ALL_TO_ALL,
    reshard::COLLECTIVE_PERMUTE,
    reshard::SHARD_SLICE,
    reshard::PARTIAL_SPLIT,
];
