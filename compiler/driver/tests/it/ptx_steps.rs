//! Whole train steps of bundles for GPUs in the interpreter of PTX (`tests/ptx`): kernels, launches and tensor maps as they stand in the
//! bundle. The losses, parameters and state after each step are those of a CPU. The interpreter ends a step with what PTX does not define:
//! races, memory without a value, copies that are not waited for, fences that are missing.
#![cfg(feature = "llvm")]

use crate::gpu::bundle_with;
use crate::support::{carried, compiled, on, session};
use meshloom_bundle::{Bundle, DType, Port, Role};
use meshloom_driver::CompileOptions;
use meshloom_ptx::program::{Device, ptx};
use meshloom_runtime::{HostTensor, Session};

const ONE: &[(&str, u64)] = &[("data", 1), ("model", 1)];

/// What is kept and given: once each.
fn held(s: &Session) -> Vec<Port> {
    let roles = [Role::Parameter, Role::State, Role::Input];
    s.program().ports.iter().filter(|p| p.alias.is_none() && roles.contains(&p.role)).cloned().collect()
}

fn values(port: &Port, bytes: Vec<u8>) -> Vec<f64> {
    let shape = vec![bytes.len() as u64 / port.dtype.bytes()];
    HostTensor { dtype: port.dtype, shape, bytes }.to_f64().unwrap_or_else(|| panic!("{}", port.name))
}

/// The device's ports by their names in the program of the CPU: one device holds all of a tensor.
fn port_of<'b>(bundle: &'b Bundle, name: &str) -> &'b Port {
    let program = &bundle.contents.entries[0].program;
    program.ports.iter().find(|p| p.name == name && p.alias.is_none()).unwrap_or_else(|| panic!("no port {name}"))
}

/// What a program computes in. A CPU has no tf32, and stays at f32.
#[derive(Clone, Copy, Debug)]
enum Numbers {
    F32,
    Tf32,
    Bf16,
    /// bf16, and products with parameters in 8 bits.
    Fp8,
}

/// A file, of which the first entry trains, and the data that it trains on.
struct Workload {
    file: &'static str,
    inputs: &'static [&'static str],
}

/// What is compared after each of some steps.
struct Compared {
    steps: usize,
    /// Losses may differ by this part of them, and tensors by a hundred times that part of their largest number.
    part: f64,
    /// The roles of the tensors.
    roles: &'static [Role],
}

/// Steps of a workload on a CPU and in the interpreter, which copies by threads where it would by tensor maps if `by_threads` says so.
fn steps(of: &Workload, target: &str, by_threads: bool, numbers: Numbers, compared: &Compared) {
    let (Workload { file, inputs }, Compared { part, roles, .. }) = (of, compared);
    let options = || {
        let mut options: CompileOptions = on(ONE, "");
        match numbers {
            Numbers::F32 => {}
            Numbers::Tf32 => options.tf32 = true,
            Numbers::Bf16 => options.front.precision = Some(DType::BF16),
            Numbers::Fp8 => options.front.precision = Some(DType::F8E4M3),
        }
        options
    };
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let mut cpu = session(&compiled(file, &text, &options()));
    let entry = cpu.program().entry.clone();
    let (program, bundle) = bundle_with(file, target, options(), &[&entry], false);
    cpu.initialize().unwrap();
    inputs.iter().for_each(|i| cpu.input(&i.parse().unwrap()).unwrap());
    let mut device = Device::new(&bundle.contents.entries[0].program, &ptx(&bundle).expect("PTX"))
        .unwrap_or_else(|e| panic!("{file}: {e}"));
    device.by_threads = by_threads;
    if let Some(folder) = carried::folder() {
        let how = if by_threads { "threads" } else { "maps" };
        let name = format!("{}-{target}-{numbers:?}-{how}", file.trim_end_matches(".loom"));
        let mut to = carried::Carrier::new(folder, name, &bundle, &program.entries[0].scheduled.kernels, by_threads);
        device.watch = Some(Box::new(move |launch, before, after| to.launch(launch, before, after)));
    }
    for p in held(&cpu) {
        device.write(port_of(&bundle, &p.name).offset, &cpu.read(&p.name).unwrap().bytes).unwrap();
    }
    for step in 1..=compared.steps {
        let want = cpu.step().unwrap().loss.unwrap();
        device.step().unwrap_or_else(|fault| panic!("{file} for {target}, step {step}: {fault}"));
        let loss = bundle.contents.entries[0].program.ports.iter().find(|p| p.role == Role::Loss).expect("a loss");
        let got = values(loss, device.read(loss.offset, loss.bytes).unwrap())[0];
        assert!((got - want).abs() <= part * want.abs(), "{file} for {target}, step {step}: loss {got}, not {want}");
        // A bias of all keys changes no softmax: its gradient is nothing but rounding.
        let compared = |p: &&Port| roles.contains(&p.role) && p.dtype == DType::F32 && !p.name.ends_with("bk");
        for p in held(&cpu).iter().filter(compared) {
            let on_device = port_of(&bundle, &p.name);
            let got = values(on_device, device.read(on_device.offset, on_device.bytes).unwrap());
            let want = cpu.read(&p.name).unwrap().to_f64().unwrap();
            let size = want.iter().fold(1e-6, |m: f64, x| m.max(x.abs()));
            let off = got.iter().zip(&want).map(|(g, w)| (g - w).abs()).fold(0.0, f64::max);
            assert!(
                off <= 100.0 * part * size,
                "{file} for {target}, step {step}: {} is off by {off:e} of {size:e}",
                p.name
            );
        }
    }
}

