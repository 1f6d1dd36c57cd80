//! `precision: bf16` or `f16`: rewrites a loss over f32 parameters so that it computes in 16 bits where that is safe,
//! and in f32 where it is not. Parameters stay f32; they are the masters that the optimizer updates. This pass inserts
//! the conversions of parameters and activations.
//!
//! The table, which docs/language.md states for users:
//! - Contractions, row look-ups and attention take and give 16 bits (and sum in f32 inside).
//! - Reductions, scans, and elementwise functions for which 16 bits are too few ([`ElemDef::narrow`] is false) take and
//!   give f32. So the statistics of norms, of softmax and of losses are f32.
//! - Everything else takes the widest type among its operands, as PyTorch's autocast does. Parameters, constants and
//!   broadcast scalars are *weak*, as in JAX: they take the type of the other operands.
//! - A loop's carries keep the type in which they enter the loop.
//! - Contractions of *counts* stay f32, since bf16 represents every integer only up to 256. Counts are numbers computed
//!   from integers and bools alone.
//!
//! A weak value is converted at each of its uses, before any view of it. So a sharded parameter is converted on the
//! device that has the shard, and an all-gather moves 16 bits. Each use of a parameter has a gradient of its own, and
//! the gradients of all uses are added in f32. [`widen_sums`] does the same for the sums inside each of these
//! gradients.

use meshloom_ir::graph::{Def, Value};
use meshloom_ir::table::composite::{self, named};
use meshloom_ir::train::Precision;
use meshloom_ir::{
    Class, DType, Func, Op, OpData, OpId, Phase, Reduction, RegionId, Role, Span, TensorType, ValueId, table,
};
use std::collections::BTreeMap;

/// The loss with the conversions of `precision`. Its inputs and outputs keep their types.
pub fn lower(loss: &Func, precision: &Precision) -> Func {
    let given: Vec<DType> = loss.values.iter().map(|v| v.ty.dtype).collect();
    let mut weak = vec![false; loss.values.len()];
    for (port, &v) in loss.inputs.iter().zip(&loss.body().args) {
        weak[v.index()] = port.role == Role::Parameter;
    }
    let mut pass = Pass {
        func: loss.clone(),
        low: precision.compute,
        count: vec![false; given.len()],
        given,
        weak,
        at: Func::BODY,
        out: Vec::new(),
        low_of: BTreeMap::new(),
    };
    pass.region(Func::BODY, |pass, yields| {
        let types: Vec<DType> = yields.iter().map(|y| pass.given[y.index()]).collect();
        yields.iter().zip(types).map(|(&y, to)| pass.cast(y, to)).collect()
    });
    pass.func
}

struct Pass {
    func: Func,
    low: DType,
    /// The type that each value had before the rewrite.
    given: Vec<DType>,
    /// Whether a value is weak: it takes the type of the other operands.
    weak: Vec<bool>,
    /// Whether a value is a count: it is computed from integers and bools alone.
    count: Vec<bool>,
    /// The region being rewritten, and its ops so far.
    at: RegionId,
    out: Vec<OpId>,
    /// The 16-bit copies of values that are not weak. A region converts a value once.
    low_of: BTreeMap<(RegionId, ValueId), ValueId>,
}

impl Pass {
    fn dtype(&self, v: ValueId) -> DType {
        self.func.ty(v).dtype
    }

    /// Whether the table applies to a value: it is f32, or of the 16-bit type. Values of other types keep the type that
    /// the source gives them.
    fn takes_part(&self, v: ValueId) -> bool {
        let d = self.dtype(v);
        d == DType::F32 || d == self.low
    }

    fn retype(&mut self, v: ValueId, dtype: DType) {
        self.func.values[v.index()].ty.dtype = dtype;
    }

    /// Rewrites the ops of a region. `finish` converts the region's yields.
    fn region(&mut self, r: RegionId, finish: impl FnOnce(&mut Pass, &[ValueId]) -> Vec<ValueId>) {
        let ops = std::mem::take(&mut self.func.regions[r.index()].ops);
        let outer = (self.at, std::mem::take(&mut self.out));
        self.at = r;
        for o in ops {
            self.op(o);
            self.out.push(o);
        }
        let yields = self.func.region(r).yields.clone();
        let yields = finish(self, &yields);
        self.func.regions[r.index()].yields = yields;
        self.func.regions[r.index()].ops = std::mem::take(&mut self.out);
        (self.at, self.out) = outer;
    }

