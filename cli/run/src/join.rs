//! Finds out whether this process is one of several, and connects it to the others if it is.

use crate::{DeviceArgs, Failed, RESHAPED, Result, RunArgs, interrupt, status};
use meshloom_bundle::Bundle;
use meshloom_runtime::ErrorKind;
use meshloom_runtime::elastic::Handed;
use meshloom_runtime::world::{JobKey, Join, Launcher, Master, Place, Remote, World};
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::os::fd::FromRawFd;
use std::sync::Arc;
use std::time::Duration;

/// The variable in which `meshloom launch` passes rank 0 its socket, so that no other process can take the port in between.
pub(crate) const LISTEN: &str = "MESHLOOM_LISTEN_FD";

/// The variable with the secret that all ranks of a run know, and nobody else.
pub(crate) const KEY: &str = "MESHLOOM_JOB_KEY";

/// Which of how many processes this is; `None` where it is one alone. From here on rank 0 alone speaks.
///
/// # Errors
/// An environment that contradicts itself.
pub fn place(devices: &DeviceArgs) -> Result<Option<Place>> {
    let env = |name: &str| std::env::var(name).ok();
    let place = match devices.launcher.as_str() {
        "none" => None,
        name => Place::detect(&env, Launcher::named(name))?,
    };
    if place.as_ref().is_some_and(|p| p.rank != 0) {
        status::set_second();
    }
    Ok(place)
}

/// Of the plans of a bundle the one that these processes run.
pub fn plan<'b>(bundle: &'b Bundle, place: Option<&Place>, devices: &DeviceArgs) -> &'b Bundle {
    let processes = place.and_then(|p| p.size).map(|n| n as u64);
    let plan = match (devices.devices, processes) {
        (Some(n), _) => bundle.for_devices(n),
        (None, Some(n)) => bundle.for_processes(n),
        (None, None) => None,
    };
    // Where none fits, the first says what does not.
    plan.unwrap_or(bundle)
}

/// The processes of this run; `None` where it is one alone. `handed`: of an elastic run.
///
/// # Errors
/// An environment that contradicts the mesh, and everything that keeps ranks from meeting.
pub fn join(
    bundle: &Bundle,
    place: Option<Place>,
    entry: &str,
    devices: &DeviceArgs,
    args: &RunArgs,
    handed: Option<&Handed>,
) -> Result<Option<Arc<World>>> {
    let Some(place) = place else { return Ok(None) };
    let mesh = bundle.devices() as usize;
    let size = place.size.unwrap_or(mesh);
    let text: Vec<String> = bundle.manifest.mesh.iter().map(|a| format!("{}={}", a.name, a.size)).collect();
    meshloom_runtime::world::share(mesh, 0, size).map_err(|e| {
        Failed::usage(format!("mesh {}: {}", text.join(","), e.message))
            .help("or compile for another mesh with --mesh, or for more than one with --also-mesh; --launcher none runs all devices in this process")
    })?;
    if place.rank >= size {
        let text = format!("this is rank {}, and the mesh has {size} devices, each with a process", place.rank);
        return Err(Failed::usage(text).help("set WORLD_SIZE if there are fewer processes than devices"));
    }
    if size == 1 {
        return Ok(None);
    }
    let Some(host) = place.master else {
        let text = format!("{} does not say where rank 0 is", place.launcher.name());
        return Err(
            Failed::usage(text).help("set MASTER_ADDR to the name or address of its host, the same for all ranks")
        );
    };
    let elastic = handed.is_some();
    let join = Join {
        rank: place.rank,
        size,
        master: Master { host, port: place.port },
        listener: listener()?,
        timeout: Duration::try_from_secs_f64(devices.timeout).unwrap_or(Duration::MAX),
        key: key()?,
        options: options(entry, devices, args),
        remote: remote(place.launcher, &devices.collectives)?,
        generation: handed.map_or(0, |h| h.generation),
        on_failure: Box::new(move |e| {
            meshloom_runtime::checkpoint::release_locks();
            if elastic && e.kind == ErrorKind::Rank {
                // The launcher says who died.
                status::say("Leaving", &e.message);
                interrupt::leave(RESHAPED);
            }
            if ![ErrorKind::Interrupted, ErrorKind::Preempted].contains(&e.kind) {
                status::error(&e.to_string());
            }
        }),
    };
    let world = World::join(bundle, join).map_err(|e| match elastic && e.kind == ErrorKind::Rank {
        // A rank that did not come is the launcher's to find. This one is sound.
        true => {
            status::say("Leaving", &e.to_string());
            Failed::silent(RESHAPED)
        }
        false => e.into(),
    })?;
    interrupt::tell(&world);
    status::say("Joined", &format!("{size} processes, by {}", place.launcher.name()));
    Ok(Some(world))
}

