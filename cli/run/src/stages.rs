//! What a run says of pipeline stages at its end: how long each rank computed and waited, beside what the table says.

use crate::status;
use meshloom_runtime::MeasuredRank;

/// Lines of the table.
const MOST: usize = 64;

/// Says what was measured, if there is something to say.
pub fn tell(all: &[MeasuredRank]) {
    let Some(first) = all.first() else { return };
    status::say("Stages", &format!("in the mean of {}", status::count(first.steps, "step")));
    table(all).iter().for_each(|line| status::say("", line));
}

fn table(all: &[MeasuredRank]) -> Vec<String> {
    let mut kinds: Vec<&str> = all.iter().flat_map(|r| r.kinds.iter().map(|k| k.0.as_str())).collect();
    kinds.sort_by_key(|k| (["F", "B", "I", "W"].iter().position(|n| n == k), *k));
    kinds.dedup();
    let heads: String = kinds.iter().map(|k| format!("{k:>9} ")).collect();
    let mut lines = vec![format!(
        "{:<4} {heads}{:>9} {:>7} {:>7} {:>7}  {:>9} {:>9}",
        "rank", "actions", "idle", "table", "F=I=W", "peak", "planned"
    )];
    for r in all.iter().take(MOST) {
        let time = |kind: &&str| r.kinds.iter().find(|k| k.0 == **kind).map_or("-".into(), |k| brief(k.2));
        let times: String = kinds.iter().map(|k| format!("{:>9} ", time(k))).collect();
        let share = |x: f64| format!("{:.1}%", x * 100.0);
        lines.push(format!(
            "{:<4} {times}{:>9} {:>7} {:>7} {:>7}  {:>9} {:>9}",
            r.rank,
            brief(r.seconds),
            share(r.idle),
            share(r.by_table),
            share(r.at_unit_times),
            status::size(r.peak_bytes),
            status::size(r.planned_bytes),
        ));
    }
    if let Some(more) = all.len().checked_sub(MOST).filter(|&n| n > 0) {
        lines.push(format!("and {} more", status::count(more as u64, "rank")));
    }
    lines
}

/// Short times in microseconds.
fn brief(seconds: f64) -> String {
    if seconds < 1e-3 { format!("{:.1} us", seconds * 1e6) } else { status::duration(seconds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_each_rank() {
        let rank = |rank, kinds: &[(&str, u64, f64)]| MeasuredRank {
            rank,
            steps: 9,
            kinds: kinds.iter().map(|k| (k.0.to_owned(), k.1, k.2)).collect(),
            seconds: 0.25,
            idle: 0.1234,
            by_table: 0.12,
            at_unit_times: 0.2,
            peak_bytes: 3 << 20,
            planned_bytes: 2 << 20,
        };
        let lines = table(&[rank(0, &[("F", 4, 0.0201), ("B", 4, 0.04)]), rank(1, &[("F", 4, 5e-5), ("W", 4, 0.01)])]);
        assert_eq!(
            lines,
            [
                "rank         F         B         W   actions    idle   table   F=I=W       peak   planned",
                "0        20 ms     40 ms         -    250 ms   12.3%   12.0%   20.0%    3.0 MiB   2.0 MiB",
                "1      50.0 us         -     10 ms    250 ms   12.3%   12.0%   20.0%    3.0 MiB   2.0 MiB",
            ]
        );
        assert_eq!(table(&vec![rank(0, &[]); 70]).len(), 66);
    }
}
