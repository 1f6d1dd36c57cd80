//! Manual regions as GSPMD writes them. `@SPMDFullToShardShape` makes one device's block of an operand, the ops that read blocks
//! are inside the region, and `@SPMDShardToFullShape` makes a global tensor of blocks.
//!
//! Such a region has neither beginning nor end. Ops are therefore sorted by the number of regions that come before them on the
//! way from the function's arguments. The ops of one region lie between its calls, and are imported as one.

use super::enclosed::{Body, Made, Manual};
use crate::import::sharding::gspmd;
use crate::import::state::Import;
use crate::lexer::Token;
use crate::module::TextOp;
use meshloom_ir::{Constraint, ValueId};
use std::collections::{BTreeMap, HashMap};

const ENTER: &str = "SPMDFullToShardShape";
const LEAVE: &str = "SPMDShardToFullShape";

fn calls(op: &TextOp<'_>, name: &str) -> bool {
    matches!(op.name, "stablehlo.custom_call" | "mhlo.custom_call") && op.target() == name
}

/// Whether a list of ops has regions of this kind.
pub fn any(ops: &[TextOp<'_>]) -> bool {
    ops.iter().any(|op| calls(op, ENTER))
}

/// Every value that an op reads, in its regions too.
fn reads<'m>(op: &TextOp<'m>) -> Vec<&'m str> {
    fn walk<'m>(trees: &'m [crate::tree::Tree<'m>], out: &mut Vec<&'m str>) {
        for t in trees {
            match t {
                crate::tree::Tree::Group(g) => walk(&g.trees, out),
                leaf => out.extend(leaf.leaf(Token::Value)),
            }
        }
    }
    let mut out = Vec::new();
    walk(op.items, &mut out);
    walk(op.rest, &mut out);
    out
}

/// A sequence of ops in which each region is in one piece: ops outside, then the region's, in turn.
pub enum ManualStep<'m> {
    Outside(TextOp<'m>),
    Region { enter: Vec<TextOp<'m>>, inside: Vec<TextOp<'m>>, leave: Vec<TextOp<'m>> },
}

/// What is known of an op while its function is sorted.
struct Known {
    /// The ops whose results it reads.
    reads: Vec<usize>,
    /// The region that it is of, by the first op of that: entering it, inside, or leaving it.
    region: Option<usize>,
    leaves: bool,
}

/// Sorts the ops of a function.
pub fn steps<'m>(ops: &[TextOp<'m>]) -> Vec<ManualStep<'m>> {
    let mut made: HashMap<&str, usize> = HashMap::new();
    let mut known: Vec<Known> = Vec::new();
    for (at, op) in ops.iter().enumerate() {
        let of = |name: &str| made.get(name).or_else(|| made.get(name.split('#').next()?)).copied();
        let reads: Vec<usize> = reads(op).into_iter().filter_map(of).collect();
        let (enters, leaves) = (calls(op, ENTER), calls(op, LEAVE));
        let inner = |&r: &usize| known[r].region.filter(|_| !known[r].leaves);
        let regions: Vec<usize> = reads.iter().filter_map(inner).filter(|_| !enters).collect();
        let region = regions.iter().copied().min().or(enters.then_some(at));
        // What reads of several is of one region with all of them.
        for k in known.iter_mut().filter(|k| k.region.is_some_and(|r| regions.contains(&r))) {
            k.region = region;
        }
        made.extend(op.results.iter().map(|r| (r.as_str(), at)));
        let ends = op.name.ends_with("return");
        known.push(Known { reads, region: region.filter(|_| !ends), leaves });
    }
    // How many regions come before an op, or before the region that it is of, on the way from the arguments.
    let count = known.iter().filter(|k| k.leaves).count();
    let mut before: BTreeMap<(bool, usize), usize> = BTreeMap::new();
    let key = |at: usize| known[at].region.map_or((false, at), |r| (true, r));
    for _ in 0..=count + 1 {
        let mut changed = false;
        for (at, k) in known.iter().enumerate() {
            let of = |&r: &usize| before.get(&key(r)).copied().unwrap_or(0) + usize::from(known[r].leaves);
            let most = k.reads.iter().filter(|_| !k.leaves).map(of).max().unwrap_or(0);
            let old = before.entry(key(at)).or_insert(0);
            changed |= most > *old;
            *old = most.max(*old);
        }
        if !changed {
            break;
        }
    }
    let last = before.values().copied().max().unwrap_or(0);
    let ends = |at: &usize| ops[*at].name.ends_with("return");
    let mut out = Vec::new();
    for level in 0..=last {
        let here: Vec<usize> = (0..ops.len()).filter(|at| before.get(&key(*at)) == Some(&level)).collect();
        let outside = here.iter().filter(|&at| known[*at].region.is_none() && !ends(at));
        out.extend(outside.map(|&at| ManualStep::Outside(ops[at].clone())));
        for &first in here.iter().filter(|&&at| known[at].region == Some(at)) {
            let of = |want: [bool; 2]| -> Vec<TextOp<'m>> {
                let all = here.iter().filter(|&&at| known[at].region == Some(first));
                let kind = |at: usize| [calls(&ops[at], ENTER), known[at].leaves];
                all.filter(|&&at| kind(at) == want).map(|&at| ops[at].clone()).collect()
            };
            out.push(ManualStep::Region {
                enter: of([true, false]),
                inside: of([false, false]),
                leave: of([false, true]),
            });
        }
    }
    // What a function returns comes at the end.
    out.extend((0..ops.len()).filter(ends).map(|at| ManualStep::Outside(ops[at].clone())));
    out
}

