//! A bundle comes back as it went in, always as the same bytes; whatever is wrong with one is said, and nothing panics.

use meshloom_bundle::*;

fn buf(offset: u64, bytes: u64) -> BufRef {
    BufRef::fixed(offset, bytes)
}

fn program() -> Program {
    let port = |name: &str, role, shape: &[u64], local: &[u64], layout: Vec<Vec<u32>>, offset| Port {
        name: name.into(),
        role,
        dtype: DType::F32,
        global_shape: shape.to_vec(),
        local_shape: local.to_vec(),
        layout,
        offset,
        bytes: 4 * local.iter().product::<u64>(),
        stacked: name.contains('*'),
        first_layer: 0,
        entries: Vec::new(),
        complex: false,
        unsigned: false,
        alias: None,
        init: Init::Normal { std: 0.02 },
        range: None,
    };
    let source = Some(SourcePlace { file: "gpt.loom".into(), line: 7, column: 3 });
    let moving = BufRef::moving(0, 64, 64, LoopIndex::Iter { delta: 0 });
    Program {
        version: PROGRAM_VERSION,
        entry: "gpt".into(),
        mesh: vec![MeshAxis { name: "data".into(), size: 2 }, MeshAxis { name: "model".into(), size: 4 }],
        arena_bytes: 4096,
        host_bytes: 0,
        scratch_bytes: 1024,
        tokens_per_step: 64,
        kernels: vec![KernelRef {
            symbol: "k0".into(),
            hash: "00".into(),
            buffers: 2,
            dims: 1,
            scratch: true,
            scratch_bytes: 1024,
            units: 2,
            touches: vec![vec![Touched { bytes: 64, start: None }], vec![Touched { bytes: 4, start: None }]],
            gpu: None,
        }],
        ports: vec![
            port("blocks.*.w", Role::Parameter, &[4, 64], &[4, 16], vec![vec![], vec![1]], 0),
            port("loss", Role::Loss, &[], &[], vec![], 1024),
        ],
        wires: vec![],
        instrs: vec![
            Instr::Fill {
                dst: buf(1024, 4),
                dtype: DType::F32,
                count: 1,
                value: meshloom_bundle::Number::Float(f64::NEG_INFINITY),
            },
            Instr::Loop {
                trip: 4,
                body: vec![Instr::Launch(Launch {
                    kernel: 0,
                    args: vec![moving, buf(1024, 4)],
                    writes: vec![1],
                    units: 2,
                    dims: vec![Dim::ShardStart { axes: vec![1], block: 16 }],
                    source: source.clone(),
                    ops: vec![1, 2],
                })],
            },
            Instr::Collective(Collective {
                id: 0,
                kind: CollectiveKind::AllReduce { reduction: Reduction::Sum, count: 1 },
                axes: vec![0, 1],
                dtype: DType::F32,
                src: buf(1024, 4),
                dst: buf(1024, 4),
                source,
                ops: vec![3],
            }),
            Instr::Copy { src: buf(0, 64), dst: buf(2048, 64), bytes: 64 },
        ],
    }
}

fn contents() -> Contents {
    let entry = EntryContents {
        kind: EntryKind::Train,
        program: program(),
        pipeline: None,
        plan: "plan\n".into(),
        certificate: "proved\n".into(),
    };
    let library = |name: &str, features: &[&str]| LibraryContents {
        name: name.into(),
        kind: LibraryKind::ElfSo,
        cpu_features: features.iter().map(|s| s.to_string()).collect(),
        symbols: vec!["k0".into()],
        tools: Default::default(),
        bytes: b"\x7fELF not really".to_vec(),
    };
    Contents {
        target: "cpu".into(),
        entries: vec![entry],
        libraries: vec![library("x86-64-v3", &["avx2"]), library("x86-64-v4", &["avx512f"])],
        sources: vec![("models/gpt é.loom".into(), "mesh [data: 2]\n".into())],
    }
}

#[test]
fn round_trip_and_same_bytes() {
    let bytes = write(&contents()).unwrap();
    assert_eq!(bytes, write(&contents()).unwrap());
    let back = Bundle::read(&bytes).unwrap();
    assert_eq!(back.contents, contents());
    assert_eq!(write(&back.contents).unwrap(), bytes);
    let names: Vec<&str> = back.manifest.members.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "programs/gpt.json",
            "plans/gpt.txt",
            "certificates/gpt.txt",
            "kernels/x86-64-v3.so",
            "kernels/x86-64-v4.so",
            "source/0-gpt__.loom"
        ]
    );
}

