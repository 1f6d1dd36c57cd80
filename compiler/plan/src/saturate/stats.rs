//! How much work a plan took.

/// How large the decision was. Deterministic, so it may be printed and compared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    pub nodes: usize,
    pub classes: usize,
    /// Placements that the search tried.
    pub moves: usize,
    /// Limits that were reached, in words.
    pub limits_hit: Vec<String>,
}
