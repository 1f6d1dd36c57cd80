//! What kernels for GPUs have beside arithmetic and loops: threads and blocks, shared memory, barriers, exchange within a warp.
//!
//! One text has two forms. [`EmitMode::Device`] is for a GPU. [`EmitMode::Emulated`] is one thread of the same kernel as a
//! function for a CPU: where threads meet, the function leaves what it has in its mailbox and calls the host, which first brings
//! the other threads to the same place. So tests run what GPUs are given, on machines that have none
//! (`tests/it/support/gpu.rs`).

pub use crate::emit::builder::EmitMode;
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::expr::DType;
use crate::gpu::WARP;

/// Why an emulated thread calls the host.
pub mod call {
    /// All threads of the block meet.
    pub const BARRIER: i64 = 0;
    /// Word 0 becomes that of the lane whose number differs in the bits of word 1.
    pub const SHUFFLE_XOR: i64 = 1;
    /// Words 0 to 3 and 4 to 5 are the lane's fragments of the factors, 6 to 9 of the sums, which become the new ones, 10 and 11 the
    /// places of the factors in [`super::MmaType::ALL`].
    pub const MULTIPLY: i64 = 2;
    /// Words: an address in shared memory, one in memory (64 bits), the bytes that are there (16 or none).
    pub const COPY: i64 = 4;
    pub const COMMIT_COPIES: i64 = 5;
    /// Word 0: groups that may be under way.
    pub const WAIT_COPIES: i64 = 6;
    pub const FENCE_ASYNC: i64 = 7;
    /// Word 0: an address in shared memory. Words 0 to 3 become the lane's parts.
    pub const MATRICES: i64 = 8;
    pub const MATRICES_TRANSPOSED: i64 = 9;
    /// One instruction of a warpgroup. Words: two descriptors (64 bits), the columns, which operands lie across (a bit each), the places of
    /// the factors in [`super::MmaType::ALL`], whether the first factor is in registers, where its sums
    /// begin among the thread's, and then the thread's four words of it.
    pub const PRODUCTS: i64 = 10;
    /// Word 0: groups that may be under way; the sums from word 1 on become the new ones.
    pub const WAIT_PRODUCTS: i64 = 11;
    /// Words: the address of a barrier in shared memory, the arrivals that a phase of it takes.
    pub const INIT_BARRIER: i64 = 12;
    pub const FENCE_BARRIERS: i64 = 13;
    /// Words: a barrier, the parity of a phase. Returns when that is over.
    pub const AWAIT_PHASE: i64 = 14;
    /// Word 0: a barrier.
    pub const ARRIVE: i64 = 15;
    /// Words: a barrier, bytes that its phase waits for besides. An arrival, too.
    pub const ARRIVE_EXPECTING: i64 = 16;
    /// Words: the number of a tensor map, an address in shared memory, a barrier, up to five coordinates.
    pub const FETCH: i64 = 17;
    /// All lanes of the warp meet.
    pub const WARP_BARRIER: i64 = 18;
    /// The thread's products since the last call are one group.
    pub const COMMIT_PRODUCTS: i64 = 19;
    /// As [`FETCH`], to the same places of both blocks of a cluster.
    pub const FETCH_TO_BOTH: i64 = 20;
    /// Words: a barrier, the block of the cluster whose it is.
    pub const ARRIVE_AT: i64 = 21;
    /// All threads of the cluster's blocks meet.
    pub const CLUSTER_BARRIER: i64 = 22;
    /// Words as for [`FETCH`], without a barrier: a box that goes from shared memory to a tensor.
    pub const STORE_BOX: i64 = 23;
    /// The boxes that the thread had stored since the last call are one group.
    pub const COMMIT_STORES: i64 = 24;
    /// Words: groups that may be under way, whether the others only have to be read.
    pub const WAIT_STORES: i64 = 25;
    /// By a warp. Words: an address in shared memory, columns of tensor memory; where they begin is written there.
    pub const TENSOR_ALLOCATE: i64 = 26;
    /// By a warp. Words: where columns of tensor memory begin, how many they are.
    pub const TENSOR_FREE: i64 = 27;
    /// One instruction of a thread. Words: an address in tensor memory, two descriptors (64 bits), the instruction's descriptor, whether
    /// sums are added to those that are there, the bytes of a factor.
    pub const TENSOR_PRODUCT: i64 = 28;
    /// Word 0: a barrier, at which what the thread had multiplied arrives.
    pub const TENSOR_COMMIT: i64 = 29;
    /// By a warp. Word 0: an address in tensor memory; words 0 to 31 become columns of the lane's row.
    pub const TENSOR_LOAD: i64 = 30;
    pub const TENSOR_FENCE_BEFORE: i64 = 31;
    pub const TENSOR_FENCE_AFTER: i64 = 32;
}

