//! `precision: fp8`: contractions of parameters in 8 bits, in a step that is in bf16 otherwise.
//!
//! The recipe is that of "FP8 Formats for Deep Learning" (Micikevicius et al. 2022). The scale of each tensor comes
//! from the tensor itself, as in Transformer Engine's current scaling. Activations and weights are `f8e4m3`; cotangents
//! are `f8e5m2`, which has more exponent bits. `q = convert(x * (most / max |x|))`, and the contraction of `q`s, which
//! sums in f32, is divided by both scales. This concerns the matmuls of a layer: `y = x w`, `dx = dy w`, `dw = x dy`,
//! for parameters `w`. Matmuls of activations with each other, and everything in attention, stay in 16 bits.
//!
//! This comes after differentiation, since rounding has no gradient. The step is then in bf16. Which operand of an op
//! is a parameter and which is a cotangent is found by following operands to their origin. On a mesh, a scale costs a
//! maximum of one number.

use crate::precision::append;
use meshloom_ir::graph::Def;
use meshloom_ir::{DType, Einsum, Func, Literal, Op, OpId, Phase, Reduction, RegionId, Role, Scalar, ValueId};
use std::collections::BTreeMap;

/// Where an operand comes from, through moves and conversions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Parameter,
    Cotangent,
    Activation,
}

/// A tensor in 8 bits, and the factor that gives its elements their size back.
#[derive(Clone, Copy)]
struct Narrow {
    value: ValueId,
    unit: ValueId,
}

/// The largest number of a format.
fn most(dtype: DType) -> f64 {
    if dtype == DType::F8E4M3 { 448.0 } else { 57344.0 }
}

/// Puts those contractions of a step in 8 bits that the recipe names.
pub fn lower(func: &mut Func) {
    for r in 0..func.regions.len() {
        let owner = func.regions[r].owner;
        if owner.is_some_and(|o| matches!(func.op(o).op, Op::Composite { .. })) {
            continue;
        }
        let mut pass = Pass { at: RegionId(r as u32), out: Vec::new(), known: BTreeMap::new(), func };
        for o in std::mem::take(&mut pass.func.regions[r].ops) {
            if let Some(formats) = pass.formats(o) {
                pass.contraction(o, formats);
            }
            pass.out.push(o);
        }
        pass.func.regions[r].ops = std::mem::take(&mut pass.out);
    }
}

struct Pass<'a> {
    func: &'a mut Func,
    at: RegionId,
    out: Vec<OpId>,
    /// Each tensor is made narrow once in a region.
    known: BTreeMap<(ValueId, DType), Narrow>,
}

