//! Small programs without loops are solved exactly: dynamic programming from the outputs to the inputs. A state is what is
//! wanted of tensors that are still to be made; a site whose tensors nobody wants is passed by, so alternative forms need
//! nothing special. States that cost as much as the best plan known are dropped, and when too many remain the answer of
//! the local search stands.

use super::cost::{Cost, Rent};
use super::problem::{Problem, Source};
use super::state::UNSET;
use crate::program::Port;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Wanted layouts by tensor, sorted.
type Key = SmallVec<[(u32, u16); 12]>;

/// Set in the number of a site that is no tensor.
const MARK: u32 = 1 << 31;

fn updated(problem: &Problem, s: u32) -> bool {
    let input = |o: &super::problem::Choice| matches!(o.source, Source::Port(Port::Input(_))) && !o.kids.is_empty();
    problem.sites[s as usize].options.iter().any(input)
}

#[derive(Clone, Copy)]
struct Reached {
    cost: Cost,
    /// Position of the state before in the layer before, and the option taken.
    from: u32,
    option: u32,
}

/// The best choice if it is cheaper than `bound`; `None` if it is not, if there is a loop, or if more than `limit` states
/// were looked at.
pub fn solve(problem: &mut Problem, rent: Rent, bound: Cost, limit: usize) -> Option<(Cost, Vec<u32>)> {
    let order = order(problem)?;
    // An input that has a next value is decided twice over: first its layout, which its next value must come to have, and
    // when all its readers are known, what they are converted from. In between a mark stands among what is wanted.
    let inputs = (0..problem.sites.len() as u32).filter(|&s| updated(problem, s));
    let order: Vec<(u32, bool)> = inputs.map(|s| (s, true)).chain(order.into_iter().map(|s| (s, false))).collect();
    let mut layers: Vec<Vec<Reached>> = Vec::new();
    let mut states: Vec<(Key, Reached)> = vec![(Key::new(), Reached { cost: Cost::ZERO, from: 0, option: UNSET })];
    let mut looked = 0usize;
    for &(s, first) in &order {
        let second = !first && updated(problem, s);
        let mut known: FxHashMap<Key, u32> = FxHashMap::default();
        let mut next: Vec<(Key, Reached)> = Vec::new();
        let mut put = |key: Key, r: Reached| match known.get(&key) {
            Some(&i) => {
                let old = &mut next[i as usize].1;
                if r.cost < old.cost {
                    *old = r;
                }
            }
            None => {
                known.insert(key.clone(), next.len() as u32);
                next.push((key, r));
            }
        };
        for (i, (key, at)) in states.iter().enumerate() {
            let site = &problem.sites[s as usize];
            let tensors: SmallVec<[u32; 4]> =
                site.options.first().into_iter().flat_map(|o| o.natives.iter().map(|n| n.tensor)).collect();
            if !site.root && !key.iter().any(|k| tensors.contains(&k.0)) {
                put(key.clone(), Reached { cost: at.cost, from: i as u32, option: UNSET });
                continue;
            }
            let mark = s | MARK;
            let chosen = key.iter().find(|k| second && k.0 == mark).map(|k| k.1);
            let tensors = if first { SmallVec::new() } else { tensors };
            let rest: Key = key.iter().copied().filter(|k| !tensors.contains(&k.0) && (first || k.0 != mark)).collect();
            looked += site.options.len();
            if looked > limit {
                return None;
            }
            for (o, option) in site.options.iter().enumerate() {
                if chosen.is_some_and(|c| usize::from(c) != o) {
                    continue;
                }
                let mut cost = if second { at.cost } else { at.cost + rent.on(option.cost) };
                for n in option.natives.iter().filter(|_| !first) {
                    let wanted: SmallVec<[u16; 10]> = key.iter().filter(|k| k.0 == n.tensor).map(|k| k.1).collect();
                    let tensor = &problem.tensors[n.tensor as usize];
                    cost += match problem.tables[tensor.table].tree_of(n.layout, &wanted) {
                        Some(t) => {
                            let p = t.price;
                            let held = if tensor.held { t.bytes } else { 0 };
                            let paid = Cost { time: p.time, wire: p.wire, calls: p.calls, ..Cost::ZERO };
                            rent.on(Cost { held, ..paid * tensor.weight })
                        }
                        None => Cost::IMPOSSIBLE,
                    };
                }
                if cost >= bound {
                    continue;
                }
                let mut k = rest.clone();
                if first {
                    k.push((mark, o as u16));
                }
                for w in option.kids.iter().filter(|_| !second) {
                    let want = (w.tensor, w.layout);
                    if let Err(at) = k.binary_search(&want) {
                        k.insert(at, want);
                    }
                }
                put(k, Reached { cost, from: i as u32, option: o as u32 });
            }
        }
        layers.push(states.iter().map(|s| s.1).collect());
        states = next;
    }
    let best = states.iter().map(|s| s.1).min_by_key(|r| r.cost)?;
    let mut chosen = vec![UNSET; problem.sites.len()];
    let mut at = best;
    for (&(s, _), layer) in order.iter().zip(&layers).rev() {
        if at.option != UNSET {
            chosen[s as usize] = at.option;
        }
        at = layer[at.from as usize];
    }
    Some((best.cost, chosen))
}

/// Readers before what they read; `None` if there is a loop.
fn order(problem: &Problem) -> Option<Vec<u32>> {
    let n = problem.sites.len();
    let looped = |s: Source| matches!(s, Source::Port(Port::Carry(..) | Port::Slice(..) | Port::Stack(..)));
    let mut kids: Vec<Vec<u32>> = Vec::new();
    for site in &problem.sites {
        if site.options.iter().any(|o| looped(o.source)) {
            return None;
        }
        let mut k: Vec<u32> = site
            .options
            .iter()
            .filter(|o| !matches!(o.source, Source::Port(Port::Input(_))))
            .flat_map(|o| &o.kids)
            .map(|w| problem.tensors[w.tensor as usize].writer)
            .collect();
        k.sort_unstable();
        k.dedup();
        k.retain(|&w| (w as usize) < n);
        kids.push(k);
    }
    let mut state = vec![0u8; n];
    let mut out = Vec::new();
    for root in 0..n as u32 {
        let mut path = vec![(root, 0usize)];
        while let Some((s, at)) = path.pop() {
            if at == 0 {
                if state[s as usize] == 2 {
                    continue;
                }
                state[s as usize] = 1;
            }
            match kids[s as usize].get(at) {
                Some(&w) => {
                    path.push((s, at + 1));
                    match state[w as usize] {
                        0 => path.push((w, 0)),
                        1 => return None,
                        _ => {}
                    }
                }
                None => {
                    state[s as usize] = 2;
                    out.push(s);
                }
            }
        }
    }
    out.reverse();
    Some(out)
}