/// The same with another number of devices.
fn planned_for(data: u32) -> Contents {
    let mut c = contents();
    c.entries[0].program.mesh[0].size = data;
    c
}

#[test]
fn several_plans_in_one_bundle() {
    let other = |data| write(&planned_for(data)).unwrap();
    let bytes = write_with(&contents(), &[other(1), other(3)]).unwrap();
    let back = Bundle::read(&bytes).unwrap();
    assert_eq!((back.devices(), back.contents == contents()), (8, true));
    assert_eq!(back.plans().map(Bundle::devices).collect::<Vec<_>>(), [8, 4, 12]);
    assert_eq!(back.for_devices(12).map(|b| &b.contents), Some(&planned_for(3)));
    assert_eq!(back.for_devices(5), None);
    // A device for each process, or several for each.
    let chosen = [12, 4, 6, 2, 5, 0].map(|n| back.for_processes(n).map(Bundle::devices));
    assert_eq!(chosen, [Some(12), Some(4), Some(12), Some(8), None, None]);
    let names: Vec<&str> = back.manifest.members.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names[6..], ["others/4-devices.loomx", "others/12-devices.loomx"]);
    // A bundle with one plan has the bytes that it always had.
    assert_eq!(write_with(&contents(), &[]).unwrap(), write(&contents()).unwrap());
}

#[test]
fn plans_that_do_not_belong_together_are_refused() {
    let refused = |others: &[Vec<u8>], part: &str| {
        let e = write_with(&contents(), others).unwrap_err().to_string();
        assert!(e.contains(part), "{e}");
    };
    let write = |c: &Contents| write(c).unwrap();
    refused(&[write(&contents())], "is a second plan for 8 devices");
    let mut elsewhere = planned_for(3);
    elsewhere.target = "h100-sxm".into();
    refused(&[write(&elsewhere)], "is for target h100-sxm, and the bundle for cpu");
    let mut renamed = planned_for(3);
    renamed.entries[0].program.entry = "other".into();
    refused(&[write(&renamed)], "has other entries than the bundle");
    let two = write_with(&planned_for(3), &[write(&planned_for(4))]).unwrap();
    refused(&[two], "has other plans of its own");
    refused(&[b"PK".to_vec()], "no bundle");
}

#[test]
fn every_truncation_is_refused() {
    let bytes = write(&contents()).unwrap();
    for n in 0..bytes.len() {
        assert!(Bundle::read(&bytes[..n]).is_err(), "{n} of {} bytes were accepted", bytes.len());
    }
}

/// Bytes of the zip's own headers that carry nothing (time stamps, attributes) may change; contents may not.
#[test]
fn every_flipped_byte_is_refused_or_harmless() {
    let bytes = write(&contents()).unwrap();
    let good = Bundle::read(&bytes).unwrap();
    let mut refused = 0;
    for at in 0..bytes.len() {
        for mask in [0x01, 0x20, 0x80, 0xff] {
            let mut b = bytes.clone();
            b[at] ^= mask;
            match Bundle::read(&b) {
                Ok(other) => assert_eq!(other, good, "byte {at}"),
                Err(e) => {
                    refused += 1;
                    assert!(!e.to_string().is_empty());
                }
            }
        }
    }
    assert!(refused > 3 * bytes.len());
}

/// Nothing but members and their list: bytes that nothing vouches for are refused, wherever they are.
#[test]
fn bytes_that_belong_to_nothing_are_refused() {
    let bytes = write(&contents()).unwrap();
    let refused = |b: &[u8], said: &str| {
        let e = Bundle::read(b).unwrap_err().to_string();
        assert!(e.contains(said), "{e}");
    };
    refused(&[b"#!/bin/sh\n", &bytes[..]].concat(), "its end says");
    refused(&[&bytes[..], &[0; 64]].concat(), "does not end as a bundle ends");
    // A comment, of which the end says how long it is.
    let mut comment = [&bytes[..], b"hello"].concat();
    let at = bytes.len() - 2;
    comment[at] = 5;
    refused(&comment, "does not end as a bundle ends");
    // Padding before the list of members, which the end does say.
    let directory = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    let mut padded = [&bytes[..directory], &[0; 7][..], &bytes[directory..]].concat();
    let end = padded.len() - 22;
    let offset = (directory as u32 + 7).to_le_bytes();
    padded[end + 16..end + 20].copy_from_slice(&offset);
    refused(&padded, "belong to no member");
}

