//! Loops, branches and composites.
//!
//! A loop that counts becomes a `repeat` ([`super::counted`]). Of `case` and `if` all branches are computed and one is selected:
//! ops have no effects, branches that JAX prints are small as a rule, and what is selected may be split over devices, where
//! a branch that only some devices take could not hold a collective.

use super::counted;
use super::scope::Region;
use super::{Import, Rule};
use crate::lexer::Token;
use crate::module::Op;
use crate::tree::Tree;
use meshloom_ir::ValueId;
use std::collections::BTreeMap;

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, Rule)] = &[
    ("stablehlo.while", while_loop),
    ("stablehlo.case", case),
    ("stablehlo.if", if_else),
    ("stablehlo.composite", composite),
];

/// `while(%a = %x, ..) : types cond {..} do {..}`, or `"while"(%x, ..) ({..}, {..}) : types`.
fn while_loop<'m>(i: &mut Import<'m>, op: &Op<'m>) -> Made {
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
    let cond = Region::read(cond.ok_or("the condition of the loop is missing")?)?;
    let body = Region::read(body.ok_or("the body of the loop is missing")?)?;
    let starts: Vec<ValueId> = starts
        .into_iter()
        .map(|n| i.value(n).ok_or_else(|| format!("`{n}` is not defined before this")))
        .collect::<Result<_, _>>()?;
    let names_of = |r: &Region<'m>| if named { names.clone() } else { r.args.clone() };
    let asked = i.body(&names_of(&cond), &starts, &cond.ops)?;
    let done = i.body(&names_of(&body), &starts, &body.ops)?;
    let fits = done.yields.len() == starts.len()
        && done.yields.iter().zip(&starts).all(|(&y, &s)| done.func.ty(y) == i.b.ty(s));
    if !fits {
        return Err("a round of the loop gives values of other types than it takes".to_string());
    }
    counted::emit(i, &starts, &asked, done)
}

/// All branches, and of their results those of the branch that is chosen; the last where the index is none of a branch.
fn case<'m>(i: &mut Import<'m>, op: &Op<'m>) -> Made {
    let [index] = i.exactly(op)?;
    let mut branches = branches(i, op)?;
    let mut chosen = branches.pop().ok_or("the branches are missing")?;
    for (n, branch) in branches.into_iter().enumerate().rev() {
        let n = i.b.constant_like(index, n as f64);
        let here = i.elem("compare_eq", &[index, n])?;
        chosen = select(i, here, branch, chosen)?;
    }
    Ok(chosen)
}

fn if_else<'m>(i: &mut Import<'m>, op: &Op<'m>) -> Made {
    let [condition] = i.exactly(op)?;
    let branches: [_; 2] = branches(i, op)?.try_into().map_err(|_| "an `if` has two branches")?;
    let [yes, no] = branches;
    select(i, condition, yes, no)
}

fn branches<'m>(i: &mut Import<'m>, op: &Op<'m>) -> Result<Vec<Vec<ValueId>>, String> {
    let mut out: Vec<Vec<ValueId>> = Vec::new();
    for trees in op.regions() {
        let region = Region::read(trees)?;
        let made = i.region(&[], &[], &region.ops)?;
        if out.first().is_some_and(|f| f.len() != made.len()) {
            return Err("branches with different numbers of results".to_string());
        }
        out.push(made);
    }
    i.b.span = op.span;
    Ok(out)
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

/// `composite "name" %x, .. {decomposition = @f, ..}`: the name, and `f` as its body.
fn composite<'m>(i: &mut Import<'m>, op: &Op<'m>) -> Made {
    let symbol = |t: &'m [Tree<'m>]| t.first()?.leaf(Token::Symbol);
    let body = op.attr("decomposition").and_then(symbol).ok_or("the decomposition of the composite is missing")?;
    let name = op.items.first().and_then(|t| t.leaf(Token::Str));
    let name = name.or_else(|| op.attr("name")?.first()?.leaf(Token::Str)).unwrap_or("composite").trim_matches('"');
    let operands = i.operands(op)?;
    let types: Vec<_> = operands.iter().map(|&v| i.b.ty(v).clone()).collect();
    let region = i.b.open();
    let args: Vec<ValueId> = types.into_iter().map(|ty| i.b.arg(region, ty)).collect();
    let yields = i.inlined(body, &args, op.span);
    i.b.close(yields.clone().unwrap_or_default());
    yields?;
    i.b.composite(name, BTreeMap::new(), &operands, region)
}
