//! Checks that the programs verify, and that the programs and the certificate have the same values and ops. After this
//! the checker indexes without further checks, whatever files its inputs came from.

use crate::certificate::{Certificate, Claim};
use crate::reject::Rejection;
use meshloom_ir::{Def, Func, OpId, print::PrintedLine, verify};

/// Checks what the checker relies on in the global program.
pub(crate) fn global(func: &Func) -> Result<(), String> {
    if let Err(errors) = verify::verify(func) {
        let first = errors.first().map_or("", |e| &e.message);
        return Err(format!("the global program does not verify: {first}"));
    }
    let collective = func.ops.iter().find(|o| o.op.collective_axes().is_some());
    match collective {
        Some(o) => Err(format!("the global program has `{}`, an op of local programs", o.op.name())),
        None => Ok(()),
    }
}

/// Checks that the local program verifies. Names every op that does not.
pub(crate) fn verified(local: &Func) -> Result<(), Vec<Rejection>> {
    let errors = match verify::verify(local) {
        Ok(()) => Vec::new(),
        Err(errors) => errors,
    };
    // An error at a port or at a region's edge belongs to the op that defines the value, or that has the region.
    let op = |at: PrintedLine| match at {
        PrintedLine::Op(o) => Some(o),
        PrintedLine::Output(i) => {
            let v = local.regions.first().and_then(|b| b.yields.get(i));
            match v.and_then(|v| local.values.get(v.index()))?.def {
                Def::Op(o, _) => Some(o),
                Def::Arg(..) => None,
            }
        }
        PrintedLine::Arg(r, _) | PrintedLine::Yield(r) => local.regions.get(r.index())?.owner,
        PrintedLine::Func | PrintedLine::Input(_) => None,
    };
    let known = |o: &OpId| o.index() < local.ops.len();
    let reject = |e: verify::VerifyError| match op(e.at).filter(known) {
        Some(o) => Rejection::at(local, o, e.message),
        None => Rejection::program(format!("the local program does not verify: {}", e.message)),
    };
    let mut rejected: Vec<Rejection> = errors.into_iter().map(reject).collect();
    if rejected.is_empty() {
        // The text form names a step by the first value it proves.
        let idle = local.walk(Func::BODY).into_iter();
        let idle = idle.filter(|&o| local.op(o).results.is_empty());
        rejected.extend(idle.map(|o| Rejection::at(local, o, "gives no result")));
    }
    if rejected.is_empty() { Ok(()) } else { Err(rejected) }
}

/// Checks what the checker relies on in the local program and its certificate, given the global one.
pub(crate) fn local(global: &Func, func: &Func, cert: &Certificate) -> Result<(), String> {
    if global.mesh != func.mesh || global.mesh != cert.mesh {
        return Err(format!(
            "the global program is for mesh {}, the local one for {}, the certificate for {}",
            global.mesh, func.mesh, cert.mesh
        ));
    }
    if cert.values.len() != func.values.len() || cert.steps.len() != func.ops.len() {
        return Err(format!(
            "the certificate has {} claims and {} steps for a local program of {} values and {} ops",
            cert.values.len(),
            cert.steps.len(),
            func.values.len(),
            func.ops.len()
        ));
    }
    let named = |c: &Claim| {
        let mut axes = c.layout.dims.iter().flatten().chain(c.layout.partial.keys());
        c.global.index() < global.values.len() && axes.all(|a| a.index() < global.mesh.axes.len())
    };
    if let Some(v) = cert.values.iter().position(|c| !named(c)) {
        return Err(format!("the claim of %{v} names a global value or an axis that does not exist"));
    }
    for (what, ours, theirs) in [("input", &func.inputs, &global.inputs), ("output", &func.outputs, &global.outputs)] {
        if ours.len() != theirs.len() {
            return Err(format!("the local program has {} {what}s, the global one {}", ours.len(), theirs.len()));
        }
        for (i, (l, g)) in ours.iter().zip(theirs).enumerate() {
            let same = l.name == g.name
                && l.role == g.role
                && l.stacked == g.stacked
                && (l.first_layer, &l.entries) == (g.first_layer, &g.entries)
                && l.init == g.init
                && l.range == g.range
                && l.updates == g.updates;
            if !same {
                return Err(format!(
                    "{what} {i} is `{}` ({}) in the local program and `{}` ({}) in the global one, or is read, filled or \
                     updated differently",
                    l.name,
                    l.role.name(),
                    g.name,
                    g.role.name()
                ));
            }
        }
    }
    Ok(())
}
