//! Exponentials, logarithms, roots, powers, and trigonometric functions. Each is a formula of real functions that neither cancels nor
//! leaves the range of the type where the result does not; branch cuts are those of C (C17, annex G), where XLA sees the sign of a zero.

use super::number::{ComplexParts, Made};
use crate::import::chlo::{ImportResult, Math};
use crate::import::state::{Import, ImportRule};
use crate::module::TextOp;
use meshloom_ir::ValueId;

pub const RULES: &[(&str, ImportRule)] = &[
    ("stablehlo.exponential", of_one),
    ("stablehlo.exponential_minus_one", of_one),
    ("stablehlo.log", of_one),
    ("stablehlo.log_plus_one", of_one),
    ("stablehlo.logistic", of_one),
    ("stablehlo.sqrt", of_one),
    ("stablehlo.rsqrt", of_one),
    ("stablehlo.cbrt", of_one),
    ("stablehlo.sine", of_one),
    ("stablehlo.cosine", of_one),
    ("stablehlo.tan", of_one),
    ("stablehlo.tanh", of_one),
    ("stablehlo.power", of_two),
    ("stablehlo.atan2", of_two),
    ("chlo.tan", of_one),
    ("chlo.sinh", of_one),
    ("chlo.cosh", of_one),
    ("chlo.asin", of_one),
    ("chlo.acos", of_one),
    ("chlo.atan", of_one),
    ("chlo.asinh", of_one),
    ("chlo.acosh", of_one),
    ("chlo.atanh", of_one),
];

fn of_one<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [x] = i.numbers(op)?;
    let mut m = i.complex(x[0]);
    let name = op.name.split_once('.').map_or(op.name, |n| n.1);
    let out = match name {
        "exponential" => m.exp(x)?,
        "exponential_minus_one" => m.exp_minus_one(x)?,
        "log" => m.log(x)?,
        "log_plus_one" => m.log_plus_one(x)?,
        "logistic" => m.logistic(x)?,
        "sqrt" => m.root(x)?,
        "rsqrt" => m.inverse_root(x)?,
        "cbrt" => m.cube_root(x)?,
        "sine" => m.sine(x)?,
        "cosine" => m.cosine(x)?,
        "tan" => m.turned(x, Math::tanh_of)?,
        "tanh" => m.tanh_of(x)?,
        "sinh" => m.turned(x, Math::sine)?,
        "cosh" => {
            let turned = m.by_i(x)?;
            m.cosine(turned)?
        }
        "asin" => m.asin_of(x)?,
        "acos" => m.acos_of(x)?,
        "atan" => m.turned(x, Math::atanh_of)?,
        "asinh" => m.turned(x, Math::asin_of)?,
        "acosh" => m.acosh_of(x)?,
        "atanh" => m.atanh_of(x)?,
        other => return Err(format!("`{other}` of complex numbers is not supported")),
    };
    Ok(out.to_vec())
}

fn of_two<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [x, y] = i.numbers(op)?;
    let mut m = i.complex(x[0]);
    Ok(if op.name == "stablehlo.power" { m.power(x, y)? } else { m.angle(x, y)? }.to_vec())
}

impl Math<'_, '_> {
    /// `i x`.
    pub(super) fn by_i(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        Ok([self.neg(x[1])?, x[0]])
    }

    /// `-i f(i x)`: of tanh the tangent, of the sine sinh, of the inverse functions those of the other one.
    fn turned(
        &mut self,
        x: ComplexParts,
        f: impl Fn(&mut Self, ComplexParts) -> Result<ComplexParts, String>,
    ) -> Result<ComplexParts, String> {
        let turned = self.by_i(x)?;
        let [re, im] = f(self, turned)?;
        Ok([im, self.neg(re)?])
    }

    /// The sign and size of e^x times a number of at most 1, also where e^x alone would be infinite: e^k is split off.
    fn scaled_exp(&mut self, x: ValueId, by: ValueId) -> ImportResult {
        let k = if self.is_wide() { 600.0 } else { 80.0 };
        let (zero, much) = (self.c(0.0), self.c(k));
        let large = self.f("compare_gt", &[x, much])?;
        let off = self.i.select(large, much, zero)?;
        let less = self.sub(x, off)?;
        let e = self.f("exponential", &[less])?;
        let part = self.mul(e, by)?;
        let more = self.times(part, k.exp())?;
        self.i.select(large, more, part)
    }

