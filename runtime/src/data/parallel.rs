//! Values of a large tensor drawn by several threads. Each value is a function of its index alone, so the bits do not depend on how the
//! tensor is cut.

use crate::device::cores;

/// Bytes that a thread is worth starting for.
const LEAST: usize = 1 << 20;

/// Calls `draw` on pieces of `bytes`, each with the number of its first item; an item has `size` bytes, of which the last one of all may
/// lack some. Where no thread starts, this one does all.
pub(super) fn in_pieces(bytes: &mut [u8], size: usize, draw: impl Fn(u64, &mut [u8]) + Sync) {
    let threads = cores().min(bytes.len() / LEAST).max(1);
    let items = bytes.len().div_ceil(size).div_ceil(threads);
    let mut pieces = bytes.chunks_mut(items.max(1) * size).zip((0..).step_by(items.max(1)));
    let Some((own, _)) = pieces.next() else { return };
    std::thread::scope(|s| {
        let draw = &draw;
        let mut late = Vec::new();
        for (piece, first) in pieces {
            // The piece is handed over once the thread is there to take it.
            let (give, take) = std::sync::mpsc::channel::<&mut [u8]>();
            let work = move || take.recv().into_iter().for_each(|piece| draw(first, piece));
            match std::thread::Builder::new().spawn_scoped(s, work) {
                Ok(_) => give.send(piece).unwrap_or_else(|e| late.push((first, e.0))),
                Err(_) => late.push((first, piece)),
            }
        }
        draw(0, own);
        late.into_iter().for_each(|(first, piece)| draw(first, piece));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_numbered_as_the_whole() {
        for (len, size) in [(0, 4), (3, 8), (8 * LEAST + 5, 16), (3 * LEAST, 2)] {
            let mut bytes = vec![0; len];
            in_pieces(&mut bytes, size, |first, piece| {
                for (i, c) in piece.chunks_mut(size).enumerate() {
                    c.fill((first + i as u64) as u8);
                }
            });
            assert!(bytes.chunks(size).enumerate().all(|(i, c)| c.iter().all(|&b| b == i as u8)), "{len} by {size}");
        }
    }
}
