//! Steps whose optimizer state or stashes lie in the host's memory: all of their copies are proved, and a damaged one is refused.

use crate::support::{Case, scheduled_for, text};
use meshloom_audit::Objection;
use meshloom_bundle::program::{BufRef, Instr, LoopIndex, Program};
use meshloom_driver::{CompileOptions, check, plan};
use meshloom_kernels::{Device, GpuArch};
use meshloom_source::FrontOptions;
use meshloom_source::entry::Offload;

fn case(name: &str, mesh: &[(&str, u64)], layout: &str, device: Device, offload: Offload) -> Case {
    let front = FrontOptions {
        mesh: Some(mesh.iter().map(|(n, s)| (n.to_string(), *s)).collect()),
        layout: Some(layout.to_string()),
        ..FrontOptions::default()
    };
    let options = CompileOptions { front, offload: Some(offload), ..CompileOptions::default() };
    let program = check(name, &text(name), &options).and_then(|p| plan(p, &options));
    let mut program = program.unwrap_or_else(|(e, _)| panic!("{name} on {mesh:?}: {e}"));
    let e = program.entries.remove(0);
    scheduled_for(format!("{name} on {mesh:?}, {device:?}, {offload:?}"), e.plan.local.clone(), &e.global, device)
        .expect("it runs")
}

fn cases() -> Vec<Case> {
    let gpu = Device::Gpu(GpuArch::Sm90a);
    vec![
        case("gpt_tiny.loom", &[("data", 1), ("model", 1)], "dp", Device::Cpu, Offload::State),
        case("gpt_tiny.loom", &[("data", 2), ("model", 2)], "megatron", Device::Cpu, Offload::State),
        case("gpt_tiny.loom", &[("data", 2), ("model", 2)], "megatron", Device::Cpu, Offload::Stashes),
        case("gpt_small.loom", &[("data", 2), ("model", 1), ("seq", 1)], "zero1", gpu, Offload::State),
        case("gpt_small.loom", &[("data", 2), ("model", 1), ("seq", 1)], "zero1", gpu, Offload::Stashes),
    ]
}

/// Calls `f` with each copy to or from the host, in program order.
fn copies(program: &mut Program, f: &mut dyn FnMut(&mut BufRef, &mut BufRef, &mut u64)) {
    fn list(all: &mut [Instr], host: u64, f: &mut dyn FnMut(&mut BufRef, &mut BufRef, &mut u64)) {
        for i in all {
            match i {
                Instr::Loop { body, .. } => list(body, host, f),
                Instr::Copy { src, dst, bytes } if src.offset.max(dst.offset) >= host => f(src, dst, bytes),
                _ => {}
            }
        }
    }
    let host = program.arena_bytes;
    list(&mut program.instrs, host, f);
}

#[test]
fn copies_are_proved() {
    for mut case in cases() {
        let audit = case.accepted();
        assert!(audit.unfollowed.is_empty(), "{}: {:?}", case.name, audit.unfollowed.first());
        let (mut from, mut to, mut sliced) = (0, 0, 0);
        let host = case.scheduled.program.arena_bytes;
        copies(&mut case.scheduled.program, &mut |src, dst, _| {
            from += usize::from(src.offset >= host);
            to += usize::from(dst.offset >= host);
            sliced += usize::from(!src.moves.is_fixed() || !dst.moves.is_fixed());
        });
        println!("{}: {from} copies from the host, {to} to it, {sliced} in slices; {} steps", case.name, audit.steps);
        // Every next value of state goes back; of a stash, several loops may read what one made.
        assert!(to > 0 && from >= to, "{}", case.name);
        assert!(sliced > 0 || case.name.contains("tiny"), "{}", case.name);
    }
}

/// What is done to a copy.
type Damage = (&'static str, fn(&mut BufRef, &mut BufRef, &mut u64));

const DAMAGES: [Damage; 6] = [
    ("copies nothing", |src, dst, bytes| (src.bytes, dst.bytes, *bytes) = (0, 0, 0)),
    ("leaves out its last bytes", |src, dst, bytes| {
        *bytes -= 64;
        (src.bytes, dst.bytes) = (*bytes, *bytes);
    }),
    ("goes the other way", |src, dst, _| std::mem::swap(src, dst)),
    ("reads other bytes", |src, _, _| src.offset = src.offset.checked_sub(64).unwrap_or(src.offset + 64)),
    ("writes other bytes", |_, dst, _| dst.offset = dst.offset.checked_sub(64).unwrap_or(dst.offset + 64)),
    ("stays at the first slice", |src, dst, _| {
        for m in [&mut src.moves.0[0], &mut dst.moves.0[0]] {
            if matches!(m.index, LoopIndex::Iter { .. }) {
                *m = Default::default();
            }
        }
    }),
];

/// Each damage at each place: none is taken for proved.
#[test]
fn damaged_copies_are_refused() {
    let (mut refused, mut open) = (0, Vec::new());
    for case in cases() {
        let mut whole = case.scheduled.program.clone();
        let mut count = 0;
        copies(&mut whole, &mut |_, _, _| count += 1);
        for (what, damage) in DAMAGES {
            for k in 0..count {
                let mut program = case.scheduled.program.clone();
                let mut at = 0;
                copies(&mut program, &mut |src, dst, bytes| {
                    if at == k {
                        damage(src, dst, bytes);
                    }
                    at += 1;
                });
                if program == case.scheduled.program || meshloom_bundle::validate(&program).is_err() {
                    continue;
                }
                match meshloom_audit::audit(&case.local, &program, &case.scheduled.kernels) {
                    Err(Objection { .. }) => refused += 1,
                    Ok(a) => match a.unfollowed.first() {
                        Some(u) => open.push(format!("{}: copy {k} {what}: {}", case.name, u.message)),
                        None => panic!("{}: copy {k} {what}, and that is accepted", case.name),
                    },
                }
            }
        }
    }
    println!("{refused} refused; not followed: {open:#?}");
    assert!(refused > 100 && open.len() * 10 < refused, "{refused} refused; not followed: {open:#?}");
}

/// A port in another memory than the program says is refused, whatever is copied.
#[test]
fn a_tensor_in_the_other_memory_is_refused() {
    let mut case = case("gpt_tiny.loom", &[("data", 1), ("model", 1)], "dp", Device::Cpu, Offload::State);
    let moved = case.local.inputs.iter_mut().find(|p| p.host).expect("some state is in the host's memory");
    moved.host = false;
    let e = case.audit().expect_err("it lies elsewhere");
    assert!(e.to_string().contains("is in another memory than in the program"), "{e}");
}
