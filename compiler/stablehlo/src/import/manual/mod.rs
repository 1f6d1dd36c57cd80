//! Manual regions: `sdy.manual_computation`, which `jax.shard_map` is printed as, and the ops that stand in them.
//!
//! A body is imported on its own, as the program of one device, with the shapes that are written in it. Then `ir::manual` turns it
//! into ops of the global program. So a region may be in a loop or in another region, and no later phase knows of it. Inputs and
//! results lie as the shardings say. Collectives ([`collective`]) are over axes of the mesh, to which their groups of devices are
//! translated. A device's number ([`place`]) is computed from its index along the axes.
//!
//! GSPMD writes a region as calls before and after it ([`calls`]).

mod calls;
mod collective;
mod permute;
mod place;

use super::sharding::{axes_of, border, list};
use super::{Import, Parameter, Rule, parameters, scope};
use crate::lexer::Token;
use crate::module::TextOp;
use crate::tree::Tree;
use crate::types;
pub use calls::{ManualStep, any as between_calls, steps as in_pieces};
pub use collective::groups;
use meshloom_ir::manual::{self, Lifted, Split};
use meshloom_ir::{Axis, Constraint, TensorType, ValueId};
use meshloom_source::Diagnostic;
pub use place::AxisStrides;

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[&[(&str, Rule)]] =
    &[&[("sdy.manual_computation", computation)], collective::RULES, permute::RULES, place::RULES];

/// A region as it is written.
struct Manual<'m, 's> {
    /// Axes that are manual in it, and not in one around it.
    axes: Vec<Axis>,
    /// Values around it, and how they lie.
    inputs: Vec<(ValueId, Constraint)>,
    /// Names and types of its arguments.
    names: Vec<&'s str>,
    types: Vec<TensorType>,
    body: Body<'m, 's>,
    outputs: Vec<Constraint>,
}

/// What is done in a region.
enum Body<'m, 's> {
    /// Ops that end in what they return.
    Ends(&'s [TextOp<'m>]),
    /// Ops, and the names of what comes out.
    Gives(&'s [TextOp<'m>], Vec<&'s str>),
}

/// `(%x) in_shardings=[..] out_shardings=[..] manual_axes={..} (%a: ..) {..}`, or the same as attributes and a region.
fn computation<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let first = op.items.iter().find_map(|t| t.group(b'(')).ok_or("the operands are missing")?;
    let operands: Vec<&str> = first.iter().filter_map(|t| t.leaf(Token::Value)).collect();
    let (params, trees) = block(op)?;
    let region = scope::TextRegion::read(trees)?;
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
    let types = params.iter().map(|p| types::tensor(p.ty)).collect::<Result<Vec<_>, _>>()?;
    let mut inputs = Vec::new();
    for (name, t) in operands.iter().zip(&ins) {
        let v = i.defined(name)?;
        let c = lies(i, t, i.b.ty(v).rank())?;
        inputs.push((v, c));
    }
    let results = op.result_types()?;
    let outputs = outs.iter().zip(&results).map(|(t, ty)| lies(i, t, ty.rank())).collect::<Result<Vec<_>, _>>()?;
    if outputs.len() != outs.len() {
        return Err("the types of the results are missing".to_string());
    }
    let names = params.iter().map(|p| p.name).collect();
    i.enclosed(Manual { axes, inputs, names, types, body: Body::Ends(&region.ops), outputs })
}

/// The parameters and the ops of an op's one region, which stands behind them or is an attribute's.
///
/// # Errors
/// There is none.
pub fn block<'m>(op: &TextOp<'m>) -> Result<(Vec<Parameter<'m>>, &'m [Tree<'m>]), String> {
    let pretty = op.items.iter().rposition(|t| t.group(b'{').is_some()).filter(|&at| at > 0);
    let written = pretty.and_then(|at| Some((op.items[at - 1].group(b'(')?, op.items[at].group(b'{')?)));
    let (params, trees) = match written {
        Some((params, body)) => (parameters(params), body),
        None => {
            let region = *op.regions().first().ok_or("the body is missing")?;
            let label = match region {
                [label, args, ..] if label.leaf(Token::Block).is_some() => args.group(b'(').unwrap_or_default(),
                _ => &[],
            };
            (parameters(label), region)
        }
    };
    Ok((params, trees))
}

/// `{"a"}`, `#sdy<manual_axes{"a"}>`.
fn braces<'t, 's>(trees: &'t [Tree<'s>]) -> Option<&'t [Tree<'s>]> {
    trees.iter().find_map(|t| t.group(b'{').or_else(|| braces(t.group(b'<')?)))
}

