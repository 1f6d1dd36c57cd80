//! Inverse trigonometric and hyperbolic functions. Of the sine and the cosine, as Hull, Fairgrieve and Tang, "Implementing the complex
//! arcsine and arccosine functions using exception handling" (1997), without their crossovers: the same terms serve everywhere but
//! far out, where squares would leave the range of the type.

use super::number::ComplexParts;
use crate::import::chlo::{ImportResult, Math};
use meshloom_ir::ValueId;
use std::f64::consts::{FRAC_PI_2, LN_2};

/// What the arcsine and the arccosine are made of.
struct Legs {
    /// The size of the imaginary part of both.
    height: ValueId,
    /// The arcsine's real part is the angle of `leg` and the size of `x`'s, the arccosine's the angle of `x`'s and `leg`.
    leg: ValueId,
}

impl Math<'_, '_> {
    fn legs(&mut self, [re, im]: ComplexParts) -> Result<Legs, String> {
        let [x, y] = [self.abs(re)?, self.abs(im)?];
        let [next, last] = [self.plus(x, 1.0)?, self.plus(x, -1.0)?];
        let [r, s] = [self.size([next, y])?, self.size([last, y])?];
        let sum = self.add(r, s)?;
        let a = self.times(sum, 0.5)?;
        let right = self.add(r, next)?;
        let minus = self.neg(last)?;
        let [inner, outer] = [self.add(s, minus)?, self.add(s, last)?];
        let y_squared = self.square(y)?;
        let first = self.div(y_squared, right)?;
        // a - |x|, and its root with a + |x|; of |x| > 1 without the square of y, which may vanish.
        let apx = self.add(a, x)?;
        let near = self.add(first, inner)?;
        let near = self.mul(apx, near)?;
        let near = self.half_root(near)?;
        let [up, down] = [self.div(apx, right)?, self.div(apx, outer)?];
        let far = self.add(up, down)?;
        let far = self.half_root(far)?;
        let far = self.mul(y, far)?;
        let leg = self.select("compare_gt", x, 1.0, far, near)?;
        // a - 1, and its root with a + 1.
        let next_a = self.plus(a, 1.0)?;
        let second = self.div(y_squared, inner)?;
        let [less, more] = [self.add(first, second)?, self.add(first, outer)?];
        let above = self.select("compare_lt", x, 1.0, less, more)?;
        let above = self.times(above, 0.5)?;
        let [one_by, other_by] = [self.inverse(right)?, self.inverse(inner)?];
        let both = self.add(one_by, other_by)?;
        let both = self.mul(both, next_a)?;
        let inside = self.half_root(both)?;
        let inside = self.mul(y, inside)?;
        let beyond = self.mul(above, next_a)?;
        let beyond = self.f("sqrt", &[beyond])?;
        let root = self.select("compare_lt", x, 1.0, inside, beyond)?;
        let height = self.add(above, root)?;
        let height = self.f("log_plus_one", &[height])?;
        let log = self.log_of_size([re, im])?;
        let out = self.plus(log, LN_2)?;
        let largest = self.f("maximum", &[x, y])?;
        Ok(Legs { height: self.far(largest, out, height)?, leg: self.far(largest, y, leg)? })
    }

    fn half_root(&mut self, x: ValueId) -> ImportResult {
        let half = self.times(x, 0.5)?;
        self.f("sqrt", &[half])
    }

    /// `out` where squares of `largest` leave the range of the type, else `within`.
    fn far(&mut self, largest: ValueId, out: ValueId, within: ValueId) -> ImportResult {
        let limit = if self.is_wide() { 1e150 } else { 1e17 };
        self.select("compare_gt", largest, limit, out, within)
    }

    pub(super) fn asin_of(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        let legs = self.legs(x)?;
        Ok([self.f("atan2", &[x[0], legs.leg])?, self.with_sign(legs.height, x[1])?])
    }

    pub(super) fn acos_of(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        let legs = self.legs(x)?;
        let height = self.with_sign(legs.height, x[1])?;
        Ok([self.f("atan2", &[legs.leg, x[0]])?, self.neg(height)?])
    }

    pub(super) fn acosh_of(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        let legs = self.legs(x)?;
        let angle = self.f("atan2", &[legs.leg, x[0]])?;
        Ok([legs.height, self.with_sign(angle, x[1])?])
    }

    /// `log1p(4 |a| / ((1 - |a|)^2 + b^2)) / 4`, and half of the angle of `(1 - |a|)(1 + |a|) - b^2` and `2 b`.
    pub(super) fn atanh_of(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        let [re, im] = [self.abs(x[0])?, self.abs(x[1])?];
        let [less, more] = [self.neg(re)?, self.plus(re, 1.0)?];
        let less = self.plus(less, 1.0)?;
        let [squares, b] = [self.square(less)?, self.square(im)?];
        let below = self.add(squares, b)?;
        let up = self.times(re, 4.0)?;
        let ratio = self.div(up, below)?;
        let log = self.f("log_plus_one", &[ratio])?;
        let within = self.times(log, 0.25)?;
        let largest = self.f("maximum", &[re, im])?;
        let size = self.size(x)?;
        let [once, zero] = [self.div(re, size)?, self.c(0.0)];
        let out = self.div(once, size)?;
        let out = self.select("compare_eq", size, f64::INFINITY, zero, out)?;
        let length = self.far(largest, out, within)?;
        let product = self.mul(less, more)?;
        let (across, double) = (self.sub(product, b)?, self.times(x[1], 2.0)?);
        let angle = self.f("atan2", &[double, across])?;
        let angle = self.times(angle, 0.5)?;
        let right = self.c(FRAC_PI_2);
        let right = self.with_sign(right, x[1])?;
        Ok([self.with_sign(length, x[0])?, self.far(largest, right, angle)?])
    }
}
