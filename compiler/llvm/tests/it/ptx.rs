//! Kernels as PTX, and ptxas as the judge of it, with no GPU at hand.

use meshloom_bundle::waited;
use meshloom_codegen::CodegenPhase;
use meshloom_codegen::ptx::join_ptx;
use meshloom_codegen::ptxas::{assemble, find_ptxas};
use meshloom_codegen::target::{GpuTarget, Mapping};
use meshloom_kernels::attention::{Attention, AttentionBackward, AttentionShape, Strides};
use meshloom_kernels::dot::Tiling;
use meshloom_kernels::emit::gpu::block::EmitMode;
use meshloom_kernels::gpu::{self, GpuArch, Grid};
use meshloom_kernels::spec::{CumLogSumExp, Dot, Fused, Scan, ScatterRows, SegmentSort, TopK};
use meshloom_kernels::{Access, Body, DType, Elem, KernelSpec, Node, Reduction, Target};
use meshloom_llvm::compile_ptx;
use std::path::Path;

/// A row kernel as fusion makes them: vectors of 16, a reduction over the row, math, a remainder, and dims as arguments.
const SOFTMAX: &str = r#"
module {
  func.func @softmax(%x: memref<1073741824xf32>, %y: memref<1073741824xf32>, %lo: index, %hi: index, %cols: index) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %low = arith.constant dense<0xFF800000> : vector<16xf32>
    %zero = arith.constant dense<0.0> : vector<16xf32>
    scf.for %row = %lo to %hi step %c1 {
      %base = arith.muli %row, %cols overflow<nsw> : index
      %max = scf.for %j = %c0 to %cols step %c16 iter_args(%m = %low) -> (vector<16xf32>) {
        %at = arith.addi %base, %j overflow<nsw> : index
        %left = arith.subi %cols, %j : index
        %mask = vector.create_mask %left : vector<16xi1>
        %v = vector.maskedload %x[%at], %mask, %low : memref<1073741824xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
        %n = arith.maximumf %m, %v : vector<16xf32>
        scf.yield %n : vector<16xf32>
      }
      %top = vector.reduction <maximumf>, %max : vector<16xf32> into f32
      %tops = vector.broadcast %top : f32 to vector<16xf32>
      %sums = scf.for %j = %c0 to %cols step %c16 iter_args(%s = %zero) -> (vector<16xf32>) {
        %at = arith.addi %base, %j overflow<nsw> : index
        %left = arith.subi %cols, %j : index
        %mask = vector.create_mask %left : vector<16xi1>
        %v = vector.maskedload %x[%at], %mask, %low : memref<1073741824xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
        %d = arith.subf %v, %tops : vector<16xf32>
        %e = loom.exp %d : vector<16xf32>
        vector.maskedstore %y[%at], %mask, %e : memref<1073741824xf32>, vector<16xi1>, vector<16xf32>
        %n = arith.addf %s, %e : vector<16xf32>
        scf.yield %n : vector<16xf32>
      }
      %sum = vector.reduction <add>, %sums fastmath<reassoc> : vector<16xf32> into f32
      %log = loom.log %sum : f32
      %one = arith.constant 1.0 : f32
      %scale = arith.divf %one, %sum : f32
      scf.for %j = %c0 to %cols step %c1 {
        %at = arith.addi %base, %j overflow<nsw> : index
        %v = memref.load %y[%at] : memref<1073741824xf32>
        %w = arith.mulf %v, %scale : f32
        %t = loom.tanh %w : f32
        %f = loom.erf %t : f32
        %r = math.sqrt %f : f32
        %u = arith.addf %r, %log : f32
        memref.store %u, %y[%at] : memref<1073741824xf32>
      }
    }
    return
  }
}"#;

const DOUBLES: &str = r#"
func.func @doubles(%x: memref<1073741824xf64>, %i: memref<1073741824xi32>, %lo: index, %hi: index) {
  %c8 = arith.constant 8 : index
  %j = arith.muli %lo, %c8 : index
  %g = memref.load %i[%lo] : memref<1073741824xi32>
  %at = arith.index_cast %g : i32 to index
  %v = vector.load %x[%at] : memref<1073741824xf64>, vector<8xf64>
  %a = loom.exp %v : vector<8xf64>
  %b = loom.log %a : vector<8xf64>
  %c = loom.tanh %b : vector<8xf64>
  %d = loom.erf %c : vector<8xf64>
  vector.store %d, %x[%j] : memref<1073741824xf64>, vector<8xf64>
  return
}"#;

