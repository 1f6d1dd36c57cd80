//! A GPU of patience: runs the emulated form of a kernel ([`EmitMode::Emulated`]) on this CPU, block by block, a coroutine for each thread.
//!
//! A thread runs until it meets others (a barrier, an exchange within its warp); when all that have to be there are, they go on. Blocks
//! and threads are taken in ascending and in descending order, with grids of different sizes: a result that depends on any of it is a
//! race. A thread that waits for one that has ended is a failure. What is asynchronous is as late as it may be ([`later`]), what
//! the tensor memory accelerator ([`bulk`], [`stores`]) and tensor cores with memory of their own ([`tensor`]) do as early, too.

mod bulk;
mod later;
mod stores;
mod tensor;

use super::{Case, Guarded, cpu, targets};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use meshloom_codegen::link::link_shared;
use meshloom_kernels::emit::gpu::block::{EmitMode, MmaType, call};
use meshloom_kernels::emit::gpu::emit;
use meshloom_kernels::gpu::WARP;
use meshloom_kernels::gpu::{GpuArch, Grid, Mapping};
use meshloom_kernels::{DType, KernelSpec};
use meshloom_llvm::compile_all;
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use tensor::Tensor;

type Thread = Coroutine<(), i64, ()>;

thread_local! {
    static RUNNING: Cell<usize> = const { Cell::new(0) };
    static YIELDERS: RefCell<Vec<*const Yielder<(), i64>>> = const { RefCell::new(Vec::new()) };
    /// The blocks of the cluster that runs; their threads are numbered on.
    static BLOCKS: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
    /// Stacks of threads that have ended: to map and unmap one for each thread of each block would take longer than most threads.
    static STACKS: RefCell<Vec<DefaultStack>> = const { RefCell::new(Vec::new()) };
    static LOSES: Cell<bool> = const { Cell::new(false) };
}

/// From here on, this test's first box of each block never arrives.
pub fn lose_boxes() {
    LOSES.set(true);
}

/// What the host knows of the block that runs.
struct Block {
    threads: usize,
    shared: *mut u8,
    mail: *mut [u32; MAIL_WORDS],
    later: later::Later,
    bulk: bulk::Bulk,
    stores: stores::Stores,
    tensor: Tensor,
}

/// What kernels call where threads meet.
extern "C" fn host(why: i32) {
    let thread = RUNNING.get();
    let done = BLOCKS.with(|blocks| {
        let blocks = &mut *blocks.borrow_mut();
        let (own, thread) = (thread / blocks[0].threads, thread % blocks[0].threads);
        // SAFETY: the mail of the block's threads, of which only one runs at a time.
        let mail = unsafe { &mut *blocks[own].mail.add(thread) };
        match i64::from(why) {
            call::ARRIVE_AT => {
                let to = &mut blocks[mail[1] as usize];
                to.bulk.call(call::ARRIVE, mail, to.shared)
            }
            call::FETCH_TO_BOTH => {
                blocks.iter_mut().for_each(|b| assert_eq!(b.bulk.call(call::FETCH, mail, b.shared), Some(true)));
                Some(true)
            }
            why => {
                let block = &mut blocks[own];
                let of_bulk = block.bulk.call(why, mail, block.shared);
                of_bulk.or_else(|| block.tensor.call(why, thread, mail, &mut block.bulk, block.shared))
            }
        }
        .unwrap_or_else(|| {
            let block = &mut blocks[own];
            let (why, shared) = (why.into(), block.shared);
            block.stores.call(why, thread, mail, shared) || block.later.call(why, thread, mail, shared)
        })
    });
    if done {
        return;
    }
    let yielder = YIELDERS.with(|y| y.borrow()[RUNNING.get()]);
    // SAFETY: the running coroutine put it there, and it lives as long as that one.
    unsafe { (*yielder).suspend(why.into()) };
}

/// Static shared memory, then dynamic.
const SHARED_BYTES: usize = (64 + 227) << 10;
const MAIL_WORDS: usize = 160;
const STACK_BYTES: usize = 128 << 10;

