//! The checker refuses what is wrong, and says where: plans changed in all the ways of `support::mutate`.

mod support;

use meshloom_certify::check;
use std::collections::BTreeMap;
use support::{dice, mutate, programs};

#[test]
fn every_mutant_is_rejected_with_the_op_named() {
    let mut rejected: BTreeMap<&str, usize> = BTreeMap::new();
    for global in programs::all() {
        for seed in 0..2 {
            let p = dice::plan(&global, seed);
            for m in mutate::all(&p).iter().filter(|m| !m.may_hold) {
                let what = || {
                    format!(
                        "{} (seed {seed}), {} near {:?}:\n{}",
                        global.name,
                        m.kind,
                        m.around,
                        meshloom_ir::print::print(&m.local)
                    )
                };
                match check(&p.global, &m.local, &m.cert) {
                    Ok(_) => panic!("accepted: {}", what()),
                    Err(why) => {
                        let named = why.iter().any(|r| match r.op {
                            // A doubled op is one that the plan did not have.
                            Some(o) => {
                                let added = o.index() >= p.local.ops.len();
                                (added || m.around.contains(&o)) && !r.text.is_empty()
                            }
                            None => false,
                        });
                        // Only what reaches an output with no op between can be wrong without one.
                        let port = why.iter().all(|r| r.op.is_none() && r.message.contains("put `"));
                        assert!(named || port, "{}\n{}", why[0], what());
                        *rejected.entry(m.kind).or_default() += 1;
                    }
                }
            }
        }
    }
    println!("{rejected:#?}");
    assert!(rejected.len() >= 30, "{} kinds", rejected.len());
    assert!(rejected.values().sum::<usize>() >= 1000);
}