const WITH_SCRATCH: &str = r#"
func.func @staged(%x: memref<1073741824xf32>, %scratch: memref<1073741824xf32>, %lo: index, %hi: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %u = %lo to %hi step %c1 {
    scf.for %k = %c0 to %c8 step %c1 {
      %at = arith.addi %u, %k : index
      %v = memref.load %x[%at] : memref<1073741824xf32>
      memref.store %v, %scratch[%k] : memref<1073741824xf32>
    }
    scf.for %k = %c0 to %c8 step %c1 {
      %r = arith.subi %c8, %k : index
      %s = arith.subi %r, %c1 : index
      %v = memref.load %scratch[%s] : memref<1073741824xf32>
      %at = arith.addi %u, %k : index
      memref.store %v, %x[%at] : memref<1073741824xf32>
    }
  }
  return
}"#;

const KERNELS: [(&str, &str, Mapping); 3] = [
    ("softmax", SOFTMAX, Mapping::Units),
    ("doubles", DOUBLES, Mapping::Units),
    ("staged", WITH_SCRATCH, Mapping::UnitsWithScratch(32)),
];

#[test]
fn kernels_become_ptx_with_one_entry_and_no_calls() {
    for target in GpuTarget::ALL {
        for (symbol, text, scratch) in KERNELS {
            let ptx = compile_ptx(symbol, text, scratch, target).unwrap();
            assert!(ptx.contains(&format!(".target {target}")), "{ptx}");
            assert!(ptx.contains(&format!(".visible .entry {symbol}(")), "{ptx}");
            assert!(!ptx.contains("call") && !ptx.contains(".extern"), "{symbol} calls something:\n{ptx}");
            assert!(ptx.contains("ld.global"), "{symbol} does not see that its buffers are global:\n{ptx}");
            assert_eq!(ptx, compile_ptx(symbol, text, scratch, target).unwrap());
        }
    }
    // The buffer, the workspace, lo and hi.
    let ptx = compile_ptx("staged", WITH_SCRATCH, Mapping::UnitsWithScratch(32), GpuTarget::Sm80).unwrap();
    assert_eq!(ptx.matches(".param .u64").count(), 4, "{ptx}");
    assert!(!ptx.contains(".local"), "{ptx}");
}

#[test]
fn ptxas_accepts_the_kernels() {
    let ptxas = ptxas();
    for target in GpuTarget::ALL {
        for (symbol, text, scratch) in KERNELS {
            let ptx = compile_ptx(symbol, text, scratch, target).unwrap();
            let cubin = assemble(symbol, &ptx, target, &ptxas, 1).unwrap();
            assert_eq!(&cubin[..4], b"\x7fELF", "{symbol} for {target}");
        }
        let modules: Vec<String> = KERNELS.map(|(s, text, m)| compile_ptx(s, text, m, target).unwrap()).to_vec();
        let joined = join_ptx(&modules, target).unwrap();
        assert_eq!((joined.matches(".version").count(), joined.matches(".visible .entry").count()), (1, 3), "{joined}");
        assemble("joined", &joined, target, &ptxas, 2).unwrap();
        assemble("empty", &join_ptx(&[], target).unwrap(), target, &ptxas, 1).unwrap();
    }
    let error = assemble("broken", ".version 8.0\nnonsense", GpuTarget::Sm80, &ptxas, 1).unwrap_err();
    assert_eq!((error.phase, error.kernel.as_deref()), (CodegenPhase::Assemble, Some("broken")));
}

fn access(buffer: u32, strides: &[i64]) -> Access {
    Access::new(buffer, strides)
}

