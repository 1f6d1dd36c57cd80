//! Gradient rules against finite differences in f64: for each op with a rule, the derivative of a random weighting of its
//! result along a random direction of its operands.

use crate::common::ty;
use meshloom_ir::interp::eval;
use meshloom_ir::layout::Constraint;
use meshloom_ir::table::elem::{Drawn, Sig, TABLE};
use meshloom_ir::table::{self, EvalCx, GradCx};
use meshloom_ir::tensor::Data;
use meshloom_ir::{
    Builder, DType, Einsum, Func, Mesh, Op, Port, Reduction, Role, Scalar, Tensor, TensorType, ValueId, Window,
};
use meshloom_random::{Instance, Rng, instances, tensor};
use std::cell::RefCell;
use std::collections::BTreeSet;

const FLOAT: DType = DType::F64;

fn port(name: String, rank: usize, role: Role) -> Port {
    Port::new(name, role, rank)
}

thread_local! {
    /// Names of the ops of which a gradient was compared, by this test.
    static CHECKED: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
}

/// Inputs: operands, weights. Outputs: the weighted sum of the result, the operands' gradients.
fn program(op: &Op, types: &[TensorType]) -> (Func, Vec<Option<usize>>) {
    let mut b = Builder::new("grad", Mesh::default());
    let xs: Vec<ValueId> = (types.iter().enumerate())
        .map(|(i, t)| b.input(t.clone(), port(format!("x{i}"), t.rank(), Role::Input)))
        .collect();
    let y = b.emit(op.clone(), &xs).unwrap();
    let ty = b.ty(y).clone();
    let ct = b.input(ty.clone(), port("ct".into(), ty.rank(), Role::Input));
    let weighted = b.mul(y, ct);
    let dims: Vec<usize> = (0..ty.rank()).collect();
    let sum = b.reduce(Reduction::Sum, weighted, &dims);
    let rule = table::def(op).unwrap().grad.unwrap();
    let grads = rule(&mut b, &GradCx { op, operands: &xs, result: y, ct });
    b.output(sum, port("sum".into(), 0, Role::Output));
    let mut at = Vec::new();
    for (i, g) in grads.into_iter().enumerate() {
        at.push(g.map(|_| b.func.outputs.len()));
        if let Some(g) = g {
            assert_eq!(b.ty(g), &types[i], "cotangent {i} of {op:?}");
            b.output(g, port(format!("dx{i}"), types[i].rank(), Role::Output));
        }
    }
    (b.finish(), at)
}

/// Checks all operands that pass a gradient; `adjust` moves random numbers into the op's domain.
fn check(op: &Op, types: &[TensorType], adjust: impl Fn(usize, f64) -> f64) -> usize {
    let (func, at) = program(op, types);
    let mut checked = 0;
    for seed in 0..3 {
        let mut rng = Rng::new(seed);
        let mut inputs: Vec<Tensor> = func.body().args.iter().map(|&v| tensor(&mut rng, func.ty(v), (0, 3))).collect();
        for (i, t) in inputs.iter_mut().take(types.len()).enumerate() {
            if let Data::Float(v) = &mut t.data {
                v.iter_mut().for_each(|x| *x = adjust(i, *x));
            }
        }
        let out = eval(&func, &inputs).unwrap();
        for (i, at) in at.iter().enumerate().filter_map(|(i, at)| Some((i, (*at)?))) {
            let direction = tensor(&mut rng, &types[i], (0, 1));
            let moved = |h: f64| {
                let mut inputs = inputs.clone();
                let (Data::Float(x), Data::Float(d)) = (&mut inputs[i].data, &direction.data) else { unreachable!() };
                x.iter_mut().zip(d).for_each(|(x, d)| *x += h * d);
                eval(&func, &inputs).unwrap()[0].f(0)
            };
            let h = 1e-6;
            let numeric = (moved(h) - moved(-h)) / (2.0 * h);
            let analytic: f64 = (0..direction.len()).map(|k| direction.f(k) * out[at].f(k)).sum();
            let scale = analytic.abs().max(1.0);
            assert!(
                (numeric - analytic).abs() < 1e-6 * scale,
                "d{i} of {op:?} of {types:?}: {analytic} against {numeric} by differences"
            );
            checked += 1;
        }
    }
    if checked > 0 {
        CHECKED.with_borrow_mut(|c| c.insert(op.name()));
    }
    checked
}

