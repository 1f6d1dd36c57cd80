//! Several processes on this host, one for each rank: they are started, watched, and ended together.
//!
//! Ranks find each other by the variables that `torchrun` sets. Their standard error is printed with `[rank N]` in
//! front of each line. Standard output is data, which rank 0 alone writes, and is passed through as it is. Each rank
//! has a process group of its own, so that Ctrl-C reaches it once, from here.

use crate::elastic::rank::HANDED;
use crate::join::{KEY, LISTEN};
use crate::{Failed, INTERRUPTED, PREEMPTED, RESHAPED, Result, interrupt, status};
use meshloom_runtime::world::JobKey;
use rustix::process::{Pid, Signal, kill_process, set_parent_process_death_signal};
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often it is looked whether a rank has ended.
const LOOK: Duration = Duration::from_millis(10);
/// After the first rank has failed: how long the others have to end by themselves, then after a signal, before they are killed.
const GRACE: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(2)];

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

/// How often a stop was asked for.
pub(crate) fn stops() -> u32 {
    STOPS.load(SeqCst)
}

/// The exit code of a launcher that stopped as it was asked to, where no rank says so.
pub(crate) fn stop_code() -> i32 {
    if TERMINATED.load(SeqCst) { PREEMPTED } else { INTERRUPTED }
}

/// Runs all ranks to their end.
///
/// # Errors
/// A port that is taken, a process that cannot be started, and the first rank that failed, with its exit code.
pub fn launch(what: &RankLaunch) -> Result<()> {
    let socket = socket(what.port)?;
    listen_to_signals();
    let mut ranks = Ranks::start(what, &socket, &job_key()?)?;
    drop(socket);
    let blamed = ranks.watch(&mut || {});
    ranks.drain();
    ranks.result(blamed)
}

