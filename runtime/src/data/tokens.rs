//! A stream of tokens, from one file or several, and where its documents end.
//!
//! | file | tokens |
//! |---|---|
//! | `.bin` with an `.idx` beside it | Megatron's, documents by the index |
//! | `.bin` | u16 (nanoGPT), or as the 1 KiB header of llm.c says |
//! | `.npy`, or an array of an `.npz` or `.safetensors` | integers, one dim |
//! | `.jsonl` | the `text` of each line, a document |
//! | anything else | text: bytes, or by a tokenizer |
//!
//! Token files and bytes of text are read as they are needed, whatever their size. The tokens of tokenized text take 4 bytes each in
//! memory.

use super::arrays;
use super::element::Element;
use super::input::split_name;
use super::text::tokenize;
use super::tokenizer::Tokenizer;
use super::{megatron, npy};
use crate::error::{Result, RuntimeError};
use crate::file::DataFile;
use meshloom_bundle::DType;
use std::path::{Path, PathBuf};

pub struct Tokens {
    parts: Vec<Part>,
    len: u64,
}

/// What one file holds.
struct Part {
    path: PathBuf,
    file: DataFile,
    /// Where tokens begin in the file.
    offset: usize,
    element: Element,
    /// Tokens of the parts before.
    start: u64,
    len: u64,
    /// Ends of documents, in tokens of this part; none where it is one document or where a token says.
    ends: Vec<u64>,
}

/// How files become tokens.
#[derive(Clone, Copy, Default)]
pub struct Reading<'a> {
    pub tokenizer: Option<&'a Tokenizer>,
    /// The token that ends a document.
    pub eod: Option<u32>,
}

/// Endings of files that are certainly no text, and what to do about them.
const NO_TEXT: &[(&str, &str)] = &[
    ("parquet", "convert it to .jsonl or to a token file"),
    ("arrow", "convert it to .jsonl or to a token file"),
    ("gz", "unpack it first"),
    ("zst", "unpack it first"),
    ("xz", "unpack it first"),
    ("zip", "unpack it first"),
    ("pt", "save the tokens as .npy"),
    ("loomx", "it is a compiled model"),
];
/// llm.c's data files.
const LLMC_MAGIC: u32 = 20_240_520;
const LLMC_HEADER: usize = 1024;
/// Tokens that are looked at together for the ends of documents.
const SCANNED: usize = 1 << 20;

