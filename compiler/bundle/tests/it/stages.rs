//! Entries with pipeline stages: they come back as they went in, and what does not fit together is refused with member and place.

use meshloom_bundle::*;

const BYTES: u64 = 64;

fn port(name: &str, role: Role, shape: &[u64], first_layer: u64, offset: u64) -> Port {
    Port {
        name: name.into(),
        role,
        dtype: DType::F32,
        global_shape: shape.to_vec(),
        local_shape: shape.to_vec(),
        layout: vec![vec![]; shape.len()],
        offset,
        bytes: 4 * shape.iter().product::<u64>(),
        stacked: name.contains('*'),
        first_layer,
        entries: Vec::new(),
        complex: false,
        unsigned: false,
        alias: None,
        init: Init::Zeros,
        range: None,
    }
}

fn program(mesh: &[(&str, u32)], arena_bytes: u64, ports: Vec<Port>) -> Program {
    Program {
        version: PROGRAM_VERSION,
        entry: "gpt".into(),
        mesh: mesh.iter().map(|&(name, size)| MeshAxis { name: name.into(), size }).collect(),
        arena_bytes,
        host_bytes: 0,
        scratch_bytes: 0,
        tokens_per_step: 0,
        kernels: vec![],
        ports,
        wires: vec![],
        instrs: vec![],
    }
}

fn wire(name: &str, stage: u32, sends: bool, each: bool) -> Wire {
    Wire { name: name.into(), stage, sends, dtype: DType::F32, shape: vec![4, 4], each }
}

fn send(wire: u32) -> Instr {
    Instr::Send(Transfer { wire, buf: BufRef::fixed(512, BYTES) })
}

fn receive(wire: u32) -> Instr {
    Instr::Receive(Transfer { wire, buf: BufRef::fixed(576, BYTES) })
}

/// An action for each list of instructions, in the order `(action, microbatch)`.
fn actions(bodies: Vec<Vec<Instr>>, order: &[(u32, u64)]) -> Instr {
    let body = |(k, body): (usize, Vec<Instr>)| Action { name: format!("{k}X"), body };
    let bodies: Vec<Action> = bodies.into_iter().enumerate().map(body).collect();
    let turn = |&(action, microbatch): &(u32, u64)| Turn { action, microbatch };
    Instr::Actions(Box::new(Actions { microbatches: 2, bodies, order: order.iter().map(turn).collect() }))
}

/// Two ranks with two layers each: forward there, backward back, and a number once a step.
fn staged() -> EntryContents {
    let mesh = [("data", 2), ("pipe", 2)];
    let whole = vec![
        port("x", Role::Input, &[4, 4], 0, 0),
        port("blocks.*.w", Role::Parameter, &[4, 4], 0, 0),
        port("loss", Role::Loss, &[], 0, 0),
    ];
    let mut first = program(
        &mesh[..1],
        1024,
        vec![port("x", Role::Input, &[4, 4], 0, 0), port("blocks.*.w", Role::Parameter, &[2, 4], 0, 64)],
    );
    first.wires = vec![wire("there", 1, true, true), wire("back", 1, false, true), wire("norm", 1, false, false)];
    first.instrs = vec![actions(vec![vec![send(0)], vec![receive(1)]], &[(0, 0), (0, 1), (1, 0), (1, 1)]), receive(2)];
    let mut second = program(
        &mesh[..1],
        1024,
        vec![port("blocks.*.w", Role::Parameter, &[2, 4], 2, 0), port("loss", Role::Loss, &[], 0, 64)],
    );
    second.wires = vec![wire("there", 0, false, true), wire("back", 0, true, true), wire("norm", 0, true, false)];
    second.instrs = vec![actions(vec![vec![receive(0)], vec![send(1)]], &[(0, 0), (1, 0), (0, 1), (1, 1)]), send(2)];
    EntryContents {
        kind: EntryKind::Train,
        program: program(&mesh, 0, whole),
        pipeline: Some(Pipeline {
            axis: 1,
            schedule: "0F0,0F1,0B0,0B1\n,1F0,1B0,1F1,1B1\n".into(),
            ranks: vec![first, second],
        }),
        plan: "plan\n".into(),
        certificate: "proved\n".into(),
    }
}

fn contents(entry: EntryContents) -> Contents {
    Contents { target: "cpu".into(), entries: vec![entry], libraries: vec![], sources: vec![] }
}

