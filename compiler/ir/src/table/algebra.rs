//! The types of the columns of the elementwise table ([`super::elem`]): the element types of a row, the op of algebra that it is, the
//! numbers in which tests try it out, what it does with the bits above a narrow type, and the expression that computes it.
//!
//! Laws and rules are about sums, products, exponentials and comparisons, whatever these are called. They ask for a row's
//! [`Arithmetic`]. So a misspelt op is an error in Rust, where a misspelt name would be a law that never applies.
//!
//! Not here: the rows.

pub use meshloom_scalar::Comparison;

/// Which element types a row takes, and gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sig {
    /// Floats to the same float.
    Float,
    /// Floats or integers to the same type.
    Number,
    /// Any equal types to bool.
    Compare,
    /// Booleans or integers to the same type, bit by bit.
    Bits,
    /// Integers to the same type.
    Integer,
    /// Floats to bool.
    Test,
    /// Floats to the signed integer of as many bits: f32 to i32, f64 to i64.
    ToBits,
    /// The other way.
    OfBits,
    /// (bool, T, T) to T.
    Select,
}

/// Which op of algebra a row is. No law is about most rows: those are [`Arithmetic::Other`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    Add,
    Subtract,
    Negate,
    Multiply,
    Divide,
    Exponential,
    Logarithm,
    Root,
    /// The operand itself.
    Same,
    /// Of bools and of bits.
    And,
    Select,
    Compare(Comparison),
    Other,
}

/// In which numbers an operand is tried out by tests: where the op neither overflows nor has a steep slope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawn {
    Any,
    /// In -1..1.
    Small,
    /// In 0.5..1.5.
    Positive,
    /// Eighths of small whole numbers, which every type of float holds.
    Exact,
    /// The same, 0.5 at least.
    ExactPositive,
    /// Bits of such floats, as i32.
    Bits,
}

/// What a row makes of the bits above those of a narrow integer, where it is computed in a wider one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Upper {
    /// None: of the same numbers in more bits it is the same op.
    Ignored,
    /// It sees them: of `i8`, where they are the sign, it is not defined.
    Seen,
    /// It counts them too.
    Counted,
}

/// How far a kernel's result may be from the one that is rounded once: how many numbers of the type one has to go from one to the
/// other. 0 is rounded correctly, or exact. Whoever computes an op may take less precise code up to here, and no further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ulps {
    pub f32: u8,
    pub f64: u8,
    /// f32 on GPUs, which compute some functions with instructions of their own.
    pub gpu: u8,
}

/// How kernels compute a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lower {
    /// The code generator knows the name.
    Primitive,
    /// In terms of other rows: an s-expression over `$0`, `$1`, ... and numbers, e.g. `(divide 1 (add 1 $0))`.
    Expr(&'static str),
}

/// An expression of [`Lower::Expr`].
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    Argument(usize),
    Number(f64),
    /// A row, by its name.
    Apply(&'static str, Vec<Formula>),
}

impl Lower {
    /// The expression; `None` of a primitive. Tests read that of every row.
    pub fn formula(self) -> Option<Formula> {
        let Lower::Expr(text) = self else { return None };
        let mut rest = text;
        let read = formula(&mut rest).filter(|_| rest.is_empty());
        Some(read.unwrap_or_else(|| unreachable!("`{text}` in the table is no expression")))
    }
}

/// Takes an expression from the front of `rest`.
fn formula(rest: &mut &'static str) -> Option<Formula> {
    let inside = rest.strip_prefix('(');
    let text = inside.unwrap_or(rest);
    let (word, behind) = text.split_at(text.find([' ', ')']).unwrap_or(text.len()));
    *rest = behind;
    if inside.is_none() {
        let argument = word.strip_prefix('$').map(|i| i.parse().map(Formula::Argument));
        return argument.map_or_else(|| word.parse().ok().map(Formula::Number), Result::ok);
    }
    let mut args = Vec::new();
    while let Some(more) = rest.strip_prefix(' ') {
        *rest = more.trim_start();
        args.push(formula(rest)?);
    }
    *rest = rest.strip_prefix(')')?;
    Some(Formula::Apply(word, args))
}
