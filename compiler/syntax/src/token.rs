//! The lexer: text to tokens, comments on the side, and the newlines that end statements.
//!
//! A newline ends a statement only inside a function's braces, only where the line before could end there, and only if
//! the next line does not continue with a binary operator, `.`, `@`, `else` or a closing bracket. So the grammar sees
//! few newlines, and long expressions may be broken before an operator. `;` says the same explicitly.

use logos::Logos;
use meshloom_ir::{FileId, Span};
use meshloom_source::Diagnostic;
use std::fmt;

macro_rules! tokens {
    ($($name:ident $text:literal,)*) => {
        /// A token of Loom.
        #[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
        #[logos(skip r"[ \t\r\f]+")]
        pub enum Token<'a> {
            $(#[token($text)] $name,)*
            #[regex(r"[A-Za-z][A-Za-z0-9_]*|_[A-Za-z0-9_]+", |lex| lex.slice())]
            Ident(&'a str),
            #[regex(r"[0-9][0-9_]*", |lex| lex.slice())]
            Int(&'a str),
            #[regex(r"[0-9][0-9_]*\.[0-9][0-9_]*([eE][+-]?[0-9]+)?", |lex| lex.slice())]
            #[regex(r"[0-9][0-9_]*[eE][+-]?[0-9]+", |lex| lex.slice())]
            Float(&'a str),
            #[regex(r#""[^"\n]*""#, |lex| { let s = lex.slice(); &s[1..s.len() - 1] })]
            Str(&'a str),
            #[regex(r"//[^\n]*", |lex| lex.slice(), allow_greedy = true)]
            Comment(&'a str),
            #[token("\n")]
            Newline,
            /// The name `state` where it stands before a field. The lexer does not know; what reads structs does.
            StateField,
        }

        impl fmt::Display for Token<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Token::$name => write!(f, "`{}`", $text),)*
                    Token::Ident(s) | Token::Int(s) | Token::Float(s) | Token::Comment(s) => write!(f, "`{s}`"),
                    Token::Str(s) => write!(f, "`\"{s}\"`"),
                    Token::Newline => write!(f, "the end of the line"),
                    Token::StateField => write!(f, "`state`"),
                }
            }
        }

        /// Keywords, which cannot be names.
        pub const KEYWORDS: &[&str] = &keywords(&[$($text),*]);
    };
}

/// Keeps those of the fixed tokens that look like names.
const fn keywords<const N: usize>(all: &[&'static str; N]) -> [&'static str; KEYWORD_COUNT] {
    let mut out = [""; KEYWORD_COUNT];
    let (mut i, mut n) = (0, 0);
    while i < N {
        if all[i].as_bytes()[0].is_ascii_lowercase() {
            out[n] = all[i];
            n += 1;
        }
        i += 1;
    }
    assert!(n == KEYWORD_COUNT);
    out
}
const KEYWORD_COUNT: usize = 22;

tokens! {
    Mesh "mesh",
    Dim "dim",
    Const "const",
    Struct "struct",
    Fn "fn",
    Composite "composite",
    Train "train",
    Entry "entry",
    Optimizer "optimizer",
    Layout "layout",
    Assert "assert",
    Import "import",
    Let "let",
    For "for",
    While "while",
    In "in",
    If "if",
    Else "else",
    Manual "manual",
    As "as",
    True "true",
    False "false",
    LParen "(",
    RParen ")",
    LBracket "[",
    RBracket "]",
    LBrace "{",
    RBrace "}",
    Comma ",",
    Semi ";",
    Colon ":",
    DotDot "..",
    Dot ".",
    Arrow "->",
    At "@",
    Question "?",
    Underscore "_",
    Plus "+",
    Minus "-",
    Star "*",
    Slash "/",
    EqEq "==",
    NotEq "!=",
    LessEq "<=",
    GreaterEq ">=",
    AndAnd "&&",
    OrOr "||",
    Not "!",
    Eq "=",
    Less "<",
    Greater ">",
}

/// A comment, for the formatter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment<'a> {
    pub start: usize,
    pub text: &'a str,
    /// Nothing but blanks stands before it on its line.
    pub own_line: bool,
}

/// A token with its byte range, as lalrpop takes it.
pub type Spanned<'a> = (usize, Token<'a>, usize);

pub struct Lexed<'a> {
    pub tokens: Vec<Spanned<'a>>,
    pub comments: Vec<Comment<'a>>,
    pub errors: Vec<Diagnostic>,
}

/// Deepest nesting of brackets. With [`crate::ast::MAX_DEPTH`] this bounds the recursion of everything that walks a tree.
pub const MAX_BRACKETS: usize = 100;