/// The order in which threads and blocks are taken.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Order {
    Ascending,
    Descending,
}

impl Order {
    fn of(self, n: usize) -> Vec<usize> {
        match self {
            Order::Ascending => (0..n).collect(),
            Order::Descending => (0..n).rev().collect(),
        }
    }
}

/// One cluster of blocks, or one block: all threads, to their ends.
#[allow(clippy::too_many_lines)] // a block from its start to its end
fn run_cluster(
    f: *const c_void,
    words: &[usize],
    [cluster, threads]: [usize; 2],
    maps: &[bulk::Map],
    [first, blocks]: [usize; 2],
    order: Order,
) {
    let mut shared: Vec<Vec<u128>> = vec![vec![u128::MAX / 3; SHARED_BYTES / 16]; cluster];
    let mut mail = vec![[0u32; MAIL_WORDS]; cluster * threads];
    let when = if order == Order::Ascending { bulk::When::Late } else { bulk::When::Early };
    let states = shared.iter_mut().zip(mail.chunks_mut(threads)).map(|(shared, mail)| Block {
        threads,
        shared: shared.as_mut_ptr().cast(),
        mail: mail.as_mut_ptr(),
        later: later::Later::new(threads),
        bulk: bulk::Bulk::new(maps.to_vec(), when, LOSES.get()),
        stores: stores::Stores::new(threads, maps.to_vec(), when),
        tensor: Tensor::new(when),
    });
    let states: Vec<Block> = states.collect();
    BLOCKS.with(|b| *b.borrow_mut() = states);
    let all_threads = cluster * threads;
    YIELDERS.with(|y| *y.borrow_mut() = vec![std::ptr::null(); all_threads]);
    let start = |t: usize| {
        let (mut words, own) = (words.to_vec(), t / threads);
        words.extend([t % threads, first + own, blocks, shared[own].as_ptr() as usize, mail[t].as_ptr() as usize]);
        words.push(host as *const () as usize);
        let address = f as usize;
        let used = STACKS.with(|s| s.borrow_mut().pop());
        let stack = used.unwrap_or_else(|| DefaultStack::new(STACK_BYTES).expect("a stack"));
        Thread::with_stack(stack, move |yielder, ()| {
            YIELDERS.with(|y| y.borrow_mut()[t] = yielder);
            // SAFETY: the arguments are those of the kernel's emulated form.
            unsafe { super::call(address as *const c_void, &words) };
        })
    };
    let mut all: Vec<Option<Thread>> = (0..all_threads).map(start).map(Some).collect();
    let mut waits: Vec<Option<i64>> = vec![None; all_threads];
    let with = |f: &mut dyn FnMut(&mut [Block]) -> bool| BLOCKS.with(|b| f(&mut b.borrow_mut()));
    loop {
        for t in order.of(all_threads) {
            let Some(thread) = all[t].as_mut().filter(|_| waits[t].is_none()) else { continue };
            RUNNING.set(t);
            match thread.resume(()) {
                CoroutineResult::Yield(why) => waits[t] = Some(why),
                CoroutineResult::Return(()) => {
                    let ended = all[t].take().map(Thread::into_stack);
                    STACKS.with(|s| s.borrow_mut().extend(ended));
                }
            }
        }
        if all.iter().all(Option::is_none) {
            return BLOCKS.with(|b| {
                b.borrow().iter().for_each(|b| {
                    b.bulk.end();
                    b.stores.end();
                    b.tensor.end();
                });
            });
        }
        let mut moved = false;
        for t in 0..all_threads {
            if waits[t] == Some(call::AWAIT_PHASE) && with(&mut |b| b[t / threads].bulk.is_over(&mail[t])) {
                waits[t] = None;
                moved = true;
            }
        }
        for warp in (0..all_threads).step_by(WARP as usize) {
            let lanes = warp..warp + WARP as usize;
            match waits[warp] {
                // Warpgroups are of four warps.
                Some(call::WAIT_PRODUCTS) => {
                    let group = warp..warp + 4 * WARP as usize;
                    let own = warp % threads;
                    let whole = own % (4 * WARP as usize) == 0 && own + 4 * WARP as usize <= threads;
                    if whole && group.clone().all(|t| waits[t] == Some(call::WAIT_PRODUCTS)) {
                        with(&mut |b| {
                            let shared = shared[warp / threads].as_ptr().cast();
                            b[warp / threads].later.multiply(&mut mail[group.clone()], own, shared);
                            true
                        });
                        waits[group].fill(None);
                        moved = true;
                    }
                }
                Some(why)
                    if ![call::BARRIER, call::CLUSTER_BARRIER, call::AWAIT_PHASE].contains(&why)
                        && lanes.clone().all(|t| waits[t] == Some(why)) =>
                {
                    let (mail, own) = (&mut mail[lanes.clone()], warp % threads / WARP as usize);
                    with(&mut |b| {
                        let block = &mut b[warp / threads];
                        let of_tensor = block.tensor.together(why, own, mail, block.shared);
                        of_tensor || exchange(why, mail, block.shared)
                    });
                    waits[lanes].fill(None);
                    moved = true;
                }
                _ => {}
            }
        }
        let met = |b: &mut Block| {
            b.later.barrier();
            b.bulk.barrier();
        };
        for own in 0..cluster {
            let waits = &mut waits[own * threads..(own + 1) * threads];
            if !moved && waits.iter().all(|w| *w == Some(call::BARRIER)) {
                with(&mut |b| {
                    met(&mut b[own]);
                    true
                });
                waits.fill(None);
                moved = true;
            }
        }
        if !moved && waits.iter().all(|w| *w == Some(call::CLUSTER_BARRIER)) {
            with(&mut |b| {
                b.iter_mut().for_each(met);
                true
            });
            waits.fill(None);
            moved = true;
        }
        if !moved {
            moved = with(&mut |b| b.iter_mut().any(|b| b.bulk.advance(b.shared)));
        }
        if !moved {
            moved = with(&mut |b| b.iter_mut().any(|b| b.tensor.advance(&mut b.bulk, b.shared)));
        }
        if !moved {
            // Stacks with foreign frames cannot be unwound.
            std::mem::forget(all);
            let in_vain = (0..all_threads).find(|&t| waits[t] == Some(call::AWAIT_PHASE));
            if let Some((t, [at, parity, ..])) = in_vain.map(|t| (t, mail[t])) {
                let block = first + t / threads;
                panic!(
                    "block {block} waited in vain: the barrier at byte {at} of shared memory, phase of parity {parity}"
                );
            }
            panic!("threads wait for threads that never come: {waits:?}");
        }
    }
}

