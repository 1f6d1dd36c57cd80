//! Memory and losses of programs that run: what the devices allocate is what was predicted, and a plan that recomputes to
//! fit a budget trains as the one that keeps everything.
#![cfg(feature = "llvm")]

use crate::support::session;
use meshloom_driver::{CompileOptions, Program, Scheduled, check, lower, plan, report};
use meshloom_plan::{Mode, Recompute};

const GPT: &str = include_str!("../../../../examples/gpt_small.loom");

fn compiled(recompute: Recompute, budget: Option<u64>) -> Program<Scheduled> {
    compiled_from(GPT, recompute, budget)
}

fn compiled_from(text: &str, recompute: Recompute, budget: Option<u64>) -> Program<Scheduled> {
    let mut o = CompileOptions::default();
    o.front.mesh = Some(vec![("data".into(), 2), ("model".into(), 2)]);
    let dims = [("batch", 8), ("seq", 32), ("d", 64), ("heads", 4), ("head", 16), ("vocab", 64), ("layers", 4)];
    o.front.dims = dims.iter().map(|(n, s)| (n.to_string(), *s)).collect();
    (o.plan.mode, o.plan.recompute, o.plan.budget) = (Mode::Search, recompute, budget);
    let made = check("gpt_small.loom", text, &o).and_then(|p| plan(p, &o)).and_then(lower);
    made.unwrap_or_else(|(e, _)| panic!("{e}"))
}

const TOKENS: [&str; 2] = ["tokens=det:tokens:gpt/tokens:64:33:0", "targets=det:tokens:gpt/tokens:64:33:1"];

/// Bytes allocated on one device at most, and the losses of a few steps.
fn trained(p: &Program<Scheduled>) -> (u64, Vec<f64>) {
    trained_on(p, &TOKENS)
}

fn trained_on(p: &Program<Scheduled>, inputs: &[&str]) -> (u64, Vec<f64>) {
    let mut s = session(p);
    s.initialize().unwrap();
    for input in inputs {
        s.input(&input.parse().unwrap()).unwrap_or_else(|e| panic!("{e}"));
    }
    let losses = (0..4).map(|_| s.step().unwrap().loss.unwrap()).collect();
    (s.peak_bytes() / p.entries[0].global.mesh.devices(), losses)
}

#[test]
fn budgets() {
    let free = compiled(Recompute::None, None);
    let predicted = |p: &Program<Scheduled>| report::peak(&p.entries[0]).unwrap();
    let full = predicted(&free);
    let (measured, losses) = trained(&free);
    println!("kept: {measured} of {full} predicted, losses {losses:?}");
    assert!(measured <= full && measured * 10 >= full * 9);
    for percent in [75, 55] {
        let p = compiled(Recompute::Auto, Some(full * percent / 100));
        let said = predicted(&p);
        let (measured, again) = trained(&p);
        println!("{percent} %: {measured} of {said} predicted, losses {again:?}");
        assert!(said <= full * percent / 100);
        assert!(measured <= said && measured * 10 >= said * 9);
        for (a, b) in losses.iter().zip(&again) {
            assert!((a - b).abs() <= 2e-5 * a.abs(), "{losses:?} and {again:?}");
        }
    }
}

#[test]
fn a_loop_in_the_source_that_is_computed_again() {
    let free = compiled(Recompute::Auto, None);
    let text = GPT.replace("for p in m.blocks {", "for p in m.blocks, recompute: full {");
    assert_ne!(text, GPT);
    let full = compiled_from(&text, Recompute::Auto, None);
    let ((kept, losses), (again, others)) = (trained(&free), trained(&full));
    println!("{kept} with everything kept, {again} with the blocks recomputed");
    assert!(again * 10 < kept * 8);
    for (a, b) in losses.iter().zip(&others) {
        assert!((a - b).abs() <= 2e-5 * a.abs(), "{losses:?} and {others:?}");
    }
}

/// Layers without a loop.
fn written_out(layers: usize) -> String {
    let all = |f: &dyn Fn(usize) -> String, between: &str| (0..layers).map(f).collect::<Vec<_>>().join(between);
    let fields =
        all(&|i| format!("up{i}: f32[d, h] @ [data, _] = normal(0.1), down{i}: f32[h, d] = normal(0.1)"), ", ");
    let body = all(&|i| format!("x = x + dot(gelu(dot(x, m.up{i})), m.down{i})"), "\n");
    format!(
        "mesh [data: 2]\ndim batch = 512, d = 32, h = 128\nstruct Net {{ {fields} }}\n\
         fn loss(m: Net, x: f32[batch, d] @ [data, _], y: f32[batch, d] @ [data, _]) -> f32 {{\n{body}\nmse(x, y)\n}}\n\
         train net = sgd(loss, lr: 0.05)\n"
    )
}

#[test]
fn layers_that_are_written_out_are_computed_again_too() {
    let text = written_out(6);
    let made = |recompute: Recompute, budget: Option<u64>| {
        let mut o = CompileOptions::default();
        (o.plan.mode, o.plan.recompute, o.plan.budget) = (Mode::Search, recompute, budget);
        let made = check("written.loom", &text, &o).and_then(|p| plan(p, &o)).and_then(lower);
        made.unwrap_or_else(|(e, _)| panic!("{e}"))
    };
    let inputs = ["x=det:uniform:m/x:1.0", "y=det:uniform:m/y:1.0"];
    let free = made(Recompute::Auto, None);
    let full = report::peak(&free.entries[0]).unwrap();
    let (kept, losses) = trained_on(&free, &inputs);
    for percent in [85, 70] {
        let p = made(Recompute::Auto, Some(full * percent / 100));
        let said = report::peak(&p.entries[0]).unwrap();
        let (again, others) = trained_on(&p, &inputs);
        println!("{percent} %: {again} of {said} predicted, {kept} with everything kept");
        assert!(p.entries[0].plan.stashes.iter().any(|s| s.rematerialized));
        assert!(said <= full * percent / 100 && again <= said && again * 10 >= said * 9);
        for (a, b) in losses.iter().zip(&others) {
            assert!((a - b).abs() <= 2e-5 * a.abs(), "{losses:?} and {others:?}");
        }
    }
}
