//! Programs to plan: the examples, from their source, and small ones from Loom text.
#![allow(dead_code)]

use meshloom_autodiff as autodiff;
use meshloom_ir::Func;
use meshloom_ir::interp::{eval, spmd};
use meshloom_ir::print::print;
use meshloom_ir::tensor::Data;
use meshloom_ir::verify::verify;
use meshloom_plan::{Plan, PlanOptions, plan};
use meshloom_random as random;
use meshloom_source::FrontOptions;
use meshloom_source::diagnostic::{Style, render_all};
use meshloom_source::entry::EntryKind;
use meshloom_syntax::elaborate::compile;

pub const GPT: &str = include_str!("../../../../../examples/gpt.loom");
pub const GPT_SMALL: &str = include_str!("../../../../../examples/gpt_small.loom");
pub const GPT_TINY: &str = include_str!("../../../../../examples/gpt_tiny.loom");
pub const MLP: &str = include_str!("../../../../../examples/mlp.loom");

/// The first entry of a source: the train step where it is a `train`.
pub fn program(text: &str, mesh: &[(&str, u64)], layout: Option<&str>) -> Func {
    program_with(text, mesh, layout, &[])
}

pub fn program_with(text: &str, mesh: &[(&str, u64)], layout: Option<&str>, dims: &[(&str, u64)]) -> Func {
    entry(text, mesh, layout, dims, None)
}

pub fn entry(
    text: &str,
    mesh: &[(&str, u64)],
    layout: Option<&str>,
    dims: &[(&str, u64)],
    entry: Option<&str>,
) -> Func {
    let options = FrontOptions {
        entry: entry.map(str::to_string),
        mesh: Some(mesh.iter().map(|(n, s)| (n.to_string(), *s)).collect()),
        layout: layout.map(str::to_string),
        dims: dims.iter().map(|(n, s)| (n.to_string(), *s)).collect(),
        ..FrontOptions::default()
    };
    let out = compile("test.loom", text, &options);
    let Some(elaborated) = out.elaborated else {
        panic!("{}", render_all(&out.diagnostics, &out.sources, Style::Plain))
    };
    let entry = &elaborated.entries[0];
    match &entry.kind {
        EntryKind::Function => entry.func.clone(),
        EntryKind::Train { spec, state, microbatch, .. } => {
            let state = state.clone();
            let microbatch = microbatch.as_ref().map(|m| {
                let parts = autodiff::parts(&entry.func, &m.loss, m.count, spec);
                assert!(parts.coupled.is_empty(), "a sum or a mean");
                autodiff::Microbatch { parts, count: m.count, inside: true }
            });
            let options = autodiff::TrainOptions { state, microbatch, ..autodiff::TrainOptions::default() };
            autodiff::train_step(&entry.func, spec, &options).expect("the loss has a gradient")
        }
    }
}

/// Plans, and checks what every plan must satisfy: the local program verifies and the certificate holds.
pub fn planned(func: &Func) -> Plan {
    planned_with(func, &PlanOptions::default())
}

pub fn planned_with(func: &Func, options: &PlanOptions) -> Plan {
    let p = plan(func, options).unwrap_or_else(|e| panic!("{e:?}\n{}", print(func)));
    if let Err(e) = verify(&p.local) {
        panic!("{e:?}\n{}", print(&p.local));
    }
    if let Err(e) = meshloom_certify::check(func, &p.local, &p.certificate) {
        panic!("{e:#?}\n{}\n{}", print(func), print(&p.local));
    }
    p
}

/// Without the rules named.
pub fn without(func: &Func, rules: &[&str]) -> Plan {
    let disabled_rules = rules.iter().map(|r| r.to_string()).collect();
    planned_with(func, &PlanOptions { disabled_rules, ..PlanOptions::default() })
}

/// Runs the plan on simulated devices and the global program on one, and compares results and bytes on the wire.
pub fn runs_alike(func: &Func, p: &Plan, seed: u64, tolerance: f64) {
    let sent = computes_alike(func, p, seed, tolerance);
    assert_eq!(sent, p.totals.mesh_wire_bytes, "bytes by the plan\n{}", print(&p.local));
}

/// As [`runs_alike`], without the bytes, which are returned: a plan knows them for loops that count.
pub fn computes_alike(func: &Func, p: &Plan, seed: u64, tolerance: f64) -> u64 {
    let inputs = random::inputs(func, seed);
    let want = eval(func, &inputs).expect("the global program runs");
    let (got, traffic) = spmd::run_for(func, &p.local, &inputs).expect("the local program runs");
    for ((w, g), port) in want.iter().zip(&got).zip(&func.outputs) {
        match (&w.data, &g.data) {
            (Data::Float(a), Data::Float(b)) => {
                let norm = a.iter().fold(1e-3f64, |n, x| n.max(x.abs()));
                let apart = |x: f64, y: f64| if x.is_nan() && y.is_nan() || x == y { 0.0 } else { (x - y).abs() };
                // What pads a shard is NaN where the program does not say otherwise.
                let off = a.iter().zip(b).map(|(x, y)| apart(*x, *y)).max_by(f64::total_cmp).unwrap_or(0.0);
                assert!(off <= tolerance * norm, "{}: off by {off} of {norm}\n{}", port.name, print(&p.local));
            }
            (a, b) => assert_eq!(a, b, "{}", port.name),
        }
    }
    traffic.sent.values().flatten().sum()
}

/// Lines `kind over axes of tensor, times x bytes`, to see a plan at a glance.
pub fn show(func: &Func, p: &Plan) -> String {
    let mut out = String::new();
    for c in &p.collectives {
        let axes: Vec<&str> = c.axes.iter().map(|&a| func.mesh.name(a)).collect();
        out += &format!(
            "{} {} x{} {:.3} MB {} [{}] {}\n",
            c.does.name(),
            axes.join(","),
            c.times_per_step,
            c.wire_bytes_per_device / 1e6,
            c.tensor,
            c.phase.name(),
            c.why
        );
    }
    out + &format!(
        "total {:.3} MB, {:.1} MFLOP, {:?}\n",
        p.totals.wire_bytes_per_device / 1e6,
        p.totals.flops_per_device as f64 / 1e6,
        p.stats
    )
}
