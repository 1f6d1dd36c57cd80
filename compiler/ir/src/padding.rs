//! What pads the blocks of an uneven dim.
//!
//! A dim of n that its k blocks do not divide has blocks of ceil(n / k). The last blocks are short or empty. What lies beyond the
//! end is unspecified and may be NaN. Ops that keep the dim compute on the padding too, and nothing reads the result. An op that
//! contracts or reduces the dim would add the padding in. Before such an op a `pad_mask` puts the identity of the reduction there.
//!
//! Two rules say where masks are needed. [`needs`] says which operands of which local form need what. [`after_op`] and
//! [`after_move`] say what is known of a result's padding, so that no mask is asked for where the padding is right already. Both
//! rules are part of what certificates rest on, and are tested numerically like the factor rules. What is known is always a
//! finite number or the fill of a mask; everything else counts as unspecified.

use crate::factor::{Assignment, FactorKind, FactorRule};
use crate::layout::{Layout, Reduction};
use crate::mesh::{Axis, Mesh};
use crate::op::Op;
use crate::table::comm::Effect;
use crate::table::contract::identity_of;
use crate::table::{self, Class, EvalCx};
use crate::tensor::{Data, Tensor};
use crate::types::{DType, Literal, Scalar, TensorType};

/// What is known of the elements of a shard that lie beyond the end of the tensor. One that is beyond the end of several dims
/// is what is said of each of them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Padding {
    /// Every element, padding or not.
    all: Option<Scalar>,
    /// By dim; absent dims are unspecified.
    dims: Vec<Option<Scalar>>,
}

impl Padding {
    pub const UNSPECIFIED: Padding = Padding { all: None, dims: Vec::new() };

    /// What all elements beyond the end of `dim` hold.
    pub fn holds(&self, dim: usize) -> Option<Scalar> {
        self.all.or_else(|| self.dims.get(dim).copied().flatten())
    }

    /// Whether the padding of `dim` changes nothing in a reduction.
    pub fn is_identity(&self, dim: usize, kind: Reduction, dtype: DType) -> bool {
        self.holds(dim).is_some_and(|x| is_identity(x, kind, dtype))
    }

    fn keep(&self, dims: usize, mut good: impl FnMut(usize, Scalar) -> bool) -> Padding {
        Padding { all: None, dims: (0..dims).map(|d| self.holds(d).filter(|&x| good(d, x))).collect() }
    }
}

fn is_identity(x: Scalar, kind: Reduction, dtype: DType) -> bool {
    match (x, identity_of(kind, dtype)) {
        // Either zero.
        (Scalar::Float(a), Scalar::Float(b)) => f64::from_bits(a) == f64::from_bits(b),
        (a, b) => a == b,
    }
}

/// What a local form asks of an operand: in its dim `dim`, of `size` split by `axes`, padding that is the identity of `kind`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Need {
    pub operand: usize,
    pub dim: usize,
    pub size: u64,
    pub axes: Vec<Axis>,
    pub kind: Reduction,
}

impl Need {
    pub fn mask(&self) -> Op {
        Op::PadMask { axes: self.axes.clone(), dim: self.dim, size: self.size, kind: self.kind }
    }
}

/// What the local form of a global op under an assignment asks of its operands.
pub fn needs(op: &Op, rule: &FactorRule, a: &Assignment, mesh: &Mesh) -> Vec<Need> {
    let mut out = Vec::new();
    for (&f, axes) in &a.factors {
        let (size, kind) = match rule.kinds[f] {
            FactorKind::Reduced(kind) => (rule.sizes[f], kind),
            // The zeros behind the end are what pads the last blocks.
            FactorKind::Resized(from) if from < rule.sizes[f] => (from, Reduction::Sum),
            _ => continue,
        };
        if size.is_multiple_of(mesh.group_size(axes)) {
            continue;
        }
        for (operand, dims) in rule.operands.iter().enumerate() {
            let unread = match op {
                // Indices are clamped to the true count of rows.
                Op::Gather { .. } => true,
                // Clamped as well, and what is added for them is zero.
                Op::Scatter { .. } => operand == 0,
                _ => false,
            };
            for (dim, _) in dims.iter().enumerate().filter(|d| !unread && d.1.contains(&f)) {
                out.push(Need { operand, dim, size, axes: axes.clone(), kind });
            }
        }
    }
    out
}