/// Kernels as the scheduler asks for them: rows with reductions and math, a transposing copy, attention, a sorted scatter.
fn scheduled(dtype: DType) -> Vec<KernelSpec> {
    let (rows, cols) = (24, 100);
    let mut softmax = Body::new(&[dtype; 3]);
    let x = softmax.leaf(access(0, &[cols, 1]));
    let max = softmax.reduce(Reduction::Max, x);
    let shifted = softmax.elem(Elem::Subtract, &[x, max]);
    let e = softmax.elem(Elem::Exponential, &[shifted]);
    let sum = softmax.reduce(Reduction::Sum, e);
    let y = softmax.elem(Elem::Divide, &[e, sum]);
    let log = softmax.elem(Elem::Log, &[sum]);
    softmax.output(y, access(1, &[cols, 1]));
    softmax.output(log, access(2, &[1, 0]));

    let mut gelu = Body::new(&[dtype; 2]);
    let u = gelu.leaf(access(0, &[cols, 1]));
    let t = gelu.elem(Elem::Tanh, &[u]);
    let y = gelu.elem(Elem::Multiply, &[t, u]);
    gelu.output(y, access(1, &[cols, 1]));

    let shape = AttentionShape {
        dtype,
        batch: 2,
        heads: 2,
        group: 1,
        q_len: 40,
        kv_len: 40,
        head: 16,
        value: 16,
        causal: true,
        window: 0,
        segments: None,
        shifted: false,
        scale: 0.25f64.to_bits(),
        by_threads: false,
    };
    let q = Strides { offset: 0, batch: 1280, head: 640, group: 0, seq: 16 };
    let lse = Strides { offset: 0, batch: 80, head: 40, group: 0, seq: 1 };
    let shape_of = [rows, cols as u64];
    vec![
        KernelSpec::Fused(Fused::new(&shape_of, softmax)),
        KernelSpec::Fused(Fused::new(&shape_of, gelu)),
        KernelSpec::copy(dtype, &[20, 37], access(0, &[37, 1]), access(1, &[1, 20])),
        KernelSpec::Attention(Attention { shape, q, k: q, v: q, o: q, lse }),
        KernelSpec::SegmentSort(SegmentSort { count: 30, rows: 8, total: 16, sharded: true }),
        KernelSpec::ScatterRows(ScatterRows { dtype, rows: 8, cols: 37, update_stride: 37, out_stride: 37 }),
        KernelSpec::TopK(TopK { dtype, rows, n: 50, k: 2, largest: true, indices: true }),
        KernelSpec::TopK(TopK { dtype, rows, n: 5000, k: 100, largest: true, indices: false }),
        scan(dtype, 4096, 1),
        scan(dtype, 1000, 70),
        KernelSpec::CumLogSumExp(CumLogSumExp { dtype, outer: 8, n: 4096, inner: 1, reverse: false }),
        KernelSpec::CumLogSumExp(CumLogSumExp { dtype, outer: 8, n: 1000, inner: 70, reverse: true }),
    ]
}

fn scan(dtype: DType, n: u64, inner: u64) -> KernelSpec {
    let kind = meshloom_kernels::Reduction::Sum;
    KernelSpec::Scan(Scan { dtype, kind, outer: 8, n, inner, reverse: false, exclusive: true })
}

/// The assembler, which `make setup` installs.
fn ptxas() -> std::path::PathBuf {
    find_ptxas().expect("no ptxas on PATH, in $CUDA_HOME or in .venv: `make setup` installs it")
}

fn mapping(spec: &KernelSpec) -> Mapping {
    match spec.scratch_bytes() {
        0 => Mapping::Units,
        bytes => Mapping::UnitsWithScratch(bytes),
    }
}

/// Nothing in the kernels or their ABI is for CPUs only.
#[test]
fn what_the_scheduler_makes_becomes_ptx() {
    let ptxas = ptxas();
    for dtype in [DType::F32, DType::F64] {
        for spec in scheduled(dtype) {
            let symbol = spec.symbol();
            let text = meshloom_kernels::emit(&spec, &Target::V4).unwrap();
            let ptx = compile_ptx(&symbol, &text, mapping(&spec), GpuTarget::Sm90a)
                .unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert!(ptx.contains(&format!(".visible .entry {symbol}(")) && !ptx.contains(".extern"), "{ptx}");
            assemble(&symbol, &ptx, GpuTarget::Sm90a, &ptxas, 1).unwrap();
        }
    }
}

#[test]
fn other_signatures_are_refused() {
    let cases = [
        ("func.func @k(%x: memref<8xf32>) { return }", "not buffers, lo, hi, dims"),
        ("func.func @k(%x: memref<8xf32>, %n: f32, %lo: index, %hi: index) { return }", "not buffers, lo, hi, dims"),
        ("func.func @other(%x: memref<8xf32>, %lo: index, %hi: index) { return }", "another name"),
        ("memref.global @g : memref<8xf32>", "no function"),
    ];
    for (text, expected) in cases {
        let error = compile_ptx("k", text, Mapping::Units, GpuTarget::Sm80).unwrap_err();
        assert!(error.message.contains(expected), "{text}: {error}");
    }
}

