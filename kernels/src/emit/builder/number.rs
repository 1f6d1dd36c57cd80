//! Constants, arithmetic, and vectors of numbers.

use super::{Builder, ElemKind, Ty, Val, list};

impl Builder {
    pub fn float(&mut self, ty: Ty, x: f64) -> Val {
        // Bits in hexadecimal are exact, and cover infinities.
        let bits = if ty.kind == ElemKind::F32 {
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
            (ElemKind::I1, 0) => return self.constant(ty, format!("arith.constant {}", x != 0)),
            (ElemKind::I1, _) => format!("dense<{}>", x != 0),
            (_, 0) => x.to_string(),
            _ => format!("dense<{x}>"),
        };
        self.constant(ty, format!("arith.constant {text} : {ty}"))
    }

    /// A constant of a kind of number.
    pub fn number(&mut self, ty: Ty, x: f64) -> Val {
        if ty.kind == ElemKind::F16 {
            let text = if ty.lanes == 0 { format!("{x:?}") } else { format!("dense<{x:?}>") };
            return self.constant(ty, format!("arith.constant {text} : {ty}"));
        }
        // These are bits here.
        let bits = match ty.kind {
            ElemKind::Bf16 => i64::from(half::bf16::from_f64(x).to_bits().cast_signed()),
            ElemKind::F8E4m3 | ElemKind::F8E5m2 if x == 0.0 && x.is_sign_negative() => i64::from(i8::MIN),
            _ if ty.kind.is_float() => return self.float(ty, x),
            _ => x as i64,
        };
        self.int(ty, bits)
    }

    /// `stride * [0, 1, 2, ..]`.
    pub fn steps(&mut self, kind: ElemKind, lanes: u64, stride: i64) -> Val {
        let ty = Ty::vector(kind, lanes);
        let text: Vec<String> = (0..lanes as i64).map(|i| (i * stride).to_string()).collect();
        self.constant(ty, format!("arith.constant dense<[{}]> : {ty}", text.join(", ")))
    }

    /// The first `n` of `lanes`.
    pub fn mask(&mut self, lanes: u64, n: u64) -> Val {
        let ty = Ty::vector(ElemKind::I1, lanes);
        let text: Vec<String> = (0..lanes).map(|i| (i < n).to_string()).collect();
        self.constant(ty, format!("arith.constant dense<[{}]> : {ty}", text.join(", ")))
    }

    // ---- arithmetic

    /// A binary operation on equal types, by its name in `arith`. No flag allows `a * b + c` to become one operation: whether it did
    /// would depend on who else reads the product, and the same element would differ between two kernels. Where one rounding is
    /// wanted, [`Builder::multiply_add`] says so.
    pub fn binary(&mut self, op: &str, a: Val, b: Val) -> Val {
        let ty = self.ty(a);
        self.op(ty, format_args!("arith.{op} %{}, %{} : {ty}", a.0, b.0))
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
        self.op(ty.with(ElemKind::I1), format_args!("arith.{op} {predicate}, %{}, %{} : {ty}", a.0, b.0))
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
    pub fn cast(&mut self, op: &str, a: Val, kind: ElemKind) -> Val {
        let from = self.ty(a);
        let to = from.with(kind);
        self.op(to, format_args!("arith.{op} %{} : {from} to {to}", a.0))
    }

    /// The same bits as another kind of the same width.
    pub fn bitcast(&mut self, a: Val, kind: ElemKind) -> Val {
        self.cast("bitcast", a, kind)
    }

    /// Two f32 rounded to bf16 by one instruction of a GPU: a word, the first in its lower half.
    pub(in crate::emit) fn bf16_pair(&mut self, low: Val, high: Val) -> Val {
        let call = "llvm.call_intrinsic \"llvm.nvvm.ff2bf16x2.rn\"";
        let word = Ty::scalar(ElemKind::I32);
        // The pair is no type of the builder's, its bits are.
        let pair = self.op(word, format_args!("{call}(%{}, %{}) : (f32, f32) -> vector<2xbf16>", high.0, low.0));
        self.op(word, format_args!("llvm.bitcast %{} : vector<2xbf16> to i32", pair.0))
    }

    /// The lower and the upper half of a product of integers without sign.
    pub fn wide_product(&mut self, a: Val, b: Val) -> [Val; 2] {
        let ty = self.ty(a);
        let halves = [self.fresh(ty), self.fresh(ty)];
        self.line(format_args!("{} = arith.mului_extended %{}, %{} : {ty}", list(&halves), a.0, b.0));
        halves
    }

    // ---- vectors

    /// A vector of scalars.
    pub fn elements(&mut self, values: &[Val]) -> Val {
        let ty = Ty::vector(self.ty(values[0]).kind, values.len() as u64);
        let names: Vec<String> = values.iter().map(|v| format!("%{}", v.0)).collect();
        self.op(ty, format_args!("vector.from_elements {} : {ty}", names.join(", ")))
    }

    /// The same bits in lanes of another size.
    pub fn regroup(&mut self, v: Val, ty: Ty) -> Val {
        let from = self.ty(v);
        self.op(ty, format_args!("vector.bitcast %{} : {from} to {ty}", v.0))
    }

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

    /// Whether a truth value holds in some lane.
    pub fn any(&mut self, v: Val) -> Val {
        if self.ty(v).lanes == 0 { v } else { self.reduction("or", v) }
    }

    /// The lanes of a mask as the lowest bits of an i32, the first one the lowest.
    pub(in crate::emit) fn bits(&mut self, mask: Val) -> Val {
        let (lanes, word) = (self.ty(mask).lanes, Ty::scalar(ElemKind::I32));
        // An integer of so many bits is no type of the builder's, its bits are.
        let cast = format!("vector.bitcast %{} : vector<{lanes}xi1> to vector<1xi{lanes}>", mask.0);
        let one = self.op(word, format_args!("{cast}"));
        let bits = self.op(word, format_args!("vector.extract %{}[0] : i{lanes} from vector<1xi{lanes}>", one.0));
        self.op(word, format_args!("arith.extui %{} : i{lanes} to i32", bits.0))
    }

    /// The lanes but the first, each one place lower, and `last`.
    pub fn rotate(&mut self, v: Val, last: Val) -> Val {
        let lanes = self.ty(v).lanes;
        let last = self.broadcast(last, lanes);
        let order: Vec<u64> = (1..=lanes).collect();
        self.shuffle(v, last, &order)
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
}