    /// `e^a cos b`, `e^a sin b`; of a real number it is real, infinite or not.
    fn exp(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        let [cos, sin] = [self.f("cosine", &[x[1]])?, self.f("sine", &[x[1]])?];
        let re = self.scaled_exp(x[0], cos)?;
        let im = self.scaled_exp(x[0], sin)?;
        Ok([re, self.select("compare_eq", x[1], 0.0, x[1], im)?])
    }

    /// `(e^a - 1) cos b - 2 sin(b / 2)^2`, and `e^a sin b`.
    fn exp_minus_one(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        let e = self.f("exponential_minus_one", &[x[0]])?;
        let cos = self.f("cosine", &[x[1]])?;
        let part = self.mul(e, cos)?;
        let half = self.times(x[1], 0.5)?;
        let sin = self.f("sine", &[half])?;
        let square = self.square(sin)?;
        let less = self.times(square, 2.0)?;
        let re = self.sub(part, less)?;
        let sin = self.f("sine", &[x[1]])?;
        let im = self.scaled_exp(x[0], sin)?;
        Ok([self.select("compare_eq", x[1], 0.0, e, re)?, self.select("compare_eq", x[1], 0.0, x[1], im)?])
    }

    /// The logarithm of the absolute value: of the larger part, and half of that of 1 and the square of the ratio. Near 1 what is
    /// above 1 is computed from the parts, as `(a - 1)(a + 1) + b^2`.
    pub(super) fn log_of_size(&mut self, x: ComplexParts) -> ImportResult {
        let [re, im] = [self.abs(x[0])?, self.abs(x[1])?];
        let [large, small] = [self.f("maximum", &[re, im])?, self.f("minimum", &[re, im])?];
        let ratio = self.div(small, large)?;
        let square = self.square(ratio)?;
        let rest = self.f("log_plus_one", &[square])?;
        let rest = self.times(rest, 0.5)?;
        let log = self.f("log", &[large])?;
        let far = self.add(log, rest)?;
        let [down, up] = [self.plus(large, -1.0)?, self.plus(large, 1.0)?];
        let product = self.mul(down, up)?;
        let square = self.square(small)?;
        let above = self.add(product, square)?;
        let near = self.f("log_plus_one", &[above])?;
        let near = self.times(near, 0.5)?;
        let off = self.abs(above)?;
        let out = self.select("compare_lt", off, 0.5, near, far)?;
        let least = self.c(f64::NEG_INFINITY);
        let out = self.select("compare_eq", large, 0.0, least, out)?;
        let infinity = self.c(f64::INFINITY);
        let out = self.select("compare_eq", re, f64::INFINITY, infinity, out)?;
        self.select("compare_eq", im, f64::INFINITY, infinity, out)
    }

    pub(super) fn log(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        Ok([self.log_of_size(x)?, self.f("atan2", &[x[1], x[0]])?])
    }

    /// `log1p(a (a + 2) + b^2) / 2` near zero, and the logarithm of what is 1 more elsewhere.
    fn log_plus_one(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        let next = [self.plus(x[0], 1.0)?, x[1]];
        let far = self.log_of_size(next)?;
        let two = self.plus(x[0], 2.0)?;
        let product = self.mul(x[0], two)?;
        let square = self.square(x[1])?;
        let above = self.add(product, square)?;
        let near = self.f("log_plus_one", &[above])?;
        let near = self.times(near, 0.5)?;
        let off = self.abs(above)?;
        let re = self.select("compare_lt", off, 0.5, near, far)?;
        Ok([re, self.f("atan2", &[x[1], next[0]])?])
    }

