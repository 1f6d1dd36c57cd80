//! Carries kernel tests to a machine that has a GPU and nothing to compile with: with `MESHLOOM_KERNEL_PACK` naming a folder, a test's
//! cases are compiled for the target of `MESHLOOM_KERNEL_TARGET` (`sm_90a` without a word, or `x86-64-v3`) instead of being run here.
//! Each call of `check` becomes two files, which `meshloom-run kernels` runs and compares:
//!
//! - `NAME.loomx`, a bundle with one entry that launches all kernels of the cases one after the other. On GPUs a case is launched twice,
//!   with buffers at multiples of 16 bytes and with buffers that begin anywhere, by the kernel that a program would have for them.
//! - `NAME.safetensors`: `memory`, the arena before; `expected`, what the reference makes of the results, in the order of the launches;
//!   and as metadata, where results lie and how close they have to come (`meshloom_run::kernels` has the types). Between buffers lie
//!   bytes of ones, which are NaN to floats: who reads too far gives that away, who writes too far is found out.
//!
//! Within [`super::ptx::on`], nothing is written: packs run in the interpreter of PTX instead. With `MESHLOOM_PTXAS` they are assembled too.
//!
//! Not here: kernels that a device of the target is never given: panels on GPUs, contractions without panels on CPUs.

use super::{Case, Guarded, cpu};
use meshloom_bundle::{
    BufRef, Contents, Dim, EntryContents, EntryKind, GpuLaunch, Instr, KernelRef, Launch, LibraryContents, LibraryKind,
    MeshAxis, PROGRAM_VERSION, Program,
};
use meshloom_codegen::link::link_shared;
use meshloom_codegen::ptx::join_ptx;
use meshloom_codegen::ptxas::{assemble, find_ptxas};
use meshloom_codegen::target::{self, GpuTarget};
use meshloom_kernels::gpu::{Grid, Mapping, scratch_of_thread};
use meshloom_kernels::{
    Body, BufferRole, DType, Device, GpuArch, KernelSpec, Node, NodeId, Output, Target, emit, emit_gpu,
};
use meshloom_llvm::{compile_all, compile_all_ptx};
use meshloom_run::kernels::{Carried, Launched, METADATA, WrittenBuffer};
use safetensors::Dtype;
use safetensors::tensor::TensorView;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Mutex;

/// Bytes between buffers, at least.
const GAP: usize = 64;

/// A kernel for one case: its name, what a block does, the text, and whether buffers begin at multiples of 16 bytes.
struct Variant {
    name: String,
    grid: Option<Grid>,
    text: String,
    aligned: bool,
}

/// Where cases are carried to, if they are.
pub fn wanted() -> Option<(Carrier, Device)> {
    if let Some(gpu) = super::ptx::chosen() {
        return Some((Carrier::Interpreter, Device::Gpu(gpu)));
    }
    let folder = PathBuf::from(std::env::var_os("MESHLOOM_KERNEL_PACK")?);
    let target = std::env::var("MESHLOOM_KERNEL_TARGET").unwrap_or_else(|_| "sm_90a".into());
    let device = match GpuArch::by_name(&target) {
        Some(gpu) => Device::Gpu(gpu),
        None => Device::Cpu,
    };
    Some((Carrier::Folder(folder), device))
}

/// Where packs go.
pub enum Carrier {
    Folder(PathBuf),
    Interpreter,
}

/// Carries the cases away, if they are to be.
pub fn carry(cases: &[Case], expected: &[Vec<Vec<f64>>]) -> bool {
    let Some((to, device)) = wanted() else { return false };
    save(&to, device, cases, &|spec| variants(spec, device), expected);
    true
}

/// The same on grids that the caller chooses for a GPU. What is for an A100 runs on all; what is for others runs there.
pub fn carry_grids(
    cases: &[Case],
    expected: &[Vec<Vec<f64>>],
    of: GpuArch,
    grids: &dyn Fn(&KernelSpec) -> Vec<(String, Grid)>,
) -> bool {
    let Some((to, device)) = wanted() else { return false };
    let runs = device == Device::Gpu(of) || (of == GpuArch::Sm80 && device != Device::Cpu);
    let chosen = |spec: &KernelSpec| on_grids(spec, grids(spec));
    if runs {
        save(&to, device, cases, &chosen, expected);
    }
    true
}

