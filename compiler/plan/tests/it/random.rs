//! Random programs on random meshes: the plan's program computes what the global program does, its certificate holds, it
//! moves the bytes that the plan says, and the same plan comes out twice.

use crate::support::*;
use meshloom_ir::print::print;
use meshloom_ir::{Op, interp};
use meshloom_plan::{Limits, Mode, PlanOptions, plan};
use meshloom_random::{RandomOptions, Rng, inputs, mesh, program};

#[test]
fn partitioned_equals_global() {
    equal(7, 200, false);
}

/// Dims of 1, 5, 7, 11, and axes that do not divide them.
#[test]
fn partitioned_equals_global_with_uneven_dims() {
    let masked = equal(8, 80, true);
    assert!(masked > 40, "{masked} masks in all");
}

/// How many masks the plans have.
fn equal(start: u64, programs: u64, uneven: bool) -> usize {
    let mut rng = Rng::new(start);
    let (mut refused, mut masks) = (0, 0);
    for seed in 0..programs {
        let mesh = mesh(&mut rng, 8);
        let func = program(seed, &RandomOptions { uneven, ..RandomOptions::new(mesh) });
        if interp::eval(&func, &inputs(&func, seed)).is_err() {
            continue;
        }
        // An output that updates an input may be annotated otherwise than the input.
        if plan(&func, &PlanOptions::default()).is_err_and(|e| e.iter().all(|e| e.message.contains("next value"))) {
            refused += 1;
            continue;
        }
        // A search takes longer, and needs fewer programs to meet every kind of step.
        let modes: &[Mode] = if seed % 4 == 0 { &[Mode::Follow, Mode::Search] } else { &[Mode::Follow] };
        for &mode in modes {
            let limits = Limits { moves: 800_000, states: 50_000, ..Limits::default() };
            let options = PlanOptions { mode, limits, ..PlanOptions::default() };
            let p = planned_with(&func, &options);
            runs_alike(&func, &p, seed, 1e-10);
            let q = planned_with(&func, &options);
            assert_eq!(print(&p.local), print(&q.local));
            assert_eq!(p.certificate, q.certificate);
            assert_eq!(p.stats, q.stats);
            masks += p.local.ops.iter().filter(|o| matches!(o.op, Op::PadMask { .. })).count();
        }
    }
    assert!(refused < 40, "{refused} programs refused");
    masks
}