/// The run's secret, if it has one.
fn key() -> Result<Option<JobKey>> {
    match std::env::var(KEY) {
        Ok(text) if text.is_empty() => Err(Failed::usage(format!("{KEY} is empty, and no secret"))),
        Ok(text) => Ok(Some(JobKey::new(text))),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(e) => Err(Failed::usage(format!("{KEY}: {e}"))),
    }
}

/// The options that must be equal on all ranks, since they decide what ranks do together. Paths of files may differ.
fn options(entry: &str, devices: &DeviceArgs, args: &RunArgs) -> BTreeMap<String, String> {
    let given = |b: bool| if b { "given" } else { "not given" }.to_owned();
    let all = [
        ("entry", entry.to_owned()),
        ("collectives", devices.collectives.clone()),
        ("steps", args.steps.map_or_else(|| given(false), |n| n.to_string())),
        ("random-inputs", args.random_inputs.map_or_else(|| given(false), |n| n.to_string())),
        ("inputs", given(!args.inputs.is_empty())),
        ("seed", args.seed.to_string()),
        ("data", given(!args.data.is_empty())),
        ("tokenizer", given(args.tokenizer.is_some())),
        ("eod", args.eod.map_or_else(|| given(false), |n| n.to_string())),
        ("pack", given(args.pack)),
        ("input", args.input.iter().map(|i| i.name.as_str()).collect::<Vec<_>>().join(",")),
        ("eval-every", args.eval_every.map_or_else(|| given(false), |n| n.to_string())),
        ("eval-split", args.eval_split.to_string()),
        ("eval-data", given(!args.eval_data.is_empty())),
        ("eval-batches", args.eval_batches.to_string()),
        ("load", args.load.len().to_string()),
        ("rename", given(args.rename.is_some())),
        ("resume", given(args.resume.is_some())),
        ("save", given(args.save.is_some())),
        ("save-every", args.save_every.to_string()),
        ("check-desync", args.check_desync.to_string()),
        ("stragglers", args.stragglers.map_or_else(|| given(false), |n| n.to_string())),
        ("save-sharded", args.save_sharded.clone()),
        ("save-async", given(args.save_async)),
        ("save-keep", args.save_keep.map_or_else(|| given(false), |n| n.to_string())),
        ("shard-size", args.shard_size.to_string()),
        ("on-nonfinite", args.on_nonfinite.clone()),
        ("save-outputs", given(args.save_outputs.is_some())),
        ("prompt", if args.prompt.is_empty() { given(false) } else { args.prompt.join("\n") }),
        ("tokens", args.tokens.to_string()),
        ("temperature", args.temperature.to_string()),
        ("top-k", args.top_k.to_string()),
        ("top-p", args.top_p.to_string()),
    ];
    all.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
}

/// What carries collectives to other hosts: MPI, where this build has it and an MPI's launcher started the ranks.
fn remote(launcher: Launcher, asked: &str) -> Result<Option<Remote>> {
    let forced = asked == "mpi";
    if !cfg!(feature = "mpi") {
        let text = "--collectives mpi, and this build has no MPI";
        let help = "cargo build --release -p meshloom-run --features mpi, where an MPI is installed";
        return if forced { Err(Failed::usage(text).help(help)) } else { Ok(None) };
    }
    let theirs = matches!(launcher, Launcher::OpenMpi | Launcher::Pmi | Launcher::Slurm);
    if forced && !theirs {
        let text = format!("--collectives mpi, and the ranks were started by {}", launcher.name());
        return Err(Failed::usage(text).help("start them with mpirun, or srun with its PMI"));
    }
    #[cfg(feature = "mpi")]
    if theirs && asked != "memory" {
        use meshloom_runtime::collectives::mpi::Mpi;
        return Ok(Some(Remote { name: "mpi".into(), forced, make: Box::new(|| Ok(Box::new(Mpi::new()?))) }));
    }
    Ok(None)
}

fn listener() -> Result<Option<TcpListener>> {
    let Ok(text) = std::env::var(LISTEN) else { return Ok(None) };
    let fail = || Failed::usage(format!("{LISTEN} is `{}`, and no socket", text.escape_debug()));
    let fd = text.parse().ok().filter(|&fd: &i32| fd > 2).ok_or_else(fail)?;
    // SAFETY: `meshloom launch` passed the descriptor for this process to own, and nothing else here knows its number. If the variable is
    // a lie, the calls below fail on whatever it names, and the process ends.
    let listener = unsafe { TcpListener::from_raw_fd(fd) };
    listener.local_addr().map_err(|_| fail())?;
    Ok(Some(listener))
}
