//! Damage to what ports are said to be, to what they are read and written with, and to wires.

use super::{Mutants, Owned, Whole, places};
use meshloom_certify::staged::{RankInput, RankOutput};
use meshloom_ir::{Init, Role, Scalar, ValueId};

#[allow(clippy::too_many_lines, reason = "a list of kinds")]
pub fn ports(w: &Whole) -> Mutants {
    let inputs = |r: &Owned| r.inputs.len();
    let outputs = |r: &Owned| r.outputs.len();
    let given = |r: &Owned, i: usize| matches!(r.inputs[i], RankInput::Input { .. });
    let kept = |r: &Owned, o: usize| matches!(r.outputs[o], RankOutput::Output { .. });
    // Another port of one type, of those for which `of` holds.
    fn like(r: &Owned, all: &[ValueId], i: usize, of: impl Fn(usize) -> bool) -> Option<usize> {
        (0..all.len()).find(|&j| j != i && all[j] != all[i] && of(j) && r.func.ty(all[j]) == r.func.ty(all[i]))
    }
    let mut out: Mutants = Vec::new();
    out.push((
        "an output is another value",
        places(w, outputs, |r, o| {
            let v = r.func.body().yields[o];
            let fits = |x: &ValueId| {
                *x != v && r.func.ty(*x) == r.func.ty(v) && r.func.value(*x).layout == r.func.value(v).layout
            };
            let all: Vec<ValueId> =
                r.func.body().ops.iter().rev().flat_map(|&x| &r.func.op(x).results).copied().filter(fits).collect();
            let Some(&new) = all.first() else { return false };
            r.func.regions[0].yields[o] = new;
            kept(r, o)
        }),
    ));
    out.push((
        "an update is left out",
        places(w, outputs, |r, o| {
            let Some(i) = r.func.outputs[o].updates else { return false };
            r.func.regions[0].yields[o] = r.func.body().args[i];
            true
        }),
    ));
    out.push((
        "updates another input",
        places(w, outputs, |r, o| {
            let Some(i) = r.func.outputs[o].updates else { return false };
            let args = r.func.body().args.clone();
            let Some(j) = like(r, &args, i, |j| given(r, j)) else { return false };
            r.func.outputs[o].updates = Some(j);
            true
        }),
    ));
    out.push(("updates nothing", places(w, outputs, |r, o| r.func.outputs[o].updates.take().is_some())));
    out.push((
        "an output left out",
        places(w, outputs, |r, o| {
            r.func.outputs.remove(o);
            r.func.regions[0].yields.remove(o);
            matches!(r.outputs.remove(o), RankOutput::Output { .. })
        }),
    ));
    out.push((
        "outputs exchanged",
        places(w, outputs, |r, o| {
            let all = r.func.body().yields.clone();
            let Some(p) = like(r, &all, o, |p| kept(r, p) && r.func.outputs[p].role == r.func.outputs[o].role) else {
                return false;
            };
            r.func.regions[0].yields.swap(o, p);
            kept(r, o)
        }),
    ));
    out.push((
        "another input",
        places(w, inputs, |r, i| match &mut r.inputs[i] {
            RankInput::Input { input, .. } => {
                *input = input.wrapping_sub(1);
                true
            }
            RankInput::Received { .. } => false,
        }),
    ));
    out.push((
        "layers of another run",
        places(w, inputs, |r, i| match &mut r.inputs[i] {
            RankInput::Input { layers: Some((lo, hi)), .. } => {
                (*lo, *hi) = if *lo > 0 { (*lo - 1, *hi - 1) } else { (*lo + 1, *hi + 1) };
                true
            }
            _ => false,
        }),
    ));
    out.push((
        "layers of an output of another run",
        places(w, outputs, |r, o| match &mut r.outputs[o] {
            RankOutput::Output { layers: Some((lo, hi)), .. } => {
                (*lo, *hi) = if *lo > 0 { (*lo - 1, *hi - 1) } else { (*lo + 1, *hi + 1) };
                true
            }
            _ => false,
        }),
    ));
    out.push((
        "a layer more",
        places(w, inputs, |r, i| match &mut r.inputs[i] {
            RankInput::Input { layers: Some((_, hi)), .. } => {
                *hi += 1;
                true
            }
            _ => false,
        }),
    ));
    out.push((
        "all layers",
        places(w, inputs, |r, i| match &mut r.inputs[i] {
            RankInput::Input { layers, .. } => layers.take().is_some(),
            RankInput::Received { .. } => false,
        }),
    ));
    out.push((
        "inputs exchanged",
        places(w, inputs, |r, i| {
            let args = r.func.body().args.clone();
            let Some(j) = like(r, &args, i, |j| given(r, j)) else { return false };
            r.inputs.swap(i, j);
            given(r, i)
        }),
    ));
    out.push((
        "another initial value",
        places(w, inputs, |r, i| {
            let init = &mut r.func.inputs[i].init;
            *init = Some(match init {
                Some(Init::Constant(_)) => Init::Normal(0.5f64.to_bits()),
                _ => Init::Constant(Scalar::float(3.0)),
            });
            given(r, i)
        }),
    ));
    out.push((
        "another role",
        places(w, inputs, |r, i| {
            let role = &mut r.func.inputs[i].role;
            *role = if *role == Role::Parameter { Role::State } else { Role::Parameter };
            true
        }),
    ));
    out.push((
        "another range",
        places(w, inputs, |r, i| match &mut r.func.inputs[i].range {
            Some(range) => {
                range.1 += 1;
                true
            }
            None => false,
        }),
    ));
    out.push((
        "another name",
        places(w, inputs, |r, i| {
            r.func.inputs[i].name += "x";
            true
        }),
    ));
    out.push((
        "begins with another layer",
        places(w, inputs, |r, i| {
            r.func.inputs[i].first_layer += 1;
            r.func.inputs[i].stacked
        }),
    ));
    out.push((
        "another type of device layout",
        places(w, inputs, |r, i| {
            let v = r.func.body().args[i];
            let Some(l) = &mut r.func.values[v.index()].layout else { return false };
            match l.dims.iter_mut().find(|d| !d.is_empty()) {
                Some(d) => d.clear(),
                None => return false,
            }
            given(r, i)
        }),
    ));
    out
}

