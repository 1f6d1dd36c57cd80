//! The program generator: a pool of values per region, and steps that make a new value from values of the pool.

use super::{Rng, constraint};
use meshloom_ir::builder::Builder;
use meshloom_ir::einsum::Einsum;
use meshloom_ir::graph::{Func, Init, Port, RegionId, Role, ValueId};
use meshloom_ir::layout::{Constraint, Reduction};
use meshloom_ir::mesh::Mesh;
use meshloom_ir::op::Op;
use meshloom_ir::tensor;
use meshloom_ir::types::{DType, Literal, Scalar, TensorType};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct RandomOptions {
    pub mesh: Mesh,
    /// Element type of the floats.
    pub dtype: DType,
    /// Steps outside of repeats; a step is one to a few ops.
    pub steps: usize,
    /// Annotate inputs, outputs and some values.
    pub constraints: bool,
    pub repeats: bool,
    pub composites: bool,
    /// Integer arithmetic, look-ups and masks beside the float ops.
    pub ints: bool,
    /// Arithmetic of integers at the ends of their ranges, and around 2^53, where f64 stops to hold them all.
    pub wide: bool,
    /// Odd sizes, and annotations whose axes do not divide them.
    pub uneven: bool,
    /// Any operand may be an array of constants.
    pub arrays: bool,
    /// Nothing but moves, arithmetic that 16 bits get right from 32, and what decides by such numbers: every result is exact, so that
    /// rounding changes no choice.
    pub decisions: bool,
    /// Comparisons of inexact numbers with themselves, and outputs that count where they agree ([`super::AGREE`]).
    pub agree: bool,
    /// Attention, running sums and sorts: results that lie in an order of their own, and readers that take operands as they lie.
    pub attention: bool,
    /// Ops from all of the table, any operand of each an array of constants.
    pub any_op: bool,
}

impl RandomOptions {
    pub fn new(mesh: Mesh) -> RandomOptions {
        RandomOptions {
            mesh,
            dtype: DType::F64,
            steps: 14,
            constraints: true,
            repeats: true,
            composites: true,
            ints: true,
            wide: false,
            uneven: false,
            arrays: false,
            decisions: false,
            agree: false,
            attention: false,
            any_op: false,
        }
    }
}

/// A random well-typed program. It verifies, has at least one input and one output, and no dead op by intent (some are).
pub fn program(seed: u64, options: &RandomOptions) -> Func {
    let mut rng = Rng::new(seed);
    let some: &[u64] = if options.uneven { &[1, 2, 3, 5, 5, 6, 7, 11] } else { &[2, 3, 4, 4, 6, 8, 8, 12] };
    let mut sizes: Vec<u64> = (0..3).map(|_| rng.pick(some)).collect();
    if options.any_op {
        // The samples' own, so that values of the pool fit them.
        sizes[..2].copy_from_slice(&[4, 6]);
    }
    let b = Builder::new(format!("random_{seed}"), options.mesh.clone());
    let (pools, agreed) = (vec![Vec::new()], vec![Vec::new()]);
    let mut g = Generator { rng, b, options, sizes, pools, agreed, regions: vec![Func::BODY] };
    g.body();
    g.b.finish()
}

pub(super) struct Generator<'a> {
    pub(super) rng: Rng,
    pub(super) b: Builder,
    pub(super) options: &'a RandomOptions,
    /// Dims are mostly of these sizes, so that values fit each other.
    pub(super) sizes: Vec<u64>,
    /// Values that may be used in each open region, innermost last.
    pools: Vec<Vec<ValueId>>,
    /// Counts of where numbers agree with themselves, in each open region.
    pub(super) agreed: Vec<Vec<ValueId>>,
    regions: Vec<RegionId>,
}

pub(super) const MAX_ELEMENTS: u64 = 1 << 10;

