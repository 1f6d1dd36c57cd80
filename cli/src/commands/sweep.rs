//! `meshloom sweep`: ways to train a model on a number of devices, as a table or as JSON.

use super::{meshes, what_if};
use crate::args::SweepArgs;
use crate::{model, rejected};
use meshloom_driver::choices::sweep;
use meshloom_terminal::{Result, status};

pub fn run(args: &SweepArgs) -> Result<()> {
    let mut options = model::options(&args.model, args.entry.as_deref())?;
    // A plan that is not what it should be is listed all the same.
    options.asserts_later = true;
    let text = model::source(&args.file, &args.model)?;
    let name = model::display(&args.file);
    model::waits("Planning", &name, &options);
    if let Some(listed) = meshes::planned(&name, &text, &options, args.devices)? {
        return what_if::listed(&listed, args.json);
    }
    let found = sweep(&name, &text, &options, args.devices, usize::from(args.plans)).map_err(rejected::failed)?;
    status::data(&if args.json { found.json() } else { found.text() });
    Ok(())
}
