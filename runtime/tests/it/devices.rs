//! Launches, loops, copies and fills on one and several devices: every worker count gives the same bits.

use crate::common::*;
use meshloom_bundle::*;
use meshloom_runtime::{ErrorKind, HostTensor, Session, SessionOptions};

fn open(b: &Bundle, threads: usize) -> Session {
    Session::open(b, "test", &SessionOptions { threads: Some(threads), seed: 0, ..SessionOptions::default() }).unwrap()
}

/// Runs with several worker counts and gives the common result of `port`.
fn same_on_all(b: &Bundle, inputs: &[(&str, HostTensor)], port: &str) -> Vec<f64> {
    let mut results = Vec::new();
    for threads in [1, 2, 3, 4, 7] {
        let mut s = open(b, threads);
        for (name, t) in inputs {
            s.write(name, t.clone()).unwrap();
        }
        s.run().unwrap();
        results.push(s.read(port).unwrap().to_f64().unwrap());
    }
    assert!(results.windows(2).all(|w| w[0] == w[1]), "{results:?}");
    results.remove(0)
}

/// A loop over layers: stashes forward, reads back in reverse, and carries between two buffers.
#[test]
fn a_loop_over_layers_forward_and_back() {
    let mut p = program(&[("data", 2)], 4096);
    // w[l] is stacked; carry alternates between two buffers at 1024 and 1088; the stash of layer l lies at 2048 + 64 l.
    p.ports.push(port(&p, "blocks.*.w", Role::Parameter, DType::F32, &[4, 8], &[&[], &[]], 0));
    p.ports.push(port(&p, "x", Role::Input, DType::F32, &[2, 8], &[&[0], &[]], 1024));
    p.ports.push(port(&p, "y", Role::Output, DType::F32, &[2, 8], &[&[0], &[]], 1152));
    p.kernels = vec![kernel("layer", 4, 0, true), kernel("back", 2, 0, false)];
    let b = |offset, stride, index| BufRef::moving(offset, 32, stride, index);
    let w = b(0, 32, LoopIndex::Iter { delta: 0 });
    let stash = b(2048, 64, LoopIndex::Iter { delta: 0 });
    let (from, to) = (
        b(1024, 64, LoopIndex::IterMod { delta: 0, period: 2 }),
        b(1024, 64, LoopIndex::IterMod { delta: 1, period: 2 }),
    );
    let reversed = b(2048, 64, LoopIndex::IterReversed { trip: 4, delta: 0 });
    p.instrs = vec![
        Instr::Loop { trip: 4, body: vec![launch(0, vec![w, from, to, stash], vec![2, 3], 8, vec![])] },
        Instr::Fill {
            dst: BufRef::fixed(1152, 32),
            dtype: DType::F32,
            count: 8,
            value: meshloom_bundle::Number::Float(0.5),
        },
        Instr::Loop { trip: 4, body: vec![launch(1, vec![reversed, BufRef::fixed(1152, 32)], vec![1], 8, vec![])] },
    ];
    let c = "
        void layer(const float *w, const float *x, float *y, float *stash, float *scratch, long lo, long hi) {
            for (long i = lo; i < hi; i++) { scratch[i] = x[i] * w[i]; stash[i] = x[i]; y[i] = scratch[i] + 1; }
        }
        void back(const float *stash, float *y, long lo, long hi) { for (long i = lo; i < hi; i++) y[i] = y[i] * 2 + stash[i]; }";
    let bundle = bundle(vec![(EntryKind::Function, p)], c);
    let w: Vec<f32> = (0..32).map(|i| 1.0 + i as f32 / 8.0).collect();
    let x: Vec<f32> = (0..16).map(|i| i as f32).collect();
    let got =
        same_on_all(&bundle, &[("blocks.*.w", HostTensor::f32(&[4, 8], &w)), ("x", HostTensor::f32(&[2, 8], &x))], "y");
    let expected = (0..16).map(|k| {
        let mut stash = vec![];
        let mut h = x[k];
        for l in 0..4 {
            stash.push(h);
            h = h * w[l * 8 + k % 8] + 1.0;
        }
        f64::from(stash.iter().rev().fold(0.5f32, |y, s| y * 2.0 + s))
    });
    assert_eq!(got, expected.collect::<Vec<_>>());
    // One layer of a stacked tensor is a tensor of its own to the outside.
    let mut s = open(&bundle, 1);
    let layer = HostTensor::f32(&[8], &w[..8]);
    s.write("blocks.2.w", layer.clone()).unwrap();
    assert_eq!(s.read("blocks.2.w").unwrap(), layer);
    let all = s.read("blocks.*.w").unwrap().bytes;
    assert!(all[64..96] == layer.bytes && all[..64].iter().chain(&all[96..]).all(|&b| b == 0));
}

