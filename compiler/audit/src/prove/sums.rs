//! Reductions: two are the same if their summands are, each of one where it is in the other.
//!
//! Not here: sums whose summands are not all of one form ([`crate::parts`]).

use crate::affine::{Affine, Var, linear};
use crate::digits::{Digits, run_through, wanted};
use crate::prove::{PARTS, Prover, holds_all};
use crate::space::{Digit, Proof, Role, Stop, differs, unfollowed};
use crate::term::{Term, type_of};
use crate::wraps;
use meshloom_kernels::{DType, Elem, Reduction};

/// A reduction, taken apart.
pub(crate) struct Sum {
    pub kind: Reduction,
    pub over: Vec<Affine>,
    pub arg: Term,
    pub dtype: DType,
}

/// What some variables are at one point of a sum.
#[derive(Clone, Copy)]
struct Point<'p> {
    vars: &'p [Var],
    values: &'p [Affine],
}

impl Point<'_> {
    fn value(&self, v: Var) -> Option<Affine> {
        self.vars.iter().position(|&x| x == v).map(|i| self.values[i].clone())
    }
}

impl Prover<'_> {
    pub(super) fn reduction(&mut self, k: Sum, p: Sum, rounded: bool) -> Proof<()> {
        if k.kind != p.kind {
            return differs(format!("`{}` where the program has `{}`", k.kind.name(), p.kind.name()));
        }
        if wraps::is_narrow(p.dtype) && !rounded && k.dtype != p.dtype && wraps::accumulates(p.kind) {
            return differs(format!("`{}` of {} that does not wrap", p.kind.name(), p.dtype.name()));
        }
        // Of no elements the kernel's is the end of the type that it computes in, which wraps to another number than that of an i8.
        let nothing = |a: &Affine| self.space.digits(a).into_iter().any(|v| self.space.size(v) == 0);
        if p.dtype == DType::I8 && matches!(p.kind, Reduction::Max | Reduction::Min) && p.over.iter().any(nothing) {
            return differs(format!("`{}` of no i8", p.kind.name()));
        }
        let mark = self.space.mark();
        let why = match self.summands(&k, &p) {
            Err(e @ (Stop::Differs(_) | Stop::Unfollowed(_))) => e,
            other => return other,
        };
        self.space.back(mark);
        match self.flattened(k, p) {
            Ok(true) => Ok(()),
            Ok(false) => Err(why),
            Err(Stop::Split { var, .. }) if self.space.role(var) == Role::Summed => {
                unfollowed("a sum whose parts are not alike")
            }
            // What is not known of one way to see it is not known.
            Err(Stop::Differs(_)) if matches!(why, Stop::Unfollowed(_)) => Err(why),
            Err(e) => Err(e),
        }
    }

    /// The same for sums of sums as one sum each; `false` where they are no such sums.
    fn flattened(&mut self, k: Sum, p: Sum) -> Proof<bool> {
        let (k, nested) = self.flat(k, p.dtype, Role::Summed)?;
        let dtype = p.dtype;
        let (p, of_program) = self.flat(p, dtype, Role::Sought)?;
        if !nested && !of_program {
            return Ok(false);
        }
        self.summands(&k, &p).map(|()| true)
    }

    /// First whatever indices make the summands the same, as far as they are one-to-one. Where summands are not all of one form,
    /// those of a concatenation or in a padding, no such index is found, and row-major order says which belong together.
    fn summands(&mut self, k: &Sum, p: &Sum) -> Proof<()> {
        let (mark, first) = (self.space.mark(), self.space.now());
        let sought = self.same(&k.arg, &p.arg).and_then(|()| match self.space.one_to_one(&k.over, &p.over)? {
            true => Ok(()),
            false => differs("it reduces over other elements than the program"),
        });
        let why = match sought {
            Err(e @ (Stop::Differs(_) | Stop::Unfollowed(_))) => e,
            Err(e) if matches!(e, Stop::Split { var, .. } if k.over.iter().any(|a| self.space.digits(a).contains(&var))) => {
                e
            }
            Err(e) if self.is_inside(&e, first) => e,
            other => return other,
        };
        self.space.back(mark);
        let unfollowed = |e: &Stop| matches!(e, Stop::Unfollowed(_) | Stop::Split { .. });
        let mut unknown = unfollowed(&why);
        for dims in self.orders(k, p) {
            match self.in_order(k, p, &dims) {
                Err(e @ (Stop::Differs(_) | Stop::Unfollowed(_))) => {
                    unknown |= unfollowed(&e);
                    self.space.back(mark);
                }
                // Another order may need no such cut.
                Err(e) if self.is_inside(&e, first) => {
                    unknown = true;
                    self.space.back(mark);
                }
                other => return other,
            }
        }
        if matches!(why, Stop::Differs(_)) && !unknown {
            return Err(why);
        }
        match self.in_parts(k, p) {
            Ok(()) => return Ok(()),
            Err(Stop::Differs(_) | Stop::Unfollowed(_)) => self.space.back(mark),
            Err(e) if self.is_inside(&e, first) => self.space.back(mark),
            Err(e) => return Err(e),
        }
        match why {
            Stop::Unfollowed(_) => Err(why),
            _ => Err(Stop::Unfollowed("a sum whose parts are not alike".into())),
        }
    }

    /// Whether a proof asks for a cut of an index that it began to sum over itself, after the variable `first` was the next one:
    /// nobody outside of it can cut that.
    fn is_inside(&self, stop: &Stop, first: Var) -> bool {
        let summed = |v: Var| matches!(self.space.role(v), Role::Summed | Role::Sought);
        matches!(*stop, Stop::Split { var, .. } if var >= first && summed(var))
    }

    /// Lists of the program's indices that are as many as the kernel's: all of them, or some whose sum the kernel takes last.
    fn orders(&self, k: &Sum, p: &Sum) -> Vec<Vec<Var>> {
        let count = |list: &[Var]| list.iter().map(|&v| self.space.size(v)).product::<u64>();
        let vars = |list: &[Affine]| list.iter().flat_map(|a| self.space.digits(a)).collect::<Vec<Var>>();
        let (own, dims) = (vars(&k.over), vars(&p.over));
        let n = dims.len().min(6);
        let mut out: Vec<Vec<Var>> = Vec::new();
        for set in (1..1u32 << n).rev() {
            let some: Vec<Var> = (0..n).filter(|i| set >> i & 1 == 1).map(|i| dims[i]).collect();
            if count(&some) == count(&own) {
                if some.len() == 2 {
                    out.push(vec![some[1], some[0]]);
                }
                out.push(some);
            }
        }
        // All of them first.
        out.sort_by_key(|o| std::cmp::Reverse(o.len()));
        out.truncate(8);
        out
    }

    /// Whether summands are the same in row-major order of the kernel's indices and of these of the program.
    fn in_order(&mut self, k: &Sum, p: &Sum, dims: &[Var]) -> Proof<()> {
        let own: Vec<Var> = k.over.iter().flat_map(|a| self.space.digits(a)).collect();
        let sizes: Vec<u64> = own.iter().map(|&v| self.space.size(v)).collect();
        let shape: Vec<u64> = dims.iter().map(|&v| self.space.size(v)).collect();
        if sizes.iter().product::<u64>() != shape.iter().product::<u64>() {
            return differs("it reduces over other elements than the program");
        }
        let mut open: Vec<Digits> = vec![sizes.iter().map(|&n| vec![Digit::whole(n)]).collect()];
        for _ in 0..PARTS {
            let Some(digits) = open.pop() else { return Ok(()) };
            let (vars, values) = run_through(self.space, &digits, Role::Summed);
            let mark = self.space.mark();
            let place = self.space.unravel(&linear(&values, &sizes), &shape);
            let kernel = Point { vars: &own, values: &values };
            let result = place.and_then(|values| self.at(k, p, kernel, Point { vars: dims, values: &values }));
            let Err(stop) = result else { continue };
            let Some(more) = wanted(&stop, &digits, &vars) else { return Err(stop) };
            self.space.back(mark);
            open.extend(more);
        }
        if open.is_empty() { Ok(()) } else { unfollowed(format!("a sum of more than {PARTS} parts")) }
    }

    /// The summands at one point of both: `own` of the kernel's indices, and `other` of some of the program's.
    fn at(&mut self, k: &Sum, p: &Sum, own: Point<'_>, other: Point<'_>) -> Proof<()> {
        let kernel = k.arg.with(&|a| self.space.written(a).with(&|v| own.value(v)));
        let mut program = p.arg.with(&|a| self.space.written(a).with(&|v| other.value(v)));
        let rest = p.over.iter().flat_map(|a| self.space.digits(a)).filter(|v| !other.vars.contains(v));
        let over: Vec<Affine> = rest.map(Affine::var).collect();
        if !over.is_empty() {
            program = Term::Reduce { kind: p.kind, over, arg: Box::new(program), dtype: p.dtype };
        }
        self.same(&kernel, &program)
    }

    /// A reduction whose argument is none of its kind, and whether it was one. The program's is of the type.
    fn flat(&mut self, mut sum: Sum, dtype: DType, role: Role) -> Proof<(Sum, bool)> {
        let mut changed = false;
        loop {
            match self.reduction_in(&sum.arg, sum.kind, dtype, role) {
                Ok(Some((more, arg))) => {
                    sum.over.extend(more);
                    sum.arg = arg;
                    changed = true;
                }
                // The summands are not all of one form: they are compared part by part.
                Err(Stop::Split { var, .. }) if matches!(self.space.role(var), Role::Summed | Role::Sought) => break,
                Ok(None) | Err(Stop::Unfollowed(_)) => break,
                Err(e) => return Err(e),
            }
        }
        Ok((sum, changed))
    }

    fn reduction_in(
        &mut self,
        term: &Term,
        kind: Reduction,
        dtype: DType,
        role: Role,
    ) -> Proof<Option<(Vec<Affine>, Term)>> {
        let here = self.head(term)?;
        match self.opened(&here, role)? {
            Term::Reduce { kind: other, over, arg, .. } if other == kind => Ok(Some((over, *arg))),
            Term::Elem(Elem::Convert, args, to) => {
                // Parts of a sum may be rounded to the type of the sum.
                let from = type_of(self.func, &args[0]);
                let of_one = from.is_some_and(|f| match f.is_int() && to.is_int() {
                    true => wraps::flows(kind, f, to, dtype),
                    // Where each op rounds, the sums of the program are rounded, and no rounding of theirs is left out.
                    false if self.space.rounds_each && matches!(here, Term::Place(_)) => holds_all(f, to),
                    false => holds_all(f, to) || holds_all(to, f),
                });
                if of_one { self.reduction_in(&args[0], kind, dtype, role) } else { Ok(None) }
            }
            Term::Product(a, b) if kind == Reduction::Sum => {
                let first = self.reduction_in(&a, kind, dtype, role);
                if let Ok(Some((over, a))) = first {
                    return Ok(Some((over, Term::Product(Box::new(a), b))));
                }
                // What a cut would tell of one factor may not be needed for the other.
                match self.reduction_in(&b, kind, dtype, role)? {
                    Some((over, b)) => Ok(Some((over, Term::Product(a, Box::new(b))))),
                    None => first,
                }
            }
            next @ Term::Place(_) if !next.is(&here) => self.reduction_in(&next, kind, dtype, role),
            _ => Ok(None),
        }
    }
}
