//! `precision`: which ops of a step compute in which type, and that values and gradients are those of f32 to what 16 bits hold.

use crate::common;
use meshloom_autodiff::{Microbatch, TrainOptions, parts, train_step};
use meshloom_ir::{DType, Func, Op, Reduction, Role, Tensor};
use meshloom_random as random;
use meshloom_source::FrontOptions;
use meshloom_source::entry::EntryKind;
use meshloom_syntax::elaborate;
use std::collections::BTreeMap;

/// The loss of a program and its gradients, under `settings`.
fn step(source: &str, settings: &str) -> Func {
    step_in(source, settings, false)
}

/// The same; `staged` says whether its loops become pipeline stages.
fn step_in(source: &str, settings: &str, staged: bool) -> Func {
    let text = format!("{source}\ntrain it = sgd(loss, lr: 0.1{settings})\n");
    let made = elaborate::compile("precision.loom", &text, &FrontOptions::default());
    let errors: Vec<String> = made.diagnostics.iter().map(|d| d.message.clone()).collect();
    let entry = &made.elaborated.unwrap_or_else(|| panic!("{errors:?}")).entries[0];
    let EntryKind::Train { spec, .. } = &entry.kind else { panic!("a train") };
    let options = TrainOptions { only_gradients: true, staged, ..TrainOptions::default() };
    let f = train_step(&entry.func, spec, &options).unwrap();
    common::check(&f);
    f
}

fn ops<'a>(f: &'a Func, is: impl Fn(&Op) -> bool + 'a) -> impl Iterator<Item = DType> + 'a {
    let found = f.walk(Func::BODY).into_iter().map(|o| f.op(o)).filter(move |o| is(&o.op));
    found.map(|o| f.ty(o.operands[0]).dtype)
}

/// Loss and gradients within `within` of those in f32, relative to each tensor's largest element.
#[track_caller]
fn near(source: &str, settings: &str, within: f64) -> Func {
    let (full, half) = (step(source, ""), step(source, settings));
    let mut inputs = random::inputs(&full, 5);
    for (t, p) in inputs.iter_mut().zip(&full.inputs) {
        // Of the size of trained parameters and activations.
        if t.ty.dtype.is_float() && p.role == Role::Parameter {
            *t = Tensor::floats(t.ty.dtype, &t.ty.shape, (0..t.len()).map(|i| t.f(i) * 0.3).collect());
        }
    }
    let (want, got) = (common::eval(&full, &inputs), common::eval(&half, &inputs));
    for ((port, w), g) in full.outputs.iter().zip(&want).zip(&got) {
        assert_eq!(w.ty, g.ty, "{}", port.name);
        let largest = (0..w.len()).fold(0f64, |m, i| m.max(w.f(i).abs()));
        for i in 0..w.len() {
            assert!((w.f(i) - g.f(i)).abs() <= within * largest, "{}[{i}]: {} in f32, {}", port.name, w.f(i), g.f(i));
        }
    }
    half
}

