//! Reading what one function adds to another ([`crate::print::added`]). The given function keeps its ids; what is added gets
//! the next ones.

use super::{ParseResult, Parser};
use crate::graph::{Func, OpId, Region, RegionId, ValueId};
use crate::print;
use crate::scan::Cursor;
use std::collections::BTreeMap;

/// `given` with the ops of `text` at the ends of its regions. Whether the whole is well-typed is for [`crate::verify`] to say.
///
/// # Errors
/// The first place where the text is no such thing.
pub fn extend(given: &Func, text: &str) -> ParseResult<Func> {
    // Regions of the given function are there to take ops, its values to be named; all else starts from nothing.
    let mut shell = Func::new("", given.mesh.clone());
    shell.regions = vec![Region::default(); given.regions.len()];
    let numbers = print::numbers(given);
    let known: BTreeMap<u32, ValueId> =
        numbers.iter().zip(0..).filter_map(|(n, i)| n.map(|n| (n, ValueId(i)))).collect();
    let taken = known.keys().map(|&n| (n, usize::MAX)).collect();
    let mut p = Parser { c: Cursor::new(text), func: shell, numbers: taken, uses: Vec::new() };
    while p.c.eat_word("in") {
        let r = place(&mut p, given, &known)?;
        p.c.expect("{")?;
        while !p.c.eat("}") {
            p.op(r, 0)?;
        }
    }
    if !p.c.at_end() {
        return p.c.expected("`in` and a region");
    }
    merge(p, given, known)
}

/// `program`, or a value whose op has the region as its body.
fn place(p: &mut Parser<'_>, given: &Func, known: &BTreeMap<u32, ValueId>) -> ParseResult<RegionId> {
    if p.c.eat_word("program") {
        return Ok(Func::BODY);
    }
    let at = p.c.pos();
    let n = p.number()?;
    let op = known.get(&n).and_then(|&v| given.def_op(v)).map(|o| given.op(o));
    match op.and_then(|o| o.regions.first()) {
        Some(&r) => Ok(r),
        None => p.c.error_at(at, format!("`%{n}` has no body")),
    }
}

fn merge(p: Parser<'_>, given: &Func, known: BTreeMap<u32, ValueId>) -> ParseResult<Func> {
    let first = given.values.len() as u32;
    let new = p.numbers.iter().filter(|n| !known.contains_key(n.0));
    let places: Vec<usize> = new.clone().map(|n| *n.1).collect();
    let mut id: BTreeMap<u32, ValueId> = new.map(|n| *n.0).zip((first..).map(ValueId)).collect();
    id.extend(known);
    if let Some(&(n, pos)) = p.uses.iter().find(|u| !id.contains_key(&u.0)) {
        return p.c.error_at(pos, format!("`%{n}` is defined nowhere"));
    }
    let value = |v: &mut ValueId| *v = id[&v.0];
    let op = |o: &mut OpId| o.0 += given.ops.len() as u32;
    let mut out = given.clone();
    let mut added = p.func;
    for place in places {
        let mut v = added.values[place].clone();
        if let crate::graph::Def::Op(o, _) = &mut v.def {
            op(o);
        }
        out.values.push(v);
    }
    for data in &mut added.ops {
        data.operands.iter_mut().chain(&mut data.results).for_each(value);
    }
    out.ops.append(&mut added.ops);
    for (r, mut region) in added.regions.into_iter().enumerate() {
        region.ops.iter_mut().for_each(op);
        match out.regions.get_mut(r) {
            Some(old) if r < given.regions.len() => old.ops.append(&mut region.ops),
            _ => {
                region.args.iter_mut().chain(&mut region.yields).for_each(value);
                region.owner.iter_mut().for_each(op);
                out.regions.push(region);
            }
        }
    }
    Ok(out)
}
