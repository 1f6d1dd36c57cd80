//! A choice of one option per site, and its cost, kept up to date move by move.
//!
//! The cost follows demand. A site costs something while an option in force reads one of its tensors. A site that nobody reads
//! any more stops reading its own operands. So an alternative form brings in what it needs and drops what it replaces, and a
//! stack that nobody reads does not exist.
//!
//! The cost of a tensor has two parts: its conversions (the Steiner tree from its native layout to what the options of its readers
//! want) and the idling of those readers. The cost of a site is that of its option. A move touches few tensors.

use super::cost::{Cost, Rent};
use super::known::{Known, Question};
use super::problem::{Problem, SearchTensor, Want};
use super::steiner::{Price, Table};
use rustc_hash::{FxHashSet, FxHasher};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::hash::{Hash, Hasher};

pub const UNSET: u32 = u32::MAX;
const NONE: u16 = u16::MAX;

pub struct State<'p> {
    pub problem: &'p mut Problem,
    /// What perturbations are known to lead to, from this state and others of the same search.
    pub known: &'p RefCell<Known>,
    rent: Rent,
    /// By site. Of a site that is not in force, what it took last.
    pub chosen: Vec<u32>,
    /// By site: how many options in force read its tensors; one more for roots.
    holds: Vec<u32>,
    /// By site: its option counts.
    in_force: Vec<bool>,
    /// By tensor: position of the native layout, while its site is in force.
    native: Vec<u16>,
    /// By tensor: wanted layouts, sorted, and how many options in force want each.
    wants: Vec<SmallVec<[(u16, u32); 6]>>,
    /// By tensor: a hash of these two, kept up to date, so that most questions about them need not read them.
    lies: Vec<u64>,
    cost: Vec<Cost>,
    pub total: Cost,
    /// Moves since the last [`State::commit`], to be undone.
    log: Vec<(u32, u32)>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    work: Vec<(u32, bool)>,
    /// By site: whether the descent still has to visit it. No site is queued while no descent runs.
    pub queued: Vec<bool>,
    /// Whether idling is a fault anywhere.
    idles: bool,
    /// A hash of what tells this state from others under the same conditions, kept up to date: all else of it follows from the
    /// choices that are in force.
    identity: u64,
    /// A hash of what the sites may take and what that costs, which stays while there is this state.
    pub conditions: u64,
    pub moves: usize,
}

/// What is known of a move without making it.
enum Beside {
    MoreExpensive,
    Costs(Cost),
    /// It has to be made.
    Elsewhere,
}

/// A hash of what a site has chosen and whether that is in force: those of all sites together tell states apart.
fn mark(site: u32, chosen: u32, in_force: bool) -> u64 {
    mixed((u64::from(site) << 32 | u64::from(chosen)) ^ u64::from(in_force).rotate_right(1))
}

/// The largest count of wants for a layout that hashes tell from larger ones. All counts above the number of operands of a site have the
/// same effect.
const TOLD: u32 = 64;

/// A hash of how many options want a tensor in a layout. The hashes for all layouts together tell what is wanted.
fn wanted_by(layout: u16, n: u32) -> u64 {
    if n == 0 { 0 } else { mixed(u64::from(layout) << 32 | u64::from(n.min(TOLD))) }
}

/// The same of the layout in which a tensor comes about.
fn comes_in(native: u16) -> u64 {
    mixed(u64::from(native) | 1 << 63)
}

