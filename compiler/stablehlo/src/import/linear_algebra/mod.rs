//! Triangular systems and factors of matrices: `triangular_solve`, `cholesky`, and the LAPACK calls that JAX's CPU lowering makes for
//! `solve`, `lu`, `inv`, `det`, `qr`, `eigh` and `svd`, of real and of complex matrices.
//!
//! What they compute is written in Loom, in the files beside this one: loops over columns, of plain ops, planned and certified as any
//! loop. Batch dims may be split; a matrix is whole on each device.
//!
//! Here is what the calls say, and which operands fit.

use crate::import::state::{Import, ImportRule};
use crate::lexer::Token;
use crate::module::TextOp;
use meshloom_ir::{DType, ValueId};

type Made = Result<Vec<ValueId>, String>;

/// Real, or real and imaginary.
type MatrixParts = Vec<ValueId>;

type Routine = for<'m> fn(&mut Import<'m>, &TextOp<'m>, &[MatrixParts]) -> Made;

/// Of real and of complex numbers.
pub const RULES: &[(&str, ImportRule)] =
    &[("stablehlo.triangular_solve", triangular_solve), ("stablehlo.cholesky", cholesky)];

/// LAPACK's routines, each with the number of its operands.
const ROUTINES: &[(&str, usize, Routine)] = &[
    ("trsm", 2, trsm),
    ("potrf", 1, potrf),
    ("getrf", 1, getrf),
    ("geqrf", 1, geqrf),
    ("orgqr", 2, orgqr),
    ("ungqr", 2, orgqr),
    ("ormqr", 3, ormqr),
    ("unmqr", 3, ormqr),
    ("syevd", 1, syevd),
    ("heevd", 1, syevd),
    ("gesdd", 1, gesdd),
];

/// What the routines compute. A call reads what it needs: most of its time is the reading.
const SYSTEMS: &str = concat!(include_str!("matrices.loom"), include_str!("systems.loom"));
const FACTORS: &str = concat!(include_str!("matrices.loom"), include_str!("factors.loom"));
const EIGENVALUES: &str = concat!(
    include_str!("matrices.loom"),
    include_str!("systems.loom"),
    include_str!("factors.loom"),
    include_str!("jacobi.loom")
);

/// The LAPACK call `target` (`lapack_dgetrf_ffi`), if it is one of those that are computed here.
///
/// # Errors
/// Operands that do not fit.
pub fn lapack<'m>(i: &mut Import<'m>, op: &TextOp<'m>, target: &str) -> Option<Made> {
    let name = target.strip_prefix("lapack_")?.strip_suffix("_ffi")?.strip_prefix(['s', 'd', 'c', 'z'])?;
    let (_, count, routine) = ROUTINES.iter().find(|r| r.0 == name)?;
    Some(i.matrices(op, *count).and_then(|all| routine(i, op, &all)))
}

fn triangular_solve<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let all = i.matrices(op, 2)?;
    // `#stablehlo<transpose NO_TRANSPOSE>`
    let transpose =
        op.attr("transpose_a").and_then(|t| t.iter().find_map(|t| t.group(b'<'))?.last()?.leaf(Token::Word));
    let transposed = matches!(transpose, Some("TRANSPOSE" | "ADJOINT"));
    let [left, lower] = ["left_side", "lower"].map(|name| truth(op, name).unwrap_or(true));
    let unit = truth(op, "unit_diagonal").unwrap_or(false);
    i.solved(&all, left, &[lower, transposed, transpose == Some("ADJOINT"), unit])
}

fn trsm<'m>(i: &mut Import<'m>, op: &TextOp<'m>, all: &[MatrixParts]) -> Made {
    let transpose = op.letter("trans_x")?;
    let (lower, unit) = (op.letter("uplo")? == b'L', op.letter("diag")? == b'U');
    i.solved(all, op.letter("side")? == b'L', &[lower, transpose != b'N', transpose == b'C', unit])
}

fn cholesky<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let all = i.matrices(op, 1)?;
    let mut made = i.factored(&all, truth(op, "lower").unwrap_or(false))?;
    made.truncate(all[0].len());
    Ok(made)
}