/// From here on signals are passed on to ranks.
pub fn listen_to_signals() {
    interrupt::on_signals(|terminated| {
        TERMINATED.store(terminated, SeqCst);
        STOPS.fetch_add(1, SeqCst);
    });
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

/// The rank to blame for an end, how it ended, and whether ranks had to be killed.
pub(crate) struct Blamed {
    pub rank: usize,
    pub end: ExitStatus,
    pub hung: bool,
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

    /// Returns when all ranks have ended, and whom to blame if they did not end well. Calls `look` now and then meanwhile.
    pub fn watch(&mut self, look: &mut dyn FnMut()) -> Option<Blamed> {
        watch(&mut self.0, look)
    }

    /// Waits until all that they said is printed.
    pub fn drain(&mut self) {
        self.0.iter_mut().for_each(Rank::drain);
    }

    pub fn codes(&self) -> Vec<Option<i32>> {
        self.0.iter().map(|r| r.end.and_then(|e| e.code())).collect()
    }

    /// Ranks that are as much to blame as the one that is: they died, and did not end because another one did.
    pub fn dead(&self, blamed: &Blamed) -> Vec<usize> {
        let worst = blame(blamed.end, blamed.hung);
        if worst >= RESHAPES {
            return Vec::new();
        }
        let same = |r: &&Rank| r.end.is_some_and(|e| !e.success() && blame(e, blamed.hung) == worst);
        self.0.iter().filter(same).map(|r| r.rank).collect()
    }

    /// `was killed by signal 9`
    pub fn describe(&self, blamed: &Blamed) -> String {
        describe(blamed.end, blamed.hung)
    }

    /// What the launcher says in the end.
    ///
    /// # Errors
    /// The rank to blame, with its exit code.
    pub fn result(&self, blamed: Option<Blamed>) -> Result<()> {
        let Some(Blamed { rank, end, hung, .. }) = blamed else { return Ok(()) };
        let code = code(end);
        // A rank that heard the end of another one before its own signal says that the other one failed.
        let stopped = stops() > 0 && !hung && [Some(3), Some(RESHAPED)].contains(&end.code());
        if stopped && self.codes().iter().any(|c| [Some(INTERRUPTED), Some(PREEMPTED)].contains(c)) {
            return Err(Failed::silent(stop_code()));
        }
        // A rank that does not listen to signals yet ends by the one that was passed on.
        let passed_on = [(1, libc::SIGINT), (1, libc::SIGTERM), (3, libc::SIGKILL)];
        if !hung && passed_on.iter().any(|&(least, s)| stops() >= least && end.signal() == Some(s)) {
            return Err(Failed::silent(stop_code()));
        }
        if [INTERRUPTED, PREEMPTED].contains(&code) {
            return Err(Failed::silent(code));
        }
        Err(Failed::new(code, format!("rank {rank} of {} {}", self.0.len(), describe(end, hung))))
    }
}

pub(crate) struct Rank {
    rank: usize,
    child: Child,
    end: Option<ExitStatus>,
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
            .env("MESHLOOM_LAUNCH", "1")
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
        let mut started = Rank { rank, child, end: None, readers: Vec::new() };
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
            // It may have ended this moment; until it is waited for, the number is its own.
            let _ = kill_process(pid, signal);
        }
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

fn watch(ranks: &mut [Rank], look: &mut dyn FnMut()) -> Option<Blamed> {
    let mut ended: Option<Instant> = None;
    let (mut stopped, mut told) = (0, 0);
    loop {
        for r in ranks.iter_mut().filter(|r| r.end.is_none()) {
            r.end = r.child.try_wait().ok().flatten();
        }
        let failed: Vec<(usize, ExitStatus)> =
            ranks.iter().filter_map(|r| Some((r.rank, r.end?))).filter(|(_, e)| !e.success()).collect();
        if !failed.is_empty() {
            ended.get_or_insert_with(Instant::now);
        }
        if ranks.iter().all(|r| r.end.is_some()) {
            let first = failed.into_iter().min_by_key(|&(rank, end)| (blame(end, told > 0), rank));
            let at = ended.unwrap_or_else(Instant::now);
            return first.map(|(rank, end)| Blamed { rank, end, hung: told > 0, at });
        }
        let asked = STOPS.load(SeqCst);
        if asked > stopped {
            stopped = asked;
            // SIGTERM is a preemption for the ranks too.
            let signal = match TERMINATED.load(SeqCst) {
                _ if asked > 2 => Signal::KILL,
                true => Signal::TERM,
                false => Signal::INT,
            };
            ranks.iter().for_each(|r| r.signal(signal));
        }
        if !failed.is_empty() {
            let since = ended.map_or(Duration::ZERO, |e| e.elapsed());
            if told == 0 && since > GRACE[0] {
                told = 1;
                ranks.iter().for_each(|r| r.signal(Signal::TERM));
            } else if told == 1 && since > GRACE[0] + GRACE[1] {
                told = 2;
                let left: Vec<usize> = ranks.iter().filter(|r| r.end.is_none()).map(|r| r.rank).collect();
                status::warning(&format!("{} does not end, and is killed", meshloom_runtime::world::ranks(&left)));
                ranks.iter().for_each(|r| r.signal(Signal::KILL));
            }
        }
        look();
        std::thread::sleep(LOOK);
    }
}

/// From here on [`blame`] says that a rank ended as it was asked to, or because another one did.
const RESHAPES: u32 = 5;

/// Which rank to blame, the smallest number first: one that was killed from outside, one that found an error, one that hung, one
/// that ended because another did.
fn blame(end: ExitStatus, we_kill: bool) -> u32 {
    match (end.signal(), end.code()) {
        (Some(_), _) if !we_kill => 0,
        (_, Some(RESHAPED)) => RESHAPES,
        (_, Some(c)) if ![3, INTERRUPTED, PREEMPTED].contains(&c) => 1,
        (_, Some(INTERRUPTED | PREEMPTED)) => 4,
        (_, Some(_)) => 3,
        _ => 2,
    }
}

fn code(end: ExitStatus) -> i32 {
    end.code().unwrap_or(3)
}

fn describe(end: ExitStatus, hung: bool) -> String {
    match (end.signal(), end.code()) {
        (Some(_), _) if hung => "hung, and was killed".into(),
        (Some(s), _) => format!("was killed by signal {s}{}", name(s)),
        (None, Some(c)) => format!("ended with exit code {c}"),
        (None, None) => "ended".into(),
    }
}

fn name(signal: i32) -> &'static str {
    match signal {
        libc::SIGKILL => " (SIGKILL; out of memory?)",
        libc::SIGSEGV => " (SIGSEGV)",
        libc::SIGBUS => " (SIGBUS)",
        libc::SIGABRT => " (SIGABRT)",
        libc::SIGTERM => " (SIGTERM)",
        libc::SIGILL => " (SIGILL)",
        _ => "",
    }
}
