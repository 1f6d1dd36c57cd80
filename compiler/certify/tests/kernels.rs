//! Composites that forms add mean what they are called: the bodies of attention and of its gradient, in the ways programs write them, are
//! accepted, and each change of what they compute is refused.

use meshloom_certify::kernels;
use meshloom_ir::op::Attr;
use meshloom_ir::{Builder, DType, Einsum, Func, Mesh, Op, OpId, Port, Reduction, Role, TensorType, ValueId};
use std::collections::BTreeMap;

/// A body, and one thing that is wrong with it.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Wrong {
    Nothing,
    /// Other ways to write the same.
    Divided,
    Numbers,
    LessOrEqual,
    Triangle,
    /// Not the same.
    Scale,
    ScaleInside,
    Causal,
    Mask,
    Diagonal,
    Ahead,
    LowMask,
    Rows,
    NoSum,
    Queries,
    Keys,
    Values,
    GradientScale,
    GradientMask,
    Product,
    Probabilities,
    Name,
    Attributes,
}

fn dot(b: &mut Builder, spec: &str, x: ValueId, y: ValueId) -> ValueId {
    let part = |s: &str| s.chars().collect::<Vec<char>>();
    let (operands, result) = spec.split_once('>').expect("a result");
    let (p, q) = operands.split_once(',').expect("two operands");
    b.dot(Einsum::new(vec![part(p), part(q)], part(result)), x, y)
}

fn mask(b: &mut Builder, like: ValueId, wrong: Wrong) -> ValueId {
    let shape = b.shape(like);
    let (s, t) = (shape[2], shape[3]);
    let mut index = |n: u64, dim: usize| {
        let i = b.op(Op::Iota { dtype: DType::I32, shape: vec![n], dim: 0, shard: Vec::new() }, &[]);
        b.broadcast(i, &[s, t], &[dim])
    };
    let (query, key) = if wrong == Wrong::Mask { (index(s, 1), index(t, 0)) } else { (index(s, 0), index(t, 1)) };
    let seen = match wrong {
        Wrong::LessOrEqual => b.elem("compare_le", &[key, query]),
        Wrong::Diagonal => b.elem("compare_gt", &[query, key]),
        Wrong::Triangle => {
            let zero = b.constant_like(query, 0.0);
            let query = b.add(query, zero);
            let seen = b.elem("compare_ge", &[query, key]);
            let (yes, no) = (b.constant(DType::Bool, &[s, t], 1.0), b.constant(DType::Bool, &[s, t], 0.0));
            b.select(seen, yes, no)
        }
        Wrong::Ahead => {
            let one = b.constant_like(query, 1.0);
            let query = b.add(query, one);
            b.elem("compare_ge", &[query, key])
        }
        _ => b.elem("compare_ge", &[query, key]),
    };
    if wrong != Wrong::Numbers {
        return b.broadcast(seen, &shape, &[2, 3]);
    }
    let seen = b.reshape(seen, &[1, 1, s, t]);
    let numbers = b.convert(seen, DType::F32);
    let zero = b.constant_like(numbers, 0.0);
    let seen = b.elem("compare_ne", &[numbers, zero]);
    b.broadcast(seen, &shape, &[0, 1, 2, 3])
}

fn scores(b: &mut Builder, q: ValueId, k: ValueId, wrong: Wrong) -> ValueId {
    let product = match wrong {
        Wrong::Queries => dot(b, "bhtd,bhsd>bhst", q, k),
        _ => dot(b, "bhsd,bhtd>bhst", q, k),
    };
    let by = b.constant_like(product, if wrong == Wrong::Divided { 4.0 } else { 0.25 });
    let x = if wrong == Wrong::Divided { b.div(product, by) } else { b.mul(product, by) };
    let low = b.constant_like(x, if wrong == Wrong::LowMask { -1e4 } else { -1e9 });
    let seen = mask(b, x, wrong);
    b.select(seen, x, low)
}

fn wide(b: &mut Builder, row: ValueId, like: ValueId) -> ValueId {
    let shape = b.shape(like);
    b.broadcast(row, &shape, &[0, 1, 2])
}

fn forward(b: &mut Builder, [q, k, v]: [ValueId; 3], wrong: Wrong) -> Vec<ValueId> {
    let x = scores(b, q, k, wrong);
    let top = b.reduce(Reduction::Max, x, &[3]);
    let below = wide(b, top, x);
    let shifted = b.sub(x, below);
    let e = b.elem("exponential", &[shifted]);
    let sum = b.reduce(if wrong == Wrong::NoSum { Reduction::Max } else { Reduction::Sum }, e, &[3]);
    let log = b.elem("log", &[sum]);
    let lse = if wrong == Wrong::Rows { log } else { b.add(log, top) };
    let below = wide(b, lse, x);
    let shifted = b.sub(x, below);
    let p = b.elem("exponential", &[shifted]);
    let p = if wrong == Wrong::ScaleInside { b.add(p, p) } else { p };
    let out = match wrong {
        Wrong::Values => dot(b, "bhst,bhse>bhte", p, v),
        Wrong::Keys => dot(b, "bhst,bhte>bhse", p, k),
        _ => dot(b, "bhst,bhte>bhse", p, v),
    };
    vec![out, lse]
}

