//! Kernels as machine code, judged without a GPU: a train step of GPT-2 medium in bf16 is compiled for an H100 and disassembled, and what each
//! kernel's instructions say is held against floors. `MESHLOOM_KERNELS=table` prints all kernels with their estimated times.

mod estimate;
mod sass;

use crate::gpu::bundle_with;
use estimate::{LAUNCH, Time, time};
use meshloom_bundle::{Instr, KernelRef, Launch, LibraryKind};
use meshloom_codegen::ptxas::find_tool;
use meshloom_driver::CompileOptions;
use meshloom_ir::DType;
use meshloom_kernels::geometry::product;
use meshloom_kernels::spec::{Dot, DotAndSum};
use meshloom_kernels::{Access, Arg, BufferRole, Elem, KernelSpec, Node};
use meshloom_lower::Scheduled;
use sass::{Code, Mix};
use std::collections::BTreeMap;
use std::process::Command;

/// A kernel of the step.
struct Row<'a> {
    spec: &'a KernelSpec,
    kernel: &'a KernelRef,
    launch: &'a Launch,
    launches: u64,
    time: Time,
    mix: Mix,
    code: &'a Code,
}

impl Row<'_> {
    fn ms(&self) -> f64 {
        self.launches as f64 * self.time.all() / 1e6
    }

    fn below(&self) -> Vec<String> {
        let bytes = self.launch.args.iter().map(|a| a.bytes).sum();
        let all = below(self.spec, &self.mix, bytes, &self.time);
        all.into_iter().map(|what| format!("{}: {what}", self.kernel.symbol)).collect()
    }
}

fn launches<'a>(instrs: &'a [Instr], times: u64, f: &mut dyn FnMut(&'a Instr, u64)) {
    for i in instrs {
        match i {
            Instr::Loop { trip, body } => launches(body, times * trip, f),
            other => f(other, times),
        }
    }
}

fn listing(cubin: &[u8]) -> String {
    let tool = find_tool("nvdisasm").expect("nvdisasm is missing: scripts/setup installs it");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), cubin).unwrap();
    let output = Command::new(tool).arg("-c").arg(file.path()).output().unwrap();
    assert!(output.status.success(), "nvdisasm: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn rows<'a>(step: &'a Scheduled, codes: &'a BTreeMap<&str, &'a Code>) -> Vec<Row<'a>> {
    let mut rows: BTreeMap<u32, Row<'a>> = BTreeMap::new();
    launches(&step.program.instrs, 1, &mut |i, times| {
        let Instr::Launch(launch) = i else { return };
        let (spec, kernel) = (&step.kernels[launch.kernel as usize], &step.program.kernels[launch.kernel as usize]);
        let code = codes.get(kernel.symbol.as_str()).unwrap_or_else(|| panic!("no code of `{}`", kernel.symbol));
        let time = time(spec, launch, kernel.gpu.as_ref().unwrap(), code);
        let new = || Row { spec, kernel, launch, launches: 0, time, mix: code.whole(), code };
        rows.entry(launch.kernel).or_insert_with(new).launches += times;
    });
    let mut rows: Vec<Row<'a>> = rows.into_values().collect();
    rows.sort_by(|a, b| b.ms().total_cmp(&a.ms()));
    rows
}

/// Milliseconds of fills and copies, and how many there are.
fn moved(step: &Scheduled) -> (f64, u64) {
    let (mut ms, mut n) = (0.0, 0);
    launches(&step.program.instrs, 1, &mut |i, times| {
        let bytes = match i {
            Instr::Copy { dst, .. } => 2 * dst.bytes,
            Instr::Fill { dst, .. } => dst.bytes,
            _ => return,
        };
        n += times;
        ms += times as f64 * (bytes as f64 / 2850.0 + 1500.0) / 1e6;
    });
    (ms, n)
}

