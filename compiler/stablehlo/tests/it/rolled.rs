//! That a rolled program is what was written out is proved, and a program that is another one is refused: rolled programs are
//! changed at one place, and what is accepted all the same has the given program's outputs to the last bit.

use crate::roll::{Model, Piece, model, plain, run};
use meshloom_certify::rolled::check;
use meshloom_ir::verify::verify;
use meshloom_ir::{Builder, DType, Func, Literal, Mesh, Op, OpId, Port, Reduction, Role, Scalar, TensorType, ValueId};
use meshloom_stablehlo::roll::roll;
use proptest::prelude::*;

/// Whether there was something to change.
type Change = fn(&mut Func, Place) -> bool;

/// Kinds of changes, each to be made at a place.
const CHANGES: [(&str, Change); 11] = [
    ("direction", direction),
    ("operands exchanged", operands),
    ("another operand", another),
    ("yields exchanged", yields),
    ("entries exchanged", entries),
    ("elementwise op", elementwise),
    ("slice", slice),
    ("constant", constant),
    ("reduction", reduction),
    ("names exchanged", names),
    ("updates exchanged", updates),
];

/// An op, or a port, and a number to choose with.
#[derive(Clone, Copy, Debug)]
struct Place {
    at: usize,
    pick: usize,
}

fn op_at(f: &Func, p: Place) -> Option<OpId> {
    f.walk(Func::BODY).get(p.at).copied()
}

fn changed(f: &mut Func, p: Place, change: impl FnOnce(&mut Op) -> bool) -> bool {
    op_at(f, p).is_some_and(|o| change(&mut f.ops[o.index()].op))
}

fn direction(f: &mut Func, p: Place) -> bool {
    changed(f, p, |op| match op {
        Op::Repeat { reverse, .. } => {
            *reverse = !*reverse;
            true
        }
        _ => false,
    })
}

fn operands(f: &mut Func, p: Place) -> bool {
    let Some(o) = op_at(f, p) else { return false };
    let all = &mut f.ops[o.index()].operands;
    let n = all.len();
    n > 1 && {
        let (i, j) = (p.pick % n, (p.pick / n) % n);
        all.swap(i, j);
        all[i] != all[j]
    }
}

/// Another value of the type that is there before the op.
fn another(f: &mut Func, p: Place) -> bool {
    let Some(o) = op_at(f, p) else { return false };
    let region = f.region(f.op(o).parent);
    let before = region.ops.iter().take_while(|&&x| x != o);
    let values: Vec<ValueId> =
        region.args.iter().copied().chain(before.flat_map(|&x| f.op(x).results.clone())).collect();
    let n = f.op(o).operands.len().max(1);
    let Some(&was) = f.op(o).operands.get(p.pick % n) else { return false };
    let others: Vec<ValueId> = values.into_iter().filter(|&v| v != was && f.ty(v) == f.ty(was)).collect();
    let Some(&new) = others.get((p.pick / n) % others.len().max(1)) else { return false };
    f.ops[o.index()].operands[p.pick % n] = new;
    true
}

fn yields(f: &mut Func, p: Place) -> bool {
    let Some(o) = op_at(f, p) else { return false };
    let Some(&r) = f.op(o).regions.first() else { return false };
    let all = &mut f.regions[r.index()].yields;
    let (i, j) = (p.pick % all.len(), (p.pick / all.len()) % all.len());
    all.swap(i, j);
    i != j
}

fn entries(f: &mut Func, p: Place) -> bool {
    let Some((port, &v)) = f.inputs.get(p.at).zip(f.body().args.get(p.at)) else { return false };
    if !port.stacked {
        return false;
    }
    let n = f.ty(v).shape[0] as usize;
    let mut all = port.entries.clone();
    if all.is_empty() {
        all = (0..n).map(|i| port.name.replace('*', &i.to_string())).collect();
    }
    all.swap(p.pick % n, (p.pick + 1) % n);
    f.inputs[p.at].entries = all;
    n > 1
}

fn elementwise(f: &mut Func, p: Place) -> bool {
    changed(f, p, |op| {
        let Op::Elem(was) = op else { return false };
        let names = ["add", "subtract", "multiply", "divide", "tanh", "negate", "abs"];
        let new = Op::elem(names[p.pick % names.len()]).expect("is an op");
        let differs = new != Op::Elem(*was);
        *op = new;
        differs
    })
}

fn slice(f: &mut Func, p: Place) -> bool {
    changed(f, p, |op| {
        let Op::Slice { start, limit } = op else { return false };
        let back = p.pick % 2 == 1 && start[0] > 0;
        for at in [&mut start[0], &mut limit[0]] {
            *at = if back { *at - 1 } else { *at + 1 };
        }
        true
    })
}

fn constant(f: &mut Func, p: Place) -> bool {
    changed(f, p, |op| match op {
        Op::Constant { value: value @ Literal::Splat(_), dtype: DType::F64, .. } => {
            *value = Literal::Splat(Scalar::float(0.375));
            true
        }
        _ => false,
    })
}

