//! Expansion of values into the body of one kernel.
//!
//! A kernel computes its roots at every point of an index space. [`Expander::value`] writes the expression of a value
//! at one such point. The value's coordinates are affine functions of the point. A view changes the coordinates, an
//! elementwise op becomes a node, and a value that has memory becomes a leaf. If a value cannot be computed in place,
//! the expansion stops and names the value that has to get memory ([`Stop`]). [`crate::fuse`] then gives it memory and
//! tries again.

use crate::scalar;
use crate::view::{Home, View};
use meshloom_bundle::program::{ALIGN, Dim};
use meshloom_ir::table::elem::{Elem as Row, Upper};
use meshloom_ir::{At, Class, DType, Func, Op, OpId, TensorType, ValueId};
use meshloom_kernels::{self as k, Access, Body, Elem, Node, NodeId};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A coordinate: `offset + sum(coeffs * index)` over the kernel's space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Affine {
    pub coeffs: SmallVec<[i64; 4]>,
    pub offset: i64,
}

/// The coordinates of a value, one per dim.
pub type CoordinateMap = Vec<Affine>;

impl Affine {
    pub fn zero(space: usize) -> Affine {
        Affine { coeffs: smallvec![0; space], offset: 0 }
    }

    pub fn dim(space: usize, d: usize) -> Affine {
        let mut a = Affine::zero(space);
        a.coeffs[d] = 1;
        a
    }

    fn plus(&self, other: &Affine, times: i64) -> Affine {
        let coeffs = self.coeffs.iter().zip(&other.coeffs).map(|(a, b)| a + b * times).collect();
        Affine { coeffs, offset: self.offset + other.offset * times }
    }

    fn shifted(&self, by: i64) -> Affine {
        Affine { coeffs: self.coeffs.clone(), offset: self.offset + by }
    }

    fn scaled(&self, by: i64) -> Affine {
        Affine { coeffs: self.coeffs.iter().map(|c| c * by).collect(), offset: self.offset * by }
    }

    /// The coordinate of an operand, from those of the result.
    fn of(at: &At, map: &[Affine], space: usize) -> Affine {
        let start = Affine { offset: at.offset, ..Affine::zero(space) };
        at.terms.iter().fold(start, |sum, &(d, k)| sum.plus(&map[d], k))
    }
}

/// Why an expansion stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// This value has to get memory.
    Materialize(ValueId),
    /// No kernel can compute this.
    Fail(String),
}

/// Limits of a body. An expansion that reaches one stops: registers are few, and the depth of recursion must not depend
/// on the program.
const MAX_DEPTH: usize = 96;
const MAX_NODES: usize = 320;

/// A buffer argument of the kernel being built.
#[derive(Clone, PartialEq, Debug)]
pub struct BufferArg {
    pub home: Home,
    /// Bytes from the home's start, a multiple of [`ALIGN`].
    pub offset: u64,
    pub dtype: DType,
}

/// Views of the values that have memory.
pub type ViewOf<'a> = dyn Fn(ValueId) -> Option<View> + 'a;

pub struct Expander<'a> {
    pub func: &'a Func,
    pub view_of: &'a ViewOf<'a>,
    /// Values that have memory but are computed by this kernel.
    pub members: &'a BTreeSet<ValueId>,
    /// Values that are rounded to their type where they are computed: see [`crate::rounding`].
    pub rounded: &'a BTreeSet<ValueId>,
    pub space: Vec<u64>,
    /// Whether reductions along the last dim of the space may be computed.
    pub reduces: bool,
    /// The value that is a matmul's accumulator, and its coordinates.
    pub acc: Option<(ValueId, CoordinateMap)>,
    pub body: Body,
    pub args: Vec<BufferArg>,
    pub dims: Vec<Dim>,
    /// Values with memory that the body reads.
    pub reads: BTreeSet<ValueId>,
    /// The coordinates at which values were asked for. Other fields name them by their place in this list.
    maps: Vec<Rc<CoordinateMap>>,
    memo: FxHashMap<(ValueId, usize), NodeId>,
    depth: usize,
}

