//! One file per command.

#[cfg(feature = "llvm")]
pub mod bench;
#[cfg(feature = "llvm")]
mod bench_gpu;
#[cfg(feature = "llvm")]
pub mod calibrate;
pub mod check;
pub mod check_plan;
#[cfg(feature = "llvm")]
pub mod compile;
pub mod completions;
pub mod diff;
pub mod doc;
#[cfg(feature = "run")]
pub mod doctor;
pub mod explain;
#[cfg(feature = "run")]
pub mod export;
pub mod export_plan;
pub mod fmt;
pub mod inputs;
pub mod inspect;
#[cfg(feature = "run")]
pub mod launch;
#[cfg(feature = "lsp")]
pub mod lsp;
pub mod man;
mod meshes;
mod models;
pub mod new;
pub mod opt;
pub mod plan;
pub mod profiles;
pub mod review;
mod review_plan;
#[cfg(feature = "llvm")]
pub mod run;
#[cfg(feature = "llvm")]
mod run_page;
pub mod schedule;
mod schedule_check;
mod schedule_report;
pub mod sweep;
#[cfg(feature = "run")]
pub mod verify;
#[cfg(feature = "run")]
mod verify_asked;
pub mod what_if;
