//! Ranks of NCCL whose steps are captured: graphs hold on to communicators, which end, in order or aborted, only when they are let go. The
//! driver and NCCL are libraries of C whose GPU is the host (`common/cuda/fake.c`, `common/cuda/nccl.c`); each rank is a thread.

use crate::common::*;
use meshloom_bundle::*;
use meshloom_runtime::collectives::nccl::{Comm, ID_BYTES, Nccl, Ranks, Remote};
use meshloom_runtime::device::gpu::{Cuda, GpuMachine, MakeExchange, hardware::Gpu};
use std::path::PathBuf;
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

pub const RANKS: usize = 2;

/// A driver and a NCCL of this test's own, which count for themselves.
pub struct Libraries {
    dir: tempfile::TempDir,
    nccl: libloading::Library,
}

impl Libraries {
    fn new() -> Libraries {
        Libraries::with("")
    }

    /// With definitions for NCCL.
    pub fn with(defines: &str) -> Libraries {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("libcuda.so.1"), library(include_str!("common/cuda/fake.c"))).unwrap();
        let driver = format!("{defines}#define DRIVER {:?}\n", at("libcuda.so.1"));
        std::fs::write(at("libnccl.so.2"), library(&(driver + include_str!("common/cuda/nccl.c")))).unwrap();
        // SAFETY: a library of C that runs nothing when it is loaded.
        let nccl = unsafe { libloading::Library::new(at("libnccl.so.2")) }.unwrap();
        Libraries { dir, nccl }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn nccl(&self) -> Arc<Nccl> {
        // SAFETY: a library of the functions that it stands for.
        let opened = unsafe { libloading::Library::new(self.path("libnccl.so.2")) }.unwrap();
        Arc::new(Nccl::of(opened, "fake".into()).unwrap())
    }

    /// Captures that ranks began, and graphs that they launched.
    fn graphs(&self) -> [i32; 2] {
        // SAFETY: a library that is loaded already, and functions without arguments.
        let driver = unsafe { libloading::Library::new(self.path("libcuda.so.1")) }.unwrap();
        ["captures", "replays"].map(|what| {
            let name = format!("fake_cuda_{what}");
            unsafe { driver.get::<unsafe extern "C" fn() -> i32>(name.as_bytes()).unwrap()() }
        })
    }

    /// Communicators that ended in order, that were aborted, and that waited for graphs in vain; splits with a place on a stack.
    fn ends(&self) -> [i32; 4] {
        ["finished", "aborts", "hung", "on_stacks"].map(|what| {
            let name = format!("fake_nccl_{what}");
            // SAFETY: functions without arguments.
            unsafe { self.nccl.get::<unsafe extern "C" fn() -> i32>(name.as_bytes()).unwrap()() }
        })
    }
}

/// Lets the ranks have the first one's bytes.
pub struct Shared {
    id: Mutex<[u8; ID_BYTES]>,
    ready: Barrier,
}

impl Shared {
    pub fn new() -> Shared {
        Shared { id: Mutex::new([0; ID_BYTES]), ready: Barrier::new(RANKS) }
    }

    pub fn share(&self, rank: usize, own: &mut [u8; ID_BYTES]) {
        if rank == 0 {
            *self.id.lock().unwrap() = *own;
        }
        self.ready.wait();
        *own = *self.id.lock().unwrap();
    }
}

pub fn on_ranks(f: impl Fn(usize) + Sync) {
    let f = &f;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..RANKS).map(|rank| scope.spawn(move || f(rank))).collect();
        threads.into_iter().for_each(|t| t.join().unwrap());
    });
}

/// Steps of a run.
const STEPS: usize = 5;

