//! Ways to train a model on a number of devices, as `sweep` prints them: a table, and JSON.

use crate::devices::{self, DevicePlan};
use crate::human;
use crate::model::{ProfileReport, number, rounded_option, with_band};
use crate::table::{Align, Table};
use serde::{Deserialize, Serialize};

/// Strategies for a number of devices: those that fit, by tokens per second, and behind them those that do not.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SweepReport {
    pub schema: u32,
    pub entry: String,
    pub target: String,
    /// The software that times are predicted for, where it was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<ProfileReport>,
    pub devices: u64,
    pub tokens_per_step: u64,
    /// Of the model, forward and backward: what is recomputed does not count.
    #[serde(serialize_with = "number")]
    pub flops_per_step: f64,
    /// Bytes that a device may hold.
    pub budget_bytes: u64,
    pub considered: u64,
    pub strategies: Vec<Strategy>,
}

/// One of them, and what would come of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Strategy {
    pub fits: bool,
    /// `plan`; or `estimate`: composed from a plan of another mesh or microbatch.
    pub figures: String,
    /// Communication of a step in which a device computes nothing; null where that is not known.
    #[serde(serialize_with = "rounded_option")]
    pub exposed_us: Option<f64>,
    /// Of what does not fit, step and what follows from it are of the estimate.
    #[serde(flatten)]
    pub plan: DevicePlan,
}

impl SweepReport {
    /// The text of `sweep --json`: a strategy per line.
    pub fn json(&self) -> String {
        let rows = self.strategies.iter().map(|p| serde_json::to_string(p).unwrap_or_default()).collect();
        let head = serde_json::to_string(&SweepReport { strategies: Vec::new(), ..self.clone() });
        devices::row_per_line(&head.unwrap_or_default(), rows)
    }

    /// Reads what [`SweepReport::json`] wrote.
    ///
    /// # Errors
    /// What is missing or of another type.
    pub fn from_json(text: &str) -> Result<SweepReport, String> {
        serde_json::from_str(text).map_err(|e| e.to_string())
    }

    /// The table.
    pub fn text(&self) -> String {
        use Align::{Left, Right};
        let budget = human::bytes(self.budget_bytes as f64);
        let planned = self.strategies.iter().filter(|s| s.figures == "plan").count();
        let mut out = vec![
            format!("{}: train step on {} devices, target {}", self.entry, self.devices, self.target),
            format!(
                "  {} of {} candidates, {planned} planned in full; a device has {budget}",
                self.strategies.len(),
                self.considered
            ),
        ];
        out.extend(self.profile.iter().map(|p| format!("  band: {}", p.from())));
        out.push(String::new());
        let mut table = Table::new(&[
            ("strategies", Left),
            ("layout", Left),
            ("microbatches", Right),
            ("schedule", Left),
            ("recompute", Left),
            ("step", Right),
            ("tokens/s", Right),
            ("MFU", Right),
            ("exposed", Right),
            ("bubble", Right),
            ("peak", Right),
            ("fits", Left),
            ("figures", Left),
        ]);
        let percent = |x: f64| format!("{:.1}%", x * 100.0);
        for s in &self.strategies {
            let p = &s.plan;
            table.row([
                p.choice.axes(),
                p.choice.layout.clone().unwrap_or_default(),
                format!("{} of {}", p.choice.microbatches, p.choice.rows),
                p.choice.order(),
                p.choice.recompute.clone(),
                with_band(p.step_us, self.profile.as_ref()),
                human::count(p.tokens_per_second.round()),
                percent(p.mfu),
                s.exposed_us.map_or_else(String::new, human::micros),
                if p.choice.schedule.is_some() && s.figures == "plan" { percent(p.bubble) } else { String::new() },
                human::bytes(p.peak_bytes_per_device as f64),
                if s.fits { "yes" } else { "does not fit" }.to_string(),
                s.figures.clone(),
            ]);
        }
        out.extend(table.lines());
        out.join("\n") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::DeviceChoice;
    use crate::model::AxisSize;

    #[test]
    fn json_is_read_again_and_the_table_says_what_fits() {
        let choice = DeviceChoice {
            mesh: vec![AxisSize { name: "data".into(), size: 4 }],
            layout: Some("fsdp".into()),
            microbatches: 8,
            rows: 1,
            schedule: None,
            virtual_stages: None,
            recompute: "auto".into(),
        };
        let plan = DevicePlan {
            choice,
            step_us: 1_250_000.0,
            tokens_per_second: 1e6,
            mfu: 0.5,
            bubble: 0.0,
            peak_bytes_per_device: 1 << 30,
            wire: Vec::new(),
            source: vec!["mesh [data: 4]".into()],
        };
        let fits = Strategy { fits: true, figures: "plan".into(), exposed_us: Some(1500.0), plan: plan.clone() };
        let large = Strategy { fits: false, figures: "estimate".into(), exposed_us: None, plan };
        let report = SweepReport {
            schema: 1,
            entry: "net".into(),
            target: "h100-sxm".into(),
            profile: None,
            devices: 4,
            tokens_per_step: 1_250_000,
            flops_per_step: 1.0,
            budget_bytes: 1 << 29,
            considered: 9,
            strategies: vec![fits, large],
        };
        assert_eq!(SweepReport::from_json(&report.json()), Ok(report.clone()), "{}", report.json());
        let text = report.text();
        for part in
            ["2 of 9 candidates, 1 planned", "512 MiB", "data=4", "8 of 1", "1.5 ms", "50.0%", "yes", "does not fit"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
