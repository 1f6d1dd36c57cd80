//! Rank 0's door: who comes, who is sent away, who leaves again before all are there.
//!
//! One thread listens to all connections in turns, none of which can block it. A connection that says nothing costs a
//! place in a list, until its time is over. A rank that came is watched until the others are there.

use super::messages::{GREETING, Hello, LINE, Message, PROTOCOL, Peer, parse, say};
use super::secret::{JobKey, Nonce, Prover};
use crate::error::{ErrorKind as Kind, RuntimeError};
use std::collections::BTreeSet;
use std::io::{ErrorKind, Read};
use std::net::{IpAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// How long rank 0 stays to tell latecomers why there will be no run.
pub const LINGER: Duration = Duration::from_secs(3);
/// Connections beyond the number of ranks that may say nothing yet. The oldest makes room for a new one.
const STRANGERS: usize = 256;
/// What Linux says of a connection at the door, where it is an error of that connection: accept(2).
const OF_THE_NETWORK: [i32; 8] = [
    libc::ENETDOWN,
    libc::EPROTO,
    libc::ENOPROTOOPT,
    libc::EHOSTDOWN,
    libc::ENONET,
    libc::EHOSTUNREACH,
    libc::EOPNOTSUPP,
    libc::ENETUNREACH,
];
/// How often rank 0 looks around.
const LOOK: Duration = Duration::from_millis(2);

/// Who came to rank 0.
pub struct Arrived {
    pub peers: Vec<Peer>,
    /// What all ranks say of themselves, rank 0 first.
    pub hellos: Vec<Hello>,
    /// Why there will be no run: the first rank that runs something else, or ended before the others came.
    pub refused: Option<RuntimeError>,
    /// Processes that did not know the run's secret, by address.
    pub strangers: BTreeSet<IpAddr>,
}

/// A connection that has not said yet which rank it is.
struct Knock {
    stream: TcpStream,
    from: IpAddr,
    /// What came so far of the next line.
    line: Vec<u8>,
    until: Instant,
    /// The joining process's, once it has knocked, and ours.
    nonces: Option<[Nonce; 2]>,
}

/// What has become of a connection.
enum Turn {
    Waits(Knock),
    Comes(TcpStream, Hello, [Nonce; 2]),
    Stranger(IpAddr),
    Gone,
}

impl Knock {
    fn new(stream: TcpStream, from: IpAddr) -> std::io::Result<Knock> {
        stream.set_nonblocking(true)?;
        stream.set_write_timeout(Some(GREETING))?;
        Ok(Knock { stream, from, line: Vec::new(), until: Instant::now() + GREETING, nonces: None })
    }

    /// Looks whether it has said something.
    fn turn(mut self, key: Option<&JobKey>, generation: u64) -> Turn {
        let mut bytes = [0; 4096];
        loop {
            match self.stream.read(&mut bytes) {
                Ok(0) => return Turn::Gone,
                Ok(n) => {
                    self.line.extend_from_slice(&bytes[..n]);
                    match self.line.iter().position(|&b| b == b'\n') {
                        // Nobody says two things at once here.
                        Some(end) if end + 1 == self.line.len() => return self.heard(key, generation),
                        Some(_) => return Turn::Gone,
                        None if self.line.len() > LINE => return Turn::Gone,
                        None => {}
                    }
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock && Instant::now() < self.until => return Turn::Waits(self),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Turn::Gone,
            }
        }
    }

    /// A whole line has come.
    fn heard(mut self, key: Option<&JobKey>, generation: u64) -> Turn {
        let Ok(message) = parse(&std::mem::take(&mut self.line)) else { return Turn::Gone };
        match (message, self.nonces) {
            (Message::Knock { nonce, .. }, None) => match self.challenge(nonce, key.is_some()) {
                Ok(()) => Turn::Waits(self),
                Err(_) => Turn::Gone,
            },
            (Message::Hello(hello, proof), Some(nonces)) => {
                if key.is_some_and(|k| !k.holds(proof, Prover::Joining, nonces, &hello)) {
                    let why = "this process does not know the MESHLOOM_JOB_KEY of rank 0";
                    let _ = self.say(&Message::Refused(why.into()));
                    return Turn::Stranger(self.from);
                }
                if hello.generation != generation {
                    // Late, from a run that has gone on without it: no rank of ours.
                    let why = format!("this process is of generation {}, and rank 0 of {generation}", hello.generation);
                    let _ = self.say(&Message::Refused(why));
                    return Turn::Gone;
                }
                Turn::Comes(self.stream, *hello, nonces)
            }
            _ => Turn::Gone,
        }
    }

    fn challenge(&mut self, theirs: Nonce, keyed: bool) -> std::io::Result<()> {
        let ours = Nonce::draw()?;
        self.nonces = Some([theirs, ours]);
        self.say(&Message::Challenge { protocol: PROTOCOL, nonce: ours, keyed })
    }

    fn say(&mut self, m: &Message) -> std::io::Result<()> {
        self.stream.set_nonblocking(false)?;
        say(&mut self.stream, m)?;
        self.stream.set_nonblocking(true)
    }
}

/// Listens until all ranks have come, or time is up. A process that runs something else is told so.
///
/// # Errors
/// The system lets no connection in: too many open files, say.
pub fn arrivals(
    own: &Hello,
    key: Option<&JobKey>,
    listener: &TcpListener,
    timeout: Duration,
) -> std::io::Result<Arrived> {
    listener.set_nonblocking(true)?;
    let mut until = Instant::now().checked_add(timeout);
    let mut all = Arrived { peers: Vec::new(), hellos: vec![own.clone()], refused: None, strangers: BTreeSet::new() };
    let (mut sent_away, mut knocks) = (0, Vec::new());
    while all.peers.len() + sent_away + 1 < own.world && until.is_none_or(|u| Instant::now() < u) {
        let refused = all.refused.is_some();
        let before = all.peers.len();
        accept(listener, &mut knocks, own.world + STRANGERS)?;
        for knock in std::mem::take(&mut knocks) {
            match knock.turn(key, own.generation) {
                Turn::Waits(k) => knocks.push(k),
                Turn::Stranger(from) => _ = all.strangers.insert(from),
                Turn::Comes(stream, hello, nonces) => {
                    sent_away += usize::from(!all.come(own, stream, hello, nonces));
                }
                Turn::Gone => {}
            }
        }
        sent_away += all.look_after();
        if all.refused.is_some() && !refused {
            // The others may be on their way.
            until = Some(until.map_or(Instant::now() + LINGER, |u| u.min(Instant::now() + LINGER)));
        }
        if all.peers.len() == before {
            std::thread::sleep(LOOK);
        }
    }
    all.peers.iter().try_for_each(|p| p.write.set_nonblocking(false))?;
    Ok(all)
}

/// Lets in who stands before the door.
fn accept(listener: &TcpListener, knocks: &mut Vec<Knock>, most: usize) -> std::io::Result<()> {
    // So many in one turn, so that those who are in have theirs.
    for _ in 0..64 {
        match listener.accept() {
            Ok((stream, from)) => {
                if knocks.len() == most {
                    knocks.remove(0);
                }
                knocks.extend(Knock::new(stream, from.ip()));
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(()),
            // Gone again before it was let in, or the network had something to say of it.
            Err(e) if matches!(e.kind(), ErrorKind::ConnectionAborted | ErrorKind::Interrupted) => {}
            Err(e) if e.raw_os_error().is_some_and(|code| OF_THE_NETWORK.contains(&code)) => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

impl Arrived {
    /// Someone says which rank it is. False if it is sent away.
    fn come(&mut self, own: &Hello, mut stream: TcpStream, hello: Hello, nonces: [Nonce; 2]) -> bool {
        if let Some(why) = twice(&self.hellos, &hello).or_else(|| hello.differs(own)) {
            let _ = stream.set_nonblocking(false).and_then(|()| say(&mut stream, &Message::Refused(why.clone())));
            self.refused.get_or_insert_with(|| RuntimeError::usage("rendezvous", why));
            return false;
        }
        let Ok(mut peer) = Peer::new(stream, hello.rank) else { return true };
        peer.nonces = Some(nonces);
        self.hellos.push(hello);
        self.peers.push(peer);
        true
    }

    /// Drops ranks that ended although they had come; how many.
    fn look_after(&mut self) -> usize {
        // Nobody has anything to say now, so what can be read is the end of the connection.
        let gone = |p: &Peer| !p.write.peek(&mut [0]).is_err_and(|e| e.kind() == ErrorKind::WouldBlock);
        let Some(rank) = self.peers.iter().find(|p| gone(p)).map(|p| p.rank) else { return 0 };
        self.peers.retain(|p| p.rank != rank);
        let who = self.hellos.iter().find(|h| h.rank == rank).map_or_else(String::new, Hello::who);
        let why = format!("{who} ended before all ranks had come");
        self.refused.get_or_insert_with(|| RuntimeError::new(Kind::Rank, "rendezvous", why));
        1
    }
}

/// Whether another process already said that it is this rank.
fn twice(hellos: &[Hello], hello: &Hello) -> Option<String> {
    let h = hellos.iter().find(|h| h.rank == hello.rank && h.world == hello.world)?;
    let (a, b) = (format!("{} process {}", h.name, h.pid), format!("{} process {}", hello.name, hello.pid));
    Some(format!("two processes say that they are rank {}: {a} and {b}", hello.rank))
}

impl Hello {
    /// `rank 2 (node7, process 4711)`
    pub fn who(&self) -> String {
        format!("rank {} ({}, process {})", self.rank, self.name, self.pid)
    }

    /// Why a rank cannot take part in what rank 0 runs.
    pub fn differs(&self, first: &Hello) -> Option<String> {
        let who = self.who();
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn hello(rank: usize, world: usize) -> Hello {
        Hello {
            protocol: PROTOCOL,
            version: "1".into(),
            rank,
            world,
            generation: 0,
            bundle: "b".into(),
            device: "cpu".into(),
            kernels: "k".into(),
            options: Default::default(),
            host: "h".into(),
            remote: None,
            forced: false,
            cores: "0".into(),
            name: "node".into(),
            pid: 7,
        }
    }

    /// A connection that has knocked and was challenged; the nonces of both.
    fn knock(port: u16) -> (Peer, [Nonce; 2]) {
        let mut peer = Peer::new(TcpStream::connect(("127.0.0.1", port)).unwrap(), 0).unwrap();
        let theirs = Nonce::draw().unwrap();
        peer.say(&Message::Knock { protocol: PROTOCOL, nonce: theirs }).unwrap();
        match peer.hear_by(Instant::now() + GREETING) {
            Ok(Some(Message::Challenge { nonce, .. })) => (peer, [theirs, nonce]),
            other => panic!("{other:?}"),
        }
    }

    fn come(port: u16, key: Option<&str>, hello: Hello) -> Peer {
        let (mut peer, nonces) = knock(port);
        let hello = Box::new(hello);
        let proof = key.map(|k| JobKey::new(k).prove(Prover::Joining, nonces, &hello));
        peer.say(&Message::Hello(hello, proof)).unwrap();
        peer
    }

    /// What rank 0 of `world` finds while `others` do what they do.
    fn door(world: usize, key: Option<&str>, seconds: u64, others: impl FnOnce(u16) + Send) -> Arrived {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::scope(|s| {
            s.spawn(move || others(port));
            let key = key.map(JobKey::new);
            arrivals(&hello(0, world), key.as_ref(), &listener, Duration::from_secs(seconds)).unwrap()
        })
    }

    /// Connections that say nothing, half a line, or noise, and one that never stops: the rank behind them comes all the same.
    #[test]
    fn idle_connections_hold_nobody_up() {
        let mut open = Vec::new();
        let all = door(2, None, 100, |port| {
            for k in 0..STRANGERS + 80 {
                let mut s = TcpStream::connect(("127.0.0.1", port)).unwrap();
                let said: &[u8] = match k % 4 {
                    0 => b"",
                    1 => b"{\"knock\":",
                    2 => b"GET / HTTP/1.1\r\n\r\n",
                    _ => b"\n\n\n\n",
                };
                let _ = s.write_all(said);
                open.push(s);
            }
            open.push(come(port, None, hello(1, 2)).write);
        });
        assert_eq!((all.peers.len(), all.hellos.len(), all.refused), (1, 2, None));
    }

    #[test]
    fn who_does_not_know_the_secret_stays_outside() {
        let mut open = Vec::new();
        let all = door(2, Some("secret"), 100, |port| {
            for key in [None, Some("guessed")] {
                let mut stranger = come(port, key, hello(1, 2));
                match stranger.hear_by(Instant::now() + GREETING) {
                    Ok(Some(Message::Refused(why))) => assert!(why.contains("MESHLOOM_JOB_KEY"), "{why}"),
                    other => panic!("{other:?}"),
                }
            }
            // What was overheard is of no use: the challenge is another one.
            let (mut peer, nonces) = knock(port);
            let replayed = JobKey::new("secret").prove(Prover::Joining, [nonces[0], nonces[0]], &hello(1, 2));
            peer.say(&Message::Hello(Box::new(hello(1, 2)), Some(replayed))).unwrap();
            assert!(matches!(peer.hear_by(Instant::now() + GREETING), Ok(Some(Message::Refused(_)))));
            open.push(come(port, Some("secret"), hello(1, 2)));
        });
        assert_eq!((all.peers.len(), all.refused, all.strangers.len()), (1, None, 1));
    }

    /// The run that it belonged to has gone on without it, and must not end for it.
    #[test]
    fn who_is_of_another_generation_is_sent_away() {
        let mut open = Vec::new();
        let all = door(2, None, 100, |port| {
            let mut late = come(port, None, Hello { generation: 7, ..hello(1, 2) });
            match late.hear_by(Instant::now() + GREETING) {
                Ok(Some(Message::Refused(why))) => {
                    assert_eq!(why, "this process is of generation 7, and rank 0 of 0")
                }
                other => panic!("{other:?}"),
            }
            open.push(come(port, None, hello(1, 2)));
        });
        assert_eq!((all.peers.len(), all.refused), (1, None));
    }

    #[test]
    fn a_rank_that_ends_too_early_is_named() {
        let all = door(3, None, 100, |port| drop(come(port, None, hello(2, 3))));
        let e = all.refused.unwrap();
        assert_eq!(
            (e.exit_code(), e.message.as_str()),
            (3, "rank 2 (node, process 7) ended before all ranks had come")
        );
        assert!(all.peers.is_empty());
    }

    /// A byte now and then keeps a connection open, and no message.
    #[test]
    fn a_message_has_a_deadline() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let mut drips = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut peer = Peer::new(listener.accept().unwrap().0, 1).unwrap();
        let over = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|s| {
            s.spawn(|| {
                while !over.load(std::sync::atomic::Ordering::Relaxed) {
                    let _ = drips.write_all(b" ");
                    std::thread::sleep(Duration::from_millis(5));
                }
            });
            let heard = peer.hear_by(Instant::now() + Duration::from_millis(300));
            over.store(true, std::sync::atomic::Ordering::Relaxed);
            assert_eq!(heard.map_err(|e| e.kind()).err(), Some(ErrorKind::TimedOut));
        });
    }
}