/// A launch has its kernel's units, and no less memory than its kernel touches.
#[test]
fn launches_fit_their_kernels() {
    let changed = |change: &dyn Fn(&mut Program)| {
        let mut p = program();
        change(&mut p);
        validate(&p).map_err(|e| e.to_string())
    };
    fn launch(p: &mut Program) -> &mut Launch {
        let Instr::Loop { body, .. } = &mut p.instrs[1] else { panic!("a loop") };
        let Instr::Launch(l) = &mut body[0] else { panic!("a launch") };
        l
    }
    assert_eq!(changed(&|_| {}), Ok(()));
    let refused = |change: &dyn Fn(&mut Program), said: &str| {
        let e = changed(change).unwrap_err();
        assert!(e.contains(said), "{e}");
    };
    for units in [0, 1, 3, 1 << 40, u64::MAX] {
        refused(&|p| launch(p).units = units, &format!("{units} units of `k0`, which has 2"));
    }
    refused(&|p| launch(p).args[0].bytes = 63, "`k0` touches 64 bytes of argument 0, which has 63");
    refused(&|p| p.kernels[0].scratch_bytes = 1025, "1025 bytes of scratch memory of 1024");
    refused(&|p| drop(p.kernels[0].touches.pop()), "1 of 2 buffers");
    // The last of four devices along `model` begins at 48.
    let start = |bytes, dim| {
        move |p: &mut Program| {
            p.kernels[0].touches[0].push(Touched { bytes, start: Some(DimStart { dim, stride: 1 }) });
        }
    };
    assert_eq!(changed(&start(16, 0)), Ok(()));
    refused(&start(17, 0), "touches 65 bytes of argument 0, which has 64");
    refused(&start(1, 1), "begins where no dim says");
    refused(&start(u64::MAX, 0), "touches");
    refused(
        &|p| {
            launch(p).dims = vec![Dim::Const(-1)];
            start(1, 0)(p);
        },
        "begins where no dim says",
    );
}

/// A zip with one member of the given name and a manifest.
fn zip_with(name: &str, deflate_header: bool) -> Vec<u8> {
    use std::io::Write;
    let mut z = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let o = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    z.start_file(name, o).unwrap();
    z.write_all(b"x").unwrap();
    let mut bytes = z.finish().unwrap().into_inner();
    if deflate_header {
        // The compression method in the central directory: offset 10 of its record.
        let central = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
        bytes[central + 10] = 8;
    }
    bytes
}

#[test]
fn names_outside_the_folder_are_refused() {
    for name in ["../x", "/etc/passwd", "a/../../b", "a\\b", "C:x", "a//b", "\u{202e}x", "a\nb"] {
        let e = Bundle::read(&zip_with(name, false)).unwrap_err().to_string();
        assert!(e.contains("no relative path of plain characters"), "{e}");
    }
    assert!(Bundle::read(&zip_with("manifest.json", true)).is_err());
    assert!(Bundle::read(b"").is_err());
    let e = Bundle::read(&zip_with("a", false)).unwrap_err().to_string();
    assert!(e.contains("holds no manifest.json"), "{e}");
}

