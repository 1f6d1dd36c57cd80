//! The table of docs/recompute.md: a GPT of 24 layers under budgets from unlimited to infeasible.
//!
//! `INSTA_UPDATE=always` writes it. A debug build checks some of the rows, a release build all.

use crate::support::*;
use meshloom_ir::{Func, Phase};
use meshloom_plan::cost::Target;
use meshloom_plan::{CollectiveInfo, Limits, Mode, Plan, PlanOptions};
use std::collections::BTreeSet;

const DOC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/recompute.md");
const BUDGETS: [u64; 9] = [80, 64, 48, 40, 32, 24, 16, 12, 8];
/// Rows that a debug build checks.
const FEW: [u64; 2] = [48, 8];
const SIZES: &[(&str, u64)] =
    &[("batch", 64), ("seq", 2048), ("d", 2048), ("heads", 16), ("head", 128), ("vocab", 50304)];

fn model() -> Func {
    let text = GPT_SMALL.replace("const layers = 4", "const layers = 24");
    let mut func = program_with(&text, &[("data", 8), ("model", 1)], None, SIZES);
    meshloom_autodiff::widen(&mut func);
    func
}

fn planned_under(func: &Func, gib: u64) -> Result<Plan, u64> {
    let target = Target::builtin("h100-sxm").expect("is built in");
    // A search of an eighth of the usual length, so that a debug build can check rows.
    let limits = Limits { moves: Limits::default().moves / 8, ..Limits::default() };
    let options = PlanOptions { mode: Mode::Search, target, budget: Some(gib << 30), limits, ..PlanOptions::default() };
    meshloom_plan::plan(func, &options).map_err(|e| e[0].too_large.expect("nothing but memory is in the way").0)
}

fn gib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / (1u64 << 30) as f64)
}

/// What is recomputed, by segment.
fn rematerialized(p: &Plan) -> String {
    let (outside, loops): (Vec<_>, Vec<_>) = p.stashes.iter().partition(|s| s.of == 1);
    let mut segments: Vec<(u64, u64)> = loops.iter().map(|s| (s.iterations.start, s.iterations.end)).collect();
    segments.dedup();
    let of = |&(from, to): &(u64, u64)| {
        let inside = || loops.iter().filter(|s| (s.iterations.start, s.iterations.end) == (from, to));
        let names: BTreeSet<String> = inside().filter(|s| s.rematerialized).map(|s| s.name.clone()).collect();
        let (n, all) = (inside().filter(|s| s.rematerialized).count(), inside().count());
        let what = match n {
            0 => "nothing".to_string(),
            n => format!("{n} of {all} ({})", names.into_iter().collect::<Vec<_>>().join(", ")),
        };
        if segments.len() == 1 { what } else { format!("{from}..{to}: {what}") }
    };
    let mut said: Vec<String> = segments.iter().map(of).collect();
    if !outside.is_empty() {
        said.push(format!("{} outside of loops", outside.len()));
    }
    said.join("; ")
}

/// Parameters that are gathered in the forward pass and again in the backward pass.
fn gathered(p: &Plan) -> String {
    let of = |phase: Phase| {
        let all =
            p.collectives.iter().filter(move |c: &&CollectiveInfo| c.does.name() == "all_gather" && c.phase == phase);
        all.map(|c| c.times_per_step).sum::<u64>()
    };
    match (of(Phase::Forward), of(Phase::Backward)) {
        (0, 0) => "-".into(),
        (forward, backward) => format!("{forward} + {backward}"),
    }
}

fn row(func: &Func, budget: u64) -> String {
    match planned_under(func, budget) {
        Ok(p) => {
            meshloom_certify::check(func, &p.local, &p.certificate).unwrap_or_else(|e| panic!("{}", e[0]));
            let ms = p.totals.predicted_step_us / 1e3;
            let memory = p.memory.as_ref().unwrap();
            let state = memory.parameters + memory.state;
            format!(
                "| {budget} | {} | {} | {ms:.1} | {} | {} |",
                gib(memory.total),
                gib(state),
                rematerialized(&p),
                gathered(&p)
            )
        }
        Err(needs) => format!("| {budget} | nothing fits: at least {} | | | | |", gib(needs)),
    }
}

#[test]
fn table() {
    let func = model();
    let doc = std::fs::read_to_string(DOC).unwrap_or_default();
    let bless = std::env::var("INSTA_UPDATE").is_ok_and(|u| u == "always");
    let budgets: Vec<u64> =
        BUDGETS.into_iter().filter(|b| bless || !cfg!(debug_assertions) || FEW.contains(b)).collect();
    let mut rows = Vec::new();
    for &b in &budgets {
        let start = std::time::Instant::now();
        rows.push(row(&func, b));
        eprintln!("{} {:?}", rows[rows.len() - 1], start.elapsed());
    }
    if bless {
        let (head, rest) = doc.split_once("<!-- table -->\n").unwrap_or((doc.as_str(), ""));
        let tail = rest.split_once("<!-- end -->\n").map_or("", |t| t.1);
        let title = "| budget, GiB | peak | of it parameters and state | step, ms | stashes recomputed | gathers, forward + backward |\n|---|---|---|---|---|---|\n";
        let text = format!("{head}<!-- table -->\n{title}{}\n<!-- end -->\n{tail}", rows.join("\n"));
        std::fs::write(DOC, text).expect("docs can be written");
        return;
    }
    for r in rows {
        assert!(doc.contains(&r), "docs/recompute.md has another row than\n{r}");
    }
}
