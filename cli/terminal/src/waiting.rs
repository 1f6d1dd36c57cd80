//! One line on standard error that says how far a command is while somebody waits for it:
//! `    Planning gpt3.loom: 37 of 96 plans, 12 s`.
//!
//! It is drawn on terminals alone, from the time on at which one begins to wait, and taken away before data is written. What a command says
//! meanwhile stands above it. There is one line in a process, as there is one standard error.
//!
//! Not here: whether anything is to be said at all ([`crate::status`]); the bar of a training run (`meshloom-run`), which has steps and an end.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// What ends sooner needs no line.
const SOON: Duration = Duration::from_millis(250);
const LOOK: Duration = Duration::from_millis(100);

static LINE: Mutex<Option<Line>> = Mutex::new(None);

struct Line {
    bar: ProgressBar,
    /// Says what is new to the bar, until it is parked no more.
    drawer: Option<JoinHandle<()>>,
}

fn line() -> MutexGuard<'static, Option<Line>> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From here on a line says `verb` and what `text` gives. One that was there is taken away.
pub fn begin(verb: &'static str, text: impl Fn() -> String + Send + 'static) {
    end();
    if !std::io::stderr().is_terminal() {
        return;
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    // indicatif writes past anstream, so the question is asked here.
    let colour = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
    let template = if colour { "{prefix:>12.green.bold} {wide_msg}" } else { "{prefix:>12} {wide_msg}" };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    let drawn = bar.clone();
    let start = Instant::now();
    let draw = move || {
        while !drawn.is_finished() {
            if start.elapsed() >= SOON {
                // Not before there is a text: it would be drawn alone.
                drawn.set_prefix(verb);
                drawn.set_message(said(&text(), start.elapsed()));
                drawn.tick();
            }
            std::thread::park_timeout(LOOK);
        }
    };
    // Without a thread there is no line.
    if let Ok(drawer) = Builder::new().name("waiting".into()).spawn(draw) {
        *line() = Some(Line { bar, drawer: Some(drawer) });
    }
}

fn said(text: &str, waited: Duration) -> String {
    format!("{text}, {} s", waited.as_secs())
}

/// Takes the line away.
pub fn end() {
    let Some(mut old) = line().take() else { return };
    old.bar.finish_and_clear();
    if let Some(drawer) = old.drawer.take() {
        drawer.thread().unpark();
        let _ = drawer.join();
    }
}

/// Prints above the line.
pub fn above(print: impl FnOnce()) {
    match &*line() {
        Some(line) => line.bar.suspend(print),
        None => print(),
    }
}
