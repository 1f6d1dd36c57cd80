//! `meshloom launch`: a bundle as several processes on this host.

use crate::args::LaunchArgs;
use meshloom_bundle::Bundle;
use meshloom_run::launch::{Launch, launch};
use meshloom_run::{Failed, Result, status};
use meshloom_runtime::world::hosts::{Host, read_hostfile};
use meshloom_runtime::world::share;
use std::ffi::OsString;
use std::path::PathBuf;

pub fn run(args: &LaunchArgs) -> Result<()> {
    let name = args.bundle.display();
    let bytes = std::fs::read(&args.bundle).map_err(|e| Failed::usage(format!("{name}: cannot be read: {e}")))?;
    let bundle = Bundle::read(&bytes).map_err(|e| {
        Failed::usage(format!("{name}: {e}"))
            .help("`launch` takes a bundle: meshloom compile model.loom -o model.loomx")
    })?;
    let devices = bundle.manifest.mesh.iter().map(|a| a.size as usize).product::<usize>();
    let hosts = args.hostfile.as_deref().map(read_hostfile).transpose()?;
    if let Some(other) = hosts.iter().flatten().find(|h| !h.is_here()) {
        let text =
            format!("host `{}` is another one, and this build shares memory between processes of one", other.name);
        return Err(Failed::usage(text).help("several CPU hosts need MPI: docs/running.md"));
    }
    let slots = |h: &Vec<Host>| h.iter().map(|h| h.slots).sum();
    let ranks = args.nproc_per_node.map_or_else(|| hosts.as_ref().map_or(devices, slots), |n| n as usize);
    share(devices, 0, ranks).map_err(|e| Failed::usage(format!("{name}: {}", e.message)))?;
    let (program, mut all) = program()?;
    all.push(args.bundle.clone().into());
    all.extend(args.args.iter().cloned());
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
    launch(&Launch { program, args: all, ranks, port: args.master_port })
}

/// This program's `run`, or the runtime beside it where it was built without.
fn program() -> Result<(PathBuf, Vec<OsString>)> {
    let own = std::env::current_exe().map_err(|e| Failed::usage(format!("this program cannot be found: {e}")))?;
    if cfg!(feature = "llvm") {
        return Ok((own, vec!["run".into()]));
    }
    Ok((own.with_file_name("meshloom-run"), Vec::new()))
}