fn on_grids(spec: &KernelSpec, grids: Vec<(String, Grid)>) -> Vec<Variant> {
    let variant = |(name, grid): (String, Grid)| {
        let form = meshloom_kernels::emit::gpu::block::EmitMode::Device;
        let text = meshloom_kernels::emit::gpu::emit(spec, &grid, &name, form);
        Variant { name, grid: Some(grid), text: text.unwrap_or_else(|e| panic!("{e}\n{spec}")), aligned: true }
    };
    grids.into_iter().map(variant).collect()
}

/// The kernels that programs for a device have for a spec: none where they never have it.
fn variants(spec: &KernelSpec, device: Device) -> Vec<Variant> {
    match (spec, device.gpu()) {
        (KernelSpec::Pack(_) | KernelSpec::Matmul(_), Some(_)) | (KernelSpec::Dot(_), None) => Vec::new(),
        (_, None) => {
            let text = emit(spec, &Target::V3).unwrap_or_else(|e| panic!("{e}\n{spec}"));
            vec![Variant { name: spec.symbol(), grid: None, text, aligned: true }]
        }
        (_, Some(gpu)) => {
            let variant = |aligned| {
                let grid = Grid::of(spec, gpu, aligned);
                let (text, _) = emit_gpu(spec, gpu, aligned).unwrap_or_else(|e| panic!("{e}\n{spec}"));
                Variant { name: grid.symbol(spec), grid: Some(grid), text, aligned }
            };
            vec![variant(true), variant(false)]
        }
    }
}

/// The module and name of the test that runs, and how many packs of it came before.
fn name() -> String {
    static CALLS: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());
    let test = std::thread::current().name().unwrap_or("main").replace("::", ".");
    let mut calls = CALLS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let n = calls.entry(test.clone()).or_default();
    *n += 1;
    if *n == 1 { test } else { format!("{test}.{n}") }
}

fn save(
    to: &Carrier,
    device: Device,
    cases: &[Case],
    variants: &dyn Fn(&KernelSpec) -> Vec<Variant>,
    expected: &[Vec<Vec<f64>>],
) {
    let made = pack_variants(device, cases, variants, expected);
    let Some((bundle, data)) = made else { return };
    let Carrier::Folder(folder) = to else { return super::ptx::run(&bundle, &data) };
    let name = name();
    std::fs::create_dir_all(folder).expect("a folder for the pack");
    std::fs::write(folder.join(format!("{name}.loomx")), bundle).expect("a file of the pack");
    std::fs::write(folder.join(format!("{name}.safetensors")), data).expect("a file of the pack");
}

/// The two files of some cases; `None` where the device has none of their kernels.
#[allow(dead_code)]
pub fn pack(device: Device, cases: &[Case], expected: &[Vec<Vec<f64>>]) -> Option<(Vec<u8>, Vec<u8>)> {
    pack_variants(device, cases, &|spec| variants(spec, device), expected)
}

/// The same of one case, on a grid of its own.
#[allow(dead_code)]
pub fn pack_grid(gpu: GpuArch, case: &Case, expected: &[Vec<Vec<f64>>], grid: Grid) -> Option<(Vec<u8>, Vec<u8>)> {
    let variants = |spec: &KernelSpec| on_grids(spec, vec![(spec.symbol(), grid)]);
    pack_variants(Device::Gpu(gpu), std::slice::from_ref(case), &variants, expected)
}

fn pack_variants(
    device: Device,
    cases: &[Case],
    variants: &dyn Fn(&KernelSpec) -> Vec<Variant>,
    expected: &[Vec<Vec<f64>>],
) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut made = Made { device, ..Made::default() };
    for (case, expected) in cases.iter().zip(expected) {
        for v in variants(&case.spec) {
            made.launch(case, expected, v);
        }
    }
    (!made.instrs.is_empty()).then(|| made.finish())
}

/// A pack as it grows.
#[derive(Default)]
struct Made {
    device: Device,
    ids: BTreeMap<String, u32>,
    kernels: Vec<KernelRef>,
    texts: Vec<(String, String, target::Mapping)>,
    scratch: u64,
    instrs: Vec<Instr>,
    memory: Vec<u8>,
    expected: Vec<u8>,
    launched: Vec<Launched>,
}

