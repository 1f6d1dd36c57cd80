//! Other ways to plan the same program: more is tried than one search finds, and the fastest plan is taken.
//!
//! A variant is an entry of a table: a name, a line that says why, what it asks of the best so far, and how much it has to gain. One loop
//! ([`explore()`]) goes through a table, compares, and keeps a record of each try ([`crate::tried`]), so that a reader can ask what was tried and
//! why it lost. What comes later in a table is tried with everything that comes before it.
//!
//! There are three tables, one inside the other. [`programs`] plans other forms of a program; for each of these, [`decisions`] decides
//! again on other terms. Whoever calls the planner has the third, with other steps.
//!
//! Not here: moves of one search ([`crate::search`]).

mod deciding;
pub(crate) mod decisions;
mod explore;
mod hsdp;
mod joined_axes;
pub mod journal;
pub(crate) mod programs;
mod ring;
mod segment;
mod terms;

pub use explore::{NoPlan, Planning, Proposed, Variant, explore};

/// Names of all variants of the planner, with what each is for.
pub fn all() -> Vec<(&'static str, &'static str)> {
    fn said<P: Planning>(table: &[Variant<P>]) -> Vec<(&'static str, &'static str)> {
        table.iter().map(|v| (v.name, v.why)).collect()
    }
    [said(&programs::table()), said(&decisions::table())].concat()
}
