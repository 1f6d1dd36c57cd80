//! Every collective on several meshes and every group of axes, against a naive reference; bits independent of the number of workers;
//! bytes counted as the plan predicts them.

use crate::common::*;
use meshloom_bundle::*;
use meshloom_runtime::collectives::nccl::{ID_BYTES, Nccl, Ranks, Remote};
use meshloom_runtime::device::gpu::{GpuMachine, MakeExchange, simulated::Simulated};
use meshloom_runtime::{HostTensor, Session, SessionOptions};
use std::path::Path;
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

/// The kinds tried, for a group of `n`.
fn kinds(n: u64, rng: &mut Rng) -> Vec<CollectiveKind> {
    let mut d = |m: u64| 1 + rng.next(m);
    let (sum, max, min) = (Reduction::Sum, Reduction::Max, Reduction::Min);
    let mut kinds = vec![
        CollectiveKind::AllReduce { reduction: sum, count: 1 },
        CollectiveKind::AllReduce { reduction: sum, count: 5000 + d(9000) },
        CollectiveKind::AllReduce { reduction: max, count: d(100) },
        CollectiveKind::AllReduce { reduction: min, count: d(100) },
        CollectiveKind::AllReduce { reduction: Reduction::Prod, count: d(100) },
        CollectiveKind::AllGather { outer: 1, block: 6000, inner: 1 },
        CollectiveKind::AllGather { outer: d(40), block: d(5), inner: d(9) },
        CollectiveKind::ReduceScatter { reduction: sum, outer: 1, block: 3, inner: 1700 },
        CollectiveKind::ReduceScatter { reduction: sum, outer: d(40), block: d(5), inner: d(9) },
        CollectiveKind::ReduceScatter { reduction: max, outer: d(7), block: d(5), inner: 1 },
        CollectiveKind::CollectivePermute {
            count: d(5000),
            pairs: (0..n as u32).map(|k| (k, (k + 1) % n as u32)).collect(),
        },
        CollectiveKind::CollectivePermute { count: d(50), pairs: vec![(0, n as u32 - 1)] },
    ];
    for split_first in [true, false] {
        let (outer, split, middle, concat, inner) = (d(6), d(4), d(5), d(4), d(7));
        kinds.push(CollectiveKind::AllToAll { split_first, outer, split, middle, concat, inner });
        kinds.push(CollectiveKind::AllToAll { split_first, outer: 1, split, middle: 1, concat, inner: 3000 });
    }
    kinds
}

/// What each rank ends up with, from the definition of the op, one element at a time.
fn reference(kind: &CollectiveKind, src: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = src.len();
    let fold = |op: Reduction, at: usize| {
        let f = |a: f64, b: f64| match op {
            Reduction::Sum => f64::from(a as f32 + b as f32),
            Reduction::Max => a.max(b),
            Reduction::Min => a.min(b),
            Reduction::Prod => f64::from(a as f32 * b as f32),
            Reduction::And => (a as i64 & b as i64) as f64,
            Reduction::Or => (a as i64 | b as i64) as f64,
        };
        src[1..].iter().fold(src[0][at], |a, s| f(a, s[at]))
    };
    let u = |x: u64| x as usize;
    match *kind {
        CollectiveKind::AllReduce { reduction, count } => vec![(0..u(count)).map(|i| fold(reduction, i)).collect(); n],
        CollectiveKind::AllGather { outer, block, inner } => {
            let run = u(block * inner);
            let all =
                (0..u(outer)).flat_map(|o| src.iter().flat_map(move |s| s[o * run..(o + 1) * run].to_vec())).collect();
            vec![all; n]
        }
        CollectiveKind::ReduceScatter { reduction, outer, block, inner } => {
            let run = u(block * inner);
            let one = |r: usize| {
                (0..u(outer))
                    .flat_map(|o| (0..run).map(move |x| (o * n + r) * run + x))
                    .map(|i| fold(reduction, i))
                    .collect()
            };
            (0..n).map(one).collect()
        }
        CollectiveKind::AllToAll { split_first, outer, split, middle, concat, inner } => {
            let (o, s, m, c, i) = (u(outer), u(split), u(middle), u(concat), u(inner));
            let at = |d: [usize; 5], shape: [usize; 5]| d.iter().zip(shape).fold(0, |a, (x, n)| a * n + x);
            let mut out = vec![vec![f64::NAN; o * n * s * m * c * i]; n];
            for (from, x) in src.iter().enumerate() {
                for (o_, i_, m_) in (0..o).flat_map(|a| (0..i).flat_map(move |b| (0..m).map(move |c| (a, b, c)))) {
                    for (ns, c_) in (0..n * s).flat_map(|a| (0..c).map(move |b| (a, b))) {
                        let (to, s_, nc) = (ns / s, ns % s, from * c + c_);
                        let (src, dst) = if split_first {
                            (
                                at([o_, ns, m_, c_, i_], [o, n * s, m, c, i]),
                                at([o_, s_, m_, nc, i_], [o, s, m, n * c, i]),
                            )
                        } else {
                            (
                                at([o_, c_, m_, ns, i_], [o, c, m, n * s, i]),
                                at([o_, nc, m_, s_, i_], [o, n * c, m, s, i]),
                            )
                        };
                        out[to][dst] = x[src];
                    }
                }
            }
            out
        }
        CollectiveKind::CollectivePermute { count, ref pairs } => {
            let from = |r: usize| pairs.iter().find(|p| p.1 as usize == r).map(|p| p.0 as usize);
            (0..n).map(|r| from(r).map_or(vec![0.0; u(count)], |f| src[f].clone())).collect()
        }
    }
}

