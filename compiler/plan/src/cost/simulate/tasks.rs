//! What a region does in each iteration, as tasks without a program: where each runs, how long it takes, and what it waits for.
//!
//! Not here: prices, and when a task runs ([`super::list`]).

use smallvec::SmallVec;

/// Iterations whose tasks are open at one time.
pub const WINDOW: u64 = 3;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskPlace {
    /// There as soon as its operands are.
    View,
    /// On one lane: 0 is computation, the others are the levels of the network.
    Lane(usize),
    /// On all lanes at once.
    All,
}

/// What is done once in each iteration.
#[derive(Clone, Debug)]
pub struct LoopTask {
    pub place: TaskPlace,
    /// Picoseconds before the first byte; 0 for what is no collective.
    pub latency: u64,
    /// Picoseconds after that.
    pub ps: u64,
    /// Of what is on all lanes: how long it keeps each busy.
    pub inner: Vec<u64>,
    /// Small ones of one kind start as one.
    pub kind: Option<u32>,
    /// Iterations ago, and the task that is waited for. Those of the same iteration come earlier in the list.
    pub reads: SmallVec<[(u64, u32); 4]>,
}

impl LoopTask {
    pub fn whole(&self) -> u64 {
        self.latency.saturating_add(self.ps)
    }
}

/// A region that runs `trip` times.
#[derive(Clone, Debug)]
pub struct LoopTasks {
    pub tasks: Vec<LoopTask>,
    pub lanes: usize,
    /// All lanes are one stream: nothing runs beside anything else.
    pub shared: bool,
    pub trip: u64,
}

impl LoopTasks {
    pub fn stream(&self, lane: usize) -> usize {
        if self.shared { 0 } else { lane }
    }
}

/// What a task does in the first iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskStart {
    pub task: u32,
    pub at: u64,
    /// The first of a group has the latency of all.
    pub ps: u64,
    pub grouped: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopRun {
    pub end: u64,
    /// By lane.
    pub busy: Vec<u64>,
    /// By task, for how long of its time in all iterations nothing is computed; empty where that was not asked for.
    pub exposed: Vec<u64>,
    /// Of what is on another lane than the first, in the order of starting.
    pub starts: Vec<TaskStart>,
    /// Of what is on the first lane alone; empty where exposed time was not asked for.
    pub computed: Vec<TaskStart>,
}