/// The factor, and by matrix the place of the first pivot that is not positive.
fn potrf<'m>(i: &mut Import<'m>, op: &TextOp<'m>, all: &[MatrixParts]) -> Made {
    i.factored(all, op.letter("uplo")? == b'L')
}

fn getrf<'m>(i: &mut Import<'m>, _: &TextOp<'m>, all: &[MatrixParts]) -> Made {
    i.sizes(&all[0])?;
    i.computed("getrf", all, &[])
}

fn geqrf<'m>(i: &mut Import<'m>, _: &TextOp<'m>, all: &[MatrixParts]) -> Made {
    i.sizes(&all[0])?;
    i.computed("geqrf", all, &[])
}

fn orgqr<'m>(i: &mut Import<'m>, _: &TextOp<'m>, all: &[MatrixParts]) -> Made {
    i.check_reflectors(&all[0], &all[1])?;
    i.computed("orgqr", all, &[])
}

fn ormqr<'m>(i: &mut Import<'m>, op: &TextOp<'m>, all: &[MatrixParts]) -> Made {
    let (left, transposed) = (op.configured("left")?, op.configured("transpose")?);
    i.check_reflectors(&all[0], &all[1])?;
    let ([m, _], [rows, columns]) = (i.sizes(&all[0])?, i.sizes(&all[2])?);
    let [a, c] = [&all[0], &all[2]].map(|x| i.b.ty(x[0]).clone());
    if c.rank() != a.rank() || m != if left { rows } else { columns } {
        return Err(format!("reflectors of {a} do not fit {c}"));
    }
    i.computed("ormqr", all, &[left.to_string(), transposed.to_string()])
}

fn syevd<'m>(i: &mut Import<'m>, op: &TextOp<'m>, all: &[MatrixParts]) -> Made {
    let [m, n] = i.sizes(&all[0])?;
    let ty = i.b.ty(all[0][0]);
    if m != n {
        return Err(format!("square matrices are meant, not {ty}"));
    }
    let sweeps = sweeps(n, ty.dtype);
    i.computed("syevd", all, &[(op.letter("uplo")? == b'L').to_string(), sweeps.to_string()])
}

/// The operand (LAPACK leaves nothing useful there), singular values, left and right vectors, and whether it failed.
fn gesdd<'m>(i: &mut Import<'m>, op: &TextOp<'m>, all: &[MatrixParts]) -> Made {
    let mode = op.letter("mode")?;
    if !matches!(mode, b'A' | b'S' | b'N') {
        return Err(format!("`gesdd` in mode `{}` is not supported", char::from(mode)));
    }
    let [m, n] = i.sizes(&all[0])?;
    let ty = i.b.ty(all[0][0]).clone();
    let vectors = mode != b'N';
    let settings = [vectors.to_string(), (mode == b'A').to_string(), sweeps(m.min(n), ty.dtype).to_string()];
    let mut made = i.computed("gesdd", all, &settings)?;
    if !vectors {
        let square = |k: u64| [&ty.shape[..ty.rank() - 2], &[k, k]].concat();
        let parts = [m, n].into_iter().flat_map(|k| vec![square(k); all[0].len()]);
        let zeros: Vec<ValueId> = parts.map(|shape| i.b.constant(ty.dtype, &shape, 0.0)).collect();
        made.splice(1..1, zeros);
    }
    made.splice(0..0, all[0].iter().copied());
    Ok(made)
}

/// Sweeps after which matrices of `n` columns were orthogonal in all trials: random ones, with equal and with clustered values, of low
/// rank, and with values from 1 down to 1e-12.
fn sweeps(n: u64, dtype: DType) -> u64 {
    let steps = u64::from(n.next_power_of_two().trailing_zeros());
    if dtype == DType::F64 { (3 * steps).max(8) } else { (2 * steps + 2).max(6) }
}

/// An attribute that is true or false.
fn truth(op: &TextOp<'_>, name: &str) -> Option<bool> {
    Some(op.attr(name)?.first()?.leaf(Token::Word)? == "true")
}

