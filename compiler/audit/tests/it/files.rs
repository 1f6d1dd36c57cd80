//! Programs that JAX lowered, all dumps among the tests: none of their schedules is refused, for CPUs or for a GPU.
//!
//! Files that are no program as they stand (templates, texts that an error is about) do not compile, and are told.

use meshloom_driver::{CompileOptions, check, pipeline, plan};
use meshloom_kernels::{Device, GpuArch};
use meshloom_source::{Failure, FrontOptions};
use std::path::{Path, PathBuf};

/// The files of a folder and all below it that end so.
fn collect(dir: &Path, ends: &str, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, ends, files);
        } else if path.extension().is_some_and(|e| e == ends) {
            files.push(path);
        }
    }
    files.sort();
}

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

/// What became of the programs of all dumps.
#[derive(Default)]
struct Tally {
    proved: usize,
    refused: Vec<String>,
    open: Vec<String>,
}

impl Tally {
    /// Audits the programs of a text for a CPU and for a GPU. `told`: what is not proved is printed.
    fn add(&mut self, name: &str, text: &str, told: bool) {
        let options = CompileOptions { front: FrontOptions::default(), ..CompileOptions::default() };
        for device in [Device::Cpu, Device::Gpu(GpuArch::Sm90a)] {
            let made = check(name, text, &options).and_then(|p| plan(p, &options));
            let entries = match made.and_then(|p| pipeline::lower_for(p, device)) {
                Ok(p) => p.entries,
                Err((e @ Failure::Internal { .. }, _)) => {
                    println!("{name} on {device:?}: {e}");
                    self.refused.push(format!("{name} on {device:?}: {e}"));
                    continue;
                }
                Err((e, _)) => {
                    println!("{name} on {device:?}: not compiled: {e}");
                    continue;
                }
            };
            for e in &entries {
                let what = e.audit.unfollowed.first().map(|u| format!("{name} `{}` on {device:?}: {u}", e.name));
                match what {
                    None => self.proved += 1,
                    Some(what) => self.open.push(what),
                }
                if told && !e.audit.unfollowed.is_empty() {
                    println!("{}", meshloom_ir::print::print(&e.entry.plan.local));
                    println!("{}", meshloom_lower::executable::print::print(&e.scheduled));
                    e.audit.unfollowed.iter().for_each(|u| println!("{u}"));
                }
            }
        }
    }

    fn of(files: &[PathBuf], only: &str) -> Tally {
        let mut tally = Tally::default();
        for path in files {
            let name = path.strip_prefix(tests()).unwrap_or(path).display().to_string();
            let text = std::fs::read_to_string(path).expect("a dump");
            // Several programs stand in one file.
            for (i, part) in text.split("\n// -----\n").enumerate() {
                // As a file of this name, so that it is read as StableHLO.
                let name = if i == 0 { name.clone() } else { format!("{i}.{name}") };
                if name.contains(only) {
                    tally.add(&name, part, !only.is_empty());
                }
            }
        }
        println!(
            "{} proved\n{} refused:\n{}\n{} open:\n{}",
            tally.proved,
            tally.refused.len(),
            tally.refused.join("\n"),
            tally.open.len(),
            tally.open.join("\n")
        );
        tally
    }
}

fn dumps() -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&tests(), "mlir", &mut files);
    files
}

/// One of every twenty.
#[test]
fn some_dumps_are_accepted() {
    let files: Vec<PathBuf> = dumps().into_iter().step_by(20).collect();
    let tally = Tally::of(&files, "");
    assert!(tally.proved > 10 && tally.refused.is_empty());
}

#[test]
#[ignore = "takes a minute: plans all dumps"]
fn every_dump_is_accepted() {
    // Part of a name; of such programs what is not proved is printed.
    let only = std::env::var("MESHLOOM_ONLY").unwrap_or_default();
    let tally = Tally::of(&dumps(), &only);
    assert!(tally.proved > 0 && tally.refused.is_empty());
}
