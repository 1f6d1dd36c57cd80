//! `meshloom explain`: why a tensor lies as it does, or a layer is in its stage, what that costs, and what would change it; and, as
//! `rustc --explain` does, what the code of a diagnostic means.

use crate::args::ExplainArgs;
use crate::model;
use meshloom_driver::program::{Planned, Program};
use meshloom_driver::question::Unknown;
use meshloom_driver::{explain, layers, page, variants};
use meshloom_report::explain::{Explanation, answer, priced};
use meshloom_report::page::{PageAnswer, PlanPage};
use meshloom_report::{layer, tried};
use meshloom_source::diagnostic::codes;
use meshloom_terminal::{Failed, Result, status};
use std::path::Path;

pub fn run(args: &ExplainArgs) -> Result<()> {
    let Some(what) = &args.what else { return code(&args.file) };
    let mut options = model::options(&args.model, args.entry.as_deref())?;
    options.asserts_later = true;
    let source = model::source(&args.file, &args.model)?;
    let program = model::check(&args.file, &source, &options)?;
    let program = model::plan(program, &options)?;
    let unknown = |u: Unknown| Failed::rejected(format!("{}: {}", model::display(&args.file), u.message)).help(u.help);
    if let Some(layer) = layers::explain(&program, what) {
        let layer = layer.map_err(unknown)?;
        drawn(args, program, &layer.entry, || PageAnswer::Layer(Box::new(layer.clone())))?;
        return print(args.json, &layer, layer::text);
    }
    if let Some(tries) = variants::explain(&program, what) {
        return print(args.json, &tries, tried::text);
    }
    model::waits("Explaining", what, &options);
    // Other layouts are planned one by one, which takes as long as so many plans: what is known comes first.
    let first = |known: &Explanation| {
        if !args.json {
            status::data(&answer(known));
            model::waits("Pricing", what, &options);
        }
    };
    let explanation = explain::explain_first(&program, &options, what, first).map_err(unknown)?;
    drawn(args, program, &explanation.entry, || PageAnswer::Tensor(Box::new(explanation.clone())))?;
    print(args.json, &explanation, priced)
}

/// Writes the page of the plan with the answer, if `--html` asks for one. The entry that the answer is about comes first.
fn drawn(
    args: &ExplainArgs,
    program: Program<Planned>,
    entry: &str,
    answer: impl FnOnce() -> PageAnswer,
) -> Result<()> {
    let Some(path) = &args.html else { return Ok(()) };
    let mut page = PlanPage { answer: Some(answer()), ..page::of(&model::lower(program)?) };
    page.entries.sort_by_key(|e| e.plan.entry != entry);
    model::page(path, &page)
}

fn print<A: serde::Serialize>(json: bool, answer: &A, text: fn(&A) -> String) -> Result<()> {
    // Keys in the order of the data, which a `Value` would sort.
    let json = json.then(|| serde_json::to_string(answer).unwrap_or_default() + "\n");
    status::data(&json.unwrap_or_else(|| text(answer)));
    Ok(())
}

/// The page of a code.
fn code(asked: &Path) -> Result<()> {
    let text = asked.to_string_lossy();
    if let Some(code) = codes::find(&text) {
        status::data(code.page);
        return Ok(());
    }
    let looks_like_one = text.starts_with(['E', 'e']) && text[1..].bytes().all(|b| b.is_ascii_digit());
    Err(if looks_like_one {
        let last = codes::ALL.last().map_or("", |c| c.number);
        Failed::usage(format!("there is no code `{text}`"))
            .help(format!("codes go from E0101 to {last}; docs/errors lists them"))
    } else {
        Failed::usage(format!("{text}: what is to be explained?"))
            .help(format!("a tensor, a line, a collective or a layer: `meshloom explain {text} '#1'`"))
            .help("or a code alone: `meshloom explain E0303`")
    })
}
