//! Hugging Face's `tokenizer.json`, by the `tokenizers` crate.
//!
//! Text becomes tokens as `tokenizer(text)` gives them in Python: with the special tokens that the file's post-processor adds.

use crate::error::{Error, Result};
use std::path::Path;

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
        let bytes = std::fs::read(path).map_err(|e| Error::io(path, "cannot be read", &e))?;
        let inner = tokenizers::Tokenizer::from_bytes(&bytes)
            .map_err(|e| Error::usage(name.clone(), format!("no tokenizer.json: {e}")))?;
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
        encoding.map(|e| e.get_ids().to_vec()).map_err(|e| Error::usage(self.name.clone(), e.to_string()))
    }

    /// Text of tokens; special tokens are left out.
    ///
    /// # Errors
    /// What the tokenizer's decoder refuses.
    pub fn decode(&self, tokens: &[u32]) -> Result<String> {
        self.inner.decode(tokens, true).map_err(|e| Error::usage(self.name.clone(), e.to_string()))
    }

    /// The token of a name such as `<|endoftext|>`.
    pub fn token(&self, name: &str) -> Option<u32> {
        self.inner.token_to_id(name)
    }
}
