//! Elementwise ops that no phase knows: two rows that do not stand in the table go through all of them. A phase with a list of its
//! own, in which a new op is missing, fails here or refuses the op.

use meshloom_autodiff::{TrainOptions, gradients, train_step};
use meshloom_ir::interp::{eval, spmd};
use meshloom_ir::table::elem::{Drawn, Elem, ElemDef, Lower, PLAIN};
use meshloom_ir::train::{LossScale, Precision, TrainSpec};
use meshloom_ir::{Builder, DType, Einsum, Func, Mesh, Op, Port, Reduction, Role, Tensor, TensorType, ValueId};
use meshloom_lower::{ScheduleOptions, schedule};
use meshloom_plan::{Mode, PlanOptions};
use meshloom_random::{Rng, tensor};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Nothing but what a row has to say.
static PROBE: ElemDef = ElemDef {
    name: "softsign",
    eval: |x| x[0] / (1.0 + x[0].abs()),
    lower: Lower::Expr("(divide $0 (add 1 (abs $0)))"),
    ..PLAIN
};

/// The same of two operands, with a gradient.
static OF_TWO: ElemDef = ElemDef {
    name: "softsign_of_two",
    arity: 2,
    eval: |x| x[0] / (1.0 + x[1]),
    grad: Some(|b, x, y, ct| {
        let one = b.constant_like(x[1], 1.0);
        let below = b.add(one, x[1]);
        let first = b.div(ct, below);
        let second = b.mul(first, y);
        vec![Some(first), Some(b.neg(second))]
    }),
    lower: Lower::Expr("(divide $0 (add 1 $1))"),
    step: false,
    domain: &[Drawn::Any, Drawn::Positive],
    ..PLAIN
};

/// The sum of the op of `x w`, or of `x w` and the square of that.
fn loss(row: &'static ElemDef) -> Func {
    let mut b = Builder::new("loss", Mesh::new([("data", 2), ("model", 2)]));
    let input = |b: &mut Builder, name: &str, role: Role| {
        b.input(TensorType::new(DType::F32, [4, 4]), Port::new(name, role, 2))
    };
    let (x, w) = (input(&mut b, "x", Role::Input), input(&mut b, "w", Role::Parameter));
    let product = b.dot(Einsum::new(vec![vec!['a', 'b'], vec!['b', 'c']], vec!['a', 'c']), x, w);
    let square = b.mul(product, product);
    let y = b.op(Op::Elem(Elem::of(row)), &[product, square][..row.arity]);
    let loss = b.reduce(Reduction::Sum, y, &[0, 1]);
    b.output(loss, Port::new("loss", Role::Loss, 0));
    b.finish()
}

fn inputs(f: &Func) -> Vec<Tensor> {
    let mut rng = Rng::new(1);
    f.body().args.iter().map(|&v| tensor(&mut rng, f.ty(v), (0, 3))).collect()
}

/// Planned in each way, certified, run on simulated devices, scheduled and audited.
fn followed(f: &Func) {
    let (inputs, wanted) = (inputs(f), eval(f, &inputs(f)).unwrap());
    for mode in [Mode::Follow, Mode::Search] {
        let plan = meshloom_plan::plan(f, &PlanOptions { mode, ..PlanOptions::default() });
        let plan = plan.unwrap_or_else(|e| panic!("{e:?}"));
        meshloom_certify::check(f, &plan.local, &plan.certificate).unwrap_or_else(|e| panic!("{}", e[0]));
        let (found, _) = spmd::run_for(f, &plan.local, &inputs).unwrap();
        for (a, b) in found.iter().zip(&wanted) {
            (0..a.len()).for_each(|i| assert!((a.f(i) - b.f(i)).abs() <= 1e-5 * b.f(i).abs().max(1.0), "{mode:?}"));
        }
        let options = ScheduleOptions {
            locate: &|_| None,
            tokens_per_step: 0,
            device: Default::default(),
            tf32: false,
            rounds_each: false,
        };
        let made = schedule(&plan.local, f, &options).unwrap_or_else(|e| panic!("{}", e.message));
        let audit = meshloom_audit::audit(&plan.local, &made.program, &made.kernels);
        let audit = audit.unwrap_or_else(|e| panic!("{e}"));
        assert!(audit.unfollowed.is_empty(), "{}", audit.unfollowed[0]);
    }
}

#[test]
fn a_row_that_says_no_more_than_it_has_to_is_followed() {
    let f = loss(&PROBE);
    followed(&f);
    let text = meshloom_stablehlo::emit::global(&f).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(text.contains("stablehlo.divide") && text.contains("stablehlo.abs"), "{text}");
    let refused = gradients(&f).expect_err("a gradient of what has none");
    assert!(refused.message.contains("`softsign` has no gradient"), "{}", refused.message);
}

#[test]
fn a_row_with_a_gradient_is_differentiated() {
    followed(&gradients(&loss(&OF_TWO)).unwrap_or_else(|e| panic!("{}", e.message)));
}

/// What says nothing of 16 bits is computed in f32, of operands in 16 bits.
#[test]
fn a_new_op_is_computed_in_full_precision() {
    let f = loss(&OF_TWO);
    let update = Arc::new(Func::new("", f.mesh.clone()));
    let precision =
        Precision { compute: DType::BF16, reduce: DType::F32, loss_scale: LossScale::Fixed(1.0), eight: false };
    let spec = TrainSpec {
        lr: Func::new("", f.mesh.clone()),
        updates: BTreeMap::from([("w".to_string(), update)]),
        clip: None,
        precision: Some(precision),
    };
    let options = TrainOptions { only_gradients: true, ..TrainOptions::default() };
    let step = train_step(&f, &spec, &options).unwrap_or_else(|e| panic!("{}", e.message));
    let types = |of: &dyn Fn(&Op) -> bool| -> Vec<DType> {
        let all = step.ops.iter().filter(|d| of(&d.op));
        all.flat_map(|d| &d.operands).map(|&v: &ValueId| step.ty(v).dtype).collect()
    };
    assert!(types(&|op| matches!(op, Op::DotGeneral(_))).contains(&DType::BF16));
    assert_eq!(types(&|op| op.name() == OF_TWO.name), [DType::F32; 2]);
}
