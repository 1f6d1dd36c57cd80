//! Loops as `stablehlo.while` over a counter, in the form of `lax.scan`. A loop that ends early asks its first carry too.
//! Composites are written as their bodies.

use super::state::{Emit, EmitRule, mismatch};
use super::text::{TextValue, tensor};
use meshloom_ir::op::UNBOUNDED;
use meshloom_ir::types::Scalar;
use meshloom_ir::{DType, Op, OpData, TensorType};

type Made = Result<Vec<TextValue>, String>;

pub const RULES: &[(&str, EmitRule)] = &[("repeat", repeat), ("while", repeat), ("composite", composite)];

fn composite(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    Ok(e.region(data.regions[0], xs))
}

fn repeat(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let &Op::Repeat { trip, reverse, carries, xs: stacked, early } = &data.op else { return mismatch() };
    if trip != UNBOUNDED && i32::try_from(trip).is_err() {
        return Err(format!("its {trip} iterations are more than an i32 counts"));
    }
    let ys: Vec<TensorType> = data.results[carries..].iter().map(|&r| e.func.ty(r).clone()).collect();
    let counter = e.out.int(&[], 0);
    let mut init = vec![counter];
    init.extend(xs.iter().cloned());
    for ty in &ys {
        init.push(e.out.splat(ty.dtype, &ty.shape, Scalar::of(ty.dtype, 0.0)));
    }
    let types: Vec<TensorType> = init.iter().map(|v| v.ty.clone()).collect();
    let (made, names) = e.out.several(&types);
    let args: Vec<TextValue> = types.iter().map(|t| e.out.fresh(t.clone())).collect();
    let pairs: Vec<String> = args.iter().zip(&init).map(|(a, i)| format!("{} = {}", a.name, i.name)).collect();
    let written: Vec<String> = types.iter().map(tensor).collect();
    e.out.line(&format!("{names} = stablehlo.while({}) : {}", pairs.join(", "), written.join(", ")));
    e.out.open("cond {");
    // The first carry of a loop that ends early says whether it goes on.
    let more = match (trip, early) {
        (UNBOUNDED, true) => args[1].clone(),
        _ => {
            let end = e.out.int(&[], trip as i64);
            let more = e.out.compare("LT", &args[0], &end);
            if early { e.out.same("stablehlo.and", &[&more, &args[1]]) } else { more }
        }
    };
    e.out.line(&format!("stablehlo.return {} : {}", more.name, more.tensor()));
    e.out.close("} do {", true);
    let at = match reverse {
        false => args[0].clone(),
        true => {
            let last = e.out.int(&[], trip as i64 - 1);
            e.out.same("stablehlo.subtract", &[&last, &args[0]])
        }
    };
    let zero = e.out.int(&[], 0);
    let inner = &args[1..=xs.len()];
    let mut given = inner[..carries].to_vec();
    for x in &inner[carries..carries + stacked] {
        let starts: Vec<&TextValue> = (0..x.shape().len()).map(|d| if d == 0 { &at } else { &zero }).collect();
        let mut sizes = x.shape().to_vec();
        sizes[0] = 1;
        let row = e.out.dynamic_slice(x, &starts, &sizes);
        given.push(e.out.reshape(&row, &sizes[1..]));
    }
    given.extend(inner[carries + stacked..].iter().cloned());
    let yields = e.region(data.regions[0], &given);
    let one = e.out.int(&[], 1);
    let mut next = vec![e.out.same("stablehlo.add", &[&args[0], &one])];
    next.extend(yields[..carries].iter().cloned());
    next.extend(inner[carries..].iter().cloned());
    for (row, all) in yields[carries..].iter().zip(&args[1 + xs.len()..]) {
        next.push(stored(e, all, row, &at, &zero));
    }
    let list: Vec<&str> = next.iter().map(|v| v.name.as_str()).collect();
    e.out.line(&format!("stablehlo.return {} : {}", list.join(", "), written.join(", ")));
    e.out.close("}", false);
    let mut results = made[1..=carries].to_vec();
    results.extend(made[1 + xs.len()..].iter().cloned());
    Ok(results)
}

/// `all` with a row at place `at`.
fn stored(e: &mut Emit<'_>, all: &TextValue, row: &TextValue, at: &TextValue, zero: &TextValue) -> TextValue {
    let mut shape = all.shape().to_vec();
    shape[0] = 1;
    let row = e.out.reshape(row, &shape);
    let mut operands = vec![all, &row];
    operands.extend((0..shape.len()).map(|d| if d == 0 { at } else { zero }));
    let names: Vec<&str> = operands.iter().map(|v| v.name.as_str()).collect();
    let ty = TensorType::new(all.ty.dtype, all.shape());
    assert!(at.ty.dtype == DType::I32, "counters are i32");
    e.out.typed(&format!("stablehlo.dynamic_update_slice {}", names.join(", ")), &operands, ty)
}
