//! What of communication nothing hides: for how long of a collective's time the stream of computation stands still.
//!
//! The figures of collectives that run at one time on different levels overlap, so their sum may be more than the time for which
//! the stream stands still.
//!
//! Not here: what a device loses to collectives that run beside its kernels.

pub struct Exposed {
    /// By task, in picoseconds.
    pub ps: Vec<u64>,
    /// Collectives that may run when the stream is free again: task, start, end.
    running: Vec<(u32, u64, u64)>,
    /// Until when it is counted.
    counted: u64,
}

impl Exposed {
    pub fn new(tasks: usize) -> Exposed {
        Exposed { ps: vec![0; tasks], running: Vec::new(), counted: 0 }
    }

    /// A collective runs in `from..to`; `alone` where there is only one stream.
    pub fn runs(&mut self, task: u32, from: u64, to: u64, alone: bool) {
        if alone {
            self.add(task, to - from);
        } else {
            self.running.push((task, from, to));
        }
    }

    /// The stream of computation stands still in `from..to`, and works from then until `until`. All
    /// collectives that start before `to` are known.
    pub fn idle(&mut self, from: u64, to: u64, until: u64) {
        let running = std::mem::take(&mut self.running);
        let from = from.max(self.counted);
        self.counted = self.counted.max(to);
        for &(task, start, end) in &running {
            self.add(task, end.min(to).saturating_sub(start.max(from)));
        }
        self.running = running.into_iter().filter(|r| r.2 > until).collect();
    }

    fn add(&mut self, task: u32, ps: u64) {
        let sum = &mut self.ps[task as usize];
        *sum = sum.saturating_add(ps);
    }
}
