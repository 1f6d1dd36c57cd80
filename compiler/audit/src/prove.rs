//! Whether two terms are the same element.
//!
//! The first term is a kernel's, the second one the local program's. They are opened side by side until they meet at an element
//! of one value, and every op on the way has to be the same. What may differ is what a schedule is free to choose:
//! - Converting to the wider type that a narrow one is computed in changes nothing.
//! - A value of a narrow type may be rounded to it wherever it is computed. A conversion of the source is never left out, and
//!   integers wrap where the program's do ([`wraps`]).
//! - A sum may be taken in parts and in any order: nested reductions of one kind are one, and a factor that a sum does not depend
//!   on is in the sum or before it. The order of the factors of a contraction is free.
//!
//! Nothing else of algebra is known here: fusion does none.

use crate::affine::{Affine, Var, linear};
use crate::apart::Facts;
use crate::memo::{FORGOTTEN, Key, Shown};
use crate::memory::Place;
use crate::space::{Digit, Proof, Role, Space, Stop, differs, unfollowed};
use crate::term::{Exact, Table, Term, as_index, head, open, type_of};
use crate::values::{Source, source};
use crate::wraps;
use meshloom_ir::{Func, Op};
use meshloom_kernels::expr::Cmp;
use meshloom_kernels::{DType, Elem, ReduceKind};
use std::rc::Rc;

/// Terms nest no deeper.
const DEPTH: u32 = 200;

/// Parts of a sum that are compared one by one.
const PARTS: usize = 256;

pub(crate) struct Prover<'a> {
    facts: &'a Facts<'a>,
    func: &'a Func,
    pub space: &'a mut Space,
    depth: u32,
    shown: Shown,
}

/// Whether every number of a type is one of another type.
fn holds_all(from: DType, to: DType) -> bool {
    let eight = matches!(from, DType::F8E4m3 | DType::F8E5m2) && matches!(to, DType::Bf16 | DType::F16);
    from == to || from.computed() == to || eight
}

/// What is known of two elements of values.
enum Meeting {
    /// They are copies of one.
    One,
    /// No proof shows that they are the same.
    Apart,
    Unknown,
}

/// A reduction, taken apart.
pub(crate) struct Sum {
    pub kind: ReduceKind,
    pub over: Vec<Affine>,
    pub arg: Term,
    dtype: DType,
}

