//! The executor for GPUs on a simulated device, whose streams run in orders drawn by a seed and are ordered by events
//! alone. Results are those of CPU devices, bit for bit, for every seed. Kernels are C, as in the other tests; compiled
//! programs are in `compiler/driver/tests/it/oracles.rs`.

use crate::common::fit;
use crate::common::*;
use meshloom_bundle::*;
use meshloom_runtime::device::gpu::simulated::Simulated;
use meshloom_runtime::trace::{Trace, What};
use meshloom_runtime::{HostTensor, Session, SessionOptions};

fn simulated(b: &Bundle, entry: &str, seed: u64) -> Session {
    let driver = Box::new(Simulated::new(&b.contents.libraries, seed).unwrap());
    Session::on_driver(b, entry, &SessionOptions::default(), driver).unwrap()
}

/// Losses, parameters and metrics of some steps.
fn trained(mut s: Session) -> (Vec<f64>, Vec<u8>, Vec<u64>) {
    s.initialize().unwrap();
    for input in ["x=det:uniform:fit/x:1.0", "y=det:uniform:fit/y:1.0"] {
        s.input(&input.parse().unwrap()).unwrap();
    }
    let losses = (0..5).map(|_| s.step().unwrap().loss.unwrap()).collect();
    // One layer of a stack is written alone.
    let layer = s.read("blocks.0.w").unwrap();
    s.write("blocks.1.w", layer).unwrap();
    s.step().unwrap();
    let received = s.received_bytes();
    (losses, s.read("blocks.*.w").unwrap().bytes, received)
}

#[test]
fn training_is_that_of_cpu_devices() {
    for devices in [1, 2, 4] {
        let b = bundle(vec![(EntryKind::Train, fit::model(devices))], fit::C);
        let cpu = trained(
            Session::open(&b, "fit", &SessionOptions { threads: Some(1), ..SessionOptions::default() }).unwrap(),
        );
        assert!(cpu.0[4] < cpu.0[0], "{:?}", cpu.0);
        for seed in 0..12 {
            assert_eq!(trained(simulated(&b, "fit", seed)), cpu, "{devices} devices, seed {seed}");
        }
    }
}

/// Collectives in a loop run on a stream of their own, beside kernels that do not need them: what they write is read two iterations
/// later, from buffers that alternate.
#[test]
fn loops_and_alternating_buffers_stay_in_order() {
    let mut p = program(&[("data", 3)], 8192);
    p.ports.push(port(&p, "x", Role::Input, DType::F32, &[3, 16], &[&[0], &[]], 0));
    p.ports.push(port(&p, "y", Role::Output, DType::F32, &[3, 16], &[&[0], &[]], 64));
    p.kernels = vec![kernel("next", 2, 1, true), kernel("add", 2, 0, false)];
    let at = |offset, delta| BufRef::moving(offset, 64, 64, LoopIndex::IterMod { delta, period: 2 });
    let sum = CollectiveKind::AllReduce { reduction: Reduction::Sum, count: 16 };
    let (x, y) = (BufRef::fixed(0, 64), BufRef::fixed(64, 64));
    let start = Dim::ShardStart { axes: vec![0], block: 16 };
    p.instrs = vec![
        Instr::Fill {
            dst: BufRef::fixed(128, 256),
            dtype: DType::F64,
            count: 32,
            value: meshloom_bundle::Number::Float(0.25),
        },
        Instr::Copy { src: x, dst: y, bytes: 64 },
        Instr::Loop {
            trip: 9,
            body: vec![
                launch(0, vec![x, at(512, 0)], vec![1], 16, vec![start]),
                collective(0, sum, &[0], DType::F32, at(512, 0), at(1024, 0)),
                launch(1, vec![at(1024, 1), y], vec![1], 16, vec![]),
                launch(1, vec![y, x], vec![1], 16, vec![]),
            ],
        },
    ];
    let c = "
        void next(const float *x, float *y, float *scratch, long lo, long hi, long start) {
            for (long i = lo; i < hi; i++) { scratch[i] = 0.5f * x[i]; y[i] = scratch[i] + start; }
        }
        void add(const float *a, float *y, long lo, long hi) { for (long i = lo; i < hi; i++) y[i] = 0.25f * y[i] + a[i]; }";
    let b = bundle(vec![(EntryKind::Function, p)], c);
    let x: Vec<f32> = (0..48).map(|i| i as f32 / 7.0).collect();
    let run = |mut s: Session| {
        s.write("x", HostTensor::f32(&[3, 16], &x)).unwrap();
        (0..3).for_each(|_| s.run().unwrap());
        s.read("y").unwrap().bytes
    };
    let cpu =
        run(Session::open(&b, "test", &SessionOptions { threads: Some(1), ..SessionOptions::default() }).unwrap());
    for seed in 0..20 {
        assert_eq!(run(simulated(&b, "test", seed)), cpu, "seed {seed}");
    }
}

