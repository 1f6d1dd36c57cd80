//! What a kernel of a GPU says when it has waited for too long.
//!
//! Threads of a kernel wait at barriers in shared memory for copies and for each other. What never comes would keep them there for
//! ever, and the host with them, without a word. So they give up: a kernel writes one word to where the module's variable
//! [`VARIABLE`] points to (host memory that the device sees, or nowhere if it is 0), and traps. The word has, from its high bits
//! down, the kernel's number (32 bits), 1 (1 bit), the barrier's place (15 bits), the parity of the phase (1 bit) and the low bits of
//! the block's number (15 bits).

use std::fmt;

/// The variable of a module, of 8 bytes. Modules without kernels that wait have none.
pub const VARIABLE: &str = "meshloom_waited";

/// A barrier's bytes.
const BARRIER: u32 = 8;

/// What a kernel waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waited {
    /// [`kernel_number`] of its symbol.
    pub kernel: u32,
    /// Where the barrier lies in the block's shared memory, in bytes.
    pub barrier: u32,
    pub parity: u32,
    /// The lower 15 bits of the block's number.
    pub block: u32,
}

/// A kernel's number by its symbol: 32 bits of FNV-1a.
pub fn kernel_number(symbol: &str) -> u32 {
    symbol.bytes().fold(0x811c_9dc5, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
}

impl Waited {
    /// What a word says; `None` of the 0 that it is before.
    pub fn of(word: u64) -> Option<Waited> {
        let bits = word as u32;
        (bits >> 31 == 1).then(|| Waited {
            kernel: (word >> 32) as u32,
            barrier: ((bits >> 16) & 0x7fff) * BARRIER,
            parity: (bits >> 15) & 1,
            block: bits & 0x7fff,
        })
    }

    pub fn word(self) -> u64 {
        let place = ((self.barrier / BARRIER) & 0x7fff) << 16;
        let bits = (1 << 31) | place | ((self.parity & 1) << 15) | (self.block & 0x7fff);
        (u64::from(self.kernel) << 32) | u64::from(bits)
    }

    /// Says it in words, where `symbols` are the kernels that may have been running.
    pub fn tell(self, symbols: &[String]) -> String {
        let known = symbols.iter().find(|s| kernel_number(s) == self.kernel);
        let kernel = known.map_or_else(|| format!("kernel {:08x}", self.kernel), |s| format!("kernel `{s}`"));
        format!("{kernel} {self}")
    }
}

impl fmt::Display for Waited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Waited { barrier, parity, block, .. } = self;
        write!(
            f,
            "waited in vain: block {block}, the barrier at byte {barrier} of shared memory, phase of parity {parity}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_what_was_written() {
        let w = Waited { kernel: kernel_number("dot_1"), barrier: 227 * 1024 - 8, parity: 1, block: 131 };
        assert_eq!(Waited::of(w.word()), Some(w));
        assert_eq!(Waited::of(0), None);
        let said = w.tell(&["dot_0".into(), "dot_1".into()]);
        assert_eq!(
            said,
            "kernel `dot_1` waited in vain: block 131, the barrier at byte 232440 of shared memory, phase of parity 1"
        );
        assert!(w.tell(&[]).starts_with("kernel "), "{}", w.tell(&[]));
    }
}
