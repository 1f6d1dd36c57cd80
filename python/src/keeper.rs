//! The thread that owns a session. Sessions stay on the thread that opened them, as GPU contexts do; Python calls from any thread.

use meshloom_bundle::Bundle;
use meshloom_runtime::{Result, RuntimeError, Session, SessionOptions};
use std::sync::mpsc::{Sender, channel};

type Work = Box<dyn FnOnce(&mut Session) + Send>;

pub struct Keeper {
    /// The thread ends when this is dropped.
    work: Sender<Work>,
}

impl Keeper {
    /// Opens a session on a thread of its own.
    ///
    /// # Errors
    /// As [`Session::open`].
    pub fn open(bundle: Bundle, entry: String, options: SessionOptions) -> Result<Keeper> {
        let (work, asked) = channel::<Work>();
        let (opened, said) = channel();
        let serve = move || match Session::open(&bundle, &entry, &options) {
            Err(e) => {
                let _ = opened.send(Err(e));
            }
            Ok(mut session) => {
                drop(bundle);
                let _ = opened.send(Ok(()));
                for one in asked {
                    one(&mut session);
                }
            }
        };
        let thread = std::thread::Builder::new().name("meshloom".into()).spawn(serve);
        thread.map_err(|e| RuntimeError::usage("session", format!("a thread cannot be started: {e}")))?;
        said.recv().unwrap_or_else(|_| Err(gone()))?;
        Ok(Keeper { work })
    }

    /// Has the session do something, and waits for it.
    ///
    /// # Errors
    /// A session whose thread has ended, which only a bug of ours does.
    pub fn ask<T: Send + 'static>(&self, of: impl FnOnce(&mut Session) -> T + Send + 'static) -> Result<T> {
        let (done, answer) = channel();
        let work = move |s: &mut Session| {
            let _ = done.send(of(s));
        };
        self.work.send(Box::new(work)).map_err(|_| gone())?;
        answer.recv().map_err(|_| gone())
    }
}

fn gone() -> RuntimeError {
    RuntimeError::usage("session", "its thread has ended: a bug of Meshloom, whose message is on standard error")
}