/// Contractions of sizes that take large tiles and small ones, in every type, with operands along `k` and across it.
fn dots() -> Vec<KernelSpec> {
    let mut specs = Vec::new();
    let narrow = [DType::F8E4M3, DType::F8E5M2];
    let same = [DType::BF16, DType::F16, DType::F32, DType::F64].map(|d| ([d; 2], d));
    let integers = [[DType::I8; 2], [DType::I8, DType::U8]].map(|stored| (stored, DType::I32));
    let exact =
        same.into_iter().chain([(narrow, DType::BF16)]).chain(integers).map(|(stored, dtype)| (stored, dtype, false));
    for (stored, dtype, tf32) in exact.chain([([DType::F32; 2], DType::F32, true)]) {
        for (n, across) in [(2048u64, false), (128, true)] {
            let size = n as i64;
            let mut body = Body::new(&[stored[0], stored[1], dtype, dtype]);
            let acc = body.node(Node::Acc);
            let residual = body.leaf(access(2, &[size, 1]));
            let residual = body.convert(residual, dtype.computed());
            let sum = body.elem(Elem::Add, &[acc, residual]);
            let sum = body.convert(sum, dtype);
            body.output(sum, access(3, &[size, 1]));
            let along = [size, 1];
            let (a, b) = if across { ([1, size], [1, size]) } else { (along, along) };
            let (a, b) = (access(0, &a), access(1, &b));
            specs.push(KernelSpec::Dot(Dot {
                batch: vec![],
                m: vec![n],
                n: vec![n],
                k: vec![n],
                a,
                b,
                body,
                by_threads: false,
                tf32,
            }));
        }
    }
    specs
}

/// Attention of heads that models have, masked and not: sizes that take large tiles, and small ones.
fn attentions() -> Vec<KernelSpec> {
    let mut specs = Vec::new();
    for (dtype, head, batch, causal, packed) in [
        (DType::BF16, 64, 16, true, false),
        (DType::BF16, 128, 16, true, false),
        (DType::BF16, 128, 16, false, false),
        (DType::F16, 128, 1, true, false),
        (DType::F16, 256, 1, true, false),
        (DType::F32, 64, 4, true, false),
        (DType::F32, 128, 4, false, false),
        (DType::BF16, 64, 16, true, true),
        (DType::F16, 256, 16, true, true),
    ] {
        let (len, row) = (2048, head as i64);
        let documents = Strides { offset: 0, batch: len as i64, head: 0, group: 0, seq: 1 };
        let shape = AttentionShape {
            dtype,
            batch,
            heads: 2,
            group: 1,
            q_len: len,
            kv_len: len,
            head,
            value: head,
            causal,
            window: 0,
            segments: packed.then_some([documents; 2]),
            shifted: false,
            scale: 0.125f64.to_bits(),
            by_threads: false,
        };
        let rows = len as i64 * row;
        let q = Strides { offset: 0, batch: 2 * rows, head: rows, group: 0, seq: row };
        let lse = Strides { offset: 0, batch: 2 * len as i64, head: len as i64, group: 0, seq: 1 };
        specs.push(KernelSpec::Attention(Attention { shape, q, k: q, v: q, o: q, lse }));
        if shape.is_narrow() {
            let spec = AttentionBackward { shape, q, k: q, v: q, o: q, lse, d_o: q, dq: q, dk: q, dv: q };
            specs.push(KernelSpec::AttentionBackward(spec));
        }
    }
    specs
}

/// What ptxas says of a kernel that it accepts without a warning, and whose blocks have registers enough.
fn assembled(ptxas: &Path, folder: &Path, target: GpuTarget, ptx: &str, threads: u32, spec: &KernelSpec) -> String {
    let (source, cubin) = (folder.join("k.ptx"), folder.join("k.cubin"));
    std::fs::write(&source, ptx).unwrap();
    let mut command = std::process::Command::new(ptxas);
    command.args(["-v", &format!("--gpu-name={target}"), "--output-file"]).args([&cubin, &source]);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}\n{spec}");
    // Such as that products of warpgroups are made to wait for each other.
    assert!(!said.to_lowercase().contains("warning") && !said.contains("serializ"), "{target}: {said}\n{spec}");
    // A block has its registers at once.
    let used = said.split("Used ").nth(1).and_then(|s| s.split(' ').next()?.parse::<u32>().ok()).unwrap();
    assert!(used.next_multiple_of(8) * threads <= 65536, "{target}: {said}\n{spec}");
    said
}

