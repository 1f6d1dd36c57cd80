//! `//` where a Python user writes floor division. In Loom `//` begins a comment, and what stands behind it is dropped
//! silently: `let half = n // 2` is `let half = n`. So a comment that reads as the rest of an expression gets a
//! warning.
//!
//! Comments that may be meant as comments get none: words, shapes, sentences, anything on a line of its own. A divisor
//! is a number, or the name of a dim or constant behind another name.

use crate::token::{Comment, Spanned, Token, ends_statement};
use logos::Logos;
use meshloom_ir::{FileId, Span};
use meshloom_source::Diagnostic;
use std::collections::BTreeSet;

/// A warning for each comment that looks like a divisor.
pub fn warnings(file: FileId, tokens: &[Spanned<'_>], comments: &[Comment<'_>]) -> Vec<Diagnostic> {
    let sizes = sizes(tokens);
    let mut out = Vec::new();
    for c in comments.iter().filter(|c| !c.own_line) {
        let before = tokens.partition_point(|t| t.0 < c.start);
        let Some((_, last, _)) = before.checked_sub(1).and_then(|i| tokens.get(i)) else { continue };
        let Some(length) = c.text.strip_prefix("//").and_then(|rest| divisor(last, rest, &sizes)) else { continue };
        let (slashes, end) = (Span::new(file, c.start, c.start + 2), c.start + 2 + length);
        out.push(
            Diagnostic::warning("floor-division", "`//` begins a comment: nothing is divided here")
                .at(slashes, "the line ends here")
                .also(Span::new(file, c.start + 2, end), "this looks like a divisor")
                .help("integers are divided with `/`, where nothing remains: `n / 2`; a comment of words is not warned about"),
        );
    }
    out
}

/// Names of dims and constants: `dim n = 4, m = 8`, `const k = 2`, `let heads = 4`, and dims of types, `x: f32[n, embed]`.
fn sizes<'a>(tokens: &[Spanned<'a>]) -> BTreeSet<&'a str> {
    let mut out = BTreeSet::new();
    for (i, four) in tokens.windows(4).enumerate() {
        match [&four[0].1, &four[1].1, &four[2].1, &four[3].1] {
            [Token::Let, Token::Ident(name), Token::Eq, Token::Int(_)] => _ = out.insert(*name),
            [Token::Colon, Token::Ident(_), Token::LBracket, _] => {
                let dims = tokens[i + 3..].iter().take_while(|t| t.1 != Token::RBracket);
                out.extend(dims.filter_map(|t| if let Token::Ident(name) = t.1 { Some(name) } else { None }));
            }
            _ => {}
        }
    }
    let mut declares = false;
    for pair in tokens.windows(2) {
        match (&pair[0].1, &pair[1].1) {
            (Token::Dim | Token::Const, Token::Ident(name)) => {
                declares = true;
                out.insert(*name);
            }
            (Token::Comma, Token::Ident(name)) if declares => _ = out.insert(*name),
            (_, Token::Ident(_) | Token::Int(_) | Token::Float(_) | Token::Eq | Token::Comma) => {}
            (_, Token::Plus | Token::Minus | Token::Star | Token::Slash) => {}
            _ => declares = false,
        }
    }
    out
}

/// Bytes of the comment text `rest` up to the end of the divisor that it begins with; `None` where it reads as a comment.
fn divisor(last: &Token<'_>, rest: &str, sizes: &BTreeSet<&str>) -> Option<usize> {
    // `///` and `//!` are written for readers.
    if !ends_statement(last) || rest.starts_with(['/', '!']) {
        return None;
    }
    let mut tokens = Token::lexer(rest).spanned();
    let (first, range) = tokens.next()?;
    match (first.ok()?, last) {
        (Token::Int(_), _) => {}
        (Token::Ident(d), Token::Int(_)) if sizes.contains(d) => {}
        (Token::Ident(d), Token::Ident(n)) if sizes.contains(d) && sizes.contains(n) => {}
        _ => return None,
    }
    // Behind it the expression ends or goes on; two operands side by side are words.
    let mut operand = true;
    for (token, _) in tokens {
        let is_operand = matches!(token.ok()?, Token::Ident(_) | Token::Int(_) | Token::Float(_) | Token::LParen);
        let goes_on = matches!(
            token.ok()?,
            Token::Plus
                | Token::Minus
                | Token::Star
                | Token::Slash
                | Token::Comma
                | Token::Semi
                | Token::RParen
                | Token::RBracket
                | Token::LBrace
                | Token::RBrace
        );
        match (operand, is_operand, goes_on) {
            (true, true, _) | (_, false, false) => return None,
            (_, is, _) => operand = is,
        }
        // What follows a closing bracket belongs to no name.
        if matches!(token.ok()?, Token::RParen | Token::RBracket | Token::LBrace | Token::RBrace) {
            break;
        }
    }
    Some(range.end)
}
