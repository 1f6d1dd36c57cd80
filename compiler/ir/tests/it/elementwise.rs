//! Values of the elementwise ops. A new row of the table needs a line in [`CASES`]; its factor rule (rules.rs), gradient
//! (gradients.rs) and lowering (below) are tested from the row itself.

use meshloom_ir::interp::eval;
use meshloom_ir::table::elem::{Elem, ElemDef, Formula, Lower, Sig, TABLE};
use meshloom_ir::tensor::wrap;
use meshloom_ir::{Builder, DType, Mesh, Port, Role, Tensor};

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

/// Op, operands, result.
const CASES: &[(&str, &[f64], f64)] = &[
    ("add", &[2.0, 3.0], 5.0),
    ("subtract", &[2.0, 3.0], -1.0),
    ("multiply", &[2.0, 3.0], 6.0),
    ("divide", &[3.0, 2.0], 1.5),
    ("divide", &[1.0, 0.0], INF),
    ("maximum", &[2.0, 3.0], 3.0),
    ("maximum", &[2.0, NAN], NAN),
    ("maximum", &[NAN, 2.0], NAN),
    ("minimum", &[2.0, 3.0], 2.0),
    ("minimum", &[2.0, NAN], NAN),
    ("maximum", &[-0.0, 0.0], 0.0),
    ("maximum", &[0.0, -0.0], 0.0),
    ("minimum", &[-0.0, 0.0], -0.0),
    ("minimum", &[0.0, -0.0], -0.0),
    ("power", &[2.0, 10.0], 1024.0),
    ("power", &[4.0, -0.5], 0.5),
    ("negate", &[2.0], -2.0),
    ("abs", &[-2.0], 2.0),
    ("sign", &[-0.3], -1.0),
    ("sign", &[0.0], 0.0),
    ("sign", &[NAN], NAN),
    ("stop_gradient", &[0.3], 0.3),
    ("exponential", &[0.0], 1.0),
    ("exponential", &[-INF], 0.0),
    ("log", &[1.0], 0.0),
    ("log", &[0.0], -INF),
    ("tanh", &[0.0], 0.0),
    ("tanh", &[INF], 1.0),
    ("sqrt", &[9.0], 3.0),
    ("rsqrt", &[4.0], 0.5),
    ("logistic", &[0.0], 0.5),
    ("logistic", &[-INF], 0.0),
    ("compare_eq", &[2.0, 2.0], 1.0),
    ("compare_eq", &[NAN, NAN], 0.0),
    ("compare_ne", &[NAN, NAN], 1.0),
    ("compare_lt", &[2.0, 3.0], 1.0),
    ("compare_le", &[2.0, 2.0], 1.0),
    ("compare_gt", &[2.0, 3.0], 0.0),
    ("compare_ge", &[2.0, 2.0], 1.0),
    ("and", &[12.0, 10.0], 8.0),
    ("or", &[12.0, 10.0], 14.0),
    ("xor", &[12.0, 10.0], 6.0),
    ("not", &[0.0], -1.0),
    ("shift_left", &[3.0, 4.0], 48.0),
    ("shift_left", &[1.0, 31.0], -2147483648.0),
    ("shift_left", &[1.0, 32.0], 0.0),
    ("shift_left", &[1.0, -1.0], 0.0),
    ("shift_right_arithmetic", &[-8.0, 1.0], -4.0),
    ("shift_right_arithmetic", &[-8.0, 40.0], -1.0),
    ("shift_right_logical", &[-1.0, 28.0], 15.0),
    ("shift_right_logical", &[-1.0, 32.0], 0.0),
    ("popcnt", &[-1.0], 32.0),
    ("count_leading_zeros", &[1.0], 31.0),
    ("count_leading_zeros", &[0.0], 32.0),
    ("bits_of_float", &[1.5], 1.5f64.to_bits() as f64),
    ("float_of_bits", &[0x4020_0000 as f64], 2.5),
    ("is_finite", &[3.0], 1.0),
    ("is_finite", &[-INF], 0.0),
    ("is_finite", &[NAN], 0.0),
    ("sine", &[0.0], 0.0),
    ("sine", &[0.5], 0.479425538604203),
    ("sine", &[-0.0], -0.0),
    ("cosine", &[0.0], 1.0),
    ("cosine", &[5.319372648326541e255], -4.687165924254628e-19),
    ("tan", &[0.0], 0.0),
    ("exponential_minus_one", &[0.0], 0.0),
    ("exponential_minus_one", &[1e-20], 1e-20),
    ("log_plus_one", &[0.0], 0.0),
    ("log_plus_one", &[1e-20], 1e-20),
    ("erf", &[0.0], 0.0),
    ("erf", &[1.0], 0.8427007929497149),
    ("cbrt", &[-27.0], -3.0),
    ("floor", &[-0.5], -1.0),
    ("ceil", &[0.5], 1.0),
    ("round_nearest_even", &[2.5], 2.0),
    ("round_nearest_even", &[-1.5], -2.0),
    ("round_nearest_afz", &[2.5], 3.0),
    ("round_nearest_afz", &[-2.5], -3.0),
    ("round_nearest_afz", &[0.49999999999999994], 0.0),
    ("round_nearest_afz", &[-INF], -INF),
    ("remainder", &[7.5, 2.0], 1.5),
    ("remainder", &[-7.0, 3.0], -1.0),
    ("remainder", &[7.0, INF], 7.0),
    ("atan2", &[0.0, 1.0], 0.0),
    ("atan2", &[1.0, 0.0], std::f64::consts::FRAC_PI_2),
    ("atan2", &[0.0, -1.0], std::f64::consts::PI),
    ("clamp", &[0.0, 2.0, 1.0], 1.0),
    ("clamp", &[0.0, -2.0, 1.0], 0.0),
    ("clamp", &[0.0, 0.5, 1.0], 0.5),
    ("clamp", &[0.0, NAN, 1.0], NAN),
    ("power", &[-2.0, 3.0], -8.0),
    ("power", &[-2.0, 0.5], NAN),
    ("power", &[NAN, 0.0], 1.0),
    ("select", &[1.0, 7.0, 8.0], 7.0),
    ("select", &[0.0, 7.0, 8.0], 8.0),
];

