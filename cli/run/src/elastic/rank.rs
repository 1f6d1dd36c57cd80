//! What a rank of an elastic run does otherwise: it knows its generation, goes on from memory, and says by its exit code
//! that it ended because its generation did.

use crate::launch::HANDED;
use crate::{Failed, Result, RunArgs, status};
use meshloom_runtime::elastic::{Handed, Keeper, restore};
use meshloom_runtime::{Session, checkpoint};
use std::path::{Path, PathBuf};

/// What the launcher handed to this rank, if it is one of an elastic run.
///
/// # Errors
/// A variable that no launcher has set.
pub fn handed() -> Result<Option<Handed>> {
    let Ok(text) = std::env::var(HANDED) else { return Ok(None) };
    let handed = serde_json::from_str(&text);
    handed.map(Some).map_err(|e| Failed::usage(format!("{HANDED}: is not what an elastic launcher sets: {e}")))
}

/// Parameters, state and position of the generation before: the step, or `None` where memory has no whole copy.
///
/// # Errors
/// Memory that cannot be opened.
pub fn from_memory(handed: &Handed, session: &mut Session) -> Result<Option<u64>> {
    if handed.generation == 0 {
        return Ok(None);
    }
    match restore(handed, session)? {
        Ok(restored) => {
            status::say("Restored", &format!("from memory after step {restored}"));
            Ok(Some(restored))
        }
        Err(why) => {
            let why = if why.is_empty() { "no copy was kept".to_owned() } else { why.join("; ") };
            status::warning(&format!("memory has no whole copy: {why}; the run goes on from its last checkpoint"));
            Ok(None)
        }
    }
}

/// The options with the checkpoint from which the run goes on, if it does.
///
/// `auto`, and a run that its scheduler has started again, take the newest of `--save`, if there is one. A generation
/// that finds nothing in memory does so too, since its own run has saved there.
///
/// # Errors
/// Options that contradict each other.
pub fn with_checkpoint(args: &RunArgs, handed: Option<&Handed>) -> Result<RunArgs> {
    let auto = args.resume.as_deref() == Some(Path::new("auto"));
    if auto && args.save.is_none() {
        return Err(Failed::usage("--resume auto: there is no --save to find a checkpoint in"));
    }
    if args.resume.is_some() && !args.load.is_empty() && !auto {
        let text = "--resume and --load: a checkpoint has all parameters already";
        return Err(
            Failed::usage(text).help("leave out --load; or, to load at the first start alone, give --resume auto")
        );
    }
    let saved = args.save.clone().filter(|dir| checkpoint::has_checkpoint(dir));
    let from = |resume: Option<PathBuf>| {
        // Weights are for the first start.
        let load = if resume.is_none() { args.load.clone() } else { Vec::new() };
        let rename = args.rename.clone().filter(|_| !load.is_empty());
        Ok(RunArgs { resume, load, rename, ..args.clone() })
    };
    if auto || handed.is_some_and(|h| h.generation > 0) && saved.is_some() {
        return from(saved);
    }
    let again = started_again(&|name| std::env::var(name).ok());
    if args.resume.is_none()
        && let (Some(why), Some(dir)) = (again, &saved)
    {
        status::say("Resuming", &format!("{}, since {why}", dir.display()));
        return from(saved);
    }
    from(args.resume.clone())
}

/// Why this is not the first start of a run, where the scheduler says so to all ranks alike.
///
/// `torchrun` counts restarts on each host by itself, and not those after which the number of hosts is another one. So
/// what counts is whether it may start ranks again at all, which all ranks know.
fn started_again(env: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let positive = |name: &str| env(name).filter(|v| v.trim().parse::<u64>().is_ok_and(|n| n > 0));
    if let Some(n) = positive("SLURM_RESTART_COUNT") {
        return Some(format!("SLURM has put the job into the queue again (SLURM_RESTART_COUNT is {n})"));
    }
    env("TORCHELASTIC_RUN_ID")?;
    let n = positive("TORCHELASTIC_MAX_RESTARTS")?;
    Some(format!("torchrun may have started this run again (TORCHELASTIC_MAX_RESTARTS is {n})"))
}

/// What keeps copies for the next generation.
///
/// # Errors
/// Memory that cannot be opened.
pub fn keeper(handed: Option<&Handed>, session: &Session) -> Result<Option<Keeper>> {
    Ok(handed.map(|h| Keeper::new(h, session)).transpose()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_started_again() {
        let of = |vars: &[(&str, &str)]| {
            started_again(&|name| vars.iter().find(|v| v.0 == name).map(|v| v.1.to_owned())).is_some()
        };
        assert!(of(&[("SLURM_RESTART_COUNT", "2")]));
        assert!(of(&[("TORCHELASTIC_RUN_ID", "x"), ("TORCHELASTIC_MAX_RESTARTS", "3")]));
        assert!(!of(&[("SLURM_RESTART_COUNT", "0")]));
        assert!(!of(&[("TORCHELASTIC_RUN_ID", "x"), ("TORCHELASTIC_MAX_RESTARTS", "0")]));
        assert!(!of(&[("TORCHELASTIC_MAX_RESTARTS", "3")]));
        assert!(!of(&[]));
    }
}
