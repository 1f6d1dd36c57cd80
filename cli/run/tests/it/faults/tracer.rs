//! A process in which one system call of a test's choice fails, as SQLite's tests do it: it is traced (ptrace), and a filter
//! (seccomp) stops it at calls that have to do with files, connections, memory and threads, whichever library makes them.
//!
//! Calls are counted from the one on that opens a certain file. So what the loader does, of which no program hears, is
//! left alone.

use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The calls that are counted, and what may become of each.
const CALLS: &[(i64, &str, &[Fault])] = &[
    (libc::SYS_openat, "openat", &[Fault::Fails(libc::EMFILE), Fault::Fails(libc::EIO), Fault::Fails(libc::EINTR)]),
    (libc::SYS_read, "read", READS),
    (libc::SYS_pread64, "pread64", READS),
    (libc::SYS_write, "write", WRITES),
    (libc::SYS_pwrite64, "pwrite64", WRITES),
    (libc::SYS_writev, "writev", &[Fault::Fails(libc::ENOSPC), Fault::Fails(libc::EINTR)]),
    (libc::SYS_fsync, "fsync", &[Fault::Fails(libc::EIO), Fault::Fails(libc::ENOSPC)]),
    (libc::SYS_ftruncate, "ftruncate", &[Fault::Fails(libc::ENOSPC), Fault::Fails(libc::EFBIG)]),
    (libc::SYS_rename, "rename", NAMES),
    (libc::SYS_renameat2, "renameat2", NAMES),
    (libc::SYS_unlink, "unlink", NAMES),
    (libc::SYS_unlinkat, "unlinkat", NAMES),
    (libc::SYS_rmdir, "rmdir", NAMES),
    (libc::SYS_mkdir, "mkdir", NAMES),
    (libc::SYS_getdents64, "getdents64", &[Fault::Fails(libc::EIO)]),
    (libc::SYS_statx, "statx", &[Fault::Fails(libc::EIO), Fault::Fails(libc::EACCES)]),
    (libc::SYS_newfstatat, "newfstatat", &[Fault::Fails(libc::EIO)]),
    (libc::SYS_lseek, "lseek", &[Fault::Fails(libc::EIO)]),
    (libc::SYS_flock, "flock", &[Fault::Fails(libc::ENOLCK), Fault::Fails(libc::EINTR)]),
    (libc::SYS_getrandom, "getrandom", &[Fault::Fails(libc::ENOSYS), Fault::Fails(libc::EINTR)]),
    (libc::SYS_memfd_create, "memfd_create", &[Fault::Fails(libc::EMFILE), Fault::Fails(libc::ENOMEM)]),
    (libc::SYS_mmap, "mmap", &[Fault::Fails(libc::ENOMEM)]),
    (libc::SYS_clone3, "clone3", &[Fault::Fails(libc::EAGAIN)]),
    (libc::SYS_pipe2, "pipe2", &[Fault::Fails(libc::EMFILE)]),
    (libc::SYS_socket, "socket", &[Fault::Fails(libc::EMFILE), Fault::Fails(libc::ENOBUFS)]),
    (libc::SYS_connect, "connect", &[Fault::Fails(libc::ECONNREFUSED), Fault::Fails(libc::ETIMEDOUT)]),
    (libc::SYS_accept4, "accept4", &[Fault::Fails(libc::EMFILE), Fault::Fails(libc::ECONNABORTED)]),
    (libc::SYS_setsockopt, "setsockopt", &[Fault::Fails(libc::EINVAL)]),
    (libc::SYS_sendto, "sendto", &[Fault::Fails(libc::ECONNRESET), Fault::Fails(libc::EPIPE), Fault::Short]),
    (libc::SYS_recvfrom, "recvfrom", &[Fault::Fails(libc::ECONNRESET), Fault::Fails(libc::EINTR), Fault::Short]),
    (libc::SYS_poll, "poll", &[Fault::Fails(libc::EINTR), Fault::Fails(libc::ENOMEM)]),
    (libc::SYS_ioctl, "ioctl", &[Fault::Fails(libc::EIO)]),
    (libc::SYS_fcntl, "fcntl", &[Fault::Fails(libc::EMFILE)]),
];
const READS: &[Fault] = &[Fault::Fails(libc::EIO), Fault::Fails(libc::EINTR), Fault::Short];
const WRITES: &[Fault] =
    &[Fault::Fails(libc::ENOSPC), Fault::Fails(libc::EIO), Fault::Fails(libc::EINTR), Fault::Short];
