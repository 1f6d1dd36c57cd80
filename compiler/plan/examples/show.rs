//! Plans a Loom file and prints the collectives and the local program: `cargo run --example show -- gpt.loom megatron data=2 model=4`.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "a program of its own")]

#[path = "../tests/it/support/mod.rs"]
mod support;

use meshloom_ir::print::print;
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, file, layout, axes @ ..] = &args[..] else {
        println!("usage: show FILE LAYOUT|- AXIS=SIZE..");
        return;
    };
    let text = std::fs::read_to_string(file).expect("the file is there");
    let mesh: Vec<(&str, u64)> =
        axes.iter().filter_map(|a| a.split_once('=')).filter_map(|(n, s)| Some((n, s.parse().ok()?))).collect();
    let layout = (layout != "-").then_some(layout.as_str());
    let func = support::program(&text, &mesh, layout);
    let start = Instant::now();
    let p = support::planned(&func);
    let took = start.elapsed();
    println!("{}", print(&p.local));
    println!("{}", support::show(&func, &p));
    println!("{} ops in {took:?}", func.ops.len());
}
