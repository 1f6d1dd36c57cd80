//! Collectives between GPUs of several processes, by NCCL: a thin wrapper that owns its handles.
//!
//! ```text
//! library    the functions, loaded when they are needed
//! ```

pub mod library;

pub use library::Nccl;
