//! The connections of a run after its rendezvous. On one host they carry only the end of a run. A rank that fails says
//! why to rank 0, which tells all others. A connection that closes without a message is a rank that was killed. So all
//! ranks end within moments of the first, with the reason. A rank that hangs is found by the clock of the ranks that
//! wait for it. Ranks that share no memory meet over these connections, too ([`super::star`]).

use super::messages::{Message, Peer, say_with};
use std::io::BufReader;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Between two looks at whether connections are closed.
const LOOK: Duration = Duration::from_millis(5);

pub struct Link {
    /// Of rank 0 to all others; of the others to rank 0.
    peers: Vec<Mutex<TcpStream>>,
    ending: AtomicBool,
    /// Connections that the other side has not closed.
    open: AtomicUsize,
}

impl Link {
    /// The link, and what is to be read by [`super::hear`], in the order of the peers.
    pub fn new(peers: Vec<Peer>) -> (Link, Vec<BufReader<TcpStream>>) {
        let (peers, reads): (Vec<_>, _) = peers.into_iter().map(|p| (Mutex::new(p.write), p.read)).unzip();
        let open = AtomicUsize::new(peers.len());
        (Link { peers, ending: AtomicBool::new(false), open }, reads)
    }

    /// True for the first that asks: what happens to connections from here on is no news.
    pub fn begin_ending(&self) -> bool {
        !self.ending.swap(true, SeqCst)
    }

    pub fn is_ending(&self) -> bool {
        self.ending.load(SeqCst)
    }

    /// Another side has closed its connection.
    pub fn is_closed(&self) {
        self.open.fetch_sub(1, SeqCst);
    }

    /// Waits until all connections are closed, or for this long.
    pub fn wait_for_all_closed(&self, most: Duration) {
        let begin = Instant::now();
        while self.open.load(SeqCst) > 0 && begin.elapsed() < most {
            std::thread::sleep(LOOK);
        }
    }

    /// Sends a message to all ranks that this rank is connected with. A rank that does not receive it finds out otherwise.
    pub fn tell(&self, m: &Message) {
        self.tell_with(m, &[]);
    }

    /// As [`Link::tell`], with the bytes that the message announces.
    pub fn tell_with(&self, m: &Message, bytes: &[u8]) {
        for peer in &self.peers {
            let _ = say_with(&mut peer.lock().unwrap_or_else(PoisonError::into_inner), m, bytes);
        }
    }
}
