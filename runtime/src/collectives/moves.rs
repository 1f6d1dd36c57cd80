//! What a collective copies, as rows of bytes: the same for a host's memory, for one GPU's, and for messages.

use meshloom_bundle::CollectiveKind;

/// Rows of equal length, each `pitch` bytes after the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StridedRows {
    pub dst: u64,
    pub dst_pitch: u64,
    pub src: u64,
    pub src_pitch: u64,
    /// Bytes of a row, and how many rows.
    pub width: u64,
    pub rows: u64,
}

impl StridedRows {
    pub fn one(dst: u64, src: u64, width: u64) -> StridedRows {
        StridedRows { dst, dst_pitch: width, src, src_pitch: width, width, rows: 1 }
    }
}

/// What a collective of `n` ranks copies, where it reduces nothing. `from` and `to` give addresses of bytes of a rank's source and
/// destination.
pub fn moves(
    kind: &CollectiveKind,
    n: u64,
    size: u64,
    from: &dyn Fn(u64, u64) -> u64,
    to: &dyn Fn(u64, u64) -> u64,
) -> Vec<StridedRows> {
    let pairs = || (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
    match *kind {
        // Of one rank.
        CollectiveKind::AllReduce { count, .. } => vec![StridedRows::one(to(0, 0), from(0, 0), count * size)],
        CollectiveKind::ReduceScatter { outer, block, inner, .. } => {
            vec![StridedRows::one(to(0, 0), from(0, 0), outer * block * inner * size)]
        }
        CollectiveKind::AllGather { outer, block, inner } => {
            let run = block * inner * size;
            let one = |(t, f): (u64, u64)| StridedRows {
                dst: to(t, f * run),
                dst_pitch: n * run,
                src: from(f, 0),
                src_pitch: run,
                width: run,
                rows: outer,
            };
            pairs().map(one).collect()
        }
        CollectiveKind::CollectivePermute { count, ref pairs } => {
            pairs.iter().map(|&(f, t)| StridedRows::one(to(t.into(), 0), from(f.into(), 0), count * size)).collect()
        }
        CollectiveKind::AllToAll { split_first, outer, split, middle, concat, inner } => {
            let (rows, run) = match split_first {
                true => (split * middle, concat * inner * size),
                false => (concat * middle, split * inner * size),
            };
            // Single rows of each outer index are rows of the whole.
            let (outer, rows, blocked_pitch) = if rows == 1 { (1, outer, n * run) } else { (outer, rows, run) };
            let mut all = Vec::new();
            for (o, (f, t)) in (0..outer).flat_map(|o| pairs().map(move |p| (o, p))) {
                let blocked = |r: u64| if blocked_pitch == run { (o * n + r) * rows * run } else { r * run };
                let strided = |r: u64| (o * rows * n + r) * run;
                all.push(match split_first {
                    true => StridedRows {
                        dst: to(t, strided(f)),
                        dst_pitch: n * run,
                        src: from(f, blocked(t)),
                        src_pitch: blocked_pitch,
                        width: run,
                        rows,
                    },
                    false => StridedRows {
                        dst: to(t, blocked(f)),
                        dst_pitch: blocked_pitch,
                        src: from(f, strided(t)),
                        src_pitch: n * run,
                        width: run,
                        rows,
                    },
                });
            }
            all
        }
    }
}
