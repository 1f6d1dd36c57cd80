//! Deterministic tensors by a formula that is bit-exact in any language: the oracles describe inputs so that are too
//! large to store.
//!
//! `z = splitmix64(fnv1a(key) + (i + 1) * GAMMA)` for the flat index `i`; a uniform value takes the upper 24 bits, a
//! token the upper 31.

pub(crate) const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

pub(crate) fn fnv1a(key: &str) -> u64 {
    key.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

pub(crate) fn splitmix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn bits(key: u64, i: u64) -> u64 {
    splitmix(key.wrapping_add((i + 1).wrapping_mul(GAMMA)))
}

/// `n` values in `[-scale, scale)`.
pub fn uniform(key: &str, n: u64, scale: f32) -> Vec<f32> {
    let h = fnv1a(key);
    let value = |i| {
        let u = (bits(h, i) >> 40) as f32 * (1.0 / 16_777_216.0);
        (2.0 * u - 1.0) * scale
    };
    (0..n).map(value).collect()
}

/// `n` values in `0..vocab`.
pub fn tokens(key: &str, n: u64, vocab: u64) -> Vec<i32> {
    let h = fnv1a(key);
    (0..n).map(|i| ((bits(h, i) >> 33) % vocab.max(1)) as i32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures from the Python that the oracles were made with.
    #[test]
    fn as_the_oracles() {
        let u = uniform("mlp/x", 3, 1.0);
        assert_eq!(u, EXPECTED_UNIFORM);
        assert_eq!(tokens("gpt_tiny/tokens", 5, 64), EXPECTED_TOKENS);
    }

    const EXPECTED_UNIFORM: [f32; 3] = [-0.753_385_4, -0.170_854_21, -0.064_161_18];
    const EXPECTED_TOKENS: [i32; 5] = [3, 29, 1, 34, 15];
}
