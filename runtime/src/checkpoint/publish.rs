//! How a checkpoint comes to be there at once, and how old ones go: renames, of which each leaves something complete.

use super::manifest::{LATEST, pointer, read_manifest, step_name, step_of, sync, write_synced};
use crate::error::{Result, RuntimeError};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What a checkpoint is called between the two renames that replace it, where a file system cannot do both at once.
const REPLACED: &str = ".replaced-";

/// What is about to be removed.
const SWEPT: &str = ".swept-";

/// A hidden name beside `name` that nobody else has, in this process or any other.
fn temporary(dir: &Path, name: &str) -> Result<PathBuf> {
    Ok(hidden(dir, name, random(dir)?))
}

/// The hidden name beside `name` with this number.
pub fn hidden(dir: &Path, name: &str, number: u64) -> PathBuf {
    dir.join(format!(".{name}.{number:016x}"))
}

/// A number that nobody else has, for a name in `dir`.
pub fn random(dir: &Path) -> Result<u64> {
    let mut bytes = [0u8; 8];
    // So few bytes come all at once.
    rustix::io::retry_on_intr(|| rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty()))
        .map_err(|e| RuntimeError::io(dir, "no random number for a temporary name", &e.into()))?;
    Ok(u64::from_le_bytes(bytes))
}

/// Puts right what killed runs left behind: what was half written goes, and what was being replaced is there again. Only for the
/// holder of the folder's lock.
pub fn sweep(dir: &Path) {
    let names: Vec<String> = fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    let latest = format!(".{LATEST}.");
    for name in &names {
        let path = dir.join(name);
        if let Some(of) = name.strip_prefix(REPLACED)
            && !dir.join(of).exists()
        {
            let _ = fs::rename(&path, dir.join(of));
        } else if [".step-", SWEPT, REPLACED].iter().any(|b| name.starts_with(b)) || name.starts_with(&latest) {
            // Under another name first. If somebody writes it after all, his rename fails, and nothing half removed is published.
            let Ok(number) = random(dir) else { return };
            let gone = dir.join(format!("{SWEPT}{number:016x}"));
            if fs::rename(&path, &gone).is_ok() {
                let _ = fs::remove_dir_all(&gone).or_else(|_| fs::remove_file(&gone));
            }
        }
    }
}

/// The folder of a checkpoint that is being replaced, if that is where it is.
pub fn present(folder: PathBuf) -> PathBuf {
    let aside = folder.file_name().map(|n| folder.with_file_name(format!("{REPLACED}{}", n.to_string_lossy())));
    aside.filter(|a| a.exists() && !folder.exists()).unwrap_or(folder)
}

/// The steps of which a folder has a checkpoint, whole or not, the latest first.
pub fn steps(dir: &Path) -> Vec<u64> {
    let of = |e: fs::DirEntry| {
        let name = e.file_name();
        let name = name.to_str()?;
        step_of(name.strip_prefix(REPLACED).unwrap_or(name))
    };
    let mut steps: Vec<u64> = fs::read_dir(dir).into_iter().flatten().flatten().filter_map(of).collect();
    steps.sort_unstable_by(|a, b| b.cmp(a));
    steps.dedup();
    steps
}

/// Gives a finished folder its name, and `latest` the name of the folder. What cannot be removed is added to `warnings`.
///
/// # Errors
/// A full disk, and renames that fail. What was there before is still there then.
pub fn publish(dir: &Path, name: &str, temporary: &Path, warnings: &mut Vec<String>) -> Result<()> {
    // Before anything has its name: what is left to do then needs no room.
    let next = self::temporary(dir, LATEST)?;
    let published =
        write_synced(&next, pointer(name).as_bytes()).and_then(|()| rename(dir, name, temporary, &next, warnings));
    if published.is_err() {
        let _ = fs::remove_file(&next);
    }
    published
}

/// The two renames; `next` becomes `latest`.
fn rename(dir: &Path, name: &str, temporary: &Path, next: &Path, warnings: &mut Vec<String>) -> Result<()> {
    let (target, latest) = (dir.join(name), dir.join(LATEST));
    if target.exists() {
        let old =
            replace(temporary, &target, exchange).map_err(|e| RuntimeError::io(&target, "cannot be replaced", &e))?;
        remove(&old, warnings);
    } else {
        fs::rename(temporary, &target).map_err(|e| RuntimeError::io(&target, "cannot be published", &e))?;
    }
    sync(dir)?;
    fs::rename(next, &latest).map_err(|e| RuntimeError::io(&latest, "cannot be replaced", &e))?;
    sync(dir)
}

