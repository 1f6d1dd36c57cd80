//! `meshloom completions`: a script for a shell.

use crate::args::{Cli, CompletionsArgs};
use clap::CommandFactory;
use meshloom_terminal::{Result, status};

pub fn run(args: &CompletionsArgs) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "meshloom", &mut script);
    status::bytes(&script);
    Ok(())
}