#[test]
fn round_trip() {
    let bytes = write(&contents(staged())).unwrap();
    let back = Bundle::read(&bytes).unwrap();
    assert_eq!(back.contents, contents(staged()));
    assert_eq!(write(&back.contents).unwrap(), bytes);
    let names: Vec<&str> = back.manifest.members.iter().map(|m| m.name.as_str()).collect();
    let expected = [
        "programs/gpt.json",
        "plans/gpt.txt",
        "certificates/gpt.txt",
        "schedules/gpt.csv",
        "programs/gpt.0.json",
        "programs/gpt.1.json",
    ];
    assert_eq!(names, expected);
    assert_eq!((back.devices(), back.contents.entries[0].programs().len()), (4, 2));
    for n in 0..bytes.len() {
        assert!(Bundle::read(&bytes[..n]).is_err(), "{n} of {} bytes were accepted", bytes.len());
    }
}

/// Each change makes the entry wrong; the error names member and place.
#[test]
fn what_does_not_fit_together_is_refused() {
    type Change = fn(&mut EntryContents);
    fn rank(e: &mut EntryContents, k: usize) -> &mut Program {
        &mut e.pipeline.as_mut().unwrap().ranks[k]
    }
    fn order(e: &mut EntryContents, k: usize) -> &mut Vec<Turn> {
        let Instr::Actions(a) = &mut rank(e, k).instrs[0] else { panic!("actions") };
        &mut a.order
    }
    let cases: &[(Change, &str)] = &[
        (|e| e.program.arena_bytes = 64, "programs/gpt.json: is an outline, and has memory"),
        (|e| e.program.instrs.push(send(0)), "programs/gpt.json: is an outline, and has memory"),
        (|e| e.program.ports[0].offset = 64, "programs/gpt.json: port `x`: offset 64 and first layer 0 in an outline"),
        (|e| e.program.ports[1].first_layer = 1, "port `blocks.*.w`: offset 0 and first layer 1 in an outline"),
        (|e| e.pipeline.as_mut().unwrap().axis = 2, "programs/gpt.json: pipeline over mesh axis 2 of 2"),
        (|e| drop(e.pipeline.as_mut().unwrap().ranks.pop()), "1 programs for 2 ranks of axis `pipe`"),
        (|e| e.pipeline.as_mut().unwrap().schedule = "0F0\n".into(), "1 rows of its schedule for 2 ranks"),
        (|e| rank(e, 1).mesh[0].name = "other".into(), "programs/gpt.1.json: its mesh is not the outline's"),
        (|e| rank(e, 0).version = 6, "programs/gpt.0.json: program version 6"),
        (|e| rank(e, 0).ports[1].name = "other.*".into(), "programs/gpt.0.json: port `other.*`: is in no port"),
        (|e| rank(e, 0).ports[1].dtype = DType::I32, "port `blocks.*.w`: differs from the outline's in type"),
        (|e| rank(e, 1).ports[0].first_layer = 3, "programs/gpt.1.json: port `blocks.*.w`: has layers that"),
        (
            |e| rank(e, 1).ports[0].first_layer = 1,
            "programs/gpt.json: port `blocks.*.w`: layer 1 of it is in two ranks",
        ),
        (|e| e.program.ports[1].entries = vec!["a".into(); 4], "names its layers otherwise"),
        (|e| drop(rank(e, 1).ports.remove(0)), "programs/gpt.json: port `blocks.*.w`: layer 2 of it is in no rank"),
        (|e| drop(rank(e, 1).ports.remove(1)), "programs/gpt.json: port `loss`: is in no rank"),
        (|e| rank(e, 0).ports[0].layout[0] = vec![0], "port `x`: dim 0 of 4 split 2 ways"),
        (|e| rank(e, 0).wires[0].name = "x".into(), "programs/gpt.1.json: wire `there`: is sent by no rank"),
        (
            |e| rank(e, 0).wires[0].dtype = DType::I32,
            "wire `there`: is f32[4, 4] for each microbatch, and i32[4, 4] for each microbatch in rank 0",
        ),
        (|e| rank(e, 1).wires[2].name = "back".into(), "programs/gpt.1.json: wire `back`: is sent by rank 1 as well"),
        (|e| drop(rank(e, 1).instrs.pop()), "programs/gpt.1.json: wire `norm`: is used nowhere"),
        (|e| rank(e, 1).instrs.push(send(2)), "programs/gpt.1.json: wire `norm`: is used at two places"),
        (|e| rank(e, 1).instrs.insert(0, send(1)), "wire `back` is not used as it says"),
        (
            |e| rank(e, 1).instrs.push(Instr::Loop { trip: 2, body: vec![send(1)] }),
            "programs/gpt.1.json: instruction 2.0: wire `back` is not used as it says",
        ),
        (
            |e| {
                let end = order(e, 1).len();
                order(e, 1).swap(0, 1);
                assert_eq!(end, 4);
                order(e, 0).swap(1, 2);
            },
            // The second rank sends back what it has not received; that is not for a bundle to know.
            "",
        ),
        (
            |e| {
                // The first one waits for what comes back, before it sends.
                *order(e, 0) =
                    [(1, 0), (0, 0), (0, 1), (1, 1)].map(|(action, microbatch)| Turn { action, microbatch }).into();
            },
            "programs/gpt.0.json: wire `back`: waits for ever for microbatch 0",
        ),
        (
            |e| {
                for k in 0..2 {
                    let Instr::Actions(a) = &mut rank(e, k).instrs[0] else { panic!("actions") };
                    a.microbatches = 1 + k as u64;
                    a.order.retain(|t| t.microbatch <= k as u64);
                }
            },
            "programs/gpt.1.json: 2 microbatches; another rank has more or fewer",
        ),
    ];
    validate_entry(&staged()).unwrap();
    for (k, (change, expected)) in cases.iter().enumerate() {
        let mut e = staged();
        change(&mut e);
        let error = validate_entry(&e).err().map_or(String::new(), |e| e.to_string());
        let found = if expected.is_empty() { error.is_empty() } else { error.contains(expected) };
        assert!(found, "case {k}: expected `{expected}` in `{error}`");
        assert_eq!(write(&contents(e)).err().map_or(String::new(), |e| e.to_string()), error, "case {k}");
    }
}

