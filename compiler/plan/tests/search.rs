//! Everything open is chosen by predicted time.

mod support;

use meshloom_plan::cost::Target;
use meshloom_plan::{Mode, Plan, PlanOptions};
use support::*;

fn h100() -> Target {
    Target::builtin("h100-sxm").expect("is built in")
}

fn searched(text: &str, mesh: &[(&str, u64)], layout: Option<&str>, target: Target) -> Plan {
    let func = program(text, mesh, layout);
    let options = PlanOptions { mode: Mode::Search, target, ..PlanOptions::default() };
    let start = std::time::Instant::now();
    let p = planned_with(&func, &options);
    println!("{mesh:?} {layout:?} {:?}\n{}", start.elapsed(), show(&func, &p));
    for t in p.tensors.iter().filter(|t| t.role.is_some() && !t.is_output) {
        println!("  {} {:?} {}", t.name, t.shape, t.layout.show(&func.mesh));
    }
    p
}

#[test]
fn gpt_small_free() {
    for mesh in [vec![("data", 8)], vec![("data", 2), ("model", 4)]] {
        for target in [h100(), Target::default()] {
            searched(GPT_SMALL, &mesh, None, target);
        }
    }
}
