//! Contractions of integers of 8 bits (`tests/data/stablehlo/integers`): what CPUs and GPUs compute is what the interpreter does, every
//! integer exactly, and tensor cores multiply the bytes as they lie in memory. Schedules are proved, and what kernels compile to is the
//! same each time.
//!
//! GPUs are the interpreter of PTX (`tests/ptx`). Not here: the kernels alone (`kernels/tests/it/dot.rs`).
#![cfg(feature = "llvm")]

use crate::support::{compiled, host, on, open, outputs, together};
use meshloom_bundle::{Bundle, LibraryKind, write};
use meshloom_codegen::worker::Isolation;
use meshloom_driver::recompile::{self, Code};
use meshloom_driver::{Program, Scheduled, backend, check, pipeline, plan};
use meshloom_ir::interp::eval::eval;
use meshloom_ir::{DType, Func, Tensor};
use meshloom_kernels::{BufferRole, Device, KernelSpec};
use meshloom_plan::Mode;
use meshloom_plan::cost::Target;
use meshloom_ptx::program::{Device as Interpreter, ptx};
use meshloom_random as random;
use meshloom_random::Rng;

const FILE: &str = "dots.mlir";

fn text() -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo/integers").join(FILE);
    std::fs::read_to_string(path).unwrap()
}

/// Inputs with bytes of all of their range.
fn inputs(func: &Func) -> Vec<Tensor> {
    let mut rng = Rng::new(5);
    let bytes = |x: Tensor| match x.ty.dtype {
        DType::I8 | DType::U8 => {
            Tensor::ints(x.ty.dtype, &x.ty.shape, (0..x.len()).map(|_| rng.below(256) as i64).collect())
        }
        _ => x,
    };
    random::inputs(func, 4).into_iter().map(bytes).collect()
}

fn on_gpu(target: &str) -> Program<Scheduled> {
    let mut options = on(&[], "");
    options.plan.target = Target::builtin(target).unwrap();
    let device = Device::Gpu(options.plan.target.arch.device().gpu().unwrap());
    let made =
        check(FILE, &text(), &options).and_then(|p| plan(p, &options)).and_then(|p| pipeline::lower_for(p, device));
    made.unwrap_or_else(|(e, _)| panic!("{target}: {e}"))
}

/// Of integers exactly, of floats but for rounding.
#[track_caller]
fn same(name: &str, func: &Func, want: &[Tensor], found: &[Vec<f64>]) {
    for ((port, w), got) in func.outputs.iter().zip(want).zip(found) {
        assert_eq!(got.len(), w.len(), "{name}: {}", port.name);
        for (i, &g) in got.iter().enumerate() {
            let within = if w.ty.dtype.is_float() { 1e-6 * w.f(i).abs().max(1.0) } else { 0.0 };
            let want = if w.ty.dtype.is_float() { w.f(i) } else { w.i(i) as f64 };
            assert!((g - want).abs() <= within, "{name}: {}[{i}] is {g}, not {want}", port.name);
        }
    }
}

/// Every schedule is proved as a whole.
fn proved(p: &Program<Scheduled>) {
    p.entries.iter().for_each(|e| assert!(e.audit.is_proved(), "{}: {:?}", e.name, e.audit.unfollowed));
}

#[test]
fn on_gpus_as_the_interpreter() {
    for target in ["a100-80g", "h100-sxm", "b200"] {
        let p = on_gpu(target);
        proved(&p);
        let (entry, gpu) = (&p.entries[0], Target::builtin(target).unwrap().arch.device().gpu().unwrap());
        let dots: Vec<_> = entry.scheduled.kernels.iter().filter(|k| matches!(k, KernelSpec::Dot(_))).collect();
        assert!(dots.len() >= 8 && dots.iter().all(|k| k.args()[..2].iter().all(|a| a.dtype.is_int8())), "{target}");
        let isolation = Isolation::InProcess(meshloom_llvm::remembered);
        let contents = backend::ptx_bundle(&p, gpu, &isolation, 2).unwrap();
        let bundle = Bundle::read(&write(&contents).unwrap()).unwrap();
        let code = ptx(&bundle).expect("PTX");
        let by_warps = |factors: &str| format!("mma.sync.aligned.m16n8k32.row.col.s32.{factors}.s32");
        let products = match target {
            "a100-80g" => ["s8.s8", "u8.s8", "s8.u8"].map(by_warps).to_vec(),
            // Factors of which one has a sign go by warps.
            "h100-sxm" => vec!["k32.s32.s8.s8".to_owned(), by_warps("u8.s8"), by_warps("s8.u8")],
            _ => vec!["tcgen05.mma.cta_group::1.kind::i8".to_owned()],
        };
        products.iter().for_each(|product| assert!(code.contains(product), "{target}: no {product}"));
        let floats = |k: &&&KernelSpec| k.args().iter().any(|a| a.role == BufferRole::Write && a.dtype == DType::F32);
        assert_eq!(dots.iter().filter(floats).count(), 1, "{target}: what dequantises is no kernel of its own");
        // Among them those that take the place of kernels with tensor maps.
        let kernels = entry.scheduled.named().collect();
        let again = recompile::libraries(&bundle.contents.libraries, &kernels, &isolation, 2).unwrap();
        let is_ptx = bundle.contents.libraries.iter().map(|l| l.kind == LibraryKind::Ptx);
        let holds = |(ptx, code): (bool, &Code)| *code == Code::Same || !ptx && matches!(code, Code::Unknown(_));
        assert!(is_ptx.zip(&again).all(holds), "{target}: {again:?}");
        let func = &entry.global;
        let (given, program) = (inputs(func), &bundle.contents.entries[0].program);
        let want = eval(func, &given).unwrap();
        let mut device = Interpreter::new(program, &code).unwrap();
        let port = |name: &str| program.ports.iter().find(|p| p.name == name).unwrap_or_else(|| panic!("no {name}"));
        for (p, x) in func.inputs.iter().zip(&given) {
            device.write(port(&p.name).offset, &host(x).bytes).unwrap();
        }
        device.step().unwrap_or_else(|fault| panic!("{target}: {fault}"));
        let read = |device: &mut Interpreter, name: &str| {
            let p = port(name);
            let bytes = device.read(p.offset, p.bytes).unwrap();
            meshloom_runtime::HostTensor { dtype: p.dtype, shape: vec![p.bytes / p.dtype.bytes()], bytes }
                .to_f64()
                .unwrap()
        };
        let found: Vec<Vec<f64>> = func.outputs.iter().map(|p| read(&mut device, &p.name)).collect();
        same(target, func, &want, &found);
    }
}

/// What quantises rows, the contraction that takes their scales, and a transposed copy of what many tiles read.
#[test]
fn kernels_for_a_gpu() {
    let p = on_gpu("a100-80g");
    let texts: Vec<String> = p.entries[0].scheduled.kernels.iter().map(KernelSpec::to_string).collect();
    insta::assert_snapshot!(texts.join("\n"));
}

/// On one device and on several.
#[test]
fn on_cpus_as_the_interpreter() {
    for (devices, mode) in [(1, Mode::Follow), (8, Mode::Search)] {
        let mut options = on(&[("m", devices)], "");
        options.plan.mode = mode;
        let p = compiled(FILE, &text(), &options);
        proved(&p);
        let func = p.entries[0].global.clone();
        let given = inputs(&func);
        let want = eval(&func, &given).unwrap();
        let all = together([("dots".to_owned(), p)]);
        let found = outputs(&mut open(&crate::support::bundle(&all), "dots"), &func, &given);
        same(&format!("{devices} devices"), &func, &want, &found);
    }
}
