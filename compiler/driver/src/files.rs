//! Reads text files: sources, the files that they import, and locked plans; and says where the user's cache folder is. Not here: how the
//! path of an import is found (`syntax`).

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most bytes that a file may have. A larger one is a mistake: nobody writes a model of 16 MiB by hand.
const MAX_SOURCE: u64 = 16 << 20;

/// The text of a file.
///
/// # Errors
/// Why the file cannot be read: it is a folder, a pipe or a device, it is too large, or it is not UTF-8.
pub fn read(path: &str) -> Result<String, String> {
    let path = Path::new(path);
    // Reading a pipe or a device might never end.
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

/// What Meshloom keeps in the user's cache folder lies here: `XDG_CACHE_HOME`, or `.cache` in the home folder (XDG Base Directory
/// Specification, by which a relative path is none). `variable` is the environment. None where it names neither.
pub fn cache(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = |name: &str| variable(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let cache = path("XDG_CACHE_HOME").filter(|p| p.is_absolute());
    Some(cache.or_else(|| Some(path("HOME")?.join(".cache")))?.join("meshloom"))
}
