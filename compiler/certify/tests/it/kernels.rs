//! Composites that forms add mean what their names say. The bodies of attention and of its gradient are accepted, in
//! the ways in which programs write them, and each change of what they compute is refused.

use meshloom_certify::kernels;
use meshloom_ir::op::Attr;
use meshloom_ir::{
    Builder, DType, Einsum, Func, Literal, Mesh, Op, OpId, Port, Reduction, Role, Scalar, TensorType, ValueId,
};
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
    And,
    /// Not the same.
    Scale,
    ScaleInside,
    Causal,
    Mask,
    AndNothing,
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
    /// Where scores are transposed.
    Turned,
    RowsTurned,
    /// Probabilities of f32 operands are.
    Rounded,
}

/// A composite's dims, and the order of those of its scores: what the scores are in the program that the body is taken from.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Form {
    name: &'static str,
    q: &'static str,
    out: &'static str,
    rows: &'static str,
    /// Of the product, and of what is masked and normalised.
    product: &'static str,
    scores: &'static str,
    /// Of operands.
    dtype: DType,
}

const DENSE: Form =
    Form { name: "attention", q: "bhsd", out: "bhse", rows: "bhs", product: "bhst", scores: "bhst", dtype: DType::F32 };
const GROUPED: Form = Form {
    name: "grouped_attention",
    q: "bhgsd",
    out: "bhgse",
    rows: "bhgs",
    product: "bhgst",
    scores: "bhgst",
    dtype: DType::F32,
};
/// As `jax.nn.dot_product_attention` has it.
const TURNED: Form = Form { product: "bhsgt", scores: "gbhst", ..GROUPED };

/// Heads, groups and positions are as many, so that each change is still a program.
const SIZE: u64 = 4;

fn dot(b: &mut Builder, spec: &str, x: ValueId, y: ValueId) -> ValueId {
    let part = |s: &str| s.chars().collect::<Vec<char>>();
    let (operands, result) = spec.split_once('>').expect("a result");
    let (p, q) = operands.split_once(',').expect("two operands");
    b.dot(Einsum::new(vec![part(p), part(q)], part(result)), x, y)
}

fn turned(b: &mut Builder, x: ValueId, from: &str, to: &str) -> ValueId {
    let perm: Vec<usize> = to.chars().map(|c| from.find(c).expect("the same dims")).collect();
    b.transpose(x, &perm)
}

fn mask(b: &mut Builder, like: ValueId, dims: &str, wrong: Wrong) -> ValueId {
    let shape = b.shape(like);
    let at = |c: char| dims.find(c).expect("a dim of scores");
    let (s, t) = (shape[at('s')], shape[at('t')]);
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
        Wrong::And | Wrong::AndNothing => {
            let seen = b.elem("compare_ge", &[query, key]);
            let all = b.constant(DType::Bool, &[s, t], f64::from(u8::from(wrong == Wrong::And)));
            b.elem("and", &[all, seen])
        }
        Wrong::Ahead => {
            let one = b.constant_like(query, 1.0);
            let query = b.add(query, one);
            b.elem("compare_ge", &[query, key])
        }
        _ => b.elem("compare_ge", &[query, key]),
    };
    // With the queries of another dim of the same size.
    let query = if wrong == Wrong::Turned { at(if dims.contains('g') { 'g' } else { 'h' }) } else { at('s') };
    if wrong != Wrong::Numbers {
        return b.broadcast(seen, &shape, &[query, at('t')]);
    }
    let seen = b.reshape(seen, &[1, 1, s, t]);
    let numbers = b.convert(seen, DType::F32);
    let zero = b.constant_like(numbers, 0.0);
    let seen = b.elem("compare_ne", &[numbers, zero]);
    let last = shape.len() - 4;
    b.broadcast(seen, &shape, &[last, last + 1, last + 2, last + 3])
}

fn scores(b: &mut Builder, f: &Form, q: ValueId, k: ValueId, wrong: Wrong) -> ValueId {
    let queries = if wrong == Wrong::Queries { f.q.replace('s', "t") } else { f.q.to_string() };
    let keys = if wrong == Wrong::Queries { "bhsd" } else { "bhtd" };
    let (q, k) = (b.convert(q, DType::F32), b.convert(k, DType::F32));
    let product = dot(b, &format!("{queries},{keys}>{}", f.product), q, k);
    let by = b.constant_like(product, if wrong == Wrong::Divided { 4.0 } else { 0.25 });
    let x = if wrong == Wrong::Divided { b.div(product, by) } else { b.mul(product, by) };
    let x = turned(b, x, f.product, f.scores);
    let low = b.constant_like(x, if wrong == Wrong::LowMask { -1e4 } else { -1e9 });
    let seen = mask(b, x, f.scores, wrong);
    b.select(seen, x, low)
}