/// Each change makes the program wrong; the error names the place.
#[test]
fn wrong_programs_are_refused() {
    type Change = fn(&mut Program);
    fn l(p: &mut Program) -> &mut Launch {
        let Instr::Loop { body, .. } = &mut p.instrs[1] else { unreachable!() };
        let Instr::Launch(l) = &mut body[0] else { unreachable!() };
        l
    }
    fn c(p: &mut Program) -> &mut Collective {
        let Instr::Collective(c) = &mut p.instrs[2] else { unreachable!() };
        c
    }
    /// Makes a bucket of the collective and a changed copy beside it.
    fn pair(p: &mut Program, change: fn(&mut Collective)) {
        let (first, mut second) = (c(p).clone(), c(p).clone());
        second.id = 1;
        change(&mut second);
        p.instrs[2] = Instr::Bucket(vec![first, second]);
    }
    let cases: &[(Change, &str)] = &[
        (|p| p.version = 9, "program version 9"),
        (|p| p.mesh[0].size = 0, "mesh axis 0"),
        (|p| p.mesh[0].size = u32::MAX, "devices"),
        (|p| p.mesh[1].name = "data".into(), "is there twice"),
        (|p| p.arena_bytes = u64::MAX, "arena_bytes"),
        (|p| p.arena_bytes = 100, "port `blocks.*.w`"),
        (|p| p.kernels[0].symbol = "a;b".into(), "no symbol"),
        (|p| p.kernels[0].buffers = u32::MAX, "arguments"),
        (|p| p.ports[0].local_shape[1] = 17, "dim 1 of 64 split 4 ways"),
        (|p| p.ports[0].global_shape[1] = u64::MAX, "port `blocks.*.w`"),
        (|p| p.ports[0].layout[1] = vec![7], "mesh axis 7"),
        (|p| p.ports[0].layout[0] = vec![1], "named twice"),
        (|p| p.ports[0].offset = 4, "offset 4"),
        (|p| p.ports[0].offset = u64::MAX - 63, "offset"),
        (|p| p.ports[0].init = Init::Normal { std: f64::NAN }, "initial values"),
        (|p| p.ports[1].dtype = DType::I32, "random initial values of i32"),
        (|p| l(p).kernel = 3, "instruction 1.0: kernel 3 of 1"),
        (|p| l(p).args[0].moves.0[0].stride = 1 << 40, "spans bytes"),
        (|p| l(p).args[0].moves.0[0].index = LoopIndex::Iter { delta: -1 }, "spans bytes -64"),
        (|p| l(p).args[0].moves.0[0].index = LoopIndex::Iter { delta: i64::MAX }, "spans bytes"),
        (|p| l(p).args[0].moves.0[0].index = LoopIndex::IterReversed { trip: 3, delta: 0 }, "counts back from 3"),
        (|p| l(p).args[0].moves.0[0].index = LoopIndex::IterMod { delta: 0, period: 0 }, "period of 0"),
        (|p| l(p).args[0].bytes = u64::MAX, "spans bytes"),
        (|p| l(p).writes = vec![2], "writes argument 2"),
        (|p| l(p).dims = vec![Dim::ShardStart { axes: vec![9], block: 1 }], "mesh axis 9"),
        (|p| l(p).dims = vec![Dim::ShardStart { axes: vec![1], block: i64::MAX }], "shard start"),
        (|p| l(p).dims.clear(), "takes 2 buffers and 1 dims"),
        (|p| c(p).axes = vec![0, 0], "named twice"),
        (|p| c(p).dtype = DType::F64, "instruction 2: source holds 4 bytes"),
        (|p| c(p).src.offset = 1026, "not aligned"),
        (|p| c(p).src.moves.0[0].index = LoopIndex::Iter { delta: 0 }, "outside a loop"),
        (|p| c(p).kind = CollectiveKind::AllGather { outer: u64::MAX, block: 2, inner: 2 }, "overflows"),
        (|p| c(p).kind = CollectiveKind::CollectivePermute { count: 1, pairs: vec![(0, 1), (2, 1)] }, "pair (2, 1)"),
        (|p| p.instrs.push(Instr::Bucket(vec![])), "a bucket of no collectives"),
        (|p| pair(p, |c| c.dst.offset += 64), "instruction 2: collectives 0 and 1 of a bucket"),
        (|p| pair(p, |c| c.src.offset += 64), "instruction 2: collectives 0 and 1 of a bucket"),
        (|p| pair(p, |c| c.id = 0), "collective id 0 is there twice"),
        (|p| pair(p, |c| c.axes = vec![1]), "collectives 0 and 1 differ"),
        (
            |p| pair(p, |c| c.kind = CollectiveKind::CollectivePermute { count: 1, pairs: vec![] }),
            "collectives 0 and 1 differ",
        ),
        (|p| p.instrs.push(p.instrs[2].clone()), "collective id 0 is there twice"),
        (|p| p.instrs.push(nested(p.instrs[1].clone())), "loops nested more than 4 deep"),
        (|p| p.instrs.push(Instr::Loop { trip: u64::MAX, body: vec![] }), "trip count"),
        (|p| p.instrs.push(Instr::Copy { src: buf(0, 64), dst: buf(32, 64), bytes: 64 }), "overlap"),
        (|p| p.instrs.push(Instr::Copy { src: buf(0, 64), dst: buf(64, 64), bytes: 63 }), "copies 63 bytes"),
    ];
    validate(&program()).unwrap();
    for (k, (change, expected)) in cases.iter().enumerate() {
        let mut p = program();
        change(&mut p);
        let e = validate(&p).unwrap_err().to_string();
        assert!(e.contains(expected), "case {k}: expected `{expected}` in `{e}`");
    }
}

