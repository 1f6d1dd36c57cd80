//! Before the first step: rank 0 listens, the others connect, and all find out whether they are going to run the same
//! thing.
//!
//! One line of JSON is one message. Each rank says what it runs (a [`Hello`]), and rank 0 compares all of them with its
//! own. It tells everybody either to start, with what they need to find each other's memory, or what is wrong. The
//! connections stay open as the run's [`super::link`].
//!
//! As with `torchrun`, whoever can reach the port can join or disturb the run; nothing but these lines is ever taken
//! from it.

use super::segment::Address;
use super::star::{PIECE, RankPosition};
use crate::error::{Result, RuntimeError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Version of the messages.
const PROTOCOL: u32 = 2;
/// Most bytes of a line.
const LINE: u64 = 1 << 20;
/// How long a process that connects may take to say which rank it is.
const GREETING: Duration = Duration::from_secs(5);
/// How long rank 0 stays to tell latecomers why there will be no run.
const LINGER: Duration = Duration::from_secs(3);

/// What a rank runs, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    pub protocol: u32,
    pub version: String,
    pub rank: usize,
    pub world: usize,
    /// Hash of the bundle, and so of the plan.
    pub bundle: String,
    /// Kind of device: `cpu`, `cuda`.
    pub device: String,
    /// Which of the bundle's libraries this machine takes.
    pub kernels: String,
    /// Options that must be the same on all ranks.
    pub options: BTreeMap<String, String>,
    /// Equal for processes that can share memory.
    pub host: String,
    /// What can carry its collectives to other hosts, if anything can.
    pub remote: Option<String>,
    /// Whether that is to be used on one host too.
    pub forced: bool,
    /// The cores that it may use: some launchers give each rank its own, others leave all to all.
    pub cores: String,
    /// The host's name, for messages.
    pub name: String,
    pub pid: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    Hello(Hello),
    Refused(String),
    Go(Go),
    Ready,
    /// A rank ends, and all others with it. The text says which one and why.
    Failed(String),
    /// A rank is done.
    Bye,
    /// So many bytes follow, of a meeting over the connections.
    Piece {
        at: RankPosition,
        bytes: usize,
    },
    /// Where a rank is: now and then, and as an answer.
    At {
        at: RankPosition,
        asked: bool,
    },
    /// Rank 0 asks for that.
    Where,
    /// A rank asks rank 0 why nothing happens.
    Stuck(RankPosition),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Go {
    /// The memory of [`super::control`], where all ranks are on one host; else they meet over the connections ([`super::star`]).
    pub control: Option<Address>,
    /// What carries collectives, where that is not memory: of all ranks the same.
    pub remote: Option<String>,
    /// For each rank, its number among those of its host.
    pub local: Vec<usize>,
    /// For each rank, how many are on its host.
    pub hosted: Vec<usize>,
    /// For each rank, how many have the same cores.
    pub sharers: Vec<usize>,
}

/// A connection to another rank.
pub struct Peer {
    pub rank: usize,
    pub read: BufReader<TcpStream>,
    pub write: TcpStream,
}

impl Peer {
    fn new(stream: TcpStream, rank: usize) -> std::io::Result<Peer> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(GREETING))?;
        Ok(Peer { rank, write: stream.try_clone()?, read: BufReader::new(stream) })
    }

    pub fn say(&mut self, m: &Message) -> std::io::Result<()> {
        say(&mut self.write, m)
    }

    fn hear(&mut self, until: Instant) -> std::io::Result<Option<Message>> {
        let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        self.write.set_read_timeout(Some(left))?;
        let heard = hear(&mut self.read);
        self.write.set_read_timeout(None)?;
        heard
    }
}

pub fn say(to: &mut TcpStream, m: &Message) -> std::io::Result<()> {
    say_with(to, m, &[])
}

/// A message, and the bytes that it announces.
pub fn say_with(to: &mut TcpStream, m: &Message, bytes: &[u8]) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(m)?;
    line.push(b'\n');
    line.extend_from_slice(bytes);
    to.write_all(&line)
}

