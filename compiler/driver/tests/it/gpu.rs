//! Bundles for GPUs, made with no GPU at hand: they hold what a launch needs, and ptxas accepts all of their PTX.
//!
//! One model at one size for one architecture is in the suite. The test that `--ignored` runs compiles every example for
//! every architecture; `MESHLOOM_GPU_EXAMPLES` names one example for it.
#![cfg(feature = "llvm")]

use meshloom_bundle::{Bundle, LibraryKind, write};
use meshloom_codegen::ptxas::find_ptxas;
use meshloom_codegen::worker::Isolation;
use meshloom_driver::{CompileOptions, Program, Scheduled, backend, check, pipeline, plan};
use meshloom_ir::DType;
use meshloom_kernels::{Device, GpuArch};
use meshloom_plan::cost::Target;
use std::path::PathBuf;

/// The targets that have architectures of their own.
const TARGETS: [&str; 3] = ["a100-80g", "h100-sxm", "b200"];

/// The architecture of a target for GPUs.
fn gpu(target: &str) -> GpuArch {
    Target::builtin(target).unwrap().arch.device().gpu().unwrap()
}

fn lowered(file: &str, target: &str) -> Program<Scheduled> {
    lowered_as(file, target, Device::Gpu(gpu(target)), None)
}

fn lowered_as(file: &str, target: &str, device: Device, precision: Option<DType>) -> Program<Scheduled> {
    let mut options = CompileOptions::default();
    options.front.precision = precision;
    lowered_with(file, target, device, options)
}

fn lowered_with(file: &str, target: &str, device: Device, mut options: CompileOptions) -> Program<Scheduled> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    options.plan.target = Target::builtin(target).unwrap();
    let made = check(&path.display().to_string(), &text, &options)
        .and_then(|p| plan(p, &options))
        .and_then(|p| pipeline::lower_for(p, device));
    made.unwrap_or_else(|(e, _)| panic!("{file}: {e}"))
}

/// An example with the entries of these names, and its bundle: assembled, or with PTX alone.
pub fn bundle_with(
    file: &str,
    target: &str,
    options: CompileOptions,
    entries: &[&str],
    assembled: bool,
) -> (Program<Scheduled>, Bundle) {
    let mut program = lowered_with(file, target, Device::Gpu(gpu(target)), options);
    program.entries.retain(|e| entries.contains(&e.name.as_str()));
    let of = if assembled { backend::gpu_bundle } else { backend::ptx_bundle };
    let contents = of(&program, gpu(target), &Isolation::InProcess(meshloom_llvm::remembered), 2).unwrap();
    let bundle = Bundle::read(&write(&contents).unwrap()).unwrap();
    (program, bundle)
}

fn bundled(file: &str, target: &str) -> Bundle {
    bundle_of(file, lowered(file, target), target)
}

fn bundle_of(file: &str, program: Program<Scheduled>, target: &str) -> Bundle {
    let gpu = gpu(target);
    let contents = backend::gpu_bundle(&program, gpu, &Isolation::InProcess(meshloom_llvm::remembered), 2)
        .unwrap_or_else(|e| panic!("{file}: {e}"));
    let bytes = write(&contents).unwrap_or_else(|e| panic!("{file}: {e}"));
    Bundle::read(&bytes).unwrap_or_else(|e| panic!("{file}: {e}"))
}

fn holds_what_a_launch_needs(bundle: &Bundle, target: &str) {
    let gpu = gpu(target);
    assert_eq!(bundle.manifest.target, target);
    let libraries = &bundle.contents.libraries;
    assert!(libraries.iter().all(|l| l.name == gpu.name()));
    let kinds: Vec<LibraryKind> = libraries.iter().map(|l| l.kind).collect();
    match find_ptxas() {
        Some(_) => assert_eq!(kinds, [LibraryKind::Ptx, LibraryKind::Cubin]),
        None => assert_eq!(kinds, [LibraryKind::Ptx]),
    }
    let ptx = std::str::from_utf8(&libraries[0].bytes).unwrap();
    assert_eq!(ptx.matches(".address_size").count(), 1);
    assert!(ptx.contains(&format!(".target {}", gpu.name())) && !ptx.contains(".extern .func"), "{target}");
    for entry in &bundle.contents.entries {
        for k in &entry.program.kernels {
            let launch = k.gpu.as_ref().unwrap();
            let other = launch.by_threads.as_ref();
            // Where the driver refuses a map, a kernel without is at hand.
            assert_eq!(other.is_some(), !launch.tensor_maps.is_empty(), "`{}`", k.symbol);
            assert!(other.is_none_or(|o| o.units > 0 && o.launch.tensor_maps.is_empty()), "`{}`", k.symbol);
            for (symbol, maps) in k.symbols().zip([launch.tensor_maps.len(), 0]) {
                let at = ptx.find(&format!(".visible .entry {symbol}(")).unwrap_or_else(|| panic!("no `{symbol}`"));
                let end = at + ptx[at..].find(')').unwrap();
                let takes = k.buffers as usize + usize::from(k.scratch) + 2 + k.dims as usize + maps;
                assert_eq!(ptx[at..end].matches(".param").count(), takes, "`{symbol}` takes other arguments");
            }
        }
    }
}

