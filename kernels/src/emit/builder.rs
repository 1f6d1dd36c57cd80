//! A small builder of MLIR text: SSA values with known types, constants hoisted and shared, index arithmetic folded, loops as closures.
//!
//! Text rather than an MLIR context, because this crate is pure: kernels are emitted, tested and hashed without LLVM. The builder knows
//! the handful of types and operations that kernels use. Anything an optimiser does as well (common subexpressions, hoisting) is left
//! to it, except what makes the text much longer.

use super::gpu::block::Form;
use super::gpu::tile::EMULATED_DYNAMIC;
use crate::expr::DType;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Element kinds of values and buffers. `I8` is how bools and `u8` lie in memory, `I1` how bools are computed. `Bf16` are 16 bits, which
/// conversions shift, and floats of 8 bits are bytes ([`super::float8`]): no target needs instructions for them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    F32,
    F64,
    I32,
    I64,
    I8,
    I1,
    Bf16,
    F16,
    /// The bits of a `u32`: [`Kind::I32`] to memory, another number to conversions.
    U32,
    F8E4m3,
    F8E5m2,
    Index,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::F32 => "f32",
            Kind::F64 => "f64",
            Kind::I32 | Kind::U32 => "i32",
            Kind::I64 => "i64",
            Kind::I8 | Kind::F8E4m3 | Kind::F8E5m2 => "i8",
            Kind::I1 => "i1",
            Kind::Bf16 => "i16",
            Kind::F16 => "f16",
            Kind::Index => "index",
        }
    }

    /// Of an element in memory.
    pub fn bytes(self) -> u64 {
        match self {
            Kind::F64 | Kind::I64 | Kind::Index => 8,
            Kind::F32 | Kind::I32 | Kind::U32 => 4,
            Kind::Bf16 | Kind::F16 => 2,
            Kind::I8 | Kind::I1 | Kind::F8E4m3 | Kind::F8E5m2 => 1,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Kind::F32 | Kind::F64)
    }

    /// How values of a dtype are computed with.
    pub fn value(dtype: DType) -> Kind {
        match dtype {
            DType::F32 => Kind::F32,
            DType::F64 => Kind::F64,
            DType::I32 => Kind::I32,
            DType::I64 => Kind::I64,
            DType::Bool => Kind::I1,
            DType::Bf16 => Kind::Bf16,
            DType::F16 => Kind::F16,
            DType::U8 => Kind::I8,
            DType::U32 => Kind::U32,
            DType::F8E4m3 => Kind::F8E4m3,
            DType::F8E5m2 => Kind::F8E5m2,
        }
    }

    /// How they lie in memory.
    pub fn memory(dtype: DType) -> Kind {
        if dtype == DType::Bool { Kind::I8 } else { Kind::value(dtype) }
    }
}

/// Type of a value: a scalar (`lanes` 0) or a vector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ty {
    pub kind: Kind,
    pub lanes: u64,
}

impl Ty {
    pub fn scalar(kind: Kind) -> Ty {
        Ty { kind, lanes: 0 }
    }

    pub fn vector(kind: Kind, lanes: u64) -> Ty {
        Ty { kind, lanes }
    }

    /// The type of one lane.
    pub fn scalar_of(self) -> Ty {
        Ty::scalar(self.kind)
    }

    pub fn with(self, kind: Kind) -> Ty {
        Ty { kind, ..self }
    }
}

impl std::fmt::Display for Ty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.lanes {
            0 => f.write_str(self.kind.name()),
            n => write!(f, "vector<{n}x{}>", self.kind.name()),
        }
    }
}

/// An SSA value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Val(u32);

impl Val {
    /// Its number in the text.
    pub(super) fn number(self) -> u32 {
        self.0
    }
}

/// An index: a value plus a constant, so that constants fold on their way into an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ix {
    base: Option<Val>,
    offset: i64,
}

impl Ix {
    pub const ZERO: Ix = Ix { base: None, offset: 0 };

    pub fn known(self) -> Option<i64> {
        if self.base.is_none() { Some(self.offset) } else { None }
    }

    pub fn plus(self, n: i64) -> Ix {
        Ix { offset: self.offset + n, ..self }
    }

    /// What is not constant of it, and what is.
    pub(super) fn split(self) -> (Ix, i64) {
        (Ix { offset: 0, ..self }, self.offset)
    }
}

impl From<i64> for Ix {
    fn from(n: i64) -> Ix {
        Ix { base: None, offset: n }
    }
}

impl From<u64> for Ix {
    fn from(n: u64) -> Ix {
        Ix::from(n as i64)
    }
}

