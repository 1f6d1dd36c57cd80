//! Copies of forward ops in backward bodies: whichever stashes they stand in for, the program computes the same numbers.

use crate::common;
use crate::common::models::Gpt;
use crate::common::random::Rng;
use meshloom_autodiff::{TrainOptions, prune, train_step};
use meshloom_ir::{DType, Func, Op, OpId, RegionId, Tensor, ValueId, verify};
use meshloom_plan::extend::Extended;
use meshloom_plan::extend::recompute::{Stash, extend};
use meshloom_plan::{Mode, PlanOptions, Recompute};
use std::collections::{BTreeMap, BTreeSet};

fn step(loss: &Func) -> Func {
    let spec = meshloom_syntax::elaborate::train_spec("sgd(loss, lr: 0.1)", loss).unwrap();
    train_step(loss, &spec, &TrainOptions { wide: true, ..TrainOptions::default() }).unwrap()
}

fn gpt(layers: u64) -> Func {
    step(&Gpt { layers, d: 8, heads: 2, seq: 4, batch: 2, vocab: 5, dtype: DType::F64 }.loss())
}

fn extended(global: &Func) -> (Extended, Vec<Stash>) {
    let mut ext = Extended::new(global.clone());
    let stashes = extend(&mut ext, &PlanOptions::default());
    verify::verify(&ext.func).unwrap_or_else(|e| panic!("{}", verify::show(&ext.func, &e)));
    (ext, stashes)
}

/// The program in which the given stashes are recomputed.
fn choose(ext: &Extended, rematerialized: &[Stash]) -> Func {
    let mut f = ext.func.clone();
    let map: BTreeMap<ValueId, ValueId> = rematerialized.iter().map(|s| (s.arg, s.copy)).collect();
    let swap = |v: &mut ValueId| *v = map.get(v).copied().unwrap_or(*v);
    f.ops.iter_mut().for_each(|o| o.operands.iter_mut().for_each(swap));
    f.regions.iter_mut().for_each(|r| r.yields.iter_mut().for_each(swap));
    for r in 0..f.regions.len() {
        let ops = sorted(&f, RegionId(r as u32));
        f.regions[r].ops = ops;
    }
    let f = prune(&f);
    verify::verify(&f).unwrap_or_else(|e| panic!("{}", verify::show(&f, &e)));
    f
}

/// The ops of a region with definitions before uses.
fn sorted(f: &Func, r: RegionId) -> Vec<OpId> {
    let mut left: Vec<OpId> = f.region(r).ops.clone();
    let mut done: BTreeSet<OpId> = BTreeSet::new();
    let mut out = Vec::new();
    while !left.is_empty() {
        let ready = |o: &OpId| {
            let made = |v: &ValueId| f.def_op(*v).is_none_or(|d| f.op(d).parent != r || done.contains(&d));
            f.op(*o).operands.iter().all(made)
        };
        let at = left.iter().position(ready).expect("no cycle");
        let o = left.remove(at);
        done.insert(o);
        out.push(o);
    }
    out
}

fn random_inputs(f: &Func, rng: &mut Rng) -> Vec<Tensor> {
    f.body().args.iter().map(|&a| rng.tensor_of(f.ty(a))).collect()
}

/// Copied ops compute what the originals did, bit for bit.
fn same(a: &Func, b: &Func, inputs: &[Tensor], what: &str) {
    let (x, y) = (common::eval(a, inputs), common::eval(b, inputs));
    for ((x, y), port) in x.iter().zip(&y).zip(&a.outputs) {
        for i in 0..x.len() {
            assert!(x.f(i) == y.f(i) || x.f(i).is_nan(), "{what}: {} is {} and {}", port.name, x.f(i), y.f(i));
        }
    }
}

fn dots_in_the_backward_body(f: &Func) -> usize {
    let reversed = |&o: &OpId| matches!(f.op(o).op, Op::Repeat { reverse: true, .. });
    let o = f.walk(Func::BODY).into_iter().find(reversed).unwrap();
    let body = f.region(f.op(o).regions[0]);
    body.ops.iter().filter(|&&o| matches!(f.op(o).op, Op::DotGeneral(_))).count()
}

#[test]
fn the_given_program_is_a_prefix() {
    let global = gpt(3);
    let (ext, stashes) = extended(&global);
    assert!(ext.func.values.len() > global.values.len() && ext.func.inputs == global.inputs);
    assert_eq!(ext.func.regions[0].yields, global.regions[0].yields);
    for (r, old) in global.regions.iter().enumerate() {
        assert!(ext.func.regions[r].ops.starts_with(&old.ops));
    }
    // The logarithms of attention's sums are kept: they are small, and made together with what it gives.
    assert_eq!(stashes.len(), ext.equal.len() + 1);
    assert_eq!(meshloom_ir::print::print(&prune(&ext.func)), meshloom_ir::print::print(&prune(&global)));
}

#[test]
fn a_decoder_with_every_single_stash_recomputed() {
    let global = gpt(3);
    let (ext, stashes) = extended(&global);
    // All but the carry: two norms, q k v, attention's two results, the residual, the hidden layer before and after gelu.
    assert_eq!(stashes.len(), 10);
    let inputs = random_inputs(&global, &mut Rng(1));
    for s in &stashes {
        same(&global, &choose(&ext, &[*s]), &inputs, &format!("{s:?}"));
    }
}

