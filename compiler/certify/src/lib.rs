//! The certificate of a plan and its independent checker.
//!
//! Users are told this scope: the local (per-device) program equals the global one in real arithmetic, given the factor
//! rules of the op table. The checker is written from the definitions, with no search, no cost and nothing of the
//! planner. It reads two programs and a certificate. It either proves every claim, op by op, or names the ops whose
//! step does not hold.
//!
//! Two further checks concern schedules: [`buffers`] (no live value is overwritten) and [`order`] (collectives cannot
//! deadlock). One concerns pipelines: [`staged`] (the programs of all ranks compute what the local program does), and one layers that were
//! written out: [`rolled`] (their loop computes what they do).

pub mod buffers;
mod certificate;
mod check;
mod claim;
mod classes;
mod forms;
pub mod kernels;
pub mod laws;
pub mod order;
mod reject;
mod reshard;
pub mod rolled;
pub mod staged;
mod structure;
pub mod text;

pub use certificate::{Certificate, Claim, Equal, Form, Step};
pub use check::{Proof, check};
pub use classes::{Classes, TermId};
pub use forms::{classes, proved, refused};
pub use reject::Rejection;