    /// `(1 + tanh(x / 2)) / 2`; far left, where that cancels, e^x.
    fn logistic(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        let half = [self.times(x[0], 0.5)?, self.times(x[1], 0.5)?];
        let t = self.tanh_of(half)?;
        let [re, im] = [self.times(t[0], 0.5)?, self.times(t[1], 0.5)?];
        let re = self.plus(re, 0.5)?;
        // e^x / (1 + e^x)
        let e = self.exp(x)?;
        let below = [self.plus(e[0], 1.0)?, e[1]];
        let left = self.quotient(e, below)?;
        Ok([self.select("compare_lt", x[0], -1.0, left[0], re)?, self.select("compare_lt", x[0], -1.0, left[1], im)?])
    }

    /// With `t = root((|a| + |x|) / 2)`: `t` and `b / 2t`, the other way round where `a` is negative. Very large and very small numbers
    /// are scaled by a power of 4.
    pub(super) fn root(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        let (large, up, down) = if self.is_wide() { (1e300, 540, -256) } else { (1e37, 60, -32) };
        let [re, im] = [self.abs(x[0])?, self.abs(x[1])?];
        let largest = self.f("maximum", &[re, im])?;
        let [up_by, down_by, one] = [self.c(2f64.powi(up)), self.c(2f64.powi(down)), self.c(1.0)];
        let scale = self.select("compare_gt", largest, large, down_by, one)?;
        let scale = self.select("compare_lt", largest, 1.0 / large, up_by, scale)?;
        let [up_by, down_by] = [self.c(2f64.powi(-up / 2)), self.c(2f64.powi(-down / 2))];
        let back = self.select("compare_gt", largest, large, down_by, one)?;
        let back = self.select("compare_lt", largest, 1.0 / large, up_by, back)?;
        let near = [self.mul(x[0], scale)?, self.mul(x[1], scale)?];
        let size = self.size(near)?;
        let leg = self.abs(near[0])?;
        let sum = self.add(leg, size)?;
        let half = self.times(sum, 0.5)?;
        let t = self.f("sqrt", &[half])?;
        let double = self.times(t, 2.0)?;
        let other = self.div(near[1], double)?;
        let [t, other] = [self.mul(t, back)?, self.mul(other, back)?];
        // Zero by zero is the imaginary part; so is what an infinite one divided by infinity would be.
        let other = self.select("compare_eq", largest, 0.0, x[1], other)?;
        let other = self.select("compare_eq", im, f64::INFINITY, x[1], other)?;
        let (turned, size) = (self.with_sign(t, x[1])?, self.abs(other)?);
        Ok([self.select("compare_lt", x[0], 0.0, size, t)?, self.select("compare_lt", x[0], 0.0, turned, other)?])
    }

    /// The conjugate of the root, divided by the absolute value.
    fn inverse_root(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        let [re, im] = self.root(x)?;
        let size = self.size(x)?;
        let [re, im] = [self.div(re, size)?, self.div(im, size)?];
        let im = self.neg(im)?;
        let (infinity, zero) = (self.c(f64::INFINITY), self.c(0.0));
        let re = self.select("compare_eq", size, 0.0, infinity, re)?;
        Ok([
            self.select("compare_eq", size, f64::INFINITY, zero, re)?,
            self.select("compare_eq", size, f64::INFINITY, zero, im)?,
        ])
    }

    fn cube_root(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        let size = self.size(x)?;
        let size = self.f("cbrt", &[size])?;
        let angle = self.f("atan2", &[x[1], x[0]])?;
        let angle = self.times(angle, 1.0 / 3.0)?;
        self.polar(size, angle)
    }

    /// `-i log((x + i y) / root(x^2 + y^2))`
    fn angle(&mut self, y: ComplexParts, x: ComplexParts) -> Result<ComplexParts, String> {
        let turned = self.by_i(y)?;
        let up = [self.add(x[0], turned[0])?, self.add(x[1], turned[1])?];
        let [x, y] = [self.product(x, x)?, self.product(y, y)?];
        let sum = [self.add(x[0], y[0])?, self.add(x[1], y[1])?];
        let below = self.root(sum)?;
        let unit = self.quotient(up, below)?;
        let [re, im] = self.log(unit)?;
        Ok([im, self.neg(re)?])
    }

