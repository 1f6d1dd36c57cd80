//! What Shardy writes down of how shardings propagated, and the edges along which they did: read, checked, and not followed, since
//! plans are not made by propagation.
//!
//! `#sdy.propagation_edges<[{step-1 = [{"a" = operand-0 -> [result-0]}]}]>` says that in step 1 axis `a` went from the first operand
//! to the first result. `sdy.data_flow_edge` joins what flows into and out of a region, and is the only reader of its operand.

use super::sdy;
use crate::import::state::Import;
use crate::lexer::Token;
use crate::module::{Function, TextOp};
use crate::read;
use crate::tree::Tree;
use meshloom_ir::ValueId;
use meshloom_source::Diagnostic;
use std::collections::BTreeSet;

const EDGES: &str = "#sdy.propagation_edges";

/// Both kinds of edges, of regions and of functions.
pub fn is_edge(op: &TextOp<'_>) -> bool {
    matches!(op.name, "sdy.data_flow_edge" | "sdy.func_data_flow_edge")
}

/// The operand, in the layout that is said.
pub fn edge(i: &mut Import<'_>, op: &TextOp<'_>) -> Result<Vec<ValueId>, String> {
    let [x] = i.exactly(op)?;
    let said = op.attr("sharding").and_then(|t| t.iter().find_map(|t| t.group(b'<')));
    let c = said.map(|t| sdy::constraint(i.meshes, t, i.b.ty(x).rank())).transpose()?.flatten();
    Ok(vec![i.pinned(x, c)?])
}

/// Says which edges of a function's body are not the only readers of their operands, or read what sdy itself made.
pub fn check(f: &Function<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for op in f.body.iter().filter(|op| is_edge(op)) {
        let Some(&name) = op.operands().first() else { continue };
        let made = f.body.iter().find(|o| o.results.iter().any(|r| r == name));
        let readers: usize = f.body.iter().map(|o| reads(o.items, name) + reads(o.rest, name)).sum();
        let what = match made {
            _ if readers > 1 => format!("`{name}` is read by `{}`, and by others", op.name),
            Some(o) if o.name.starts_with("sdy.") && op.name == "sdy.data_flow_edge" => {
                format!("`{name}` comes from `{}`, and an edge is for what other ops make", o.name)
            }
            _ => continue,
        };
        let d = Diagnostic::error("mlir-unsupported", what).at(op.span, "");
        diagnostics.push(d.help("let all others read the edge, or leave it away: plans do not need it"));
    }
}

/// How often a value is named.
fn reads(trees: &[Tree<'_>], name: &str) -> usize {
    let of = |t: &Tree<'_>| match t {
        Tree::Group(g) => reads(&g.trees, name),
        leaf => usize::from(leaf.leaf(Token::Value) == Some(name)),
    };
    trees.iter().map(of).sum()
}

/// The parts of a list.
fn each<'t, 's>(list: &'t [Tree<'s>]) -> impl Iterator<Item = &'t [Tree<'s>]> {
    list.split(|t| t.leaf(Token::Comma).is_some()).filter(|p| !p.is_empty())
}

/// An end of an edge: `operand-0`, `result-1`.
type End = (bool, i64);

/// Refuses what is no list of edges, or goes to values that the op does not have; `laid` says whether anything about the op has a
/// sharding.
///
/// # Errors
/// A sentence.
pub fn propagated(op: &TextOp<'_>, laid: bool) -> Result<(), String> {
    for name in ["sdy.result_propagation_edges", "sdy.block_arg_propagation_edges"] {
        let Some(t) = op.attr(name) else { continue };
        let list = t.first().and_then(|t| t.group(b'['));
        let list = list.ok_or_else(|| format!("`{name}` is a list of `{EDGES}<..>`"))?;
        if list.iter().any(|t| t.leaf(Token::Int).is_some()) {
            return Err(format!("`{name}` is a list of `{EDGES}<..>`"));
        }
    }
    let Some(t) = op.attr("sdy.propagation_edges") else { return Ok(()) };
    let inner = t.first().and_then(|t| t.leaf(Token::Hash)).filter(|h| *h == EDGES);
    let inner = inner.and_then(|_| t.get(1)?.group(b'<')?.first()?.group(b'['));
    let inner = inner.ok_or_else(|| format!("`sdy.propagation_edges` is `{EDGES}<[..]>`"))?;
    if !laid {
        return Err("edges of propagation without a sharding that propagated".to_string());
    }
    let mut steps = BTreeSet::new();
    for step in each(inner) {
        // `step-3 = [..]`, the sign being part of the name, and one more of a negative number.
        let body = step.first().and_then(|t| t.group(b'{')).ok_or("a step of propagation is `{step-1 = [..]}`")?;
        let negative = body.iter().any(|t| t.leaf(Token::Sign) == Some("-"));
        let number = body.iter().find_map(|t| t.leaf(Token::Int)?.parse::<i64>().ok());
        let number = number.ok_or("a step of propagation has a number: `step-1`")?.abs();
        if negative || !steps.insert(number) {
            return Err(format!(
                "step {}{number} of propagation is {}",
                if negative { "-" } else { "" },
                match negative {
                    true => "before the first",
                    false => "there twice",
                }
            ));
        }
        let list = body.iter().rev().find_map(|t| t.group(b'[')).ok_or("a step of propagation has a list of edges")?;
        for edge in each(list) {
            let edge =
                edge.first().and_then(|t| t.group(b'{')).ok_or("an edge is `{\"a\" = operand-0 -> [result-0]}`")?;
            ends_of(op, edge)?;
        }
    }
    Ok(())
}

/// `"a" = operand-0 -> [result-0, ..]`
fn ends_of(op: &TextOp<'_>, edge: &[Tree<'_>]) -> Result<(), String> {
    let arrow = edge.iter().position(|t| t.leaf(Token::Arrow).is_some()).ok_or("an edge has an arrow")?;
    let to = edge.get(arrow + 1).and_then(|t| t.group(b'[')).ok_or("an edge leads to a list of values")?;
    let source = ends(&edge[..arrow]).pop().ok_or("an edge comes from `operand-0` or `result-0`")?;
    let targets = ends(to);
    let counts = [op.operands().len() as i64, op.results.len() as i64];
    for &(result, n) in targets.iter().chain([&source]) {
        let (what, count) = if result { ("results", counts[1]) } else { ("operands", counts[0]) };
        // A function's edge stands for all of its calls.
        if n >= count && op.name != "sdy.func_data_flow_edge" {
            return Err(format!("an edge of propagation names number {n} of {count} {what}"));
        }
    }
    let distinct: BTreeSet<End> = targets.iter().copied().collect();
    match distinct.contains(&source) || distinct.len() != targets.len() {
        true => Err("an edge of propagation leads to where it comes from, or twice to one value".to_string()),
        false => Ok(()),
    }
}

fn ends(trees: &[Tree<'_>]) -> Vec<End> {
    let pairs = trees.windows(2);
    pairs
        .filter_map(|w| match w[0].leaf(Token::Word)? {
            word @ ("operand" | "result") => Some((word == "result", read::ints(&w[1..]).first()?.abs())),
            _ => None,
        })
        .collect()
}