/// The end of SplitMix64: all bits of what is hashed count in all bits of the hash.
fn mixed(x: u64) -> u64 {
    let mut x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// What converting a tensor to all that is wanted of it costs. `hides`: what can be hidden takes a part of its time only.
fn converted(
    tensor: &SearchTensor,
    tables: &mut [Table],
    rent: Rent,
    hides: bool,
    native: u16,
    wanted: &[u16],
) -> Cost {
    if native == NONE {
        return Cost::ZERO;
    }
    let Some(tree) = tables[tensor.table].tree_of(native, wanted, tensor.long_lived) else {
        return Cost::IMPOSSIBLE;
    };
    let p = tree.price;
    let mut cost = Cost { time: p.time, wire: p.wire, calls: p.calls, ..Cost::ZERO } * tensor.weight;
    cost.time = tensor.time(p.time, hides);
    if tensor.long_lived {
        cost.live = tree.bytes;
    }
    rent.on(cost)
}

impl<'p> State<'p> {
    /// Every site in force, none with an option yet; [`State::release`] lets go of those that nobody reads.
    pub fn new(problem: &'p mut Problem, known: &'p RefCell<Known>, rent: Rent) -> State<'p> {
        let n = problem.tensors.len();
        State {
            identity: (0..problem.sites.len() as u32).fold(0, |hash, s| hash ^ mark(s, UNSET, true)),
            chosen: vec![UNSET; problem.sites.len()],
            holds: vec![1; problem.sites.len()],
            in_force: vec![true; problem.sites.len()],
            native: vec![NONE; n],
            wants: vec![SmallVec::new(); n],
            lies: vec![comes_in(NONE); n],
            cost: vec![Cost::ZERO; n],
            total: Cost::ZERO,
            log: Vec::new(),
            touched: Vec::new(),
            is_touched: vec![false; n],
            work: Vec::new(),
            queued: vec![false; problem.sites.len()],
            idles: problem.sites.iter().any(|s| !s.usable.is_empty()),
            conditions: problem.conditions(rent),
            moves: 0,
            problem,
            known,
            rent,
        }
    }

    /// Sites that came into force without an option take one.
    fn complete(&mut self) {
        for s in 0..self.chosen.len() as u32 {
            if self.in_force[s as usize] && self.chosen[s as usize] == UNSET {
                let first = self.first(s);
                self.put(s, first);
            }
        }
    }

    /// Ends the start: only roots stay in force without a reader.
    pub fn release(&mut self) {
        // Sites that nothing reads take an option too, since the search tries again and again whether reading them would be better.
        self.complete();
        for s in 0..self.chosen.len() as u32 {
            if !self.problem.sites[s as usize].root {
                self.let_go(s);
            }
        }
        self.spread();
        self.complete();
        self.settle();
        self.commit();
    }

    /// Lets a site be in force or not, with what it has chosen. The hash follows.
    fn note(&mut self, site: u32, option: u32, on: bool) {
        let (chosen, in_force) = (&mut self.chosen[site as usize], &mut self.in_force[site as usize]);
        self.identity ^= mark(site, *chosen, *in_force) ^ mark(site, option, on);
        (*chosen, *in_force) = (option, on);
    }

    /// `what` is done with the choices of this state, which has nothing unsettled.
    pub fn question(&self, what: impl Hash) -> Question {
        let mut hasher = FxHasher::default();
        self.identity.hash(&mut hasher);
        what.hash(&mut hasher);
        Question::new(self.total, hasher.finish())
    }

    /// Whether a site's option is in force.
    pub fn active(&self, site: u32) -> bool {
        self.in_force[site as usize]
    }

    /// The native layout of a tensor, while its site has one in force.
    pub fn native(&self, t: u32) -> Option<u16> {
        let n = self.native[t as usize];
        (n != NONE).then_some(n)
    }

    /// Layouts of a tensor that options in force want, sorted.
    pub fn wanted(&self, t: u32) -> Vec<u16> {
        self.wants[t as usize].iter().map(|w| w.0).collect()
    }

    /// How many layouts there are among those in which tensors come about and are wanted. The fewer, the easier it is to read.
    pub fn kinds(&self) -> usize {
        let tables = self.problem.tensors.iter().map(|t| &self.problem.tables[t.table].layouts);
        let all = tables.zip(&self.native).zip(&self.wants).flat_map(|((layouts, &native), wants)| {
            let native = (native != NONE).then_some(native);
            native.into_iter().chain(wants.iter().map(|w| w.0)).map(|l| layouts[l as usize])
        });
        all.collect::<FxHashSet<_>>().len()
    }

    /// Lets a site take an option; the total follows with [`State::settle`].
    pub fn put(&mut self, site: u32, option: u32) {
        let old = self.chosen[site as usize];
        if old == option {
            return;
        }
        self.log.push((site, old));
        self.moves += 1;
        self.set(site, option);
    }

    fn set(&mut self, site: u32, option: u32) {
        let old = self.chosen[site as usize];
        self.note(site, option, self.in_force[site as usize]);
        if self.in_force[site as usize] {
            // The new one first: what both read stays in force throughout.
            self.change(site, option, true);
            self.change(site, old, false);
            self.give(site);
            self.spread();
        }
    }

    /// A hash of what decides whether an option of a site that reads and gives the same tensors as the one in force is better than that:
    /// which that is, where its tensors come about, and in which layouts they are wanted. `None` where more than that counts.
    pub fn surroundings(&self, site: u32) -> Option<u64> {
        let chosen = self.chosen[site as usize];
        let now = self.problem.sites[site as usize].options.get(chosen as usize)?;
        if self.idles || self.total.idle > 0 {
            return None;
        }
        let Rent(rent) = self.rent;
        let mut hash = mixed(rent ^ u64::from(chosen).rotate_right(24) ^ u64::from(self.problem.hides).rotate_right(1));
        for w in now.kids.iter().chain(&now.natives) {
            hash = mixed(hash.rotate_left(5) ^ self.lies[w.tensor as usize]);
        }
        Some(hash)
    }

    /// Whether the hashes that are kept up to date are those of what there is.
    #[cfg(test)]
    pub fn hashes_hold(&self) -> bool {
        let of = |t: usize| self.wants[t].iter().fold(comes_in(self.native[t]), |h, w| h ^ wanted_by(w.0, w.1));
        (0..self.lies.len()).all(|t| self.lies[t] == of(t))
    }

    /// What the total would be if a site took an option, if that is less than `best`. Nothing may be unsettled.
    pub fn better(&mut self, site: u32, option: u32, best: Cost) -> Option<Cost> {
        let cost = match self.beside(site, option, best) {
            Beside::MoreExpensive => return None,
            Beside::Costs(cost) => cost,
            Beside::Elsewhere => self.trial_below(site, option, best),
        };
        (cost < best).then_some(cost)
    }

    /// The same without making the move, which most moves of a search allow: no tensor comes into force or out of it.
    fn beside(&mut self, site: u32, option: u32, best: Cost) -> Beside {
        let State { problem, native, wants, cost, rent, total, chosen, .. } = self;
        let Problem { sites, tables, tensors, hides, .. } = &mut **problem;
        let hides = *hides;
        let options = &sites[site as usize].options;
        let Some(now) = options.get(chosen[site as usize] as usize) else {
            return Beside::Elsewhere;
        };
        let then = &options[option as usize];
        if self.idles || then.source != now.source || total.idle > 0 || then.kids.len() != now.kids.len() {
            return Beside::Elsewhere;
        }
        // First what it takes at least: of each conversion the way to this site alone.
        let mut rest = total.time.wrapping_add(rent.on(then.cost).time).wrapping_sub(rent.on(now.cost).time);
        let home = |t: u32| then.natives.iter().find(|n| n.tensor == t).map_or(native[t as usize], |n| n.layout);
        let mut least = 0u64;
        for (k, w) in then.kids.iter().enumerate() {
            if w.tensor != now.kids[k].tensor {
                return Beside::Elsewhere;
            }
            if then.kids[..k].iter().any(|x| x.tensor == w.tensor) {
                continue;
            }
            let (tensor, from) = (&tensors[w.tensor as usize], home(w.tensor));
            rest = rest.wrapping_sub(cost[w.tensor as usize].time);
            if from != NONE {
                let Some(price) = tables[tensor.table].distance(from, w.layout) else {
                    return Beside::MoreExpensive;
                };
                least = least.saturating_add(tensor.time(price.time, hides));
            }
        }
        for w in then.natives.iter().filter(|w| then.kids.iter().all(|k| k.tensor != w.tensor)) {
            rest = rest.wrapping_sub(cost[w.tensor as usize].time);
            let tensor = &tensors[w.tensor as usize];
            let mut furthest = 0;
            for &(to, _) in &wants[w.tensor as usize] {
                let Some(price) = tables[tensor.table].distance_to(w.layout, to) else {
                    return Beside::MoreExpensive;
                };
                furthest = furthest.max(price.time);
            }
            least = least.saturating_add(tensor.time(furthest, hides));
        }
        if rest.saturating_add(least) > best.time {
            return Beside::MoreExpensive;
        }
        self.moves += 1;
        let mut rest = *total + rent.on(then.cost);
        rest -= rent.on(now.cost);
        let mut after: SmallVec<[u16; 10]> = SmallVec::new();
        for (k, w) in then.kids.iter().enumerate() {
            if then.kids[..k].iter().any(|x| x.tensor == w.tensor) {
                continue;
            }
            rest -= cost[w.tensor as usize];
            let of =
                |kids: &[Want], l: u16| kids.iter().filter(|x| x.tensor == w.tensor && x.layout == l).count() as u32;
            after.clear();
            after.extend(wants[w.tensor as usize].iter().filter(|(l, n)| *n > of(&now.kids, *l)).map(|x| x.0));
            for x in then.kids.iter().filter(|x| x.tensor == w.tensor) {
                if let Err(at) = after.binary_search(&x.layout) {
                    after.insert(at, x.layout);
                }
            }
            rest += converted(&tensors[w.tensor as usize], tables, *rent, hides, home(w.tensor), &after);
        }
        for w in then.natives.iter().filter(|w| then.kids.iter().all(|k| k.tensor != w.tensor)) {
            rest -= cost[w.tensor as usize];
            after.clear();
            after.extend(wants[w.tensor as usize].iter().map(|x| x.0));
            rest += converted(&tensors[w.tensor as usize], tables, *rent, hides, w.layout, &after);
        }
        Beside::Costs(rest)
    }

    /// What the total would be if a site took an option. Nothing may be unsettled.
    pub fn trial(&mut self, site: u32, option: u32) -> Cost {
        self.trial_below(site, option, Cost::MOST)
    }

    /// The same where that is less than `best`, else anything that is not.
    fn trial_below(&mut self, site: u32, option: u32, best: Cost) -> Cost {
        let mark = self.log.len();
        self.put(site, option);
        let mut cost = self.total;
        for &t in &self.touched {
            cost -= self.cost[t as usize];
        }
        // Tensors only add to it, so one that is too expensive without some of them stays so.
        for i in 0..self.touched.len() {
            if cost >= best {
                break;
            }
            cost += self.tensor_cost(self.touched[i]);
        }
        self.cancel(mark);
        cost
    }

    /// Takes back all moves since `mark`, when everything was settled and since when nothing was.
    pub fn cancel(&mut self, mark: usize) {
        self.take_back(mark);
        // Everything is as before, so nothing has to be recomputed.
        while let Some(t) = self.touched.pop() {
            self.is_touched[t as usize] = false;
        }
    }

    /// Brings sites into force and out of it until what is read and what is in force agree.
    fn spread(&mut self) {
        while let Some((site, on)) = self.work.pop() {
            // A site may have been let go of and taken up again since it was put on the list.
            if on != (self.holds[site as usize] > 0) || on == self.in_force[site as usize] {
                continue;
            }
            self.note(site, self.chosen[site as usize], on);
            if on && self.chosen[site as usize] == UNSET {
                let first = self.first(site);
                self.log.push((site, UNSET));
                self.note(site, first, on);
            }
            let option = self.chosen[site as usize];
            self.change(site, option, on);
            self.give(site);
        }
    }

    /// What a site takes that comes into force for the first time: the cheapest given what there is.
    fn first(&mut self, site: u32) -> u32 {
        let State { problem, native, wants, rent, .. } = self;
        let Problem { sites, tables, tensors, hides, .. } = &mut **problem;
        if let Some(o) = sites[site as usize].fixed {
            return o;
        }
        // Impossible conversions, time, wire.
        let mut best = ((u64::MAX, u64::MAX, u64::MAX), 0);
        for (o, choice) in sites[site as usize].options.iter().enumerate() {
            let mut cost = (0u64, choice.cost.time.saturating_add(rent.of(choice.cost.live)), choice.cost.wire);
            let mut convert = |t: u32, price: Option<Price>| {
                let tensor = &tensors[t as usize];
                match price {
                    Some(p) => {
                        cost.1 = cost.1.saturating_add(tensor.time(p.time, *hides));
                        cost.2 = cost.2.saturating_add(p.wire.saturating_mul(tensor.weight));
                    }
                    None => cost.0 += 1,
                }
                cost < best.0
            };
            let kids = choice.kids.iter().map(|k| (k.tensor, native[k.tensor as usize], k.layout));
            let mut kids = kids.filter(|k| k.1 != NONE);
            let of = |t: u32| tensors[t as usize].table;
            let cheaper = kids.all(|(t, from, to)| from == to || convert(t, tables[of(t)].distance(from, to)))
                && choice.natives.iter().all(|w| {
                    let (table, to) = (&mut tables[of(w.tensor)], &wants[w.tensor as usize]);
                    to.iter().all(|&(l, _)| l == w.layout || convert(w.tensor, table.distance_to(w.layout, l)))
                });
            if cheaper && cost < best.0 {
                best = (cost, o as u32);
            }
        }
        best.1
    }

    fn let_go(&mut self, site: u32) {
        let h = &mut self.holds[site as usize];
        *h -= 1;
        if *h == 0 {
            self.work.push((site, false));
        }
    }

    /// The natives of a site's tensors, as its option in force has them.
    fn give(&mut self, site: u32) {
        let State { problem, native, lies, touched, is_touched, .. } = self;
        let on = self.in_force[site as usize];
        let options = &problem.sites[site as usize].options;
        let Some(choice) = options.get(self.chosen[site as usize] as usize).or(options.first()) else {
            return;
        };
        for &Want { tensor, layout } in &choice.natives {
            let new = if on && self.chosen[site as usize] != UNSET { layout } else { NONE };
            let old = std::mem::replace(&mut native[tensor as usize], new);
            if old == new {
                continue;
            }
            lies[tensor as usize] ^= comes_in(old) ^ comes_in(new);
            let judged = problem.tensors[tensor as usize].judged.iter().copied();
            for t in std::iter::once(tensor).chain(judged) {
                if !std::mem::replace(&mut is_touched[t as usize], true) {
                    touched.push(t);
                }
            }
        }
    }

    fn change(&mut self, site: u32, option: u32, on: bool) {
        if option == UNSET {
            return;
        }
        let State { problem, wants, lies, touched, is_touched, total, holds, work, rent, .. } = self;
        let choice = &problem.sites[site as usize].options[option as usize];
        if on {
            *total += rent.on(choice.cost);
        } else {
            *total -= rent.on(choice.cost);
        }
        for &Want { tensor, layout } in &choice.kids {
            let list = &mut wants[tensor as usize];
            let at = list.binary_search_by_key(&layout, |w| w.0);
            let writer = problem.tensors[tensor as usize].writer;
            let h = holds.get_mut(writer as usize);
            let before = at.map_or(0, |i| list[i].1);
            match (on, at) {
                (true, Ok(i)) => list[i].1 += 1,
                (true, Err(i)) => list.insert(i, (layout, 1)),
                (false, Ok(i)) if list[i].1 == 1 => _ = list.remove(i),
                (false, Ok(i)) => list[i].1 -= 1,
                (false, Err(_)) => {}
            }
            let after = if on { before + 1 } else { before.saturating_sub(1) };
            // Beyond what is told apart nothing changes.
            if before.min(after) < TOLD {
                lies[tensor as usize] ^= wanted_by(layout, before) ^ wanted_by(layout, after);
            }
            if let Some(h) = h {
                *h = if on { *h + 1 } else { *h - 1 };
                if *h == u32::from(on) {
                    work.push((writer, on));
                }
            }
            if !std::mem::replace(&mut is_touched[tensor as usize], true) {
                touched.push(tensor);
            }
        }
    }

    /// Brings the total up to date.
    pub fn settle(&mut self) -> Cost {
        while let Some(t) = self.touched.pop() {
            self.is_touched[t as usize] = false;
            let new = self.tensor_cost(t);
            let old = std::mem::replace(&mut self.cost[t as usize], new);
            self.total += new;
            self.total -= old;
        }
        self.total
    }

    pub fn tensor_cost(&mut self, t: u32) -> Cost {
        let native = self.native[t as usize];
        if native == NONE {
            return Cost::ZERO;
        }
        let wanted: SmallVec<[u16; 10]> = self.wants[t as usize].iter().map(|w| w.0).collect();
        let Problem { tables, tensors, hides, .. } = &mut *self.problem;
        let tensor = &tensors[t as usize];
        let mut cost = converted(tensor, tables, self.rent, *hides, native, &wanted);
        if !self.idles {
            return cost;
        }
        let tensor = &self.problem.tensors[t as usize];
        let judge = self.native[tensor.judge as usize];
        if judge == NONE {
            return cost;
        }
        let splits = &self.problem.splits[self.problem.tensors[tensor.judge as usize].table][judge as usize];
        if splits.is_empty() {
            return cost;
        }
        for &(s, k) in &tensor.readers {
            let site = &self.problem.sites[s as usize];
            let (option, Some(usable)) = (self.chosen[s as usize], site.usable.get(k as usize)) else {
                continue;
            };
            if option == UNSET || usable.is_empty() || !self.in_force[s as usize] {
                continue;
            }
            let uses = site.options[option as usize].uses;
            let idle = splits.iter().filter(|&&(a, d)| usable[a as usize] >> d & 1 == 1 && uses >> a & 1 == 0).count();
            cost.idle += idle as u64 * site.elements;
        }
        cost
    }

    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Takes back all moves since `mark`.
    pub fn undo(&mut self, mark: usize) {
        self.take_back(mark);
        self.settle();
    }

    fn take_back(&mut self, mark: usize) {
        while self.log.len() > mark {
            if let Some((site, old)) = self.log.pop() {
                let before = self.log.len();
                self.set(site, old);
                // Sites that come into force again have an option from before.
                self.log.truncate(before);
            }
        }
    }

    /// Forgets the moves made so far: they stay.
    pub fn commit(&mut self) {
        self.log.clear();
    }

    /// Takes over a whole choice.
    pub fn adopt(&mut self, chosen: &[u32]) {
        for (s, &o) in chosen.iter().enumerate() {
            if o != UNSET {
                self.put(s as u32, o);
            }
        }
        self.settle();
        self.commit();
    }

    /// Sites that a site's choice touches: writers and readers of what it gives and takes, in order.
    pub fn neighbours(&self, site: u32, out: &mut Vec<u32>) {
        let options = &self.problem.sites[site as usize].options;
        let Some(choice) = options.get(self.chosen[site as usize] as usize).or(options.first()) else {
            return;
        };
        for w in choice.natives.iter().chain(&choice.kids) {
            let t = &self.problem.tensors[w.tensor as usize];
            out.push(t.writer);
            out.extend(t.readers.iter().map(|r| r.0));
        }
        out.sort_unstable();
        out.dedup();
        out.retain(|&s| s != site && s != UNSET && self.active(s) && self.problem.sites[s as usize].options.len() > 1);
    }
}