const LAYERS: &str = "
dim batch = 4, seq = 8, d = 16, heads = 2, head = 8, vocab = 32
const layers = 3
struct Block { n: LayerNorm[d], qkv: f32[3, d, heads, head], out: f32[heads, head, d], up: f32[d, 2 * d], b: f32[2 * d], down: f32[2 * d, d] }
struct Gpt { tok: f32[vocab, d], pos: f32[seq, d], blocks: [Block; layers] }
fn loss(m: Gpt, tokens: i32[batch, seq] in 0..vocab, targets: i32[batch, seq] in 0..vocab) -> f32 {
    let x = m.tok[tokens] + m.pos
    for p in m.blocks {
        let [q, k, v] = einsum(\"bse,nehd->nbhsd\", layer_norm(x, p.n), p.qkv)
        x = x + einsum(\"bhsd,hde->bse\", attention(q, k, v, causal: true), p.out)
        x = x + dot(gelu(dot(normalize(x), p.up) + p.b), p.down)
    }
    mean(cross_entropy(dot(x, transpose(m.tok)), targets))
}";

#[test]
fn a_transformer_computes_by_the_table() {
    for (dtype, settings, within) in [
        (DType::BF16, ", precision: bf16", 0.06),
        (DType::BF16, ", precision: bf16, reduce_dtype: bf16", 0.06),
        (DType::F16, ", precision: f16, loss_scale: 512", 0.01),
    ] {
        let f = near(LAYERS, settings, within);
        // Inside of attention everything is f32, as in its kernel.
        let body: Vec<_> =
            f.walk(Func::BODY).into_iter().filter(|&o| matches!(f.op(o).op, Op::DotGeneral(_))).collect();
        let inside = |o: &meshloom_ir::OpId| {
            f.region(f.op(*o).parent).owner.is_some_and(|c| matches!(f.op(c).op, Op::Composite { .. }))
        };
        assert!(body.iter().filter(|o| !inside(o)).all(|&o| f.ty(f.op(o).operands[0]).dtype == dtype), "{settings}");
        assert!(
            body.iter().filter(|o| inside(o)).all(|&o| f.ty(f.op(o).operands[0]).dtype == DType::F32),
            "{settings}"
        );
        assert!(ops(&f, |op| matches!(op, Op::Composite { .. })).all(|d| d == dtype));
        for name in ["exponential", "log", "rsqrt"] {
            assert!(ops(&f, |op| matches!(op, Op::Elem(e) if e.def().name == name)).all(|d| d == DType::F32), "{name}");
        }
        // Gradients of parameters: contractions to f32, sums of f32.
        let widened = ops(&f, |op| matches!(op, Op::DotGeneral(e) if e.to == Some(DType::F32))).count();
        let low = ops(&f, |op| matches!(op, Op::Reduce { kind: Reduction::Sum, .. } | Op::Scatter { .. })).count();
        let in_low =
            f.walk(Func::BODY).into_iter().map(|o| f.op(o)).filter(|o| {
                matches!(o.op, Op::Reduce { .. } | Op::Scatter { .. }) && f.ty(o.results[0]).dtype == dtype
            });
        let rounded = in_low.count();
        if settings.contains("reduce_dtype") {
            assert!(widened == 0 && rounded > 0, "{widened} {rounded}");
        } else {
            assert!(widened >= 5 && rounded == 0 && low > 0, "{widened} {rounded} {low}");
        }
        // The loop carries 16 bits.
        let carried = ops(&f, |op| matches!(op, Op::Repeat { .. })).next();
        assert_eq!(carried, Some(dtype));
    }
}

/// The weights that contractions of a layer read are rounded in the forward loop, and the backward loop reads them from there. In pipeline
/// stages, where each microbatch would keep them, they are rounded again.
#[test]
fn weights_are_rounded_once() {
    let rounded = |staged: bool| {
        let f = step_in(LAYERS, ", precision: bf16", staged);
        let of_a_loop = |o: &meshloom_ir::OpId| {
            f.region(f.op(*o).parent).owner.is_some_and(|r| matches!(f.op(r).op, Op::Repeat { .. }))
        };
        let weight = |o: &meshloom_ir::OpId| {
            let x = f.op(*o).operands[0];
            f.def_op(x).is_none() && f.ty(x).dtype == DType::F32 && f.ty(x).rank() > 1
        };
        let all = f.walk(Func::BODY).into_iter().filter(|&o| matches!(f.op(o).op, Op::Convert { to: DType::BF16 }));
        let all: Vec<_> = all.filter(of_a_loop).filter(weight).map(|o| f.op(o).phase).collect();
        let of = |phase| all.iter().filter(|p| **p == phase).count();
        (of(meshloom_ir::Phase::Forward), of(meshloom_ir::Phase::Backward))
    };
    // qkv, out, up and down.
    assert_eq!([rounded(false), rounded(true)], [(4, 0), (4, 4)]);
}

/// A layer's matmuls take 8 bits, forward and backward; what is attention or loss does not.
#[test]
fn a_transformer_multiplies_parameters_in_eight_bits() {
    let f = near(LAYERS, ", precision: fp8", 0.25);
    let (narrow, wide) = (DType::F8E4M3, DType::F8E5M2);
    let mut seen: BTreeMap<(DType, DType, bool, bool), usize> = BTreeMap::new();
    for o in f.walk(Func::BODY) {
        let data = f.op(o);
        let composite = f.region(data.parent).owner.is_some_and(|c| matches!(f.op(c).op, Op::Composite { .. }));
        if let (Op::DotGeneral(e), false) = (&data.op, composite) {
            let [a, b] = [0, 1].map(|i| f.ty(data.operands[i]).dtype);
            assert!(e.to.is_some(), "{e} gives 8 bits");
            let backward = data.phase == meshloom_ir::Phase::Backward;
            *seen.entry((a.min(b), a.max(b), backward, data.weight_grad)).or_default() += 1;
        }
    }
    // Four in a block, and the logits.
    let want = [((narrow, narrow, false, false), 5), ((narrow, wide, true, false), 5), ((narrow, wide, true, true), 5)];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), want);
}