/// State in the host's memory is copied, and nothing else touches it.
#[test]
fn only_copies_touch_the_host_memory() {
    fn host() -> Program {
        let mut p = program();
        p.host_bytes = 1024;
        p.ports[0].offset = 4096;
        p.ports[0].role = Role::State;
        let slice = BufRef::moving(4096, 64, 64, LoopIndex::Iter { delta: 0 });
        let copies = [(slice, buf(0, 64)), (buf(0, 64), slice)];
        let body = copies.map(|(src, dst)| Instr::Copy { src, dst, bytes: 64 });
        p.instrs.push(Instr::Loop { trip: 4, body: body.to_vec() });
        p
    }
    fn slice(p: &mut Program, of: usize) -> &mut BufRef {
        let Some(Instr::Loop { body, .. }) = p.instrs.last_mut() else { unreachable!() };
        let Instr::Copy { src, dst, .. } = &mut body[of] else { unreachable!() };
        if of == 0 { src } else { dst }
    }
    let p = host();
    validate(&p).unwrap();
    let text = serde_json::to_string(&p).unwrap();
    assert_eq!(serde_json::from_str::<Program>(&text).unwrap(), p);
    assert_eq!((p.in_host(4095), p.in_host(4096), p.device_bytes()), (false, true, program().device_bytes()));
    type Change = fn(&mut Program);
    let cases: &[(Change, &str)] = &[
        (|p| p.ports[0].role = Role::Input, "port `blocks.*.w`: 256 bytes at byte 0 of 1024 in the host's memory"),
        (|p| p.ports[0].offset = 4096 + 832, "port `blocks.*.w`: 256 bytes at byte 832 of 1024"),
        (|p| p.ports[0].offset = 4096 - 64, "bytes at offset 4032 of an arena of 4096"),
        (|p| p.arena_bytes = 4090, "host memory behind an arena of 4090 bytes"),
        (|p| p.host_bytes = u64::MAX, "host_bytes"),
        (|p| slice(p, 0).moves.0[0].stride = 512, "source spans bytes 0..1600 of 1024 in the host's memory"),
        (|p| slice(p, 1).moves.0[0].stride = 512, "destination spans bytes 0..1600 of 1024 in the host's memory"),
        (|p| slice(p, 0).offset = 4095, "source spans bytes 4095..4351 of an arena of 4096"),
        (|p| p.instrs.push(Instr::Copy { src: buf(4096, 64), dst: buf(4160, 64), bytes: 64 }), "to the host's memory"),
        (
            |p| {
                let fill = Instr::Fill { dst: buf(4096, 4), dtype: DType::F32, count: 1, value: Number::Int(0) };
                p.instrs.push(fill);
            },
            "destination spans bytes 4096..4100 of an arena of 4096",
        ),
        (
            |p| {
                let Instr::Loop { body, .. } = &mut p.instrs[1] else { unreachable!() };
                let Instr::Launch(l) = &mut body[0] else { unreachable!() };
                l.args[0].offset = 4096;
            },
            "argument 0 of `k0` spans bytes 4096..4352 of an arena of 4096",
        ),
        (
            |p| {
                let Instr::Collective(c) = &mut p.instrs[2] else { unreachable!() };
                (c.src.offset, c.dst.offset) = (4096, 4096);
            },
            "source spans bytes 4096..4100 of an arena of 4096",
        ),
    ];
    for (k, (change, expected)) in cases.iter().enumerate() {
        let mut p = host();
        change(&mut p);
        let e = validate(&p).unwrap_err().to_string();
        assert!(e.contains(expected), "case {k}: expected `{expected}` in `{e}`");
    }
}

/// `inner` in as many loops as there may be.
fn nested(inner: Instr) -> Instr {
    (0..LOOPS).fold(inner, |body, _| Instr::Loop { trip: 1, body: vec![body] })
}