fn wide(b: &mut Builder, row: ValueId, like: ValueId) -> ValueId {
    let shape = b.shape(like);
    let dims: Vec<usize> = (0..shape.len() - 1).collect();
    b.broadcast(row, &shape, &dims)
}

/// What is by row in the order of the composite, as scores have it.
fn to_scores(b: &mut Builder, f: &Form, row: ValueId, wrong: Wrong) -> ValueId {
    let own = &f.scores[..f.scores.len() - 1];
    // All sizes are the same: the wrong order is a program as well.
    if wrong == Wrong::RowsTurned { row } else { turned(b, row, f.rows, own) }
}

fn forward(b: &mut Builder, f: &Form, [q, k, v]: [ValueId; 3], wrong: Wrong) -> Vec<ValueId> {
    let x = scores(b, f, q, k, wrong);
    let last = f.scores.len() - 1;
    let top = b.reduce(Reduction::Max, x, &[last]);
    let below = wide(b, top, x);
    let shifted = b.sub(x, below);
    let e = b.elem("exponential", &[shifted]);
    let sum = b.reduce(if wrong == Wrong::NoSum { Reduction::Max } else { Reduction::Sum }, e, &[last]);
    let log = b.elem("log", &[sum]);
    let lse = if wrong == Wrong::Rows { log } else { b.add(log, top) };
    let lse = turned(b, lse, &f.scores[..last], f.rows);
    let row = to_scores(b, f, lse, wrong);
    let below = wide(b, row, x);
    let shifted = b.sub(x, below);
    let p = b.elem("exponential", &[shifted]);
    let p = if wrong == Wrong::ScaleInside { b.add(p, p) } else { p };
    let p = if wrong == Wrong::Rounded { b.convert(p, DType::BF16) } else { p };
    let p = b.convert(p, f.dtype);
    let out = match wrong {
        Wrong::Values => dot(b, &format!("{},bhse>{}", f.scores, f.out.replace('s', "t")), p, v),
        Wrong::Keys => dot(b, &format!("{},bhte>{}", f.scores, f.out), p, k),
        _ => dot(b, &format!("{},bhte>{}", f.scores, f.out), p, v),
    };
    vec![out, lse]
}

fn gradient(b: &mut Builder, f: &Form, [q, k, v, out, lse, d_out]: [ValueId; 6], wrong: Wrong) -> Vec<ValueId> {
    let x = scores(b, f, q, k, wrong);
    let row = to_scores(b, f, lse, wrong);
    let below = wide(b, row, x);
    let shifted = b.sub(x, below);
    let p = b.elem("exponential", &[shifted]);
    let dp = dot(b, &format!("{},bhte>{}", f.out, f.product), d_out, if wrong == Wrong::Values { k } else { v });
    let dp = turned(b, dp, f.product, f.scores);
    let both = b.mul(d_out, if wrong == Wrong::Product { q } else { out });
    let delta = b.reduce(Reduction::Sum, both, &[f.out.len() - 1]);
    let row = to_scores(b, f, delta, wrong);
    let below = wide(b, row, x);
    let centred = b.sub(dp, below);
    let ds = b.mul(if wrong == Wrong::Probabilities { x } else { p }, centred);
    let zero = b.constant_like(ds, if wrong == Wrong::GradientMask { 1.0 } else { 0.0 });
    let seen = mask(b, ds, f.scores, wrong);
    let ds = b.select(seen, ds, zero);
    let ds = turned(b, ds, f.scores, f.product);
    let by = b.constant_like(ds, if wrong == Wrong::GradientScale { 0.5 } else { 0.25 });
    let ds = b.mul(ds, by);
    let dq = dot(b, &format!("{},bhtd>{}", f.product, f.q), ds, if wrong == Wrong::Keys { v } else { k });
    let dk = dot(b, &format!("{},{}>bhtd", f.product, f.q), ds, q);
    vec![dq, dk, dot(b, &format!("{},{}>bhte", f.scores, f.out), p, d_out)]
}

