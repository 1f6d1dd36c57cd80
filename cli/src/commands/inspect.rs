//! `meshloom inspect`: which device holds which part of a tensor, as a drawing.

use crate::args::InspectArgs;
use crate::model;
use meshloom_driver::inspect::{self, FoundTensor};
use meshloom_report::inspect::{Pen, draw, shards};
use meshloom_terminal::{Failed, Result, status};
use serde_json::json;

pub fn run(args: &InspectArgs) -> Result<()> {
    let mut options = model::options(&args.model, args.entry.as_deref())?;
    options.asserts_later = true;
    let text = model::source(&args.file, &args.model)?;
    let program = model::plan(model::check(&args.file, &text, &options)?, &options)?;
    let mut found: Vec<FoundTensor<'_>> = Vec::new();
    for name in &args.tensor {
        let some = inspect::find(&program, name);
        if some.is_empty() {
            let failed = Failed::rejected(format!("no tensor of {} is called `{name}`", model::display(&args.file)));
            return Err(match inspect::nearest(&program, name) {
                Some(n) => failed.help(format!("did you mean `{n}`?")),
                None => failed.help("`meshloom plan --json` lists the names"),
            });
        }
        found.extend(some);
    }
    if args.json {
        let one = |f: &FoundTensor<'_>| {
            let mut v = json!(shards(&f.subject()));
            v["entry"] = json!(f.entry);
            v
        };
        let all: Vec<_> = found.iter().map(one).collect();
        status::data(&format!("{}\n", json!({ "schema": 1, "tensors": all })));
        return Ok(());
    }
    // Colours and box characters are for a terminal that shows them.
    let colour = crate::args::colours();
    let pen = Pen { ascii: args.ascii, colour };
    let drawings: Vec<String> = found.iter().map(|f| draw(&f.subject(), pen)).collect();
    status::data(&drawings.join("\n"));
    Ok(())
}