#[test]
fn a_buffer_moves_with_every_loop_around_it() {
    let mut p = program();
    let Instr::Loop { body, .. } = &mut p.instrs[1] else { panic!("a loop") };
    let Instr::Launch(mut l) = body.remove(0) else { panic!("a launch") };
    l.args[0].moves = l.args[0].moves.with(1, 256, LoopIndex::IterReversed { trip: 3, delta: 0 });
    p.instrs[1] = Instr::Loop { trip: 4, body: vec![Instr::Loop { trip: 3, body: vec![Instr::Launch(l.clone())] }] };
    validate(&p).unwrap();
    assert_eq!(l.args[0].at(&[3, 0, 0, 0]), 3 * 64 + 2 * 256);
    let text = serde_json::to_string(&l.args[0]).unwrap();
    assert_eq!(serde_json::from_str::<BufRef>(&text).unwrap(), l.args[0]);
    let Instr::Loop { body, .. } = &mut p.instrs[1] else { panic!("a loop") };
    let Instr::Loop { trip, .. } = &mut body[0] else { panic!("a loop") };
    *trip = 2;
    assert!(validate(&p).unwrap_err().to_string().contains("counts back from 3 in a loop of 2"));
}

#[test]
fn kernels_must_be_in_the_library() {
    let mut c = contents();
    c.libraries[1].symbols = vec!["other".into()];
    let e = write(&c).unwrap_err().to_string();
    assert_eq!(e, "programs/gpt.json: kernel `k0` is not in library `x86-64-v4`");
}

/// JSON text changed at random still gives an error or a valid program.
/// The compiler has more element types and roles than programs.
#[test]
fn what_no_program_has_is_neither_written_nor_read() {
    let refused = |change: fn(&mut Program)| {
        let mut p = program();
        change(&mut p);
        serde_json::to_string(&p).unwrap_err().to_string()
    };
    assert_eq!(refused(|p| p.ports[0].dtype = DType::F8E4M3), "a program has no F8E4M3");
    assert_eq!(refused(|p| p.ports[0].role = Role::Sent), "a program has no Sent");
    let text = serde_json::to_string(&program()).unwrap();
    for (from, to, names) in [
        ("\"dtype\":\"f32\"", "\"dtype\":\"f8e4m3\"", "`f8e4m3`, expected one of `f32`, `f64`, `f16`, `bf16`, `i32`"),
        ("\"role\":\"loss\"", "\"role\":\"gradient\"", "`gradient`, expected one of `parameter`, `state`, `input`"),
        (
            "\"reduction\":\"sum\"",
            "\"reduction\":\"mean\"",
            "`mean`, expected one of `sum`, `max`, `min`, `prod`, `and`, `or`",
        ),
    ] {
        assert!(text.contains(from), "{from} in {text}");
        let e = serde_json::from_str::<Program>(&text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(e.contains(&format!("unknown variant {names}")), "{e}");
    }
}

#[test]
fn damaged_json_never_panics() {
    let text = serde_json::to_vec(&program()).unwrap();
    let mut seed = 1u64;
    let mut next = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize
    };
    for _ in 0..20_000 {
        let mut t = text.clone();
        for _ in 0..1 + next() % 3 {
            let at = next() % t.len();
            t[at] = b"0123456789-[]{},:\"e"[next() % 19];
        }
        if let Ok(p) = serde_json::from_slice::<Program>(&t) {
            let _ = validate(&p);
        }
    }
}

#[test]
fn a_loop_that_ends_early_keeps_to_its_arena() {
    let slot = |delta| BufRef::moving(2048, 1, 64, LoopIndex::IterMod { delta, period: 2 });
    let copy = |src, dst| Instr::Copy { src, dst, bytes: 1 };
    let early = |most, going, body: Instr| {
        let mut p = program();
        let after = vec![copy(slot(0), BufRef::fixed(3000, 1))];
        p.instrs.push(Instr::While(Box::new(While { most, going, body: vec![body], after })));
        validate(&p).map_err(|e| e.to_string())
    };
    let next = copy(slot(0), slot(1));
    for most in [Some(5), None] {
        early(most, slot(0), next.clone()).unwrap();
    }
    let moving = |n| BufRef::moving(0, n, 64, LoopIndex::Iter { delta: 0 });
    for (most, going, body, expected) in [
        (Some(u64::MAX), slot(0), next.clone(), "trip count"),
        (None, BufRef::fixed(5000, 1), next.clone(), "the condition spans bytes 5000..5001"),
        (None, BufRef::fixed(0, 2), next.clone(), "a condition of 2 bytes"),
        (None, moving(1), next.clone(), "the condition spans"),
        (None, slot(0), copy(moving(1), slot(1)), "source spans"),
        // Read once more than there are iterations.
        (Some(64), moving(1), next.clone(), "the condition spans"),
        (None, slot(0), copy(slot(0), slot(0)), "overlap"),
    ] {
        let e = early(most, going, body).unwrap_err();
        assert!(e.contains(expected), "expected `{expected}` in `{e}`");
    }
    early(Some(63), moving(1), next).unwrap();
}

