//! `--metrics`: one JSON object per step and line, written as soon as the step is done.

use crate::error::{Error, Result};
use crate::session::StepReport;
use serde_json::{Map, Value, json};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

pub struct Metrics {
    file: File,
    path: PathBuf,
}

impl Metrics {
    /// `append` for a resumed run.
    pub fn create(path: &Path, append: bool) -> Result<Metrics> {
        let file = OpenOptions::new().create(true).write(true).append(append).truncate(!append).open(path);
        Ok(Metrics { file: file.map_err(|e| Error::io(path, "cannot be written", &e))?, path: path.to_owned() })
    }

    pub fn write(&mut self, r: &StepReport) -> Result<()> {
        let mut line = line(r).to_string();
        line.push('\n');
        self.file.write_all(line.as_bytes()).map_err(|e| Error::io(&self.path, "cannot be written", &e))
    }
}

/// The object of one step: step, loss, grad_norm, lr, seconds, tokens_per_second. A value that is not finite is `null`.
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
    m.insert("seconds".into(), json!(r.seconds));
    m.insert("tokens_per_second".into(), number((r.tokens > 0).then(|| r.tokens_per_second())));
    Value::Object(m)
}
