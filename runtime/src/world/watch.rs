//! Where each rank is, and whom all others wait for, where memory does not show it.

use super::link::Link;
use super::messages::Message;
use super::ranks::ranks;
use super::run::{Begun, Meetings, World};
use super::spot::Spot;
use super::star::{ANSWER, PIECE, RankPosition, Star, behind};
use crate::error::{ErrorKind, Result, RuntimeError};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// How often a rank says where it is, at most.
const BEAT: Duration = Duration::from_secs(1);

impl World {
    /// One round over the connections: rank 0 hears all and answers all.
    pub(super) fn hand_around(&self, star: &Star, part: &mut [u8], spot: Spot) {
        debug_assert!(part.len() <= PIECE);
        let say = |link: &Link, bytes: &[u8]| {
            link.tell_with(&Message::Piece { at: self.position(), bytes: bytes.len() }, bytes);
        };
        if self.rank == 0 {
            match star.take_all(self.timeout) {
                Ok(all) => {
                    let each = all.iter().flat_map(|theirs| theirs.iter().enumerate());
                    each.for_each(|(i, b)| part.get_mut(i).into_iter().for_each(|a| *a |= b));
                    say(&self.link, part);
                }
                Err(_) => self.end(&self.stuck(spot)),
            }
        } else {
            say(&self.link, part);
            // Rank 0 gives up first, and says whom it waits for.
            match star.take(0, self.timeout + ANSWER) {
                Ok(all) => part.iter_mut().zip(all).for_each(|(a, b)| *a = b),
                Err(_) => self.end(&self.stuck(spot)),
            }
        }
    }

    /// A piece of another rank's.
    pub(super) fn piece(&self, from: usize, at: RankPosition, piece: Vec<u8>) {
        if let Meetings::Connections(star) = &self.meetings {
            star.seen(from, at, false);
            star.deliver(from, piece);
        }
    }

    pub(super) fn seen(&self, from: usize, at: RankPosition, asked: bool) {
        if let Some(star) = self.star() {
            star.seen(from, at, asked);
        }
    }

    /// Where this rank is, its GPU included.
    pub(super) fn position(&self) -> RankPosition {
        let device = self.device.lock().unwrap_or_else(PoisonError::into_inner);
        let (begun, last) = device.as_ref().map_or((0, None), |f| f());
        let spot = last.map_or_else(|| self.spot.load(Relaxed), |s| s.at_step(self.step.load(Relaxed)).0);
        RankPosition { came: self.came.load(Relaxed), begun, spot, waits: self.waits.load(Relaxed) }
    }

    /// The spot of the last meeting or collective that a rank was seen at.
    pub(super) fn last(&self, rank: usize) -> Spot {
        match &self.meetings {
            Meetings::Memory(control) => control.last(rank),
            Meetings::Connections(_) if rank == self.rank => self.position().spot(),
            Meetings::Connections(star) => star.last(rank).spot(),
        }
    }

    /// From now on a position says how many collectives of the present step this rank's GPU has begun, and the last of them.
    pub(crate) fn watch_device(&self, begun: Option<Begun>) {
        *self.device.lock().unwrap_or_else(PoisonError::into_inner) = begun;
    }

    /// From now on the working thread ends this process, since it has to clean up; it asks [`World::check`].
    pub(crate) fn supervise(&self, on: bool) {
        self.supervised.store(on, SeqCst);
    }

