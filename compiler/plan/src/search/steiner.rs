//! Conversions of one tensor. Layouts are the nodes, the e-graph's collectives the edges, and what all readers together need is a
//! Steiner tree from the native layout to theirs. So a gather is done once for all who need it, and one reader's conversion may
//! be another's first step.

use crate::saturate::term::LayoutId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Add;

/// Picoseconds, wire bytes and calls, compared in this order. When following, no time is counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Price {
    pub time: u64,
    pub wire: u64,
    pub calls: u64,
}

impl Price {
    const UNREACHABLE: Price = Price { time: u64::MAX, wire: u64::MAX, calls: u64::MAX };
}

impl Add for Price {
    type Output = Price;

    fn add(self, o: Price) -> Price {
        Price { time: self.time + o.time, wire: self.wire + o.wire, calls: self.calls + o.calls }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    pub to: u16,
    pub step: u32,
    pub price: Price,
}

/// What a tree costs, and the bytes of all layouts that it makes beside the native one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    pub price: Price,
    pub bytes: u64,
}

type Key = (u16, SmallVec<[u16; 10]>);

pub struct Table {
    pub layouts: Vec<LayoutId>,
    /// By layout: bytes of one device's shard.
    pub bytes: Vec<u64>,
    edges: Vec<Vec<Edge>>,
    /// Shortest paths from a layout, made when first asked for: price, the edge that leads to each, and the bytes made on
    /// the way.
    paths: Vec<Option<Vec<Reached>>>,
    /// The times of `paths` and one more, side by side, because descent asks for little else: `[from, to]`, 0 while unknown,
    /// [`NEVER`] where there is no path.
    times: Vec<u64>,
    trees: FxHashMap<Key, Option<Tree>>,
}

const NEVER: u64 = u64::MAX;

#[derive(Clone, Copy, Debug)]
struct Reached {
    price: Price,
    from: u16,
    edge: u16,
    bytes: u64,
}

/// One step of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeStep {
    pub from: u16,
    pub edge: Edge,
}

impl Table {
    pub fn new(layouts: Vec<LayoutId>, bytes: Vec<u64>, edges: Vec<Vec<Edge>>) -> Table {
        let paths = vec![None; layouts.len()];
        let times = vec![0; layouts.len() * layouts.len()];
        Table { layouts, bytes, edges, paths, times, trees: FxHashMap::default() }
    }

    /// The same conversions where only bytes count.
    #[cfg(test)]
    pub fn by_wire(self) -> Table {
        let free = |e: Edge| Edge { price: Price { time: 0, ..e.price }, ..e };
        let edges = self.edges.into_iter().map(|es| es.into_iter().map(free).collect()).collect();
        Table::new(self.layouts, self.bytes, edges)
    }

    /// What converting from `native` to all of `wanted` (sorted, without repetition) costs; `None` if one is out of reach.
    pub fn tree_of(&mut self, native: u16, wanted: &[u16]) -> Option<Tree> {
        let one = match wanted {
            [] => return Some(Tree::default()),
            [w] => Some(*w),
            [a, b] if *a == native => Some(*b),
            [a, b] if *b == native => Some(*a),
            _ => None,
        };
        if let Some(w) = one {
            if w == native {
                return Some(Tree::default());
            }
            let r = self.paths(native)[w as usize];
            return (r.price != Price::UNREACHABLE).then_some(Tree { price: r.price, bytes: r.bytes });
        }
        let key: Key = (native, SmallVec::from_slice(wanted));
        if let Some(&t) = self.trees.get(&key) {
            return t;
        }
        let t = self.grow(native, wanted, &mut |_| {});
        self.trees.insert(key, t);
        t
    }

    /// The price of the cheapest path.
    pub fn distance(&mut self, from: u16, to: u16) -> Option<Price> {
        let p = self.paths(from)[to as usize].price;
        (p != Price::UNREACHABLE).then_some(p)
    }

    /// The time of the cheapest path.
    #[inline]
    pub fn time(&mut self, from: u16, to: u16) -> Option<u64> {
        let n = self.layouts.len();
        let at = from as usize * n + to as usize;
        if self.times[at] == 0 {
            let times: Vec<u64> = self.paths(from).iter().map(|r| r.price.time.saturating_add(1)).collect();
            self.times[from as usize * n..][..n].copy_from_slice(&times);
        }
        let time = self.times[at];
        (time != NEVER).then(|| time - 1)
    }

