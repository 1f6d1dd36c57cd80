//! Batch normalisation: imports `batch_norm_inference`, `batch_norm_training` and `batch_norm_grad` as the elementwise ops and
//! means by which StableHLO defines them. JAX does not print these ops; TensorFlow's and PyTorch's exporters do.

use super::state::{Import, ImportRule};
use crate::lexer::Token;
use crate::module::TextOp;
use meshloom_ir::{Reduction, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[
    ("stablehlo.batch_norm_inference", inference),
    ("stablehlo.batch_norm_training", training),
    ("stablehlo.batch_norm_grad", gradient),
];

/// What all three ops need: the operand's shape, its feature dim, and the epsilon that is added to a variance.
struct Norm {
    shape: Vec<u64>,
    feature: usize,
    epsilon: f64,
}

impl Norm {
    fn of(i: &Import<'_>, op: &TextOp<'_>, x: ValueId, features: &[ValueId]) -> Result<Norm, String> {
        let shape = i.b.shape(x);
        let feature = op.int("feature_index").and_then(|n| usize::try_from(n).ok()).filter(|&n| n < shape.len());
        let feature = feature.ok_or("`feature_index` is no dim of the operand")?;
        if !i.b.ty(x).dtype.is_float() || features.iter().any(|&f| i.b.shape(f) != [shape[feature]]) {
            return Err("the operands are no tensor of floats with one number for each feature".to_string());
        }
        let text = op.attr("epsilon").and_then(|t| t.iter().find_map(number));
        let epsilon = text.and_then(|t| t.parse().ok()).ok_or("`epsilon` is missing")?;
        Ok(Norm { shape, feature, epsilon })
    }

    fn others(&self) -> Vec<usize> {
        (0..self.shape.len()).filter(|&d| d != self.feature).collect()
    }

    /// Broadcasts `x`, which has one number for each feature, to the operand's shape.
    fn spread(&self, i: &mut Import<'_>, x: ValueId) -> Result<ValueId, String> {
        i.broadcast(x, &self.shape, &[self.feature])
    }

    /// The mean over all dims but the feature dim.
    fn mean(&self, i: &mut Import<'_>, x: ValueId) -> Result<ValueId, String> {
        let others = self.others();
        let n: u64 = others.iter().map(|&d| self.shape[d]).product();
        let sum = i.reduce(Reduction::Sum, x, &others)?;
        let n = i.b.constant_like(sum, n as f64);
        i.elem("divide", &[sum, n])
    }

    /// 1 / sqrt(variance + epsilon), one number for each feature.
    fn deviation(&self, i: &mut Import<'_>, variance: ValueId) -> Result<ValueId, String> {
        let epsilon = i.b.constant_like(variance, self.epsilon);
        let sum = i.elem("add", &[variance, epsilon])?;
        i.elem("rsqrt", &[sum])
    }

    /// (x - mean) / sqrt(variance + epsilon).
    fn normal(&self, i: &mut Import<'_>, x: ValueId, mean: ValueId, variance: ValueId) -> Result<ValueId, String> {
        let inverse = self.deviation(i, variance)?;
        let (mean, inverse) = (self.spread(i, mean)?, self.spread(i, inverse)?);
        let centred = i.elem("subtract", &[x, mean])?;
        i.elem("multiply", &[centred, inverse])
    }
}

/// The text of a number without the type behind it: `1.0e-5` of `1.0e-5 : f32`.
fn number<'s>(t: &crate::tree::Tree<'s>) -> Option<&'s str> {
    t.leaf(Token::Float).or_else(|| t.leaf(Token::Int))
}

fn inference(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, scale, offset, mean, variance] = i.exactly(op)?;
    let norm = Norm::of(i, op, x, &[scale, offset, mean, variance])?;
    Ok(vec![scaled(i, &norm, [x, scale, offset, mean, variance])?])
}

fn scaled(i: &mut Import<'_>, norm: &Norm, xs: [ValueId; 5]) -> Result<ValueId, String> {
    let [x, scale, offset, mean, variance] = xs;
    let normal = norm.normal(i, x, mean, variance)?;
    let (scale, offset) = (norm.spread(i, scale)?, norm.spread(i, offset)?);
    let out = i.elem("multiply", &[normal, scale])?;
    i.elem("add", &[out, offset])
}

/// Gives the output, and the mean and variance of the batch.
fn training(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, scale, offset] = i.exactly(op)?;
    let norm = Norm::of(i, op, x, &[scale, offset])?;
    let mean = norm.mean(i, x)?;
    let spread = norm.spread(i, mean)?;
    let centred = i.elem("subtract", &[x, spread])?;
    let squares = i.elem("multiply", &[centred, centred])?;
    let variance = norm.mean(i, squares)?;
    Ok(vec![scaled(i, &norm, [x, scale, offset, mean, variance])?, mean, variance])
}

/// Gives the gradients of the operand, the scale and the offset. `given` is the gradient of the output.
fn gradient(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, scale, mean, variance, given] = i.exactly(op)?;
    let norm = Norm::of(i, op, x, &[scale, mean, variance])?;
    if i.b.shape(given) != norm.shape {
        return Err("the gradient of the output is of another shape than the operand".to_string());
    }
    let others = norm.others();
    let normal = norm.normal(i, x, mean, variance)?;
    let along = i.elem("multiply", &[given, normal])?;
    let of_scale = i.reduce(Reduction::Sum, along, &others)?;
    let of_offset = i.reduce(Reduction::Sum, given, &others)?;
    // scale / sqrt(variance + epsilon) * (given - mean(given) - normal * mean(given * normal))
    let (mean_given, mean_along) = (norm.mean(i, given)?, norm.mean(i, along)?);
    let (mean_given, mean_along) = (norm.spread(i, mean_given)?, norm.spread(i, mean_along)?);
    let away = i.elem("multiply", &[normal, mean_along])?;
    let rest = i.elem("subtract", &[given, mean_given])?;
    let rest = i.elem("subtract", &[rest, away])?;
    let inverse = norm.deviation(i, variance)?;
    let factor = i.elem("multiply", &[scale, inverse])?;
    let factor = norm.spread(i, factor)?;
    Ok(vec![i.elem("multiply", &[rest, factor])?, of_scale, of_offset])
}