impl<'m> Import<'m> {
    /// Imports a region, and names what the calls that leave it give.
    pub fn region_of_calls(
        &mut self,
        ops: &[TextOp<'m>],
        enter: &[TextOp<'m>],
        inside: &[TextOp<'m>],
        leave: &[TextOp<'m>],
    ) {
        let Some(first) = enter.first().or(leave.first()) else { return };
        self.b.span = first.span;
        match self.between_calls(ops, enter, inside, leave) {
            Ok(made) => {
                let names = leave.iter().flat_map(|op| op.names_of_parts()).collect::<Vec<_>>();
                self.define(&names, made);
            }
            Err(e) => {
                self.refuse(first.span, e);
                leave.iter().for_each(|op| self.stand_in(op));
            }
        }
    }

    fn between_calls(
        &mut self,
        ops: &[TextOp<'m>],
        enter: &[TextOp<'m>],
        inside: &[TextOp<'m>],
        leave: &[TextOp<'m>],
    ) -> Made {
        let sharding = |op: &TextOp<'m>| op.attr("mhlo.sharding").and_then(|t| t.first()?.leaf(Token::Str));
        let devices = &self.meshes.devices;
        let Some(first) = enter.first() else {
            return Err(format!("`@{LEAVE}` without `@{ENTER}` before it"));
        };
        let axes = gspmd::manual(devices, sharding(first).unwrap_or("{manual}"))?;
        // How a tensor lies is said of what makes it.
        let lies = |i: &Import<'m>, text: Option<&str>, rank: usize, open: &[usize]| -> Result<Constraint, String> {
            let c = gspmd::constraint(&i.meshes.devices, text.unwrap_or("{replicated}"), rank, open)?;
            Ok(c.unwrap_or_else(|| Constraint::absent(rank)))
        };
        let (mut inputs, mut names, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for op in enter {
            let maker = op.operands().first().and_then(|n| ops.iter().find(|o| o.results.iter().any(|r| r == n)));
            let maker = maker.filter(|o| calls(o, "Sharding"));
            let open = maker.map(gspmd::unspecified).unwrap_or_default();
            let ty = op.result_types()?.pop().ok_or("the type of the result is missing")?;
            for x in self.operands(op)? {
                inputs.push((x, lies(self, maker.and_then(sharding), self.b.ty(x).rank(), &open)?));
                types.push(ty.clone());
            }
            names.extend(op.names_of_parts());
        }
        let mut outputs = Vec::new();
        let mut given = Vec::new();
        for op in leave {
            let ty = op.result_types()?.pop().ok_or("the type of the result is missing")?;
            for _ in op.names_of_parts() {
                outputs.push(lies(self, sharding(op), ty.rank(), &gspmd::unspecified(op))?);
            }
            given.extend(op.operands());
        }
        self.enclosed(Manual { axes, inputs, names, types, body: Body::Gives(inside, given), outputs })
    }

    /// Ops of a region, and the values of names behind them.
    pub(super) fn given(&mut self, names: &[String], args: &[ValueId], ops: &[TextOp<'m>], out: &[&str]) -> Made {
        self.in_scope(names, args, |i| {
            if let Some(early) = i.steps(ops)? {
                drop(early);
                return Err("a region that returns".to_string());
            }
            i.values(out)
        })
    }
}
