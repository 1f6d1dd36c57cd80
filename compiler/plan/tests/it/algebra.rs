//! What the algebra offers on programs of the kinds that planning is about, and that what it says is equal is.

use crate::support::*;
use meshloom_ir::interp::eval;
use meshloom_ir::print::print;
use meshloom_ir::tensor::Data;
use meshloom_ir::verify::verify;
use meshloom_ir::{DType, Def, Func, Mesh, Op, Port, Role, Span, TensorType, Value, ValueId};
use meshloom_plan::extend::Extended;
use meshloom_plan::extend::algebra::{AlgebraLimits, AlgebraOptions, Stats, extend};
use meshloom_random as random;
use std::collections::BTreeSet;

fn loom(text: &str) -> Func {
    program(&format!("mesh [x: 2, y: 4]\n{text}"), &[("x", 2), ("y", 4)], None)
}

fn extended_with(func: &Func, strict_float: bool, off: &[&str]) -> (Extended, Stats) {
    let mut ext = Extended::new(func.clone());
    let disabled: BTreeSet<String> = off.iter().map(|s| s.to_string()).collect();
    let stats = extend(
        &mut ext,
        &AlgebraOptions { strict_float, disabled: &disabled, limits: AlgebraLimits::default(), blocks_alone: false },
    );
    if let Err(e) = verify(&ext.func) {
        panic!("{e:?}\n{}", print(&ext.func));
    }
    proved(func, &ext);
    (ext, stats)
}

/// The checker accepts the form: the given program is its beginning, and every equality follows by its law.
fn proved(func: &Func, ext: &Extended) {
    let equal = ext.equal.iter().map(|e| meshloom_certify::Equal { a: e.a, b: e.b, law: e.law.to_string() });
    let form = meshloom_certify::Form { func: ext.func.clone(), equal: equal.collect() };
    let refused = meshloom_certify::refused(func, &form);
    assert!(refused.is_empty(), "{refused:#?}\n{}", print(&ext.func));
}

/// Makes `v` an output: out of each repeat that it stands in as a stacked result.
fn expose(func: &mut Func, mut v: ValueId) {
    loop {
        let region = match func.value(v).def {
            Def::Op(o, _) => func.op(o).parent,
            Def::Arg(r, _) => r,
        };
        let Some(owner) = func.region(region).owner else { break };
        let Op::Repeat { trip, .. } = func.op(owner).op else { panic!("a value of a composite") };
        func.regions[region.index()].yields.push(v);
        let mut shape = vec![trip];
        shape.extend(&func.ty(v).shape);
        let ty = TensorType::new(func.ty(v).dtype, shape);
        let id = ValueId(func.values.len() as u32);
        let at = func.op(owner).results.len() as u32;
        func.values.push(Value { ty, def: Def::Op(owner, at), name: None, span: Span::default(), layout: None });
        func.ops[owner.index()].results.push(id);
        v = id;
    }
    func.regions[0].yields.push(v);
    func.outputs.push(Port::new(format!("probe{}", func.outputs.len()), Role::Output, func.ty(v).rank()));
}

/// Runs both sides of every equality.
fn holds(ext: &Extended, seed: u64) {
    let mut probe = ext.func.clone();
    let outputs = probe.outputs.len();
    for e in &ext.equal {
        expose(&mut probe, e.a);
        expose(&mut probe, e.b);
    }
    let inputs = random::inputs(&probe, seed);
    let got = eval(&probe, &inputs).unwrap_or_else(|e| panic!("{e}\n{}", print(&probe)));
    for (e, pair) in ext.equal.iter().zip(got[outputs..].chunks(2)) {
        let tolerance = match pair[0].ty.dtype {
            DType::F64 => 1e-11,
            DType::F32 => 1e-4,
            _ => 3e-2,
        };
        match (&pair[0].data, &pair[1].data) {
            (Data::Float(a), Data::Float(b)) => {
                let norm = a.iter().filter(|x| x.is_finite()).fold(1e-3f64, |n, x| n.max(x.abs()));
                let off = a.iter().zip(b).filter(|(x, _)| x.is_finite()).fold(0.0f64, |n, (x, y)| n.max((x - y).abs()));
                assert!(off <= tolerance * norm, "{e:?}: off by {off} of {norm}\n{}", print(&ext.func));
            }
            (a, b) => assert_eq!(a, b, "{e:?}\n{}", print(&ext.func)),
        }
    }
}

