//! The programs of all ranks as one, for the interpreter.

use super::{Parts, Whole};
use meshloom_certify::staged::{RankInput, RankOutput};
use meshloom_ir::copy::{ValueMap, graft};
use meshloom_ir::{Builder, Func, OpId, Port, Role};

/// One program of those of all ranks, in any order in which they can run, and which layers its inputs and outputs are.
pub fn together(local: &Func, w: &Whole) -> Option<(Func, (Parts, Parts))> {
    let mut b = Builder::new("together", local.mesh.clone());
    let mut layers = (Parts::new(), Parts::new());
    let mut maps: Vec<ValueMap> = vec![ValueMap::new(); w.0.len()];
    for (k, r) in w.0.iter().enumerate() {
        for (i, s) in r.inputs.iter().enumerate() {
            let RankInput::Input { input, layers: l } = *s else { continue };
            let of = r.func.body().args[i];
            let v = b.input(r.func.ty(of).clone(), r.func.inputs[i].clone());
            b.func.values[v.index()].layout.clone_from(&r.func.value(of).layout);
            layers.0.push((input, l));
            maps[k].insert(of, v);
        }
    }
    let mut left: Vec<Vec<OpId>> = w.0.iter().map(|r| r.func.body().ops.clone()).collect();
    while left.iter().any(|ops| !ops.is_empty()) {
        let before: usize = left.iter().map(Vec::len).sum();
        for (k, r) in w.0.iter().enumerate() {
            for (i, s) in r.inputs.iter().enumerate() {
                let RankInput::Received { from, .. } = *s else { continue };
                let sender = &w.0[from].func;
                let at = sender.outputs.iter().position(|p| p.role == Role::Sent && p.name == r.func.inputs[i].name)?;
                if let Some(&v) = maps[from].get(&sender.body().yields[at]) {
                    maps[k].insert(r.func.body().args[i], v);
                }
            }
            left[k].retain(|&o| {
                let ready = r.func.op(o).operands.iter().all(|x| maps[k].contains_key(x));
                if ready {
                    graft(&mut b, &r.func, o, &mut maps[k]);
                }
                !ready
            });
        }
        if left.iter().map(Vec::len).sum::<usize>() == before {
            return None;
        }
    }
    for (k, r) in w.0.iter().enumerate() {
        for (o, t) in r.outputs.iter().enumerate() {
            let RankOutput::Output { output, layers: l } = *t else { continue };
            let port = Port { updates: None, ..r.func.outputs[o].clone() };
            b.output(*maps[k].get(&r.func.body().yields[o])?, port);
            layers.1.push((output, l));
        }
    }
    Some((b.finish(), layers))
}