    /// Whether the run goes on, for that thread.
    ///
    /// # Errors
    /// Another rank has failed, or was lost.
    pub(crate) fn check(&self) -> Result<()> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.clone().map_or(Ok(()), Err)
    }

    /// Why nothing has happened for the timeout while this rank waited at `spot`: the rank that all others wait for.
    pub(crate) fn stuck(&self, spot: Spot) -> RuntimeError {
        let Some(star) = self.star() else { return self.rank_error(self.late(spot, &[])) };
        self.ask_why(star, spot, None).unwrap_or_else(|| self.rank_error(self.late(spot, &[0])))
    }

    fn rank_error(&self, message: String) -> RuntimeError {
        RuntimeError::new(ErrorKind::Rank, format!("rank {}", self.rank), message)
    }

    /// What rank 0 finds out; `None` if it does not answer. `what` is known of a wire that this rank waits for.
    fn ask_why(&self, star: &Star, spot: Spot, what: Option<&str>) -> Option<RuntimeError> {
        if self.rank == 0 {
            return Some(self.rank_error(self.judge(star, spot, 0, what)));
        }
        // Its answer ends this process.
        self.link.tell(&Message::Stuck { at: self.position(), what: what.map(str::to_owned) });
        let until = std::time::Instant::now() + 3 * ANSWER;
        while std::time::Instant::now() < until {
            if let Err(e) = self.check() {
                return Some(e);
            }
            std::thread::sleep(ANSWER / 20);
        }
        None
    }

    /// Ends the run, since nothing has happened for the timeout while this rank waited at `spot`.
    pub(crate) fn give_up(&self, spot: Spot) -> ! {
        self.end(&self.stuck(spot.at_step(self.step.load(Relaxed))))
    }

    /// A rank asks rank 0 why nothing happens.
    pub(super) fn asked_why(&self, from: usize, at: RankPosition, what: Option<&str>) {
        if let Some(star) = self.star().filter(|_| self.rank == 0) {
            star.seen(from, at, true);
            self.end(&self.rank_error(self.judge(star, at.spot(), from, what)));
        }
    }

    fn judge(&self, star: &Star, spot: Spot, asks: usize, what: Option<&str>) -> String {
        if self.judging.swap(true, SeqCst) {
            // Somebody does already, and ends this process.
            for _ in 0..60 {
                if let Err(e) = self.check() {
                    return e.message;
                }
                std::thread::sleep(ANSWER / 20);
            }
        }
        star.ask();
        star.seen(0, self.position(), true);
        self.link.tell(&Message::Where);
        let late = star.judge(asks);
        match what.zip(late.first()) {
            Some((what, &first)) => self.late_wire(what, first),
            None => self.late(spot, &late),
        }
    }

    /// This rank waits for what another one sends.
    pub(crate) fn wait_for(&self, rank: Option<usize>) {
        let word = match &self.meetings {
            Meetings::Memory(control) => control.waits_for(self.rank),
            Meetings::Connections(_) => &self.waits,
        };
        word.store(rank.map_or(0, |r| r as u64 + 1), Relaxed);
    }

    /// Whom a rank waits for in the end, at wires and at collectives: the rank that does not wait, or the same one.
    fn behind(&self, rank: usize) -> usize {
        let Meetings::Memory(control) = &self.meetings else { return rank };
        let of = |r| RankPosition {
            came: control.came_to(r).load(Relaxed),
            begun: 0,
            spot: control.last(r).0,
            waits: control.waits_for(r).load(Relaxed),
        };
        let at: Vec<RankPosition> = (0..self.size).map(of).collect();
        behind(&at, rank, self.rank).first().copied().unwrap_or(rank)
    }

    /// Ends the run, since this rank has waited for the timeout for what another one sends, or else takes: `what` says for what.
    /// Where that one waits as well, the one that all of them wait for is named.
    pub(crate) fn wire_is_late(&self, what: &str, from: usize, sends: bool) -> ! {
        self.end(&self.late_at_wire(what, from, sends))
    }

    /// The same, for who cleans up before the run ends.
    pub(crate) fn late_at_wire(&self, what: &str, from: usize, sends: bool) -> RuntimeError {
        let (timeout, step) = (self.timeout.as_secs_f64(), self.step.load(Relaxed));
        let late = if sends { format!("did not come from rank {from}") } else { format!("rank {from} did not take") };
        let what = format!("{what} in step {step}, which {late} within {timeout} s");
        let asked = self.star().and_then(|star| self.ask_why(star, self.last(self.rank), Some(&what)));
        asked.unwrap_or_else(|| self.rank_error(self.late_wire(&what, self.behind(from))))
    }

    fn late_wire(&self, what: &str, late: usize) -> String {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        format!("{what}; rank {late} was last seen at {}", words.of(self.last(late)))
    }

    pub(super) fn late(&self, spot: Spot, late: &[usize]) -> String {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let (what, timeout) = (words.of(spot), self.timeout.as_secs_f64());
        let Some(&first) = late.first() else {
            return format!(
                "all ranks came to {what}, which was not done within {timeout} s: the network between them may be why"
            );
        };
        let last = self.last(first);
        // Ranks meet before a collective and after it, where they share memory.
        let came = self.star().is_none() && spot.is_collective() && late.iter().all(|&r| self.last(r) == spot);
        let end = if came { "the end of " } else { "" };
        let seen = match self.behind(first) {
            r if r == first => format!("rank {first} was last seen at {}", words.of(last)),
            r => format!("rank {first} waits for rank {r}, which was last seen at {}", words.of(self.last(r))),
        };
        format!("{} did not come to {end}{what} within {timeout} s; {seen}", ranks(late))
    }
}