const NAMES: &[Fault] = &[Fault::Fails(libc::EIO), Fault::Fails(libc::ENOSPC)];

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not made, and fails with this code.
    Fails(i32),
    /// It moves half of the bytes.
    Short,
}

/// A call that was made, or was to be made.
#[derive(Clone, Debug)]
pub struct Call {
    pub name: &'static str,
    pub faults: &'static [Fault],
    /// Its first argument: the descriptor, for many.
    pub first: u64,
}

/// How a traced process ended.
pub struct Traced {
    pub status: ExitStatus,
    pub stderr: String,
    pub calls: Vec<Call>,
    /// The call that had the fault, where it came to that.
    pub hit: Option<Call>,
    /// It was killed since it did not end.
    pub hung: bool,
}

/// Whether processes may be traced here.
pub fn allowed() -> bool {
    let tried = run(Command::new("true"), "", None, Duration::from_secs(20));
    if tried.is_none() {
        eprintln!("processes cannot be traced here: faults of system calls are not tested");
    }
    tried.is_some()
}

/// Runs a command, in which the call of this number has this fault, or else the next one that may have it, since threads do not
/// make their calls in the same order each time; nothing where tracing is not allowed. Calls are counted from the one on that
/// names a file which ends so.
pub fn run(mut command: Command, from: &str, fault: Option<(usize, Fault)>, most: Duration) -> Option<Traced> {
    let program = filter();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    // SAFETY: three system calls between fork and exec; the filter outlives them.
    unsafe { command.pre_exec(move || traced(&program)) };
    let mut child = command.spawn().ok()?;
    let mut err = child.stderr.take()?;
    let said = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = err.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let (over, ended) = channel::<()>();
    let pid = child.id() as i32;
    let watch = std::thread::spawn(move || {
        let late = ended.recv_timeout(most) == Err(RecvTimeoutError::Timeout);
        if late {
            // SAFETY: it is not waited for before this thread is told to end.
            unsafe { libc::kill(pid, libc::SIGKILL) };
        }
        late
    });
    let mut seen = Seen { begun: from.is_empty(), calls: Vec::new(), hit: None };
    let status = follow(&child, from, fault, &mut seen);
    drop(over);
    let hung = watch.join().unwrap();
    Some(Traced { status, stderr: said.join().unwrap(), calls: seen.calls, hit: seen.hit, hung })
}

