//! Layout annotations to constraints: axis names checked, and `layout` blocks matched with parameters.

use super::value::{Dim, count, show_dims};
use crate::ast::{self, LayoutDef, LayoutKind, Name};
use meshloom_ir::{Axis, Constraint, DimSpec, Layout, Mesh, Reduction, Span};
use meshloom_source::{Diagnostic, suggest};
use std::collections::BTreeMap;

/// What `layout` rules speak of.
const ROLES: [&str; 3] = ["params", "state", "inputs"];

pub(super) fn axis(mesh: &Mesh, name: &Name) -> Result<Axis, Diagnostic> {
    mesh.axis(&name.text).ok_or_else(|| {
        let all = mesh.axes.iter().map(|a| a.0.as_str());
        let d = Diagnostic::error("unknown-axis", format!("the mesh has no axis `{}`", name.text))
            .at(name.span, "not an axis");
        match suggest::nearest(&name.text, all.clone()) {
            Some(n) => d.did_you_mean(n),
            None if name.text == "None" => d.fix(name.span, "_", "a dim that is not split is `_`"),
            None if mesh.axes.is_empty() => d.help(format!("declare it: `mesh [{}: 1]`", name.text)),
            None => d.help(format!("its axes: {}", suggest::list(all))),
        }
    })
}

/// The axes of each dim, and the partial ones.
type Axes = (Vec<DimSpec>, BTreeMap<Axis, Reduction>);

/// Checks that every axis of a layout exists and stands once.
fn axes(mesh: &Mesh, dims: &[ast::LayoutDim], partial: &[ast::Partial]) -> Result<Axes, Diagnostic> {
    let mut used: Vec<(Axis, Span)> = Vec::new();
    let mut take = |name: &Name| -> Result<Axis, Diagnostic> {
        let a = axis(mesh, name)?;
        if let Some((_, first)) = used.iter().find(|u| u.0 == a) {
            return Err(Diagnostic::error("axis-twice", format!("axis `{}` stands twice in one layout", name.text))
                .at(name.span, "again here")
                .also(*first, "first here")
                .help("an axis splits one dim, or makes the value partial"));
        }
        used.push((a, name.span));
        Ok(a)
    };
    let mut specs = Vec::new();
    for d in dims {
        let axes = d.axes.iter().map(&mut take).collect::<Result<Vec<_>, _>>()?;
        specs.push(if d.open { DimSpec::AtLeast(axes) } else { DimSpec::Exactly(axes) });
    }
    let mut reductions = BTreeMap::new();
    for p in partial {
        let a = take(&p.axis)?;
        let r = match &p.reduction {
            None => Reduction::Sum,
            Some(n) => Reduction::from_name(&n.text).ok_or_else(|| {
                Diagnostic::error("partial", format!("there is no reduction `{}`", n.text))
                    .at(n.span, "")
                    .help("`sum`, `max` or `min`")
            })?,
        };
        reductions.insert(a, r);
    }
    Ok((specs, reductions))
}

