//! `meshloom explain`: why a tensor lies as it does, what that costs, and what would change it.

use crate::args::ExplainArgs;
use crate::model;
use meshloom_driver::explain;
use meshloom_report::explain::text;
use meshloom_run::{Failed, Result, status};

pub fn run(args: &ExplainArgs) -> Result<()> {
    let mut options = model::options(&args.model, args.entry.as_deref())?;
    options.asserts_later = true;
    let source = model::read(&args.file)?;
    let program = model::check(&args.file, &source, &options)?;
    let program = model::lower(model::plan(program, &options)?)?;
    let answer = explain::explain(&program, &options, &args.what)
        .map_err(|u| Failed::rejected(format!("{}: {}", model::display(&args.file), u.message)).help(u.help))?;
    if args.json {
        // Keys in the order of the data, which a `Value` would sort.
        status::data(&(serde_json::to_string(&answer).unwrap_or_default() + "\n"));
    } else {
        status::data(&text(&answer));
    }
    Ok(())
}