impl<'a> Expander<'a> {
    pub fn new(
        func: &'a Func,
        view_of: &'a ViewOf<'a>,
        members: &'a BTreeSet<ValueId>,
        rounded: &'a BTreeSet<ValueId>,
        space: &[u64],
    ) -> Expander<'a> {
        Expander {
            func,
            view_of,
            members,
            rounded,
            space: space.to_vec(),
            reduces: false,
            acc: None,
            body: Body::default(),
            args: Vec::new(),
            dims: Vec::new(),
            reads: BTreeSet::new(),
            maps: Vec::new(),
            memo: FxHashMap::default(),
            depth: 0,
        }
    }

    /// Coordinates that are the first `rank` indices of the space.
    pub fn leading(&self, rank: usize) -> CoordinateMap {
        (0..rank).map(|d| Affine::dim(self.space.len(), d)).collect()
    }

    /// The number of a buffer argument, which is added if it is new.
    pub fn buffer(&mut self, home: Home, offset: u64, dtype: DType) -> Result<u32, Stop> {
        let arg = BufferArg { home, offset, dtype };
        if let Some(i) = self.args.iter().position(|a| *a == arg) {
            return Ok(i as u32);
        }
        self.args.push(arg);
        Ok(self.body.buffer(dtype))
    }

    /// The number of a launch dim, which is added if it is new.
    pub fn launch_dim(&mut self, dim: Dim) -> u32 {
        if let Some(i) = self.dims.iter().position(|d| *d == dim) {
            return i as u32;
        }
        self.dims.push(dim);
        (self.dims.len() - 1) as u32
    }

    /// How a body reads or writes a view at given coordinates.
    pub fn access(&mut self, view: &View, map: &CoordinateMap, ty: &TensorType) -> Result<Access, Stop> {
        let mut at = Affine::zero(self.space.len());
        at.offset = view.offset;
        for (a, &s) in map.iter().zip(&view.strides) {
            at = at.plus(a, s);
        }
        let bytes = at.offset as u64 * ty.dtype.bytes();
        let base = bytes / ALIGN * ALIGN;
        let buffer = self.buffer(view.home, base, ty.dtype)?;
        let mut access = Access::new(buffer, &at.coeffs).at(((bytes - base) / ty.dtype.bytes()) as i64);
        if let Some(s) = &view.shard {
            let axes = s.axes.iter().map(|a| u32::from(a.0)).collect();
            let dim = self.launch_dim(Dim::ShardStart { axes, block: s.elements });
            access = access.from_dim(dim, 1);
        }
        Ok(access)
    }

    fn leaf(&mut self, view: &View, map: &CoordinateMap, ty: &TensorType) -> Result<NodeId, Stop> {
        let access = self.access(view, map, ty)?;
        let n = self.body.leaf(access);
        Ok(self.computed_in(n))
    }

    /// A value converted to the type that kernels compute its own type in.
    fn computed_in(&mut self, n: NodeId) -> NodeId {
        let dtype = self.body.dtype(n).computed();
        self.body.convert(n, dtype)
    }

    /// A value as if it had been stored in memory of `dtype`: floats are rounded, integers wrap.
    fn as_stored(&mut self, n: NodeId, dtype: DType) -> Result<NodeId, Stop> {
        let n = self.body.convert(n, dtype);
        Ok(self.computed_in(n))
    }

    /// Stores a value. 16-bit floats are rounded here.
    pub fn output(&mut self, n: NodeId, access: Access) {
        let n = self.body.convert(n, self.body.buffers[access.buffer as usize]);
        self.body.output(n, access);
    }

    /// The node of value `v` at coordinates `map`, in the type that kernels compute it in. Chains of bf16 ops are
    /// computed in f32, and rounded where they are stored or converted. Values on which a decision depends are rounded
    /// after every op ([`crate::rounding`]), and all are where the caller asks for it. Integers wrap after every op.
    ///
    /// # Errors
    /// Which value has to get memory first, or that no kernel can compute this one.
    pub fn value(&mut self, v: ValueId, map: &CoordinateMap) -> Result<NodeId, Stop> {
        let at = self.maps.iter().position(|m| **m == *map).unwrap_or_else(|| {
            self.maps.push(Rc::new(map.clone()));
            self.maps.len() - 1
        });
        self.value_at(v, at)
    }

    /// As [`Expander::value`], with the number of the coordinates.
    fn value_at(&mut self, v: ValueId, at: usize) -> Result<NodeId, Stop> {
        if let Some(&n) = self.memo.get(&(v, at)) {
            return Ok(n);
        }
        let map = &*Rc::clone(&self.maps[at]);
        if let Some((acc, of)) = &self.acc
            && *acc == v
        {
            if of != map {
                return Err(Stop::Materialize(v));
            }
            let n = self.body.node(Node::Acc);
            let dtype = self.func.ty(v).dtype;
            return if self.rounded.contains(&v) || !dtype.is_float() { self.as_stored(n, dtype) } else { Ok(n) };
        }
        if !self.members.contains(&v)
            && let Some((view, base)) = resolve(self.func, v, self.view_of, Some(self.members))
        {
            self.reads.insert(base);
            let n = self.leaf(&view, map, self.func.ty(v))?;
            self.memo.insert((v, at), n);
            return Ok(n);
        }
        if self.depth >= MAX_DEPTH || self.body.nodes.len() >= MAX_NODES {
            return Err(Stop::Materialize(v));
        }
        self.depth += 1;
        let n = self.computed(v, map, at);
        self.depth -= 1;
        let n = self.exact(v, n?)?;
        self.memo.insert((v, at), n);
        Ok(n)
    }

    /// Rounds a value that was just computed, if a decision depends on it.
    fn exact(&mut self, v: ValueId, n: NodeId) -> Result<NodeId, Stop> {
        let op = self.func.def_op(v).map(|o| &self.func.op(o).op);
        let computes = op.is_some_and(|op| matches!(op, Op::Elem(_) | Op::Reduce { .. }) && !op.keeps_rounded());
        if computes && self.rounded.contains(&v) { self.as_stored(n, self.func.ty(v).dtype) } else { Ok(n) }
    }

    fn computed(&mut self, v: ValueId, map: &CoordinateMap, same: usize) -> Result<NodeId, Stop> {
        let Some(op_id) = self.func.def_op(v) else { return Err(Stop::Materialize(v)) };
        let data = self.func.op(op_id);
        let func = self.func;
        let ty = func.ty(v);
        let dtype = ty.dtype.computed();
        let x = data.operands.first().copied();
        let shape_of = |i: usize| &func.ty(data.operands[i]).shape;
        match (&data.op, x) {
            (Op::Constant { value: meshloom_ir::Literal::Splat(s), .. }, _) => Ok(match ty.dtype.is_float() {
                true => self.body.constant(dtype, meshloom_ir::tensor::round(ty.dtype, s.as_f64())),
                false => self.body.integer(dtype, meshloom_ir::tensor::wrap(ty.dtype, s.as_i64())),
            }),
            (Op::Iota { dim, shard, shape, .. }, _) => {
                let i = self.global_index(&map[*dim], shard, shape[*dim]);
                self.as_stored(i, ty.dtype)
            }
            (Op::RandomBits { total, shard, shape }, Some(key)) => {
                self.random_bits(key, [&total[..], &shape[..]], shard, map)
            }
            (Op::Elem(e), _) => self.elementwise(*e, &data.operands, ty, same),
            (Op::Convert { to }, Some(x)) => {
                let n = self.value_at(x, same)?;
                self.as_stored(n, *to)
            }
            (&Op::Reverse { dim }, Some(x)) => self.reversed(x, dim, map),
            (Op::Reshape { .. }, Some(x)) => match reshape_map(shape_of(0), &ty.shape, map, self.space.len()) {
                Some(inner) => self.value(x, &inner),
                // If `x` is stored already, in an order of dims that no strides can reshape, the result is a copy.
                None if self.func.def_op(x).is_some() && (self.view_of)(x).is_some() => Err(Stop::Materialize(v)),
                None => Err(Stop::Materialize(x)),
            },
            (op, Some(x)) if op.is_view() || op.class() == Class::Window => {
                let read = op.index_map(&self.func.operand_types(op_id), ty).ok_or(Stop::Materialize(v))?;
                let inner = read.parts()[0].at.iter().map(|at| Affine::of(at, map, self.space.len())).collect();
                self.value(x, &inner)
            }
            (Op::Reduce { kind, dims }, Some(x)) if self.reduces_along(shape_of(0), dims, map) => {
                let last = self.space.len() - 1;
                let mut inner = map.clone();
                inner.push(Affine::dim(self.space.len(), last));
                let n = self.value(x, &inner)?;
                let n = self.body.reduce(*kind, n);
                // The kernel sums integers of 8, 16 and 32 bits in wider ones.
                if ty.dtype.is_float() { Ok(n) } else { self.as_stored(n, ty.dtype) }
            }
            (Op::Gather { shard, total }, Some(table)) => self.gather(table, data.operands[1], shard, *total, map),
            (Op::PartialSplit { axes }, Some(x)) => {
                let n = self.value(x, map)?;
                Ok(self.on_first(axes, n, dtype))
            }
            (Op::ShardSlice { axes, dim }, Some(x)) if uneven_block(self.func, op_id) => {
                self.block(x, axes, *dim, ty.shape[*dim], map)
            }
            // One device-dependent offset fits into a view; a second one needs a copy in between.
            (Op::ShardSlice { axes, dim }, Some(x)) => {
                let whole = resolve(self.func, x, self.view_of, Some(self.members));
                match whole.and_then(|(view, base)| Some((view.shard(*dim, ty.shape[*dim], axes)?, base))) {
                    Some((view, base)) => {
                        self.reads.insert(base);
                        self.leaf(&view, map, ty)
                    }
                    None => Err(Stop::Materialize(x)),
                }
            }
            _ => Err(Stop::Materialize(v)),
        }
    }

    /// An elementwise op on its operands at one point.
    fn elementwise(&mut self, e: Row, operands: &[ValueId], ty: &TensorType, at: usize) -> Result<NodeId, Stop> {
        let mut args: SmallVec<[NodeId; 4]> = SmallVec::new();
        for &o in operands {
            args.push(self.value_at(o, at)?);
        }
        let mut n = scalar::apply(&mut self.body, e.def(), &args).map_err(Stop::Fail)?;
        let dtype = ty.dtype;
        if e.def().upper == Upper::Counted && dtype.is_stored_only() {
            // The count was made in the wider type, which has more leading zeros.
            let computed = dtype.computed();
            let more = self.body.constant(computed, 8.0 * (computed.bytes() - ty.dtype.bytes()) as f64);
            n = self.body.elem(Elem::Subtract, &[n, more]);
        }
        if ty.dtype.is_float() { Ok(n) } else { self.as_stored(n, ty.dtype) }
    }

    /// Random bits at one point. The counter, two words, is the index of the point in the global tensor of shape
    /// `total`.
    fn random_bits(
        &mut self,
        key: ValueId,
        [total, shape]: [&[u64]; 2],
        shard: &[Vec<meshloom_ir::Axis>],
        map: &CoordinateMap,
    ) -> Result<NodeId, Stop> {
        let word = |x: &mut Self, i: i64| {
            let mut at = Affine::zero(x.space.len());
            at.offset = i;
            x.value(key, &vec![at])
        };
        let keys = [word(self, 0)?, word(self, 1)?];
        let cut = meshloom_ir::table::random::split(total);
        let counter = [0..cut, cut..total.len()].map(|dims| {
            dims.fold(None, |sum: Option<NodeId>, d| {
                let axes = shard.get(d).map_or(&[][..], |a| a);
                let at = self.global_index(&map[d], axes, shape[d]);
                Some(match sum {
                    None => at,
                    Some(sum) => {
                        // Words wrap, as the counter's do.
                        let n = self.body.constant(DType::I32, f64::from(total[d] as u32 as i32));
                        let sum = self.body.elem(Elem::Multiply, &[sum, n]);
                        self.body.elem(Elem::Add, &[sum, at])
                    }
                })
            })
        });
        let zero = self.body.constant(DType::I32, 0.0);
        let [high, low] = counter.map(|c| c.unwrap_or(zero));
        Ok(self.body.elem(Elem::Threefry, &[keys[0], keys[1], high, low]))
    }

    /// Whether the kernel can reduce an operand of shape `from` over `dims`: `dims` must be the operand's last dim
    /// alone, which is the last dim of the space, and the result's coordinates must not depend on it.
    fn reduces_along(&self, from: &[u64], dims: &[usize], map: &CoordinateMap) -> bool {
        let last = self.space.len().wrapping_sub(1);
        self.reduces
            && dims[..] == [from.len() - 1]
            && self.space.last() == from.last()
            && map.iter().all(|a| a.coeffs[last] == 0)
    }

    /// `n` on the first device along `axes`, and on all others what a sum does not change.
    fn on_first(&mut self, axes: &[meshloom_ir::Axis], n: NodeId, dtype: DType) -> NodeId {
        let axes = axes.iter().map(|a| u32::from(a.0)).collect();
        let d = self.launch_dim(Dim::ShardStart { axes, block: 1 });
        let rank = self.body.node(Node::Dim { dim: d });
        let first = self.body.constant(DType::I32, 0.0);
        let zero = self.body.constant(dtype, dtype.nothing());
        let keep = self.body.elem(Elem::Compare(k::Comparison::Eq), &[rank, first]);
        self.body.elem(Elem::Select, &[keep, n, zero])
    }

    /// The index in the global tensor along a dim that `shard` splits into blocks, as an i32 node.
    fn global_index(&mut self, at: &Affine, shard: &[meshloom_ir::Axis], block: u64) -> NodeId {
        let i = self.coordinate(at);
        if shard.is_empty() {
            return i;
        }
        let axes = shard.iter().map(|a| u32::from(a.0)).collect();
        let d = self.launch_dim(Dim::ShardStart { axes, block: block as i64 });
        let start = self.body.node(Node::Dim { dim: d });
        self.body.elem(Elem::Add, &[i, start])
    }

    /// A coordinate as an i32 node.
    fn coordinate(&mut self, a: &Affine) -> NodeId {
        let mut sum: Option<NodeId> = None;
        for (d, &c) in a.coeffs.iter().enumerate().filter(|x| *x.1 != 0) {
            let mut t = self.body.iota(d as u32);
            if c != 1 {
                let c = self.body.constant(DType::I32, c as f64);
                t = self.body.elem(Elem::Multiply, &[t, c]);
            }
            sum = Some(match sum {
                None => t,
                Some(s) => self.body.elem(Elem::Add, &[s, t]),
            });
        }
        let offset = self.body.constant(DType::I32, a.offset as f64);
        match sum {
            None => offset,
            Some(s) if a.offset == 0 => s,
            Some(s) => self.body.elem(Elem::Add, &[s, offset]),
        }
    }

    /// This device's `len` rows of dim `dim` of `x`, where the dim is uneven: the last devices have fewer rows, or
    /// none. Their indices are clamped to the end. The rows read there are padding, which no result depends on.
    fn block(
        &mut self,
        x: ValueId,
        axes: &[meshloom_ir::Axis],
        dim: usize,
        len: u64,
        map: &CoordinateMap,
    ) -> Result<NodeId, Stop> {
        let ty = self.func.ty(x).clone();
        let Some((view, base)) = resolve(self.func, x, self.view_of, Some(self.members)) else {
            return Err(Stop::Materialize(x));
        };
        if view.shard.is_some() {
            return Err(Stop::Materialize(x));
        }
        self.reads.insert(base);
        let i = self.coordinate(&map[dim]);
        let axes = axes.iter().map(|a| u32::from(a.0)).collect();
        let d = self.launch_dim(Dim::ShardStart { axes, block: len as i64 });
        let start = self.body.node(Node::Dim { dim: d });
        let index = self.body.elem(Elem::Add, &[i, start]);
        let mut at = map.clone();
        at[dim] = Affine::zero(self.space.len());
        let access = self.access(&view, &at, &ty)?;
        let n = self.body.gather(access, index, view.strides[dim], ty.shape[dim], None);
        Ok(self.computed_in(n))
    }

    /// `x` with dim `dim` reversed.
    fn reversed(&mut self, x: ValueId, dim: usize, map: &CoordinateMap) -> Result<NodeId, Stop> {
        let ty = self.func.ty(x).clone();
        let Some((view, base)) = resolve(self.func, x, self.view_of, Some(self.members)) else {
            return Err(Stop::Materialize(x));
        };
        self.reads.insert(base);
        let from_end = Affine::zero(self.space.len()).shifted(ty.shape[dim] as i64 - 1).plus(&map[dim], -1);
        let index = self.coordinate(&from_end);
        let mut at = map.clone();
        at[dim] = Affine::zero(self.space.len());
        let access = self.access(&view, &at, &ty)?;
        let n = self.body.gather(access, index, view.strides[dim], ty.shape[dim], None);
        Ok(self.computed_in(n))
    }

    fn gather(
        &mut self,
        table: ValueId,
        indices: ValueId,
        shard: &[meshloom_ir::Axis],
        total: Option<u64>,
        map: &CoordinateMap,
    ) -> Result<NodeId, Stop> {
        let ty = self.func.ty(table).clone();
        let Some((view, base)) = resolve(self.func, table, self.view_of, Some(self.members)) else {
            return Err(Stop::Materialize(table));
        };
        if view.shard.is_some() {
            return Err(Stop::Materialize(table));
        }
        self.reads.insert(base);
        let rank = self.func.ty(indices).rank();
        let mut index = self.value(indices, &map[..rank].to_vec())?;
        if self.body.dtype(index) == DType::I64 {
            // Clamped to the rows below, of which there are no more than an i32 can count.
            for (op, end) in [(Elem::Maximum, 0.0), (Elem::Minimum, f64::from(i32::MAX))] {
                let end = self.body.constant(DType::I64, end);
                index = self.body.elem(op, &[index, end]);
            }
            index = self.body.convert(index, DType::I32);
        }
        let mut at = vec![Affine::zero(self.space.len())];
        at.extend_from_slice(&map[rank..]);
        let access = self.access(&view, &at, &ty)?;
        let sharded = (!shard.is_empty()).then(|| {
            let total = total.unwrap_or(ty.shape[0] * self.func.mesh.group_size(shard));
            let axes = shard.iter().map(|a| u32::from(a.0)).collect();
            (total, self.launch_dim(Dim::ShardStart { axes, block: ty.shape[0] as i64 }))
        });
        let n = self.body.gather(access, index, view.strides[0], ty.shape[0], sharded);
        Ok(self.computed_in(n))
    }
}

