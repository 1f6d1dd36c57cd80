//! Models of Transformers by their config: `hf:FOLDER` is the train step of the model that a folder's `config.json` describes, as
//! a Python child process traces it from shapes alone. No weights are read, and no network.
//!
//! A process of its own keeps PyTorch out of this one. Which Python it is, `MESHLOOM_PYTHON` says.
//!
//! Not here: how a module becomes a program (python/meshloom/torch).

use crate::args::TracedArgs;
use meshloom_ir::DType;
use meshloom_source::entry::precision_name;
use meshloom_terminal::{Failed, Result, status};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PREFIX: &str = "hf:";

/// The folder or file behind `hf:`.
pub fn model(path: &Path) -> Option<PathBuf> {
    path.to_str()?.strip_prefix(PREFIX).map(PathBuf::from)
}

/// The train step as StableHLO text.
///
/// # Errors
/// There is no Python, or it lacks a package; no config, or one of which nothing can be traced.
pub fn trace(model: &Path, args: &TracedArgs, precision: Option<DType>) -> Result<String> {
    traced(model, args, precision.into_iter().flat_map(|p| ["--precision", precision_name(p)]).collect())
}

/// Loss and gradients in f32 as StableHLO text that says where modules begin and end.
///
/// # Errors
/// Those of [`trace`].
pub fn boundaries(model: &Path, args: &TracedArgs) -> Result<String> {
    traced(model, args, vec!["--boundaries", "--precision", "f32"])
}

fn traced(model: &Path, args: &TracedArgs, more: Vec<&str>) -> Result<String> {
    let python = std::env::var("MESHLOOM_PYTHON").unwrap_or_else(|_| "python3".into());
    status::say("Tracing", &format!("{PREFIX}{}", model.display()));
    let mut command = Command::new(&python);
    command.args(["-m", "meshloom.torch.trace"]).arg(model);
    command.args(["--seq", &args.seq.to_string(), "--batch", &args.batch.to_string()]);
    command.args(more);
    let done = command.output().map_err(|e| {
        Failed::usage(format!("{PREFIX}{}: `{python}` cannot be run: {e}", model.display()))
            .help("install Python 3.11, and `pip install 'meshloom[torch]'`; MESHLOOM_PYTHON names another Python")
    })?;
    match done.status.success() {
        true => String::from_utf8(done.stdout)
            .map_err(|e| Failed::usage(format!("{PREFIX}{}: not UTF-8 text: {e}", model.display()))),
        false => Err(refused(model, &python, &done)),
    }
}

/// What the child said last. Above it, where it did not expect an error, are the lines of Python that lead there.
fn refused(model: &Path, python: &str, done: &Output) -> Failed {
    let said = String::from_utf8_lossy(&done.stderr);
    let last = said.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("it said nothing").trim();
    let failed = Failed::usage(format!("{PREFIX}{}: {last}", model.display()));
    if last.contains("No module named") {
        return failed
            .help(format!("`{python} -m pip install 'meshloom[torch]'`; MESHLOOM_PYTHON names another Python"));
    }
    failed
}

#[cfg(test)]
mod tests {
    use super::model;
    use std::path::{Path, PathBuf};

    #[test]
    fn what_stands_behind_the_prefix_is_the_model() {
        assert_eq!(model(Path::new("hf:llama/config.json")), Some(PathBuf::from("llama/config.json")));
        assert_eq!(model(Path::new("hf.mlir")), None);
    }
}
