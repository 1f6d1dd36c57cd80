//! What `--mesh` asks of a program that has meshes of its own, or none: sizes that can be, and a word where they change what the
//! shardings say.
//!
//! Not here: which axes the program has ([`super::meshes`]).

use meshloom_ir::mesh::MAX_DEVICES;
use meshloom_ir::{Axis, DimSpec, Func, Mesh};
use meshloom_source::{Diagnostic, FrontOptions};
use std::collections::BTreeMap;

/// The sizes that `--mesh` gives, if they can be those of a mesh.
pub fn sizes<'o>(options: &'o FrontOptions, diagnostics: &mut Vec<Diagnostic>) -> Option<&'o [(String, u64)]> {
    let sizes = options.mesh.as_deref()?;
    let devices = sizes.iter().fold(1u64, |n, a| n.saturating_mul(a.1));
    let message = match sizes.iter().find(|a| a.1 == 0) {
        Some((name, _)) => format!("--mesh {name}=0: an axis has at least one device"),
        None if devices > MAX_DEVICES => {
            format!("the mesh has {devices} devices; at most {MAX_DEVICES} are planned for")
        }
        None => return Some(sizes),
    };
    diagnostics.push(Diagnostic::error("mesh", message));
    None
}

/// Says which axes of the program `--mesh` leaves out: they have one device then. Nothing is split on one device in all.
pub fn left_out(written: &Mesh, given: &BTreeMap<Axis, u64>, diagnostics: &mut Vec<Diagnostic>) {
    if given.values().all(|n| *n == 1) {
        return;
    }
    let missing =
        written.axes.iter().enumerate().filter(|(i, a)| a.1 > 1 && !given.contains_key(&Axis(*i as u8))).map(|x| x.1);
    for (name, size) in missing {
        let message = format!("--mesh leaves out `{name}`, so nothing is split over it");
        let help = format!("`{name}={size}` keeps what the program says, and `{name}=1` says that it is meant");
        diagnostics.push(Diagnostic::warning("mesh", message).help(help));
    }
}

/// Says which inputs a sharding splits into blocks of different sizes, since `--mesh` has other sizes than the program. JAX
/// refuses such a sharding.
pub fn uneven(func: &Func, diagnostics: &mut Vec<Diagnostic>) {
    for (port, &v) in func.inputs.iter().zip(&func.body().args) {
        let dims = func.ty(v).shape.iter().zip(&port.constraint.dims).enumerate();
        for (dim, (size, spec)) in dims {
            let DimSpec::Exactly(axes) = spec else { continue };
            let parts = axes.iter().fold(1u64, |n, a| n.saturating_mul(func.mesh.size(*a)));
            if parts > 1 && size % parts != 0 {
                let names: Vec<&str> = axes.iter().map(|a| func.mesh.name(*a)).collect();
                let message =
                    format!("dim {dim} of `{}` has {size} entries, and is split over {parts} devices", port.name);
                let d = Diagnostic::warning("mesh", message).at(port.span, format!("split over {}", names.join(", ")));
                diagnostics
                    .push(d.help(format!("blocks have {} entries, and the last ones fewer", size.div_ceil(parts))));
            }
        }
    }
}
