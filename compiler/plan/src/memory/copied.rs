//! Stashes in the host's memory: a copy of one to there and back may take longer than computing it a second time. So of a plan that
//! fits, further stashes are recomputed, those first that take the least time for their bytes, for as long as that makes the step
//! faster.
//!
//! Not here: which stashes have to go for want of memory ([`crate::memory::budget`]).

use crate::effort;
use crate::memory::budget::{Ask, Candidate, Prices};
use crate::moves::is_better;
use std::collections::BTreeSet;

/// The fastest plan found of at most `budget` bytes under a rent, `fits` being one.
///
/// # Errors
/// Those of `solve`.
pub fn recomputed<P, E>(
    fits: Candidate<P>,
    budget: u64,
    rent: u64,
    prices: &Prices,
    solve: &mut dyn FnMut(&Ask) -> Result<Candidate<P>, E>,
) -> Result<Candidate<P>, E> {
    let n = prices.stashes.len();
    let mut rematerialized = fits.rematerialized.clone();
    let (mut best, mut made, mut slower) = (fits, 0, 0);
    while made < effort::TRIES && slower < effort::PATIENCE {
        let Some(next) = cheapest(prices, &rematerialized) else { break };
        rematerialized.insert(next);
        let kept = (0..n).filter(|i| !rematerialized.contains(i)).collect();
        let c = solve(&Ask { rent, rematerialized: rematerialized.clone(), kept })?;
        made += 1;
        slower += 1;
        if c.peak_bytes <= budget && is_better(c.worth(), best.worth(), 0) {
            (best, slower) = (c, 0);
        }
    }
    Ok(best)
}

/// The stash that takes the least time for its bytes to recompute beside these.
fn cheapest(prices: &Prices, rematerialized: &BTreeSet<usize>) -> Option<usize> {
    let done = prices.work_of(rematerialized);
    let open = prices.stashes.iter().enumerate().filter(|(i, s)| s.bytes > 0 && !rematerialized.contains(i));
    let more = |i: usize| prices.work_of(&rematerialized.iter().copied().chain([i]).collect()) - done;
    let mut all: Vec<(u64, u64, usize)> = open.map(|(i, s)| (more(i), s.bytes, i)).collect();
    all.sort_by(|a, b| {
        let (x, y) = (u128::from(a.0) * u128::from(b.1), u128::from(b.0) * u128::from(a.1));
        x.cmp(&y).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2))
    });
    all.first().map(|x| x.2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::budget::Worth;

    /// Copies and kernels run side by side: a step takes as long as the longer of the two. Stash `i` takes `work[i]` to recompute and
    /// `bytes[i]` to copy; what is computed anyway takes 10.
    fn best(work: &[u64], bytes: &[u64], budget: u64) -> (Vec<usize>, u64) {
        let stashes = bytes.iter().enumerate().map(|(i, &bytes)| Worth { bytes, work: [i].into() }).collect();
        let prices = Prices { stashes, work_ps: work.to_vec() };
        let mut made = 0;
        let mut solve = |ask: &Ask| {
            made += 1;
            let copied = prices.kept_of(&ask.rematerialized);
            let time_ps = copied.max(10 + prices.work_of(&ask.rematerialized));
            let peak_bytes = 100 - copied;
            Ok::<_, ()>(Candidate { time_ps, peak_bytes, rematerialized: ask.rematerialized.clone(), plan: () })
        };
        let free = solve(&Ask::default()).expect("a plan");
        let c = recomputed(free, budget, 0, &prices, &mut solve).expect("a plan");
        assert!(made <= 1 + effort::TRIES);
        (c.rematerialized.into_iter().collect(), c.time_ps)
    }

    #[test]
    fn cheap_ones_are_computed_again_until_copies_are_hidden() {
        assert_eq!(best(&[1, 9, 2, 30], &[10, 10, 10, 10], 100), (vec![0, 2], 20));
        // Copies are hidden as it is.
        assert_eq!(best(&[1, 1], &[4, 4], 100), (vec![], 10));
        // What is faster and too large is not taken.
        assert_eq!(best(&[1, 9, 2, 30], &[10, 10, 10, 10], 75), (vec![0], 30));
        assert_eq!(best(&[], &[], 100), (vec![], 10));
    }
}