#[test]
fn a_decoder_with_all_stashes_recomputed_runs_each_contraction_once_more() {
    let global = gpt(3);
    let (ext, stashes) = extended(&global);
    let full = choose(&ext, &stashes);
    same(&global, &full, &random_inputs(&global, &mut Rng(2)), "all");
    // Of the six of a block only the last is not needed again; 12 are the gradients'.
    assert_eq!((dots_in_the_backward_body(&prune(&global)), dots_in_the_backward_body(&full)), (12, 17));
    let kept = |f: &Func| {
        let o =
            f.walk(Func::BODY).into_iter().find(|&o| matches!(f.op(o).op, Op::Repeat { reverse: false, .. })).unwrap();
        f.op(o).results.len() - 1
    };
    assert_eq!((kept(&prune(&global)), kept(&full)), (11, 1));
}

#[test]
fn random_choices_in_random_programs() {
    let mut chosen = 0;
    for seed in 0..300u64 {
        let mut rng = Rng(seed);
        let global = step(&common::random::program(&mut rng));
        let (ext, stashes) = extended(&global);
        if stashes.is_empty() {
            continue;
        }
        let inputs = random_inputs(&global, &mut rng);
        for k in 0..4u64 {
            let some: Vec<Stash> =
                stashes.iter().enumerate().filter(|(i, _)| (seed + k) >> (i % 8) & 1 == k & 1).map(|s| *s.1).collect();
            same(&global, &choose(&ext, &some), &inputs, &format!("seed {seed}, {k}"));
            chosen += some.len();
        }
    }
    assert!(chosen > 100, "{chosen} stashes recomputed in all");
}

#[test]
fn none_adds_nothing() {
    let global = gpt(2);
    let mut ext = Extended::new(global.clone());
    let none = PlanOptions { recompute: Recompute::None, ..PlanOptions::default() };
    assert!(extend(&mut ext, &none).is_empty() && ext.equal.is_empty());
    assert_eq!(ext.func.values.len(), global.values.len());
}

/// Peak memory goes down as stashes go.
#[test]
fn memory_follows() {
    let gpt = Gpt { layers: 12, d: 32, heads: 2, seq: 16, batch: 4, vocab: 24, dtype: DType::F32 };
    let global = step(&gpt.loss());
    let (ext, stashes) = extended(&global);
    let held = |n: usize| meshloom_lower::peak(&choose(&ext, &stashes[..n]), Default::default()).unwrap().total;
    let peaks: Vec<u64> = (0..=stashes.len()).map(held).collect();
    println!("{peaks:?}");
    let (first, last) = (peaks[0], peaks[stashes.len()]);
    assert!(last * 3 < first * 2, "{first} to {last}");
}

/// A step whose loss is of layers of products, in a loop or written out; with `max` of them, or with their mean.
fn layers(of: &str, looped: bool) -> Func {
    let layer = |w: &str| format!("let h = dot(x, {w})\nx = x + tanh(h) * {of}(h, 1, keep: true)");
    let (fields, body) = match looped {
        true => ("ws: [W; 4]".to_string(), format!("for w in m.ws {{\n{}\n}}", layer("w.w"))),
        false => {
            let all = 0..4;
            let fields: Vec<String> = all.clone().map(|i| format!("w{i}: f32[d, d] = normal(0.3)")).collect();
            let body: Vec<String> = all.map(|i| layer(&format!("m.w{i}"))).collect();
            (fields.join(", "), body.join("\n"))
        }
    };
    let text = format!(
        "mesh [data: 2]\ndim batch = 64, d = 32\nstruct W {{ w: f32[d, d] = normal(0.3) }}\nstruct Net {{ {fields} }}\n\
         fn loss(m: Net, x: f32[batch, d] @ [data, _], y: f32[batch, d] @ [data, _]) -> f32 {{\n{body}\nmse(x, y)\n}}\n\
         train net = sgd(loss, lr: 0.1)\n"
    );
    let out = meshloom_syntax::elaborate::compile("test.loom", &text, &Default::default());
    let entry = &out.elaborated.unwrap_or_else(|| panic!("{text}{:?}", out.diagnostics)).entries[0];
    let meshloom_source::entry::EntryKind::Train { spec, state, .. } = &entry.kind else { panic!("a train entry") };
    let options = TrainOptions { state: state.clone(), wide: true, ..TrainOptions::default() };
    train_step(&entry.func, spec, &options).expect("the loss has a gradient")
}

/// The gradient of a maximum compares it with what it is of. If those were products computed twice, by two kernels or a library, none might
/// be equal to the maximum of the others: so products that a comparison depends on are kept whatever is asked for, and
/// others are not.
#[test]
fn sums_that_are_compared_are_never_computed_twice() {
    for looped in [true, false] {
        let again = |of: &str| {
            let global = layers(of, looped);
            let options = PlanOptions { recompute: Recompute::Full, mode: Mode::Search, ..PlanOptions::default() };
            let p = meshloom_plan::plan(&global, &options).unwrap_or_else(|e| panic!("{e:?}"));
            meshloom_certify::check(&global, &p.local, &p.certificate).unwrap_or_else(|e| panic!("{}", e[0]));
            let dots = |f: &Func| {
                let all = f.walk(Func::BODY).into_iter().filter(|&o| matches!(f.op(o).op, Op::DotGeneral(_)));
                all.count() as i64
            };
            dots(&p.local) - dots(&global)
        };
        assert_eq!(again("max"), 0, "looped: {looped}");
        let kept = |of: &str| meshloom_lower::rounding::decisive_sums(&layers(of, looped)).len();
        assert!(kept("max") >= if looped { 1 } else { 4 }, "looped: {looped}");
        assert_eq!(kept("mean"), 0, "looped: {looped}");
        // Without loops, rematerialized products may need more memory than they free: then nobody asks for them.
        assert!(!looped || again("mean") > 0, "nothing is rematerialized, and this test shows nothing");
    }
}