/// A group's devices by rank, from the definition.
fn groups(p: &Program, axes: &[u32]) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    for d in 0..p.devices() {
        let same = |e: &usize| {
            let (a, b) = (p.coordinates(d), p.coordinates(*e));
            (0..p.mesh.len()).all(|k| axes.contains(&(k as u32)) || a[k] == b[k])
        };
        let mut g: Vec<usize> = (0..p.devices()).filter(same).collect();
        g.sort_by_key(|&e| axes.iter().map(|&a| p.coordinates(e)[a as usize]).collect::<Vec<_>>());
        if !all.contains(&g) {
            all.push(g);
        }
    }
    all
}

fn check(mesh: &[(&str, u32)], axes: &[u32], kind: CollectiveKind, in_place: bool, so: &str) {
    let mut p = program(mesh, 0);
    let devices = p.devices() as u64;
    let n = p.group_size(axes);
    let (s, d) = kind.elements(n).unwrap();
    let (src_bytes, dst_bytes) = (s * 4, d * 4);
    let second = if in_place { 0 } else { src_bytes.next_multiple_of(ALIGN) };
    p.arena_bytes = second + dst_bytes;
    // Each device's whole buffer as a row of a tensor split over all axes.
    let all: Vec<u32> = (0..mesh.len() as u32).collect();
    p.ports.push(port(&p, "src", Role::Input, DType::F32, &[devices, s], &[&all, &[]], 0));
    p.ports.push(port(&p, "dst", Role::Output, DType::F32, &[devices, d], &[&all, &[]], second));
    p.instrs = vec![collective(
        0,
        kind.clone(),
        axes,
        DType::F32,
        BufRef::fixed(0, src_bytes),
        BufRef::fixed(second, dst_bytes),
    )];
    let mut rng = Rng(s + d + n);
    let values: Vec<f32> = (0..devices * s).map(|_| rng.next(1 << 20) as f32 / 777.0 - 600.0).collect();
    let rows: Vec<Vec<f64>> = values.chunks(s as usize).map(|c| c.iter().map(|&x| f64::from(x)).collect()).collect();
    let mut expected = vec![vec![]; devices as usize];
    for g in groups(&p, axes) {
        let src: Vec<Vec<f64>> = g.iter().map(|&d| rows[d].clone()).collect();
        for (out, &d) in reference(&kind, &src).into_iter().zip(&g) {
            expected[d] = out;
        }
    }
    let b = bundle_with(p, so);
    // On CPU devices with so many threads, and as copies and reductions of devices that share a GPU.
    for threads in [1, 2, 3, 5, 0] {
        let mut session = match threads {
            0 => {
                let driver = Box::new(Simulated::new(&b.contents.libraries, n).unwrap());
                Session::on_driver(&b, "test", &SessionOptions::default(), driver).unwrap()
            }
            n => Session::open(&b, "test", &SessionOptions { threads: Some(n), ..SessionOptions::default() }).unwrap(),
        };
        session.write("src", HostTensor::f32(&[devices, s], &values)).unwrap();
        session.run().unwrap();
        let out = session.read("dst").unwrap().to_f64().unwrap();
        for (k, row) in out.chunks(d as usize).enumerate() {
            assert_eq!(row, expected[k], "{kind:?} over {axes:?} of {mesh:?}, device {k}, {threads} threads");
        }
        let received = session.received_bytes();
        let wire = kind.wire_bytes_of_group(n, kind.full_elements(n) * 4);
        assert_eq!(received.iter().sum::<u64>(), wire * devices / n, "{kind:?}");
        let symmetric = !matches!(kind, CollectiveKind::CollectivePermute { .. });
        if symmetric && kind.full_elements(n).is_multiple_of(n) {
            assert!(received.iter().all(|&b| b == wire / n), "{kind:?}: {received:?}");
        }
    }
}

