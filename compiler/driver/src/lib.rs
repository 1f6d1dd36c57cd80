//! The driver: the phases in order. [`phases`] is the list of them; [`front`] and [`pipeline`] are the calls by which a program
//! passes from one stage ([`program`]) to the next. Each phase's output is verified before the next sees it.
//!
//! Not here: printing and options (`cli`), and deciding layouts (`plan`). Files are read where a source imports them (`files`).

pub mod assert;
#[cfg(feature = "llvm")]
pub mod backend;
mod by_stage;
pub mod certified;
pub mod cut;
pub mod devices;
mod entry_plan;
mod evaluations;
pub mod explain;
mod failure;
pub mod files;
pub mod fit;
pub mod front;
mod gathered;
mod holdable;
pub mod inspect;
mod last_apart;
pub mod layers;
mod offload;
pub mod page;
mod parallel;
pub mod phases;
pub mod pipeline;
pub mod pipelining;
pub mod program;
pub mod question;
#[cfg(feature = "llvm")]
pub mod recompile;
pub mod report;
pub mod roofline;
mod speed;
pub mod staged;
pub mod stages;
mod tensors;
pub mod variants;
pub mod verify;
mod wire;

pub use failure::Failure;
pub use front::check;
pub use phases::{PHASES, Phase};
pub use pipeline::{lower, plan};
pub use program::{Asked, CompileOptions, Elaborated, Entry, HasPlan, Planned, Program, Scheduled};