#[test]
fn kernels_of_ranks_are_in_every_library() {
    let mut e = staged();
    e.pipeline.as_mut().unwrap().ranks[1].kernels = vec![KernelRef { symbol: "k7".into(), ..KernelRef::default() }];
    let mut c = contents(e);
    c.libraries.push(LibraryContents {
        name: "any".into(),
        kind: LibraryKind::ElfSo,
        cpu_features: vec![],
        symbols: vec![],
        tools: Default::default(),
        bytes: vec![],
    });
    let e = write(&c).unwrap_err().to_string();
    assert_eq!(e, "programs/gpt.1.json: kernel `k7` is not in library `any`");
}

/// The first rank sends both microbatches on one wire before the second one takes any: it waits for another wire, which comes last.
#[test]
fn wires_have_room_for_what_waits() {
    assert_eq!(staged().pipeline.unwrap().room(), 2);
    let mut e = staged();
    let p = e.pipeline.as_mut().unwrap();
    let turns = |n: u64, first: u32| (0..n).map(move |microbatch| Turn { action: first, microbatch });
    for (k, rank) in p.ranks.iter_mut().enumerate() {
        let Instr::Actions(a) = &mut rank.instrs[0] else { panic!("actions") };
        a.microbatches = 5;
        a.order = turns(5, 0).chain(turns(5, 1)).collect();
        // The number that is sent once goes the other way, and the second rank begins with it.
        let number = rank.wires.iter_mut().find(|w| w.name == "norm").unwrap();
        number.sends = k == 0;
        rank.instrs.pop();
        match k {
            0 => rank.instrs.push(send(2)),
            _ => rank.instrs.insert(0, receive(2)),
        }
        let Some(Instr::Actions(a)) = rank.instrs.iter_mut().find(|i| matches!(i, Instr::Actions(_))) else { panic!() };
        // Nothing comes back.
        a.bodies.truncate(1);
        a.order.truncate(5);
        rank.wires.remove(1);
        for i in &mut rank.instrs {
            if let Instr::Send(t) | Instr::Receive(t) = i {
                t.wire = 1;
            }
        }
    }
    validate_entry(&e).unwrap();
    assert_eq!(e.pipeline.unwrap().room(), 8);
}