impl<'m> Import<'m> {
    /// Imports a region and puts it in place.
    fn enclosed(&mut self, m: Manual<'m, '_>) -> Made {
        if let Some(&a) = m.axes.iter().find(|a| self.manual.contains(a)) {
            return Err(format!("the axis `{}` is manual already", self.mesh().name(a)));
        }
        let mut given: Vec<(ValueId, Split, Split)> = Vec::new();
        for (n, ((v, c), ty)) in m.inputs.iter().zip(&m.types).enumerate() {
            let (split, also) = border(c, &m.axes)?;
            let whole = self.b.ty(*v).clone();
            let mut shape = whole.shape.clone();
            for (size, axes) in shape.iter_mut().zip(&split) {
                let devices = self.mesh().group_size(axes);
                if !size.is_multiple_of(devices) {
                    return Err(format!("argument {n} of the region has a dim of {size} for {devices} devices"));
                }
                *size /= devices;
            }
            if shape != ty.shape || whole.dtype != ty.dtype {
                return Err(format!(
                    "argument {n} of the region is {ty} on each device, and its sharding gives {}",
                    TensorType { shape, ..whole }
                ));
            }
            given.push((*v, split, also));
        }
        let open = self.manual.len();
        self.manual.extend(&m.axes);
        let body = self.apart(m.types, |i, args| match &m.body {
            Body::Ends(ops) => i.region(&m.names, args, ops),
            Body::Gives(ops, names) => i.given(&m.names, args, ops, names),
        });
        self.manual.truncate(open);
        let body = body?;
        if body.yields.len() != m.outputs.len() {
            return Err(format!("the region gives {} results, of {}", body.yields.len(), m.outputs.len()));
        }
        let mut args: Vec<Lifted> = Vec::new();
        for (v, split, also) in &given {
            args.push(manual::enter(&mut self.b, *v, split, also, &m.axes));
        }
        // What is captured is the same on all devices.
        for &arg in body.func.body().args.iter().skip(given.len()) {
            let outer = body.captures.iter().find(|c| c.1 == arg).map(|c| c.0).ok_or("a value that is not known")?;
            let whole: Split = vec![Vec::new(); self.b.ty(outer).rank()];
            args.push(manual::enter(&mut self.b, outer, &whole, &whole, &m.axes));
        }
        let span = self.b.span;
        let lifted = match manual::lift(&mut self.b, &body.func, &m.axes, &args) {
            Ok(lifted) => lifted,
            Err(e) => {
                let at = if e.span.is_none() { span } else { e.span };
                self.refuse(at, format!("{}\n{}", e.message, e.help));
                return Err(String::new());
            }
        };
        let mut out = Vec::new();
        for (x, c) in lifted.iter().zip(&m.outputs) {
            let (split, also) = border(c, &m.axes)?;
            if c.dims.len() + x.over.len() != self.b.ty(x.value).rank() {
                return Err("a result of the region has another rank than its sharding".to_string());
            }
            out.push(match manual::leave(&mut self.b, x, &split, &also, &m.axes) {
                Ok(v) => v,
                Err(lost) => {
                    let one = manual::first(&mut self.b, x, &lost);
                    self.taken_of_one(&lost);
                    manual::leave(&mut self.b, &one, &split, &also, &m.axes)
                        .map_err(|_| "a result differs between devices")?
                }
            });
        }
        Ok(out)
    }

    /// Says that of a result that is said to be the same on all devices, and is not seen to be, one device's was taken.
    fn taken_of_one(&mut self, lost: &[Axis]) {
        let names: Vec<&str> = lost.iter().map(|&a| self.mesh().name(a)).collect();
        let message = format!(
            "a result of this region may differ between the devices of {}, and its sharding says that it does not",
            names.join(", ")
        );
        let d = Diagnostic::warning("varies", message)
            .at(self.b.span, "what the first device has is sent to the others")
            .help("`shard_map(.., check_vma=True)` names the value; sum it (`psum`), or say in out_specs which dim it makes up");
        if !self.diagnostics.contains(&d) {
            self.diagnostics.push(d);
        }
    }
}
