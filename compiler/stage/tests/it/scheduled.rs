//! Programs of stages, scheduled in the orders of pipelines: valid, proved to compute what the stage's program says, and with no
//! more in memory than the microbatches in flight.

use crate::stages::{model, planned};
use meshloom_audit::audit;
use meshloom_bundle::program::{Instr, Program, Wire};
use meshloom_fusion::dtype::bundle_dtype;
use meshloom_fusion::weave::Weave;
use meshloom_ir::{Func, Role};
use meshloom_schedule::{ScheduleOptions, Scheduled, Stage, schedule_stage};
use meshloom_stage::{Boundaries, Given, Kind, Link, StageProgram, Taken, cut, project};
use std::collections::BTreeSet;

/// The order in which stage `k` of `stages` runs its actions: warm-up, one forward and one backward, and the rest.
fn one_forward_one_backward(p: &StageProgram, stages: usize, microbatches: u64) -> Vec<(usize, u64)> {
    let of = |kind: Kind| p.actions.iter().position(|a| a.kind == kind);
    let (forward, back) = (of(Kind::Forward).unwrap(), of(Kind::Input).unwrap());
    let warm = ((stages - 1 - p.stage) as u64).min(microbatches);
    let mut order: Vec<(usize, u64)> = (0..warm).map(|i| (forward, i)).collect();
    for i in 0..microbatches {
        order.extend((i + warm < microbatches).then_some((forward, i + warm)));
        order.push((back, i));
        order.extend(of(Kind::Weight).map(|w| (w, i)));
    }
    order
}

fn all_forward_first(p: &StageProgram, _: usize, microbatches: u64) -> Vec<(usize, u64)> {
    (0..p.actions.len()).flat_map(|k| (0..microbatches).map(move |i| (k, i))).collect()
}

fn wires(p: &StageProgram) -> Vec<Wire> {
    let wire = |func: &Func, v: meshloom_ir::ValueId, name: &str, link: &Link, sends: bool| Wire {
        name: name.into(),
        stage: (if sends { link.to } else { link.from }) as u32,
        sends,
        dtype: bundle_dtype(func.ty(v).dtype),
        shape: func.ty(v).shape[usize::from(link.each)..].to_vec(),
        each: link.each,
    };
    let f = &p.func;
    let taken = p.taken.iter().enumerate().filter_map(|(i, t)| match t {
        Taken::Received(l) => Some(wire(f, f.body().args[i], &f.inputs[i].name, l, false)),
        Taken::Input(_) => None,
    });
    let given = p.given.iter().enumerate().filter_map(|(i, g)| match g {
        Given::Sent(l) => Some(wire(f, f.body().yields[i], &f.outputs[i].name, l, true)),
        Given::Output(_) => None,
    });
    taken.chain(given).collect()
}

type Order = fn(&StageProgram, usize, u64) -> Vec<(usize, u64)>;

fn scheduled(p: &StageProgram, stages: usize, microbatches: u64, order: Order) -> Scheduled {
    let each = |l: &Link| l.each;
    let weave = Weave {
        microbatches,
        actions: p.actions.iter().map(|a| (a.repeat, format!("{:?}", a.kind))).collect(),
        order: order(p, stages, microbatches),
        received_each: p
            .taken
            .iter()
            .enumerate()
            .filter(|t| matches!(t.1, Taken::Received(l) if each(l)))
            .map(|t| t.0)
            .collect(),
        after: p.after.clone(),
        sent_each: p
            .given
            .iter()
            .enumerate()
            .filter(|g| matches!(g.1, Given::Sent(l) if each(l)))
            .map(|g| g.0)
            .collect(),
    };
    let opts = ScheduleOptions { locate: &|_| None, tokens_per_step: 0, device: Default::default(), tf32: false };
    let shapes =
        |values: &[meshloom_ir::ValueId]| -> Vec<Vec<u64>> { values.iter().map(|&v| whole(&p.func, v)).collect() };
    let shapes = [shapes(&p.func.body().args), shapes(&p.func.body().yields)];
    let stage = Stage { func: &p.func, weave: &weave, shapes, wires: wires(p) };
    schedule_stage(stage, &opts).unwrap_or_else(|e| panic!("stage {}: {}", p.stage, e.message))
}

/// The whole shape of a value that axes divide.
fn whole(f: &Func, v: meshloom_ir::ValueId) -> Vec<u64> {
    let axes = |d: usize| f.value(v).layout.as_ref().map_or(1, |l| f.mesh.group_size(&l.dims[d]));
    f.ty(v).shape.iter().enumerate().map(|(d, n)| n * axes(d)).collect()
}

