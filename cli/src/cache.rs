//! The folder where kernels are kept that were compiled: the user's cache folder, or the one that `MESHLOOM_CACHE` names.
//!
//! Not here: what a kernel's key is and what is read of a folder (`meshloom_codegen::cache`).

use meshloom_codegen::cache::{KernelCache, MOST_BYTES};
use meshloom_driver::files;
use meshloom_terminal::status;
use std::ffi::OsString;
use std::path::PathBuf;

/// Names the folder, or says that there is none.
const VARIABLE: &str = "MESHLOOM_CACHE";
/// What the variable says where nothing is to be kept.
const OFF: &str = "off";

/// The folder. None where the environment names none: no `MESHLOOM_CACHE`, no `XDG_CACHE_HOME` and no `HOME`, or `MESHLOOM_CACHE=off`.
fn folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let variable = |name: &str| variable(name).filter(|v| !v.is_empty());
    match variable(VARIABLE) {
        Some(v) if v == OFF => None,
        Some(v) => Some(v.into()),
        None => Some(files::cache(variable)?.join("kernels")),
    }
}

/// The cache.
///
/// # Errors
/// Why there is none.
pub fn find() -> Result<KernelCache, String> {
    let folder = folder(|name| std::env::var_os(name))
        .ok_or_else(|| format!("off: neither {VARIABLE} nor HOME names a folder to keep kernels in"))?;
    KernelCache::open(folder, MOST_BYTES)
}

/// The cache that a command uses. Where there is none although a folder was named, that is said.
pub fn of(no_cache: bool) -> Option<KernelCache> {
    if no_cache {
        return None;
    }
    match find() {
        Ok(cache) => Some(cache),
        Err(why) => {
            if std::env::var_os(VARIABLE).is_some_and(|v| !v.is_empty() && v != OFF) {
                status::warning(&format!("kernels are not kept: {why}"));
            }
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_the_folder() {
        let of = |set: &[&str]| {
            let set: Vec<(String, String)> =
                set.iter().map(|s| s.split_once('=').expect("NAME=VALUE")).map(|s| (s.0.into(), s.1.into())).collect();
            folder(|name| set.iter().find(|s| s.0 == name).map(|s| OsString::from(&s.1)))
        };
        let some = |path: &str| Some(PathBuf::from(path));
        assert_eq!(of(&["HOME=/h"]), some("/h/.cache/meshloom/kernels"));
        assert_eq!(of(&["HOME=/h", "XDG_CACHE_HOME=/c"]), some("/c/meshloom/kernels"));
        assert_eq!(of(&["HOME=/h", "XDG_CACHE_HOME=c"]), some("/h/.cache/meshloom/kernels"));
        assert_eq!(of(&["HOME=/h", "MESHLOOM_CACHE=/k"]), some("/k"));
        assert_eq!(of(&["HOME=/h", "MESHLOOM_CACHE="]), some("/h/.cache/meshloom/kernels"));
        assert_eq!(of(&["HOME=/h", "MESHLOOM_CACHE=off"]), None);
        assert_eq!(of(&[]), None);
    }
}
