//! `meshloom diff`: what changed from one plan to another. Each side is a plan as JSON, a bundle, or a model that is
//! planned now. `--html` writes both beside each other, as far as they are known: of JSON and bundles the report alone.

use crate::args::{DiffArgs, Sizes};
use crate::{model, plans};
use meshloom_driver::{page, report};
use meshloom_report::PlanReport;
use meshloom_report::diff::{Difference, diff, text};
use meshloom_report::page::{ComparedPage, PageEntry, PlanPage};
use meshloom_terminal::{Failed, Result, status};
use serde::Serialize;
use std::path::Path;

pub fn run(args: &DiffArgs) -> Result<()> {
    let own = args.layout_a.is_some() || args.layout_b.is_some() || args.mesh_a.is_some() || args.mesh_b.is_some();
    if args.after.is_none() && !own {
        return Err(Failed::usage("there is nothing to compare with")
            .help("give a second plan, or --layout-b or --mesh-b for another plan of the same model"));
    }
    let before = side(args, &args.before, args.layout_a.as_ref(), args.mesh_a.as_ref())?;
    let second = args.after.as_ref().unwrap_or(&args.before);
    let after = side(args, second, args.layout_b.as_ref(), args.mesh_b.as_ref())?;
    let (differences, lonely) = compare(&before.plans, &after.plans);
    if let Some(path) = &args.html {
        let compared = ComparedPage { before: before.page, differences: differences.clone(), missing: lonely.clone() };
        let page = PlanPage { compared: Some(Box::new(compared)), ..after.page };
        model::page(path, &page)?;
    }
    if args.json {
        let same = lonely.is_empty() && differences.iter().all(Difference::is_empty);
        let answer = Answer { schema: 1, equal: same, entries: &differences, missing: &lonely };
        status::data(&(serde_json::to_string(&answer).unwrap_or_default() + "\n"));
    } else {
        let mut texts: Vec<String> = differences.iter().map(text).filter(|t| !t.is_empty()).collect();
        texts.extend(lonely.iter().map(|l| format!("{l}\n")));
        status::data(&texts.join("\n"));
    }
    match lonely.is_empty() && differences.iter().all(Difference::is_empty) {
        true => Ok(()),
        false => Err(Failed::silent(1)),
    }
}

/// `diff --json`.
#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    equal: bool,
    entries: &'a [Difference],
    /// Entries that one side alone has.
    missing: &'a [String],
}

/// Entries by name; two single ones are compared whatever they are called.
fn compare(before: &[PlanReport], after: &[PlanReport]) -> (Vec<Difference>, Vec<String>) {
    if let ([a], [b]) = (before, after) {
        return (vec![diff(a, b)], Vec::new());
    }
    let of = |list: &[PlanReport], name: &str| list.iter().position(|p| p.entry == name);
    let pairs = before.iter().filter_map(|a| Some(diff(a, &after[of(after, &a.entry)?])));
    let gone =
        before.iter().filter(|a| of(after, &a.entry).is_none()).map(|a| format!("{}: only in the first", a.entry));
    let new =
        after.iter().filter(|b| of(before, &b.entry).is_none()).map(|b| format!("{}: only in the second", b.entry));
    (pairs.collect(), gone.chain(new).collect())
}

/// What is compared.
struct Side {
    plans: Vec<PlanReport>,
    /// Without entries where no page is asked for.
    page: PlanPage,
}

impl Side {
    /// Of plans whose programs are not here.
    fn reported(args: &DiffArgs, title: String, all: Vec<PlanReport>) -> Side {
        let wanted = |p: &PlanReport| args.entry.as_ref().is_none_or(|e| *e == p.entry);
        let plans: Vec<PlanReport> = all.into_iter().filter(wanted).collect();
        let entries = plans.iter().filter(|_| args.html.is_some()).cloned().map(PageEntry::reported).collect();
        let version = env!("CARGO_PKG_VERSION").into();
        Side { plans, page: PlanPage { title, version, entries, ..PlanPage::default() } }
    }
}

fn side(args: &DiffArgs, path: &Path, layout: Option<&String>, mesh: Option<&Sizes>) -> Result<Side> {
    let name = model::display(path);
    if path.extension().is_some_and(|e| e == "loomx") || model::begins_with(path, b"PK\x03\x04") {
        return Ok(Side::reported(args, name, plans::of_bundle(path)?));
    }
    let text = model::source(path, &args.model)?;
    if text.trim_start().starts_with(['{', '[']) {
        let plans = plans::read(&name, &text)?;
        return Ok(Side::reported(args, name, plans));
    }
    let mut given = args.model.clone();
    given.layout = layout.or(given.layout.as_ref()).cloned();
    given.mesh = mesh.or(given.mesh.as_ref()).cloned();
    let mut options = model::options(&given, args.entry.as_deref())?;
    options.asserts_later = true;
    let program = model::lower(model::plan(model::check(path, &text, &options)?, &options)?)?;
    let plans = program.entries.iter().map(|e| report::of(&program, e).data).collect();
    let page = if args.html.is_some() { page::of(&program) } else { PlanPage::default() };
    Ok(Side { plans, page })
}
