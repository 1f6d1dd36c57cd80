//! What is told of the variants that were tried: to a question of `explain`, of a name that is no variant's, and where the planner made a
//! mistake in one.
//!
//! Not here: the variants ([`meshloom_strategy::variants`]).

use crate::program::{Planned, Program};
use crate::question::Unknown;
use crate::report;
use meshloom_plan::tried::{Tried, Verdict};
use meshloom_report::tried::{TriedAnswer, TriedReport, VariantReport, told};
use meshloom_source::Diagnostic;
use meshloom_strategy::variants::all;
use std::collections::BTreeSet;

/// What says that one of some names is no variant's.
pub fn unknown(names: &[String]) -> Option<Unknown> {
    let all = all();
    let unknown = names.iter().find(|n| !all.iter().any(|v| v.0 == n.as_str()))?;
    let known: Vec<&str> = all.iter().map(|v| v.0).collect();
    Some(Unknown {
        message: format!("the planner has no variant `{unknown}`"),
        help: format!("there are {}", known.join(", ")),
    })
}

/// A warning for each variant in whose plan the planner made a mistake: the plan at hand is right, and might have been better.
pub fn mistakes(entry: &Planned) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    let mistakes = entry.plan.tried.iter().filter_map(|t| match &t.verdict {
        Verdict::Mistake(what) if seen.insert(t.variant) => Some((t.variant, what)),
        _ => None,
    });
    let warning = |(variant, what): (&str, &String)| {
        let message = format!("the planner made a mistake in the variant `{variant}` of `{}`: {what}", entry.name);
        Diagnostic::warning("internal", message)
            .at(entry.span, "planned without it")
            .note("this is a bug of Meshloom, worth a report with this program; the plan that is taken is certified")
            .help(format!("`--without-variant {variant}` does not try it"))
    };
    mistakes.map(warning).collect()
}

/// What a question says that is about all that was tried.
const ALL: &str = "tried";

/// What was tried of a variant, or of all: for the first entry with something to tell. `None` where the question is about neither.
pub fn explain(program: &Program<Planned>, what: &str) -> Option<TriedAnswer> {
    let named: Vec<_> = all().into_iter().filter(|v| what == ALL || v.0 == what).collect();
    // A tensor may be called so too.
    let shadowed = program.entries.iter().flat_map(|e| &e.plan.tensors).any(|t| t.name == what);
    let entry = program.entries.first().filter(|_| !named.is_empty() && !shadowed)?;
    let about = |t: &&Tried| what == ALL || t.variant == what;
    Some(TriedAnswer {
        schema: 1,
        entry: entry.name.clone(),
        predicted_step_us: report::of(program, entry).data.totals.predicted_step_us,
        tried: told(&entry.plan.tried).filter(about).map(TriedReport::of).collect(),
        variants: named.into_iter().map(|(name, why)| VariantReport { name: name.into(), why: why.into() }).collect(),
    })
}
