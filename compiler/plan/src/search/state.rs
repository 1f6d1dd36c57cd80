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

    fn touch(&mut self, t: u32) {
        if !std::mem::replace(&mut self.is_touched[t as usize], true) {
            self.touched.push(t);
        }
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

    fn change(&mut self, site: u32, option: u32, on: bool) {
        if option == UNSET {
            return;
        }
        let choice = &self.problem.sites[site as usize].options[option as usize];
        let (natives, kids, cost) = (choice.natives.clone(), choice.kids.clone(), choice.cost);
        if on {
            self.total += cost;
        } else {
            self.total -= cost;
        }
        for Want { tensor, layout } in natives {
            self.native[tensor as usize] = if on { layout } else { NONE };
            self.touch(tensor);
            for i in 0..self.problem.tensors[tensor as usize].judged.len() {
                self.touch(self.problem.tensors[tensor as usize].judged[i]);
            }
        }
        for Want { tensor, layout } in kids {
            let d = &mut self.demand[tensor as usize][layout as usize];
            *d = if on { *d + 1 } else { *d - 1 };
            self.touch(tensor);
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
        let wanted = self.wanted(t);
        let tensor = &self.problem.tensors[t as usize];
        let mut cost = match self.problem.tables[tensor.table].price(native, &wanted) {
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
        out.retain(|&s| s != site && s != UNSET);
    }
}
