//! The checker refuses what is wrong, and says where: plans changed in all the ways of `support::mutate`.

mod support;

use std::collections::BTreeMap;
use support::{dice, mutate, programs};

#[test]
fn every_mutant_is_rejected_with_the_op_named() {
    let mut rejected: BTreeMap<&str, usize> = BTreeMap::new();
    for global in programs::all() {
        let p = dice::plan(&global, 1);
        for m in mutate::all(&p).iter().filter(|m| !m.may_hold) {
            if let Err(e) = m.is_rejected(&p) {
                panic!("{}, {e}:\n{}", global.name, meshloom_ir::print::print(&m.local));
            }
            *rejected.entry(m.kind).or_default() += 1;
        }
    }
    assert!(rejected.len() >= 30, "{} kinds", rejected.len());
    assert!(rejected.values().sum::<usize>() >= 1000);
}
