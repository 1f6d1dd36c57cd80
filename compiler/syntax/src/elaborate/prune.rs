//! Leaves out ops that no output needs: fields of a list entry that a loop does not read, results that nothing names.
//! Planning would otherwise pay for them.

use meshloom_ir::{Func, OpId, RegionId};

/// Removes dead ops from their regions. Ids stay; what is removed is merely in no region.
pub fn prune(func: &mut Func) {
    let mut live = vec![false; func.values.len()];
    prune_region(func, Func::BODY, &mut live);
}

/// One region, last op first, so that one pass finds all. The body of an op that is kept yields all its results.
fn prune_region(func: &mut Func, region: RegionId, live: &mut [bool]) {
    for v in func.region(region).yields.clone() {
        live[v.index()] = true;
    }
    let ops = func.region(region).ops.clone();
    let mut kept: Vec<OpId> = Vec::new();
    for &op in ops.iter().rev() {
        let data = func.op(op).clone();
        if !data.results.iter().any(|r| live[r.index()]) {
            continue;
        }
        kept.push(op);
        for v in data.operands {
            live[v.index()] = true;
        }
        for r in data.regions {
            prune_region(func, r, live);
        }
    }
    kept.reverse();
    func.regions[region.index()].ops = kept;
}