/// What the lanes of a warp do together.
fn exchange(why: i64, mail: &mut [[u32; MAIL_WORDS]], shared: *const u8) -> bool {
    match why {
        call::SHUFFLE_XOR => {
            let sent: Vec<u32> = mail.iter().map(|m| m[0]).collect();
            for (lane, m) in mail.iter_mut().enumerate() {
                m[0] = sent[lane ^ m[1] as usize];
            }
        }
        call::MULTIPLY => multiply(mail),
        call::WARP_BARRIER => {}
        call::MATRICES => matrices(mail, shared, false),
        call::MATRICES_TRANSPOSED => matrices(mail, shared, true),
        other => panic!("no call {other}"),
    }
    true
}

/// `ldmatrix.x4`.
fn matrices(mail: &mut [[u32; MAIL_WORDS]], shared: *const u8, transposed: bool) {
    let at: Vec<usize> = mail.iter().map(|m| m[0] as usize).collect();
    assert!(at.iter().all(|a| a % 16 == 0), "lines of matrices begin at multiples of 16 bytes");
    let element = |matrix: usize, line: usize, i: usize| {
        // SAFETY: lines lie in shared memory, or the kernel is wrong.
        let v = unsafe { shared.add(at[matrix * 8 + line]).cast::<u16>().add(i).read_unaligned() };
        u32::from(v)
    };
    for (lane, m) in mail.iter_mut().enumerate() {
        let (line, i) = (lane / 4, lane % 4 * 2);
        for (matrix, out) in m.iter_mut().enumerate().take(4) {
            let [low, high] = if transposed {
                [element(matrix, i, line), element(matrix, i + 1, line)]
            } else {
                [element(matrix, line, i), element(matrix, line, i + 1)]
            };
            *out = low | high << 16;
        }
    }
}

