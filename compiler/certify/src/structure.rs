//! That the programs are programs: every id in range, every value defined where its definition says, regions a tree of
//! bounded depth. After this the checker indexes freely, whatever file the inputs came from.

use crate::certificate::{Certificate, Claim};
use meshloom_ir::{Def, Func, Op, OpId, RegionId, ValueId, mesh};

/// Deepest nesting of regions that is looked at; the checker recurses over them.
pub const MAX_DEPTH: usize = 64;

/// What the checker needs of the global program.
pub(crate) fn global(func: &Func) -> Result<(), String> {
    sound(func, "global")?;
    let collective = func.ops.iter().find(|o| o.op.collective_axes().is_some());
    match collective {
        Some(o) => Err(format!("the global program has `{}`, an op of local programs", o.op.name())),
        None => Ok(()),
    }
}

/// What the checker needs of the local program and its certificate, beside the global one.
pub(crate) fn local(global: &Func, func: &Func, cert: &Certificate) -> Result<(), String> {
    sound(func, "local")?;
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

fn sound(func: &Func, which: &str) -> Result<(), String> {
    let bad = |what: String| Err(format!("the {which} program is damaged: {what}"));
    let m = &func.mesh;
    if m.axes.len() > mesh::MAX_AXES || m.axes.iter().any(|a| a.1 == 0) {
        return bad(format!("mesh {m}"));
    }
    let Some(body) = func.regions.first() else {
        return bad("it has no body".into());
    };
    if body.args.len() != func.inputs.len() || body.yields.len() != func.outputs.len() {
        return bad("its ports and its body disagree".into());
    }
    let mut placed = vec![false; func.ops.len()];
    let mut opened = vec![false; func.regions.len()];
    let mut open: Vec<(RegionId, usize)> = vec![(Func::BODY, 0)];
    opened[0] = true;
    while let Some((r, depth)) = open.pop() {
        if depth > MAX_DEPTH {
            return bad(format!("regions nest deeper than {MAX_DEPTH}"));
        }
        let region = func.region(r);
        for (i, &a) in region.args.iter().enumerate() {
            if !defined(func, a, Def::Arg(r, i as u32)) {
                return bad(format!("argument {i} of region {}", r.0));
            }
        }
        for &o in &region.ops {
            let data = match func.ops.get(o.index()) {
                Some(d) if d.parent == r && !std::mem::replace(&mut placed[o.index()], true) => d,
                _ => return bad(format!("op {} of region {}", o.0, r.0)),
            };
            op(func, o)?;
            for &inner in &data.regions {
                let known = func.regions.get(inner.index());
                if known.is_none_or(|x| x.owner != Some(o)) || std::mem::replace(&mut opened[inner.index()], true) {
                    return bad(format!("region {} of op {}", inner.0, o.0));
                }
                open.push((inner, depth + 1));
            }
        }
        if region.yields.iter().any(|y| y.index() >= func.values.len()) {
            return bad(format!("a yield of region {}", r.0));
        }
    }
    Ok(())
}

/// Operands in range, results defined by this op, a body where the op has one.
fn op(func: &Func, o: OpId) -> Result<(), String> {
    let data = func.op(o);
    let bodies = usize::from(matches!(data.op, Op::Repeat { .. } | Op::Composite { .. }));
    let operands = data.operands.iter().all(|v| v.index() < func.values.len());
    let results = data.results.iter().enumerate().all(|(i, &v)| defined(func, v, Def::Op(o, i as u32)));
    let one = bodies == 1 || data.results.len() == 1;
    let constrains = !matches!(data.op, Op::Constrain(_)) || data.operands.len() == 1;
    let body = data.regions.first().and_then(|r| func.regions.get(r.index()));
    let ports = body.is_none_or(|b| b.args.len() == data.operands.len() && b.yields.len() == data.results.len());
    let repeats = match data.op {
        Op::Repeat { carries, xs, .. } => {
            carries.saturating_add(xs) <= data.operands.len() && carries <= data.results.len()
        }
        _ => true,
    };
    let whole = operands && results && one && constrains && ports && repeats;
    if whole && data.regions.len() == bodies {
        return Ok(());
    }
    Err(format!("op {}, `{}`, has operands, results or regions that do not exist", o.0, data.op.name()))
}

fn defined(func: &Func, v: ValueId, def: Def) -> bool {
    func.values.get(v.index()).is_some_and(|x| x.def == def)
}
