//! Runs every file under `filetests/`: see `meshloom_tests::filetest` for the format. `cargo test -p meshloom-tests --test
//! filetests -- plan/` runs those whose path contains `plan/`; INSTA_UPDATE=always rewrites what they expect.

use libtest_mimic::{Arguments, Failed, Trial};
use meshloom_tests::filetest::{FileTest, blessing};
use meshloom_tests::{phases, root};
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let args = Arguments::from_args();
    let dir = root().join("tests/filetests");
    let bless = blessing();
    let mut files = Vec::new();
    collect(&dir, &mut files);
    files.sort();
    let trials = files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&dir).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            let needs_llvm = path.starts_with(dir.join("loom-mlir"));
            Trial::test(name, move || run(&path, bless)).with_ignored_flag(needs_llvm && cfg!(not(feature = "llvm")))
        })
        .collect();
    libtest_mimic::run(&args, trials).exit();
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "loom" || e == "ir") {
            files.push(path);
        }
    }
}

fn run(path: &Path, bless: bool) -> Result<(), Failed> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let test = FileTest::parse(&text)?;
    let output = phases::run(&test)?;
    if bless {
        let blessed = test.blessed(&output);
        if blessed != text {
            fs::write(path, blessed).map_err(|e| format!("{}: {e}", path.display()))?;
        }
        return Ok(());
    }
    Ok(test.compare(&output)?)
}
