//! Pipeline stages on GPUs that are the host's: on one simulated device, whose streams run in orders drawn by a seed and are ordered by
//! events alone; and what NCCL makes of opposite messages. Compiled programs with other schedules are in `compiler/driver/tests/it/stages.rs` and `tests/cli/gpus.rs`, and
//! processes with a GPU each in `cli/run/tests/it/processes/gpus.rs`.

use crate::captured::{Libraries, RANKS, Shared, on_ranks};
use crate::common::staged::{alike, bundle_of, in_stages};
use meshloom_bundle::*;
use meshloom_runtime::collectives::nccl::{Comm, ID_BYTES};
use meshloom_runtime::device::gpu::driver::{Driver, Priority};
use meshloom_runtime::device::gpu::{Cuda, hardware::Gpu, simulated::Simulated};
use meshloom_runtime::trace::{TraceSpan, What};
use meshloom_runtime::{HostTensor, Session, SessionOptions};
use std::time::{Duration, Instant};

fn simulated(b: &Bundle, seed: u64) -> Session {
    let driver = Box::new(Simulated::new(&b.contents.libraries, seed).unwrap());
    let options = SessionOptions { seed: 5, ..SessionOptions::default() };
    prepared(Session::on_driver(b, "fit", &options, driver).unwrap())
}

fn on_cpus(b: &Bundle) -> Session {
    let options = SessionOptions { threads: Some(2), seed: 5, world: None, late: None };
    prepared(Session::open(b, "fit", &options).unwrap())
}

fn prepared(mut s: Session) -> Session {
    s.initialize().unwrap();
    for input in ["x=det:uniform:fit/x:1.0", "y=det:uniform:fit/y:1.0"] {
        s.input(&input.parse().unwrap()).unwrap();
    }
    s
}

/// Losses of some steps, what they leave, and what devices received.
fn trained(s: &mut Session) -> (Vec<f64>, Vec<HostTensor>, Vec<u64>) {
    let mut losses: Vec<f64> = (0..4).map(|_| s.step().unwrap().loss.unwrap()).collect();
    // One layer of a stack is written alone.
    let layer = s.read("blocks.0.w").unwrap();
    s.write("blocks.3.w", layer).unwrap();
    losses.push(s.step().unwrap().loss.unwrap());
    let values = ["blocks.*.w", "moments.*.w"].iter().map(|n| s.read(n).unwrap()).collect();
    (losses, values, s.received_bytes())
}

/// Bit for bit, for every order that events allow; given out piece by piece at first, and replayed from the second step on.
#[test]
fn training_is_that_of_cpu_devices() {
    for (data, inner) in [(1, true), (2, true), (2, false)] {
        let b = bundle_of(in_stages(data, inner));
        let cpu = trained(&mut on_cpus(&b));
        assert!(cpu.0[3] < cpu.0[0], "{:?}", cpu.0);
        for seed in 0..12 {
            let mut s = simulated(&b, seed);
            assert_eq!(trained(&mut s), cpu, "{data} shards of data, inner: {inner}, seed {seed}");
            s.check_replicas().unwrap();
        }
    }
    // As devices do that have all layers.
    let (one, two) =
        (trained(&mut on_cpus(&bundle_of(alike(1)))), trained(&mut simulated(&bundle_of(in_stages(1, true)), 3)));
    assert!(one.0.iter().zip(&two.0).all(|(a, b)| (a - b).abs() < 1e-5 * a.abs()), "{:?}\n{:?}", one.0, two.0);
}

/// What ran is what the table says, and both stages run side by side.
#[test]
fn a_step_of_all_stages_is_traced() {
    let entry = in_stages(1, true);
    let table = entry.pipeline.as_ref().unwrap().schedule.clone();
    let b = bundle_of(entry);
    let mut s = simulated(&b, 1);
    s.trace_run(3);
    (0..4).for_each(|_| _ = s.step().unwrap());
    let trace = s.trace().unwrap();
    let tracks = [
        "device 0: compute",
        "stage 0: collectives",
        "device 1: compute",
        "stage 1: collectives",
        "device 0 to 1",
        "device 1 to 0",
    ];
    assert_eq!(trace.tracks, tracks);
    for device in 0..2 {
        let of = |what: What| {
            let mut all: Vec<&TraceSpan> =
                trace.spans.iter().filter(|x| x.label.what == what && x.device == Some(device)).collect();
            all.sort_by(|a, b| a.start.total_cmp(&b.start));
            all
        };
        let names: Vec<&str> = of(What::Action).iter().map(|x| x.label.name.as_str()).collect();
        assert_eq!(names.join(","), table.lines().nth(device).unwrap());
        let wires = of(What::Wire);
        let sends = wires.iter().filter(|x| x.label.name.starts_with("send")).collect::<Vec<_>>();
        assert_eq!((sends.len(), wires.len()), (4, 8));
        assert!(sends.iter().all(|x| x.track == 4 + device), "on a stream of their own");
        assert!(wires.iter().filter(|x| x.label.name.starts_with("receive")).all(|x| x.track == 2 * device));
    }
    let beside = |a: &TraceSpan| {
        let kernels = trace.spans.iter().filter(|b| b.label.what == What::Kernel && b.device == Some(1));
        kernels.clone().any(|b| a.start < b.end && b.start < a.end)
    };
    let first = trace.spans.iter().filter(|a| a.label.what == What::Kernel && a.device == Some(0));
    assert!(first.clone().any(beside), "{trace:?}");
}