/// GPT-2 medium in bf16 on one device, batch 8 (sequence 1024): sizes for `examples/gpt2.loom`, as `scripts/gpu` has them.
pub fn gpt2_medium() -> CompileOptions {
    let mut options = CompileOptions::default();
    options.front.precision = Some(DType::BF16);
    options.front.mesh = Some(vec![("data".into(), 1), ("model".into(), 1)]);
    let sizes = [("embed", 1024), ("heads", 16), ("hidden", 4096), ("layers", 24), ("vocab", 50304), ("batch", 8)];
    options.front.dims = sizes.map(|(n, s)| (n.to_string(), s)).to_vec();
    options
}

#[test]
fn kernels_of_gpt2_medium() {
    let options = gpt2_medium();
    let (program, bundle) = bundle_with("gpt2.loom", "h100-sxm", options, &["gpt2"], true);
    let cubin = bundle.contents.libraries.iter().find(|l| l.kind == LibraryKind::Cubin).expect("ptxas is missing");
    let all = sass::parse(&listing(&cubin.bytes));
    let codes: BTreeMap<&str, &Code> = all.iter().map(|c| (c.name.as_str(), c)).collect();
    let step = &program.entries[0].scheduled;
    let rows = rows(step, &codes);
    let (ms, n) = moved(step);
    let sum = ms + rows.iter().map(Row::ms).sum::<f64>();
    if std::env::var("MESHLOOM_KERNELS").is_ok() {
        print(&rows);
        println!("fills and copies: {n}, {ms:.2} ms");
        let costs = meshloom_driver::roofline::of(&program, &program.entries[0]);
        println!("by the cost model, which knows ops and no kernels: {:.1} ms", costs.us / 1e3);
    }
    println!("a step of GPT-2 medium in bf16 on one H100, by estimate: {sum:.1} ms");
    let below: Vec<String> = rows.iter().flat_map(Row::below).collect();
    assert!(below.is_empty(), "kernels below their floor:\n{}", below.join("\n"));
    assert!(sum < MOST, "a step takes {sum:.1} ms by estimate, and may take {MOST}");
}

/// A perceptron whose operands lie along the summed dim and across it: warpgroups multiply in tf32 what they would cut off, after it was
/// rounded and, where it lies across, turned.
#[test]
fn products_in_tf32_are_of_warpgroups() {
    let mut options = CompileOptions { tf32: true, ..CompileOptions::default() };
    options.front.mesh = Some(vec![("data".into(), 1), ("model".into(), 1)]);
    let sizes = [("batch", 4096), ("features", 2048), ("hidden", 4096), ("classes", 2048)];
    options.front.dims = sizes.map(|(n, s)| (n.to_string(), s)).to_vec();
    let (program, bundle) = bundle_with("mlp.loom", "h100-sxm", options, &["mlp"], true);
    let cubin = bundle.contents.libraries.iter().find(|l| l.kind == LibraryKind::Cubin).expect("ptxas is missing");
    let all = sass::parse(&listing(&cubin.bytes));
    let codes: BTreeMap<&str, &Code> = all.iter().map(|c| (c.name.as_str(), c)).collect();
    let rows = rows(&program.entries[0].scheduled, &codes);
    let products = rows.iter().filter(|r| matches!(r.spec, KernelSpec::Dot(d) if d.tf32));
    assert_eq!(products.map(|r| r.launches).sum::<u64>(), 5, "two forward, two of weights, one of the hidden units");
    let below: Vec<String> = rows.iter().flat_map(Row::below).collect();
    assert!(below.is_empty(), "kernels below their floor:\n{}", below.join("\n"));
}

/// Milliseconds of the step, which no change makes more of unawares.
const MOST: f64 = 45.0;

/// Kernels that move less are too short to be judged.
const WORTH: u64 = 4 << 20;

/// Columns of which a warp's width of vectors for each block would leave half of an H100 idle.
const FEW_COLUMNS: u64 = 66 * 32 * 4;

