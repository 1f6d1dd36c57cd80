//! Copies in the background: by threads (`cp.async`), and of tiles by tensor maps (`cp.async.bulk.tensor`).

use crate::block::{Block, Sent, ToBlock};
use crate::clock::Accessor;
use crate::memory::Global;
use crate::operand::PARAMETERS;
use crate::tile::{CHUNK, MapAt, TileCopy, TileElements, TileFetch};
use crate::warp::{Pending, Warp, lanes};
use meshloom_bundle::Swizzle;

/// A copy of a lane: of `read` bytes, and zeros behind them.
pub struct LaneCopy {
    pub to: u64,
    pub from: u64,
    /// With the zeros.
    pub bytes: u64,
    pub read: u64,
}

impl Block<'_> {
    /// One lane begins to copy a tile, to blocks of the cluster.
    pub fn tile(&mut self, w: &Warp, lane: usize, global: &mut Global, tile: &TileFetch<'_>) -> Result<(), String> {
        let TileFetch { to, map, coordinates, barrier, blocks } = *tile;
        let at = self.map(map, to, coordinates)?;
        let by = w.accessor(lane);
        let mut values = Vec::new();
        for from in at.chunks.iter().flatten() {
            match from {
                Some(from) => values.extend_from_slice(global.read(*from, at.size, &by)?),
                None => values.resize(values.len() + at.size as usize, 0),
            }
        }
        let swizzle = at.swizzle;
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

    /// A tile of the map at this address among the parameters, that lies at this byte of shared memory.
    ///
    /// # Errors
    /// What hardware does not take.
    pub fn map(&self, map: u64, shared: u64, coordinates: &[i32]) -> Result<TileElements, String> {
        let found = self.launch.maps.iter().find(|m| m.param + PARAMETERS == map);
        let MapAt { address, map, .. } = found.ok_or_else(|| format!("there is no tensor map at {map:#x}"))?;
        if coordinates.len() != map.shape.len() {
            return Err(format!("{} coordinates for a map of {} dims", coordinates.len(), map.shape.len()));
        }
        let size = map.dtype.bytes();
        let inner = u64::from(map.tile[0]) * size;
        let wide = match map.swizzle {
            Swizzle::None => u64::MAX,
            Swizzle::Bytes32 => 32,
            Swizzle::Bytes64 => 64,
            Swizzle::Bytes128 => 128,
        };
        let aligned = shared.is_multiple_of(128)
            && address.is_multiple_of(16)
            && map.strides.iter().all(|s| s.is_multiple_of(16));
        if !aligned || !inner.is_multiple_of(CHUNK) || inner > wide {
            return Err(format!(
                "a tile of rows of {inner} bytes at byte {shared} of shared memory, at {address:#x}, strides {:?}",
                map.strides
            ));
        }
        let (rows, mut all) = (map.tile[1..].iter().map(|&n| u64::from(n)).product(), Vec::new());
        for row in 0..rows {
            // The place of the row in the tensor, from the second dim on.
            let (mut left, mut from, mut inside): (u64, _, _) = (row, *address, true);
            for (d, &n) in map.tile.iter().enumerate().skip(1) {
                let i = i64::from(coordinates[d]) + (left % u64::from(n)) as i64;
                left /= u64::from(n);
                inside &= (0..map.shape[d] as i64).contains(&i);
                from = from.wrapping_add_signed(i.wrapping_mul(map.strides[d - 1] as i64));
            }
            for i in 0..i64::from(map.tile[0]) {
                let i = i64::from(coordinates[0]) + i;
                let there = inside && (0..map.shape[0] as i64).contains(&i);
                all.push(there.then(|| from.wrapping_add_signed(i * size as i64)));
            }
        }
        let chunks = all.chunks((CHUNK / size) as usize).map(<[_]>::to_vec).collect();
        Ok(TileElements { size, swizzle: map.swizzle, chunks })
    }

    /// A copy to this block's shared memory begins, by a thread of the cluster.
    pub fn tile_begins(&mut self, copy: TileCopy, by: &Accessor<'_>) -> Result<(), String> {
        self.barriers.expects(copy.barrier, by)?;
        self.shared.begin(copy.to, copy.values.len() as u64, by)?;
        self.shared.copy_begins(copy.to, copy.values.len() as u64);
        self.tiles.push_back(copy);
        Ok(())
    }

    /// One lane begins a copy of its own.
    pub fn copy_async(&mut self, w: &mut Warp, lane: usize, global: &mut Global, copy: LaneCopy) -> Result<(), String> {
        let LaneCopy { to, from, bytes, read } = copy;
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
                w.unfenced |= 1 << lane;
                let by = w.accessor(lane);
                for p in done {
                    self.shared.copy_ends(p.to, &p.values, &by)?;
                }
            }
        }
        Ok(())
    }
}