/// A product and a sum stay two operations with a rounding each, whether the kernel stores the product as well or not; `ptxas` fuses
/// nothing that is rounded by its name.
#[test]
fn products_and_sums_are_rounded_apart() {
    for stores_product in [false, true] {
        let mut body = Body::new(&[DType::F32; 5]);
        let [x, a, b] = [0, 1, 2].map(|buffer| body.leaf(access(buffer, &[100, 1])));
        let product = body.elem(Elem::Multiply, &[x, a]);
        let sum = body.elem(Elem::Add, &[product, b]);
        body.output(sum, access(3, &[100, 1]));
        if stores_product {
            body.output(product, access(4, &[100, 1]));
        }
        let spec = KernelSpec::Fused(Fused::new(&[24, 100], body));
        let text = meshloom_kernels::emit(&spec, &Target::V4).unwrap();
        let ptx = compile_ptx(&spec.symbol(), &text, mapping(&spec), GpuTarget::Sm80).unwrap();
        let (block, _) = meshloom_kernels::emit_gpu(&spec, GpuArch::Sm80, true).unwrap();
        let grid = Grid::of(&spec, GpuArch::Sm80, true);
        let block = compile_ptx(&grid.symbol(&spec), &block, Mapping::Blocks, GpuTarget::Sm80).unwrap();
        for ptx in [ptx, block] {
            let apart = ptx.contains("mul.rn.f32") && ptx.contains("add.rn.f32");
            assert!(apart && !ptx.contains("fma.") && !ptx.contains("mul.f32") && !ptx.contains("add.f32"), "{ptx}");
        }
    }
}

/// Kernels that wait at barriers give up after some time, and say so in a variable of the module: one, however many of them it has.
#[test]
fn kernels_that_wait_share_a_variable() {
    let waiting = dots().into_iter().filter_map(|spec| {
        let KernelSpec::Dot(dot) = &spec else { return None };
        let tiling = *Tiling::table(dot, GpuArch::Sm90a, true).iter().find(|t| t.producers > 0)?;
        let (grid, symbol) = (Grid::tiled(dot, tiling, true), spec.symbol());
        let text = meshloom_kernels::emit::gpu::emit(&spec, &grid, &symbol, EmitMode::Device).unwrap();
        Some((symbol.clone(), compile_ptx(&symbol, &text, Mapping::Blocks, GpuTarget::Sm90a).unwrap()))
    });
    let waiting: Vec<(String, String)> = waiting.take(2).collect();
    let variable = format!(".visible .global .align 8 .u64 {};", waited::VARIABLE);
    for (symbol, ptx) in &waiting {
        let number = waited::kernel_number(symbol);
        assert_eq!(ptx.matches(&variable).count(), 1, "{ptx}");
        let waits = ptx.matches("@early bra again").count();
        assert!(waits > 0 && ptx.matches(&format!("mov.u32 number, {number};")).count() == waits, "{ptx}");
        assert_eq!(ptx.matches("mbarrier.try_wait").count(), 2 * waits, "no other loop waits\n{ptx}");
    }
    let (symbol, text, mapping) = KERNELS[0];
    let plain = compile_ptx(symbol, text, mapping, GpuTarget::Sm90a).unwrap();
    assert!(!plain.contains(waited::VARIABLE));
    let modules = [&[plain.clone()][..], &waiting.iter().map(|w| w.1.clone()).collect::<Vec<_>>()].concat();
    let joined = join_ptx(&modules, GpuTarget::Sm90a).unwrap();
    assert_eq!((joined.matches(&variable).count(), joined.matches(".visible .entry").count()), (1, 3), "{joined}");
    assert!(!join_ptx(&[plain], GpuTarget::Sm90a).unwrap().contains(waited::VARIABLE));
    assemble("joined", &joined, GpuTarget::Sm90a, &ptxas(), 2).unwrap();
}

