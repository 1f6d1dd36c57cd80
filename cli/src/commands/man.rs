//! `meshloom man`: manual pages, from what `--help` prints.

use crate::args::{Cli, ManArgs};
use clap::CommandFactory;
use meshloom_terminal::{Failed, Result, status};

pub fn run(args: &ManArgs) -> Result<()> {
    let folder = args.folder.join("man1");
    let fail = |e: std::io::Error| Failed::usage(format!("{}: cannot be written: {e}", folder.display()));
    std::fs::create_dir_all(&folder).map_err(fail)?;
    clap_mangen::generate_to(Cli::command(), &folder).map_err(fail)?;
    status::say("Wrote", &format!("manual pages to {}", folder.display()));
    Ok(())
}
