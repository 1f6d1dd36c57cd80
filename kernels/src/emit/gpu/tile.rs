//! Tiles of matrices on their way to tensor cores: asynchronous copies to shared memory, fragments out of it, and matmuls of
//! warpgroups, which read it themselves. Templates share this.
//!
//! A tile is lines of 128 bytes. The 16-byte chunks of a line are permuted: chunk `c` of line `l` lies where chunk `c ^ (l % 8)`
//! would. That is the 128-byte swizzle of the tensor memory accelerator and of `wgmma`'s descriptors. With it, the same chunk of
//! eight neighbouring lines, which `ldmatrix` reads at once, lies in different banks. A line is one row and 64 steps of `k` (128
//! of 8 bits). If the neighbours in memory of an operand of 16 bits are rows, a line is 64 rows at one step, and each such strip
//! of rows has 64 lines.
//!
//! Instructions are inline PTX, since they take registers and addresses as they are. The emulation gives what it knows to its
//! host as late as possible: copies at the wait for them, matmuls at the wait for those. So a stage that is overwritten too early
//! shows.

use super::block::{MmaType, call};
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::emit::gpu::block::EmitMode;
use crate::gpu::{LINE, LINE_ELEMENTS};

/// Bytes of a chunk: what one copy moves.
pub const CHUNK: u64 = 16;

/// Bytes of 64 lines: a strip of rows, or 64 rows.
pub const STRIP: u64 = LINE * LINE_ELEMENTS;

/// Rows that a warpgroup multiplies at once.
pub const STRIP_ROWS: u64 = LINE_ELEMENTS;

const F32: Ty = Ty { kind: ElemKind::F32, lanes: 0 };
const I32: Ty = Ty { kind: ElemKind::I32, lanes: 0 };
const I64: Ty = Ty { kind: ElemKind::I64, lanes: 0 };

/// The matmul of a warpgroup: `64 x cols`, of operands whose lines are rows, or (`across`, in 16 bits) strips.
#[derive(Clone, Copy, Debug)]
pub struct Warpgroup {
    pub factors: [MmaType; 2],
    pub cols: u64,
    pub across: [bool; 2],
}

/// An operand of a warpgroup's matmul in shared memory.
#[derive(Clone, Copy, Debug)]
pub struct SharedLines {
    /// The address of its first line.
    pub at: Ix,
    /// Bytes from one part to the next: the next line's worth of `k`, or, if it lies across, the next strip of rows.
    pub apart: u64,
    /// Neighbours in memory are rows, and a line is one step of `k`.
    pub across: bool,
}

/// The same with what `wgmma` is told of it.
#[derive(Clone, Copy)]
struct Described {
    lines: SharedLines,
    descriptor: Val,
}

impl SharedLines {
    /// Bytes to where a step of 32 bytes along `k` begins.
    pub(super) fn step(self, step: u64) -> u64 {
        let each = LINE / 32;
        if self.across { step * 16 * LINE } else { step / each * self.apart + step % each * 32 }
    }
}

/// The first factor of a warpgroup's matmul.
#[derive(Clone, Copy)]
pub enum First<'a> {
    /// So many strips of 64 rows, one after the other.
    Lines(SharedLines, u64),
    /// Four words for each step: a warp's fragments of its 16 rows, as [`Builder::multiply`] takes them.
    Words(&'a [Val]),
}

/// Byte of a chunk in its tile, for a line and a chunk of it.
pub fn chunk_at(b: &mut Builder, line: Ix, chunk: Ix) -> Ix {
    let (_, low) = b.div_rem(line, 8);
    let chunk = b.xor(chunk, low);
    let (line, chunk) = (b.scale(line, LINE as i64), b.scale(chunk, CHUNK as i64));
    b.add(line, chunk)
}

impl Builder {
    pub(super) fn emulated(&self) -> bool {
        self.form() == EmitMode::Emulated
    }

    pub(super) fn mail(&mut self, words: &[Val]) {
        for (i, &v) in words.iter().enumerate() {
            self.store(v, Buf::mail(), Ix::from(i as i64));
        }
    }

    pub(super) fn word(&mut self, at: Ix) -> Val {
        let at = self.ix(at);
        self.cast("index_cast", at, ElemKind::I32)
    }

    /// Both halves of 64 bits, low first.
    pub(super) fn halves(&mut self, v: Val) -> [Val; 2] {
        let half = self.int(I64, 32);
        let high = self.binary("shrui", v, half);
        [v, high].map(|v| self.cast("trunci", v, ElemKind::I32))
    }

