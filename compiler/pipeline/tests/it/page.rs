//! The tables of docs/pipelines.md are made from the code: INSTA_UPDATE=always writes them, and the test fails where the page
//! says anything else.

use meshloom_pipeline::{ScheduleEntry, ScheduleRequest, schedules, simulate};
use std::fmt::Write;
use std::path::Path;

const BEGIN: &str =
    "<!-- tables: begin; made from the code by INSTA_UPDATE=always cargo test -p meshloom-pipeline page -->\n";
const END: &str = "<!-- tables: end -->\n";

/// A figure of the simulator for one number of microbatches, and whether the formula says so too.
struct Figure {
    m: u32,
    value: u64,
    published: bool,
}

/// Runs of equal figures: `4: 3; 5..64: 2*`. Where all are one multiple of m: `2m`.
fn runs(figures: &[Figure]) -> String {
    for k in 1..=2 {
        if figures.len() > 1 && figures.iter().all(|f| f.value == k * u64::from(f.m)) {
            return if k == 1 { "m".into() } else { format!("{k}m") };
        }
    }
    let mut parts: Vec<String> = Vec::new();
    for run in figures.chunk_by(|a, b| (a.value, a.published) == (b.value, b.published)) {
        let [first, .., last] = run else {
            parts.extend(run.iter().map(|f| one(f.m.to_string(), f)));
            continue;
        };
        parts.push(one(format!("{}..{}", first.m, last.m), first));
    }
    match parts.as_slice() {
        [] => "-".into(),
        [only] => only.split_once(": ").map_or(only.clone(), |(_, value)| value.into()),
        _ => parts.join("; "),
    }
}

fn one(sizes: String, f: &Figure) -> String {
    format!("{sizes}: {}{}", f.value, if f.published { "*" } else { "" })
}

/// Bubbles and activations of one schedule for p ranks and m = p..64, at unit times.
fn figures(entry: &ScheduleEntry, p: u32) -> (Vec<Figure>, Vec<Figure>) {
    let (mut bubbles, mut kept) = (Vec::new(), Vec::new());
    for m in p..=64 {
        let request = ScheduleRequest::of(p, m);
        let Ok(table) = schedules::make(entry, &request) else { continue };
        let run = simulate(&table, &request.times).expect("it runs");
        let stated = (entry.stated)(&request);
        let (bubble, most) = (run.bubble(), run.most_in_flight().until_weights);
        assert!(stated.bubble.is_none_or(|b| b == bubble), "{} p={p} m={m}: {bubble}", entry.name);
        assert!(stated.in_flight.is_none_or(|k| k == most), "{} p={p} m={m}: {most}", entry.name);
        bubbles.push(Figure { m, value: bubble, published: stated.bubble.is_some() });
        kept.push(Figure { m, value: most, published: stated.in_flight.is_some() });
    }
    (bubbles, kept)
}

fn tables() -> String {
    let mut text = String::from("| schedule | sizes | bubble, as published | source |\n|---|---|---|---|\n");
    for e in schedules::ALL {
        let formula = if e.formula.is_empty() { "none: it depends on times and memory" } else { e.formula };
        let _ = writeln!(text, "| `{}` | {} | {formula} | {} |", e.name, e.domain, e.source);
    }
    // A search has no figures of its own: it goes by the times and the memory that it is given.
    for e in schedules::ALL.iter().filter(|e| !e.formula.is_empty()) {
        let all: Vec<_> = (2..=16).map(|p| (p, figures(e, p))).collect();
        let of = |n: usize| if n == 1 { "1 size".into() } else { format!("{n} sizes") };
        let count = all.iter().map(|(_, (b, _))| b.len()).sum();
        let published = all.iter().flat_map(|(_, (b, _))| b).filter(|f| f.published).count();
        let _ =
            write!(text, "\n### `{}`\n\n{}.\nIt has {} of p = 2..16, m = p..64", e.name, sentence(e.about), of(count));
        let _ = match published {
            0 => writeln!(text, ", and the formula holds for none of them at unit times.\n"),
            n if n == count => writeln!(text, "; in all of them the bubble is the published one.\n"),
            n => writeln!(text, "; in {} the bubble is the published one, in the others it is simulated.\n", of(n)),
        };
        let _ = writeln!(text, "| p | bubble | kept |\n|---|---|---|");
        for (p, (bubbles, kept)) in &all {
            let _ = writeln!(text, "| {p} | {} | {} |", runs(bubbles), runs(kept));
        }
    }
    text
}

fn sentence(about: &str) -> String {
    let mut letters = about.chars();
    letters.next().map_or(String::new(), |c| c.to_uppercase().collect::<String>() + letters.as_str())
}

#[test]
fn the_page_has_the_figures_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pipelines.md");
    let page = std::fs::read_to_string(&path).expect("docs/pipelines.md");
    let (before, rest) = page.split_once(BEGIN).expect("where the tables begin");
    let (found, after) = rest.split_once(END).expect("where the tables end");
    let expected = format!("\n{}\n", tables());
    if std::env::var("INSTA_UPDATE").is_ok_and(|u| u == "always") {
        std::fs::write(&path, format!("{before}{BEGIN}{expected}{END}{after}")).expect("written");
    } else if found != expected {
        let diff = similar::TextDiff::from_lines(found, &expected);
        panic!("docs/pipelines.md; INSTA_UPDATE=always writes it\n{}", diff.unified_diff().header("page", "code"));
    }
}

/// The fractions that the page gives in its text.
#[test]
fn the_page_is_right_about_shares() {
    let bubble = |name: &str, p, m| {
        let request = ScheduleRequest::of(p, m);
        let table = schedules::make(schedules::find(name).expect("a name"), &request).expect("a table");
        simulate(&table, &request.times).expect("it runs").bubble()
    };
    for (p, m) in [(2, 4), (4, 8), (8, 64)] {
        assert_eq!(bubble("zb-h1", p, m) * 3, bubble("1f1b", p, m), "a third of 1F1B's");
        assert_eq!(bubble("interleaved", p, m), bubble("1f1b", p, m), "in ticks of a stage, which are half as long");
        assert_eq!((bubble("zb-h2", p, 2 * p - 1), bubble("zb-v", p, 2 * p - 1)), (0, 0));
    }
}
