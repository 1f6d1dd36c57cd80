//! How long a dump takes to read, phase by phase, the best of several times:
//!
//!     cargo run --release -p meshloom-stablehlo --example read -- step.mlir
//!
//! `compile` is everything from text to the program, with layers as written and rolled into loops; `verify` is the check that the
//! pipeline does behind it. docs/from-jax.md has figures of planning such dumps.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "a program of its own")]

use meshloom_source::FrontOptions;
use meshloom_stablehlo::{compile, lexer, module, tree};
use std::hint::black_box;
use std::time::Instant;

const TIMES: usize = 15;

/// Milliseconds, the least of several times; and what came out.
fn best<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    let mut least = f64::INFINITY;
    let mut out = None;
    for _ in 0..TIMES {
        let start = Instant::now();
        let made = black_box(work());
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
        out = Some(made);
    }
    (least, out.expect("at least once"))
}

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let (lex, lexemes) = best(|| lexer::lex(meshloom_ir::FileId(0), &text).expect("tokens"));
        let (trees, parsed) = best(|| tree::trees(&lexemes).expect("brackets that match"));
        let (modules, _) = best(|| module::module(&parsed).expect("a module"));
        println!("{path}, {} KB: lex {lex:.1} ms, trees {trees:.1}, module {modules:.1}", text.len() / 1000);
        for unrolled in [true, false] {
            let (all, outcome) = best(|| compile(&path, &text, &FrontOptions { unrolled, ..FrontOptions::default() }));
            let Some(e) = outcome.elaborated else { panic!("{:?}", outcome.diagnostics) };
            let (verify, _) = best(|| e.entries.iter().all(|e| meshloom_ir::verify::verify(&e.func).is_ok()));
            let ops: usize = e.entries.iter().map(|e| e.func.ops.len()).sum();
            let how = if unrolled { "as written" } else { "rolled" };
            println!("  {how}: compile {all:.1} ms, verify {verify:.1} ms, {:.1} in all, {ops} ops", all + verify);
        }
    }
}
