//! Models of Transformers by their config: `hf:FOLDER` is the train step of the model that a folder's `config.json` describes, as
//! a Python child process traces it from shapes alone. No weights are read, and no network.
//!
//! A process of its own keeps PyTorch out of this one. Which Python it is, `MESHLOOM_PYTHON` says.
//!
//! Not here: how a module becomes a program (python/meshloom/torch).

use crate::args::{Sizes, TracedArgs};
use meshloom_ir::DType;
use meshloom_source::entry::precision_name;
use meshloom_terminal::{Failed, Result, status};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PREFIX: &str = "hf:";
const PIPE: &str = "pipe";

/// The folder or file behind `hf:`.
pub fn model(path: &Path) -> Option<PathBuf> {
    path.to_str()?.strip_prefix(PREFIX).map(PathBuf::from)
}

/// The train step as StableHLO text, or its loss where Loom makes the step (`--accumulate`, `--pipe`).
///
/// # Errors
/// There is no Python, or it lacks a package; no config, or one of which nothing can be traced.
pub fn trace(model: &Path, args: &TracedArgs, precision: Option<DType>, staged: bool) -> Result<String> {
    let (accumulate, chunks) = (args.accumulate.to_string(), args.loss_chunks.to_string());
    let capacity = args.expert_capacity.map(|c| c.to_string());
    let mut more = vec!["--accumulate", &accumulate, "--loss-chunks", &chunks];
    more.extend(capacity.iter().flat_map(|c| ["--expert-capacity", c.as_str()]));
    more.extend(precision.into_iter().flat_map(|p| ["--precision", precision_name(p)]));
    more.extend((staged || args.loom_step).then_some("--staged"));
    traced(model, args, more)
}

/// Whether a step has stages: on an axis that is named, or on the axis `pipe`.
pub fn is_staged(pipe: Option<&str>, mesh: Option<&Sizes>) -> bool {
    let has = |m: &Sizes| m.0.iter().any(|(name, size)| name == PIPE && *size > 1);
    pipe.is_some() || mesh.is_some_and(has)
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