/// What is wrong with a kernel's code.
fn below(spec: &KernelSpec, mix: &Mix, bytes: u64, time: &Time) -> Vec<String> {
    let mut all = Vec::new();
    if mix.spills > 0 {
        all.push(format!("{} accesses of spilled registers", mix.spills));
    }
    if mix.calls > 0 {
        all.push(format!("{} calls of slow paths", mix.calls));
    }
    if bytes < WORTH {
        return all;
    }
    let args = spec.args();
    let narrow = |read: bool| {
        let large = |a: &Arg| a.dtype == DType::BF16 && 2 * a.elements >= WORTH;
        args.iter().any(|a| large(a) && (a.role == BufferRole::Read) == read)
    };
    match spec {
        KernelSpec::Dot(Dot { tf32, .. }) | KernelSpec::DotAndSum(DotAndSum { dot: Dot { tf32, .. }, .. })
            if (narrow(true) || *tf32) && mix.group_products == 0 =>
        {
            all.push("no products of warpgroups".into())
        }
        KernelSpec::Attention(_) | KernelSpec::AttentionBackward(_) if mix.group_products == 0 => {
            all.push("no products of warpgroups".into());
        }
        _ => {}
    }
    let to_bf16 = |n: &Node| matches!(n, Node::Elem { op: Elem::Convert, dtype: DType::BF16, .. });
    let rounds = spec.body().is_none_or(|b| b.nodes.iter().any(to_bf16));
    if narrow(false) && rounds && mix.pairs == 0 {
        all.push("rounds to bf16 without the instruction for two".into());
    }
    let long = match spec {
        KernelSpec::Fused(f) => f.cols() >= 256,
        KernelSpec::Summed(s) => s.cols() >= 256,
        KernelSpec::Column(c) => c.cols >= 256,
        _ => return all,
    };
    // Of few columns, each thread has one, so that more multiprocessors have some.
    let few = matches!(spec, KernelSpec::Column(c) if product(&c.outer) * c.cols < FEW_COLUMNS);
    let wide = mix.wide as f64 / (mix.loaded + mix.stored).max(1) as f64;
    if long && !few && wide < 0.75 {
        all.push(format!("{:.0} % of its bytes in accesses of 16", 100.0 * wide));
    }
    if long && time.memory < 0.5 * (time.all() - LAUNCH) {
        let (memory, whole) = (time.memory / 1e3, time.all() / 1e3);
        all.push(format!("{whole:.1} us where its bytes take {memory:.1}: bound by {}", time.bound()));
    }
    all
}

#[test]
fn floors_are_told_by_name() {
    let access = Access::new(0, &[1]);
    let copy = KernelSpec::copy(DType::F32, &[1 << 24], access.clone(), access);
    let time = Time { memory: 1e5, waiting: 0.0, issue: 0.0, products: 0.0, beside: false };
    let good = Mix { instructions: 9, loaded: 16, stored: 16, wide: 32, ..Mix::default() };
    let said = |mix: Mix, time: Time| below(&copy, &mix, 1 << 27, &time);
    assert_eq!(said(good, time), [""; 0]);
    assert_eq!(said(Mix { spills: 2, ..good }, time), ["2 accesses of spilled registers"]);
    assert_eq!(said(Mix { calls: 1, ..good }, time), ["1 calls of slow paths"]);
    assert_eq!(said(Mix { wide: 8, ..good }, time), ["25 % of its bytes in accesses of 16"]);
    let slow = Time { waiting: 3e5, ..time };
    assert_eq!(said(good, slow), ["301.5 us where its bytes take 100.0: bound by latency"]);
}

fn print(rows: &[Row<'_>]) {
    println!("| kernel | line | launches | us each | ms | bound by | its bytes, us | registers | 16-byte accesses |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for r in rows {
        let (t, m) = (r.time, r.mix);
        let line = r.launch.source.as_ref().map_or("-".to_string(), |s| s.line.to_string());
        let wide = 100.0 * m.wide as f64 / (m.loaded + m.stored).max(1) as f64;
        let (symbol, n, bound, registers) = (&r.kernel.symbol, r.launches, t.bound(), r.code.registers);
        let (each, all, bytes) = (t.all() / 1e3, r.ms(), t.memory / 1e3);
        println!(
            "| {symbol} | {line} | {n} | {each:.1} | {all:.2} | {bound} | {bytes:.1} | {registers} | {wide:.0} % |"
        );
    }
}
