//! NCCL's functions, from wherever it is installed.

use crate::foreign::{self, functions};
use cudarc::nccl::sys::*;
use std::ffi::{CStr, c_char, c_int, c_void};

/// Names the library to take, for machines that have several, or one in a place that the loader does not know.
pub const VARIABLE: &str = "MESHLOOM_NCCL";

functions! {
    /// `libnccl.so.2`. Codes, types and operators are numbers, as in nccl.h. All functions are there since NCCL 2.19.
    pub struct NcclFunctions {
        fn ncclGetVersion(*mut c_int);
        fn ncclGetUniqueId(*mut ncclUniqueId);
        fn ncclCommInitRankConfig(*mut ncclComm_t, c_int, ncclUniqueId, c_int, *mut ncclConfig_t);
        fn ncclCommSplit(ncclComm_t, c_int, c_int, *mut ncclComm_t, *mut ncclConfig_t);
        fn ncclCommFinalize(ncclComm_t);
        fn ncclCommDestroy(ncclComm_t);
        fn ncclCommAbort(ncclComm_t);
        fn ncclCommGetAsyncError(ncclComm_t, *mut c_int);
        fn ncclCommRegister(ncclComm_t, *mut c_void, usize, *mut *mut c_void);
        fn ncclCommDeregister(ncclComm_t, *mut c_void);
        fn ncclGroupStart();
        fn ncclGroupEnd();
        fn ncclAllReduce(*const c_void, *mut c_void, usize, c_int, c_int, ncclComm_t, cudaStream_t);
        fn ncclAllGather(*const c_void, *mut c_void, usize, c_int, ncclComm_t, cudaStream_t);
        fn ncclReduceScatter(*const c_void, *mut c_void, usize, c_int, c_int, ncclComm_t, cudaStream_t);
        fn ncclSend(*const c_void, usize, c_int, c_int, ncclComm_t, cudaStream_t);
        fn ncclRecv(*mut c_void, usize, c_int, c_int, ncclComm_t, cudaStream_t);
    }
}

pub struct Nccl {
    pub functions: NcclFunctions,
    /// What the loader found it by.
    pub name: String,
    /// 22304 for 2.23.4.
    pub version: i32,
    words: Words,
}

/// The functions that give texts.
struct Words {
    code: unsafe extern "C" fn(u32) -> *const c_char,
    last: unsafe extern "C" fn(ncclComm_t) -> *const c_char,
}

impl Nccl {
    /// Loads the library that `MESHLOOM_NCCL` names, else `libnccl.so.2`, else `libnccl.so`, else what Python's packages have.
    ///
    /// # Errors
    /// What is missing.
    pub fn open() -> Result<Nccl, String> {
        let given = std::env::var(VARIABLE).ok().filter(|path| !path.is_empty());
        let (library, name) = match given {
            Some(path) => foreign::open(std::slice::from_ref(&path))
                .map_err(|why| format!("{VARIABLE} is {path}, which cannot be loaded: {why}"))?,
            None => foreign::open_anywhere(&["libnccl.so.2".into(), "libnccl.so".into()]).map_err(|_| {
                format!(
                    "libnccl.so.2 not found, neither by the loader nor in Python's packages; {VARIABLE} may name it"
                )
            })?,
        };
        Nccl::of(library, name)
    }

    /// The functions of an opened library.
    ///
    /// # Errors
    /// It is not NCCL, or an old one.
    pub fn of(library: libloading::Library, name: String) -> Result<Nccl, String> {
        type Code = unsafe extern "C" fn(u32) -> *const c_char;
        type Last = unsafe extern "C" fn(ncclComm_t) -> *const c_char;
        let lacks = |f: &str| format!("{name} has no {f}: NCCL 2.19 or newer is needed");
        // SAFETY: the types are those of nccl.h.
        let words = unsafe {
            let code = *library.get::<Code>(b"ncclGetErrorString").map_err(|_| lacks("ncclGetErrorString"))?;
            let last = *library.get::<Last>(b"ncclGetLastError").map_err(|_| lacks("ncclGetLastError"))?;
            Words { code, last }
        };
        // SAFETY: as above; codes, types and operators are C enums, which are passed as integers.
        let functions = unsafe { NcclFunctions::of(library) }.map_err(lacks)?;
        let mut version = 0;
        // SAFETY: writes one integer.
        let code = unsafe { (functions.ncclGetVersion)(&mut version) };
        if code != 0 {
            return Err(format!("{name} does not say its version: error {code}"));
        }
        Ok(Nccl { functions, name, version, words })
    }

    /// `2.23.4`.
    pub fn version_text(&self) -> String {
        format!("{}.{}.{}", self.version / 10_000, self.version % 10_000 / 100, self.version % 100)
    }

    /// What a code means, and what NCCL said last of this communicator.
    ///
    /// # Safety
    /// The communicator is alive, or null.
    pub unsafe fn explain(&self, code: u32, comm: ncclComm_t) -> String {
        // SAFETY: both give a constant text that ends with a 0, or null; the communicator is alive or null.
        let texts = unsafe { [(self.words.code)(code), (self.words.last)(comm)] };
        let text = |t: *const c_char| {
            // SAFETY: as above.
            (!t.is_null())
                .then(|| unsafe { CStr::from_ptr(t) }.to_string_lossy().trim().to_owned())
                .filter(|t| !t.is_empty())
        };
        texts.into_iter().filter_map(text).collect::<Vec<_>>().join(": ")
    }
}
