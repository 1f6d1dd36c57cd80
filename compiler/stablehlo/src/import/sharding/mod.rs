//! Meshes and shardings, of sdy and of GSPMD, as annotations of the IR.
//!
//! `#sdy.sharding<@mesh, [{"data"}, {"model", ?}, {}]>` ([`sdy`]) pins dims as layouts do; a `?` leaves a dim open behind the
//! axes that stand there. `{devices=[2,1,4]<=[8] last_tile_dim_replicate}` ([`gspmd`]) says the same of numbered devices. Both
//! are over the one mesh that [`devices`] makes of all that a module names. Ops of sdy that move data (`sdy.all_gather` ..) are
//! read as a change of layout: the plan finds the collectives.
//!
//! Three things are read and not followed: priorities, by which Shardy decides between conflicting shardings (plans decide by
//! cost); groups of values that are to be split alike, if none of them has a sharding before the others; and barriers to
//! propagation.

pub mod asked;
pub mod devices;
pub mod edges;
pub mod gspmd;
mod meshes;
pub mod named;
mod rule;
mod sdy;
mod wellformed;

use super::scope::imaginary;
use super::state::{Import, ImportRule};
use crate::lexer::Token;
use crate::module::TextOp;
use crate::read;
use crate::tree::Tree;
pub use meshes::Meshes;
use meshloom_ir::{Axis, Constraint, DimSpec, Op as Ir, Port, Reduction, Span, ValueId};
use meshloom_source::Diagnostic;
pub use sdy::{axes_of, border, list};
use wellformed::Unreduced;

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[
    ("sdy.sharding_constraint", constrain),
    ("sdy.reshard", constrain),
    ("sdy.all_gather", lies),
    ("sdy.all_slice", lies),
    ("sdy.all_to_all", lies),
    ("sdy.all_reduce", lies),
    ("sdy.collective_permute", lies),
    ("sdy.reduce_scatter", lies),
    ("sdy.replicated_to_unreduced", lies),
    ("sdy.sharded_to_unreduced", lies),
    ("sdy.propagation_barrier", barrier),
    ("sdy.data_flow_edge", edges::edge),
    ("sdy.func_data_flow_edge", edges::edge),
    ("sdy.sharding_group", group),
    ("stablehlo.custom_call", custom_call),
];