/// Splits `text` into tokens. What is no token is reported and left out.
pub fn lex(file: FileId, text: &str) -> Lexed<'_> {
    let mut out = Lexed { tokens: Vec::new(), comments: Vec::new(), errors: Vec::new() };
    let mut brackets = Brackets::default();
    // The newline after the last token, held back until the next token shows whether it ends a statement.
    let mut newline: Option<usize> = None;
    let mut line_has_token = false;
    let mut bad: Option<(usize, usize)> = None;
    for (token, range) in Token::lexer(text).spanned() {
        let Ok(token) = token else {
            match &mut bad {
                Some((_, end)) if *end == range.start => *end = range.end,
                _ => {
                    report_bad(&mut out.errors, file, text, bad.take());
                    bad = Some((range.start, range.end));
                }
            }
            continue;
        };
        match token {
            Token::Newline => {
                line_has_token = false;
                newline.get_or_insert(range.start);
                continue;
            }
            Token::Comment(text) => {
                out.comments.push(Comment { start: range.start, text: text.trim_end(), own_line: !line_has_token });
                continue;
            }
            _ => {}
        }
        line_has_token = true;
        if let Some(at) = newline.take()
            && brackets.in_block()
            && out.tokens.last().is_some_and(|(_, t, _)| ends_statement(t))
            && starts_statement(&token, text.as_bytes().get(range.end))
        {
            out.tokens.push((at, Token::Newline, at));
        }
        if brackets.track(&token) {
            let span = Span::new(file, range.start, range.end);
            out.errors.push(
                Diagnostic::error("too-deep", format!("brackets are nested more than {MAX_BRACKETS} deep"))
                    .at(span, "this one is too deep")
                    .help("give the inner part a name with `let`, or move it into a function"),
            );
            break;
        }
        out.tokens.push((range.start, token, range.end));
    }
    report_bad(&mut out.errors, file, text, bad);
    out
}

fn report_bad(errors: &mut Vec<Diagnostic>, file: FileId, text: &str, range: Option<(usize, usize)>) {
    let Some((start, end)) = range else { return };
    let span = Span::new(file, start, end);
    let what = text.get(start..end).unwrap_or("");
    errors.push(if what.starts_with('"') {
        Diagnostic::error("syntax", "a string without its closing `\"`")
            .at(span, "starts here and must end on this line")
    } else {
        let d =
            Diagnostic::error("syntax", format!("`{}` is not part of the language", what.escape_debug())).at(span, "");
        match what.chars().next() {
            Some('#') => d.help("comments start with `//`"),
            Some('\'') => d.help("strings are written in `\"`"),
            Some('%') => d.help("a remainder is `rem(x, y)`"),
            Some('&') => d.help("both of two bools: `a && b`"),
            Some('|') => d.help("one of two bools: `a || b`"),
            _ => d,
        }
    });
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    /// A function's braces, where newlines count.
    Block,
    Other,
}

#[derive(Default)]
struct Brackets {
    stack: Vec<Bracket>,
    /// The next `{` belongs to a struct or a layout, not to a block.
    declaration: bool,
}

impl Brackets {
    fn in_block(&self) -> bool {
        self.stack.last() == Some(&Bracket::Block)
    }

    /// Follows one token; true when it opens a bracket too many.
    fn track(&mut self, token: &Token<'_>) -> bool {
        match token {
            Token::Struct | Token::Layout => self.declaration = true,
            Token::Fn | Token::Entry | Token::Optimizer => self.declaration = false,
            Token::LParen | Token::LBracket => self.stack.push(Bracket::Other),
            Token::LBrace => {
                let kind = if std::mem::take(&mut self.declaration) { Bracket::Other } else { Bracket::Block };
                self.stack.push(kind);
            }
            Token::RParen | Token::RBracket | Token::RBrace => {
                self.stack.pop();
            }
            _ => {}
        }
        self.stack.len() > MAX_BRACKETS
    }
}

/// Whether a statement, or an item without braces, can end with this token.
pub(crate) fn ends_statement(token: &Token<'_>) -> bool {
    matches!(
        token,
        Token::Ident(_)
            | Token::Int(_)
            | Token::Float(_)
            | Token::Str(_)
            | Token::True
            | Token::False
            | Token::RParen
            | Token::RBracket
            | Token::RBrace
            | Token::Question
            | Token::Underscore
    )
}

/// Whether a token at the start of a line begins a new statement. `-b` does, `- b` goes on with the line before.
pub(crate) fn starts_statement(token: &Token<'_>, next: Option<&u8>) -> bool {
    match token {
        Token::Minus => !next.is_none_or(u8::is_ascii_whitespace),
        Token::Plus
        | Token::Star
        | Token::Slash
        | Token::EqEq
        | Token::NotEq
        | Token::Less
        | Token::LessEq
        | Token::Greater
        | Token::GreaterEq
        | Token::AndAnd
        | Token::OrOr
        | Token::Dot
        | Token::At
        | Token::Comma
        | Token::Eq
        | Token::Else
        | Token::As
        | Token::RParen
        | Token::RBracket
        | Token::RBrace
        | Token::LBrace => false,
        _ => true,
    }
}