/// A collective within a loop, and dims that depend on the device.
#[test]
fn a_loop_with_collectives_and_shard_starts() {
    let mut p = program(&[("data", 2), ("model", 2)], 1024);
    p.ports.push(port(&p, "y", Role::Output, DType::I32, &[4, 4], &[&[0, 1], &[]], 0));
    p.kernels = vec![kernel("iota", 1, 2, false), kernel("add_one", 1, 0, false)];
    let y = BufRef::fixed(0, 16);
    let start = |axes: &[u32]| Dim::ShardStart { axes: axes.to_vec(), block: 10 };
    let sum = CollectiveKind::AllReduce { reduction: Reduction::Sum, count: 4 };
    p.instrs = vec![
        launch(0, vec![y], vec![0], 4, vec![start(&[0, 1]), Dim::Const(100)]),
        Instr::Loop {
            trip: 3,
            body: vec![collective(7, sum, &[1], DType::I32, y, y), launch(1, vec![y], vec![0], 4, vec![])],
        },
    ];
    let c = "
        void iota(int *y, long lo, long hi, long start, long base) { for (long i = lo; i < hi; i++) y[i] = base + start + i; }
        void add_one(int *y, long lo, long hi) { for (long i = lo; i < hi; i++) y[i]++; }";
    let b = bundle(vec![(EntryKind::Function, p)], c);
    let mut s = open(&b, 2);
    s.run().unwrap();
    assert_eq!(s.received_bytes().iter().sum::<u64>(), s.program().wire_bytes());
    let got = same_on_all(&b, &[], "y");
    let expected = (0..4).flat_map(|d| {
        (0..4).map(move |i| {
            let (mut a, mut b) =
                (100.0 + 20.0 * f64::from(d / 2) + f64::from(i), 110.0 + 20.0 * f64::from(d / 2) + f64::from(i));
            for _ in 0..3 {
                (a, b) = (a + b + 1.0, a + b + 1.0);
            }
            if d % 2 == 0 { a } else { b }
        })
    });
    assert_eq!(got, expected.collect::<Vec<_>>());
}

/// Every number of arguments that a kernel may have arrives in order.
#[test]
fn all_arities() {
    let mut c = String::new();
    let mut p = program(&[("data", 1)], 4096);
    p.ports.push(port(&p, "y", Role::Output, DType::I64, &[31], &[&[]], 0));
    for n in 3..=MAX_KERNEL_ARGS as u32 {
        let dims: Vec<String> = (0..n - 3).map(|k| format!("long d{k}")).collect();
        let sum: Vec<String> = (0..n - 3).map(|k| format!(" + {} * d{k}", k + 1)).collect();
        c += &format!(
            "void k{n}(long *y, long lo, long hi{}{}) {{ *y = lo + 1000 * hi{}; }}\n",
            if n > 3 { ", " } else { "" },
            dims.join(", "),
            sum.concat()
        );
        p.kernels.push(kernel(&format!("k{n}"), 1, n - 3, false));
        let at = BufRef::fixed(u64::from(n - 3) * 8, 8);
        p.instrs.push(launch(n - 3, vec![at], vec![0], 1, (0..n - 3).map(|k| Dim::Const(i64::from(k) + 7)).collect()));
    }
    let b = bundle(vec![(EntryKind::Function, p)], &c);
    let got = same_on_all(&b, &[], "y");
    for (k, y) in got[..30].iter().enumerate() {
        assert_eq!(*y, 1000.0 + (0..k).map(|d| ((d + 1) * (d + 7)) as f64).sum::<f64>());
    }
}

