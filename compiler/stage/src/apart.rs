//! A program whose list of layers is in several parts before anything is planned: each part has ports of its own, and a loop of its
//! own over them. So the layers of one stage may lie otherwise on their devices than those of another stage, and what each of the
//! two does with them is decided for itself.
//!
//! What the program computes does not change: it is [`segments::split`] and [`unstack`], as for a cut. The parts of a port have the
//! name of the whole and say which layer they begin with. Not here: which layers lie otherwise (the front end says so), and the
//! cut into stages, which finds the parts again.

use crate::layers;
use meshloom_ir::prune::prune;
use meshloom_ir::segments::{self, Cut};
use meshloom_ir::unstack::{Stack, unstack};
use meshloom_ir::{Func, Op};

/// Takes the layers of `list` apart at `bounds`: 0, where parts begin, and how many layers there are; rising.
///
/// # Errors
/// A program without a loop over the list, a list that is in parts already, and bounds that are not those of its layers.
pub fn apart(func: &Func, list: &str, bounds: &[u64]) -> Result<Func, String> {
    let found = layers::find(func, list)?;
    if bounds.first() != Some(&0) || bounds.last() != Some(&found.count) || !bounds.is_sorted_by(|a, b| a < b) {
        return Err(format!("the {} layers of `{list}` cannot be taken apart at {bounds:?}", found.count));
    }
    let mut cuts = Vec::new();
    for &(repeat, first) in &found.forward {
        let Op::Repeat { trip, .. } = func.op(repeat).op else { continue };
        let at =
            bounds.iter().filter(|b| (first + 1..first + trip).contains(*b)).map(|b| b - first).collect::<Vec<_>>();
        if !at.is_empty() {
            cuts.push(Cut { repeat, at });
        }
    }
    let split = segments::split(func, &cuts)?.func;
    let stacks: Vec<Stack> = found.inputs.iter().map(|&input| Stack { input, bounds: bounds.to_vec() }).collect();
    Ok(prune(&unstack(&split, &stacks)?.func))
}