fn stages(layout: &str, mesh: &[(&str, u64)], at: &[u64], weights: bool) -> (u64, Vec<StageProgram>) {
    let (_, local) = planned(&model(false, ", clip: 1.0"), mesh, layout);
    let staged = cut(&local, &Boundaries { list: "blocks".into(), at: at.to_vec(), weights }).unwrap();
    (staged.microbatches, project(&staged))
}

#[test]
fn stages_are_proved() {
    for (layout, mesh) in [("dp", [("data", 1), ("model", 1)]), ("fsdp", [("data", 2), ("model", 1)])] {
        for weights in [false, true] {
            let (microbatches, programs) = stages(layout, &mesh, &[2, 4], weights);
            for p in &programs {
                for order in [one_forward_one_backward as Order, all_forward_first] {
                    let made = scheduled(p, programs.len(), microbatches, order);
                    let text = || meshloom_schedule::print::print(&made);
                    meshloom_bundle::validate(&made.program)
                        .unwrap_or_else(|e| panic!("stage {}: {e}\n{}", p.stage, text()));
                    let found = audit(&p.func, &made.program, &made.kernels);
                    let found = found.unwrap_or_else(|e| {
                        panic!("{layout}, stage {}: {e}\n{}\n{}", p.stage, meshloom_ir::print::print(&p.func), text())
                    });
                    assert!(found.unfollowed.is_empty(), "{layout}, stage {}: {}", p.stage, found.unfollowed[0]);
                }
            }
        }
    }
}

fn actions(program: &mut Program) -> &mut meshloom_bundle::program::Actions {
    let found = program.instrs.iter_mut().find_map(|i| match i {
        Instr::Actions(a) => Some(a),
        _ => None,
    });
    found.expect("a stage has actions")
}

/// An order with more microbatches in flight than slots, a transfer left out or of another wire, a slot too few: each is refused.
#[test]
fn wrong_orders_are_refused() {
    let (microbatches, programs) = stages("dp", &[("data", 1), ("model", 1)], &[2, 4], false);
    let p = &programs[1];
    let made = scheduled(p, programs.len(), microbatches, one_forward_one_backward);
    assert!(audit(&p.func, &made.program, &made.kernels).is_ok_and(|a| a.unfollowed.is_empty()));
    let refused = |what: &str, change: &dyn Fn(&mut Program)| {
        let mut program = made.program.clone();
        change(&mut program);
        let found = audit(&p.func, &program, &made.kernels);
        assert!(found.as_ref().map_or(true, |a| !a.unfollowed.is_empty()), "{what} is accepted");
    };
    refused("all forward first", &|program| {
        let all = actions(program);
        all.order.sort_by_key(|t| t.action);
    });
    refused("two microbatches exchanged", &|program| {
        let all = actions(program);
        let at = all.order.iter().position(|t| t.microbatch == 1).unwrap();
        let other = all.order.iter().rposition(|t| t.action == all.order[at].action && t.microbatch == 2).unwrap();
        all.order.swap(at, other);
    });
    for body in 0..2 {
        let transfers = |i: &Instr| matches!(i, Instr::Send(_) | Instr::Receive(_));
        refused("a transfer left out", &|program| actions(program).bodies[body].body.retain(|i| !transfers(i)));
        refused("a transfer twice", &|program| {
            let list = &mut actions(program).bodies[body].body;
            let one = list.iter().find(|i| transfers(i)).cloned().unwrap();
            list.push(one);
        });
        refused("a transfer before its kernel", &|program| {
            let list = &mut actions(program).bodies[body].body;
            if let Some(k) = list.iter().position(|i| matches!(i, Instr::Send(_))) {
                let send = list.remove(k);
                list.insert(0, send);
            }
        });
    }
}

/// What waits for the backward pass is there for the microbatches in flight: of the last stage one, of the first as many as stages.
#[test]
fn memory_is_that_of_microbatches_in_flight() {
    let (microbatches, programs) = stages("dp", &[("data", 1), ("model", 1)], &[2, 4], false);
    assert_eq!((microbatches, programs.len()), (4, 3));
    let bytes = |order: Order| -> Vec<u64> {
        programs.iter().map(|p| scheduled(p, 3, microbatches, order).program.arena_bytes).collect()
    };
    let (few, all) = (bytes(one_forward_one_backward), bytes(all_forward_first));
    println!("{few:?} {all:?}");
    assert!((1..3).all(|k| few[k] < all[k]), "{few:?} {all:?}");
    let sent: BTreeSet<Role> = programs.iter().flat_map(|p| p.func.outputs.iter().map(|o| o.role)).collect();
    assert!(sent.contains(&Role::Sent));
}
