//! Reading what stands beside an op: operands, attributes in all three places where MLIR puts them, integers, types.

use crate::lexer::Token;
use crate::module::TextOp;
use crate::tree::Tree;
pub use crate::tree::setting;
use crate::types;
use meshloom_ir::TensorType;

impl<'s> TextOp<'s> {
    /// Names of the operands in the order in which they are written, those in round brackets included.
    pub fn operands(&self) -> Vec<&'s str> {
        let mut out = Vec::new();
        for t in self.items {
            match t {
                Tree::Leaf(l) if l.token == Token::Value => out.push(l.text),
                Tree::Group(g) if g.open == b'(' && !g.trees.iter().any(|t| t.group(b'{').is_some()) => {
                    out.extend(g.trees.iter().filter_map(|t| t.leaf(Token::Value)));
                }
                _ => {}
            }
        }
        out
    }

    /// What an attribute is set to: `dims = [..]` among the items, in `{..}`, or in `<{..}>`. The trees up to the next comma.
    pub fn attr(&self, name: &str) -> Option<&'s [Tree<'s>]> {
        if let Some(found) = setting(self.items, name) {
            return Some(found);
        }
        self.items.iter().find_map(|t| match t {
            Tree::Group(g) if g.open == b'{' => setting(&g.trees, name),
            Tree::Group(g) if g.open == b'<' => g.trees.iter().find_map(|t| setting(t.group(b'{')?, name)),
            _ => None,
        })
    }

    /// The letter that a LAPACK call's configuration has as `name`: `uplo = 76 : ui8` is `L`.
    ///
    /// # Errors
    /// It is missing.
    pub fn letter(&self, name: &str) -> Result<u8, String> {
        let found = self.config(name).and_then(|t| ints(t).first().copied());
        found.and_then(|n| u8::try_from(n).ok()).ok_or_else(|| format!("the call's `{name}` is missing"))
    }

    /// The name of what a custom call calls.
    pub fn target(&self) -> &'s str {
        let target = self.items.iter().find_map(|t| t.leaf(Token::Symbol)).map(|s| s.trim_start_matches('@'));
        target.or_else(|| self.attr("call_target_name")?.first()?.leaf(Token::Str)).unwrap_or("?").trim_matches('"')
    }

    /// What its configuration has as `name`.
    pub fn config(&self, name: &str) -> Option<&'s [Tree<'s>]> {
        let config = self.attr("mhlo.backend_config").and_then(|t| t.iter().find_map(|t| t.group(b'{')));
        setting(config?, name)
    }

    /// The truth value there.
    ///
    /// # Errors
    /// It is missing.
    pub fn configured(&self, name: &str) -> Result<bool, String> {
        let word = self.config(name).and_then(|t| t.first()?.leaf(Token::Word));
        word.map(|w| w == "true").ok_or_else(|| format!("the call's `{name}` is missing"))
    }

    /// The integers of an attribute, `[0, 2]` or `array<i64: 0, 2>`.
    pub fn ints(&self, name: &str) -> Option<Vec<i64>> {
        self.attr(name).map(ints)
    }

    pub fn int(&self, name: &str) -> Option<i64> {
        self.ints(name)?.first().copied()
    }

    /// Dim numbers and sizes.
    ///
    /// # Errors
    /// A sentence: it is missing, or negative.
    pub fn sizes(&self, name: &str) -> Result<Vec<u64>, String> {
        let all = self.ints(name).ok_or_else(|| format!("`{name}` is missing"))?;
        all.into_iter().map(|n| u64::try_from(n).map_err(|_| format!("`{name}` has the negative {n}"))).collect()
    }

    /// As [`TextOp::sizes`]; empty where the attribute is missing.
    ///
    /// # Errors
    /// A sentence.
    pub fn dims(&self, name: &str) -> Result<Vec<usize>, String> {
        match self.attr(name) {
            None => Ok(Vec::new()),
            Some(_) => Ok(self.sizes(name)?.into_iter().map(|n| n as usize).collect()),
        }
    }

    /// A bare word among the items: `GT`.
    pub fn word(&self, at: usize) -> Option<&'s str> {
        self.items.iter().filter_map(|t| t.leaf(Token::Word)).nth(at)
    }

    /// Types of the results: those after the arrow, or the last that are written (operands' types come first, if at all).
    ///
    /// # Errors
    /// A sentence about a type that is not supported.
    pub fn result_types(&self) -> Result<Vec<TensorType>, String> {
        self.results_written().into_iter().map(types::tensor).collect()
    }

    /// Which of the results are of complex numbers; those of no tensor type are not.
    pub fn complex_results(&self) -> Vec<bool> {
        self.results_written().into_iter().map(types::is_complex).collect()
    }

    /// Element types of the operands as they are written, where the operands' types stand before an arrow.
    pub fn operand_elements(&self) -> Vec<&'s str> {
        let arrow = self.types.iter().position(|t| t.leaf(Token::Arrow).is_some()).unwrap_or(0);
        written(&self.types[..arrow]).into_iter().map(types::element).collect()
    }

    /// Whether a type beside the op is of complex numbers.
    pub fn is_complex(&self) -> bool {
        written(self.types).into_iter().any(types::is_complex)
    }

    /// Types of the results as they are written.
    pub fn results_written(&self) -> Vec<&'s str> {
        let arrow = self.types.iter().position(|t| t.leaf(Token::Arrow).is_some());
        match arrow {
            Some(i) => written(&self.types[i + 1..]),
            None => {
                let mut all = written(self.types);
                let others = all.len().saturating_sub(self.results.len());
                all.split_off(others)
            }
        }
    }

    /// Regions, in the order in which they are written: each the trees between its braces.
    pub fn regions(&self) -> Vec<&'s [Tree<'s>]> {
        let mut out = Vec::new();
        // In the generic form they stand in one pair of round brackets, else after the types.
        for t in self.items {
            if let Some(inner) = t.group(b'(') {
                out.extend(inner.iter().filter_map(|t| t.group(b'{')));
            }
        }
        out.extend(self.rest.iter().filter_map(|t| t.group(b'{')));
        out
    }
}

/// All integers in trees, brackets looked through.
pub fn ints(trees: &[Tree<'_>]) -> Vec<i64> {
    let mut out = Vec::new();
    for t in trees {
        match t {
            Tree::Leaf(l) if l.token == Token::Int => out.extend(l.text.parse::<i64>().ok()),
            Tree::Leaf(_) => {}
            Tree::Group(g) => out.extend(ints(&g.trees)),
        }
    }
    out
}

/// All types in trees as they are written, brackets looked through.
fn written<'s>(trees: &'s [Tree<'s>]) -> Vec<&'s str> {
    let mut out = Vec::new();
    for t in trees {
        match t {
            Tree::Leaf(l) if matches!(l.token, Token::Tensor | Token::Dialect) => out.push(l.text),
            Tree::Leaf(_) => {}
            Tree::Group(g) => out.extend(written(&g.trees)),
        }
    }
    out
}
