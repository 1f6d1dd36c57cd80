//! The driver: the phases in order. [`phases`] is the list of them; [`front`] and [`pipeline`] are the calls by which a program
//! passes from one stage ([`program`]) to the next. Each phase's output is verified before the next sees it.
//!
//! Not here: printing and options (`cli`), deciding layouts (`plan`), and deciding meshes, stages and memory (`strategy`). Files are read where a source imports them (`files`).

pub mod as_run;
pub mod assert;
mod attempt;
#[cfg(feature = "llvm")]
pub mod backend;
pub mod certified;
pub mod choices;
pub mod cluster;
pub mod design;
mod evaluations;
pub mod explain;
mod failure;
pub mod files;
pub mod front;
mod gathered;
mod holdable;
pub mod inspect;
pub mod layers;
pub mod page;
mod parallel;
mod per_device;
pub mod phases;
pub mod pipeline;
pub mod profiles;
pub mod program;
pub mod progress;
pub mod question;
#[cfg(feature = "llvm")]
pub mod recompile;
pub mod report;
pub mod roofline;
pub mod staged;
mod tensors;
pub mod variants;
pub mod verify;

pub use front::check;
pub use phases::{PHASES, Phase};
pub use pipeline::{lower, plan};
pub use program::{Asked, CompileOptions, Entry, HasPlan, Planned, Program, Scheduled};
