//! Local forms of single ops and of composites.

use super::generate::GeneratedForm;
use super::writer::{OpFrom, Writer};
use crate::saturate::program::CompositeBody;
use meshloom_certify::Step;
use meshloom_ir::table;
use meshloom_ir::{Assignment, FactorRule, Layout, Op, OpId, RegionId, TensorType, ValueId};
use std::collections::BTreeMap;

/// Writes a global op in the form that was chosen for it.
pub fn op(w: &mut Writer<'_, '_>, o: OpId) {
    let func = w.program.func;
    let data = func.op(o);
    w.phase = data.phase;
    if w.program.generated(data.results[0]) {
        return generated(w, o);
    }
    if data.results.iter().any(|&v| w.exists(v)) {
        return;
    }
    let (solution, program) = (w.solution, w.program);
    let (Some(a), Some(rule)) = (solution.forms.get(&o), program.rule(o)) else {
        return;
    };
    let layouts: Vec<Layout> = (0..data.operands.len()).map(|i| rule.operand_layout(a, i)).collect();
    let operands: Vec<ValueId> = data.operands.iter().zip(&layouts).map(|(&v, l)| w.get(v, l)).collect();
    w.phase = data.phase;
    if matches!(data.op, Op::Constrain(_)) {
        w.keep(data.results[0], layouts[0].clone(), operands[0]);
        return w.convert_all(data.results[0]);
    }
    let locals = local(w, o, rule, a, operands);
    for (i, (&v, &l)) in data.results.iter().zip(&locals).enumerate() {
        w.keep(v, rule.result_layout(a, i), l);
    }
    for &v in &data.results {
        w.convert_all(v);
    }
}

/// Writes a tensor that depends on no input, in each layout that is read.
pub fn generated(w: &mut Writer<'_, '_>, o: OpId) {
    let data = w.program.func.op(o);
    let v = data.results[0];
    // The forms are those of the first op that makes it.
    if w.program.makers.get(&w.program.rep(v)) != Some(&o) {
        return;
    }
    for (layout, form) in w.forms.get(&w.program.rep(v)).cloned().unwrap_or_default() {
        if w.find(v, &layout).is_some() {
            continue;
        }
        match form {
            GeneratedForm::Op(a) => {
                let Some(rule) = w.program.rule(o) else {
                    continue;
                };
                let operands = data.operands.iter().enumerate();
                let operands = operands.map(|(i, &x)| w.get(x, &rule.operand_layout(&a, i))).collect();
                let made = local(w, o, rule, &a, operands)[0];
                w.keep(v, layout, made);
            }
            GeneratedForm::Steps(base, steps) => {
                let mut at = w.get(v, &base);
                for (step, to) in steps {
                    at = w.find(v, &to).unwrap_or_else(|| w.convert(v, step, &to, at));
                }
            }
        }
    }
}

fn local(w: &mut Writer<'_, '_>, o: OpId, rule: &FactorRule, a: &Assignment, operands: Vec<ValueId>) -> Vec<ValueId> {
    let func = w.program.func;
    let data = func.op(o);
    let results: Vec<(ValueId, Layout)> =
        data.results.iter().enumerate().map(|(i, &v)| (v, rule.result_layout(a, i))).collect();
    if matches!(data.op, Op::Composite { .. }) {
        let from = OpFrom { regions: vec![body(w, o, a)], ..OpFrom::global(func, o, Step::Region { global: o }) };
        return w.push(data.op.clone(), from, operands, &results);
    }
    let from = OpFrom::global(func, o, Step::Op { global: o, assignment: a.clone() });
    let ty = func.ty(results[0].0);
    let shape = results[0].1.local_shape(&ty.shape, &func.mesh).unwrap_or_else(|| ty.shape.clone());
    let result = TensorType::new(ty.dtype, shape);
    let op = match table::def(&data.op) {
        Some(def) => (def.localize)(&data.op, &table::Local { mesh: &func.mesh, rule, assignment: a, result: &result }),
        None => data.op.clone(),
    };
    let operands = w.masked(&data.op, rule, a, operands, &data.operands);
    let after = w.padding_after(&data.op, rule, &operands, ty.rank());
    let locals = w.push(op, from, operands, &results);
    if let [v] = locals[..] {
        w.padding[v.index()] = after;
    }
    locals
}

/// The body of a composite under an assignment: every dim that the composite treats as one factor is split alike.
fn body(w: &mut Writer<'_, '_>, o: OpId, a: &Assignment) -> RegionId {
    let func = w.program.func;
    let inside = w.program.composite(o);
    let CompositeBody { dims, rules } = &*inside;
    let global = func.region(func.op(o).regions[0]);
    let region = w.open();
    let outer = std::mem::replace(&mut w.region, region);
    let mut locals: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    for &v in &global.args {
        let layout = dims.layout(func, v, a);
        let local = w.argument(region, v, &layout);
        locals.insert(v, local);
    }
    for (&inner, rule) in global.ops.iter().zip(rules) {
        let data = func.op(inner);
        let operands = data.operands.iter().filter_map(|v| locals.get(v).copied()).collect();
        let Some(rule) = rule else {
            continue;
        };
        let made = local(w, inner, rule, &dims.assignment(func, inner, rule, a), operands);
        locals.extend(data.results.iter().copied().zip(made));
    }
    let yields = global.yields.iter().filter_map(|v| locals.get(v).copied()).collect();
    w.func.regions[region.index()].yields = yields;
    w.region = outer;
    region
}
