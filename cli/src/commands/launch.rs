//! `meshloom launch`: runs a bundle as several processes, on this host or, with `mpirun`, on the hosts of a hostfile.
//! An elastic run changes the number of its processes while it goes; `--join` and `--leave` tell the launcher of such a
//! run to do so.

use crate::args::LaunchArgs;
use meshloom_bundle::Bundle;
use meshloom_run::elastic::agent::{self, Elastic};
use meshloom_run::elastic::{Range, Sizes, members};
use meshloom_run::launch::{RankLaunch, launch, listen_to_signals};
use meshloom_runtime::world::hosts::{Host, read_hostfile};
use meshloom_runtime::world::{place::PORT, share};
use meshloom_terminal::{Failed, Result, load, status};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub fn run(args: &LaunchArgs) -> Result<()> {
    let more = &args.elastic;
    if let (Some(launcher), Some((what, n))) =
        (more.to, more.join.map(|n| ("join", n)).or_else(|| more.leave.map(|n| ("leave", n))))
    {
        let there = members::ask(launcher, what, n as usize)?;
        status::say("Told", &format!("launcher {launcher}: {} there now", ranks_of(there)));
        return Ok(());
    }
    let Some(file) = args.bundle.as_deref() else { return Err(Failed::usage("there is no bundle to launch")) };
    let name = file.display();
    // No signature is checked here, since only the number of devices is read. Each rank checks the signature if one is
    // required.
    let bundle = load::bundle(file, None)
        .map_err(|e| e.help("`launch` takes a bundle: meshloom compile model.loom -o model.loomx"))?;
    if let Some(range) = more.elastic {
        return elastic(args, range, file, &bundle);
    }
    let asked = args.nproc_per_node.and_then(|n| bundle.for_processes(n.into())).unwrap_or(&bundle);
    let devices = asked.devices() as usize;
    let hosts = args.hostfile.as_deref().map(read_hostfile).transpose()?;
    let slots = |h: &Vec<Host>| h.iter().map(|h| h.slots).sum();
    let ranks = args.nproc_per_node.map_or_else(|| hosts.as_ref().map_or(devices, slots), |n| n as usize);
    share(devices, 0, ranks).map_err(|e| Failed::usage(format!("{name}: {}", e.message)))?;
    let (program, mut all) = program()?;
    all.push(file.into());
    all.extend(args.args.iter().cloned());
    if let (Some(hosts), Some(file)) = (&hosts, &args.hostfile)
        && let Some(other) = hosts.iter().find(|h| !h.is_here())
    {
        if !cfg!(feature = "mpi") && !args.dry_run {
            let text = format!("host `{}` is another one, and this build has no MPI to reach it by", other.name);
            return Err(
                Failed::usage(text).help("several CPU hosts need a build with the feature `mpi`: docs/running.md")
            );
        }
        return mpirun(args, &hosts[0].name, file, ranks, &program, &all);
    }
    if args.dry_run {
        let port = args.master_port.map_or("PORT".into(), |p| p.to_string());
        let words: Vec<_> = std::iter::once(program.as_os_str()).chain(all.iter().map(|a| a.as_os_str())).collect();
        let words: Vec<_> = words.iter().map(|w| w.to_string_lossy()).collect();
        for r in 0..ranks {
            let line =
                format!("MASTER_ADDR=127.0.0.1 MASTER_PORT={port} RANK={r} WORLD_SIZE={ranks} {}\n", words.join(" "));
            status::data(&line);
        }
        return Ok(());
    }
    status::say(
        "Launching",
        &format!("{name} as {}", status::count(ranks as u64, "process").replace("processs", "processes")),
    );
    launch(&RankLaunch { program, args: all, ranks, port: args.master_port, env: Vec::new() })
}

/// Launches an elastic run: ranks may be lost or join while it goes.
fn elastic(args: &LaunchArgs, range: Range, file: &Path, bundle: &Bundle) -> Result<()> {
    let sizes = Sizes::of(bundle, &file.display().to_string(), range)?;
    let (program, mut all) = program()?;
    all.push(file.into());
    all.extend(args.args.iter().cloned());
    if args.dry_run {
        return Err(Failed::usage("--dry-run: how many ranks an elastic run has is not known before"));
    }
    let seconds = |s: f64| Duration::try_from_secs_f64(s).unwrap_or(Duration::MAX);
    listen_to_signals()?;
    agent::launch(&Elastic {
        program,
        args: all,
        sizes,
        port: args.master_port,
        max_restarts: args.elastic.max_restarts,
        restart_after: seconds(args.elastic.restart_after),
        join_timeout: seconds(args.elastic.join_timeout),
        keep_every: args.elastic.keep_every,
    })
}

fn ranks_of(n: usize) -> String {
    status::count(n as u64, "rank")
}

/// Starts the ranks on several hosts by `mpirun`. This program and the bundle must have the same paths on each host.
fn mpirun(
    args: &LaunchArgs,
    first: &str,
    file: &std::path::Path,
    ranks: usize,
    program: &std::path::Path,
    all: &[OsString],
) -> Result<()> {
    let port = args.master_port.unwrap_or(PORT).to_string();
    let mut c = Command::new("mpirun");
    c.arg("--hostfile").arg(file).args(["-np", &ranks.to_string(), "--map-by", "slot", "--bind-to", "none"]);
    // Rank 0 runs on the first host, so the others connect to that one.
    c.args(["-x", &format!("MASTER_ADDR={first}"), "-x", &format!("MASTER_PORT={port}")]).arg(program).args(all);
    if args.dry_run {
        let words = std::iter::once(c.get_program()).chain(c.get_args()).map(|w| w.to_string_lossy());
        status::data(&format!("{}\n", words.collect::<Vec<_>>().join(" ")));
        return Ok(());
    }
    let fail = |e: std::io::Error| {
        Failed::usage(format!("mpirun cannot be started: {e}"))
            .help("install Open MPI (Debian: openmpi-bin) on all hosts")
    };
    let code = c.status().map_err(fail)?.code().unwrap_or(3);
    if code == 0 { Ok(()) } else { Err(Failed::new(code, format!("mpirun ended with exit code {code}"))) }
}

/// The program that each rank runs, with its first arguments: this program's `run`, or `meshloom-run` beside it if this
/// program was built without LLVM and so has no `run`.
fn program() -> Result<(PathBuf, Vec<OsString>)> {
    let own = std::env::current_exe().map_err(|e| Failed::usage(format!("this program cannot be found: {e}")))?;
    if cfg!(feature = "llvm") {
        return Ok((own, vec!["run".into()]));
    }
    Ok((own.with_file_name("meshloom-run"), Vec::new()))
}
