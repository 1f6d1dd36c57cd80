//! The tests of this crate, one program: a file is a module.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "tests read files, clocks and settings")]

mod added;
mod attention;
mod attention_gpu;
mod carried;
mod dot;
mod fused;
mod gemm;
mod matmul;
mod order;
mod ptx;
mod scatter;
mod summed;
mod support;
mod types;
mod windowed;