/// What tensor cores multiply. In all of them an instruction takes 32 bytes of each row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MmaType {
    Bf16,
    F16,
    E4m3,
    E5m2,
    Tf32,
    /// Integers of 8 bits. Their products are summed in 32 bits, and wrap.
    S8,
    U8,
}

impl MmaType {
    pub const ALL: [MmaType; 7] =
        [MmaType::Bf16, MmaType::F16, MmaType::E4m3, MmaType::E5m2, MmaType::Tf32, MmaType::S8, MmaType::U8];

    /// What numbers of a type are to tensor cores.
    pub fn of(dtype: DType) -> MmaType {
        match dtype {
            DType::F16 => MmaType::F16,
            DType::F8E4M3 => MmaType::E4m3,
            DType::F8E5M2 => MmaType::E5m2,
            DType::F32 => MmaType::Tf32,
            DType::I8 => MmaType::S8,
            DType::U8 => MmaType::U8,
            _ => MmaType::Bf16,
        }
    }

    /// As PTX calls it.
    pub fn name(self) -> &'static str {
        match self {
            MmaType::Bf16 => "bf16",
            MmaType::F16 => "f16",
            MmaType::E4m3 => "e4m3",
            MmaType::E5m2 => "e5m2",
            MmaType::Tf32 => "tf32",
            MmaType::S8 => "s8",
            MmaType::U8 => "u8",
        }
    }

    pub fn is_integer(self) -> bool {
        matches!(self, MmaType::S8 | MmaType::U8)
    }

    /// In what products are summed.
    pub(crate) fn sums(self) -> Ty {
        Ty::scalar(if self.is_integer() { ElemKind::I32 } else { ElemKind::F32 })
    }

    pub fn bytes(self) -> u64 {
        match self {
            MmaType::Bf16 | MmaType::F16 => 2,
            MmaType::E4m3 | MmaType::E5m2 | MmaType::S8 | MmaType::U8 => 1,
            MmaType::Tf32 => 4,
        }
    }

    /// Steps of `k` that one instruction takes.
    pub fn depth(self) -> u64 {
        32 / self.bytes()
    }
}

const I32: Ty = Ty { kind: ElemKind::I32, lanes: 0 };
const INDEX: Ty = Ty { kind: ElemKind::Index, lanes: 0 };

impl Builder {
    /// The thread's number in its block.
    pub fn thread(&mut self) -> Ix {
        self.register("tid.x", "%thread")
    }

    /// An index that is the same for all lanes of a warp, in a form in which the assembler sees that: it then computes what follows from it
    /// once for the warp, and has no need to think of lanes that take other branches. All lanes must call.
    pub fn uniform(&mut self, x: Ix) -> Ix {
        if self.form() == EmitMode::Emulated {
            return x;
        }
        let x = self.ix(x);
        let x = self.cast("index_cast", x, ElemKind::I32);
        let (all, first, last) = (self.int(I32, -1), self.int(I32, 0), self.int(I32, WARP as i64 - 1));
        let (all, x, first, last) = (all.number(), x.number(), first.number(), last.number());
        let x = self.op(I32, format_args!("nvvm.shfl.sync idx %{all}, %{x}, %{first}, %{last} : i32 -> i32"));
        self.op(INDEX, format_args!("arith.index_castui %{} : i32 to index", x.number())).into()
    }

