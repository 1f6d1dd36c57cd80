//! Sliding windows over a dim (`windows`), and a dim from its end to its start (`reverse`).
//!
//! Windows are a view. Each dim that a convolution or a pooling slides over becomes two: the places where a window stands, and
//! the places inside a window. A convolution is then a contraction and a pooling a reduction. So all that is known of
//! contractions and reductions holds: how they are split, which sums devices add, which kernels compute them. The kernels read
//! through the view. Nothing is repeated in memory, except what a contraction packs for itself.
//!
//! In the factor rule the dim itself is blocked. If the dim is split, a device needs only the borders of its neighbours. That is
//! algebra, with a law of its own (`window-blocks`): windows in each block, with what the blocks beside it send.

use super::{BASE, Class, Cost, FLOAT, GradCx, INT, NO_TEXT, OpDef, Text, arity, attrs};
use crate::builder::Builder;
use crate::graph::ValueId;
use crate::index_map::{At, IndexMap, Part};
use crate::layout::Reduction;
use crate::op::Op;
use crate::text::show_scalar;
use crate::types::{DType, Scalar, TensorType};
use crate::verify::MAX_ELEMENTS;
use std::cmp::Ordering;

/// The entries of this family.
pub static ENTRIES: &[&OpDef] = &[&WINDOWS, &REVERSE];

/// More than any tensor has elements.
const MAX_SPAN: u64 = 1 << 50;

/// How windows lie on a dim of `n` elements: place `k` of window `i` is element `i * stride + k * dilation - low`, and `fill`
/// where that is no element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Window {
    /// Places in a window.
    pub size: u64,
    /// From one window to the next.
    pub stride: u64,
    /// From one place in a window to the next.
    pub dilation: u64,
    /// What lies before the first element, and behind the last; less than nothing is cut off.
    pub low: i64,
    pub high: i64,
    pub fill: Scalar,
}

impl Window {
    /// Elements from the first place of a window to its last.
    pub fn span(&self) -> u64 {
        (self.size.max(1) - 1).saturating_mul(self.dilation).saturating_add(1)
    }

    /// How many windows there are along a dim of `n`.
    ///
    /// # Errors
    /// A sentence: sizes that are none, or more cut off than there is.
    pub fn count(&self, n: u64) -> Result<u64, String> {
        if self.size == 0 || self.stride == 0 || self.dilation == 0 {
            return Err("the size, stride and dilation of a window are 1 or more".to_string());
        }
        if self.span() > MAX_SPAN {
            return Err(format!("a window spans {} elements", self.span()));
        }
        let padded = i128::from(n) + i128::from(self.low) + i128::from(self.high);
        let padded = u64::try_from(padded).map_err(|_| format!("the padding cuts off more than the {n} elements"))?;
        Ok(padded.checked_sub(self.span()).map_or(0, |rest| rest / self.stride + 1))
    }

    /// Whether places beyond the ends can be read.
    pub fn pads(&self) -> bool {
        self.low > 0 || self.high > 0
    }
}

fn window(op: &Op) -> (usize, Window) {
    attrs!(op, Op::Windows { dim, window } => (*dim, *window))
}

/// Where the gradient of a window's places goes: to each element the sum over the windows that have it, at the place where
/// they have it. With the windows as far apart as they stand, that is a window over them, read along its diagonal.
fn gradient(b: &mut Builder, cx: &GradCx<'_>) -> ValueId {
    let (dim, w) = window(cx.op);
    let n = b.shape(cx.operands[0])[dim] as i64;
    let mut shape = b.shape(cx.ct);
    let mut x = cx.ct;
    if w.stride > 1 {
        let mut apart = shape.clone();
        apart.insert(dim + 1, 1);
        x = b.reshape(x, &apart);
        let (low, mut high) = (vec![0; apart.len()], vec![0; apart.len()]);
        high[dim + 1] = w.stride - 1;
        x = b.op(Op::Pad { low, high }, &[x]);
        shape[dim] *= w.stride;
        x = b.reshape(x, &shape);
    }
    // Place `k` from the end of such a window is place `size - 1 - k` of those it passes.
    let low = (w.span() - 1) as i64 - w.low;
    let high = n + (w.span() - 1) as i64 - shape[dim] as i64 - low;
    let fill = Scalar::of(b.ty(x).dtype, 0.0);
    let x = b.op(Op::Windows { dim, window: Window { stride: 1, low, high, fill, ..w } }, &[x]);
    let shape = b.shape(x);
    let iota =
        |b: &mut Builder, dim| b.op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: vec![] }, &[]);
    let (from_end, at) = (iota(b, dim + 1), iota(b, dim + 2));
    let sum = b.add(from_end, at);
    let last = b.constant_like(sum, w.size as f64 - 1.0);
    let diagonal = b.elem("compare_eq", &[sum, last]);
    let zero = b.constant_like(x, 0.0);
    let kept = b.select(diagonal, x, zero);
    b.reduce(Reduction::Sum, kept, &[dim + 1, dim + 2])
}