/// Classes of equal values.
fn classes(ext: &Extended) -> Vec<usize> {
    let mut class: Vec<usize> = (0..ext.func.values.len()).collect();
    fn find(class: &mut [usize], mut i: usize) -> usize {
        while class[i] != i {
            i = class[i];
        }
        i
    }
    for e in &ext.equal {
        let (a, b) = (find(&mut class, e.a.index()), find(&mut class, e.b.index()));
        class[a.max(b)] = a.min(b);
    }
    (0..class.len()).map(|i| find(&mut class, i)).collect()
}

/// Whether the first output has the form `dot(a, sum(b))`: ops by name over inputs by name, operands in either order.
fn has(ext: &Extended, form: &str) -> bool {
    let class = classes(ext);
    let (pattern, rest) = parse(form);
    assert!(rest.is_empty(), "{form}: {rest}");
    matches(ext, &class, &pattern, ext.func.body().yields[0], 0)
}

struct Pattern(String, Option<Vec<Pattern>>);

fn parse(text: &str) -> (Pattern, &str) {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    if !rest.starts_with('(') {
        return (Pattern(name.to_string(), None), rest.trim_start());
    }
    let mut args = Vec::new();
    if let Some(rest) = rest.strip_prefix("()") {
        return (Pattern(name.to_string(), Some(args)), rest.trim_start());
    }
    while !rest.starts_with(')') {
        let (p, r) = parse(&rest[1..]);
        args.push(p);
        rest = r;
    }
    (Pattern(name.to_string(), Some(args)), rest[1..].trim_start())
}

fn matches(ext: &Extended, class: &[usize], p: &Pattern, v: ValueId, depth: usize) -> bool {
    let func = &ext.func;
    (0..func.values.len()).filter(|&w| class[w] == class[v.index()]).any(|w| {
        let value = &func.values[w];
        let Some(args) = &p.1 else {
            return p.0 == "_" || value.name.as_deref() == Some(&p.0) && matches!(value.def, Def::Arg(..));
        };
        let Def::Op(o, _) = value.def else { return false };
        let d = func.op(o);
        let name = match d.op.name() {
            "dot_general" => "dot",
            "reduce" => "sum",
            "multiply" => "mul",
            "subtract" => "sub",
            "broadcast_in_dim" => "bcast",
            other => other,
        };
        if name != p.0 || d.operands.len() != args.len() || depth > 12 {
            return false;
        }
        let all =
            |order: &[usize]| order.iter().zip(args).all(|(&i, q)| matches(ext, class, q, d.operands[i], depth + 1));
        let forward: Vec<usize> = (0..args.len()).collect();
        all(&forward) || args.len() == 2 && name != "sub" && all(&[1, 0])
    })
}

#[track_caller]
fn offers(text: &str, forms: &[&str]) -> Extended {
    let func = loom(text);
    let (ext, stats) = extended_with(&func, false, &[]);
    assert!(stats.unproved == 0 && stats.limits_hit.is_empty(), "{stats:?}\n{}", print(&ext.func));
    holds(&ext, 1);
    for form in forms {
        assert!(has(&ext, form), "no `{form}` in\n{}\n{:?}", print(&ext.func), ext.equal);
    }
    ext
}

fn added(ext: &Extended, func: &Func) -> usize {
    ext.func.ops.len() - func.ops.len()
}

