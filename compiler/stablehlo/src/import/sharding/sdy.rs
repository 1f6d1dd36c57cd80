//! Shardings of sdy: `<@mesh, [{"data"}, {"x":(1)2, ?}p1], replicated={"model"}, unreduced={"y"}>`.

use super::{Meshes, wellformed};
use crate::import::written::part;
use crate::lexer::Token;
use crate::tree::Tree;
use meshloom_ir::manual::Split;
use meshloom_ir::{Axis, Constraint, DimSpec, Reduction};

/// What a sharding says of a tensor of `rank` dims: the trees between its angle brackets. `None` where it says nothing here: its
/// mesh has no axes and the program is planned for others, or what is wrong with the mesh has been said.
///
/// # Errors
/// An axis that there is none of, or another rank.
pub fn constraint(meshes: &Meshes, trees: &[Tree<'_>], rank: usize) -> Result<Option<Constraint>, String> {
    let Some(dims) = trees.iter().find_map(|t| t.group(b'[')) else {
        return Err("the sharding has no list of dims".to_string());
    };
    let mesh = meshes.name(trees);
    if meshes.is_silent(&mesh) {
        return Ok(None);
    }
    if meshes.has(&mesh) {
        wellformed::sharding(meshes.written(&mesh), trees)?;
    } else if !meshes.is_maximal(&mesh) {
        return Err(format!("there is no mesh `@{mesh}`"));
    }
    let mut out = Constraint::of(Vec::new());
    for d in dims.iter().filter_map(|t| t.group(b'{')) {
        let open = d.iter().any(|t| t.leaf(Token::Sign) == Some("?"));
        let axes = axes_of(meshes, &mesh, d)?;
        out.dims.push(if open { DimSpec::AtLeast(axes) } else { DimSpec::Exactly(axes) });
    }
    // One device for all of it is written without dims.
    if meshes.is_maximal(&mesh) && out.dims.is_empty() {
        out.dims = vec![DimSpec::Exactly(Vec::new()); rank];
    }
    if out.dims.len() != rank {
        return Err(format!("the sharding has {} dims, and the tensor {rank}", out.dims.len()));
    }
    for (name, kind, t) in wellformed::lists(trees)? {
        let axes = axes_of(meshes, &mesh, t)?.into_iter();
        if name == "replicated" {
            out.replicated = axes.collect();
            continue;
        }
        let kind = kind.unwrap_or("sum");
        let kind = Reduction::ALL.into_iter().find(|r| r.name() == kind);
        let kind = kind.ok_or("a sum is unreduced, or `max`, `min` and so on: `unreduced=max{\"a\"}`")?;
        out.partial = axes.map(|a| (a, kind)).collect();
    }
    Ok(Some(out))
}

/// The axes in `{"a", "b":(1)2}`, major first.
///
/// # Errors
/// There is no such axis, or no such part of it.
pub fn axes_of(meshes: &Meshes, mesh: &str, trees: &[Tree<'_>]) -> Result<Vec<Axis>, String> {
    let mut out = Vec::new();
    for (at, t) in trees.iter().enumerate() {
        let Some(name) = t.leaf(Token::Str).map(|s| s.trim_matches('"')) else { continue };
        out.extend(meshes.axes(mesh, name, part(&trees[at + 1..]))?);
    }
    Ok(out)
}

/// The shardings in `[<..>, <..>]`, `#sdy.sharding_per_value<[<..>, <..>]>` or `#sdy.sharding<..>`: what is between the brackets of
/// each.
pub fn list<'t, 's>(trees: &'t [Tree<'s>]) -> Vec<&'t [Tree<'s>]> {
    let inner = trees.iter().find_map(|t| t.group(b'<'));
    let own = trees.iter().find_map(|t| t.group(b'['));
    let several = |g: &'t [Tree<'s>]| g.first().is_some_and(|t| t.group(b'[').is_some());
    match (own, inner) {
        (Some(each), _) => each.iter().filter_map(|t| t.group(b'<')).collect(),
        (None, Some(g)) if several(g) => list(g),
        (None, Some(g)) => vec![g],
        (None, None) => Vec::new(),
    }
}

/// How a tensor lies between a manual region and what is around it: by dim, the manual axes that split it, and others behind
/// them.
///
/// # Errors
/// A manual axis stands behind one that is not.
pub fn border(c: &Constraint, manual: &[Axis]) -> Result<(Split, Split), String> {
    let (mut split, mut also) = (Split::new(), Split::new());
    for spec in &c.dims {
        let (DimSpec::Exactly(axes) | DimSpec::AtLeast(axes)) = spec;
        let first = axes.iter().take_while(|a| manual.contains(a)).count();
        if axes[first..].iter().any(|a| manual.contains(a)) {
            return Err("a manual axis stands behind one that is not manual".to_string());
        }
        split.push(axes[..first].to_vec());
        also.push(axes[first..].to_vec());
    }
    Ok((split, also))
}