/// Says now and then where this rank is.
pub(super) fn beat(world: &Arc<World>) -> Result<()> {
    let (weak, mut said) = (Arc::downgrade(world), RankPosition::default());
    let work = move || {
        while let Some(world) = weak.upgrade() {
            if world.link.is_ending() {
                return;
            }
            let at = world.position();
            if at != said {
                world.link.tell(&Message::At { at, asked: false });
                said = at;
            }
            drop(world);
            std::thread::sleep(BEAT);
        }
    };
    let thread = std::thread::Builder::new().name("heartbeat".into()).stack_size(256 << 10);
    thread.spawn(work).map_err(|e| RuntimeError::usage("a thread for the heartbeat", e.to_string()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::hear::listen;
    use super::super::link::Link;
    use super::super::messages::Peer;
    use super::*;
    use std::net::{TcpListener, TcpStream};

    /// Ranks that are connected as after a rendezvous; those that `hear` listen to each other. A rank that fails continues, for the
    /// test to see why.
    fn connected(size: usize, hear: impl Fn(usize) -> bool) -> Vec<Arc<World>> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let peer = |rank, s: TcpStream| Peer::new(s, rank).unwrap();
        let (mut first, mut rest) = (Vec::new(), Vec::new());
        for rank in 1..size {
            rest.push((rank, vec![peer(0, TcpStream::connect(listener.local_addr().unwrap()).unwrap())]));
            first.push(peer(rank, listener.accept().unwrap().0));
        }
        let world = |(rank, peers): (usize, Vec<Peer>)| {
            let from: Vec<usize> = peers.iter().map(|p| p.rank).collect();
            let (link, reads) = Link::new(peers);
            let world = Arc::new(World {
                rank,
                size,
                sharers: 1,
                timeout: Duration::from_secs(1),
                local: 0,
                meetings: Meetings::Connections(Star::new(size)),
                transport: None,
                tags: Default::default(),
                waits: Default::default(),
                link,
                words: Default::default(),
                step: Default::default(),
                came: Default::default(),
                spot: Default::default(),
                timed: Default::default(),
                tallies: Default::default(),
                device: Default::default(),
                supervised: true.into(),
                failed: Default::default(),
                on_this_host: 1,
                judging: false.into(),
                on_failure: Box::new(|_| {}),
            });
            for (from, read) in from.into_iter().zip(reads) {
                if hear(rank) {
                    listen(&world, from, read).unwrap();
                } else {
                    // Stopped: its end stays open, and nothing is read.
                    std::mem::forget(read);
                }
            }
            world
        };
        std::iter::once((0, first)).chain(rest).map(world).collect()
    }

    fn why(world: &World) -> String {
        for _ in 0..2000 {
            if let Err(e) = world.check() {
                return e.message;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        "nothing".into()
    }

    #[test]
    fn bytes_are_handed_around() {
        let all = connected(3, |_| true);
        std::thread::scope(|s| {
            for w in &all {
                s.spawn(move || {
                    for n in [0, 3, PIECE + 5] {
                        let mut bytes: Vec<u8> = (0..n).map(|i| if i % 3 == w.rank { 7 } else { 0 }).collect();
                        w.combine(&mut bytes, Spot::START);
                        assert!(bytes.iter().all(|&b| b == 7), "{n} bytes");
                        w.meet(Spot::BETWEEN);
                    }
                    assert!(w.any(w.rank == 2) && !w.any(false));
                    assert_eq!(w.gather(w.rank as u64 + 5), [5, 6, 7]);
                });
            }
        });
    }

    /// Rank 2 asks why it waits: rank 1's GPU has not begun what all others have.
    #[test]
    fn who_is_behind_is_named_to_all() {
        let all = connected(3, |_| true);
        for w in &all {
            w.set_step(4);
            w.arrive(Spot::STEP);
            let begun = if w.rank == 1 { 6 } else { 7 };
            w.watch_device(Some(Box::new(move || (begun, Some(Spot::new(1, begun as u32))))));
        }
        let expected =
            "rank 1 did not come to collective 7, step 4 within 1 s; rank 1 was last seen at collective 6, step 4";
        assert_eq!(all[2].stuck(Spot::new(1, 7).at_step(4)).message, expected);
        assert_eq!((why(&all[0]), why(&all[1])), (expected.to_owned(), expected.to_owned()));
    }

    #[test]
    fn who_is_silent_is_named() {
        let all = connected(3, |rank| rank != 2);
        all.iter().for_each(|w| _ = w.arrive(Spot::STEP));
        let e = all[0].stuck(Spot::STEP);
        assert_eq!(
            e.message,
            "rank 2 did not come to the start of a step within 1 s; rank 2 was last seen at the start of the run"
        );
        // Rank 0 itself is not there.
        let all = connected(2, |rank| rank != 0);
        assert!(all[1].stuck(Spot::STEP).message.starts_with("rank 0 did not come to the start of a step"));
    }
}
