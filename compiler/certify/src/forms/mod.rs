//! What was rewritten before layouts: the global program with further ops, and which of its values are equal.
//!
//! The given program is a prefix of the form's program, so the form computes all that the given program computes;
//! [`prefix`] checks this. Equality is a statement about the tensors of this one program. It holds or it does not,
//! whatever any local program does. [`crate::classes`] gives every value a term and closes equality
//! under congruence. Each [`Equal`] adds a pair of values with a law that proves the pair equal ([`crate::laws`]) from what
//! holds already.
//!
//! Classes may be cyclic (`x = f(g(x))` where g undoes f). That proves nothing wrong. The proof of a local program is
//! by induction over *its* order. It uses an equality only to say that a shard of the one tensor is a shard of the
//! other. The form computes every tensor in its own order, without the equality.

mod prefix;

pub(crate) use prefix::Refused;

use crate::certificate::{Equal, Form};
use crate::classes::{Classes, iteration};
use crate::kernels;
use crate::laws::{self, LawCx};
use meshloom_ir::{Def, Func, OpId, ValueId};

/// The classes of a certificate's form.
///
/// # Errors
/// What the checker says of a form that is none of this program, or of an equality that does not follow.
pub fn classes(global: &Func, form: &Form) -> Result<Classes, String> {
    match check(global, form) {
        Err(r) => Err(r.message),
        Ok((classes, refused)) => match refused.into_iter().next() {
            Some(r) => Err(r.message),
            None => Ok(classes),
        },
    }
}

/// Checks a form of `global`: its classes, and the equalities that do not follow. One that does not is taken as given by those
/// after it, so that a mistake is reported once.
///
/// # Errors
/// The form is not one of this program at all.
pub(crate) fn check(global: &Func, form: &Form) -> Result<(Classes, Vec<Refused>), Refused> {
    prefix::check(global, &form.func)?;
    let mut classes = Classes::new(&form.func);
    let mut refused = Vec::new();
    for o in (global.ops.len()..form.func.ops.len()).map(|i| OpId(i as u32)) {
        if let Err(message) = kernels::check(&form.func, global.ops.len(), o) {
            refused.push(Refused { op: Some(o), message });
        }
    }
    for e in &form.equal {
        if let Err(message) = equal(&form.func, &mut classes, e) {
            refused.push(Refused { op: made_by(&form.func, global, e), message });
            if comparable(&form.func, e).is_ok() {
                classes.unite(e.a, e.b);
            }
        }
    }
    Ok((classes, refused))
}

/// What is wrong with a form of `global`: equalities that no law proves, in words.
pub fn refused(global: &Func, form: &Form) -> Vec<String> {
    match check(global, form) {
        Ok((_, refused)) => refused.into_iter().map(|r| r.message).collect(),
        Err(r) => vec![r.message],
    }
}

/// Which equalities of values of `func`, a program that verifies, hold, each proved from those before it that do.
pub fn proved(func: &Func, claimed: &[Equal]) -> Vec<bool> {
    let mut classes = Classes::new(func);
    claimed.iter().map(|e| equal(func, &mut classes, e).is_ok()).collect()
}

/// The op to name for an equality: one that the form adds, if one of the two is. For an argument, that of its region.
fn made_by(func: &Func, global: &Func, e: &Equal) -> Option<OpId> {
    let def = |v: ValueId| {
        func.values.get(v.index()).and_then(|v| match v.def {
            Def::Op(o, _) => Some(o),
            Def::Arg(r, _) => func.region(r).owner,
        })
    };
    let (a, b) = (def(e.a), def(e.b));
    [b, a].into_iter().flatten().max_by_key(|o| o.index() >= global.ops.len())
}

/// Accepts an equality if its law does, and draws what follows from it.
fn equal(func: &Func, classes: &mut Classes, e: &Equal) -> Result<(), String> {
    comparable(func, e)?;
    let Equal { a, b, law } = e;
    let (a, b) = (*a, *b);
    let says = |what: &str| format!("%{} = %{} by {law}: {what}", a.0, b.0);
    let holds = match law.as_str() {
        laws::CONGRUENCE => classes.same(a, b),
        laws::ITERATION => iteration::check(func, classes, a, b),
        _ => {
            let Some(law) = laws::find(law) else {
                return Err(says("there is no such law"));
            };
            laws::accepts(law, &LawCx::new(func, classes), a, b)
        }
    };
    if !holds {
        return Err(says(match law.as_str() {
            laws::CONGRUENCE => "they are not the same op on the same operands",
            laws::ITERATION => "they are not results of repeats that do the same in each iteration",
            _ => "these are not the two sides of the law",
        }));
    }
    classes.unite(a, b);
    Ok(())
}

/// That both values exist, stand in one region, and have one type.
fn comparable(func: &Func, e: &Equal) -> Result<(), String> {
    let known = |v: ValueId| func.values.get(v.index());
    let (Some(a), Some(b)) = (known(e.a), known(e.b)) else {
        return Err(format!("%{} = %{}: there is no such value", e.a.0, e.b.0));
    };
    let region = |d: Def| match d {
        Def::Op(o, _) => func.op(o).parent,
        Def::Arg(r, _) => r,
    };
    if region(a.def) != region(b.def) {
        return Err(format!("%{} = %{}: they belong to different regions", e.a.0, e.b.0));
    }
    if a.ty != b.ty {
        return Err(format!("%{} = %{}: the one is {}, the other {}", e.a.0, e.b.0, a.ty, b.ty));
    }
    Ok(())
}
