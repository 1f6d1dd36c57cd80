//! What no schedule of a loop is faster than: the work of each stream, and the longest chain of tasks that wait for each
//! other.
//!
//! Not here: a schedule ([`super::list`]).

use super::tasks::{LoopTasks, WINDOW};

/// Iterations that are followed one by one; the rest is at least as long as the last of them makes it.
const FOLLOWED: u64 = 64;

/// The longest chain through all iterations, in picoseconds.
pub fn critical_path(l: &LoopTasks) -> u64 {
    let n = l.tasks.len();
    // By task: the ends in the last iterations, the newest first.
    let mut ends: Vec<Vec<u64>> = Vec::new();
    let mut added: Vec<u64> = Vec::new();
    let mut k = 0;
    while k < l.trip {
        let mut here = vec![0u64; n];
        for (i, t) in l.tasks.iter().enumerate() {
            let start = t.reads.iter().map(|&(d, s)| match d {
                0 => here[s as usize],
                d => ends.get(d as usize - 1).map_or(0, |e| e[s as usize]),
            });
            here[i] = start.max().unwrap_or(0).saturating_add(t.whole());
        }
        k += 1;
        let adds: Vec<u64> = match ends.first() {
            Some(last) => here.iter().zip(last).map(|(a, b)| a.saturating_sub(*b)).collect(),
            None => Vec::new(),
        };
        ends.insert(0, here);
        ends.truncate(WINDOW as usize);
        // A longest path grows by no less than it did, once it has grown twice alike.
        let steady = k > 3 && adds == added;
        if steady || k == FOLLOWED {
            let left = l.trip - k;
            let least = |i: usize| if steady { adds[i] } else { adds[i].min(added[i]) };
            let last = (0..n).map(|i| ends[0][i].saturating_add(least(i).saturating_mul(left)));
            return last.max().unwrap_or(0);
        }
        added = adds;
    }
    ends.first().and_then(|e| e.iter().copied().max()).unwrap_or(0)
}