/// The bytes that a message announced.
pub fn hear_bytes(from: &mut BufReader<TcpStream>, bytes: usize) -> std::io::Result<Vec<u8>> {
    if bytes > PIECE {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut all = vec![0; bytes];
    from.read_exact(&mut all)?;
    Ok(all)
}

/// The next message; `None` at the end of the connection. Anything else is an error of kind `InvalidData`.
pub fn hear(from: &mut BufReader<TcpStream>) -> std::io::Result<Option<Message>> {
    let mut line = Vec::new();
    if from.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&line).map_err(|e| std::io::Error::new(ErrorKind::InvalidData, e))?))
}

impl Hello {
    pub fn protocol() -> u32 {
        PROTOCOL
    }

    /// Why a rank cannot take part in what rank 0 runs.
    fn differs(&self, first: &Hello) -> Option<String> {
        let who = format!("rank {} ({}, process {})", self.rank, self.name, self.pid);
        let two = |what: &str, theirs: &str, ours: &str| Some(format!("{who} {what} {theirs}, and rank 0 {ours}"));
        let short = |hash: &str| hash.chars().take(12).collect::<String>();
        if self.version != first.version || self.protocol != first.protocol {
            return two("is of version", &self.version, &first.version);
        }
        if self.world != first.world {
            return two("was started as one of", &self.world.to_string(), &format!("as one of {}", first.world));
        }
        if self.bundle != first.bundle {
            return two("runs the bundle", &short(&self.bundle), &short(&first.bundle));
        }
        if self.device != first.device {
            return two("has devices of kind", &self.device, &first.device);
        }
        if self.kernels != first.kernels {
            return two(
                "takes the kernels for",
                &self.kernels,
                &format!("those for {}: their bits differ", first.kernels),
            );
        }
        let names: std::collections::BTreeSet<&String> = self.options.keys().chain(first.options.keys()).collect();
        let value = |h: &Hello, n: &String| h.options.get(n).cloned().unwrap_or_else(|| "nothing".into());
        let n = names.into_iter().find(|n| value(self, n) != value(first, n))?;
        Some(format!("{who} has --{n} {}, and rank 0 has {}", value(self, n), value(first, n)))
    }
}

/// What rank 0 does. `control` is offered to all, if all are on its host.
///
/// # Errors
/// Ranks that do not come, or that run something else.
pub fn serve(own: &Hello, listener: &TcpListener, control: Address, timeout: Duration) -> Result<(Vec<Peer>, Go)> {
    let place = || listener.local_addr().map_or_else(|_| "rendezvous".into(), |a| format!("rendezvous at {a}"));
    let Arrived { mut peers, mut hellos, refused } =
        arrivals(own, listener, timeout).map_err(|e| RuntimeError::usage(place(), e.to_string()))?;
    if let Some(why) = refused.or_else(|| absent(own, &hellos, timeout)).or_else(|| unreachable(own, &hellos)) {
        peers.iter_mut().for_each(|p| _ = p.say(&Message::Refused(why.clone())));
        return Err(RuntimeError::usage(place(), why));
    }
    hellos.sort_by_key(|h| h.rank);
    let go = go(own, &hellos, control);
    let lost = |rank: usize, e: String| {
        RuntimeError::usage(place(), format!("rank {rank} went away before the run began: {e}"))
    };
    for p in &mut peers {
        p.say(&Message::Go(go.clone())).map_err(|e| lost(p.rank, e.to_string()))?;
    }
    for p in &mut peers {
        match p.hear(Instant::now() + timeout) {
            Ok(Some(Message::Ready)) => {}
            Ok(Some(Message::Failed(message))) => return Err(lost(p.rank, message)),
            Ok(_) => return Err(lost(p.rank, "its connection was closed".into())),
            Err(e) => return Err(lost(p.rank, e.to_string())),
        }
    }
    Ok((peers, go))
}

/// Who came to rank 0.
struct Arrived {
    peers: Vec<Peer>,
    /// What all ranks say of themselves, rank 0 first.
    hellos: Vec<Hello>,
    /// Why the first that does not belong here was sent away.
    refused: Option<String>,
}

