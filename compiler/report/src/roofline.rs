//! The costliest ops of a plan against what the target can do, as `--emit roofline` prints them.

use crate::table::{Align, Table};
use crate::{human, snippet};

/// The ops of one device that take most of a step.
#[derive(Clone, PartialEq, Debug)]
pub struct RooflineReport {
    pub entry: String,
    pub target: String,
    /// Peak operations per second, in the type that most of the model is computed in.
    pub peak: f64,
    pub dtype: String,
    /// Bytes of memory per second.
    pub bandwidth: f64,
    /// Ops that take time, and what they take together, each for itself.
    pub ops: u64,
    pub us: f64,
    /// The costliest first.
    pub costliest: Vec<RooflineRow>,
}

/// All executions of one op in a step, on one device.
#[derive(Clone, PartialEq, Debug)]
pub struct RooflineRow {
    pub op: String,
    /// `forward`, `backward`, `update`.
    pub phase: String,
    /// What stands in the source, and where: `model.loom:12:9`. Empty for what has no place.
    pub text: String,
    pub place: String,
    pub times: u64,
    pub us: f64,
    pub flops: u64,
    pub bytes: u64,
    /// Shares of the peak for the op's own type, and of the bandwidth.
    pub of_peak: f64,
    pub of_bandwidth: f64,
    /// `arithmetic`, `memory` or `launch`.
    pub bound: String,
}

impl RooflineReport {
    pub fn text(&self) -> String {
        use Align::{Left, Right};
        let rate = |x: f64, unit: &str| format!("{}{unit}/s", human::count(x));
        let shown: f64 = self.costliest.iter().map(|r| r.us).sum();
        let mut out = vec![
            format!(
                "{}: target {}, at most {} in {} and {}",
                self.entry,
                self.target,
                rate(self.peak, "FLOP"),
                self.dtype,
                rate(self.bandwidth, "B")
            ),
            format!(
                "  {} of {} ops of a device, {} of {} of computation; what is recomputed counts",
                self.costliest.len(),
                self.ops,
                human::micros(shown),
                human::micros(self.us)
            ),
            String::new(),
        ];
        let mut table = Table::new(&[
            ("costliest", Left),
            ("phase", Left),
            ("op", Left),
            ("at", Left),
            ("times", Right),
            ("time", Right),
            ("share", Right),
            ("FLOPs", Right),
            ("bytes", Right),
            ("of peak", Right),
            ("of bandwidth", Right),
            ("bound by", Left),
        ]);
        let percent = |x: f64| format!("{:.1}%", x * 100.0);
        for r in &self.costliest {
            table.row([
                if r.text.is_empty() { r.op.clone() } else { snippet(&r.text) },
                r.phase.clone(),
                r.op.clone(),
                r.place.clone(),
                r.times.to_string(),
                human::micros(r.us),
                percent(if self.us > 0.0 { r.us / self.us } else { 0.0 }),
                human::count(r.flops as f64),
                human::bytes(r.bytes as f64),
                percent(r.of_peak),
                percent(r.of_bandwidth),
                r.bound.clone(),
            ]);
        }
        if !self.costliest.is_empty() {
            out.extend(table.lines());
        }
        out.join("\n") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_all_ops() {
        let row = RooflineRow {
            op: "dot_general".into(),
            phase: "backward".into(),
            text: "dot(x, w)".into(),
            place: "net.loom:3:5".into(),
            times: 4,
            us: 750.0,
            flops: 2_000_000,
            bytes: 2048,
            of_peak: 0.5,
            of_bandwidth: 0.0625,
            bound: "arithmetic".into(),
        };
        let report = RooflineReport {
            entry: "net".into(),
            target: "h100-sxm".into(),
            peak: 989e12,
            dtype: "bf16".into(),
            bandwidth: 3.35e12,
            ops: 9,
            us: 1000.0,
            costliest: vec![row],
        };
        let text = report.text();
        for part in
            ["989 TFLOP/s in bf16 and 3.4 TB/s", "1 of 9 ops", "dot(x, w)", "net.loom:3:5", "75.0%", "50.0%", "6.2%"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