/// A factor of tensor cores by its place, and the number in the low bits of a word.
fn factor(place: u32, bits: u32) -> f64 {
    match MmaType::ALL[place as usize] {
        MmaType::Bf16 => half::bf16::from_bits(bits as u16).to_f64(),
        MmaType::F16 => half::f16::from_bits(bits as u16).to_f64(),
        MmaType::E4m3 => super::of_bits(DType::F8E4M3, bits as u8),
        MmaType::E5m2 => super::of_bits(DType::F8E5M2, bits as u8),
        // What was not rounded before is cut off.
        MmaType::Tf32 => f64::from(f32::from_bits(bits & !0x1fff)),
        MmaType::S8 => f64::from(bits as i8),
        MmaType::U8 => f64::from(bits as u8),
    }
}

/// `mma.m16n8k16`, and `m16n8k32` of bytes, by the tables of fragments in the PTX manual: a word has neighbours along `k`.
fn multiply(mail: &mut [[u32; MAIL_WORDS]]) {
    let (mut a, mut b) = ([[0.0; 32]; 16], [[0.0; 8]; 32]);
    let [of_a, of_b] = [mail[0][10], mail[0][11]];
    let f = MmaType::ALL[of_a as usize];
    let (per_word, depth) = (4 / f.bytes() as usize, f.depth() as usize);
    for (lane, m) in mail.iter().enumerate() {
        let (group, within) = (lane / 4, lane % 4);
        for i in 0..per_word {
            let number = |of: u32, word: u32| factor(of, word >> (i * 32 / per_word));
            for word in 0..4 {
                a[group + word % 2 * 8][within * per_word + i + word / 2 * depth / 2] = number(of_a, m[word]);
            }
            for word in 0..2 {
                b[within * per_word + i + word * depth / 2][group] = number(of_b, m[4 + word]);
            }
        }
    }
    for (lane, m) in mail.iter_mut().enumerate() {
        let (group, within) = (lane / 4, lane % 4);
        for i in 0..4 {
            let row = if i < 2 { group } else { group + 8 };
            let col = within * 2 + i % 2;
            let sum: f64 = (0..depth).map(|k| a[row][k] * b[k][col]).sum();
            m[6 + i] = match f.is_integer() {
                true => m[6 + i].wrapping_add_signed(sum as i32),
                false => ((f64::from(f32::from_bits(m[6 + i])) + sum) as f32).to_bits(),
            };
        }
    }
}

impl Case {
    fn run_on_gpu(&self, f: *const c_void, grid: &Grid, blocks: usize, order: Order) -> Vec<Guarded> {
        let args = self.spec.args();
        let buffers: Vec<Guarded> = self.buffers.iter().zip(&args).map(|(v, a)| Guarded::of(a.dtype, v)).collect();
        let mut words: Vec<usize> = buffers.iter().map(|g| g.ptr() as usize).collect();
        let workspace = Guarded::new(DType::Bool, grid.workspace as usize * blocks);
        if grid.workspace > 0 {
            // What other launches left there must not matter.
            // SAFETY: the workspace is as long as the grid says.
            unsafe { std::ptr::write_bytes(workspace.ptr(), 0x7f, grid.workspace as usize * blocks) };
            words.push(workspace.ptr() as usize);
        }
        words.extend([0, grid.units as usize]);
        words.extend(self.dims.iter().map(|d| *d as usize));
        let maps = self.spec.entry().tensor_maps(grid).into_iter();
        let maps: Vec<_> =
            maps.map(|map| bulk::Map { base: buffers[map.buffer as usize].ptr() as usize, map }).collect();
        let cluster = grid.tiling.cluster() as usize;
        let clusters = blocks.div_ceil(cluster);
        for i in order.of(clusters) {
            let of = [cluster, grid.threads as usize];
            run_cluster(f, &words, of, &maps, [i * cluster, clusters * cluster], order);
        }
        buffers
    }
}