    /// Whether the thread is the one of its warp that does what one thread is to do, the same one each time. All lanes must call. The
    /// assembler knows that no other lane comes there: where it has to ask for a lane's number, it makes a loop over lanes of each instruction
    /// whose operands are those of the warp, such as copies by tensor maps and products in tensor memory.
    pub fn elected(&mut self) -> Val {
        if self.form() == EmitMode::Emulated {
            let thread = self.thread();
            let (_, lane) = self.div_rem(thread, WARP);
            return self.test("eq", lane, Ix::ZERO);
        }
        let text = "{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.b32 $0, 1, 0, p; }";
        let word = self.op(I32, format_args!("llvm.inline_asm has_side_effects \"{text}\", \"=r\" : () -> i32"));
        let word = Ix::from(self.cast("index_castui", word, ElemKind::Index));
        self.test("ne", word, Ix::ZERO)
    }

    pub fn block(&mut self) -> Ix {
        self.register("ctaid.x", "%block")
    }

    /// How many blocks there are.
    pub fn blocks(&mut self) -> Ix {
        self.register("nctaid.x", "%blocks")
    }

    fn register(&mut self, name: &str, argument: &str) -> Ix {
        if self.form() == EmitMode::Emulated {
            return self.argument(argument);
        }
        let narrow = self.constant(I32, format!("nvvm.read.ptx.sreg.{name} : i32"));
        self.constant(INDEX, format!("arith.index_castui %{} : i32 to index", narrow.number())).into()
    }

    /// All threads of the block meet; what one wrote to shared memory before, the others read after.
    pub fn barrier(&mut self) {
        match self.form() {
            EmitMode::Device => self.line(format_args!("nvvm.barrier")),
            EmitMode::Emulated => self.host(call::BARRIER),
        }
    }

    /// Calls the host of an emulation.
    pub(super) fn host(&mut self, why: i64) {
        let why = self.int(I32, why);
        self.line(format_args!("llvm.call %host(%{}) : !llvm.ptr, (i32) -> ()", why.number()));
    }

    /// The value of the lane whose number differs in the bits of `mask`: all lanes of the warp exchange theirs.
    pub fn shuffle_xor(&mut self, v: Val, mask: u64) -> Val {
        match self.ty(v).kind {
            ElemKind::F64 => {
                let bits = self.bitcast(v, ElemKind::I64);
                let bits = self.shuffle_xor(bits, mask);
                self.bitcast(bits, ElemKind::F64)
            }
            ElemKind::I64 => {
                let ty = Ty::scalar(ElemKind::I64);
                let half = self.int(ty, 32);
                let (low, high) = (self.cast("trunci", v, ElemKind::I32), self.binary("shrui", v, half));
                let high = self.cast("trunci", high, ElemKind::I32);
                let (low, high) = (self.shuffle_xor(low, mask), self.shuffle_xor(high, mask));
                let (low, high) = (self.cast("extui", low, ElemKind::I64), self.cast("extui", high, ElemKind::I64));
                let high = self.binary("shli", high, half);
                self.binary("ori", low, high)
            }
            ElemKind::F32 => {
                let bits = self.bitcast(v, ElemKind::I32);
                let bits = self.shuffle_xor(bits, mask);
                self.bitcast(bits, ElemKind::F32)
            }
            _ => self.exchange(v, mask),
        }
    }

    /// [`Builder::shuffle_xor`] of 32 bits.
    fn exchange(&mut self, v: Val, mask: u64) -> Val {
        let mask = self.int(I32, mask as i64);
        if self.form() == EmitMode::Emulated {
            let mail = Buf::mail();
            self.store(v, mail, Ix::ZERO);
            self.store(mask, mail, Ix::from(1i64));
            self.host(call::SHUFFLE_XOR);
            return self.load(mail, Ix::ZERO, 0);
        }
        let (all, last) = (self.int(I32, -1), self.int(I32, WARP as i64 - 1));
        let (all, v, mask, last) = (all.number(), v.number(), mask.number(), last.number());
        self.op(I32, format_args!("nvvm.shfl.sync bfly %{all}, %{v}, %{mask}, %{last} : i32 -> i32"))
    }

