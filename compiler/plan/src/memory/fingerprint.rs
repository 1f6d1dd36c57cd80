//! What stands for a program where it is compared with very many others: two hashes that have nothing in common, 128 bits together. To
//! keep the programs themselves would take hundreds of megabytes.
//!
//! What a reader alone asks for is left out: names of values, and layouts. Not here: what constraints say of ports, and other things that no
//! kernel is made of.

use meshloom_ir::Func;
use std::hash::{Hash, Hasher};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(u64, u64);

/// Two hashes of the same words. Both multiply by an odd number; what each word meets differs.
#[derive(Default)]
struct Both(u64, u64);

impl Both {
    fn word(&mut self, w: u64) {
        self.0 = (self.0.rotate_left(23) ^ w).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.1 = (self.1 ^ w).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        self.1 ^= self.1 >> 32;
    }
}

impl Hasher for Both {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.word(u64::from_le_bytes(word));
        }
        self.word(bytes.len() as u64);
    }

    fn write_u8(&mut self, n: u8) {
        self.word(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.word(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        self.word(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.word(n as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

impl Fingerprint {
    pub fn of(func: &Func) -> Fingerprint {
        let mut to = Both::default();
        (&func.mesh, func.stashes_in_host).hash(&mut to);
        for p in func.inputs.iter().chain(&func.outputs) {
            (&p.name, p.role, p.stacked, p.first_layer, p.updates, &p.of, p.host, p.span).hash(&mut to);
        }
        for v in &func.values {
            (&v.ty, v.def, v.span).hash(&mut to);
        }
        for o in &func.ops {
            (&o.op, &o.operands, &o.results, &o.regions, o.parent).hash(&mut to);
            (o.span, o.phase, o.weight_grad, o.recompute).hash(&mut to);
        }
        for r in &func.regions {
            (&r.args, &r.ops, &r.yields, r.owner).hash(&mut to);
        }
        Fingerprint(to.finish(), to.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn func(op: &str, mesh: u64) -> Func {
        let text = format!(
            "func @f on [d: {mesh}] {{
  input %0 x: f32[100] @ [_] input
  %1 = {op} %0, %0 : f32[100] @ [_]
  output %1 out: output
}}
"
        );
        meshloom_ir::parse::parse(&text).unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn equal_programs_have_one_and_others_another() {
        let of = Fingerprint::of(&func("multiply", 2));
        assert_eq!(of, Fingerprint::of(&func("multiply", 2)));
        let without = Func { inputs: Vec::new(), ..func("multiply", 2) };
        for other in [func("add", 2), func("multiply", 4), without] {
            assert_ne!(of, Fingerprint::of(&other));
        }
        // Names and layouts of values make no other kernels.
        let mut unnamed = func("multiply", 2);
        unnamed.values.iter_mut().for_each(|v| (v.name, v.layout) = (None, None));
        assert_eq!(of, Fingerprint::of(&unnamed));
    }
}
