//! Tensor memory: 128 lanes of 512 columns of 32 bits, of which a block has some columns to itself. Products put sums there, a row in each
//! lane, and warps load them from there.
//!
//! Products are done in the background, in the order in which one thread begins them, and arrive at a barrier when they are done. Operands
//! lie in shared memory as for `wgmma` ([`super::super::tile`]), and so do most fields of their descriptors. What is multiplied stands in
//! a descriptor of the instruction. The fields are those of the PTX manual ("Tensor Core 5th generation instructions").
//!
//! Loads of a warp and the wait for them are one text, so no register is read before it is there.

use super::super::block::{MmaType, call};
use super::super::tile::{SharedLines, register_of};
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::gpu::LINE;

/// Columns that a lane loads at a time.
pub const LOADED: u64 = 32;

/// Bits of an address in tensor memory below its lane.
const LANE: u32 = 16;

const F32: Ty = Ty { kind: ElemKind::F32, lanes: 0 };
const I32: Ty = Ty { kind: ElemKind::I32, lanes: 0 };
const I64: Ty = Ty { kind: ElemKind::I64, lanes: 0 };

/// A product of 128 rows with so many columns; operands whose lines are rows, or (`across`) strips.
pub struct TensorProduct {
    pub factors: [MmaType; 2],
    pub across: [bool; 2],
    pub cols: u64,
}

impl TensorProduct {
    /// The instruction's descriptor, for sums in f32, or of integers in i32, which wrap.
    fn instruction(&self) -> i64 {
        let sums = if self.factors[0].is_integer() { 2 } else { 1 };
        let format = |f: MmaType| match f {
            MmaType::F16 | MmaType::E4m3 => 0,
            MmaType::Bf16 | MmaType::E5m2 => 1,
            MmaType::Tf32 => 2,
            MmaType::U8 => 0,
            MmaType::S8 => 1,
        };
        let [a, b] = self.factors.map(format);
        let [across_a, across_b] = self.across.map(i64::from);
        let (cols, rows) = (self.cols as i64 / 8, 128 / 16);
        sums << 4 | a << 7 | b << 10 | across_a << 15 | across_b << 16 | cols << 17 | rows << 24
    }

    fn kind(&self) -> &'static str {
        match self.factors[0].bytes() {
            1 if self.factors[0].is_integer() => "i8",
            1 => "f8f6f4",
            2 => "f16",
            _ => "tf32",
        }
    }
}

