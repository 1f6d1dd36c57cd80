//! Devices shared out to ranks, and ranks in messages.

use crate::error::{Result, RuntimeError};
use std::ops::Range;

/// The devices of one of several processes.
///
/// # Errors
/// They cannot be shared out evenly.
pub fn share(devices: usize, rank: usize, size: usize) -> Result<Range<usize>> {
    if size == 0 || !devices.is_multiple_of(size) {
        let fits: Vec<String> = (1..=devices).filter(|n| devices.is_multiple_of(*n)).map(|n| n.to_string()).collect();
        let message =
            format!("{devices} devices cannot be shared evenly by {size} processes: start {}", fits.join(" or "));
        return Err(RuntimeError::usage("world size", message));
    }
    let each = devices / size;
    Ok(rank * each..(rank + 1) * each)
}

/// `rank 2`, `ranks 1, 2, 5`
pub fn ranks(all: &[usize]) -> String {
    let text: Vec<String> = all.iter().map(usize::to_string).collect();
    format!("rank{} {}", if all.len() == 1 { "" } else { "s" }, text.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_shared_evenly() {
        assert_eq!(share(8, 1, 4), Ok(2..4));
        assert_eq!(share(4, 3, 4), Ok(3..4));
        let e = share(4, 0, 3).unwrap_err();
        assert_eq!(e.message, "4 devices cannot be shared evenly by 3 processes: start 1 or 2 or 4");
    }
}
