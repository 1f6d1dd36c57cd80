//! The search against other ways to find plans, on random programs. What tests one part of it stands in that part's file.

mod brute;
mod complete;
pub(super) mod on_random;
mod reshards;
