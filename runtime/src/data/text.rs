//! Text as bytes: batches of windows for next-token training.
//!
//! Which windows make the batch of a step depends on the seed, the step and the row alone: the same on every mesh, and a resumed run
//! goes on where it stopped without a stored position.

use super::det::{GAMMA, splitmix};
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

pub struct Text {
    bytes: Vec<u8>,
    name: String,
    seed: u64,
}

impl Text {
    /// Files are joined in the order given.
    pub fn open(paths: &[PathBuf], seed: u64) -> Result<Text> {
        let mut bytes = Vec::new();
        for p in paths {
            bytes.extend(std::fs::read(p).map_err(|e| Error::io(p, "cannot be read", &e))?);
        }
        let name = paths.iter().map(|p: &PathBuf| Path::display(p).to_string()).collect::<Vec<_>>().join(", ");
        Ok(Text { bytes, name, seed })
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Inputs and targets of one step, `rows x width` each; targets are the inputs one byte later.
    pub fn batch(&self, step: u64, rows: u64, width: u64) -> Result<(Vec<i32>, Vec<i32>)> {
        let places = (self.bytes.len() as u64).checked_sub(width).filter(|&p| p > 0 && width > 0);
        let Some(places) = places else {
            let message = format!("{} bytes; windows of {width} and one more are needed", self.bytes.len());
            return Err(Error::usage(self.name.clone(), message));
        };
        let (mut inputs, mut targets) = (Vec::new(), Vec::new());
        let key = splitmix(self.seed ^ 0x7465_7874);
        for row in 0..rows {
            let z = splitmix(
                splitmix(key.wrapping_add((step + 1).wrapping_mul(GAMMA))).wrapping_add((row + 1).wrapping_mul(GAMMA)),
            );
            // Lemire's way into 0..places, without the rejection: the bias is far below any file's length.
            let start = ((u128::from(z) * u128::from(places)) >> 64) as usize;
            let window = &self.bytes[start..start + width as usize + 1];
            inputs.extend(window[..width as usize].iter().map(|&b| i32::from(b)));
            targets.extend(window[1..].iter().map(|&b| i32::from(b)));
        }
        Ok((inputs, targets))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(n: usize, seed: u64) -> Text {
        Text { bytes: (0..n).map(|i| i as u8).collect(), name: "t".into(), seed }
    }

    #[test]
    fn targets_follow_inputs() {
        let (x, y) = text(200, 0).batch(3, 4, 16).unwrap();
        assert_eq!((x.len(), y.len()), (64, 64));
        assert!(x.iter().zip(&y).all(|(a, b)| a + 1 == *b));
    }

    #[test]
    fn deterministic_and_varied() {
        let t = text(250, 7);
        assert_eq!(t.batch(1, 8, 8).unwrap(), t.batch(1, 8, 8).unwrap());
        assert_ne!(t.batch(1, 8, 8).unwrap(), t.batch(2, 8, 8).unwrap());
        assert_ne!(t.batch(1, 8, 8).unwrap(), text(250, 8).batch(1, 8, 8).unwrap());
        let (x, _) = t.batch(1, 8, 8).unwrap();
        assert!(x.chunks(8).any(|row| row != &x[..8]));
    }

    #[test]
    fn the_shortest_text_that_works() {
        assert_eq!(text(9, 0).batch(0, 1, 8).unwrap(), ((0..8).collect(), (1..9).collect()));
        assert!(text(8, 0).batch(0, 1, 8).unwrap_err().to_string().contains("8 bytes; windows of 8"));
        assert!(text(0, 0).batch(0, 1, 8).is_err());
    }
}
