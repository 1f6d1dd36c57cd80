//! cuBLASLt's functions, from wherever it is installed.

use crate::foreign::{self, functions};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;

/// Names the library to take, for machines that have several, or one in a place that the loader does not know.
pub const VARIABLE: &str = "MESHLOOM_CUBLASLT";

/// The oldest that is taken: 12.0.
const OLDEST: usize = 120_000;

/// Handles and descriptions of the library's.
pub type Handle = *mut c_void;

/// A `cublasLtMatmulAlgo_t`.
pub type Algorithm = [u64; 8];

/// A `cublasLtMatmulHeuristicResult_t`.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct HeuristicResult {
    pub algorithm: Algorithm,
    pub workspace: usize,
    pub state: c_uint,
    pub waves: f32,
    pub reserved: [c_int; 4],
}

functions! {
    /// `libcublasLt.so`. Codes, types and attributes are numbers, as in cublasLt.h.
    pub struct CublasFunctions {
        fn cublasLtCreate(*mut Handle);
        fn cublasLtDestroy(Handle);
        fn cublasLtMatmulDescCreate(*mut Handle, c_uint, c_uint);
        fn cublasLtMatmulDescDestroy(Handle);
        fn cublasLtMatmulDescSetAttribute(Handle, c_uint, *const c_void, usize);
        fn cublasLtMatrixLayoutCreate(*mut Handle, c_uint, u64, u64, i64);
        fn cublasLtMatrixLayoutDestroy(Handle);
        fn cublasLtMatrixLayoutSetAttribute(Handle, c_uint, *const c_void, usize);
        fn cublasLtMatmulPreferenceCreate(*mut Handle);
        fn cublasLtMatmulPreferenceDestroy(Handle);
        fn cublasLtMatmulPreferenceSetAttribute(Handle, c_uint, *const c_void, usize);
        fn cublasLtMatmulAlgoGetHeuristic(Handle, Handle, Handle, Handle, Handle, Handle, Handle, c_int, *mut HeuristicResult, *mut c_int);
        fn cublasLtMatmul(
            Handle, Handle, *const c_void, *const c_void, Handle, *const c_void, Handle, *const c_void, *const c_void, Handle,
            *mut c_void, Handle, *const Algorithm, *mut c_void, usize, *mut c_void,
        );
    }
}

/// The library, with a handle for the current device.
pub struct Blas {
    pub(super) functions: CublasFunctions,
    pub(super) handle: Handle,
    /// What the loader found it by.
    pub name: String,
    /// 120103 for 12.1.3.
    pub version: usize,
    word: unsafe extern "C" fn(c_uint) -> *const c_char,
}

impl Blas {
    /// Opens the library that `MESHLOOM_CUBLASLT` names, else the newest that a driver for this CUDA (13000 for 13.0) can run: where the
    /// loader looks, else in Python's packages.
    ///
    /// # Errors
    /// What is missing.
    pub fn open(cuda: i32) -> Result<Blas, String> {
        Blas::find(cuda)?.start()
    }

    fn find(cuda: i32) -> Result<Blas, String> {
        let given = std::env::var(VARIABLE).ok().filter(|path| !path.is_empty());
        let newest = if cuda >= 13_000 { Some("libcublasLt.so.13") } else { None };
        let names = match &given {
            Some(path) => vec![path.clone()],
            None => newest.into_iter().chain(["libcublasLt.so.12", "libcublasLt.so"]).map(String::from).collect(),
        };
        let (library, name) = match &given {
            Some(path) => {
                foreign::open(&names).map_err(|why| format!("{VARIABLE} is {path}, which cannot be loaded: {why}"))?
            }
            None => foreign::open_anywhere(&names).map_err(|_| {
                let name = &names[0];
                format!("{name} not found, neither by the loader nor in Python's packages; {VARIABLE} may name it")
            })?,
        };
        Blas::found(library, name)
    }

    /// The functions of an opened library, and a handle.
    ///
    /// # Errors
    /// It is another one, too old, or does not start.
    pub fn of(library: libloading::Library, name: String) -> Result<Blas, String> {
        Blas::found(library, name)?.start()
    }

    fn found(library: libloading::Library, name: String) -> Result<Blas, String> {
        type Version = unsafe extern "C" fn() -> usize;
        type Word = unsafe extern "C" fn(c_uint) -> *const c_char;
        let lacks = |f: &str| format!("{name} has no {f}: cuBLASLt 12.0 or newer is needed");
        // SAFETY: the types are those of cublasLt.h; the first takes nothing and returns a number.
        let (version, word) = unsafe {
            let version = *library.get::<Version>(b"cublasLtGetVersion").map_err(|_| lacks("cublasLtGetVersion"))?;
            let word =
                *library.get::<Word>(b"cublasLtGetStatusString").map_err(|_| lacks("cublasLtGetStatusString"))?;
            (version(), word)
        };
        if version < OLDEST {
            return Err(format!("{name} is cuBLASLt {}: 12.0 or newer is needed", version_text(version)));
        }
        // SAFETY: as above; codes, types and attributes are C enums, which are passed as integers.
        let functions = unsafe { CublasFunctions::of(library) }.map_err(lacks)?;
        Ok(Blas { functions, handle: null_mut(), name, version, word })
    }

    fn start(mut self) -> Result<Blas, String> {
        // SAFETY: writes one handle.
        let code = unsafe { (self.functions.cublasLtCreate)(&mut self.handle) };
        if code != 0 {
            self.handle = null_mut();
            return Err(format!("{} does not start: {}", self.name, self.explain(code)));
        }
        Ok(self)
    }

    pub fn version_text(&self) -> String {
        version_text(self.version)
    }

    /// `CUBLAS_STATUS_NOT_SUPPORTED (error 15)`.
    pub(super) fn explain(&self, code: c_uint) -> String {
        // SAFETY: gives a constant text that ends with a 0, or null.
        let text = unsafe {
            let text = (self.word)(code);
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        };
        text.map_or_else(|| format!("error {code}"), |t| format!("{t} (error {code})"))
    }
}

impl Drop for Blas {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: made once, given back once; plans hold the library, so none is left.
            unsafe { (self.functions.cublasLtDestroy)(self.handle) };
        }
    }
}

/// The version and the file of the library, for a driver of this version of CUDA. Without a driver the library is found and not started.
///
/// # Errors
/// What is missing.
pub fn describe(cuda: Option<i32>) -> Result<String, String> {
    let blas = match cuda {
        Some(version) => Blas::open(version)?,
        None => Blas::find(i32::MAX)?,
    };
    Ok(format!("{} ({})", blas.version_text(), blas.name))
}

/// `12.1.3` for 120103.
fn version_text(version: usize) -> String {
    format!("{}.{}.{}", version / 10_000, version % 10_000 / 100, version % 100)
}
