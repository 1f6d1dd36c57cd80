//! Progress of training: lines at a pace that people can read, on any standard error, and on a terminal a bar below
//! them.

use crate::status;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use meshloom_runtime::StepReport;
use std::io::IsTerminal;
use std::time::Instant;

/// Runs of at most so many steps show every step.
const EVERY_STEP: u64 = 20;

pub struct Progress {
    total: u64,
    first: u64,
    /// Steps between lines.
    stride: u64,
    bar: Option<ProgressBar>,
    start: Instant,
}

impl Progress {
    pub fn new(done: u64, total: u64) -> Progress {
        let stride = stride(total.saturating_sub(done));
        // No bar where it would not be seen to move, and none in a test's log.
        let bar = (!status::quiet() && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(8));
            let template = if colour() {
                "{prefix:>12.green.bold} [{bar:24.cyan/blue}] {pos}/{len}  {msg}"
            } else {
                "{prefix:>12} [{bar:24}] {pos}/{len}  {msg}"
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.set_prefix("Training");
            bar.set_position(done);
            bar
        });
        Progress { total, first: done + 1, stride, bar, start: Instant::now() }
    }

    pub fn step(&self, r: &StepReport) {
        let done = r.step + 1 - self.first;
        let left = self.total.saturating_sub(r.step);
        let eta = self.start.elapsed().as_secs_f64() / done.max(1) as f64 * left as f64;
        if let Some(bar) = &self.bar {
            bar.set_position(r.step);
            bar.set_message(format!("{}  ETA {}", figures(r, false), status::duration(eta)));
        }
        // A loss on held-out data is rare, and always worth a line.
        if status::quiet()
            || !(r.eval_loss.is_some() || r.step == self.first || r.step.is_multiple_of(self.stride) || left == 0)
        {
            return;
        }
        let width = self.total.to_string().len();
        let eta = if left > 0 { format!("  ETA {}", status::duration(eta)) } else { String::new() };
        let text = format!("{:>width$}/{}  {}{eta}", r.step, self.total, figures(r, true));
        match &self.bar {
            Some(bar) => {
                bar.println(if colour() { status::line("Step", &text) } else { format!("{:>12} {text}", "Step") })
            }
            None => status::say("Step", &text),
        }
    }

    /// Takes the bar away; the lines stay.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// indicatif writes past anstream, so the question is asked here.
fn colour() -> bool {
    anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never
}

/// About twenty lines, at round numbers.
fn stride(steps: u64) -> u64 {
    if steps <= EVERY_STEP {
        return 1;
    }
    let least = steps.div_ceil(EVERY_STEP);
    let mut unit = 1;
    loop {
        for m in [1, 2, 5] {
            if m * unit >= least {
                return m * unit;
            }
        }
        unit *= 10;
    }
}

fn figures(r: &StepReport, all: bool) -> String {
    let mut parts = Vec::new();
    if let Some(loss) = r.loss {
        parts.push(format!("loss {loss:.4}"));
    }
    if all && let Some(loss) = r.eval_loss {
        parts.push(format!("eval loss {loss:.4}"));
        parts.extend(r.eval_metrics.iter().map(|(name, x)| format!("eval {name} {}", number(*x))));
    }
    if r.tokens > 0 {
        parts.push(format!("{} tokens/s", status::short(r.tokens_per_second())));
    } else {
        parts.push(status::duration(r.seconds));
    }
    if all {
        parts.extend(r.metric("grad_norm").map(|g| format!("grad norm {g:.3}")));
        parts.extend(r.metric("lr").map(|lr| format!("lr {lr:.2e}")));
        let known = ["grad_norm", "lr", "loss_scale"];
        let told = r.metrics.iter().filter(|m| !known.contains(&m.0.as_str()));
        parts.extend(told.map(|(name, x)| format!("{name} {}", number(*x))));
    }
    parts.join("  ")
}

/// A metric of the program, whose size nothing is known of: four digits.
fn number(x: f64) -> String {
    if x == 0.0 || (1e-3..1e5).contains(&x.abs()) { format!("{x:.4}") } else { format!("{x:.3e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_at_round_steps() {
        assert_eq!([1, 20, 21, 100, 300, 1000, 2000].map(stride), [1, 1, 2, 5, 20, 50, 100]);
        assert!(stride(u64::MAX / 20) > 0);
    }

    #[test]
    fn metrics_have_four_digits() {
        assert_eq!(
            [0.0, 0.62513, -3.75, 2e-5, 1.5e6].map(number),
            ["0.0000", "0.6251", "-3.7500", "2.000e-5", "1.500e6"]
        );
    }
}
