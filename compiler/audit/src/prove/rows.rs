//! Rows that an index picks out of a table.

use crate::affine::{Affine, Var};
use crate::prove::{PARTS, Prover};
use crate::space::{Digit, Proof, Role, Stop, differs, unfollowed};
use crate::term::{Table, Term};

/// A row that an index picks out of a table.
#[derive(Clone, Copy)]
pub(super) struct Row<'t> {
    pub table: &'t Table,
    pub index: &'t Term,
    /// How many the table has.
    pub rows: u64,
}

impl Prover<'_> {
    /// The row of a kernel's table is the program's.
    pub(super) fn row(&mut self, k: Row<'_>, p: Row<'_>) -> Proof<()> {
        if k.rows != p.rows {
            return differs(format!("a table of {} rows where the program has one of {}", k.rows, p.rows));
        }
        self.same(k.index, p.index)?;
        // Any row, and each is the same. What is known of some rows only is for this proof alone.
        let mut open: Vec<Vec<Digit>> = vec![vec![Digit::whole(k.rows.max(1))]];
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
            let result = self.same(&k.table.row(&row), &p.table.row(&row));
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
}
