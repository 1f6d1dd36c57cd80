//! Objects that this process made, by what they were made of.
//!
//! An object is a function of the kernel's text, its mapping and the target, so a remembered one is the one that would be made. What
//! failed is not remembered: its error is made again. Not here: files. A cache that outlives the process would have to know each
//! tool that has a part in an object.

use crate::serve::in_process;
use meshloom_codegen::worker::{Compiled, CompiledKernels, KernelModule, Request};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

static OBJECTS: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());

/// All that an object depends on.
fn key(request: &Request, kernel: &KernelModule) -> String {
    format!("{:?} {:?} {}\n{}", request.target, kernel.mapping, kernel.symbol, kernel.text)
}

/// As [`in_process`], and no kernel twice: an object that this process made before is taken again. For tests that compile a
/// program on many meshes, most kernels of which are alike.
pub fn remembered(request: &Request) -> CompiledKernels {
    let keys: Vec<String> = request.kernels.iter().map(|k| key(request, k)).collect();
    let known = || OBJECTS.lock().unwrap_or_else(PoisonError::into_inner);
    let mut results: Vec<Option<Compiled>> = {
        let known = known();
        keys.iter().map(|k| known.get(k).cloned().map(Ok)).collect()
    };
    let new = request.kernels.iter().zip(&results).filter(|(_, r)| r.is_none()).map(|(k, _)| k.clone()).collect();
    let CompiledKernels { results: made, llvm } = in_process(&Request { kernels: new, ..request.clone() });
    let mut made = made.into_iter();
    for (key, slot) in keys.into_iter().zip(&mut results).filter(|(_, slot)| slot.is_none()) {
        *slot = made.next();
        if let Some(Ok(object)) = slot {
            known().insert(key, object.clone());
        }
    }
    CompiledKernels { results: results.into_iter().flatten().collect(), llvm }
}
