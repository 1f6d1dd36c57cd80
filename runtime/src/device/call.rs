//! Calling a kernel with a number of arguments known only at run time.
//!
//! The ABI passes pointers and `i64`s alone. In the C calling conventions of x86-64 and AArch64 both travel in the same integer
//! registers and stack slots, so every argument is passed as a `usize` and one function type per arity is enough.

use meshloom_bundle::MAX_KERNEL_ARGS;

/// The address of a kernel in a loaded library.
#[derive(Clone, Copy)]
pub struct KernelAddress(pub(crate) *const ());

// SAFETY: the address of code, which does not change and is read by calling it.
unsafe impl Send for KernelAddress {}
// SAFETY: as above.
unsafe impl Sync for KernelAddress {}

macro_rules! arities {
    ($f:expr, $args:expr; $( $n:literal => [$($i:literal)*] )*) => {
        match $args.len() {
            $( $n => {
                type F = unsafe extern "C" fn($(arities!(@usize $i)),*);
                // SAFETY: the caller promises that the address is of a C function with this many integer or pointer arguments.
                unsafe { std::mem::transmute::<*const (), F>($f)($($args[$i]),*) }
            } )*
            n => unreachable!("a kernel of {n} arguments passed validation"),
        }
    };
    (@usize $i:literal) => { usize };
}

/// Calls a kernel.
///
/// # Safety
/// `kernel` is a C function of exactly `args.len()` arguments, each a pointer or an `i64`, returning nothing; the pointers are valid for
/// what the kernel does with them, and no other thread touches what it writes.
#[inline]
pub unsafe fn call(kernel: KernelAddress, args: &[usize]) {
    const { assert!(MAX_KERNEL_ARGS == 32) };
    arities!(kernel.0, args;
        2 => [0 1]
        3 => [0 1 2]
        4 => [0 1 2 3]
        5 => [0 1 2 3 4]
        6 => [0 1 2 3 4 5]
        7 => [0 1 2 3 4 5 6]
        8 => [0 1 2 3 4 5 6 7]
        9 => [0 1 2 3 4 5 6 7 8]
        10 => [0 1 2 3 4 5 6 7 8 9]
        11 => [0 1 2 3 4 5 6 7 8 9 10]
        12 => [0 1 2 3 4 5 6 7 8 9 10 11]
        13 => [0 1 2 3 4 5 6 7 8 9 10 11 12]
        14 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13]
        15 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14]
        16 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]
        17 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16]
        18 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17]
        19 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18]
        20 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19]
        21 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20]
        22 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21]
        23 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22]
        24 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23]
        25 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24]
        26 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25]
        27 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26]
        28 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27]
        29 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28]
        30 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29]
        31 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30]
        32 => [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31]
    )
}
