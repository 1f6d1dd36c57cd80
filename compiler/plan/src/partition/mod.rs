//! Writing the decision down: the local program, with the claim of every value and the step of every op.
//!
//! Conversions stand right after the op that makes their tensor, so that a schedule may start them early; those of inputs
//! and region arguments stand before their first use, so that a gathered weight lives no longer than it must.

pub mod form;
mod generate;
mod mask;
mod ops;
mod region;
pub mod why;
mod writer;

use crate::Origin;
use crate::program::Program;
use crate::search::Solution;
use meshloom_certify::Certificate;
use meshloom_ir::{Func, Layout};
use writer::Writer;

#[derive(Clone)]
pub struct Local {
    pub func: Func,
    pub certificate: Certificate,
    /// By op of `func`.
    pub origins: Vec<Origin>,
}

/// The local program under a solution.
pub fn build(program: &Program<'_>, solution: &Solution) -> Local {
    let global = program.func;
    let forms = generate::forms(program, solution);
    let mut w = Writer::new(program, solution, forms);
    for (i, &v) in global.body().args.iter().enumerate() {
        let layout = w.native(v);
        let local = w.argument(Func::BODY, v, &layout);
        w.func.inputs.push(global.inputs[i].clone());
        w.keep(v, layout, local);
    }
    region::ops(&mut w, Func::BODY);
    for (i, &v) in global.body().yields.iter().enumerate() {
        let layout = output_layout(program, solution, i);
        let local = w.get(v, &layout);
        w.func.regions[0].yields.push(local);
        w.func.outputs.push(global.outputs[i].clone());
    }
    w.finish()
}

/// The layout in which output `i` leaves the program.
pub fn output_layout(program: &Program<'_>, solution: &Solution, i: usize) -> Layout {
    let func = program.func;
    let input = func.outputs[i].updates.map(|j| program.rep(func.body().args[j]));
    let given = input.and_then(|v| solution.native.get(&v));
    let chosen = given.or_else(|| solution.outputs.get(&i)).cloned();
    let pinned = || program.outputs[i].as_ref().and_then(|c| c.closed());
    // An output that depends on no input is no tensor of the search.
    chosen.or_else(pinned).unwrap_or_else(|| Layout::replicated(func.ty(func.body().yields[i]).rank()))
}
