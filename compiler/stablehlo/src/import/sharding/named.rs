//! `sdy.named_computation`, which XLA makes of a function that it does not inline: a body with a name, whose ends have layouts.
//!
//! It is done in place. The name says nothing of what is computed.

use super::{list, written};
use crate::import::scope::of_parts;
use crate::import::state::{Import, ImportRule};
use crate::import::written::{TextRegion, block};
use crate::lexer::Token;
use crate::module::TextOp;
use crate::tree::Tree;
use meshloom_ir::ValueId;

pub const RULES: &[(&str, ImportRule)] = &[("sdy.named_computation", named)];

/// `<"name">(%x) in_shardings=[..] out_shardings=[..] (%a: ..) {..}`, the shardings being optional.
fn named<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Result<Vec<ValueId>, String> {
    let (params, trees) = block(op)?;
    let region = TextRegion::read(trees)?;
    // The names in the brackets behind them are the body's own.
    let list = op.items.iter().find_map(|t| t.group(b'(')).ok_or("the operands are missing")?;
    let given: Vec<&str> = list.iter().filter_map(|t| t.leaf(Token::Value)).collect();
    if given.len() != params.len() {
        return Err(format!("the body takes {} arguments, and gets {}", params.len(), given.len()));
    }
    let complex: Vec<bool> = given.iter().map(|n| i.is_complex(n)).collect();
    let given = i.values(&given)?;
    let given = laid(i, op.attr("in_shardings"), given, &complex)?;
    let names = of_parts(params.iter().map(|p| p.name), complex).into_iter().zip(given).collect();
    let out = i.in_place(names, &region.ops)?;
    laid(i, op.attr("out_shardings"), out, &op.complex_results())
}

/// Values in the layouts of a list of shardings; a complex one has two parts, which lie alike.
fn laid(
    i: &mut Import<'_>,
    said: Option<&[Tree<'_>]>,
    values: Vec<ValueId>,
    complex: &[bool],
) -> Result<Vec<ValueId>, String> {
    let Some(each) = said.map(list) else {
        return Ok(values);
    };
    let each = super::for_parts(each, complex);
    if each.len() != values.len() {
        return Err(format!("{} shardings for {} values", each.len(), values.len()));
    }
    let pairs = values.into_iter().zip(each);
    pairs
        .map(|(v, t)| {
            let c = written(i.meshes, t, i.b.ty(v).rank())?;
            i.pinned(v, c)
        })
        .collect()
}
