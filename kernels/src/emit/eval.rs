//! Evaluates a body at a vector of points: neighbours along one dim of the space, a register wide, possibly masked at the end.

use super::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use super::{elem, tanh};
use crate::expr::{Access, Body, DType, Elem, Node, NodeId, Output, constant_as_f64};

/// A body, and the dim along which it is vectorised.
pub struct Eval<'a> {
    pub body: &'a Body,
    pub dim: usize,
    pub lanes: u64,
    /// Whether whole vectors lie at multiples of their size, as the lanes of GPUs' templates are chosen.
    pub aligned: bool,
}

/// A place in the space, up to the vectorised dim: the address of every access there.
pub struct Frame {
    index: Vec<Ix>,
    nodes: Vec<Ix>,
    outputs: Vec<Ix>,
}

/// Neighbouring points: the first's index along the vectorised dim, and which of them count (all, if there is no mask).
#[derive(Clone, Copy)]
pub struct Points {
    pub at: Ix,
    pub mask: Option<Val>,
}

/// Values known so far, per node.
pub type Values = Vec<Option<Val>>;

/// The address of an access at a full index of the space.
pub fn address(b: &mut Builder, access: &Access, index: &[Ix]) -> Ix {
    let mut at = Ix::from(access.offset);
    if let Some(start) = access.start {
        let dim = b.dim(start.dim);
        let part = b.scale(dim, start.stride);
        at = b.add(at, part);
    }
    for (&stride, &i) in access.strides.iter().zip(index) {
        let part = b.scale(i, stride);
        at = b.add(at, part);
    }
    at
}

impl Frame {
    /// `index` has an entry for every dim; that of the vectorised one is the origin of [`Points::at`], as a rule 0.
    pub fn new(b: &mut Builder, body: &Body, index: Vec<Ix>) -> Frame {
        let mut nodes = Vec::with_capacity(body.nodes.len());
        for n in &body.nodes {
            nodes.push(match n {
                Node::Leaf(a) | Node::Gather { access: a, .. } => address(b, a, &index),
                _ => Ix::ZERO,
            });
        }
        let outputs = body.outputs.iter().map(|o| address(b, &o.access, &index)).collect();
        Frame { index, nodes, outputs }
    }

    /// The frame `by` steps further along `dim`.
    pub fn moved(&self, b: &mut Builder, body: &Body, dim: usize, by: Ix) -> Frame {
        let mut index = self.index.clone();
        index[dim] = b.add(index[dim], by);
        let mut shift = |at: Ix, a: &Access| {
            let part = b.scale(by, a.strides[dim]);
            b.add(at, part)
        };
        let nodes = body.nodes.iter().zip(&self.nodes);
        let nodes = nodes.map(|(n, &at)| match n {
            Node::Leaf(a) | Node::Gather { access: a, .. } => shift(at, a),
            _ => at,
        });
        let nodes = nodes.collect();
        let outputs = body.outputs.iter().zip(&self.outputs).map(|(o, &at)| shift(at, &o.access)).collect();
        Frame { index, nodes, outputs }
    }

    pub fn output(&self, i: usize) -> Ix {
        self.outputs[i]
    }

    pub fn node(&self, id: NodeId) -> Ix {
        self.nodes[id.index()]
    }
}

