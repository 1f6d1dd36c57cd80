//! Tensors that depend on no input. Each is made in exactly the layouts that are read, so that no constant, mask or position is
//! ever gathered. Which layouts are read is known only once everything else is decided. So this goes backwards over the program
//! before anything is written.

use crate::saturate::program::{SearchedProgram, stacked, unstacked};
use crate::saturate::rules::assignments;
use crate::search::Solution;
use meshloom_ir::{Assignment, Axis, Layout, Op, OpId, Reduction, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// How a tensor comes into one layout.
#[derive(Clone, Debug)]
pub enum GeneratedForm {
    Op(Assignment),
    /// From another layout of the same tensor, by steps that move nothing.
    Steps(Layout, Vec<(Op, Layout)>),
}

/// By tensor: its layouts, each after what it is made from.
pub type Forms = BTreeMap<ValueId, Vec<(Layout, GeneratedForm)>>;

pub fn forms(program: &SearchedProgram<'_>, solution: &Solution) -> Forms {
    let mut read = read(program, solution);
    let mut out = Forms::new();
    for &o in program.order.iter().rev() {
        let data = program.func.op(o);
        let v = data.results[0];
        let rep = program.rep(v);
        // One of the forms will do: the first that stands in the program.
        if program.makers.get(&rep) != Some(&o) {
            continue;
        }
        let (Some(layouts), Some(rule)) = (read.remove(&rep), program.rule(o)) else {
            continue;
        };
        let mut forms: Vec<(Layout, GeneratedForm)> = Vec::new();
        for l in layouts {
            make(program, o, &l, &mut forms);
        }
        for (_, form) in &forms {
            if let GeneratedForm::Op(a) = form {
                for (i, &x) in data.operands.iter().enumerate() {
                    read.entry(program.rep(x)).or_default().insert(rule.operand_layout(a, i));
                }
            }
        }
        out.insert(rep, forms);
    }
    out
}

/// Adds a form for layout `l` of `o`'s result, and for what it is made from.
fn make(program: &SearchedProgram<'_>, o: OpId, l: &Layout, forms: &mut Vec<(Layout, GeneratedForm)>) {
    if forms.iter().any(|f| f.0 == *l) {
        return;
    }
    if let Some(a) = plain(program, o, l) {
        forms.push((l.clone(), GeneratedForm::Op(a)));
        return;
    }
    let finished = Layout { dims: l.dims.clone(), partial: BTreeMap::new() };
    let base = match plain(program, o, &finished) {
        Some(_) => finished.clone(),
        None => Layout::replicated(l.dims.len()),
    };
    if base != *l {
        make(program, o, &base, forms);
    }
    let mut steps = Vec::new();
    let mut at = base.clone();
    for (dim, axes) in finished.dims.iter().enumerate().filter(|(d, axes)| **axes != base.dims[*d]) {
        at.dims[dim].clone_from(axes);
        steps.push((Op::ShardSlice { axes: axes.clone(), dim }, at.clone()));
    }
    if !l.partial.is_empty() {
        let axes: Vec<Axis> = l.partial.keys().copied().collect();
        at.partial.extend(axes.iter().map(|&a| (a, Reduction::Sum)));
        steps.push((Op::PartialSplit { axes }, at.clone()));
    }
    forms.push((l.clone(), GeneratedForm::Steps(base, steps)));
}

/// An assignment without partial sums that gives the layout.
fn plain(program: &SearchedProgram<'_>, o: OpId, l: &Layout) -> Option<Assignment> {
    let rule = program.rule(o)?;
    if !l.partial.is_empty() {
        return None;
    }
    assignments(rule, 0, l, &program.func.mesh).into_iter().next()
}

/// The layouts in which tensors that depend on no input are read by all others.
fn read(program: &SearchedProgram<'_>, solution: &Solution) -> BTreeMap<ValueId, BTreeSet<Layout>> {
    let func = program.func;
    let mut out: BTreeMap<ValueId, BTreeSet<Layout>> = BTreeMap::new();
    // Layouts are found for these tensors alone, which are few.
    let mut note = |v: ValueId, l: &dyn Fn() -> Option<Layout>| {
        if program.generated(v)
            && let Some(l) = l()
        {
            out.entry(program.rep(v)).or_default().insert(l);
        }
    };
    for (i, &v) in func.body().yields.iter().enumerate() {
        note(v, &|| Some(output_layout(program, solution, i)));
    }
    for &o in &program.order {
        let data = func.op(o);
        if let Op::Repeat { carries, xs, .. } = data.op {
            let body = func.region(program.body(o));
            for (i, (&x, &a)) in data.operands.iter().zip(&body.args).enumerate() {
                note(x, &|| {
                    let l = solution.native.get(&program.rep(a))?;
                    Some(if i >= carries && i < carries + xs { stacked(l) } else { l.clone() })
                });
            }
            for (i, &y) in body.yields.iter().enumerate() {
                let port = if i < carries { body.args[i] } else { data.results[i] };
                note(y, &|| {
                    let l = solution.native.get(&program.rep(port))?;
                    if i < carries { Some(l.clone()) } else { unstacked(l) }
                });
            }
            continue;
        }
        if let (Some(a), Some(rule)) = (solution.forms.get(&o), program.rule(o)) {
            for (i, &x) in data.operands.iter().enumerate() {
                note(x, &|| Some(rule.operand_layout(a, i)));
            }
        }
    }
    out
}

/// The layout in which output `i` leaves the program.
pub fn output_layout(program: &SearchedProgram<'_>, solution: &Solution, i: usize) -> Layout {
    let func = program.func;
    let input = func.outputs[i].updates.map(|j| program.rep(func.body().args[j]));
    let given = input.and_then(|v| solution.native.get(&v));
    let chosen = given.or_else(|| solution.outputs.get(&i)).cloned();
    let pinned = || program.outputs[i].as_ref().and_then(|c| c.least());
    // An output that depends on no input is no tensor of the search.
    chosen.or_else(pinned).unwrap_or_else(|| Layout::replicated(func.ty(func.body().yields[i]).rank()))
}
