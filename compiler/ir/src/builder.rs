//! Building IR. `Builder` infers every result type through the op table, so a phase that builds an ill-typed op learns it
//! at once.
//!
//! Two styles: [`Builder::emit`] returns an error that the front end turns into a diagnostic; the short names ([`Builder::add`],
//! [`Builder::reduce`], ...) are for phases that build from already checked IR and panic on a type error, which is a bug there.

use crate::einsum::Einsum;
use crate::graph::{Def, Func, OpData, OpId, Phase, Port, Region, RegionId, Value, ValueId};
use crate::layout::Reduction;
use crate::mesh::Mesh;
use crate::op::{Attr, Op, UNBOUNDED};
use crate::span::Span;
use crate::table;
use crate::types::{DType, Literal, Scalar, TensorType};
use std::collections::BTreeMap;

pub struct Builder {
    pub func: Func,
    regions: Vec<RegionId>,
    /// Given to every op and value built from now on.
    pub span: Span,
    pub phase: Phase,
}

impl Builder {
    pub fn new(name: impl Into<String>, mesh: Mesh) -> Builder {
        Builder::resume(Func::new(name, mesh))
    }

    /// Goes on at the end of an existing function's body.
    pub fn resume(func: Func) -> Builder {
        Builder { func, regions: vec![Func::BODY], span: Span::default(), phase: Phase::Forward }
    }

    pub fn finish(self) -> Func {
        self.func
    }

    /// The region that ops are appended to.
    pub fn region(&self) -> RegionId {
        *self.regions.last().expect("a builder always has the body open")
    }

    pub fn ty(&self, v: ValueId) -> &TensorType {
        self.func.ty(v)
    }

    pub fn shape(&self, v: ValueId) -> Vec<u64> {
        self.func.ty(v).shape.clone()
    }

    fn value(&mut self, ty: TensorType, def: Def) -> ValueId {
        let id = ValueId(self.func.values.len() as u32);
        self.func.values.push(Value { ty, def, name: None, span: self.span, layout: None });
        id
    }

    /// Adds an input to the function.
    pub fn input(&mut self, ty: TensorType, port: Port) -> ValueId {
        let v = self.arg(Func::BODY, ty);
        self.func.values[v.index()].name = Some(port.name.clone());
        self.func.values[v.index()].span = port.span;
        self.func.inputs.push(port);
        v
    }

    /// Adds an output to the function.
    pub fn output(&mut self, v: ValueId, port: Port) {
        self.func.regions[0].yields.push(v);
        self.func.outputs.push(port);
    }

    /// Adds an argument to a region.
    pub fn arg(&mut self, region: RegionId, ty: TensorType) -> ValueId {
        let n = self.func.region(region).args.len() as u32;
        let v = self.value(ty, Def::Arg(region, n));
        self.func.regions[region.index()].args.push(v);
        v
    }

    /// Moves an argument of a region to place `to` among them.
    pub fn move_arg(&mut self, region: RegionId, v: ValueId, to: usize) {
        let args = &mut self.func.regions[region.index()].args;
        args.retain(|&a| a != v);
        args.insert(to, v);
        for (i, a) in args.clone().into_iter().enumerate() {
            self.func.values[a.index()].def = Def::Arg(region, i as u32);
        }
    }

    /// Opens a new region; ops go into it until [`Builder::close`].
    pub fn open(&mut self) -> RegionId {
        let r = RegionId(self.func.regions.len() as u32);
        self.func.regions.push(Region::default());
        self.regions.push(r);
        r
    }

    /// Closes the innermost open region with its yields.
    pub fn close(&mut self, yields: Vec<ValueId>) -> RegionId {
        let r = self.regions.pop().expect("close() without open()");
        self.func.regions[r.index()].yields = yields;
        r
    }