/// A sum over all ranks, in each step of other numbers, of which the second step is captured; one more fails where `fails` says so.
fn steps(all: &Libraries, fails: bool) {
    let mut p = program(&[("a", RANKS as u32)], 2 * ALIGN);
    let (src, dst) = (BufRef::fixed(0, 16), BufRef::fixed(ALIGN, 16));
    let sum = CollectiveKind::AllReduce { reduction: Reduction::Sum, count: 4 };
    p.instrs = vec![collective(0, sum, &[0], DType::F32, src, dst)];
    meshloom_bundle::validate(&p).unwrap();
    let cubin = empty_cubin();
    let shared = Shared::new();
    on_ranks(|rank| {
        // SAFETY: as for NCCL.
        let opened = unsafe { libloading::Library::new(all.path("libcuda.so.1")) }.unwrap();
        let cuda = Cuda::of(opened).unwrap();
        let driver = Box::new(Gpu::open(cuda, 0, std::slice::from_ref(&cubin)).unwrap());
        let ranks = Ranks { rank, size: RANKS, timeout: Duration::from_secs(20), watch: None };
        let share = |own: &mut [u8; ID_BYTES]| shared.share(rank, own);
        let others: Box<MakeExchange<'_>> =
            Box::new(|d, calls, arena| Ok(Box::new(Remote::new(&all.nccl(), d, calls, arena, &ranks, share)?)));
        let mut machine = GpuMachine::new(&p, driver, rank..rank + 1, Some(others)).unwrap();
        for step in 0..STEPS {
            let own: Vec<u8> = (0..4).flat_map(|i| ((rank * 10 + i + step) as f32).to_le_bytes()).collect();
            machine.write(rank, 0, &own).unwrap();
            machine.run().unwrap();
            let mut out = [0; 16];
            machine.read(rank, ALIGN, &mut out).unwrap();
            let found: Vec<f32> = out.chunks(4).map(|c| f32::from_le_bytes(c.try_into().unwrap())).collect();
            let expected: Vec<f32> = (0..4).map(|i| (10 + 2 * (i + step)) as f32).collect();
            assert_eq!(found, expected, "step {step}, rank {rank}");
        }
        if fails {
            // SAFETY: a function without arguments; replays of this thread fail from now on.
            unsafe {
                let driver = libloading::Library::new(all.path("libcuda.so.1")).unwrap();
                driver.get::<unsafe extern "C" fn()>(b"fake_cuda_fail").unwrap()();
            }
            let e = machine.run().unwrap_err();
            assert!(e.to_string().contains("a step failed: CUDA_ERROR_UNKNOWN"), "{e}");
        }
    });
}

/// What a rank's step reads may be other numbers each time: they are written to its arena, and nothing is captured again.
#[test]
fn a_rank_captures_its_step_once() {
    let all = Libraries::new();
    steps(&all, false);
    assert_eq!(all.graphs(), [RANKS as i32, (RANKS * (STEPS - 1)) as i32]);
}

#[test]
fn graphs_end_before_communicators() {
    let all = Libraries::new();
    steps(&all, false);
    assert_eq!(all.ends(), [2 * RANKS as i32, 0, 0, 0]);
}

#[test]
fn graphs_end_before_communicators_are_aborted() {
    let all = Libraries::new();
    steps(&all, true);
    assert_eq!(all.ends(), [0, 2 * RANKS as i32, 0, 0]);
}

/// What NCCL writes when the caller has gone on goes to a place that is still there.
#[test]
fn a_split_that_nobody_comes_to() {
    let all = Libraries::new();
    let (shared, over) = (Shared::new(), Barrier::new(RANKS));
    on_ranks(|rank| {
        let nccl = all.nccl();
        let mut id = if rank == 0 { [7; ID_BYTES] } else { [0; ID_BYTES] };
        shared.share(rank, &mut id);
        let comm = Comm::join(&nccl, &id, rank, RANKS, Duration::from_millis(500), None).unwrap();
        if rank == 0 {
            let e = comm.split(0, 0, RANKS).err().expect("the other does not come");
            assert!(e.to_string().contains("ncclCommSplit: rank 0 of 2 waited 0.5 s for the others in vain"), "{e}");
        }
        over.wait();
    });
    assert_eq!(all.ends(), [0, RANKS as i32, 0, 0]);
}