/// A loop that waits for a condition, within an action: the host asks while other stages wait.
#[test]
fn a_stage_with_a_loop_that_ends_early() {
    let mut entry = in_stages(1, true);
    let program = &mut entry.pipeline.as_mut().unwrap().ranks[1];
    program.kernels.push(crate::common::kernel("stop", 1, 0, false));
    program.kernels[4].units = 1;
    let going = BufRef::fixed(2047, 1);
    let fill = Instr::Fill { dst: going, dtype: DType::Bool, count: 1, value: Number::Int(1) };
    let again = Instr::While(Box::new(While {
        most: None,
        going,
        body: vec![crate::common::launch(4, vec![going], vec![0], 1, vec![])],
        after: vec![],
    }));
    for i in &mut program.instrs {
        if let Instr::Actions(a) = i {
            a.bodies[0].body.extend([fill.clone(), again.clone()]);
        }
    }
    let c = format!("{}\nvoid stop(char *going, long lo, long hi) {{ *going = 0; }}", crate::common::staged::C);
    let b = Bundle::read(&crate::common::staged::with_kernels(entry, &c)).unwrap_or_else(|e| panic!("{e}"));
    let cpu = trained(&mut on_cpus(&b));
    for seed in 0..4 {
        assert_eq!(trained(&mut simulated(&b, seed)), cpu, "seed {seed}");
    }
}

/// Two ranks that send to each other at one time: a send waits for its receive, so one after the other on one communicator they wait for
/// ever, which the library that stands for NCCL says. In one group, or with a communicator and a stream for each direction, as wires have
/// them, they go through.
#[test]
fn opposite_messages_need_a_group_or_a_stream_for_each_direction() {
    let all = Libraries::with("#define DEADLINE \"500\"\n");
    let cubin = crate::common::empty_cubin();
    for way in ["one by one", "in a group", "by direction"] {
        let shared = Shared::new();
        on_ranks(|rank| {
            let nccl = all.nccl();
            let mut id = [0; ID_BYTES];
            id[..way.len()].copy_from_slice(way.as_bytes());
            shared.share(rank, &mut id);
            let patience = Duration::from_secs(60);
            let there = Comm::join(&nccl, &id, rank, RANKS, patience, None).unwrap();
            let back = there.split(0, rank, RANKS).unwrap();
            // SAFETY: a library of C that stands for the driver.
            let opened = unsafe { libloading::Library::new(all.path("libcuda.so.1")) }.unwrap();
            let mut gpu = Gpu::open(Cuda::of(opened).unwrap(), 0, std::slice::from_ref(&cubin)).unwrap();
            let streams = [gpu.stream(Priority::Communication).unwrap(), gpu.stream(Priority::Communication).unwrap()];
            let (from, to) = (gpu.alloc(8, "one").unwrap(), gpu.alloc(8, "another").unwrap());
            // SAFETY: memory of 8 bytes.
            unsafe { gpu.fill(streams[0], from, &[7 + rank as u8], 8).unwrap() };
            gpu.synchronize(streams[0]).unwrap();
            let (f, other) = (&nccl.functions, 1 - rank as i32);
            let place = |sends: bool| if way == "by direction" && sends != (rank == 0) { 1 } else { 0 };
            let comm = |sends: bool| [&there, &back][place(sends)];
            // SAFETY: as above; streams of the driver.
            unsafe {
                if way == "in a group" {
                    (f.ncclGroupStart)();
                }
                let s = gpu.handle(streams[place(true)]).cast();
                let code = (f.ncclSend)(from as *const _, 8, 1, other, comm(true).handle(), s);
                if way != "in a group" {
                    comm(true).settle("ncclSend", code).unwrap();
                }
                let s = gpu.handle(streams[place(false)]).cast();
                let code = (f.ncclRecv)(to as *mut _, 8, 1, other, comm(false).handle(), s);
                let code = if way == "in a group" { (f.ncclGroupEnd)() } else { code };
                comm(false).settle("ncclRecv", code).unwrap();
            }
            let begin = Instant::now();
            let failed = loop {
                if let Err(e) = there.check().and_then(|()| back.check()) {
                    break Some(e.to_string());
                }
                if streams.iter().all(|&s| gpu.is_done(s).unwrap()) {
                    break None;
                }
                assert!(begin.elapsed() < patience, "neither done nor a deadlock");
                std::thread::sleep(Duration::from_millis(1));
            };
            match failed {
                Some(e) => assert!(
                    way == "one by one"
                        && e.contains("deadlock: rank ")
                        && e.contains("waits: a send of 8 bytes to rank "),
                    "{way}: {e}"
                ),
                None => {
                    assert_ne!(way, "one by one");
                    let host = gpu.pinned(8).unwrap();
                    // SAFETY: pinned memory of 8 bytes.
                    let got = unsafe {
                        gpu.download(streams[0], host, to, 8).unwrap();
                        gpu.synchronize(streams[0]).unwrap();
                        std::slice::from_raw_parts(host, 8).to_vec()
                    };
                    assert_eq!(got, [8 - rank as u8; 8], "{way}");
                    back.finalize().unwrap();
                    there.finalize().unwrap();
                }
            }
        });
    }
}
