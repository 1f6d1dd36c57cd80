//! IR to StableHLO with sdy shardings, for JAX's tools and for whatever else reads StableHLO.
//!
//! The global program is written as a function over global tensors whose shardings are the annotations. The per-device program is
//! written as one `sdy.manual_computation` over all axes of the mesh, with StableHLO's collectives inside, in a function over
//! global tensors too. So both are called alike, and XLA adds nothing to the second. Dims that their axes do not divide are
//! padded on the way in and cut on the way out.
//!
//! Each op is written by the function that [`RULES`] names for it, in the forms that JAX prints. Composites are written out, and
//! loops are `stablehlo.while`. What cannot be written is refused, all of it in one run, by op and line.

mod device;
mod elementwise;
mod frame;
mod index;
mod order;
mod random;
mod region;
mod shape;
mod state;
mod text;

use meshloom_ir::{Func, Op, OpId, RegionId};
use meshloom_source::Diagnostic;
use state::{Emit, EmitRule};
use text::TextValue;

/// The function that writes each op; those of one element each have a table of their own ([`elementwise`]).
const RULES: &[&[(&str, EmitRule)]] =
    &[shape::RULES, index::RULES, order::RULES, random::RULES, region::RULES, device::RULES];

/// A function as a module of StableHLO, in the form that says what it is: a global program, or that of each device.
///
/// # Errors
/// Everything that StableHLO cannot say, each with its op and place.
pub fn global(func: &Func) -> Result<String, Vec<Diagnostic>> {
    Emit::new(func).module(None)
}

/// The program of each device; `global` is the one that it was made from, which has the shapes of whole tensors.
///
/// # Errors
/// As for [`global`].
pub fn local(func: &Func, global: &Func) -> Result<String, Vec<Diagnostic>> {
    Emit::new(func).module(Some(global))
}

impl Emit<'_> {
    /// Writes the ops of a region whose arguments have these names; what it yields.
    fn region(&mut self, r: RegionId, args: &[TextValue]) -> Vec<TextValue> {
        let region = self.func.region(r);
        for (&arg, given) in region.args.iter().zip(args) {
            self.values[arg.index()] = Some(given.clone());
        }
        for &o in &region.ops {
            self.op(o);
        }
        region.yields.iter().map(|&v| self.value(v)).collect()
    }

    fn op(&mut self, o: OpId) {
        let data = self.func.op(o);
        let operands: Vec<TextValue> = data.operands.iter().map(|&v| self.value(v)).collect();
        let made = match &data.op {
            Op::Elem(e) => elementwise::write(self, *e, &operands).map(|v| vec![v]),
            op => match RULES.iter().flat_map(|r| r.iter()).find(|r| r.0 == op.name()) {
                Some((_, rule)) => rule(self, data, &operands),
                None => Err("it has no counterpart here".to_string()),
            },
        };
        let made = made.unwrap_or_else(|why| {
            let message = format!("`{}` cannot be written as StableHLO: {why}", data.op.name());
            self.errors.push(Diagnostic::error("mlir-unsupported", message).at(data.span, ""));
            data.results.iter().map(|&r| TextValue::new("%refused", self.func.ty(r).clone())).collect()
        });
        for (&r, v) in data.results.iter().zip(made) {
            self.values[r.index()] = Some(v);
        }
    }
}
