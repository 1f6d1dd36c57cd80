//! Fuzzing without a nightly compiler or a network: seeded mutations of the examples, by the language's own tokens, fed
//! to everything that reads users' files.
//!
//! ```text
//! cargo run -p meshloom-fuzz -- --seconds 3600
//! cargo run -p meshloom-fuzz -- --seed 17 --each 3600 --spent tests/fuzz/spent.txt
//! ```
//!
//! The second form goes on where the runs before ended ([`spent`]), until each target has had an hour of a processor in all.
//!
//! A finding is a panic, an empty answer, an error that calls itself a bug, a case that takes longer than [`SLOW`], or
//! a case that takes more memory than its target may ([`memory`]). A case that ends the process (it does not end within
//! [`HUNG`], or takes more memory than [`memory::limit`] allows) is left in a file. Target, seed and number alone
//! determine a case, so each finding can be reproduced.
//!
//! Not here: coverage guidance, which needs an instrumented compiler.

pub mod files;
pub mod memory;
pub mod mutate;
mod sources;
pub mod spent;
pub mod staged;
pub mod targets;

use mutate::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use targets::FuzzTarget;

/// Longest time of a processor for one case, in a debug build. A busy machine makes no finding.
pub const SLOW: Duration = Duration::from_secs(20);
/// Time of a processor after which a case is taken to have no end; the process ends then.
pub const HUNG: Duration = Duration::from_secs(120);

/// What went wrong, and with which input.
#[derive(Debug)]
pub struct Finding {
    pub target: &'static str,
    pub case: u64,
    pub what: String,
    pub input: Vec<u8>,
}

/// The input of a case.
pub fn input(target: &FuzzTarget, seed: u64, case: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    (target.make)(&mut rng)
}

/// Runs one case.
///
/// # Errors
/// The finding.
pub fn one(target: &FuzzTarget, seed: u64, case: u64) -> Result<(), Finding> {
    let input = input(target, seed, case);
    let (before, start) = (memory::begin(), cpu_time());
    let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
    let (spent, held) = (cpu_time().saturating_sub(start), memory::peak().saturating_sub(before));
    let what = match outcome {
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
            Some(format!("panic: {}", text.unwrap_or_default()))
        }
        Ok(Err(what)) => Some(what),
        Ok(Ok(())) if spent > SLOW => Some(format!("took {:.1} s", spent.as_secs_f64())),
        Ok(Ok(())) if held > target.heavy => Some(format!("held {} MiB", held >> 20)),
        Ok(Ok(())) => None,
    };
    match what {
        Some(what) => Err(Finding { target: target.name, case, what, input }),
        None => Ok(()),
    }
}

/// Processor time of this process so far; 0 where the system does not say.
pub fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which may hold anything: utime and stime, in hundredths of a second.
    let fields = stat.rsplit(')').next().unwrap_or("").split_whitespace().skip(11).take(2);
    Duration::from_millis(fields.filter_map(|f| f.parse::<u64>().ok()).sum::<u64>() * 10)
}
