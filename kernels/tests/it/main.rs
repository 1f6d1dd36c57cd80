//! The tests of this crate, one program: a file is a module.

mod attention;
mod attention_gpu;
mod carried;
mod dot;
mod fused;
mod matmul;
mod order;
mod product;
mod scatter;
mod support;
mod types;
