//! Which bytes a bundle may consist of: its members, one behind the other, then the directory that lists them, and
//! nothing before, between or behind them. Zip files in general may hold more. Here the last bytes say how long the
//! whole file is, so a reader knows it before it reads the rest, and no bundle has bytes that nothing vouches for.
//!
//! Not here: what the members are (`read`).

use crate::error::{BundleError, BundleResult};
use std::io::{Read, Seek};
use zip::ZipArchive;

/// Bytes at the end of a bundle that say how long it is: a zip's last record, without a comment.
pub const END: usize = 22;

/// Checks a file's length against its last [`END`] bytes (fewer, where it has fewer), so that only what says that it is a
/// bundle is read whole.
///
/// # Errors
/// A file that does not end as a bundle ends, or has another length than it says.
pub fn length(end: &[u8], len: u64) -> BundleResult<()> {
    let word = |at: usize| end.get(at..at + 4).map_or(0, |b| b.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)));
    if end.len() != END || &end[..4] != b"PK\x05\x06" || end[END - 2..] != [0, 0] {
        return Err(BundleError::new("no bundle, or a damaged one: it does not end as a bundle ends"));
    }
    let says = word(16) + word(12) + END as u64;
    if says != len {
        let message = format!("no bundle, or a damaged one: it has {len} bytes, and its end says {says}");
        return Err(BundleError::new(message));
    }
    Ok(())
}

/// Checks that members and directory are all that an archive has. Its end was checked by [`length`].
///
/// # Errors
/// The first place with bytes that belong to nothing.
pub fn only_members<R: Read + Seek>(zip: &mut ZipArchive<R>) -> BundleResult<()> {
    let damaged = |e: &dyn std::fmt::Display| BundleError::new(format!("no bundle, or a damaged one: {e}"));
    let mut at = Vec::with_capacity(zip.len());
    for k in 0..zip.len() {
        let f = zip.by_index(k).map_err(|e| damaged(&e))?;
        at.push((f.header_start(), f.data_start(), f.size(), f.name_raw().len() as u64, f.central_header_start()));
    }
    at.sort_unstable();
    // Headers without further fields: 30 bytes and the name before the data, 46 and the name in the directory.
    let (mut next, mut listed) = (0, zip.central_directory_start());
    for &(header, data, size, name, _) in &at {
        if header != next || data != header + 30 + name {
            return Err(damaged(&format!("bytes {next}..{data} belong to no member")));
        }
        next = data.saturating_add(size);
    }
    at.sort_unstable_by_key(|m| m.4);
    for &(_, _, _, name, central) in &at {
        if central != listed {
            return Err(damaged(&format!("bytes {listed}..{central} of its directory list no member")));
        }
        listed = central + 46 + name;
    }
    match next == zip.central_directory_start() {
        true => Ok(()),
        false => Err(damaged(&format!("bytes {next}..{} belong to no member", zip.central_directory_start()))),
    }
}
