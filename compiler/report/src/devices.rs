//! Meshes that were chosen for a number of devices, as `plan --devices` prints them: a table, what to write into the source to
//! fix one, and JSON.

use crate::human;
use crate::model::{AxisSize, ProfileReport, number, rounded, rounded_option, with_band};
use crate::table::{Align, Table};
use serde::{Deserialize, Serialize};

/// The best plans for a number of devices, the fastest first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DevicesReport {
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
    /// Meshes with their layouts, microbatches and recomputation; how many of them were planned at their own mesh to be
    /// composed from, and how many in full.
    pub considered: u64,
    pub composed: u64,
    pub planned: u64,
    /// What became of the candidates that were composed from plans of their own, in the order in which they were looked at.
    #[serde(default)]
    pub tried: Vec<DeviceTry>,
    pub plans: Vec<DevicePlan>,
}

/// What is chosen for a number of devices.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DeviceChoice {
    pub mesh: Vec<AxisSize>,
    /// The layout block.
    pub layout: Option<String>,
    pub microbatches: u64,
    /// Rows of a microbatch on one device.
    pub rows: u64,
    pub schedule: Option<String>,
    pub virtual_stages: Option<u64>,
    /// What the backward pass recomputes of layers: `none`, `full`, or `auto` where the planner decides it by the budget.
    pub recompute: String,
}

/// A candidate for a number of devices, and why it is the best plan or is not.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DeviceTry {
    #[serde(flatten)]
    pub choice: DeviceChoice,
    /// As it was composed.
    #[serde(serialize_with = "rounded")]
    pub expected_step_us: f64,
    /// Of its plan in full, where one was made.
    #[serde(default, serialize_with = "rounded_option")]
    pub step_us: Option<f64>,
    #[serde(default)]
    pub peak_bytes_per_device: Option<u64>,
    /// `taken`, `slower`, `too_large`, `no_plan` or `not_planned`.
    pub verdict: String,
    /// What is more to say of the verdict.
    pub why: Option<String>,
}

/// One of them: what was chosen, and what is predicted of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DevicePlan {
    #[serde(flatten)]
    pub choice: DeviceChoice,
    #[serde(serialize_with = "rounded")]
    pub step_us: f64,
    #[serde(serialize_with = "rounded")]
    pub tokens_per_second: f64,
    /// The share of the peak arithmetic of all devices that the model's own operations take.
    #[serde(serialize_with = "share")]
    pub mfu: f64,
    #[serde(serialize_with = "share")]
    pub bubble: f64,
    pub peak_bytes_per_device: u64,
    /// What a device sends in a step, over each level of the target's links.
    pub wire: Vec<LevelBytes>,
    /// Lines of the source that fix this plan.
    pub source: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LevelBytes {
    pub level: String,
    pub bytes: u64,
}

fn share<S: serde::Serializer>(x: &f64, s: S) -> Result<S::Ok, S::Error> {
    number(&((x * 1e4).round() / 1e4), s)
}

/// JSON whose last key has rows, a line for each; `head` is the same without any.
pub(crate) fn row_per_line(head: &str, rows: Vec<String>) -> String {
    let head = head.strip_suffix("[]}").unwrap_or(head).replace(",\"", ",\n  \"").replacen('{', "{\n  ", 1);
    let rows: Vec<String> = rows.into_iter().map(|r| format!("    {r}")).collect();
    format!("{head}[\n{}\n  ]\n}}\n", rows.join(",\n"))
}

impl DevicesReport {
    /// The text of `plan --devices --json`: a plan per line.
    pub fn json(&self) -> String {
        let rows = self.plans.iter().map(|p| serde_json::to_string(p).unwrap_or_default()).collect();
        let head = serde_json::to_string(&DevicesReport { plans: Vec::new(), tried: Vec::new(), ..self.clone() });
        let tries: Vec<String> =
            self.tried.iter().map(|t| format!("    {}", serde_json::to_string(t).unwrap_or_default())).collect();
        let written = row_per_line(&head.unwrap_or_default(), rows);
        written.replacen("\"tried\":[]", &format!("\"tried\":[\n{}\n  ]", tries.join(",\n")), 1)
    }

    /// Reads what [`DevicesReport::json`] wrote.
    ///
    /// # Errors
    /// What is missing or of another type.
    pub fn from_json(text: &str) -> Result<DevicesReport, String> {
        serde_json::from_str(text).map_err(|e| e.to_string())
    }

