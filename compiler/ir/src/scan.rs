//! A cursor over text for the hand-written parsers: skips blanks and `//` comments, reads the few token shapes of the IR's
//! text form, and turns a byte offset into a line and column for errors. Nothing here can panic or recurse.

use std::fmt;

/// Where and why a text was refused. Lines and columns count from 1; columns count characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

pub type ParseResult<T> = std::result::Result<T, ParseError>;

pub struct Cursor<'a> {
    text: &'a str,
    pos: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor::at(text, 0)
    }

    /// A cursor that begins at byte `pos`; its errors count lines from the start of the text.
    pub fn at(text: &'a str, pos: usize) -> Cursor<'a> {
        let mut c = Cursor { text, pos };
        c.skip();
        c
    }

    pub fn pos(&self) -> usize {
        self.pos
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    pub fn at_end(&self) -> bool {
        self.rest().is_empty()
    }

    /// An error at byte `pos`.
    pub fn error_at<T>(&self, pos: usize, message: impl Into<String>) -> ParseResult<T> {
        let before = &self.text[..pos];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        Err(ParseError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        })
    }

    /// An error here.
    pub fn error<T>(&self, message: impl Into<String>) -> ParseResult<T> {
        self.error_at(self.pos, message)
    }

    pub fn expected<T>(&self, what: &str) -> ParseResult<T> {
        let found: String = self.rest().chars().take_while(|c| !c.is_whitespace()).take(20).collect();
        if found.is_empty() {
            return self.error(format!("expected {what}, found the end of the text"));
        }
        self.error(format!("expected {what}, found `{found}`"))
    }

    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.pos += blank;
            if !self.rest().starts_with("//") {
                return;
            }
            self.pos += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// Moves on by `n` bytes and over the blanks that follow.
    fn advance(&mut self, n: usize) {
        self.pos += n;
        self.skip();
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes `punct` if it comes next.
    pub fn eat(&mut self, punct: &str) -> bool {
        let hit = self.rest().starts_with(punct);
        if hit {
            self.advance(punct.len());
        }
        hit
    }

    pub fn expect(&mut self, punct: &str) -> ParseResult<()> {
        if self.eat(punct) {
            return Ok(());
        }
        self.expected(&format!("`{punct}`"))
    }

    fn word_len(&self, accept: impl Fn(char) -> bool) -> usize {
        self.rest().find(|c| !accept(c)).unwrap_or(self.rest().len())
    }

    /// The word that comes next, without taking it: letters, digits and underscores.
    pub fn peek_word(&self) -> &'a str {
        &self.rest()[..self.word_len(|c| c.is_ascii_alphanumeric() || c == '_')]
    }

    /// Takes a given word.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let hit = self.peek_word() == word;
        if hit {
            self.advance(word.len());
        }
        hit
    }

    pub fn expect_word(&mut self, word: &str) -> ParseResult<()> {
        if self.eat_word(word) {
            return Ok(());
        }
        self.expected(&format!("`{word}`"))
    }

    pub fn word(&mut self, what: &str) -> ParseResult<&'a str> {
        let w = self.peek_word();
        if !w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return self.expected(what);
        }
        self.advance(w.len());
        Ok(w)
    }

    /// The characters that `accept` takes, one at least.
    ///
    /// # Errors
    /// Another character comes next, where `what` is expected.
    pub fn run(&mut self, what: &str, accept: impl Fn(char) -> bool) -> ParseResult<&'a str> {
        let found = &self.rest()[..self.word_len(accept)];
        if found.is_empty() {
            return self.expected(what);
        }
        self.advance(found.len());
        Ok(found)
    }

    /// Whether a name comes next.
    pub fn at_name(&self) -> bool {
        self.peek().is_some_and(|c| c.is_ascii_alphabetic() || c == '_' || c == '"')
    }

    /// A path, or any text in quotes.
    pub fn name(&mut self) -> ParseResult<String> {
        if !self.at_name() {
            return self.expected("a name");
        }
        if self.peek() == Some('"') {
            return self.string();
        }
        self.run("a name", is_name_char).map(str::to_string)
    }

    pub fn string(&mut self) -> ParseResult<String> {
        if self.peek() != Some('"') {
            return self.expected("a text in quotes");
        }
        let start = self.pos;
        let rest = self.rest();
        let mut chars = rest.char_indices().skip(1);
        let mut out = String::new();
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.advance(i + 1);
                    return Ok(out);
                }
                '\\' => match chars.next() {
                    Some((_, c @ ('"' | '\\'))) => out.push(c),
                    Some((j, 'u')) => {
                        let code =
                            rest[j + 1..].strip_prefix('{').and_then(|r| r.split_once('}')).and_then(|(hex, _)| {
                                let n = u32::from_str_radix(hex, 16).ok()?;
                                Some((hex.len(), char::from_u32(n)?))
                            });
                        let Some((len, c)) = code else {
                            return self.error_at(start + i, "`\\u` needs a character's number, `\\u{41}`");
                        };
                        out.push(c);
                        chars.nth(len + 1);
                    }
                    _ => return self.error_at(start + i, "unknown escape in a text"),
                },
                c => out.push(c),
            }
        }
        self.error_at(start, "this text has no closing quote")
    }

    /// An unsigned number of at most `max`.
    pub fn number(&mut self, what: &str, max: u64) -> ParseResult<u64> {
        let digits = &self.rest()[..self.word_len(|c| c.is_ascii_digit())];
        if digits.is_empty() {
            return self.expected(what);
        }
        match digits.parse::<u64>() {
            Ok(n) if n <= max => {
                self.advance(digits.len());
                Ok(n)
            }
            _ => self.error(format!("{what} of at most {max} is needed, not {digits}")),
        }
    }

    /// The characters of a number: sign, digits, point, exponent, or `inf` and `nan(0x..)`.
    pub fn number_text(&mut self) -> ParseResult<&'a str> {
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let mut n = sign;
        let body = &rest[sign..];
        if body.starts_with("inf") || body.starts_with("nan") {
            n += 3;
            if rest[n..].starts_with("(0x") {
                n += rest[n..].find(')').map_or(0, |i| i + 1);
            }
        } else {
            // A range `0..4` is two numbers: two points end the first.
            let bytes = body.as_bytes();
            let mut i = 0;
            while i < bytes.len() {
                let ok = match bytes[i] {
                    b'0'..=b'9' => true,
                    b'.' => bytes.get(i + 1) != Some(&b'.'),
                    b'e' | b'E' => i > 0,
                    b'-' | b'+' => i > 0 && matches!(bytes[i - 1], b'e' | b'E'),
                    _ => false,
                };
                if !ok {
                    break;
                }
                i += 1;
            }
            n += i;
        }
        if n == sign {
            return self.expected("a number");
        }
        let text = &rest[..n];
        self.advance(n);
        Ok(text)
    }

    /// Everything up to `end`, which is left standing.
    pub fn raw_until(&mut self, end: char) -> ParseResult<&'a str> {
        let rest = self.rest();
        let Some(n) = rest.find(end) else {
            return self.error(format!("no `{end}` follows"));
        };
        self.advance(n);
        Ok(&rest[..n])
    }

    /// `open item, item close`; an empty list is fine.
    pub fn list<T>(
        &mut self,
        open: &str,
        close: &str,
        mut item: impl FnMut(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        self.expect(open)?;
        let mut out = Vec::new();
        if self.eat(close) {
            return Ok(out);
        }
        loop {
            out.push(item(self)?);
            if self.eat(close) {
                return Ok(out);
            }
            if !self.eat(",") {
                return self.expected(&format!("`,` or `{close}`"));
            }
        }
    }
}

/// What stands in a name without quotes: letters, digits, underscores, points and stars.
pub(crate) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '*')
}
