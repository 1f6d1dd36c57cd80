//! `meshloom new`: a folder to start from, with a small GPT or one of the models of `models/`. No existing file is overwritten.

use super::models::{MODELS, title};
use crate::args::NewArgs;
use meshloom_terminal::{Failed, Result, status};
use std::io::Write;
use std::path::Path;

const MODEL: &str = include_str!("../../template/model.loom");
const README: &str = include_str!("../../template/README.md");

pub fn run(args: &NewArgs) -> Result<()> {
    let Some(dir) = &args.dir else {
        for model in MODELS {
            println!("{:<12} {}", model.0, title(model));
        }
        return Ok(());
    };
    let fail = |p: &Path, e: std::io::Error| Failed::usage(format!("{}: cannot be written: {e}", p.display()));
    // Before a folder is made for nothing.
    let chosen = args.model.as_deref().map(find).transpose()?;
    std::fs::create_dir_all(dir).map_err(|e| fail(dir, e))?;
    let name = dir.canonicalize().ok().and_then(|p| p.file_name().map(|n| n.to_string_lossy().into_owned()));
    let own = README.replace("{name}", &name.unwrap_or_else(|| "model".into()));
    let small = [("model.loom", MODEL), ("README.md", own.as_str())];
    let files = chosen.unwrap_or(&small);
    for (file, _) in files {
        let path = dir.join(file);
        if path.exists() {
            return Err(Failed::usage(format!("{}: exists already", path.display())).help("choose another folder"));
        }
    }
    for (file, text) in files {
        let path = dir.join(file);
        let made = std::fs::OpenOptions::new().write(true).create_new(true).open(&path);
        made.and_then(|mut f| f.write_all(text.as_bytes())).map_err(|e| fail(&path, e))?;
    }
    let names: Vec<&str> = files.iter().map(|f| f.0).collect();
    status::say("Created", &format!("{}: {}", dir.display(), names.join(", ")));
    Ok(())
}

/// The files of a model.
fn find(name: &str) -> Result<&'static [(&'static str, &'static str)]> {
    let names: Vec<&str> = MODELS.iter().map(|m| m.0).collect();
    let found = MODELS.iter().find(|m| m.0 == name);
    found.map(|m| m.1).ok_or_else(|| {
        Failed::usage(format!("there is no model `{name}`")).help(format!("there are {}", names.join(", ")))
    })
}
