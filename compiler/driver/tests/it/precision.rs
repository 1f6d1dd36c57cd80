//! `precision: bf16`: gpt_small in 16 bits on machine code, on one device and on eight: losses near those of f32, parameters gathered
//! in 16 bits, gradients reduced in f32, and less memory.
#![cfg(feature = "llvm")]

use crate::support::*;
use meshloom_driver::{Program, Scheduled};
use meshloom_ir::{DType, Op, Role};
use meshloom_plan::Mode;
use meshloom_plan::cost::Target;

const GPT: &str = include_str!("../../../../examples/gpt_small.loom");

fn planned(mesh: Sizes<'_>, layout: &str, mode: Mode, precision: Option<DType>) -> Program<Scheduled> {
    let mut o = on(mesh, layout);
    o.front.precision = precision;
    o.plan.mode = mode;
    compiled("gpt_small.loom", GPT, &o)
}

fn losses(p: &Program<Scheduled>, steps: usize) -> Vec<f64> {
    let mut s = session(p);
    gpt_small_inputs(&mut s);
    (0..steps).map(|_| s.step().unwrap().loss.unwrap()).collect()
}

/// Bytes that a device sends in one step in one kind of collective, of one element type.
fn wire(p: &Program<Scheduled>, kind: &str, dtype: DType) -> f64 {
    let plan = &p.entries[0].plan;
    plan.collectives.iter().filter(|c| c.does.name() == kind && c.dtype == dtype).map(|c| c.wire_bytes_per_device).sum()
}

