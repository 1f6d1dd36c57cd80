//! How often and how late a rank came last to collectives, as it remembers it.

use std::collections::BTreeMap;

/// How many of the last times are remembered for the median.
const REMEMBERED: usize = 512;

/// One rank at one collective.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub count: u64,
    pub nanos: u64,
    last: Vec<u32>,
}

impl Tally {
    pub fn add(&mut self, nanos: u64) {
        let short = u32::try_from(nanos).unwrap_or(u32::MAX);
        match self.last.get_mut(self.count as usize % REMEMBERED) {
            Some(old) => *old = short,
            None => self.last.push(short),
        }
        self.count += 1;
        self.nanos += nanos;
    }

    /// Of the last times.
    pub fn median(&self) -> u64 {
        let mut all = self.last.clone();
        all.sort_unstable();
        all.get(all.len() / 2).copied().unwrap_or(0).into()
    }
}

/// What a rank remembers: by collective, without the step.
pub type Tallies = BTreeMap<u64, Tally>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        let mut t = Tally::default();
        assert_eq!(t.median(), 0);
        [5, 1, 900].iter().for_each(|&n| t.add(n));
        assert_eq!((t.count, t.nanos, t.median()), (3, 906, 5));
        // The newest count.
        (0..REMEMBERED).for_each(|_| t.add(7));
        assert_eq!((t.median(), t.last.len()), (7, REMEMBERED));
    }
}
