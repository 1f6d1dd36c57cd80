//! Packs: an operand, or an expression, written as the panels that a matmul reads front to back.
//!
//! Two ways, by how the operand lies. Where neighbours along the run are neighbours in memory, rows of a panel are loaded as they are.
//! Where neighbours along k are, squares of vectors are transposed in registers. Anything else is gathered, in the first way.

use super::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use super::eval::{Eval, Frame, Points, Values};
use super::lanes::lanes_of;
use super::walk::{Accumulators, axes, walk};
use crate::expr::{Access, Node, NodeId, Reduction};
use crate::geometry::{ceil_div, product};
use crate::spec::{Pack, panel_cols};
use crate::target::Target;

pub fn emit(b: &mut Builder, spec: &Pack, target: &Target) {
    if product(&spec.space()) == 0 && product(&spec.k) != 0 {
        return;
    }
    let lanes = lanes_of(&spec.body, target);
    let group = panel_cols(spec.body.dtype(spec.value)).max(spec.width);
    let packer = Packer { spec, lanes, group, sums: sums(spec) };
    let groups = ceil_div(spec.run(), group);
    let (lo, hi) = (b.lo(), b.hi());
    b.loop_(lo, hi, 1, |b, u| {
        let (outer, g) = b.div_rem(u, groups);
        let tail = spec.run() % group;
        if tail == 0 || groups == 1 {
            return packer.emit(b, outer, g, if tail == 0 { group } else { tail });
        }
        let last = b.test("eq", g, (groups - 1).into());
        let no = |b: &mut Builder| {
            packer.emit(b, outer, g, group);
            Vec::new()
        };
        let yes = |b: &mut Builder| {
            packer.emit(b, outer, g, tail);
            Vec::new()
        };
        b.if_else(last, &[], yes, no);
    });
}

/// The reductions that outputs use: node, kind, argument.
fn sums(spec: &Pack) -> Vec<(NodeId, Reduction, NodeId)> {
    let nodes = spec.body.nodes.iter().enumerate();
    let sums = nodes.filter_map(|(i, n)| match n {
        Node::Reduce { kind, arg } => Some((NodeId(i as u32), *kind, *arg)),
        _ => None,
    });
    sums.collect()
}

struct Packer<'a> {
    spec: &'a Pack,
    lanes: u64,
    /// Columns of a unit: one or several panels, whole cache lines.
    group: u64,
    sums: Vec<(NodeId, Reduction, NodeId)>,
}

/// One unit: where it reads and where its panels begin.
struct Group {
    frame: Frame,
    /// First element of the unit's first panel.
    panels: Ix,
    /// Columns that exist.
    count: u64,
}