const CONFIGURATIONS: [(&str, Sizes<'static>, &str); 4] = [
    ("one device", &[], "dp"),
    ("data=8", &[("data", 8)], "dp"),
    ("FSDP", &[("data", 8)], "fsdp"),
    ("data=2 model=4", &[("data", 2), ("model", 4)], "megatron"),
];

/// Within 2e-3 of the oracle's losses in f32, and on every mesh within 5e-4 of one device: sums of other orders round differently.
#[test]
fn gpt_small_trains_in_bf16_as_in_f32() {
    let want = expected("gpt_small");
    let programs =
        CONFIGURATIONS.map(|(name, mesh, layout)| (name, planned(mesh, layout, Mode::Follow, Some(DType::BF16))));
    let runs: Vec<(&str, Vec<f64>)> = programs.iter().map(|(n, p)| (*n, losses(p, want.len()))).collect();
    for (name, got) in &runs {
        println!("{name}: {got:?}");
    }
    println!("f32: {want:?}");
    for (name, got) in &runs {
        for (step, (g, w)) in got.iter().zip(&want).enumerate() {
            assert!(((g - w) / w).abs() < 2e-3, "{name} step {step}: loss {g}, {w} in f32");
            let one = runs[0].1[step];
            assert!(((g - one) / one).abs() < 5e-4, "{name} step {step}: loss {g}, {one} on one device");
        }
    }
    // It is not f32 that was compared.
    assert!(runs[0].1.iter().zip(&want).any(|(g, w)| ((g - w) / w).abs() > 1e-6));
}

/// Bytes that a device receives when all parameters are gathered once from eight, at so many bytes for each element.
fn gathered_once(p: &Program<Scheduled>, bytes: u64) -> f64 {
    let f = &p.entries[0].global;
    let parameters = f.inputs.iter().zip(&f.body().args).filter(|(port, _)| port.role == Role::Parameter);
    parameters.map(|(_, &v)| f.ty(v).elements() * bytes).sum::<u64>() as f64 * 7.0 / 8.0
}

/// FSDP gathers parameters in bf16, for the forward and the backward pass: half the bytes of f32, but for the norms' gains and
/// biases, which meet f32. Gradients are reduced in f32. (A plan may gather an activation where that saves reducing a gradient.)
#[test]
fn parameters_are_gathered_in_sixteen_bits() {
    for mode in [Mode::Follow, Mode::Search] {
        let mesh: Sizes<'_> = &[("data", 8)];
        let [full, half] = [None, Some(DType::BF16)].map(|d| planned(mesh, "fsdp", mode, d));
        let all = wire(&full, "all_gather", DType::F32);
        let (low, rest) = (wire(&half, "all_gather", DType::BF16), wire(&half, "all_gather", DType::F32));
        println!("{mode:?}: gathered {all} bytes in f32; {low} in bf16 and {rest} in f32");
        assert!(low + rest <= 1.25 * 2.0 * gathered_once(&half, 2), "{mode:?}: {low} and {rest}");
        assert!(rest < 0.01 * all && low < all, "{mode:?}: {all} bytes became {low} and {rest}");
        for kind in ["reduce_scatter", "all_reduce"] {
            // A searched plan may split contractions otherwise, and reduce activations, which are bf16.
            assert!(mode == Mode::Search || wire(&half, kind, DType::BF16) == 0.0, "{mode:?}: {kind} in bf16");
        }
        let total = |p: &Program<Scheduled>| p.entries[0].plan.totals.wire_bytes_per_device;
        println!("{mode:?}: {} bytes in all, {} with bf16", total(&full), total(&half));
        let share = if mode == Mode::Follow { 0.6 } else { 0.9 };
        assert!(total(&half) < share * total(&full), "{mode:?}: {} of {}", total(&half), total(&full));
    }
}

/// On a GPU, where contractions read operands as they are; activations take half the memory, masters and state what they took.
#[test]
fn less_memory_is_predicted() {
    let [full, half] = [None, Some(DType::BF16)].map(|precision| {
        let mut o = on(&[("data", 8)], "fsdp");
        (o.front.precision, o.plan.target) = (precision, Target::builtin("h100-sxm").unwrap());
        let p = compiled("gpt_small.loom", GPT, &o);
        p.entries[0].plan.memory.as_ref().unwrap().total
    });
    println!("{full} bytes in f32, {half} with bf16");
    assert!(half < full * 8 / 10, "{half} bytes in bf16, {full} in f32");
}

fn rewritten(text: &str, mesh: Sizes<'_>, layout: &str) -> Program<Scheduled> {
    let source = GPT.replacen("adamw(loss,", &format!("adamw(loss, {text},"), 1).replacen(
        "sgd(loss,",
        &format!("sgd(loss, {text},"),
        1,
    );
    assert_ne!(source, GPT, "the example has an optimizer");
    let mut o = on(mesh, layout);
    o.plan.mode = Mode::Follow;
    compiled("gpt_small.loom", &source, &o)
}

/// `reduce_dtype: bf16` reduces gradients in bf16, too.
#[test]
fn gradients_are_reduced_in_what_is_asked() {
    let mesh: Sizes<'_> = &[("data", 8)];
    let [wide, low] = ["precision: bf16", "precision: bf16, reduce_dtype: bf16"].map(|t| rewritten(t, mesh, "fsdp"));
    let sums = |p: &Program<Scheduled>, d: DType| wire(p, "reduce_scatter", d) + wire(p, "all_reduce", d);
    let (a, b, c) = (sums(&wide, DType::F32), sums(&low, DType::BF16), sums(&low, DType::F32));
    println!("gradients: {a} bytes in f32; {b} in bf16 and {c} in f32");
    assert!(sums(&wide, DType::BF16) == 0.0 && a <= gathered_once(&wide, 4), "{a}");
    assert!(b > 0.0 && b <= 1.05 * gathered_once(&low, 2) && c < 0.01 * b, "{a} bytes became {b} and {c}");
}

/// f16 with its static loss scale.
#[test]
fn f16_trains_with_scaled_losses() {
    let want = expected("gpt_small");
    let p = rewritten("precision: f16, loss_scale: 4096", &[], "dp");
    for (step, (g, w)) in losses(&p, want.len()).iter().zip(&want).enumerate() {
        assert!(((g - w) / w).abs() < 1e-3, "step {step}: loss {g}, {w} in f32");
    }
    // Parameters and state stay f32.
    for port in &p.entries[0].global.inputs {
        let v = p.entries[0].global.inputs.iter().position(|x| x.name == port.name).unwrap();
        let dtype = p.entries[0].global.ty(p.entries[0].global.body().args[v]).dtype;
        assert!(!dtype.is_float() || dtype == DType::F32, "{} is {dtype}", port.name);
    }
    let all = p.entries[0].global.ops.iter();
    assert!(all.filter(|o| matches!(o.op, Op::DotGeneral(_))).count() > 0);
}

/// A scale that gradients do not fit is halved, on all devices alike, and steps until then change nothing: then losses are those of f32.
#[test]
fn f16_finds_its_scale() {
    let want = expected("gpt_small");
    let p =
        rewritten("precision: f16, loss_scale: dynamic(start: 268435456)", &[("data", 2), ("model", 4)], "megatron");
    let mut s = session(&p);
    gpt_small_inputs(&mut s);
    let mut skipped = 0;
    let mut losses = Vec::new();
    while losses.len() < want.len() {
        let r = s.step().unwrap();
        let (scale, fits) = (r.metric("loss_scale").unwrap(), r.metric("grad_norm").unwrap().is_finite());
        assert_eq!(scale, 268435456.0 / f64::from(1 << skipped));
        if fits {
            losses.push(r.loss.unwrap());
        } else {
            skipped += 1;
            assert!(skipped < 24);
        }
    }
    assert!(skipped > 0, "the first scale is too large on purpose");
    for (step, (g, w)) in losses.iter().zip(&want).enumerate() {
        assert!(((g - w) / w).abs() < 1e-3, "update {step}: loss {g}, {w} in f32");
    }
}

/// Matmuls in 8 bits: losses near those of f32, on a mesh near those of one device, since scales are of whole tensors.
#[test]
fn gpt_small_trains_in_eight_bits() {
    let want = expected("gpt_small");
    let configurations: [(Sizes<'_>, &str); 2] = [(&[], "dp"), (&[("data", 2), ("model", 4)], "megatron")];
    let runs = configurations.map(|(mesh, layout)| {
        let p = planned(mesh, layout, Mode::Follow, Some(DType::F8E4M3));
        let f = &p.entries[0].global;
        let narrow = |v: &meshloom_ir::ValueId| matches!(f.ty(*v).dtype, DType::F8E4M3 | DType::F8E5M2);
        let dots = f.ops.iter().filter(|o| matches!(o.op, Op::DotGeneral(_)) && o.operands.iter().all(narrow)).count();
        assert!(dots >= 15, "{dots} contractions in 8 bits");
        losses(&p, want.len())
    });
    println!("{runs:?}\nf32: {want:?}");
    for (step, w) in want.iter().enumerate() {
        let [one, mesh] = [runs[0][step], runs[1][step]];
        assert!(((one - w) / w).abs() < 1e-2, "step {step}: loss {one}, {w} in f32");
        assert!(((mesh - one) / one).abs() < 3e-3, "step {step}: loss {mesh} on a mesh, {one} on one device");
    }
}
