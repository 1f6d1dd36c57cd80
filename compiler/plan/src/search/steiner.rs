//! Conversions of one tensor. Layouts are the nodes, the e-graph's collectives the edges, and what all readers together need is a
//! Steiner tree from the native layout to theirs. So a gather is done once for all who need it, and one reader's conversion may
//! be another's first step.

use crate::saturate::term::LayoutId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{Add, Range};

/// Picoseconds, wire bytes and calls, compared in this order. When following, no time is counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Price {
    pub time: u64,
    pub wire: u64,
    pub calls: u64,
}

impl Add for Price {
    type Output = Price;

    fn add(self, o: Price) -> Price {
        Price { time: self.time + o.time, wire: self.wire + o.wire, calls: self.calls + o.calls }
    }
}

/// A price as rows of them are kept: the time, and wire bytes above calls, so that two words are added and compared. Bytes of a
/// step are counted to 8 TiB, of which a path has room for 32.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Packed {
    time: u64,
    rest: u64,
}

/// Bits of calls, below those of wire bytes.
const CALLS: u32 = 16;
/// Wire bytes that are told apart.
const MOST_WIRE: u64 = 1 << 43;

impl Packed {
    const UNREACHABLE: Packed = Packed { time: u64::MAX, rest: u64::MAX };

    fn of(p: Price) -> Packed {
        Packed { time: p.time, rest: p.wire.min(MOST_WIRE) << CALLS | p.calls.min(1 << 10) }
    }

    /// `None` where there is no path.
    fn price(self) -> Option<Price> {
        let Packed { time, rest } = self;
        (time != Packed::UNREACHABLE.time).then_some(Price {
            time,
            wire: rest >> CALLS,
            calls: rest & ((1 << CALLS) - 1),
        })
    }
}

impl Add for Packed {
    type Output = Packed;

    fn add(self, o: Packed) -> Packed {
        Packed { time: self.time + o.time, rest: self.rest + o.rest }
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
    /// By where they begin, then by where they lead.
    steps: Vec<TreeStep>,
    /// Their numbers by where they lead, then by where they begin.
    back: Vec<u32>,
    /// `steps`.
    forward: Steps,
    /// The same in the order of `back`.
    backward: Steps,
    /// By layout, made when first asked for: the price of the shortest path from it to each.
    from: Prices,
    /// By layout, made when first asked for: the price of the shortest path to it from each. A search compares many layouts in
    /// which a tensor may come about by the few that are wanted, so these are fewer than paths from each would be.
    to: Prices,
    /// By layout: the price of the shortest path to the nearest one that is finished.
    finishing: Option<Box<[Packed]>>,
    trees: FxHashMap<Key, Option<Tree>>,
    /// Bytes of all layouts on the shortest path between two, without the first: made when first asked for.
    on_way: FxHashMap<(u16, u16), u64>,
    waiting: Waiting,
}

/// Steps as [`prices`] walks them, in the order of where they begin: where they lead and their times, which most of them are
/// judged by, are apart from the rest.
struct Steps {
    /// By layout, where its steps begin; and where the last ones end.
    first: Vec<u32>,
    ends: Vec<(u64, u16)>,
    /// Wire bytes and calls, as [`Packed`] has them.
    rest: Vec<u64>,
}

impl Steps {
    /// Steps between `n` layouts, each by where the walk enters it, where it leaves it, and its price.
    fn new(n: usize, steps: impl ExactSizeIterator<Item = (u16, u16, Price)>) -> Steps {
        let (mut first, mut ends) = (Vec::with_capacity(n + 1), Vec::with_capacity(steps.len()));
        let mut rest = Vec::with_capacity(steps.len());
        for (at, to, price) in steps {
            while first.len() <= usize::from(at) {
                first.push(ends.len() as u32);
            }
            ends.push((price.time, to));
            rest.push(Packed::of(price).rest);
        }
        first.resize(n + 1, ends.len() as u32);
        Steps { first, ends, rest }
    }

    /// The numbers of those that begin at a layout.
    fn at(&self, layout: u16) -> Range<usize> {
        self.first[usize::from(layout)] as usize..self.first[usize::from(layout) + 1] as usize
    }

    fn layouts(&self) -> usize {
        self.first.len() - 1
    }
}

type Prices = Vec<Option<Box<[Packed]>>>;

/// Layouts that wait in [`prices`], by time and number. It is kept from walk to walk: to grow a new one for each took 4 % of planning
/// for four axes.
type Waiting = BinaryHeap<Reverse<u128>>;

/// One step of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeStep {
    pub from: u16,
    pub edge: Edge,
}