fn gradient(b: &mut Builder, [q, k, v, out, lse, d_out]: [ValueId; 6], wrong: Wrong) -> Vec<ValueId> {
    let x = scores(b, q, k, wrong);
    let below = wide(b, lse, x);
    let shifted = b.sub(x, below);
    let p = b.elem("exponential", &[shifted]);
    let dp = dot(b, "bhse,bhte>bhst", d_out, if wrong == Wrong::Values { k } else { v });
    let both = b.mul(d_out, if wrong == Wrong::Product { v } else { out });
    let delta = b.reduce(Reduction::Sum, both, &[3]);
    let below = wide(b, delta, x);
    let centred = b.sub(dp, below);
    let ds = b.mul(if wrong == Wrong::Probabilities { x } else { p }, centred);
    let zero = b.constant_like(ds, if wrong == Wrong::GradientMask { 1.0 } else { 0.0 });
    let seen = mask(b, ds, wrong);
    let ds = b.select(seen, ds, zero);
    let by = b.constant_like(ds, if wrong == Wrong::GradientScale { 0.5 } else { 0.25 });
    let ds = b.mul(ds, by);
    let dq = dot(b, "bhst,bhtd>bhsd", ds, if wrong == Wrong::Keys { v } else { k });
    let dk = dot(b, "bhst,bhsd>bhtd", ds, q);
    vec![dq, dk, dot(b, "bhst,bhse>bhte", p, d_out)]
}

/// What the checker says of a composite; queries and keys are as many, so that each change is still a program.
fn check(backward: bool, wrong: Wrong) -> Result<(), String> {
    let mut b = Builder::new("f", Mesh::default());
    let wide = TensorType::new(DType::F32, vec![2, 3, 8, 8]);
    let row = TensorType::new(DType::F32, vec![2, 3, 8]);
    let types: Vec<TensorType> =
        (0..if backward { 6 } else { 3 }).map(|i| if i == 4 { row.clone() } else { wide.clone() }).collect();
    let inputs: Vec<ValueId> =
        types.iter().map(|ty| b.input(ty.clone(), Port::new("x", Role::Input, ty.rank()))).collect();
    let inside = b.open();
    let args: Vec<ValueId> = types.iter().map(|ty| b.arg(inside, ty.clone())).collect();
    let yields = match args[..] {
        [q, k, v] => forward(&mut b, [q, k, v], wrong),
        [q, k, v, out, lse, d_out] => gradient(&mut b, [q, k, v, out, lse, d_out], wrong),
        _ => unreachable!("three or six"),
    };
    b.close(yields);
    let scale: f64 = if wrong == Wrong::Scale { 0.5 } else { 0.25 };
    let mut attrs: BTreeMap<String, Attr> = [
        ("causal".to_string(), Attr::Bool(wrong != Wrong::Causal)),
        ("scale".to_string(), Attr::Float(scale.to_bits())),
    ]
    .into();
    if wrong == Wrong::Attributes {
        attrs.insert("window".to_string(), Attr::Int(2));
    }
    let name = match (wrong, backward) {
        (Wrong::Name, _) => "grouped_attention",
        (_, false) => "attention",
        (_, true) => "attention_grad",
    };
    let results = b.composite(name, attrs, &inputs, inside).expect("a composite");
    let func: Func = b.finish();
    let o: OpId = func.def_op(results[0]).expect("an op");
    kernels::check(&func, 0, o)
}

#[test]
fn what_is_attention_is_accepted() {
    for wrong in [Wrong::Nothing, Wrong::Divided, Wrong::Numbers, Wrong::LessOrEqual, Wrong::Triangle] {
        for backward in [false, true] {
            assert_eq!(check(backward, wrong), Ok(()), "{wrong:?}, backward: {backward}");
        }
    }
}

#[test]
fn what_is_not_is_refused() {
    use Wrong::*;
    let both = [Scale, Causal, Mask, Diagonal, Ahead, LowMask, Queries, Values, Keys, Name, Attributes];
    for wrong in both.into_iter().chain([ScaleInside, Rows, NoSum]) {
        assert!(check(false, wrong).is_err(), "{wrong:?}, forward");
    }
    for wrong in both.into_iter().chain([GradientScale, GradientMask, Product, Probabilities]) {
        assert!(check(true, wrong).is_err(), "{wrong:?}, backward");
    }
}