    /// Runs `f` with ops going to the end of `region`, which may be any unfinished one.
    pub fn within<T>(&mut self, region: RegionId, f: impl FnOnce(&mut Builder) -> T) -> T {
        self.regions.push(region);
        let out = f(self);
        self.regions.pop();
        out
    }

    /// Runs `f` with ops going to the region around the innermost open one.
    pub fn within_parent<T>(&mut self, f: impl FnOnce(&mut Builder) -> T) -> T {
        let inner = self.regions.pop();
        let out = f(self);
        self.regions.extend(inner);
        out
    }

    fn push(&mut self, op: Op, operands: Vec<ValueId>, regions: Vec<RegionId>, types: Vec<TensorType>) -> OpId {
        let id = OpId(self.func.ops.len() as u32);
        let results = types.into_iter().enumerate().map(|(i, t)| self.value(t, Def::Op(id, i as u32))).collect();
        for &r in &regions {
            self.func.regions[r.index()].owner = Some(id);
        }
        let parent = self.region();
        let (span, phase) = (self.span, self.phase);
        let data = OpData { op, operands, results, regions, parent, span, phase, weight_grad: false, recompute: None };
        self.func.ops.push(data);
        self.func.regions[parent.index()].ops.push(id);
        id
    }

    /// Appends an op with one result and no region.
    ///
    /// # Errors
    /// A sentence saying which operand types do not fit.
    pub fn emit(&mut self, op: Op, operands: &[ValueId]) -> Result<ValueId, String> {
        let types: Vec<&TensorType> = operands.iter().map(|&v| self.func.ty(v)).collect();
        let ty = table::infer_on(&op, &types, &self.func.mesh)?;
        let id = self.push(op, operands.to_vec(), Vec::new(), vec![ty]);
        Ok(self.func.op(id).results[0])
    }

    /// Appends a `repeat` whose body is the closed region `body`.
    ///
    /// # Errors
    /// A sentence saying which operand, argument or yield does not fit.
    pub fn repeat(
        &mut self,
        trip: u64,
        reverse: bool,
        carries: usize,
        xs: usize,
        operands: &[ValueId],
        body: RegionId,
    ) -> Result<Vec<ValueId>, String> {
        self.looped(Op::Repeat { trip, reverse, carries, xs, early: false }, operands, body)
    }

    /// Appends a `while` whose body is the closed region `body`: its first argument is whether it goes on, and its first yield
    /// whether it goes on after that iteration. At most `trip` iterations, or without a limit for `None`.
    ///
    /// # Errors
    /// A sentence saying which operand, argument or yield does not fit.
    pub fn while_loop(
        &mut self,
        trip: Option<u64>,
        carries: usize,
        operands: &[ValueId],
        body: RegionId,
    ) -> Result<Vec<ValueId>, String> {
        let trip = trip.unwrap_or(UNBOUNDED);
        self.looped(Op::Repeat { trip, reverse: false, carries, xs: 0, early: true }, operands, body)
    }

    pub(crate) fn looped(&mut self, op: Op, operands: &[ValueId], body: RegionId) -> Result<Vec<ValueId>, String> {
        let types = table::region::repeat_types(&self.func, &op, operands, body)?;
        let id = self.push(op, operands.to_vec(), vec![body], types);
        Ok(self.func.op(id).results.clone())
    }

    /// Appends a `composite` whose meaning is the closed region `body`.
    ///
    /// # Errors
    /// A sentence saying which operand does not fit the body's arguments.
    pub fn composite(
        &mut self,
        name: &str,
        attrs: BTreeMap<String, Attr>,
        operands: &[ValueId],
        body: RegionId,
    ) -> Result<Vec<ValueId>, String> {
        let types = table::region::composite_types(&self.func, operands, body)?;
        let id = self.push(Op::Composite { name: name.into(), attrs }, operands.to_vec(), vec![body], types);
        Ok(self.func.op(id).results.clone())
    }

