//! What the tests of this crate share: programs to plan, a random planner, and ways to break a plan.
#![allow(dead_code)] // each test crate uses a part

pub mod dice;
pub mod mutate;
pub mod mutate_form;
pub mod numbers;
pub mod perturb;
pub mod programs;
pub mod rewrite;
pub mod variants;

pub use meshloom_random::Rng;
