//! The variants that the planner tried on the way to a plan: how good the plan of each is, and why it lost. The data are `tried`
//! of `plan --json`; the text is what `explain FILE tried` prints.

use crate::human;
use crate::table::{Align, Table};
use meshloom_plan::moves::Record;
use meshloom_plan::tried::Worth;
use meshloom_plan::tried::{Tried, Verdict};
use serde::{Deserialize, Serialize};

/// One try.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TriedReport {
    pub variant: String,
    /// Which of the variant's requests this is; empty if the variant has one request.
    pub with: String,
    /// The names of the variants whose requests this try varies further, the outermost first.
    pub within: Vec<String>,
    /// What it came to.
    pub predicted_step_us: Option<f64>,
    pub peak_bytes_per_device: Option<u64>,
    /// The best that there was before.
    pub before_step_us: Option<f64>,
    pub before_peak_bytes_per_device: Option<u64>,
    /// `taken`, `beaten`, `slower`, `too_large`, `no_plan`, `mistake` or `not_tried`.
    pub verdict: String,
    pub why: Option<String>,
}

/// How one move of the search went.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveReport {
    #[serde(rename = "move")]
    pub name: String,
    /// What said how long a step takes: `sum` or `program`.
    pub measure: String,
    pub tried: u64,
    pub won: u64,
    /// By how much steps became shorter where it won, by that measure.
    #[serde(serialize_with = "crate::model::rounded")]
    pub gained_us: f64,
}

impl MoveReport {
    /// How all moves went that were tried.
    pub fn all(record: &Record) -> Vec<MoveReport> {
        let told = record.told().map(|(entry, by, count)| MoveReport {
            name: entry.name.to_owned(),
            measure: by.name().to_owned(),
            tried: count.tried,
            won: count.won,
            gained_us: count.gained_ps as f64 / 1e6,
        });
        told.collect()
    }
}

/// What is told of some tries: why nothing was tried inside of another try says little.
pub fn told(tried: &[Tried]) -> impl Iterator<Item = &Tried> {
    tried.iter().filter(|t| t.within.is_empty() || !matches!(t.verdict, Verdict::NotTried(_)))
}

impl TriedReport {
    pub fn of(t: &Tried) -> TriedReport {
        let us = |w: &Option<Worth>| w.map(|w| w.step_ps as f64 / 1e6);
        let needs = match t.verdict {
            Verdict::TooLarge(bytes) => Some(bytes),
            _ => None,
        };
        TriedReport {
            variant: t.variant.to_owned(),
            with: t.with.clone(),
            within: t.within.clone(),
            predicted_step_us: us(&t.worth),
            peak_bytes_per_device: t.worth.map(|w| w.bytes).or(needs),
            before_step_us: us(&t.before),
            before_peak_bytes_per_device: t.before.map(|w| w.bytes),
            verdict: t.verdict.name().to_owned(),
            why: t.verdict.reason().map(str::to_owned),
        }
    }

    fn name(&self) -> String {
        meshloom_plan::tried::label(&self.variant, &self.with)
    }

    /// The verdict in words.
    fn said(&self) -> String {
        let why = self.why.as_ref().map_or(String::new(), |w| format!(": {w}"));
        match (self.verdict.as_str(), self.predicted_step_us, self.before_step_us) {
            ("slower", Some(now), Some(then)) if now > then => format!("{:.1} % slower", (now / then - 1.0) * 100.0),
            ("slower", ..) => "not faster by enough".into(),
            ("taken", Some(now), Some(then)) if now < then => {
                format!("taken, {:.1} % faster", (1.0 - now / then) * 100.0)
            }
            ("taken", Some(_), None) => "taken, nothing else fits".into(),
            ("taken", ..) => "taken, it holds less".into(),
            ("beaten", ..) => "beaten by another".into(),
            ("too_large", ..) => "does not fit".into(),
            ("no_plan", ..) => format!("no plan{why}"),
            ("mistake", ..) => format!("a mistake of the planner{why}"),
            _ => format!("not tried{why}"),
        }
    }
}

/// What `explain` says of variants.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TriedAnswer {
    pub schema: u32,
    pub entry: String,
    /// What the plan is predicted to take.
    pub predicted_step_us: f64,
    pub tried: Vec<TriedReport>,
    /// What the variants are for.
    pub variants: Vec<VariantReport>,
}

/// A variant, and what it is for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct VariantReport {
    pub name: String,
    pub why: String,
}

/// The table of what was tried, and under it what each variant is.
pub fn text(answer: &TriedAnswer) -> String {
    let step = |us: Option<f64>| us.map_or(String::new(), human::micros);
    let mut table = Table::new(&[
        ("tried", Align::Left),
        ("inside of", Align::Left),
        ("step", Align::Right),
        ("before", Align::Right),
        ("memory", Align::Right),
        ("verdict", Align::Left),
    ]);
    for t in &answer.tried {
        let bytes = t.peak_bytes_per_device.map_or(String::new(), |b| human::bytes(b as f64));
        table.row([t.name(), t.within.join(", "), step(t.predicted_step_us), step(t.before_step_us), bytes, t.said()]);
    }
    let mut out =
        vec![format!("{}: a step takes {}", answer.entry, human::micros(answer.predicted_step_us)), String::new()];
    out.extend(table.lines());
    out.push(String::new());
    out.extend(answer.variants.iter().map(|v| format!("{}: {}", v.name, v.why)));
    out.iter().flat_map(|l| [l.as_str(), "\n"]).collect()
}
