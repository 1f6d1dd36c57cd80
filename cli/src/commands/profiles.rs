//! `meshloom profiles`: the software that times can be predicted for, and how far its predictions are from what was measured.

use crate::args::ProfilesArgs;
use crate::model;
use meshloom_driver::profiles;
use meshloom_plan::cost::{Arch, Profile};
use meshloom_terminal::{Result, status};
use serde::Serialize;

#[derive(Serialize)]
struct Shown<'a> {
    name: &'a str,
    about: &'a str,
    archs: Vec<&'static str>,
    sources: &'a [String],
    /// The least and the most of measured times over predicted ones.
    band: Option<[f64; 2]>,
    rows: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    measured: f64,
    predicted: f64,
}

pub fn run(args: &ProfilesArgs) -> Result<()> {
    let asked: Vec<Profile> = match &args.name {
        Some(name) => vec![model::profile(name)?],
        None => profiles::names().filter_map(profiles::builtin).collect(),
    };
    let shown: Vec<Shown<'_>> = asked.iter().map(shown).collect();
    if args.json {
        status::data(&(serde_json::to_string(&shown).unwrap_or_default() + "\n"));
        return Ok(());
    }
    let mut out = String::new();
    for s in &shown {
        let band = match s.band {
            Some([least, most]) => {
                format!(
                    "measured steps took {least:.2} to {most:.2} times as long as predicted, in {} rows",
                    s.rows.len()
                )
            }
            None => "no rows, so no band".into(),
        };
        let archs = if s.archs.is_empty() { "all targets".into() } else { s.archs.join(", ") };
        out += &format!("{}\n    {}\n    {archs}; {band}\n", s.name, s.about);
        for source in s.sources {
            out += &format!("    {source}\n");
        }
        if args.name.is_some() {
            for r in &s.rows {
                let ratio = r.predicted / r.measured;
                out += &format!(
                    "    {:>8.0} measured {:>8.0} predicted  {ratio:.2}  {}\n",
                    r.measured, r.predicted, r.name
                );
            }
        }
    }
    status::data(&out);
    Ok(())
}

fn shown(p: &Profile) -> Shown<'_> {
    let part = |per_mille: u64| per_mille as f64 / 1e3;
    Shown {
        name: &p.name,
        about: &p.about,
        archs: p.archs().map(Arch::name).collect(),
        sources: &p.sources,
        band: p.band().map(|b| [part(b.least), part(b.most)]),
        rows: p.rows.iter().map(|r| Row { name: &r.name, measured: r.measured, predicted: r.predicted }).collect(),
    }
}
