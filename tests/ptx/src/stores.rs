//! Stores of tiles by tensor maps, from shared memory (`cp.async.bulk.tensor` to `global`): what they read is fixed when they are asked for, so
//! it may not be written until they were waited for, and what they write is there for nobody before that.

use crate::block::Block;
use crate::clock::Accessor;
use crate::memory::Global;
use crate::tile::{CHUNK, swizzled};
use crate::tile_store::{StoreGroups, TileStore};
use crate::warp::{Warp, lanes};

impl Block<'_> {
    /// One lane has a tile stored.
    ///
    /// # Errors
    /// A map or a place that hardware does not take; memory without a value, that another one may be writing, or that was not fenced.
    pub fn store_tile(
        &mut self,
        w: &mut Warp,
        lane: usize,
        map: u64,
        coordinates: &[i32],
        from: u64,
    ) -> Result<(), String> {
        let at = self.map(map, from, coordinates)?;
        let by = w.accessor(lane);
        let by = Accessor { fenced: Some(&w.fenced), ..by };
        let mut writes = Vec::new();
        for (k, to) in (0..).zip(&at.chunks) {
            let chunk = self.shared.read(swizzled(from + k * CHUNK, at.swizzle), CHUNK, &by)?;
            let parts = chunk.chunks(at.size as usize).zip(to);
            writes.extend(parts.filter_map(|(part, to)| to.map(|to| (to, part.to_vec()))));
        }
        let bytes = at.chunks.len() as u64 * CHUNK;
        self.shared.product_begins(from, bytes);
        let store = TileStore { from, bytes, read: false, writes };
        if let Some(group) = w.stores[lane].back_mut() {
            group.push(store);
        }
        Ok(())
    }

    /// Lanes wait until no more than so many groups of their stores are left, or (`read`) are not read.
    ///
    /// # Errors
    /// Somebody else works on what is written.
    pub fn stores_done(
        &mut self,
        w: &mut Warp,
        global: &mut Global,
        mask: u32,
        left: u64,
        read: bool,
    ) -> Result<(), String> {
        for lane in lanes(mask) {
            let over = (w.stores[lane].len() as u64 - 1).saturating_sub(left) as usize;
            let mut groups: StoreGroups = std::mem::take(&mut w.stores[lane]);
            let by = w.accessor(lane);
            for store in groups.iter_mut().take(over).flatten().filter(|s| !s.read) {
                self.shared.store_read(store.from, store.bytes, &by)?;
                store.read = true;
            }
            if !read {
                for (to, values) in groups.drain(..over).flatten().flat_map(|s| s.writes) {
                    global.write(to, &values, &by)?;
                }
            }
            w.stores[lane] = groups;
        }
        Ok(())
    }

    /// The block has ended: what was read is written by itself.
    ///
    /// # Errors
    /// Shared memory is gone that was still to be read.
    pub fn stores_end(&mut self, w: &mut Warp, global: &mut Global) -> Result<(), String> {
        if w.stores.iter().flatten().flatten().any(|s| !s.read) {
            return Err("the block ends before stores of its shared memory were waited for".into());
        }
        self.stores_done(w, global, u32::MAX, 0, false)
    }
}
