//! What each collective does to a layout, from its definition. A group over ordered axes `(a, b)` numbers its devices
//! major first. If `(p, a, b)` split a dim, each device has block `index(p) * |a||b| + index(a, b)`. So gathering
//! undoes a split exactly if its axes are the minor ones of the dim.

use meshloom_ir::layout::text::show_axes;
use meshloom_ir::table::comm::Effect;
use meshloom_ir::{Axis, Layout, Mesh, Op, Reduction};

/// The layout of the result of `op`, if its operand is a shard of a tensor of `shape` in layout `from`; or why the
/// operand may not have that layout. `None` for ops that are no reshard.
pub(crate) fn after(op: &Op, from: &Layout, shape: &[u64], mesh: &Mesh) -> Option<Result<Layout, String>> {
    let nested = |of: &Layout, dim: usize, major: usize| {
        let size = shape.get(dim).copied().unwrap_or(0);
        if of.nests(dim, size, major, mesh) {
            return Ok(());
        }
        Err(format!(
            "`{}` over a part of the axes of dim {dim} in {}: {size} elements do not divide, and a block of all axes lies across \
             two blocks of the others",
            op.name(),
            of.show(mesh)
        ))
    };
    // Gathering leaves the major axes, splitting starts from them.
    let gathered = |l: &Layout, axes: &[Axis], dim: usize| {
        let to = gathered(op, l, axes, dim, mesh)?;
        nested(l, dim, to.dims[dim].len()).map(|()| to)
    };
    let split = |l: &Layout, axes: &[Axis], dim: usize| {
        let to = split(op, l, axes, dim, mesh)?;
        nested(&to, dim, l.dims[dim].len()).map(|()| to)
    };
    Some(match op {
        Op::CollectivePermute { from: old, to, .. } => permuted(op, from, old, to, mesh),
        Op::PadMask { axes, dim, size, .. } => masked(op, from, shape, axes, *dim, *size, mesh),
        Op::PartialSplit { axes } => copied(op, from, axes, mesh).map(|()| {
            let mut l = from.clone();
            l.partial.extend(axes.iter().map(|&a| (a, Reduction::Sum)));
            l
        }),
        // Nothing can be said of a shift without the `rotate` that it stands for.
        Op::CollectiveShift { .. } => return None,
        op => {
            let axes = op.collective_axes()?;
            let Effect { reduced, gathered: whole, split: onto } = op.effect();
            let mut l = Ok(from.clone());
            if let Some(kind) = reduced {
                l = l.and_then(|l| unpartial(op, &l, axes, kind, mesh));
            }
            if let Some((dim, _)) = whole {
                l = l.and_then(|l| gathered(&l, axes, dim));
            }
            if let Some(dim) = onto {
                l = l.and_then(|l| split(&l, axes, dim));
            }
            l
        }
    })
}

fn name(axes: &[Axis], mesh: &Mesh) -> String {
    format!("`{}`", show_axes(axes, mesh))
}

/// `from` without these partial axes. Each of them must be partial under this reduction.
fn unpartial(op: &Op, from: &Layout, axes: &[Axis], kind: Reduction, mesh: &Mesh) -> Result<Layout, String> {
    let mut l = from.clone();
    for a in axes {
        match l.partial.remove(a) {
            Some(k) if k == kind => {}
            Some(k) => {
                return Err(format!(
                    "`{}` reduces by {} over axis {}, but its operand is partial ({}) there",
                    op.name(),
                    kind.name(),
                    name(&[*a], mesh),
                    k.name()
                ));
            }
            None => {
                return Err(format!(
                    "`{}` over axis {}, but its operand, {}, is not partial there",
                    op.name(),
                    name(&[*a], mesh),
                    from.show(mesh)
                ));
            }
        }
    }
    Ok(l)
}

/// `from` without the minor axes of `dim`.
fn gathered(op: &Op, from: &Layout, axes: &[Axis], dim: usize, mesh: &Mesh) -> Result<Layout, String> {
    let mut l = from.clone();
    let minor = l.dims.get(dim).is_some_and(|d| !axes.is_empty() && d.ends_with(axes));
    if !minor {
        return Err(format!(
            "`{}` gathers dim {dim} over {}, but these are not the minor axes of that dim in {}",
            op.name(),
            name(axes, mesh),
            from.show(mesh)
        ));
    }
    let keep = l.dims[dim].len() - axes.len();
    l.dims[dim].truncate(keep);
    Ok(l)
}

/// `from` with `axes`, over which it must be replicated, as the minor axes of `dim`.
fn split(op: &Op, from: &Layout, axes: &[Axis], dim: usize, mesh: &Mesh) -> Result<Layout, String> {
    copied(op, from, axes, mesh)?;
    let mut l = from.clone();
    match l.dims.get_mut(dim) {
        Some(d) => d.extend(axes),
        None => {
            return Err(format!("`{}` splits dim {dim} of a value of rank {}", op.name(), from.dims.len()));
        }
    }
    Ok(l)
}

/// `from` with the minor axes `old[d]` of each dim replaced by `new[d]`. Both split the dim into as many blocks. Blocks
/// of all dims are exchanged at once, so an axis may go from one dim to another. Over an axis that comes from no dim,
/// `from` must be replicated.
fn permuted(op: &Op, from: &Layout, old: &[Vec<Axis>], new: &[Vec<Axis>], mesh: &Mesh) -> Result<Layout, String> {
    let mut l = from.clone();
    if old.len() != l.dims.len() || new.len() != l.dims.len() {
        return Err(format!(
            "`{}` of {} dims on a value of rank {}",
            op.name(),
            old.len().max(new.len()),
            l.dims.len()
        ));
    }
    for (d, axes) in old.iter().enumerate().filter(|(_, axes)| !axes.is_empty()) {
        l = gathered(op, &l, axes, d, mesh)?;
    }
    for (d, axes) in new.iter().enumerate() {
        if mesh.group_size(axes) != mesh.group_size(&old[d]) {
            return Err(format!(
                "`{}` turns {} of dim {d} into {}, which make another number of blocks",
                op.name(),
                name(&old[d], mesh),
                name(axes, mesh)
            ));
        }
        if !axes.is_empty() {
            l = split(op, &l, axes, d, mesh)?;
        }
    }
    Ok(l)
}

/// `from`, if the mask covers exactly the padding of a dim.
fn masked(
    op: &Op,
    from: &Layout,
    shape: &[u64],
    axes: &[Axis],
    dim: usize,
    size: u64,
    mesh: &Mesh,
) -> Result<Layout, String> {
    if from.dims.get(dim).is_some_and(|d| d == axes) && shape.get(dim) == Some(&size) {
        return Ok(from.clone());
    }
    Err(format!(
        "`{}` takes dim {dim} for one of {size} elements split over {}, but {shape:?} is split as {}",
        op.name(),
        name(axes, mesh),
        from.show(mesh)
    ))
}

/// Checks that every axis is known and named once, and that `from` is replicated over it.
fn copied(op: &Op, from: &Layout, axes: &[Axis], mesh: &Mesh) -> Result<(), String> {
    for (i, a) in axes.iter().enumerate() {
        if a.index() >= mesh.axes.len() || axes[..i].contains(a) {
            return Err(format!("`{}` names an axis twice or one that the mesh lacks", op.name()));
        }
        if from.slot(*a) != meshloom_ir::layout::Slot::Replicated {
            return Err(format!(
                "`{}` over axis {}, but its operand, {}, is not replicated over it",
                op.name(),
                name(&[*a], mesh),
                from.show(mesh)
            ));
        }
    }
    Ok(())
}