impl Generator<'_> {
    fn body(&mut self) {
        for i in 0..2 + self.rng.below(3) {
            let shape = self.shape(1 + usize::from(i == 0));
            self.float_input(&shape);
        }
        if self.options.ints {
            self.int_input();
        }
        if self.options.wide {
            self.wide_input();
        }
        for _ in 0..self.options.steps {
            self.step();
        }
        self.outputs();
    }

    fn outputs(&mut self) {
        let pool = self.pools[0].clone();
        let inputs = self.b.func.inputs.len();
        let count = 1 + self.rng.below(3);
        let mut chosen: Vec<ValueId> = vec![pool[pool.len() - 1]];
        chosen.extend((0..count).map(|_| self.rng.pick(&pool)));
        let mut updated = Vec::new();
        for (i, v) in chosen.into_iter().enumerate() {
            let shape = self.b.shape(v);
            let ty = self.b.ty(v).clone();
            let target = (0..inputs).find(|&t| {
                let old = self.b.func.body().args[t];
                self.b.func.inputs[t].role == Role::Parameter && *self.b.ty(old) == ty && !updated.contains(&t)
            });
            let updates = target.filter(|_| self.rng.chance(50));
            updated.extend(updates);
            let constraint = self.constraint(&shape);
            self.b.output(v, Port { constraint, updates, ..Port::new(format!("out{i}"), Role::Output, shape.len()) });
        }
        // A scalar of much that is float, so that little is dead; of all where only what is decided by is exact.
        let most = if self.options.decisions { usize::MAX } else { 4 };
        let floats: Vec<ValueId> = pool.into_iter().rev().filter(|&v| self.is_float(v)).take(most).collect();
        let zero = self.b.constant(self.options.dtype, &[], 0.0);
        let loss = floats.into_iter().fold(zero, |sum, v| {
            let mean = self.mean(v);
            self.b.add(sum, mean)
        });
        self.b.output(loss, Port::new("loss", Role::Loss, 0));
        self.agreed_outputs();
    }

    fn mean(&mut self, v: ValueId) -> ValueId {
        let ty = self.b.ty(v).clone();
        let dims: Vec<usize> = (0..ty.rank()).collect();
        let sum = self.b.reduce(Reduction::Sum, v, &dims);
        let scale = self.b.constant(ty.dtype, &[], 1.0 / ty.elements().max(1) as f64);
        self.b.mul(sum, scale)
    }

    // Inputs.

    pub(super) fn shape(&mut self, least: usize) -> Vec<u64> {
        let rank = least + self.rng.below(4 - least);
        let mut shape: Vec<u64> = (0..rank).map(|_| self.rng.pick(&self.sizes)).collect();
        while shape.iter().product::<u64>() > MAX_ELEMENTS {
            shape.pop();
        }
        shape
    }

    pub(super) fn constraint(&mut self, shape: &[u64]) -> Constraint {
        if self.options.constraints {
            constraint(&mut self.rng, shape, &self.options.mesh, self.options.uneven)
        } else {
            Constraint::absent(shape.len())
        }
    }

    pub(super) fn input(&mut self, ty: TensorType, port: Port) -> ValueId {
        let constraint = self.constraint(&ty.shape);
        let v = self.b.input(ty, Port { constraint, ..port });
        self.pools[0].push(v);
        v
    }

    pub(super) fn float_input(&mut self, shape: &[u64]) -> ValueId {
        let n = self.b.func.inputs.len();
        let role = self.rng.pick(&[Role::Parameter, Role::Parameter, Role::Input]);
        let init = (role == Role::Parameter).then(|| Init::Normal(0.5f64.to_bits()));
        let port = Port { init, ..Port::new(format!("in{n}"), role, shape.len()) };
        self.input(TensorType::new(self.options.dtype, shape), port)
    }

    fn int_input(&mut self) -> ValueId {
        let n = self.b.func.inputs.len();
        let shape = self.shape(1);
        let hi = self.rng.pick(&self.sizes) as i64;
        let port = Port { range: Some((0, hi)), ..Port::new(format!("in{n}"), Role::Input, shape.len()) };
        self.input(TensorType::new(DType::I32, shape), port)
    }

    // Values.

    fn pool(&self) -> &[ValueId] {
        &self.pools[self.pools.len() - 1]
    }

    pub(super) fn add(&mut self, v: ValueId) {
        let last = self.pools.len() - 1;
        self.pools[last].push(v);
    }

    pub(super) fn is_float(&self, v: ValueId) -> bool {
        self.b.ty(v).dtype.is_float()
    }

    /// A value of the pool for which `fits` holds, recent ones more often.
    pub(super) fn find(&mut self, fits: impl Fn(&TensorType) -> bool) -> Option<ValueId> {
        let pool = self.pool();
        let all: Vec<ValueId> = pool.iter().copied().filter(|&v| fits(self.b.ty(v))).collect();
        if all.is_empty() {
            return None;
        }
        let recent = all.len().min(4);
        let from = if self.rng.chance(60) { all.len() - recent } else { 0 };
        Some(self.rng.pick(&all[from..]))
    }

    /// An array of constants, where the program has such.
    pub(super) fn array(&mut self, dtype: DType, shape: Option<&[u64]>) -> Option<ValueId> {
        if !self.options.arrays || !self.rng.chance(25) {
            return None;
        }
        Some(self.list(dtype, shape))
    }

    fn list(&mut self, dtype: DType, shape: Option<&[u64]>) -> ValueId {
        let shape = match shape {
            Some(s) => s.to_vec(),
            None => self.shape(1),
        };
        let n = shape.iter().product::<u64>();
        let number = |rng: &mut Rng| match dtype.is_float() {
            true => Scalar::float(tensor::round(dtype, rng.unit())),
            false if dtype == DType::Bool => Scalar::Int(rng.below(2) as i64),
            false => Scalar::Int(rng.below(9) as i64 - 3),
        };
        let value = Literal::Dense((0..n).map(|_| number(&mut self.rng)).collect());
        let v = self.b.op(Op::Constant { dtype, shape, value }, &[]);
        self.add(v);
        v
    }

    /// Whether what is made now stands outside of loops and composites.
    pub(super) fn is_outermost(&self) -> bool {
        self.regions.len() == 1
    }

    pub(super) fn float(&mut self) -> ValueId {
        if let Some(v) = self.array(self.options.dtype, None) {
            return v;
        }
        match self.find(|t| t.dtype.is_float()) {
            Some(v) => v,
            None => {
                let shape = self.shape(1);
                let v = self.b.constant(self.options.dtype, &shape, 0.25);
                self.add(v);
                v
            }
        }
    }

    /// A float value of a given shape, made from others where there is none.
    pub(super) fn float_of(&mut self, shape: &[u64]) -> ValueId {
        if let Some(v) = self.array(self.options.dtype, Some(shape)) {
            return v;
        }
        if let Some(v) = self.find(|t| t.dtype.is_float() && t.shape == shape) {
            return v;
        }
        if self.options.decisions {
            return self.list(self.options.dtype, Some(shape));
        }
        let x = self.float();
        let mean = self.mean(x);
        self.b.broadcast(mean, shape, &[])
    }

    pub(super) fn scaled(&mut self, v: ValueId, by: f64) -> ValueId {
        let c = self.b.constant_like(v, by);
        self.b.mul(v, c)
    }

    // Steps.

    fn step(&mut self) {
        if self.options.wide && self.rng.chance(30) {
            let v = self.wide_step();
            return self.add(v);
        }
        let nested = self.regions.len() > 1;
        if self.options.decisions {
            let v = match self.rng.below(if self.options.repeats { 11 } else { 9 }) {
                0 => self.reshape(),
                1 => self.transpose(),
                2 => self.slice_or_pad(),
                3 => self.concatenate(),
                9 | 10 if self.regions.len() < 3 => return self.repeat(),
                _ => self.decision(),
            };
            return self.add(v);
        }
        if self.options.any_op && self.rng.chance(60) {
            let v = self.any_op();
            return self.add(v);
        }
        if self.options.attention && self.rng.chance(30) {
            return self.attend();
        }
        if self.options.agree && self.rng.chance(25) {
            return self.agree();
        }
        let v = match self.rng.below(if self.options.ints { 20 } else { 16 }) {
            0 | 1 => self.unary(),
            2 | 3 => self.binary(),
            4 | 5 => self.dot(),
            6 => self.reduce(),
            7 => self.reshape(),
            8 => self.transpose(),
            9 => self.slice_or_pad(),
            10 => self.concatenate(),
            11 => self.broadcast(),
            12 if self.options.constraints => self.constrain(),
            13 | 14 if self.options.repeats && self.regions.len() < 3 => return self.repeat(),
            15 if self.options.composites && !nested => return self.composite(),
            16 => self.int_step(),
            17 => self.gather(),
            18 => self.scatter(),
            19 => self.masked(),
            _ => self.binary(),
        };
        self.add(v);
    }

    /// Functions of any finite number whose values and slopes are small.
    fn unary(&mut self) -> ValueId {
        let x = self.float();
        match self.rng.below(9) {
            0 => self.b.elem("tanh", &[x]),
            1 => self.b.elem("logistic", &[x]),
            2 => self.b.neg(x),
            3 => self.b.elem("abs", &[x]),
            4 => {
                let t = self.b.elem("tanh", &[x]);
                self.b.elem("exponential", &[t])
            }
            n => {
                let (one, xx) = (self.b.constant_like(x, 1.0), self.b.mul(x, x));
                let safe = self.b.add(xx, one);
                match n {
                    5 => self.b.elem("log", &[safe]),
                    6 => self.b.elem("sqrt", &[safe]),
                    7 => self.b.elem("rsqrt", &[safe]),
                    _ => self.b.div(x, safe),
                }
            }
        }
    }

    fn binary(&mut self) -> ValueId {
        let x = self.float();
        let shape = self.b.shape(x);
        let y = self.float_of(&shape);
        let name = self.rng.pick(&["add", "subtract", "multiply", "maximum", "minimum"]);
        let v = self.b.elem(name, &[x, y]);
        if name == "multiply" { self.b.elem("tanh", &[v]) } else { v }
    }

    fn dot(&mut self) -> ValueId {
        let (x, y) = (self.float(), self.float());
        let shapes = [self.b.shape(x), self.b.shape(y)];
        let mut fresh = 'a'..='z';
        let mut next = || fresh.next().unwrap_or('z');
        let left: Vec<char> = shapes[0].iter().map(|_| next()).collect();
        let mut right: Vec<char> = Vec::new();
        for &n in &shapes[1] {
            let same = left.iter().zip(&shapes[0]).find(|(c, m)| **m == n && !right.contains(c));
            right.push(match same {
                Some((&c, _)) if self.rng.chance(80) => c,
                _ => next(),
            });
        }
        let size = |c: char| {
            let all = left.iter().chain(&right).zip(shapes.iter().flatten());
            all.clone().find(|l| *l.0 == c).map_or(1, |l| *l.1)
        };
        let (mut result, mut summed, mut elements) = (Vec::new(), 1, 1);
        for &c in left.iter().chain(&right) {
            if result.contains(&c) {
                continue;
            }
            let shared = left.contains(&c) && right.contains(&c);
            let keep = self.rng.chance(if shared { 30 } else { 85 });
            if keep && elements * size(c) <= MAX_ELEMENTS && result.len() < 4 {
                elements *= size(c);
                result.push(c);
            } else {
                summed *= size(c);
            }
        }
        self.rng.shuffle(&mut result);
        let v = self.b.dot(Einsum::new(vec![left, right], result), x, y);
        self.scaled(v, 1.0 / summed as f64)
    }

    pub(super) fn some_dims(&mut self, rank: usize) -> Vec<usize> {
        (0..rank).filter(|_| self.rng.chance(50)).collect()
    }

    fn reduce(&mut self) -> ValueId {
        let x = self.float();
        let dims = self.some_dims(self.b.ty(x).rank());
        let kind = self.rng.pick(&[Reduction::Sum, Reduction::Sum, Reduction::Max, Reduction::Min]);
        let v = self.b.reduce(kind, x, &dims);
        let n: u64 = dims.iter().map(|&d| self.b.ty(x).shape[d]).product();
        if kind == Reduction::Sum { self.scaled(v, 1.0 / n.max(1) as f64) } else { v }
    }

    /// Merges two neighbours, or splits a dim in two.
    fn reshape(&mut self) -> ValueId {
        let x = self.float();
        let mut shape = self.b.shape(x);
        if shape.len() > 1 && self.rng.chance(50) {
            let d = self.rng.below(shape.len() - 1);
            let n = shape.remove(d);
            shape[d] *= n;
        } else if !shape.is_empty() {
            let d = self.rng.below(shape.len());
            let n = shape[d];
            let divisors: Vec<u64> = (1..=n).filter(|&k| n.is_multiple_of(k)).collect();
            let k = self.rng.pick(&divisors);
            shape[d] = k;
            shape.insert(d + 1, n / k);
        }
        self.b.reshape(x, &shape)
    }

    fn transpose(&mut self) -> ValueId {
        let x = self.float();
        let mut perm: Vec<usize> = (0..self.b.ty(x).rank()).collect();
        self.rng.shuffle(&mut perm);
        self.b.transpose(x, &perm)
    }

    fn slice_or_pad(&mut self) -> ValueId {
        let x = self.float();
        let shape = self.b.shape(x);
        if shape.is_empty() {
            return x;
        }
        let d = self.rng.below(shape.len());
        if self.rng.chance(50) {
            let (mut start, mut limit) = (vec![0; shape.len()], shape.clone());
            start[d] = self.rng.below(shape[d] as usize) as u64;
            limit[d] = start[d] + 1 + self.rng.below((shape[d] - start[d]) as usize) as u64;
            self.b.op(Op::Slice { start, limit }, &[x])
        } else {
            let (mut low, mut high) = (vec![0; shape.len()], vec![0; shape.len()]);
            low[d] = self.rng.below(3) as u64;
            high[d] = self.rng.below(3) as u64;
            self.b.op(Op::Pad { low, high }, &[x])
        }
    }

    fn concatenate(&mut self) -> ValueId {
        let x = self.float();
        let shape = self.b.shape(x);
        if shape.is_empty() {
            return x;
        }
        let y = self.float_of(&shape);
        let mut parts = vec![x, y];
        if let Some(z) = self.array(self.options.dtype, Some(&shape)) {
            parts.insert(self.rng.below(3), z);
        }
        self.b.op(Op::Concatenate { dim: self.rng.below(shape.len()) }, &parts)
    }

    fn broadcast(&mut self) -> ValueId {
        let x = self.float();
        let mut shape = self.b.shape(x);
        if shape.len() > 3 {
            return x;
        }
        let d = self.rng.below(shape.len() + 1);
        let dims: Vec<usize> = (0..shape.len()).map(|i| i + usize::from(i >= d)).collect();
        let n = self.rng.pick(&self.sizes);
        shape.insert(d, n);
        if shape.iter().product::<u64>() > MAX_ELEMENTS {
            return x;
        }
        self.b.broadcast(x, &shape, &dims)
    }

    fn constrain(&mut self) -> ValueId {
        let x = self.float();
        let c = self.constraint(&self.b.shape(x));
        if c.absent { x } else { self.b.op(Op::Constrain(c), &[x]) }
    }

    // Integers.

    pub(super) fn int(&mut self) -> ValueId {
        if let Some(v) = self.array(DType::I32, None) {
            return v;
        }
        match self.find(|t| t.dtype == DType::I32) {
            Some(v) => v,
            None => {
                let shape = self.shape(1);
                self.iota(&shape)
            }
        }
    }

    fn iota(&mut self, shape: &[u64]) -> ValueId {
        let dim = self.rng.below(shape.len());
        self.b.op(Op::Iota { dtype: DType::I32, shape: shape.to_vec(), dim, shard: Vec::new() }, &[])
    }

    pub(super) fn int_of(&mut self, shape: &[u64]) -> ValueId {
        if let Some(v) = self.array(DType::I32, Some(shape)) {
            return v;
        }
        match self.find(|t| t.dtype == DType::I32 && t.shape == shape) {
            Some(v) => v,
            None if shape.is_empty() => self.b.constant(DType::I32, shape, 2.0),
            None => self.iota(shape),
        }
    }

    fn int_step(&mut self) -> ValueId {
        let x = self.int();
        let shape = self.b.shape(x);
        match self.rng.below(3) {
            0 => {
                let dims = self.some_dims(shape.len());
                let kind = self.rng.pick(&[Reduction::Sum, Reduction::Max, Reduction::Min]);
                self.b.reduce(kind, x, &dims)
            }
            1 => {
                // Masked back into a small range: integers are compared exactly, floats made from them are not huge.
                let y = self.int_of(&shape);
                let name = self.rng.pick(&["add", "subtract", "multiply", "maximum"]);
                let v = self.b.elem(name, &[x, y]);
                let (lo, hi) = (self.b.constant_like(v, -9.0), self.b.constant_like(v, 9.0));
                let v = self.b.elem("maximum", &[v, lo]);
                self.b.elem("minimum", &[v, hi])
            }
            _ => {
                let f = self.b.convert(x, self.options.dtype);
                self.scaled(f, 0.125)
            }
        }
    }

    fn gather(&mut self) -> ValueId {
        let indices = self.int();
        let table = self.find(|t| t.dtype.is_float() && t.rank() > 0);
        let (Some(table), n) = (table, self.b.ty(indices).elements()) else {
            return self.unary();
        };
        let ty = self.b.ty(table);
        let row = ty.elements() / ty.shape[0].max(1);
        if row * n > MAX_ELEMENTS || ty.rank() + self.b.ty(indices).rank() > 5 {
            return self.unary();
        }
        self.b.op(Op::Gather { shard: Vec::new(), total: None }, &[table, indices])
    }

    fn scatter(&mut self) -> ValueId {
        let indices = self.int();
        let mut shape = self.b.shape(indices);
        let width = self.rng.pick(&self.sizes);
        if shape.iter().product::<u64>() * width <= MAX_ELEMENTS {
            shape.push(width);
        }
        let updates = self.float_of(&shape);
        let rows = self.rng.pick(&self.sizes);
        let v = self.b.op(Op::Scatter { rows, total: rows, shard: Vec::new() }, &[indices, updates]);
        self.scaled(v, 0.25)
    }

    fn masked(&mut self) -> ValueId {
        let x = self.int();
        let shape = self.b.shape(x);
        let (y, a, c) = (self.int_of(&shape), self.float_of(&shape), self.float_of(&shape));
        let name = self.rng.pick(&["compare_lt", "compare_ge", "compare_eq", "compare_ne"]);
        let mut mask = self.b.elem(name, &[x, y]);
        if let Some(v) = self.array(DType::Bool, Some(&shape)) {
            mask = v;
        }
        if self.rng.chance(30) {
            mask = self.b.elem("not", &[mask]);
        }
        self.b.select(mask, a, c)
    }

    // Regions.

    pub(super) fn open(&mut self) -> RegionId {
        let r = self.b.open();
        self.regions.push(r);
        self.pools.push(Vec::new());
        self.agreed.push(Vec::new());
        r
    }

    pub(super) fn arg(&mut self, r: RegionId, ty: TensorType) -> ValueId {
        let v = self.b.arg(r, ty);
        self.add(v);
        v
    }

    pub(super) fn close(&mut self, yields: Vec<ValueId>) -> RegionId {
        self.pools.pop();
        self.agreed.pop();
        self.regions.pop();
        self.b.close(yields)
    }

    fn repeat(&mut self) {
        // Stacked values of the pool set the trip count: so the stash of one loop is read by the next.
        let stacked = self.find(|t| t.rank() > 1 && t.shape[0] <= 4 && t.dtype.is_float());
        let trip = match stacked {
            Some(v) if self.rng.chance(80) => self.b.ty(v).shape[0],
            _ => 1 + self.rng.below(4) as u64,
        };
        let carries: Vec<ValueId> = (0..1 + self.rng.below(2)).map(|_| self.float()).collect();
        let mut xs: Vec<ValueId> = Vec::new();
        for _ in 0..self.rng.below(3) {
            match self.find(|t| t.rank() > 1 && t.shape[0] == trip) {
                Some(v) => xs.push(v),
                None if self.regions.len() == 1 => {
                    let mut shape = vec![trip];
                    shape.extend(self.shape(1).into_iter().take(2));
                    xs.push(self.float_input(&shape));
                    let last = self.b.func.inputs.len() - 1;
                    self.b.func.inputs[last].stacked = true;
                }
                None => {}
            }
        }
        let invariants: Vec<ValueId> = (0..self.rng.below(3)).filter_map(|_| self.find(|_| true)).collect();
        let operands: Vec<ValueId> = carries.iter().chain(&xs).chain(&invariants).copied().collect();
        let types: Vec<TensorType> = operands.iter().map(|&v| self.b.ty(v).clone()).collect();
        let r = self.open();
        let mut args = Vec::new();
        for (i, mut ty) in types.into_iter().enumerate() {
            if (carries.len()..carries.len() + xs.len()).contains(&i) {
                ty.shape.remove(0);
            }
            args.push(self.arg(r, ty));
        }
        for _ in 0..2 + self.rng.below(4) {
            self.step();
        }
        let mut yields: Vec<ValueId> = Vec::new();
        for &carry in &args[..carries.len()] {
            let shape = self.b.shape(carry);
            let other = self.float_of(&shape);
            if self.options.arrays && self.rng.chance(20) {
                yields.push(other);
                continue;
            }
            // Of exact numbers the larger is exact.
            if self.options.decisions {
                yields.push(self.b.elem("maximum", &[carry, other]));
                continue;
            }
            let sum = self.b.add(carry, other);
            yields.push(self.b.elem("tanh", &[sum]));
        }
        for _ in 0..self.rng.below(3) {
            if let Some(v) = self.find(|t| t.elements() * trip <= MAX_ELEMENTS) {
                yields.push(v);
            }
        }
        if self.options.decisions {
            yields.extend(self.all_made(args.len()));
        }
        // Counts leave the loop stacked, and are nobody's operands.
        let counts = self.agreed.last().cloned().unwrap_or_default();
        let others = yields.len();
        yields.extend(counts);
        let body = self.close(yields);
        let reverse = self.rng.chance(40);
        let results = self.b.repeat(trip, reverse, carries.len(), xs.len(), &operands, body);
        for (i, v) in results.expect("operands and arguments were made to fit").into_iter().enumerate() {
            match self.agreed.last_mut() {
                Some(counts) if i >= others => counts.push(v),
                _ => self.add(v),
            }
        }
    }

    /// What was made in the open region, behind so many arguments; of what is large its largest element. What is decided by a number of 16
    /// bits has to be used: only then is the number rounded as its type says, wherever it is computed.
    fn all_made(&mut self, args: usize) -> Vec<ValueId> {
        let made: Vec<ValueId> = self.pool()[args..].to_vec();
        let small = |g: &mut Self, v: ValueId| {
            let ty = g.b.ty(v);
            if ty.elements() <= MAX_ELEMENTS / 8 {
                return v;
            }
            let dims: Vec<usize> = (0..ty.rank()).collect();
            g.b.reduce(Reduction::Max, v, &dims)
        };
        made.into_iter().map(|v| small(self, v)).collect()
    }

    /// A softmax-like composite over the last dim.
    fn composite(&mut self) {
        let x = self.float();
        let ty = self.b.ty(x).clone();
        let Some(last) = ty.rank().checked_sub(1) else { return };
        let r = self.open();
        let x_in = self.arg(r, ty);
        let t = self.b.elem("tanh", &[x_in]);
        let e = self.b.elem("exponential", &[t]);
        let s = self.b.reduce(Reduction::Sum, e, &[last]);
        let s = self.b.unreduce(s, e, &[last]);
        let y = self.b.div(e, s);
        let body = self.close(vec![y]);
        let results = self.b.composite("softmax", BTreeMap::new(), &[x], body);
        for v in results.expect("operands and arguments were made to fit") {
            self.add(v);
        }
    }
}