    /// Appends an op with one result to the region that is being rewritten. The op takes its span from `like`.
    fn emit(&mut self, op: Op, operands: Vec<ValueId>, like: ValueId) -> ValueId {
        let span = self.func.value(like).span;
        let id = append(&mut self.func, self.at, op, operands, span, Phase::Forward);
        self.weak.push(false);
        self.count.push(false);
        self.out.push(id);
        self.func.op(id).results[0]
    }

    /// `v` converted to the type `to`. It is `v` itself if `v` has that type, or if the table does not apply to it.
    fn cast(&mut self, v: ValueId, to: DType) -> ValueId {
        if !self.takes_part(v) || self.dtype(v) == to {
            return v;
        }
        if to != self.low {
            return self.emit(Op::Convert { to }, vec![v], v);
        }
        if self.weak[v.index()] {
            return self.weak_low(v);
        }
        if let Some(&known) = self.low_of.get(&(self.at, v)) {
            return known;
        }
        let low = self.emit(Op::Convert { to }, vec![v], v);
        self.low_of.insert((self.at, v), low);
        low
    }

    /// A weak value in 16 bits. The conversion comes before the views through which the value is read, and a constant is
    /// written in 16 bits.
    fn weak_low(&mut self, v: ValueId) -> ValueId {
        if let Some(o) = self.func.def_op(v) {
            let data = self.func.op(o).clone();
            match data.op {
                Op::Constant { shape, value, .. } => {
                    return self.emit(Op::Constant { dtype: self.low, shape, value }, Vec::new(), v);
                }
                op if op.is_view() => {
                    let x = self.cast(data.operands[0], self.low);
                    return self.emit(op, vec![x], v);
                }
                _ => {}
            }
        }
        self.emit(Op::Convert { to: self.low }, vec![v], v)
    }

    /// The type in which an op computes, and whether its result is weak.
    fn meet(&self, values: &[ValueId]) -> (DType, bool) {
        let strong = || values.iter().filter(|v| self.takes_part(**v) && !self.weak[v.index()]);
        let low = strong().count() > 0 && strong().all(|v| self.dtype(*v) == self.low);
        (if low { self.low } else { DType::F32 }, strong().count() == 0)
    }

    /// Casts the operands of `o`, and infers the type of its result again.
    fn in_type(&mut self, o: OpId, to: DType) {
        let operands = self.func.op(o).operands.clone();
        let operands: Vec<ValueId> = operands.into_iter().map(|x| self.cast(x, to)).collect();
        self.func.ops[o.index()].operands = operands;
        self.infer(o);
    }

    fn infer(&mut self, o: OpId) {
        let data = self.func.op(o);
        let types: Vec<&TensorType> = data.operands.iter().map(|&x| self.func.ty(x)).collect();
        let ty = table::infer(&data.op, &types).unwrap_or_else(|e| panic!("`{}` in 16 bits: {e}", data.op.name()));
        let result = data.results[0];
        self.func.values[result.index()].ty = ty;
    }

