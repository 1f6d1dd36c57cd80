//! The gradient of what a convolution reads. The gradient of windows adds up, for each element, what all windows that have it give to
//! it ([`meshloom_ir::table::window`]): a sum along the diagonal of windows of a tensor with a dim of taps. Where that tensor is a
//! contraction with a filter, windows of what is contracted do as well, with the filter turned round: no tensor with a dim of taps is
//! built, and a split dim has the borders of one tap to exchange, not of all.
//!
//! Not here: windows in blocks ([`super::windows`]).

use super::graph::{Algebra, Rule};
use super::law;
use meshloom_ir::table::window::Window;
use meshloom_ir::{Arithmetic, Einsum, Literal, Op, OpData, OpId, Reduction, Scalar, ValueId};

pub const RULES: &[Rule] = &[Rule {
    name: "taps",
    about: "the gradient of windows of a contraction's operand is a contraction of windows with the other operand reversed",
    reassociates: true,
    apply: taps,
}];

/// The sum along the diagonal of windows, of which a product's dims `dim` (places) and `dim + 1` (taps) are made.
struct Diagonal {
    dim: usize,
    window: Window,
    /// From one place to the next, between which zeros were put.
    stride: u64,
    product: ValueId,
}

fn taps(a: &mut Algebra<'_>, o: OpId) {
    let Some(found) = diagonals(a, o) else { return };
    for d in found {
        for m in a.definitions(d.product) {
            let OpData { op: Op::DotGeneral(e), operands, .. } = a.op(m).clone() else { continue };
            let &[x, y] = &operands[..] else { continue };
            if !a.first("taps", o, m) {
                continue;
            }
            let form = form(a, o, &d, &e, [x, y]);
            a.equate(o, form, law::WINDOW_PRODUCT);
        }
    }
}

/// What `o` is, if it is such a sum: with the tensor before zeros were put between places, and with the one that has them.
fn diagonals(a: &Algebra<'_>, o: OpId) -> Option<Vec<Diagonal>> {
    let Op::Reduce { kind: Reduction::Sum, dims } = &a.op(o).op else { return None };
    let &[first, second] = &dims[..] else { return None };
    let dim = first.checked_sub(1).filter(|_| second == first + 1)?;
    let x = a.op(o).operands[0];
    let (diagonal, kept, zero) = a.defined_by(x, |d| match (&d.op, &d.operands[..]) {
        (op, &[p, x, z]) if op.arithmetic() == Arithmetic::Select => Some((p, x, z)),
        _ => None,
    })?;
    let window = |d: &OpData| match d.op {
        Op::Windows { dim: at, window } if at == dim && window.stride == 1 => Some((window, d.operands[0])),
        _ => None,
    };
    let (window, apart) = a.defined_by(kept, window)?;
    let zeros = |v: ValueId| a.splat(v).is_some_and(|v| is(&v, 0.0));
    if !zeros(zero) || !is(&Literal::Splat(window.fill), 0.0) || !on_diagonal(a, diagonal, first, window.size) {
        return None;
    }
    let mut found = vec![Diagonal { dim, window, stride: 1, product: apart }];
    if let Some((product, stride)) = stretched(a, apart, dim) {
        found.push(Diagonal { dim, window, stride, product });
    }
    Some(found)
}

fn is(value: &Literal, x: f64) -> bool {
    matches!(value, Literal::Splat(s) if *s == Scalar::float(x) || *s == Scalar::Int(x as i64))
}

/// Whether `v` says where the indices of dims `dim` and `dim + 1` add up to `size - 1`.
fn on_diagonal(a: &Algebra<'_>, v: ValueId, dim: usize, size: u64) -> bool {
    let pair = |v: ValueId, name: &str| {
        let op = Op::elem(name)?;
        a.defined_by(v, |d| (d.op == op).then(|| (d.operands[0], d.operands[1])))
    };
    let Some((sum, last)) = pair(v, "compare_eq") else { return false };
    let along = |v: ValueId| a.defined_by(v, |d| if let Op::Iota { dim, .. } = d.op { Some(dim) } else { None });
    let indices = pair(sum, "add").is_some_and(|(x, y)| along(x) == Some(dim) && along(y) == Some(dim + 1));
    indices && a.splat(last).is_some_and(|v| is(&v, size as f64 - 1.0))
}

/// The tensor between whose places along `dim` zeros were put, and how far apart they are now.
fn stretched(a: &Algebra<'_>, v: ValueId, dim: usize) -> Option<(ValueId, u64)> {
    let reshaped = |v: ValueId| a.defined_by(v, |d| matches!(d.op, Op::Reshape { .. }).then(|| d.operands[0]));
    let padded = reshaped(v)?;
    let (wide, high) = a.defined_by(padded, |d| match &d.op {
        Op::Pad { low, high } if low.iter().all(|&n| n == 0) => Some((d.operands[0], high.clone())),
        _ => None,
    })?;
    let stride = high.get(dim + 1)? + 1;
    let alone = high.iter().enumerate().all(|(d, &n)| n == 0 || d == dim + 1);
    let x = reshaped(wide)?;
    let [mut apart, mut all] = [a.shape(x).to_vec(), a.shape(x).to_vec()];
    apart.insert(dim + 1, 1);
    all[dim] *= stride;
    (alone && a.shape(wide) == apart && a.shape(v) == all).then_some((x, stride))
}

fn form(a: &mut Algebra<'_>, o: OpId, d: &Diagonal, e: &Einsum, operands: [ValueId; 2]) -> Option<ValueId> {
    let (place, tap) = (*e.result.get(d.dim)?, *e.result.get(d.dim + 1)?);
    let of_tap = usize::from(e.operands[1].contains(&tap));
    let of_place = 1 - of_tap;
    let at = e.operands[of_place].iter().position(|&c| c == place)?;
    let turned = e.operands[of_tap].iter().position(|&c| c == tap)?;
    if e.operands[of_place].contains(&tap) || e.operands[of_tap].contains(&place) {
        return None;
    }
    let mut x = operands[of_place];
    if d.stride > 1 {
        let mut all = a.shape(x).to_vec();
        let mut apart = all.clone();
        apart.insert(at + 1, 1);
        all[at] *= d.stride;
        let (low, mut high) = (vec![0; apart.len()], vec![0; apart.len()]);
        high[at + 1] = d.stride - 1;
        x = a.make(o, Op::Reshape { shape: apart }, &[x])?;
        x = a.make(o, Op::Pad { low, high }, &[x])?;
        x = a.make(o, Op::Reshape { shape: all }, &[x])?;
    }
    let fill = Scalar::of(a.ty(x).dtype, 0.0);
    let x = a.make(o, Op::Windows { dim: at, window: Window { fill, ..d.window } }, &[x])?;
    let y = a.make(o, Op::Reverse { dim: turned }, &[operands[of_tap]])?;
    let mut spec = e.clone();
    spec.operands[of_place].insert(at + 1, tap);
    spec.result.remove(d.dim + 1);
    let both = if of_tap == 1 { [x, y] } else { [y, x] };
    a.make(o, Op::DotGeneral(spec), &both)
}
