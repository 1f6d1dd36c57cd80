//! The section of the table about pipeline stages: a row for each rank.

use crate::human;
use crate::model::{PipelineReport, RankReport};
use crate::table::{Align, Table};

/// The section, an empty line at its end.
pub fn lines(of: &PipelineReport) -> Vec<String> {
    use Align::{Left, Right};
    let columns = [
        ("pipeline", Left),
        ("stages", Left),
        ("layers", Left),
        ("parameters", Right),
        ("per device", Right),
        ("wire/device", Right),
        ("in flight", Right),
    ];
    let mut table = Table::new(&columns);
    for r in &of.ranks {
        let stages: Vec<String> = r.stages.iter().map(u64::to_string).collect();
        table.row([
            format!("{} {}", of.axis, r.rank),
            stages.join(", "),
            layers(of, r),
            r.parameters.to_string(),
            r.bytes_per_device.map_or(String::new(), |n| human::bytes(n as f64)),
            human::bytes(r.wire_bytes_per_device),
            r.activations_in_flight.to_string(),
        ]);
    }
    let mut out = table.lines();
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let plural = if of.microbatches == 1 { "" } else { "es" };
    let mut last = format!(
        "  `{}` in {} on {}; schedule {}, {} microbatch{plural}",
        of.list,
        count(of.stages.len(), "stage"),
        count(of.ranks.len(), "rank"),
        of.schedule,
        of.microbatches
    );
    if let Some(bubble) = of.bubble {
        last += &format!("; bubble {:.1}% at unit times", bubble * 100.0);
    }
    if let Some(bubble) = of.predicted_bubble {
        last += &format!(", {:.1}% predicted", bubble * 100.0);
    }
    out.extend([last, String::new()]);
    out
}

/// `0..2`, or `0..1, 4..5` of a rank with two stages.
fn layers(of: &PipelineReport, r: &RankReport) -> String {
    let own = of.stages.iter().filter(|s| r.stages.contains(&s.stage));
    let ranges: Vec<String> = own.map(|s| format!("{}..{}", s.first_layer, s.first_layer + s.layers)).collect();
    ranges.join(", ")
}