/// Copies and fills split among the workers of one device.
#[test]
fn copies_and_fills() {
    let mut p = program(&[], 1 << 16);
    p.ports.push(port(&p, "x", Role::Input, DType::U8, &[10_001], &[&[]], 0));
    p.ports.push(port(&p, "y", Role::Output, DType::U8, &[10_001], &[&[]], 10_048));
    p.ports.push(port(&p, "z", Role::Output, DType::F64, &[999], &[&[]], 20_480));
    p.instrs = vec![
        Instr::Copy { src: BufRef::fixed(0, 10_001), dst: BufRef::fixed(10_048, 10_001), bytes: 10_001 },
        Instr::Fill {
            dst: BufRef::fixed(20_480, 7992),
            dtype: DType::F64,
            count: 999,
            value: meshloom_bundle::Number::Float(-1.5),
        },
    ];
    let b = bundle(vec![(EntryKind::Function, p)], "void nothing(void) {}");
    let x: Vec<u8> = (0..10_001).map(|i| (i * 7) as u8).collect();
    let input = [("x", HostTensor { dtype: DType::U8, shape: vec![10_001], bytes: x.clone() })];
    assert_eq!(same_on_all(&b, &input, "y"), x.iter().map(|&x| f64::from(x)).collect::<Vec<_>>());
    assert_eq!(same_on_all(&b, &input, "z"), vec![-1.5; 999]);
}

#[test]
fn what_cannot_run_is_refused() {
    let base = program(&[("data", 2)], 4096);
    let b = bundle(vec![(EntryKind::Function, base.clone())], "void k(void) {}");
    let err = |b: &Bundle, entry: &str| Session::open(b, entry, &SessionOptions::default()).err().unwrap();
    assert_eq!(err(&b, "nope").to_string(), "entry `nope`: is not in the bundle, which has test");
    // Declared by the manifest, but not defined by the library.
    let mut p = base.clone();
    p.kernels.push(kernel("missing", 0, 0, false));
    let e = err(&bundle(vec![(EntryKind::Function, p)], "void k(void) {}"), "test");
    assert_eq!(e.to_string(), "kernels/any: does not define `missing`");
    assert_eq!(e.exit_code(), 2);
    // Features that no CPU has.
    let mut b2 = b.clone();
    b2.contents.libraries[0].cpu_features = vec!["sse2".into(), "quantum".into()];
    let e = err(&b2, "test").to_string();
    assert!(e.contains("`any` needs quantum"), "{e}");
    // No ELF file.
    let mut b3 = b.clone();
    b3.contents.libraries[0].bytes = b"not a library".to_vec();
    assert!(err(&b3, "test").to_string().contains("cannot be loaded"));
    // More memory than any machine has.
    let mut p = base;
    p.arena_bytes = 1 << 43;
    let e = err(&bundle(vec![(EntryKind::Function, p)], "void k(void) {}"), "test");
    assert_eq!((e.kind, e.exit_code()), (ErrorKind::DoesNotFit, 4));
}

/// What is allocated is what the program says, and a little for the collectives.
#[test]
fn peak_memory_is_measured() {
    let p = program(&[("data", 4)], 1 << 20);
    let b = bundle(vec![(EntryKind::Function, p)], "void k(void) {}");
    let s = open(&b, 2);
    assert_eq!(s.peak_bytes(), 4 * (1 << 20) + 2 * (4096 + (16 << 10)));
}
