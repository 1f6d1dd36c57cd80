//! What a device holds for a plan, and what is recomputed so that it holds less.
//!
//! Not here: kernels and arenas, which `lower` makes and measures; and layouts that hold less, which the search finds under a rent
//! ([`crate::search`]).

pub mod budget;
pub mod copied;
mod fingerprint;
pub mod held;
pub mod held_at_least;
pub mod outside;
