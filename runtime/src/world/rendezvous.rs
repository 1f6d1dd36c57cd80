//! Before the first step: rank 0 listens, the others connect, and all find out whether they are going to run the same
//! thing.
//!
//! Each rank says what it runs (a [`Hello`]), and rank 0 compares all of them with its own. It tells everybody either to
//! start, with what they need to find each other's memory, or what is wrong. The connections stay open as the run's
//! [`super::link`].
//!
//! A rank that is lost, late or does not come is an accident (exit code 3), and the next try may go well. A rank that runs
//! something else, a program that is no rank, or a name that nobody knows is wrong input (2).
//!
//! As with `torchrun`, whoever can reach the port can join or disturb a run without a secret ([`super::secret`]). Nothing
//! but [`super::messages`] is ever taken from it.

use super::gate::{Arrived, LINGER, arrivals};
use super::messages::{Go, Hello, Message, PROTOCOL, Peer};
use super::secret::{JobKey, Nonce, Prover};
use super::segment::Address;
use crate::error::{ErrorKind as Kind, Result, RuntimeError};
use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// What rank 0 does. `control` is offered to all, if all are on its host.
///
/// # Errors
/// Ranks that do not come, that end before the others come, or that run something else.
pub fn serve(
    own: &Hello,
    key: Option<&JobKey>,
    listener: &TcpListener,
    control: Address,
    timeout: Duration,
) -> Result<(Vec<Peer>, Go)> {
    let place = listener.local_addr().map_or_else(|_| "rendezvous".into(), |a| format!("rendezvous at {a}"));
    let Arrived { mut peers, mut hellos, refused, strangers } =
        arrivals(own, key, listener, timeout).map_err(|e| RuntimeError::usage(place.clone(), e.to_string()))?;
    let absent = || {
        let mut why = absent(own, &hellos, timeout)?;
        if let Some(from) = strangers.first() {
            why += &format!("; a process at {from} came that does not know this rank's MESHLOOM_JOB_KEY");
        }
        Some(RuntimeError::new(Kind::Rank, "", why))
    };
    let unreachable = || unreachable(own, &hellos).map(|why| RuntimeError::usage("", why));
    if let Some(e) = refused.or_else(absent).or_else(unreachable) {
        let m = if e.kind == Kind::Usage { Message::Refused } else { Message::Failed };
        peers.iter_mut().for_each(|p| _ = p.say(&m(e.message.clone())));
        return Err(RuntimeError { place, ..e });
    }
    hellos.sort_by_key(|h| h.rank);
    let go = Box::new(go(own, &hellos, control));
    let began = begin(&mut peers, &go, key, timeout);
    began.map_err(|(rank, e)| {
        let why = format!("{} went away before the run began: {e}", hellos[rank].who());
        // Those that are ready wait for a word.
        peers.iter_mut().for_each(|p| _ = p.say(&Message::Failed(why.clone())));
        RuntimeError::new(Kind::Rank, place, why)
    })?;
    Ok((peers, *go))
}

/// Tells all ranks to go, and waits until they are ready; else the rank that is not, and why.
fn begin(peers: &mut [Peer], go: &Go, key: Option<&JobKey>, timeout: Duration) -> Result<(), (usize, String)> {
    for p in peers.iter_mut() {
        let proof = key.zip(p.nonces).map(|(k, nonces)| k.prove(Prover::First, nonces, go));
        p.say(&Message::Go(Box::new(go.clone()), proof)).map_err(|e| (p.rank, e.to_string()))?;
    }
    let until = later(timeout);
    for p in peers {
        match p.hear_by(until) {
            Ok(Some(Message::Ready)) => {}
            Ok(Some(Message::Failed(message))) => return Err((p.rank, message)),
            Ok(_) => return Err((p.rank, "its connection was closed".into())),
            Err(e) => return Err((p.rank, e.to_string())),
        }
    }
    Ok(())
}

/// A time that far from now; very far is as good as never.
fn later(timeout: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(timeout).unwrap_or(now + Duration::from_secs(1 << 30))
}

