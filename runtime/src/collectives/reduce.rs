//! `acc = acc op x` over slices: plain loops that the compiler vectorises. Sums of 16-bit floats are taken in f32 and
//! rounded once.

use meshloom_bundle::{DType, Reduction};

/// Element types that can be reduced.
pub trait Element: Copy + Send + Sync + 'static {
    fn sum(a: Self, b: Self) -> Self;
    fn max(a: Self, b: Self) -> Self;
    fn min(a: Self, b: Self) -> Self;
    fn product(a: Self, b: Self) -> Self;
    /// And and or are of integers' bits; validation lets no float come to them.
    fn and(a: Self, b: Self) -> Self;
    fn or(a: Self, b: Self) -> Self;
}

macro_rules! float {
    ($($t:ty)*) => { $(impl Element for $t {
        #[inline(always)]
        fn sum(a: Self, b: Self) -> Self { a + b }
        // As StableHLO's maximum and minimum: NaN wins.
        #[inline(always)]
        fn max(a: Self, b: Self) -> Self { if b > a || b.is_nan() { b } else { a } }
        #[inline(always)]
        fn min(a: Self, b: Self) -> Self { if b < a || b.is_nan() { b } else { a } }
        #[inline(always)]
        fn product(a: Self, b: Self) -> Self { a * b }
        #[inline(always)]
        fn and(a: Self, _: Self) -> Self { a }
        #[inline(always)]
        fn or(a: Self, _: Self) -> Self { a }
    })* };
}

macro_rules! integer {
    ($($t:ty)*) => { $(impl Element for $t {
        #[inline(always)]
        fn sum(a: Self, b: Self) -> Self { a.wrapping_add(b) }
        #[inline(always)]
        fn max(a: Self, b: Self) -> Self { if b > a { b } else { a } }
        #[inline(always)]
        fn min(a: Self, b: Self) -> Self { if b < a { b } else { a } }
        #[inline(always)]
        fn product(a: Self, b: Self) -> Self { a.wrapping_mul(b) }
        #[inline(always)]
        fn and(a: Self, b: Self) -> Self { a & b }
        #[inline(always)]
        fn or(a: Self, b: Self) -> Self { a | b }
    })* };
}

float!(f32 f64);
integer!(i32 i64 i8 u8 u32);

/// Floats that are stored in 16 bits and reduced in f32.
trait Half: Copy {
    fn wide(self) -> f32;
    fn narrow(x: f32) -> Self;
}

impl Half for half::bf16 {
    #[inline(always)]
    fn wide(self) -> f32 {
        self.to_f32()
    }
    #[inline(always)]
    fn narrow(x: f32) -> Self {
        half::bf16::from_f32(x)
    }
}

impl Half for half::f16 {
    #[inline(always)]
    fn wide(self) -> f32 {
        self.to_f32()
    }
    #[inline(always)]
    fn narrow(x: f32) -> Self {
        half::f16::from_f32(x)
    }
}

/// Reduces `len` bytes at `src(0)`, `src(1)`, .. `src(n - 1)`, in this order, into `len` bytes at `out`.
///
/// # Safety
/// All are valid for `len` bytes and aligned to the element, `out` overlaps none of the others, and no other thread writes to them.
pub unsafe fn all(op: Reduction, dtype: DType, out: *mut u8, n: usize, len: usize, src: &dyn Fn(usize) -> *const u8) {
    // SAFETY: passed on to the caller.
    unsafe {
        match dtype {
            DType::BF16 => halves::<half::bf16>(op, out, n, len, src),
            DType::F16 => halves::<half::f16>(op, out, n, len, src),
            _ => {
                std::ptr::copy_nonoverlapping(src(0), out, len);
                (1..n).for_each(|k| into(op, dtype, out, src(k), len));
            }
        }
    }
}

/// # Safety
/// As [`all`], with `T` the element.
unsafe fn halves<T: Half>(op: Reduction, out: *mut u8, n: usize, len: usize, src: &dyn Fn(usize) -> *const u8) {
    const PIECE: usize = 256;
    let (count, out) = (len / size_of::<T>(), out.cast::<T>());
    let mut acc = [0f32; PIECE];
    for from in (0..count).step_by(PIECE) {
        let acc = &mut acc[..PIECE.min(count - from)];
        for k in 0..n {
            // SAFETY: valid and aligned, as the caller promises; every bit pattern is a value of these types.
            let x = unsafe { std::slice::from_raw_parts(src(k).cast::<T>().add(from), acc.len()) };
            let pairs = acc.iter_mut().zip(x);
            match op {
                _ if k == 0 => pairs.for_each(|(a, b)| *a = b.wide()),
                Reduction::Sum => pairs.for_each(|(a, b)| *a += b.wide()),
                Reduction::Max => pairs.for_each(|(a, b)| *a = Element::max(*a, b.wide())),
                Reduction::Min => pairs.for_each(|(a, b)| *a = Element::min(*a, b.wide())),
                Reduction::Prod => pairs.for_each(|(a, b)| *a *= b.wide()),
                Reduction::And | Reduction::Or => unreachable!("bits of a float passed validation"),
            }
        }
        // SAFETY: as above, and `out` is disjoint from the sources.
        let out = unsafe { std::slice::from_raw_parts_mut(out.add(from), acc.len()) };
        out.iter_mut().zip(acc).for_each(|(o, &mut a)| *o = T::narrow(a));
    }
}

/// Reduces `len` bytes at `x` into `len` bytes at `acc`.
///
/// # Safety
/// Both are valid for `len` bytes, aligned to the element and do not overlap; no other thread writes to them.
unsafe fn into(op: Reduction, dtype: DType, acc: *mut u8, x: *const u8, len: usize) {
    // SAFETY: passed on to the caller.
    unsafe {
        match dtype {
            DType::F32 => typed::<f32>(op, acc, x, len),
            DType::F64 => typed::<f64>(op, acc, x, len),
            DType::I32 => typed::<i32>(op, acc, x, len),
            DType::I64 => typed::<i64>(op, acc, x, len),
            DType::U32 => typed::<u32>(op, acc, x, len),
            DType::I8 => typed::<i8>(op, acc, x, len),
            DType::U8 => typed::<u8>(op, acc, x, len),
            other => unreachable!("a reduction of {} passed validation", other.name()),
        }
    }
}

/// # Safety
/// As [`into`], with `T` the element.
unsafe fn typed<T: Element>(op: Reduction, acc: *mut u8, x: *const u8, len: usize) {
    let n = len / size_of::<T>();
    // SAFETY: valid, aligned, disjoint, as the caller promises; every bit pattern is a value of these types.
    let (acc, x) =
        unsafe { (std::slice::from_raw_parts_mut(acc.cast::<T>(), n), std::slice::from_raw_parts(x.cast::<T>(), n)) };
    match op {
        Reduction::Sum => acc.iter_mut().zip(x).for_each(|(a, &b)| *a = T::sum(*a, b)),
        Reduction::Max => acc.iter_mut().zip(x).for_each(|(a, &b)| *a = T::max(*a, b)),
        Reduction::Min => acc.iter_mut().zip(x).for_each(|(a, &b)| *a = T::min(*a, b)),
        Reduction::Prod => acc.iter_mut().zip(x).for_each(|(a, &b)| *a = T::product(*a, b)),
        Reduction::And => acc.iter_mut().zip(x).for_each(|(a, &b)| *a = T::and(*a, b)),
        Reduction::Or => acc.iter_mut().zip(x).for_each(|(a, &b)| *a = T::or(*a, b)),
    }
}
