//! A worker: serves one request from its standard input, and requests of this process.

use crate::compile::{KernelProgress, compile_all_ptx, compile_all_with};
use crate::llvm::llvm_version;
use crate::roundtrip::roundtrip;
use meshloom_codegen::worker::protocol::{self, Event};
use meshloom_codegen::worker::{ARGUMENT, CodegenTarget, Compiled, CompiledKernels, Errand, Request, VERSION};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;
use std::sync::Mutex;

/// To be called first in `main`: if this process was started as a worker, serves its one request and exits.
#[expect(
    clippy::disallowed_methods,
    reason = "a worker is this program in another role; its caller's main must not go on"
)]
pub fn main_if_requested() {
    if std::env::args_os().nth(1).as_deref() == Some(OsStr::new(ARGUMENT)) {
        let served = serve(&mut io::stdin().lock(), io::stdout());
        if let Err(error) = &served {
            // A worker's standard error is read by its parent.
            let _ = writeln!(io::stderr(), "codegen worker: {error}");
        }
        std::process::exit(i32::from(served.is_err()));
    }
}

fn serve(input: &mut impl Read, output: impl Write + Send) -> io::Result<()> {
    let (asked, _): (Errand, _) = protocol::read(input)?;
    let output = Mutex::new(BufWriter::new(output));
    // Progress is what names the kernel if the next instruction is our last: it is flushed at once.
    let send = |event: &Event, blob: &[u8]| {
        let mut output = output.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        protocol::write(&mut *output, event, blob).and_then(|()| output.flush())
    };
    send(&Event::Worker { meshloom: VERSION.to_owned(), llvm: llvm_version(), loaded: loaded() }, &[])?;
    let request = match asked {
        Errand::Compile(request) => request,
        Errand::Print(text) => {
            send(&Event::Printed(roundtrip(&text)), &[])?;
            return send(&Event::Done, &[]);
        }
    };
    let results = watched(&request, &|index, progress| {
        let event = match progress {
            KernelProgress::Started => Event::Started(index),
            KernelProgress::Finished => Event::Finished(index),
        };
        // A parent that is gone needs no progress; the results below will meet the same error.
        let _ = send(&event, &[]);
    });
    for (index, result) in results.into_iter().enumerate() {
        match result {
            Ok(object) => send(&Event::Object(index), &object)?,
            Err(error) => send(&Event::Failed(index, error), &[])?,
        }
    }
    send(&Event::Done, &[])
}

/// The files that this process runs code of: libraries of LLVM and MLIR among them.
fn loaded() -> Vec<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let files: BTreeSet<&str> =
        maps.lines().filter(|l| l.contains("r-xp")).filter_map(|l| l.find('/').map(|at| &l[at..])).collect();
    files.into_iter().map(PathBuf::from).collect()
}

/// In this process, by LLVM.
pub fn in_process(request: &Request) -> CompiledKernels {
    CompiledKernels { results: watched(request, &|_, _| {}), llvm: llvm_version() }
}

/// The results of [`in_process`], with progress.
fn watched(request: &Request, progress: &(dyn Fn(usize, KernelProgress) + Sync)) -> Vec<Compiled> {
    match request.target {
        CodegenTarget::Cpu(target) => {
            let kernels: Vec<_> = request.kernels.iter().map(|k| (k.symbol.as_str(), k.text.as_str())).collect();
            compile_all_with(&kernels, target, request.threads, progress)
        }
        CodegenTarget::Gpu(target) => {
            let kernels: Vec<_> =
                request.kernels.iter().map(|k| (k.symbol.as_str(), k.text.as_str(), k.mapping)).collect();
            compile_all_ptx(&kernels, target, request.threads, progress)
        }
    }
}
