//! A permutation of `0..n` that is computed and not stored: a Feistel network over the bits of the index.
//!
//! So the order of a data set of 10^12 windows takes no memory, and any position can be computed alone, which resuming
//! needs. The order depends on the key and on `n`, and on no mesh, number of workers or history.

use super::det::{GAMMA, splitmix};

/// Enough rounds for any two neighbours to end far apart; four are the least that are said to look random.
const ROUNDS: u64 = 6;

#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    n: u64,
    /// Bits of each half.
    half: u32,
    key: u64,
}

impl Permutation {
    pub fn new(n: u64, key: u64) -> Permutation {
        let bits = u64::BITS - n.saturating_sub(1).leading_zeros();
        Permutation { n, half: bits.div_ceil(2).max(1), key }
    }

    /// Where index `i < n` goes.
    pub fn at(&self, i: u64) -> u64 {
        if self.n <= 1 {
            return 0;
        }
        // The network permutes a power of four that is less than 4 n + 4; indices that fall outside are permuted again until they are inside,
        // which is a permutation of the inside.
        let mut x = i;
        loop {
            x = self.network(x);
            if x < self.n {
                return x;
            }
        }
    }

    fn network(&self, x: u64) -> u64 {
        let mask = (1u64 << self.half) - 1;
        let (mut left, mut right) = (x >> self.half & mask, x & mask);
        for round in 0..ROUNDS {
            let mixed = splitmix(self.key ^ splitmix(right.wrapping_add((round + 1).wrapping_mul(GAMMA))));
            (left, right) = (right, left ^ (mixed & mask));
        }
        left << self.half | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_once() {
        for n in [1, 2, 3, 4, 5, 15, 16, 17, 1000, 1024, 4097] {
            for key in [0, 1, u64::MAX] {
                let p = Permutation::new(n, key);
                let mut seen: Vec<u64> = (0..n).map(|i| p.at(i)).collect();
                seen.sort_unstable();
                assert!(seen.iter().copied().eq(0..n), "{n} {key}");
            }
        }
    }

    #[test]
    fn keys_give_orders_that_look_random() {
        let n = 1000;
        let order = |key| (0..n).map(|i| Permutation::new(n, key).at(i)).collect::<Vec<_>>();
        let (a, b) = (order(1), order(2));
        let fixed = |x: &[u64], y: &[u64]| x.iter().zip(y).filter(|(a, b)| a == b).count();
        let same: Vec<u64> = (0..n).collect();
        assert!(fixed(&a, &b) < 8 && fixed(&a, &same) < 8);
        // Neighbours are as far apart as a third of the range on average.
        let jumps: u64 = a.windows(2).map(|w| w[0].abs_diff(w[1])).sum();
        let mean = jumps as f64 / (n - 1) as f64;
        assert!((mean - 333.0).abs() < 40.0, "{mean}");
        assert_eq!(a, order(1));
    }

    #[test]
    fn no_limit_on_the_size() {
        for n in [u64::MAX, 1 << 63, (1 << 62) + 1] {
            let p = Permutation::new(n, 7);
            assert!(p.at(0) < n && p.at(n - 1) < n && p.at(0) != p.at(1));
        }
    }
}