impl Made {
    fn launch(&mut self, case: &Case, expected: &[Vec<f64>], v: Variant) {
        let (spec, args) = (&case.spec, case.spec.args());
        let mut buffers = Vec::new();
        let mut results = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let size = arg.dtype.bytes() as usize;
            self.memory.resize((self.memory.len() + GAP).next_multiple_of(64), 0xff);
            if !v.aligned {
                self.memory.resize(self.memory.len() + size, 0xff);
            }
            let before = Guarded::of(arg.dtype, &case.buffers[i]);
            let offset = self.memory.len() as u64;
            self.memory.extend_from_slice(before.bytes());
            buffers.push(BufRef::fixed(offset, before.bytes().len() as u64));
            if arg.role != BufferRole::Read {
                let after = Guarded::of(arg.dtype, &expected[i]);
                self.expected.extend_from_slice(after.bytes());
                let (scaled, relative) = tolerance(case, i, &arg.dtype, expected, self.device);
                let (dtype, elements) = (arg.dtype.name().to_owned(), expected[i].len() as u64);
                results.push(WrittenBuffer { argument: arg.name.clone(), offset, dtype, elements, scaled, relative });
            }
        }
        let units = v.grid.map_or_else(|| spec.units(), |g| g.units);
        let kernel = self.kernel(spec, v);
        self.instrs.push(Instr::Launch(Launch {
            kernel,
            args: buffers,
            writes: (0..).zip(&args).filter(|(_, a)| a.role != BufferRole::Read).map(|(i, _)| i).collect(),
            units,
            dims: case.dims.iter().map(|&d| Dim::Const(d)).collect(),
            source: None,
            ops: Vec::new(),
        }));
        let kernel = self.kernels[kernel as usize].symbol.clone();
        self.launched.push(Launched { kernel, spec: spec.to_string(), end: self.memory.len() as u64, results });
    }

    fn kernel(&mut self, spec: &KernelSpec, v: Variant) -> u32 {
        if let Some(&id) = self.ids.get(&v.name) {
            return id;
        }
        // Kernels themselves, not a library in their place.
        let gpu_units = v.grid.map(|g| g.units);
        let gpu = v.grid.map(|g| GpuLaunch { gemm: None, ..meshloom_lower::executable::program::gpu_launch(&g, spec) });
        let scratch = v.grid.map_or_else(|| spec.scratch_bytes(), |g| g.workspace);
        self.scratch = self.scratch.max(v.grid.map_or(scratch, |g| g.workspace_bytes()));
        self.kernels.push(KernelRef {
            symbol: v.name.clone(),
            hash: spec.hash(),
            buffers: spec.args().len() as u32,
            dims: spec.dims(),
            scratch: scratch > 0,
            scratch_bytes: if gpu.is_none() { scratch } else { 0 },
            units: gpu_units.unwrap_or_else(|| spec.units()),
            touches: meshloom_lower::executable::program::touches(spec),
            gpu,
        });
        let mapping = match (v.grid.map(|g| g.mapping), scratch_of_thread(spec)) {
            (Some(Mapping::Blocks), _) => target::Mapping::Blocks,
            (_, 0) => target::Mapping::Units,
            (_, bytes) => target::Mapping::UnitsWithScratch(bytes),
        };
        self.texts.push((v.name.clone(), v.text, mapping));
        let id = self.kernels.len() as u32 - 1;
        self.ids.insert(v.name, id);
        id
    }

    fn libraries(&self) -> Vec<LibraryContents> {
        let symbols: Vec<String> = self.kernels.iter().map(|k| k.symbol.clone()).collect();
        let library = |name: &str, kind, bytes| {
            let (cpu_features, symbols) = (Vec::new(), symbols.clone());
            LibraryContents { name: name.into(), kind, cpu_features, symbols, tools: Default::default(), bytes }
        };
        let done = |all: Vec<Result<Vec<u8>, _>>| -> Vec<Vec<u8>> {
            let failed = |e: meshloom_codegen::CodegenError| panic!("{e}");
            all.into_iter().map(|r| r.unwrap_or_else(failed)).collect()
        };
        let Some(gpu) = self.device.gpu() else {
            let kernels: Vec<(&str, &str)> = self.texts.iter().map(|(n, t, _)| (n.as_str(), t.as_str())).collect();
            let objects = done(compile_all(&kernels, cpu(Target::V3), 1));
            let file = tempfile::NamedTempFile::new().expect("a temporary file");
            link_shared(&objects, file.path()).expect("kernels link");
            return vec![library("x86-64-v3", LibraryKind::ElfSo, std::fs::read(file.path()).expect("the library"))];
        };
        let target = match gpu {
            GpuArch::Sm80 => GpuTarget::Sm80,
            GpuArch::Sm90a => GpuTarget::Sm90a,
            GpuArch::Sm100a => GpuTarget::Sm100a,
        };
        let kernels: Vec<_> = self.texts.iter().map(|(n, t, m)| (n.as_str(), t.as_str(), *m)).collect();
        let modules = done(compile_all_ptx(&kernels, target, 1, &|_, _| {}));
        let text = |m: Vec<u8>| String::from_utf8(m).expect("PTX is text");
        let ptx = join_ptx(&modules.into_iter().map(text).collect::<Vec<_>>(), target).expect("modules join");
        // The interpreter runs the text. That assemblers take it is for the tests of templates (`compiler/llvm`): it takes half of the time.
        let assembled = super::ptx::chosen().is_none() || std::env::var_os("MESHLOOM_PTXAS").is_some();
        let cubin = find_ptxas().filter(|_| assembled).map(|p| assemble(gpu.name(), &ptx, target, &p, 1));
        let mut libraries = vec![library(gpu.name(), LibraryKind::Ptx, ptx.into_bytes())];
        libraries.extend(cubin.map(|c| library(gpu.name(), LibraryKind::Cubin, c.expect("ptxas takes it"))));
        libraries
    }

    fn finish(mut self) -> (Vec<u8>, Vec<u8>) {
        self.memory.resize((self.memory.len() + GAP).next_multiple_of(64), 0xff);
        let libraries = self.libraries();
        let program = Program {
            version: PROGRAM_VERSION,
            entry: "kernels".into(),
            mesh: vec![MeshAxis { name: "data".into(), size: 1 }],
            host_bytes: 0,
            arena_bytes: self.memory.len() as u64,
            scratch_bytes: self.scratch,
            tokens_per_step: 0,
            kernels: self.kernels,
            wires: Vec::new(),
            ports: Vec::new(),
            instrs: self.instrs,
        };
        let target = self.device.gpu().map_or("cpu", GpuArch::name);
        let (plan, certificate) = (String::new(), String::new());
        let entries = vec![EntryContents { kind: EntryKind::Function, program, pipeline: None, plan, certificate }];
        let contents = Contents { target: target.into(), entries, libraries, sources: Vec::new() };
        let bundle = meshloom_bundle::write(&contents).expect("a valid bundle");
        let carried = serde_json::to_string(&Carried { launched: self.launched }).expect("plain data");
        let bytes = |b| TensorView::new(Dtype::U8, vec![<[u8]>::len(b)], b).expect("bytes");
        let tensors = [("memory", bytes(&self.memory)), ("expected", bytes(&self.expected))];
        let metadata = HashMap::from([(METADATA.to_owned(), carried)]);
        (bundle, safetensors::serialize(tensors, Some(metadata)).expect("two tensors"))
    }
}

