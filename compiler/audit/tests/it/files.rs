//! Programs that JAX lowered, all dumps among the tests: none of their schedules is refused, for CPUs or for a GPU.
//!
//! Files that are no program as they stand (templates, texts that an error is about) do not compile, and are told.

use meshloom_driver::{CompileOptions, check, pipeline, plan};
use meshloom_kernels::{Device, GpuArch};
use meshloom_source::FrontOptions;
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

#[test]
#[ignore = "takes half a minute: plans 169 dumps"]
fn every_dump_is_accepted() {
    // Part of a path; of such files what is not proved is printed.
    let only = std::env::var("MESHLOOM_ONLY").unwrap_or_default();
    let mut files = Vec::new();
    collect(&tests(), "mlir", &mut files);
    let (mut proved, mut refused, mut open) = (0, Vec::new(), 0);
    for path in files.iter().filter(|p| p.to_string_lossy().contains(&only)) {
        let name = path.strip_prefix(tests()).unwrap_or(path).display().to_string();
        let text = std::fs::read_to_string(path).expect("a dump");
        let options = CompileOptions { front: FrontOptions::default(), ..CompileOptions::default() };
        for device in [Device::Cpu, Device::Gpu(GpuArch::Sm90a)] {
            let made = check(&name, &text, &options)
                .and_then(|p| plan(p, &options))
                .and_then(|p| pipeline::lower_for(p, device));
            match made {
                Err((e, _)) => println!("{name} on {device:?}: not compiled: {e}"),
                Ok(p) => {
                    for e in &p.entries {
                        match e.audit.unfollowed.first() {
                            None => proved += 1,
                            Some(u) if u.message.starts_with("refused") => {
                                println!("{name} `{}` on {device:?}: {u}", e.name);
                                refused.push(format!("{name} on {device:?}: {u}"))
                            }
                            Some(u) => {
                                open += 1;
                                println!("{name} `{}` on {device:?}: open: {u}", e.name);
                            }
                        }
                        if !only.is_empty() && !e.audit.unfollowed.is_empty() {
                            println!("{}", meshloom_ir::print::print(&e.entry.plan.local));
                            println!("{}", meshloom_schedule::print::print(&e.scheduled));
                        }
                    }
                }
            }
        }
    }
    println!("{proved} proved, {} refused, {open} open", refused.len());
    assert!(proved > 0 && refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}
