//! Which rank this process is, and of how many, from the environment that the launcher set.
//!
//! | launcher | rank | world size | on this host |
//! |---|---|---|---|
//! | `torchrun`, `meshloom launch` | `RANK` | `WORLD_SIZE` | `LOCAL_RANK`, `LOCAL_WORLD_SIZE` |
//! | Open MPI | `OMPI_COMM_WORLD_RANK` | `OMPI_COMM_WORLD_SIZE` | `.._LOCAL_RANK`, `.._LOCAL_SIZE` |
//! | PMI (MPICH, Intel MPI) | `PMI_RANK` | `PMI_SIZE` | `MPI_LOCALRANKID`, `MPI_LOCALNRANKS` |
//! | SLURM's `srun` | `SLURM_PROCID` | `SLURM_STEP_NUM_TASKS`, `SLURM_NTASKS` | `SLURM_LOCALID` |
//! | Kubernetes, indexed jobs | `JOB_COMPLETION_INDEX` | `WORLD_SIZE`, else a process for each device | |
//!
//! The first row of the table that is present counts, since the inner of two launchers comes first: `torchrun` under
//! `srun`. Two launchers that contradict each other are an error if neither is known to be the inner one; so is half of
//! a pair. Rank 0 is found by `MASTER_ADDR` and `MASTER_PORT`, whoever set them; else by SLURM's first host; else, if
//! all ranks are on one host, there.
//!
//! This is a pure function of the variables, so tests need not set any.

use super::hosts::first_host;
use crate::error::{Result, RuntimeError};

/// The port of rank 0 where none is set: `torchrun`'s.
pub const PORT: u16 = 29500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launcher {
    Torchrun,
    OpenMpi,
    Pmi,
    Slurm,
    Kubernetes,
}

/// What a launcher calls things.
struct Names {
    launcher: Launcher,
    name: &'static str,
    rank: &'static str,
    size: &'static [&'static str],
    local_rank: &'static str,
    local_size: &'static str,
    /// Without this variable the others do not count: a batch script of SLURM has a rank too, but no step.
    only_with: Option<&'static str>,
}

const TABLE: &[Names] = &[
    Names {
        launcher: Launcher::Torchrun,
        name: "torchrun",
        rank: "RANK",
        size: &["WORLD_SIZE"],
        local_rank: "LOCAL_RANK",
        local_size: "LOCAL_WORLD_SIZE",
        only_with: None,
    },
    Names {
        launcher: Launcher::OpenMpi,
        name: "openmpi",
        rank: "OMPI_COMM_WORLD_RANK",
        size: &["OMPI_COMM_WORLD_SIZE"],
        local_rank: "OMPI_COMM_WORLD_LOCAL_RANK",
        local_size: "OMPI_COMM_WORLD_LOCAL_SIZE",
        only_with: None,
    },
    Names {
        launcher: Launcher::Pmi,
        name: "pmi",
        rank: "PMI_RANK",
        size: &["PMI_SIZE"],
        local_rank: "MPI_LOCALRANKID",
        local_size: "MPI_LOCALNRANKS",
        only_with: None,
    },
    Names {
        launcher: Launcher::Slurm,
        name: "slurm",
        rank: "SLURM_PROCID",
        size: &["SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"],
        local_rank: "SLURM_LOCALID",
        local_size: "SLURM_NTASKS_PER_NODE",
        only_with: Some("SLURM_STEP_ID"),
    },
    Names {
        launcher: Launcher::Kubernetes,
        name: "kubernetes",
        rank: "JOB_COMPLETION_INDEX",
        size: &["WORLD_SIZE"],
        local_rank: "",
        local_size: "",
        only_with: None,
    },
];

