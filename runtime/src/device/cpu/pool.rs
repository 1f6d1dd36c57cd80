//! Worker threads and their barrier.
//!
//! Launching a small kernel takes a few microseconds, and waking a thread through a condition variable takes tens. So
//! workers spin briefly, then block. Spinning with more threads than cores is worse than anything else (measured: 25
//! times slower), so a pool of more workers than cores does not spin at all.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::*};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

/// About 50 microseconds on current CPUs: longer than the gaps between launches, and short enough not to matter.
const SPINS: u32 = 2000;

/// A reusable barrier for `n` threads.
pub struct Barrier {
    n: u32,
    spins: u32,
    arrived: AtomicU32,
    epoch: AtomicU32,
    sleepers: AtomicU32,
    lock: Mutex<()>,
    wake: Condvar,
}

impl Barrier {
    /// `spin` only if every thread has a core of its own.
    pub fn new(n: usize, spin: bool) -> Barrier {
        Barrier {
            n: n as u32,
            spins: if spin { SPINS } else { 0 },
            arrived: AtomicU32::new(0),
            epoch: AtomicU32::new(0),
            sleepers: AtomicU32::new(0),
            lock: Mutex::new(()),
            wake: Condvar::new(),
        }
    }

    /// Returns when all `n` threads have called it. What they wrote before is visible to all after.
    #[inline]
    pub fn wait(&self) {
        self.wait_and(|| {});
    }

    /// As [`Barrier::wait`]; the last one to arrive does something before all go on.
    #[inline]
    pub fn wait_and(&self, last: impl FnOnce()) {
        if self.n <= 1 {
            return last();
        }
        // The epoch cannot change before this thread has arrived.
        let epoch = self.epoch.load(Relaxed);
        if self.arrived.fetch_add(1, AcqRel) + 1 == self.n {
            last();
            self.arrived.store(0, Relaxed);
            self.epoch.store(epoch.wrapping_add(1), SeqCst);
            if self.sleepers.load(SeqCst) > 0 {
                // A sleeper that has counted itself holds the lock until it waits; taking the lock makes sure it hears the call.
                drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
                self.wake.notify_all();
            }
            return;
        }
        for _ in 0..self.spins {
            if self.epoch.load(Acquire) != epoch {
                return;
            }
            std::hint::spin_loop();
        }
        self.block(epoch);
    }

    #[cold]
    fn block(&self, epoch: u32) {
        self.sleepers.fetch_add(1, SeqCst);
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while self.epoch.load(SeqCst) == epoch {
            guard = self.wake.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        drop(guard);
        self.sleepers.fetch_sub(1, SeqCst);
    }
}

type Job<'a> = &'a (dyn Fn(usize) + Sync);

struct Shared {
    start: Barrier,
    end: Barrier,
    stop: AtomicBool,
    /// The current job, its lifetime erased: set before `start`, used only between `start` and `end`.
    job: Mutex<Option<Job<'static>>>,
}

/// `n` workers; the thread that calls [`Pool::run`] is worker 0.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    workers: usize,
}

impl Pool {
    pub fn new(workers: usize) -> std::io::Result<Pool> {
        let workers = workers.max(1);
        let spin = may_spin(workers);
        let shared = Arc::new(Shared {
            start: Barrier::new(workers, spin),
            end: Barrier::new(workers, spin),
            stop: AtomicBool::new(false),
            job: Mutex::new(None),
        });
        let mut threads = Vec::new();
        for w in 1..workers {
            let shared = shared.clone();
            threads.push(std::thread::Builder::new().name(format!("worker {w}")).spawn(move || worker(&shared, w))?);
        }
        Ok(Pool { shared, threads, workers })
    }

    pub fn workers(&self) -> usize {
        self.workers
    }

    /// Runs `job(w)` on every worker `w` and returns when all are done.
    pub fn run(&mut self, job: Job<'_>) {
        if self.workers > 1 {
            // SAFETY: only the lifetime changes. Workers use the job between the two barriers, and `run` returns after the second.
            let job = unsafe { std::mem::transmute::<Job<'_>, Job<'static>>(job) };
            *self.shared.job.lock().unwrap_or_else(PoisonError::into_inner) = Some(job);
            self.shared.start.wait();
        }
        guarded(job, 0);
        self.shared.end.wait();
    }
}

fn worker(shared: &Shared, w: usize) {
    loop {
        shared.start.wait();
        if shared.stop.load(Acquire) {
            return;
        }
        let job = *shared.job.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = job {
            guarded(job, w);
        }
        shared.end.wait();
    }
}

/// A panic here is an internal error of the runtime. The other workers wait for this one at a barrier, so the process ends, with the
/// panic's message printed and the exit code of internal errors.
#[expect(clippy::disallowed_methods, reason = "the other workers would wait forever")]
fn guarded(job: Job<'_>, w: usize) {
    if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job(w))).is_err() {
        std::process::exit(101);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.stop.store(true, Release);
        if self.workers > 1 {
            self.shared.start.wait();
        }
        for t in self.threads.drain(..) {
            let _ = t.join();
        }
    }
}

/// Cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The cores that this process may use, as a text to compare.
pub fn affinity() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("Cpus_allowed_list:"));
    line.unwrap_or_default().trim().to_owned()
}

/// Whether so many threads have a core each.
pub fn may_spin(threads: usize) -> bool {
    threads <= cores()
}