#[test]
fn rules_have_names() {
    let all: Vec<_> = meshloom_plan::extend::algebra::RULES.iter().copied().flatten().collect();
    for (i, r) in all.iter().enumerate() {
        assert!(r.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", r.name);
        assert!(!r.about.is_empty() && all[..i].iter().all(|o| o.name != r.name), "{}", r.name);
    }
}

#[test]
fn matrices_and_a_vector() {
    offers(
        "entry f(a: f32[16, 32], b: f32[32, 8], v: f32[8]) -> f32[16] { dot(dot(a, b), v) }",
        &["dot(a, dot(b, v))"],
    );
    // The other way round costs more, and is not offered.
    let ext = offers("entry f(a: f32[16, 32], b: f32[32, 8], v: f32[8]) -> f32[16] { dot(a, dot(b, v)) }", &[]);
    assert!(!has(&ext, "dot(dot(a, b), v)"));
}

#[test]
fn chain_of_six() {
    let ext = offers(
        "entry f(a: f32[8, 8], b: f32[8, 8], c: f32[8, 8], d: f32[8, 8], e: f32[8, 8], g: f32[8, 8]) -> f32[8, 8] {
            dot(dot(dot(dot(dot(a, b), c), d), e), g)
        }",
        &["dot(a, dot(b, dot(c, dot(d, dot(e, g)))))", "dot(dot(a, dot(b, c)), dot(d, dot(e, g)))"],
    );
    // Each of the 15 parts of the chain once, split in each place: 35 contractions.
    assert_eq!(ext.func.ops.len(), 35, "{}", print(&ext.func));
}

#[test]
fn gpt_grows_little() {
    for text in [GPT_SMALL, GPT] {
        let func = program(text, &[("data", 2), ("model", 4)], None);
        let (ext, stats) = extended_with(&func, false, &[]);
        println!("{} of {} ops: {stats:?}", added(&ext, &func), func.ops.len());
        assert!(added(&ext, &func) * 10 <= func.ops.len(), "{}", print(&ext.func));
        assert!(stats.limits_hit.is_empty());
    }
}

#[test]
fn random_programs() {
    let (mut claimed, mut unproved) = (0, 0);
    for seed in 0..120 {
        let options = random::RandomOptions::new(Mesh::new([("x", 2), ("y", 2)]));
        let func = random::program(seed, &options);
        let (ext, stats) = extended_with(&func, false, &[]);
        holds(&ext, seed);
        assert!(stats.ops < 600, "{seed}: {stats:?}");
        claimed += stats.equalities;
        unproved += stats.unproved;
    }
    println!("{unproved} of {claimed} unproved");
    assert!(unproved * 25 <= claimed, "{unproved} of {claimed}");
}

#[test]
fn low_rank_update() {
    offers(
        "entry f(x: f32[2, 64], w: f32[64, 32], a: f32[64, 4], b: f32[4, 32]) -> f32[2, 32] { dot(x, w + dot(a, b)) }",
        &["add(dot(x, w), dot(dot(x, a), b))"],
    );
    // Scaled, and taken away.
    offers(
        "entry f(x: f32[2, 64], w: f32[64, 32], a: f32[64, 4], b: f32[4, 32]) -> f32[2, 32] {
            dot(x, w - 0.5 * dot(a, b))
        }",
        &["sub(dot(x, w), mul(dot(dot(x, a), b), constant()))"],
    );
}

#[test]
fn scaled_difference_of_products() {
    offers(
        "entry f(a: f32[8, 16], b: f32[8, 16], x: f32[16, 8]) -> f32[8, 8] { 0.5 * dot(a, x) - 2.0 * dot(b, x) }",
        &["dot(sub(mul(a, constant()), mul(b, constant())), x)"],
    );
    offers(
        "entry f(a: f32[8, 16], b: f32[8, 16], x: f32[16, 8], y: f32[8, 8]) -> f32[8, 8] { dot(a, x) + y - dot(b, x) }",
        &["add(dot(sub(a, b), x), y)"],
    );
}

#[test]
fn sum_of_the_rows_of_a_product() {
    offers(
        "entry f(a: f32[16, 32], b: f32[32, 8]) -> f32[8] { sum(dot(a, b), 0) }",
        &["dot(sum(a), b)", "dot(b, sum(a))"],
    );
    offers(
        "entry f(a: f32[16, 32], b: f32[32, 8], c: f32[16, 8], d: f32[8]) -> f32[8] { sum(dot(a, b) + d, 0) }",
        &["add(dot(sum(a), b), mul(d, constant()))"],
    );
}

