//! Where a program repeats itself: periods of the line of its ops.
//!
//! Whoever traces a model writes one layer after the other, and so does reverse mode, backwards. So layers are stretches of the
//! line of ops in which op `i` is of the same kind as op `i + period`. Which periods there are is asked of windows: classes of
//! 2, 4, 8 .. ops are made from classes of half as many, and the distance to the last window of the same class is a period that
//! may hold. Every width has a few that most windows name, and each of those is followed along the whole line. That is
//! n log n for n ops, and exact: classes are interned, not hashed.
//!
//! Whether the ops of a stretch also read each other alike is not asked here: see [`super::wiring`].

use std::collections::{BTreeMap, HashMap};

/// Widest window: enough to span what a layer repeats within itself (two norms, three projections).
const WIDEST: usize = 256;
/// Periods that are followed, of each width.
const PERIODS: usize = 12;

/// Ops `start .. start + len` of the line, each of the kind of the one `period` before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stretch {
    pub start: usize,
    pub period: usize,
    /// At least two periods.
    pub len: usize,
}

/// All maximal stretches of the likely periods of a line of `kinds`; those that could be the longest loops first.
pub fn stretches(kinds: &[u32]) -> Vec<Stretch> {
    let mut out = Vec::new();
    for period in periods(kinds) {
        let mut start = 0;
        for i in 0..=kinds.len() - period {
            if i + period < kinds.len() && kinds[i] == kinds[i + period] {
                continue;
            }
            let len = i + period - start;
            if len >= 2 * period {
                out.push(Stretch { start, period, len });
            }
            start = i + 1;
        }
    }
    out.sort_by_key(|s| (std::cmp::Reverse(s.len / s.period * s.period), s.period, s.start));
    out
}

/// Distances between windows of the same class, by width, most frequent first.
fn periods(kinds: &[u32]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut class = kinds.to_vec();
    let mut width = 1;
    loop {
        let mut last: HashMap<u32, usize> = HashMap::new();
        let mut named: BTreeMap<usize, usize> = BTreeMap::new();
        for (i, &c) in class.iter().enumerate() {
            if let Some(before) = last.insert(c, i) {
                *named.entry(i - before).or_default() += 1;
            }
        }
        let mut named: Vec<(usize, usize)> = named.into_iter().collect();
        named.sort_by_key(|&(period, times)| (std::cmp::Reverse(times), period));
        found.extend(named.into_iter().take(PERIODS).map(|n| n.0));
        width *= 2;
        if width > WIDEST || width > kinds.len() {
            break;
        }
        let half = width / 2;
        let mut ids: HashMap<(u32, u32), u32> = HashMap::new();
        class = (0..=kinds.len() - width)
            .map(|i| {
                let next = ids.len() as u32;
                *ids.entry((class[i], class[i + half])).or_insert(next)
            })
            .collect();
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_found_between_other_ops() {
        // A first op, four layers of three with two alike inside, a last op.
        let line = [9, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2, 8];
        assert_eq!(stretches(&line)[0], Stretch { start: 1, period: 3, len: 12 });
    }

    #[test]
    fn pairs_of_layers_are_one_period() {
        let line: Vec<u32> = (0..5).flat_map(|_| [1, 2, 3, 1, 4, 3]).collect();
        assert_eq!(stretches(&line)[0], Stretch { start: 0, period: 6, len: 30 });
    }

    #[test]
    fn nothing_repeats_in_an_empty_line_or_one_of_different_ops() {
        assert_eq!(stretches(&[]), []);
        assert_eq!(stretches(&[1, 2, 3, 4]), []);
    }
}
