//! The loss on data that is not trained on: which rows make which batch, and how often each batch counts.
//!
//! The program adds up the results of batches in its state (`compiler/autodiff/src/held_out.rs`), so that all rows count alike. If
//! the rows do not fill the last batch, copies of them fill it up. An example: 3 rows in a batch of 8 stand there twice, and the
//! first two a third time. So the result of the three rows is half of this batch's result, less half of the result of the first two
//! rows alone. That of two rows is found in the same way.

use crate::data::{Feed, init::initial};
use crate::error::Result;
use crate::host::HostTensor;
use crate::session::Session;
use meshloom_bundle::{DType, Role};

/// Loss on data that is not trained on.
pub struct Evaluation {
    /// The loss alone, as a program of its own with its own memory: training state is read and never written.
    pub session: Session,
    pub feed: Feed,
    /// Steps between evaluations; the last step always ends with one.
    pub every: u64,
    /// The most batches. They are the same every time: the first ones.
    pub batches: u64,
}

/// The prefix of the state that the runtime sets for each batch.
const STATE: &str = "held-out.";
const TIMES: &str = "held-out.times";
const SHARE: &str = "held-out.share";

impl Evaluation {
    /// How many rows are evaluated: all of them, unless they take more than [`Evaluation::batches`] batches.
    fn rows(&self) -> u64 {
        self.feed.rows().min(self.batches.saturating_mul(self.feed.batch_rows()))
    }

    /// What is evaluated, for people: `all 10 rows`, `8 of 25 batches`.
    pub fn describe(&self) -> String {
        match (self.feed.rows(), self.rows()) {
            (1, 1) => "its one row".into(),
            (all, some) if all == some => format!("all {all} rows"),
            (all, _) => format!("{} of {} batches", self.batches, all.div_ceil(self.feed.batch_rows().max(1))),
        }
    }

    /// Loss and metrics of the held-out rows with the parameters as they are now.
    pub(crate) fn run(&mut self, trained: &Session) -> Result<(f64, Vec<(String, f64)>)> {
        self.session.copy_parameters(trained)?;
        self.begin()?;
        for turn in turns(self.rows(), self.feed.batch_rows()) {
            self.session.feed_copies(&self.feed, turn.first, turn.rows)?;
            for (name, x) in [(TIMES, turn.times), (SHARE, turn.share)] {
                if self.session.program().port(name).is_some() {
                    let bytes = x.to_le_bytes().to_vec();
                    self.session.write(name, HostTensor { dtype: DType::F64, shape: Vec::new(), bytes })?;
                }
            }
            self.session.run()?;
        }
        Ok((self.session.loss().unwrap_or(f64::NAN), self.session.metrics()))
    }

    /// Sums are what they are before the first batch.
    fn begin(&mut self) -> Result<()> {
        let seed = self.session.seed();
        let sums = self.session.ports(&[Role::State]).filter(|p| p.name.starts_with(STATE));
        let sums: Vec<(String, HostTensor)> = sums
            .map(|p| Ok((p.name.clone(), initial(p.init, p.dtype, &p.global_shape, &p.name, seed)?)))
            .collect::<Result<_>>()?;
        sums.into_iter().try_for_each(|(name, t)| self.session.write(&name, t))
    }
}

/// One batch: copies of `rows` rows from `first` on, in turn, until it is full.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Turn {
    first: u64,
    rows: u64,
    /// How often what it gives is added.
    times: f64,
    /// How much it counts in a mean over batches.
    share: f64,
}

/// The batches that together give what `rows` rows give.
fn turns(rows: u64, batch: u64) -> Vec<Turn> {
    let batch = batch.max(1);
    let full = rows / batch;
    let mut all: Vec<Turn> =
        (0..full).map(|k| Turn { first: k * batch, rows: batch, times: 1.0, share: 1.0 }).collect();
    let (first, mut left, mut times) = (full * batch, rows % batch, 1.0);
    let mut share = left as f64 / batch as f64;
    while left > 0 {
        times /= (batch / left) as f64;
        all.push(Turn { first, rows: left, times, share });
        // Of these rows there is one copy too many. As a batch of its own that is no row more.
        (left, times, share) = (batch % left, -times, 0.0);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each row is there once, whatever the batch.
    #[test]
    fn all_rows_count_once() {
        for batch in 1..40 {
            for rows in 1..100 {
                let mut count = vec![0.0; rows as usize];
                let mut share = 0.0;
                for t in turns(rows, batch) {
                    (0..batch).for_each(|i| count[(t.first + i % t.rows) as usize] += t.times);
                    share += t.share;
                }
                assert!(count.iter().all(|c: &f64| (c - 1.0).abs() < 1e-12), "{rows} by {batch}: {count:?}");
                assert!((share - rows as f64 / batch as f64).abs() < 1e-12);
            }
        }
        let few = (1..=4096).map(|rows| turns(rows, 4096).len()).max();
        assert!(few <= Some(12), "{few:?}");
    }
}
