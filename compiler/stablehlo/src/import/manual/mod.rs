//! Manual regions: `sdy.manual_computation`, which `jax.shard_map` is printed as, and the ops that stand in them.
//!
//! A body is imported on its own, as the program of one device, with the shapes that are written in it. Then `ir::manual` turns it
//! into ops of the global program. So a region may be in a loop or in another region, and no later phase knows of it. Inputs and
//! results lie as the shardings say. Collectives ([`collective`]) are over axes of the mesh, to which their groups of devices are
//! translated ([`groups`]). A device's number ([`place`]) is computed from its index along the axes.
//!
//! GSPMD writes a region as calls before and after it ([`calls`]).

mod calls;
mod collective;
mod enclosed;
mod groups;
mod permute;
mod place;

use super::scope::of_parts;
use super::sharding::{axes_of, list};
use super::state::{Import, ImportRule};
use super::written::{TextRegion, block};
use crate::lexer::Token;
use crate::module::TextOp;
use crate::tree::Tree;
use crate::types;
pub use calls::{ManualStep, any as between_calls, steps as in_pieces};
use enclosed::{Body, Made, Manual};
use meshloom_ir::Constraint;

pub const RULES: &[&[(&str, ImportRule)]] =
    &[&[("sdy.manual_computation", computation)], collective::RULES, permute::RULES, place::RULES];

/// `(%x) in_shardings=[..] out_shardings=[..] manual_axes={..} (%a: ..) {..}`, or the same as attributes and a region.
fn computation<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let first = op.items.iter().find_map(|t| t.group(b'(')).ok_or("the operands are missing")?;
    let operands: Vec<&str> = first.iter().filter_map(|t| t.leaf(Token::Value)).collect();
    let (params, trees) = block(op)?;
    let region = TextRegion::read(trees)?;
    let shardings = |name: &str| op.attr(name).map(list).ok_or_else(|| format!("`{name}` is missing"));
    let (ins, outs) = (shardings("in_shardings")?, shardings("out_shardings")?);
    if operands.len() != ins.len() || params.len() != ins.len() || outs.len() != op.results.len() {
        return Err("the region has another number of arguments or results than of shardings".to_string());
    }
    let names = op.attr("manual_axes").and_then(braces).ok_or("`manual_axes` is missing")?;
    // The axes are of the mesh that the shardings are on.
    let on = ins.iter().chain(&outs).next().map(|t| i.meshes.name(t)).unwrap_or_default();
    let mut axes = axes_of(i.meshes, &on, names)?;
    axes.sort_unstable();
    let lies = |i: &Import<'_>, t: &[Tree<'_>], rank: usize| -> Result<Constraint, String> {
        let c = super::sharding::written(i.meshes, t, rank)?;
        Ok(c.unwrap_or_else(|| Constraint::absent(rank)))
    };
    // Both parts of a complex tensor lie as it does.
    let complex: Vec<bool> = params.iter().map(|p| types::is_complex(p.ty)).collect();
    let mut types = Vec::new();
    for (p, &complex) in params.iter().zip(&complex) {
        let ty = types::tensor(p.ty)?;
        types.extend(vec![ty; 1 + usize::from(complex)]);
    }
    let mut inputs = Vec::new();
    for (name, t) in operands.iter().zip(&ins) {
        for v in i.values(&[name])? {
            let c = lies(i, t, i.b.ty(v).rank())?;
            inputs.push((v, c));
        }
    }
    let results = op.result_types()?;
    if results.len() != outs.len() {
        return Err("the types of the results are missing".to_string());
    }
    let mut outputs = Vec::new();
    for ((t, ty), complex) in outs.iter().zip(&results).zip(op.complex_results()) {
        let c = lies(i, t, ty.rank())?;
        outputs.extend(vec![c; 1 + usize::from(complex)]);
    }
    let names = of_parts(params.iter().map(|p| p.name), complex);
    i.enclosed(Manual { axes, inputs, names, types, body: Body::Ends(&region.ops), outputs })
}

/// `{"a"}`, `#sdy<manual_axes{"a"}>`.
fn braces<'t, 's>(trees: &'t [Tree<'s>]) -> Option<&'t [Tree<'s>]> {
    trees.iter().find_map(|t| t.group(b'{').or_else(|| braces(t.group(b'<')?)))
}