impl Table {
    /// `steps` in any order.
    pub fn new(layouts: Vec<LayoutId>, bytes: Vec<u64>, mut steps: Vec<TreeStep>) -> Table {
        let n = layouts.len();
        // The order of e-nodes in a class follows from unions; the order of steps must not.
        steps.sort_unstable_by_key(|s| (s.from, s.edge.to, s.edge.price, s.edge.step));
        keep_better(&mut steps);
        let mut back: Vec<u32> = (0..steps.len() as u32).collect();
        back.sort_unstable_by_key(|&i| (steps[i as usize].edge.to, i));
        let forward = Steps::new(n, steps.iter().map(|s| (s.from, s.edge.to, s.edge.price)));
        let reversed = back.iter().map(|&i| &steps[i as usize]);
        let backward = Steps::new(n, reversed.map(|s| (s.edge.to, s.from, s.edge.price)));
        let (from, to) = (vec![None; n], vec![None; n]);
        let (trees, on_way) = (FxHashMap::default(), FxHashMap::default());
        let (finishing, waiting) = (None, Waiting::new());
        Table { layouts, bytes, steps, back, forward, backward, from, to, finishing, trees, on_way, waiting }
    }

    /// The same conversions where only bytes count.
    #[cfg(test)]
    pub fn by_wire(self) -> Table {
        let mut steps = self.steps;
        steps.iter_mut().for_each(|s| s.edge.price.time = 0);
        Table::new(self.layouts, self.bytes, steps)
    }