#[test]
fn scalings_move() {
    // By rows: out of the product, whose result is smaller.
    offers(
        "entry f(x: f32[8, 64], w: f32[64, 4], r: f32[8]) -> f32[8, 4] { dot(x * reshape(r, [8, 1]), w) }",
        &["mul(dot(x, w), bcast(_))"],
    );
    // Along the contracted dim: into the smaller operand.
    offers(
        "entry f(x: f32[64, 16], w: f32[16, 4], g: f32[16]) -> f32[64, 4] { dot(x * g, w) }",
        &["dot(x, mul(w, bcast(g)))"],
    );
    offers("entry f(x: f32[4, 16], w: f32[16, 64]) -> f32[4, 64] { 0.5 * dot(x, w) }", &["dot(mul(x, constant()), w)"]);
}

#[test]
fn slice_of_a_product() {
    offers("entry f(a: f32[16, 32], b: f32[32, 8]) -> f32[4, 2] { dot(a, b)[2:6, 1:3] }", &["dot(slice(a), slice(b))"]);
    // Through what is done to the product.
    offers("entry f(a: f32[16, 32], b: f32[32, 8], c: f32[8]) -> f32[4, 8] { gelu(dot(a, b) + c)[2:6] }", &[]);
    offers(
        "entry f(a: f32[16, 32], b: f32[32, 8], c: f32[8]) -> f32[4, 8] { tanh(dot(a, b) + c)[2:6] }",
        &["tanh(add(dot(slice(a), b), bcast(c)))"],
    );
    // Of a sum, and of what was put together.
    offers("entry f(a: f32[16, 32, 4]) -> f32[8] { sum(a, 0)[:8, 2] }", &["reshape(sum(slice(a)))"]);
    offers("entry f(a: f32[16, 4], b: f32[8, 4]) -> f32[2, 4] { concat([a, b], 0)[17:19] }", &["slice(b)"]);
}

#[test]
fn queries_keys_and_values_in_one() {
    // Three major: a slice of the weight's columns.
    offers(
        "entry f(x: f32[2, 16, 24], w: f32[24, 72]) -> f32[2, 16, 4, 6] { reshape(dot(x, w), [2, 16, 3, 4, 6])[:, :, 1] }",
        &["reshape(reshape(dot(x, slice(w))))"],
    );
    // In the middle: of a reshaped weight. With a bias, too.
    offers(
        "entry f(x: f32[2, 16, 24], w: f32[24, 72]) -> f32[2, 16, 4, 6] { reshape(dot(x, w), [2, 16, 4, 3, 6])[:, :, :, 1] }",
        &["reshape(dot(x, slice(reshape(w))))"],
    );
    offers(
        "entry f(x: f32[2, 16, 24], w: f32[24, 72], b: f32[72]) -> f32[2, 16, 4, 6] {
            reshape(dot(x, w) + b, [2, 16, 4, 3, 6])[:, :, :, 2]
        }",
        &["reshape(add(dot(x, slice(reshape(w))), bcast(slice(reshape(b)))))"],
    );
}

#[test]
fn reshapes_that_a_mesh_axis_does_not_fit() {
    // Six heads on four devices: the columns of the weight can be split, the heads cannot.
    let text = "entry f(x: f32[2, 24], w: f32[24, 48]) -> f32[2, 6, 8] { reshape(dot(x, w), [2, 6, 8]) }";
    offers(text, &["dot(x, reshape(w))"]);
    let text = "entry f(x: f32[2, 24], w: f32[24, 64]) -> f32[2, 8, 8] { reshape(dot(x, w), [2, 8, 8]) }";
    let ext = offers(text, &[]);
    assert!(ext.equal.is_empty());
}

#[test]
fn transposes_and_twins() {
    let ext = offers(
        "entry f(a: f32[8, 16], b: f32[16, 4]) -> f32[8, 4] {
            let x = transpose(dot(transpose(b, [1, 0]), transpose(a, [1, 0])), [1, 0])
            x + dot(a, b)
        }",
        &["add(dot(a, b), dot(a, b))"],
    );
    assert!(ext.func.ops.len() <= 9, "{}", print(&ext.func));
}

