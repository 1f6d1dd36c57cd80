//! Tokens of MLIR text, as far as StableHLO modules use them. A type is one token: nothing inside it stands elsewhere, and
//! `4x8xf32` would not be words and numbers.

use logos::Logos;
use meshloom_ir::{FileId, Span};
use meshloom_source::Diagnostic;

#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub enum Token {
    /// `%0`, `%arg1`, `%3#1`.
    #[regex(r"%[A-Za-z0-9_$.-]+(#[0-9]+)?")]
    Value,
    /// `@main`, `@"main.1"`.
    #[regex(r#"@[A-Za-z0-9_$.-]+|@"[^"\n]*""#)]
    Symbol,
    /// `#sdy.sharding`, `#loc3`.
    #[regex(r"#[A-Za-z0-9_$.-]+")]
    Hash,
    /// `!stablehlo.token`.
    #[regex(r"![A-Za-z0-9_$.-]+")]
    Dialect,
    /// `^bb0`.
    #[regex(r"\^[A-Za-z0-9_$.-]+")]
    Block,
    #[regex(r"tensor<([^<>\n]|<([^<>\n]|<[^<>\n]*>)*>)*>")]
    Tensor,
    #[regex(r"[A-Za-z_][A-Za-z0-9_$.]*")]
    Word,
    #[regex(r#""([^"\\\n]|\\.)*""#)]
    Str,
    #[regex(r"-?[0-9]+")]
    Int,
    #[regex(r"0x[0-9A-Fa-f]+", priority = 5)]
    Hex,
    #[regex(r"-?[0-9]+\.[0-9]*([eE][-+]?[0-9]+)?")]
    #[regex(r"-?[0-9]+[eE][-+]?[0-9]+")]
    Float,
    #[token("->")]
    Arrow,
    #[token("(")]
    #[token("[")]
    #[token("{")]
    #[token("<")]
    #[token("{-#")]
    Open,
    #[token(")")]
    #[token("]")]
    #[token("}")]
    #[token(">")]
    #[token("#-}")]
    Close,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("=")]
    Equals,
    /// What else stands in attributes: `?`, `*`, `+`, `-`, `/`, `|`.
    #[regex(r"[?*+/|;&-]")]
    Sign,
}

/// A token with its text and place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lexeme<'s> {
    pub token: Token,
    pub text: &'s str,
    pub span: Span,
}

/// All tokens of a text.
///
/// # Errors
/// Characters that begin no token; the first of them.
pub fn lex(file: FileId, text: &str) -> Result<Vec<Lexeme<'_>>, Box<Diagnostic>> {
    if text.len() > u32::MAX as usize {
        return Err(Box::new(Diagnostic::error("mlir-syntax", "the module is larger than 4 GiB")));
    }
    let mut out = Vec::with_capacity(text.len() / 4);
    for (token, range) in Token::lexer(text).spanned() {
        let span = Span { file, start: range.start as u32, end: range.end as u32 };
        match token {
            Ok(token) => out.push(Lexeme { token, text: &text[range], span }),
            Err(()) => {
                let what = text[range].chars().next().unwrap_or(' ');
                let d = Diagnostic::error("mlir-syntax", format!("`{what}` does not stand here in MLIR text"))
                    .at(span, "this")
                    .help("print the module with `jax.jit(f).lower(...).as_text()`");
                return Err(Box::new(d));
            }
        }
    }
    Ok(out)
}
