//! Whether two terms are the same element.
//!
//! The first term is a kernel's, the second one the local program's. They are opened side by side until they meet at an element
//! of one value, and every op on the way has to be the same. What may differ is what a schedule is free to choose:
//! - Converting to the wider type that a narrow one is computed in changes nothing.
//! - A value of a narrow type may be rounded to it wherever it is computed. A conversion of the source is never left out, and
//!   integers wrap where the program's do ([`crate::wraps`]).
//! - A sum may be taken in parts and in any order: nested reductions of one kind are one, and a factor that a sum does not depend
//!   on is in the sum or before it. The order of the factors of a contraction is free.
//!
//! Nothing else of algebra is known here: fusion does none.

mod choices;
mod copies;
mod padded;
mod rows;
pub(crate) mod sums;
mod written;

use crate::apart::Facts;
use crate::memo::{FORGOTTEN, Key, Shown};
use crate::space::{Proof, Role, Space, Stop, unfollowed};
use crate::term::{Term, head, open, padded_head};
use meshloom_ir::Func;
use meshloom_kernels::DType;
use std::rc::Rc;

/// Terms nest no deeper.
const DEPTH: u32 = 200;

/// Parts of a sum or of a table that are compared one by one.
const PARTS: usize = 256;

pub(crate) struct Prover<'a> {
    facts: &'a Facts<'a>,
    func: &'a Func,
    pub space: &'a mut Space,
    depth: u32,
    /// How often a limit ended a comparison: what came of those around it is of this proof alone.
    ended: u32,
    shown: Shown,
}

/// Whether every number of a type is one of another type.
fn holds_all(from: DType, to: DType) -> bool {
    let eight = matches!(from, DType::F8E4M3 | DType::F8E5M2) && matches!(to, DType::BF16 | DType::F16);
    from == to || from.computed() == to || eight
}

impl<'a> Prover<'a> {
    pub fn new(facts: &'a Facts<'a>, space: &'a mut Space) -> Prover<'a> {
        Prover { facts, func: facts.func, space, depth: 0, ended: 0, shown: Shown::default() }
    }

    pub fn head(&mut self, term: &Term) -> Proof<Term> {
        head(self.func, self.space, term)
    }

    /// The same, but that what is padded may be both.
    pub fn padded_head(&mut self, term: &Term) -> Proof<Term> {
        padded_head(self.func, self.space, term)
    }

    /// # Errors
    /// That they differ, or why nothing is known of it.
    pub fn same(&mut self, kernel: &Term, program: &Term) -> Proof<()> {
        self.compare(kernel, program, false)
    }

    /// `rounded`: the kernel rounds it to the type of the program's.
    fn compare(&mut self, kernel: &Term, program: &Term, rounded: bool) -> Proof<()> {
        if self.depth >= DEPTH {
            self.ended += 1;
            return unfollowed("terms nest too deep");
        }
        if self.shown.has(self.space, kernel, program, rounded) {
            return Ok(());
        }
        self.facts.compared().inspect_err(|_| self.ended += 1)?;
        let ended = self.ended;
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
        if let Some(key) = key.filter(|_| self.ended == ended) {
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

    pub fn opened(&mut self, term: &Term, role: Role) -> Proof<Term> {
        match term {
            Term::Place(p) => Ok(open(self.func, self.space, p, role)?.unwrap_or_else(|| term.clone())),
            other => Ok(other.clone()),
        }
    }

    fn told(&self, term: &Term) -> String {
        match term {
            Term::Place(p) => {
                let name = self.func.def_op(p.value).map_or("an input", |o| self.func.op(o).op.name());
                format!("%{} ({name})", p.value.index())
            }
            Term::Padded(_) => "something padded".into(),
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