impl Builder {
    /// By a whole warp, once: takes so many columns, a power of two from 32 on, and writes where they begin to a word of shared memory.
    /// Blocks of one multiprocessor wait for each other here. No more are taken.
    pub fn allocate_tensor_memory(&mut self, to: Ix, columns: u64) {
        let (to, columns) = (self.word(to), self.int(I32, columns as i64));
        if self.emulated() {
            self.mail(&[to, columns]);
            return self.host(call::TENSOR_ALLOCATE);
        }
        let text = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], $1; \
                    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;";
        self.asm(text, "r,r,~{memory}", &[to, columns]);
    }

    /// By the warp that took them, when all are done with them.
    pub fn free_tensor_memory(&mut self, from: Ix, columns: u64) {
        let (from, columns) = (self.word(from), self.int(I32, columns as i64));
        if self.emulated() {
            self.mail(&[from, columns]);
            return self.host(call::TENSOR_FREE);
        }
        self.asm("tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, $1;", "r,r,~{memory}", &[from, columns]);
    }

    /// What the thread did with tensor memory comes before what it tells others from here on.
    pub fn fence_before_threads(&mut self) {
        if self.emulated() {
            return self.host(call::TENSOR_FENCE_BEFORE);
        }
        self.asm("tcgen05.fence::before_thread_sync;", "~{memory}", &[]);
    }

    /// What the thread does with tensor memory from here on comes after what others told it.
    pub fn fence_after_threads(&mut self) {
        if self.emulated() {
            return self.host(call::TENSOR_FENCE_AFTER);
        }
        self.asm("tcgen05.fence::after_thread_sync;", "~{memory}", &[]);
    }

    /// By one thread: begins the products of a line of `k`, which become the sums from this column on, or are added to them.
    pub fn multiply_in_tensor_memory(&mut self, p: &TensorProduct, to: Ix, lines: [SharedLines; 2], adds: Val) {
        let to = self.word(to);
        let [of_a, of_b] = lines.map(|l| self.tensor_descriptor(l));
        let adds = self.cast("extui", adds, ElemKind::I32);
        let steps = LINE / 32;
        if self.emulated() {
            let more = [p.instruction(), p.factors[0].bytes() as i64].map(|n| self.int(I32, n));
            let always = self.int(I32, 1);
            for step in 0..steps {
                let at = |b: &mut Builder, lines: SharedLines, descriptor: Val| {
                    let more = b.int(I64, lines.step(step) as i64 / 16);
                    let at = b.binary("addi", descriptor, more);
                    b.halves(at)
                };
                let (a, b) = (at(self, lines[0], of_a), at(self, lines[1], of_b));
                let adds = if step == 0 { adds } else { always };
                self.mail(&[&[to][..], &a, &b, &[more[0], adds, more[1]]].concat());
                self.host(call::TENSOR_PRODUCT);
            }
            return;
        }
        let mut text = format!(
            "{{ .reg .pred p, q; .reg .b64 a, b; .reg .b32 i; setp.ne.b32 p, $3, 0; setp.eq.b32 q, 0, 0; mov.b32 i, {}; ",
            p.instruction()
        );
        for step in 0..steps {
            let [a, b] = lines.map(|l| l.step(step) / 16);
            text += &format!(
                "add.s64 a, $1, {a}; add.s64 b, $2, {b}; tcgen05.mma.cta_group::1.kind::{} [$0], a, b, i, {}; ",
                p.kind(),
                if step == 0 { "p" } else { "q" }
            );
        }
        text += "}";
        self.asm(&text, "r,l,l,r,~{memory}", &[to, of_a, of_b, adds]);
    }

    /// When all products that the thread began are done, they arrive at this barrier. Who waited for it may overwrite what they read,
    /// and, after a fence, load the sums.
    pub fn commit_products_to(&mut self, barrier: Ix) {
        let barrier = self.word(barrier);
        if self.emulated() {
            self.mail(&[barrier]);
            return self.host(call::TENSOR_COMMIT);
        }
        let text = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];";
        self.asm(text, "r,~{memory}", &[barrier]);
    }

    /// By a whole warp: [`LOADED`] columns from this one on of the lane's row, in the 32 rows that the warp may read; sums of this
    /// type.
    pub fn load_from_tensor_memory(&mut self, at: Ix, ty: Ty) -> Vec<Val> {
        let at = self.word(at);
        if self.emulated() {
            self.mail(&[at]);
            self.host(call::TENSOR_LOAD);
            let word = |b: &mut Builder, i: u64| {
                let v = b.load(Buf::mail(), Ix::from(i), 0);
                if ty == F32 { b.bitcast(v, ElemKind::F32) } else { v }
            };
            return (0..LOADED).map(|i| word(self, i)).collect();
        }
        let names: Vec<String> = (0..LOADED).map(|i| format!("${i}")).collect();
        let text = format!(
            "tcgen05.ld.sync.aligned.32x32b.x{LOADED}.b32 {{{}}}, [${LOADED}]; tcgen05.wait::ld.sync.aligned;",
            names.join(", ")
        );
        let register = format!("=&{}", register_of(ty));
        let constraints = format!("{},r,~{{memory}}", vec![register; LOADED as usize].join(","));
        self.asm_results(&text, &constraints, &[at], ty, LOADED as usize)
    }

    /// What `tcgen05.mma` is told of an operand in shared memory. The swizzle has one bit more than for `wgmma`, and the same bits; bit
    /// 46 is always set.
    fn tensor_descriptor(&mut self, lines: SharedLines) -> Val {
        let (descriptor, fixed) = (self.descriptor(lines), self.int(I64, 1 << 46));
        self.binary("ori", descriptor, fixed)
    }
}

/// The address of the first of a warp's 32 rows in a column.
pub fn rows_of_warp(b: &mut Builder, column: Ix, warp: Ix) -> Ix {
    let lane = b.scale(warp, 32 << LANE);
    b.add(column, lane)
}
