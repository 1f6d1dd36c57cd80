//! Sums whose summands are not all of one form: those of a padding, of a concatenation, or of an array that lies in pieces.
//!
//! The indices of both sums are cut into parts in each of which the summand is of one form. Parts that add nothing are left out. Each
//! part of the kernel's sum has to be a part of the program's, index for index, and no part of the program's may be left. So the
//! order of the parts does not matter.
//!
//! Not here: sums of one form, which [`crate::prove`] compares at once.

use crate::affine::{Affine, Var};
use crate::digits::{Digits, Runners, run_through, wanted};
use crate::exact::Exact;
use crate::prove::Prover;
use crate::prove::sums::Sum;
use crate::space::{Digit, Proof, Role, Stop, differs, unfollowed};
use crate::term::Term;
use meshloom_kernels::{DType, Elem, Reduction};

/// The most parts of a sum.
const PARTS: usize = 64;

/// The most pairs of parts that are compared.
const TRIES: usize = 4 * PARTS;

/// How many terms deep a summand is searched for what cuts it.
const LOOKS: u32 = 6;

fn count(part: &Digits) -> u64 {
    part.iter().flatten().map(|d| d.size).product()
}

/// Whether a number adds nothing to a reduction of elements of a type. The least and the largest integers are not recognised as
/// identities, so sums in which they are left out are not proved.
fn is_identity(kind: Reduction, dtype: DType, x: Exact) -> bool {
    let number = match x {
        Exact::Float(x) => x,
        Exact::Int(n) => n as f64,
    };
    match kind {
        Reduction::Sum | Reduction::Or => number == 0.0,
        Reduction::Prod => number == 1.0,
        Reduction::And => all_bits(dtype).is_some_and(|all| x.same(Exact::Int(all))),
        Reduction::Max => number == f64::NEG_INFINITY,
        Reduction::Min => number == f64::INFINITY,
    }
}

/// The number of a type whose bits are all 1; `None` of floats, which have no `and`.
fn all_bits(dtype: DType) -> Option<i64> {
    match dtype {
        DType::Bool => Some(1),
        DType::U8 => Some(u8::MAX.into()),
        DType::U32 => Some(u32::MAX.into()),
        DType::I8 | DType::I32 | DType::I64 => Some(-1),
        _ => None,
    }
}

/// A summand in a part.
struct Here {
    term: Term,
    /// The variables of the part, with the places of their digits.
    vars: Runners,
}

/// What is left of a part without a box in it: of the digit at each place the values from the first to the last.
fn without(part: &Digits, taken: &[(usize, usize, u64, u64)]) -> Vec<Digits> {
    let (mut rest, mut part) = (Vec::new(), part.clone());
    for &(i, j, first, last) in taken {
        let digit = part[i][j].clone();
        let mut keep = |d: Digit| {
            let mut other = part.clone();
            other[i][j] = d;
            rest.push(other);
        };
        if first > 0 {
            keep(digit.part(first, false));
        }
        if last + 1 < digit.size {
            keep(digit.part(last + 1, true));
        }
        part[i][j] = digit.part(last + 1, false).part(first, true);
    }
    rest
}

/// The slices of a part along one digit that are as large as another part.
fn slices(part: &Digits, size: u64) -> Option<Vec<Digits>> {
    let n = count(part).checked_div(size).filter(|&n| n > 1 && n * size == count(part) && n <= PARTS as u64)?;
    let place = |i: usize| Some((i, part[i].iter().position(|d| d.size == n)?));
    let (i, j) = (0..part.len()).find_map(place)?;
    let slice = |at: u64| {
        let mut one = part.clone();
        one[i][j] = part[i][j].part(at, true).part(1, false);
        one
    };
    Some((0..n).map(slice).collect())
}

