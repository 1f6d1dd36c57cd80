//! `meshloom-run`: runs a compiled bundle. It holds the runtime alone, without compiler or LLVM, for machines that only
//! execute.

use clap::{Parser, Subcommand};
use meshloom_run::{DeviceArgs, RunArgs, doctor, execute, kernels};
use meshloom_terminal::{Result, exit_code, limits, load, memory, status};
use std::path::PathBuf;
use std::process::ExitCode;

/// Run a bundle that `meshloom compile` wrote
#[derive(Parser)]
#[command(name = "meshloom-run", version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Cli {
    #[command(subcommand)]
    other: Option<Other>,
    /// The bundle: model.loomx
    #[arg(required = true)]
    bundle: Option<PathBuf>,
    #[command(flatten)]
    devices: DeviceArgs,
    #[command(flatten)]
    run: RunArgs,
    /// Say nothing but warnings and errors
    #[arg(long, short)]
    quiet: bool,
}

/// What else it does.
#[derive(Subcommand)]
enum Other {
    /// Say what this machine has to run bundles with, and what is missing
    Doctor {
        /// The findings as JSON
        #[arg(long)]
        json: bool,
    },
    /// Run packs of kernels, and compare with what the kernels' tests expect
    #[command(hide = true)]
    Kernels {
        /// Packs, or folders of them
        #[arg(required = true)]
        packs: Vec<PathBuf>,
        /// Run one launch of each pack alone, by its number
        #[arg(long, value_name = "N")]
        launch: Option<usize>,
        /// Say what packs launch, and run nothing
        #[arg(long)]
        list: bool,
    },
}

fn main() -> ExitCode {
    limits::install();
    memory::install();
    let cli: Cli = status::command_line();
    status::set_quiet(cli.quiet);
    let code = run(&cli).map_or_else(|e| e.report(), |()| 0);
    exit_code(code)
}

fn run(cli: &Cli) -> Result<()> {
    match &cli.other {
        Some(Other::Doctor { json }) => {
            doctor::print(doctor::devices(), *json);
            return Ok(());
        }
        Some(Other::Kernels { packs, list: true, .. }) => return kernels::list(packs),
        Some(Other::Kernels { packs, launch, .. }) => return kernels::check(packs, *launch),
        None => {}
    }
    let path = cli.bundle.clone().unwrap_or_default();
    let bundle = load::bundle(&path, cli.run.require_signature.as_deref())?;
    execute(&bundle, &cli.devices, &cli.run, None)
}