/// In the child: stops at each call of the list.
fn traced(program: &[libc::sock_filter]) -> std::io::Result<()> {
    let filter = libc::sock_fprog { len: program.len() as u16, filter: program.as_ptr().cast_mut() };
    // SAFETY: the calls read what they are given, which lives.
    let done = unsafe {
        libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter) == 0
    };
    if done { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

/// Stop at calls of the list, let all others pass.
fn filter() -> Vec<libc::sock_filter> {
    const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const EQUALS: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    let op = |code, jt, jf, k| libc::sock_filter { code, jt, jf, k };
    let n = CALLS.len();
    let tests = CALLS.iter().enumerate().map(|(i, c)| op(EQUALS, (n - i) as u8, 0, c.0 as u32));
    let ends = [op(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW), op(RETURN, 0, 0, libc::SECCOMP_RET_TRACE)];
    std::iter::once(op(LOAD, 0, 0, 0)).chain(tests).chain(ends).collect()
}

/// What was seen of a process.
struct Seen {
    /// Calls are counted.
    begun: bool,
    calls: Vec<Call>,
    hit: Option<Call>,
}

/// Lets the process and its threads go on from stop to stop, up to the end of the process.
fn follow(child: &Child, from: &str, fault: Option<(usize, Fault)>, seen: &mut Seen) -> ExitStatus {
    let (main, mut started) = (child.id() as i32, false);
    loop {
        let mut status = 0;
        // Of this thread's children alone, so that other tests keep theirs.
        // SAFETY: a place to write to.
        let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL | libc::__WNOTHREAD) };
        assert!(pid > 0, "the process is waited for: {}", std::io::Error::last_os_error());
        if !libc::WIFSTOPPED(status) {
            if pid == main {
                return ExitStatus::from_raw(status);
            }
            continue;
        }
        let mut signal = libc::WSTOPSIG(status);
        if !started {
            started = true;
            let all = libc::PTRACE_O_TRACESECCOMP | libc::PTRACE_O_TRACECLONE | libc::PTRACE_O_EXITKILL;
            // SAFETY: a process of this thread, which has stopped.
            unsafe { libc::ptrace(libc::PTRACE_SETOPTIONS, pid, 0, i64::from(all)) };
        } else if status >> 8 == libc::SIGTRAP | libc::PTRACE_EVENT_SECCOMP << 8 {
            stopped(pid, from, fault, seen);
        }
        // Stops are no signals, and a new thread begins with one that is none either.
        if [libc::SIGTRAP, libc::SIGSTOP].contains(&signal) {
            signal = 0;
        }
        // SAFETY: as above. A process that was killed meanwhile is met again in the next round.
        unsafe { libc::ptrace(libc::PTRACE_CONT, pid, 0, i64::from(signal)) };
    }
}

/// A thread is about to make a call of the list.
fn stopped(pid: i32, from: &str, fault: Option<(usize, Fault)>, seen: &mut Seen) {
    // SAFETY: all zeros are a value of the structure.
    let mut regs: libc::user_regs_struct = unsafe { std::mem::zeroed() };
    // SAFETY: a thread of this tracer that has stopped, and a structure to write to.
    if unsafe { libc::ptrace(libc::PTRACE_GETREGS, pid, 0, &raw mut regs) } != 0 {
        return;
    }
    let Some(&(number, name, faults)) = CALLS.iter().find(|c| c.0 as u64 == regs.orig_rax) else { return };
    if !seen.begun {
        seen.begun = number == libc::SYS_openat && text(pid, regs.rsi).ends_with(from);
        return;
    }
    let (at, call) = (seen.calls.len(), Call { name, faults, first: regs.rdi });
    seen.calls.push(call.clone());
    let fits = |f: &(usize, Fault)| f.0 <= at && faults.contains(&f.1);
    let Some((_, fault)) = fault.filter(|f| seen.hit.is_none() && fits(f)) else { return };
    seen.hit = Some(call);
    match fault {
        Fault::Fails(code) => {
            // No call has this number, so none is made, and what stands here is what it returns.
            regs.orig_rax = u64::MAX;
            regs.rax = (-i64::from(code)) as u64;
        }
        Fault::Short => regs.rdx = regs.rdx.div_ceil(2),
    }
    // SAFETY: as above.
    unsafe { libc::ptrace(libc::PTRACE_SETREGS, pid, 0, &raw const regs) };
}

/// A text in the memory of a process, up to its zero.
fn text(pid: i32, mut at: u64) -> String {
    let mut bytes = Vec::new();
    loop {
        // SAFETY: a thread that has stopped; an address that it does not have is an error.
        let word = unsafe { libc::ptrace(libc::PTRACE_PEEKDATA, pid, at, 0) }.to_ne_bytes();
        let end = word.iter().position(|&b| b == 0);
        bytes.extend_from_slice(&word[..end.unwrap_or(word.len())]);
        if end.is_some() || bytes.len() > 4096 {
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        at += 8;
    }
}