/// As ranks of a NCCL that is the host's (`common/cuda/nccl.c`), each a thread with one device.
fn check_ranks(nccl: &Path, mesh: &[(&str, u32)], axes: &[u32], kind: &CollectiveKind, dtype: DType) {
    let mut p = program(mesh, 0);
    let (devices, n) = (p.devices(), p.group_size(axes));
    let (s, d) = kind.elements(n).unwrap();
    let second = (s * 4).next_multiple_of(ALIGN);
    p.arena_bytes = second + d * 4;
    let (src, dst) = (BufRef::fixed(0, s * 4), BufRef::fixed(second, d * 4));
    p.instrs = vec![collective(0, kind.clone(), axes, dtype, src, dst)];
    meshloom_bundle::validate(&p).unwrap();
    let library = LibraryContents {
        name: "any".into(),
        kind: LibraryKind::ElfSo,
        cpu_features: vec![],
        symbols: vec![],
        tools: Default::default(),
        bytes: std::fs::read(nccl).unwrap(),
    };
    let mut rng = Rng(s * 3 + d + n);
    let whole = dtype == DType::I32;
    let mut value = || match whole {
        true => (rng.next(1 << 30) as i32 - (1 << 29)).into(),
        false => f64::from(rng.next(1 << 20) as f32 / 777.0 - 600.0),
    };
    let rows: Vec<Vec<f64>> = (0..devices).map(|_| (0..s).map(|_| value()).collect()).collect();
    let to_bytes = |x: f64| if whole { (x as i32).to_le_bytes() } else { (x as f32).to_le_bytes() };
    let of_bytes = |b: [u8; 4]| if whole { i32::from_le_bytes(b).into() } else { f64::from(f32::from_le_bytes(b)) };
    let (id, ready) = (Mutex::new([0; ID_BYTES]), Barrier::new(devices));
    let one = |rank: usize| {
        // SAFETY: a library of the functions that it stands for.
        let opened = unsafe { libloading::Library::new(nccl) }.unwrap();
        let nccl = Arc::new(Nccl::of(opened, "fake".into()).unwrap());
        let ranks = Ranks { rank, size: devices, timeout: Duration::from_secs(60), watch: None };
        let share = |own: &mut [u8; ID_BYTES]| {
            if rank == 0 {
                *id.lock().unwrap() = *own;
            }
            ready.wait();
            *own = *id.lock().unwrap();
        };
        let driver = Box::new(Simulated::eager(std::slice::from_ref(&library)).unwrap());
        let others: Box<MakeExchange<'_>> =
            Box::new(|d, calls, arena| Ok(Box::new(Remote::new(&nccl, d, calls, arena, &ranks, share)?)));
        let mut machine = GpuMachine::new(&p, driver, rank..rank + 1, Some(others)).unwrap();
        let bytes: Vec<u8> = rows[rank].iter().flat_map(|&x| to_bytes(x)).collect();
        machine.write(rank, 0, &bytes).unwrap();
        machine.run().unwrap();
        machine.run().unwrap();
        let mut out = vec![0; d as usize * 4];
        machine.read(rank, second, &mut out).unwrap();
        out.chunks(4).map(|c| of_bytes(c.try_into().unwrap())).collect::<Vec<f64>>()
    };
    let one = &one;
    let found: Vec<Vec<f64>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..devices).map(|rank| scope.spawn(move || one(rank))).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    for g in groups(&p, axes) {
        let src: Vec<Vec<f64>> = g.iter().map(|&d| rows[d].clone()).collect();
        for (want, &device) in reference(kind, &src).iter().zip(&g) {
            assert_eq!(&found[device], want, "{kind:?} over {axes:?} of {mesh:?}, rank {device}");
        }
    }
}