impl Launcher {
    /// The names that `--launcher` takes.
    pub const ALL: &'static [&'static str] = &["torchrun", "openmpi", "pmi", "slurm", "kubernetes"];

    pub fn named(name: &str) -> Option<Launcher> {
        TABLE.iter().find(|n| n.name == name).map(|n| n.launcher)
    }

    fn names(self) -> &'static Names {
        TABLE.iter().find(|n| n.launcher == self).unwrap_or(&TABLE[0])
    }

    pub fn name(self) -> &'static str {
        self.names().name
    }
}

/// A process of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub launcher: Launcher,
    pub rank: usize,
    /// `None` where only the program's mesh can say: a process for each device.
    pub size: Option<usize>,
    /// Where rank 0 is; `None` where nothing says so and the ranks may be on several hosts.
    pub master: Option<String>,
    pub port: u16,
}

/// Reads a variable.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Place {
    /// `None` if no launcher is found: one process. `only` names one launcher and ignores all others.
    ///
    /// # Errors
    /// Variables that are no numbers, that are half there, or that contradict each other.
    pub fn detect(env: Env<'_>, only: Option<Launcher>) -> Result<Option<Place>> {
        let here = |n: &&Names| env(n.rank).is_some() && n.only_with.is_none_or(|v| env(v).is_some());
        let found: Vec<&Names> = match only {
            Some(l) => vec![l.names()],
            None => TABLE.iter().filter(here).collect(),
        };
        let Some(&first) = found.first() else { return Ok(None) };
        let (rank, size) = read(env, first)?;
        // Whoever starts a process for each rank says so; a RANK without that may be left over from another day.
        let inner = only.is_some()
            || ["TORCHELASTIC_RUN_ID", "MESHLOOM_LAUNCH"].iter().any(|v| env(v).is_some())
            || first.launcher == Launcher::Kubernetes;
        if !inner {
            for other in &found[1..] {
                // Under SLURM, mpirun starts one task on each host, and these start the ranks.
                let nested = first.launcher != Launcher::Torchrun && other.launcher == Launcher::Slurm;
                let (r, s) = read(env, other)?;
                if !nested && (r, s) != (rank, size) && s.is_some() {
                    let say = |n: &Names, r: usize, s: Option<usize>| {
                        format!("{} says rank {r} of {}", n.rank, s.map_or("?".into(), |s| s.to_string()))
                    };
                    let message = format!(
                        "{}, and {}; say which one counts with --launcher {} or {}",
                        say(first, rank, size),
                        say(other, r, s),
                        first.name,
                        other.name
                    );
                    return Err(RuntimeError::usage("environment", message));
                }
            }
        }
        // Scripts of other launchers set it for what they start.
        if let (Some(size), Some(given)) = (size, number(env, "WORLD_SIZE")?)
            && size != given
            && only.is_none()
            && first.launcher != Launcher::Torchrun
        {
            let message = format!("WORLD_SIZE is {given}, and {} says {size}", first.size[0]);
            return Err(RuntimeError::usage("environment", message));
        }
        let (master, port) = address(env, first, size)?;
        Ok(Some(Place { launcher: first.launcher, rank, size, master, port }))
    }
}

fn read(env: Env<'_>, names: &Names) -> Result<(usize, Option<usize>)> {
    let wrong = |m: String| Err(RuntimeError::usage("environment", m));
    let Some(rank) = number(env, names.rank)? else {
        return wrong(format!("{} is not set, which {} would set", names.rank, names.name));
    };
    let mut size = None;
    for name in names.size {
        size = size.or(number(env, name)?);
    }
    match size {
        None if names.launcher != Launcher::Kubernetes => wrong(format!(
            "{} is {rank}, and {} is not set: both say which process of how many this is (or --launcher none: one alone)",
            names.rank, names.size[0]
        )),
        Some(0) => wrong(format!("{} is 0", names.size[0])),
        Some(n) if rank >= n => {
            wrong(format!("{} is {rank}, and {} is {n}: ranks go from 0 to {}", names.rank, names.size[0], n - 1))
        }
        _ => {
            if let (Some(r), Some(n)) = (number(env, names.local_rank)?, number(env, names.local_size)?)
                && r >= n
            {
                return wrong(format!("{} is {r}, and {} is {n}", names.local_rank, names.local_size));
            }
            Ok((rank, size))
        }
    }
}

