//! Hugging Face's `tokenizer.json`, by the `tokenizers` crate.
//!
//! The tokens are those that `tokenizer(text)` gives in Python, with the special tokens that the file's post-processor
//! adds. What the file says of `truncation` and `padding` is for batches of short texts; a corpus is neither cut nor
//! padded, and `tokenizer(text)` does neither by default.

pub use super::tokenizer_json::MOST_BYTES;

use super::tokenizer_json;
use crate::error::{Result, RuntimeError};
use crate::file;
use std::path::Path;

/// The most characters of a reason that is quoted.
const REASON: usize = 400;

pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    /// The file, for messages.
    pub name: String,
}

impl Tokenizer {
    /// # Errors
    /// A file that cannot be read, or is no tokenizer.
    pub fn open(path: &Path) -> Result<Tokenizer> {
        let name = path.display().to_string();
        let bytes = file::read(path, MOST_BYTES)?;
        let fail = |e: &dyn std::fmt::Display| {
            // The crates quote what they do not understand, however long it is.
            let why = e.to_string();
            let short: String = why.chars().take(REASON).collect();
            let more = if short.len() < why.len() { " .." } else { "" };
            RuntimeError::usage(name.clone(), format!("no tokenizer.json: {short}{more}"))
        };
        // The crate panics where JSON is cut or damaged inside of a decoder, so it is only given what is JSON.
        let value = tokenizer_json::json(&bytes).map_err(|e| fail(&e))?;
        tokenizer_json::check(&value).map_err(|e| fail(&e))?;
        drop(value);
        let mut inner = tokenizers::Tokenizer::from_bytes(&bytes).map_err(|e| fail(&e))?;
        inner.with_truncation(None).map_err(|e| fail(&e))?.with_padding(None);
        Ok(Tokenizer { inner, name })
    }

    /// How many tokens there are, added ones included.
    pub fn vocabulary(&self) -> u64 {
        self.inner.get_vocab_size(true) as u64
    }

    /// # Errors
    /// A text that the tokenizer has no tokens for.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        let encoding = self.inner.encode_fast(text, true);
        encoding.map(|e| e.get_ids().to_vec()).map_err(|e| RuntimeError::usage(self.name.clone(), e.to_string()))
    }

    /// Text of tokens; special tokens are left out.
    ///
    /// # Errors
    /// What the tokenizer's decoder refuses.
    pub fn decode(&self, tokens: &[u32]) -> Result<String> {
        self.inner.decode(tokens, true).map_err(|e| RuntimeError::usage(self.name.clone(), e.to_string()))
    }

    /// The token of a name such as `<|endoftext|>`.
    pub fn token(&self, name: &str) -> Option<u32> {
        self.inner.token_to_id(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The crate itself panics on some of these.
    #[test]
    fn a_cut_file_is_refused() {
        let whole = include_str!("../../../tests/data/hf/tokenizer.json");
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tokenizer.json");
        let at = whole.find("\"decoder\"").unwrap();
        let bytes = whole.as_bytes();
        for cut in (at..at + 100).chain((0..whole.len()).step_by(997)) {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let e = Tokenizer::open(&path).err().unwrap().to_string();
            assert!(e.contains("tokenizer.json: no tokenizer.json: "), "{e}");
        }
        std::fs::write(&path, whole).unwrap();
        assert!(Tokenizer::open(&path).is_ok());
    }

    /// What the file says of batches of short texts does not apply to a corpus.
    #[test]
    fn truncation_and_padding_do_not_apply() {
        let whole = include_str!("../../../tests/data/hf/tokenizer.json");
        let mut json: serde_json::Value = serde_json::from_str(whole).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tokenizer.json");
        std::fs::write(&path, whole).unwrap();
        let text = "The compiler says: it is twelve o'clock. ".repeat(20);
        let plain = Tokenizer::open(&path).unwrap().encode(&text).unwrap();
        assert!(plain.len() > 100);
        json["truncation"] =
            serde_json::json!({"direction": "Right", "max_length": 8, "strategy": "LongestFirst", "stride": 0});
        json["padding"] = serde_json::json!({"strategy": {"Fixed": 4096}, "direction": "Right", "pad_to_multiple_of": null,
            "pad_id": 0, "pad_type_id": 0, "pad_token": "<pad>"});
        std::fs::write(&path, json.to_string()).unwrap();
        assert_eq!(Tokenizer::open(&path).unwrap().encode(&text).unwrap(), plain);
    }
}
