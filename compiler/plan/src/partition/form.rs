//! The form of the global program that a plan carries out, for the certificate: the program with the alternatives that were
//! chosen, and the equalities that they rest on. If nothing was rewritten, there is no form.

use crate::extend::Extended;
use crate::program::SearchedProgram;
use crate::search::Solution;
use meshloom_certify::{Equal, Form};
use meshloom_ir::Func;

/// The form that `solution` needs beside `global`.
pub fn of(ext: &Extended, global: &Func, program: &SearchedProgram<'_>, solution: &Solution) -> Option<Form> {
    let added = solution.forms.keys().any(|o| o.index() >= global.ops.len());
    let joined = program.members.values().any(|all| {
        let given = all.iter().filter(|v| v.index() < global.values.len() && program.live(**v));
        given.count() > 1
    });
    if !added && !joined {
        return None;
    }
    let equal = ext.equal.iter().map(|e| Equal { a: e.a, b: e.b, law: e.law.to_string() }).collect();
    Some(Form { func: ext.func.clone(), equal })
}