    /// Names a value, for reports and the text form.
    pub fn name(&mut self, v: ValueId, name: &str) {
        self.func.values[v.index()].name = Some(name.to_string());
    }

    // Short names, for phases that build from checked IR.

    pub fn op(&mut self, op: Op, operands: &[ValueId]) -> ValueId {
        let name = op.name();
        self.emit(op, operands).unwrap_or_else(|e| panic!("ill-typed `{name}` built from checked IR: {e}"))
    }

    pub fn elem(&mut self, name: &str, operands: &[ValueId]) -> ValueId {
        let op = Op::elem(name).unwrap_or_else(|| panic!("no elementwise op `{name}` in the table"));
        self.op(op, operands)
    }

    pub fn add(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.elem("add", &[x, y])
    }

    pub fn sub(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.elem("subtract", &[x, y])
    }

    pub fn mul(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.elem("multiply", &[x, y])
    }

    pub fn div(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.elem("divide", &[x, y])
    }

    pub fn neg(&mut self, x: ValueId) -> ValueId {
        self.elem("negate", &[x])
    }

    pub fn constant(&mut self, dtype: DType, shape: &[u64], x: f64) -> ValueId {
        let value = Literal::Splat(Scalar::of(dtype, x));
        self.op(Op::Constant { dtype, shape: shape.to_vec(), value }, &[])
    }

    /// An integer as a constant of the integer type of `like`: exact, where an f64 has 53 bits.
    pub fn integer_like(&mut self, like: ValueId, x: i64) -> ValueId {
        let TensorType { dtype, shape } = self.ty(like).clone();
        self.op(Op::Constant { dtype, shape, value: Literal::Splat(Scalar::Int(x)) }, &[])
    }

    /// `x` as a constant of the type of `like`.
    pub fn constant_like(&mut self, like: ValueId, x: f64) -> ValueId {
        let ty = self.ty(like).clone();
        self.constant(ty.dtype, &ty.shape, x)
    }

    pub fn broadcast(&mut self, x: ValueId, shape: &[u64], dims: &[usize]) -> ValueId {
        if self.ty(x).shape == shape {
            return x;
        }
        self.op(Op::Broadcast { shape: shape.to_vec(), dims: dims.to_vec() }, &[x])
    }

    /// Broadcasts the result of reducing `dims` of `like` back to the shape of `like`.
    pub fn unreduce(&mut self, x: ValueId, like: ValueId, dims: &[usize]) -> ValueId {
        let shape = self.shape(like);
        let kept: Vec<usize> = (0..shape.len()).filter(|d| !dims.contains(d)).collect();
        self.broadcast(x, &shape, &kept)
    }

    pub fn reduce(&mut self, kind: Reduction, x: ValueId, dims: &[usize]) -> ValueId {
        if dims.is_empty() {
            return x;
        }
        self.op(Op::Reduce { kind, dims: dims.to_vec() }, &[x])
    }

    pub fn reshape(&mut self, x: ValueId, shape: &[u64]) -> ValueId {
        if self.ty(x).shape == shape {
            return x;
        }
        self.op(Op::Reshape { shape: shape.to_vec() }, &[x])
    }

    pub fn transpose(&mut self, x: ValueId, perm: &[usize]) -> ValueId {
        if perm.iter().enumerate().all(|(i, &p)| i == p) {
            return x;
        }
        self.op(Op::Transpose { perm: perm.to_vec() }, &[x])
    }

    pub fn convert(&mut self, x: ValueId, to: DType) -> ValueId {
        if self.ty(x).dtype == to {
            return x;
        }
        self.op(Op::Convert { to }, &[x])
    }

    pub fn dot(&mut self, spec: Einsum, x: ValueId, y: ValueId) -> ValueId {
        self.op(Op::DotGeneral(spec), &[x, y])
    }

    pub fn select(&mut self, c: ValueId, x: ValueId, y: ValueId) -> ValueId {
        self.elem("select", &[c, x, y])
    }
}
