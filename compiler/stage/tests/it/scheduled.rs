//! Programs of ranks, scheduled in the orders of pipelines: valid, proved to compute what the rank's program says, and with no
//! more in memory than the microbatches in flight.

use crate::stages::{Entry, model, planned};
use meshloom_audit::{Audit, Objection, audit, audit_each_microbatch};
use meshloom_bundle::program::{BufRef, Instr, LoopIndex, Program};
use meshloom_bundle::{Pipeline, validate_wires};
use meshloom_ir::Role;
use meshloom_lower::{ScheduleOptions, Scheduled};
use meshloom_pipeline::{PipelineSchedule, ScheduleRequest, schedules};
use meshloom_strategy::rank_program::{RankProgram, ranks, scheduled};
use std::collections::BTreeSet;

/// A schedule that has a name, for so many ranks and microbatches.
pub fn named(name: &str, ranks: u32, microbatches: u32) -> PipelineSchedule {
    let entry = schedules::find(name).unwrap_or_else(|| panic!("a schedule `{name}`"));
    schedules::make(entry, &ScheduleRequest::of(ranks, microbatches)).unwrap_or_else(|e| panic!("{e}"))
}

fn made(p: &RankProgram) -> Scheduled {
    let options = ScheduleOptions {
        locate: &|_| None,
        tokens_per_step: 0,
        device: Default::default(),
        tf32: false,
        rounds_each: false,
    };
    scheduled(p, &options).unwrap_or_else(|e| panic!("rank {}: {}", p.program.rank, e.message))
}

/// Schedules all ranks, and proves what they compute and that they come to an end.
pub fn proved(what: &str, all: &[RankProgram]) -> Vec<Scheduled> {
    let schedules: Vec<Scheduled> = all.iter().map(made).collect();
    for (p, made) in all.iter().zip(&schedules) {
        let (rank, func) = (p.program.rank, &p.program.func);
        let text =
            || format!("{}\n{}", meshloom_ir::print::print(func), meshloom_lower::executable::print::print(made));
        meshloom_bundle::validate(&made.program).unwrap_or_else(|e| panic!("{what}, rank {rank}: {e}\n{}", text()));
        let found = audit(func, &made.program, &made.kernels);
        let found = found.unwrap_or_else(|e| panic!("{what}, rank {rank}: {e}\n{}", text()));
        assert!(found.unfollowed.is_empty(), "{what}, rank {rank}: {}\n{}", found.unfollowed[0], text());
    }
    let programs = schedules.iter().map(|s| s.program.clone()).collect();
    let pipeline = Pipeline { axis: 0, schedule: String::new(), ranks: programs };
    validate_wires(&pipeline).unwrap_or_else(|e| panic!("{what}: {e}"));
    schedules
}

fn stages(layout: &str, mesh: &[(&str, u64)], sizes: &[u64], schedule: &PipelineSchedule) -> Vec<RankProgram> {
    let Entry { global, local } = planned(&model(false, ", clip: 1.0"), mesh, layout);
    ranks(&local, &global, "blocks", sizes, schedule).unwrap_or_else(|e| panic!("{e}"))
}

const ONE: [(&str, u64); 2] = [("data", 1), ("model", 1)];