    pub(super) fn asm(&mut self, text: &str, constraints: &str, args: &[Val]) {
        let (names, types) = self.operands(args);
        self.line(format_args!(
            "llvm.inline_asm has_side_effects \"{text}\", \"{constraints}\" {names} : ({types}) -> ()"
        ));
    }

    fn operands(&self, args: &[Val]) -> (String, String) {
        let names: Vec<String> = args.iter().map(|v| format!("%{}", v.number())).collect();
        let types: Vec<String> = args.iter().map(|v| self.ty(*v).to_string()).collect();
        (names.join(", "), types.join(", "))
    }

    /// As [`Ix::split`], for an offset that an instruction's address can have.
    fn split_narrow(&mut self, at: Ix) -> (Ix, i64) {
        let (base, offset) = at.split();
        if i32::try_from(offset).is_ok() { (base, offset) } else { (at, 0) }
    }

    /// Several results of one type.
    pub(super) fn asm_results(
        &mut self,
        text: &str,
        constraints: &str,
        args: &[Val],
        ty: Ty,
        results: usize,
    ) -> Vec<Val> {
        let (names, types) = self.operands(args);
        let all = format!("!llvm.struct<({})>", vec![ty.to_string(); results].join(", "));
        // The struct is no value of the builder's types; what is taken from it is.
        let made = self.op(
            ty,
            format_args!("llvm.inline_asm has_side_effects \"{text}\", \"{constraints}\" {names} : ({types}) -> {all}"),
        );
        (0..results).map(|i| self.op(ty, format_args!("llvm.extractvalue %{}[{i}] : {all}", made.number()))).collect()
    }

    /// The address in shared memory of a byte of the block's dynamic part.
    pub fn dynamic_address(&mut self, byte: Ix) -> Ix {
        let base = self.dynamic_base();
        self.add(base, byte)
    }

    /// Begins to copy [`CHUNK`] bytes to an address in shared memory; zeros where `exists` says that there is nothing. `at` is an
    /// element of the buffer, at a multiple of 16 bytes.
    pub fn copy_async(&mut self, to: Ix, from: Buf, at: Ix, exists: Val) {
        let (some, none) = (self.int(I32, CHUNK as i64), self.int(I32, 0));
        let bytes = self.select(exists, some, none);
        let start = self.address_of(from);
        let part = self.scale(at, from.kind.bytes() as i64);
        let address = self.add(start, part);
        if self.emulated() {
            let (to, address) = (self.word(to), self.ix(address));
            let address = self.cast("index_cast", address, ElemKind::I64);
            let [low, high] = self.halves(address);
            self.mail(&[to, low, high, bytes]);
            return self.host(call::COPY);
        }
        let ((to, at_to), (address, at_from)) = (to.split(), self.split_narrow(address));
        let to = self.word(to);
        let address = self.ix(address);
        let address = self.cast("index_cast", address, ElemKind::I64);
        let text = format!("cp.async.cg.shared.global [$0+{at_to}], [$1+{at_from}], 16, $2;");
        self.asm(&text, "r,l,r", &[to, address, bytes]);
    }

    /// What the thread began to copy since the last call is one group.
    pub fn commit_copies(&mut self) {
        if self.emulated() {
            return self.host(call::COMMIT_COPIES);
        }
        self.asm("cp.async.commit_group;", "", &[]);
    }

    /// All but the last `pending` groups of the thread have arrived; for other threads to read after a barrier.
    pub fn wait_copies(&mut self, pending: u64) {
        if self.emulated() {
            let pending = self.int(I32, pending as i64);
            self.mail(&[pending]);
            return self.host(call::WAIT_COPIES);
        }
        self.asm(&format!("cp.async.wait_group {pending};"), "", &[]);
    }

    /// What the thread wrote to shared memory is there for tensor cores that read it themselves, after a barrier.
    pub fn fence_async(&mut self) {
        if self.emulated() {
            return self.host(call::FENCE_ASYNC);
        }
        self.asm("fence.proxy.async.shared::cta;", "~{memory}", &[]);
    }