/// By how much more results may differ than what is computed in f32: tensor cores are given weights and gradients of 16 bits.
pub fn rounded(spec: &KernelSpec) -> f64 {
    match spec {
        // The weights of operands of 8 bits are f16, which is more than what the result is rounded to.
        KernelSpec::Attention(s) if s.shape.tiled() != s.shape.dtype => 1.0,
        KernelSpec::Attention(s) if s.shape.is_narrow() => ROUNDED,
        KernelSpec::AttentionBackward(s) if s.shape.is_narrow() => ROUNDED,
        _ => 1.0,
    }
}

/// Of bf16 to f32, as far as errors of single weights do not cancel.
const ROUNDED: f64 = 500.0;

/// Runs the cases that have templates for a GPU, and compares. What was aligned on a GPU need not be here: both variants are run, and
/// this CPU loads from anywhere.
pub fn check(cases: &[Case], expected: &[Vec<Vec<f64>>], gpu: GpuArch) {
    if super::carry::carry(cases, expected) {
        return;
    }
    check_grids(cases, expected, gpu, &|spec| {
        let grids = [true, false].map(|aligned| Grid::of(spec, gpu, aligned));
        let mut named: Vec<(String, Grid)> = grids.into_iter().map(|g| (g.symbol(spec), g)).collect();
        // Where alignment makes no difference there is one kernel.
        named.dedup_by(|a, b| a.0 == b.0);
        named
    });
}

/// As [`check`], on grids that the caller chooses for a GPU; each has a name.
pub fn check_grids(
    cases: &[Case],
    expected: &[Vec<Vec<f64>>],
    gpu: GpuArch,
    grids: &dyn Fn(&KernelSpec) -> Vec<(String, Grid)>,
) {
    if super::carry::carry_grids(cases, expected, gpu, grids) {
        return;
    }
    let target = targets()[0];
    let mut runs = Vec::new();
    let mut texts: Vec<(String, String)> = Vec::new();
    for (case, expected) in cases.iter().zip(expected) {
        for (name, grid) in grids(&case.spec) {
            if grid.mapping == Mapping::Units {
                continue;
            }
            if !texts.iter().any(|(n, _)| *n == name) {
                let text = emit(&case.spec, &grid, &name, EmitMode::Emulated);
                texts.push((name.clone(), text.unwrap_or_else(|e| panic!("{e}\n{}", case.spec))));
            }
            runs.push((case, expected, grid, name));
        }
    }
    let kernels: Vec<(&str, &str)> = texts.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let compiled = compile_all(&kernels, cpu(target), 2).into_iter().zip(&texts);
    let objects: Vec<Vec<u8>> = compiled.map(|(o, (n, t))| o.unwrap_or_else(|e| panic!("{n}: {e}\n{t}"))).collect();
    if objects.is_empty() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("gpu.so");
    link_shared(&objects, &path).expect("kernels link");
    // SAFETY: kernels have no initialisers.
    let library = unsafe { libloading::Library::new(&path) }.expect("kernels load");
    for (case, expected, grid, name) in runs {
        // SAFETY: only the address is taken, and it lives as long as the library.
        let f = unsafe { *library.get::<*const c_void>(name.as_bytes()).expect("the kernel's symbol") };
        let got = case.run_on_gpu(f, &grid, 3, Order::Ascending);
        super::compare_values(&Case { ulps: case.ulps * rounded(&case.spec), ..case.clone() }, &got, expected, &name);
        let again = case.run_on_gpu(f, &grid, 1, Order::Descending);
        for (i, (a, b)) in got.iter().zip(&again).enumerate() {
            assert!(
                a.bytes() == b.bytes(),
                "{name}: buffer {i} depends on the grid or on threads' order\n{}",
                case.spec
            );
        }
    }
}