/// What the checker says of a composite.
fn check(f: &Form, backward: bool, wrong: Wrong) -> Result<(), String> {
    let mut b = Builder::new("f", Mesh::default());
    let of = |dims: &str| TensorType::new(f.dtype, vec![SIZE; dims.len()]);
    let types: Vec<TensorType> = match backward {
        false => [f.q, "bhtd", "bhte"].map(of).into(),
        true => [f.q, "bhtd", "bhte", f.out, f.rows, f.out].map(of).into(),
    };
    let inputs: Vec<ValueId> =
        types.iter().map(|ty| b.input(ty.clone(), Port::new("x", Role::Input, ty.rank()))).collect();
    let inside = b.open();
    let args: Vec<ValueId> = types.iter().map(|ty| b.arg(inside, ty.clone())).collect();
    let yields = match args[..] {
        [q, k, v] => forward(&mut b, f, [q, k, v], wrong),
        [q, k, v, out, lse, d_out] => gradient(&mut b, f, [q, k, v, out, lse, d_out], wrong),
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
    let other = if f.name == DENSE.name { GROUPED.name } else { DENSE.name };
    let name = if wrong == Wrong::Name { other } else { f.name };
    let name = if backward { format!("{name}_grad") } else { name.to_string() };
    let results = b.composite(&name, attrs, &inputs, inside).expect("a composite");
    let func: Func = b.finish();
    let o: OpId = func.def_op(results[0]).expect("an op");
    kernels::check(&func, 0, o)
}

#[test]
fn what_is_attention_is_accepted() {
    for wrong in [Wrong::Nothing, Wrong::Divided, Wrong::Numbers, Wrong::LessOrEqual, Wrong::Triangle, Wrong::And] {
        for f in [DENSE, GROUPED, TURNED] {
            for backward in [false, true] {
                assert_eq!(check(&f, backward, wrong), Ok(()), "{wrong:?} of {f:?}, backward: {backward}");
            }
        }
    }
}

/// Queries and keys are widened, probabilities are rounded; neither is done to operands that are wide.
#[test]
fn operands_of_16_bits() {
    for dtype in [DType::BF16, DType::F16] {
        for f in [DENSE, TURNED] {
            assert_eq!(check(&Form { dtype, ..f }, false, Wrong::Nothing), Ok(()), "{dtype:?} of {f:?}");
            assert!(check(&Form { dtype, ..f }, false, Wrong::Scale).is_err());
        }
    }
    assert!(check(&DENSE, false, Wrong::Rounded).is_err());
    assert!(check(&Form { dtype: DType::F16, ..DENSE }, false, Wrong::Rounded).is_err());
}

#[test]
fn what_is_not_is_refused() {
    use Wrong::*;
    let both = [Scale, Causal, Mask, Diagonal, Ahead, AndNothing, LowMask, Turned, Values, Keys, Name, Attributes];
    for f in [DENSE, GROUPED, TURNED] {
        for wrong in both.into_iter().chain([ScaleInside, Rows, NoSum]) {
            assert!(check(&f, false, wrong).is_err(), "{wrong:?} of {f:?}, forward");
        }
        for wrong in both.into_iter().chain([GradientScale, GradientMask, Product, Probabilities]) {
            assert!(check(&f, true, wrong).is_err(), "{wrong:?} of {f:?}, backward");
        }
    }
    for backward in [false, true] {
        assert!(check(&DENSE, backward, Queries).is_err());
        assert!(check(&TURNED, backward, RowsTurned).is_err());
    }
}

/// What is taken for the result of attention in a gradient in 16 bits.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Result16 {
    OfTheSame,
    Input,
    OfOtherQueries,
    OfAnotherScale,
    /// The body does not name it, or chooses it.
    Unnamed,
    Chosen,
}

