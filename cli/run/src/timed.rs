//! `--time`: how long one run of an entry takes, without what the host does around it.

use crate::{Failed, Result, interrupt, status};
use meshloom_runtime::Session;
use serde_json::json;
use std::sync::atomic::Ordering::Relaxed;

/// Batches of runs. The median of their means is reported, so that a batch that something delayed does not count.
const BATCHES: usize = 7;
/// The most runs of one batch.
const MOST: f64 = 100_000.0;

/// Times runs for about `seconds`, and prints one JSON object: milliseconds of a run as the median of all batches, those of each batch, and
/// how many runs a batch has.
///
/// # Errors
/// Ctrl-C; what the device says; several processes, which would have to agree on the number of runs.
pub(crate) fn time(session: &mut Session, entry: &str, seconds: f64) -> Result<()> {
    if session.world().is_some() {
        return Err(Failed::usage("--time is for one process").help("--launcher none, or --trace for several"));
    }
    // A first batch is warm, whatever is made at first use.
    session.timed(2)?;
    let once = session.timed(3)?;
    let runs = (seconds / BATCHES as f64 / once.max(1e-9)).clamp(1.0, MOST) as u64;
    let mut batches = Vec::new();
    for _ in 0..BATCHES {
        if interrupt::requested().load(Relaxed) {
            return Err(Failed::silent(interrupt::exit_code()));
        }
        batches.push(session.timed(runs)? * 1e3);
    }
    let mut sorted = batches.clone();
    sorted.sort_by(f64::total_cmp);
    let told = json!({ "entry": entry, "ms": sorted[BATCHES / 2], "batches_ms": batches, "runs": runs });
    status::data(&format!("{told}\n"));
    Ok(())
}