impl Pass<'_> {
    fn source(&self, v: ValueId) -> Source {
        match self.func.value(v).def {
            Def::Arg(Func::BODY, i) => match self.func.inputs[i as usize].role {
                Role::Parameter => Source::Parameter,
                _ => Source::Activation,
            },
            Def::Arg(region, i) => {
                let Some(owner) = self.func.region(region).owner.map(|o| self.func.op(o)) else {
                    return Source::Activation;
                };
                match owner.op {
                    Op::Repeat { carries, .. } if i as usize >= carries => {
                        owner.operands.get(i as usize).map_or(Source::Activation, |&x| self.source(x))
                    }
                    _ if owner.phase == Phase::Backward => Source::Cotangent,
                    _ => Source::Activation,
                }
            }
            Def::Op(o, i) => {
                let data = self.func.op(o);
                match &data.op {
                    // A rounded weight that a forward loop keeps.
                    Op::Repeat { carries, .. }
                        if i as usize >= *carries
                            && self.source(self.func.region(data.regions[0]).yields[i as usize])
                                == Source::Parameter =>
                    {
                        Source::Parameter
                    }
                    Op::Convert { .. } => self.source(data.operands[0]),
                    op if op.is_view() => self.source(data.operands[0]),
                    _ if data.phase == Phase::Backward => Source::Cotangent,
                    _ => Source::Activation,
                }
            }
        }
    }

    /// The formats of a contraction's operands, if it is one of a layer.
    fn formats(&self, o: OpId) -> Option<[DType; 2]> {
        use Source::{Activation, Cotangent, Parameter};
        let data = self.func.op(o);
        let (Op::DotGeneral(_), &[a, b]) = (&data.op, &data.operands[..]) else { return None };
        if [a, b].iter().any(|v| self.func.ty(*v).dtype != DType::BF16) {
            return None;
        }
        match (self.source(a), self.source(b)) {
            (Parameter, Activation) | (Activation, Parameter) => Some([DType::F8E4M3, DType::F8E4M3]),
            (Parameter, Cotangent) => Some([DType::F8E4M3, DType::F8E5M2]),
            (Cotangent, Parameter) => Some([DType::F8E5M2, DType::F8E4M3]),
            (Activation, Cotangent) if data.weight_grad => Some([DType::F8E4M3, DType::F8E5M2]),
            (Cotangent, Activation) if data.weight_grad => Some([DType::F8E5M2, DType::F8E4M3]),
            _ => None,
        }
    }

    /// Replaces `o` by an op that gives its result its size back.
    fn contraction(&mut self, o: OpId, formats: [DType; 2]) {
        let data = self.func.op(o).clone();
        let Op::DotGeneral(e) = data.op else { return };
        let to = self.func.ty(data.results[0]).dtype;
        let [a, b] = [0, 1].map(|i| self.narrow(o, data.operands[i], formats[i]));
        let product = self.emit(o, Op::DotGeneral(Einsum { to: Some(to), ..e }), &[a.value, b.value]);
        if let Some(Def::Op(dot, _)) = Some(self.func.value(product).def) {
            self.func.ops[dot.index()].weight_grad = data.weight_grad;
        }
        let unit = self.elem(o, "multiply", &[a.unit, b.unit]);
        let wide = self.convert(o, product, DType::F32);
        let unit = self.spread(o, unit, wide);
        let op = &mut self.func.ops[o.index()];
        op.weight_grad = false;
        if to == DType::F32 {
            op.op = multiply();
            op.operands = vec![wide, unit];
            return;
        }
        let whole = self.elem(o, "multiply", &[wide, unit]);
        let op = &mut self.func.ops[o.index()];
        op.op = Op::Convert { to };
        op.operands = vec![whole];
    }

    fn narrow(&mut self, o: OpId, x: ValueId, to: DType) -> Narrow {
        if let Some(&known) = self.known.get(&(x, to)) {
            return known;
        }
        let wide = self.convert(o, x, DType::F32);
        let size = self.elem(o, "abs", &[wide]);
        let dims = (0..self.func.ty(size).rank()).collect();
        let largest = self.emit(o, Op::Reduce { kind: Reduction::Max, dims }, &[size]);
        let (zero, limit) = (self.number(o, 0.0), self.number(o, most(to)));
        // Zeros have any scale.
        let some = self.elem(o, "compare_gt", &[largest, zero]);
        let largest = self.elem(o, "select", &[some, largest, limit]);
        let scale = self.elem(o, "divide", &[limit, largest]);
        let unit = self.elem(o, "divide", &[largest, limit]);
        let scale = self.spread(o, scale, wide);
        let scaled = self.elem(o, "multiply", &[wide, scale]);
        let value = self.emit(o, Op::Convert { to }, &[scaled]);
        let narrow = Narrow { value, unit };
        self.known.insert((x, to), narrow);
        narrow
    }

    fn emit(&mut self, like: OpId, op: Op, operands: &[ValueId]) -> ValueId {
        let (span, phase) = (self.func.op(like).span, self.func.op(like).phase);
        let id = append(self.func, self.at, op, operands.to_vec(), span, phase);
        self.out.push(id);
        self.func.op(id).results[0]
    }

    fn elem(&mut self, like: OpId, name: &str, operands: &[ValueId]) -> ValueId {
        let op = Op::elem(name).unwrap_or_else(|| panic!("no elementwise op `{name}` in the table"));
        self.emit(like, op, operands)
    }

    fn convert(&mut self, like: OpId, x: ValueId, to: DType) -> ValueId {
        if self.func.ty(x).dtype == to { x } else { self.emit(like, Op::Convert { to }, &[x]) }
    }

    fn number(&mut self, like: OpId, x: f64) -> ValueId {
        let value = Literal::Splat(Scalar::float(x));
        self.emit(like, Op::Constant { dtype: DType::F32, shape: Vec::new(), value }, &[])
    }

    fn spread(&mut self, like: OpId, scalar: ValueId, over: ValueId) -> ValueId {
        let shape = self.func.ty(over).shape.clone();
        self.emit(like, Op::Broadcast { shape, dims: Vec::new() }, &[scalar])
    }
}

fn multiply() -> Op {
    Op::elem("multiply").unwrap_or_else(|| panic!("no `multiply` in the table"))
}