/// Puts a new folder in the place of an old one; returns where the old one is now.
fn replace(new: &Path, target: &Path, exchange: fn(&Path, &Path) -> io::Result<()>) -> io::Result<PathBuf> {
    match exchange(new, target) {
        // In one step, so that at no time there is neither.
        Ok(()) => return Ok(new.to_owned()),
        // Not every file system can: NFS, some of FUSE, old kernels.
        Err(e) if matches!(e.raw_os_error(), Some(libc::EINVAL | libc::ENOSYS | libc::EOPNOTSUPP)) => {}
        Err(e) => return Err(e),
    }
    // Between the two renames the old one is found under its other name, by `present` and `sweep`.
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let aside = target.with_file_name(format!("{REPLACED}{name}"));
    let _ = fs::remove_dir_all(&aside);
    fs::rename(target, &aside)?;
    if let Err(e) = fs::rename(new, target) {
        let _ = fs::rename(&aside, target);
        return Err(e);
    }
    Ok(aside)
}

/// Exchanges two folders atomically.
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
}

/// Removes all but the newest `keep` checkpoints up to this step; later ones belong to another run. Those with numbers that are not
/// finite are counted apart, so that none of them drives out a good one. What cannot be removed is added to `warnings`.
pub fn thin(dir: &Path, step: u64, keep: u64, warnings: &mut Vec<String>) {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) => return warnings.push(format!("{}: old checkpoints cannot be found: {e}", dir.display())),
    };
    let of = |e: fs::DirEntry| step_of(e.file_name().to_str()?);
    let mut steps: Vec<u64> = entries.flatten().filter_map(of).filter(|&s| s <= step).collect();
    steps.sort_unstable_by(|a, b| b.cmp(a));
    let mut kept = [0; 2];
    for old in steps {
        let path = dir.join(step_name(old));
        let good = read_manifest(&path).is_ok_and(|(m, _)| m.finite);
        let kept = &mut kept[usize::from(good)];
        if *kept < keep {
            *kept += 1;
        } else {
            remove(&path, warnings);
        }
    }
}

/// Removes a checkpoint, under another name first: one that is removed is never half there.
fn remove(path: &Path, warnings: &mut Vec<String>) {
    let mut warn = |e: &dyn std::fmt::Display| {
        warnings.push(format!("{}: an old checkpoint cannot be removed, and stays: {e}", path.display()));
    };
    let hidden = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
    if hidden {
        return fs::remove_dir_all(path).unwrap_or_else(|e| warn(&e));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let gone = match temporary(path.parent().unwrap_or(path), &name) {
        Ok(gone) => gone,
        Err(e) => return warn(&e),
    };
    if let Err(e) = fs::rename(path, &gone).and_then(|()| fs::remove_dir_all(&gone)) {
        warn(&e);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(dir: &Path, name: &str, text: &str) -> PathBuf {
        let path = dir.join(name);
        fs::create_dir(&path).unwrap();
        fs::write(path.join("a"), text).unwrap();
        path
    }

    #[test]
    fn replacing_without_an_exchange() {
        for exchange in [exchange, |_: &Path, _: &Path| Err(io::Error::from_raw_os_error(libc::EINVAL))] {
            let dir = tempfile::tempdir().unwrap();
            let old = folder(dir.path(), "step-000004", "old");
            let new = folder(dir.path(), ".step-000004.0123", "new");
            let aside = replace(&new, &old, exchange).unwrap();
            assert_eq!(fs::read_to_string(old.join("a")).unwrap(), "new");
            assert_eq!(fs::read_to_string(aside.join("a")).unwrap(), "old");
            sweep(dir.path());
            let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
            assert_eq!(left, ["step-000004"]);
        }
    }

    /// A run that is killed between the two renames has lost nothing.
    #[test]
    fn half_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let aside = folder(dir.path(), ".replaced-step-000004", "old");
        folder(dir.path(), ".step-000004.0123", "new");
        let name = dir.path().join("step-000004");
        assert_eq!(present(name.clone()), aside);
        sweep(dir.path());
        assert_eq!(present(name.clone()), name);
        assert_eq!(fs::read_to_string(name.join("a")).unwrap(), "old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    /// The run goes on, and says what stays.
    #[test]
    fn what_cannot_be_removed_is_a_warning() {
        let dir = tempfile::tempdir().unwrap();
        // Files in the place of folders: they cannot be removed as folders, by whomever.
        for name in ["step-000001", "step-000002"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        let mut warnings = Vec::new();
        thin(dir.path(), 2, 1, &mut warnings);
        let [said] = &warnings[..] else { panic!("{warnings:?}") };
        assert!(said.contains("step-000001: an old checkpoint cannot be removed, and stays: "), "{said}");
        assert!(dir.path().join("step-000002").exists());
        // One that was replaced, and one whose folder is gone.
        for name in [".step-000003.0123", "step-000004"] {
            let mut warnings = Vec::new();
            remove(&dir.path().join(name), &mut warnings);
            assert_eq!(warnings.len(), 1, "{name}");
        }
    }

    #[test]
    fn temporary_names_are_not_guessed() {
        let dir = Path::new("d");
        let (a, b) = (temporary(dir, "step-000004").unwrap(), temporary(dir, "step-000004").unwrap());
        assert_ne!(a, b);
        assert!(a.to_str().unwrap().starts_with("d/.step-000004."));
    }
}