#[test]
fn stages_are_proved() {
    for (layout, mesh) in [("dp", ONE), ("fsdp", [("data", 2), ("model", 1)])] {
        for name in ["1f1b", "gpipe", "zb-h1"] {
            let all = stages(layout, &mesh, &[2, 2, 1], &named(name, 3, 4));
            proved(&format!("{layout}, {name}"), &all);
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
    let all = stages("dp", &ONE, &[2, 2, 1], &named("1f1b", 3, 4));
    let (func, made) = (&all[1].program.func, made(&all[1]));
    assert!(audit(func, &made.program, &made.kernels).is_ok_and(|a| a.unfollowed.is_empty()));
    let refused = |what: &str, change: &dyn Fn(&mut Program)| {
        let mut program = made.program.clone();
        change(&mut program);
        let found = audit(func, &program, &made.kernels);
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

/// The buffers of a list of instructions that move with the microbatch, or all.
fn buffers(list: &mut [Instr]) -> Vec<&mut BufRef> {
    let of = |i| match i {
        &mut Instr::Launch(ref mut l) => l.args.iter_mut().collect(),
        Instr::Collective(c) => vec![&mut c.src, &mut c.dst],
        Instr::Bucket(all) => all.iter_mut().flat_map(|c| [&mut c.src, &mut c.dst]).collect(),
        Instr::Copy { src, dst, .. } => vec![src, dst],
        Instr::Fill { dst, .. } => vec![dst],
        Instr::Send(t) | Instr::Receive(t) => vec![&mut t.buf],
        Instr::Loop { body, .. } => buffers(body),
        _ => Vec::new(),
    };
    list.iter_mut().flat_map(of).collect()
}

/// Ways to be wrong for some microbatches and right for others: a slot too few, of another microbatch, further on, or elsewhere.
fn damage(kind: usize, b: &mut BufRef) -> bool {
    let Some(m) = b.moves.0.first_mut() else {
        b.offset += if kind == 0 { 64 } else { 0 };
        return kind == 0;
    };
    match (kind, &mut m.index) {
        (0, _) => b.offset += 64,
        (1, LoopIndex::IterMod { period, .. }) if *period > 1 => *period -= 1,
        (2, LoopIndex::IterMod { delta, .. } | LoopIndex::Iter { delta }) => *delta += 1,
        (3, index) if !index.is_fixed() => m.stride += 64,
        (4, LoopIndex::IterMod { period, .. }) => *period += 1,
        _ => return false,
    }
    true
}

/// A launch that is answered by another microbatch's gets the answer that it would have by itself: in right programs, and in those
/// that are wrong from some microbatch on.
#[test]
fn microbatches_that_find_the_same_are_proved_once() {
    let (mut refused, mut tried) = (0, 0);
    let Entry { global, local } =
        planned(&model(false, ", clip: 1.0").replace("accumulate: 4", "accumulate: 8"), &ONE, "dp");
    for name in ["1f1b", "gpipe", "zb-h1"] {
        let all = ranks(&local, &global, "blocks", &[2, 2, 1], &named(name, 3, 8)).unwrap_or_else(|e| panic!("{e}"));
        for p in &all[1..2] {
            let (func, made) = (&p.program.func, made(p));
            let verdicts = |program: &Program| {
                let told =
                    |a: Result<Audit, Objection>| a.map(|a| a.unfollowed.iter().map(Objection::to_string).collect());
                let found: [Result<Vec<String>, Objection>; 2] =
                    [audit, audit_each_microbatch].map(|f| told(f(func, program, &made.kernels)));
                found.map(|r| r.map_err(|e| e.to_string()))
            };
            let [once, each] = verdicts(&made.program);
            assert_eq!((once, each), (Ok(Vec::new()), Ok(Vec::new())), "{name}");
            let mut whole = made.program.clone();
            for body in 0..actions(&mut whole).bodies.len() {
                for at in 0..buffers(&mut actions(&mut whole).bodies[body].body).len() {
                    // Two of five, in turns: some have proofs that take long to fail.
                    for kind in [at % 5, (at + 2) % 5] {
                        let mut program = made.program.clone();
                        if !damage(kind, buffers(&mut actions(&mut program).bodies[body].body)[at]) {
                            continue;
                        }
                        let [once, each] = verdicts(&program);
                        tried += 1;
                        refused += usize::from(each != Ok(Vec::new()));
                        let bad = |r: &Result<Vec<String>, String>| *r != Ok(Vec::new());
                        assert_eq!(bad(&once), bad(&each), "{name} {body} {at} {kind}:\n{once:?}\n{each:?}");
                    }
                }
            }
        }
    }
    println!("{refused} of {tried} refused");
    assert!(refused > 100, "{refused} of {tried}");
}

/// What waits for the backward pass is there for the microbatches in flight: of the last stage one, of the first as many as stages.
#[test]
fn memory_is_that_of_microbatches_in_flight() {
    let bytes = |name: &str| -> (Vec<u64>, Vec<RankProgram>) {
        let all = stages("dp", &ONE, &[2, 2, 1], &named(name, 3, 4));
        (all.iter().map(|p| self::made(p).program.arena_bytes).collect(), all)
    };
    let ((few, all), (more, _)) = (bytes("1f1b"), bytes("gpipe"));
    println!("{few:?} {more:?}");
    assert!((1..3).all(|k| few[k] < more[k]), "{few:?} {more:?}");
    let sent: BTreeSet<Role> = all.iter().flat_map(|p| p.program.func.outputs.iter().map(|o| o.role)).collect();
    assert!(sent.contains(&Role::Sent));
}

/// A table in which ranks wait for each other is refused, and so is one that does not fit the program.
#[test]
fn tables_that_do_not_fit_are_refused() {
    let Entry { global, local } = planned(&model(false, ""), &ONE, "dp");
    let refused = |sizes: &[u64], schedule: &PipelineSchedule| match ranks(&local, &global, "blocks", sizes, schedule) {
        Ok(_) => panic!("{sizes:?} is accepted"),
        Err(e) => e,
    };
    let user = |text: &str| {
        let rows = meshloom_pipeline::csv::parse("mine.csv", text).unwrap_or_else(|e| panic!("{e}"));
        PipelineSchedule::of_rows("mine.csv", rows).unwrap()
    };
    insta::assert_snapshot!(
        [
            refused(&[2, 3], &named("1f1b", 2, 8)),
            refused(&[2, 2, 1], &named("1f1b", 2, 4)),
            refused(&[2, 2], &named("1f1b", 2, 4)),
            refused(&[2, 3], &user("0F0,0B0,0F1,0B1,0F2,0F3,0B2,0B3\n1F0,1F1,1B0,1B1,1F2,1F3,1B2,1B3")),
            refused(&[2, 3], &user("0F0,0B0\n1B0,1F0")),
        ]
        .join("\n")
    );
}
