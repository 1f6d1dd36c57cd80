//! Prints the IR of a model: `cargo run -p meshloom-syntax --example elaborate -- gpt.loom [key=value ..]`.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "a program of its own")]

use meshloom_source::FrontOptions;
use meshloom_source::diagnostic::{Style, render_all};
use meshloom_syntax::elaborate::compile;

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().expect("a file");
    let text = std::fs::read_to_string(&path).expect("a readable file");
    let mut options = FrontOptions::default();
    for a in args {
        let (k, v) = a.split_once('=').expect("key=value");
        match k {
            "layout" => options.layout = Some(v.into()),
            "entry" => options.entry = Some(v.into()),
            _ => options.mesh.get_or_insert_default().push((k.into(), v.parse().expect("a size"))),
        }
    }
    let out = compile(&path, &text, &options);
    eprintln!("{}", render_all(&out.diagnostics, &out.sources, Style::Coloured));
    for e in out.elaborated.iter().flat_map(|e| &e.entries) {
        println!("{}", meshloom_ir::print::print(&e.func));
    }
}
