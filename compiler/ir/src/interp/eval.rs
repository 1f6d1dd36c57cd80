//! A global program on one device.

use super::machine::{Machine, Rows};
use crate::graph::Func;
use crate::tensor::Tensor;
use std::rc::Rc;

/// The outputs of a global program.
///
/// # Errors
/// A program that does not verify or is a local one, inputs that do not fit it, values that are too large to interpret.
pub fn eval(func: &Func, inputs: &[Tensor]) -> Result<Vec<Tensor>, String> {
    let mut machine = Machine::new(func, 1)?;
    for o in func.walk(Func::BODY) {
        let op = &func.op(o).op;
        if op.reads_device() || op.collective_axes().is_some() {
            let name = func.op(o).op.name();
            return Err(format!("this `{name}` is one of a local program, which needs all devices"));
        }
    }
    let inputs: Rows = inputs.iter().map(|t| vec![Rc::new(t.clone())]).collect();
    let outputs = machine.run(inputs)?;
    Ok(outputs.into_iter().map(|mut v| unwrap(v.remove(0))).collect())
}

pub(super) fn unwrap(t: Rc<Tensor>) -> Tensor {
    Rc::try_unwrap(t).unwrap_or_else(|t| (*t).clone())
}
