//! Row kernels. Per row: the values that do not vary along it, then one loop over the columns per pass (see [`crate::fused`]), each
//! followed by the values that its reductions make known.

use super::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use super::eval::{Eval, Frame, Points, Values};
use super::lanes::lanes_of;
use super::{turned, windowed};
use crate::expr::{Body, Node, NodeId, Reduction};
use crate::fused::{FusedGrid, Passes, lying_across};
use crate::geometry::{product, round_up};
use crate::spec::Fused;
use crate::target::Target;
use crate::windowed::{Outside, Windowed};

pub fn emit(b: &mut Builder, spec: &Fused, target: &Target) {
    if product(&spec.shape) == 0 && !spec.body.has_reduce() {
        return;
    }
    let row = Row::new(spec, target);
    let grid = FusedGrid::of(spec);
    let (lo, hi) = (b.lo(), b.hi());
    if grid.col_units() > 1 {
        if grid.rows == 1 {
            let (from, to) = (b.scale(lo, grid.col_block as i64), b.scale(hi, grid.col_block as i64));
            let to = b.min(to, grid.cols.into());
            return row.emit(b, Ix::ZERO, from, to);
        }
        return b.loop_(lo, hi, 1, |b, u| {
            let (r, c) = b.div_rem(u, grid.col_units());
            let from = b.scale(c, grid.col_block as i64);
            let to = b.min(from.plus(grid.col_block as i64), grid.cols.into());
            row.emit(b, r, from, to);
        });
    }
    let cols = grid.cols.into();
    if grid.rows == 1 {
        // One row is one unit, but the range may be empty.
        return b.loop_(lo, hi, 1, |b, _| row.emit(b, Ix::ZERO, Ix::ZERO, cols));
    }
    let (from, to) = (b.scale(lo, grid.row_block as i64), b.scale(hi, grid.row_block as i64));
    let to = b.min(to, grid.rows.into());
    match Windowed::of(&spec.body, &spec.shape) {
        Some(windowed) => in_windows(b, &row, &windowed, target, [from, to]),
        None if !lying_across(spec).is_empty() => {
            turned::emit(b, spec, row.lanes, [from, to], &|b, r, from, to| row.emit(b, r, from, to));
        }
        None => b.loop_(from, to, 1, |b, r| row.emit(b, r, Ix::ZERO, cols)),
    }
}

/// The rows `from..to`, of which those outside of the windows have less to do, or nothing.
fn in_windows(b: &mut Builder, row: &Row<'_>, windowed: &Windowed, target: &Target, range: [Ix; 2]) {
    let (spec, cols) = (row.spec, Ix::from(row.cols));
    let there = match &windowed.outside {
        Outside::Kept(pairs) => {
            let mut all = None;
            for (i, leaf) in pairs {
                let buf = |at: u32| Buf::arg(at, spec.body.buffers[at as usize]);
                let one = windowed::same(b, buf(spec.body.outputs[*i].access.buffer), buf(leaf.buffer));
                all = Some(all.map_or(one, |other| b.binary("andi", other, one)));
            }
            all
        }
        Outside::Other(_) => None,
    };
    let mut spans = Vec::new();
    for w in &windowed.windows {
        let size = spec.shape[w.dim];
        let span = windowed::span(b, &spec.body, w, [spec.shape.len() as u64, size], row.lanes);
        spans.push((w.dim, there.map_or(span, |there| windowed::span_if(b, there, span, size))));
    }
    let dims = &spec.shape[..spec.shape.len() - 1];
    let mut inside = |b: &mut Builder, r: Ix| row.emit(b, r, Ix::ZERO, cols);
    match &windowed.outside {
        Outside::Kept(_) => windowed::rows(b, dims, &spans, range, &mut inside, None),
        Outside::Other(body) => {
            let other = Fused { shape: spec.shape.clone(), body: body.clone() };
            let other = Row::new(&other, target);
            let mut outside = |b: &mut Builder, r: Ix| other.emit(b, r, Ix::ZERO, cols);
            windowed::rows(b, dims, &spans, range, &mut inside, Some(&mut outside));
        }
    }
}

/// How one row is computed.
struct Row<'a> {
    spec: &'a Fused,
    body: &'a Body,
    eval: Eval<'a>,
    passes: Passes,
    lanes: u64,
    cols: u64,
}

/// A reduction under way: its node, what it reduces, and its accumulators, taken in turn by successive vectors.
struct Reduced {
    id: NodeId,
    arg: NodeId,
    kind: Reduction,
}

/// What happens to one vector of a pass: its place, its turn among unrolled vectors, the carried values.
type Step<'s> = &'s mut dyn FnMut(&mut Builder, Points, u64, &mut Vec<Val>);

