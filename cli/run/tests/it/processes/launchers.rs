//! Ranks of `meshloom launch` and of `mpirun`.

use super::*;

/// Runs `meshloom launch`'s part in this process: the result, after `meddle` has had its way with the ranks, once some steps are done.
fn launched(more: &[&str], meddle: impl FnOnce(&dyn Fn(usize) -> i32)) -> BundleResult<(), (i32, String)> {
    let dir = tempfile::tempdir().unwrap();
    bundle(dir.path(), "fit.loomx", 4, "0.5f");
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (file, metrics) = (path("fit.loomx"), path("metrics"));
    let args: Vec<&str> = [&[file.as_str(), "--threads", "1", "--metrics", &metrics][..], &INPUTS, more].concat();
    let launch = RankLaunch {
        program: env!("CARGO_BIN_EXE_meshloom-run").into(),
        args: args.into_iter().map(Into::into).collect(),
        ranks: 4,
        port: None,
        env: Vec::new(),
    };
    std::thread::scope(|s| {
        let all = s.spawn(|| meshloom_run::launch::launch(&launch).map_err(|e| (e.code, e.text())));
        let start = Instant::now();
        let steps = || std::fs::read_to_string(&metrics).map_or(0, |t| t.lines().count());
        while steps() < 3 && !all.is_finished() && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(2));
        }
        meddle(&|rank| process(&file, rank));
        all.join().unwrap()
    })
}

/// The process that runs a bundle as some rank.
fn process(bundle: &str, rank: usize) -> i32 {
    let has = |pid: i32, what: &str, part: &str| {
        let text = std::fs::read(format!("/proc/{pid}/{what}")).unwrap_or_default();
        text.split(|&b| b == 0).any(|word| word == part.as_bytes())
    };
    let all = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|e| e.file_name().to_str()?.parse().ok());
    let ours = |pid: &i32| has(*pid, "cmdline", bundle) && has(*pid, "environ", &format!("RANK={rank}"));
    all.into_iter().find(ours).expect("a rank")
}

#[test]
fn the_launcher_ends_with_its_ranks() {
    assert_eq!(launched(&["--steps", "3"], |_| {}), Ok(()));
    assert_eq!(launched(&["--entry", "none"], |_| {}).map_err(|e| e.0), Err(2));
    // SAFETY: a process that the launcher started and has not waited for.
    let send = |pid: i32, signal: i32| assert_eq!(unsafe { libc::kill(pid, signal) }, 0);
    let forever = ["--steps", "1000000000", "--timeout", "6"];
    let killed = launched(&forever, |pid| send(pid(2), libc::SIGKILL));
    assert_eq!(killed, Err((3, "rank 2 of 4 was killed by signal 9 (SIGKILL; out of memory?)".into())));
    // The others give up, and then the launcher does not wait for the one that hangs.
    let mut stopped = 0;
    let hung = launched(&forever, |pid| {
        stopped = pid(1);
        send(stopped, libc::SIGSTOP);
    });
    assert_eq!(hung, Err((3, "rank 1 of 4 hung, and was killed".into())));
    assert!(!Path::new(&format!("/proc/{stopped}")).exists(), "nothing is left behind");
    // A rank that dies is to blame, also where the launcher has to end another one for it.
    let both = launched(&forever, |pid| {
        let (stopped, killed) = (pid(1), pid(3));
        send(stopped, libc::SIGSTOP);
        send(killed, libc::SIGILL);
    });
    assert_eq!(both, Err((3, "rank 3 of 4 was killed by signal 4 (SIGILL)".into())));
    // A signal to a rank stops the run, whichever rank it is.
    assert_eq!(launched(&forever, |pid| send(pid(2), libc::SIGTERM)), Err((143, String::new())));
}

/// The model of a folder as 4 ranks of `mpirun`, which has its say about root and cores; none where it is not installed.
pub fn under_mpirun(dir: &Path, more: &[&str]) -> Option<Command> {
    if Command::new("mpirun").arg("--version").output().is_err() {
        eprintln!("mpirun is not installed: not tested under it");
        return None;
    }
    let mut c = Command::new("mpirun");
    c.current_dir(dir).args(["-np", "4", "--oversubscribe", "--bind-to", "none", env!("CARGO_BIN_EXE_meshloom-run")]);
    c.args(["fit.loomx", "--threads", "1"]).args(INPUTS).args(more);
    c.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
    for name in ["RANK", "WORLD_SIZE", "SLURM_STEP_ID"] {
        c.env_remove(name);
    }
    c.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Some(c)
}

/// How ranks of `mpirun` can exchange data in this build.
pub const MEANS: &[&str] = if cfg!(feature = "mpi") { &["memory", "mpi"] } else { &["memory"] };