/// Every collective as NCCL's calls: packed and unpacked where blocks are not contiguous, by communicators of each group of axes, which
/// all end in order.
#[test]
fn as_ranks_of_nccl() {
    let dir = tempfile::tempdir().unwrap();
    let nccl = dir.path().join("libnccl.so.2");
    std::fs::write(&nccl, library(include_str!("common/cuda/nccl.c"))).unwrap();
    // Kept open, so that what it counts is kept.
    // SAFETY: a library of the functions that it stands for.
    let kept = unsafe { libloading::Library::new(&nccl) }.unwrap();
    let mut rng = Rng(11);
    for (mesh, all) in [(&[("a", 2), ("b", 2)][..], &[&[0][..], &[1], &[1, 0]][..]), (&[("a", 3)], &[&[0], &[]])] {
        for axes in all {
            let n = program(mesh, 0).group_size(axes);
            for kind in kinds(n, &mut rng) {
                // This NCCL waits for all ranks at each group, and a rank that neither sends nor receives does not come.
                let idle =
                    matches!(&kind, CollectiveKind::CollectivePermute { pairs, .. } if n > 2 && pairs.len() == 1);
                if !idle {
                    check_ranks(&nccl, mesh, axes, &kind, DType::F32);
                }
            }
        }
    }
    // What NCCL does not reduce.
    for reduction in [Reduction::And, Reduction::Or] {
        let mesh = &[("a", 2), ("b", 2)];
        check_ranks(&nccl, mesh, &[1], &CollectiveKind::AllReduce { reduction, count: 37 }, DType::I32);
        let rows = CollectiveKind::ReduceScatter { reduction, outer: 3, block: 2, inner: 5 };
        check_ranks(&nccl, mesh, &[1, 0], &rows, DType::I32);
    }
    // SAFETY: two functions without arguments.
    let count = |name: &[u8]| unsafe { kept.get::<unsafe extern "C" fn() -> i32>(name).unwrap()() };
    let (aborts, finished) = (count(b"fake_nccl_aborts"), count(b"fake_nccl_finished"));
    assert!(aborts == 0 && finished > 100, "{aborts} aborted, {finished} ended in order");
}

fn bundle_with(p: Program, so: &str) -> Bundle {
    let library = LibraryContents {
        name: "any".into(),
        kind: LibraryKind::ElfSo,
        cpu_features: vec![],
        symbols: vec![],
        tools: Default::default(),
        bytes: std::fs::read(so).unwrap(),
    };
    let entry = EntryContents {
        kind: EntryKind::Function,
        program: p,
        pipeline: None,
        plan: String::new(),
        certificate: String::new(),
    };
    let contents = Contents { target: "cpu".into(), entries: vec![entry], libraries: vec![library], sources: vec![] };
    Bundle::read(&write(&contents).unwrap()).unwrap()
}