impl From<Val> for Ix {
    fn from(v: Val) -> Ix {
        Ix { base: Some(v), offset: 0 }
    }
}

/// A buffer argument: its number, or the scratch. Or what the threads of a GPU's block share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Buf {
    at: u32,
    pub kind: Kind,
    place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Memory,
    /// So many elements, in a GPU's address space for them or in the emulation's memory.
    Shared(u64, Form),
    /// The same in what the launch gives a block, from this byte on.
    Dynamic(u64, u64, Form),
}

const SCRATCH: u32 = u32::MAX;

/// To what the launch's shared memory is aligned: what patterns of swizzled tiles repeat after.
const DYNAMIC_ALIGN: u64 = 1024;

/// Where an emulated thread of a GPU leaves what it exchanges.
const MAIL: u32 = u32::MAX - 1;

/// Buffers are bare pointers to memory of any size; the type has to name one.
const HUGE: u64 = 1 << 40;

impl Buf {
    pub fn arg(at: u32, dtype: DType) -> Buf {
        Buf { at, kind: Kind::memory(dtype), place: Place::Memory }
    }

    pub(super) fn mail() -> Buf {
        Buf { at: MAIL, kind: Kind::I32, place: Place::Memory }
    }

    fn name(self) -> String {
        match (self.place, self.at) {
            (Place::Shared(..) | Place::Dynamic(..), at) => format!("%s{at}"),
            (_, SCRATCH) => "%scratch".into(),
            (_, MAIL) => "%mail".into(),
            (_, at) => format!("%b{at}"),
        }
    }

    fn ty(self) -> String {
        match self.place {
            Place::Memory => format!("memref<{HUGE}x{}>", self.kind.name()),
            Place::Shared(n, Form::Device) | Place::Dynamic(n, _, Form::Device) => {
                format!("memref<{n}x{}, 3>", self.kind.name())
            }
            Place::Shared(n, Form::Emulated) | Place::Dynamic(n, _, Form::Emulated) => {
                format!("memref<{n}x{}>", self.kind.name())
            }
        }
    }
}

/// Floating point flags: `a * b + c` may become one instruction, and nothing else changes.
const CONTRACT: &str = " fastmath<contract>";

pub struct Builder {
    types: Vec<Ty>,
    constants: String,
    body: String,
    cache: BTreeMap<String, Val>,
    /// Index arithmetic already there, innermost region last. Addresses are most of a kernel's text; sharing them halves it.
    regions: Vec<BTreeMap<String, Val>>,
    scratch: Option<Kind>,
    /// Set for kernels of a GPU's blocks.
    gpu: Option<Form>,
    shared: Vec<Buf>,
    /// Whether it uses the launch's shared memory.
    dynamic: bool,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}

impl Builder {
    pub fn new() -> Builder {
        Builder {
            types: Vec::new(),
            constants: String::new(),
            body: String::new(),
            cache: BTreeMap::new(),
            regions: vec![BTreeMap::new()],
            scratch: None,
            gpu: None,
            shared: Vec::new(),
            dynamic: false,
        }
    }

    /// For what one thread of a GPU does.
    pub fn for_gpu(form: Form) -> Builder {
        Builder { gpu: Some(form), ..Builder::new() }
    }

    /// What text a kernel of a GPU's blocks is.
    pub(super) fn form(&self) -> Form {
        self.gpu.unwrap_or(Form::Device)
    }

    /// Memory that the threads of a block share.
    pub(super) fn block_memory(&mut self, kind: Kind, elements: u64) -> Buf {
        let buf = Buf { at: self.shared.len() as u32, kind, place: Place::Shared(elements, self.form()) };
        self.shared.push(buf);
        buf
    }

    /// Elements of the shared memory that the launch gives a block, from byte `from` on; parts may overlap.
    pub(super) fn dynamic_memory(&mut self, kind: Kind, elements: u64, from: u64) -> Buf {
        self.dynamic = true;
        let buf = Buf { at: self.shared.len() as u32, kind, place: Place::Dynamic(elements, from, self.form()) };
        self.shared.push(buf);
        buf
    }

    /// The address of that memory, a multiple of [`DYNAMIC_ALIGN`].
    pub(super) fn dynamic_base(&mut self) -> Ix {
        self.dynamic = true;
        self.argument("%dynamic_at")
    }

    /// Where a buffer is.
    pub(super) fn address_of(&mut self, buf: Buf) -> Ix {
        let (name, ty) = (buf.name(), buf.ty());
        let text = format!("memref.extract_aligned_pointer_as_index {name} : {ty} -> index");
        self.constant(Ty::scalar(Kind::Index), text).into()
    }

