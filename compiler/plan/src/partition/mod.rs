//! Writing the decision down: the local program, with the claim of every value and the step of every op.
//!
//! Conversions stand right after the op that makes their tensor, so that a schedule may start them early; those of inputs
//! and region arguments stand before their first use, so that a gathered weight lives no longer than it must.

pub mod form;
mod generate;
mod local;
mod mask;
mod ops;
pub mod origin;
mod region;
pub mod why;
mod writer;

use crate::program::SearchedProgram;
use crate::search::Solution;
pub use generate::output_layout;
pub use local::LocalProgram;
use meshloom_ir::Func;
use writer::Writer;

/// The local program under a solution.
pub fn build(program: &SearchedProgram<'_>, solution: &Solution) -> LocalProgram {
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
