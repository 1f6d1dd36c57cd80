//! Appends ops: values captured into regions, broadcasting, and the few identities that keep the IR in the form that
//! planning and fusion read best (no reshape between a reduction and its broadcast, no transpose before a contraction,
//! an iota made where it is used).

use super::state::{Elab, MAX_OPS};
use super::value::{Dim, Num, TensorVal, Val, sizes_note};
use meshloom_ir::verify::{MAX_BUILT, MAX_ELEMENTS, MAX_RANK, MAX_SPLIT};
use meshloom_ir::{DType, Def, Einsum, Literal, Op, Reduction, RegionId, Scalar, Span, TensorType, ValueId};
use meshloom_source::Diagnostic;

/// Where an operation and its operands are written, for what is said when they do not fit.
#[derive(Clone, Copy)]
pub(super) struct Blame<'s> {
    /// The operator, or the call.
    pub operation: Span,
    pub operands: &'s [Span],
}

impl Elab<'_> {
    /// The region a value is defined in.
    fn home(&self, v: ValueId) -> RegionId {
        match self.builder.func.value(v).def {
            Def::Op(op, _) => self.builder.func.op(op).parent,
            Def::Arg(region, _) => region,
        }
    }

    /// `v` as the innermost open region sees it: outer values become arguments of the regions between.
    pub(super) fn here(&mut self, v: ValueId) -> ValueId {
        let home = self.home(v);
        let first = self.regions.iter().position(|r| r.id == home).map_or(0, |i| i + 1);
        if first < self.regions.len()
            && let Some(copy) = self.copy(v)
        {
            return copy;
        }
        let mut v = v;
        for i in first..self.regions.len() {
            let region = &self.regions[i];
            v = match region.captures.iter().find(|c| c.0 == v) {
                Some(c) => c.1,
                None => {
                    let (id, ty) = (region.id, self.builder.ty(v).clone());
                    let inner = self.builder.arg(id, ty);
                    self.same_source(v, inner);
                    self.regions[i].captures.push((v, inner));
                    inner
                }
            };
        }
        v
    }

    /// A constant or iota from outside, repeated in the innermost region, where it costs less than an argument.
    fn copy(&mut self, v: ValueId) -> Option<ValueId> {
        let op = self.builder.func.op(self.builder.func.def_op(v)?).op.clone();
        if !matches!(op, Op::Constant { .. } | Op::Iota { .. }) {
            return None;
        }
        if let Some(known) = self.regions.last()?.copies.iter().find(|c| c.0 == v) {
            return Some(known.1);
        }
        let copy = self.builder.emit(op, &[]).ok()?;
        self.regions.last_mut()?.copies.push((v, copy));
        Some(copy)
    }

    /// A region's argument is shown under the name and place of what is handed in.
    pub(super) fn same_source(&mut self, outer: ValueId, inner: ValueId) {
        let (name, span) = (self.builder.func.value(outer).name.clone(), self.builder.func.value(outer).span);
        let value = &mut self.builder.func.values[inner.index()];
        (value.name, value.span) = (name, span);
    }

    pub(super) fn name_value(&mut self, v: ValueId, name: &str) {
        if self.builder.func.value(v).name.is_none() {
            self.builder.name(v, name);
        }
    }

    /// Appends an op; what does not fit is reported at `span`.
    pub(super) fn emit(&mut self, op: Op, operands: &[ValueId], span: Span) -> Option<ValueId> {
        if self.exhausted {
            return None;
        }
        if self.builder.func.ops.len() >= MAX_OPS {
            self.exhausted = true;
            self.error(
                Diagnostic::error(
                    "too-large",
                    format!("the program grows past {MAX_OPS} operations when its functions are expanded"),
                )
                .at(span, "while expanding this")
                .help("a `for` over a list of structs is compiled once, however long the list"),
            );
            return None;
        }
        self.locate(span);
        let operands: Vec<ValueId> = operands.iter().map(|&v| self.here(v)).collect();
        let most = if self.regions.iter().any(|r| r.meaning) { MAX_ELEMENTS } else { self.most_elements() };
        match self.builder.emit(op, &operands) {
            Ok(v) if self.builder.ty(v).elements() > most => {
                let ty = self.builder.ty(v).to_string();
                self.error(
                    Diagnostic::error("too-large", format!("a tensor of type {ty} is too large"))
                        .at(span, format!("at most {most} elements")),
                );
                None
            }
            Ok(v) if self.builder.ty(v).rank() > MAX_RANK => {
                let message = format!("a tensor has at most {MAX_RANK} dims");
                self.error(Diagnostic::error("too-large", message).at(span, ""));
                None
            }
            Ok(v) => Some(v),
            Err(message) => {
                self.error(Diagnostic::error("invalid", message).at(span, ""));
                None
            }
        }
    }

    /// The most elements of a tensor: so many for each device that it may be split over.
    pub(super) fn most_elements(&self) -> u64 {
        MAX_BUILT.saturating_mul(self.builder.func.mesh.devices()).min(MAX_SPLIT)
    }

    pub(super) fn tensor(&mut self, op: Op, operands: &[ValueId], dims: Vec<Dim>, span: Span) -> Val {
        match self.emit(op, operands, span) {
            Some(id) => Val::Tensor(TensorVal { id, dtype: self.builder.ty(id).dtype, dims, units: Vec::new() }),
            None => Val::Error,
        }
    }

    /// A tensor with the same value everywhere.
    pub(super) fn splat(&mut self, dtype: DType, shape: &[u64], x: Num, span: Span) -> Option<ValueId> {
        let scalar = match x {
            Num::Int(i) if !dtype.is_float() => Scalar::Int(i),
            _ => Scalar::of(dtype, x.as_f64()),
        };
        self.emit(Op::Constant { dtype, shape: shape.to_vec(), value: Literal::Splat(scalar) }, &[], span)
    }

    /// A number as a scalar of the given type, if it has a value there.
    pub(super) fn scalar(&mut self, x: Num, dtype: DType, span: Span) -> Option<TensorVal> {
        if !self.check_literal(x, dtype, span) {
            return None;
        }
        let id = self.splat(dtype, &[], x, span)?;
        Some(TensorVal { id, dtype, dims: Vec::new(), units: Vec::new() })
    }

    /// Reports a literal that the element type cannot hold.
    pub(super) fn check_literal(&mut self, x: Num, dtype: DType, span: Span) -> bool {
        let problem = match x {
            _ if dtype == DType::Bool => Some(format!("the number {x} is not a bool")),
            Num::Float(v) if dtype.is_int() && v.fract() != 0.0 => {
                Some(format!("{v:?} is not a whole number, but the other side is {dtype}"))
            }
            Num::Float(_) if dtype.is_int() => {
                Some(format!("{x} is a fraction literal, but the other side is {dtype}"))
            }
            Num::Int(i) if dtype.range().is_some_and(|r| !r.contains(&i)) => {
                Some(format!("{i} does not fit in {dtype}"))
            }
            _ => None,
        };
        match problem {
            Some(message) => {
                let d = Diagnostic::error("literal", message).at(span, "");
                self.error(if matches!(x, Num::Float(_)) { d.help("convert the tensor first: `x as f32`") } else { d });
                false
            }
            None => true,
        }
    }

    /// The tensor with all its dims in the IR.
    pub(super) fn solid(&mut self, t: &TensorVal, span: Span) -> Option<TensorVal> {
        if t.units.is_empty() {
            return Some(t.clone());
        }
        let id = self.emit(Op::Reshape { shape: t.shape() }, &[t.id], span)?;
        Some(TensorVal { id, units: Vec::new(), ..t.clone() })
    }

    /// Numpy broadcasting of several shapes. Reports what does not fit.
    fn joint_dims(&mut self, what: &str, ts: &[TensorVal], at: Blame<'_>) -> Option<Vec<Dim>> {
        let rank = ts.iter().map(TensorVal::rank).max().unwrap_or(0);
        let mut dims: Vec<Option<Dim>> = vec![None; rank];
        for (k, t) in ts.iter().enumerate() {
            for (i, d) in t.dims.iter().enumerate() {
                let slot = &mut dims[i + rank - t.rank()];
                match slot {
                    None => *slot = Some(d.clone()),
                    Some(have) if have.size == d.size => {
                        if have.name.is_none() {
                            *slot = Some(d.clone());
                        }
                    }
                    Some(have) if have.size == 1 => *slot = Some(d.clone()),
                    Some(_) if d.size == 1 => {}
                    Some(have) => {
                        let types: Vec<String> = ts.iter().map(|t| Val::Tensor(t.clone()).to_string()).collect();
                        let message = format!("{what} does not fit {} and {}", types[0], types[k]);
                        let from_end = t.rank() - i;
                        let place = match from_end {
                            1 => "the last dim".to_string(),
                            n => format!("dim {n} from the end"),
                        };
                        let mut diagnostic = Diagnostic::error("shape-mismatch", message)
                            .at(at.operation, format!("{place} is {have} on one side and {d} on the other"));
                        for (s, ty) in at.operands.iter().zip(&types) {
                            if *s != at.operation {
                                diagnostic = diagnostic.also(*s, ty.clone());
                            }
                        }
                        if let Some(note) = sizes_note([have, d]) {
                            diagnostic = diagnostic.note(note);
                        }
                        // A vector for each row: it lacks a dim of size 1 at its end.
                        let (wide, narrow) = if ts[0].rank() > t.rank() { (&ts[0], k) } else { (t, 0) };
                        let rows = ts[narrow].rank() + 1 == wide.rank()
                            && ts[narrow].dims.iter().zip(&wide.dims).all(|(a, b)| a.size == b.size);
                        if let Some(&span) = at.operands.get(narrow).filter(|_| rows) {
                            let text = self.sources.text(span);
                            let (with, help) =
                                (format!("expand({text}, -1)"), format!("one for each row: `expand({text}, -1)`"));
                            diagnostic = diagnostic.fix(span, with, help);
                        }
                        self.error(diagnostic.help("shapes are matched from the last dim; a dim of size 1 is repeated, and so are missing leading dims"));
                        return None;
                    }
                }
            }
        }
        Some(dims.into_iter().map(|d| d.unwrap_or(Dim::plain(1))).collect())
    }

    /// `t` repeated to the IR shape of a result with `dims`, of which `units` are left out.
    fn spread(&mut self, t: &TensorVal, dims: &[Dim], units: &[usize], span: Span) -> Option<ValueId> {
        let targets: Vec<usize> = (0..dims.len()).filter(|d| !units.contains(d)).collect();
        let shape: Vec<u64> = targets.iter().map(|&d| dims[d].size).collect();
        let offset = dims.len() - t.rank();
        let map: Vec<usize> = t.solid().iter().filter_map(|&d| targets.iter().position(|&p| p == d + offset)).collect();
        if self.builder.ty(t.id).shape == shape {
            return Some(t.id);
        }
        if let Some(op) = self.builder.func.def_op(t.id) {
            match self.builder.func.op(op).op.clone() {
                Op::Iota { dtype, dim, .. } => {
                    return self.emit(Op::Iota { dtype, shape, dim: map[dim], shard: Vec::new() }, &[], span);
                }
                Op::Constant { dtype, value: Literal::Splat(x), .. } => {
                    return self.emit(Op::Constant { dtype, shape, value: Literal::Splat(x) }, &[], span);
                }
                _ => {}
            }
        }
        self.emit(Op::Broadcast { shape, dims: map }, &[t.id], span)
    }

    /// An elementwise op on operands of one element type, broadcast to each other.
    pub(super) fn elementwise(&mut self, name: &str, what: &str, ts: &[TensorVal], at: Blame<'_>, span: Span) -> Val {
        let Some(op) = Op::elem(name) else {
            return self.error(Diagnostic::error("invalid", format!("there is no op `{name}`")).at(span, ""));
        };
        let Some(dims) = self.joint_dims(what, ts, at) else { return Val::Error };
        // A position stays out of the IR where no operand has it there.
        let units: Vec<usize> = (0..dims.len())
            .filter(|&p| ts.iter().all(|t| (p + t.rank()).checked_sub(dims.len()).is_none_or(|d| t.units.contains(&d))))
            .collect();
        let mut operands = Vec::new();
        for t in ts {
            let Some(v) = self.spread(t, &dims, &units, span) else { return Val::Error };
            operands.push(v);
        }
        match self.emit(op, &operands, span) {
            Some(id) => Val::Tensor(TensorVal { id, dtype: self.builder.ty(id).dtype, dims, units }),
            None => Val::Error,
        }
    }

    /// `t` repeated to `dims`, for `broadcast(x, [..])`.
    pub(super) fn broadcast_to(&mut self, t: &TensorVal, dims: Vec<Dim>, span: Span) -> Val {
        let fits = t.rank() <= dims.len()
            && t.dims.iter().rev().zip(dims.iter().rev()).all(|(have, want)| have.size == want.size || have.size == 1);
        if !fits {
            let want = super::value::show_dims(&dims);
            return self.error(
                Diagnostic::error(
                    "shape-mismatch",
                    format!("{} cannot be repeated to [{want}]", Val::Tensor(t.clone())),
                )
                .at(span, ""),
            );
        }
        match self.spread(t, &dims, &[], span) {
            Some(id) => Val::Tensor(TensorVal { id, dtype: t.dtype, dims, units: Vec::new() }),
            None => Val::Error,
        }
    }

    /// Reduces the dims at `positions`.
    pub(super) fn reduce(
        &mut self,
        kind: Reduction,
        t: &TensorVal,
        positions: &[usize],
        keep: bool,
        span: Span,
    ) -> Val {
        let solid = t.solid();
        let dims: Vec<usize> = (0..solid.len()).filter(|&i| positions.contains(&solid[i])).collect();
        let id = if dims.is_empty() { Some(t.id) } else { self.emit(Op::Reduce { kind, dims }, &[t.id], span) };
        let Some(id) = id else { return Val::Error };
        let mut out = TensorVal { id, dtype: t.dtype, dims: Vec::new(), units: Vec::new() };
        for (p, d) in t.dims.iter().enumerate() {
            if positions.contains(&p) {
                if keep {
                    out.units.push(out.dims.len());
                    out.dims.push(Dim::plain(1));
                }
            } else {
                if t.units.contains(&p) {
                    out.units.push(out.dims.len());
                }
                out.dims.push(d.clone());
            }
        }
        Val::Tensor(out)
    }

    /// A contraction of any number of operands, pairwise from the left.
    pub(super) fn einsum(&mut self, spec: &Einsum, ts: &[TensorVal], dims_of: &dyn Fn(char) -> Dim, span: Span) -> Val {
        let mut subscripts: Vec<Vec<char>> = spec.operands.clone();
        let mut values: Vec<ValueId> = Vec::new();
        for t in ts {
            let Some(t) = self.solid(t, span) else { return Val::Error };
            values.push(t.id);
        }
        while values.len() > 1 {
            let last = values.len() == 2;
            let result: Vec<char> = if last {
                spec.result.clone()
            } else {
                // What a later operand or the result still needs.
                let mut r: Vec<char> = subscripts[0].clone();
                r.extend(subscripts[1].iter().filter(|c| !subscripts[0].contains(c)));
                r.retain(|c| spec.result.contains(c) || subscripts[2..].iter().any(|l| l.contains(c)));
                r
            };
            let (x, lx) = self.untranspose(values[0], &subscripts[0]);
            let (y, ly) = self.untranspose(values[1], &subscripts[1]);
            let step = Einsum::new(vec![lx, ly], result.clone());
            let Some(v) = self.emit(Op::DotGeneral(step), &[x, y], span) else { return Val::Error };
            values.splice(0..2, [v]);
            subscripts.splice(0..2, [result]);
        }
        let (Some(&v), Some(have)) = (values.first(), subscripts.first()) else { return Val::Error };
        let dims: Vec<Dim> = spec.result.iter().map(|&c| dims_of(c)).collect();
        // One operand, or the last of several: sum what is left over and put the rest in order.
        let summed: Vec<usize> = (0..have.len()).filter(|&i| !spec.result.contains(&have[i])).collect();
        let kept: Vec<char> = have.iter().copied().filter(|c| spec.result.contains(c)).collect();
        let v = if summed.is_empty() {
            Some(v)
        } else {
            self.emit(Op::Reduce { kind: Reduction::Sum, dims: summed }, &[v], span)
        };
        let Some(v) = v else { return Val::Error };
        let perm: Vec<usize> = spec.result.iter().filter_map(|c| kept.iter().position(|k| k == c)).collect();
        let v = if perm.iter().enumerate().all(|(i, &p)| i == p) {
            Some(v)
        } else {
            self.emit(Op::Transpose { perm }, &[v], span)
        };
        match v {
            Some(id) => Val::Tensor(TensorVal { id, dtype: self.builder.ty(id).dtype, dims, units: Vec::new() }),
            None => Val::Error,
        }
    }

    /// The operand behind a transpose, with the subscripts of its dims in its own order.
    fn untranspose(&self, v: ValueId, subscripts: &[char]) -> (ValueId, Vec<char>) {
        let def = self.builder.func.def_op(v).map(|o| self.builder.func.op(o));
        match def.map(|d| (&d.op, &d.operands)) {
            Some((Op::Transpose { perm }, operands)) => {
                let mut own = subscripts.to_vec();
                for (i, &p) in perm.iter().enumerate() {
                    own[p] = subscripts[i];
                }
                (operands[0], own)
            }
            _ => (v, subscripts.to_vec()),
        }
    }

    /// Entry `i` of dim 0, without that dim.
    pub(super) fn entry_at(&mut self, t: &TensorVal, i: u64, span: Span) -> Option<TensorVal> {
        let t = self.solid(t, span)?;
        let mut start = vec![0; t.rank()];
        let mut limit = t.shape();
        start[0] = i;
        limit[0] = i + 1;
        let v = self.emit(Op::Slice { start, limit }, &[t.id], span)?;
        let dims = t.dims[1..].to_vec();
        let shape: Vec<u64> = dims.iter().map(|d| d.size).collect();
        let id = self.emit(Op::Reshape { shape }, &[v], span)?;
        Some(TensorVal { id, dtype: t.dtype, dims, units: Vec::new() })
    }

    /// The type of a tensor as the IR writes it.
    pub(super) fn ir_type(t: &TensorVal) -> TensorType {
        TensorType::new(t.dtype, t.shape())
    }
}
