//! Regions on scalars (bodies of reductions, of scatters and of `map`, comparators of sorts), applied to whole tensors.
//!
//! Such a region is pure and looks at its arguments alone, so that what it does to each element is done to all at once: its ops are
//! imported like any others, with tensors where the text has scalars.

use super::scope::of_parts;
use super::state::{Import, ImportRule};
use super::written::parameters;
use crate::lexer::Token;
use crate::module::{self, TextOp};
use crate::tree::Tree;
use crate::types;
use meshloom_ir::ValueId;
use std::collections::BTreeMap;

pub const RULES: &[(&str, ImportRule)] = &[("stablehlo.map", map)];

/// A region with the names of its arguments.
pub struct NamedRegion<'m> {
    pub names: Vec<String>,
    /// Which arguments are complex.
    pub complex: Vec<bool>,
    pub ops: Vec<TextOp<'m>>,
}

impl<'m> NamedRegion<'m> {
    /// The `n`th region of an op; names stand in its label, or in brackets before it.
    ///
    /// # Errors
    /// It is missing, or is no list of ops.
    pub fn of(op: &TextOp<'m>, n: usize) -> Result<NamedRegion<'m>, String> {
        let trees = *op.regions().get(n).ok_or("the body is missing")?;
        let (labels, body): (Vec<&'m [Tree<'m>]>, &'m [Tree<'m>]) = match trees {
            // `^bb0(%a: .., %b: ..):`
            [label, args, colon, rest @ ..]
                if label.leaf(Token::Block).is_some() && colon.leaf(Token::Colon).is_some() =>
            {
                (args.group(b'(').into_iter().collect(), rest)
            }
            // `reducer(%a: .., %b: ..) (%c: .., %d: ..) {`: both sides of each operand in turn.
            all => (op.rest.iter().filter_map(|t| t.group(b'(')).collect(), all),
        };
        let names = |trees: &'m [Tree<'m>]| {
            parameters(trees).into_iter().map(|p| (p.name.to_string(), types::is_complex(p.ty)))
        };
        let (names, complex) = if labels.len() > 1 {
            let sides: Vec<Vec<(String, bool)>> = labels.into_iter().map(|l| names(l).collect()).collect();
            (0..2).flat_map(|k| sides.iter().filter_map(move |s| s.get(k).cloned())).unzip()
        } else {
            labels.into_iter().flat_map(names).unzip()
        };
        Ok(NamedRegion { names, complex, ops: module::ops(body).map_err(|d| d.message)? })
    }

    /// Without shardings of scalars, which say nothing.
    pub fn plain(&self) -> Vec<(&TextOp<'m>, Vec<&'m str>)> {
        let mut same: BTreeMap<&str, &'m str> = BTreeMap::new();
        let mut out = Vec::new();
        for op in &self.ops {
            let operands = op.operands().into_iter().map(|n| same.get(n).copied().unwrap_or(n)).collect::<Vec<_>>();
            let pins =
                op.name == "sdy.sharding_constraint" || op.name == "stablehlo.custom_call" && op.target() == "Sharding";
            match (&op.results[..], &operands[..]) {
                ([result], [operand]) if pins => drop(same.insert(result, operand)),
                _ => out.push((op, operands)),
            }
        }
        out
    }

    /// The op that is all of the body, where it takes the arguments in their order.
    pub fn one_op(&self) -> Option<&TextOp<'m>> {
        match &self.plain()[..] {
            [(one, operands), (end, out)] if end.name.ends_with("return") && one.results.iter().eq(out.iter()) => {
                let mut operands: Vec<&str> = operands.clone();
                let mut names: Vec<&str> = self.names.iter().map(String::as_str).collect();
                operands.sort_unstable();
                names.sort_unstable();
                (operands == names).then_some(one)
            }
            _ => None,
        }
    }

    /// The body with its values numbered instead of named: equal for regions that differ in names alone.
    pub fn numbered(&self) -> String {
        let mut known: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let mut out = String::new();
        for (op, operands) in self.plain() {
            let place = |n: &&str| known.iter().position(|k| k == n).map_or("?".to_string(), |p| p.to_string());
            let operands: Vec<String> = operands.iter().map(place).collect();
            let direction = super::elementwise::direction(op).unwrap_or_default();
            let name = op.name.rsplit('.').next().unwrap_or(op.name);
            let parts = [name.to_string(), direction.to_string(), operands.join(" ")];
            out += &parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(" ");
            out += "; ";
            known.extend(op.results.iter().map(String::as_str));
        }
        out
    }
}

/// Applies its region to each place of its operands.
fn map<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Result<Vec<ValueId>, String> {
    let xs = i.operands(op)?;
    let region = NamedRegion::of(op, 0)?;
    i.apply(&region, &xs)
}

impl<'m> Import<'m> {
    /// What a region returns of tensors of one shape.
    ///
    /// # Errors
    /// The arguments do not fit.
    pub fn apply(&mut self, region: &NamedRegion<'m>, args: &[ValueId]) -> Result<Vec<ValueId>, String> {
        let Some(&first) = args.first() else { return Err("the body takes no arguments".to_string()) };
        let (span, shape) = (self.b.span, self.b.shape(first));
        let before = self.lift.replace(shape);
        let names = of_parts(region.names.iter().map(String::as_str), region.complex.iter().copied());
        let out = self.region(&names, args, &region.ops);
        self.lift = before;
        self.b.span = span;
        out
    }

    /// The body of the function that a region calls, where that is all it does.
    pub fn called(&self, region: NamedRegion<'m>) -> NamedRegion<'m> {
        let callee = match &region.ops[..] {
            [one, end]
                if matches!(one.name, "call" | "func.call")
                    && one.operands().iter().eq(region.names.iter())
                    && one.results.iter().eq(end.operands().iter()) =>
            {
                one.items.iter().find_map(|t| t.leaf(Token::Symbol)).map(module::symbol)
            }
            _ => None,
        };
        match self.module.functions.iter().find(|f| Some(f.name) == callee) {
            Some(f) => {
                let all = parameters(f.params).into_iter();
                let (names, complex) = all.map(|p| (p.name.to_string(), types::is_complex(p.ty))).unzip();
                NamedRegion { names, complex, ops: f.body.clone() }
            }
            None => region,
        }
    }

    /// Inside of a region that is applied to tensors: scalars that an op takes or makes are spread over their shape.
    pub(super) fn lifted(&mut self, made: Vec<ValueId>) -> Result<Vec<ValueId>, String> {
        let Some(shape) = self.lift.clone() else { return Ok(made) };
        made.into_iter()
            .map(|v| match self.b.shape(v) {
                s if s == shape => Ok(v),
                s if s.is_empty() => self.broadcast(v, &shape, &[]),
                _ => Err("the body works on more than scalars".to_string()),
            })
            .collect()
    }
}