    /// Neighbours of a fragment, a word of them: two of 16 bits, four of 8; in tf32 one.
    pub fn pair(&mut self, factor: MmaType, from: Buf, at: Ix) -> Val {
        if factor == MmaType::Tf32 {
            let v = self.load(from, at, 0);
            let word = self.bitcast(v, ElemKind::I32);
            return self.factors(factor, word);
        }
        let v = self.load_aligned(from, at, 4 / factor.bytes());
        if factor == MmaType::F16 && self.form() == EmitMode::Device {
            return v;
        }
        let (ty, number) = (self.ty(v), v.number());
        let word =
            self.op(Ty::vector(ElemKind::I32, 1), format_args!("vector.bitcast %{number} : {ty} to vector<1xi32>"));
        self.extract(word, 0)
    }

    /// `a * b + c` of a warp, with `a` 16 x 16 by rows, `b` 16 x 8 by columns and `c` 16 x 8 in f32; each lane has its fragments, as
    /// PTX's `mma.m16n8k16` says. In 8 bits, where `a` and `b` may be of different formats, it is 32 deep, and `mma.m16n8k32`;
    /// in tf32 8. Of integers `c` and the result are i32.
    pub fn multiply(&mut self, factors: [MmaType; 2], a: [Val; 4], b: [Val; 2], c: [Val; 4]) -> [Val; 4] {
        const F32: Ty = Ty { kind: ElemKind::F32, lanes: 0 };
        let sums = factors[0].sums();
        if self.form() == EmitMode::Emulated {
            let mail = Buf::mail();
            let words = a.into_iter().chain(b).chain(c);
            for (i, v) in words.enumerate() {
                let v = if self.ty(v) == F32 { self.bitcast(v, ElemKind::I32) } else { v };
                self.store(v, mail, Ix::from(i as i64));
            }
            for (i, factor) in factors.into_iter().enumerate() {
                let place = self.int(I32, factor as i64);
                self.store(place, mail, Ix::from(10 + i as i64));
            }
            self.host(call::MULTIPLY);
            return [6, 7, 8, 9].map(|i: i64| {
                let v = self.load(mail, Ix::from(i), 0);
                if sums == F32 { self.bitcast(v, ElemKind::F32) } else { v }
            });
        }
        let (ty, types) = match factors[0] {
            MmaType::F16 => ("vector<2xf16>", ""),
            MmaType::Bf16 => {
                ("i32", "multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, ")
            }
            _ => return self.multiply_words(factors, a, b, c),
        };
        let layouts = "layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>";
        let [a, b, c] = [&a[..], &b[..], &c[..]].map(|v| {
            let names: Vec<String> = v.iter().map(|v| format!("%{}", v.number())).collect();
            names.join(", ")
        });
        const STRUCT: &str = "!llvm.struct<(f32, f32, f32, f32)>";
        // The struct is no value of the builder's types; what is taken from it is.
        let made = self.op(
            F32,
            format_args!(
                "nvvm.mma.sync A[{a}] B[{b}] C[{c}] {{{layouts}, {types}shape = #nvvm.shape<m = 16, n = 8, k = 16>}} \
                 : ({ty}, {ty}, f32) -> {STRUCT}"
            ),
        );
        [0, 1, 2, 3].map(|i| self.op(F32, format_args!("llvm.extractvalue %{}[{i}] : {STRUCT}", made.number())))
    }

    /// `for i in (lo..hi).step_by(step)`, for a step that only the launch knows.
    pub fn loop_by(&mut self, lo: Ix, hi: Ix, step: Ix, body: impl FnOnce(&mut Builder, Ix)) {
        let (lo, hi, step) = (self.ix(lo), self.ix(hi), self.ix(step));
        self.loop_over(lo, hi, step, &[], |b, i, _| {
            body(b, i);
            Vec::new()
        });
    }
}
