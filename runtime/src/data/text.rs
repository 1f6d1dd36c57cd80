//! Text files and `.jsonl` files as tokens: bytes, or the tokens of a tokenizer.

use super::tokenizer::Tokenizer;
use crate::error::{Result, RuntimeError};
use serde::Deserialize;
use std::path::Path;

/// Tokens, and where each document ends.
#[derive(Debug, PartialEq)]
pub struct Tokenized {
    pub tokens: Vec<u32>,
    pub ends: Vec<u64>,
}

/// One line of a `.jsonl` file; other fields are allowed and not looked at.
#[derive(Deserialize)]
struct Line {
    text: String,
}

/// The documents of a file: the whole of a text file, each line of a `.jsonl` file.
///
/// # Errors
/// Bytes that are no UTF-8, and lines that are no object with a `text`, with their place.
pub fn tokenize(path: &Path, bytes: &[u8], tokenizer: Option<&Tokenizer>, eod: Option<u32>) -> Result<Tokenized> {
    let name = || path.display().to_string();
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let line = 1 + bytes[..e.valid_up_to()].iter().filter(|&&b| b == b'\n').count();
        RuntimeError::usage(name(), format!("line {line}, byte {}: not UTF-8 text", e.valid_up_to()))
    })?;
    let mut out = Tokenized { tokens: Vec::new(), ends: Vec::new() };
    let mut document = |text: &str| -> Result<()> {
        match tokenizer {
            Some(t) => out.tokens.extend(t.encode(text)?),
            None => out.tokens.extend(text.bytes().map(u32::from)),
        }
        out.tokens.extend(eod);
        out.ends.push(out.tokens.len() as u64);
        Ok(())
    };
    if path.extension().is_some_and(|e| e == "jsonl") {
        for (i, line) in text.lines().enumerate().filter(|l| !l.1.trim().is_empty()) {
            let parsed: Line = serde_json::from_str(line).map_err(|e| {
                // The column is serde's; the line is ours.
                let what = e.to_string();
                let what = what.split(" at line ").next().unwrap_or_default();
                RuntimeError::usage(
                    name(),
                    format!("line {}, column {}: {what}; a line is {{\"text\": \"..\"}}", i + 1, e.column()),
                )
            })?;
            document(&parsed.text)?;
        }
    } else {
        document(text)?;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_documents() {
        let jsonl = br#"{"text": "ab", "id": 7}

{"text": "c\n"}
"#;
        let t = tokenize(Path::new("x.jsonl"), jsonl, None, Some(0)).unwrap();
        assert_eq!(t, Tokenized { tokens: vec![97, 98, 0, 99, 10, 0], ends: vec![3, 6] });
        let t = tokenize(Path::new("x.txt"), b"a\nb", None, None).unwrap();
        assert_eq!(t, Tokenized { tokens: vec![97, 10, 98], ends: vec![3] });
    }

    #[test]
    fn errors_have_their_place() {
        let e = |name: &str, bytes: &[u8]| tokenize(Path::new(name), bytes, None, None).unwrap_err().to_string();
        assert_eq!(e("x.txt", b"ab\nc\xff"), "x.txt: line 2, byte 4: not UTF-8 text");
        assert_eq!(
            e("x.jsonl", b"{\"text\": \"a\"}\n{\"txt\": \"b\"}"),
            "x.jsonl: line 2, column 12: missing field `text`; a line is {\"text\": \"..\"}"
        );
        assert!(e("x.jsonl", b"{\"text\": \"a\"").starts_with("x.jsonl: line 1, column 12: EOF"));
    }
}
