//! StableHLO with sdy shardings, as JAX prints it (`jax.jit(f).lower(..).as_text()`), as a program like any other: each
//! public function becomes an entry.
//!
//! Text to tokens ([`lexer`]), tokens to trees of brackets ([`tree`]), trees to functions of ops ([`module`]), and each op by
//! the function that knows it ([`import`]). Calls are inlined.
//!
//! And back to text, for others to read ([`emit`]).
//!
//! Not here: MLIR's own parser, which would need LLVM where planning does without; and types and ops that have no static
//! meaning, which are refused by name.

pub mod emit;
pub mod foreign;
pub mod import;
pub mod lexer;
mod loc;
pub mod module;
mod read;
pub mod roll;
mod small_float;
mod stages;
mod train;
pub mod tree;
mod types;

pub use import::compile;
