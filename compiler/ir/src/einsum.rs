//! Einsum specifications, `bse,nehd->nbshd`: the form in which `dot_general` says which dims are the same index.
//! Each subscript is a factor; one that the result lacks is summed over.

use crate::types::DType;
use std::fmt;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Einsum {
    /// Subscripts of each operand's dims.
    pub operands: Vec<Vec<char>>,
    /// Subscripts of the result's dims.
    pub result: Vec<char>,
    /// Element type of the result, where it is a wider one than the operands': products of bf16 summed to an f32.
    pub to: Option<DType>,
}

impl Einsum {
    /// The contraction of operands with these subscripts, to the operands' type.
    pub fn new(operands: Vec<Vec<char>>, result: Vec<char>) -> Einsum {
        Einsum { operands, result, to: None }
    }

    /// Parses `bse,nehd->nbshd`.
    ///
    /// # Errors
    /// A sentence saying what is wrong: a missing arrow, a character that is no subscript, a subscript twice in one operand, a
    /// result subscript that no operand has.
    pub fn parse(text: &str) -> Result<Einsum, String> {
        let (ins, out) =
            text.split_once("->").ok_or("an einsum needs `->` and the result's dims after it, as in `be,eh->bh`")?;
        let subscripts = |s: &str| -> Result<Vec<char>, String> {
            let mut v = Vec::new();
            for c in s.trim().chars() {
                if !c.is_ascii_alphabetic() {
                    return Err(match c {
                        '.' => "there is no `...` here: each dim has a letter of its own".to_string(),
                        ' ' => "dims are single letters, side by side: `be,eh->bh`".to_string(),
                        _ => format!("`{c}` is not a dim letter (a-z, A-Z)"),
                    });
                }
                if v.contains(&c) {
                    return Err(format!("dim `{c}` stands twice in `{}`; a diagonal is not an einsum here", s.trim()));
                }
                v.push(c);
            }
            Ok(v)
        };
        let operands = ins.split(',').map(subscripts).collect::<Result<Vec<_>, _>>()?;
        let result = subscripts(out)?;
        for c in &result {
            if !operands.iter().any(|o| o.contains(c)) {
                return Err(format!("result dim `{c}` is in no operand"));
            }
        }
        Ok(Einsum::new(operands, result))
    }

    /// All subscripts, in the order of their first appearance in the result and then in the operands.
    pub fn factors(&self) -> Vec<char> {
        let mut v = self.result.clone();
        for &c in self.operands.iter().flatten() {
            if !v.contains(&c) {
                v.push(c);
            }
        }
        v
    }

    /// Subscripts that are summed over.
    pub fn contracted(&self) -> Vec<char> {
        self.factors().into_iter().filter(|c| !self.result.contains(c)).collect()
    }
}

impl fmt::Display for Einsum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ops: Vec<String> = self.operands.iter().map(|o| o.iter().collect()).collect();
        write!(f, "{}->{}", ops.join(","), self.result.iter().collect::<String>())
    }
}

/// What an op that is a sum of products is: laws about these are laws of all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ContractionOp {
    Dot,
    Sum,
    Multiply,
    Transpose,
    Broadcast,
}