impl<'a> Prover<'a> {
    pub fn new(facts: &'a Facts<'a>, space: &'a mut Space) -> Prover<'a> {
        Prover { facts, func: facts.func, space, depth: 0, shown: Shown::default() }
    }

    pub fn head(&mut self, term: &Term) -> Proof<Term> {
        head(self.func, self.space, term)
    }

    /// # Errors
    /// That they differ, or why nothing is known of it.
    pub fn same(&mut self, kernel: &Term, program: &Term) -> Proof<()> {
        self.compare(kernel, program, false)
    }

    /// `rounded`: the kernel rounds it to the type of the program's.
    fn compare(&mut self, kernel: &Term, program: &Term, rounded: bool) -> Proof<()> {
        if self.depth >= DEPTH {
            return unfollowed("terms nest too deep");
        }
        if self.shown.has(self.space, kernel, program, rounded) {
            return Ok(());
        }
        self.facts.compared()?;
        let key = (self.facts.work() > FORGOTTEN).then(|| Key::new(self.space, kernel, program, rounded));
        if let Some(answer) = key.as_ref().and_then(|k| self.facts.memo.borrow().answer(k, self.space)) {
            return answer;
        }
        self.depth += 1;
        let (mark, given) = (self.space.mark(), self.space.given());
        let mut result = self.compared(kernel, program, rounded);
        // Two digits are the index that they are digits of, everywhere: only this comparison begins anew.
        while let Err(Stop::Refine { var, inner }) = result
            && self.space.refine(var, inner)
        {
            self.space.back(mark);
            self.space.give_again(given);
            result = self.compared(kernel, program, rounded);
        }
        self.depth -= 1;
        if let Some(key) = key {
            self.facts.memo.borrow_mut().keep(key, self.space, &result);
        }
        if result.is_ok() {
            self.shown.keep(self.space, kernel, program, rounded, given);
        }
        result
    }

    /// As the terms are written; if they differ so, the sides of choices that are known from indices.
    fn compared(&mut self, kernel: &Term, program: &Term, rounded: bool) -> Proof<()> {
        let mark = self.space.mark();
        let result = self.as_written(kernel, program, rounded);
        if !matches!(result, Err(Stop::Differs(_))) {
            return result;
        }
        if let Some(side) = self.chosen(kernel)? {
            self.space.back(mark);
            return self.compare(&side, program, rounded);
        }
        let opened = self.opened(program, Role::Sought)?;
        match self.chosen(&opened)? {
            Some(side) => {
                self.space.back(mark);
                self.compare(kernel, &side, rounded)
            }
            None => result,
        }
    }

    /// The side that a choice takes, if the term is one and its condition is one of indices, or both sides are one.
    fn chosen(&mut self, term: &Term) -> Proof<Option<Term>> {
        let Term::Elem(Elem::Select, args, _) = self.head(term)? else { return Ok(None) };
        if args[1].is(&args[2]) || args[1].is_node(&args[2]) {
            return Ok(Some(args[1].clone()));
        }
        Ok(self.decided(&args[0])?.map(|yes| args[if yes { 1 } else { 2 }].clone()))
    }

    /// Whether a condition on indices holds; asks for a cut where it does for some of them.
    fn decided(&mut self, condition: &Term) -> Proof<Option<bool>> {
        let (op, args) = match self.head(condition)? {
            Term::Elem(op @ (Elem::And | Elem::Or | Elem::Compare(_)), args, _) => (op, args),
            Term::Number(Exact::Int(n)) => return Ok(Some(n != 0)),
            _ => return Ok(None),
        };
        let Elem::Compare(is) = op else {
            let all = op == Elem::And;
            return match self.decided(&args[0])? {
                Some(first) if first != all => Ok(Some(first)),
                Some(_) => self.decided(&args[1]),
                // The other one may settle it.
                None => Ok(self.decided(&args[1])?.filter(|&second| second != all)),
            };
        };
        let Some(a) = as_index(self.func, self.space, &args[0])? else { return Ok(None) };
        let Some(b) = as_index(self.func, self.space, &args[1])? else { return Ok(None) };
        let space = &self.space;
        // Sums are modulo 2^32: what they are as numbers says something of those that are none too large for an i32.
        let fits = |(lo, hi): (i128, i128)| lo >= i32::MIN.into() && hi <= i32::MAX.into();
        if !fits(space.range(&a)) || !fits(space.range(&b)) {
            return Ok(None);
        }
        let apart = a.minus(&b);
        Ok(Some(match is {
            Cmp::Ge => space.at_least(&apart, 0)?,
            Cmp::Gt => space.at_least(&apart, 1)?,
            Cmp::Lt => !space.at_least(&apart, 0)?,
            Cmp::Le => !space.at_least(&apart, 1)?,
            Cmp::Eq => space.at_least(&apart, 0)? && !space.at_least(&apart, 1)?,
            Cmp::Ne => !space.at_least(&apart, 0)? || space.at_least(&apart, 1)?,
        }))
    }

    fn as_written(&mut self, kernel: &Term, program: &Term, rounded: bool) -> Proof<()> {
        let single = |over: &[Affine]| over.iter().all(|a| a.terms.is_empty());
        let k = self.head(kernel)?;
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
        let narrow = to.is_stored_only() && type_of(self.func, arg) == Some(to.computed());
        if narrow && type_of(self.func, program) == Some(to) {
            return match self.compare(arg, program, true) {
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

    pub fn opened(&mut self, term: &Term, role: Role) -> Proof<Term> {
        match term {
            Term::Place(p) => Ok(open(self.func, self.space, p, role)?.unwrap_or_else(|| term.clone())),
            other => Ok(other.clone()),
        }
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
                if narrow && !rounded && of != to && !wraps::stays(*a) {
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
            (Term::Reduce { kind, over, arg, dtype }, Term::Reduce { kind: want, over: dims, arg: of, dtype: to }) => {
                let (over, dims, arg, of) = (over.clone(), dims.clone(), (**arg).clone(), (**of).clone());
                self.reduction(
                    Sum { kind: *kind, over, arg, dtype: *dtype },
                    Sum { kind: *want, over: dims, arg: of, dtype: *to },
                    rounded,
                )
            }
            // A sum of one product, whose factors may be sums.
            (Term::Product(..), &Term::Reduce { kind: kind @ ReduceKind::Sum, ref over, ref arg, dtype }) => {
                let one = Sum { kind, over: Vec::new(), arg: k.clone(), dtype: dtype.computed() };
                self.reduction(one, Sum { kind, over: over.clone(), arg: (**arg).clone(), dtype }, rounded)
            }
            (Term::Row { of, index, rows }, Term::Row { of: table, index: at, rows: n }) => {
                self.row((of, index, *rows), (table, at, *n))
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

    fn reduction(&mut self, k: Sum, p: Sum, rounded: bool) -> Proof<()> {
        if k.kind != p.kind {
            return differs(format!("`{}` where the program has `{}`", k.kind.name(), p.kind.name()));
        }
        if wraps::is_narrow(p.dtype) && !rounded && k.dtype != p.dtype && wraps::accumulates(p.kind) {
            return differs(format!("`{}` of {} that does not wrap", p.kind.name(), p.dtype.name()));
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
        let mut open: Vec<Vec<Vec<Digit>>> = vec![sizes.iter().map(|&n| vec![Digit::whole(n)]).collect()];
        for _ in 0..PARTS {
            let Some(digits) = open.pop() else { return Ok(()) };
            let (mut vars, mut values) = (Vec::new(), Vec::new());
            for (i, index) in digits.iter().enumerate() {
                let mut sum = Affine::default();
                for (j, d) in index.iter().enumerate() {
                    let (v, value) = self.space.local(d, Role::Summed);
                    vars.extend(v.map(|v| (v, i, j)));
                    sum = sum.plus(&value, 1);
                }
                values.push(sum);
            }
            let mark = self.space.mark();
            let result = self.at(k, p, (&own, &values, &sizes), (dims, &shape));
            let changed = |var: Var, by: &dyn Fn(&Digit) -> Vec<Digit>| {
                let &(_, i, j) = vars.iter().find(|x| x.0 == var)?;
                let mut all = digits.clone();
                let new = by(&all[i][j]);
                all[i].splice(j..=j, new);
                Some(all)
            };
            let more = match &result {
                Ok(()) => continue,
                Err(Stop::Refine { var, inner }) => [changed(*var, &|d| d.refined(*inner).into()), None],
                Err(Stop::Split { var, at }) => [true, false].map(|upper| changed(*var, &|d| vec![d.part(*at, upper)])),
                Err(_) => return result,
            };
            if more.iter().all(Option::is_none) {
                return result;
            }
            self.space.back(mark);
            open.extend(more.into_iter().flatten());
        }
        if open.is_empty() { Ok(()) } else { unfollowed(format!("a sum of more than {PARTS} parts")) }
    }

    /// The summands at one point of both.
    fn at(
        &mut self,
        k: &Sum,
        p: &Sum,
        (own, values, sizes): (&[Var], &[Affine], &[u64]),
        (dims, shape): (&[Var], &[u64]),
    ) -> Proof<()> {
        let place = self.space.unravel(&linear(values, sizes), shape)?;
        let of = |list: &[Var], are: &[Affine], v: Var| list.iter().position(|&x| x == v).map(|i| are[i].clone());
        let kernel = k.arg.with(&|a| self.space.written(a).with(&|v| of(own, values, v)));
        let mut program = p.arg.with(&|a| self.space.written(a).with(&|v| of(dims, &place, v)));
        let rest = p.over.iter().flat_map(|a| self.space.digits(a)).filter(|v| !dims.contains(v));
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
            match self.reduction_in(&sum.arg, (sum.kind, dtype), role) {
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
        sum @ (kind, dtype): (ReduceKind, DType),
        role: Role,
    ) -> Proof<Option<(Vec<Affine>, Term)>> {
        let here = self.head(term)?;
        match self.opened(&here, role)? {
            Term::Reduce { kind: other, over, arg, .. } if other == kind => Ok(Some((over, *arg))),
            Term::Elem(Elem::Convert, args, to) => {
                // Parts of a sum may be rounded to the type of the sum.
                let from = type_of(self.func, &args[0]);
                let of_one = from.is_some_and(|f| match f.is_integer() && to.is_integer() {
                    true => wraps::flows(kind, f, to, dtype),
                    false => holds_all(f, to) || holds_all(to, f),
                });
                if of_one { self.reduction_in(&args[0], sum, role) } else { Ok(None) }
            }
            Term::Product(a, b) if kind == ReduceKind::Sum => {
                let first = self.reduction_in(&a, sum, role);
                if let Ok(Some((over, a))) = first {
                    return Ok(Some((over, Term::Product(Box::new(a), b))));
                }
                // What a cut would tell of one factor may not be needed for the other.
                match self.reduction_in(&b, sum, role)? {
                    Some((over, b)) => Ok(Some((over, Term::Product(a, Box::new(b))))),
                    None => first,
                }
            }
            next @ Term::Place(_) if !next.is(&here) => self.reduction_in(&next, sum, role),
            _ => Ok(None),
        }
    }

    fn row(&mut self, k: (&Table, &Term, u64), p: (&Table, &Term, u64)) -> Proof<()> {
        if k.2 != p.2 {
            return differs(format!("a table of {} rows where the program has one of {}", k.2, p.2));
        }
        self.same(k.1, p.1)?;
        // Any row, and each is the same. What is known of some rows only is for this proof alone.
        let mut open: Vec<Vec<Digit>> = vec![vec![Digit::whole(k.2.max(1))]];
        for _ in 0..PARTS {
            let Some(digits) = open.pop() else { return Ok(()) };
            let (mut vars, mut row) = (Vec::new(), Affine::default());
            for (i, d) in digits.iter().enumerate() {
                let (v, value) = self.space.local(d, Role::Free);
                vars.extend(v.map(|v| (v, i)));
                row = row.plus(&value, 1);
            }
            let place = |var: Var| vars.iter().find(|x| x.0 == var).map(|x| x.1);
            let with = |i: usize, new: Vec<Digit>| {
                let mut all = digits.clone();
                all.splice(i..=i, new);
                all
            };
            let mark = self.space.mark();
            let result = self.same(&k.0.row(&row), &p.0.row(&row));
            match result {
                Ok(()) => continue,
                Err(Stop::Refine { var, inner }) if place(var).is_some() => {
                    open.extend(place(var).map(|i| with(i, digits[i].refined(inner).into())));
                }
                Err(Stop::Split { var, at }) if place(var).is_some() => {
                    open.extend(place(var).map(|i| with(i, vec![digits[i].part(at, true)])));
                    open.extend(place(var).map(|i| with(i, vec![digits[i].part(at, false)])));
                }
                other => return other,
            }
            self.space.back(mark);
        }
        if open.is_empty() { Ok(()) } else { unfollowed(format!("a table of more than {PARTS} parts")) }
    }

    /// Whether two elements are copies of one.
    fn meet(&mut self, a: &Place, b: &Place) -> Proof<Meeting> {
        let (mut chain, mut stopped, mut own) = (vec![b.clone()], None, true);
        loop {
            match chain.last().map(|p| source(self.func, self.space, p)) {
                Some(Ok(Source::Place(next))) => chain.push(next),
                Some(Err(e)) => {
                    stopped = Some(e);
                    break;
                }
                last => {
                    own = matches!(last, Some(Ok(Source::Itself)));
                    break;
                }
            }
        }
        let mut a = a.clone();
        loop {
            for b in &chain {
                if self.one(&a, b)? && self.space.all_equal(&a.at, &b.at)? {
                    return Ok(Meeting::One);
                }
            }
            match source(self.func, self.space, &a) {
                Ok(Source::Place(next)) => a = next,
                Ok(Source::Itself) => break,
                Ok(Source::Number(_)) => return stopped.map_or(Ok(Meeting::Unknown), Err),
                Err(e) => {
                    stopped = stopped.or(Some(e));
                    break;
                }
            }
        }
        if let Some(e) = stopped {
            return Err(e);
        }
        // An element that the devices' positions pick is one of several, and its value's facts are those of them all.
        let picked =
            |p: &Place| self.func.def_op(p.value).is_some_and(|o| matches!(self.func.op(o).op, Op::ShardSlice { .. }));
        let apart = match chain.last() {
            Some(b) if own && !picked(&a) && !picked(b) => self.facts.apart(self.space, &a, b),
            _ => false,
        };
        Ok(if apart { Meeting::Apart } else { Meeting::Unknown })
    }

    /// Whether two places are of one value in one iteration, or of two arrays of the same constants.
    fn one(&mut self, a: &Place, b: &Place) -> Proof<bool> {
        let op = |p: &Place| self.func.def_op(p.value).map(|o| &self.func.op(o).op);
        let constant = || op(a).filter(|op| matches!(op, Op::Constant { .. }));
        if constant().is_some_and(|c| op(b) == Some(c)) {
            return Ok(true);
        }
        let same = a.value == b.value && a.iterations.len() == b.iterations.len();
        Ok(same && (a.iterations == b.iterations || self.space.all_equal(&a.iterations, &b.iterations)?))
    }

    fn told(&self, term: &Term) -> String {
        match term {
            Term::Place(p) => {
                let name = self.func.def_op(p.value).map_or("an input", |o| self.func.op(o).op.name());
                format!("%{} ({name})", p.value.index())
            }
            Term::Number(x) => format!("{x:?}"),
            Term::Index(_) => "an index".into(),
            Term::Elem(op, ..) => format!("`{}`", op.name()),
            Term::Product(..) => "a product".into(),
            Term::Reduce { kind, .. } => format!("a reduction (`{}`)", kind.name()),
            Term::Row { .. } => "rows by index".into(),
            Term::Node(..) | Term::Load { .. } => "something else".into(),
        }
    }
}

impl Term {
    /// Whether this is the same element of a value, and not one step on.
    pub fn is(&self, other: &Term) -> bool {
        matches!((self, other), (Term::Place(a), Term::Place(b)) if a == b)
    }

    /// Whether both are one node of one launch at one point.
    fn is_node(&self, other: &Term) -> bool {
        matches!((self, other), (Term::Node(a, n, x), Term::Node(b, m, y)) if Rc::ptr_eq(a, b) && n == m && x == y)
    }
}
