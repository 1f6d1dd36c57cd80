//! Token trees: brackets matched, nothing understood yet. StableHLO prints each op in its own way, but all of these ways are
//! words, values and brackets, so what an op means is read off its trees by the one function that imports it.

use crate::lexer::{Lexeme, Token};
use meshloom_ir::Span;
use meshloom_source::Diagnostic;

/// Brackets inside brackets, beyond which a text is not a program.
const DEPTH: usize = 200;

#[derive(Clone, PartialEq, Debug)]
pub enum Tree<'s> {
    Leaf(Lexeme<'s>),
    Group(Group<'s>),
}

/// `( .. )`, `[ .. ]`, `{ .. }` or `< .. >`.
#[derive(Clone, PartialEq, Debug)]
pub struct Group<'s> {
    pub open: u8,
    pub span: Span,
    pub trees: Vec<Tree<'s>>,
}

impl<'s> Tree<'s> {
    pub fn span(&self) -> Span {
        match self {
            Tree::Leaf(l) => l.span,
            Tree::Group(g) => g.span,
        }
    }

    pub fn leaf(&self, token: Token) -> Option<&'s str> {
        match self {
            Tree::Leaf(l) if l.token == token => Some(l.text),
            _ => None,
        }
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.leaf(Token::Word) == Some(word)
    }

    pub fn group(&self, open: u8) -> Option<&[Tree<'s>]> {
        match self {
            Tree::Group(g) if g.open == open => Some(&g.trees),
            _ => None,
        }
    }
}

/// The trees of a whole text.
///
/// # Errors
/// A bracket without its partner, or too many inside each other.
pub fn trees<'s>(lexemes: &[Lexeme<'s>]) -> Result<Vec<Tree<'s>>, Box<Diagnostic>> {
    let mut done: Vec<Tree<'s>> = Vec::new();
    let mut open: Vec<(Lexeme<'s>, Vec<Tree<'s>>)> = Vec::new();
    for &l in lexemes {
        match l.token {
            Token::Open if open.len() >= DEPTH => {
                return Err(wrong(l.span, format!("more than {DEPTH} brackets inside each other")));
            }
            Token::Open => open.push((l, std::mem::take(&mut done))),
            Token::Close => {
                let Some((o, before)) = open.pop() else {
                    return Err(wrong(l.span, format!("`{}` closes nothing", l.text)));
                };
                if partner(o.text) != l.text {
                    let d = *wrong(l.span, format!("`{}` does not close `{}`", l.text, o.text));
                    return Err(Box::new(d.also(o.span, "what is open here")));
                }
                let span = Span { end: l.span.end, ..o.span };
                let trees = std::mem::replace(&mut done, before);
                done.push(Tree::Group(Group { open: o.text.as_bytes()[0], span, trees }));
            }
            _ => done.push(Tree::Leaf(l)),
        }
    }
    match open.pop() {
        None => Ok(done),
        Some((o, _)) => Err(wrong(o.span, format!("`{}` is never closed", o.text))),
    }
}

/// A mistake in the text.
pub fn wrong(span: Span, what: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("mlir-syntax", what).at(span, ""))
}

fn partner(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        "{" => "}",
        "{-#" => "#-}",
        _ => ">",
    }
}

/// What stands after `name =`, up to the next comma.
pub fn setting<'t, 's>(trees: &'t [Tree<'s>], name: &str) -> Option<&'t [Tree<'s>]> {
    let matches = |t: &Tree<'_>| t.is_word(name) || t.leaf(Token::Str).is_some_and(|s| s.trim_matches('"') == name);
    let at = trees.windows(2).position(|w| matches(&w[0]) && w[1].leaf(Token::Equals).is_some())? + 2;
    let end = trees[at..].iter().position(|t| t.leaf(Token::Comma).is_some()).map_or(trees.len(), |i| at + i);
    Some(&trees[at..end])
}