/// A layout as written, for a tensor with these dims.
pub fn resolve(mesh: &Mesh, layout: &ast::LayoutExpr, dims: &[Dim]) -> Result<Constraint, Diagnostic> {
    match &layout.kind {
        LayoutKind::Dims { dims: written, partial } => {
            if written.len() != dims.len() {
                let n = written.len();
                return Err(Diagnostic::error(
                    "layout-rank",
                    format!("this layout is for {} and the tensor has {}", count(n), dims.len()),
                )
                .at(layout.span, format!("the tensor's dims are [{}]", show_dims(dims)))
                .help("one entry per dim: an axis, `_` (not split) or `?` (the compiler chooses)"));
            }
            let (specs, partial) = axes(mesh, written, partial)?;
            Ok(Constraint { partial, ..Constraint::of(specs) })
        }
        LayoutKind::Replicated => Ok(Constraint::exactly(&Layout::replicated(dims.len()))),
        LayoutKind::Largest(name) => {
            let a = axis(mesh, name)?;
            let k = mesh.size(a);
            // Of equally large dims the first. Blocks are uneven only where no dim divides, and every device gets some of it.
            let largest = |fits: &dyn Fn(u64) -> bool| {
                let dims = dims.iter().enumerate().filter(|(_, d)| fits(d.size));
                dims.max_by_key(|(i, d)| (d.size, std::cmp::Reverse(*i))).map(|(i, _)| i)
            };
            let full = |n: u64| n.div_ceil(k) * (k - 1) < n;
            let best = largest(&|n| n.is_multiple_of(k)).or_else(|| largest(&full));
            let mut l = Layout::replicated(dims.len());
            if let Some(i) = best {
                l.dims[i].push(a);
            }
            Ok(Constraint::exactly(&l))
        }
        LayoutKind::Like(name) => {
            Err(Diagnostic::error("layout-rule", "`like params` is for the optimizer's state").at(name.span, ""))
        }
    }
}

/// A layout as written, for tensors whose dims are not known yet.
pub(super) fn without_dims(mesh: &Mesh, layout: &ast::LayoutExpr) -> Result<Constraint, Diagnostic> {
    let LayoutKind::Dims { dims, partial } = &layout.kind else {
        return Err(Diagnostic::error("layout-rule", "this layout is for rules of `layout` blocks").at(layout.span, ""));
    };
    let (dims, partial) = axes(mesh, dims, partial)?;
    Ok(Constraint { partial, ..Constraint::of(dims) })
}

/// What holds in any layout block, chosen or not: known roles and axes, `like` where it may stand.
pub fn check_block(mesh: &Mesh, def: &LayoutDef, errors: &mut Vec<Diagnostic>) {
    for rule in &def.rules {
        if !ROLES.contains(&rule.role.text.as_str()) {
            let d = Diagnostic::error(
                "layout-rule",
                format!("a layout rule is for `params`, `state` or `inputs`, not `{}`", rule.role.text),
            )
            .at(rule.role.span, "");
            errors.push(match suggest::nearest(&rule.role.text, ROLES) {
                Some(n) => d.did_you_mean(n),
                None => d,
            });
        }
        match &rule.layout.kind {
            LayoutKind::Dims { dims, partial } => {
                errors.extend(axes(mesh, dims, partial).err());
                if let Some(p) = partial.first() {
                    errors.push(
                        Diagnostic::error("partial", "what is stored cannot be partial")
                            .at(p.axis.span, "")
                            .help("`partial` is for intermediate values: `x @ [_, _] + partial(model)`"),
                    );
                }
            }
            LayoutKind::Largest(name) => errors.extend(axis(mesh, name).err()),
            LayoutKind::Like(name) if rule.role.text != "state" => {
                errors.push(
                    Diagnostic::error("layout-rule", "`like params` is for the optimizer's state").at(name.span, ""),
                );
            }
            LayoutKind::Like(_) | LayoutKind::Replicated => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_dim_that_divides_or_else_the_largest() {
        let mesh = Mesh::new([("data", 4)]);
        let name = Name { text: "data".into(), span: Span::default() };
        let layout = ast::LayoutExpr { span: Span::default(), kind: LayoutKind::Largest(name) };
        for (shape, split) in [
            (vec![8, 16], Some(1)),
            (vec![16, 1003], Some(0)),
            (vec![5, 1003, 7], Some(1)),
            (vec![5, 3], None),
            (vec![8, 8], Some(0)),
        ] {
            let dims: Vec<Dim> = shape.iter().map(|&n| Dim::plain(n)).collect();
            let c = resolve(&mesh, &layout, &dims).expect("resolves");
            let found = c.dims.iter().position(|d| *d == DimSpec::Exactly(vec![Axis(0)]));
            assert_eq!(found, split, "{shape:?}");
        }
    }
}