impl Tokens {
    /// Files are joined in the order given.
    ///
    /// # Errors
    /// A file that cannot be read or is damaged.
    pub fn open(paths: &[PathBuf], reading: Reading<'_>) -> Result<Tokens> {
        let (mut parts, mut len) = (Vec::new(), 0);
        for path in paths {
            let mut part = Part::open(path, reading)?;
            part.start = len;
            len += part.len;
            parts.push(part);
        }
        Ok(Tokens { parts, len })
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    /// Tokens `start..start + out.len()`, which must be inside. What is beyond the range of i64 is its end, which no input takes.
    ///
    /// # Errors
    /// A file cannot be read any more, or has become shorter.
    pub fn read(&self, start: u64, out: &mut [i64]) -> Result<()> {
        let mut at = start;
        let mut left = out;
        let mut k = self.parts.partition_point(|p| p.start + p.len <= start);
        let mut bytes = Vec::new();
        while !left.is_empty() && k < self.parts.len() {
            let p = &self.parts[k];
            let n = left.len().min((p.start + p.len - at) as usize);
            let size = p.element.size();
            bytes.resize(n * size, 0);
            p.file.read_at(p.offset as u64 + (at - p.start) * size as u64, &mut bytes)?;
            let (now, rest) = left.split_at_mut(n);
            for (o, c) in now.iter_mut().zip(bytes.chunks_exact(size)) {
                *o = i64::try_from(p.element.integer(c)).unwrap_or(i64::MAX);
            }
            (left, at, k) = (rest, at + n as u64, k + 1);
        }
        Ok(())
    }

    /// Where a token stands, for messages: `train.bin: token 17`.
    pub fn place(&self, at: u64) -> String {
        let k = self.parts.partition_point(|p| p.start + p.len <= at).min(self.parts.len().saturating_sub(1));
        let Some(p) = self.parts.get(k) else { return String::new() };
        format!("{}: token {}", p.path.display(), at - p.start)
    }

    /// Ranges of tokens that are documents: a file, or what its index, its lines or `eod` say.
    ///
    /// # Errors
    /// As [`Tokens::read`].
    pub fn documents(&self, eod: Option<u32>) -> Result<Vec<(u64, u64)>> {
        let mut all = Vec::new();
        for p in &self.parts {
            let mut from = p.start;
            let mut end = |to: u64| {
                all.push((from, to));
                from = to;
            };
            if !p.ends.is_empty() {
                p.ends.iter().for_each(|e| end(p.start + e));
                continue;
            }
            if let Some(eod) = eod.map(i128::from) {
                let size = p.element.size();
                let mut bytes = Vec::new();
                for from in (0..p.len).step_by(SCANNED) {
                    bytes.resize((p.len - from).min(SCANNED as u64) as usize * size, 0);
                    p.file.read_at(p.offset as u64 + from * size as u64, &mut bytes)?;
                    for (i, c) in (from..).zip(bytes.chunks_exact(size)) {
                        if p.element.integer(c) == eod {
                            end(p.start + i + 1);
                        }
                    }
                }
            }
            end(p.start + p.len);
        }
        all.retain(|d| d.0 < d.1);
        Ok(all)
    }

    /// The files, for messages.
    pub fn name(&self) -> String {
        let names: Vec<String> = self.parts.iter().take(3).map(|p| p.path.display().to_string()).collect();
        let more = if self.parts.len() > names.len() { ", .." } else { "" };
        names.join(", ") + more
    }
}

impl Part {
    fn open(path: &Path, reading: Reading<'_>) -> Result<Part> {
        let (file, array) = split_name(&path.to_string_lossy());
        let kind = file.extension().and_then(|e| e.to_str()).unwrap_or("");
        let fail = |m: String| RuntimeError::usage(path.display().to_string(), m);
        let part = |file: DataFile, offset: usize, element: Element, ends: Vec<u64>| {
            let len = (file.len() - offset as u64) / element.size() as u64;
            Part { path: path.to_owned(), file, offset, element, start: 0, len, ends }
        };
        match kind {
            "bin" | "idx" => {
                let (bin, idx) = (file.with_extension("bin"), file.with_extension("idx"));
                // One of the two was named and may be a pipe; the other one is looked for.
                let tokens = if kind == "bin" { DataFile::open(&bin) } else { DataFile::regular(&bin) }?;
                if kind == "idx" || idx.exists() {
                    let index = if kind == "idx" { DataFile::open(&idx) } else { DataFile::regular(&idx) }?;
                    let index = megatron::parse(&index.all()?, tokens.len())
                        .map_err(|m| RuntimeError::usage(idx.display().to_string(), m))?;
                    return Ok(part(tokens, 0, index.element, index.ends));
                }
                let (offset, element) = raw(&tokens.head(LLMC_HEADER as u64)?, tokens.len()).map_err(fail)?;
                Ok(part(tokens, offset, element, Vec::new()))
            }
            "npy" | "npz" | "safetensors" => {
                let a = arrays::Array::open(&file, array.as_deref())?;
                if a.shape.len() != 1 || !a.element.is_integer() {
                    let message = format!("{} is no stream of tokens", a.describe());
                    return Err(fail(format!("{message}; rows of an array go to an input by name: NAME=FILE")));
                }
                let (file, npy::Array { offset, element, shape, .. }) = a.into_parts();
                // More arrays may follow in the file.
                Ok(Part { len: shape[0], ..part(file, offset, element, Vec::new()) })
            }
            _ => {
                if let Some((_, help)) = NO_TEXT.iter().find(|k| k.0.eq_ignore_ascii_case(kind)) {
                    return Err(fail(format!("a .{kind} file is no text; {help}")));
                }
                let text = DataFile::open(path)?;
                if kind != "jsonl" && reading.tokenizer.is_none() {
                    return Ok(part(text, 0, Element::Of(DType::U8), Vec::new()));
                }
                let text = tokenize(path, &text.all()?, reading.tokenizer, reading.eod)?;
                let bytes = text.tokens.iter().flat_map(|t| t.to_le_bytes()).collect();
                Ok(part(DataFile::owned(path, bytes), 0, Element::Of(DType::U32), text.ends))
            }
        }
    }
}

/// Where the tokens of a `.bin` without index begin, and what they are, by its first bytes and its length.
fn raw(head: &[u8], len: u64) -> Result<(usize, Element), String> {
    let word = |k: usize| head.get(4 * k..).and_then(|b| b.first_chunk()).map(|b| u32::from_le_bytes(*b));
    if word(0) == Some(LLMC_MAGIC) && len >= LLMC_HEADER as u64 {
        let element = match word(1) {
            Some(1) => Element::U16,
            Some(7) => Element::Of(DType::U32),
            version => return Err(format!("a header of version {}; 1 and 7 are read", version.unwrap_or(0))),
        };
        let (said, found) = (u64::from(word(2).unwrap_or(0)), len - LLMC_HEADER as u64);
        if said * element.size() as u64 != found {
            return Err(format!("its header says {said} tokens of {}, and {found} bytes follow", element.name()));
        }
        return Ok((LLMC_HEADER, element));
    }
    if !len.is_multiple_of(2) {
        return Err(format!("{len} bytes are no whole number of u16 tokens"));
    }
    Ok((0, Element::U16))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes files into a folder and opens them as one stream.
    fn open(files: &[(&str, Vec<u8>)], eod: Option<u32>) -> Result<Tokens> {
        let dir = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = files.iter().map(|f| dir.path().join(f.0)).collect();
        for (p, f) in paths.iter().zip(files) {
            std::fs::write(p, &f.1).unwrap();
        }
        Tokens::open(&paths, Reading { tokenizer: None, eod })
    }

    fn u16s(values: &[u16]) -> Vec<u8> {
        values.iter().flat_map(|v| v.to_le_bytes()).collect()
    }

    #[test]
    fn files_are_joined() {
        let mut headed: Vec<u8> = [LLMC_MAGIC, 1, 2].iter().flat_map(|w| w.to_le_bytes()).collect();
        headed.resize(LLMC_HEADER, 0);
        headed.extend(u16s(&[40_000, 7]));
        let files = [
            ("a.txt", b"hi".to_vec()),
            ("b.bin", u16s(&[500, 50_256, 3])),
            ("empty.txt", vec![]),
            ("c.bin", headed),
            ("d.npy", npy::to_bytes(&crate::HostTensor::i32(&[2], &[9, 10]))),
            ("e.jsonl", b"{\"text\": \"a\"}".to_vec()),
        ];
        let t = open(&files, None).unwrap();
        let all = [104, 105, 500, 50_256, 3, 40_000, 7, 9, 10, 97];
        assert_eq!(t.len(), all.len() as u64);
        for start in 0..all.len() {
            for n in 0..=all.len() - start {
                let mut out = vec![0; n];
                t.read(start as u64, &mut out).unwrap();
                assert_eq!(out, all[start..start + n]);
            }
        }
        assert!(t.place(4).ends_with("b.bin: token 2") && t.place(5).ends_with("c.bin: token 0"));
        assert_eq!(t.documents(None).unwrap(), [(0, 2), (2, 5), (5, 7), (7, 9), (9, 10)]);
        assert_eq!(t.documents(Some(50_256)).unwrap(), [(0, 2), (2, 4), (4, 5), (5, 7), (7, 9), (9, 10)]);
    }

    #[test]
    fn what_is_no_stream_is_refused() {
        let e = |name: &str, bytes: Vec<u8>| open(&[(name, bytes)], None).err().unwrap().to_string();
        assert!(e("a.bin", vec![0; 5]).ends_with("a.bin: 5 bytes are no whole number of u16 tokens"));
        let header = |words: &[u32], more: usize| {
            let mut b: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            b.resize(LLMC_HEADER + more, 0);
            b
        };
        assert!(e("a.bin", header(&[LLMC_MAGIC, 3, 0], 0)).contains("a header of version 3"));
        assert!(e("a.bin", header(&[LLMC_MAGIC, 1, 5], 8)).contains("says 5 tokens of u16, and 8 bytes follow"));
        assert!(e("a.parquet", vec![]).contains("a .parquet file is no text"));
        let matrix = npy::to_bytes(&crate::HostTensor::i32(&[1, 2], &[9, 10]));
        assert!(e("a.npy", matrix).contains("i32[1, 2] is no stream of tokens"));
        assert!(e("a.npy", npy::to_bytes(&crate::HostTensor::f32(&[1], &[1.0]))).contains("f32[1] is no stream"));
        assert!(e("a.idx", vec![]).contains("a.bin: cannot be read"));
        assert!(Tokens::open(&[".".into()], Reading::default()).err().unwrap().to_string().contains("is a folder"));
    }
}