#[test]
fn mpirun_is_a_launcher() {
    let args = ["--steps", "6", "--json", "--save", "c"];
    let mut alone = Ranks::new(1, &args);
    let (expected, saved) = (losses(&alone.finish()[0]), checkpoint(alone.dir.path()));
    for means in MEANS {
        let dir = tempfile::tempdir().unwrap();
        bundle(dir.path(), "fit.loomx", 4, "0.5f");
        let args = [&args[..], &["--collectives", means]].concat();
        let Some(mut c) = under_mpirun(dir.path(), &args) else { return };
        assert_eq!(losses(&ended(c.spawn().unwrap())), expected, "by {means}");
        assert_eq!(checkpoint(dir.path()), saved, "by {means}");
    }
}

/// What happens to ranks of `mpirun` is found out as under any launcher, by messages too.
#[test]
fn a_stopped_or_killed_rank_of_mpirun_is_named() {
    for (means, signal) in MEANS.iter().flat_map(|m| [(m, libc::SIGSTOP), (m, libc::SIGKILL)]) {
        let dir = tempfile::tempdir().unwrap();
        bundle(dir.path(), "fit.loomx", 4, "0.5f");
        let Some(e) = meddled(dir.path(), means, 2, signal) else { return };
        if signal == libc::SIGSTOP {
            all_say(&[e], 3, &["rank 2 did not come to ", "step "]);
        }
    }
}

/// What ranks of `mpirun` that exchange by `means` say, one of which gets a signal once some steps are done. If it was killed, that is
/// said.
pub fn meddled(dir: &Path, means: &str, rank: usize, signal: i32) -> Option<Ended> {
    let path = dir.join("metrics");
    let more = ["--steps", "1000000", "--metrics", "metrics", "--timeout", "8", "--collectives", means];
    let child = under_mpirun(dir, &more)?.env("SLOW_MS", "1").spawn().unwrap();
    let start = Instant::now();
    while std::fs::read_to_string(&path).map_or(0, |t| t.lines().count()) < 3 && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = rank_below(child.id() as i32, &format!("OMPI_COMM_WORLD_RANK={rank}"));
    // SAFETY: a process that mpirun started and has not waited for.
    assert_eq!(unsafe { libc::kill(pid, signal) }, 0);
    let e = ended(child);
    // mpirun may be quicker than the ranks, and says so itself.
    let (ours, mpirun) = (format!("rank {rank} ended without a word (killed?)"), "signal 9 (Killed)");
    let named = signal != libc::SIGKILL || e.stderr.contains(&ours) || e.stderr.contains(mpirun);
    assert!(e.code != Some(0) && named, "by {means}: {:?} {}", e.code, e.stderr);
    Some(e)
}

/// A process that another one started, whose environment has this line.
fn rank_below(parent: i32, line: &str) -> i32 {
    let all = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|e| e.file_name().to_str()?.parse::<i32>().ok());
    let is = |pid: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let ours = stat.rsplit(") ").next().and_then(|s| s.split(' ').nth(1)) == Some(parent.to_string().as_str());
        let environ = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        ours && environ.split(|&b| b == 0).any(|word| word == line.as_bytes())
    };
    all.into_iter().find(is).expect("a rank")
}

#[test]
fn mpi_is_asked_for_in_vain() {
    let mut ranks = Ranks::new(2, &["--collectives", "mpi"]);
    let says = if cfg!(feature = "mpi") { "the ranks were started by torchrun" } else { "this build has no MPI" };
    all_say(&ranks.finish(), 2, &[says]);
}

/// SLURM's requeue, and torchrun where it may start ranks again: the same command begins, and later goes on.
#[test]
fn a_run_that_its_scheduler_starts_again_goes_on() {
    let all = losses(&Ranks::new(1, &["--steps", "6", "--json"]).finish()[0]);
    let torchrun = [("TORCHELASTIC_RUN_ID", "r"), ("TORCHELASTIC_MAX_RESTARTS", "3")];
    let start = |world: usize, steps: &str, to: &str, vars: &[(&str, &str)]| {
        let mut ranks = Ranks::new(world, &["--steps", steps, "--json", "--save", to]);
        ranks.commands.iter_mut().for_each(|c| _ = c.envs(vars.iter().copied()));
        ranks.finish().remove(0)
    };
    let dir = tempfile::tempdir().unwrap();
    for (k, (first, later)) in
        [(&[][..], &[("SLURM_RESTART_COUNT", "1")][..]), (&torchrun, &torchrun)].into_iter().enumerate()
    {
        let to = dir.path().join(k.to_string());
        let to = to.to_str().unwrap();
        assert_eq!(losses(&start(2, "3", to, first)), all[..3]);
        let again = start(4, "6", to, later);
        assert_eq!(losses(&again), all[3..]);
        assert!(again.stderr.contains("Resuming") && again.stderr.contains("after step 3"), "{}", again.stderr);
    }
}
