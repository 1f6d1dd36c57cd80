//! Planning, on a thread of its own: a plan takes as long as it takes, and an editor does not wait.
//!
//! A plan that has begun is finished, since planning has no place to stop. Of the texts that were edited meanwhile the last is
//! planned next.

use crate::check::{self, Checked, PlanNote};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use meshloom_source::SourceText;
use std::time::{Duration, Instant};

/// Deep programs recurse; the front end's own limit on nesting is far below this.
const STACK: usize = 256 << 20;

/// A text to be planned.
pub struct Job {
    pub path: String,
    pub version: i32,
    pub text: String,
    pub files: Vec<SourceText>,
}

pub struct Done {
    pub job: Job,
    pub checked: Checked,
    pub notes: Vec<PlanNote>,
    /// How long it took: what took long is not planned at each pause in typing.
    pub took: Duration,
}

pub struct Planner {
    jobs: Sender<Job>,
    pub done: Receiver<Done>,
    pub busy: bool,
}

impl Planner {
    /// # Errors
    /// A thread that cannot be started.
    pub fn start() -> std::io::Result<Planner> {
        let (jobs, asked) = bounded::<Job>(1);
        let (answers, done) = unbounded();
        let work = move || {
            for job in asked {
                let start = Instant::now();
                let (checked, notes) = check::whole(&job.path, &job.text, &job.files);
                if answers.send(Done { job, checked, notes, took: start.elapsed() }).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("plan".into()).stack_size(STACK).spawn(work)?;
        Ok(Planner { jobs, done, busy: false })
    }

    /// Hands a job over, which the caller does when none is under way.
    pub fn begin(&mut self, job: Job) {
        self.busy = self.jobs.send(job).is_ok();
    }
}