impl Eval<'_> {
    fn ty(&self, dtype: DType) -> Ty {
        Ty::vector(ElemKind::value(dtype), self.lanes)
    }

    /// Computes `roots` and what they need, as far as `values` does not have it yet.
    pub fn compute(&self, b: &mut Builder, frame: &Frame, points: Points, values: &mut Values, roots: &[NodeId]) {
        let mut need = vec![false; self.body.nodes.len()];
        let mut work = roots.to_vec();
        while let Some(id) = work.pop() {
            if values[id.index()].is_none() && !std::mem::replace(&mut need[id.index()], true) {
                work.extend_from_slice(self.body.args(id));
            }
        }
        for i in (0..need.len()).filter(|&i| need[i]) {
            values[i] = Some(self.node(b, frame, points, values, NodeId(i as u32)));
        }
    }

    fn node(&self, b: &mut Builder, frame: &Frame, points: Points, values: &Values, id: NodeId) -> Val {
        let value = |a: &NodeId| values[a.index()].unwrap_or_else(|| unreachable!("arguments come first"));
        match &self.body.nodes[id.index()] {
            Node::Leaf(a) => self.load(b, a, frame.node(id), points),
            Node::Gather { index, .. } => self.gather(b, id, frame.node(id), points, value(index)),
            Node::Const { dtype, bits } if dtype.is_float() => b.number(self.ty(*dtype), f64::from_bits(*bits)),
            Node::Const { dtype, bits } => b.int(self.ty(*dtype), *bits as i64),
            Node::Iota { dim } if *dim as usize == self.dim => {
                let origin = b.add(frame.index[self.dim], points.at);
                let start = self.index_value(b, origin);
                let steps = b.steps(ElemKind::I32, self.lanes, 1);
                b.binary("addi", start, steps)
            }
            Node::Iota { dim } => self.index_value(b, frame.index[*dim as usize]),
            Node::Dim { dim } => {
                let d = b.dim(*dim);
                self.index_value(b, d)
            }
            Node::Elem { op, dtype, args } => {
                let power_of = match (op, args.get(1).map(|a| &self.body.nodes[a.index()])) {
                    (Elem::Power, Some(Node::Const { dtype, bits })) => Some(constant_as_f64(*dtype, *bits)),
                    _ => None,
                };
                let args: Vec<Val> = args.iter().map(value).collect();
                if *op == Elem::Tanh && *dtype == DType::F32 && b.is_for_device() && tanh::is_beside_one(self.body, id)
                {
                    return tanh::emit(b, args[0]);
                }
                elem::emit(b, *op, *dtype, &args, power_of)
            }
            // The kernel puts these into `values`. Their identity is a harmless value of the right type where it did not.
            Node::Reduce { .. } | Node::Acc => b.number(self.ty(self.body.dtype(id)), 0.0),
        }
    }

    /// An index in every lane, as i32.
    fn index_value(&self, b: &mut Builder, at: Ix) -> Val {
        if let Some(k) = at.known() {
            return b.int(Ty::vector(ElemKind::I32, self.lanes), k);
        }
        let at = b.ix(at);
        let narrow = b.cast("index_cast", at, ElemKind::I32);
        b.broadcast(narrow, self.lanes)
    }

    fn every(&self, b: &mut Builder, points: Points) -> Val {
        points.mask.unwrap_or_else(|| b.mask(self.lanes, self.lanes))
    }

    fn whole(&self, b: &mut Builder, buf: Buf, at: Ix) -> Val {
        if self.aligned { b.load_aligned(buf, at, self.lanes) } else { b.load(buf, at, self.lanes) }
    }

    /// Lane offsets of a strided vector.
    fn steps(&self, b: &mut Builder, stride: i64) -> Val {
        let wide = stride.unsigned_abs() * self.lanes > i32::MAX as u64;
        b.steps(if wide { ElemKind::Index } else { ElemKind::I32 }, self.lanes, stride)
    }

    /// The elements of an access at `points`, from the address `base` of its frame.
    pub fn load(&self, b: &mut Builder, access: &Access, base: Ix, points: Points) -> Val {
        let dtype = self.body.buffers[access.buffer as usize];
        let (buf, stride) = (Buf::arg(access.buffer, dtype), access.strides[self.dim]);
        let part = b.scale(points.at, stride);
        let at = b.add(base, part);
        let raw = match (stride, points.mask) {
            (0, _) => b.splat(buf, at, self.lanes),
            (1, None) => self.whole(b, buf, at),
            (1, Some(mask)) => b.masked_load(buf, at, mask),
            _ => {
                let (steps, mask) = (self.steps(b, stride), self.every(b, points));
                b.gather(buf, at, steps, mask)
            }
        };
        elem::convert(b, raw, ElemKind::value(dtype))
    }

    /// The elements of a [`Node::Leaf`] at a frame's place.
    pub fn leaf(&self, b: &mut Builder, frame: &Frame, id: NodeId) -> Val {
        self.node(b, frame, Points { at: Ix::ZERO, mask: None }, &Vec::new(), id)
    }

    /// The type of a node's values.
    pub fn leaf_ty(&self, id: NodeId) -> Ty {
        self.ty(self.body.dtype(id))
    }

    /// `id` is a [`Node::Gather`], `index` the value of its row number.
    fn gather(&self, b: &mut Builder, id: NodeId, base: Ix, points: Points, index: Val) -> Val {
        let Node::Gather { access, index: index_node, stride: row_stride, rows } = &self.body.nodes[id.index()] else {
            return index;
        };
        let dtype = self.body.buffers[access.buffer as usize];
        let (buf, stride) = (Buf::arg(access.buffer, dtype), access.strides[self.dim]);
        // One unsigned comparison tests both ends.
        let ty = b.ty(index);
        let limit = b.int(ty, (*rows).min(i32::MAX as u64) as i64);
        let inside = b.compare("ult", index, limit);
        let zero = b.int(ty, 0);
        let row = b.select(inside, index, zero);
        let part = b.scale(points.at, stride);
        let at = b.add(base, part);
        // Where all lanes name the same row, it can be loaded at once.
        let raw = if (stride == 0 || stride == 1) && !self.varies(*index_node) {
            let first = b.extract(row, 0);
            let first = b.cast("index_cast", first, ElemKind::Index);
            let part = b.scale(first.into(), *row_stride);
            let at = b.add(at, part);
            match (stride, points.mask) {
                (0, _) => b.splat(buf, at, self.lanes),
                (_, None) => self.whole(b, buf, at),
                (_, Some(mask)) => b.masked_load(buf, at, mask),
            }
        } else {
            let row = b.cast("index_cast", row, ElemKind::Index);
            let scale = b.int(Ty::vector(ElemKind::Index, self.lanes), *row_stride);
            let (rows, steps) = (b.binary("muli", row, scale), b.steps(ElemKind::Index, self.lanes, stride));
            let offsets = b.binary("addi", rows, steps);
            let mask = self.every(b, points);
            b.gather(buf, at, offsets, mask)
        };
        let value = elem::convert(b, raw, ElemKind::value(dtype));
        let nothing = b.number(self.ty(dtype), dtype.nothing());
        b.select(inside, value, nothing)
    }

    /// Whether a value differs between the lanes.
    pub fn varies(&self, root: NodeId) -> bool {
        let mut seen = vec![false; self.body.nodes.len()];
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            let moves = match &self.body.nodes[id.index()] {
                Node::Leaf(a) | Node::Gather { access: a, .. } => a.strides[self.dim] != 0,
                Node::Iota { dim } => *dim as usize == self.dim,
                Node::Acc => true,
                _ => false,
            };
            if moves {
                return true;
            }
            if !matches!(self.body.nodes[id.index()], Node::Reduce { .. }) {
                work.extend_from_slice(self.body.args(id));
            }
        }
        false
    }

    /// Stores a value at the points of an output.
    pub fn store(&self, b: &mut Builder, output: &Output, base: Ix, points: Points, value: Val) {
        let access = &output.access;
        let dtype = self.body.buffers[access.buffer as usize];
        let (buf, stride) = (Buf::arg(access.buffer, dtype), access.strides[self.dim]);
        let value = elem::convert(b, value, ElemKind::memory(dtype));
        let part = b.scale(points.at, stride);
        let at = b.add(base, part);
        match (stride, points.mask) {
            (0, _) => {
                let first = b.extract(value, 0);
                b.store(first, buf, at);
            }
            (1, None) if self.aligned => b.store_aligned(value, buf, at),
            (1, None) => b.store(value, buf, at),
            (1, Some(mask)) => b.masked_store(value, buf, at, mask),
            _ => {
                let (steps, mask) = (self.steps(b, stride), self.every(b, points));
                b.scatter(value, buf, at, steps, mask);
            }
        }
    }
}