    fn op(&mut self, o: OpId) {
        let data = self.func.op(o).clone();
        let first = data.operands.first().copied();
        let Some(&result) = data.results.first() else { return };
        match (&data.op, data.op.class()) {
            (Op::Constant { dtype: DType::F32, .. }, _) => self.weak[result.index()] = true,
            (_, Class::Source) => {}
            (Op::Elem(e), _) if !e.def().narrow => {
                let weak = data.operands.iter().all(|x| self.weak[x.index()]);
                self.in_type(o, DType::F32);
                self.weak[result.index()] = weak;
            }
            (Op::Elem(_) | Op::Concatenate { .. }, _) => {
                let (to, weak) = self.meet(&data.operands);
                let of_counts = |x: &ValueId| self.count[x.index()] || self.weak[x.index()] || !self.takes_part(*x);
                let count = !weak && data.operands.iter().all(of_counts);
                self.in_type(o, to);
                self.weak[result.index()] = weak && self.takes_part(result);
                self.count[result.index()] = count;
            }
            (Op::Convert { .. }, _) => {
                self.infer(o);
                self.count[result.index()] = first.is_some_and(|x| !self.dtype(x).is_float());
            }
            (op, Class::View | Class::Pin) => {
                self.infer(o);
                let scalar = first.is_some_and(|x| self.func.ty(x).rank() == 0 && matches!(op, Op::Broadcast { .. }));
                self.weak[result.index()] = scalar || first.is_some_and(|x| self.weak[x.index()]);
                self.count[result.index()] = first.is_some_and(|x| self.count[x.index()]);
            }
            (Op::Rotate { .. }, _) => self.as_given(o),
            (_, Class::Move | Class::Window | Class::Sort) => self.infer(o),
            (_, Class::Contraction) if data.operands.iter().all(|x| self.count[x.index()]) => {
                self.in_type(o, DType::F32);
                self.count[result.index()] = true;
            }
            (_, Class::Contraction) if data.operands.iter().all(|x| self.takes_part(*x)) => self.in_type(o, self.low),
            (Op::Gather { .. }, _) => {
                if let Some(table) = first.filter(|x| self.weak[x.index()]) {
                    self.func.ops[o.index()].operands[0] = self.cast(table, self.low);
                }
                self.infer(o);
            }
            (_, Class::Reduction | Class::Scan) => self.in_type(o, DType::F32),
            (Op::Repeat { carries, .. }, _) => self.repeat(o, *carries),
            (Op::Composite { name, .. }, _) if matches!(named(name), Some((_, composite::Pass::Forward))) => {
                self.attention(o)
            }
            (Op::Composite { .. }, _) => self.composite(o),
            (
                _,
                Class::Elementwise
                | Class::Contraction
                | Class::Rows
                | Class::Random
                | Class::Collective
                | Class::Shard
                | Class::Region,
            ) => self.as_given(o),
        }
    }

    /// Casts the operands of `o` back to the types that they had before the rewrite.
    fn as_given(&mut self, o: OpId) {
        let operands = self.func.op(o).operands.clone();
        let operands = operands.into_iter().map(|x| self.cast(x, self.given_of(x))).collect();
        self.func.ops[o.index()].operands = operands;
    }

    fn given_of(&self, v: ValueId) -> DType {
        self.given.get(v.index()).copied().unwrap_or(DType::F32)
    }

    fn repeat(&mut self, o: OpId, carries: usize) {
        let data = self.func.op(o).clone();
        let body = data.regions[0];
        let args = self.func.region(body).args.clone();
        for (i, (&x, &arg)) in data.operands.iter().zip(&args).enumerate() {
            self.retype(arg, self.dtype(x));
            self.weak[arg.index()] = i >= carries && self.weak[x.index()];
        }
        let carried: Vec<DType> = args[..carries].iter().map(|&a| self.dtype(a)).collect();
        self.region(body, |pass, yields| {
            let of = |i: usize, pass: &Pass| carried.get(i).copied().unwrap_or_else(|| pass.dtype(yields[i]));
            (0..yields.len()).map(|i| pass.cast(yields[i], of(i, pass))).collect()
        });
        for (i, &r) in data.results.iter().enumerate() {
            self.retype(r, self.dtype(self.func.region(body).yields[i]));
        }
    }

    /// Attention takes and gives 16 bits. Everything inside is f32, as its kernels compute it, and so is the log-sum-exp.
    fn attention(&mut self, o: OpId) {
        let data = self.func.op(o).clone();
        let operands: Vec<ValueId> = data.operands.iter().map(|&x| self.cast(x, self.low)).collect();
        self.func.ops[o.index()].operands.clone_from(&operands);
        let body = data.regions[0];
        let outer = (self.at, std::mem::take(&mut self.out));
        self.at = body;
        let ops = std::mem::take(&mut self.func.regions[body.index()].ops);
        let mut wide = BTreeMap::new();
        for (&arg, &x) in self.func.region(body).args.clone().iter().zip(&operands) {
            if self.takes_part(x) {
                self.retype(arg, self.low);
                wide.insert(arg, self.cast(arg, DType::F32));
            }
        }
        for &inner in &ops {
            for x in &mut self.func.ops[inner.index()].operands {
                *x = *wide.get(x).unwrap_or(x);
            }
        }
        self.out.extend(ops);
        let mut yields = self.func.region(body).yields.clone();
        yields[0] = self.cast(yields[0], self.low);
        self.func.regions[body.index()].yields = yields;
        self.func.regions[body.index()].ops = std::mem::take(&mut self.out);
        (self.at, self.out) = outer;
        self.retype(data.results[0], self.low);
    }