#[test]
fn conversions_and_gathers() {
    offers("entry f(t: f32[64, 8], i: i32[4] in 0..64) -> bf16[4, 8] { (t as bf16)[i] }", &["convert(gather(t, i))"]);
    offers("entry f(t: f32[8, 8], i: i32[64] in 0..8) -> f32[64, 8] { tanh(t[i]) }", &["gather(tanh(t), i)"]);
    offers("entry f(t: bf16[8, 8]) -> bf16[8, 8] { tanh((t as f32 as bf16)) }", &["tanh(t)"]);
}

#[test]
fn decode_step_through_two_weights() {
    // One row: two matrix-vector products, never the product of the weights.
    let ext = offers("entry f(x: f32[1, 64], u: f32[64, 64], v: f32[64, 64]) -> f32[1, 64] { dot(dot(x, u), v) }", &[]);
    assert!(!has(&ext, "dot(x, dot(u, v))"));
    offers(
        "entry f(x: f32[1, 64], u: f32[64, 64], v: f32[64, 64]) -> f32[1, 64] { dot(x, dot(u, v)) }",
        &["dot(dot(x, u), v)"],
    );
}

#[test]
fn strict_float_keeps_the_order_of_operations() {
    let func = loom(
        "entry f(a: f32[16, 32], b: f32[32, 8], v: f32[8], i: f32[4]) -> f32[2] { dot(dot(a, b), v)[2:4] * sum(dot(a, b)) }",
    );
    let (ext, _) = extended_with(&func, true, &[]);
    assert!(!ext.equal.is_empty());
    for e in &ext.equal {
        let law = meshloom_certify::laws::find(e.law);
        assert!(law.is_none_or(|l| !l.reassociates), "{e:?}");
    }
    let rules = meshloom_plan::extend::algebra::RULES.iter().copied().flatten();
    let all: Vec<&str> = rules.map(|r| r.name).collect();
    assert!(extended_with(&func, false, &all).0.equal.iter().all(|e| e.law == "congruence"));
}

#[test]
fn attention_of_one_position() {
    let decode = |queries: u32, keys: &str| {
        loom(&format!(
            "entry f(q: f32[2, 4, {queries}, 16], k: f32[2, 4, 64, 16] @ {keys}, v: f32[2, 4, 64, 16] @ {keys})
                -> f32[2, 4, {queries}, 16] {{ attention(q, k, v) }}"
        ))
    };
    let body = "dot(exponential(_), v)";
    let (one, _) = extended_with(&decode(1, "[_, _, _, _]"), false, &[]);
    holds(&one, 1);
    assert!(has(&one, body));
    assert!(!has(&extended_with(&decode(64, "[_, _, _, _]"), false, &[]).0, body));
    // Keys that lie split.
    assert!(has(&extended_with(&decode(64, "[_, _, y, _]"), false, &[]).0, body));
    assert!(!has(&extended_with(&decode(64, "[_, y, _, _]"), false, &[]).0, body));
    assert!(!has(&extended_with(&decode(1, "[_, _, _, _]"), false, &["composite"]).0, body));
}

/// A convolution that is written as a sum of nine shifted contractions, and what a contraction reads of it: forms of such a sum
/// multiply, so it is left whole.
#[test]
fn a_long_sum_is_not_distributed() {
    let shifted = |i: usize| {
        let (y, x) = (i / 3, i % 3);
        format!("dot(x[:, {y}:{}, {x}:{}, :], m.k{i})", y + 32, x + 32)
    };
    let sum: Vec<String> = (0..9).map(shifted).collect();
    let weights: Vec<String> = (0..9).map(|i| format!("k{i}: f32[c, c] = normal(0.1)")).collect();
    let text = format!(
        "mesh [data: 8]
        dim batch = 16, c = 64
        struct Conv {{ {}, last: f32[c, c] = normal(0.1) }}
        fn loss(m: Conv, x: f32[batch, 34, 34, c] @ [data, _, _, _], y: f32[batch, 32, 32, c] @ [data, _, _, _]) -> f32 {{
            mse(dot({}, m.last), y)
        }}
        train conv = sgd(loss, lr: 0.1)",
        weights.join(", "),
        sum.join(" + ")
    );
    let func = program(&text, &[("data", 8)], None);
    let (_, stats) = extended_with(&func, false, &[]);
    assert!(stats.ops < 200 && stats.limits_hit.is_empty(), "{stats:?}");
}
