//! The learning rate as a function of the step counter.
//!
//! Cosine is needed on half a turn only, so it is a polynomial here and not a row of the op table: `cos(pi p)` is
//! `-sin(pi (p - 1/2))`, and on a quarter turn each way the Taylor series of sine to the 13th power is exact to 1e-9.

use meshloom_ir::train::Schedule;
use meshloom_ir::{Builder, DType, ValueId};
use std::f64::consts::PI;

/// Appends the learning rate of step `t` (a float scalar, 1 on the first step).
pub fn learning_rate(b: &mut Builder, schedule: &Schedule, t: ValueId) -> ValueId {
    match *schedule {
        Schedule::Constant(lr) => b.constant_like(t, lr),
        Schedule::WarmupCosine { peak, warmup, total, floor } => {
            let down = cosine_decay(b, peak, warmup, total, floor, t);
            if warmup == 0 {
                return down;
            }
            let (end, slope) = (b.constant_like(t, warmup as f64), b.constant_like(t, peak / warmup as f64));
            let warm = b.elem("compare_le", &[t, end]);
            let up = b.mul(t, slope);
            b.select(warm, up, down)
        }
    }
}

/// From `peak` at step `from` along half a cosine to `floor` at step `to` and after it.
fn cosine_decay(b: &mut Builder, peak: f64, from: u64, to: u64, floor: f64, t: ValueId) -> ValueId {
    if to <= from {
        return b.constant_like(t, floor);
    }
    let (start, length) = (b.constant_like(t, from as f64), b.constant_like(t, (to - from) as f64));
    let (zero, one) = (b.constant_like(t, 0.0), b.constant_like(t, 1.0));
    let done = b.sub(t, start);
    let done = b.div(done, length);
    let done = b.elem("maximum", &[done, zero]);
    let done = b.elem("minimum", &[done, one]);
    // floor + (peak - floor) (1 + cos(pi done)) / 2 = middle - half sin(pi (done - 1/2))
    let (middle, half) = ((peak + floor) / 2.0, (peak - floor) / 2.0);
    let sine = sine_of_turns(b, done);
    let half = b.constant_like(t, half);
    let drop = b.mul(half, sine);
    let middle = b.constant_like(t, middle);
    b.sub(middle, drop)
}

/// `sin(pi (p - 1/2))` for `p` in 0..1, by Horner's rule in the square of the angle.
fn sine_of_turns(b: &mut Builder, p: ValueId) -> ValueId {
    let (half, pi) = (b.constant_like(p, 0.5), b.constant_like(p, PI));
    let centred = b.sub(p, half);
    let x = b.mul(centred, pi);
    let xx = b.mul(x, x);
    let mut sum = b.constant_like(p, 1.0);
    for n in (1..=6).rev() {
        // 1 - x^2 / (2n (2n + 1)) * (the rest)
        let factor = b.constant_like(p, -1.0 / f64::from(2 * n * (2 * n + 1)));
        let one = b.constant_like(p, 1.0);
        let term = b.mul(xx, factor);
        let term = b.mul(term, sum);
        sum = b.add(one, term);
    }
    b.mul(x, sum)
}

/// The step counter as a float scalar: the first step is 1.
pub fn step_number(b: &mut Builder, step: ValueId, dtype: DType) -> (ValueId, ValueId) {
    let one = b.constant_like(step, 1.0);
    let next = b.add(step, one);
    (next, b.convert(next, dtype))
}
