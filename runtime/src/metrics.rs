//! `--metrics`: one JSON object per step and line, written as soon as the step is done.

use crate::error::{Result, RuntimeError};
use crate::session::StepReport;
use serde_json::{Map, Value, json};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// No line of a step is longer.
const LINE: u64 = 1 << 20;

pub struct Metrics {
    file: File,
    path: PathBuf,
}

impl Metrics {
    /// For a run that goes on after step `done`, lines up to that step stay; what a run that was killed had written beyond its last
    /// checkpoint is written again.
    pub fn create(path: &Path, done: u64) -> Result<Metrics> {
        let fail = |e: &std::io::Error| RuntimeError::io(path, "cannot be written", e);
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(|e| fail(&e))?;
        // Devices such as /dev/stdout have no length, and nothing that could stay.
        if file.metadata().is_ok_and(|m| m.is_file()) {
            let lines = |from| lines_up_to(done, BufReader::new(from)).map_err(|e| fail(&e));
            let kept = if done == 0 { 0 } else { lines(File::open(path).map_err(|e| fail(&e))?)? };
            file.set_len(kept).map_err(|e| fail(&e))?;
        }
        Ok(Metrics { file, path: path.to_owned() })
    }

    pub fn write(&mut self, r: &StepReport) -> Result<()> {
        let mut line = line(r).to_string();
        line.push('\n');
        self.file.write_all(line.as_bytes()).map_err(|e| RuntimeError::io(&self.path, "cannot be written", &e))
    }
}

/// Length of the first lines that are whole and of no later step. It reads line by line: a long run writes much.
fn lines_up_to(step: u64, mut text: impl BufRead) -> std::io::Result<u64> {
    let of = |line: &[u8]| serde_json::from_slice::<Value>(line).ok().and_then(|v| v.get("step")?.as_u64());
    let (mut kept, mut line) = (0, Vec::new());
    loop {
        line.clear();
        text.by_ref().take(LINE).read_until(b'\n', &mut line)?;
        if !line.ends_with(b"\n") || of(&line).is_none_or(|s| s > step) {
            return Ok(kept);
        }
        kept += line.len() as u64;
    }
}

/// The object of one step: step, loss, grad_norm, lr, the program's metrics, seconds, tokens_per_second. A value that is not finite is `null`.
pub fn line(r: &StepReport) -> Value {
    let number = |x: Option<f64>| x.map_or(Value::Null, |x| json!(x));
    let mut m = Map::new();
    m.insert("step".into(), json!(r.step));
    m.insert("loss".into(), number(r.loss));
    m.insert("grad_norm".into(), number(r.metric("grad_norm")));
    m.insert("lr".into(), number(r.metric("lr")));
    for (name, value) in r.metrics.iter().filter(|m| m.0 != "grad_norm" && m.0 != "lr") {
        m.insert(name.clone(), number(Some(*value)));
    }
    if r.eval_loss.is_some() {
        m.insert("eval_loss".into(), number(r.eval_loss));
        for (name, value) in &r.eval_metrics {
            m.insert(format!("eval_{name}"), number(Some(*value)));
        }
    }
    m.insert("seconds".into(), json!(r.seconds));
    m.insert("tokens_per_second".into(), number((r.tokens > 0).then(|| r.tokens_per_second())));
    Value::Object(m)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resumed_run_keeps_what_was_done() {
        let text = b"{\"step\":1}\n{\"step\":2}\n{\"step\":3}\n{\"st";
        let kept = |step, text: &[u8]| lines_up_to(step, text).unwrap();
        assert_eq!(kept(2, text), 22);
        assert_eq!(kept(9, text), 33);
        assert_eq!(kept(0, text), 0);
        assert_eq!(kept(9, b"no json\n{\"step\":1}\n"), 0);
        // A line without an end is none.
        assert_eq!(lines_up_to(9, BufReader::new(std::io::repeat(b' '))).unwrap(), 0);
    }
}
