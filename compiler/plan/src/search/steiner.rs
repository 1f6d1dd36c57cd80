//! Conversions of one tensor: its layouts are the nodes, the e-graph's collectives the edges, and what all readers together
//! need is a Steiner tree from the native layout to theirs. So a gather is done once for all who need it, and one reader's
//! conversion is another's first step.

use crate::saturate::term::LayoutId;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    pub to: u16,
    pub step: u32,
    pub wire: u64,
    pub calls: u64,
}

/// Wire bytes and calls, compared in this order.
pub type Price = (u64, u64);

const UNREACHABLE: Price = (u64::MAX, u64::MAX);

pub struct Table {
    pub layouts: Vec<LayoutId>,
    edges: Vec<Vec<Edge>>,
    /// Shortest paths from a layout, made when first asked for: price, and the edge that leads to each.
    paths: Vec<Option<Vec<(Price, u16, u16)>>>,
    trees: FxHashMap<(u16, Vec<u16>), Option<Price>>,
    /// The same for tables of at most 64 layouts, by the set as bits.
    sets: FxHashMap<(u16, u64), Option<Price>>,
}

/// One step of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub from: u16,
    pub edge: Edge,
}

impl Table {
    pub fn new(layouts: Vec<LayoutId>, edges: Vec<Vec<Edge>>) -> Table {
        let paths = vec![None; layouts.len()];
        Table { layouts, edges, paths, trees: FxHashMap::default(), sets: FxHashMap::default() }
    }

    /// The price of converting from `native` to all of `wanted` (sorted, without repetition); `None` if one is out of reach.
    pub fn price(&mut self, native: u16, wanted: &[u16]) -> Option<Price> {
        match wanted {
            [] => return Some((0, 0)),
            [w] if *w == native => return Some((0, 0)),
            _ => {}
        }
        let key = (native, wanted.to_vec());
        if let Some(&p) = self.trees.get(&key) {
            return p;
        }
        let p = self.tree(native, wanted, &mut |_| {});
        self.trees.insert(key, p);
        p
    }

    /// [`Table::price`] for a set of layouts given as bits.
    pub fn price_of_set(&mut self, native: u16, wanted: u64) -> Option<Price> {
        if wanted & !(1u64 << native) == 0 {
            return Some((0, 0));
        }
        let key = (native, wanted);
        if let Some(&p) = self.sets.get(&key) {
            return p;
        }
        let list: Vec<u16> = (0..64u16).filter(|i| wanted >> i & 1 == 1).collect();
        let p = self.tree(native, &list, &mut |_| {});
        self.sets.insert(key, p);
        p
    }

    /// The price of the cheapest path.
    pub fn distance(&mut self, from: u16, to: u16) -> Option<Price> {
        let p = self.paths(from)[to as usize].0;
        (p != UNREACHABLE).then_some(p)
    }

    /// Grows a tree by the nearest wanted layout until all are in it. Steps are given in an order in which each starts from
    /// a layout that is there.
    pub fn tree(&mut self, native: u16, wanted: &[u16], give: &mut dyn FnMut(Step)) -> Option<Price> {
        let mut have = vec![native];
        let mut open: Vec<u16> = wanted.iter().copied().filter(|&w| w != native).collect();
        let mut total = (0, 0);
        while !open.is_empty() {
            let mut best = (UNREACHABLE, 0, 0);
            for &h in &have {
                let paths = self.paths(h);
                for &w in &open {
                    let candidate = (paths[w as usize].0, h, w);
                    if candidate.0 < best.0 {
                        best = candidate;
                    }
                }
            }
            let (price, h, w) = best;
            if price == UNREACHABLE {
                return None;
            }
            total = (total.0 + price.0, total.1 + price.1);
            let mut back = Vec::new();
            let mut at = w;
            while at != h {
                let (_, from, edge) = self.paths(h)[at as usize];
                back.push(Step { from, edge: self.edges[from as usize][edge as usize] });
                at = from;
            }
            for s in back.into_iter().rev() {
                if !have.contains(&s.edge.to) {
                    have.push(s.edge.to);
                    give(s);
                }
            }
            open.retain(|w| !have.contains(w));
        }
        Some(total)
    }

    /// Dijkstra from `from`; few nodes, so without a heap.
    fn paths(&mut self, from: u16) -> &[(Price, u16, u16)] {
        let n = self.layouts.len();
        let edges = &self.edges;
        self.paths[from as usize].get_or_insert_with(|| {
            let mut best = vec![(UNREACHABLE, 0u16, 0u16); n];
            let mut done = vec![false; n];
            best[from as usize].0 = (0, 0);
            loop {
                let open = (0..n).filter(|&i| !done[i] && best[i].0 != UNREACHABLE);
                let Some(u) = open.min_by_key(|&i| best[i].0) else {
                    return best;
                };
                done[u] = true;
                let (wire, calls) = best[u].0;
                for (i, e) in edges[u].iter().enumerate() {
                    let p = (wire + e.wire, calls + e.calls);
                    if p < best[e.to as usize].0 {
                        best[e.to as usize] = (p, u as u16, i as u16);
                    }
                }
            }
        })
    }
}
