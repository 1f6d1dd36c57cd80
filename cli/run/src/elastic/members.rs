//! How many ranks there are: who died, who comes back when, and what people ask for.
//!
//! `meshloom launch --join N --to PID` and `--leave N` reach the launcher by a socket of the system that has no file, so
//! there is nothing to clean up. Processes of other users are sent away.

use crate::{Failed, Result, status};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::AsRawFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::time::{Duration, Instant};

/// The longest that a rank stays away before it is started again.
const LONGEST: Duration = Duration::from_secs(300);
/// How long somebody who asks may take to say what.
const PATIENCE: Duration = Duration::from_millis(500);

pub struct Membership {
    socket: Option<UnixListener>,
    /// Ranks that are there.
    pub there: usize,
    most: usize,
    /// When ranks that died come back.
    returns: Vec<Instant>,
    restarts_left: u32,
    pause: Duration,
}

impl Membership {
    /// All are there. Of those that die, `restarts` come back, the first after `pause`, each later one after twice the time.
    pub fn new(most: usize, restarts: u32, pause: Duration) -> Membership {
        let socket = SocketAddr::from_abstract_name(name(std::process::id()))
            .and_then(|a| UnixListener::bind_addr(&a))
            .and_then(|s| s.set_nonblocking(true).map(|()| s));
        if let Err(e) = &socket {
            status::warning(&format!("--join and --leave will not reach this launcher: {e}"));
        }
        Membership { socket: socket.ok(), there: most, most, returns: Vec::new(), restarts_left: restarts, pause }
    }

    /// Ranks died.
    pub fn died(&mut self, ranks: usize) {
        self.there = self.there.saturating_sub(ranks);
        let back = ranks.min(self.restarts_left as usize);
        if back > 0 {
            self.restarts_left -= back as u32;
            let at = Instant::now() + self.pause;
            self.returns.extend(std::iter::repeat_n(at, back));
            self.pause = (self.pause * 2).min(LONGEST);
        }
    }

    /// Whether some are going to come back by themselves.
    pub fn expected(&self) -> usize {
        self.returns.len()
    }

    /// Takes in who is back, and what people ask for.
    pub fn look(&mut self) {
        let before = self.returns.len();
        self.returns.retain(|&at| at > Instant::now());
        self.there = (self.there + before - self.returns.len()).min(self.most);
        let Some(Ok((stream, _))) = self.socket.as_ref().map(UnixListener::accept) else { return };
        if let Some(answer) = self.answer(&stream) {
            let _ = (&stream).write_all(format!("{answer}\n").as_bytes());
        }
    }

    fn answer(&mut self, stream: &UnixStream) -> Option<String> {
        stream.set_nonblocking(false).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        stream.set_write_timeout(Some(PATIENCE)).ok()?;
        if user(stream)? != rustix::process::geteuid().as_raw() {
            return Some("error this launcher is another user's".into());
        }
        let mut line = String::new();
        BufReader::new(stream.take(64)).read_line(&mut line).ok()?;
        let (what, n) = line.trim().split_once(' ')?;
        let n: usize = n.parse().ok()?;
        match what {
            "join" if self.there + n > self.most => {
                Some(format!("error {} are there, and --elastic takes at most {}", self.there, self.most))
            }
            "join" => {
                self.there += n;
                Some(format!("ok {}", self.there))
            }
            "leave" if n > self.there => Some(format!("error only {} are there", self.there)),
            "leave" => {
                self.there -= n;
                Some(format!("ok {}", self.there))
            }
            _ => None,
        }
    }
}

/// The socket of a launcher, in the namespace of names that are no files.
fn name(pid: u32) -> String {
    format!("meshloom-launch-{pid}")
}

/// Who is at the other end.
fn user(stream: &UnixStream) -> Option<u32> {
    let mut who = libc::ucred { pid: 0, uid: u32::MAX, gid: u32::MAX };
    let mut len = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: the kernel writes at most `len` bytes to a structure of that size, which lives through the call.
    let done = unsafe {
        let to = (&raw mut who).cast();
        libc::getsockopt(stream.as_raw_fd(), libc::SOL_SOCKET, libc::SO_PEERCRED, to, &raw mut len)
    };
    (done == 0).then_some(who.uid)
}

/// Asks a launcher for more ranks, or for fewer: `join` or `leave`. Returns how many there are then.
///
/// # Errors
/// No such launcher, or what it says.
pub fn ask(launcher: u32, what: &str, ranks: usize) -> Result<usize> {
    let none = |e: std::io::Error| {
        Failed::usage(format!("--to {launcher}: no elastic launcher answers there: {e}"))
            .help("an elastic launcher says its process number when it starts")
    };
    let address = SocketAddr::from_abstract_name(name(launcher)).map_err(none)?;
    let mut stream = UnixStream::connect_addr(&address).map_err(none)?;
    // It looks between two other things that it does.
    stream.set_read_timeout(Some(Duration::from_secs(60))).map_err(none)?;
    stream.write_all(format!("{what} {ranks}\n").as_bytes()).map_err(none)?;
    let mut answer = String::new();
    stream.take(256).read_to_string(&mut answer).map_err(none)?;
    match answer.trim().split_once(' ') {
        Some(("ok", n)) if n.parse::<usize>().is_ok() => Ok(n.parse().unwrap_or(0)),
        Some(("error", why)) => Err(Failed::usage(format!("--{what} {ranks}: {why}"))),
        _ => Err(Failed::usage(format!("--to {launcher}: the launcher did not understand"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_dies_comes_back_so_often() {
        let mut m =
            Membership { socket: None, there: 8, most: 8, returns: vec![], restarts_left: 4, pause: Duration::ZERO };
        m.died(3);
        assert_eq!((m.there, m.expected(), m.restarts_left), (5, 3, 1));
        m.look();
        assert_eq!((m.there, m.expected()), (8, 0));
        m.pause = Duration::from_secs(100);
        m.died(2);
        m.look();
        assert_eq!((m.there, m.expected(), m.restarts_left, m.pause), (6, 1, 0, Duration::from_secs(200)));
        m.died(1);
        assert_eq!((m.there, m.expected()), (5, 1));
    }

    #[test]
    fn people_ask() {
        let mut m = Membership::new(4, 0, Duration::ZERO);
        m.there = 2;
        let own = std::process::id();
        let asked = std::thread::spawn(move || {
            let said = |r: Result<usize>| r.map_err(|e| e.text());
            [
                said(ask(own, "join", 2)),
                said(ask(own, "join", 1)),
                said(ask(own, "leave", 3)),
                said(ask(own, "dance", 1)),
            ]
        });
        while !asked.is_finished() {
            m.look();
            std::thread::sleep(Duration::from_millis(1));
        }
        let [joined, many, left, dance] = asked.join().unwrap();
        assert_eq!((joined, left, m.there), (Ok(4), Ok(1), 1));
        assert_eq!(many, Err("--join 1: 4 are there, and --elastic takes at most 4".into()));
        assert!(dance.unwrap_err().contains("did not understand"));
        assert!(ask(u32::MAX, "join", 1).is_err_and(|e| e.text().contains("no elastic launcher answers there")));
    }
}
