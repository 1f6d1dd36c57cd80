//! What `meshloom_strategy` is handed by this crate: the front end, plans that are certified, and threads.
//!
//! Not here: which choices there are ([`meshloom_strategy`]).

use crate::attempt::attempt;
use crate::front::{check, is_stablehlo};
use crate::parallel;
use crate::program::CompileOptions;
use meshloom_report::{DevicesReport, SweepReport};
use meshloom_source::{CompileResult, Failure};
use meshloom_strategy::compiler::{Attempt, Compiler, GivenSource};
use meshloom_strategy::devices;
use meshloom_strategy::entry::Elaborated;
use meshloom_strategy::settings::Settings;

/// Meshes of so many devices, the fastest first.
///
/// # Errors
/// Those of [`devices::choose`].
pub fn devices(path: &str, text: &str, options: &CompileOptions, count: u64) -> CompileResult<DevicesReport> {
    devices::choose(&Phases { path, text, options }, &options.settings(), count)
}

/// Many ways to use so many devices, of which at most `most` are planned in full.
///
/// # Errors
/// Those of [`devices::sweep::sweep`].
pub fn sweep(path: &str, text: &str, options: &CompileOptions, count: u64, most: usize) -> CompileResult<SweepReport> {
    devices::sweep::sweep(&Phases { path, text, options }, &options.settings(), count, most)
}

/// Whether a program is a traced one that names no mesh, and the meshes of so many devices that it can be planned on: none where those of
/// `--mesh` have another product. None for other programs, whose meshes [`devices`] chooses.
pub fn traced(path: &str, text: &str, options: &CompileOptions, count: u64) -> Option<Vec<Vec<(String, u64)>>> {
    let mut alone = options.clone();
    alone.front.mesh = None;
    let one = |p: &crate::Program| p.entries.iter().all(|e| e.mesh().devices() == 1);
    if !is_stablehlo(path) || !check(path, text, &alone).is_ok_and(|p| one(&p)) {
        return None;
    }
    let node = options.plan.target.levels.first().and_then(|l| l.devices).unwrap_or(count);
    Some(devices::traced::meshes(count, node, options.front.mesh.as_deref().unwrap_or_default()))
}

/// The phases for one source, under options of which settings are changed.
pub(crate) struct Phases<'a> {
    pub path: &'a str,
    pub text: &'a str,
    pub options: &'a CompileOptions,
}

impl Compiler for Phases<'_> {
    fn source(&self) -> GivenSource<'_> {
        GivenSource { path: self.path, text: self.text, is_loom: !is_stablehlo(self.path) }
    }

    fn entries(&self, settings: &Settings) -> CompileResult<Vec<Elaborated>> {
        check(self.path, self.text, &self.options.with(settings)).map(|program| program.entries)
    }

    fn plan(&self, entry: &Elaborated, settings: &Settings) -> Result<Attempt, Failure> {
        attempt(entry, settings)
    }

    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        let numbers: Vec<usize> = (0..count).collect();
        let progress = &self.options.progress;
        progress.expect(count);
        parallel::map(&numbers, |n| {
            work(*n);
            progress.done();
        });
    }
}