/// A loop that the host ends: it cannot be captured, and every look at its condition waits for what writes it.
#[test]
fn a_condition_is_read_when_it_is_known() {
    let mut p = program(&[("data", 2)], 4096);
    p.ports.push(port(&p, "limit", Role::Input, DType::I32, &[], &[], 0));
    p.ports.push(port(&p, "n", Role::Output, DType::I32, &[], &[], 64));
    p.ports.push(port(&p, "out", Role::Output, DType::I32, &[2, 2], &[&[0], &[]], 128));
    p.kernels = vec![kernel("begin", 2, 0, false), kernel("step", 4, 1, false)];
    let b = BufRef::fixed;
    let (limit, n, out, going, own) = (b(0, 4), b(64, 4), b(128, 4), b(256, 1), b(320, 4));
    let most = CollectiveKind::AllReduce { reduction: Reduction::Max, count: 1 };
    let start = Dim::ShardStart { axes: vec![0], block: 1 };
    p.instrs = vec![
        launch(0, vec![n, going], vec![0, 1], 1, vec![]),
        Instr::While(Box::new(While {
            most: None,
            going,
            body: vec![
                launch(1, vec![limit, n, own, going], vec![2, 3], 1, vec![start]),
                collective(0, most, &[0], DType::I32, own, n),
            ],
            after: vec![Instr::Copy { src: n, dst: out, bytes: 4 }, Instr::Copy { src: own, dst: b(132, 4), bytes: 4 }],
        })),
    ];
    let c = "
        void begin(int *n, char *going, long lo, long hi) { *n = 0; *going = 1; }
        void step(const int *limit, const int *n, int *own, char *going, long lo, long hi, long device) {
            *own = *n + 1 - device; *going = *n + 1 < *limit;
        }";
    let b = bundle(vec![(EntryKind::Function, p)], c);
    let run = |mut s: Session| {
        s.write("limit", HostTensor { dtype: DType::I32, shape: vec![], bytes: 11i32.to_le_bytes().to_vec() }).unwrap();
        (0..2).for_each(|_| s.run().unwrap());
        s.read("out").unwrap().to_i64().unwrap()
    };
    let cpu =
        run(Session::open(&b, "test", &SessionOptions { threads: Some(2), ..SessionOptions::default() }).unwrap());
    assert_eq!(cpu, [11, 11, 11, 10]);
    for seed in 0..12 {
        assert_eq!(run(simulated(&b, "test", seed)), cpu, "seed {seed}");
    }
}

/// More than the buffers between host and device hold, in pieces whose number is even and odd.
#[test]
fn large_tensors_go_through_small_buffers() {
    for elements in [1 << 20, (3 << 20) + 5, 5 << 20] {
        let mut p = program(&[("data", 1)], 1 << 26);
        p.ports.push(port(&p, "x", Role::Input, DType::I32, &[elements], &[&[]], 0));
        p.ports.push(port(&p, "y", Role::Output, DType::I32, &[elements], &[&[]], 1 << 25));
        let (bytes, b) = (elements * 4, BufRef::fixed);
        p.instrs = vec![Instr::Copy { src: b(0, bytes), dst: b(1 << 25, bytes), bytes }];
        let b = bundle(vec![(EntryKind::Function, p)], "void nothing(long lo, long hi) {}");
        let x: Vec<i32> = (0..elements as i32).map(|i| i.wrapping_mul(2_654_435)).collect();
        for seed in 0..3 {
            let mut s = simulated(&b, "test", seed);
            s.write("x", HostTensor::i32(&[elements], &x)).unwrap();
            s.run().unwrap();
            assert!(s.read("y").unwrap() == HostTensor::i32(&[elements], &x), "{elements} elements, seed {seed}");
        }
    }
}

