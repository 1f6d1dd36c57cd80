//! Sine, cosine and the angle of a point, in f64 whatever the operands: an f32 result is then within one unit in the last place.
//!
//! Coefficients and error bounds are fdlibm's. What sine and cosine are of is the rest that [`super::quarters`] leaves of an angle.

use super::builder::{Builder, Val};
use super::quarters;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// (sin(r) / r - 1) / r^2 and (cos(r) - 1 + r^2 / 2) / r^4 in r^2 on |r| <= pi/4, high degree first.
const SINE: [f64; 6] = [
    1.58969099521155e-10,
    -2.5050760253406863e-08,
    2.7557313707070068e-06,
    -0.0001984126982985795,
    0.00833333333332249,
    -0.16666666666666632,
];
const COSINE: [f64; 6] = [
    -1.1359647557788195e-11,
    2.087572321298175e-09,
    -2.7557314351390663e-07,
    2.480158728947673e-05,
    -0.001388888888887411,
    0.0416666666666666,
];
/// (1 - atan(t) / t) / t^2 in t^2 on |t| < 7/16, high degree first.
const ATAN: [f64; 11] = [
    0.016285820115365782,
    -0.036531572744216916,
    0.049768779946159324,
    -0.058335701337905735,
    0.06661073137387531,
    -0.0769187620504483,
    0.09090887133436507,
    -0.11111110405462356,
    0.14285714272503466,
    -0.19999999999876483,
    0.3333333333333293,
];

/// The size of `x` with the sign of `sign`, zeros included.
pub fn copy_sign(b: &mut Builder, x: Val, sign: Val) -> Val {
    b.apply("math.copysign", x, sign)
}

/// Horner's scheme, the highest power first.
pub fn polynomial(b: &mut Builder, x: Val, coefficients: &[f64]) -> Val {
    let ty = b.ty(x);
    let first = b.float(ty, coefficients[0]);
    coefficients[1..].iter().fold(first, |sum, &c| {
        let c = b.float(ty, c);
        b.multiply_add(sum, x, c)
    })
}

/// `sin(x + quarter * pi/2)`.
pub fn sine(b: &mut Builder, x: Val, quarter: u32) -> Val {
    let y = quarters::of_angle(b, x, |b, rest| sine_of_rest(b, rest, quarter));
    if quarter > 0 {
        return y;
    }
    // Sums have lost the sign of a zero.
    let ty = b.ty(x);
    let zero = b.float(ty, 0.0);
    let none = b.compare("oeq", x, zero);
    b.select(none, x, y)
}

/// `sin(r + (k + quarter) * pi/2)`.
fn sine_of_rest(b: &mut Builder, [r, k]: [Val; 2], quarter: u32) -> Val {
    let ty = b.ty(r);
    let [one, half, four] = [1.0, 0.5, 0.25].map(|c| b.float(ty, c));
    let z = b.binary("mulf", r, r);
    let (p, q) = (polynomial(b, z, &SINE), polynomial(b, z, &COSINE));
    let cube = b.binary("mulf", z, r);
    let sin = b.multiply_add(p, cube, r);
    // 1 - z/2 rounds; what it lost is added to the rest.
    let halved = b.binary("mulf", z, half);
    let near = b.binary("subf", one, halved);
    let back = b.binary("subf", one, near);
    let lost = b.binary("subf", back, halved);
    let square = b.binary("mulf", z, z);
    let rest = b.multiply_add(q, square, lost);
    let cos = b.binary("addf", near, rest);
    // Which quarter of the circle: (k + quarter) mod 4, in floats, which hold every k.
    let shift = b.float(ty, f64::from(quarter));
    let at = b.binary("addf", k, shift);
    let cycles = b.binary("mulf", at, four);
    let floor = b.unary("math.floor", cycles);
    let part = b.binary("subf", cycles, floor);
    let quarter_turn = b.compare("oeq", part, four);
    let three = b.float(ty, 0.75);
    let last = b.compare("oeq", part, three);
    let odd = b.binary("ori", quarter_turn, last);
    let size = b.select(odd, cos, sin);
    let negative = b.compare("oge", part, half);
    let flipped = b.unary("arith.negf", size);
    b.select(negative, flipped, size)
}

/// The angle of the point (x, y), in -pi..pi.
pub fn atan2(b: &mut Builder, y: Val, x: Val) -> Val {
    let ty = b.ty(x);
    let [zero, one, eighth, inf] = [0.0, 1.0, 0.414_213_562_373_095_03, f64::INFINITY].map(|c| b.float(ty, c));
    let [quarter, half, whole] = [FRAC_PI_4, FRAC_PI_2, PI].map(|c| b.float(ty, c));
    let (a, c) = (b.unary("math.absf", y), b.unary("math.absf", x));
    let (large, small) = (b.binary("maximumf", a, c), b.binary("minimumf", a, c));
    let mut t = b.binary("divf", small, large);
    // Two zeros are the angle 0, two infinities that of the diagonal.
    let none = b.compare("oeq", large, zero);
    t = b.select(none, zero, t);
    let diagonal = b.compare("oeq", small, inf);
    t = b.select(diagonal, one, t);
    // Beyond tan(pi/8) the angle to the diagonal is the smaller one.
    let (up, down) = (b.binary("addf", t, one), b.binary("subf", t, one));
    let turned = b.binary("divf", down, up);
    let far = b.compare("ogt", t, eighth);
    let t = b.select(far, turned, t);
    let base = b.select(far, quarter, zero);
    let z = b.binary("mulf", t, t);
    let p = polynomial(b, z, &ATAN);
    let product = b.binary("mulf", p, z);
    let minus = b.unary("arith.negf", product);
    let near = b.multiply_add(minus, t, t);
    let mut angle = b.binary("addf", base, near);
    let steep = b.compare("ogt", a, c);
    let from_half = b.binary("subf", half, angle);
    angle = b.select(steep, from_half, angle);
    // Left of the axis, minus zero included.
    let side = copy_sign(b, one, x);
    let left = b.compare("olt", side, zero);
    let from_whole = b.binary("subf", whole, angle);
    angle = b.select(left, from_whole, angle);
    copy_sign(b, angle, y)
}