    fn composite(&mut self, o: OpId) {
        let data = self.func.op(o).clone();
        let body = data.regions[0];
        for (&x, &arg) in data.operands.iter().zip(&self.func.region(body).args.clone()) {
            self.retype(arg, self.dtype(x));
            self.weak[arg.index()] = self.weak[x.index()];
        }
        self.region(body, |_, yields| yields.to_vec());
        for (i, &r) in data.results.iter().enumerate() {
            self.retype(r, self.dtype(self.func.region(body).yields[i]));
        }
    }
}

/// Adds an op with one result, whose parent is the region `at`. The caller has to put it into the region's list of ops.
pub fn append(func: &mut Func, at: RegionId, op: Op, operands: Vec<ValueId>, span: Span, phase: Phase) -> OpId {
    let types: Vec<&TensorType> = operands.iter().map(|&x| func.ty(x)).collect();
    let ty = table::infer(&op, &types).unwrap_or_else(|e| panic!("`{}` in fewer bits: {e}", op.name()));
    let (id, v) = (OpId(func.ops.len() as u32), ValueId(func.values.len() as u32));
    func.values.push(Value { ty, def: Def::Op(id, 0), name: None, span, layout: None });
    func.ops.push(OpData {
        op,
        operands,
        results: vec![v],
        regions: Vec::new(),
        parent: at,
        span,
        phase,
        weight_grad: false,
        recompute: None,
    });
    id
}

/// Sums gradients in f32 where the program sums them in 16 bits and then converts: contractions give f32, and sums and
/// scatters convert their operand first. So gradients that are partial over devices are reduced in f32 too.
pub fn widen_sums(func: &mut Func) {
    let mut uses = vec![0u32; func.values.len()];
    let operands = func.ops.iter().flat_map(|o| &o.operands);
    for v in operands.chain(func.regions.iter().flat_map(|r| &r.yields)) {
        uses[v.index()] += 1;
    }
    // Ops are visited from results to operands, so that one pass moves a conversion as far as it can go.
    for r in 0..func.regions.len() {
        for i in (0..func.regions[r].ops.len()).rev() {
            widen(func, func.regions[r].ops[i], &uses);
        }
    }
}

fn widen(func: &mut Func, o: OpId, uses: &[u32]) {
    let Op::Convert { to: DType::F32 } = func.op(o).op else { return };
    let v = func.op(o).operands[0];
    let Some(sum) = func.def_op(v).filter(|_| uses[v.index()] == 1 && func.ty(v).dtype.bytes() < 4) else { return };
    let data = func.op(sum).clone();
    if data.phase != Phase::Backward {
        return;
    }
    let last = data.operands.len().wrapping_sub(1);
    match &data.op {
        Op::DotGeneral(e) if e.to.is_none() => {
            let mut e = e.clone();
            e.to = Some(DType::F32);
            func.ops[sum.index()].op = Op::DotGeneral(e);
            // The conversion is from f32 to f32 now; simplification removes it.
            func.values[v.index()].ty.dtype = DType::F32;
        }
        op if op.is_view() || matches!(op, Op::Reduce { kind: Reduction::Sum, .. } | Op::Scatter { .. }) => {
            // The view or sum and the conversion change places: the first op now converts the operand, and the second
            // views or sums it.
            let x = data.operands[last];
            let shape = func.ty(x).shape.clone();
            func.values[v.index()].ty = TensorType::new(DType::F32, shape);
            func.ops[sum.index()].op = Op::Convert { to: DType::F32 };
            func.ops[sum.index()].operands = vec![x];
            let mut operands = data.operands.clone();
            operands[last] = v;
            let second = &mut func.ops[o.index()];
            (second.op, second.operands, second.weight_grad) = (data.op.clone(), operands, data.weight_grad);
            func.ops[sum.index()].weight_grad = false;
            widen(func, sum, uses);
        }
        _ => {}
    }
}