/// A traced step computes what others do, and shows collectives on their own stream: each begins when what it reads is there, and kernels
/// that do not need its result run meanwhile.
#[test]
fn traces_show_collectives_beside_kernels() {
    let mut p = program(&[("data", 2)], 4096);
    p.ports.push(port(&p, "x", Role::Input, DType::F32, &[2, 16], &[&[0], &[]], 0));
    p.ports.push(port(&p, "y", Role::Output, DType::F32, &[2, 16], &[&[0], &[]], 64));
    p.kernels = vec![kernel("scale", 2, 0, false), kernel("add", 3, 0, false)];
    let b = |at| BufRef::fixed(at, 64);
    let (x, y, g, sum, other, more) = (b(0), b(64), b(128), b(192), b(256), b(320));
    let all = CollectiveKind::AllReduce { reduction: Reduction::Sum, count: 16 };
    let scale = |from, to| launch(0, vec![from, to], vec![1], 16, vec![]);
    let mut reduce = collective(0, all, &[0], DType::F32, g, sum);
    let source = SourcePlace { file: "m.loom".into(), line: 7, column: 3 };
    if let Instr::Collective(c) = &mut reduce {
        c.source = Some(source.clone());
    }
    // The gradient is summed while two kernels compute something else, and then both are added.
    p.instrs = vec![
        scale(x, g),
        reduce,
        scale(x, other),
        scale(other, more),
        launch(1, vec![sum, more, y], vec![2], 16, vec![]),
    ];
    let c = "
        void scale(const float *x, float *y, long lo, long hi) { for (long i = lo; i < hi; i++) y[i] = 0.5f * x[i]; }
        void add(const float *a, const float *b, float *y, long lo, long hi) { for (long i = lo; i < hi; i++) y[i] = a[i] + b[i]; }";
    let b = bundle(vec![(EntryKind::Function, p)], c);
    let x: Vec<f32> = (0..32).map(|i| i as f32 / 7.0).collect();
    let run = |mut s: Session| {
        s.write("x", HostTensor::f32(&[2, 16], &x)).unwrap();
        s.trace_run(3);
        (0..5).for_each(|_| s.run().unwrap());
        (s.read("y").unwrap().bytes, s.trace().unwrap().clone())
    };
    let (want, cpu) =
        run(Session::open(&b, "test", &SessionOptions { threads: Some(2), ..SessionOptions::default() }).unwrap());
    let collectives =
        |t: &Trace| t.spans.iter().filter(|s| s.label.what == What::Collective).cloned().collect::<Vec<_>>();
    // Both workers take part in the sum, and each has four kernels of its own device.
    assert_eq!((cpu.tracks.len(), collectives(&cpu).len(), cpu.spans.len()), (2, 2, 10));
    assert!(cpu.spans.iter().all(|s| s.start <= s.end && s.start >= 0.0), "{cpu:?}");
    for seed in 0..8 {
        let (got, trace) = run(simulated(&b, "test", seed));
        assert_eq!(got, want, "seed {seed}");
        assert_eq!(trace.tracks, ["device 0: compute", "device 1: compute", "collectives"]);
        let [sum] = &collectives(&trace)[..] else { panic!("{trace:?}") };
        assert_eq!(
            (sum.track, sum.label.name.as_str(), &sum.label.source),
            (2, "all_reduce over data", &Some(source.clone()))
        );
        for device in 0..2 {
            let own: Vec<_> = trace.spans.iter().filter(|s| s.device == Some(device)).collect();
            let names: Vec<&str> = own.iter().map(|s| s.label.name.as_str()).collect();
            assert_eq!(names, ["scale", "scale", "scale", "add"]);
            // After what it reads was written, not after what was given out since; and before what reads it.
            assert!(own[0].end <= sum.start && sum.start < own[1].end, "{trace:?}");
            assert!(own[1].start < sum.end, "the next kernel does not wait: {trace:?}");
            assert!(sum.end <= own[3].start, "{trace:?}");
        }
        let json: serde_json::Value = serde_json::from_str(&trace.to_json(0, 3, &[])).unwrap();
        let events = json["traceEvents"].as_array().unwrap();
        let found = events.iter().find(|e| e["cat"] == "collective").unwrap();
        assert_eq!((&found["args"]["source"], &found["tid"]), (&"m.loom:7:3".into(), &2.into()));
    }
}

/// A value goes to the devices and comes from there by copies on the device, split over one dim, over both, and not at all.
#[test]
fn values_pass_without_the_host() {
    let layouts: [&[&[u32]]; 4] = [&[&[0], &[]], &[&[], &[1]], &[&[1], &[0]], &[&[], &[]]];
    for layout in layouts {
        let mut p = program(&[("a", 2), ("b", 3)], 4096);
        p.ports.push(port(&p, "x", Role::Input, DType::F32, &[7, 5], layout, 0));
        p.ports.push(port(&p, "n", Role::Input, DType::I32, &[7], &[&[]], 1024));
        p.ports[1].range = Some(meshloom_bundle::Range { lo: 0, hi: 10 });
        let b = bundle(vec![(EntryKind::Function, p)], "void nothing(void) {}");
        let mut s = simulated(&b, "test", 1);
        assert!(s.stream_of_copies().is_some());
        let x: Vec<f32> = (0..35).map(|i| i as f32).collect();
        let at = x.as_ptr() as u64;
        // SAFETY: the device's memory is the host's, and the vector has 35 elements.
        let written = |s: &mut Session, name, dtype, shape: &[u64]| unsafe { s.write_from_gpu(name, dtype, shape, at) };
        assert!(written(&mut s, "x", DType::F32, &[7, 5]).unwrap());
        assert_eq!(s.read("x").unwrap(), HostTensor::f32(&[7, 5], &x), "{layout:?}");
        let mut back = vec![0f32; 35];
        // SAFETY: as above.
        assert!(unsafe { s.read_into_gpu("x", back.as_mut_ptr() as u64) }.unwrap());
        assert_eq!(back, x, "{layout:?}");
        // What has to be converted or looked at comes by way of the host.
        assert!(!written(&mut s, "x", DType::BF16, &[7, 5]).unwrap());
        assert!(!written(&mut s, "x", DType::F32, &[5, 7]).unwrap());
        assert!(!written(&mut s, "n", DType::I32, &[7]).unwrap());
        assert!(written(&mut s, "y", DType::F32, &[7, 5]).is_err());
    }
}