    /// The table, and what fixes the first plan in the source. `file` is its name.
    pub fn text(&self, file: &str) -> String {
        use Align::{Left, Right};
        let count = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let mut out = vec![
            format!("{}: train step on {}, target {}", self.entry, count(self.devices, "device"), self.target),
            format!(
                "  {} considered, {} composed from plans of their own, {} planned in full",
                count(self.considered, "candidate"),
                self.composed,
                self.planned
            ),
        ];
        out.extend(self.profile.iter().map(|p| format!("  band: {}", p.from())));
        out.push(String::new());
        let mut columns = vec![
            ("plans", Left),
            ("layout", Left),
            ("microbatches", Right),
            ("schedule", Left),
            ("recompute", Left),
            ("step", Right),
            ("tokens/s", Right),
            ("MFU", Right),
            ("bubble", Right),
            ("peak", Right),
        ];
        let levels = self.plans.first().map(|p| p.wire.as_slice()).unwrap_or_default();
        columns.extend(levels.iter().map(|l| (l.level.as_str(), Right)));
        let mut table = Table::new(&columns);
        for (i, p) in self.plans.iter().enumerate() {
            let percent = |x: f64| format!("{:.1}%", x * 100.0);
            let mut row = vec![
                format!("{} {}", i + 1, p.choice.axes()),
                p.choice.layout.clone().unwrap_or_default(),
                format!("{} of {}", p.choice.microbatches, p.choice.rows),
                p.choice.order(),
                p.choice.recompute.clone(),
                with_band(p.step_us, self.profile.as_ref()),
                human::count(p.tokens_per_second.round()),
                percent(p.mfu),
                if p.choice.schedule.is_some() { percent(p.bubble) } else { String::new() },
                human::bytes(p.peak_bytes_per_device as f64),
            ];
            row.extend(p.wire.iter().map(|l| human::bytes(l.bytes as f64)));
            table.row(row);
        }
        out.extend(table.lines());
        if let Some(best) = self.plans.first() {
            out.extend([String::new(), format!("to fix the first, write into {file}:")]);
            out.extend(best.source.iter().map(|l| format!("    {l}")));
            if let Some(layout) = &best.choice.layout {
                out.push(format!("and name its layout: --layout {layout}"));
            }
        }
        out.join("\n") + "\n"
    }
}

impl DeviceChoice {
    /// `pipe=8 data=16 model=8`
    pub(crate) fn axes(&self) -> String {
        let axes: Vec<String> =
            self.mesh.iter().filter(|a| a.size > 1).map(|a| format!("{}={}", a.name, a.size)).collect();
        if axes.is_empty() { "one device".into() } else { axes.join(" ") }
    }

    pub(crate) fn order(&self) -> String {
        match (&self.schedule, self.virtual_stages) {
            (None, _) => String::new(),
            (Some(name), Some(v)) if name == "interleaved" => format!("{name}, {v} each"),
            (Some(name), _) => name.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_read_again_and_the_table_says_what_to_write() {
        let choice = DeviceChoice {
            mesh: vec![AxisSize { name: "pipe".into(), size: 2 }, AxisSize { name: "data".into(), size: 4 }],
            layout: Some("fsdp".into()),
            microbatches: 8,
            rows: 1,
            schedule: Some("interleaved".into()),
            virtual_stages: Some(3),
            recompute: "none".into(),
        };
        let plan = DevicePlan {
            choice: choice.clone(),
            step_us: 1_250_000.0,
            tokens_per_second: 1e6,
            mfu: 0.5,
            bubble: 0.0625,
            peak_bytes_per_device: 1 << 30,
            wire: vec![LevelBytes { level: "nvlink".into(), bytes: 2048 }],
            source: vec!["mesh [pipe: 2, data: 4]".into()],
        };
        let tried = DeviceTry {
            choice,
            expected_step_us: 2.0,
            step_us: None,
            peak_bytes_per_device: None,
            verdict: "not_planned".into(),
            why: Some("it is expected to take longer".into()),
        };
        let report = DevicesReport {
            schema: 1,
            entry: "net".into(),
            target: "h100-sxm".into(),
            profile: None,
            devices: 8,
            tokens_per_step: 1_250_000,
            flops_per_step: 2e19,
            considered: 9,
            composed: 3,
            planned: 1,
            tried: vec![tried.clone(), tried],
            plans: vec![plan.clone(), plan],
        };
        assert_eq!(DevicesReport::from_json(&report.json()), Ok(report.clone()), "{}", report.json());
        let text = report.text("net.loom");
        for part in ["1 pipe=2 data=4", "8 of 1", "interleaved, 3 each", "1.2 s", "6.2%", "2.0 KiB", "--layout fsdp"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(text.contains("write into net.loom:\n    mesh [pipe: 2, data: 4]\n"), "{text}");
    }
}
