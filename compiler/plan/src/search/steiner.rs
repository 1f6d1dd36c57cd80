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
    const UNREACHABLE: Packed = Packed { time: NEVER, rest: u64::MAX };

    fn of(p: Price) -> Packed {
        Packed { time: p.time, rest: p.wire.min(MOST_WIRE) << CALLS | p.calls.min(1 << 10) }
    }

    /// `None` where there is no path.
    fn price(self) -> Option<Price> {
        let Packed { time, rest } = self;
        (time != NEVER).then_some(Price { time, wire: rest >> CALLS, calls: rest & ((1 << CALLS) - 1) })
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
    edges: Vec<Vec<Edge>>,
    /// The same steps by where they lead: `to` is where a step comes from, and `step` its number there.
    back: Vec<Vec<Edge>>,
    forward: Steps,
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
    fn new(edges: &[Vec<Edge>]) -> Steps {
        let all = || edges.iter().flatten();
        let first = std::iter::once(0).chain(edges.iter().scan(0, |n, steps| {
            *n += steps.len() as u32;
            Some(*n)
        }));
        Steps {
            first: first.collect(),
            ends: all().map(|e| (e.price.time, e.to)).collect(),
            rest: all().map(|e| Packed::of(e.price).rest).collect(),
        }
    }

    fn layouts(&self) -> usize {
        self.first.len() - 1
    }
}

type Prices = Vec<Option<Box<[Packed]>>>;

/// The time where there is no path.
const NEVER: u64 = u64::MAX;

/// One step of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeStep {
    pub from: u16,
    pub edge: Edge,
}

impl Table {
    /// `edges` by where they begin.
    pub fn new(layouts: Vec<LayoutId>, bytes: Vec<u64>, edges: Vec<Vec<Edge>>) -> Table {
        let n = layouts.len();
        let edges: Vec<Vec<Edge>> = edges.into_iter().map(|steps| better(&steps)).collect();
        let mut back = vec![Vec::new(); n];
        for (from, steps) in edges.iter().enumerate() {
            for (i, e) in steps.iter().enumerate() {
                back[e.to as usize].push(Edge { to: from as u16, step: i as u32, price: e.price });
            }
        }
        let (from, to) = (vec![None; n], vec![None; n]);
        let (trees, on_way) = (FxHashMap::default(), FxHashMap::default());
        let (forward, backward) = (Steps::new(&edges), Steps::new(&back));
        Table { layouts, bytes, edges, back, forward, backward, from, to, finishing: None, trees, on_way }
    }

    /// The same conversions where only bytes count.
    #[cfg(test)]
    pub fn by_wire(self) -> Table {
        let free = |e: Edge| Edge { price: Price { time: 0, ..e.price }, ..e };
        let edges = self.edges.into_iter().map(|es| es.into_iter().map(free).collect()).collect();
        Table::new(self.layouts, self.bytes, edges)
    }

    /// What converting from `native` to all of `wanted` (sorted, without repetition) costs; `None` if one is out of reach. Its
    /// bytes are there where they are asked for with `held`.
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

    /// The price of the cheapest path, for a layout that many are asked about from.
    pub fn distance(&mut self, from: u16, to: u16) -> Option<Price> {
        self.from(from)[to as usize].price()
    }

    /// The same for a layout that many are asked about to.
    pub fn distance_to(&mut self, from: u16, to: u16) -> Option<Price> {
        self.to(to)[from as usize].price()
    }

    /// The price of the cheapest path to any of the layouts that are `finished`, which are the same each time.
    pub fn finished(&mut self, from: u16, finished: impl Fn(u16) -> bool) -> Option<Price> {
        let Table { backward, finishing, .. } = self;
        let prices = finishing.get_or_insert_with(|| {
            let ends: Vec<u16> = (0..backward.layouts() as u16).filter(|&l| finished(l)).collect();
            prices(backward, &ends)
        });
        prices[from as usize].price()
    }

    /// Prices of the shortest paths from `from`, by where they lead.
    fn from(&mut self, from: u16) -> &[Packed] {
        let Table { forward, from: all, .. } = self;
        all[from as usize].get_or_insert_with(|| prices(forward, &[from]))
    }

    /// Prices of the shortest paths to `to`, by where they begin.
    fn to(&mut self, to: u16) -> &[Packed] {
        let Table { backward, to: all, .. } = self;
        all[to as usize].get_or_insert_with(|| prices(backward, &[to]))
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
                let far = best.map_or(NEVER - 1, |b| b.0.time);
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
            let ends = |e: &&Edge| row[e.to as usize] < far && row[e.to as usize] + Packed::of(e.price) == far;
            let Some(last) =
                self.back[at as usize].iter().filter(ends).min_by_key(|e| (row[e.to as usize], e.to, e.step))
            else {
                return Vec::new();
            };
            way.push(TreeStep { from: last.to, edge: self.edges[last.to as usize][last.step as usize] });
            at = last.to;
        }
        way.reverse();
        way
    }
}

/// Steps without those that lead where one before them leads for no more of anything.
fn better(steps: &[Edge]) -> Vec<Edge> {
    let mut kept: Vec<Edge> = Vec::new();
    for e in steps {
        let less =
            |k: &Edge| k.price.time <= e.price.time && k.price.wire <= e.price.wire && k.price.calls <= e.price.calls;
        if !kept.iter().rev().take_while(|k| k.to == e.to).any(less) {
            kept.push(*e);
        }
    }
    kept
}

/// Dijkstra from the nearest of `ends`: the prices of the shortest paths. Layouts wait by time alone; one that is then reached at a
/// better price in the same time waits again.
fn prices(steps: &Steps, ends: &[u16]) -> Box<[Packed]> {
    let key = |time: u64, at: u16| Reverse(u128::from(time) << 16 | u128::from(at));
    let mut prices = vec![Packed::UNREACHABLE; steps.layouts()];
    let mut open = BinaryHeap::new();
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
        let own = steps.first[u] as usize..steps.first[u + 1] as usize;
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