/// The view of a value that has memory, or that is a view of a value that has; and the value whose memory it is. Values
/// in `hidden` count as having none.
pub fn resolve(
    func: &Func,
    v: ValueId,
    view_of: &ViewOf<'_>,
    hidden: Option<&BTreeSet<ValueId>>,
) -> Option<(View, ValueId)> {
    // First down to the value that has memory, then back up through the views.
    let mut chain: SmallVec<[OpId; 8]> = SmallVec::new();
    let mut at = v;
    let view = loop {
        if hidden.is_some_and(|h| h.contains(&at)) {
            return None;
        }
        if let Some(view) = view_of(at) {
            break view;
        }
        let op = func.def_op(at)?;
        if !func.op(op).op.reads_in_place() {
            return None;
        }
        chain.push(op);
        at = func.op(op).operands[0];
    };
    let base = at;
    let view = chain.into_iter().rev().try_fold(view, |view, op| {
        let data = func.op(op);
        let from = &func.ty(data.operands[0]).shape;
        let to = &func.ty(data.results[0]).shape;
        match &data.op {
            Op::Reshape { .. } => view.reshape(from, to),
            // A view would reach beyond the end.
            Op::ShardSlice { .. } if uneven_block(func, op) => None,
            Op::ShardSlice { axes, dim } => view.shard(*dim, to[*dim], axes),
            _ => Some(view.through(
                &data.op.index_map(&func.operand_types(op), func.ty(data.results[0]))?.parts()[0].at,
                to.len(),
            )),
        }
    })?;
    Some((view, base))
}

