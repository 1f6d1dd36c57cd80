//! The costliest ops of a plan: what they are called, what they do, and what share of the target that is.

use meshloom_driver::{CompileOptions, check, plan, roofline};
use meshloom_plan::cost::Target;

const NET: &str = "dim batch = 4096, n = 4096
struct Layer { w: f32[n, n] = normal(0.1) }
struct Net { layers: [Layer; 4] }
fn loss(m: Net, x: f32[batch, n]) -> f32 {
    for p in m.layers { x = tanh(dot(x, p.w)) }
    mean(x * x)
}
entry f(m: Net, x: f32[batch, n]) -> f32 { loss(m, x) }
";

#[test]
fn ops_are_named_by_the_source() {
    let mut o = CompileOptions::default();
    o.plan.target = Target::builtin("h100-sxm").expect("built in");
    let p = check("net.loom", NET, &o).and_then(|p| plan(p, &o)).unwrap_or_else(|e| panic!("{}", e.0));
    let report = roofline::of(&p, &p.entries[0]);
    println!("{}", report.text());
    let top = &report.costliest[0];
    assert_eq!(
        (top.op.as_str(), top.text.as_str(), top.place.as_str()),
        ("dot_general", "dot(x, p.w)", "net.loom:5:34")
    );
    assert_eq!((top.phase.as_str(), top.times, top.bound.as_str()), ("forward", 4, "arithmetic"));
    let n = 4096u64;
    assert_eq!((top.flops, top.bytes), (4 * 2 * n * n * n, 4 * 3 * 4 * n * n));
    let target = &o.plan.target;
    let rate = |amount: u64| amount as f64 / (top.us / 1e6);
    let peak = target.peak(meshloom_ir::DType::F32) as f64;
    assert!((top.of_peak - rate(top.flops) / peak).abs() < 1e-3 && top.of_peak > 0.3, "{top:?}");
    assert!((top.of_bandwidth - rate(top.bytes) / target.bandwidth as f64).abs() < 1e-3, "{top:?}");
    assert!(report.costliest.is_sorted_by(|a, b| a.us >= b.us) && report.costliest.len() as u64 <= report.ops);
    assert!(report.costliest.iter().skip(1).any(|r| r.bound == "memory"), "{}", report.text());
}