    /// Four 8 x 8 matrices of 16-bit numbers; lane `l` names the address of line `l % 8` of matrix `l / 8`. Each lane gets two
    /// neighbours of each, as `ldmatrix` says.
    pub fn load_matrices(&mut self, at: Ix, transposed: bool) -> [Val; 4] {
        if self.emulated() {
            let at = self.word(at);
            self.mail(&[at]);
            self.host(if transposed { call::MATRICES_TRANSPOSED } else { call::MATRICES });
            return [0, 1, 2, 3].map(|i: i64| self.load(Buf::mail(), Ix::from(i), 0));
        }
        let (at, more) = at.split();
        let at = self.word(at);
        let across = if transposed { ".trans" } else { "" };
        let text = format!("ldmatrix.sync.aligned.m8n8.x4{across}.shared.b16 {{$0, $1, $2, $3}}, [$4+{more}];");
        let all = self.asm_results(&text, "=r,=r,=r,=r,r", &[at], I32, 4);
        [all[0], all[1], all[2], all[3]]
    }

    /// A word of two factors as [`Builder::multiply`] takes it; of an f32 in tf32, rounded: tensor cores would cut it off.
    pub fn factors(&mut self, factor: MmaType, word: Val) -> Val {
        if factor == MmaType::Tf32 {
            return self.round_to_tf32(word);
        }
        if factor != MmaType::F16 || self.emulated() {
            return word;
        }
        let ty = Ty::vector(ElemKind::F16, 2);
        self.op(ty, format_args!("llvm.bitcast %{} : i32 to {ty}", word.number()))
    }

    /// The bits of the nearest tf32 of an f32's, ties away from zero.
    fn round_to_tf32(&mut self, word: Val) -> Val {
        if !self.emulated() {
            let text = "llvm.inline_asm \"cvt.rna.tf32.f32 $0, $1;\", \"=r,r\"";
            return self.op(I32, format_args!("{text} %{} : (i32) -> i32", word.number()));
        }
        let (half, kept) = (self.int(I32, 1 << 12), self.int(I32, !0x1fff));
        let up = self.binary("addi", word, half);
        let rounded = self.binary("andi", up, kept);
        let x = self.bitcast(word, ElemKind::F32);
        let number = self.compare("oeq", x, x);
        self.select(number, rounded, word)
    }

    /// The same for what has 8 bits and for tf32, whose instructions take words.
    pub(super) fn multiply_words(&mut self, factors: [MmaType; 2], a: [Val; 4], b: [Val; 2], c: [Val; 4]) -> [Val; 4] {
        let ([ty_a, ty_b], depth) = (factors.map(MmaType::name), factors[0].depth());
        let (ty, sum) = (factors[0].sums(), if factors[0].is_integer() { "s32" } else { "f32" });
        let register = register_of(ty);
        let text = format!(
            "mma.sync.aligned.m16n8k{depth}.row.col.{sum}.{ty_a}.{ty_b}.{sum} {{$0, $1, $2, $3}}, {{$4, $5, $6, $7}}, \
             {{$8, $9}}, {{$10, $11, $12, $13}};"
        );
        let args = [&a[..], &b, &c].concat();
        let (out, given) = (format!("={register},").repeat(4), format!(",{register}").repeat(4));
        let all = self.asm_results(&text, &format!("{out}r,r,r,r,r,r{given}"), &args, ty, 4);
        [all[0], all[1], all[2], all[3]]
    }

    /// Begins to add the matmul of a line of `k` to the warpgroup's sums, from tiles at these addresses in shared memory; one group
    /// of instructions. The sums are as [`Builder::multiply`]'s, a warp having 16 rows; without any, the results are new sums. Neither
    /// they nor the tiles may be touched before [`Builder::wait_matmuls`].
    pub fn multiply_async(&mut self, w: &Warpgroup, at: [Ix; 2], sums: Option<&[Val]>) -> Vec<Val> {
        self.multiply_strips_async(w, 1, at, sums)
    }

    /// The same for so many strips of 64 rows of the first operand, one after the other; their sums follow each other.
    pub fn multiply_strips_async(&mut self, w: &Warpgroup, strips: u64, at: [Ix; 2], sums: Option<&[Val]>) -> Vec<Val> {
        let [a, b] = [0, 1].map(|i| SharedLines { at: at[i], apart: STRIP, across: w.across[i] });
        self.multiply_lines(w.factors, First::Lines(a, strips), b, [w.cols, LINE / 32], sums)
    }