fn for_gpus() -> Contents {
    let mut c = contents();
    let map = TensorMap {
        arg: 0,
        offset: 16,
        dtype: DType::BF16,
        shape: vec![8, 3],
        strides: vec![16],
        tile: vec![64, 64],
        swizzle: Swizzle::Bytes128,
    };
    let launch = GpuLaunch { workspace: 256, cluster: 2, tensor_maps: vec![map], ..GpuLaunch::per_block(128) };
    c.target = "h100-sxm".into();
    c.entries[0].program.kernels[0].gpu = Some(launch);
    for (l, kind) in c.libraries.iter_mut().zip([LibraryKind::Ptx, LibraryKind::Cubin]) {
        (l.name, l.kind, l.cpu_features) = ("sm_90a".into(), kind, Vec::new());
    }
    c
}

#[test]
fn a_bundle_for_gpus_says_how_kernels_are_launched() {
    let bytes = write(&for_gpus()).unwrap();
    let back = Bundle::read(&bytes).unwrap();
    assert_eq!(back.contents, for_gpus());
    let members: Vec<&str> = back.manifest.libraries.iter().map(|l| l.member.as_str()).collect();
    assert_eq!(members, ["kernels/sm_90a.ptx", "kernels/sm_90a.cubin"]);
    // A launch of what there is to do, whole clusters, and no more than the workspace has room for.
    let program = &back.contents.entries[0].program;
    let launch = program.kernels[0].gpu.clone().unwrap();
    assert_eq!([1, 3, 100].map(|units| launch.blocks(units, program.scratch_bytes, 64)), [2, 4, 4]);
    assert_eq!(GpuLaunch::per_thread(128).blocks(1000, program.scratch_bytes, 64), 8);
    // Programs for CPUs are written as they always were.
    assert!(!String::from_utf8_lossy(&write(&contents()).unwrap()).contains("\"gpu\""));
}

#[test]
fn launches_that_no_gpu_has_are_refused() {
    type Change = fn(&mut GpuLaunch);
    let cases: [(&str, Change); 12] = [
        ("100 threads", |g| g.threads = 100),
        ("0 threads", |g| g.threads = 0),
        ("0 units", |g| g.units_per_block = 0),
        ("bytes of shared memory", |g| g.shared_bytes = 1 << 20),
        ("clusters of 0", |g| g.cluster = 0),
        ("a workspace of 0 bytes", |g| g.workspace = 0),
        ("a workspace of 600 bytes", |g| g.workspace = 600),
        ("argument 2 of 2", |g| g.tensor_maps[0].arg = 2),
        ("strides of [120]", |g| g.tensor_maps[0].strides = vec![120]),
        ("a tile of [128, 64]", |g| g.tensor_maps[0].tile = vec![128, 64]),
        ("tensor map 0 ends at byte 80 of argument 0", |g| g.tensor_maps[0].shape = vec![8, 4]),
        ("takes its place with 1 tensor maps and 1 units", |g| {
            let launch = GpuLaunch { by_threads: None, ..g.clone() };
            g.by_threads = Some(Box::new(ByThreads { symbol: "other".into(), units: 1, launch }));
        }),
    ];
    for (expected, change) in cases {
        let mut c = for_gpus();
        change(c.entries[0].program.kernels[0].gpu.as_mut().unwrap());
        let error = write(&c).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
    let mut c = for_gpus();
    c.entries[0].program.kernels[0].gpu = None;
    assert!(write(&c).unwrap_err().to_string().contains("is not launched as library `sm_90a` for a GPU needs it"));
    let mut c = for_gpus();
    c.libraries[1] = contents().libraries[1].clone();
    assert!(write(&c).unwrap_err().to_string().contains("library `x86-64-v4` for a CPU"));
}