impl Packer<'_> {
    fn run_dim(&self) -> usize {
        self.spec.batch.len() + self.spec.rows.len() - 1
    }

    /// Whether outputs move along k: values that are stored as they pass.
    fn moves_along_k(&self, access: &Access) -> bool {
        access.strides[self.run_dim() + 1..].iter().any(|s| *s != 0)
    }

    /// Transposing pays where every leaf is contiguous along k, not all are along the run, and nothing is asked but the panels and
    /// sums of what they hold.
    fn transposes(&self) -> bool {
        let (run, body) = (self.run_dim(), &self.spec.body);
        let leaves = || {
            body.nodes.iter().filter_map(|n| match n {
                Node::Leaf(a) => Some(a),
                _ => None,
            })
        };
        let k = self.spec.space().len() - 1;
        k > run
            && self.spec.k[self.spec.k.len() - 1] > 1
            && leaves().all(|a| a.strides[k] == 0 || a.strides[k] == 1)
            && !leaves().all(|a| a.strides[run] == 0 || a.strides[run] == 1)
            && !body.nodes.iter().any(|n| matches!(n, Node::Gather { .. }))
            && !body.outputs.iter().any(|o| self.moves_along_k(&o.access))
            && self.sums.iter().all(|s| s.2 == self.spec.value)
    }

    /// One unit of `count` columns.
    fn emit(&self, b: &mut Builder, outer: Ix, g: Ix, count: u64) {
        let (spec, run) = (self.spec, self.run_dim());
        let mut index = vec![Ix::ZERO; spec.space().len()];
        let mut rest = outer;
        let lead = [&spec.batch[..], &spec.rows[..spec.rows.len() - 1]].concat();
        for (i, &d) in lead.iter().enumerate().rev() {
            (rest, index[i]) = b.div_rem(rest, d);
        }
        index[run] = b.scale(g, self.group as i64);
        let frame = Frame::new(b, &spec.body, index);
        let panel = (product(&spec.k) * spec.width) as i64;
        let before = b.scale(outer, ceil_div(spec.run(), spec.width) as i64 * panel);
        let within = b.scale(g, (self.group / spec.width) as i64 * panel);
        let group = Group { frame, panels: b.add(before, within), count };
        let sums = self.accumulators(b, count);
        let totals = if self.transposes() { self.by_k(b, &group, &sums) } else { self.by_run(b, &group, &sums) };
        self.outputs(b, &group, &totals);
    }

    /// Vectors that cover `count` columns, with what each holds of them.
    fn vectors(&self, b: &mut Builder, count: u64) -> Vec<Points> {
        let mut points = Vec::new();
        for at in (0..count).step_by(self.lanes as usize) {
            let mask = (at + self.lanes > count).then(|| b.mask(self.lanes, count - at));
            points.push(Points { at: at.into(), mask });
        }
        points
    }

    /// One per vector and reduction.
    fn accumulators(&self, b: &mut Builder, count: u64) -> Accumulators {
        let (mut kinds, mut identities) = (Vec::new(), Vec::new());
        for _ in 0..ceil_div(count, self.lanes) {
            for (id, kind, _) in &self.sums {
                let ty = Ty::vector(ElemKind::value(self.spec.body.dtype(*id)), self.lanes);
                kinds.push(*kind);
                identities.push(b.identity(*kind, ty));
            }
        }
        Accumulators { kinds, identities }
    }

    /// Writes a vector of columns from `column` on, at position `k`, to the panels that exist.
    fn put(&self, b: &mut Builder, group: &Group, v: Val, column: u64, k: Ix) {
        let (width, panel) = (self.spec.width, product(&self.spec.k) * self.spec.width);
        let buf = Buf::arg(self.spec.panels, self.spec.body.dtype(self.spec.value));
        let piece = width.min(self.lanes);
        for from in (0..self.lanes).step_by(piece as usize) {
            let c = column + from;
            if c / width >= ceil_div(group.count, width) {
                return;
            }
            let part = if piece == self.lanes { v } else { b.slice(v, from, piece) };
            let row = b.scale(k, width as i64);
            let at = b.add(group.panels, row);
            b.store(part, buf, at.plus((c / width * panel + c % width) as i64));
        }
    }

    /// Columns of the existing panels that lie wholly beyond the run: zeros.
    fn fill(&self, b: &mut Builder, group: &Group, k: Ix) {
        let covered = ceil_div(group.count, self.lanes) * self.lanes;
        let end = ceil_div(group.count, self.spec.width) * self.spec.width;
        for column in (covered..end).step_by(self.lanes as usize) {
            let ty = Ty::vector(ElemKind::value(self.spec.body.dtype(self.spec.value)), self.lanes);
            let zero = b.float(ty, 0.0);
            self.put(b, group, zero, column, k);
        }
    }

    /// Vectors along the run, one k after the other.
    fn by_run(&self, b: &mut Builder, group: &Group, sums: &Accumulators) -> Vec<Val> {
        let (spec, run) = (self.spec, self.run_dim());
        let eval = Eval { body: &spec.body, dim: run, lanes: self.lanes, aligned: false };
        let vectors = self.vectors(b, group.count);
        let last = spec.k.last().copied().unwrap_or(1);
        let unroll = if spec.body.cost() <= 8 && last % 4 == 0 { 4 } else { 1 };
        let axes = axes(run + 1, &spec.k, unroll);
        let stored: Vec<usize> =
            (0..spec.body.outputs.len()).filter(|&i| self.moves_along_k(&spec.body.outputs[i].access)).collect();
        let mut roots: Vec<NodeId> = self.sums.iter().map(|s| s.2).collect();
        roots.push(spec.value);
        roots.extend(stored.iter().map(|&i| spec.body.outputs[i].node));
        let start = sums.identities.clone();
        walk(b, &spec.body, &group.frame, &axes, sums, start, &mut |b, frame, k, mut acc| {
            for u in 0..unroll {
                let frame = frame.moved(b, &spec.body, spec.space().len() - 1, u.into());
                let k = k.plus(u as i64);
                let mut terms = Vec::new();
                for (i, points) in vectors.iter().enumerate() {
                    let mut values: Values = vec![None; spec.body.nodes.len()];
                    eval.compute(b, &frame, *points, &mut values, &roots);
                    let Some(mut v) = values[spec.value.index()] else { continue };
                    if let Some(mask) = points.mask {
                        let ty = b.ty(v);
                        let zero = b.float(ty, 0.0);
                        v = b.select(mask, v, zero);
                    }
                    self.put(b, group, v, i as u64 * self.lanes, k);
                    for &o in &stored {
                        let output = &spec.body.outputs[o];
                        if let Some(v) = values[output.node.index()] {
                            eval.store(b, output, frame.output(o), *points, v);
                        }
                    }
                    terms.extend(self.sums.iter().filter_map(|s| values[s.2.index()]));
                }
                self.fill(b, group, k);
                acc = sums.join(b, &acc, &terms);
            }
            acc
        })
    }

    /// Vectors along k, transposed in squares.
    fn by_k(&self, b: &mut Builder, group: &Group, sums: &Accumulators) -> Vec<Val> {
        let (spec, run, lanes) = (self.spec, self.run_dim(), self.lanes);
        let k_dim = spec.space().len() - 1;
        let eval = Eval { body: &spec.body, dim: k_dim, lanes, aligned: false };
        let (last, outer) = spec.k.split_last().map_or((1, &[][..]), |(l, o)| (*l, o));
        // The outer dims of k, then squares along the last one, then what is left of it.
        let axes: Vec<_> =
            axes(run + 1, outer, 1).into_iter().map(|a| super::walk::Axis { stride: a.stride * last, ..a }).collect();
        let start = sums.identities.clone();
        let square = |b: &mut Builder, frame: &Frame, k: Ix, at: Ix, depth: u64, mut acc: Vec<Val>| {
            let mut terms: Vec<Vec<Val>> = vec![Vec::new(); depth as usize];
            for column in (0..group.count).step_by(lanes as usize) {
                let mut rows = Vec::new();
                for r in 0..lanes {
                    let ty = Ty::vector(ElemKind::value(spec.body.dtype(spec.value)), lanes);
                    if column + r >= group.count {
                        rows.push(b.float(ty, 0.0));
                        continue;
                    }
                    let frame = frame.moved(b, &spec.body, run, (column + r).into());
                    let mask = (depth < lanes).then(|| b.mask(lanes, depth));
                    let mut values: Values = vec![None; spec.body.nodes.len()];
                    eval.compute(b, &frame, Points { at, mask }, &mut values, &[spec.value]);
                    rows.extend(values[spec.value.index()]);
                }
                let rows = b.transpose(&rows);
                for (d, &v) in rows.iter().enumerate().take(depth as usize) {
                    self.put(b, group, v, column, k.plus(d as i64));
                    terms[d].extend(self.sums.iter().map(|_| v));
                }
            }
            for (d, terms) in terms.iter().enumerate() {
                self.fill(b, group, k.plus(d as i64));
                acc = sums.join(b, &acc, terms);
            }
            acc
        };
        walk(b, &spec.body, &group.frame, &axes, sums, start, &mut |b, frame, k, acc| {
            let whole = last / lanes * lanes;
            let mut acc = b.for_(Ix::ZERO, whole.into(), lanes, &acc, |b, at, acc| {
                let k = b.add(k, at);
                square(b, frame, k, at, lanes, acc.to_vec())
            });
            if whole < last {
                acc = square(b, frame, k.plus(whole as i64), whole.into(), last - whole, acc);
            }
            acc
        })
    }

    /// Outputs that do not move along k, once all of it has passed.
    fn outputs(&self, b: &mut Builder, group: &Group, totals: &[Val]) {
        let body = &self.spec.body;
        let eval = Eval { body, dim: self.run_dim(), lanes: self.lanes, aligned: false };
        let fixed: Vec<usize> =
            (0..body.outputs.len()).filter(|&i| !self.moves_along_k(&body.outputs[i].access)).collect();
        for (v, points) in self.vectors(b, group.count).into_iter().enumerate() {
            let mut values: Values = vec![None; body.nodes.len()];
            for (i, (id, ..)) in self.sums.iter().enumerate() {
                values[id.index()] = Some(totals[v * self.sums.len() + i]);
            }
            for &i in &fixed {
                let o = &body.outputs[i];
                eval.compute(b, &group.frame, points, &mut values, &[o.node]);
                if let Some(value) = values[o.node.index()] {
                    eval.store(b, o, group.frame.output(i), points, value);
                }
            }
        }
    }
}
