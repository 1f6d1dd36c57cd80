//! The form of the global program that a plan carries out, for the certificate: the program with the alternatives that were
//! chosen, and the equalities that they rest on. If nothing was rewritten, there is no form.

use crate::extend::Extended;
use crate::saturate::program::SearchedProgram;
use crate::search::Solution;
use meshloom_certify::{Certificate, Equal, Form};
use meshloom_ir::Func;

/// The form that `certificate` needs beside `global`: where `solution` takes ops that were added, or shards are of values that were.
/// (Of what depends on no input the search chooses no form; it is made by any op that makes it.)
pub fn of(
    ext: &Extended,
    global: &Func,
    program: &SearchedProgram<'_>,
    solution: &Solution,
    certificate: &Certificate,
) -> Option<Form> {
    let added = solution.forms.keys().any(|o| o.index() >= global.ops.len())
        || certificate.values.iter().any(|c| c.global.index() >= global.values.len());
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
