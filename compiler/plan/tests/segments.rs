//! Loops in segments: what a plan under a budget gains from them, and that it is proved and computes the same.

mod support;

use meshloom_certify::Certificate;
use meshloom_ir::Func;
use meshloom_ir::segments::Cut;
use meshloom_plan::cost::Target;
use meshloom_plan::{Mode, Plan, PlanOptions, Recompute};
use support::*;

fn gpt(layers: u64) -> Func {
    let text = GPT_TINY.replace("const layers = 2", &format!("const layers = {layers}"));
    let mut func = program_with(&text, &[("data", 1), ("model", 1)], None, &[("batch", 8), ("seq", 16), ("vocab", 16)]);
    meshloom_autodiff::widen(&mut func);
    func
}

fn planned_under(func: &Func, budget: Option<u64>) -> Result<Plan, String> {
    let target = Target::builtin("h100-sxm").expect("is built in");
    let options =
        PlanOptions { mode: Mode::Search, target, budget, recompute: Recompute::Auto, ..PlanOptions::default() };
    meshloom_plan::plan(func, &options).map_err(|e| e[0].message.clone())
}

/// Between two plans of the whole loop lies one of two segments, which is proved, fits, and gives the same numbers.
#[test]
fn segments_are_found_and_proved() {
    let func = gpt(6);
    let free = planned_under(&func, None).unwrap();
    let full = free.memory.total;
    let mut cut = 0;
    let mut last = free.totals.predicted_step_us;
    for percent in [94, 85] {
        let budget = full * percent / 100;
        let p = planned_under(&func, Some(budget)).unwrap();
        let cuts: Vec<_> = p.certificate.cuts.iter().map(|c| c.at.clone()).collect();
        println!("{percent}%: {} of {budget}, {:.2} us, {cuts:?}", p.memory.total, p.totals.predicted_step_us);
        for s in p.stashes.iter().filter(|s| s.again) {
            println!("   {:?} of {} {:?}: {} {}", s.iterations, s.of, s.list, s.name, s.bytes_per_device);
        }
        assert!(p.memory.total <= budget && p.totals.predicted_step_us >= last * 0.999);
        last = p.totals.predicted_step_us;
        meshloom_certify::check(&func, &p.local, &p.certificate).unwrap_or_else(|e| panic!("{}", e[0]));
        // The certificate survives its text form, which names loops of the given program and values of the cut one.
        let text = meshloom_certify::text::print(&p.certificate, &func, &p.local);
        let read = meshloom_certify::text::parse(&text, &func, &p.local).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(read.cuts, p.certificate.cuts);
        meshloom_certify::check(&func, &p.local, &read).unwrap_or_else(|e| panic!("{}", e[0]));
        // Cut elsewhere, or not at all, it proves nothing.
        for cuts in [vec![], vec![Cut { at: vec![p.certificate.cuts[0].at[0] - 1], ..p.certificate.cuts[0].clone() }]] {
            let other = Certificate { cuts, ..p.certificate.clone() };
            assert!(meshloom_certify::check(&func, &p.local, &other).is_err());
        }
        runs_alike(&func, &p, 3, 1e-4);
        cut += usize::from(!cuts.is_empty());
    }
    assert!(cut == 2, "{cut} of 2 are cut");
}
