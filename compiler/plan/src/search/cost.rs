//! What the search minimises, in lexicographic order.

use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// Sums are exact and undoing a move gives the same sum again, so there are no floats here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cost {
    /// Elements computed on every device of an axis although an operand was split over it and the op could have been. To
    /// follow annotations is to compute where the data is: gathering an input to save a gradient's all_reduce is not
    /// following. Also where tensors that cannot be converted are counted ([`Cost::IMPOSSIBLE`]).
    pub idle: u64,
    /// Bytes on the wire in one step, summed over all devices: an integer, where the share of one device need not be.
    pub wire: u64,
    /// Floating point operations of one device.
    pub flops: u64,
    /// Collectives, 16 each; conversions that move nothing count 1.
    pub calls: u64,
}

impl Cost {
    pub const ZERO: Cost = Cost { idle: 0, wire: 0, flops: 0, calls: 0 };
    /// Larger than any sum of true costs, small enough that many of it add up.
    pub const IMPOSSIBLE: Cost = Cost { idle: 1 << 52, wire: 0, flops: 0, calls: 0 };

    pub fn is_impossible(self) -> bool {
        self.idle >= Cost::IMPOSSIBLE.idle
    }
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, o: Cost) -> Cost {
        Cost {
            idle: self.idle.wrapping_add(o.idle),
            wire: self.wire.wrapping_add(o.wire),
            flops: self.flops.wrapping_add(o.flops),
            calls: self.calls.wrapping_add(o.calls),
        }
    }
}

impl Sub for Cost {
    type Output = Cost;

    fn sub(self, o: Cost) -> Cost {
        Cost {
            idle: self.idle.wrapping_sub(o.idle),
            wire: self.wire.wrapping_sub(o.wire),
            flops: self.flops.wrapping_sub(o.flops),
            calls: self.calls.wrapping_sub(o.calls),
        }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, o: Cost) {
        *self = *self + o;
    }
}

impl SubAssign for Cost {
    fn sub_assign(&mut self, o: Cost) {
        *self = *self - o;
    }
}

impl Mul<u64> for Cost {
    type Output = Cost;

    /// The cost of doing it `n` times.
    fn mul(self, n: u64) -> Cost {
        Cost {
            idle: if self.is_impossible() { self.idle } else { self.idle.saturating_mul(n) },
            wire: self.wire.saturating_mul(n),
            flops: self.flops.saturating_mul(n),
            calls: self.calls.saturating_mul(n),
        }
    }
}
