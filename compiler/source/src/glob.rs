//! Patterns over the names of tensors: `blocks.*.w*`.

use meshloom_ir::Span;

/// A pattern over paths, segment by segment. `*` stands for one segment or a part of one; at the end, for all that follows.
/// `**` stands for any number of segments.
#[derive(Clone, PartialEq, Debug)]
pub struct Glob {
    pub span: Span,
    pub segments: Vec<String>,
}

impl Glob {
    /// A pattern that stands in no source, such as one of the command line.
    pub fn new(text: &str) -> Glob {
        Glob { span: Span::default(), segments: text.split('.').map(str::to_string).collect() }
    }

    pub fn matches(&self, path: &str) -> bool {
        let path: Vec<&str> = path.split('.').collect();
        // at[j]: whether the pattern's segments so far match the first j segments of the path.
        let mut at = vec![false; path.len() + 1];
        at[0] = true;
        for (i, pattern) in self.segments.iter().enumerate() {
            let mut next = vec![false; path.len() + 1];
            if pattern == "**" {
                next[0] = at[0];
                for j in 1..=path.len() {
                    next[j] = at[j] || next[j - 1];
                }
            } else {
                let rest = pattern == "*" && i + 1 == self.segments.len();
                for j in 1..=path.len() {
                    next[j] =
                        at[j - 1] && segment_matches(pattern.as_bytes(), path[j - 1].as_bytes()) || rest && next[j - 1];
                }
            }
            at = next;
        }
        at[path.len()]
    }
}

/// Greedy matching with one point of return: linear for one star, quadratic at worst.
fn segment_matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if p < pattern.len() && pattern[p] == b'*' {
            star = Some((p, t));
            p += 1;
        } else if p < pattern.len() && pattern[p] == text[t] {
            p += 1;
            t += 1;
        } else if let Some((sp, st)) = star {
            star = Some((sp, st + 1));
            p = sp + 1;
            t = st + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&b| b == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_paths_by_segment() {
        for (pattern, path, expected) in [
            ("*", "tok", true),
            ("*", "blocks.*.up", true),
            ("blocks.*", "blocks.*.up", true),
            ("blocks.*.up", "blocks.*.up", true),
            ("blocks.*.w*", "blocks.*.wq", true),
            ("blocks.*.w*", "blocks.*.bq", false),
            ("blocks.*.*q", "blocks.*.bq", true),
            ("*.norm", "blocks.*.norm", false),
            ("tok", "tok.x", false),
            ("tok.x", "tok", false),
        ] {
            assert_eq!(Glob::new(pattern).matches(path), expected, "{pattern} on {path}");
        }
    }
}