/// Every kind on every ordered choice of axes.
fn all_on(mesh: &[(&str, u32)]) {
    let dir = tempfile::tempdir().unwrap();
    let so = dir.path().join("k.so");
    std::fs::write(&so, library("void nothing(long lo, long hi) {}")).unwrap();
    let so = so.to_str().unwrap();
    let axes: &[&[u32]] = if mesh.len() == 1 { &[&[], &[0]] } else { &[&[0], &[1], &[0, 1], &[1, 0]] };
    let mut rng = Rng(mesh.len() as u64);
    for axes in axes {
        let n = program(mesh, 0).group_size(axes);
        for kind in kinds(n, &mut rng) {
            if matches!(kind, CollectiveKind::AllReduce { .. }) {
                check(mesh, axes, kind.clone(), true, so);
            }
            check(mesh, axes, kind, false, so);
        }
    }
}

#[test]
fn on_2x2() {
    all_on(&[("a", 2), ("b", 2)]);
}

#[test]
fn on_2x3() {
    all_on(&[("a", 2), ("b", 3)]);
}

#[test]
fn on_8() {
    all_on(&[("a", 8)]);
}

#[test]
fn on_2x4() {
    all_on(&[("data", 2), ("model", 4)]);
}

#[test]
fn on_1() {
    all_on(&[("a", 1)]);
}

/// Members of a bucket do what they do alone, with the same bits and bytes.
#[test]
fn buckets() {
    let dir = tempfile::tempdir().unwrap();
    let so = dir.path().join("k.so");
    std::fs::write(&so, library("void nothing(long lo, long hi) {}")).unwrap();
    let mesh = [("a", 2), ("b", 4)];
    let mut rng = Rng(3);
    for axes in [&[0][..], &[1], &[1, 0]] {
        let n = program(&mesh, 0).group_size(axes);
        let sets: Vec<Vec<CollectiveKind>> = (0..3).map(|_| kinds(n, &mut rng)).collect();
        for first in &sets[0] {
            let bucket: Vec<&CollectiveKind> = sets.iter().flatten().filter(|k| k.alike(first)).collect();
            assert!(bucket.len() >= 3);
            let run = |together: bool, threads: usize| {
                let mut p = program(&mesh, 0);
                let all: Vec<u32> = vec![0, 1];
                let (mut at, mut calls, mut sizes) = (0, Vec::new(), Vec::new());
                for (i, kind) in (0..).zip(&bucket) {
                    let (s, d) = kind.elements(n).unwrap();
                    let place = |at: &mut u64, count: u64| {
                        let r = BufRef::fixed(*at, count * 4);
                        *at = (*at + count * 4).next_multiple_of(ALIGN);
                        r
                    };
                    let (src, dst) = (place(&mut at, s), place(&mut at, d));
                    p.ports.push(port(
                        &p,
                        &format!("src{i}"),
                        Role::Input,
                        DType::F32,
                        &[8, s],
                        &[&all, &[]],
                        src.offset,
                    ));
                    p.ports.push(port(
                        &p,
                        &format!("dst{i}"),
                        Role::Output,
                        DType::F32,
                        &[8, d],
                        &[&all, &[]],
                        dst.offset,
                    ));
                    calls.push(collective(i, (*kind).clone(), axes, DType::F32, src, dst));
                    sizes.push(s);
                }
                p.arena_bytes = at;
                let members = calls.iter().flat_map(|c| c.collectives().to_vec());
                p.instrs = if together { vec![Instr::Bucket(members.collect())] } else { calls };
                let b = bundle_with(p, so.to_str().unwrap());
                let mut session = Session::open(
                    &b,
                    "test",
                    &SessionOptions { threads: Some(threads), seed: 0, ..SessionOptions::default() },
                )
                .unwrap();
                let mut rng = Rng(9);
                for (i, s) in sizes.iter().enumerate() {
                    let values: Vec<f32> = (0..8 * s).map(|_| rng.next(1 << 20) as f32 / 777.0 - 600.0).collect();
                    session.write(&format!("src{i}"), HostTensor::f32(&[8, *s], &values)).unwrap();
                }
                session.run().unwrap();
                let out: Vec<Vec<u8>> =
                    (0..sizes.len()).map(|i| session.read(&format!("dst{i}")).unwrap().bytes).collect();
                (out, session.received_bytes())
            };
            let alone = run(false, 1);
            for threads in [1, 2, 3] {
                assert!(run(true, threads) == alone, "{first:?} over {axes:?}, {threads} threads");
            }
        }
    }
}
