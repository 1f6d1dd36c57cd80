//! Cuts a strided block into tiles of about the size of a first-level cache, and gives each worker its share of them.

/// Bytes of a tile: a partial sum of one has its place.
pub const TILE: usize = meshloom_bundle::program::PARTIAL_BYTES as usize;

/// `outer x rows` runs of `run` contiguous bytes. The tiles do not depend on the number of workers.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    pub outer: usize,
    pub rows: usize,
    pub run: usize,
}

/// Rows `row..row + rows` of one outer index, bytes `from..from + len` of each run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    pub outer: usize,
    pub row: usize,
    pub rows: usize,
    pub from: usize,
    pub len: usize,
}

impl Runs {
    fn rows_per_tile(&self) -> usize {
        (TILE / self.run.max(1)).clamp(1, self.rows.max(1))
    }

    fn pieces(&self) -> usize {
        self.run.div_ceil(TILE)
    }

    /// Number of tiles.
    pub fn tiles(&self) -> usize {
        if self.run == 0 { 0 } else { self.outer * self.rows.div_ceil(self.rows_per_tile()) * self.pieces() }
    }

    /// Tile `i` of [`Runs::tiles`].
    pub fn tile(&self, i: usize) -> Tile {
        let (per, pieces) = (self.rows_per_tile(), self.pieces());
        let bands = self.rows.div_ceil(per);
        let (piece, band, outer) = (i % pieces, i / pieces % bands, i / pieces / bands);
        let (row, from) = (band * per, piece * TILE);
        Tile { outer, row, rows: per.min(self.rows - row), from, len: TILE.min(self.run - from) }
    }
}

/// Worker `w`'s share of `n` things.
pub fn share(n: usize, w: usize, workers: usize) -> std::ops::Range<usize> {
    // In u128 since n x w may not fit, for the largest arenas.
    let cut = |k: usize| (n as u128 * k as u128 / workers as u128) as usize;
    cut(w)..cut(w + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_each_byte_once() {
        for (outer, rows, run) in
            [(1, 1, 4), (3, 700, 100), (2, 5, 40_000), (1, 1, TILE), (1, 3, TILE + 4), (4, 0, 8), (2, 2, 0)]
        {
            let runs = Runs { outer, rows, run };
            let mut seen = vec![0u8; outer * rows * run];
            for i in 0..runs.tiles() {
                let t = runs.tile(i);
                for r in t.row..t.row + t.rows {
                    let at = (t.outer * rows + r) * run + t.from;
                    seen[at..at + t.len].iter_mut().for_each(|b| *b += 1);
                }
            }
            assert!(seen.iter().all(|&b| b == 1), "{runs:?}");
        }
    }

    #[test]
    fn shares_are_a_partition() {
        for (n, k) in [(0, 3), (1, 4), (10, 3), (7, 7)] {
            let all: Vec<usize> = (0..k).flat_map(|w| share(n, w, k)).collect();
            assert_eq!(all, (0..n).collect::<Vec<_>>());
        }
    }
}
