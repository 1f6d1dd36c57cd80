//! A design review of a plan: what a run of it takes beside the step, as data (`plan --review --json`) and as text.
//!
//! Not here: where the figures come from (`driver::design`).

use crate::human;
use crate::model::{TotalsReport, with_band};
use crate::table::{Align, Table};
use serde::Serialize;

/// What is said of one entry that trains.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DesignReview {
    pub schema: u32,
    pub entry: String,
    pub target: String,
    /// The cluster's file, or `usual`.
    pub cluster: String,
    /// Axes and sizes: `data=4 x model=2`.
    pub mesh: String,
    pub devices: u64,
    pub totals: TotalsReport,
    pub room_bytes: u64,
    pub goodput: Goodput,
    /// Null where no figure of the target's power is known.
    pub power: Option<PowerReport>,
    pub network: Vec<LevelUse>,
    /// The same plan where something is slower, or takes more.
    pub sensitivity: Vec<Sensitivity>,
    /// A larger batch, planned anew.
    pub batch: Vec<BatchRow>,
    /// What the planner would choose on other hardware.
    pub choices: Vec<ChoiceRow>,
}

/// The part of its time in which a run makes progress.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Goodput {
    /// Hours between two interruptions of the run.
    pub hours_between_failures: f64,
    /// Parameters and state of the whole model.
    pub checkpoint_bytes: u64,
    pub checkpoint_seconds: f64,
    pub restart_seconds: f64,
    /// The best time between two checkpoints (J. T. Daly, A higher order estimate of the optimum checkpoint interval, 2006).
    pub interval_seconds: f64,
    pub steps_between_checkpoints: u64,
    /// Parts of the time: writing checkpoints; work that is done again and restarts.
    pub lost_to_checkpoints: f64,
    pub lost_to_failures: f64,
    pub goodput: f64,
    /// What is left of the step's tokens per second.
    pub tokens_per_second: Option<f64>,
}

/// Power of all devices and their nodes.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PowerReport {
    pub watts_per_device: f64,
    /// With the building.
    pub kilowatts: f64,
    pub kilowatt_hours_per_million_tokens: Option<f64>,
}

/// What a step sends on one level of the network.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LevelUse {
    pub level: String,
    pub bytes_per_device: u64,
    /// Of what the links of a device carry in the time of a step.
    pub share: f64,
}

/// The plan's step under another condition.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Sensitivity {
    pub condition: String,
    /// Null where it is not predicted.
    pub predicted_step_us: Option<f64>,
}

/// A step with another batch.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BatchRow {
    pub batch: u64,
    /// Null where there is no plan.
    pub totals: Option<TotalsReport>,
    pub refused: Option<String>,
}

/// What is planned on other hardware, beside the plan at hand.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChoiceRow {
    pub condition: String,
    /// The plan at hand there.
    pub kept_step_us: Option<f64>,
    /// The plan that is made for it.
    pub planned_step_us: Option<f64>,
    /// That plan on the target at hand.
    pub here_step_us: Option<f64>,
    /// Inputs of the step that lie in another layout in that plan, of all of them.
    pub moved: u64,
    pub of: u64,
    /// The first of them, with both layouts; what else differs where there is none.
    pub example: Option<String>,
    pub refused: Option<String>,
}

impl DesignReview {
    /// The text of `plan --review --json`.
    pub fn json(&self) -> String {
        format!("{}\n", serde_json::to_string(self).unwrap_or_default())
    }

    /// The text of `plan --review`.
    pub fn text(&self) -> String {
        let t = &self.totals;
        let mut out = vec![
            format!(
                "{}: design review on {} devices, {}, target {}, cluster {}",
                self.entry, self.devices, self.mesh, self.target, self.cluster
            ),
            String::new(),
        ];
        let mfu = t.mfu.map_or(String::new(), |m| format!(", {:.1} % MFU", 100.0 * m));
        let speed = t.tokens_per_second.map_or(String::new(), |n| format!(", {} tokens/s", human::count(n.round())));
        out.push(format!("step      {} predicted{speed}{mfu}", with_band(t.predicted_step_us, t.profile.as_ref())));
        out.extend(self.run());
        out.extend(self.resources());
        out.extend(self.margins());
        out.extend(self.tables());
        out.join("\n") + "\n"
    }

    /// Failures and checkpoints.
    fn run(&self) -> Vec<String> {
        let g = &self.goodput;
        let left = g.tokens_per_second.map_or(String::new(), |n| format!(": {} tokens/s", human::count(n.round())));
        vec![
            format!("goodput   {:.1} %{left}", 100.0 * g.goodput),
            format!(
                "          an interruption every {}; {:.1} % of the time goes into work that is done again, and into restarts of {}",
                duration(3600.0 * g.hours_between_failures),
                100.0 * g.lost_to_failures,
                duration(g.restart_seconds)
            ),
            format!(
                "          checkpoints of {} in {}; one every {} ({} steps) takes {:.1} % of the time",
                human::bytes(g.checkpoint_bytes as f64),
                duration(g.checkpoint_seconds),
                duration(g.interval_seconds),
                g.steps_between_checkpoints,
                100.0 * g.lost_to_checkpoints
            ),
        ]
    }

