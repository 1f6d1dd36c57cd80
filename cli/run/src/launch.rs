//! Starts, watches and ends several processes on this host, one for each rank.
//!
//! Ranks find each other by the variables that `torchrun` sets. Their standard error is printed with `[rank N]` in
//! front of each line. Standard output is data, which rank 0 alone writes, and is passed through as it is. Each rank
//! has a process group of its own, so that Ctrl-C reaches it once, from here.

use crate::ends::End;
use crate::join::{KEY, LISTEN};
use crate::signals::{GIVEN_UP, LAUNCHED_BY, on_signals};
use crate::{Failed, INTERRUPTED, PREEMPTED, Result, status};
use meshloom_runtime::world::JobKey;
use rustix::process::{Pid, Signal, kill_process, set_parent_process_death_signal};
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The variable in which the launcher of an elastic run says where memory is.
pub(crate) const HANDED: &str = "MESHLOOM_ELASTIC";
/// The interval at which the launcher checks whether a rank has ended.
const LOOK: Duration = Duration::from_millis(10);
/// After the first rank has failed: how long the others have to end by themselves, then after a signal, before they are killed.
const GRACE: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(2)];
/// The first of these where ranks are through, or end as they were asked to: giving back much memory takes its time, and is no fault.
const ORDERLY: Duration = Duration::from_secs(60);

/// What is started.
pub struct RankLaunch {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    pub ranks: usize,
    /// Rank 0's port; one that is free by default.
    pub port: Option<u16>,
    /// Further variables of the environment.
    pub env: Vec<(OsString, OsString)>,
}

/// Stops that were asked for, and whether the last one was SIGTERM.
static STOPS: AtomicU32 = AtomicU32::new(0);
static TERMINATED: AtomicBool = AtomicBool::new(false);

/// How many stops were requested so far.
pub(crate) fn stops() -> u32 {
    STOPS.load(SeqCst)
}

/// The exit code of a launcher that was itself asked to stop.
pub(crate) fn stop_code() -> i32 {
    if TERMINATED.load(SeqCst) { PREEMPTED } else { INTERRUPTED }
}

/// Runs all ranks to their end.
///
/// # Errors
/// A port that is taken, a process that cannot be started, and the first rank that failed, with its exit code.
pub fn launch(what: &RankLaunch) -> Result<()> {
    let socket = socket(what.port)?;
    listen_to_signals()?;
    let mut ranks = Ranks::start(what, &socket, &job_key()?)?;
    drop(socket);
    let blamed = ranks.watch(&mut || false);
    ranks.drain();
    ranks.result(blamed)
}

/// From here on signals are passed on to ranks.
///
/// # Errors
/// The system has no means left to listen with.
pub fn listen_to_signals() -> Result<()> {
    on_signals(false, |sent| {
        status::say("Stopping", &format!("all ranks, since {} came", sent.describe()));
        TERMINATED.store(sent.preempts(), SeqCst);
        STOPS.fetch_add(1, SeqCst);
    })
}

/// Rank 0's socket.
pub(crate) fn socket(port: Option<u16>) -> Result<TcpListener> {
    let port = port.unwrap_or(0);
    TcpListener::bind(("127.0.0.1", port)).map_err(|e| {
        Failed::usage(format!("rank 0's port {port} cannot be had: {e}"))
            .help("choose another one with --master-port, or leave the choice to `launch`")
    })
}

/// The secret of the ranks. Other users of this host can reach the port, and cannot read the environment of our processes.
pub(crate) fn job_key() -> Result<OsString> {
    let key = std::env::var_os(KEY).map_or_else(|| JobKey::random().map(Into::into), Ok);
    key.map_err(|e| Failed::usage(format!("no random numbers for a secret: {e}")))
}

/// The processes of a run, or of one generation of it.
pub(crate) struct Ranks(Vec<Rank>);

/// The rank to blame for an end, and how it ended.
pub(crate) struct Blamed {
    pub rank: usize,
    pub end: End,
    /// When the first rank was seen to have ended.
    pub at: Instant,
}

impl Ranks {
    pub fn start(what: &RankLaunch, socket: &TcpListener, key: &OsStr) -> Result<Ranks> {
        let port = socket.local_addr().map_err(|e| Failed::usage(format!("no local port: {e}")))?.port();
        let mut ranks: Vec<Rank> = Vec::new();
        for rank in 0..what.ranks {
            match Rank::start(what, rank, port, key, socket) {
                Ok(r) => ranks.push(r),
                Err(e) => {
                    ranks.iter_mut().for_each(Rank::kill);
                    return Err(Failed::usage(format!("{}: cannot be started: {e}", what.program.display())));
                }
            }
        }
        Ok(Ranks(ranks))
    }