/// Every tiling of slices that are fetched, with operands along `k` and across it.
#[test]
fn fetching_kernels_assemble_without_spills() {
    let ptxas = ptxas();
    let folder = tempfile::tempdir().unwrap();
    let mut counts = Vec::new();
    for (target, gpu) in [(GpuTarget::Sm90a, GpuArch::Sm90a), (GpuTarget::Sm100a, GpuArch::Sm100a)] {
        let mut count = 0;
        for spec in dots() {
            let KernelSpec::Dot(dot) = &spec else { continue };
            for tiling in Tiling::table(dot, gpu, true).iter().filter(|t| t.producers > 0) {
                let grid = Grid::tiled(dot, *tiling, true);
                let text = meshloom_kernels::emit::gpu::emit(&spec, &grid, "k", EmitMode::Device).unwrap();
                let ptx = compile_ptx("k", &text, Mapping::Blocks, target).unwrap();
                let said = assembled(&ptxas, folder.path(), target, &ptx, grid.threads, &spec);
                assert!(said.contains("0 bytes spill stores, 0 bytes spill loads"), "{said}\n{tiling:?} {spec}");
                // Maps are read where they are, and not from a copy in a thread's memory.
                let maps = spec.entry().tensor_maps(&grid).len();
                assert!(ptx.matches(".param .align 64 .b8").count() == maps && !ptx.contains(".local"), "{ptx}");
                // Results are stored in boxes, where there are maps beside those of the operands.
                assert_eq!(ptx.contains(".global.shared::cta.bulk_group"), maps > 2, "{ptx}");
                // Registers are given over where three warpgroups share a multiprocessor's.
                assert_eq!(ptx.contains("setmaxnreg"), grid.threads == 384, "{spec}");
                assert_eq!(ptx.contains("tcgen05.mma.cta_group::1"), gpu == GpuArch::Sm100a, "{spec}");
                count += 1;
            }
        }
        counts.push(count);
    }
    // Two types of 16 bits along `k` and across, where one tile has no other for a pair; along it one pair of floats of 8 bits and of
    // integers one for warpgroups and two for tensor memory; and tf32 both ways.
    assert_eq!(counts, [2 * (7 + 6) + 3 + 7 + 2 * 4, 4 * 3 + 3 + 2 * 3]);
}

