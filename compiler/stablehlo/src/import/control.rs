//! Loops, branches and composites.
//!
//! A loop that counts becomes a `repeat` ([`super::counted`]), any other loop a `while` ([`super::general`]). Of `case` and `if`,
//! all branches are computed and one is selected: ops have no effects, and the branches that JAX prints are usually small. If a
//! branch holds a loop, only the branch that is chosen runs, since a loop that is not meant to run may not end.

use super::scope::of_parts;
use super::state::LoopBody;
use super::state::{Import, ImportRule};
use super::written::TextRegion;
use super::{counted, general};
use crate::lexer::Token;
use crate::module::TextOp;
use crate::read;
use crate::tree::Tree;
use meshloom_ir::table::composite::named;
use meshloom_ir::{Op as Ir, ValueId};
use std::collections::BTreeMap;

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[
    ("stablehlo.while", while_loop),
    ("stablehlo.case", case),
    ("stablehlo.if", if_else),
    ("stablehlo.composite", composite),
    ("stablehlo.get_tuple_element", part),
];

/// `while(%a = %x, ..) : types cond {..} do {..}`, or `"while"(%x, ..) ({..}, {..}) : types`.
fn while_loop<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let list = op.items.iter().find_map(|t| t.group(b'(')).ok_or("what the loop starts with is missing")?;
    let named = list.iter().any(|t| t.leaf(Token::Equals).is_some());
    let parts = || list.split(|t| t.leaf(Token::Comma).is_some()).filter(|p| !p.is_empty());
    let names: Vec<&str> = parts().filter_map(|p| p.first()?.leaf(Token::Value)).collect();
    let starts: Vec<&str> = parts().filter_map(|p| p.last()?.leaf(Token::Value)).collect();
    let after = |word: &str| {
        let at = op.rest.iter().position(|t| t.is_word(word))?;
        op.rest.get(at + 1)?.group(b'{')
    };
    let (cond, body) = match named {
        true => (after("cond"), after("do")),
        false => {
            let regions = op.regions();
            (regions.first().copied(), regions.get(1).copied())
        }
    };
    let cond = TextRegion::read(cond.ok_or("the condition of the loop is missing")?)?;
    let body = TextRegion::read(body.ok_or("the body of the loop is missing")?)?;
    let complex: Vec<bool> = starts.iter().map(|n| i.is_complex(n)).collect();
    let starts = i.values(&starts)?;
    let names_of = |r: &TextRegion<'m>| {
        let names = if named { &names } else { &r.args };
        of_parts(names.iter().copied(), complex.iter().copied())
    };
    let asked = i.body(&names_of(&cond), &starts, &cond.ops)?;
    let done = i.body(&names_of(&body), &starts, &body.ops)?;
    let fits = done.yields.len() == starts.len()
        && done.yields.iter().zip(&starts).all(|(&y, &s)| done.func.ty(y) == i.b.ty(s));
    if !fits {
        return Err("an iteration of the loop gives values of other types than it takes".to_string());
    }
    counted::emit(i, &starts, &asked, done)
}

/// The last branch where the index is none of a branch.
fn case<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [index] = i.exactly(op)?;
    let bodies = bodies(i, op)?;
    let last = bodies.len() - 1;
    let mut here: Vec<ValueId> = Vec::new();
    for n in 0..last {
        let n = i.b.constant_like(index, n as f64);
        here.push(i.elem("compare_eq", &[index, n])?);
    }
    chosen(i, &here, &bodies)
}

fn if_else<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [condition] = i.exactly(op)?;
    let bodies = bodies(i, op)?;
    if bodies.len() != 2 {
        return Err("an `if` has two branches".to_string());
    }
    chosen(i, &[condition], &bodies)
}

/// The branches, at least one, with results alike.
fn bodies<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Result<Vec<LoopBody>, String> {
    let mut out: Vec<LoopBody> = Vec::new();
    for trees in op.regions() {
        let region = TextRegion::read(trees)?;
        let made = i.body(&of_parts(region.args, []), &[], &region.ops)?;
        let types = |b: &LoopBody| b.yields.iter().map(|&y| b.func.ty(y).clone()).collect::<Vec<_>>();
        if out.first().is_some_and(|f| types(f) != types(&made)) {
            return Err("branches with results of different types".to_string());
        }
        out.push(made);
    }
    if out.is_empty() { Err("the branches are missing".to_string()) } else { Ok(out) }
}