/// Why an op passes no gradient.
fn reason(i: &Instance, result: &TensorType) -> Option<&'static str> {
    Some(match i.op.name() {
        "constant" | "iota" => "no operands",
        _ if i.op.is_flat() => "zero wherever it is defined, or by its meaning",
        "random_bits" | "float_of_bits" => "integers",
        _ if !result.dtype.is_float() => "integers or bools",
        _ => return None,
    })
}

/// Nothing of the table is left out: each op has a gradient that is compared above, or a reason to have none.
#[test]
fn every_op_is_differentiated_or_says_why_not() {
    elementwise();
    moving();
    windows();
    contractions();
    indexing();
    ordering();
    let checked = CHECKED.with_borrow(Clone::clone);
    for i in instances() {
        let (name, refs) = (i.op.name(), i.operands.iter().collect::<Vec<_>>());
        let result = table::infer(&i.op, &refs).unwrap();
        let has = i.op.grad().is_some();
        match reason(&i, &result) {
            Some(why) => {
                assert!(!has || checked.contains(name), "`{name}` has a gradient, and a reason for none: {why}")
            }
            None => assert!(has && checked.contains(name), "`{name}` needs a gradient with a check here, or a reason"),
        }
    }
}

#[test]
fn elementwise() {
    for def in TABLE {
        let op = Op::elem(def.name).unwrap();
        if def.grad.is_none() {
            assert!(def.flat || !matches!(def.sig, Sig::Float | Sig::Number | Sig::Select), "{}", def.name);
            continue;
        }
        let mut types = vec![ty(FLOAT, &[3, 4]); def.arity];
        if def.sig == Sig::Select {
            types[0].dtype = DType::Bool;
        }
        let checked = check(&op, &types, |i, x| match (def.name, i) {
            // Away from where a quotient changes.
            ("remainder", 0) => x.fract() * 0.4 + 5.0,
            ("remainder", 1) => x.fract() * 0.1 + 2.3,
            ("clamp", 0) => x - 0.7,
            ("clamp", 2) => x + 0.9,
            // Away from zero, where its slope changes.
            ("abs", 0) => x + x.signum() * 0.5,
            _ if def.domain.get(i) == Some(&Drawn::Positive) => x.abs() + 0.5,
            // No ties.
            ("maximum" | "minimum", 1) => x + 1e-3,
            _ => x,
        });
        assert!(checked > 0, "{}", def.name);
    }
}

#[test]
fn moving() {
    let id = |_, x| x;
    check(&Op::Convert { to: FLOAT }, &[ty(FLOAT, &[3])], id);
    for (dims, from) in [(vec![0, 2], vec![2, 3]), (vec![1], vec![1]), (vec![], vec![]), (vec![0, 1, 2], vec![2, 1, 3])]
    {
        check(&Op::Broadcast { shape: vec![2, 4, 3], dims }, &[ty(FLOAT, &from)], id);
    }
    check(&Op::Reshape { shape: vec![6, 2] }, &[ty(FLOAT, &[3, 4])], id);
    check(&Op::Transpose { perm: vec![2, 0, 1] }, &[ty(FLOAT, &[2, 3, 4])], id);
    check(&Op::Slice { start: vec![1, 0], limit: vec![3, 2] }, &[ty(FLOAT, &[4, 2])], id);
    check(&Op::Pad { low: vec![1, 0], high: vec![0, 2] }, &[ty(FLOAT, &[2, 3])], id);
    check(&Op::Concatenate { dim: 1 }, &[ty(FLOAT, &[2, 3]), ty(FLOAT, &[2, 1]), ty(FLOAT, &[2, 2])], id);
    check(&Op::Constrain(Constraint::absent(2)), &[ty(FLOAT, &[2, 3])], id);
    check(&Op::Rotate { dim: 1, by: 2, mirror: false }, &[ty(FLOAT, &[2, 3])], id);
    check(&Op::Rotate { dim: 1, by: 1, mirror: true }, &[ty(FLOAT, &[2, 3])], id);
    check(&Op::Reverse { dim: 1 }, &[ty(FLOAT, &[2, 3])], id);
}