    pub fn ty(&self, v: Val) -> Ty {
        self.types[v.0 as usize]
    }

    fn fresh(&mut self, ty: Ty) -> Val {
        self.types.push(ty);
        Val(self.types.len() as u32 - 1)
    }

    pub(super) fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.body, "{:width$}{text}", "", width = 2 * self.regions.len() + 2);
    }

    /// An operation with a result; `text` is everything after `=`.
    pub fn op(&mut self, ty: Ty, text: std::fmt::Arguments<'_>) -> Val {
        let v = self.fresh(ty);
        self.line(format_args!("%{} = {text}", v.0));
        v
    }

    /// An operation on indices, unless an enclosing region has it already.
    fn shared(&mut self, ty: Ty, text: String) -> Val {
        if let Some(&v) = self.regions.iter().rev().find_map(|r| r.get(&text)) {
            return v;
        }
        let v = self.op(ty, format_args!("{text}"));
        if let Some(region) = self.regions.last_mut() {
            region.insert(text, v);
        }
        v
    }

    /// Runs `f` in a region of its own.
    fn region<R>(&mut self, f: impl FnOnce(&mut Builder) -> R) -> R {
        self.regions.push(BTreeMap::new());
        let result = f(self);
        self.regions.pop();
        result
    }

    /// An operation that every use shares, before the body.
    pub(super) fn constant(&mut self, ty: Ty, text: String) -> Val {
        if let Some(&v) = self.cache.get(&text) {
            return v;
        }
        let v = self.fresh(ty);
        let _ = writeln!(self.constants, "    %{} = {text}", v.0);
        self.cache.insert(text, v);
        v
    }

    // ---- constants

    pub fn float(&mut self, ty: Ty, x: f64) -> Val {
        // Bits in hexadecimal are exact, and cover infinities.
        let bits = if ty.kind == Kind::F32 {
            format!("0x{:08X}", (x as f32).to_bits())
        } else {
            format!("0x{:016X}", x.to_bits())
        };
        let text = if ty.lanes == 0 { bits } else { format!("dense<{bits}>") };
        self.constant(ty, format!("arith.constant {text} : {ty}"))
    }

    pub fn int(&mut self, ty: Ty, x: i64) -> Val {
        let text = match (ty.kind, ty.lanes) {
            // The word has a type.
            (Kind::I1, 0) => return self.constant(ty, format!("arith.constant {}", x != 0)),
            (Kind::I1, _) => format!("dense<{}>", x != 0),
            (_, 0) => x.to_string(),
            _ => format!("dense<{x}>"),
        };
        self.constant(ty, format!("arith.constant {text} : {ty}"))
    }

    /// A constant of a kind of number.
    pub fn number(&mut self, ty: Ty, x: f64) -> Val {
        if ty.kind == Kind::F16 {
            let text = if ty.lanes == 0 { format!("{x:?}") } else { format!("dense<{x:?}>") };
            return self.constant(ty, format!("arith.constant {text} : {ty}"));
        }
        if ty.kind.is_float() { self.float(ty, x) } else { self.int(ty, x as i64) }
    }

    /// `stride * [0, 1, 2, ..]`.
    pub fn steps(&mut self, kind: Kind, lanes: u64, stride: i64) -> Val {
        let ty = Ty::vector(kind, lanes);
        let text: Vec<String> = (0..lanes as i64).map(|i| (i * stride).to_string()).collect();
        self.constant(ty, format!("arith.constant dense<[{}]> : {ty}", text.join(", ")))
    }

    /// The first `n` of `lanes`.
    pub fn mask(&mut self, lanes: u64, n: u64) -> Val {
        let ty = Ty::vector(Kind::I1, lanes);
        let text: Vec<String> = (0..lanes).map(|i| (i < n).to_string()).collect();
        self.constant(ty, format!("arith.constant dense<[{}]> : {ty}", text.join(", ")))
    }

    // ---- index arithmetic

    /// The value of an index.
    pub fn ix(&mut self, x: Ix) -> Val {
        let ty = Ty::scalar(Kind::Index);
        match (x.base, x.offset) {
            (Some(v), 0) => v,
            (None, n) => self.int(ty, n),
            (Some(v), n) => {
                let n = self.int(ty, n);
                self.shared(ty, format!("arith.addi %{}, %{} overflow<nsw> : index", v.0, n.0))
            }
        }
    }

    pub fn add(&mut self, a: Ix, b: Ix) -> Ix {
        let base = match (a.base, b.base) {
            (Some(x), Some(y)) => {
                let ty = Ty::scalar(Kind::Index);
                Some(self.shared(ty, format!("arith.addi %{}, %{} overflow<nsw> : index", x.0, y.0)))
            }
            (x, y) => x.or(y),
        };
        Ix { base, offset: a.offset + b.offset }
    }

    pub fn scale(&mut self, a: Ix, n: i64) -> Ix {
        let base = match a.base {
            Some(v) if n != 0 && n != 1 => {
                let n = self.int(Ty::scalar(Kind::Index), n);
                Some(self.index_op("muli", v, n, " overflow<nsw>"))
            }
            v => v.filter(|_| n != 0),
        };
        Ix { base, offset: a.offset * n }
    }

    fn index_op(&mut self, op: &str, a: Val, b: Val, flags: &str) -> Val {
        self.shared(Ty::scalar(Kind::Index), format!("arith.{op} %{}, %{}{flags} : index", a.0, b.0))
    }

    /// Quotient and remainder of a non-negative index by a constant.
    pub fn div_rem(&mut self, a: Ix, n: u64) -> (Ix, Ix) {
        if n <= 1 {
            return (a, Ix::ZERO);
        }
        if let Some(k) = a.known() {
            return (Ix::from(k / n as i64), Ix::from(k % n as i64));
        }
        let (v, n) = (self.ix(a), self.int(Ty::scalar(Kind::Index), n as i64));
        (self.index_op("divui", v, n, "").into(), self.index_op("remui", v, n, "").into())
    }

    /// Of non-negative indices.
    pub fn xor(&mut self, a: Ix, b: Ix) -> Ix {
        if let (Some(x), Some(y)) = (a.known(), b.known()) {
            return Ix::from(x ^ y);
        }
        let (x, y) = (self.ix(a), self.ix(b));
        self.index_op("xori", x, y, "").into()
    }

    pub fn min(&mut self, a: Ix, b: Ix) -> Ix {
        match (a.known(), b.known()) {
            (Some(x), Some(y)) => Ix::from(x.min(y)),
            _ if a == b => a,
            _ => {
                let (x, y) = (self.ix(a), self.ix(b));
                self.index_op("minsi", x, y, "").into()
            }
        }
    }

    pub fn max(&mut self, a: Ix, b: Ix) -> Ix {
        match (a.known(), b.known()) {
            (Some(x), Some(y)) => Ix::from(x.max(y)),
            _ if a == b => a,
            _ => {
                let (x, y) = (self.ix(a), self.ix(b));
                self.index_op("maxsi", x, y, "").into()
            }
        }
    }

    /// `a op b` on indices: `eq`, `slt`, `sge` and so on.
    pub fn test(&mut self, op: &str, a: Ix, b: Ix) -> Val {
        let (x, y) = (self.ix(a), self.ix(b));
        self.shared(Ty::scalar(Kind::I1), format!("arith.cmpi {op}, %{}, %{} : index", x.0, y.0))
    }

    // ---- arithmetic

    /// A binary operation on equal types, by its name in `arith`.
    pub fn binary(&mut self, op: &str, a: Val, b: Val) -> Val {
        let ty = self.ty(a);
        let flags = if matches!(op, "addf" | "subf" | "mulf") { CONTRACT } else { "" };
        self.op(ty, format_args!("arith.{op} %{}, %{}{flags} : {ty}", a.0, b.0))
    }

    /// Maximum or minimum of numbers that are known not to be NaN.
    pub fn extremum(&mut self, op: &str, a: Val, b: Val) -> Val {
        let ty = self.ty(a);
        self.op(ty, format_args!("arith.{op} %{}, %{} fastmath<nnan,nsz> : {ty}", a.0, b.0))
    }

    /// A unary operation by its full name, such as `math.sqrt` or `loom.exp`.
    pub fn unary(&mut self, op: &str, a: Val) -> Val {
        let ty = self.ty(a);
        self.op(ty, format_args!("{op} %{} : {ty}", a.0))
    }

    /// A binary operation by its full name, such as `math.copysign`.
    pub fn apply(&mut self, op: &str, a: Val, b: Val) -> Val {
        let ty = self.ty(a);
        self.op(ty, format_args!("{op} %{}, %{} : {ty}", a.0, b.0))
    }

    /// `a * b + c`, rounded once.
    pub fn multiply_add(&mut self, a: Val, b: Val, c: Val) -> Val {
        let ty = self.ty(a);
        self.op(ty, format_args!("math.fma %{}, %{}, %{} : {ty}", a.0, b.0, c.0))
    }

    /// `cmpf` or `cmpi` with a predicate.
    pub fn compare(&mut self, predicate: &str, a: Val, b: Val) -> Val {
        let ty = self.ty(a);
        let op = if ty.kind.is_float() { "cmpf" } else { "cmpi" };
        self.op(ty.with(Kind::I1), format_args!("arith.{op} {predicate}, %{}, %{} : {ty}", a.0, b.0))
    }

    /// The condition is a scalar, or as wide as the values.
    pub fn select(&mut self, c: Val, a: Val, b: Val) -> Val {
        let (ct, ty) = (self.ty(c), self.ty(a));
        if ct.lanes == 0 {
            return self.op(ty, format_args!("arith.select %{}, %{}, %{} : {ty}", c.0, a.0, b.0));
        }
        self.op(ty, format_args!("arith.select %{}, %{}, %{} : {ct}, {ty}", c.0, a.0, b.0))
    }

    /// A conversion by its name in `arith`.
    pub fn cast(&mut self, op: &str, a: Val, kind: Kind) -> Val {
        let from = self.ty(a);
        let to = from.with(kind);
        self.op(to, format_args!("arith.{op} %{} : {from} to {to}", a.0))
    }

    /// The same bits as another kind of the same width.
    pub fn bitcast(&mut self, a: Val, kind: Kind) -> Val {
        self.cast("bitcast", a, kind)
    }

    // ---- vectors

    pub fn broadcast(&mut self, x: Val, lanes: u64) -> Val {
        let from = self.ty(x);
        let ty = Ty::vector(from.kind, lanes);
        self.op(ty, format_args!("vector.broadcast %{} : {from} to {ty}", x.0))
    }

    /// One lane as a scalar.
    pub fn extract(&mut self, v: Val, lane: u64) -> Val {
        let ty = self.ty(v);
        self.op(Ty::scalar(ty.kind), format_args!("vector.extract %{}[{lane}] : {} from {ty}", v.0, ty.kind.name()))
    }

    /// All lanes combined: `add`, `maximumf`, `maxsi` and so on. Sums are taken pairwise, in a fixed order.
    pub fn reduction(&mut self, op: &str, v: Val) -> Val {
        let ty = self.ty(v);
        let flags = if op == "add" && ty.kind.is_float() { " fastmath<reassoc>" } else { "" };
        let kind = ty.kind.name();
        self.op(Ty::scalar(ty.kind), format_args!("vector.reduction <{op}>, %{}{flags} : {ty} into {kind}", v.0))
    }

    pub fn shuffle(&mut self, a: Val, b: Val, lanes: &[u64]) -> Val {
        let from = self.ty(a);
        let ty = Ty::vector(from.kind, lanes.len() as u64);
        self.op(ty, format_args!("vector.shuffle %{}, %{} {lanes:?} : {from}, {from}", a.0, b.0))
    }

    /// `lanes` lanes from `at` on.
    pub fn slice(&mut self, v: Val, at: u64, lanes: u64) -> Val {
        let from = self.ty(v);
        let ty = Ty::vector(from.kind, lanes);
        let text = format!("{{offsets = [{at}], sizes = [{lanes}], strides = [1]}}");
        self.op(ty, format_args!("vector.extract_strided_slice %{} {text} : {from} to {ty}", v.0))
    }

    /// Transposes a square of vectors, `rows.len()` lanes each.
    pub fn transpose(&mut self, rows: &[Val]) -> Vec<Val> {
        let n = rows.len();
        let mut r = rows.to_vec();
        let mut step = 1;
        while step < n {
            // Swap the off-diagonal blocks of size `step` in each pair of rows that far apart.
            let low: Vec<u64> = (0..n).map(|l| (if l & step == 0 { l } else { n + l - step }) as u64).collect();
            let high: Vec<u64> = (0..n).map(|l| (if l & step == 0 { l + step } else { n + l }) as u64).collect();
            for a in (0..n).filter(|a| a & step == 0) {
                let (x, y) = (r[a], r[a + step]);
                r[a] = self.shuffle(x, y, &low);
                r[a + step] = self.shuffle(x, y, &high);
            }
            step *= 2;
        }
        r
    }

    // ---- memory

    pub fn load(&mut self, buf: Buf, at: Ix, lanes: u64) -> Val {
        let (at, ty) = (self.ix(at), Ty { kind: buf.kind, lanes });
        let (name, mem) = (buf.name(), buf.ty());
        if lanes == 0 {
            return self.op(ty, format_args!("memref.load {name}[%{}] : {mem}", at.0));
        }
        self.op(ty, format_args!("vector.load {name}[%{}] : {mem}, {ty}", at.0))
    }

    /// A vector that begins at a multiple of its size, or of 16 bytes if it is longer: one instruction of a GPU. Emulations load from
    /// anywhere.
    pub fn load_aligned(&mut self, buf: Buf, at: Ix, lanes: u64) -> Val {
        if self.form() == Form::Emulated {
            return self.load(buf, at, lanes);
        }
        let (at, ty, align) = (self.ix(at), Ty { kind: buf.kind, lanes }, (lanes * buf.kind.bytes()).min(16));
        let (name, mem) = (buf.name(), buf.ty());
        self.op(ty, format_args!("vector.load {name}[%{}] {{alignment = {align} : i64}} : {mem}, {ty}", at.0))
    }

    /// As [`Builder::load_aligned`].
    pub fn store_aligned(&mut self, v: Val, buf: Buf, at: Ix) {
        if self.form() == Form::Emulated {
            return self.store(v, buf, at);
        }
        let (at, ty) = (self.ix(at), self.ty(v));
        let (name, mem, align) = (buf.name(), buf.ty(), (ty.lanes * buf.kind.bytes()).min(16));
        self.line(format_args!("vector.store %{}, {name}[%{}] {{alignment = {align} : i64}} : {mem}, {ty}", v.0, at.0));
    }

    /// A scalar, in every lane.
    pub fn splat(&mut self, buf: Buf, at: Ix, lanes: u64) -> Val {
        let x = self.load(buf, at, 0);
        self.broadcast(x, lanes)
    }

    /// Lanes that the mask leaves out are zero.
    pub fn masked_load(&mut self, buf: Buf, at: Ix, mask: Val) -> Val {
        let (at, mt) = (self.ix(at), self.ty(mask));
        let ty = mt.with(buf.kind);
        let zero = self.number(ty, 0.0);
        let (name, mem) = (buf.name(), buf.ty());
        let args = format!("{name}[%{}], %{}, %{}", at.0, mask.0, zero.0);
        self.op(ty, format_args!("vector.maskedload {args} : {mem}, {mt}, {ty} into {ty}"))
    }

    /// Lane `i` is the element at `at + indices[i]`; lanes that the mask leaves out are zero.
    pub fn gather(&mut self, buf: Buf, at: Ix, indices: Val, mask: Val) -> Val {
        let (at, it, mt) = (self.ix(at), self.ty(indices), self.ty(mask));
        let ty = mt.with(buf.kind);
        let zero = self.number(ty, 0.0);
        let (name, mem) = (buf.name(), buf.ty());
        let args = format!("{name}[%{}] [%{}], %{}, %{}", at.0, indices.0, mask.0, zero.0);
        self.op(ty, format_args!("vector.gather {args} : {mem}, {it}, {mt}, {ty} into {ty}"))
    }

    pub fn store(&mut self, v: Val, buf: Buf, at: Ix) {
        let (at, ty) = (self.ix(at), self.ty(v));
        let (name, mem) = (buf.name(), buf.ty());
        if ty.lanes == 0 {
            return self.line(format_args!("memref.store %{}, {name}[%{}] : {mem}", v.0, at.0));
        }
        self.line(format_args!("vector.store %{}, {name}[%{}] : {mem}, {ty}", v.0, at.0));
    }

    pub fn masked_store(&mut self, v: Val, buf: Buf, at: Ix, mask: Val) {
        // LLVM 22 makes one store of a truncation under a mask of one lane, and forgets to truncate (x86 with AVX-512).
        let lanes = self.ty(v).lanes;
        let narrow = matches!(buf.kind, Kind::Bf16 | Kind::F16 | Kind::I8 | Kind::U32 | Kind::F8E4m3 | Kind::F8E5m2);
        if narrow && mask == self.mask(lanes, 1) {
            let first = self.extract(v, 0);
            return self.store(first, buf, at);
        }
        let (at, ty, mt) = (self.ix(at), self.ty(v), self.ty(mask));
        let (name, mem) = (buf.name(), buf.ty());
        self.line(format_args!("vector.maskedstore {name}[%{}], %{}, %{} : {mem}, {mt}, {ty}", at.0, mask.0, v.0));
    }

    pub fn scatter(&mut self, v: Val, buf: Buf, at: Ix, indices: Val, mask: Val) {
        let (at, ty, it, mt) = (self.ix(at), self.ty(v), self.ty(indices), self.ty(mask));
        let (name, mem) = (buf.name(), buf.ty());
        let args = format!("{name}[%{}] [%{}], %{}, %{}", at.0, indices.0, mask.0, v.0);
        self.line(format_args!("vector.scatter {args} : {mem}, {it}, {mt}, {ty}"));
    }

    pub fn prefetch(&mut self, buf: Buf, at: Ix) {
        let at = self.ix(at);
        let (name, mem) = (buf.name(), buf.ty());
        self.line(format_args!("memref.prefetch {name}[%{}], read, locality<3>, data : {mem}", at.0));
    }

    // ---- structure

    /// `for i in (lo..hi).step_by(step)`, carrying values. A loop that is known to run at most once is not a loop.
    pub fn for_(
        &mut self,
        lo: Ix,
        hi: Ix,
        step: u64,
        carried: &[Val],
        body: impl FnOnce(&mut Builder, Ix, &[Val]) -> Vec<Val>,
    ) -> Vec<Val> {
        if lo.base == hi.base {
            if hi.offset <= lo.offset {
                return carried.to_vec();
            }
            if hi.offset - lo.offset <= step as i64 {
                return body(self, lo, carried);
            }
        }
        let (lo, hi) = (self.ix(lo), self.ix(hi));
        let step = self.int(Ty::scalar(Kind::Index), step as i64);
        self.loop_over(lo, hi, step, carried, body)
    }

    pub(super) fn loop_over(
        &mut self,
        lo: Val,
        hi: Val,
        step: Val,
        carried: &[Val],
        body: impl FnOnce(&mut Builder, Ix, &[Val]) -> Vec<Val>,
    ) -> Vec<Val> {
        let iv = self.fresh(Ty::scalar(Kind::Index));
        let types: Vec<Ty> = carried.iter().map(|v| self.ty(*v)).collect();
        let args: Vec<Val> = types.iter().map(|t| self.fresh(*t)).collect();
        let head = format!("scf.for %{} = %{} to %{} step %{}", iv.0, lo.0, hi.0, step.0);
        let results: Vec<Val> = types.iter().map(|t| self.fresh(*t)).collect();
        if carried.is_empty() {
            self.line(format_args!("{head} {{"));
        } else {
            let inits: Vec<String> = args.iter().zip(carried).map(|(a, c)| format!("%{} = %{}", a.0, c.0)).collect();
            let (names, types) = (list(&results), list_types(&types));
            self.line(format_args!("{names} = {head} iter_args({}) -> ({types}) {{", inits.join(", ")));
        }
        self.region(|b| {
            let yields = body(b, iv.into(), &args);
            b.yields(&yields, &types);
        });
        self.line(format_args!("}}"));
        results
    }

    /// A loop without carried values.
    pub fn loop_(&mut self, lo: Ix, hi: Ix, step: u64, body: impl FnOnce(&mut Builder, Ix)) {
        self.for_(lo, hi, step, &[], |b, i, _| {
            body(b, i);
            Vec::new()
        });
    }

    pub fn if_else(
        &mut self,
        condition: Val,
        types: &[Ty],
        yes: impl FnOnce(&mut Builder) -> Vec<Val>,
        no: impl FnOnce(&mut Builder) -> Vec<Val>,
    ) -> Vec<Val> {
        let results: Vec<Val> = types.iter().map(|t| self.fresh(*t)).collect();
        if types.is_empty() {
            self.line(format_args!("scf.if %{} {{", condition.0));
        } else {
            let (names, types) = (list(&results), list_types(types));
            self.line(format_args!("{names} = scf.if %{} -> ({types}) {{", condition.0));
        }
        self.region(|b| {
            let values = yes(b);
            b.yields(&values, types);
        });
        self.line(format_args!("}} else {{"));
        self.region(|b| {
            let values = no(b);
            b.yields(&values, types);
        });
        self.line(format_args!("}}"));
        results
    }

    fn yields(&mut self, values: &[Val], types: &[Ty]) {
        if !types.is_empty() {
            self.line(format_args!("scf.yield {} : {}", list(values), list_types(types)));
        }
    }

    pub fn if_(&mut self, condition: Val, yes: impl FnOnce(&mut Builder)) {
        self.line(format_args!("scf.if %{} {{", condition.0));
        self.region(yes);
        self.line(format_args!("}}"));
    }

    // ---- the function

    pub fn lo(&mut self) -> Ix {
        self.argument("%lo")
    }

    pub fn hi(&mut self) -> Ix {
        self.argument("%hi")
    }

    /// A dim of the launch.
    pub fn dim(&mut self, i: u32) -> Ix {
        self.argument(&format!("%d{i}"))
    }

    /// Arguments have names; everything else has a number.
    pub(super) fn argument(&mut self, name: &str) -> Ix {
        let zero = self.int(Ty::scalar(Kind::Index), 0);
        self.constant(Ty::scalar(Kind::Index), format!("arith.addi {name}, %{} : index", zero.0)).into()
    }

    pub fn scratch(&mut self, kind: Kind) -> Buf {
        self.scratch = Some(kind);
        Buf { at: SCRATCH, kind, place: Place::Memory }
    }

    /// The module: one function with the buffers, the scratch if it was used or is promised, `lo`, `hi` and the dims.
    pub fn finish(self, symbol: &str, buffers: &[DType], scratch: bool, dims: u32) -> String {
        let mut args: Vec<String> =
            buffers.iter().enumerate().map(|(i, &d)| format!("%b{i}: {}", Buf::arg(i as u32, d).ty())).collect();
        if scratch {
            let buf = Buf { at: SCRATCH, kind: self.scratch.unwrap_or(Kind::F32), place: Place::Memory };
            args.push(format!("%scratch: {}", buf.ty()));
        }
        args.extend(["%lo: index".into(), "%hi: index".into()]);
        args.extend((0..dims).map(|i| format!("%d{i}: index")));
        let (mut globals, mut views) = (String::new(), String::new());
        if self.gpu == Some(Form::Emulated) {
            args.extend(["thread", "block", "blocks"].map(|name| format!("%{name}: index")));
            args.push(format!("%shared: memref<{HUGE}xi8>"));
            args.push(format!("%mail: {}", Buf::mail().ty()));
            args.push("%host: !llvm.ptr".into());
        }
        if self.dynamic {
            let all = format!("@{symbol}_dynamic : memref<0xi8, 3>");
            // Writing to a String cannot fail.
            let _ = match self.form() {
                Form::Device => {
                    let _ = writeln!(globals, "  memref.global {all} {{alignment = {DYNAMIC_ALIGN} : i64}}");
                    let at = "memref.extract_aligned_pointer_as_index %dynamic : memref<0xi8, 3> -> index";
                    writeln!(views, "    %dynamic = memref.get_global {all}\n    %dynamic_at = {at}")
                }
                Form::Emulated => writeln!(views, "    %dynamic_at = arith.constant {EMULATED_DYNAMIC} : index"),
            };
        }
        let mut from = 0u64;
        for buf in &self.shared {
            let (at, ty) = (buf.at, buf.ty());
            if let Place::Dynamic(_, from, form) = buf.place {
                let (whole, from) = match form {
                    Form::Device => (format!("%dynamic[%f{at}][] : memref<0xi8, 3>"), from),
                    Form::Emulated => (format!("%shared[%f{at}][] : memref<{HUGE}xi8>"), EMULATED_DYNAMIC + from),
                };
                let _ = writeln!(views, "    %f{at} = arith.constant {from} : index");
                let _ = writeln!(views, "    %s{at} = memref.view {whole} to {ty}");
                continue;
            }
            let Place::Shared(elements, form) = buf.place else { continue };
            // Writing to a String cannot fail.
            let _ = match form {
                Form::Device => {
                    let attributes = "= uninitialized {alignment = 16 : i64}";
                    let _ = writeln!(globals, "  memref.global \"private\" @{symbol}_s{at} : {ty} {attributes}");
                    writeln!(views, "    %s{at} = memref.get_global @{symbol}_s{at} : {ty}")
                }
                Form::Emulated => {
                    let _ = writeln!(views, "    %f{at} = arith.constant {from} : index");
                    writeln!(views, "    %s{at} = memref.view %shared[%f{at}][] : memref<{HUGE}xi8> to {ty}")
                }
            };
            from = (from + elements * buf.kind.bytes()).next_multiple_of(16);
        }
        let (constants, body, args) = (&self.constants, &self.body, args.join(", "));
        format!("module {{\n{globals}  func.func @{symbol}({args}) {{\n{views}{constants}{body}    return\n  }}\n}}\n")
    }
}

fn list(values: &[Val]) -> String {
    let text: Vec<String> = values.iter().map(|v| format!("%{}", v.0)).collect();
    text.join(", ")
}

fn list_types(types: &[Ty]) -> String {
    let text: Vec<String> = types.iter().map(Ty::to_string).collect();
    text.join(", ")
}