/// Counting in bf16 would end at 256.
#[test]
fn counts_stay_exact() {
    let source = "
dim g = 1, t = 400, e = 2, n = 4
struct Net { w: f32[n, e] }
fn loss(m: Net, x: f32[g, t, n]) -> f32 {
    let chosen = (dot(x, m.w) > -100000) as f32
    let before = (expand(iota(t), -1) > iota(t)) as f32
    let place = einsum(\"st,gte->gse\", before, chosen)
    sum(select(place == 399, 1.0, 0.0)) + 0.001 * sum(dot(x, m.w))
}";
    let f = step(source, ", precision: bf16");
    let inputs = random::inputs(&f, 1);
    let loss = common::eval(&f, &inputs)[0].f(0);
    let rest = common::eval(&step(&source.replace("== 399", "== 500"), ", precision: bf16"), &inputs)[0].f(0);
    assert_eq!((loss - rest).round(), 2.0, "one row of 400 has 399 before it, for each of two experts");
}

/// What is not f32 is not touched, and what the program converts stays what it says.
#[test]
fn explicit_types_are_kept() {
    let source = "
dim n = 8
struct Net { w: f32[n, n], h: bf16[n] }
fn loss(m: Net, x: f32[n]) -> f32 {
    let y = dot(x, m.w) as f32
    sum(y * (m.h as f32))
}";
    let f = near(source, ", precision: bf16", 0.06);
    assert_eq!(f.ty(f.body().args[1]).dtype, DType::BF16);
}

/// The whole step of a program, under `settings`.
fn whole_step(source: &str, optimizer: &str, settings: &str) -> Func {
    let text = format!("{source}\ntrain it = {optimizer}(loss, lr: 0.01{settings})\n");
    let made = elaborate::compile("precision.loom", &text, &FrontOptions::default());
    let errors: Vec<String> = made.diagnostics.iter().map(|d| d.message.clone()).collect();
    let entry = &made.elaborated.unwrap_or_else(|| panic!("{errors:?}")).entries[0];
    let EntryKind::Train { spec, microbatch, .. } = &entry.kind else { panic!("a train") };
    let microbatch = microbatch.as_ref().map(|m| Microbatch {
        parts: parts(&entry.func, &m.loss, m.count, spec),
        count: m.count,
        inside: true,
    });
    let options = TrainOptions { microbatch, ..TrainOptions::default() };
    let f = train_step(&entry.func, spec, &options).unwrap();
    common::check(&f);
    f
}

/// Runs a step on itself: all inputs by name after each of `steps` steps, and the metrics and losses of each.
fn run(f: &Func, first: &BTreeMap<String, Tensor>, steps: usize) -> Vec<BTreeMap<String, Tensor>> {
    let zero = |p: &meshloom_ir::Port, ty| match p.init {
        Some(meshloom_ir::Init::Constant(x)) => Tensor::splat(ty, x.as_f64()),
        _ => panic!("`{}` starts as nothing", p.name),
    };
    let ports = || f.inputs.iter().zip(&f.body().args);
    let mut now: Vec<Tensor> =
        ports().map(|(p, &v)| first.get(&p.name).cloned().unwrap_or_else(|| zero(p, f.ty(v)))).collect();
    let mut all = Vec::new();
    for _ in 0..steps {
        let out = common::eval(f, &now);
        let mut seen = BTreeMap::new();
        for (port, t) in f.outputs.iter().zip(out) {
            if let Some(i) = port.updates {
                now[i] = t.clone();
            }
            seen.insert(port.name.clone(), t);
        }
        all.push(seen);
    }
    all
}

/// A scale that gradients do not fit is halved until they do, and nothing else happens meanwhile; from there on numbers are those of a
/// fixed scale, since both are powers of two; after so many updates it is doubled.
#[test]
fn a_scale_follows_the_gradients() {
    let source = "
dim batch = 8, d = 6
struct Net { a: f32[d, d], layers: [Layer; 2] }
struct Layer { w: f32[d, d] }
fn loss(m: Net, x: f32[batch, d]) -> f32 {
    let h = dot(x, m.a)
    for p in m.layers { h = h + tanh(dot(h, p.w)) }
    mean(h * h)
}";
    for (optimizer, more) in [("sgd", ""), ("adamw", ", clip: 0.5, ema: 0.9"), ("adam", ", accumulate: 2")] {
        let dynamic = format!(", precision: f16{more}, loss_scale: dynamic(start: 67108864, every: 3)");
        let f = whole_step(source, optimizer, &dynamic);
        let inputs: BTreeMap<String, Tensor> = {
            let all = random::inputs(&f, 9);
            let given = |p: &meshloom_ir::Port| p.init.is_none();
            f.inputs.iter().zip(all).filter(|(p, _)| given(p)).map(|(p, t)| (p.name.clone(), t)).collect()
        };
        let steps = run(&f, &inputs, 24);
        let number = |i: usize, name: &str| {
            let t = &steps[i][name];
            if t.ty.dtype.is_float() { t.f(0) } else { t.i(0) as f64 }
        };
        let skipped = (0..24).take_while(|&i| number(i, "scaling.updates") == 0.0).count();
        assert!((4..16).contains(&skipped), "{optimizer}: {skipped} steps without an update");
        for (i, step) in steps.iter().enumerate().take(skipped) {
            assert_eq!(number(i, "scaling.scale"), 67108864.0 / 2f64.powi(i as i32 + 1), "{optimizer}");
            assert_eq!(number(i, "loss_scale"), 67108864.0 / 2f64.powi(i as i32), "{optimizer}");
            assert_eq!(step["a"], inputs["a"]);
            assert_eq!(number(i, "step"), i as f64 + 1.0);
            assert!(!number(i, "grad_norm").is_finite() && number(i, "loss").is_finite());
        }
        // Three updates in a row; then the scale is twice as large.
        let scale = number(skipped, "loss_scale");
        assert_eq!((0..3).map(|k| number(skipped + k, "scaling.updates")).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
        assert_eq!(number(skipped + 1, "scaling.scale"), scale);
        assert_eq!(number(skipped + 2, "scaling.scale"), 2.0 * scale);
        let fixed = whole_step(source, optimizer, &format!(", precision: f16{more}, loss_scale: {scale}"));
        let want = run(&fixed, &inputs, 3);
        for (k, want) in want.iter().enumerate() {
            for (name, t) in want.iter().filter(|(n, _)| *n != "step") {
                assert_eq!(t, &steps[skipped + k][name], "{optimizer}: `{name}` after {} updates", k + 1);
            }
        }
    }
}