#[test]
fn windows() {
    let fill = Scalar::float(2.0);
    for (dim, n) in [(0, 5), (1, 6)] {
        for (size, stride, dilation) in [(1, 1, 1), (3, 1, 1), (2, 2, 1), (2, 1, 3), (3, 2, 2), (2, 3, 1)] {
            for (low, high) in [(0, 0), (1, 1), (2, 0), (-1, 1), (0, -1), (3, 3)] {
                let window = Window { size, stride, dilation, low, high, fill };
                let shape = if dim == 0 { [n, 2] } else { [2, n] };
                check(&Op::Windows { dim, window }, &[ty(FLOAT, &shape)], |_, x| x);
            }
        }
    }
}

#[test]
fn contractions() {
    for spec in
        ["ab,bc->ac", "ab,bc->ca", "abc,cad->bd", "ab,ab->", "ab,cd->bd", "a,b->ab", "ab,ab->ba", ",a->a", "ab,b->"]
    {
        let e = Einsum::parse(spec).unwrap();
        let shape = |l: &[char]| l.iter().map(|&c| u64::from(c as u8 - b'a') + 2).collect::<Vec<_>>();
        let types: Vec<TensorType> = e.operands.iter().map(|o| ty(FLOAT, &shape(o))).collect();
        assert_eq!(check(&Op::DotGeneral(e), &types, |_, x| x), 6);
    }
    for kind in [Reduction::Sum, Reduction::Max, Reduction::Min, Reduction::Prod] {
        for dims in [vec![], vec![0], vec![1], vec![0, 2], vec![0, 1, 2]] {
            check(&Op::Reduce { kind, dims }, &[ty(FLOAT, &[2, 3, 4])], |_, x| x);
        }
    }
}

#[test]
fn indexing() {
    let op = Op::Gather { shard: vec![], total: None };
    assert_eq!(check(&op, &[ty(FLOAT, &[3, 2]), ty(DType::I32, &[4, 2])], |_, x| x), 3);
    assert_eq!(check(&op, &[ty(FLOAT, &[2]), ty(DType::I32, &[])], |_, x| x), 3);
    let op = Op::Scatter { rows: 2, total: 2, shard: vec![] };
    assert_eq!(check(&op, &[ty(DType::I32, &[4]), ty(FLOAT, &[4, 3])], |_, x| x), 3);
}

#[test]
fn ordering() {
    for (dim, reverse, exclusive) in [(0, false, false), (1, true, false), (1, false, true), (2, true, true)] {
        for kind in [Reduction::Sum, Reduction::Max, Reduction::Min, Reduction::Prod] {
            let op = Op::Cumulative { kind, dim, reverse, exclusive };
            // What an exclusive extreme begins with is infinite, and infinity has no differences.
            if matches!(kind, Reduction::Sum | Reduction::Prod) || !exclusive {
                assert_eq!(check(&op, &[ty(FLOAT, &[2, 3, 4])], |_, x| x), 3);
            }
        }
    }
    for (dim, reverse) in [(0, false), (1, true), (2, false)] {
        assert_eq!(check(&Op::CumLogSumExp { dim, reverse }, &[ty(FLOAT, &[2, 3, 4])], |_, x| x), 3);
    }
    for (dim, k, largest) in [(0, 2, true), (1, 2, false), (2, 4, true)] {
        assert_eq!(check(&Op::TopK { dim, k, largest, indices: false }, &[ty(FLOAT, &[2, 3, 4])], |_, x| x), 3);
    }
}