    /// The same for so many columns and steps of 32 bytes along `k`. The first factor may lie in the warpgroup's registers; those may be
    /// written again after the wait.
    pub fn multiply_lines(
        &mut self,
        factors: [MmaType; 2],
        first: First<'_>,
        second: SharedLines,
        [cols, steps]: [u64; 2],
        sums: Option<&[Val]>,
    ) -> Vec<Val> {
        let (of_b, ty) = (self.described(second), factors[0].sums());
        let (of_a, words, strips) = match first {
            First::Lines(lines, strips) => (Some(self.described(lines)), &[][..], strips),
            First::Words(words) => (None, words, 1),
        };
        debug_assert!(of_a.is_some() || words.len() as u64 == 4 * steps);
        if self.emulated() {
            for (step, strip) in (0..steps).flat_map(|step| (0..strips).map(move |strip| (step, strip))) {
                let of_words = 4 * step as usize;
                self.mail_product(factors, of_a, words.get(of_words..of_words + 4), of_b, [cols, step, strip]);
            }
            self.host(call::COMMIT_PRODUCTS);
            let zero = self.number(ty, 0.0);
            return sums.map_or_else(|| vec![zero; (strips * cols) as usize / 2], <[Val]>::to_vec);
        }
        let each = cols as usize / 2;
        let n = strips as usize * each;
        let names = |strip: u64| {
            let first = strip as usize * each;
            (first..first + each).map(|i| format!("${i}")).collect::<Vec<_>>().join(", ")
        };
        let ([ty_a, ty_b], depth) = (factors.map(MmaType::name), factors[0].depth());
        // Only operands of 16 bits may lie across, and only their instructions say whether they do.
        let across = if factors[0].bytes() == 2 {
            let of_a = of_a.map(|a| format!(", {}", u64::from(a.lines.across)));
            format!("{}, {}", of_a.unwrap_or_default(), u64::from(second.across))
        } else {
            String::new()
        };
        // Integers are never negated, and their instructions do not say so.
        let (sum, same) = if factors[0].is_integer() { ("s32", "") } else { ("f32", ", 1, 1") };
        let mut text = "{ .reg .pred p, q; .reg .b64 a, b; setp.ne.b32 p, 1, 0; setp.ne.b32 q, 0, 0; \
                        wgmma.fence.sync.aligned; "
            .to_owned();
        let next = if sums.is_some() { 2 * n } else { n };
        let at_b = next + if of_a.is_some() { 1 } else { words.len() };
        for (step, strip) in (0..steps).flat_map(|step| (0..strips).map(move |strip| (step, strip))) {
            // The first results of new sums are not added to anything.
            let adds = if step == 0 && sums.is_none() { "q" } else { "p" };
            let first = match of_a {
                Some(a) => {
                    text += &format!("add.s64 a, ${next}, {}; ", (a.lines.step(step) + strip * STRIP) / 16);
                    "a".to_owned()
                }
                None => {
                    let words: Vec<String> = (0..4).map(|i| format!("${}", next as u64 + 4 * step + i)).collect();
                    format!("{{{}}}", words.join(", "))
                }
            };
            text += &format!(
                "add.s64 b, ${at_b}, {}; wgmma.mma_async.sync.aligned.m64n{cols}k{depth}.{sum}.{ty_a}.{ty_b} \
                 {{{}}}, {first}, b, {adds}{same}{across}; ",
                second.step(step) / 16,
                names(strip)
            );
        }
        text += "wgmma.commit_group.sync.aligned; }";
        let in_memory: Vec<Val> = of_a.map(|a| a.descriptor).into_iter().collect();
        let args = [sums.unwrap_or_default(), words, &in_memory, &[of_b.descriptor]].concat();
        let register = register_of(ty);
        let constraints = if sums.is_some() { tied(n, ty) } else { vec![format!("=&{register}"); n].join(",") };
        let given = if of_a.is_some() { ",l".to_owned() } else { ",r".repeat(words.len()) };
        self.asm_results(&text, &format!("{constraints}{given},l"), &args, ty, n)
    }

    /// What `wgmma` is told of an operand in shared memory.
    pub(super) fn descriptor(&mut self, lines: SharedLines) -> Val {
        // Between strips; between groups of 8 lines.
        let strips = if lines.across { lines.apart / 16 } else { 1 };
        let high = 1i64 << 62 | (8 * LINE as i64 / 16) << 32 | (strips as i64) << 16;
        let at = self.ix(lines.at);
        let at = self.cast("index_cast", at, ElemKind::I64);
        // In the blocks of a cluster, addresses have the block's number in higher bits, where a descriptor has other fields. (The
        // emulation's shared memory is longer than a GPU's.)
        let own = self.int(I64, 0x3ffff);
        let at = if self.emulated() { at } else { self.binary("andi", at, own) };
        let (sixteenth, high) = (self.int(I64, 4), self.int(I64, high));
        let at = self.binary("shrui", at, sixteenth);
        self.binary("ori", at, high)
    }