    /// The better of two trees: grown as [`Table::nearest`] says, and the same by way of the one layout from which everything
    /// wanted is reached at the least sum (which for two is the best there is). Steps are given in an order in which each
    /// starts from a layout that is there.
    pub fn grow(&mut self, native: u16, wanted: &[u16], give: &mut dyn FnMut(TreeStep)) -> Option<Tree> {
        let open: Vec<u16> = wanted.iter().copied().filter(|&w| w != native).collect();
        if open.len() < 2 {
            return self.nearest(native, &[&open], give);
        }
        let straight = self.nearest(native, &[&open], &mut |_| {})?;
        let mut best: Option<(Price, u16)> = None;
        // Two that are wanted have no better tree by way of a layout from which their ways sum up to more than the straight one's.
        let enough = if open.len() == 2 { straight.price.time } else { NEVER - 1 };
        let n = self.layouts.len();
        self.time(native, native);
        for v in (0..n as u16).filter(|v| *v != native) {
            // No way from `v` is shorter than what it saves of the way from `native`: most layouts need no paths of their own.
            let row = &self.times[native as usize * n..][..n];
            let start = row[v as usize];
            if start == NEVER {
                continue;
            }
            let least = open.iter().map(|&w| row[w as usize].saturating_sub(start));
            let least = least.fold(start - 1, u64::saturating_add);
            if least > enough || best.is_some_and(|b| least > b.0.time) {
                continue;
            }
            // What is further than all of the straight tree cannot lie on a better one.
            let Some(start) = self.distance(native, v).filter(|d| *d < straight.price) else { continue };
            let star = open.iter().try_fold(start, |sum, &w| Some(sum + self.distance(v, w)?));
            if let Some(p) = star
                && best.is_none_or(|b| p < b.0)
            {
                best = Some((p, v));
            }
        }
        if let Some((_, v)) = best
            && self.nearest(native, &[&[v], &open], &mut |_| {}).is_some_and(|t| t.price < straight.price)
        {
            return self.nearest(native, &[&[v], &open], give);
        }
        self.nearest(native, &[&open], give)
    }

    /// Grows a tree by the nearest wanted layout until all are in it, those of the first round first.
    fn nearest(&mut self, native: u16, rounds: &[&[u16]], give: &mut dyn FnMut(TreeStep)) -> Option<Tree> {
        let mut have = vec![native];
        let mut total = Tree::default();
        let mut rounds = rounds.iter();
        let mut open: Vec<u16> = Vec::new();
        loop {
            if open.is_empty() {
                let Some(round) = rounds.next() else {
                    break;
                };
                open.extend(round.iter().filter(|w| !have.contains(w)));
                continue;
            }
            let mut best = (Price::UNREACHABLE, 0, 0);
            for &h in &have {
                let paths = self.paths(h);
                for &w in &open {
                    let candidate = (paths[w as usize].price, h, w);
                    if candidate.0 < best.0 {
                        best = candidate;
                    }
                }
            }
            let (price, h, w) = best;
            if price == Price::UNREACHABLE {
                return None;
            }
            total.price = total.price + price;
            let mut back = Vec::new();
            let mut at = w;
            while at != h {
                let r = self.paths(h)[at as usize];
                back.push(TreeStep { from: r.from, edge: self.edges[r.from as usize][r.edge as usize] });
                at = r.from;
            }
            for s in back.into_iter().rev() {
                if !have.contains(&s.edge.to) {
                    have.push(s.edge.to);
                    total.bytes += self.bytes[s.edge.to as usize];
                    give(s);
                }
            }
            open.retain(|w| !have.contains(w));
        }
        Some(total)
    }

    /// Dijkstra from `from`.
    fn paths(&mut self, from: u16) -> &[Reached] {
        let (edges, bytes) = (&self.edges, &self.bytes);
        self.paths[from as usize].get_or_insert_with(|| {
            let none = Reached { price: Price::UNREACHABLE, from: 0, edge: 0, bytes: 0 };
            let mut best = vec![none; edges.len()];
            best[from as usize].price = Price::default();
            let mut open = BinaryHeap::from([Reverse((Price::default(), from))]);
            while let Some(Reverse((price, u))) = open.pop() {
                let at = best[u as usize];
                if at.price < price {
                    continue;
                }
                for (i, e) in edges[u as usize].iter().enumerate() {
                    let price = at.price + e.price;
                    if price < best[e.to as usize].price {
                        let bytes = at.bytes + bytes[e.to as usize];
                        best[e.to as usize] = Reached { price, from: u, edge: i as u16, bytes };
                        open.push(Reverse((price, e.to)));
                    }
                }
            }
            best
        })
    }
}
