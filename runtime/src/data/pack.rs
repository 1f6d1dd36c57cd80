//! Packing: documents of different lengths side by side in rows of one width, with little padding.
//!
//! A document of `n` tokens gives `n - 1` pairs of token and target. A document that is longer than a row is cut, and
//! each part is a segment of its own. A part goes into the fullest of the open rows that has room for it. Few rows are
//! open, so the table is made in one pass. The table has 16 bytes for each part, where the tokens are kilobytes.

/// Tokens `start..start + len`, with the targets one further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub start: u64,
    pub len: u32,
}

pub struct Packing {
    /// In the order of rows.
    pieces: Vec<Piece>,
    /// Where each row's parts begin; one more at the end.
    rows: Vec<usize>,
}

/// Rows that are filled at the same time.
const OPEN: usize = 64;

impl Packing {
    /// `documents` are ranges of tokens.
    pub fn new(documents: impl IntoIterator<Item = (u64, u64)>, width: u64) -> Packing {
        let mut placed: Vec<(u32, Piece)> = Vec::new();
        // Row and room left, in the order of rows.
        let mut open: Vec<(u32, u64)> = Vec::new();
        let mut next = 0;
        for (start, end) in documents {
            let mut at = start;
            while at + 1 < end {
                let len = (end - 1 - at).min(width);
                let best = open.iter().enumerate().filter(|(_, o)| o.1 >= len).min_by_key(|(_, o)| o.1).map(|b| b.0);
                let slot = best.unwrap_or_else(|| {
                    if open.len() == OPEN {
                        // The fullest is closed: the least is lost with it.
                        let fullest = open.iter().enumerate().min_by_key(|(_, o)| o.1).map_or(0, |b| b.0);
                        open.remove(fullest);
                    }
                    open.push((next, width));
                    next += 1;
                    open.len() - 1
                });
                placed.push((open[slot].0, Piece { start: at, len: len as u32 }));
                open[slot].1 -= len;
                if open[slot].1 == 0 {
                    open.remove(slot);
                }
                at += len;
            }
        }
        placed.sort_by_key(|p| p.0);
        let mut rows: Vec<usize> = Vec::with_capacity(next as usize + 1);
        for (i, (row, _)) in placed.iter().enumerate() {
            if *row as usize == rows.len() {
                rows.push(i);
            }
        }
        rows.push(placed.len());
        Packing { pieces: placed.into_iter().map(|p| p.1).collect(), rows }
    }

    pub fn rows(&self) -> u64 {
        self.rows.len() as u64 - 1
    }

    /// The parts of a row, in the order in which they stand there.
    pub fn row(&self, i: u64) -> &[Piece] {
        &self.pieces[self.rows[i as usize]..self.rows[i as usize + 1]]
    }

    /// Share of all places that hold a token.
    pub fn filled(&self, width: u64) -> f64 {
        let held: u64 = self.pieces.iter().map(|p| u64::from(p.len)).sum();
        held as f64 / (self.rows() * width).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::det;

    fn documents(lengths: &[u64]) -> Vec<(u64, u64)> {
        let mut at = 0;
        lengths
            .iter()
            .map(|n| {
                at += n;
                (at - n, at)
            })
            .collect()
    }

    #[test]
    fn pieces_fill_rows() {
        let p = Packing::new(documents(&[5, 1, 4, 0, 10, 2]), 6);
        let piece = |start, len| Piece { start, len };
        // 4 pairs; none; 3; none; 6 and 3; 1.
        assert_eq!(p.row(0), [piece(0, 4), piece(20, 1)]);
        assert_eq!(p.row(1), [piece(6, 3), piece(16, 3)]);
        assert_eq!(p.row(2), [piece(10, 6)]);
        assert_eq!(p.rows(), 3);
        assert!((p.filled(6) - 17.0 / 18.0).abs() < 1e-12);
        assert_eq!(Packing::new([], 6).rows(), 0);
        assert_eq!(Packing::new(documents(&[1, 1]), 6).rows(), 0);
    }

    /// Every pair of token and target once, nothing across documents, no row too long, and little of it empty.
    #[test]
    fn nothing_is_lost() {
        let lengths: Vec<u64> = det::tokens("pack", 3000, 300).iter().map(|&n| n as u64).collect();
        let docs = documents(&lengths);
        let width = 128;
        let p = Packing::new(docs.clone(), width);
        let mut pairs = Vec::new();
        for r in 0..p.rows() {
            let row = p.row(r);
            assert!(!row.is_empty() && row.iter().map(|x| u64::from(x.len)).sum::<u64>() <= width);
            pairs.extend(row.iter().flat_map(|x| x.start..x.start + u64::from(x.len)));
        }
        pairs.sort_unstable();
        let due: Vec<u64> = docs.iter().flat_map(|&(a, b)| a..b.saturating_sub(1).max(a)).collect();
        assert_eq!(pairs, due);
        assert!(p.filled(width) > 0.95, "{}", p.filled(width));
    }
}
