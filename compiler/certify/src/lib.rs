//! The certificate of a plan and its independent checker.
//!
//! Users are told this scope: the local (per-device) program equals the global one in real arithmetic, given the factor
//! rules of the op table. The checker is written from the definitions, with no search, no cost and nothing of the
//! planner. It reads two programs and a certificate. It either proves every claim, op by op, or names the ops whose
//! step does not hold.
//!
//! Two further checks go by terms too: [`staged`] is about pipelines (the programs of all ranks compute what the local program
//! does), [`rolled`] about layers that were written out (their loop computes what they do).

mod certificate;
mod check;
mod claim;
mod classes;
mod forms;
pub mod kernels;
pub mod laws;
mod reject;
mod reshard;
pub mod rolled;
mod spaces;
pub mod staged;
mod structure;
mod term_ref;
pub mod text;

pub use certificate::{Certificate, Claim, Equal, Form, Step};
pub use check::{Proof, check};
pub use classes::{Classes, TermId};
pub use forms::{classes, proved, refused};
pub use reject::Rejection;
