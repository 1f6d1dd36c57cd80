//! Reading what a source imports.

use std::io::Read;
use std::path::Path;

/// Larger sources are a mistake: no model is written by hand in 16 MiB.
const MAX_SOURCE: u64 = 16 << 20;

/// The text of a file.
///
/// # Errors
/// Why it cannot be had.
pub fn read(path: &str) -> Result<String, String> {
    let path = Path::new(path);
    // A pipe or a device would be read without end.
    let meta = std::fs::metadata(path).map_err(|e| e.to_string())?;
    if !meta.is_file() {
        return Err("not a file".into());
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|e| e.to_string())?;
    file.take(MAX_SOURCE + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    if bytes.len() as u64 > MAX_SOURCE {
        return Err(format!("larger than {} MiB", MAX_SOURCE >> 20));
    }
    String::from_utf8(bytes).map_err(|_| "not UTF-8 text".into())
}
