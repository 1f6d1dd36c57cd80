//! Interned layouts, assignments and steps, so that e-nodes are a few words; and each tensor's universe: the layouts it
//! may be asked for.

use super::reach::Reach;
use super::term::LayoutId;
use indexmap::IndexSet;
use meshloom_ir::layout::Slot;
use meshloom_ir::{Assignment, Axis, Layout, Op, Reduction, TensorType, ValueId};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::hash::Hash;

use crate::saturate::program::SearchedProgram;
use crate::{Limits, Mode};

/// A set of values numbered in the order of their first appearance.
pub struct Interner<T>(IndexSet<T, FxBuildHasher>);

impl<T: Hash + Eq> Default for Interner<T> {
    fn default() -> Interner<T> {
        Interner(IndexSet::default())
    }
}

impl<T: Hash + Eq> Interner<T> {
    pub fn put(&mut self, x: T) -> u32 {
        self.0.insert_full(x).0 as u32
    }

    /// The number of a value that has appeared.
    pub fn number(&self, x: &T) -> Option<u32> {
        self.0.get_index_of(x).map(|i| i as u32)
    }

    pub fn get(&self, id: u32) -> &T {
        &self.0[id as usize]
    }
}

/// The layouts that one kind of tensor may have.
pub struct Universe {
    pub layouts: Vec<LayoutId>,
    set: FxHashSet<LayoutId>,
}

impl Universe {
    pub fn contains(&self, l: LayoutId) -> bool {
        self.set.contains(&l)
    }
}

#[derive(Default)]
pub struct Tables {
    pub layouts: Interner<Layout>,
    pub assignments: Interner<Assignment>,
    pub steps: Interner<Op>,
    pub universes: Vec<Universe>,
    /// By value.
    of: Vec<u32>,
    /// A tensor had more layouts than the limit.
    pub cut: bool,
}

impl Tables {
    pub fn new(program: &SearchedProgram<'_>, reach: &[Reach], limits: &Limits) -> Tables {
        let mut t = Tables::default();
        let pins = pins(program);
        let mut known: FxHashMap<(TensorType, Reach, Vec<Layout>), u32> = FxHashMap::default();
        for v in (0..reach.len() as u32).map(ValueId) {
            let rep = program.rep(v);
            let r = &reach[rep.index()];
            let ty = program.func.ty(v).clone();
            let own = pins.get(&rep).cloned().unwrap_or_default();
            let key = (ty.clone(), r.clone(), own);
            let id = known.get(&key).copied().unwrap_or_else(|| {
                let mut layouts = enumerate(program, &ty, r, limits, &mut t.cut);
                for pin in &key.2 {
                    with_way(pin, &mut layouts);
                }
                let layouts: Vec<LayoutId> = layouts.into_iter().map(|l| t.layouts.put(l)).collect();
                t.universes.push(Universe { set: layouts.iter().copied().collect(), layouts });
                t.universes.len() as u32 - 1
            });
            known.insert(key, id);
            t.of.push(id);
        }
        t
    }

    pub fn universe_id(&self, v: ValueId) -> u32 {
        self.of[v.index()]
    }

    pub fn universe(&self, v: ValueId) -> &Universe {
        &self.universes[self.of[v.index()] as usize]
    }
}

/// Layouts that closed annotations pin, by value.
fn pins(program: &SearchedProgram<'_>) -> BTreeMap<ValueId, Vec<Layout>> {
    let func = program.func;
    let inputs = func.body().args.iter().copied().zip(program.inputs.iter().map(Some));
    let outputs = func.body().yields.iter().copied().zip(program.outputs.iter().map(Option::as_ref));
    let inside = program.order.iter().map(|&o| (func.op(o).results[0], program.pinned[o.index()].as_ref()));
    let mut out: BTreeMap<ValueId, Vec<Layout>> = BTreeMap::new();
    for (v, c) in inputs.chain(outputs).chain(inside) {
        if let Some(l) = c.and_then(|c| c.closed()) {
            let all: &mut Vec<Layout> = out.entry(program.rep(v)).or_default();
            if !all.contains(&l) {
                all.push(l);
            }
        }
    }
    out
}

/// Adds a pinned layout, and those between it and the whole tensor, where a limit left them out.
fn with_way(pin: &Layout, layouts: &mut Vec<Layout>) {
    let mut at = pin.clone();
    loop {
        if !layouts.contains(&at) {
            layouts.push(at.clone());
        }
        let Some(axis) = at.dims.iter().rev().find_map(|d| d.last()).or(at.partial.keys().next()).copied() else {
            return;
        };
        at = at.without(axis);
    }
}

/// How many axes of one dim stand in every order, on a mesh of so many axes: a dim split by `(a, b)` is not one split by `(b, a)`.
/// Where there are more, further ones stand in the mesh's order. Of four axes all orders are most of the e-graph, and a search
/// through all of them ends sooner at worse plans.
fn in_any_order(axes: usize) -> usize {
    if axes > 3 { 1 } else { 3 }
}

/// All layouts within reach, those with fewer axes in use first.
fn enumerate(
    program: &SearchedProgram<'_>,
    ty: &TensorType,
    reach: &Reach,
    limits: &Limits,
    cut: &mut bool,
) -> Vec<Layout> {
    let limit = limits.layouts;
    let mut all = vec![Layout::replicated(ty.rank())];
    let any_order = in_any_order(program.axes.len()).min(limits.orders);
    for (i, &axis) in program.axes.iter().enumerate() {
        let mut more = Vec::new();
        for l in &all {
            for slot in slots(reach, i, ty.rank()) {
                match slot {
                    Slot::Split(d) => {
                        for at in 0..=l.dims[d].len() {
                            if l.dims[d].len() >= any_order && at < l.dims[d].len() && program.mode == Mode::Search {
                                continue;
                            }
                            let mut next = l.clone();
                            next.dims[d].insert(at, axis);
                            more.push(next);
                        }
                    }
                    // A sum of maxima is not a maximum of sums.
                    Slot::Partial(k) if l.partial.values().any(|&other| other != k) => {}
                    slot => more.push(l.with(axis, slot)),
                }
            }
        }
        more.retain(|l| program.fits(&ty.shape, l));
        all.extend(more);
        if all.len() > limit {
            *cut = true;
            all.sort_by_key(in_use);
            all.truncate(limit);
        }
    }
    all.sort_by_key(in_use);
    all
}

/// How many axes a layout makes use of.
pub fn in_use(l: &Layout) -> usize {
    l.dims.iter().map(Vec::len).sum::<usize>() + l.partial.len()
}

fn slots(reach: &Reach, axis: usize, rank: usize) -> impl Iterator<Item = Slot> + '_ {
    let split = (0..rank).filter(move |&d| reach.splits(axis, d)).map(Slot::Split);
    split.chain(Reduction::ALL.into_iter().filter(move |&k| reach.partial(axis, k)).map(Slot::Partial))
}

/// Axes over which `layout` is replicated.
pub fn copied_axes(layout: &Layout, axes: &[Axis]) -> Vec<Axis> {
    axes.iter().copied().filter(|&a| layout.slot(a) == Slot::Replicated).collect()
}
