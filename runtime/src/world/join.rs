//! Joining a run: all ranks meet, compare what they are going to run, and keep their connections.

use super::control::Control;
use super::hear::listen;
use super::link::Link;
use super::messages::{Go, Hello, Message, PROTOCOL, Peer};
use super::rendezvous::{self, Master};
use super::run::{Meetings, OnFailure, World};
use super::secret::JobKey;
use super::spot::Spot;
use super::star::Star;
use super::watch;
use crate::collectives::Transport;
use crate::device::DeviceKind;
use crate::error::{ErrorKind, Result, RuntimeError};
use meshloom_bundle::Bundle;
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What is needed to join a run.
pub struct Join {
    pub rank: usize,
    pub size: usize,
    pub master: Master,
    /// Rank 0's socket, where the launcher made it.
    pub listener: Option<TcpListener>,
    /// The longest that a rank is waited for, at the start and at any collective.
    pub timeout: Duration,
    /// The run's secret, where it has one: who does not know it cannot join.
    pub key: Option<JobKey>,
    /// Options that must be the same on all ranks, by name.
    pub options: BTreeMap<String, String>,
    /// What carries collectives of CPU devices to other hosts.
    pub remote: Option<Remote>,
    /// Of an elastic run. A process of another generation is sent away, and the run does not notice.
    pub generation: u64,
    pub on_failure: OnFailure,
}

/// A way to other hosts.
pub struct Remote {
    /// What ranks compare: `mpi`.
    pub name: String,
    /// Whether it is used on one host too.
    pub forced: bool,
    /// Makes it: all ranks at the same time.
    pub make: Box<dyn FnOnce() -> Result<Box<dyn Transport>> + Send>,
}

impl World {
    /// Meets the other ranks. When it returns, all of them are going to run this bundle with these options.
    ///
    /// # Errors
    /// Ranks that do not come in time, that run something else, or that are on other hosts; a port that is taken.
    pub fn join(bundle: &Bundle, join: Join) -> Result<Arc<World>> {
        let Join { rank, size, master, listener, timeout, key, options, remote, generation, on_failure } = join;
        let own = Hello {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").into(),
            rank,
            world: size,
            generation,
            bundle: bundle.hash.clone(),
            device: DeviceKind::of(&bundle.contents.libraries).name().into(),
            kernels: crate::device::kernels(&bundle.contents.libraries)?,
            options,
            host: host_identity(),
            remote: remote.as_ref().map(|r| r.name.clone()),
            forced: remote.as_ref().is_some_and(|r| r.forced),
            cores: crate::device::affinity(),
            name: std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned(),
            pid: std::process::id(),
        };
        let (control, peers, go) = meet(&own, key.as_ref(), &master, listener, timeout)?;
        let readers = peers.iter().map(|p| p.rank).collect::<Vec<_>>();
        let (link, reads) = Link::new(peers);
        let sharers = go.sharers[rank];
        let meetings = match control {
            Some(c) => Meetings::Memory(c.spinning(crate::device::may_spin(sharers))),
            None => Meetings::Connections(Star::new(size)),
        };
        let transport = match (&go.remote, remote) {
            (Some(_), Some(r)) => Some((r.make)()?),
            _ => None,
        };
        if let Some((r, n)) = transport.as_ref().map(|t| t.place()).filter(|&p| p != (rank, size)) {
            let message = format!("this is rank {rank} of {size}, and to the transport rank {r} of {n}");
            return Err(RuntimeError::usage("rendezvous", message));
        }
        let world = Arc::new(World {
            rank,
            size,
            sharers,
            timeout,
            local: go.local[rank],
            meetings,
            transport,
            tags: Default::default(),
            waits: Default::default(),
            link,
            words: Mutex::default(),
            step: AtomicU64::new(0),
            came: AtomicU64::new(0),
            spot: AtomicU64::new(0),
            timed: Default::default(),
            tallies: Default::default(),
            device: Mutex::new(None),
            supervised: AtomicBool::new(false),
            failed: Mutex::new(None),
            on_this_host: go.hosted[rank],
            judging: AtomicBool::new(false),
            on_failure,
        });
        for (from, read) in readers.into_iter().zip(reads) {
            listen(&world, from, read)?;
        }
        if rank > 0 && world.star().is_some() {
            watch::beat(&world)?;
        }
        world.meet(Spot::START);
        Ok(world)
    }
}

/// Rank 0 waits for the others, and they come to it: shared memory if all are on one host, connections, and what rank 0 said.
fn meet(
    own: &Hello,
    key: Option<&JobKey>,
    master: &Master,
    listener: Option<TcpListener>,
    timeout: Duration,
) -> Result<(Option<Control>, Vec<Peer>, Go)> {
    let (rank, size) = (own.rank, own.world);
    if rank == 0 {
        let listener = match listener {
            Some(l) => l,
            None => bind(master)?,
        };
        let (control, offer) = Control::create(rank, size)?;
        let (peers, go) = rendezvous::serve(own, key, &listener, offer.address(), timeout)?;
        return Ok((go.control.is_some().then_some(control), peers, go));
    }
    let (mut peer, go) = rendezvous::join(own, key, master, timeout)?;
    let control = match go.control.map(|at| Control::open(at, rank, size)).transpose() {
        Ok(c) => c,
        Err(e) => {
            let _ = peer.say(&Message::Failed(e.to_string()));
            return Err(e);
        }
    };
    let gone =
        |e| RuntimeError::new(ErrorKind::Rank, "rendezvous", format!("rank 0 went away before the run began: {e}"));
    peer.say(&Message::Ready).map_err(gone)?;
    Ok((control, vec![peer], go))
}

/// Rank 0's socket: on this host alone, if that is all that the address promises.
fn bind(master: &Master) -> Result<TcpListener> {
    let Master { host, port } = master;
    let fail = |e: std::io::Error| {
        let place = format!("rank 0 at {host}:{port}");
        if e.kind() == std::io::ErrorKind::AddrInUse {
            let m = format!(
                "port {port} is taken by another program: choose another one with MASTER_PORT, the same for all ranks"
            );
            return RuntimeError::usage(place, m);
        }
        RuntimeError::usage(place, format!("cannot listen: {e}"))
    };
    let local = matches!(host.as_str(), "localhost" | "127.0.0.1" | "::1");
    if local {
        return TcpListener::bind((host.as_str(), *port)).map_err(fail);
    }
    TcpListener::bind(("::", *port)).or_else(|_| TcpListener::bind(("0.0.0.0", *port))).map_err(fail)
}

/// Equal for processes that can share memory and see each other in `/proc`.
fn host_identity() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let namespace = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    format!("{} {}", boot.trim(), namespace.display())
}
