//! `meshloom-run`: runs a compiled bundle. The runtime alone, without compiler or LLVM, for machines that only execute.

use clap::Parser;
use meshloom_bundle::Bundle;
use meshloom_run::{DeviceArgs, Failed, Result, RunArgs, execute, status};
use std::path::PathBuf;

/// Run a bundle that `meshloom compile` wrote
#[derive(Parser)]
#[command(name = "meshloom-run", version)]
struct Cli {
    /// The bundle: model.loomx
    bundle: PathBuf,
    #[command(flatten)]
    devices: DeviceArgs,
    #[command(flatten)]
    run: RunArgs,
    /// Say nothing but warnings and errors
    #[arg(long, short)]
    quiet: bool,
}

fn main() {
    let cli = Cli::parse();
    status::set_quiet(cli.quiet);
    let code = run(&cli).map_or_else(|e| e.report(), |()| 0);
    std::process::exit(code);
}

fn run(cli: &Cli) -> Result<()> {
    let name = cli.bundle.display();
    let bytes = std::fs::read(&cli.bundle).map_err(|e| Failed::usage(format!("{name}: cannot be read: {e}")))?;
    let bundle = Bundle::read(&bytes).map_err(|e| Failed::usage(format!("{name}: {e}")))?;
    execute(&bundle, &cli.devices, &cli.run)
}
