//! What scheduling adds to a certified program, checked over the executable programs of the examples, by code that knows nothing of
//! scheduling. Every buffer lies in the arena. Nothing is read that was never written. An instruction's result shares no
//! byte with another of its buffers unless it is that buffer. Collectives run to their end on every device.

mod buffers;
mod order;

use buffers::{Access, MemoryError, Placement, check_placements, check_trace};
use meshloom_bundle::program::{BufRef, Instr, LoopIndex, Program, Role};
use meshloom_driver::{CompileOptions, check, lower, plan};
use meshloom_ir::{Axis, Mesh};
use meshloom_source::FrontOptions;
use meshloom_tests::root;
use order::{CollectiveCall, check_order};
use std::ops::Range;

fn scheduled(example: &str, mesh: &[(&str, u64)], layout: Option<&str>) -> Vec<Program> {
    let text = std::fs::read_to_string(root().join("examples").join(example)).expect("an example");
    let front = FrontOptions {
        mesh: Some(mesh.iter().map(|(n, s)| (n.to_string(), *s)).collect()),
        layout: layout.map(String::from),
        ..FrontOptions::default()
    };
    let options = CompileOptions { front, ..CompileOptions::default() };
    let program = check(example, &text, &options).and_then(|p| plan(p, &options)).and_then(lower);
    let program = program.unwrap_or_else(|(e, _)| panic!("{example} on {mesh:?}: {e}"));
    program.entries.into_iter().map(|e| e.scheduled.program).collect()
}

/// The bytes of a buffer in one iteration of each loop around, outermost first.
fn bytes(b: &BufRef, at: &[u64]) -> Range<u64> {
    let mut start = b.offset as i64;
    for (depth, m) in b.moves.0.iter().enumerate() {
        let i = at.get(depth).copied();
        let i = i.unwrap_or_else(|| if m.index == LoopIndex::Fixed { 0 } else { panic!("a buffer moves with no loop") })
            as i64;
        let index = match m.index {
            LoopIndex::Fixed => 0,
            LoopIndex::Iter { delta } => i + delta,
            LoopIndex::IterReversed { trip, delta } => trip as i64 - 1 - i + delta,
            LoopIndex::IterMod { delta, period } => (i + delta).rem_euclid(period as i64),
        };
        start += m.stride as i64 * index;
    }
    assert!(start >= 0, "a buffer begins before the arena");
    start as u64..start as u64 + b.bytes
}

/// What instructions do, loops unrolled.
#[derive(Default)]
struct Walk {
    step: u64,
    trace: Vec<Access>,
    arena: u64,
    /// Results of an instruction that share bytes with another of its buffers.
    conflicts: Vec<MemoryError>,
    calls: Vec<(String, Vec<u32>)>,
}

impl Walk {
    fn instrs(&mut self, list: &[Instr], i: &[u64]) {
        for instr in list {
            match instr {
                Instr::Loop { trip, body } => {
                    for n in 0..*trip {
                        let inner: Vec<u64> = i.iter().copied().chain([n]).collect();
                        self.instrs(body, &inner);
                    }
                }
                // Once for any number of rounds: slots of carries come back after two.
                Instr::While(w) => {
                    let at = |n: u64| i.iter().copied().chain([n]).collect::<Vec<u64>>();
                    let rounds = w.most.unwrap_or(3).min(3);
                    for n in 0..rounds {
                        self.touch(&[(bytes(&w.going, &at(n)), false)]);
                        self.instrs(&w.body, &at(n));
                    }
                    self.instrs(&w.after, &at(rounds));
                }
                Instr::Launch(l) => {
                    let written = |k: usize| l.writes.contains(&(k as u32));
                    let args = l.args.iter().enumerate();
                    let args: Vec<_> = args.map(|(k, b)| (bytes(b, i), written(k))).collect();
                    self.touch(&args);
                }
                Instr::Actions(a) => {
                    for turn in &a.order {
                        self.instrs(&a.bodies[turn.action as usize].body, &[turn.microbatch]);
                    }
                }
                Instr::Send(t) => self.touch(&[(bytes(&t.buf, i), false)]),
                Instr::Receive(t) => self.touch(&[(bytes(&t.buf, i), true)]),
                Instr::Copy { src, dst, .. } => self.touch(&[(bytes(src, i), false), (bytes(dst, i), true)]),
                Instr::Fill { dst, .. } => self.touch(&[(bytes(dst, i), true)]),
                Instr::Collective(_) | Instr::Bucket(_) => {
                    let calls = instr.collectives();
                    let buffers = calls.iter().flat_map(|c| [(bytes(&c.src, i), false), (bytes(&c.dst, i), true)]);
                    self.touch(&buffers.collect::<Vec<_>>());
                    for c in calls {
                        self.calls.push((format!("{} {:?} {}", c.id, c.kind, c.dtype.name()), c.axes.clone()));
                    }
                }
            }
        }
    }