impl<'a> Row<'a> {
    fn new(spec: &'a Fused, target: &Target) -> Row<'a> {
        let (body, dim) = (&spec.body, spec.shape.len() - 1);
        let lanes = lanes_of(body, target);
        let eval = Eval { body, dim, lanes, aligned: false };
        Row { spec, body, eval, passes: Passes::of(body, dim), lanes, cols: spec.cols() }
    }

    /// Columns `from..to` of a row; everything, if there are reductions.
    fn emit(&self, b: &mut Builder, row: Ix, from: Ix, to: Ix) {
        let mut index = Vec::new();
        let mut rest = row;
        for &d in self.spec.shape[..self.eval.dim].iter().rev() {
            // The first dim needs no remainder: the row number is in range.
            let (q, r) = if index.len() + 1 == self.eval.dim { (Ix::ZERO, rest) } else { b.div_rem(rest, d) };
            index.push(r);
            rest = q;
        }
        index.reverse();
        index.push(Ix::ZERO);
        let frame = Frame::new(b, self.body, index);
        let mut known: Values = vec![None; self.body.nodes.len()];
        self.row_values(b, &frame, &mut known, 0);
        for p in 0..self.passes.reducing {
            self.reduce(b, &frame, &mut known, p);
            self.row_values(b, &frame, &mut known, p + 1);
        }
        self.store_columns(b, &frame, &known, from, to);
        for (i, o) in self.body.outputs.iter().enumerate() {
            if o.access.strides[self.eval.dim] == 0
                && !self.passes.varies[o.node.index()]
                && let Some(v) = known[o.node.index()]
            {
                self.eval.store(b, o, frame.output(i), Points { at: Ix::ZERO, mask: None }, v);
            }
        }
    }

    /// Everything that does not vary along the row and is known after `level` passes.
    fn row_values(&self, b: &mut Builder, frame: &Frame, known: &mut Values, level: u32) {
        let ids = (0..self.body.nodes.len() as u32).map(NodeId);
        let fixed: Vec<NodeId> =
            ids.filter(|id| !self.passes.varies[id.index()] && self.passes.level[id.index()] == level).collect();
        self.eval.compute(b, frame, Points { at: Ix::ZERO, mask: None }, known, &fixed);
    }

    /// Vectors per iteration of a loop: short loops are unrolled, for several accumulators and less counting.
    fn unroll(&self, roots: &[NodeId]) -> u64 {
        let mut seen = vec![false; self.body.nodes.len()];
        let (mut work, mut cost) = (roots.to_vec(), 0);
        while let Some(id) = work.pop() {
            if !self.passes.varies[id.index()] || std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            cost += if let Node::Elem { op, .. } = &self.body.nodes[id.index()] { op.cost() } else { 1 };
            work.extend_from_slice(self.body.args(id));
        }
        match cost {
            0..=24 => 4,
            25..=60 => 2,
            _ => 1,
        }
    }

    /// One loop over columns `from..to`: whole groups of `unroll` vectors, then single vectors, then a masked one. `from` is a
    /// multiple of the group; `to` is either, or the end of the row. `step` gets a vector's place and the carried values.
    fn columns(
        &self,
        b: &mut Builder,
        [from, to]: [Ix; 2],
        unroll: u64,
        carried: Vec<Val>,
        step: Step<'_>,
    ) -> Vec<Val> {
        let (lanes, group) = (self.lanes, self.lanes * unroll);
        let whole = self.cols / group * group;
        let end = b.min(to, whole.into());
        let mut carried = b.for_(from, end, group, &carried, |b, c, carried| {
            let mut carried = carried.to_vec();
            for u in 0..unroll {
                step(b, Points { at: c.plus((u * lanes) as i64), mask: None }, u, &mut carried);
            }
            carried
        });
        if whole == self.cols {
            return carried;
        }
        let mut rest = |b: &mut Builder, carried: &mut Vec<Val>| {
            for (u, c) in (whole..self.cols).step_by(lanes as usize).enumerate() {
                let mask = (c + lanes > self.cols).then(|| b.mask(lanes, self.cols - c));
                step(b, Points { at: c.into(), mask }, u as u64, carried);
            }
        };
        if to.known().is_some() {
            rest(b, &mut carried);
        } else {
            // Ranges of columns carry nothing: they are taken only where nothing is reduced.
            let last = b.test("eq", to, self.cols.into());
            b.if_(last, |b| rest(b, &mut Vec::new()));
        }
        carried
    }

    /// Loads kept values that `p` needs and computes the rest; keeps what `p` is to keep.
    fn compute(
        &self,
        b: &mut Builder,
        frame: &Frame,
        known: &Values,
        points: Points,
        p: u32,
        roots: &[NodeId],
    ) -> Values {
        let mut values = known.clone();
        let mut mine = Vec::new();
        for (slot, &(id, pass)) in self.passes.kept.iter().enumerate() {
            if pass < p && self.reaches(roots, id, p) {
                let (buf, at) = self.kept(b, slot, points.at);
                values[id.index()] = Some(b.load(buf, at, self.lanes));
            } else if pass == p {
                mine.push((slot, id));
            }
        }
        self.eval.compute(b, frame, points, &mut values, roots);
        for (slot, id) in mine {
            if let Some(v) = values[id.index()] {
                let (buf, at) = self.kept(b, slot, points.at);
                b.store(v, buf, at);
            }
        }
        values
    }

    /// Whether `roots` use `id` other than through something that is itself kept.
    fn reaches(&self, roots: &[NodeId], id: NodeId, p: u32) -> bool {
        let mut seen = vec![false; self.body.nodes.len()];
        let mut work = roots.to_vec();
        while let Some(n) = work.pop() {
            if n == id {
                return true;
            }
            let stop = !self.passes.varies[n.index()] || self.passes.kept.iter().any(|&(k, q)| k == n && q < p);
            if !stop && !std::mem::replace(&mut seen[n.index()], true) {
                work.extend_from_slice(self.body.args(n));
            }
        }
        false
    }

    /// Where a kept row lies in scratch. All kept values of a kernel have one dtype.
    fn kept(&self, b: &mut Builder, slot: usize, at: Ix) -> (Buf, Ix) {
        let dtype = self.body.dtype(self.passes.kept[slot].0);
        let buf = b.scratch(ElemKind::memory(dtype));
        let row = round_up(self.cols, 64 / dtype.bytes());
        (buf, at.plus((slot as u64 * row) as i64))
    }

    fn reduce(&self, b: &mut Builder, frame: &Frame, known: &mut Values, p: u32) {
        let reductions: Vec<Reduced> = (0..self.body.nodes.len() as u32)
            .map(NodeId)
            .filter(|id| self.passes.level[id.index()] == p + 1)
            .filter_map(|id| match self.body.nodes[id.index()] {
                Node::Reduce { kind, arg } => Some(Reduced { id, arg, kind }),
                _ => None,
            })
            .collect();
        let roots: Vec<NodeId> = reductions.iter().map(|r| r.arg).collect();
        // Many accumulators spill.
        let unroll = self.unroll(&roots).min((12 / reductions.len().max(1) as u64).max(1));
        let unroll = if unroll == 3 { 2 } else { unroll };
        let mut start = Vec::new();
        for r in &reductions {
            let ty = Ty::vector(ElemKind::value(self.body.dtype(r.id)), self.lanes);
            let identity = b.identity(r.kind, ty);
            start.extend(std::iter::repeat_n(identity, unroll as usize));
        }
        let ends = [Ix::ZERO, Ix::from(self.cols)];
        let sums = self.columns(b, ends, unroll, start, &mut |b, points, u, carried| {
            let values = self.compute(b, frame, known, points, p, &roots);
            for (i, r) in reductions.iter().enumerate() {
                let Some(mut v) = values[r.arg.index()] else { continue };
                if let Some(mask) = points.mask {
                    let ty = b.ty(v);
                    let nothing = b.identity(r.kind, ty);
                    v = b.select(mask, v, nothing);
                }
                let acc = &mut carried[i * unroll as usize + (u % unroll) as usize];
                *acc = b.combine(r.kind, *acc, v);
            }
        });
        for (i, r) in reductions.iter().enumerate() {
            let mut parts = sums[i * unroll as usize..(i + 1) * unroll as usize].to_vec();
            while parts.len() > 1 {
                parts =
                    parts.chunks(2).map(|c| if c.len() == 2 { b.combine(r.kind, c[0], c[1]) } else { c[0] }).collect();
            }
            let total = b.across(r.kind, parts[0]);
            known[r.id.index()] = Some(b.broadcast(total, self.lanes));
        }
    }

    /// The outputs that move along the row.
    fn store_columns(&self, b: &mut Builder, frame: &Frame, known: &Values, from: Ix, to: Ix) {
        let dim = self.eval.dim;
        let along = |i: &usize| {
            let o = &self.body.outputs[*i];
            o.access.strides[dim] != 0 || self.passes.varies[o.node.index()]
        };
        let outputs: Vec<usize> = (0..self.body.outputs.len()).filter(along).collect();
        if outputs.is_empty() {
            return;
        }
        let roots: Vec<NodeId> = outputs.iter().map(|&i| self.body.outputs[i].node).collect();
        let p = self.passes.reducing;
        self.columns(b, [from, to], self.unroll(&roots), Vec::new(), &mut |b, points, _, _| {
            // All loads of a vector before its stores: an output may lie over a leaf.
            let values = self.compute(b, frame, known, points, p, &roots);
            for &i in &outputs {
                let o = &self.body.outputs[i];
                if let Some(v) = values[o.node.index()] {
                    self.eval.store(b, o, frame.output(i), points, v);
                }
            }
        });
    }
}
