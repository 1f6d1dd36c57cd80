//! That a program whose repeated layers became loops computes what it computed before: every output, or every entry of a stacked
//! output, of the rolled program is the same ops on the same inputs as the output of that name in the given program.
//!
//! Both programs are read into one set of terms ([`terms`], [`read`]), in which equal ops on equal operands are one term. The
//! loops that the given program does not have are run on paper, iteration by iteration, and stacks are taken apart into their
//! entries. So each family of values that an iteration makes is compared, member by member, with what was written out. This
//! costs about as much as reading the given program twice.
//!
//! It is the law of iteration of certificates (`classes/iteration.rs`) where the iterations of one side are written out: there
//! families are compared without looking at their members, which needs a loop on both sides.
//!
//! Not here: who found the loops (`stablehlo/roll`), and loops that both programs have, which are compared as they stand. A
//! refusal may be wrong, since the rules for stacks are few; an acceptance may not.

mod ports;
mod read;
mod refusal;
mod terms;

use crate::term_ref::TermRef;
use meshloom_ir::Func;
use meshloom_ir::verify::verify;
pub use refusal::Refusal;
use terms::Terms;

/// Checks that `rolled` is a program with the inputs and outputs of `given`, each by itself or as an entry of a stack, and that it
/// computes the same. `given` verifies. How many terms were compared.
///
/// # Errors
/// The first thing that does not hold or is not followed.
pub fn check(given: &Func, rolled: &Func) -> Result<usize, Refusal> {
    verify(rolled).map_err(|all| Refusal::whole(all.first().map_or_else(String::new, ToString::to_string)))?;
    ports::check(given, rolled).map_err(Refusal::whole)?;
    let mut terms = Terms::default();
    let was = read::outputs(&mut terms, given, None)?;
    let is = read::outputs(&mut terms, rolled, Some(given.ops.len()))?;
    for ((name, a), (_, b)) in was.iter().zip(&is) {
        if a != b {
            return Err(differs(&terms, given, name, *a, *b));
        }
    }
    Ok(terms.len())
}

/// Where two terms part: the first operands, on the way from an output to the inputs, that are made by different ops.
fn differs(terms: &Terms, given: &Func, output: &str, mut a: TermRef, mut b: TermRef) -> Refusal {
    while let Some((x, y)) = terms.part(a, b) {
        (a, b) = (x, y);
    }
    let span = terms.origin(a).map(|o| given.op(o).span);
    let (was, is) = (terms.describe(a), terms.describe(b));
    let message = if was == is {
        format!("`{output}` is computed from another {was}")
    } else {
        format!("`{output}` is computed from {is}, and not from {was}")
    };
    Refusal { message, span }
}
