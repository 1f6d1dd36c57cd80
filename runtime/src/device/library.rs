//! Loads a bundle's kernels: the library for the highest CPU level that this CPU supports.

use super::call::KernelAddress;
use crate::error::{Result, RuntimeError};
use meshloom_bundle::{LibraryContents, LibraryKind};
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsRawFd, FromRawFd};

/// A loaded library. Kernels taken from it are valid as long as it lives.
pub struct Library {
    // Unloaded before the file is closed: while a library is loaded, the descriptor's number must not be given to another file, since the
    // loader knows libraries by path.
    library: libloading::Library,
    _file: File,
    pub name: String,
}

impl Library {
    /// Loads what [`choose`] takes.
    pub fn load(libraries: &[LibraryContents]) -> Result<Library> {
        let l = choose(libraries)?;
        let file = memory_file(&l.bytes)
            .map_err(|e| RuntimeError::usage(format!("kernels/{}", l.name), format!("cannot be written: {e}")))?;
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        // SAFETY: loading runs the library's initialisers. The bundle was given to be run, and its hashes were checked.
        let library = unsafe { libloading::Library::new(&path) }.map_err(|e| {
            // What the loader says is the cause of the error.
            let why = std::error::Error::source(&e).map_or_else(|| e.to_string(), ToString::to_string);
            RuntimeError::usage(format!("kernels/{}", l.name), format!("cannot be loaded: {why}"))
        })?;
        Ok(Library { library, _file: file, name: l.name.clone() })
    }

    pub fn kernel(&self, symbol: &str) -> Result<KernelAddress> {
        // SAFETY: only the address is taken here. That it is a function of the ABI is the compiler's promise.
        let f = unsafe { self.library.get::<unsafe extern "C" fn()>(symbol.as_bytes()) };
        f.map(|f| KernelAddress(*f as *const ()))
            .map_err(|_| RuntimeError::usage(format!("kernels/{}", self.name), format!("does not define `{symbol}`")))
    }
}

/// The library that asks for most among those whose CPU features are all here.
pub fn choose(libraries: &[LibraryContents]) -> Result<&LibraryContents> {
    let native = libraries.iter().filter(|l| l.kind == LibraryKind::ElfSo);
    let best = native.clone().filter(|l| missing(l).is_empty()).max_by_key(|l| l.cpu_features.len());
    best.ok_or_else(|| {
        let why: Vec<String> = native.map(|l| format!("`{}` needs {}", l.name, missing(l).join(", "))).collect();
        let why = if why.is_empty() { "the bundle holds none for CPUs".to_owned() } else { why.join("; ") };
        RuntimeError::usage("kernels", format!("no library of the bundle runs on this CPU: {why}"))
    })
}

/// The bytes as a file without a name: nothing to clean up, and no other process can change it.
fn memory_file(bytes: &[u8]) -> std::io::Result<File> {
    // SAFETY: a NUL-terminated name and a flag; the descriptor returned is new and owned by nobody else.
    let mut file = unsafe {
        let fd = libc::memfd_create(c"meshloom-kernels".as_ptr(), libc::MFD_CLOEXEC);
        if fd < 0 {
            return Err(std::io::Error::last_os_error());
        }
        File::from_raw_fd(fd)
    };
    file.write_all(bytes)?;
    Ok(file)
}

/// Features that a library uses and this CPU lacks.
fn missing(l: &LibraryContents) -> Vec<&str> {
    l.cpu_features.iter().map(String::as_str).filter(|f| !has(f)).collect()
}

macro_rules! detect {
    ($name:expr; $($f:tt)*) => { match $name { $($f => std::arch::is_x86_feature_detected!($f),)* _ => false } };
}

/// Whether this CPU has a feature, by the name that Rust and LLVM share. A name not known here counts as missing.
#[cfg(target_arch = "x86_64")]
pub fn has(feature: &str) -> bool {
    let feature = match feature {
        "bmi" => "bmi1",
        "cx16" => "cmpxchg16b",
        "sse4.2" | "sse4_2" => "sse4.2",
        "sse4.1" | "sse4_1" => "sse4.1",
        f => f,
    };
    detect!(feature; "sse" "sse2" "sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "cmpxchg16b" "avx" "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt"
        "movbe" "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl" "avx512vnni" "avx512bf16" "avx512fp16")
}

/// Whether this CPU has a feature. Elsewhere than on x86-64 only libraries that ask for nothing are loaded.
#[cfg(not(target_arch = "x86_64"))]
pub fn has(_feature: &str) -> bool {
    false
}
