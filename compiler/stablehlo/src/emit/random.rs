//! Counter-based random bits: Threefry-2x32 of an element's index in the global tensor, written out in 32-bit integers, so that
//! any backend gives the bits that `ir::table::random` defines.

use super::state::{Emit, EmitRule, mismatch};
use super::text::TextValue;
use meshloom_ir::table::random::{ROTATIONS, split};
use meshloom_ir::{DType, Op, OpData};
use std::ops::Range;

pub const RULES: &[(&str, EmitRule)] = &[("random_bits", bits)];

fn bits(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Result<Vec<TextValue>, String> {
    let Op::RandomBits { shape, total, shard } = &data.op else { return mismatch() };
    let word = |e: &mut Emit<'_>, dims: Range<usize>| {
        let mut sum = e.out.int(shape, 0);
        for d in dims {
            let size = e.out.int(shape, total[d] as u32 as i32 as i64);
            sum = e.out.same("stablehlo.multiply", &[&sum, &size]);
            let own = e.out.iota(DType::I32, shape, d);
            sum = e.out.same("stablehlo.add", &[&sum, &own]);
            if let Some(axes) = shard.get(d).filter(|a| !a.is_empty()) {
                let start = e.start(axes, shape[d]);
                let start = e.out.broadcast(&start, shape, &[]);
                sum = e.out.same("stablehlo.add", &[&sum, &start]);
            }
        }
        sum
    };
    let at = split(total);
    let mut x = [word(e, 0..at), word(e, at..shape.len())];
    let part = |e: &mut Emit<'_>, i: u64| {
        let one = e.out.slice(&xs[0], &[i], &[i + 1]);
        let one = e.out.reshape(&one, &[]);
        e.out.broadcast(&one, shape, &[])
    };
    let (first, second) = (part(e, 0), part(e, 1));
    let parity = e.out.int(shape, 0x1bd1_1bda);
    let third = e.out.same("stablehlo.xor", &[&first, &second]);
    let third = e.out.same("stablehlo.xor", &[&third, &parity]);
    let keys = [first, second, third];
    x = [e.out.same("stablehlo.add", &[&x[0], &keys[0]]), e.out.same("stablehlo.add", &[&x[1], &keys[1]])];
    for round in 0..5usize {
        for r in ROTATIONS[round % 2] {
            x[0] = e.out.same("stablehlo.add", &[&x[0], &x[1]]);
            let (left, right) = (e.out.int(shape, r.into()), e.out.int(shape, 32 - i64::from(r)));
            let high = e.out.same("stablehlo.shift_left", &[&x[1], &left]);
            let low = e.out.same("stablehlo.shift_right_logical", &[&x[1], &right]);
            let turned = e.out.same("stablehlo.or", &[&high, &low]);
            x[1] = e.out.same("stablehlo.xor", &[&turned, &x[0]]);
        }
        x[0] = e.out.same("stablehlo.add", &[&x[0], &keys[(round + 1) % 3]]);
        let number = e.out.int(shape, round as i64 + 1);
        let key = e.out.same("stablehlo.add", &[&keys[(round + 2) % 3], &number]);
        x[1] = e.out.same("stablehlo.add", &[&x[1], &key]);
    }
    let [first, _] = x;
    Ok(vec![first])
}
