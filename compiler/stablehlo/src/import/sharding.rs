//! Meshes and shardings of sdy: `#sdy.sharding<@mesh, [{"data"}, {"model", ?}, {}]>` pins dims as layouts do, a `?` leaves a
//! dim open behind the axes that stand there. Devices in another order than their numbers, parts of axes (`"x":(1)2`) and
//! several meshes of other axes are refused by name.

use super::{Import, Rule};
use crate::lexer::Token;
use crate::module::{Module, Op};
use crate::read;
use crate::tree::Tree;
use meshloom_ir::{Axis, Constraint, DimSpec, Mesh, Op as Ir, Reduction, Span, ValueId};
use meshloom_syntax::diagnostic::Diagnostic;
use meshloom_syntax::elaborate::Options;
use std::collections::BTreeMap;

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, Rule)] = &[
    ("sdy.sharding_constraint", constrain),
    ("sdy.reshard", constrain),
    ("sdy.propagation_barrier", same),
    ("sdy.sharding_group", nothing),
    ("stablehlo.custom_call", custom_call),
];

/// The axes of each mesh, by its name.
pub type Meshes<'m> = BTreeMap<&'m str, Vec<(&'m str, u64)>>;

/// All meshes of a module.
///
/// # Errors
/// What is not supported of one.
pub fn meshes<'m>(module: &'m Module<'m>) -> Result<Meshes<'m>, Box<Diagnostic>> {
    let mut out = Meshes::new();
    for m in &module.meshes {
        let refuse = |why: &str| Box::new(Diagnostic::error("mlir-unsupported", why).at(m.span, ""));
        if let Some(ids) = read::setting(m.trees, "device_ids") {
            let ids = read::ints(ids);
            if !ids.is_empty() && !ids.iter().enumerate().all(|(i, &n)| n == i as i64) {
                return Err(refuse("a mesh whose devices are not in the order of their numbers is not supported"));
            }
        }
        let list = m.trees.iter().find_map(|t| t.group(b'[')).unwrap_or_default();
        let mut axes = Vec::new();
        for a in list.split(|t| t.leaf(Token::Comma).is_some()).filter(|a| !a.is_empty()) {
            let name = a[0].leaf(Token::Str).map(|s| s.trim_matches('"'));
            let size = a.last().and_then(|t| t.leaf(Token::Int)).and_then(|n| n.parse::<u64>().ok());
            let (Some(name), Some(size @ 1..)) = (name, size) else {
                return Err(refuse("an axis of a mesh is `\"name\"=size`"));
            };
            axes.push((name, size));
        }
        out.insert(m.name, axes);
    }
    Ok(out)
}

/// The mesh that programs run on: the one with the most axes, with the sizes that the options give.
pub fn mesh(meshes: &Meshes<'_>, options: &Options) -> Mesh {
    // A program that says nothing of devices runs on those that are asked for.
    if let (true, Some(sizes)) = (meshes.is_empty(), &options.mesh) {
        return Mesh::new(sizes.iter().map(|(name, size)| (name.as_str(), *size)));
    }
    let largest = meshes.values().max_by_key(|axes| axes.len()).cloned().unwrap_or_default();
    let given = |name: &str, size: u64| match &options.mesh {
        None => size,
        Some(sizes) => sizes.iter().find(|s| s.0 == name).map_or(1, |s| s.1),
    };
    Mesh::new(largest.into_iter().map(|(name, size)| (name, given(name, size))))
}

/// What a sharding says of a tensor: the trees of `<@mesh, [..], ..>`, with the mesh or without.
fn constraint(mesh: &Mesh, trees: &[Tree<'_>], rank: usize) -> Result<Constraint, String> {
    let Some(dims) = trees.iter().find_map(|t| t.group(b'[')) else {
        return Err("the sharding has no list of dims".to_string());
    };
    let mut out = Constraint::of(Vec::new());
    for d in dims.iter().filter_map(|t| t.group(b'{')) {
        let open = d.iter().any(|t| t.leaf(Token::Sign) == Some("?"));
        let axes = names(mesh, d)?;
        out.dims.push(if open { DimSpec::AtLeast(axes) } else { DimSpec::Exactly(axes) });
    }
    if out.dims.len() != rank {
        return Err(format!("the sharding has {} dims, and the tensor {rank}", out.dims.len()));
    }
    if let Some(t) = read::setting(trees, "unreduced").and_then(|t| t.first()?.group(b'{')) {
        out.partial = names(mesh, t)?.into_iter().map(|a| (a, Reduction::Sum)).collect();
    }
    Ok(out)
}

/// The axes in `{"a", "b"}`.
fn names(mesh: &Mesh, trees: &[Tree<'_>]) -> Result<Vec<Axis>, String> {
    let mut out = Vec::new();
    for (i, t) in trees.iter().enumerate() {
        let Some(name) = t.leaf(Token::Str).map(|s| s.trim_matches('"')) else { continue };
        if trees.get(i + 1).is_some_and(|t| t.leaf(Token::Colon).is_some()) {
            return Err(format!("a part of the axis `{name}` is not supported; split it into two axes of the mesh"));
        }
        out.push(mesh.axis(name).ok_or_else(|| format!("the mesh has no axis `{name}`"))?);
    }
    Ok(out)
}

impl Import<'_> {
    /// Takes over what attributes say of a function's parameter or result.
    pub fn constraint(&mut self, attrs: &[Tree<'_>], into: &mut Constraint, span: Span) {
        let rank = into.dims.len();
        if let Some(t) = read::setting(attrs, "sdy.sharding") {
            let inner = t.iter().find_map(|t| t.group(b'<')).unwrap_or_default();
            match constraint(self.mesh(), inner, rank) {
                Ok(c) => *into = c,
                Err(e) => self.refuse(span, e),
            }
        } else if read::setting(attrs, "mhlo.sharding").is_some() {
            self.refuse(span, "shardings of GSPMD (`mhlo.sharding`) are not supported; JAX prints sdy with `jax_use_shardy_partitioner`");
        }
    }
}

fn constrain(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let rank = i.b.ty(x).rank();
    let inner = op.items.iter().find_map(|t| t.group(b'<'));
    let inner = match inner {
        Some(inner) => Some(inner),
        None => op.attr("sharding").and_then(|t| t.iter().find_map(|t| t.group(b'<'))),
    };
    let c = constraint(i.mesh(), inner.ok_or("the sharding is missing")?, rank)?;
    Ok(vec![i.emit(Ir::Constrain(c), &[x])?])
}

fn same(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let [x] = i.exactly(op)?;
    Ok(vec![x])
}

/// A wish that tensors be split alike: which a planner by cost need not be told.
fn nothing(_: &mut Import<'_>, _: &Op<'_>) -> Made {
    Ok(Vec::new())
}

fn custom_call(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let target = op.items.iter().find_map(|t| t.leaf(Token::Symbol)).map(|s| s.trim_start_matches('@'));
    let target =
        target.or_else(|| op.attr("call_target_name")?.first()?.leaf(Token::Str)).unwrap_or("?").trim_matches('"');
    match target {
        "annotate_device_placement" | "LayoutConstraint" => i.operands(op),
        _ => Err(super::refused::call(target)),
    }
}
