//! How many ranks take part in a generation: the most for which the bundle has a plan.

use crate::{Failed, Result};
use meshloom_bundle::{Bundle, LibraryKind};
use std::str::FromStr;

/// `2..8`, both included; as `torchrun` writes it, `2:8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub min: usize,
    pub max: usize,
}

impl FromStr for Range {
    type Err = String;

    fn from_str(s: &str) -> Result<Range, String> {
        let wrong = || format!("`{s}` is not of the form MIN..MAX, such as 2..8");
        let (min, max) = s.split_once("..").or_else(|| s.split_once(':')).ok_or_else(wrong)?;
        let number = |t: &str| t.trim().parse::<usize>().ok().filter(|n| (1..=4096).contains(n)).ok_or_else(wrong);
        let range = Range { min: number(min)?, max: number(max)? };
        if range.min > range.max { Err(format!("{} is more than {}", range.min, range.max)) } else { Ok(range) }
    }
}

/// The numbers of ranks that a bundle can run with, within a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    pub range: Range,
    /// Ascending, each with the mesh of its plan in words.
    fits: Vec<(usize, String)>,
}

impl Sizes {
    /// # Errors
    /// The bundle has no plan for any number of the range.
    pub fn of(bundle: &Bundle, name: &str, range: Range) -> Result<Sizes> {
        // A process has one GPU, or any number of CPU devices.
        let gpu = bundle.manifest.libraries.iter().any(|l| l.kind != LibraryKind::ElfSo);
        let one = |n: usize| {
            let plan = if gpu { bundle.for_devices(n as u64) } else { bundle.for_processes(n as u64) };
            plan.map(|p| (n, describe(p)))
        };
        let fits: Vec<(usize, String)> = (range.min..=range.max).filter_map(one).collect();
        if fits.is_empty() {
            let plans: Vec<String> = bundle.plans().map(describe).collect();
            let text = format!(
                "--elastic {}..{}: {name} has no plan for so many ranks; it has plans for {}",
                range.min,
                range.max,
                plans.join("; ")
            );
            return Err(Failed::usage(text)
                .help("compile it with --also-mesh AXIS=N,.. for each number of ranks that is to be used"));
        }
        Ok(Sizes { range, fits })
    }

    /// Ranks that take part where so many are there, and the mesh. `None` if they are too few.
    pub fn choose(&self, there: usize) -> Option<(usize, &str)> {
        self.fits.iter().rev().find(|f| f.0 <= there).map(|f| (f.0, f.1.as_str()))
    }

    /// The fewest ranks that can run.
    pub fn least(&self) -> usize {
        self.fits.first().map_or(self.range.min, |f| f.0)
    }
}

fn describe(bundle: &Bundle) -> String {
    let axes: Vec<String> =
        bundle.manifest.mesh.iter().filter(|a| a.size != 1).map(|a| format!("{}={}", a.name, a.size)).collect();
    let devices = crate::status::count(bundle.devices(), "device");
    if axes.is_empty() { devices } else { format!("{devices} ({})", axes.join(",")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!("2..8".parse(), Ok(Range { min: 2, max: 8 }));
        assert_eq!("2:8".parse(), Ok(Range { min: 2, max: 8 }));
        for wrong in ["", "8", "0..3", "5..2", "a..b", "1..9999"] {
            assert!(wrong.parse::<Range>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_most_for_which_there_is_a_plan() {
        let fits = [2, 4, 5, 8].map(|n| (n, format!("{n} devices"))).into();
        let sizes = Sizes { range: Range { min: 2, max: 8 }, fits };
        let chosen = [1, 2, 3, 4, 7, 8, 9].map(|n| sizes.choose(n).map(|c| c.0));
        assert_eq!(chosen, [None, Some(2), Some(2), Some(4), Some(5), Some(8), Some(8)]);
        assert_eq!(sizes.least(), 2);
    }
}