    fn polar(&mut self, size: ValueId, angle: ValueId) -> Result<ComplexParts, String> {
        let [cos, sin] = [self.f("cosine", &[angle])?, self.f("sine", &[angle])?];
        Ok([self.mul(size, cos)?, self.mul(size, sin)?])
    }

    /// `|x|^c e^(-d angle)` at the angle `c angle + d log |x|`. To the power of zero all is 1, and zero to any power to the right is 0.
    fn power(&mut self, x: ComplexParts, [c, d]: ComplexParts) -> Result<ComplexParts, String> {
        let (size, log) = (self.size(x)?, self.log_of_size(x)?);
        let angle = self.f("atan2", &[x[1], x[0]])?;
        let turn = self.mul(d, angle)?;
        let turn = self.neg(turn)?;
        let [power, e] = [self.f("power", &[size, c])?, self.f("exponential", &[turn])?];
        let length = self.mul(power, e)?;
        let [first, second] = [self.mul(c, angle)?, self.mul(d, log)?];
        let angle = self.add(first, second)?;
        let [mut re, mut im] = self.polar(length, angle)?;
        let (zero, one) = (self.c(0.0), self.c(1.0));
        let [none, right] = [self.f("compare_eq", &[size, zero])?, self.f("compare_gt", &[c, zero])?];
        let gone = self.f("and", &[none, right])?;
        re = self.i.select(gone, zero, re)?;
        im = self.i.select(gone, zero, im)?;
        let [c_zero, d_zero] = [self.f("compare_eq", &[c, zero])?, self.f("compare_eq", &[d, zero])?];
        let unit = self.f("and", &[c_zero, d_zero])?;
        Ok([self.i.select(unit, one, re)?, self.i.select(unit, zero, im)?])
    }

    /// `sin a cosh b`, `cos a sinh b`.
    fn sine(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        let [sin, cos] = [self.f("sine", &[x[0]])?, self.f("cosine", &[x[0]])?];
        let [cosh, sinh] = [self.cosh(x[1])?, self.sinh(x[1])?];
        Ok([self.mul(sin, cosh)?, self.mul(cos, sinh)?])
    }

    /// `cos a cosh b`, `-sin a sinh b`.
    fn cosine(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        let [sin, cos] = [self.f("sine", &[x[0]])?, self.f("cosine", &[x[0]])?];
        let [cosh, sinh] = [self.cosh(x[1])?, self.sinh(x[1])?];
        let im = self.mul(sin, sinh)?;
        Ok([self.mul(cos, cosh)?, self.neg(im)?])
    }

    /// With `s = sinh a`: `s cosh a / (cos^2 b + s^2)` and `sin b cos b / (cos^2 b + s^2)`. Far out, 1 with the sign of `a`, and
    /// `4 sin b cos b e^(-2 |a|)`.
    fn tanh_of(&mut self, x: ComplexParts) -> Result<ComplexParts, String> {
        let [sin, cos] = [self.f("sine", &[x[1]])?, self.f("cosine", &[x[1]])?];
        let product = self.mul(sin, cos)?;
        let far = self.c(20.0);
        let (minus_far, size) = (self.c(-20.0), self.abs(x[0])?);
        let inside = self.f("maximum", &[x[0], minus_far])?;
        let inside = self.f("minimum", &[inside, far])?;
        let [s, c] = [self.sinh(inside)?, self.cosh(inside)?];
        let [squares, up] = [[self.square(s)?, self.square(cos)?], [self.mul(s, c)?, product]];
        let below = self.add(squares[0], squares[1])?;
        let [re, im] = [self.div(up[0], below)?, self.div(up[1], below)?];
        let one = self.c(1.0);
        let unit = self.with_sign(one, x[0])?;
        let double = self.times(size, -2.0)?;
        let e = self.f("exponential", &[double])?;
        let small = self.mul(e, product)?;
        let small = self.times(small, 4.0)?;
        let small = self.select("compare_eq", size, f64::INFINITY, e, small)?;
        Ok([self.select("compare_gt", size, 20.0, unit, re)?, self.select("compare_gt", size, 20.0, small, im)?])
    }
}
