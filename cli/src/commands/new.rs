//! `meshloom new`: a folder to start from. No existing file is overwritten.

use crate::args::NewArgs;
use meshloom_terminal::{Failed, Result, status};
use std::io::Write;
use std::path::Path;

const MODEL: &str = include_str!("../../template/model.loom");
const README: &str = include_str!("../../template/README.md");

pub fn run(args: &NewArgs) -> Result<()> {
    let dir = &args.dir;
    let fail = |p: &Path, e: std::io::Error| Failed::usage(format!("{}: cannot be written: {e}", p.display()));
    std::fs::create_dir_all(dir).map_err(|e| fail(dir, e))?;
    let name = dir.canonicalize().ok().and_then(|p| p.file_name().map(|n| n.to_string_lossy().into_owned()));
    let title = name.unwrap_or_else(|| "model".into());
    let files = [("model.loom", MODEL.to_owned()), ("README.md", README.replace("{name}", &title))];
    for (file, _) in &files {
        let path = dir.join(file);
        if path.exists() {
            return Err(Failed::usage(format!("{}: exists already", path.display())).help("choose another folder"));
        }
    }
    for (file, text) in &files {
        let path = dir.join(file);
        let made = std::fs::OpenOptions::new().write(true).create_new(true).open(&path);
        made.and_then(|mut f| f.write_all(text.as_bytes())).map_err(|e| fail(&path, e))?;
    }
    status::say("Created", &format!("{}: model.loom, README.md", dir.display()));
    Ok(())
}
