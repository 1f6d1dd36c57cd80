//! `--stragglers`: the table of who came last to which collective.

use crate::{RunArgs, status};
use meshloom_runtime::Session;
use meshloom_runtime::train::TellStragglers;
use meshloom_runtime::world::Straggler;

/// Lines of the table; what follows costs less than each of these.
const MOST: usize = 12;

/// How often the table is due, and who prints it. Where ranks cannot be compared, a warning says so.
pub fn ask(session: &Session, args: &RunArgs) -> Option<(u64, TellStragglers)> {
    let every = args.stragglers?;
    let Some(world) = session.world() else {
        status::warning("--stragglers: there is one process, and nobody waits for it");
        return None;
    };
    if let Err(e) = world.time_arrivals() {
        status::warning(&e.to_string());
        return None;
    }
    Some((every, tell))
}

fn tell(step: u64, all: &[Straggler]) {
    status::say("Stragglers", &format!("up to step {step}"));
    table(all).iter().for_each(|line| status::say("", line));
}

/// Lines for people, those first for whom the others waited longest.
fn table(all: &[Straggler]) -> Vec<String> {
    let time = |nanos: u64| match nanos {
        n if n < 1_000_000 => format!("{:.1} us", n as f64 / 1e3),
        n => status::duration(n as f64 / 1e9),
    };
    let mut lines = vec![format!("{:<5} {:>15}  {:>9}  {:>9}  at", "rank", "last", "median", "together")];
    for s in all.iter().take(MOST) {
        let often = format!("{} of {}", s.count, s.of);
        lines.push(format!("{:<5} {often:>15}  {:>9}  {:>9}  {}", s.rank, time(s.median_nanos), time(s.nanos), s.at));
    }
    if let Some(more) = all.len().checked_sub(MOST).filter(|&n| n > 0) {
        lines.push(format!("and {more} lines more, each of less time"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_each_rank_and_place() {
        let one = |rank, nanos| Straggler {
            rank,
            at: "all_reduce over data at gpt.loom:31:7".into(),
            count: 412,
            of: 500,
            median_nanos: nanos,
            nanos: 400 * nanos,
        };
        let lines = table(&[one(2, 1_200_000), one(0, 900)]);
        assert_eq!(lines[0], "rank             last     median   together  at");
        assert_eq!(lines[1], "2          412 of 500    1.20 ms     480 ms  all_reduce over data at gpt.loom:31:7");
        assert_eq!(lines[2], "0          412 of 500     0.9 us   360.0 us  all_reduce over data at gpt.loom:31:7");
        assert_eq!(table(&vec![one(0, 1); 20]).len(), 14);
    }
}
