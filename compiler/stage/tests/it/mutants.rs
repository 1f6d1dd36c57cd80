//! The checker of staged programs refuses what is wrong, and says why. Each mutant is a change of the ranks' programs, of what their
//! ports are said to be, or of their steps. `damage` lists the kinds, with the least number of each that must be found.
//! What is accepted nevertheless computes the same: the interpreter runs it on simulated devices.

use crate::damage::{self, Whole};
use crate::scheduled::{named, proved};
use crate::stages::{Entry, model, planned};
use crate::state;
use meshloom_certify::staged::{self, RankStep};
use meshloom_driver::certified::described;
use meshloom_ir::interp::spmd::{run_for, run_global};
use meshloom_ir::verify::verify;
use meshloom_ir::{Func, Tensor};
use meshloom_random::inputs;
use meshloom_strategy::rank_program::ranks;
use std::collections::BTreeMap;

struct Base {
    global: Func,
    local: Func,
    whole: Whole,
}

fn base(text: &str, mesh: &[(&str, u64)], layout: &str, sizes: &[u64], name: &str, count: u32) -> Base {
    let Entry { global, local } = planned(text, mesh, layout);
    let all = ranks(&local, &global, "blocks", sizes, &named(name, count, 4)).unwrap_or_else(|e| panic!("{e}"));
    let made = proved(name, &all);
    let ranks = all.iter().zip(&made).map(|(r, m)| {
        let d = described(r, &m.program).expect("the instructions are those of the rank");
        damage::Owned { func: d.func.clone(), inputs: d.inputs, outputs: d.outputs, actions: d.actions, steps: d.steps }
    });
    let whole = Whole(ranks.collect());
    assert!(staged::check(&local, &whole.ranks()).is_ok());
    Base { global, local, whole }
}

fn bases() -> Vec<Base> {
    let (clipped, tied) = (model(false, ", clip: 1.0"), model(true, ""));
    vec![
        base(&clipped, &[("data", 2), ("model", 1)], "fsdp", &[2, 2, 1], "zb-h1", 3),
        base(&tied, &[("data", 2), ("model", 2)], "megatron", &[1, 1, 1, 2], "zb-v", 2),
        base(&state::model(", accumulate: 4"), &[("data", 1), ("model", 1)], "dp", &[2, 2], "1f1b", 2),
    ]
}

/// Where what is accepted computes something else.
fn difference(b: &Base, whole: &Whole) -> Option<String> {
    let Some((together, layers)) = damage::together::together(&b.local, whole) else { return Some("no order".into()) };
    verify(&together).ok()?;
    let data = inputs(&b.global, 7);
    let part = |t: &Tensor, rows: Option<(u64, u64)>| match rows {
        Some((lo, hi)) => t.block(0, lo as usize, (hi - lo) as usize),
        None => t.clone(),
    };
    let given: Vec<Tensor> = layers.0.iter().map(|l| part(&data[l.0], l.1)).collect();
    let (wanted, _) = run_for(&b.global, &b.local, &data).unwrap();
    let (got, _) = run_global(&together, &given).unwrap();
    got.iter().zip(&layers.1).find_map(|(y, l)| {
        let x = part(&wanted[l.0], l.1);
        let off = (0..x.len()).map(|i| (x.f(i) - y.f(i)).abs() / (1.0 + x.f(i).abs())).fold(0.0, f64::max);
        (off > 1e-4).then(|| format!("output {} is {off} off", l.0))
    })
}

/// Programs and ports.
#[test]
fn damaged_programs_are_refused() {
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut harmless, mut unverified) = (0, 0);
    for b in bases() {
        for (kind, mutants) in damage::programs(&b.whole) {
            for m in mutants {
                match staged::values(&b.local, &m.ranks()) {
                    Err(why) => {
                        assert!(why.iter().all(|r| !r.message.is_empty()), "{kind}");
                        unverified += usize::from(why.iter().any(|r| r.message.contains("does not verify")));
                        if refused.insert(kind, refused.get(kind).copied().unwrap_or(0) + 1).is_none() {
                            println!("{kind}: {}", why[0]);
                        }
                    }
                    Ok(_) => {
                        harmless += 1;
                        if let Some(d) = difference(&b, &m) {
                            panic!("accepted: {kind}: {d}");
                        }
                    }
                }
            }
        }
    }
    println!("harmless: {harmless}, not verified: {unverified}");
    compare(&refused, damage::PROGRAMS);
}

/// What is done when.
#[test]
fn damaged_orders_are_refused() {
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    for b in bases() {
        for (kind, mutants) in damage::order::orders(&b.whole) {
            for m in mutants {
                let Err(why) = staged::order(&m.ranks()) else {
                    let steps: Vec<&Vec<RankStep>> = m.0.iter().map(|r| &r.steps).collect();
                    panic!("accepted: {kind}: {steps:?}")
                };
                if refused.insert(kind, refused.get(kind).copied().unwrap_or(0) + 1).is_none() {
                    println!("{kind}: {}", why[0]);
                }
            }
        }
    }
    compare(&refused, damage::order::ORDERS);
}

fn compare(found: &BTreeMap<&str, usize>, listed: &[(&str, usize)]) {
    for (kind, n) in found {
        println!("{n:6}  {kind}");
    }
    for (kind, least) in listed {
        let n = found.get(kind).copied().unwrap_or(0);
        assert!(n >= *least, "{n} of `{kind}`");
    }
    let unknown = found.keys().find(|k| !listed.iter().any(|l| l.0 == **k));
    assert_eq!(unknown, None, "not in the list");
}