    fn touch(&mut self, args: &[(Range<u64>, bool)]) {
        self.step += 1;
        let access = |bytes: &Range<u64>, write| Access {
            step: self.step,
            value: "a value".into(),
            bytes: bytes.clone(),
            write,
        };
        // What a kernel writes it may also read, but need not.
        let reads = args.iter().filter(|a| !a.1).map(|a| access(&a.0, false));
        let writes = args.iter().filter(|a| a.1).map(|a| access(&a.0, true));
        self.trace.extend(reads.chain(writes));
        let live = self.step..self.step + 1;
        let place =
            |bytes: &Range<u64>, name: &str| Placement { name: name.into(), bytes: bytes.clone(), live: live.clone() };
        for (k, (result, _)) in args.iter().enumerate().filter(|(_, a)| a.1) {
            // A result may be one of the other buffers, and then lies exactly there.
            let others = args.iter().enumerate().filter(|(n, a)| *n != k && a.0 != *result);
            for (n, (other, _)) in others {
                let pair = [place(result, &format!("argument {k}")), place(other, &format!("argument {n}"))];
                self.conflicts.extend(check_placements(&pair, self.arena).err().into_iter().flatten());
            }
        }
    }
}

fn examine(name: &str, p: &Program) {
    let mut walk = Walk { arena: p.arena_bytes, ..Walk::default() };
    // Ports that are filled before the step begins.
    for port in &p.ports {
        let outside = matches!(port.role, Role::Parameter | Role::State | Role::Input);
        if outside {
            let bytes = port.offset..port.offset + port.bytes;
            walk.trace.push(Access { step: 0, value: "a value".into(), bytes, write: true });
        }
    }
    walk.instrs(&p.instrs, &[]);
    for port in &p.ports {
        let bytes = port.offset..port.offset + port.bytes;
        walk.trace.push(Access { step: walk.step + 1, value: "a value".into(), bytes, write: false });
    }
    if let Err(e) = check_trace(&walk.trace, p.arena_bytes) {
        panic!("{name}, `{}`: {} and {} more", p.entry, e[0], e.len() - 1);
    }
    if let Some(e) = walk.conflicts.first() {
        panic!("{name}, `{}`: {e}", p.entry);
    }

    let mesh = Mesh::new(p.mesh.iter().map(|a| (a.name.clone(), u64::from(a.size))));
    let calls = |d: u64| {
        let group = |axes: &[u32]| mesh.group(d, &axes.iter().map(|&a| Axis(a as u8)).collect::<Vec<_>>());
        walk.calls.iter().map(|(what, axes)| CollectiveCall { what: what.clone(), group: group(axes) }).collect()
    };
    let devices: Vec<Vec<CollectiveCall>> = (0..mesh.devices()).map(calls).collect();
    assert_eq!(check_order(&devices), Ok(()), "{name}");
    assert!(mesh.devices() == 1 || !walk.calls.is_empty(), "{name} communicates");
}

#[test]
fn memory_and_order_of_the_examples() {
    let both: &[(&str, u64)] = &[("data", 2), ("model", 4)];
    for (example, mesh, layout) in [
        ("mlp.loom", both, None),
        ("oracle_mlp.loom", both, Some("megatron")),
        ("gpt_tiny.loom", &[("data", 1)], None),
        ("gpt_tiny.loom", both, Some("megatron")),
        ("gpt_tiny.loom", &[("data", 8)], Some("fsdp")),
        ("gpt_tiny.loom", &[("data", 8)], Some("zero1")),
    ] {
        for p in scheduled(example, mesh, layout) {
            examine(&format!("{example} on {mesh:?}"), &p);
        }
    }
}
