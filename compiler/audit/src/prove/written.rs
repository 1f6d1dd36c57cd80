//! Two terms as they are written: op by op, and conversions of types that change nothing.
//!
//! Not here: reductions ([`super::sums`]), rows by index ([`super::rows`]), and elements of values ([`super::copies`]).

use crate::affine::Affine;
use crate::exact::Exact;
use crate::prove::copies::Meeting;
use crate::prove::rows::Row;
use crate::prove::sums::Sum;
use crate::prove::{Prover, holds_all};
use crate::space::{Proof, Role, Stop, differs};
use crate::term::{Term, as_index, settled, type_of};
use crate::wraps;
use meshloom_kernels::{DType, Elem, Reduction};

impl Prover<'_> {
    pub(super) fn as_written(&mut self, kernel: &Term, program: &Term, rounded: bool) -> Proof<()> {
        let single = |over: &[Affine]| over.iter().all(|a| a.terms.is_empty());
        let Some(k) = self.unpadded(kernel, program)? else { return Ok(()) };
        if let Term::Reduce { over, arg, .. } = &k
            && single(over)
        {
            return self.compare(arg, program, rounded);
        }
        if let (Term::Place(a), Term::Place(b)) = (&k, program) {
            match self.meet(a, b)? {
                Meeting::One => return Ok(()),
                Meeting::Apart => {
                    return differs(format!("{} where the program has {}", self.told(&k), self.told(program)));
                }
                Meeting::Unknown => {}
            }
        }
        if let Term::Elem(Elem::Convert, args, to) = &k {
            let from = type_of(self.func, &args[0]);
            if from.is_some_and(|f| holds_all(f, *to)) {
                return self.compare(&args[0], program, rounded);
            }
        }
        let p = self.opened(program, Role::Sought)?;
        if let Term::Place(_) = p
            && !p.is(program)
        {
            // One step into a composite.
            return self.compare(&k, &p, rounded);
        }
        if let Term::Elem(Elem::Convert, args, to) = &p
            && let Term::Elem(Elem::Convert, inner, wide) = self.opened(&args[0], Role::Sought)?
            && type_of(self.func, &inner[0]) == Some(*to)
            && holds_all(*to, wide)
        {
            // To a wider type and back is nothing at all; the same below of what a kernel does.
            return self.compare(&k, &inner[0], rounded);
        }
        if let Term::Elem(Elem::Convert, args, to) = &k {
            let narrow = self.widened(&args[0], *to)?;
            if let Some(same) = narrow.as_ref().filter(|n| type_of(self.func, n) == Some(*to)) {
                return self.compare(same, program, rounded);
            }
            let mark = self.space.mark();
            let result = self.conversion(&args[0], *to, program, &p);
            if let (Err(Stop::Differs(_) | Stop::Unfollowed(_)), Some(narrow)) = (&result, narrow) {
                self.space.back(mark);
                match self.compare(&narrow, program, rounded) {
                    Err(Stop::Differs(_) | Stop::Unfollowed(_)) => self.space.back(mark),
                    other => return other,
                }
            }
            return match (&result, &p) {
                // What the program widens may be what the kernel narrows.
                (Err(Stop::Differs(_)), Term::Elem(Elem::Convert, wide, to))
                    if type_of(self.func, &wide[0]).is_some_and(|f| holds_all(f, *to)) =>
                {
                    self.space.back(mark);
                    self.compare(&k, &wide[0], rounded)
                }
                // A sum of one conversion is that conversion.
                (Err(Stop::Differs(_)), Term::Reduce { over, arg, .. }) if single(over) => {
                    self.space.back(mark);
                    self.compare(&k, arg, rounded)
                }
                _ => result,
            };
        }
        if let Term::Place(_) = p {
            // What the program was given.
            return self.opened_kernel(&k, program, rounded);
        }
        if let Term::Elem(Elem::Convert, args, to) = &p
            && type_of(self.func, &args[0]).is_some_and(|f| holds_all(f, *to))
        {
            return self.compare(&k, &args[0], rounded);
        }
        match (&k, &p) {
            (_, Term::Reduce { over, arg, .. }) if single(over) => self.compare(&k, arg, rounded),
            (Term::Place(_), _) => self.opened_kernel(&k, program, rounded),
            _ => self.heads(&k, &p, rounded),
        }
    }

    /// The head of a kernel's term without the padding around it; `None` where the program pads alike, and with that all is proved.
    fn unpadded(&mut self, kernel: &Term, program: &Term) -> Proof<Option<Term>> {
        let head = self.padded_head(kernel)?;
        let Term::Padded(padded) = &head else { return Ok(Some(head)) };
        match program {
            Term::Place(b) if self.padded_alike(padded, b)? => Ok(None),
            _ => settled(self.space, padded).map(Some),
        }
    }

    /// What a term was before it was widened, if all of that is of a type: converting the term to the type changes nothing.
    fn widened(&mut self, term: &Term, to: DType) -> Proof<Option<Term>> {
        let Term::Elem(Elem::Convert, args, wide) = self.head(term)? else { return Ok(None) };
        let from = type_of(self.func, &args[0]);
        Ok(from.is_some_and(|f| holds_all(f, wide) && holds_all(f, to)).then(|| args[0].clone()))
    }

    /// The kernel's conversion of `arg`.
    fn conversion(&mut self, arg: &Term, to: DType, program: &Term, opened: &Term) -> Proof<()> {
        let mark = self.space.mark();
        let mut why = Stop::Differs(format!("converts to {} where the program does not", to.name()));
        if let Term::Elem(Elem::Convert, args, other) = opened
            && *other == to
        {
            match self.compare(arg, &args[0], false) {
                Err(e @ (Stop::Differs(_) | Stop::Unfollowed(_))) => why = e,
                other => return other,
            }
            self.space.back(mark);
        }
        let of = type_of(self.func, program);
        // Where each op rounds, a rounding of the program is one of its conversions; what has none is of the type already.
        let due = self.space.rounds_each && to.computed().is_float() && matches!(opened, Term::Elem(Elem::Convert, ..));
        let narrow = to.is_stored_only() && !due && type_of(self.func, arg) == Some(to.computed());
        // All numbers of 8 bits are numbers of 16: what is one of them stays as it is.
        let is_eight = of.is_some_and(|f| f.is_float8() && f != to && holds_all(f, to));
        if narrow && (of == Some(to) || is_eight) {
            return match self.compare(arg, program, !is_eight) {
                Err(Stop::Differs(_)) if matches!(why, Stop::Unfollowed(_)) => Err(why),
                other => other,
            };
        }
        Err(why)
    }

    /// The kernel's value as what the program says of it.
    fn opened_kernel(&mut self, kernel: &Term, program: &Term, rounded: bool) -> Proof<()> {
        let k = self.opened(kernel, Role::Summed)?;
        if k.is(kernel) || !matches!(kernel, Term::Place(_)) {
            return differs(format!("{} where the program has {}", self.told(kernel), self.told(program)));
        }
        self.compare(&k, program, rounded)
    }

    fn heads(&mut self, k: &Term, p: &Term, rounded: bool) -> Proof<()> {
        if let Term::Index(want) = p {
            let Some(is) = as_index(self.func, self.space, k)? else {
                return differs(format!("{} where the program has an index", self.told(k)));
            };
            if self.space.all_equal(std::slice::from_ref(&is), std::slice::from_ref(want))? {
                return Ok(());
            }
            // As i32 counts.
            let apart = self.space.known(&is.minus(want));
            let wraps = |n: i64| n % (1 << 32) == 0;
            return match wraps(apart.offset) && apart.terms.iter().all(|t| wraps(t.1)) {
                true => Ok(()),
                false => differs("another index"),
            };
        }
        match (k, p) {
            (Term::Number(a), Term::Number(b)) if a.same(*b) => Ok(()),
            (Term::Number(a), Term::Number(b)) => differs(format!("{a:?} where the program has {b:?}")),
            (Term::Index(a), Term::Number(b)) if a.as_constant().is_some_and(|n| b.same(Exact::Int(n))) => Ok(()),
            (Term::Elem(a, xs, of), Term::Elem(b, ys, to)) => {
                if a != b || xs.len() != ys.len() {
                    return differs(format!("`{}` where the program has `{}`", a.name(), b.name()));
                }
                let narrow = wraps::is_narrow(*to);
                if narrow && !rounded && of != to && !wraps::stays(*a, *to) {
                    return differs(format!("`{}` of {} that does not wrap", a.name(), to.name()));
                }
                let modulo = narrow && rounded && wraps::is_modular(*a);
                let (to, rest) = (*to, xs.iter().zip(ys));
                for (x, y) in rest {
                    let modulo = modulo && type_of(self.func, y) == Some(to);
                    self.compare(x, y, modulo)?;
                }
                Ok(())
            }
            (Term::Product(a, b), Term::Product(x, y)) => self.product([a, b], [x, y]),
            // A kernel for plain sums, of numbers that a contraction multiplies in their type.
            (Term::Elem(Elem::Multiply, args, of), Term::Product(x, y))
                if (of.is_int() || of.is_computed_float())
                    && [x, y].iter().all(|f| type_of(self.func, f) == Some(*of)) =>
            {
                match &args[..] {
                    [a, b] => self.product([a, b], [x, y]),
                    _ => differs("a product of other than two"),
                }
            }
            (Term::Reduce { kind, over, arg, dtype }, Term::Reduce { kind: want, over: dims, arg: of, dtype: to }) => {
                let (over, dims, arg, of) = (over.clone(), dims.clone(), (**arg).clone(), (**of).clone());
                self.reduction(
                    Sum { kind: *kind, over, arg, dtype: *dtype },
                    Sum { kind: *want, over: dims, arg: of, dtype: *to },
                    rounded,
                )
            }
            // A sum of one product, whose factors may be sums.
            (Term::Product(..), &Term::Reduce { kind: kind @ Reduction::Sum, ref over, ref arg, dtype }) => {
                let one = Sum { kind, over: Vec::new(), arg: k.clone(), dtype: dtype.computed() };
                self.reduction(one, Sum { kind, over: over.clone(), arg: (**arg).clone(), dtype }, rounded)
            }
            (Term::Row { of, index, rows }, Term::Row { of: table, index: at, rows: n }) => {
                self.row(Row { table: of, index, rows: *rows }, Row { table, index: at, rows: *n })
            }
            _ => differs(format!("{} where the program has {}", self.told(k), self.told(p))),
        }
    }

    fn product(&mut self, [a, b]: [&Term; 2], [x, y]: [&Term; 2]) -> Proof<()> {
        let mark = self.space.mark();
        let why = match self.same(a, x).and_then(|()| self.same(b, y)) {
            Err(e @ (Stop::Differs(_) | Stop::Unfollowed(_))) => e,
            other => return other,
        };
        self.space.back(mark);
        match self.same(a, y).and_then(|()| self.same(b, x)) {
            // What is not known of one order is not known.
            Err(Stop::Differs(_)) => Err(why),
            other => other,
        }
    }
}