fn reduction(f: &mut Func, p: Place) -> bool {
    changed(f, p, |op| match op {
        Op::Reduce { kind, .. } => {
            *kind = if *kind == Reduction::Max { Reduction::Sum } else { Reduction::Max };
            true
        }
        _ => false,
    })
}

fn names(f: &mut Func, p: Place) -> bool {
    let n = f.inputs.len();
    let (i, j) = (p.at, p.pick % n);
    if i >= n || i == j {
        return false;
    }
    let (a, b) = (f.inputs[i].name.clone(), f.inputs[j].name.clone());
    (f.inputs[i].name, f.inputs[j].name) = (b, a);
    true
}

fn updates(f: &mut Func, p: Place) -> bool {
    let n = f.outputs.len();
    let (i, j) = (p.at, p.pick % n);
    if i >= n || i == j {
        return false;
    }
    let (a, b) = (f.outputs[i].updates, f.outputs[j].updates);
    (f.outputs[i].updates, f.outputs[j].updates) = (b, a);
    a != b
}

/// Whether a change at a place was refused; `None` where there was nothing to change.
fn refused(given: &Func, rolled: &Func, change: usize, place: Place) -> Option<bool> {
    let mut f = rolled.clone();
    if !CHANGES[change].1(&mut f, place) {
        return None;
    }
    let accepted = check(given, &f).is_ok();
    if accepted {
        verify(&f).expect("was accepted");
        assert_eq!(run(given), run(&f), "{} at {place:?}\n{}", CHANGES[change].0, meshloom_ir::print::print(&f));
    }
    Some(!accepted)
}

#[test]
fn every_kind_of_change_is_refused_everywhere() {
    let mut pairs = plain(6);
    pairs.kinds.push(vec![Piece::Dot, Piece::Scale, Piece::Residual, Piece::Tanh, Piece::Bias]);
    let models: [Model; 3] = [plain(3), pairs, Model { first: Some(Piece::Mask), ..plain(4) }];
    let mut counts = [(0, 0); CHANGES.len()];
    for m in models {
        let given = m.step();
        let rolled = roll(&given).func;
        assert!(rolled.ops.iter().any(|o| matches!(o.op, Op::Repeat { .. })));
        let places = rolled.walk(Func::BODY).len().max(rolled.inputs.len());
        for (change, count) in counts.iter_mut().enumerate() {
            for place in (0..places).flat_map(|at| [1, 2, 3, 5, 11].map(|pick| Place { at, pick })) {
                match refused(&given, &rolled, change, place) {
                    Some(true) => count.0 += 1,
                    Some(false) => count.1 += 1,
                    None => {}
                }
            }
        }
    }
    for ((name, _), (refused, same)) in CHANGES.iter().zip(counts) {
        assert!(refused > 10 && refused > 5 * same, "{name}: {refused} refused, {same} the same program: {counts:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_accepted_is_the_same(m in model(), at in prop::collection::vec((0usize..CHANGES.len(), 0usize..300, 0usize..40), 40)) {
        let given = m.step();
        let rolled = roll(&given).func;
        for (change, at, pick) in at {
            refused(&given, &rolled, change, Place { at, pick });
        }
    }
}

/// Two inputs, or a stack of them, and their sum.
fn sum(stacked: bool, entries: &[&str]) -> Func {
    let mut b = Builder::new("f", Mesh::default());
    let ty = |shape: &[u64]| TensorType::new(DType::F32, shape);
    let sum = if stacked {
        let names = entries.iter().map(ToString::to_string).collect();
        let port = Port { stacked: true, entries: names, ..Port::new("w*", Role::Input, 2) };
        let all = b.input(ty(&[2, 4]), port);
        let [x, y] = [0, 1].map(|i| {
            let one = b.op(Op::Slice { start: vec![i, 0], limit: vec![i + 1, 4] }, &[all]);
            b.op(Op::Reshape { shape: vec![4] }, &[one])
        });
        b.sub(x, y)
    } else {
        let [x, y] = ["w0", "w1"].map(|n| b.input(ty(&[4]), Port::new(n, Role::Input, 1)));
        b.sub(x, y)
    };
    b.output(sum, Port::new("out", Role::Output, 1));
    b.finish()
}

#[test]
fn a_refusal_says_what_differs() {
    let given = sum(false, &[]);
    let said = |entries: &[&str]| check(&given, &sum(true, entries)).map(|_| ()).map_err(|r| r.message);
    assert_eq!(said(&[]), Ok(()));
    assert_eq!(said(&["w0", "w1"]), Ok(()));
    assert_eq!(said(&["w1", "w0"]), Err("`out` is computed from `w1`, and not from `w0`".to_string()));
    assert_eq!(said(&["w0", "w0"]), Err("`w1` is not in it as it was".to_string()));
    assert!(said(&["w0", "w1", "w2"]).is_err_and(|e| e.contains("names for 3 entries")));
}