fn value(def: &ElemDef, xs: &[f64]) -> f64 {
    match def.eval_int {
        Some(f) if matches!(def.sig, Sig::Bits | Sig::Integer) => {
            wrap(DType::I32, f(&xs.iter().map(|&x| x as i64).collect::<Vec<_>>(), DType::I32)) as f64
        }
        // Between element types.
        _ if matches!(def.sig, Sig::ToBits | Sig::OfBits) => {
            let x = if def.sig == Sig::ToBits {
                Tensor::floats(DType::F64, &[], xs.to_vec())
            } else {
                Tensor::ints(DType::I32, &[], vec![xs[0] as i64])
            };
            let mut b = Builder::new("f", Mesh::new([("d", 1)]));
            let v = b.input(x.ty.clone(), Port::new("x", Role::Input, 0));
            let y = b.elem(def.name, &[v]);
            b.output(y, Port::new("y", Role::Output, 0));
            let out = eval(&b.finish(), &[x]).unwrap().remove(0);
            if def.sig == Sig::ToBits { out.i(0) as f64 } else { out.f(0) }
        }
        _ => (def.eval)(xs),
    }
}

#[test]
fn values() {
    for def in TABLE {
        let cases: Vec<_> = CASES.iter().filter(|c| c.0 == def.name).collect();
        assert!(!cases.is_empty(), "`{}` has no line in CASES", def.name);
        for (name, xs, want) in cases {
            assert_eq!(xs.len(), def.arity);
            let got = value(def, xs);
            let same = got == *want && (got != 0.0 || got.is_sign_negative() == want.is_sign_negative());
            assert!(same || (got.is_nan() && want.is_nan()), "{name} of {xs:?} is {got}, not {want}");
        }
    }
}

#[test]
fn integers_wrap_and_never_trap() {
    let int = |name: &str, xs: &[i64]| (Elem::by_name(name).unwrap().def().eval_int.unwrap())(xs, DType::I64);
    assert_eq!(int("divide", &[7, 2]), 3);
    assert_eq!(int("divide", &[7, 0]), -1);
    assert_eq!(int("divide", &[i64::MIN, -1]), i64::MIN);
    assert_eq!(int("add", &[i64::MAX, 1]), i64::MIN);
    assert_eq!(int("negate", &[i64::MIN]), i64::MIN);
    assert_eq!(int("abs", &[-3]), 3);
    assert_eq!(int("maximum", &[-3, 2]), 2);
    assert_eq!(int("remainder", &[-7, 3]), -1);
    assert_eq!(int("remainder", &[7, 0]), 7);
    assert_eq!(int("remainder", &[i64::MIN, -1]), 0);
    assert_eq!(int("shift_left", &[1, 64]), 0);
}

/// The value of a lowering, which is made of primitives.
fn lowered(formula: &Formula, xs: &[f64]) -> f64 {
    match formula {
        Formula::Argument(i) => xs[*i],
        Formula::Number(x) => *x,
        Formula::Apply(name, args) => {
            let def = Elem::by_name(name).unwrap().def();
            assert_eq!((def.lower, def.arity), (Lower::Primitive, args.len()), "{name}");
            let args: Vec<f64> = args.iter().map(|a| lowered(a, xs)).collect();
            value(def, &args)
        }
    }
}

#[test]
fn lowerings_are_made_of_primitives_and_give_the_values() {
    for def in TABLE {
        let (Lower::Expr(text), Some(formula)) = (def.lower, def.lower.formula()) else { continue };
        for (_, xs, want) in CASES.iter().filter(|c| c.0 == def.name) {
            let got = lowered(&formula, xs);
            let close = (got - want).abs() <= 1e-12 * want.abs();
            assert!(close || got == *want || (got.is_nan() && want.is_nan()), "{text} of {xs:?} is {got}, not {want}");
        }
    }
}

/// Just above the middle of two f32 numbers, by less than f64 tells from the middle: the larger one is nearest.
#[test]
fn a_large_integer_is_rounded_once() {
    let n = (1i64 << 60) + (1 << 36) + 1;
    let mut b = Builder::new("f", Mesh::default());
    let x = b.input(meshloom_ir::TensorType::new(DType::I64, [1]), Port::new("x", Role::Input, 1));
    let y = b.convert(x, DType::F32);
    b.output(y, Port::new("y", Role::Output, 1));
    let out = eval(&b.finish(), &[Tensor::ints(DType::I64, &[1], vec![n])]).unwrap();
    assert_eq!(out[0].f(0), f64::from(n as f32));
    assert_ne!(out[0].f(0), f64::from(n as f64 as f32));
}
