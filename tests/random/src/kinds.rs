//! Which programs a long run over seeds makes: every kind in turns, so that any stretch of seeds has them all. A test that compares
//! executed programs and one that compares with JAX thus speak of the same program by the same number.

use super::program::RandomOptions;
use meshloom_ir::mesh::Mesh;
use meshloom_ir::types::DType;

/// How close two runs of a program come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closeness {
    /// To the last bit, but for the loss, which sums.
    Exact,
    /// As sums in any order do.
    Close,
    /// As 16 bits do that are rounded here and there: numbers are near each other, and what compares them agrees with itself.
    Loose,
}

/// The options of the program of a seed, and what may be expected of it.
pub fn kind(seed: u64, mesh: Mesh) -> (RandomOptions, Closeness) {
    let turn = seed / KINDS;
    let even = turn.is_multiple_of(2);
    let plain = RandomOptions { uneven: !even, ..RandomOptions::new(mesh) };
    let wide = if turn.is_multiple_of(3) { DType::F32 } else { DType::F64 };
    let narrow = if turn.is_multiple_of(3) { DType::F16 } else { DType::BF16 };
    let exact = |dtype| RandomOptions {
        dtype,
        decisions: true,
        ints: false,
        composites: false,
        arrays: turn.is_multiple_of(4),
        ..plain.clone()
    };
    if seed >= OPERANDS {
        let options = RandomOptions {
            any_op: true,
            arrays: true,
            attention: turn % 4 > 1,
            constraints: !seed.is_multiple_of(5),
            dtype: if seed % 4 == 3 { narrow } else { wide },
            steps: 12,
            ..plain
        };
        return (options, if seed % 4 == 3 { Closeness::Loose } else { Closeness::Close });
    }
    match seed % KINDS {
        0 => (RandomOptions { dtype: wide, ..plain }, Closeness::Close),
        1 => (RandomOptions { arrays: true, dtype: wide, ..plain }, Closeness::Close),
        2 => (RandomOptions { arrays: true, constraints: false, ..plain }, Closeness::Close),
        3 => (exact(DType::BF16), Closeness::Exact),
        4 => (exact(DType::F16), Closeness::Exact),
        5 => (exact(DType::F32), Closeness::Exact),
        6 => (RandomOptions { attention: true, dtype: wide, ..plain }, Closeness::Close),
        7 => (RandomOptions { attention: true, arrays: true, ..plain }, Closeness::Close),
        8 => (RandomOptions { wide: true, ..plain }, Closeness::Close),
        9 => (RandomOptions { wide: true, arrays: true, repeats: even, ..plain }, Closeness::Close),
        10 => (RandomOptions { agree: true, dtype: wide, attention: even, ..plain }, Closeness::Close),
        _ => (RandomOptions { agree: true, dtype: narrow, attention: even, ..plain }, Closeness::Loose),
    }
}

/// How many kinds there are.
pub const KINDS: u64 = 12;

/// The first of the seeds whose programs have ops from all of the table, with arrays of constants as any operands. They have numbers
/// of their own, so that those below still say what they said.
pub const OPERANDS: u64 = 100_000;