/// The results of the branch whose truth value holds, else of the last.
fn chosen(i: &mut Import<'_>, here: &[ValueId], bodies: &[LoopBody]) -> Made {
    let loops = |b: &LoopBody| b.func.ops.iter().any(|o| matches!(o.op, Ir::Repeat { .. }));
    if bodies.len() > 1 && bodies.iter().any(loops) {
        return taken(i, here, bodies);
    }
    let mut all = Vec::new();
    for b in bodies {
        all.push(general::inline(i, b, &[], |v| v)?);
    }
    let mut out = all.pop().ok_or("the branches are missing")?;
    for (&here, branch) in here.iter().zip(all).rev() {
        out = select(i, here, branch, out)?;
    }
    Ok(out)
}

/// Runs the branch that is chosen, and no other.
fn taken(i: &mut Import<'_>, here: &[ValueId], bodies: &[LoopBody]) -> Made {
    let (last, others) = bodies.split_last().ok_or("the branches are missing")?;
    let types: Vec<_> = last.yields.iter().map(|&y| last.func.ty(y).clone()).collect();
    let mut out: Vec<ValueId> = types.iter().map(|t| i.b.constant(t.dtype, &t.shape, 0.0)).collect();
    let mut none: Option<ValueId> = None;
    for (&here, branch) in here.iter().zip(others) {
        out = general::branch(i, here, branch, &out)?;
        let not = i.elem("not", &[here])?;
        none = Some(match none {
            Some(before) => i.elem("and", &[before, not])?,
            None => not,
        });
    }
    general::branch(i, none.ok_or("the branches are missing")?, last, &out)
}

fn select(i: &mut Import<'_>, here: ValueId, yes: Vec<ValueId>, no: Vec<ValueId>) -> Made {
    let one = |(y, n): (ValueId, ValueId)| {
        if y == n {
            return Ok(y);
        }
        let shape = i.b.shape(y);
        let mask = i.broadcast(here, &shape, &[])?;
        i.select(mask, y, n)
    };
    yes.into_iter().zip(no).map(one).collect()
}

/// `get_tuple_element %t[1]`
fn part<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let names = op.operands();
    let [tuple] = names[..] else { return Err("the tuple is missing".to_string()) };
    let written = op.items.iter().find_map(|t| t.group(b'[')).map(read::ints).and_then(|n| n.first().copied());
    let n = written.or_else(|| op.int("index")).and_then(|n| usize::try_from(n).ok());
    i.entry_of(tuple, n.ok_or("which part is missing")?)
}

/// `composite "name" %x, .. {decomposition = @f, ..}`: the name, and `f` as its body.
fn composite<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let symbol = |t: &'m [Tree<'m>]| t.first()?.leaf(Token::Symbol);
    let body = op.attr("decomposition").and_then(symbol).ok_or("the decomposition of the composite is missing")?;
    let name = op.items.first().and_then(|t| t.leaf(Token::Str));
    let name = name.or_else(|| op.attr("name")?.first()?.leaf(Token::Str)).unwrap_or("composite").trim_matches('"');
    let operands = i.operands(op)?;
    match name {
        // What a loss says of its gradient: it is Loom's to take.
        "meshloom.stop_gradient" => return Ok(vec![i.b.elem("stop_gradient", &operands)]),
        "meshloom.attention" => return i.library("attention(x0, x1, x2)", &operands),
        "meshloom.attention.causal" => return i.library("attention(x0, x1, x2, causal: true)", &operands),
        _ => {}
    }
    let types: Vec<_> = operands.iter().map(|&v| i.b.ty(v).clone()).collect();
    let region = i.b.open();
    let args: Vec<ValueId> = types.into_iter().map(|ty| i.b.arg(region, ty)).collect();
    let yields = i.inlined(body, &args);
    i.b.close(yields.clone().unwrap_or_default());
    yields?;
    // The names of the library are a promise of what is computed.
    let name = if named(name).is_some() { format!("stablehlo.{name}") } else { name.to_string() };
    i.b.composite(&name, BTreeMap::new(), &operands, region)
}
