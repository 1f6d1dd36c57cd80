//! Loops in segments: what a plan under a budget gains from them, and that it is proved and computes the same.

use crate::support::*;
use meshloom_certify::Certificate;
use meshloom_ir::segments::Cut;
use meshloom_ir::{Func, Op};
use meshloom_plan::cost::Target;
use meshloom_plan::{Mode, Plan, PlanOptions, Recompute};

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

/// A loop over layers inside one over microbatches is cut as well; its stacks are there once for each of them.
#[test]
fn loops_in_loops_are_cut() {
    let text = GPT_TINY.replace("const layers = 2", "const layers = 6").replace("lr: 1e-3", "lr: 1e-3, accumulate: 2");
    let mut func =
        program_with(&text, &[("data", 1), ("model", 1)], None, &[("batch", 16), ("seq", 16), ("vocab", 16)]);
    meshloom_autodiff::widen(&mut func);
    let full = planned_under(&func, None).unwrap().memory.as_ref().unwrap().total;
    let mut cut = 0;
    for percent in [93, 84] {
        let budget = full * percent / 100;
        let p = planned_under(&func, Some(budget)).unwrap();
        let cuts: Vec<_> = p.certificate.cuts.iter().map(|c| c.at.clone()).collect();
        println!(
            "{percent}%: {} of {budget}, {:.2} us, {cuts:?}",
            p.memory.as_ref().unwrap().total,
            p.totals.predicted_step_us
        );
        assert!(p.memory.as_ref().unwrap().total <= budget);
        assert!(p.stashes.iter().all(|s| s.list.as_deref() == Some("blocks")));
        meshloom_certify::check(&func, &p.local, &p.certificate).unwrap_or_else(|e| panic!("{}", e[0]));
        runs_alike(&func, &p, 3, 1e-4);
        cut += usize::from(!cuts.is_empty());
    }
    assert!(cut > 0, "no loop is cut");
}

/// What is recomputed at most: everything but what enters the loop and the logarithms of attention's sums.
#[test]
fn attention_is_computed_again() {
    let func = gpt(3);
    let target = Target::builtin("h100-sxm").expect("is built in");
    let options = PlanOptions { mode: Mode::Search, target, recompute: Recompute::Full, ..PlanOptions::default() };
    let p = planned_with(&func, &options);
    let kept: Vec<(&str, u64)> =
        p.stashes.iter().filter(|s| !s.rematerialized).map(|s| (s.name.as_str(), s.bytes_per_device)).collect();
    // f32 of 3 layers, 8 sequences, 4 heads, 16 positions.
    assert_eq!((p.stashes.len(), kept), (10, vec![("composite", 3 * 8 * 4 * 16 * 4)]));
    let forward =
        |f: &Func| f.ops.iter().filter(|o| matches!(o.op, Op::Composite { .. }) && o.results.len() == 2).count();
    assert_eq!((forward(&func), forward(&p.local)), (1, 2));
    runs_alike(&func, &p, 4, 1e-4);
}

/// Between two plans of the whole loop lies one of two segments, which is proved, fits, and gives the same numbers.
#[test]
fn segments_are_found_and_proved() {
    let func = gpt(6);
    let free = planned_under(&func, None).unwrap();
    let full = free.memory.as_ref().unwrap().total;
    let mut cut = 0;
    let mut last = free.totals.predicted_step_us;
    for percent in [93, 84] {
        let budget = full * percent / 100;
        let p = planned_under(&func, Some(budget)).unwrap();
        let cuts: Vec<_> = p.certificate.cuts.iter().map(|c| c.at.clone()).collect();
        println!(
            "{percent}%: {} of {budget}, {:.2} us, {cuts:?}",
            p.memory.as_ref().unwrap().total,
            p.totals.predicted_step_us
        );
        for s in p.stashes.iter().filter(|s| s.rematerialized) {
            println!("   {:?} of {} {:?}: {} {}", s.iterations, s.of, s.list, s.name, s.bytes_per_device);
        }
        assert!(p.memory.as_ref().unwrap().total <= budget && p.totals.predicted_step_us >= last * 0.999);
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