const ALL: &[Role] = &[Role::Parameter, Role::State];
const MLP: Workload = Workload { file: "oracle_mlp.loom", inputs: &["x=det:uniform:mlp/x:1", "y=det:uniform:mlp/y:1"] };
const GPT: Workload = Workload {
    file: "gpt_tiny.loom",
    inputs: &["tokens=det:tokens:gpt_tiny/tokens:256:33:0", "targets=det:tokens:gpt_tiny/tokens:256:33:1"],
};

#[test]
fn an_mlp_trains_as_on_a_cpu() {
    for target in ["a100-80g", "h100-sxm", "b200"] {
        steps(&MLP, target, false, Numbers::F32, &Compared { steps: 2, part: 1e-6, roles: ALL });
    }
}

#[test]
fn a_gpt_trains_as_on_a_cpu() {
    steps(&GPT, "a100-80g", false, Numbers::F32, &Compared { steps: 2, part: 1e-5, roles: ALL });
}

/// One step: that a second one finds what the first one left does not depend on the target.
#[test]
fn a_gpt_takes_a_step_on_newer_gpus_as_on_a_cpu() {
    for target in ["h100-sxm", "b200"] {
        steps(&GPT, target, false, Numbers::F32, &Compared { steps: 1, part: 1e-5, roles: ALL });
    }
}

/// By tensor maps, and by warpgroups or with sums in tensor memory, where the target has them, and by the kernels that take their place. Where a gradient is next to nothing, its
/// sign is chance, and with it the first update of a parameter: the sums of gradients say whether all is right.
#[test]
fn a_gpt_in_16_bits_trains_as_on_a_cpu() {
    for (target, by_threads) in [("h100-sxm", false), ("h100-sxm", true), ("b200", false), ("b200", true)] {
        steps(&GPT, target, by_threads, Numbers::Bf16, &Compared { steps: 1, part: 2e-4, roles: &[Role::State] });
    }
}

/// With products of 8 bits, whose operands are rounded to a few numbers: what is beside the middle of two of them is rounded to either.
#[test]
fn a_gpt_in_8_bits_trains_as_on_a_cpu() {
    steps(&GPT, "h100-sxm", false, Numbers::Fp8, &Compared { steps: 1, part: 1e-3, roles: &[] });
    // What the other interpreter knows.
    if carried::folder().is_some() {
        steps(&GPT, "h100-sxm", true, Numbers::Fp8, &Compared { steps: 1, part: 1e-3, roles: &[] });
    }
}

#[test]
fn an_mlp_in_16_bits_trains_as_on_a_cpu() {
    steps(&MLP, "b200", false, Numbers::Bf16, &Compared { steps: 1, part: 2e-4, roles: &[Role::State] });
}

/// By warpgroups, whose slices are rounded and turned, and by warps.
#[test]
fn an_mlp_in_tf32_trains_as_on_a_cpu() {
    for (target, by_threads) in [("h100-sxm", false), ("h100-sxm", true), ("a100-80g", false)] {
        steps(&MLP, target, by_threads, Numbers::Tf32, &Compared { steps: 2, part: 2e-4, roles: ALL });
    }
}
