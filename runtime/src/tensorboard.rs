//! `--tensorboard`: the same numbers as [`crate::metrics`], as an event file that TensorBoard reads.
//!
//! A file is records (TensorFlow, `tensorflow/core/lib/io/record_writer.cc`): the length, its checksum, an `Event` message, and the message's
//! checksum, which are CRC-32C, rotated and shifted. Of `Event` (`tensorflow/core/util/event.proto`) a few numbers and strings are needed,
//! so the messages are written here, field by field, and no schema is compiled.
//!
//! Every run adds a file to its folder. A run that goes on says so first: TensorBoard then drops what an earlier one wrote for later steps.

use crate::error::{Result, RuntimeError};
use crate::session::StepReport;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

pub struct Events {
    file: File,
    path: PathBuf,
}

impl Events {
    /// A new file in `folder`, which is made if it is not there, of a run that goes on after step `done`.
    ///
    /// # Errors
    /// The folder or the file cannot be made or written.
    pub fn create(folder: &Path, done: u64) -> Result<Events> {
        let fail = |path: &Path, e: &std::io::Error| RuntimeError::io(path, "cannot be written", e);
        std::fs::create_dir_all(folder).map_err(|e| fail(folder, &e))?;
        // The name that TensorFlow gives; files of one folder are read in the order of their names.
        let name = format!("events.out.tfevents.{:010}.{}.meshloom", now() as u64, std::process::id());
        let path = folder.join(name);
        let file = File::create(&path).map_err(|e| fail(&path, &e))?;
        let mut events = Events { file, path };
        events.record(&Message::event(0).text(3, "brain.Event:2"))?;
        if done > 0 {
            const START: u64 = 1;
            events.record(&Message::event(done + 1).message(7, &Message::default().number(1, START)))?;
        }
        Ok(events)
    }

    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, r: &StepReport) -> Result<()> {
        let summary = scalars(r).into_iter().fold(Message::default(), |all, (tag, x)| {
            all.message(1, &Message::default().text(1, &tag).float(2, x as f32))
        });
        self.record(&Message::event(r.step).message(5, &summary))
    }

    fn record(&mut self, m: &Message) -> Result<()> {
        let length = (m.0.len() as u64).to_le_bytes();
        let all = [&length[..], &checksum(&length), &m.0, &checksum(&m.0)].concat();
        self.file.write_all(&all).map_err(|e| RuntimeError::io(&self.path, "cannot be written", &e))
    }
}

/// What is drawn of a step, by tag. What stands before the slash is a section of the page.
fn scalars(r: &StepReport) -> Vec<(String, f64)> {
    let mut all = Vec::new();
    all.extend(r.loss.map(|x| ("train/loss".to_owned(), x)));
    all.extend(r.metrics.iter().map(|(name, x)| (format!("train/{name}"), *x)));
    all.extend(r.eval_loss.map(|x| ("eval/loss".to_owned(), x)));
    all.extend(r.eval_metrics.iter().map(|(name, x)| (format!("eval/{name}"), *x)));
    all.push(("speed/seconds".into(), r.seconds));
    if r.tokens > 0 {
        all.push(("speed/tokens_per_second".into(), r.tokens_per_second()));
    }
    all
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64())
}

/// The masked CRC-32C of a record (`tensorflow/core/lib/hash/crc32c.h`).
fn checksum(bytes: &[u8]) -> [u8; 4] {
    crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}

/// A message of Protocol Buffers: fields one after the other, each a key (its number and how it is written) and a value.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    /// An `Event` with its time and step.
    fn event(step: u64) -> Message {
        let mut m = Message::default();
        m.key(1, 1);
        m.0.extend(now().to_le_bytes());
        m.number(2, step)
    }

    fn key(&mut self, field: u64, wire: u64) {
        self.varint(field << 3 | wire);
    }

    fn varint(&mut self, mut x: u64) {
        while x >= 0x80 {
            self.0.push(x as u8 | 0x80);
            x >>= 7;
        }
        self.0.push(x as u8);
    }

    fn number(mut self, field: u64, x: u64) -> Message {
        self.key(field, 0);
        self.varint(x);
        self
    }

    fn float(mut self, field: u64, x: f32) -> Message {
        self.key(field, 5);
        self.0.extend(x.to_le_bytes());
        self
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Message {
        self.key(field, 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn text(self, field: u64, text: &str) -> Message {
        self.bytes(field, text.as_bytes())
    }

    fn message(self, field: u64, m: &Message) -> Message {
        self.bytes(field, &m.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes that TensorBoard 2.21's own schema makes of the same numbers, without the time.
    #[test]
    fn messages_are_as_tensorflow_writes_them() {
        let value = Message::default().text(1, "train/loss").float(2, 0.5);
        let m = Message::default().number(2, 300).message(5, &Message::default().message(1, &value));
        let want = b"\x10\xac\x02\x2a\x13\x0a\x11\x0a\x0atrain/loss\x15\x00\x00\x00\x3f";
        assert_eq!(m.0, want);
        // RFC 3720, B.4: 32 bytes of zeros.
        assert_eq!(crc32c::crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(u32::from_le_bytes(checksum(&[0; 32])), 0x8a91_36aa_u32.rotate_right(15).wrapping_add(0xa282_ead8));
    }
}
