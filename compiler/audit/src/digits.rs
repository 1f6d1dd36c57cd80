//! Some of the indices of a sum: of each index the digits that it is written in, each of which may be cut further.
//!
//! A sum is proved box by box where its summands are not all of one form. What a proof asks for when it stops becomes more digits, or
//! the same ones in two boxes.
//!
//! Not here: the indices of a whole launch, which [`crate::space`] cuts itself.

use crate::affine::{Affine, Var};
use crate::space::{Digit, Role, Space, Stop};

/// The digits of each index.
pub(crate) type Digits = Vec<Vec<Digit>>;

/// Variables that run through digits: each with its index, and the digit's place in it.
pub(crate) type Runners = Vec<(Var, usize, usize)>;

/// Variables that run through all digits, and what the indices are in them.
pub(crate) fn run_through(space: &mut Space, digits: &Digits, role: Role) -> (Runners, Vec<Affine>) {
    let (mut vars, mut values) = (Vec::new(), Vec::new());
    for (i, index) in digits.iter().enumerate() {
        let mut sum = Affine::default();
        for (j, d) in index.iter().enumerate() {
            let (v, value) = space.local(d, role);
            vars.extend(v.map(|v| (v, i, j)));
            sum = sum.plus(&value, 1);
        }
        values.push(sum);
    }
    (vars, values)
}

/// What a stopped proof wants of one of these variables: the digits in the place of the variable's, once or in several boxes. `None` if
/// it wants nothing of them.
pub(crate) fn wanted(stop: &Stop, digits: &Digits, vars: &Runners) -> Option<Vec<Digits>> {
    let changed = |var: Var, by: &dyn Fn(&Digit) -> Vec<Digit>| {
        let &(_, i, j) = vars.iter().find(|x| x.0 == var)?;
        let mut all = digits.clone();
        let new = by(&all[i][j]);
        all[i].splice(j..=j, new);
        Some(all)
    };
    match *stop {
        Stop::Refine { var, inner } => Some(vec![changed(var, &|d| d.refined(inner).into())?]),
        Stop::Split { var, at } => {
            [true, false].into_iter().map(|upper| changed(var, &|d| vec![d.part(at, upper)])).collect()
        }
        _ => None,
    }
}