#[allow(clippy::too_many_lines, reason = "a list of kinds")]
pub fn wires(w: &Whole) -> Mutants {
    let inputs = |r: &Owned| r.inputs.len();
    let outputs = |r: &Owned| r.outputs.len();
    let mut out: Mutants = Vec::new();
    out.push((
        "wires exchanged by the sender",
        places(w, outputs, |r, o| {
            let RankOutput::Sent { each, .. } = r.outputs[o] else { return false };
            let f = &r.func;
            let y = &f.body().yields;
            let fits = |p: usize| {
                matches!(r.outputs[p], RankOutput::Sent { each: e, .. } if e == each)
                    && y[p] != y[o]
                    && f.ty(y[p]) == f.ty(y[o])
            };
            let Some(p) = (0..o).find(|&p| fits(p)) else { return false };
            r.func.regions[0].yields.swap(o, p);
            true
        }),
    ));
    out.push((
        "wires exchanged by the receiver",
        places(w, inputs, |r, i| {
            let RankInput::Received { from, each } = r.inputs[i] else { return false };
            let f = &r.func;
            let a = &f.body().args;
            let fits = |j: usize| r.inputs[j] == RankInput::Received { from, each } && f.ty(a[j]) == f.ty(a[i]);
            let Some(j) = (0..i).find(|&j| fits(j)) else { return false };
            let name = r.func.inputs[i].name.clone();
            r.func.inputs[i].name = std::mem::replace(&mut r.func.inputs[j].name, name);
            true
        }),
    ));
    out.push((
        "a wire sends another value",
        places(w, outputs, |r, o| {
            let RankOutput::Sent { .. } = r.outputs[o] else { return false };
            let v = r.func.body().yields[o];
            let f = &r.func;
            let fits = |x: &ValueId| *x != v && f.ty(*x) == f.ty(v) && f.value(*x).layout == f.value(v).layout;
            let all = f.body().ops.iter().flat_map(|&x| &f.op(x).results).chain(&f.body().args);
            let Some(&new) = all.into_iter().find(|x| fits(x)) else { return false };
            r.func.regions[0].yields[o] = new;
            true
        }),
    ));
    out.push((
        "a wire to another rank",
        places(w, outputs, |r, o| match &mut r.outputs[o] {
            RankOutput::Sent { to, .. } => {
                *to += 1;
                true
            }
            RankOutput::Output { .. } => false,
        }),
    ));
    out.push((
        "a wire from another rank",
        places(w, inputs, |r, i| match &mut r.inputs[i] {
            RankInput::Received { from, .. } => {
                *from += 1;
                true
            }
            RankInput::Input { .. } => false,
        }),
    ));
    out.push((
        "a wire is not sent",
        places(w, outputs, |r, o| {
            r.func.outputs.remove(o);
            r.func.regions[0].yields.remove(o);
            matches!(r.outputs.remove(o), RankOutput::Sent { .. })
        }),
    ));
    out.push((
        "a wire is sent twice",
        places(w, outputs, |r, o| {
            let (port, t, y) = (r.func.outputs[o].clone(), r.outputs[o], r.func.body().yields[o]);
            r.func.outputs.push(port);
            r.outputs.push(t);
            r.func.regions[0].yields.push(y);
            matches!(t, RankOutput::Sent { .. })
        }),
    ));
    out.push((
        "a wire of single microbatches is one of all",
        places(w, outputs, |r, o| match &mut r.outputs[o] {
            RankOutput::Sent { each, .. } => {
                *each = !*each;
                true
            }
            RankOutput::Output { .. } => false,
        }),
    ));
    let mut swapped = w.clone();
    swapped.0.swap(0, 1);
    out.push(("ranks exchanged", vec![swapped]));
    out
}
