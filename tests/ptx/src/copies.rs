//! Copies in the background: by threads (`cp.async`), and of tiles by tensor maps (`cp.async.bulk.tensor`).

use crate::block::{Block, Sent, ToBlock};
use crate::clock::Accessor;
use crate::decode::PARAMETERS;
use crate::memory::Global;
use crate::tile::{CHUNK, MapAt, TileCopy};
use crate::warp::{Pending, Warp, lanes};
use meshloom_bundle::Swizzle;

impl Block<'_> {
    /// One lane begins to copy a tile, to blocks of the cluster (a bit each).
    pub fn tile(
        &mut self,
        w: &Warp,
        lane: usize,
        global: &mut Global,
        what: (u64, u64, &[i32], u64, u64),
    ) -> Result<(), String> {
        let (to, map, coordinates, barrier, blocks) = what;
        let found = self.launch.maps.iter().find(|m| m.param + PARAMETERS == map);
        let MapAt { address, map, .. } = found.ok_or_else(|| format!("there is no tensor map at {map:#x}"))?;
        if coordinates.len() != map.shape.len() {
            return Err(format!("{} coordinates for a map of {} dims", coordinates.len(), map.shape.len()));
        }
        let size = map.dtype.size();
        let inner = u64::from(map.tile[0]) * size;
        let bytes = map.tile.iter().map(|&n| u64::from(n)).product::<u64>() * size;
        let wide = match map.swizzle {
            Swizzle::None => u64::MAX,
            Swizzle::Bytes32 => 32,
            Swizzle::Bytes64 => 64,
            Swizzle::Bytes128 => 128,
        };
        let aligned =
            to.is_multiple_of(128) && address.is_multiple_of(16) && map.strides.iter().all(|s| s.is_multiple_of(16));
        if !aligned || !inner.is_multiple_of(CHUNK) || inner > wide {
            return Err(format!(
                "a tile of rows of {inner} bytes to byte {to} of shared memory, from {address:#x}, strides {:?}",
                map.strides
            ));
        }
        let by = w.accessor(lane);
        let mut values = Vec::with_capacity(bytes as usize);
        let rows: u64 = map.tile[1..].iter().map(|&n| u64::from(n)).product();
        for row in 0..rows {
            // The place of the row in the tensor, from the second dim on.
            let (mut left, mut from, mut inside) = (row, *address, true);
            for (d, &n) in map.tile.iter().enumerate().skip(1) {
                let i = i64::from(coordinates[d]) + (left % u64::from(n)) as i64;
                left /= u64::from(n);
                inside &= (0..map.shape[d] as i64).contains(&i);
                from = from.wrapping_add_signed(i.wrapping_mul(map.strides[d - 1] as i64));
            }
            for i in 0..i64::from(map.tile[0]) {
                let i = i64::from(coordinates[0]) + i;
                if !inside || !(0..map.shape[0] as i64).contains(&i) {
                    values.resize(values.len() + size as usize, 0);
                    continue;
                }
                values.extend_from_slice(global.read(from + i as u64 * size, size, &by)?);
            }
        }
        let swizzle = map.swizzle;
        for rank in (0..64).filter(|rank| blocks >> rank & 1 == 1) {
            let copy = TileCopy { to, values: values.clone(), swizzle, barrier, block: self.number(rank)? };
            if rank == self.rank {
                self.tile_begins(copy, &by)?;
            } else {
                self.sent.push(Sent { rank, stamp: by.stamp, knows: *by.knows, what: ToBlock::Tile(copy) });
            }
        }
        Ok(())
    }

    /// A copy to this block's shared memory begins, by a thread of the cluster.
    pub fn tile_begins(&mut self, copy: TileCopy, by: &Accessor<'_>) -> Result<(), String> {
        self.barriers.expects(copy.barrier, by)?;
        self.shared.begin(copy.to, copy.values.len() as u64, by)?;
        self.shared.copy_begins(copy.to, copy.values.len() as u64);
        self.tiles.push_back(copy);
        Ok(())
    }

    /// One lane begins a copy of its own: of `read` bytes, and zeros behind them.
    pub fn copy_async(
        &mut self,
        w: &mut Warp,
        lane: usize,
        global: &mut Global,
        what: (u64, u64, u64, u64),
    ) -> Result<(), String> {
        let (to, from, bytes, read) = what;
        if ![4, 8, 16].contains(&bytes) || read > bytes || !to.is_multiple_of(bytes) || !from.is_multiple_of(bytes) {
            return Err(format!("a copy of {read} of {bytes} bytes from {from:#x} to byte {to} of shared memory"));
        }
        let by = w.accessor(lane);
        self.shared.begin(to, bytes, &by)?;
        let mut values = vec![0; bytes as usize];
        // What is read is a whole number of the smallest elements.
        let step = if read.is_multiple_of(4) { 4 } else { 1 << read.trailing_zeros().min(2) };
        for i in (0..read).step_by(step as usize) {
            values[i as usize..(i + step) as usize].copy_from_slice(global.read(from + i, step, &by)?);
        }
        self.shared.copy_begins(to, bytes);
        if let Some(group) = w.copies[lane].back_mut() {
            group.push(Pending { to, values });
        }
        Ok(())
    }

    /// Lanes wait until no more than so many groups of their copies are left.
    pub fn copies_done(&mut self, w: &mut Warp, mask: u32, left: u64) -> Result<(), String> {
        for lane in lanes(mask) {
            while w.copies[lane].len() as u64 - 1 > left {
                let done = w.copies[lane].pop_front().unwrap_or_default();
                let by = w.accessor(lane);
                for p in done {
                    self.shared.copy_ends(p.to, &p.values, &by)?;
                }
            }
        }
        Ok(())
    }
}
