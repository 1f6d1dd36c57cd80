//! Draws one token by its scores: temperature, the likeliest few, and random numbers that are the same everywhere.

/// How a token is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// 0 takes the likeliest.
    pub temperature: f64,
    /// Only among so many of the likeliest.
    pub top_k: usize,
    /// Only among the likeliest that together have this probability.
    pub top_p: f64,
}

/// The index of one score, by a uniform number in 0..1. Ties go to the smaller index.
pub fn draw(scores: &[f64], choice: Sampling, uniform: f64) -> usize {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let Some(&best) = order.first() else { return 0 };
    if choice.temperature <= 0.0 || choice.top_k == 1 {
        return best;
    }
    order.truncate(choice.top_k.max(1));
    let mut weights: Vec<f64> =
        order.iter().map(|&i| ((scores[i] - scores[best]) / choice.temperature).exp()).collect();
    let all: f64 = weights.iter().sum();
    let mut sum = 0.0;
    // The one that passes the bound is still in.
    let kept = weights.iter().take_while(|w| {
        let before = sum;
        sum += **w;
        before < choice.top_p * all
    });
    let kept = kept.count().max(1);
    weights.truncate(kept);
    let mut left = uniform * weights.iter().sum::<f64>();
    for (&i, w) in order.iter().zip(&weights) {
        left -= w;
        if left < 0.0 {
            return i;
        }
    }
    best
}

/// splitmix64: small, and the same everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed ^ 0x7361_6d70_6c65)
    }

    /// Uniform in 0..1.
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(temperature: f64, top_k: usize, top_p: f64) -> Sampling {
        Sampling { temperature, top_k, top_p }
    }

    fn counts(scores: &[f64], choice: Sampling) -> Vec<f64> {
        let mut random = Random::new(1);
        let mut seen = vec![0.0; scores.len()];
        for _ in 0..10_000 {
            seen[draw(scores, choice, random.next())] += 1.0 / 10_000.0;
        }
        seen
    }

    #[test]
    fn draws_follow_the_scores() {
        let scores = [0.0, 3.0, 1.0, f64::NEG_INFINITY];
        assert_eq!(draw(&scores, of(0.0, 40, 1.0), 0.9), 1);
        assert_eq!(draw(&scores, of(1.0, 1, 1.0), 0.999), 1);
        let seen = counts(&scores, of(1.0, 2, 1.0));
        assert_eq!((seen[0], seen[3]), (0.0, 0.0));
        let expected = 1.0 / (1.0 + (-2f64).exp());
        assert!((seen[1] - expected).abs() < 0.02, "{seen:?} where {expected} is due");
        let seen = counts(&scores, of(2.0, 40, 1.0));
        let all = 1.0 + 1.5f64.exp() + 0.5f64.exp();
        assert!((seen[0] - 1.0 / all).abs() < 0.02 && (seen[2] - 0.5f64.exp() / all).abs() < 0.02, "{seen:?}");
        assert_eq!(draw(&[], of(1.0, 4, 1.0), 0.5), 0);
    }

    #[test]
    fn the_likeliest_by_probability() {
        // 0.6, 0.3, 0.1.
        let scores = [0.3f64.ln(), 0.6f64.ln(), 0.1f64.ln()];
        let seen = counts(&scores, of(1.0, 40, 0.5));
        assert_eq!(seen[1], seen.iter().sum::<f64>());
        let seen = counts(&scores, of(1.0, 40, 0.7));
        assert!(seen[2] == 0.0 && (seen[0] - 1.0 / 3.0).abs() < 0.02, "{seen:?}");
        assert!(counts(&scores, of(1.0, 40, 0.95))[2] > 0.08);
    }

    #[test]
    fn scores_that_are_no_numbers_do_no_harm() {
        assert!(draw(&[f64::NAN, f64::NAN], of(1.0, 40, 1.0), 0.5) < 2);
        assert!(draw(&[f64::INFINITY, 0.0], of(1.0, 40, 0.9), 0.5) < 2);
    }
}