/// Listens until all ranks have come, or time is up. A process that runs something else is told so.
fn arrivals(own: &Hello, listener: &TcpListener, timeout: Duration) -> std::io::Result<Arrived> {
    listener.set_nonblocking(true)?;
    let mut until = Instant::now() + timeout;
    let mut all = Arrived { peers: Vec::new(), hellos: vec![own.clone()], refused: None };
    let mut sent_away = 0;
    while all.peers.len() + sent_away + 1 < own.world {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false)?;
                let Ok(mut peer) = Peer::new(stream, 0) else { continue };
                // Strangers that knock at every port say nothing that is understood.
                let Ok(Some(Message::Hello(hello))) = peer.hear(until.min(Instant::now() + GREETING)) else { continue };
                if let Some(why) = twice(&all.hellos, &hello).or_else(|| hello.differs(own)) {
                    let _ = peer.say(&Message::Refused(why.clone()));
                    sent_away += 1;
                    // The others may be on their way.
                    until = until.min(Instant::now() + LINGER);
                    all.refused.get_or_insert(why);
                    continue;
                }
                peer.rank = hello.rank;
                all.hellos.push(hello);
                all.peers.push(peer);
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => {
                if Instant::now() >= until {
                    break;
                }
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(e) => return Err(e),
        }
    }
    Ok(all)
}

/// Whether another process already said that it is this rank.
fn twice(hellos: &[Hello], hello: &Hello) -> Option<String> {
    let h = hellos.iter().find(|h| h.rank == hello.rank && h.world == hello.world)?;
    let (a, b) = (format!("{} process {}", h.name, h.pid), format!("{} process {}", hello.name, hello.pid));
    Some(format!("two processes say that they are rank {}: {a} and {b}", hello.rank))
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

/// What the other ranks do. The caller answers with [`Message::Ready`] once it has opened what the message names.
///
/// # Errors
/// No process at the address, another program there, or rank 0's refusal.
pub fn join(own: &Hello, address: &(String, u16), timeout: Duration) -> Result<(Peer, Go)> {
    let until = Instant::now() + timeout;
    let (host, port) = address;
    let fail = |m: String| RuntimeError::usage(format!("rank 0 at {host}:{port}"), m);
    let mut pause = Duration::from_millis(10);
    let stream = loop {
        let left = until.saturating_duration_since(Instant::now());
        let tried = (host.as_str(), *port).to_socket_addrs().and_then(|all| {
            let mut last = std::io::Error::new(ErrorKind::NotFound, "the name has no address");
            for a in all {
                match TcpStream::connect_timeout(&a, left.max(Duration::from_millis(1))) {
                    Ok(s) => return Ok(s),
                    Err(e) => last = e,
                }
            }
            Err(last)
        });
        match tried {
            Ok(s) => break s,
            Err(e) if Instant::now() + pause >= until => {
                return Err(fail(format!("did not answer within {} s: {e}", timeout.as_secs_f64())));
            }
            Err(_) => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(250));
    };
    let mut peer = Peer::new(stream, 0).map_err(|e| fail(e.to_string()))?;
    // Who is refused hears of it before the rest of what it says is read, so a failed write is no reason to stop.
    let _ = peer.say(&Message::Hello(own.clone()));
    match peer.hear(until + LINGER) {
        Ok(Some(Message::Go(go)))
            if go.sharers.len() == own.world && go.local.len() == own.world && go.hosted.len() == own.world =>
        {
            Ok((peer, go))
        }
        Ok(Some(Message::Refused(why))) => Err(RuntimeError::usage("rendezvous", why)),
        Ok(Some(_)) => Err(fail("answers, and not as a rank 0 of this version".into())),
        Ok(None) => Err(fail("closed the connection; what it says tells why".into())),
        Err(e) if e.kind() == ErrorKind::InvalidData => {
            Err(fail("somebody answers, and it is no rank 0: another program holds the port".into()))
        }
        Err(e) => Err(fail(format!("said nothing within {} s: {e}", timeout.as_secs_f64()))),
    }
}