impl Prover<'_> {
    /// Whether two reductions are the same part by part.
    pub fn in_parts(&mut self, k: &Sum, p: &Sum) -> Proof<()> {
        let mut own = self.parts(k, Role::Summed)?;
        let mut left = self.parts(p, Role::Sought)?;
        let mut tries = 0;
        'parts: while let Some(part) = own.pop() {
            for i in 0..left.len() {
                tries += 1;
                if tries > TRIES {
                    return unfollowed(format!("a sum of more than {PARTS} parts"));
                }
                let mark = self.space.mark();
                // The smaller one may be some of the larger one.
                let small = count(&part) <= count(&left[i]);
                let (kernel, program) = match small {
                    true => (self.at_part(k, &part, Role::Summed), self.at_part(p, &left[i], Role::Sought)),
                    false => (self.at_part(k, &part, Role::Sought), self.at_part(p, &left[i], Role::Summed)),
                };
                let result = self.same(&kernel.term, &program.term);
                let (given, sought) = if small { (&kernel, &program) } else { (&program, &kernel) };
                let taken = if result.is_ok() { self.image(given, sought) } else { None };
                // What was found of sums around stays found: the part is the same only there.
                if taken.is_none() {
                    self.space.back(mark);
                }
                match (result, taken) {
                    (Ok(()), Some(taken)) => {
                        let whole = left.remove(i);
                        if small {
                            left.extend(without(&whole, &taken));
                        } else {
                            own.extend(without(&part, &taken));
                        }
                        continue 'parts;
                    }
                    (Ok(()), None) | (Err(Stop::Differs(_) | Stop::Unfollowed(_)), _) => {}
                    (Err(e), _) => match wanted(&e, &part, &kernel.vars) {
                        Some(more) => {
                            own.extend(more);
                            continue 'parts;
                        }
                        None => match wanted(&e, &left[i], &program.vars) {
                            Some(more) => {
                                left.remove(i);
                                left.extend(more);
                                own.push(part);
                                continue 'parts;
                            }
                            None => return Err(e),
                        },
                    },
                }
            }
            // A part of one iteration of a loop: which one it is, is seen where the index of the stack is a number.
            match left.iter().position(|p| slices(p, count(&part)).is_some()) {
                Some(i) => {
                    let whole = left.remove(i);
                    left.extend(slices(&whole, count(&part)).into_iter().flatten());
                    own.push(part);
                }
                None => return differs("a sum one part of which is none of the program's"),
            }
        }
        if left.is_empty() { Ok(()) } else { differs("a sum that leaves out a part of the program's") }
    }

    /// The box that the variables that were sought run through, once each, as the given ones do; `None` where that is no box.
    fn image(&self, given: &Here, sought: &Here) -> Option<Vec<(usize, usize, u64, u64)>> {
        let (mut left, mut out) = (given.vars.iter().map(|v| v.0).collect::<Vec<Var>>(), Vec::new());
        for &(v, i, j) in &sought.vars {
            let is = self.space.known(&Affine::var(v));
            let mut terms = is.terms.clone();
            terms.sort_by_key(|t| t.1.unsigned_abs());
            let mut step = 1u64;
            for (w, c) in terms {
                let at = left.iter().position(|&x| x == w)?;
                left.remove(at);
                if c.unsigned_abs() != step {
                    return None;
                }
                step = step.checked_mul(self.space.size(w))?;
            }
            let (lo, hi) = self.space.range(&is);
            if lo < 0 || hi >= self.space.size(v).into() || hi - lo + 1 != i128::from(step) {
                return None;
            }
            out.push((i, j, lo as u64, hi as u64));
        }
        left.is_empty().then_some(out)
    }

    /// The summand in a part.
    fn at_part(&mut self, sum: &Sum, part: &Digits, role: Role) -> Here {
        let own: Vec<Var> = sum.over.iter().flat_map(|a| self.space.digits(a)).collect();
        let (vars, values) = run_through(self.space, part, role);
        let of = |v: Var| own.iter().position(|&x| x == v).map(|i| values[i].clone());
        Here { term: sum.arg.with(&|a| self.space.written(a).with(&of)), vars }
    }

    /// The parts of a sum in which its summand is of one form and adds something.
    fn parts(&mut self, sum: &Sum, role: Role) -> Proof<Vec<Digits>> {
        let own: Vec<Var> = sum.over.iter().flat_map(|a| self.space.digits(a)).collect();
        let mut open: Vec<Digits> = vec![own.iter().map(|&v| vec![Digit::whole(self.space.size(v))]).collect()];
        let mut done = Vec::new();
        while let Some(part) = open.pop() {
            if open.len() + done.len() >= PARTS {
                return unfollowed(format!("a sum of more than {PARTS} parts"));
            }
            let mark = self.space.mark();
            let here = self.at_part(sum, &part, Role::Summed);
            match self.form(&here.term, role, 0) {
                Ok(Some(x)) if is_identity(sum.kind, sum.dtype, x) => {}
                Ok(_) | Err(Stop::Differs(_) | Stop::Unfollowed(_)) => done.push(part),
                Err(e) => match wanted(&e, &part, &here.vars) {
                    Some(more) => {
                        self.space.back(mark);
                        open.extend(more);
                    }
                    None => return Err(e),
                },
            }
        }
        Ok(done)
    }

    /// The number that a term is, if it is one; asks for a cut where the term is of several forms.
    fn form(&mut self, term: &Term, role: Role, depth: u32) -> Proof<Option<Exact>> {
        if depth > LOOKS {
            return Ok(None);
        }
        let here = self.head(term)?;
        match self.opened(&here, role)? {
            Term::Number(x) => Ok(Some(x)),
            // Zero is zero in all types.
            Term::Elem(Elem::Convert, args, _) => {
                let is = self.form(&args[0], role, depth + 1)?;
                Ok(is.filter(|&x| is_identity(Reduction::Sum, DType::F64, x)))
            }
            Term::Elem(_, args, _) => {
                for a in &args {
                    self.form(a, role, depth + 1)?;
                }
                Ok(None)
            }
            // Zero times a number that is not finite is none: such a product is left where it is.
            Term::Product(a, b) => {
                self.form(&a, role, depth + 1)?;
                self.form(&b, role, depth + 1)?;
                Ok(None)
            }
            next @ Term::Place(_) if !next.is(&here) => self.form(&next, role, depth + 1),
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reduction in Rust says of each number of a type.
    #[test]
    fn what_adds_nothing_changes_no_number() {
        for n in [-129i64, -128, -1, 0, 1, 2, 127, 255, i64::from(u32::MAX)] {
            for (dtype, mask) in
                [(DType::Bool, 1), (DType::U8, 0xff), (DType::U32, 0xffff_ffff), (DType::I32, !0), (DType::I64, !0)]
            {
                let all = |f: &dyn Fn(i64) -> i64| [0, 1, 5, mask].iter().all(|&x| f(x & mask) & mask == x & mask);
                let held = n & mask == n;
                let said = |kind| held && is_identity(kind, dtype, Exact::Int(n));
                assert_eq!(said(Reduction::And), held && all(&|x| x & n), "and {n} of {dtype:?}");
                assert_eq!(said(Reduction::Or), held && all(&|x| x | n), "or {n} of {dtype:?}");
            }
        }
        assert!(!is_identity(Reduction::And, DType::F32, Exact::Float(1.0)));
    }
}