    /// Power, cost and the network.
    fn resources(&self) -> Vec<String> {
        let mut out = vec![match &self.power {
            None => format!("power     not known of {}: `--cluster FILE` can say `watts`", self.target),
            Some(p) => {
                let energy = p.kilowatt_hours_per_million_tokens;
                let energy = energy.map_or(String::new(), |e| format!(", {} a million tokens", watt_hours(e)));
                format!("power     {} at {:.0} W a device{energy}", kilowatts(p.kilowatts), p.watts_per_device)
            }
        }];
        let good = self.goodput.goodput;
        out.extend(self.totals.usd_per_million_tokens.map(|usd| {
            let of_run = usd / good.max(1e-9);
            format!("cost      {usd:.2} USD a million tokens, {of_run:.2} with what goodput leaves")
        }));
        let mut name = "network";
        for l in &self.network {
            let bytes = human::bytes(l.bytes_per_device as f64);
            let share = 100.0 * l.share;
            out.push(format!(
                "{name:<10}{}: {bytes} a device and step, {share:.1} % of what its links carry in that time",
                l.level
            ));
            name = "";
        }
        if self.network.is_empty() {
            out.push("network   nothing is sent".into());
        }
        out
    }

    fn margins(&self) -> Vec<String> {
        let room = self.room_bytes as f64;
        vec![match self.totals.peak_bytes_per_device {
            None => "memory    not known".into(),
            Some(peak) => {
                let left = room - peak as f64;
                format!(
                    "memory    {} of {}; {} are left ({:.1} %)",
                    human::bytes(peak as f64),
                    human::bytes(room),
                    human::bytes(left.max(0.0)),
                    100.0 * left.max(0.0) / room.max(1.0)
                )
            }
        }]
    }

    fn tables(&self) -> Vec<String> {
        use Align::{Left, Right};
        let base = self.totals.predicted_step_us;
        let change = |us: f64| format!("{:+.1} %", 100.0 * (us / base - 1.0));
        let mut out = Vec::new();
        let mut table = Table::new(&[("the same plan with", Left), ("step", Right), ("", Right)]);
        for s in &self.sensitivity {
            let (step, by) =
                s.predicted_step_us.map_or(("-".into(), String::new()), |us| (human::micros(us), change(us)));
            table.row([s.condition.clone(), step, by]);
        }
        out.push(String::new());
        out.extend(table.lines());
        if !self.batch.is_empty() {
            let columns =
                [("batch, planned anew", Left), ("step", Right), ("tokens/s", Right), ("MFU", Right), ("peak", Right)];
            let mut table = Table::new(&columns);
            for b in &self.batch {
                let t = b.totals.as_ref();
                let cell = |f: &dyn Fn(&TotalsReport) -> Option<String>| t.and_then(f).unwrap_or_else(|| "-".into());
                table.row([
                    b.batch.to_string(),
                    cell(&|t| Some(human::micros(t.predicted_step_us))),
                    cell(&|t| t.tokens_per_second.map(|n| human::count(n.round()))),
                    cell(&|t| t.mfu.map(|m| format!("{:.1} %", 100.0 * m))),
                    cell(&|t| t.peak_bytes_per_device.map(|b| human::bytes(b as f64))),
                ]);
            }
            out.push(String::new());
            out.extend(table.lines());
            let refused =
                self.batch.iter().filter_map(|b| b.refused.as_ref().map(|why| format!("  {}: {why}", b.batch)));
            out.extend(refused);
        }
        if !self.choices.is_empty() {
            out.extend([String::new(), "what would change the choice".to_owned()]);
            out.extend(self.choices.iter().map(|c| format!("  {}: {}", c.condition, c.said())));
        }
        out
    }
}

impl ChoiceRow {
    fn said(&self) -> String {
        if let Some(why) = &self.refused {
            return format!("no plan: {why}");
        }
        let step = |us: Option<f64>| us.map_or("not predicted".into(), human::micros);
        let kept = step(self.kept_step_us);
        match (&self.example, self.moved) {
            (None, 0) => format!("the same plan, {kept}"),
            (example, moved) => {
                let example = example.as_ref().map_or(String::new(), |e| format!(", such as {e}"));
                let what = match moved {
                    0 => "the same layouts of inputs, another plan inside".to_owned(),
                    n => format!("{n} of {} tensors lie otherwise", self.of),
                };
                let here =
                    self.here_step_us.map_or(String::new(), |us| format!("; here it would take {}", human::micros(us)));
                format!("{}, where this plan takes {kept}: {what}{example}{here}", step(self.planned_step_us))
            }
        }
    }
}

/// `12 s`, `4.5 min`, `3.1 h`, `12 days`.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => "less than 1 ms".into(),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.1} s"),
        s if s < 6000.0 => format!("{:.1} min", s / 60.0),
        s if s < 200_000.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.0} days", s / 86400.0),
    }
}

fn kilowatts(kw: f64) -> String {
    if kw < 1000.0 { format!("{kw:.1} kW") } else { format!("{:.1} MW", kw / 1000.0) }
}

fn watt_hours(kwh: f64) -> String {
    if kwh < 1.0 { format!("{:.1} Wh", kwh * 1000.0) } else { format!("{kwh:.1} kWh") }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations_have_the_unit_of_their_size() {
        let all = [1e-6, 0.02, 12.34, 600.0, 7200.0, 1e6].map(duration);
        assert_eq!(all, ["less than 1 ms", "20 ms", "12.3 s", "10.0 min", "2.0 h", "12 days"]);
    }
}
