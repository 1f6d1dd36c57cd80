//! Tests of schedules: figures of the generators, random sizes and mutations, and tables that are broken by hand.

#![allow(clippy::disallowed_methods, reason = "a test reads its tables from files")]

mod broken;
mod executor;
mod figures;
mod page;
mod random;
