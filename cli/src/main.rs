//! The `meshloom` command: everything, from source text to a trained model.
//!
//! ```text
//! args (what was asked) -> model (files to a checked program) -> commands/* -> status on stderr, data on stdout
//! ```
//!
//! Not here: deciding anything about programs (`driver` and the crates below it), and running them (`meshloom-run`).

mod args;
#[cfg(feature = "llvm")]
mod build;
#[cfg(feature = "llvm")]
mod cache;
mod commands;
mod hf;
mod ice;
#[cfg(feature = "run")]
mod kernel_runs;
mod lock;
mod model;
mod phases;
mod plans;
mod rejected;
#[cfg(feature = "llvm")]
mod sign;

use args::{Cli, Command};
use meshloom_terminal::{Result, exit_code, status};
use std::process::ExitCode;

/// Deep programs recurse in the front end; its own limit on nesting is far below this.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    ice::install();
    meshloom_terminal::limits::install();
    meshloom_terminal::memory::install();
    let cli: Cli = status::command_line();
    cli.color.write_global();
    status::set_quiet(cli.quiet);
    status::set_json(cli.message_format == args::MessageFormat::Json);
    let work = std::thread::Builder::new().name("main".into()).stack_size(STACK);
    let done = move || {
        let result = dispatch(&cli.command);
        status::waited();
        result.map_or_else(|e| e.report(), |()| 0)
    };
    let code = match work.spawn(done) {
        // A panic was reported by its hook.
        Ok(thread) => thread.join().unwrap_or(meshloom_terminal::ICE),
        Err(e) => meshloom_terminal::Failed::usage(format!("cannot start a thread: {e}")).report(),
    };
    exit_code(code)
}

fn dispatch(command: &Command) -> Result<()> {
    match command {
        Command::New(a) => commands::new::run(a),
        Command::Check(a) => commands::check::run(a),
        Command::Fmt(a) => commands::fmt::run(a),
        Command::Plan(a) => commands::plan::run(a),
        Command::Sweep(a) => commands::sweep::run(a),
        Command::WhatIf(a) => commands::what_if::run(a),
        Command::Explain(a) => commands::explain::run(a),
        Command::Doc(a) => commands::doc::run(a),
        Command::Inputs(a) => commands::inputs::run(a),
        Command::Inspect(a) => commands::inspect::run(a),
        Command::Diff(a) => commands::diff::run(a),
        Command::Schedule(a) => commands::schedule::run(a),
        Command::ExportPlan(a) => commands::export_plan::run(a),
        Command::CheckPlan(a) => commands::check_plan::run(a),
        Command::Review(a) => commands::review::run(a),
        Command::Profiles(a) => commands::profiles::run(a),
        Command::Opt(a) => commands::opt::run(a),
        #[cfg(feature = "run")]
        Command::Launch(a) => commands::launch::run(a),
        #[cfg(feature = "run")]
        Command::Verify(a) => commands::verify::run(a),
        #[cfg(feature = "run")]
        Command::Export(a) => commands::export::run(a),
        #[cfg(feature = "lsp")]
        Command::Lsp(_) => commands::lsp::run(),
        #[cfg(feature = "run")]
        Command::Doctor(a) => commands::doctor::run(a),
        Command::Completions(a) => commands::completions::run(a),
        Command::Man(a) => commands::man::run(a),
        #[cfg(feature = "llvm")]
        Command::Compile(a) => commands::compile::run(a),
        #[cfg(feature = "llvm")]
        Command::Run(a) => commands::run::run(a),
        #[cfg(feature = "llvm")]
        Command::Bench(a) => commands::bench::run(a),
    }
}