impl Import<'_> {
    /// Takes over what attributes say of a function's parameter or result.
    pub fn constraint(&mut self, attrs: &[Tree<'_>], into: &mut Constraint, span: Span) {
        match self.said(attrs, into.dims.len()) {
            Ok(Some(c)) => *into = c,
            Ok(None) => {}
            Err(e) => self.refuse(span, e),
        }
        let sdy = read::setting(attrs, "sdy.sharding").and_then(|t| t.iter().find_map(|t| t.group(b'<')));
        let old = read::setting(attrs, "mhlo.sharding").and_then(|t| t.first()?.leaf(Token::Str));
        if sdy.is_some_and(|t| self.maximal(t)) || old.is_some_and(gspmd::is_maximal) {
            self.copied(span);
        }
    }

    /// Leaves out over which axes a parameter or a result is partial: who is outside of the program has whole tensors. JAX means
    /// the same by such an array, which is the sum of what its devices hold.
    pub fn whole(&mut self, port: &mut Port, what: &str) {
        let partial = std::mem::take(&mut port.constraint.partial);
        let Some(kind) = partial.values().next() else { return };
        let over: Vec<&str> = partial.keys().map(|&a| self.mesh().name(a)).collect();
        let message = format!("{what} `{}` is unreduced over {}, and is taken as whole", port.name, over.join(", "));
        let said = match what {
            "result" => format!("it leaves the program as the `{}` of what the devices have", kind.name()),
            _ => "it is given to the program as one whole tensor".to_string(),
        };
        let d = Diagnostic::warning("mlir-unsupported", message).at(port.span, said);
        self.diagnostics.push(d.help("leave `unreduced` away there; values inside of the program may have it"));
    }

    /// Whether a sharding of sdy puts all of a tensor on one device.
    fn maximal(&self, trees: &[Tree<'_>]) -> bool {
        self.meshes.is_maximal(&self.meshes.name(trees))
    }

    /// Says, at the first place of a program, that what is to lie on one device is replicated on all: every device runs the same program.
    fn copied(&mut self, span: Span) {
        const WHAT: &str = "a tensor that is to lie on one device is replicated on all";
        if self.diagnostics.iter().all(|d| d.message != WHAT) {
            let d = Diagnostic::warning("mlir-unsupported", WHAT).at(span, "laid out on one device");
            self.diagnostics.push(d.help("leave the sharding away, or name the dims that axes split"));
        }
    }

    /// The sharding among attributes.
    fn said(&mut self, attrs: &[Tree<'_>], rank: usize) -> Result<Option<Constraint>, String> {
        if let Some(t) = read::setting(attrs, "sdy.sharding") {
            let inner = t.iter().find_map(|t| t.group(b'<')).unwrap_or_default();
            return sdy::constraint(self.meshes, inner, rank);
        }
        let Some(text) = read::setting(attrs, "mhlo.sharding").and_then(|t| t.first()?.leaf(Token::Str)) else {
            return Ok(None);
        };
        gspmd::constraint(&self.meshes.devices, text, rank, &[])
    }

    /// Pins results of an op by the attribute that says how they lie.
    ///
    /// # Errors
    /// A sharding that is not supported.
    pub fn as_sharded(&mut self, op: &TextOp<'_>, made: Vec<ValueId>) -> Made {
        // On which device it runs is said of a call of Python, which has no results to be laid out.
        if super::callback::is_call(op) {
            return Ok(made);
        }
        if let Some(t) = op.attr("sdy.sharding_rule") {
            let operands = self.operands(op)?;
            let ranks = |of: &[ValueId]| of.iter().map(|&v| self.b.ty(v).rank()).collect::<Vec<_>>();
            let results = op.result_types()?;
            // Both parts of a complex number are one operand.
            if !op.is_complex() {
                rule::check(t, &ranks(&operands), &results.iter().map(|ty| ty.rank()).collect::<Vec<_>>())?;
            }
        }
        let given = op.operands().into_iter().filter_map(|n| self.value(n)).collect::<Vec<_>>();
        edges::propagated(op, op.attr("sdy.sharding").is_some() || given.iter().any(|&v| self.known(v).is_some()))?;
        // The layouts of a manual region are of what goes in and what comes out.
        if let Some(t) = op.attr("sdy.sharding") {
            if t.first().and_then(|t| t.leaf(Token::Hash)) == Some("#sdy.sharding") {
                return Err("shardings of results stand in `#sdy.sharding_per_value<[..]>`".to_string());
            }
            let each = for_parts(sdy::list(t), &op.complex_results());
            if each.len() != made.len() {
                return Err(format!("{} shardings for {} results", each.len(), made.len()));
            }
            if each.iter().any(|t| self.maximal(t)) {
                self.copied(self.b.span);
            }
            let pairs = made.into_iter().zip(each);
            return pairs
                .map(|(v, t)| {
                    let c = sdy::constraint(self.meshes, t, self.b.ty(v).rank())?;
                    self.inside(c.as_ref())?;
                    self.pinned(v, c)
                })
                .collect();
        }
        let calls = op.name == "stablehlo.custom_call";
        let Some(text) = op.attr("mhlo.sharding").filter(|_| !calls).and_then(|t| t.first()?.leaf(Token::Str)) else {
            return Ok(made);
        };
        let each = for_parts(gspmd::tuple(text), &op.complex_results());
        if each.len() != made.len() {
            return Ok(made);
        }
        if each.iter().any(|t| gspmd::is_maximal(t)) {
            self.copied(self.b.span);
        }
        let pairs = made.into_iter().zip(each);
        pairs
            .map(|(v, t)| {
                let c = gspmd::constraint(&self.meshes.devices, t, self.b.ty(v).rank(), &[])?;
                self.pinned(v, c)
            })
            .collect()
    }

    /// A layout in a manual region is over axes that are not manual: the others are dims of their own there.
    ///
    /// # Errors
    /// It names a manual axis.
    fn inside(&self, c: Option<&Constraint>) -> Result<(), String> {
        let Some(c) = c else { return Ok(()) };
        let named = split(c).into_iter().flatten().chain(c.replicated.iter().copied()).chain(c.partial.keys().copied());
        match named.into_iter().find(|a: &Axis| self.manual.contains(a)) {
            Some(a) => Err(format!(
                "axis `{}` is manual here, and no layout inside of the region names it",
                self.mesh().name(a)
            )),
            None => Ok(()),
        }
    }

    fn pinned(&mut self, v: ValueId, c: Option<Constraint>) -> Result<ValueId, String> {
        match c {
            Some(c) => self.emit(Ir::Constrain(c), &[v]),
            None => Ok(v),
        }
    }
}

/// What is said of each value, twice where its two parts are values of their own.
fn for_parts<T: Clone>(each: Vec<T>, complex: &[bool]) -> Vec<T> {
    let twice = complex.iter().copied().chain(std::iter::repeat(false));
    each.into_iter().zip(twice).flat_map(|(t, twice)| vec![t; 1 + usize::from(twice)]).collect()
}

fn by_trees(i: &mut Import<'_>, op: &TextOp<'_>, trees: Option<&[Tree<'_>]>) -> Made {
    let [x] = i.exactly(op)?;
    // Inside of a region on scalars, which is done for whole tensors, nothing is pinned.
    if i.lift.is_some() {
        return Ok(vec![x]);
    }
    let inner = trees.ok_or("the sharding is missing")?;
    if i.maximal(inner) {
        i.copied(i.b.span);
    }
    let c = sdy::constraint(i.meshes, inner, i.b.ty(x).rank())?;
    let moves = !matches!(op.name, "sdy.sharding_constraint" | "sdy.reshard");
    let known = i.known(x);
    // Of values in regions, and of parts of complex ones, it is not known here; and sums need it not.
    let moved_from = moves && op.name != "sdy.all_reduce";
    if moved_from && known.is_none() && i.level() == 0 && i.manual.is_empty() && !op.is_complex() {
        return Err(format!(
            "`{}` of a value that has no sharding\nlay it out by `sdy.sharding_constraint` first",
            op.name
        ));
    }
    if let (Some(c), Some(from)) = (&c, &known) {
        let by = op.word(0).and_then(|w| Reduction::ALL.into_iter().find(|r| r.name() == w));
        let by = (moves && op.name != "sdy.collective_permute").then(|| by.unwrap_or(Reduction::Sum));
        wellformed::kinds(&from.partial, &c.partial, by)?;
    }
    if let (Some(c), Some(from)) = (&c, known)
        && moves
    {
        let moved = moved(i, op, &i.meshes.name(inner))?;
        let pending = [&from, c].map(|c| c.partial.keys().copied().collect::<Vec<Axis>>());
        let dims = [&from, c].map(split);
        let none = pending.iter().all(Vec::is_empty);
        if op.name.ends_with("_to_unreduced") || op.name == "sdy.all_reduce" && !none {
            let [from, to] = [0, 1].map(|k| Unreduced { dims: &dims[k], over: &pending[k] });
            wellformed::unreduced(op.name, &moved, from, to, i.mesh())?;
        } else if none {
            wellformed::collective(op.name, &moved, &dims[0], &dims[1], i.mesh())?;
        }
    }
    i.inside(c.as_ref())?;
    Ok(vec![i.pinned(x, c)?])
}

/// By dim, the axes that are said to split it.
fn split(c: &Constraint) -> wellformed::Dims {
    let axes = |d: &DimSpec| match d {
        DimSpec::Exactly(axes) | DimSpec::AtLeast(axes) => axes.clone(),
    };
    c.dims.iter().map(axes).collect()
}

/// The axes that stand in a collective's own brackets: `[{"a"}, {}]`, `{"a"}`, `[{"a"}: 0->1]`.
fn moved(i: &Import<'_>, op: &TextOp<'_>, mesh: &str) -> Result<wellformed::Moved, String> {
    let written = i.meshes.written(mesh);
    let axes = |t: &[Tree<'_>]| {
        wellformed::list(written, t, false)?;
        sdy::axes_of(i.meshes, mesh, t)
    };
    for t in op.items {
        if let Some(all) = t.group(b'{') {
            wellformed::list(written, all, true)?;
            return Ok(wellformed::Moved::All(axes(all)?));
        }
        let Some(list) = t.group(b'[') else { continue };
        let parts = || list.split(|t| t.leaf(Token::Comma).is_some()).filter(|p| !p.is_empty());
        if list.iter().any(|t| t.leaf(Token::Arrow).is_some()) {
            let one = |p: &[Tree<'_>]| {
                let [by, colon, from, arrow, to] = p else { return Err("axes move as in `{\"a\"}: 0->1`".to_string()) };
                let place = |t: &Tree<'_>| t.leaf(Token::Int)?.parse::<usize>().ok();
                match (by.group(b'{'), colon.leaf(Token::Colon), place(from), arrow.leaf(Token::Arrow), place(to)) {
                    (Some(by), Some(_), Some(from), Some(_), Some(to)) => Ok((axes(by)?, from, to)),
                    _ => Err("axes move as in `{\"a\"}: 0->1`".to_string()),
                }
            };
            return Ok(wellformed::Moved::Between(parts().map(one).collect::<Result<_, _>>()?));
        }
        let by = list.iter().filter_map(|t| t.group(b'{')).map(axes).collect::<Result<_, _>>()?;
        return Ok(wellformed::Moved::ByDim(by));
    }
    Ok(wellformed::Moved::Nothing)
}

fn constrain(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let own =
        op.items.iter().find_map(|t| t.group(b'<')).filter(|g| g.first().is_some_and(|t| t.group(b'{').is_none()));
    let inner = own.or_else(|| op.attr("sharding").and_then(|t| t.iter().find_map(|t| t.group(b'<'))));
    by_trees(i, op, inner)
}

/// A collective of sdy: its operand, laid out otherwise.
fn lies(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    by_trees(i, op, op.attr("out_sharding").and_then(|t| t.iter().find_map(|t| t.group(b'<'))))
}

fn same(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x] = i.exactly(op)?;
    Ok(vec![x])
}

/// Stops propagation in one direction, or in both with `NONE`. Plans are not made by propagation.
fn barrier(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    fn both(t: &Tree<'_>) -> bool {
        t.is_word("BOTH") || matches!(t, Tree::Group(g) if g.trees.iter().any(both))
    }
    if op.attr("allowed_direction").is_some_and(|t| t.iter().any(both)) {
        return Err("a barrier that allows both directions stops nothing".to_string());
    }
    same(i, op)
}

/// Values that are to be split alike: what is known of one of them is said of those that follow.
fn group(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let names = op.operands();
    let [x] = i.exactly(op)?;
    let id = op.int("group_id").ok_or("`group_id` is missing")?;
    let known = i.known(x);
    let rank = i.b.ty(x).rank();
    match i.groups.get(&id) {
        Some(c) if known.is_none() && c.dims.len() == rank => {
            let pinned = Ir::Constrain(c.clone());
            let v = i.emit(pinned, &[x])?;
            let name = if i.part == Some([true; 2]) { imaginary(names[0]) } else { names[0].to_string() };
            i.define(&[name], vec![v]);
        }
        Some(_) => {}
        None => {
            i.groups.extend(known.map(|c| (id, c)));
        }
    }
    Ok(Vec::new())
}

impl Import<'_> {
    /// What a value is pinned to where it is made.
    fn known(&self, v: ValueId) -> Option<Constraint> {
        let func = &self.b.func;
        match func.def_op(v).map(|o| &func.op(o).op) {
            Some(Ir::Constrain(c)) => Some(c.clone()),
            Some(_) => None,
            None => {
                let at = func.body().args.iter().position(|&a| a == v)?;
                func.inputs.get(at).map(|p| p.constraint.clone()).filter(|c| !c.absent)
            }
        }
    }
}

fn custom_call<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    match op.target() {
        "annotate_device_placement" | "LayoutConstraint" => i.operands(op),
        "Sharding" => {
            let [x] = i.exactly(op)?;
            let text = op.attr("mhlo.sharding").and_then(|t| t.first()?.leaf(Token::Str)).unwrap_or("\"\"");
            if gspmd::is_maximal(text) {
                i.copied(i.b.span);
            }
            let open = gspmd::unspecified(op);
            let c = gspmd::constraint(&i.meshes.devices, text, i.b.ty(x).rank(), &open)?;
            Ok(vec![i.pinned(x, c)?])
        }
        super::block_scaled::TARGET => super::block_scaled::import(i, op),
        "ApproxTopK" => super::sort::approx_top_k(i, op),
        name if super::callback::is_one(name) => super::callback::import(i, op),
        name => super::linear_algebra::lapack(i, op, name).unwrap_or_else(|| Err(super::refused::call(name))),
    }
}

/// What a sharding of sdy says of a tensor of `rank` dims.
///
/// # Errors
/// A sentence.
pub fn written(meshes: &Meshes, trees: &[Tree<'_>], rank: usize) -> Result<Option<Constraint>, String> {
    sdy::constraint(meshes, trees, rank)
}