/// How far a result may be off: in units of 1 or of what is expected, whichever is more, and in units of what is expected. As the tests
/// allow it, and besides what tensor cores do not add up in f32. An epilogue that multiplies by an index multiplies the sum's error by it.
fn tolerance(case: &Case, buffer: usize, dtype: &DType, expected: &[Vec<f64>], device: Device) -> (f64, f64) {
    let (ulp, step) = super::precision(&case.spec, *dtype);
    let scaled = case.ulps * ulp;
    let Device::Gpu(_) = device else { return (scaled, step) };
    let scaled = scaled * super::gpu::rounded(&case.spec);
    let KernelSpec::Dot(dot) = &case.spec else { return (scaled, step) };
    let indexed = |o: &&Output| has_index(&dot.body, o.node);
    let (with, plain): (Vec<&Output>, Vec<&Output>) = dot.body.outputs.iter().partition(indexed);
    let amplified = with.iter().any(|o| o.access.buffer as usize == buffer);
    let by = if amplified { dot.n.iter().product::<u64>() as f64 } else { 1.0 };
    if dot.body.buffers[0].bytes() > 1 {
        return (by * scaled, step);
    }
    // Hopper adds products of floats of 8 bits with 13 bits behind the point of the largest, 32 of them at a time.
    let sums = plain.first().map_or(buffer, |o| o.access.buffer as usize);
    let most = expected[sums].iter().filter(|x| x.is_finite()).fold(0.0, |m: f64, x| m.max(x.abs()));
    let additions = dot.k.iter().product::<u64>().div_ceil(32) as f64;
    (by * scaled.max(additions * most * f64::powi(2.0, -13)), step)
}

/// Whether an index goes into a node's value.
fn has_index(body: &Body, id: NodeId) -> bool {
    matches!(body.nodes[id.index()], Node::Iota { .. }) || body.args(id).iter().any(|&a| has_index(body, a))
}