/// Whether an op takes a device's block of a dim that the axes do not divide.
fn uneven_block(func: &Func, op: OpId) -> bool {
    let data = func.op(op);
    match &data.op {
        Op::ShardSlice { axes, dim } => {
            !func.ty(data.operands[0]).shape[*dim].is_multiple_of(func.mesh.group_size(axes))
        }
        _ => false,
    }
}

/// The coordinates of a reshape's operand from those of its result. They are affine where dims merge, and for dims of
/// size 1. `None` elsewhere.
pub fn reshape_map(from: &[u64], to: &[u64], map: &CoordinateMap, space: usize) -> Option<CoordinateMap> {
    let mut out = vec![Affine::zero(space); from.len()];
    let (mut i, mut j) = (0, 0);
    loop {
        while i < from.len() && from[i] == 1 {
            i += 1;
        }
        while j < to.len() && to[j] == 1 {
            j += 1;
        }
        if i == from.len() || j == to.len() {
            return Some(out);
        }
        // One operand dim made of one or more result dims.
        let mut at = Affine::zero(space);
        let mut n = 1;
        while n < from[i] {
            let d = *to.get(j)?;
            at = at.scaled(d as i64).plus(&map[j], 1);
            n *= d;
            j += 1;
        }
        if n != from[i] {
            return None;
        }
        out[i] = at;
        i += 1;
    }
}