/// What a template keeps in registers stays there. Each architecture has a third of the attentions, and Hopper those whose tiles are fetched;
/// `MESHLOOM_GPU_ATTENTION=1` is for all.
#[test]
fn templates_assemble_without_spills() {
    let ptxas = ptxas();
    let folder = tempfile::tempdir().unwrap();
    let all = std::env::var_os("MESHLOOM_GPU_ATTENTION").is_some();
    for (n, (target, gpu)) in GpuTarget::ALL.into_iter().zip(GpuArch::ALL).enumerate() {
        assert_eq!(target.architecture(), gpu.name());
        let fetches = |s: &KernelSpec| Grid::of(s, gpu, true).tiles.producers > 0;
        let third =
            attentions().into_iter().enumerate().filter(|(i, s)| all || i % 3 == n || fetches(s)).map(|(_, s)| s);
        // Slices that threads copy as well as those that are fetched.
        let by_threads = dots().into_iter().filter_map(|s| match s {
            KernelSpec::Dot(d) if gpu.fetches() && d.on_tensor_cores() => {
                Some(KernelSpec::Dot(Dot { by_threads: true, ..d }))
            }
            _ => None,
        });
        for spec in scheduled(DType::F32).into_iter().chain(dots()).chain(by_threads).chain(third) {
            let grid = Grid::of(&spec, gpu, true);
            if grid.mapping == gpu::Mapping::Units {
                continue;
            }
            let symbol = grid.symbol(&spec);
            let (text, _) = meshloom_kernels::emit_gpu(&spec, gpu, true).unwrap();
            let ptx = compile_ptx(&symbol, &text, Mapping::Blocks, target).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert!(ptx.contains(&format!(".visible .entry {symbol}(")) && !ptx.contains(".extern .func"), "{ptx}");
            let attention = match &spec {
                KernelSpec::Attention(a) => a.shape.is_narrow(),
                KernelSpec::AttentionBackward(a) => a.shape.is_narrow(),
                _ => false,
            };
            let tensor = matches!(&spec, KernelSpec::Dot(d) if d.on_tensor_cores());
            let piped = grid.tiling.stages > 0;
            let tf32 = matches!(&spec, KernelSpec::Dot(d) if d.tf32);
            let integers = matches!(&spec, KernelSpec::Dot(d) if d.dtype().is_int8());
            // Warpgroups take integers of one kind alone.
            let mixed = matches!(&spec, KernelSpec::Dot(d) if integers && d.stored(0) != d.stored(1));
            let hopper = piped && target == GpuTarget::Sm90a && (!tf32 || grid.tiling.rounded) && !mixed;
            let fetched = grid.tiling.producers > 0 || grid.tiles.producers > 0;
            let blackwell = grid.tiling.in_tensor_memory();
            let by_groups = attention && fetched;
            let by_warps = ptx.contains(" mma.sync") || ptx.contains("	mma.sync");
            // Two warps measure queries beside the warpgroups that multiply.
            let measures = matches!(&spec, KernelSpec::AttentionBackward(_)) && by_groups;
            assert_eq!(by_warps, measures || attention && !by_groups || tensor && !hopper && !blackwell, "{spec}");
            assert_eq!(ptx.contains("tcgen05.mma"), blackwell, "{spec}");
            assert_eq!(ptx.contains("wgmma.mma_async"), hopper || by_groups, "{spec}");
            // Bytes as they are, where there are instructions for them and both operands lie along `k`.
            let bytes = matches!(&spec, KernelSpec::Dot(d) if d.dtype().is_float8());
            assert_eq!(ptx.contains(".f32.e4m3.e5m2"), bytes && piped && !blackwell, "{spec}");
            assert_eq!(ptx.contains("kind::f8f6f4"), bytes && blackwell, "{spec}");
            let pairs = ["s8.s8", "s8.u8", "u8.s8"];
            let by_warps = pairs.iter().any(|f| ptx.contains(&format!("m16n8k32.row.col.s32.{f}.s32")));
            assert_eq!(by_warps, integers && !hopper && !blackwell, "{spec}");
            assert_eq!(ptx.contains("k32.s32.s8.s8 "), integers && hopper, "{spec}");
            assert_eq!(ptx.contains("kind::i8"), integers && blackwell, "{spec}");
            assert!(piped == tensor || bytes || tf32 || integers, "{spec}");
            let product = if hopper { "k8.f32.tf32.tf32 " } else { "m16n8k8.row.col.f32.tf32.tf32.f32" };
            assert_eq!(ptx.contains(product) && ptx.contains("cvt.rna.tf32.f32"), tf32, "{spec}");
            let copies = matches!(&spec, KernelSpec::Attention(_) | KernelSpec::AttentionBackward(_));
            assert!(ptx.contains("cp.async.cg") == (piped && !fetched) || copies && !fetched, "{spec}");
            assert_eq!(ptx.contains("cp.async.bulk.tensor"), fetched, "{spec}");
            // Maps are read where they are, and not from a copy in a thread's memory.
            let maps = spec.entry().tensor_maps(&grid).len();
            assert!(
                ptx.matches(".param .align 64 .b8").count() == maps && !(fetched && ptx.contains(".local")),
                "{ptx}"
            );
            // Registers are given over where three warpgroups share a multiprocessor's.
            assert_eq!(ptx.contains("setmaxnreg"), fetched && grid.threads == 384, "{spec}");
            let said = assembled(&ptxas, folder.path(), target, &ptx, grid.threads, &spec);
            // The sums of doubles fill the registers; a few bytes of them are stored.
            let doubles = matches!(&spec, KernelSpec::Dot(d) if d.dtype() == DType::F64);
            let kept = said.contains("0 bytes spill stores, 0 bytes spill loads");
            // Where sums of long heads take almost all registers, the warps that measure and masked tiles have too few by some. Heads of 128
            // have 192 registers of sums, scores and gradients of weights: with 232 for each thread that multiplies, these spill 40 bytes
            // and the warps beside them, which have 40 each, 76. What is given to the latter is missed more: [224, 56] spill 228 bytes in
            // all, [216, 72] 80, [208, 88] 240, all of them where products are made (ptxas 13.0.88). There are no more than 504.
            let most = match &spec {
                KernelSpec::AttentionBackward(s) if by_groups && s.shape.head == 128 => 128,
                KernelSpec::AttentionBackward(s) if by_groups && s.shape.segments.is_some() => 32,
                _ => 0,
            };
            let stored =
                said.split(" bytes spill stores").next().and_then(|s| s.rsplit(' ').next()?.parse::<u32>().ok());
            if stored != Some(0) {
                println!("{target}: {} bytes of spilled registers: {}", stored.unwrap_or_default(), spec.symbol());
            }
            let few = stored.is_some_and(|bytes| bytes <= most);
            assert!(kept || doubles || few, "{target}: {said}\n{spec}");
        }
    }
}