fn number(env: Env<'_>, name: &str) -> Result<Option<usize>> {
    let Some(text) = env(name) else { return Ok(None) };
    match text.trim().parse() {
        Ok(n) => Ok(Some(n)),
        Err(_) => {
            Err(RuntimeError::usage("environment", format!("{name} is `{}`, and no number", text.escape_debug())))
        }
    }
}

/// Where rank 0 listens.
fn address(env: Env<'_>, names: &Names, size: Option<usize>) -> Result<(Option<String>, u16)> {
    let job = number(env, "SLURM_JOB_ID").ok().flatten();
    let port = match (number(env, "MASTER_PORT")?, job) {
        (Some(p), _) => u16::try_from(p).ok().filter(|&p| p > 0).ok_or_else(|| {
            RuntimeError::usage("environment", format!("MASTER_PORT is {p}; ports go from 1 to 65535"))
        })?,
        // As JAX does, so that two jobs on one host do not meet.
        (None, Some(job)) => (job % 4096 + 61440) as u16,
        (None, None) => {
            ["PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID"].iter().find_map(|v| env(v)).map_or(PORT, |id| {
                (id.bytes().fold(0u32, |h, b| h.wrapping_mul(31).wrapping_add(b.into())) % 4096 + 61440) as u16
            })
        }
    };
    if let Some(host) = env("MASTER_ADDR").filter(|h| !h.is_empty()) {
        return Ok((Some(host), port));
    }
    let slurm = env("SLURM_STEP_NODELIST").or_else(|| env("SLURM_JOB_NODELIST")).filter(|_| job.is_some());
    if let Some(list) = slurm {
        let host = first_host(&list)
            .ok_or_else(|| RuntimeError::usage("environment", format!("SLURM_STEP_NODELIST `{list}` names no host")))?;
        return Ok((Some(host), port));
    }
    if let (Some(set), Some(jobs)) = (env("JOBSET_NAME"), env("REPLICATED_JOB_NAME")) {
        return Ok((Some(format!("{set}-{jobs}-0-0.{set}")), port));
    }
    let local = number(env, names.local_size)?;
    Ok(((size.is_some() && local == size).then(|| "127.0.0.1".into()), port))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(vars: &[(&str, &str)]) -> Result<Option<Place>, String> {
        let get = |name: &str| vars.iter().find(|v| v.0 == name).map(|v| v.1.to_owned());
        Place::detect(&get, None).map_err(|e| e.message)
    }

    fn said(vars: &[(&str, &str)]) -> (&'static str, usize, Option<usize>, Option<String>, u16) {
        let p = of(vars).unwrap().unwrap();
        (p.launcher.name(), p.rank, p.size, p.master, p.port)
    }

    #[test]
    fn every_launcher() {
        let host = |h: &str| Some(h.to_owned());
        assert_eq!(of(&[]), Ok(None));
        assert_eq!(
            said(&[("RANK", "3"), ("WORLD_SIZE", "4"), ("MASTER_ADDR", "a"), ("MASTER_PORT", "77")]),
            ("torchrun", 3, Some(4), host("a"), 77)
        );
        assert_eq!(
            said(&[
                ("OMPI_COMM_WORLD_RANK", "1"),
                ("OMPI_COMM_WORLD_SIZE", "2"),
                ("OMPI_COMM_WORLD_LOCAL_RANK", "1"),
                ("OMPI_COMM_WORLD_LOCAL_SIZE", "2")
            ]),
            ("openmpi", 1, Some(2), host("127.0.0.1"), PORT)
        );
        assert_eq!(said(&[("PMI_RANK", "0"), ("PMI_SIZE", "2")]), ("pmi", 0, Some(2), None, PORT));
        assert_eq!(
            said(&[
                ("SLURM_PROCID", "9"),
                ("SLURM_STEP_ID", "0"),
                ("SLURM_NTASKS", "16"),
                ("SLURM_JOB_ID", "4097"),
                ("SLURM_STEP_NODELIST", "node[007-008,11]")
            ]),
            ("slurm", 9, Some(16), host("node007"), 61441)
        );
        assert_eq!(
            said(&[("JOB_COMPLETION_INDEX", "2"), ("MASTER_ADDR", "gpt-0.gpt")]),
            ("kubernetes", 2, None, host("gpt-0.gpt"), PORT)
        );
        assert_eq!(
            said(&[
                ("JOB_COMPLETION_INDEX", "0"),
                ("JOBSET_NAME", "s"),
                ("REPLICATED_JOB_NAME", "w"),
                ("WORLD_SIZE", "2")
            ]),
            ("kubernetes", 0, Some(2), host("s-w-0-0.s"), PORT)
        );
        // A batch script of SLURM is one process, whatever its job has room for.
        assert_eq!(of(&[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "4")]), Ok(None));
    }

    #[test]
    fn the_inner_launcher_counts() {
        let slurm = [("SLURM_PROCID", "1"), ("SLURM_STEP_ID", "0"), ("SLURM_NTASKS", "2")];
        let with = |more: &[(&'static str, &'static str)]| [&slurm, more].concat();
        let torch = with(&[("RANK", "9"), ("WORLD_SIZE", "16"), ("TORCHELASTIC_RUN_ID", "x")]);
        assert_eq!(said(&torch).0, "torchrun");
        let mpi = with(&[("OMPI_COMM_WORLD_RANK", "5"), ("OMPI_COMM_WORLD_SIZE", "8")]);
        assert_eq!((said(&mpi).0, said(&mpi).1), ("openmpi", 5));
        let get = |name: &str| torch.iter().find(|v| v.0 == name).map(|v| v.1.to_owned());
        let asked = Place::detect(&get, Some(Launcher::Slurm)).unwrap().unwrap();
        assert_eq!((asked.rank, asked.size), (1, Some(2)));
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        let wrong = |vars: &[(&str, &str)], part: &str| {
            let e = of(vars).expect_err(part);
            assert!(e.contains(part), "{e}");
        };
        wrong(&[("RANK", "1")], "WORLD_SIZE is not set");
        wrong(&[("RANK", "4"), ("WORLD_SIZE", "4")], "ranks go from 0 to 3");
        wrong(&[("RANK", "x"), ("WORLD_SIZE", "4")], "RANK is `x`, and no number");
        wrong(&[("RANK", "0"), ("WORLD_SIZE", "0")], "WORLD_SIZE is 0");
        wrong(&[("RANK", "0"), ("WORLD_SIZE", "2"), ("MASTER_PORT", "99999")], "ports go from 1 to 65535");
        wrong(
            &[("RANK", "0"), ("WORLD_SIZE", "4"), ("LOCAL_RANK", "3"), ("LOCAL_WORLD_SIZE", "2")],
            "LOCAL_RANK is 3, and LOCAL_WORLD_SIZE is 2",
        );
        // Left over in a shell: four processes that all believe to be alone would write over each other's files.
        wrong(
            &[("RANK", "0"), ("WORLD_SIZE", "1"), ("OMPI_COMM_WORLD_RANK", "2"), ("OMPI_COMM_WORLD_SIZE", "4")],
            "RANK says rank 0 of 1, and OMPI_COMM_WORLD_RANK says rank 2 of 4; say which one counts with --launcher torchrun or openmpi",
        );
        wrong(
            &[("OMPI_COMM_WORLD_RANK", "2"), ("OMPI_COMM_WORLD_SIZE", "4"), ("WORLD_SIZE", "8")],
            "WORLD_SIZE is 8, and OMPI_COMM_WORLD_SIZE says 4",
        );
    }
}
