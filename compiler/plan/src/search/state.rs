//! A choice of one option per site, and its cost, kept up to date move by move.
//!
//! The cost of a tensor is its conversions (the Steiner tree from its native layout to what the chosen options of its
//! readers want) and the idling of those readers; the cost of a site is its arithmetic. A move touches few tensors.

use super::cost::Cost;
use super::problem::{Problem, Want};

pub const UNSET: u32 = u32::MAX;
const NONE: u16 = u16::MAX;

pub struct State<'p> {
    pub problem: &'p mut Problem,
    /// By site.
    pub chosen: Vec<u32>,
    /// By tensor: position of the native layout.
    native: Vec<u16>,
    /// By tensor and layout: how many chosen options want it.
    demand: Vec<Vec<u32>>,
    /// By tensor: the same as bits, for tensors of at most 64 layouts.
    masks: Vec<u64>,
    cost: Vec<Cost>,
    pub total: Cost,
    /// Moves since the last [`State::commit`], to be undone.
    log: Vec<(u32, u32)>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    pub moves: usize,
}

impl<'p> State<'p> {
    pub fn new(problem: &'p mut Problem) -> State<'p> {
        let n = problem.tensors.len();
        let demand = problem.tensors.iter().map(|t| vec![0; problem.tables[t.table].layouts.len()]).collect();
        State {
            chosen: vec![UNSET; problem.sites.len()],
            native: vec![NONE; n],
            demand,
            masks: vec![0; n],
            cost: vec![Cost::ZERO; n],
            total: Cost::ZERO,
            log: Vec::new(),
            touched: Vec::new(),
            is_touched: vec![false; n],
            moves: 0,
            problem,
        }
    }

    /// The native layout of a tensor, once its site has one.
    pub fn native(&self, t: u32) -> Option<u16> {
        let n = self.native[t as usize];
        (n != NONE).then_some(n)
    }

    /// Layouts of a tensor that chosen options want, sorted.
    pub fn wanted(&self, t: u32) -> Vec<u16> {
        let d = self.demand[t as usize].iter().enumerate();
        d.filter(|x| *x.1 > 0).map(|x| x.0 as u16).collect()
    }

    /// Lets a site take an option, or none; the total follows with [`State::settle`].
    pub fn put(&mut self, site: u32, option: u32) {
        let old = std::mem::replace(&mut self.chosen[site as usize], option);
        if old == option {
            return;
        }
        self.log.push((site, old));
        self.moves += 1;
        self.change(site, old, false);
        self.change(site, option, true);
    }

    /// What the total would be if a site took an option. Nothing may be unsettled.
    pub fn trial(&mut self, site: u32, option: u32) -> Cost {
        self.moves += 1;
        let (old, total) = (self.chosen[site as usize], self.total);
        self.chosen[site as usize] = option;
        self.change(site, old, false);
        self.change(site, option, true);
        let mut touched = std::mem::take(&mut self.touched);
        let mut cost = self.total;
        for &t in &touched {
            cost += self.tensor_cost(t);
            cost -= self.cost[t as usize];
        }
        self.chosen[site as usize] = old;
        self.change(site, option, false);
        self.change(site, old, true);
        for t in touched.drain(..).chain(self.touched.drain(..)) {
            self.is_touched[t as usize] = false;
        }
        self.touched = touched;
        self.total = total;
        cost
    }

    fn change(&mut self, site: u32, option: u32, on: bool) {
        if option == UNSET {
            return;
        }
        let State { problem, native, demand, masks, touched, is_touched, total, .. } = self;
        let mut touch = |t: u32| {
            if !std::mem::replace(&mut is_touched[t as usize], true) {
                touched.push(t);
            }
        };
        let choice = &problem.sites[site as usize].options[option as usize];
        if on {
            *total += choice.cost;
        } else {
            *total -= choice.cost;
        }
        for &Want { tensor, layout } in &choice.natives {
            native[tensor as usize] = if on { layout } else { NONE };
            touch(tensor);
            problem.tensors[tensor as usize].judged.iter().for_each(|&j| touch(j));
        }
        for &Want { tensor, layout } in &choice.kids {
            let d = &mut demand[tensor as usize][layout as usize];
            *d = if on { *d + 1 } else { *d - 1 };
            if layout < 64 {
                let bit = 1u64 << layout;
                masks[tensor as usize] =
                    if *d > 0 { masks[tensor as usize] | bit } else { masks[tensor as usize] & !bit };
            }
            touch(tensor);
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
        let wanted = if self.demand[t as usize].len() > 64 { self.wanted(t) } else { Vec::new() };
        let tensor = &self.problem.tensors[t as usize];
        let table = &mut self.problem.tables[tensor.table];
        let price = if table.layouts.len() > 64 {
            table.price(native, &wanted)
        } else {
            table.price_of_set(native, self.masks[t as usize])
        };
        let mut cost = match price {
            Some((wire, calls)) => Cost { wire, calls, ..Cost::ZERO } * tensor.weight,
            None => Cost::IMPOSSIBLE,
        };
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
            let (option, usable) = (self.chosen[s as usize], &site.usable[k as usize]);
            if option == UNSET || usable.is_empty() {
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
        while self.log.len() > mark {
            if let Some((site, old)) = self.log.pop() {
                let now = std::mem::replace(&mut self.chosen[site as usize], old);
                self.change(site, now, false);
                self.change(site, old, true);
            }
        }
        self.settle();
    }

    /// Forgets the moves made so far: they stay.
    pub fn commit(&mut self) {
        self.log.clear();
    }

    /// Takes over a whole choice.
    pub fn adopt(&mut self, chosen: &[u32]) {
        for (s, &o) in chosen.iter().enumerate() {
            self.put(s as u32, o);
        }
        self.settle();
        self.commit();
    }

    /// Sites that a site's choice touches: writers and readers of what it gives and takes, in order.
    pub fn neighbours(&self, site: u32, out: &mut Vec<u32>) {
        let Some(choice) = self.problem.sites[site as usize].options.first() else {
            return;
        };
        for w in choice.natives.iter().chain(&choice.kids) {
            let t = &self.problem.tensors[w.tensor as usize];
            out.push(t.writer);
            out.extend(t.readers.iter().map(|r| r.0));
        }
        out.sort_unstable();
        out.dedup();
        out.retain(|&s| s != site && s != UNSET && self.problem.sites[s as usize].options.len() > 1);
    }
}
