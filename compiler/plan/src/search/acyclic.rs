//! Algebra may say that x is made from y and y from x. A choice must not take both. So the few alternatives that close such a
//! cycle are dropped, and every choice is a program. The only cycles left are chains of conversions of one tensor, which a
//! Steiner tree never has. Carries are cycles by nature, through the iteration: what one becomes is left alone.
//!
//! A loop is written as a whole. So whatever comes out of it comes after all that goes into it, whether or not it depends on that.

use super::problem::{Problem, SiteSource};
use crate::saturate::program::RegionPort;
use meshloom_ir::OpId;
use std::collections::BTreeMap;

/// By loop: the tensors that go into it.
pub type Entering = BTreeMap<OpId, Vec<u32>>;

/// Drops forms whose operands lead back to the site that they belong to. What a site was given with stays where it can.
pub fn cut(problem: &mut Problem, entering: &Entering) {
    let n = problem.sites.len();
    // 0: not seen, 1: on the path, 2: done.
    let mut state = vec![0u8; n];
    let mut root = 0;
    while root < n {
        if state[root] != 0 || visit(problem, entering, root, &mut state) {
            root += 1;
        }
    }
    starve(problem);
}

/// Depth first from `root`; false if a form was dropped and the visit has to start again.
fn visit(problem: &mut Problem, entering: &Entering, root: usize, state: &mut [u8]) -> bool {
    let mut path: Vec<(usize, usize)> = vec![(root, 0)];
    state[root] = 1;
    while let Some(&(s, at)) = path.last() {
        let Some(option) = problem.sites[s].options.get(at) else {
            state[s] = 2;
            path.pop();
            continue;
        };
        let top = path.len() - 1;
        let source = option.source;
        let outside = match source {
            SiteSource::Port(RegionPort::Carry(o, _) | RegionPort::Stack(o, _)) => entering.get(&o),
            _ => None,
        };
        // What a carry or an input becomes lies behind it.
        let own = match source {
            SiteSource::Port(RegionPort::Carry(..) | RegionPort::Input(_)) => &[][..],
            _ => &option.kids[..],
        };
        let read = own.iter().map(|k| k.tensor).chain(outside.into_iter().flatten().copied());
        let writers = read.map(|t| problem.tensors[t as usize].writer as usize);
        let writers: Vec<usize> = writers.filter(|&w| w < state.len()).collect();
        if let Some(&w) = writers.iter().find(|&&w| state[w] == 1) {
            let start = path.iter().position(|p| p.0 == w).unwrap_or(0);
            let other = |&&(s, at): &&(usize, usize)| problem.sites[s].options[at].source != problem.sites[s].source;
            let (s, at) = *path[start..].iter().rev().find(other).unwrap_or(&path[top]);
            let source = problem.sites[s].options[at].source;
            problem.sites[s].options.retain(|o| o.source != source);
            path.iter().for_each(|p| state[p.0] = 0);
            return false;
        }
        if let Some(&w) = writers.iter().find(|&&w| state[w] == 0) {
            state[w] = 1;
            path.push((w, 0));
            continue;
        }
        // Options of one form read the same tensors.
        while problem.sites[s].options.get(path[top].1).is_some_and(|o| o.source == source) {
            path[top].1 += 1;
        }
    }
    true
}

/// Drops options whose operands have no form, or none left.
fn starve(problem: &mut Problem) {
    loop {
        let empty: Vec<bool> = problem.sites.iter().map(|s| s.options.is_empty()).collect();
        let mut dropped = false;
        for s in 0..problem.sites.len() {
            let tensors = &problem.tensors;
            let options = &mut problem.sites[s].options;
            let before = options.len();
            let fed = |t: u32| empty.get(tensors[t as usize].writer as usize).is_some_and(|e| !e);
            options.retain(|o| o.kids.iter().all(|k| fed(k.tensor)));
            dropped |= options.is_empty() && before > 0;
        }
        if !dropped {
            return;
        }
    }
}