    /// Returns when all ranks have ended, and whom to blame if they did not end well. Calls `look` now and then meanwhile, which
    /// says whether ranks were asked to end.
    pub fn watch(&mut self, look: &mut dyn FnMut() -> bool) -> Option<Blamed> {
        watch(&mut self.0, look)
    }

    /// Waits until all that they said is printed.
    pub fn drain(&mut self) {
        self.0.iter_mut().for_each(Rank::drain);
    }

    /// How all have ended, by rank.
    pub fn ends(&self) -> Vec<End> {
        self.0.iter().filter_map(Rank::how).collect()
    }

    /// Whether the first rank has ended well: it is the last to know that a run is over, and has written what there is to write.
    pub fn is_done(&self) -> bool {
        self.ends().first() == Some(&End::Done)
    }

    /// Whether somebody has stopped the run, by the launcher or by any rank.
    pub fn is_stopped(&self) -> bool {
        stops() > 0 || self.ends().iter().any(|e| matches!(e, End::Stopped(..)))
    }

    /// Ranks that are as much to blame as the one that is, and how each ended: they died, and did not end because another one did.
    pub fn dead(&self, blamed: &Blamed) -> Vec<(usize, End)> {
        let lost_alone = blamed.end == End::Lost && self.ends().iter().all(|&e| e == End::Lost);
        if blamed.end.is_orderly() || lost_alone {
            return Vec::new();
        }
        let ends = self.0.iter().filter_map(|r| Some((r.rank, r.how()?)));
        ends.filter(|(_, end)| end.is_like(blamed.end)).collect()
    }

    /// What the launcher says in the end.
    ///
    /// # Errors
    /// The rank to blame, with its exit code.
    pub fn result(&self, blamed: Option<Blamed>) -> Result<()> {
        let Some(Blamed { rank, end, .. }) = blamed else { return Ok(()) };
        match end {
            // Who stopped the run is known here, or the rank that got the signal has said so.
            End::Stopped(..) if stops() > 0 => return Err(Failed::silent(stop_code())),
            End::Stopped(code, None) => return Err(Failed::silent(code)),
            _ => {}
        }
        Err(Failed::new(end.code(), format!("rank {rank} of {} {}", self.0.len(), end.describe())))
    }
}

pub(crate) struct Rank {
    rank: usize,
    child: Child,
    end: Option<ExitStatus>,
    /// When that was seen, by the number of the look.
    seen: u64,
    /// The launcher has ended it, since it did not end by itself.
    given_up: bool,
    /// It was killed since somebody asked for the end a third time: the exit code of that.
    asked_thrice: Option<i32>,
    readers: Vec<JoinHandle<()>>,
}

impl Rank {
    fn start(what: &RankLaunch, rank: usize, port: u16, key: &OsStr, socket: &TcpListener) -> std::io::Result<Rank> {
        let mut c = Command::new(&what.program);
        let (number, all) = (rank.to_string(), what.ranks.to_string());
        c.args(&what.args).stdin(Stdio::null()).stderr(Stdio::piped());
        c.stdout(if rank == 0 { Stdio::inherit() } else { Stdio::piped() });
        c.env("RANK", &number).env("LOCAL_RANK", &number).env("WORLD_SIZE", &all).env("LOCAL_WORLD_SIZE", &all);
        c.env("MASTER_ADDR", "127.0.0.1")
            .env("MASTER_PORT", port.to_string())
            .env(LAUNCHED_BY, std::process::id().to_string())
            .env(KEY, key);
        c.env_remove(LISTEN).env_remove(HANDED).process_group(0);
        c.envs(what.env.iter().map(|(k, v)| (k, v)));
        let fd = socket.as_raw_fd();
        if rank == 0 {
            c.env(LISTEN, fd.to_string());
        }
        let prepare = move || {
            // A launcher that is killed takes its ranks along; they stop as after Ctrl-C.
            set_parent_process_death_signal(Some(Signal::TERM))?;
            if rank == 0 {
                // SAFETY: the launcher keeps the socket open until all ranks have started.
                rustix::io::fcntl_setfd(unsafe { BorrowedFd::borrow_raw(fd) }, rustix::io::FdFlags::empty())?;
            }
            Ok(())
        };
        // SAFETY: between fork and exec only two system calls are made: nothing is allocated, and no lock is taken.
        unsafe { c.pre_exec(prepare) };
        let mut child = c.spawn()?;
        let (err, out) = (child.stderr.take(), child.stdout.take());
        let mut started =
            Rank { rank, child, end: None, seen: 0, given_up: false, asked_thrice: None, readers: Vec::new() };
        let mut forwarded = |reader: std::io::Result<JoinHandle<()>>| reader.map(|r| started.readers.push(r));
        let all = err.map_or(Ok(()), |err| forwarded(forward(rank, err, false)));
        let all = all.and_then(|()| out.map_or(Ok(()), |out| forwarded(forward(rank, out, true))));
        if let Err(e) = all {
            started.kill();
            return Err(e);
        }
        Ok(started)
    }

