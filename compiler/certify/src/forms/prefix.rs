//! Checks that a form starts with exactly the given program.

use meshloom_ir::{Func, Op, OpId, Region, verify};

/// Why an equality does not hold, with the op of the form that is named for it.
pub(crate) struct Refused {
    pub op: Option<OpId>,
    pub message: String,
}

/// Checks that `form` verifies, and that it extends `global`. Its first values, ops and regions are those of `global`, ops
/// are added only at the ends of regions, and regions only with ops that are added. The results and the yields of `global` do
/// not change.
///
/// # Errors
/// The condition that does not hold, with the op that was added if it is about one.
pub(super) fn check(global: &Func, form: &Func) -> Result<(), Refused> {
    let program = |message: &str| Err(Refused { op: None, message: message.into() });
    if let Err(errors) = verify::verify(form) {
        let first = errors.first();
        let op = first.and_then(|e| match e.at {
            meshloom_ir::print::PrintedLine::Op(o) if o.index() < form.ops.len() => Some(o),
            _ => None,
        });
        let message = first.map_or("", |e| &e.message);
        return Err(Refused { op, message: format!("the rewritten program does not verify: {message}") });
    }
    if form.name != global.name || form.mesh != global.mesh {
        return program("the rewritten program is not that of this name and mesh");
    }
    if form.inputs != global.inputs || form.outputs != global.outputs {
        return program("the rewritten program has other inputs or outputs than the given one");
    }
    let longer = form.values.len() >= global.values.len()
        && form.ops.len() >= global.ops.len()
        && form.regions.len() >= global.regions.len();
    if !longer {
        return program("the rewritten program lacks something of the given one");
    }
    for (i, (a, b)) in global.values.iter().zip(&form.values).enumerate() {
        if a.ty != b.ty || a.def != b.def {
            return program(&format!("%{i} is another value in the rewritten program than in the given one"));
        }
    }
    for (i, (a, b)) in global.ops.iter().zip(&form.ops).enumerate() {
        let same = a.op == b.op
            && a.operands == b.operands
            && a.results == b.results
            && a.regions == b.regions
            && a.parent == b.parent;
        if !same {
            let message = "is not what the given program has there".into();
            return Err(Refused { op: Some(OpId(i as u32)), message });
        }
    }
    for (a, b) in global.regions.iter().zip(&form.regions) {
        region(a, b, global.ops.len())?;
    }
    let mut stands = vec![false; form.ops.len()];
    form.walk(Func::BODY).into_iter().for_each(|o| stands[o.index()] = true);
    if let Some(i) = (global.ops.len()..form.ops.len()).find(|&i| !stands[i]) {
        return program(&format!("op {i} of the rewritten program stands in no region"));
    }
    for (i, data) in form.ops.iter().enumerate() {
        // Its result would be another one on each device, and no law or factor rule looks at that.
        let of_a_device = data.op.reads_device() || matches!(data.op, Op::Gather { total: Some(_), .. });
        if data.op.collective_axes().is_some() || of_a_device {
            let message = format!("`{}` is an op of local programs", data.op.name());
            return Err(Refused { op: Some(OpId(i as u32)), message });
        }
    }
    Ok(())
}

fn region(given: &Region, form: &Region, ops: usize) -> Result<(), Refused> {
    let ports = given.args == form.args && given.yields == form.yields && given.owner == form.owner;
    if !ports || !form.ops.starts_with(&given.ops) {
        return Err(Refused {
            op: given.owner,
            message: "a region of the rewritten program takes, does or passes on something else than in the given one"
                .into(),
        });
    }
    match form.ops[given.ops.len()..].iter().find(|o| o.index() < ops) {
        Some(&o) => Err(Refused { op: Some(o), message: "stands in another region than in the given program".into() }),
        None => Ok(()),
    }
}
