//! What processes of a run say to each other, over connections: one line of JSON is one message, and bytes may follow that
//! it announces.
//!
//! A message has an end that is known before it comes: a line has at most [`LINE`] bytes, and the bytes behind it are as
//! many as one piece. While ranks meet, there is a deadline for the whole of a message, so a process that sends one byte
//! a second holds nobody up.

use super::secret::{Nonce, Proof};
use super::segment::Address;
use super::star::{PIECE, RankPosition};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Version of the messages.
pub const PROTOCOL: u32 = 6;
/// The most bytes of a line.
pub const LINE: usize = 1 << 20;
/// How long a process that connects may take to say which rank it is, and any process to take what is said to it.
pub const GREETING: Duration = Duration::from_secs(10);

/// What a rank runs, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    pub protocol: u32,
    pub version: String,
    pub rank: usize,
    pub world: usize,
    /// Of an elastic run; 0 for all others.
    pub generation: u64,
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
    /// A process that wants to join says so first, so that a stranger at rank 0's port answers at once.
    Knock {
        protocol: u32,
        nonce: Nonce,
    },
    /// Rank 0 answers, and says whether the run has a secret.
    Challenge {
        protocol: u32,
        nonce: Nonce,
        keyed: bool,
    },
    /// With a secret, the proof that the rank knows it.
    Hello(Box<Hello>, Option<Proof>),
    Refused(String),
    /// With a secret, the proof that rank 0 knows it.
    Go(Box<Go>, Option<Proof>),
    Ready,
    /// A rank ends, and all others with it. The text says which one and why.
    Failed(String),
    /// A rank ends at once after Ctrl-C, or after SIGTERM, and all others with it.
    Interrupted {
        preempted: bool,
    },
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
    /// A rank asks rank 0 why nothing happens; `what` says which value of a wire it waits for.
    Stuck {
        at: RankPosition,
        what: Option<String>,
    },
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
    /// The joining process's, then rank 0's, for the proof that both know the run's secret.
    pub nonces: Option<[Nonce; 2]>,
}

impl Peer {
    pub fn new(stream: TcpStream, rank: usize) -> std::io::Result<Peer> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(GREETING))?;
        Ok(Peer { rank, write: stream.try_clone()?, read: BufReader::new(stream), nonces: None })
    }

    pub fn say(&mut self, m: &Message) -> std::io::Result<()> {
        say(&mut self.write, m)
    }

    /// The next message, all of it by a point in time; `None` at the end of the connection.
    ///
    /// # Errors
    /// Of kind `TimedOut`, `InvalidData` for what is no message, or as reading fails.
    pub fn hear_by(&mut self, until: Instant) -> std::io::Result<Option<Message>> {
        let mut line = Vec::new();
        let heard = loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(ErrorKind::TimedOut.into());
            }
            self.write.set_read_timeout(Some(left))?;
            let more = match self.read.fill_buf() {
                Err(e) if matches!(e.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => continue,
                other => other?,
            };
            let end = more.iter().position(|&b| b == b'\n');
            let n = end.map_or(more.len(), |i| i + 1);
            if line.len() + n > LINE {
                return Err(ErrorKind::InvalidData.into());
            }
            line.extend_from_slice(&more[..n]);
            self.read.consume(n);
            match (n, end) {
                (0, _) if line.is_empty() => break None,
                (0, _) => return Err(ErrorKind::UnexpectedEof.into()),
                (_, Some(_)) => break Some(parse(&line)?),
                _ => {}
            }
        };
        self.write.set_read_timeout(None)?;
        Ok(heard)
    }
}

/// A line as a message.
///
/// # Errors
/// Of kind `InvalidData`.
pub fn parse(line: &[u8]) -> std::io::Result<Message> {
    serde_json::from_slice(line).map_err(|e| std::io::Error::new(ErrorKind::InvalidData, e))
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
///
/// # Errors
/// More than one piece, or the end of the connection.
pub fn hear_bytes(from: &mut impl Read, bytes: usize) -> std::io::Result<Vec<u8>> {
    if bytes > PIECE {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut all = vec![0; bytes];
    from.read_exact(&mut all)?;
    Ok(all)
}

/// The next message; `None` at the end of the connection. Anything else is an error of kind `InvalidData`.
pub fn hear(from: &mut impl BufRead) -> std::io::Result<Option<Message>> {
    let mut line = Vec::new();
    if from.by_ref().take(LINE as u64).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    parse(&line).map(Some)
}

/// Everything that a connection said, up to the first thing that is no message: how many messages there are.
pub fn count(mut from: impl BufRead) -> usize {
    let mut n = 0;
    while let Ok(Some(m)) = hear(&mut from) {
        if let Message::Piece { bytes, .. } = m
            && hear_bytes(&mut from, bytes).is_err()
        {
            break;
        }
        n += 1;
    }
    n
}
