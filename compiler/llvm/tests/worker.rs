//! The child process, for real: this test has a `main` of its own so that it can be its own worker.

use libtest_mimic::{Arguments, Failed, Trial};
use meshloom_codegen::CodegenPhase;
use meshloom_codegen::target::CpuTarget;
use meshloom_codegen::worker::{self, Isolation, KernelModule, Request};

fn main() {
    meshloom_llvm::main_if_requested();
    let tests = vec![
        Trial::test("child_and_process_agree", child_and_process_agree),
        Trial::test("a_failing_kernel_is_named", a_failing_kernel_is_named),
        Trial::test("a_crash_names_the_kernel_and_keeps_it", a_crash_names_the_kernel_and_keeps_it),
        Trial::test("a_program_that_is_no_worker_is_an_error", a_program_that_is_no_worker_is_an_error),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests).exit();
}

fn kernel(symbol: &str, body: &str) -> KernelModule {
    let memref = "memref<1073741824xf32>";
    let text = format!("func.func @{symbol}(%x: {memref}, %lo: index, %hi: index) {{\n{body}\nreturn\n}}");
    KernelModule { symbol: symbol.to_owned(), text, mapping: Default::default() }
}

fn store(symbol: &str) -> KernelModule {
    kernel(symbol, "%c = arith.constant 1.0 : f32\nmemref.store %c, %x[%lo] : memref<1073741824xf32>")
}

fn request(kernels: Vec<KernelModule>) -> Request {
    Request { kernels, target: CpuTarget::Host.into(), threads: 2 }
}

fn child_and_process_agree() -> Result<(), Failed> {
    let request = request(vec![store("a"), store("b"), store("c")]);
    let child = worker::compile(&request, &Isolation::reexecute()?)?;
    assert_eq!(child, worker::compile(&request, &Isolation::InProcess(meshloom_llvm::in_process))?);
    // Some of the kernels are known, then all.
    let some = Request { kernels: request.kernels[1..2].to_vec(), ..request.clone() };
    assert_eq!(
        worker::compile(&some, &Isolation::InProcess(meshloom_llvm::remembered))?.objects[..],
        child.objects[1..2]
    );
    for _ in 0..2 {
        assert_eq!(child, worker::compile(&request, &Isolation::InProcess(meshloom_llvm::remembered))?);
    }
    assert_eq!(child.objects.len(), 3);
    let folder = tempfile::tempdir()?;
    child.link(&folder.path().join("kernels.so"))?;
    Ok(())
}

fn a_failing_kernel_is_named() -> Result<(), Failed> {
    let request = request(vec![store("good"), kernel("bad", "%c = arith.constant 1.0 : nonsense")]);
    for isolation in [
        Isolation::InProcess(meshloom_llvm::in_process),
        Isolation::InProcess(meshloom_llvm::remembered),
        Isolation::reexecute()?,
    ] {
        let error = worker::compile(&request, &isolation).unwrap_err();
        assert_eq!((error.phase, error.kernel.as_deref()), (CodegenPhase::Parse, Some("bad")));
        let path = error.reproducer.ok_or("no reproducer")?;
        assert!(std::fs::read_to_string(&path)?.contains("nonsense"));
        std::fs::remove_file(path)?;
    }
    Ok(())
}

fn a_crash_names_the_kernel_and_keeps_it() -> Result<(), Failed> {
    // Another machine's intrinsic: instruction selection gives up and ends the process.
    let deadly = kernel("deadly", "%t = llvm.call_intrinsic \"llvm.nvvm.read.ptx.sreg.tid.x\"() : () -> i32");
    let deadly = KernelModule {
        text: deadly.text.replace("return", "%i = arith.index_cast %t : i32 to index\nmemref.prefetch %x[%i], read, locality<3>, data : memref<1073741824xf32>\nreturn"),
        ..deadly
    };
    let request = request(vec![store("a"), deadly, store("b"), store("c")]);
    let error = worker::compile(&request, &Isolation::reexecute()?).unwrap_err();
    assert_eq!((error.phase, error.kernel.as_deref()), (CodegenPhase::Worker, Some("deadly")), "{error}");
    assert!(error.message.contains("signal"), "{error}");
    let path = error.reproducer.ok_or("no reproducer")?;
    assert!(std::fs::read_to_string(&path)?.contains("read.ptx.sreg"));
    std::fs::remove_file(path)?;
    Ok(())
}

fn a_program_that_is_no_worker_is_an_error() -> Result<(), Failed> {
    for program in ["/bin/true", "/bin/false", "/nonexistent"] {
        let error = worker::compile(&request(vec![store("a")]), &Isolation::Child(program.into())).unwrap_err();
        assert_eq!((error.phase, error.kernel), (CodegenPhase::Worker, None), "{program}");
    }
    Ok(())
}
