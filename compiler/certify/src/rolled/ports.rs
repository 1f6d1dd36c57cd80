//! The ports of both programs by the names that users know: an entry of a stack is a port of its own.

use meshloom_ir::{Func, Port, Role, TensorType, ValueId};

/// An input or output, or an entry of a stacked one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Entry {
    pub name: String,
    pub ty: TensorType,
    role: Role,
    complex: bool,
    unsigned: bool,
    /// What integer data is checked against.
    range: Option<(i64, i64)>,
    /// The input whose next value it is.
    updates: Option<String>,
}

/// The names of what a port of type `ty` has.
pub(super) fn names(p: &Port, ty: &TensorType) -> Vec<String> {
    if !p.stacked {
        return vec![p.name.to_string()];
    }
    let own = |i: u64| p.entries.get(i as usize).cloned();
    let count = ty.shape.first().copied().unwrap_or(0);
    (0..count).map(|i| own(i).unwrap_or_else(|| p.name.replace('*', &(p.first_layer + i).to_string()))).collect()
}

/// The type of each of them.
pub(super) fn entry_type(p: &Port, ty: &TensorType) -> TensorType {
    if p.stacked { TensorType::new(ty.dtype, &ty.shape[1..]) } else { ty.clone() }
}

fn entries(func: &Func, ports: &[Port], values: &[ValueId]) -> Vec<Entry> {
    let mut out = Vec::new();
    for (p, &v) in ports.iter().zip(values) {
        let ty = func.ty(v);
        let updated = p.updates.and_then(|i| Some(names(func.inputs.get(i)?, func.ty(*func.body().args.get(i)?))));
        for (i, name) in names(p, ty).into_iter().enumerate() {
            let updates = updated.as_ref().map(|u| u.get(i).cloned().unwrap_or_default());
            let ty = entry_type(p, ty);
            out.push(Entry {
                name,
                ty,
                role: p.role,
                complex: p.complex,
                unsigned: p.unsigned,
                range: p.range,
                updates,
            });
        }
    }
    out.sort();
    out
}

/// Checks that both programs have the same inputs and outputs, of the same types, roles and ranges, and that each output is the next value
/// of the same input.
///
/// # Errors
/// What differs, in words.
pub(super) fn check(given: &Func, rolled: &Func) -> Result<(), String> {
    for outputs in [false, true] {
        let all = |f: &Func| match outputs {
            true => entries(f, &f.outputs, &f.body().yields),
            false => entries(f, &f.inputs, &f.body().args),
        };
        let (was, is) = (all(given), all(rolled));
        if let Some(lost) = was.iter().find(|e| is.binary_search(e).is_err()) {
            return Err(format!("`{}` is not in it as it was", lost.name));
        }
        if was.len() != is.len() {
            return Err(format!("it has {} inputs or outputs, and not {}", is.len(), was.len()));
        }
    }
    Ok(())
}
