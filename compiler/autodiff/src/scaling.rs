//! Loss scaling, so that gradients fit 16 bits: the cotangent that a backward pass starts with. If the scale is kept
//! from step to step, this file also says how it changes, and what happens to an update whose gradients did not fit.
//!
//! A scale that changes is one more input of the loss. The norm of the gradients, which every step has anyway, shows
//! whether they fit. The rule is that of Micikevicius et al., "Mixed Precision Training" (2018), section 3.2, with the
//! figures of PyTorch's GradScaler and jmp's DynamicLossScale: the scale doubles after 2000 updates in a row, is halved
//! when an update does not fit, and is never less than 1. A skipped update does not count in the optimizer (in the
//! correction of Adam's bias, for example). `step` increases all the same, and the learning rate and the data follow
//! it.

use meshloom_ir::train::LossScale;
use meshloom_ir::{Builder, DType, Func, Init, Port, Role, Scalar, TensorType, ValueId};

/// The scale, an input of the loss and state of the step.
pub const SCALE: &str = "scaling.scale";
/// Updates in a row since the scale changed.
const ROW: &str = "scaling.row";
/// All updates that were made.
const UPDATES: &str = "scaling.updates";
/// The state that is kept for it.
pub const NAMES: [&str; 3] = [SCALE, ROW, UPDATES];

/// A loss with its scale as an input, behind the others.
pub fn with_input(loss: &Func) -> Func {
    let mut f = loss.clone();
    let mut b = Builder::resume(f);
    let port = Port::new(SCALE, Role::State, 0);
    b.input(TensorType::scalar(DType::F32), port);
    f = b.func;
    f
}

/// The cotangent of a loss that counts for `weight`: scaled, if the loss has its scale as an input, and by `fixed` if not.
pub fn seed(b: &mut Builder, loss: &Func, value: ValueId, weight: f64, fixed: f64) -> ValueId {
    let Some(scale) = input(loss) else {
        return b.constant_like(value, weight * fixed);
    };
    let to = b.ty(value).dtype;
    let scale = b.convert(scale, to);
    let weight = b.constant_like(scale, weight);
    b.mul(scale, weight)
}

fn input(loss: &Func) -> Option<ValueId> {
    let at = loss.inputs.iter().position(|p| p.name == SCALE)?;
    Some(loss.body().args[at])
}

/// Gradients of the loss, from those of the scaled loss.
pub fn undo(b: &mut Builder, gradients: &mut [ValueId], fixed: f64) {
    let inverse = input(&b.func).map(|scale| {
        let one = b.constant_like(scale, 1.0);
        b.div(one, scale)
    });
    if inverse.is_none() && fixed == 1.0 {
        return;
    }
    for g in gradients {
        let ty = b.ty(*g).clone();
        let by = match inverse {
            Some(x) => {
                let x = b.convert(x, ty.dtype);
                b.broadcast(x, &ty.shape, &[])
            }
            None => b.constant_like(*g, 1.0 / fixed),
        };
        *g = b.mul(*g, by);
    }
}

/// What one step does about a scale that it keeps.
pub struct Kept {
    /// Whether all gradients are finite: a bool scalar.
    fits: ValueId,
    /// The number of this update, if it is made: an i32 scalar.
    pub number: ValueId,
    /// What is kept, as inputs of the step, where it starts, and as the step leaves it; in the order of [`NAMES`].
    pub state: Vec<(ValueId, Init, ValueId)>,
}

impl Kept {
    /// `norm` is that of all gradients; `new` makes an input of the step.
    pub fn new(
        b: &mut Builder,
        scale: ValueId,
        rule: LossScale,
        norm: ValueId,
        mut new: impl FnMut(&mut Builder, &str) -> ValueId,
    ) -> Option<Kept> {
        let LossScale::Dynamic { start, every } = rule else { return None };
        let (row, updates) = (new(b, ROW), new(b, UPDATES));
        let fits = b.elem("is_finite", &[norm]);
        let (one, zero) = (b.constant_like(row, 1.0), b.constant_like(row, 0.0));
        let number = b.add(updates, one);
        let longer = b.add(row, one);
        let full = b.constant_like(row, f64::from(every));
        let full = b.elem("compare_ge", &[longer, full]);
        let (two, half, least) =
            (b.constant_like(scale, 2.0), b.constant_like(scale, 0.5), b.constant_like(scale, 1.0));
        let (doubled, halved) = (b.mul(scale, two), b.mul(scale, half));
        let grown = b.select(full, doubled, scale);
        let shrunk = b.elem("maximum", &[halved, least]);
        let next_scale = b.select(fits, grown, shrunk);
        let counted = b.select(full, zero, longer);
        let next_row = b.select(fits, counted, zero);
        let next_updates = b.select(fits, number, updates);
        let zeros = Init::Constant(Scalar::float(0.0));
        let state = vec![
            (scale, Init::Constant(Scalar::float(start)), next_scale),
            (row, zeros, next_row),
            (updates, zeros, next_updates),
        ];
        Some(Kept { fits, number, state })
    }

    /// The next value of `old`: `new`, if the update is made.
    pub fn next(&self, b: &mut Builder, new: ValueId, old: ValueId) -> ValueId {
        let shape = b.shape(new);
        let fits = b.broadcast(self.fits, &shape, &[]);
        b.select(fits, new, old)
    }
}