impl<'m> Import<'m> {
    /// The parts of the operands, so many of one element type.
    fn matrices(&mut self, op: &TextOp<'m>, count: usize) -> Result<Vec<MatrixParts>, String> {
        let names = op.operands();
        if names.len() != count {
            return Err(format!("`{}` takes {count} operands, and has {}", op.name, names.len()));
        }
        let all = names.iter().map(|name| self.values(&[name])).collect::<Result<Vec<MatrixParts>, String>>()?;
        let first = self.b.ty(all[0][0]).dtype;
        if all.iter().any(|x| x.len() != all[0].len() || self.b.ty(x[0]).dtype != first) {
            return Err(format!("the operands of `{}` are of one element type", op.name));
        }
        Ok(all)
    }

    /// The last two sizes of matrices.
    fn sizes(&self, a: &[ValueId]) -> Result<[u64; 2], String> {
        let ty = self.b.ty(a[0]);
        match ty.shape[..] {
            [.., m, n] if ty.dtype.is_float() && ty.elements() > 0 => Ok([m, n]),
            _ => Err(format!("matrices of floats are meant, not {ty}")),
        }
    }

    /// The size of square matrices.
    fn square(&self, a: &[ValueId]) -> Result<u64, String> {
        let ty = self.b.ty(a[0]);
        match ty.shape[..] {
            [.., m, n] if m == n && ty.dtype.is_float() => Ok(n),
            _ => Err(format!("square matrices of floats are meant, not {ty}")),
        }
    }

    fn check_reflectors(&self, a: &[ValueId], factors: &[ValueId]) -> Result<(), String> {
        let [m, n] = self.sizes(a)?;
        let [a, factors] = [a, factors].map(|x| self.b.ty(x[0]));
        let count = factors.shape.last().copied().unwrap_or(0);
        let (rank, batch) = (a.rank(), a.rank() - 2);
        let fits = factors.rank() == rank - 1 && factors.shape[..batch] == a.shape[..batch] && (1..=n).contains(&count);
        if fits && n <= m { Ok(()) } else { Err(format!("{factors} are no reflectors of {a}")) }
    }

    /// The solution of a triangular system; the settings are those of `trsm` behind `left`.
    fn solved(&mut self, all: &[MatrixParts], left: bool, settings: &[bool]) -> Made {
        let n = self.square(&all[0])?;
        let [a, b] = [0, 1].map(|k| self.b.ty(all[k][0]).clone());
        let batch = a.rank() - 2;
        let fits = b.rank() == a.rank() && b.shape[..batch] == a.shape[..batch];
        if !fits || b.shape[batch + usize::from(!left)] != n {
            return Err(format!("a system of {a} has no right side {b}"));
        }
        if b.elements() == 0 {
            return Ok(all[1].clone());
        }
        let settings: Vec<String> = [&[left], settings].concat().iter().map(bool::to_string).collect();
        self.computed("trsm", all, &settings)
    }

    /// Cholesky's factor, and by matrix the place of the first pivot that is not positive, from 1.
    fn factored(&mut self, all: &[MatrixParts], lower: bool) -> Made {
        self.square(&all[0])?;
        let ty = self.b.ty(all[0][0]).clone();
        if ty.elements() == 0 {
            let failed = self.b.constant(DType::I32, &ty.shape[..ty.rank() - 2], 0.0);
            return Ok([&all[0][..], &[failed]].concat());
        }
        self.computed("potrf", all, &[lower.to_string()])
    }

    /// The results of a function in Loom, for the types of its operands.
    fn computed(&mut self, function: &str, operands: &[MatrixParts], settings: &[String]) -> Made {
        let mut numbers = 0..;
        let list = |parts: &MatrixParts| {
            let names: Vec<String> = numbers.by_ref().take(parts.len()).map(|k| format!("x{k}")).collect();
            format!("[{}]", names.join(", "))
        };
        let mut arguments: Vec<String> = operands.iter().map(list).collect();
        arguments.extend_from_slice(settings);
        let (complex, wide) = (operands[0].len() == 2, self.b.ty(operands[0][0]).dtype == DType::F64);
        let (epsilon, least) = if wide { (f64::EPSILON, 1e-300) } else { (f64::from(f32::EPSILON), 1e-36) };
        let constants = format!("complex = {complex}, epsilon = {epsilon:?}, least = {least:?}");
        let text = match function {
            "trsm" | "potrf" => SYSTEMS,
            "syevd" | "gesdd" => EIGENVALUES,
            _ => FACTORS,
        };
        self.loom(text, &constants, &format!("{function}({})", arguments.join(", ")), &operands.concat())
    }
}
