//! The child process, for real: this test has a `main` of its own so that it can be its own worker.

use libtest_mimic::{Arguments, Failed, Trial};
use meshloom_codegen::CodegenPhase;
use meshloom_codegen::cache::{KernelCache, MOST_BYTES};
use meshloom_codegen::target::CpuTarget;
use meshloom_codegen::worker::{self, Artifacts, Isolation, KernelModule, Request, Worker};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

fn main() {
    meshloom_llvm::main_if_requested();
    let tests = vec![
        Trial::test("child_and_process_agree", child_and_process_agree),
        Trial::test("a_failing_kernel_is_named", a_failing_kernel_is_named),
        Trial::test("a_crash_names_the_kernel_and_keeps_it", a_crash_names_the_kernel_and_keeps_it),
        Trial::test("a_program_that_is_no_worker_is_an_error", a_program_that_is_no_worker_is_an_error),
        Trial::test("kernels_are_compiled_once", kernels_are_compiled_once),
        Trial::test("a_cache_that_was_damaged_is_none", a_cache_that_was_damaged_is_none),
        Trial::test("a_cache_has_a_limit", a_cache_has_a_limit),
        Trial::test("others_may_not_write_into_a_cache", others_may_not_write_into_a_cache),
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
        let error =
            worker::compile(&request(vec![store("a")]), &Isolation::Child(Worker::new(program.into()))).unwrap_err();
        assert_eq!((error.phase, error.kernel), (CodegenPhase::Worker, None), "{program}");
    }
    Ok(())
}

/// For one level: what is for whatever machine compiles it is not kept.
fn kept(symbols: &[&str]) -> Request {
    Request { target: CpuTarget::X86_64V3.into(), ..request(symbols.iter().map(|s| store(s)).collect()) }
}

/// What a run makes that finds a cache in a folder, and how many kernels it took from there.
fn run(request: &Request, program: &Path, folder: &Path, most: u64) -> Result<(Artifacts, usize), Failed> {
    let cache = KernelCache::open(folder.join("kernels"), most)?;
    let worker = Worker { program: program.into(), cache: Some(cache.clone()) };
    Ok((worker::compile(request, &Isolation::Child(worker))?, cache.taken()))
}

fn kernels(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let mut all = Vec::new();
    for part in fs::read_dir(folder.join("kernels"))? {
        if let Ok(files) = fs::read_dir(part?.path()) {
            all.extend(files.map(|f| f.map(|f| f.path())).collect::<Result<Vec<_>, _>>()?);
        }
    }
    all.sort();
    Ok(all)
}

fn kernels_are_compiled_once() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    // A worker of its own, which can be replaced.
    let program = folder.path().join("worker");
    fs::copy(std::env::current_exe()?, &program)?;
    let fresh = worker::compile(&kept(&["a", "b", "c"]), &Isolation::reexecute()?)?;
    let some = run(&kept(&["b"]), &program, folder.path(), MOST_BYTES)?;
    assert_eq!((&some.0.objects[0], some.1), (&fresh.objects[1], 0));
    assert_eq!(run(&kept(&["a", "b", "c"]), &program, folder.path(), MOST_BYTES)?, (fresh.clone(), 1));
    assert_eq!(run(&kept(&["a", "b", "c"]), &program, folder.path(), MOST_BYTES)?, (fresh.clone(), 3));
    // Another target, another name and another text are other kernels.
    let other = Request { target: CpuTarget::X86_64V4.into(), ..kept(&["a"]) };
    assert_eq!(run(&other, &program, folder.path(), MOST_BYTES)?.1, 0);
    let mut other = kept(&["a"]);
    other.kernels[0].text = other.kernels[0].text.replace("1.0", "2.0");
    assert_ne!(run(&other, &program, folder.path(), MOST_BYTES)?.0.objects, fresh.objects[..1]);
    // Those for this machine are not kept.
    let host = request(vec![store("a")]);
    let first = run(&host, &program, folder.path(), MOST_BYTES)?;
    assert_eq!((first.1, run(&host, &program, folder.path(), MOST_BYTES)?.1), (0, 0));
    // A worker that was replaced has compiled nothing yet; one that is no worker is an error as before.
    fs::remove_file(&program)?;
    fs::copy(std::env::current_exe()?, &program)?;
    assert_eq!(run(&kept(&["a", "b", "c"]), &program, folder.path(), MOST_BYTES)?, (fresh, 0));
    assert!(run(&kept(&["a"]), Path::new("/bin/false"), folder.path(), MOST_BYTES).is_err());
    Ok(())
}

fn a_cache_that_was_damaged_is_none() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let program = std::env::current_exe()?;
    let asked = kept(&["a", "b", "c", "d"]);
    let (fresh, _) = run(&asked, &program, folder.path(), MOST_BYTES)?;
    let files = kernels(folder.path())?;
    assert_eq!(files.len(), 4);
    let bytes = fs::read(&files[0])?;
    fs::write(&files[0], &bytes[..bytes.len() - 1])?;
    fs::write(&files[1], b"")?;
    let mut bytes = fs::read(&files[2])?;
    *bytes.last_mut().ok_or("empty")? ^= 1;
    fs::write(&files[2], bytes)?;
    assert_eq!(run(&asked, &program, folder.path(), MOST_BYTES)?, (fresh.clone(), 1));
    assert_eq!(run(&asked, &program, folder.path(), MOST_BYTES)?, (fresh.clone(), 4));
    // What says what compiles may be damaged as well.
    for record in fs::read_dir(folder.path().join("kernels"))? {
        let record = record?.path();
        if record.is_file() {
            fs::write(record, "{")?;
        }
    }
    assert_eq!(run(&asked, &program, folder.path(), MOST_BYTES)?, (fresh, 4));
    Ok(())
}

fn a_cache_has_a_limit() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let program = std::env::current_exe()?;
    run(&kept(&["a", "b", "c", "d", "e", "f", "g", "h"]), &program, folder.path(), MOST_BYTES)?;
    let bytes = |files: &[PathBuf]| files.iter().map(|f| fs::metadata(f).map_or(0, |m| m.len())).sum::<u64>();
    let most = bytes(&kernels(folder.path())?);
    run(&kept(&["i"]), &program, folder.path(), most)?;
    let left = kernels(folder.path())?;
    assert!(bytes(&left) <= most / 4 * 3 && left.len() >= 5, "{left:?}");
    // The newest one is there.
    assert_eq!(run(&kept(&["i"]), &program, folder.path(), most)?.1, 1);
    Ok(())
}

fn others_may_not_write_into_a_cache() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777))?;
    assert!(KernelCache::open(folder.path().into(), 1).unwrap_err().contains("others may write"));
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700))?;
    let cache = KernelCache::open(folder.path().join("a/b"), 1)?;
    assert_eq!(fs::metadata(cache.folder())?.permissions().mode() & 0o777, 0o700);
    fs::write(folder.path().join("file"), "")?;
    assert!(KernelCache::open(folder.path().join("file/c"), 1).is_err());
    Ok(())
}