/// What the checker says of a gradient with row sums of weights, `sum (p d_p)` of probabilities or of what `weights` says, beside a forward pass.
fn check_weights(f: &Form, result: Result16, weights: Wrong) -> Result<(), String> {
    let mut b = Builder::new("f", Mesh::default());
    let of = |dims: &str| TensorType::new(f.dtype, vec![SIZE; dims.len()]);
    let mut input = |ty: TensorType| b.input(ty.clone(), Port::new("x", Role::Input, ty.rank()));
    let [q, other, k, v, free, d_out] = [f.q, f.q, "bhtd", "bhte", f.out, f.out].map(|dims| input(of(dims)));
    let attrs = |scale: f64| -> BTreeMap<String, Attr> {
        [("causal".to_string(), Attr::Bool(true)), ("scale".to_string(), Attr::Float(scale.to_bits()))].into()
    };
    let inside = b.open();
    let args = [f.q, "bhtd", "bhte"].map(|dims| b.arg(inside, of(dims)));
    let yields = forward(&mut b, f, args, Wrong::Nothing);
    b.close(yields);
    let queries = if result == Result16::OfOtherQueries { other } else { q };
    let scale = if result == Result16::OfAnotherScale { 0.5 } else { 0.25 };
    let made = b.composite(f.name, attrs(scale), &[queries, k, v], inside).expect("a composite");
    let out = if result == Result16::Input { free } else { made[0] };

    let inside = b.open();
    let lse = b.ty(made[1]).clone();
    let types = [of(f.q), of("bhtd"), of("bhte"), of(f.out), lse, of(f.out)];
    let [q1, k1, v1, out1, lse1, d_out1] = types.map(|ty| b.arg(inside, ty));
    let x = scores(&mut b, f, q1, k1, Wrong::Nothing);
    let row = to_scores(&mut b, f, lse1, Wrong::Nothing);
    let below = wide(&mut b, row, x);
    let shifted = b.sub(x, below);
    let p = b.elem("exponential", &[shifted]);
    let dp = dot(&mut b, &format!("{},bhte>{}", f.out, f.scores), d_out1, v1);
    let dp = b.convert(dp, DType::F32);
    let weighted = if weights == Wrong::Product { b.mul(shifted, dp) } else { b.mul(p, dp) };
    let weights = b.reduce(Reduction::Sum, weighted, &[f.scores.len() - 1]);
    let [wide_out, wide_d_out] = [out1, d_out1].map(|x| b.convert(x, DType::F32));
    let both = b.mul(wide_out, wide_d_out);
    let delta = b.reduce(Reduction::Sum, both, &[f.out.len() - 1]);
    let delta = to_scores(&mut b, f, delta, Wrong::Nothing);
    let chosen = f64::from(u8::from(result == Result16::Chosen));
    let never = b.op(
        Op::Constant {
            dtype: DType::Bool,
            shape: b.shape(delta),
            value: Literal::Splat(Scalar::of(DType::Bool, chosen)),
        },
        &[],
    );
    let delta = if result == Result16::Unnamed { weights } else { b.select(never, delta, weights) };
    let below = wide(&mut b, delta, x);
    let centred = b.sub(dp, below);
    let ds = b.mul(p, centred);
    let zero = b.constant_like(ds, 0.0);
    let seen = mask(&mut b, ds, f.scores, Wrong::Nothing);
    let ds = b.select(seen, ds, zero);
    let by = b.constant_like(ds, 0.25);
    let ds = b.mul(ds, by);
    let [q2, k2] = [q1, k1].map(|x| b.convert(x, DType::F32));
    let dq = dot(&mut b, &format!("{},bhtd>{}", f.scores, f.q), ds, k2);
    let dk = dot(&mut b, &format!("{},{}>bhtd", f.scores, f.q), ds, q2);
    let p = b.convert(p, f.dtype);
    let dv = dot(&mut b, &format!("{},{}>bhte", f.scores, f.out), p, d_out1);
    let yields = [dq, dk].map(|x| b.convert(x, f.dtype)).into_iter().chain([dv]).collect();
    b.close(yields);
    let operands = [q, k, v, out, made[1], d_out];
    let results = b.composite(&format!("{}_grad", f.name), attrs(0.25), &operands, inside).expect("a composite");
    let func: Func = b.finish();
    kernels::check(&func, 0, func.def_op(results[0]).expect("an op"))
}

/// Row sums of weights say nothing of the result that the kernel goes by: it has to be that of the same attention. In f32 there
/// are no such bodies.
#[test]
fn gradients_of_16_bits_know_their_result() {
    for dtype in [DType::BF16, DType::F16] {
        for f in [DENSE, GROUPED, TURNED].map(|f| Form { dtype, ..f }) {
            let says = |result| check_weights(&f, result, Wrong::Nothing);
            assert_eq!(says(Result16::OfTheSame), Ok(()), "{f:?}");
            for result in [Result16::Input, Result16::OfOtherQueries, Result16::OfAnotherScale] {
                assert!(says(result).unwrap_err().contains("no attention of the operands"), "{result:?} of {f:?}");
            }
            assert!(says(Result16::Unnamed).is_err() && says(Result16::Chosen).is_err(), "{f:?}");
            assert!(check_weights(&f, Result16::OfTheSame, Wrong::Product).is_err(), "{f:?}");
        }
    }
    assert!(check_weights(&DENSE, Result16::OfTheSame, Wrong::Nothing).is_err());
}