    fn described(&mut self, lines: SharedLines) -> Described {
        Described { lines, descriptor: self.descriptor(lines) }
    }

    /// One instruction of a group, as the emulation's host takes it.
    fn mail_product(
        &mut self,
        factors: [MmaType; 2],
        of_a: Option<Described>,
        words: Option<&[Val]>,
        of_b: Described,
        [cols, step, strip]: [u64; 3],
    ) {
        let at = |b: &mut Builder, x: Described, strip: u64| {
            let more = b.int(I64, (x.lines.step(step) + strip * STRIP) as i64 / 16);
            let at = b.binary("addi", x.descriptor, more);
            b.halves(at)
        };
        let nothing = self.int(I32, 0);
        let a = of_a.map_or([nothing; 2], |a| at(self, a, strip));
        let b = at(self, of_b, 0);
        let across = u64::from(of_a.is_some_and(|a| a.lines.across)) | u64::from(of_b.lines.across) << 1;
        let [f_a, f_b] = factors.map(|f| f as u64);
        let (in_registers, sum) = (u64::from(words.is_some()), strip * cols / 2);
        let more = [cols, across, f_a, f_b, in_registers, sum].map(|n| self.int(I32, n as i64));
        let words = words.filter(|_| of_a.is_none()).unwrap_or_default();
        self.mail(&[&a[..], &b, &more, words].concat());
        self.host(call::PRODUCTS);
    }

    /// All but the last `pending` groups of the warpgroup's matmuls are in the sums.
    pub fn wait_matmuls(&mut self, pending: u64, sums: &[Val]) -> Vec<Val> {
        let ty = sums.first().map_or(F32, |&v| self.ty(v));
        if self.emulated() {
            let pending = self.int(I32, pending as i64);
            let mut words = vec![pending];
            for &v in sums {
                words.push(if ty == F32 { self.bitcast(v, ElemKind::I32) } else { v });
            }
            self.mail(&words);
            self.host(call::WAIT_PRODUCTS);
            let word = |b: &mut Builder, i: usize| {
                let v = b.load(Buf::mail(), Ix::from(i as i64 + 1), 0);
                if ty == F32 { b.bitcast(v, ElemKind::F32) } else { v }
            };
            return (0..sums.len()).map(|i| word(self, i)).collect();
        }
        let text = format!("wgmma.wait_group.sync.aligned {pending};");
        self.asm_results(&text, &tied(sums.len(), ty), sums, ty, sums.len())
    }

    /// As [`Builder::wait_matmuls`], but not before `done` is known, a number that is not negative. The assembler moves waits up
    /// to where registers keep them, above what the matmuls are to overlap with, but not above what may touch a barrier. This arrival
    /// does not happen.
    pub fn wait_matmuls_after(&mut self, pending: u64, done: Val, sums: &[Val]) -> Vec<Val> {
        if self.emulated() {
            return self.wait_matmuls(pending, sums);
        }
        let n = sums.len();
        let text = format!(
            "{{ .reg .pred never; .reg .b32 none; mov.u32 none, 0; setp.lt.f32 never, ${}, 0f00000000; \
             @never mbarrier.arrive.shared::cta.b64 _, [none]; wgmma.wait_group.sync.aligned {pending}; }}",
            2 * n
        );
        self.asm_results(&text, &format!("{},f", tied(n, F32)), &[sums, &[done]].concat(), F32, n)
    }

    /// The same numbers, of which nothing is made before this place: where what is made of them takes the registers of factors, which have
    /// to be waited for first.
    pub fn not_before(&mut self, values: &[Val]) -> Vec<Val> {
        if self.emulated() {
            return values.to_vec();
        }
        self.asm_results("", &tied(values.len(), F32), values, F32, values.len())
    }
}

/// The constraint of a register that holds a sum.
pub(super) fn register_of(ty: Ty) -> char {
    if ty == F32 { 'f' } else { 'r' }
}

/// As many registers that are read and written.
fn tied(n: usize, ty: Ty) -> String {
    let out = vec![format!("={}", register_of(ty)); n];
    let same: Vec<String> = (0..n).map(|i| i.to_string()).collect();
    [out, same].concat().join(",")
}