    fn signal(&self, signal: Signal) {
        if self.end.is_none()
            && let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
        {
            // The process may just have ended. Until it is waited for, no other process gets its number.
            let _ = kill_process(pid, signal);
        }
    }

    /// How it ended, once it has.
    fn how(&self) -> Option<End> {
        self.end.map(|status| End::of(status, self.given_up, self.asked_thrice))
    }

    /// Ends it, since another one has ended and it has not.
    fn give_up(&mut self, signal: Signal) {
        self.given_up |= self.end.is_none();
        self.signal(signal);
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits until all of its output is printed. A process that it started may hold the pipe open, so the wait is limited.
    fn drain(&mut self) {
        let until = Instant::now() + Duration::from_secs(1);
        for r in self.readers.drain(..) {
            while !r.is_finished() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Prints what a rank says, whole lines at a time.
fn forward(rank: usize, from: impl Read + Send + 'static, data: bool) -> std::io::Result<JoinHandle<()>> {
    std::thread::Builder::new().spawn(move || {
        let mut from = BufReader::new(from);
        let mut line = Vec::new();
        while from.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
            let text = String::from_utf8_lossy(&line);
            let text = format!("[rank {rank}] {}", text.trim_end_matches(['\n', '\r']));
            if data {
                status::data(&format!("{text}\n"))
            } else {
                status::line_of_rank(&text)
            }
            line.clear();
        }
    })
}

fn watch(ranks: &mut [Rank], look: &mut dyn FnMut() -> bool) -> Option<Blamed> {
    let mut ended: Option<Instant> = None;
    let (mut stopped, mut told) = (0, 0);
    for look_now in 0.. {
        for r in ranks.iter_mut().filter(|r| r.end.is_none()) {
            (r.end, r.seen) = (r.child.try_wait().ok().flatten(), look_now);
        }
        let ends = ranks.iter().filter_map(|r| Some((r.how()?, r.seen, r.rank)));
        let failed: Vec<(End, u64, usize)> = ends.filter(|f| f.0 != End::Done).collect();
        // A rank ends well once all of them are through, so its end starts the clock too.
        if ranks.iter().any(|r| r.end.is_some()) {
            ended.get_or_insert_with(Instant::now);
        }
        if ranks.iter().all(|r| r.end.is_some()) {
            let at = ended.unwrap_or_else(Instant::now);
            // Among several ends of one kind, the first is blamed.
            let first = failed.into_iter().min_by_key(|&(end, seen, rank)| (end.place(), seen, rank));
            return first.map(|(end, _, rank)| Blamed { rank, end, at });
        }
        let asked = STOPS.load(SeqCst);
        if asked > stopped {
            // Each of several that came at once.
            (stopped + 1..=asked).for_each(|n| pass_on(ranks, n));
            stopped = asked;
        }
        let reshapes = look();
        let orderly = failed.iter().all(|f| reshapes && f.0.is_orderly());
        let grace = if orderly { ORDERLY } else { GRACE[0] };
        let since = ended.map_or(Duration::ZERO, |e| e.elapsed());
        if told == 0 && since > grace {
            told = 1;
            ranks.iter_mut().for_each(|r| r.give_up(GIVEN_UP));
        } else if told == 1 && since > grace + GRACE[1] {
            told = 2;
            let left: Vec<usize> = ranks.iter().filter(|r| r.end.is_none()).map(|r| r.rank).collect();
            status::warning(&format!("{} does not end, and is killed", meshloom_runtime::world::ranks(&left)));
            ranks.iter_mut().for_each(|r| r.give_up(Signal::KILL));
        }
        std::thread::sleep(LOOK);
    }
    None
}

/// Tells all ranks what the launcher was told: once, again, and then without mercy.
fn pass_on(ranks: &mut [Rank], asked: u32) {
    // SIGTERM is a preemption for the ranks too.
    let signal = match TERMINATED.load(SeqCst) {
        _ if asked > 2 => Signal::KILL,
        true => Signal::TERM,
        false => Signal::INT,
    };
    for r in ranks {
        if signal == Signal::KILL && r.end.is_none() {
            r.asked_thrice = Some(stop_code());
        }
        r.signal(signal);
    }
}
