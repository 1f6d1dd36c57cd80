//! What the search minimises, in lexicographic order.

use crate::moves::{Judged, Measure};
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// Sums are exact and undoing a move gives the same sum again, so there are no floats here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cost {
    /// When following: elements computed on every device of an axis although an operand was split over it and the op could
    /// have been. To follow annotations is to compute where the data is: gathering an input to save a gradient's all_reduce
    /// is not following. Also where tensors that cannot be converted are counted ([`Cost::IMPOSSIBLE`]).
    pub idle: u64,
    /// When searching: picoseconds of one step, and the price of the memory that is live.
    pub time: u64,
    /// Bytes on the wire in one step, summed over all devices: an integer, where the share of one device need not be.
    pub wire: u64,
    /// Floating point operations of one device.
    pub flops: u64,
    /// When following: bytes of one device that loops stack. Before the number of collectives: the gradient of a weight that is
    /// split is scattered in each iteration, rather than all of them, whole, behind the loop.
    pub stacked: u64,
    /// Collectives, 16 each; conversions that move nothing count 1.
    pub calls: u64,
    /// Bytes of one device that are live for long: inputs, stacks, and what they are converted to.
    pub live: u64,
}

impl Cost {
    pub const ZERO: Cost = Cost { idle: 0, time: 0, wire: 0, flops: 0, stacked: 0, calls: 0, live: 0 };
    /// Not less than any.
    pub const MOST: Cost = Cost {
        idle: u64::MAX,
        time: u64::MAX,
        wire: u64::MAX,
        flops: u64::MAX,
        stacked: u64::MAX,
        calls: u64::MAX,
        live: u64::MAX,
    };
    /// Larger than any sum of true costs, small enough that many of it add up.
    pub const IMPOSSIBLE: Cost = Cost { idle: 1 << 52, ..Cost::ZERO };

    pub fn is_impossible(self) -> bool {
        self.idle >= Cost::IMPOSSIBLE.idle
    }

    fn each(self, o: Cost, f: impl Fn(u64, u64) -> u64) -> Cost {
        Cost {
            idle: f(self.idle, o.idle),
            time: f(self.time, o.time),
            wire: f(self.wire, o.wire),
            flops: f(self.flops, o.flops),
            stacked: f(self.stacked, o.stacked),
            calls: f(self.calls, o.calls),
            live: f(self.live, o.live),
        }
    }
}

impl Judged for Cost {
    const BY: Measure = Measure::Sum;

    fn time_ps(self) -> u64 {
        self.time
    }
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, o: Cost) -> Cost {
        self.each(o, u64::wrapping_add)
    }
}

impl Sub for Cost {
    type Output = Cost;

    fn sub(self, o: Cost) -> Cost {
        self.each(o, u64::wrapping_sub)
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
        let idle = if self.is_impossible() { self.idle } else { self.idle.saturating_mul(n) };
        let times = Cost { idle: n, time: n, wire: n, flops: n, stacked: n, calls: n, live: n };
        Cost { idle, ..self.each(times, u64::saturating_mul) }
    }
}

/// What a live byte costs, in picoseconds per KiB: the multiplier by which a memory budget is met.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Rent(pub u64);

impl Rent {
    /// One under which memory counts most: minutes for each GiB.
    pub const HIGH: Rent = Rent(8u64.pow(9));

    /// A cost with the rent of what it holds.
    pub fn on(self, cost: Cost) -> Cost {
        Cost { time: cost.time.saturating_add(self.of(cost.live)), ..cost }
    }

    pub fn of(self, bytes: u64) -> u64 {
        if self.0 == 0 {
            return 0;
        }
        u64::try_from((u128::from(bytes) * u128::from(self.0)) >> 10).unwrap_or(1 << 60)
    }
}
