//! Kernels that can be launched: decoded, with their parameters and shared memory laid out.

use crate::decode::{Instr, decode};
use crate::operand::SHARED;
use crate::parse::RawKernel;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where shared memory of the program begins: the first bytes are the system's, as they are on Hopper.
const SHARED_BEGINS: u64 = 1024;
/// A kernel that can be launched.
pub struct Kernel {
    pub name: String,
    pub instrs: Vec<Instr>,
    pub registers: Vec<u32>,
    pub names: Arc<[String]>,
    /// Where each parameter lies, and its size.
    pub params: Vec<(u64, u64)>,
    /// Bytes of shared memory before the part whose size a launch gives.
    pub dynamic: u64,
}

impl Kernel {
    /// Lays a parsed kernel out. `globals` are the module's variables.
    ///
    /// # Errors
    /// An instruction that is not known.
    pub fn new(name: &str, raw: &RawKernel, globals: &BTreeMap<String, u64>) -> Result<Kernel, String> {
        let mut names = globals.clone();
        let mut at = SHARED_BEGINS;
        let sized = raw.shared.iter().filter(|v| v.size > 0).chain(raw.shared.iter().filter(|v| v.size == 0));
        for v in sized {
            at = at.next_multiple_of(v.align);
            names.insert(v.name.clone(), SHARED | at);
            at += v.size;
        }
        let dynamic = at;
        let (mut at, mut params) = (0, Vec::new());
        for v in &raw.params {
            at = u64::next_multiple_of(at, v.align);
            names.insert(v.name.clone(), at);
            params.push((at, v.size));
            at += v.size;
        }
        let instrs = decode(raw, &|n| names.get(n).copied()).map_err(|why| format!("{name}, {why}"))?;
        let (registers, names) = (raw.registers.clone(), raw.names.clone().into());
        Ok(Kernel { name: name.to_owned(), instrs, registers, names, params, dynamic })
    }
}
