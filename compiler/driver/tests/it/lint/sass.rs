//! Machine code of GPUs as `nvdisasm` writes it, as far as its instructions can be counted: kernels, their instructions, their loops.
//!
//! Not here: what an instruction reads and writes, and how often a loop goes round.

use std::collections::BTreeMap;
use std::ops::Range;

/// A kernel's own code, without the slow paths that it calls (of divisions and square roots).
pub struct Code {
    pub name: String,
    pub ops: Vec<String>,
    /// Loops, as the instructions from the label that is jumped back to up to the jump.
    pub loops: Vec<Range<usize>>,
    pub registers: u64,
}

/// What some instructions are.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Mix {
    pub instructions: u64,
    /// Bytes that a thread loads from and stores to memory, and those of accesses of 16 bytes.
    pub loaded: u64,
    pub stored: u64,
    pub wide: u64,
    /// Products of warps and of warpgroups.
    pub warp_products: u64,
    pub group_products: u64,
    /// Exponentials, reciprocals, roots.
    pub special: u64,
    /// Stores to shared memory.
    pub staged: u64,
    /// Boxes that are stored by tensor maps.
    pub boxes: u64,
    /// Calls of slow paths.
    pub calls: u64,
    /// Accesses of memory that spilled registers take.
    pub spills: u64,
    /// Two numbers rounded to 16 bits at once.
    pub pairs: u64,
}

impl Code {
    pub fn mix(&self, of: Range<usize>) -> Mix {
        let mut mix = Mix::default();
        for op in &self.ops[of] {
            mix.instructions += 1;
            let bytes = width(op);
            let words = op.split('.').next().unwrap_or("");
            match words {
                "LDG" | "LDGSTS" => mix.loaded += bytes,
                "STG" => mix.stored += bytes,
                "STS" => mix.staged += 1,
                "UTMASTG" => mix.boxes += 1,
                "HMMA" | "IMMA" | "DMMA" | "QMMA" => mix.warp_products += 1,
                "HGMMA" | "QGMMA" | "IGMMA" => mix.group_products += 1,
                "MUFU" => mix.special += 1,
                "CALL" => mix.calls += 1,
                "LDL" | "STL" => mix.spills += 1,
                "F2FP" => mix.pairs += 1,
                _ => {}
            }
            if matches!(words, "LDG" | "LDGSTS" | "STG") && bytes == 16 {
                mix.wide += bytes;
            }
        }
        mix
    }

    pub fn whole(&self) -> Mix {
        self.mix(0..self.ops.len())
    }

    /// Loops without a loop within.
    pub fn innermost(&self) -> impl Iterator<Item = &Range<usize>> {
        let holds = |a: &Range<usize>, b: &Range<usize>| a != b && a.start <= b.start && b.end <= a.end;
        self.loops.iter().filter(move |a| !self.loops.iter().any(|b| holds(a, b)))
    }
}

/// Bytes of an access of memory.
fn width(op: &str) -> u64 {
    let has = |word: &str| op.split('.').any(|w| w == word);
    match () {
        () if has("128") => 16,
        () if has("64") => 8,
        () if has("U16") || has("S16") => 2,
        () if has("U8") || has("S8") => 1,
        () => 4,
    }
}

/// The kernels of a listing by `nvdisasm -c`.
pub fn parse(listing: &str) -> Vec<Code> {
    let sections = listing.split("//--------------------- .text.").skip(1);
    sections.map(|s| kernel(s.split_whitespace().next().unwrap_or(""), s)).collect()
}

fn kernel(name: &str, section: &str) -> Code {
    let (mut ops, mut labels, mut jumps, mut registers) = (Vec::new(), BTreeMap::new(), Vec::new(), 0);
    for line in section.lines().map(str::trim) {
        // From here on come functions that it calls.
        if line.starts_with("$__internal") {
            break;
        }
        if let Some(label) = line.strip_suffix(':').filter(|l| l.starts_with(".L_x_")) {
            labels.insert(label.to_string(), ops.len());
            continue;
        }
        let Some((_, code)) = line.strip_prefix("/*").and_then(|l| l.split_once("*/")) else { continue };
        let mut words = code.split_whitespace().filter(|w| !w.starts_with('@'));
        let Some(op) = words.next().filter(|w| w.starts_with(|c: char| c.is_ascii_uppercase())) else { continue };
        registers = code.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(register).fold(registers, u64::max);
        if let Some(label) = op.starts_with("BRA").then(|| code.split(['(', ')']).nth(1)).flatten() {
            jumps.push((ops.len(), label.trim_matches('`').to_string()));
        }
        ops.push(op.trim_end_matches(';').to_string());
    }
    let target = |label: &String| labels.get(label).copied();
    let back = jumps.iter().filter_map(|(at, label)| target(label).filter(|t| t <= at).map(|t| t..at + 1));
    let mut loops: Vec<Range<usize>> = back.collect();
    loops.sort_by_key(|l| (l.start, l.end));
    loops.dedup();
    Code { name: name.to_string(), ops, loops, registers }
}

/// How many registers there are, if the last is so called.
fn register(word: &str) -> Option<u64> {
    word.strip_prefix('R')?.parse::<u64>().ok().map(|n| n + 1)
}

#[test]
fn listings_are_read() {
    let text = "//--------------------- .text.k --------------------------
.text.k:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_1:
        /*0010*/              @!P0 LDG.E.128 R4, desc[UR8][R2.64] ;
        /*0020*/                   MUFU.RSQ R36, R37 ;
        /*0030*/                   STG.E.U16 desc[UR8][R2.64], R23 ;
        /*0040*/              @!P2 BRA `(.L_x_1) ;
        /*0050*/                   EXIT ;
        .weak           $__internal_44
$__internal_44:
        /*0060*/                   MUFU.RCP R3, R0 ;
";
    let all = parse(text);
    let [k] = &all[..] else { panic!("{} kernels", all.len()) };
    assert_eq!((k.name.as_str(), k.ops.len(), k.registers), ("k", 6, 38));
    assert_eq!(k.loops.iter().map(|l| (l.start, l.end)).collect::<Vec<_>>(), [(1, 5)]);
    let mix = k.mix(1..5);
    let expected = Mix { instructions: 4, loaded: 16, stored: 2, wide: 16, special: 1, ..Mix::default() };
    assert_eq!(mix, expected);
    assert_eq!(k.innermost().count(), 1);
}