/// All contractions of f32 on GPUs, and those that a library would compute; nothing on CPUs, and nothing unasked.
#[test]
fn f32_is_multiplied_in_tf32_where_that_is_asked_for() {
    for (target, tf32) in [("h100-sxm", true), ("h100-sxm", false), ("cpu", true)] {
        let device = Target::builtin(target).unwrap().arch.device();
        let program =
            lowered_with("gpt_tiny.loom", target, device, CompileOptions { tf32, ..CompileOptions::default() });
        let scheduled = program.entries.iter().map(|e| &e.scheduled);
        let kernels = scheduled.flat_map(|s| s.kernels.iter().zip(&s.program.kernels));
        let mut dots = 0;
        for (spec, kernel) in kernels {
            let meshloom_kernels::KernelSpec::Dot(dot) = spec else { continue };
            let gpu = kernel.gpu.as_ref().unwrap();
            assert_eq!((dot.tf32, gpu.tf32), (tf32, tf32), "{spec}");
            assert!(gpu.gemm.as_ref().is_none_or(|p| p.tf32 == tf32), "{spec}");
            dots += 1;
        }
        assert_eq!(dots > 0, target != "cpu");
    }
}

#[test]
fn an_example_compiles() {
    let bundle = bundled("gpt_tiny.loom", "h100-sxm");
    holds_what_a_launch_needs(&bundle, "h100-sxm");
    let kernels = bundle.contents.entries.iter().flat_map(|e| &e.program.kernels);
    let (panels, dots): (Vec<&str>, Vec<&str>) =
        kernels.map(|k| &k.symbol[..]).partition(|s| s.starts_with("pack") || s.starts_with("matmul"));
    assert!(panels.is_empty() && dots.iter().any(|s| s.starts_with("dot")), "{panels:?} are for CPUs");
}

/// In 16 bits, matmuls on Hopper and Blackwell take tensor maps of what they read; or, where they are asked to do without, none.
#[test]
fn matmuls_fetch_what_they_read() {
    let maps = |target, device| {
        let program = lowered_as("gpt_tiny.loom", target, device, Some(DType::BF16));
        let bundle = bundle_of("gpt_tiny.loom", program, target);
        holds_what_a_launch_needs(&bundle, target);
        let kernels = bundle.contents.entries.iter().flat_map(|e| &e.program.kernels);
        let dots = kernels.filter(|k| k.symbol.starts_with("dot"));
        dots.map(|k| k.gpu.as_ref().unwrap().tensor_maps.len()).collect::<Vec<_>>()
    };
    for (target, gpu) in [("h100-sxm", GpuArch::Sm90a), ("b200", GpuArch::Sm100a)] {
        let (with, without) = (maps(target, Device::Gpu(gpu)), maps(target, Device::GpuWithoutTma(gpu)));
        assert!(with.iter().all(|&n| n != 1) && with.iter().filter(|&&n| n >= 2).count() > 5, "{with:?}");
        assert_eq!(without, vec![0; with.len()]);
    }
}

#[test]
#[ignore = "takes half an hour; MESHLOOM_GPU_EXAMPLES=gpt compiles one example"]
fn every_example_compiles_for_every_architecture() {
    let which = std::env::var("MESHLOOM_GPU_EXAMPLES").unwrap_or("1".into());
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    files.retain(|f| f.strip_suffix(".loom").is_some_and(|name| which == "1" || which == name));
    assert!(!files.is_empty(), "no example `{which}`");
    files.sort();
    for file in files {
        for target in TARGETS {
            let start = std::time::Instant::now();
            holds_what_a_launch_needs(&bundled(&file, target), target);
            eprintln!("{file} for {target}: {:.1} s", start.elapsed().as_secs_f64());
        }
    }
}
