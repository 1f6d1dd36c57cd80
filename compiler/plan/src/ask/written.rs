//! What a source writes on operands and on the result of attention says how it is computed. A layout in the middle of a program says
//! only where a tensor is at that place, and a search may move it at once; so `attention(q @ [..], k @ [..], v @ [..])`, which reads
//! as a choice between gathered keys, split heads and a ring, would be no more than a detour. Its gradient is split likewise: it
//! has no text of its own to be written on.
//!
//! A closed dim of q decides over one of k, that over one of v, and operands over the result. What cannot be had (keys split over the
//! axes of the queries) is gathered. Layouts of parameters, inputs and results of an entry say where these are kept, and do not count.
//!
//! Not here: composites that the planner adds (those that it recognises, blocks of a ring), and the search, which finds no other
//! forms than these (`saturate`).

use meshloom_ir::table::composite::{ATTENTIONS, Attention, Pass, named};
use meshloom_ir::{Assignment, Axis, Constraint, Def, DimSpec, FactorRule, Func, Mesh, Op, OpId, ValueId};
use std::collections::BTreeMap;

/// By factor of an op: the axes that split it, in this order. Factors that nothing is written of are absent.
pub type WrittenSplits = BTreeMap<usize, Vec<Axis>>;

/// The operands q, k and v.
const OPERANDS: usize = 3;

/// What is written of the factors of an attention or of its gradient; empty for other ops, and where it cannot be had.
pub fn factors(func: &Func, o: OpId, rule: &FactorRule) -> WrittenSplits {
    let Some((form, pass)) = attention(func, o) else { return WrittenSplits::new() };
    let data = func.op(o);
    let mut out = WrittenSplits::new();
    for (i, &v) in data.operands.iter().enumerate().take(OPERANDS) {
        for (k, fs) in rule.operands[i].iter().enumerate() {
            note(&mut out, rule, fs, closed(func, v, k));
        }
    }
    let segmented = data.operands.len() > form.operands(pass, false);
    let result = match pass {
        Pass::Forward => Some((data.results[0], &rule.results[0])),
        Pass::Backward => {
            let i = OPERANDS + 2 * usize::from(segmented);
            data.operands.get(i).map(|&v| (made(func, v), &rule.operands[i]))
        }
    };
    if let Some((v, dims)) = result {
        for (k, fs) in dims.iter().enumerate() {
            note(&mut out, rule, fs, read(func, v, k));
        }
    }
    if possible(rule, &out, &func.mesh, &data.operands) { out } else { WrittenSplits::new() }
}

/// Whether an assignment is as it is written.
pub fn admits(written: &WrittenSplits, a: &Assignment) -> bool {
    written.iter().all(|(f, axes)| a.factors.get(f).map_or(&[][..], |x| x.as_slice()) == axes.as_slice())
}

/// Whether it is written of the positions of queries or keys that they are not split by `axes`, as where keys go round.
pub fn forbids_ring(func: &Func, o: OpId, axes: &[Axis]) -> bool {
    let Some((form, _)) = attention(func, o) else { return false };
    let dims = [(form.q, 's'), (form.k, 't'), (form.v, 't')];
    func.op(o).operands.iter().zip(dims).any(|(&v, (dims, along))| {
        let said = dims.find(along).and_then(|k| closed(func, v, k));
        said.is_some_and(|said| said != axes)
    })
}

/// An attention that may stand in a source.
fn attention(func: &Func, o: OpId) -> Option<(&'static Attention, Pass)> {
    let Op::Composite { name, .. } = &func.op(o).op else { return None };
    named(name).filter(|(form, _)| ATTENTIONS.contains(form))
}

/// Takes note of what is written of a dim with these factors, if nothing is known of them yet.
fn note(out: &mut WrittenSplits, rule: &FactorRule, factors: &[usize], said: Option<Vec<Axis>>) {
    let (&[f], Some(axes)) = (factors, said) else { return };
    let taken = out.values().flatten().any(|a| axes.contains(a));
    if out.contains_key(&f) {
        return;
    }
    if taken || axes.is_empty() {
        out.insert(f, Vec::new());
    } else if rule.splittable(f) {
        out.insert(f, axes);
    }
}

/// Whether an op has a form that is as written, with everything else whole.
fn possible(rule: &FactorRule, written: &WrittenSplits, mesh: &Mesh, operands: &[ValueId]) -> bool {
    let split = written.iter().filter(|w| !w.1.is_empty());
    let a = Assignment { factors: split.map(|(&f, axes)| (f, axes.clone())).collect(), linear: BTreeMap::new() };
    // One tensor is read in one layout.
    let mut layouts = BTreeMap::new();
    let mut one = |(i, v): (usize, &ValueId)| {
        let l = rule.operand_layout(&a, i);
        *layouts.entry(*v).or_insert_with(|| l.clone()) == l
    };
    rule.admits(&a, mesh) && operands.iter().enumerate().all(&mut one)
}