/// Ranks that did not come.
fn absent(own: &Hello, hellos: &[Hello], timeout: Duration) -> Option<String> {
    let missing: Vec<usize> = (0..own.world).filter(|&r| hellos.iter().all(|h| h.rank != r)).collect();
    if missing.is_empty() {
        return None;
    }
    let who = super::ranks::ranks(&missing);
    Some(format!("{who} of {} did not come within {} s", own.world, timeout.as_secs_f64()))
}

/// Whether ranks are on several hosts.
fn several_hosts(own: &Hello, hellos: &[Hello]) -> bool {
    own.forced || hellos.iter().any(|h| h.host != own.host)
}

/// Why CPU devices of several hosts cannot exchange data. GPUs have NCCL for that.
fn unreachable(own: &Hello, hellos: &[Hello]) -> Option<String> {
    if own.device != "cpu" || !several_hosts(own, hellos) {
        return None;
    }
    if let Some(other) = hellos.iter().find(|h| h.host != own.host)
        && own.remote.is_none()
    {
        return Some(format!(
            "rank {} is on {}, and rank 0 on {}: devices of several CPU hosts exchange data by MPI, so start them with mpirun, and \
             with a build that has it (cargo feature `mpi`)",
            other.rank, other.name, own.name
        ));
    }
    let other = hellos.iter().find(|h| h.remote != own.remote)?;
    let name = |h: &Hello| h.remote.clone().unwrap_or_else(|| "nothing".into());
    let (theirs, ours) = (name(other), name(own));
    Some(format!("rank {} has {theirs} to reach other hosts by, and rank 0 has {ours}", other.rank))
}

/// What all ranks are told, `hellos` being in the order of ranks.
fn go(own: &Hello, hellos: &[Hello], control: Address) -> Go {
    let (cpu, remote) = (own.device == "cpu", several_hosts(own, hellos));
    let same = |a: &Hello, b: &Hello| (&a.host, &a.cores) == (&b.host, &b.cores);
    let sharers = hellos.iter().map(|h| hellos.iter().filter(|o| same(o, h)).count()).collect();
    let local = |h: &Hello| hellos[..h.rank].iter().filter(|o| o.host == h.host).count();
    Go {
        // Memory shows where a process is and not where its GPU is.
        control: Some(control).filter(|_| cpu && !remote),
        remote: own.remote.clone().filter(|_| cpu && remote),
        local: hellos.iter().map(local).collect(),
        hosted: hellos.iter().map(|h| hellos.iter().filter(|o| o.host == h.host).count()).collect(),
        sharers,
    }
}

/// Where rank 0 is.
pub struct Master {
    pub host: String,
    pub port: u16,
}