/// Rows with one 0, with two, and with none: the gradients of products are finite differences there too.
#[test]
fn products_of_zeros() {
    let rows = [0.5, 0.0, -2.0, 3.0, 0.0, 1.5, 0.0, 2.0, -1.0, 0.25, 4.0, 0.5];
    let next = std::cell::Cell::new(0);
    let with_zeros = |_, _| rows[next.replace(next.get() + 1) % rows.len()];
    for dims in [vec![1], vec![0], vec![0, 1]] {
        assert_eq!(check(&Op::Reduce { kind: Reduction::Prod, dims }, &[ty(FLOAT, &[3, 4])], with_zeros), 3);
    }
    for (reverse, exclusive) in [(false, false), (true, false), (false, true), (true, true)] {
        let op = Op::Cumulative { kind: Reduction::Prod, dim: 1, reverse, exclusive };
        assert_eq!(check(&op, &[ty(FLOAT, &[3, 4])], with_zeros), 3);
    }
}

/// Nothing overflows whose result does not, and what is -inf takes part in no sum: values as JAX gives them, and gradients that are
/// the elements' shares in the sums behind them.
#[test]
fn log_sum_exp_of_extremes() {
    let x = ty(FLOAT, &[6]);
    let run = |reverse: bool, values: [f64; 6]| {
        let op = Op::CumLogSumExp { dim: 0, reverse };
        let (func, _) = program(&op, std::slice::from_ref(&x));
        let (values, ones) = (Tensor::floats(FLOAT, &[6], values.to_vec()), Tensor::splat(&x, 1.0));
        let y = (op.entry().eval)(&op, &[&values], &EvalCx { mesh: &Mesh::default(), device: 0 });
        let dx = &eval(&func, &[values, ones]).unwrap()[1];
        [&y, dx].map(|t| (0..6).map(|i| t.f(i)).collect::<Vec<f64>>())
    };
    let (inf, ln2) = (f64::INFINITY, 2f64.ln());
    let [y, dx] = run(false, [-inf, -inf, 1000.0, 1000.0, -2000.0, -inf]);
    assert_eq!(y, [-inf, -inf, 1000.0, 1000.0 + ln2, 1000.0 + ln2, 1000.0 + ln2]);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-11;
    assert!(dx.iter().zip([0.0, 0.0, 2.5, 1.5, 0.0, 0.0]).all(|(&a, b)| near(a, b)), "{dx:?}");
    let [y, _] = run(true, [1.0, f64::NAN, 3.0, inf, inf, -inf]);
    assert!(y[0].is_nan() && y[1].is_nan() && y[2..] == [inf, inf, inf, -inf], "{y:?}");
    // Small ones beside a large one are not lost.
    let [y, _] = run(false, [1000.0, 985.0, 985.0, 985.0, 985.0, 985.0]);
    assert!(near(y[5] - 1000.0, (5.0 * (-15f64).exp()).ln_1p()), "{y:?}");
}

/// Ties share the cotangent equally, as in JAX.
#[test]
fn ties_share() {
    let grads = |op: Op, types: &[TensorType]| {
        let (func, _) = program(&op, types);
        let ones: Vec<Tensor> = func.body().args.iter().map(|&v| Tensor::splat(func.ty(v), 1.0)).collect();
        eval(&func, &ones).unwrap()[1..]
            .iter()
            .map(|t| (0..t.len()).map(|i| t.f(i)).collect())
            .collect::<Vec<Vec<f64>>>()
    };
    let x = ty(FLOAT, &[1]);
    assert_eq!(grads(Op::elem("maximum").unwrap(), &[x.clone(), x]), [[0.5], [0.5]]);
    assert_eq!(grads(Op::Reduce { kind: Reduction::Max, dims: vec![0] }, &[ty(FLOAT, &[4])]), [[0.25; 4]]);
}
