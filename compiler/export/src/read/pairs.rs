//! Files of settings as pairs of a name and a value, each with its line: TOML, JSON and YAML, as far as launch files use them.
//!
//! Names are paths: `parallelism.tensor_parallel_degree`. A value is its text without quotes. These readers keep lines, which is what
//! they are for; they take what launchers' files have, and say the line of what they do not follow.
//!
//! Not here: shell scripts (`shell`), and what names mean (`words`).

use super::ReadError;

/// A setting of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    pub name: String,
    pub value: String,
    /// From 1.
    pub line: usize,
}

impl Pair {
    pub fn new(name: impl Into<String>, value: impl Into<String>, line: usize) -> Pair {
        Pair { name: name.into(), value: value.into(), line }
    }
}

/// `text` up to a `#` that stands in no string.
fn before_comment(text: &str) -> &str {
    let mut quote = None;
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (None, '#') => return &text[..i],
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            _ => {}
        }
    }
    text
}

/// A value without its quotes; numbers without the `_` that TOML allows in them.
fn plain(text: &str) -> String {
    let text = text.trim();
    let inner = |q: char| text.strip_prefix(q).and_then(|t| t.strip_suffix(q));
    if let Some(inner) = inner('"').or_else(|| inner('\'')) {
        return inner.to_owned();
    }
    let number = text.replace('_', "");
    if number.parse::<f64>().is_ok() { number } else { text.to_owned() }
}

/// The pairs of a TOML file; an array is its text.
///
/// # Errors
/// A line that is neither a table nor a pair.
pub fn toml(text: &str) -> Result<Vec<Pair>, ReadError> {
    let (mut out, mut table) = (Vec::new(), String::new());
    let mut lines = text.lines().enumerate();
    while let Some((i, raw)) = lines.next() {
        let mut line = before_comment(raw).trim().to_owned();
        // An array over several lines is one value.
        while line.matches('[').count() > line.matches(']').count() {
            match lines.next() {
                Some((_, more)) => line += before_comment(more).trim(),
                None => return Err(ReadError::new(i + 1, "a `[` that is not closed")),
            }
        }
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            table = name.trim_matches(['[', ']']).trim().to_owned();
            continue;
        }
        let Some((name, value)) = line.split_once('=') else {
            return Err(ReadError::new(i + 1, format!("`{line}` is neither a table nor NAME = VALUE")));
        };
        let name = plain(name);
        let path = if table.is_empty() { name } else { format!("{table}.{name}") };
        out.push(Pair::new(path, plain(value), i + 1));
    }
    Ok(out)
}

/// The pairs of a YAML file of mappings; an item of a list is a value of the list's name.
///
/// # Errors
/// A line that is no mapping and no item.
pub fn yaml(text: &str) -> Result<Vec<Pair>, ReadError> {
    let mut out = Vec::new();
    let mut open: Vec<(usize, String)> = Vec::new();
    for (i, raw) in text.lines().enumerate() {
        let line = before_comment(raw).trim_end();
        let body = line.trim_start();
        if body.is_empty() || body == "---" {
            continue;
        }
        let indent = line.len() - body.len();
        let item = body.strip_prefix("- ");
        // An item may stand as far left as the name of its list.
        open.retain(|(at, _)| if item.is_some() { *at <= indent } else { *at < indent });
        let path = |name: &str| {
            let all: Vec<&str> = open.iter().map(|o| o.1.as_str()).chain([name]).filter(|n| !n.is_empty()).collect();
            all.join(".")
        };
        if let Some(item) = item {
            out.push(Pair::new(path(""), plain(item), i + 1));
            continue;
        }
        let Some((name, value)) = body.split_once(':') else {
            return Err(ReadError::new(i + 1, format!("`{body}` is not NAME: VALUE")));
        };
        let (name, value) = (plain(name), plain(value));
        if value.is_empty() {
            open.push((indent, name));
        } else {
            out.push(Pair::new(path(&name), value, i + 1));
        }
    }
    Ok(out)
}

/// The pairs of a JSON file: an object's keys are joined by dots, and an item of a list is a value of the list's name.
///
/// # Errors
/// What is not JSON.
pub fn json(text: &str) -> Result<Vec<Pair>, ReadError> {
    let mut reader = Json { rest: text, line: 1, out: Vec::new() };
    reader.value(&mut Vec::new(), 0)?;
    reader.space();
    if reader.rest.is_empty() { Ok(reader.out) } else { Err(reader.error("text behind the end of the object")) }
}

/// Deeper files are none of ours.
const DEEPEST: usize = 64;

struct Json<'a> {
    rest: &'a str,
    line: usize,
    out: Vec<Pair>,
}

impl Json<'_> {
    fn error(&self, message: &str) -> ReadError {
        ReadError::new(self.line, message)
    }

    fn space(&mut self) {
        let end = self.rest.find(|c: char| !c.is_whitespace()).unwrap_or(self.rest.len());
        self.line += self.rest[..end].matches('\n').count();
        self.rest = &self.rest[end..];
    }

    fn take(&mut self, c: char) -> bool {
        self.space();
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn value(&mut self, path: &mut Vec<String>, depth: usize) -> Result<(), ReadError> {
        self.space();
        if depth > DEEPEST {
            return Err(self.error("nested too deeply"));
        }
        if self.take('{') {
            return self.several('}', |r| {
                let name = r.text()?;
                if !r.take(':') {
                    return Err(r.error("a `:` is missing behind a key"));
                }
                path.push(name);
                r.value(path, depth + 1)?;
                path.pop();
                Ok(())
            });
        }
        if self.take('[') {
            return self.several(']', |r| r.value(path, depth + 1));
        }
        let line = self.line;
        let value = if self.rest.starts_with('"') { self.text()? } else { self.word()? };
        self.out.push(Pair::new(path.join("."), value, line));
        Ok(())
    }

    fn several(&mut self, end: char, mut one: impl FnMut(&mut Self) -> Result<(), ReadError>) -> Result<(), ReadError> {
        if self.take(end) {
            return Ok(());
        }
        loop {
            one(self)?;
            if self.take(end) {
                return Ok(());
            }
            if !self.take(',') {
                return Err(self.error("a `,` or the end of an object or list is missing"));
            }
        }
    }

    fn text(&mut self) -> Result<String, ReadError> {
        if !self.take('"') {
            return Err(self.error("a string is missing"));
        }
        let mut out = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[i + 1..];
                    return Ok(out);
                }
                '\\' => out.extend(chars.next().map(|c| c.1)),
                '\n' => break,
                c => out.push(c),
            }
        }
        Err(self.error("a string that does not end on its line"))
    }

    fn word(&mut self) -> Result<String, ReadError> {
        let end =
            self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(self.rest.len());
        if end == 0 {
            return Err(self.error("a value is missing"));
        }
        let word = self.rest[..end].to_owned();
        self.rest = &self.rest[end..];
        Ok(word)
    }
}