/// What is known of the result of a global op's local form, given its operands.
pub fn after_op(op: &Op, rule: &FactorRule, operands: &[(&Padding, DType)], rank: usize) -> Padding {
    let Some(&(first, dtype)) = operands.first() else {
        let all = match op {
            Op::Constant { value: Literal::Splat(x), .. } => Some(*x),
            _ => None,
        };
        return Padding { all, ..Padding::UNSPECIFIED };
    };
    match op {
        Op::Constrain(_) => first.clone(),
        op if op.class() == Class::Elementwise => {
            let computed = |of: &dyn Fn(&Padding) -> Option<Scalar>| {
                let xs: Option<Vec<(DType, Scalar)>> = operands.iter().map(|(p, t)| Some((*t, of(p)?))).collect();
                xs.and_then(|xs| compute(op, &xs))
            };
            Padding { all: computed(&|p| p.all), dims: (0..rank).map(|d| computed(&|p| p.holds(d))).collect() }
        }
        op if op.class() == Class::View => Padding { all: first.all, dims: carried(rule, first) },
        Op::Reduce { kind, .. } => {
            let dims = carried(rule, first);
            Padding { all: None, dims: dims.into_iter().map(|x| x.filter(|&x| is_identity(x, *kind, dtype))).collect() }
        }
        // No index is one of a padding row, so they stay zero.
        Op::Scatter { .. } => Padding { all: None, dims: vec![Some(Scalar::float(0.0))] },
        _ => Padding::UNSPECIFIED,
    }
}

/// A one-step conversion of a tensor of `shape` from a layout, with the sizes that it needs where dims do not divide. `None`
/// where a block of all axes of a dim would lie across two blocks of those that stay.
pub fn sized(op: &Op, from: &Layout, shape: &[u64], mesh: &Mesh) -> Option<Op> {
    let gathered = |axes: &[Axis], dim: usize| {
        let major = from.dims.get(dim)?.len().checked_sub(axes.len())?;
        let (outer, all) = (mesh.group_size(&from.dims[dim][..major]), mesh.group_size(&from.dims[dim]));
        let (whole, blocks) = (shape[dim].div_ceil(outer), shape[dim].div_ceil(all) * (all / outer));
        from.nests(dim, shape[dim], major, mesh).then(|| (whole != blocks).then_some(whole))
    };
    let splits = |axes: &[Axis], dim: usize| {
        let mut to = from.clone();
        to.dims.get_mut(dim)?.extend(axes);
        to.nests(dim, shape[dim], from.dims[dim].len(), mesh).then_some(())
    };
    let (axes, effect) = (op.collective_axes().unwrap_or_default(), op.effect());
    if let Some(dim) = effect.split {
        splits(axes, dim)?;
    }
    Some(match (effect.gathered, op.entry().group) {
        (Some((dim, _)), Some(group)) => (group.with_size)(op, gathered(axes, dim)?),
        _ => op.clone(),
    })
}

/// What is known after an op that moves a tensor between layouts.
pub fn after_move(op: &Op, x: &Padding, ty: &TensorType) -> Padding {
    let rank = ty.rank();
    match op {
        Op::PadMask { dim, kind, .. } => {
            // An element beyond the end of two dims is overwritten too.
            let fill = identity_of(*kind, ty.dtype);
            let mut after = x.keep(rank, |_, old| old == fill);
            after.dims[*dim] = Some(fill);
            after
        }
        Op::PartialSplit { .. } => x.keep(rank, |_, old| is_identity(old, Reduction::Sum, ty.dtype)),
        op => match op.effect() {
            Effect { reduced: Some(kind), gathered: None, split: None } => {
                x.keep(rank, |_, old| is_identity(old, kind, ty.dtype))
            }
            Effect { reduced: None, gathered: Some((dim, _)), split: None } => x.keep(rank, |d, _| d != dim),
            // A new split makes new padding, in the corners of the old one too.
            _ => Padding::UNSPECIFIED,
        },
    }
}

/// What the dims of a result hold that are dims of the first operand.
fn carried(rule: &FactorRule, x: &Padding) -> Vec<Option<Scalar>> {
    let only = |factors: &[usize]| match *factors {
        [f] => Some(f),
        _ => {
            let mut real = factors.iter().copied().filter(|&f| rule.sizes[f] != 1);
            real.next().filter(|_| real.next().is_none())
        }
    };
    // What was cut off pads the last blocks now.
    let same = |f: &usize| !matches!(rule.kinds[*f], FactorKind::Resized(_));
    let from = |f: usize| rule.operands[0].iter().position(|dim| only(dim) == Some(f));
    rule.results[0].iter().map(|dim| x.holds(from(only(dim).filter(same)?)?)).collect()
}

/// An elementwise op on scalars. Kernels are exact on finite numbers alone.
fn compute(op: &Op, xs: &[(DType, Scalar)]) -> Option<Scalar> {
    let finite = |x: Scalar| x.as_f64().is_finite();
    if !xs.iter().all(|x| finite(x.1)) {
        return None;
    }
    let literal = |&(dtype, x): &(DType, Scalar)| Tensor::literal(&TensorType::scalar(dtype), &Literal::Splat(x));
    let tensors: Vec<Tensor> = xs.iter().map(literal).collect();
    let cx = EvalCx { mesh: &Mesh::default(), device: 0 };
    let out = (table::def(op)?.eval)(op, &tensors.iter().collect::<Vec<_>>(), &cx);
    let out = match out.data {
        Data::Float(v) => Scalar::float(v[0]),
        Data::Int(v) => Scalar::Int(v[0]),
    };
    finite(out).then_some(out)
}