/// What the other ranks do. The caller answers with [`Message::Ready`] once it has opened what the message names.
///
/// # Errors
/// No process at the address, another program there, rank 0's refusal, or its end.
pub fn join(own: &Hello, key: Option<&JobKey>, master: &Master, timeout: Duration) -> Result<(Peer, Go)> {
    let until = later(timeout);
    let Master { host, port } = master;
    let place = format!("rank 0 at {host}:{port}");
    let fail = |m: String| RuntimeError::usage(place.clone(), m);
    let lost = |m: String| RuntimeError::new(Kind::Rank, place.clone(), m);
    let stream =
        connect(master, until).map_err(|(kind, e)| RuntimeError::new(kind, place.clone(), unanswered(timeout, &e)))?;
    let mut peer = Peer::new(stream, 0).map_err(|e| RuntimeError::new(blame(&e), place.clone(), e.to_string()))?;
    let no_answer = |e: std::io::Error| match e.kind() {
        ErrorKind::InvalidData => fail("somebody answers, and it is no rank 0: another program holds the port".into()),
        ErrorKind::TimedOut => lost(format!("said nothing within {} s", timeout.as_secs_f64())),
        _ => lost(format!("the connection was lost: {e}")),
    };
    let theirs = Nonce::draw().map_err(|e| fail(e.to_string()))?;
    let _ = peer.say(&Message::Knock { protocol: PROTOCOL, nonce: theirs });
    let nonces = match peer.hear_by(until + LINGER).map_err(no_answer)? {
        Some(Message::Challenge { protocol, .. }) if protocol != PROTOCOL => {
            return Err(fail(format!("speaks version {protocol} of the rendezvous, and this process {PROTOCOL}")));
        }
        Some(Message::Challenge { keyed: true, .. }) if key.is_none() => {
            return Err(fail("asks for the MESHLOOM_JOB_KEY of its run, and this process has none".into()));
        }
        Some(Message::Challenge { keyed: false, .. }) if key.is_some() => {
            return Err(fail("has no MESHLOOM_JOB_KEY, and this process has one".into()));
        }
        Some(Message::Challenge { nonce, .. }) => [theirs, nonce],
        Some(_) => return Err(fail("answers, and not as a rank 0 of this version".into())),
        None => return Err(lost("closed the connection; what it says tells why".into())),
    };
    let hello = Box::new(own.clone());
    let proof = key.map(|k| k.prove(Prover::Joining, nonces, &hello));
    // Who is refused hears of it before the rest of what it says is read, so a failed write is no reason to stop.
    let _ = peer.say(&Message::Hello(hello, proof));
    let fits = |go: &Go| [go.sharers.len(), go.local.len(), go.hosted.len()] == [own.world; 3];
    match peer.hear_by(until + LINGER) {
        Ok(Some(Message::Go(go, proof))) if fits(&go) => {
            if key.is_some_and(|k| !k.holds(proof, Prover::First, nonces, &go)) {
                return Err(fail("does not know the MESHLOOM_JOB_KEY of this process".into()));
            }
            Ok((peer, *go))
        }
        Ok(Some(Message::Refused(why))) => Err(RuntimeError::usage("rendezvous", why)),
        Ok(Some(Message::Failed(why))) => Err(RuntimeError::new(Kind::Rank, "rendezvous", why)),
        Ok(Some(_)) => Err(fail("answers, and not as a rank 0 of this version".into())),
        // A connection that is reset was closed, too.
        Ok(None) => Err(ended(host, *port)),
        Err(e) if matches!(e.kind(), ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof) => Err(ended(host, *port)),
        Err(e) => Err(no_answer(e)),
    }
}

fn ended(host: &str, port: u16) -> RuntimeError {
    RuntimeError::new(Kind::Rank, format!("rank 0 at {host}:{port}"), "ended before all ranks had come")
}

fn unanswered(timeout: Duration, e: &std::io::Error) -> String {
    format!("did not answer within {} s: {e}", timeout.as_secs_f64())
}

/// Whether a call failed for what this machine does not give, or for what happened to others.
fn blame(e: &std::io::Error) -> Kind {
    match e.raw_os_error() {
        Some(libc::EMFILE | libc::ENFILE | libc::ENOBUFS | libc::ENOMEM | libc::EACCES | libc::EPERM) => Kind::Usage,
        _ => Kind::Rank,
    }
}

/// Tries until somebody listens there; else whether that is wrong input, and what was said last.
fn connect(master: &Master, until: Instant) -> Result<TcpStream, (Kind, std::io::Error)> {
    let mut pause = Duration::from_millis(10);
    let nobody = || std::io::Error::new(ErrorKind::NotFound, "the name has no address");
    loop {
        let left = until.saturating_duration_since(Instant::now());
        // A name that is not known may become known: hosts of a job start together.
        let all = (master.host.as_str(), master.port).to_socket_addrs().map_err(|e| (Kind::Usage, e));
        let tried = all.and_then(|all| {
            let mut last = (Kind::Usage, nobody());
            for a in all {
                match TcpStream::connect_timeout(&a, left.max(Duration::from_millis(1))) {
                    Ok(s) => return Ok(s),
                    Err(e) => last = (blame(&e), e),
                }
            }
            Err(last)
        });
        match tried {
            Ok(s) => return Ok(s),
            Err(e) if Instant::now() + pause >= until => return Err(e),
            Err(_) => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(250));
    }
}