    /// What converting from `native` to all of `wanted` (sorted, without repetition) costs; `None` if one is out of reach.
    /// Without `held`, [`Tree::bytes`] may be left at 0.
    pub fn tree_of(&mut self, native: u16, wanted: &[u16], held: bool) -> Option<Tree> {
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
            let price = self.distance_to(native, w)?;
            return Some(Tree { price, bytes: if held { self.bytes_on_way(native, w) } else { 0 } });
        }
        let key: Key = (native, SmallVec::from_slice(wanted));
        if let Some(&t) = self.trees.get(&key) {
            return t;
        }
        let t = self.grow(native, wanted, &mut |_| {});
        self.trees.insert(key, t);
        t
    }

    fn bytes_on_way(&mut self, from: u16, to: u16) -> u64 {
        if let Some(&known) = self.on_way.get(&(from, to)) {
            return known;
        }
        let bytes = self.way(from, to).iter().map(|s| self.bytes[s.edge.to as usize]).sum();
        self.on_way.insert((from, to), bytes);
        bytes
    }

    /// The price of the cheapest path. It computes and keeps the prices of all paths from `from`.
    pub fn distance(&mut self, from: u16, to: u16) -> Option<Price> {
        self.from(from)[to as usize].price()
    }

    /// The same, by the prices of all paths to `to`.
    pub fn distance_to(&mut self, from: u16, to: u16) -> Option<Price> {
        self.to(to)[from as usize].price()
    }

    /// The price of the cheapest path to any of the layouts that are `finished`. Prices are kept, so each call has to pass the same
    /// `finished`.
    pub fn finished(&mut self, from: u16, finished: impl Fn(u16) -> bool) -> Option<Price> {
        let Table { backward, finishing, waiting, .. } = self;
        let prices = finishing.get_or_insert_with(|| {
            let ends: Vec<u16> = (0..backward.layouts() as u16).filter(|&l| finished(l)).collect();
            prices(backward, &ends, waiting)
        });
        prices[from as usize].price()
    }

    /// Prices of the shortest paths from `from`, by where they lead.
    fn from(&mut self, from: u16) -> &[Packed] {
        let Table { forward, from: all, waiting, .. } = self;
        all[from as usize].get_or_insert_with(|| prices(forward, &[from], waiting))
    }

    /// Prices of the shortest paths to `to`, by where they begin.
    fn to(&mut self, to: u16) -> &[Packed] {
        let Table { backward, to: all, waiting, .. } = self;
        all[to as usize].get_or_insert_with(|| prices(backward, &[to], waiting))
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
        self.from(native);
        for &w in &open {
            self.to(w);
        }
        let (mut best, bound): (Option<(Packed, u16)>, Packed) = (None, Packed::of(straight.price));
        if let Some(row) = &self.from[native as usize] {
            let ways: SmallVec<[&[Packed]; 8]> = open.iter().filter_map(|&w| self.to[w as usize].as_deref()).collect();
            for (v, start) in row.iter().enumerate().filter(|(v, _)| *v != native as usize) {
                // What is further than all of the straight tree cannot lie on a better one.
                if *start >= bound {
                    continue;
                }
                let far = best.map_or(Packed::UNREACHABLE.time - 1, |b| b.0.time);
                let mut star = *start;
                for way in &ways {
                    let price = way[v];
                    if price.time > far {
                        star = Packed::UNREACHABLE;
                        break;
                    }
                    star = star + price;
                }
                if star != Packed::UNREACHABLE && best.is_none_or(|b| star < b.0) {
                    best = Some((star, v as u16));
                }
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
        let mut have: SmallVec<[u16; 16]> = SmallVec::from_slice(&[native]);
        let mut total = Tree::default();
        let mut rounds = rounds.iter();
        let mut open: SmallVec<[u16; 10]> = SmallVec::new();
        loop {
            if open.is_empty() {
                let Some(round) = rounds.next() else {
                    break;
                };
                open.extend(round.iter().copied().filter(|w| !have.contains(w)));
                continue;
            }
            // Of those at the same price the first one that is there, then the first one that is wanted.
            let mut best = (Packed::UNREACHABLE, 0, 0);
            for (j, &w) in open.iter().enumerate() {
                let to = self.to(w);
                for (i, &h) in have.iter().enumerate() {
                    best = best.min((to[h as usize], i, j));
                }
            }
            let (price, h, w) = (best.0.price()?, have[best.1], open[best.2]);
            total.price = total.price + price;
            for s in self.way(h, w) {
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

    /// The steps of a shortest path: of those with which it could end, the one that comes from the nearest layout.
    fn way(&mut self, from: u16, to: u16) -> Vec<TreeStep> {
        self.from(from);
        let Some(row) = &self.from[from as usize] else { return Vec::new() };
        let mut way = Vec::new();
        let mut at = to;
        while at != from {
            let far = row[at as usize];
            let Steps { ends, rest, .. } = &self.backward;
            let last = |i: &usize| {
                let ((time, start), rest) = (ends[*i], rest[*i]);
                let start = row[usize::from(start)];
                start < far && start + Packed { time, rest } == far
            };
            // Steps that begin at the same layout are in the order of their numbers.
            let Some(last) = self.backward.at(at).filter(last).min_by_key(|&i| (row[usize::from(ends[i].1)], i)) else {
                return Vec::new();
            };
            let step = self.steps[self.back[last] as usize];
            way.push(step);
            at = step.from;
        }
        way.reverse();
        way
    }
}

/// Drops steps that lead where one before them leads from the same layout, for no less of anything.
fn keep_better(steps: &mut Vec<TreeStep>) {
    let mut kept = 0;
    for i in 0..steps.len() {
        let (s, p) = (steps[i], steps[i].edge.price);
        let same = |k: &&TreeStep| (k.from, k.edge.to) == (s.from, s.edge.to);
        let less = |k: &TreeStep| {
            let k = k.edge.price;
            k.time <= p.time && k.wire <= p.wire && k.calls <= p.calls
        };
        if !steps[..kept].iter().rev().take_while(same).any(less) {
            steps[kept] = s;
            kept += 1;
        }
    }
    steps.truncate(kept);
}

/// Dijkstra from the nearest of `ends`: the prices of the shortest paths. Layouts wait by time alone; one that is then reached at a
/// better price in the same time waits again.
fn prices(steps: &Steps, ends: &[u16], open: &mut Waiting) -> Box<[Packed]> {
    let key = |time: u64, at: u16| Reverse(u128::from(time) << 16 | u128::from(at));
    let mut prices = vec![Packed::UNREACHABLE; steps.layouts()];
    for &end in ends {
        prices[end as usize] = Packed { time: 0, rest: 0 };
        open.push(key(0, end));
    }
    while let Some(Reverse(next)) = open.pop() {
        let u = usize::from(next as u16);
        let far = prices[u];
        if u128::from(far.time) < next >> 16 {
            continue;
        }
        let own = steps.at(next as u16);
        for (&(time, to), more) in steps.ends[own.clone()].iter().zip(&steps.rest[own]) {
            let (time, before) = (far.time + time, &mut prices[to as usize]);
            if time > before.time {
                continue;
            }
            let price = Packed { time, rest: far.rest + more };
            if price < *before {
                *before = price;
                open.push(key(time, to));
            }
        }
    }
    prices.into_boxed_slice()
}
