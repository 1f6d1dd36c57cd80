//! tanh where only its distance from a number of about 1 matters, as in GELU, `x / 2 * (1 + tanh(u))`, and in its gradient,
//! `1 - tanh(u)^2`. A GPU computes it from one exponential and one reciprocal there, with a quarter of the instructions of a tanh that
//! is accurate around zero.

use super::builder::{Builder, ElemKind, Ty, Val};
use crate::expr::{Body, Elem, Node, NodeId, constant_as_f64};

/// Whether a tanh is only added to and subtracted from constants of at least 1, itself or its square.
pub fn is_beside_one(body: &Body, tanh: NodeId) -> bool {
    body.outputs.iter().all(|o| o.node != tanh)
        && uses(body, tanh).all(|id| is_distance(body, id) || is_square(body, id) && distances(body, id))
}

fn uses(body: &Body, of: NodeId) -> impl Iterator<Item = NodeId> {
    let ids = (0..body.nodes.len() as u32).map(NodeId);
    ids.filter(move |id| body.args(*id).contains(&of))
}

fn distances(body: &Body, square: NodeId) -> bool {
    body.outputs.iter().all(|o| o.node != square) && uses(body, square).all(|id| is_distance(body, id))
}

fn is_square(body: &Body, id: NodeId) -> bool {
    matches!(&body.nodes[id.index()], Node::Elem { op: Elem::Multiply, args, .. } if args[0] == args[1])
}

/// A sum or a difference, of which one argument is a constant of at least 1.
fn is_distance(body: &Body, id: NodeId) -> bool {
    let one = |a: &NodeId| match &body.nodes[a.index()] {
        Node::Const { dtype, bits } => constant_as_f64(*dtype, *bits).abs() >= 1.0,
        _ => false,
    };
    match &body.nodes[id.index()] {
        Node::Elem { op: Elem::Add | Elem::Subtract, args, .. } => args.iter().any(one),
        _ => false,
    }
}

const LOG2_E: f64 = std::f64::consts::LOG2_E;

/// `2 / (1 + 2^(-2 log2(e) x)) - 1` of f32: off by at most [`ERROR`], and within [-1, 1] by as much.
pub fn emit(b: &mut Builder, x: Val) -> Val {
    let ty = b.ty(x);
    let scale = b.number(ty, -2.0 * LOG2_E);
    let x = b.binary("mulf", x, scale);
    let e = approximate(b, "ex2.approx.ftz.f32", x);
    let (one, two, minus) = (b.number(ty, 1.0), b.number(ty, 2.0), b.number(ty, -1.0));
    let sum = b.binary("addf", e, one);
    let half = approximate(b, "rcp.approx.ftz.f32", sum);
    b.multiply_add(half, two, minus)
}

/// How far off it is with `ex2` off by 2^-22 of its result, and `rcp` by a unit in the last place, as the PTX ISA allows.
#[cfg(test)]
const ERROR: f64 = 1.0 / (1 << 20) as f64;

/// An instruction of one f32 on each lane.
fn approximate(b: &mut Builder, instruction: &str, x: Val) -> Val {
    let (ty, one) = (b.ty(x), Ty::scalar(ElemKind::F32));
    let text = format!("llvm.inline_asm \"{instruction} $0, $1;\", \"=f,f\"");
    if ty.lanes == 0 {
        return b.op(one, format_args!("{text} %{} : (f32) -> f32", x.number()));
    }
    let lanes: Vec<Val> = (0..ty.lanes)
        .map(|lane| {
            let x = b.extract(x, lane);
            b.op(one, format_args!("{text} %{} : (f32) -> f32", x.number()))
        })
        .collect();
    b.elements(&lanes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Access, DType};

    #[test]
    fn it_is_as_close_as_its_uses_need() {
        let moved =
            |x: f32, ulps: i32| if x.is_finite() { f32::from_bits((x.to_bits() as i32 + ulps) as u32) } else { x };
        let tanh = |x: f32, (ex2, rcp): (i32, i32)| -> f32 {
            let e = f64::from(x * (-2.0 * LOG2_E) as f32).exp2() as f32;
            // With `ftz`, subnormal numbers are 0.
            let e = if e < f32::MIN_POSITIVE { 0.0 } else { moved(e, ex2) };
            moved((1.0 / f64::from(e + 1.0)) as f32, rcp).mul_add(2.0, -1.0)
        };
        let mut worst: f64 = 0.0;
        for i in -400_000..=400_000 {
            let x = i as f32 * 1e-4;
            for off in [(0, 0), (4, 1), (4, -1), (-4, 1), (-4, -1)] {
                worst = worst.max((f64::from(tanh(x, off)) - f64::from(x).tanh()).abs());
            }
        }
        assert!(worst <= ERROR && worst > ERROR / 8.0, "{worst:e}");
        assert_eq!((tanh(f32::NEG_INFINITY, (0, 0)), tanh(f32::INFINITY, (0, 0))), (-1.0, 1.0));
        assert_eq!((tanh(-200.0, (0, 0)), tanh(200.0, (0, 0))), (-1.0, 1.0));
        assert!(tanh(f32::NAN, (0, 0)).is_nan());
    }

    /// What a body makes of a tanh: `1 + t`, `1 - t * t`, `x * t`.
    fn used(kinds: &[&str]) -> bool {
        let mut body = Body::new(&[DType::F32]);
        let x = body.leaf(Access::new(0, &[1]));
        let (t, one) = (body.elem(Elem::Tanh, &[x]), body.constant(DType::F32, 1.0));
        for kind in kinds {
            let y = match *kind {
                "sum" => body.elem(Elem::Add, &[one, t]),
                "product" => body.elem(Elem::Multiply, &[x, t]),
                "square" => body.elem(Elem::Multiply, &[t, t]),
                "difference" => {
                    let square = body.elem(Elem::Multiply, &[t, t]);
                    body.elem(Elem::Subtract, &[one, square])
                }
                _ => t,
            };
            let to = body.buffer(DType::F32);
            body.output(y, Access::new(to, &[1]));
        }
        is_beside_one(&body, t)
    }

    #[test]
    fn uses_that_need_more_are_found() {
        assert!(used(&["sum"]) && used(&["sum", "difference"]));
        for more in ["product", "square", "itself"] {
            assert!(!used(&["sum", more, "difference"]), "{more}");
        }
    }
}