/// The axes that a closed layout on `v`, or on what `v` is moved from, gives dim `k`.
fn closed(func: &Func, v: ValueId, k: usize) -> Option<Vec<Axis>> {
    let mut at = Place { v, k, room: None, within: false };
    loop {
        if let Some(axes) = at.said(func) {
            return at.fits(&axes, &func.mesh).then(|| if at.within { Vec::new() } else { axes });
        }
        at = at.before(func)?;
    }
}

/// The axes that a closed layout on what is moved from dim `k` of `v` gives it.
fn read(func: &Func, v: ValueId, k: usize) -> Option<Vec<Axis>> {
    let constrained = func.ops.iter().filter(|d| matches!(d.op, Op::Constrain(_)) && !is_port(func, d.results[0]));
    constrained.flat_map(|d| (0..func.ty(d.results[0]).rank()).map(|dim| (d.results[0], dim))).find_map(|(c, dim)| {
        let mut at = Place { v: c, k: dim, room: None, within: false };
        let said = at.said(func)?;
        while (at.v, at.k) != (v, k) {
            at = at.before(func)?;
        }
        (!at.within && at.fits(&said, &func.mesh)).then_some(said)
    })
}

/// Whether a value is an output of the program that has a layout.
fn is_port(func: &Func, v: ValueId) -> bool {
    let mut ports = func.body().yields.iter().zip(&func.outputs);
    ports.any(|(&y, p)| y == v && p.constraint != Constraint::absent(p.constraint.dims.len()))
}

/// A stash as the value that is kept.
fn made(func: &Func, v: ValueId) -> ValueId {
    let kept = func.stash_of(v).map(|(o, j)| func.region(func.op(o).regions[0]).yields[j]);
    kept.unwrap_or(v)
}

/// A dim on the way back to what it is moved from.
struct Place {
    v: ValueId,
    k: usize,
    /// The size of the major part of the dim, once a reshape has cut it.
    room: Option<u64>,
    /// What is followed lies within the blocks of that part.
    within: bool,
}

impl Place {
    /// What a layout that stands here says of the dim, if it is closed.
    fn said(&self, func: &Func) -> Option<Vec<Axis>> {
        let Op::Constrain(c) = &func.op(func.def_op(self.v)?).op else { return None };
        let c = c.effective(&func.mesh);
        match c.dims.get(self.k).filter(|_| c.partial.is_empty())? {
            DimSpec::Exactly(axes) => Some(axes.clone()),
            DimSpec::AtLeast(_) => None,
        }
    }

    /// Whether axes that split the whole dim split its major part and nothing else.
    fn fits(&self, axes: &[Axis], mesh: &Mesh) -> bool {
        self.room.is_none_or(|n| n.is_multiple_of(mesh.group_size(axes)))
    }

    fn before(self, func: &Func) -> Option<Place> {
        let (o, operand) = match func.value(self.v).def {
            Def::Arg(r, i) => return self.outside(func, func.region(r).owner?, i as usize),
            Def::Op(o, _) => (o, func.op(o).operands.first().copied()?),
        };
        match func.op(o).op {
            Op::Constrain(_) | Op::Convert { .. } => Some(Place { v: operand, ..self }),
            Op::Transpose { .. } | Op::Reshape { .. } => {
                let rule = meshloom_ir::table::factors(func, o)?;
                let real = |fs: &[usize]| fs.iter().copied().filter(|&f| rule.sizes[f] != 1).collect::<Vec<_>>();
                let here = real(&rule.results[0][self.k]);
                let &f = here.first()?;
                let from = rule.operands[0].iter().position(|fs| fs.contains(&f))?;
                let there = real(&rule.operands[0][from]);
                let &major = there.first()?;
                let cut = here.len() > 1 || there.len() > 1;
                let within = self.within || major != f;
                let size = self.room.map_or(rule.sizes[major], |n| n.min(rule.sizes[major]));
                let room = if cut && !self.within { Some(size) } else { self.room };
                Some(Place { v: operand, k: from, room, within })
            }
            _ => None,
        }
    }

    /// An argument of a loop's body: a stash as the value that is kept, an invariant as what it is outside.
    fn outside(self, func: &Func, o: OpId, i: usize) -> Option<Place> {
        let kept = made(func, self.v);
        if kept != self.v {
            return Some(Place { v: kept, ..self });
        }
        let Op::Repeat { carries, xs, .. } = func.op(o).op else { return None };
        (i >= carries + xs).then(|| Place { v: func.op(o).operands[i], ..self })
    }
}
