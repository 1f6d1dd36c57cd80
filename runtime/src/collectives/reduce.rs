//! `acc = acc op x` over slices: plain loops that the compiler turns into vector code.

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
integer!(i32 i64);

/// Reduces `len` bytes at `x` into `len` bytes at `acc`.
///
/// # Safety
/// Both are valid for `len` bytes, aligned to the element and do not overlap; nobody else writes to them.
pub unsafe fn into(op: Reduction, dtype: DType, acc: *mut u8, x: *const u8, len: usize) {
    // SAFETY: passed on to the caller.
    unsafe {
        match dtype {
            DType::F32 => typed::<f32>(op, acc, x, len),
            DType::F64 => typed::<f64>(op, acc, x, len),
            DType::I32 => typed::<i32>(op, acc, x, len),
            DType::I64 => typed::<i64>(op, acc, x, len),
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
