//! Solves small programs without loops exactly, by dynamic programming from the outputs to the inputs. A state is the set of
//! layouts that are wanted of tensors which no site so far makes. A site whose tensors a state does not want is skipped, so
//! alternative forms need no special case. States that cost as much as the best plan known are dropped. If too many remain, the
//! answer of the local search stands.

use super::cost::{Cost, Rent};
use super::problem::{Problem, SearchTensor, SiteSource, Want};
use super::state::UNSET;
use super::steiner::Table;
use crate::effort;
use crate::saturate::program::RegionPort;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// Wanted layouts by tensor, sorted.
type Key = SmallVec<[(u32, u16); 12]>;

/// Set in the number of a site that is no tensor.
const MARK: u32 = 1 << 31;

fn updated(problem: &Problem, s: u32) -> bool {
    let input =
        |o: &super::problem::Choice| matches!(o.source, SiteSource::Port(RegionPort::Input(_))) && !o.kids.is_empty();
    problem.sites[s as usize].options.iter().any(input)
}

#[derive(Clone, Copy)]
struct Reached {
    cost: Cost,
    /// Position of the state before in the layer before, and the option taken.
    from: u32,
    option: u32,
}

/// The states after a site, each with the cheapest way to it, in the order in which they were found.
type Layer = IndexMap<Key, Reached, FxBuildHasher>;

fn put(layer: &mut Layer, key: Key, r: Reached) {
    layer.entry(key).and_modify(|old| *old = if r.cost < old.cost { r } else { *old }).or_insert(r);
}

/// What it costs to convert a tensor from its native layout to those that a state wants of it.
fn conversions(tensors: &[SearchTensor], tables: &mut [Table], rent: Rent, native: &Want, state: &Key) -> Cost {
    let wanted: SmallVec<[u16; 10]> = state.iter().filter(|k| k.0 == native.tensor).map(|k| k.1).collect();
    let tensor = &tensors[native.tensor as usize];
    match tables[tensor.table].tree_of(native.layout, &wanted, tensor.long_lived) {
        Some(t) => {
            let p = t.price;
            let live = if tensor.long_lived { t.bytes } else { 0 };
            let paid = Cost { time: p.time, wire: p.wire, calls: p.calls, ..Cost::ZERO };
            rent.on(Cost { live, ..paid * tensor.weight })
        }
        None => Cost::IMPOSSIBLE,
    }
}

/// The best choice if it is cheaper than `bound`; `None` if it is not, if there is a loop, or if more than `limit` options of
/// states were tried. States that are handed on past sites that they do not want are limited as well.
pub fn solve(problem: &mut Problem, rent: Rent, bound: Cost, limit: usize) -> Option<(Cost, Vec<u32>)> {
    let order = order(problem)?;
    // An input that has a next value is decided twice over: first its layout, which its next value must come to have, and
    // when all its readers are known, what they are converted from. In between a mark stands among what is wanted.
    let inputs = (0..problem.sites.len() as u32).filter(|&s| updated(problem, s));
    let inputs: Vec<u32> = inputs.collect();
    if too_many(problem, &inputs, rent, bound, limit) {
        return None;
    }
    let inputs = inputs.into_iter().map(|s| (s, true));
    let order: Vec<(u32, bool)> = inputs.chain(order.into_iter().map(|s| (s, false))).collect();
    // By site that some state wants: the states before it.
    let mut layers: Vec<(u32, Vec<Reached>)> = Vec::new();
    let begun = Reached { cost: Cost::ZERO, from: 0, option: UNSET };
    let mut states = Layer::from_iter([(Key::new(), begun)]);
    let (mut looked, mut handed_on) = (0usize, 0usize);
    for &(s, first) in &order {
        let second = !first && updated(problem, s);
        let site = &problem.sites[s as usize];
        let tensors: SmallVec<[u32; 4]> =
            site.options.first().into_iter().flat_map(|o| o.natives.iter().map(|n| n.tensor)).collect();
        let wants = |key: &Key| site.root || key.iter().any(|k| tensors.contains(&k.0));
        if !states.keys().any(wants) {
            continue;
        }
        let mut next = Layer::default();
        layers.push((s, states.values().copied().collect()));
        for (i, (key, at)) in states.into_iter().enumerate() {
            if !wants(&key) {
                handed_on += 1;
                if handed_on > limit.saturating_mul(effort::EXACT_HANDED_ON) {
                    return None;
                }
                put(&mut next, key, Reached { cost: at.cost, from: i as u32, option: UNSET });
                continue;
            }
            let mark = s | MARK;
            let chosen = key.iter().find(|k| second && k.0 == mark).map(|k| k.1);
            let made = |t: u32| !first && tensors.contains(&t);
            let rest: Key = key.iter().copied().filter(|k| !made(k.0) && (first || k.0 != mark)).collect();
            looked += site.options.len() * (1 + key.len() / effort::FEW_WANTS);
            if looked > limit {
                return None;
            }
            for (o, option) in site.options.iter().enumerate() {
                if chosen.is_some_and(|c| usize::from(c) != o) {
                    continue;
                }
                let mut cost = if second { at.cost } else { at.cost + rent.on(option.cost) };
                for n in option.natives.iter().filter(|_| !first) {
                    cost += conversions(&problem.tensors, &mut problem.tables, rent, n, &key);
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
                put(&mut next, k, Reached { cost, from: i as u32, option: o as u32 });
            }
        }
        states = next;
    }
    let best = states.into_values().min_by_key(|r| r.cost)?;
    let mut chosen = vec![UNSET; problem.sites.len()];
    let mut at = best;
    for (s, layer) in layers.iter().rev() {
        if at.option != UNSET {
            chosen[*s as usize] = at.option;
        }
        at = layer[at.from as usize];
    }
    Some((best.cost, chosen))
}

/// Whether choices for the inputs that have a next value alone are more states than `limit`. They come first, one beside another, so
/// that is known without them; but for those that cost as much as `bound`, which are dropped.
fn too_many(problem: &Problem, inputs: &[u32], rent: Rent, bound: Cost, limit: usize) -> bool {
    let (mut states, mut looked, mut most) = (1usize, 0usize, Cost::ZERO);
    for site in inputs.iter().map(|&s| &problem.sites[s as usize]).filter(|s| s.root) {
        most += site.options.iter().map(|o| rent.on(o.cost)).max().unwrap_or(Cost::ZERO);
        if most >= bound {
            return false;
        }
        states = states.saturating_mul(site.options.len());
        looked = looked.saturating_add(states);
        if looked > limit {
            return true;
        }
    }
    false
}

/// Readers before what they read; `None` if there is a loop.
fn order(problem: &Problem) -> Option<Vec<u32>> {
    let n = problem.sites.len();
    let looped = |s: SiteSource| {
        matches!(s, SiteSource::Port(RegionPort::Carry(..) | RegionPort::Slice(..) | RegionPort::Stack(..)))
    };
    let mut kids: Vec<Vec<u32>> = Vec::new();
    for site in &problem.sites {
        if site.options.iter().any(|o| looped(o.source)) {
            return None;
        }
        let mut k: Vec<u32> = site
            .options
            .iter()
            .filter(|o| !matches!(o.source, SiteSource::Port(RegionPort::Input(_))))
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
