//! A manual region, however it is written: its body is imported on its own, and `ir::manual` puts it in place.

use crate::import::sharding::border;
use crate::import::state::Import;
use crate::module::TextOp;
use meshloom_ir::manual::{self, Lifted, Split};
use meshloom_ir::{Axis, Constraint, TensorType, ValueId};
use meshloom_source::Diagnostic;

pub type Made = Result<Vec<ValueId>, String>;

/// A region as it is written.
pub struct Manual<'m, 's> {
    /// Axes that are manual in it, and not in one around it.
    pub axes: Vec<Axis>,
    /// Values around it, and how they lie.
    pub inputs: Vec<(ValueId, Constraint)>,
    /// Names and types of its arguments.
    pub names: Vec<String>,
    pub types: Vec<TensorType>,
    pub body: Body<'m, 's>,
    pub outputs: Vec<Constraint>,
}

/// What is done in a region.
pub enum Body<'m, 's> {
    /// Ops that end in what they return.
    Ends(&'s [TextOp<'m>]),
    /// Ops, and the names of what comes out.
    Gives(&'s [TextOp<'m>], Vec<&'s str>),
}

impl<'m> Import<'m> {
    /// Imports a region and puts it in place.
    pub fn enclosed(&mut self, m: Manual<'m, '_>) -> Made {
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
        if matches!(m.body, Body::Ends(_)) && !body.captures.is_empty() {
            return Err("the region reads a value from around it\ngive it to the region as an operand".to_string());
        }
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
