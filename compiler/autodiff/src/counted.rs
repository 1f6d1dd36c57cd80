//! What schedules may count by beside the step: the samples and the tokens that were trained on, the step's own included.
//!
//! They are state of the step, since a run may go on with another batch, and then they are no multiple of the step. Where nothing counts
//! by them there is no such state.

use meshloom_ir::train::TrainSpec;
use meshloom_ir::{Func, Role, ValueId};

/// Names of the inputs of a schedule or an update that stand for them.
pub const NAMES: [&str; 2] = ["samples", "tokens"];

/// What the state is called.
pub fn port(name: &str) -> String {
    format!("counted.{name}")
}

/// Whether a schedule or an update reads its input of this name.
pub fn is_read(spec: &TrainSpec, name: &str) -> bool {
    std::iter::once(&spec.lr).chain(spec.updates.values().map(|u| &**u)).any(|f| reads(f, name))
}

fn reads(f: &Func, name: &str) -> bool {
    let Some(v) = f.input(name).and_then(|i| f.body().args.get(i)) else { return false };
    f.ops.iter().any(|o| o.operands.contains(v)) || f.regions.iter().any(|r| r.yields.contains(v))
}

/// How many of them one step has. The first data input says how many samples a batch has. Tokens are the elements of the input
/// `tokens`, or else the first two dims of the first input that has two.
pub fn per_step(loss: &Func, name: &str) -> u64 {
    let data = || loss.inputs.iter().zip(&loss.body().args).filter(|(p, _)| p.role == Role::Input);
    let shape = |v: ValueId| &loss.ty(v).shape[..];
    let samples = data().find_map(|(_, &v)| shape(v).first().copied()).unwrap_or(1);
    if name == NAMES[0] {
        return samples;
    }
    let named = data().find(|(p, _)| p.name == name).map(|(_, &v)| shape(v).iter().product());
    let two = || data().find_map(|(_, &v)| shape(v).get(..2).map(|s| s.iter().product()));
    named.or_else(two).unwrap_or(samples)
}