pub static WINDOWS: OpDef = OpDef {
    name: "windows",
    class: Class::Window,
    text: Text {
        show: |op, _| {
            let (dim, w) = window(op);
            let (low, high, fill) = (w.low, w.high, show_scalar(w.fill));
            let (size, stride, dilation) = (w.size, w.stride, w.dilation);
            Some(format!("dim {dim} size {size} stride {stride} dilation {dilation} pad {low}:{high} with {fill}"))
        },
        read: Some(|a| {
            let dim = a.keyed_dim("dim")?;
            let (size, stride, dilation) = (a.keyed_size("size")?, a.keyed_size("stride")?, a.keyed_size("dilation")?);
            a.c.expect_word("pad")?;
            let low = a.signed()?;
            a.c.expect(":")?;
            let high = a.signed()?;
            a.c.expect_word("with")?;
            let fill = a.scalar()?;
            Ok(Op::Windows { dim, window: Window { size, stride, dilation, low, high, fill } })
        }),
        ..NO_TEXT
    },
    check: |op, _| {
        let (_, w) = window(op);
        let sizes = [w.size, w.stride, w.dilation, w.low.unsigned_abs(), w.high.unsigned_abs()];
        sizes.iter().all(|&n| n <= MAX_ELEMENTS).then_some(()).ok_or_else(|| "`windows` are too wide".into())
    },
    cost: Cost::Result,
    along: Some((|op| window(op).0, |op, dim| Op::Windows { dim, window: window(op).1 })),
    map: Some(|op, xs, _| {
        let (dim, w) = window(op);
        let terms = vec![(dim, w.stride as i64), (dim + 1, w.dilation as i64)];
        let at = |d: usize| match d.cmp(&dim) {
            Ordering::Less => At::dim(d),
            Ordering::Equal => At { terms: terms.clone(), offset: -w.low, around: false },
            Ordering::Greater => At::dim(d + 1),
        };
        let parts = vec![Part { operand: 0, at: (0..xs[0].rank()).map(at).collect() }];
        IndexMap::Affine { parts, fill: w.pads().then_some(w.fill) }
    }),
    infer: |op, xs, _| {
        arity(op, xs, 1)?;
        let (dim, w) = window(op);
        let Some(&n) = xs[0].shape.get(dim) else { return Err(format!("windows along dim {dim} of {}", xs[0])) };
        let mut shape = xs[0].shape.clone();
        shape[dim] = w.count(n)?;
        shape.insert(dim + 1, w.size);
        Ok(TensorType::new(xs[0].dtype, shape))
    },
    grad: Some(|b, cx| vec![Some(gradient(b, cx))]),
    samples: |put| {
        let same = Window { size: 3, stride: 1, dilation: 1, low: 1, high: 1, fill: Scalar::of(FLOAT, 0.0) };
        put(Op::Windows { dim: 0, window: same }, &[(FLOAT, &[6, 4])]);
        put(Op::Windows { dim: 0, window: Window { fill: Scalar::float(-7.0), ..same } }, &[(FLOAT, &[12, 4])]);
        put(Op::Windows { dim: 1, window: Window { stride: 2, low: 0, ..same } }, &[(FLOAT, &[4, 12])]);
        put(Op::Windows { dim: 1, window: Window { dilation: 2, low: 3, ..same } }, &[(FLOAT, &[3, 12, 2])]);
        put(Op::Windows { dim: 1, window: Window { size: 6, low: 1, high: 1, ..same } }, &[(FLOAT, &[4, 6])]);
        let cut = Window { low: -1, high: 2, fill: Scalar::Int(5), ..same };
        put(Op::Windows { dim: 0, window: cut }, &[(INT, &[6, 4])]);
    },
    ..BASE
};

fn reversed(op: &Op) -> usize {
    attrs!(op, Op::Reverse { dim } => *dim)
}

pub static REVERSE: OpDef = OpDef {
    name: "reverse",
    class: Class::Move,
    text: Text {
        show: |op, _| Some(format!("dim {}", reversed(op))),
        read: Some(|a| Ok(Op::Reverse { dim: a.keyed_dim("dim")? })),
        ..NO_TEXT
    },
    cost: Cost::Fused,
    along: Some((reversed, |_, dim| Op::Reverse { dim })),
    map: Some(|op, xs, _| {
        let turned = |n: u64| At { terms: vec![(reversed(op), -1)], offset: n as i64 - 1, around: false };
        let at = |(d, &n): (usize, &u64)| if d == reversed(op) { turned(n) } else { At::dim(d) };
        IndexMap::of(xs[0].shape.iter().enumerate().map(at).collect())
    }),
    infer: |op, xs, _| {
        arity(op, xs, 1)?;
        let dim = reversed(op);
        if dim >= xs[0].rank() {
            return Err(format!("`reverse` along dim {dim} of {}", xs[0]));
        }
        Ok(xs[0].clone())
    },
    grad: Some(|b, cx| vec![Some(b.op(cx.op.clone(), &[cx.ct]))]),
    samples: |put| {
        put(Op::Reverse { dim: 0 }, &[(FLOAT, &[6, 4])]);
        put(Op::Reverse { dim: 1 }, &[(INT, &[4, 5])]);
    },
    ..BASE
};
