//! Attention as JAX prints it, op by op (`tests/data/stablehlo`): planned as the composite, forward and backward, with a
//! certificate; and not where the rule is off. The driver's tests run the plans as machine code.

use crate::support::*;
use meshloom_ir::{Func, Op};
use meshloom_plan::extend::algebra::{AlgebraLimits, AlgebraOptions};
use meshloom_plan::extend::{Extended, RECOGNITION, algebra, recompute};
use meshloom_plan::{Mode, Plan, PlanOptions};
use meshloom_source::FrontOptions;

fn import(name: &str, mesh: Option<&[(&str, u64)]>) -> Func {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo");
    let text = std::fs::read_to_string(dir.join(format!("{name}.mlir"))).expect("the file is there");
    let mesh = mesh.map(|m| m.iter().map(|(n, s)| (n.to_string(), *s)).collect());
    let out = meshloom_stablehlo::compile(name, &text, &FrontOptions { mesh, ..FrontOptions::default() });
    assert!(out.elaborated.is_some(), "{name}: {:?}", out.diagnostics);
    out.elaborated.expect("was looked at").entries.remove(0).func
}

fn options(without: bool) -> PlanOptions {
    let mut options = PlanOptions { mode: Mode::Search, ..PlanOptions::default() };
    options.disabled_rules.extend(without.then(|| RECOGNITION.to_string()));
    options
}

/// Names of the composites that each device runs.
fn composites(plan: &Plan) -> Vec<String> {
    let name = |o: &Op| match o {
        Op::Composite { name, .. } => Some(name.to_string()),
        _ => None,
    };
    plan.local.walk(Func::BODY).into_iter().filter_map(|o| name(&plan.local.op(o).op)).collect()
}

/// A program with its alternatives.
fn extended(func: &Func, without: bool) -> Extended {
    let options = options(without);
    let mut ext = Extended::new(func.clone());
    recompute::extend(&mut ext, &options);
    let disabled = &options.disabled_rules;
    let limits = AlgebraLimits::default();
    algebra::extend(&mut ext, &AlgebraOptions { strict_float: false, disabled, limits, blocks_alone: false });
    ext
}

/// Names of the composites that are offered in place of single ops, whether a plan uses them or not.
fn offered(func: &Func) -> Vec<String> {
    let ext = extended(func, false);
    // Those that are proved: each result stands in an equality.
    let proved = |v| ext.equal.iter().any(|e| e.a == v || e.b == v);
    let all = ext.preferred.iter().map(|&o| ext.func.op(o)).filter(|d| d.results.iter().all(|&v| proved(v)));
    let name = |o: &Op| if let Op::Composite { name, .. } = o { Some(name.to_string()) } else { None };
    all.filter_map(|d| name(&d.op)).collect()
}

/// In what JAX makes of models: `jax.nn.dot_product_attention` in a scan and in layers that are rolled, each behind `jax.checkpoint`,
/// which computes attention again in its backward loop; in a scan in bf16 that keeps what its backward loop reads; and Flax's own.
#[test]
fn attention_of_models() {
    let grouped = ["grouped_attention", "grouped_attention", "grouped_attention_grad"];
    for (name, expected) in [
        ("scan", grouped),
        ("checkpoint", grouped),
        ("mixed", grouped),
        ("flax", ["attention", "attention", "attention_grad"]),
    ] {
        let mut found = offered(&import(&format!("models/{name}"), None));
        found.sort_unstable();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn attention_alone_and_with_its_gradient() {
    let (forward, both) = (&["attention"][..], &["attention", "attention_grad"][..]);
    for (name, expected, meshes) in [
        ("forward", forward, &[[2, 4]][..]),
        ("forward_causal", forward, &[[1, 1]]),
        ("gradient", both, &[[2, 2]]),
        ("gradient_causal", both, &[[1, 1], [2, 4]]),
    ] {
        for mesh in meshes {
            let sizes = [("data", mesh[0]), ("model", mesh[1])];
            let func = import(&format!("attention/{name}"), Some(&sizes));
            let plan = planned_with(&func, &options(false));
            assert_eq!(composites(&plan), expected, "{name} on {mesh:?}");
            runs_alike(&func, &plan, 1, 1e-4);
        }
    }
    let func = import("attention/gradient_causal", None);
    assert_eq!(composites(&planned_with(&func, &options(true))), [""; 0], "without the rule");
}

/// `jax.nn.dot_product_attention`: five dims, heads in groups, 16 bits.
#[test]
fn attention_of_jax_nn() {
    let (forward, both) = (&["grouped_attention"][..], &["grouped_attention", "grouped_attention_grad"][..]);
    for (name, expected, mesh) in [
        ("nn_forward", forward, [2, 1]),
        ("nn_gradient", both, [1, 1]),
        ("nn_grouped_gradient", both, [1, 1]),
        ("nn_bf16_forward", forward, [2, 1]),
        ("nn_bf16_gradient", both, [2, 1]),
    ] {
        let func = import(&format!("attention/{name}"), Some(&[("data", mesh[0]), ("model", mesh[1])]));
        assert_eq!(offered(&func), expected, "{name}");
        let plan = planned_with(&func, &options(false));
        assert_eq!(composites(&plan), expected, "{name} on {mesh:?}");
        // Of numbers that are rounded to 8 bits, and sums of their products.
        runs_alike(&func, &plan, 1, if name.contains("bf16") { 2e-2 } else { 1e-4 });
    }
}

/// In a loop over layers and in the loop that runs back: the scores are neither kept between the two nor ever held, and less is.
#[test]
fn attention_of_layers_in_loops() {
    let func = import("gpt_tiny.dp8", None);
    let (on, off) = (planned_with(&func, &options(false)), planned_with(&func, &options(true)));
    assert_eq!(composites(&on), ["attention", "attention", "attention_grad"]);
    assert_eq!(composites(&off), [""; 0]);
    assert!(
        on.memory.as_ref().unwrap().total < off.memory.as_ref().unwrap().total
            && on.totals.predicted_step_us < off.totals.predicted_step_us
    );
    // One sequence of 32 positions and 4 heads on each of 8 devices, in 2 layers.
    let scores = |p: &Plan| p.local.values.iter().any(|v| v.ty.shape.ends_with(&[32, 32]) && v.ty.shape.len() == 5);
    assert!(!scores(&on) && scores(&off));
}

/// Cross-entropy needs no composite: written in single ops, its maxima, sums and looked-up logits are partial over a vocabulary
/// that is split.
#[test]
fn logits_that_are_split_over_the_vocabulary_are_never_gathered() {
    let func = import("gpt_tiny.dp2tp4_cs", None);
    // Whatever becomes of attention.
    let plan = planned_with(&func, &options(true));
    // 8 sequences of 32 positions over data=2, a vocabulary of 256 over model=4.
    let logits = |n: u64| plan.local.values.iter().any(|v| v.ty.shape.ends_with(&[32, n]) && v.ty.shape.len() == 3);
    assert!(logits(64) && !logits(256));
}

/// What writes its attention as the composite has the same alternatives as if there were no rule, so it is planned alike, and once.
#[test]
fn programs_without_the_pattern_pay_nothing() {
    let func = program(GPT_TINY, &[("data", 2), ("model", 4)], None);
    let (on, off) = (extended(&func, false), extended(&func, true));
    assert!(on.preferred.is_empty());
    assert_eq!(on.equal, off.equal);
    assert_eq!(meshloom_ir::print::print(&on.func), meshloom_ir::print::print(&off.func));
}
