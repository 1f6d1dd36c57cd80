//! Bytes of a text and the positions of the protocol, which counts lines and, unless client and server agree on bytes, units
//! of UTF-16; and paths and URIs.

use lsp_types::{Position, Range, Uri};
use meshloom_ir::Span;
use std::str::FromStr;

/// What columns count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Units {
    #[default]
    Utf16,
    Utf8,
}

impl Units {
    fn len(self, text: &str) -> u32 {
        let n = match self {
            Units::Utf8 => text.len(),
            Units::Utf16 => text.encode_utf16().count(),
        };
        u32::try_from(n).unwrap_or(u32::MAX)
    }
}

/// Where the lines of a text begin. A line ends with `\n`, `\r\n` or `\r`.
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
    units: Units,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str, units: Units) -> Lines<'a> {
        let bytes = text.as_bytes();
        let ends = |&i: &usize| bytes[i] == b'\n' || bytes[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n');
        let starts = std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|i| i + 1)).collect();
        Lines { text, starts, units }
    }

    /// The line without its end.
    fn line(&self, line: usize) -> Option<(usize, &'a str)> {
        let start = *self.starts.get(line)?;
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        Some((start, self.text.get(start..end)?.trim_end_matches(['\n', '\r'])))
    }

    /// The byte of a position; one behind the end of its line means the end of the line, one behind the last line the end.
    pub fn offset(&self, p: Position) -> usize {
        let Some((start, line)) = self.line(p.line as usize) else { return self.text.len() };
        let mut left = p.character;
        for (i, c) in line.char_indices() {
            let width = self.units.len(&line[i..i + c.len_utf8()]);
            if left < width {
                return start + i;
            }
            left -= width;
        }
        start + line.len()
    }

    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&s| s <= offset).max(1) - 1;
        let before = &self.text[self.starts[line]..offset];
        Position { line: u32::try_from(line).unwrap_or(u32::MAX), character: self.units.len(before) }
    }

    pub fn range(&self, start: usize, end: usize) -> Range {
        Range { start: self.position(start), end: self.position(end.max(start)) }
    }

    pub fn span(&self, span: Span) -> Range {
        self.range(span.start as usize, span.end as usize)
    }
}

/// The path of a `file:` URI; of another URI its own text, so that a text without a file has a name too.
pub fn path_of(uri: &Uri) -> String {
    let text = uri.as_str();
    let Some(rest) = text.strip_prefix("file://") else { return text.to_string() };
    // What stands before the path is the name of a host.
    let path = rest.find('/').map_or(rest, |at| &rest[at..]);
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.as_bytes();
    while let [first, rest @ ..] = left {
        let hex = |b: &[u8]| u8::from_str_radix(std::str::from_utf8(b).ok()?, 16).ok();
        match (first, rest.get(..2).and_then(hex)) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                left = &rest[2..];
            }
            _ => {
                bytes.push(*first);
                left = rest;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The URI of a path, as [`path_of`] reads it; `None` where a path cannot be one.
pub fn uri_of(path: &str) -> Option<Uri> {
    if !path.starts_with('/') {
        return Uri::from_str(path).ok();
    }
    let mut out = String::from("file://");
    for b in path.bytes() {
        match b {
            b'/' | b'-' | b'_' | b'.' | b'~' => out.push(b as char),
            b if b.is_ascii_alphanumeric() => out.push(b as char),
            b => out.push_str(&format!("%{b:02X}")),
        }
    }
    Uri::from_str(&out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_units_of_utf16_or_bytes() {
        let text = "a\u{e9}\u{1f600}b\r\nx\rlast";
        let wide = Lines::new(text, Units::Utf16);
        let at = |line, character| Position { line, character };
        for (offset, p) in [(0, at(0, 0)), (1, at(0, 1)), (3, at(0, 2)), (7, at(0, 4)), (10, at(1, 0)), (12, at(2, 0))]
        {
            assert_eq!((wide.position(offset), wide.offset(p)), (p, offset));
        }
        assert_eq!(Lines::new(text, Units::Utf8).position(7), at(0, 7));
        // Inside of a character, behind a line, behind the text.
        assert_eq!(wide.position(5), at(0, 2));
        assert_eq!((wide.offset(at(0, 3)), wide.offset(at(0, 99)), wide.offset(at(9, 0))), (3, 8, text.len()));
    }

    #[test]
    fn paths_become_uris_and_come_back() {
        for path in ["/a/b.loom", "/a b/\u{e9}#%20?.loom", "/"] {
            let uri = uri_of(path).expect("a URI");
            assert!(uri.as_str().is_ascii());
            assert_eq!(path_of(&uri), path);
        }
        let unnamed = Uri::from_str("untitled:Untitled-1").expect("a URI");
        assert_eq!(uri_of(&path_of(&unnamed)), Some(unnamed));
    }
}
