//! Which programs are planned a second time with attention that goes round in blocks ([`crate::extend::ring`]): those whose plan
//! splits the positions of queries, or exchanges that split for one of heads (Ulysses). Elsewhere blocks would only add work.
//!
//! Not here: the form itself, and which of the two plans is taken (the faster one).

use crate::ask::written::forbids_ring;
use crate::cost::Model;
use crate::effort;
use crate::extend::ring::{RING, applies};
use crate::{Mode, Plan, PlanOptions};
use meshloom_ir::op::Attr;
use meshloom_ir::table::composite::{Attention, Pass, named};
use meshloom_ir::{Axis, Func, Op, OpId, RegionId, ValueId};
use std::collections::BTreeSet;

/// Why keys do not go round unasked, if that is known of the options alone.
pub fn off(options: &PlanOptions) -> Option<&'static str> {
    if options.mode != Mode::Search {
        return Some("nothing is searched for");
    }
    if options.ring.is_some() {
        return Some("it was said where keys go round");
    }
    if options.disabled_rules.contains(RING) {
        return Some("its rule is switched off");
    }
    options.target.strict_float.then_some("it adds up in another order than the source")
}

/// Axes along which keys may go round, in ascending order; or why nothing is to be gained.
pub fn candidates(
    global: &Func,
    plan: &Plan,
    options: &PlanOptions,
    model: &Model,
) -> Result<Vec<Vec<String>>, &'static str> {
    if !pays(plan, options, model) {
        return Err("devices hardly wait for each other, and memory is not short");
    }
    let mut found = BTreeSet::new();
    for data in &plan.local.ops {
        let Op::Composite { name, .. } = &data.op else { continue };
        let (Some((form, Pass::Forward)), Some(&q)) = (named(name), data.operands.first()) else { continue };
        found.extend(split(&plan.local, form, q));
        found.extend(exchanged(&plan.local, q));
    }
    let ops = || (0..global.ops.len()).map(|i| OpId(i as u32));
    // With `--ring` keys go round wherever they can.
    let any =
        |axes: &Vec<Axis>| ops().any(|o| applies(global, o, axes)) && !ops().any(|o| forbids_ring(global, o, axes));
    let named = |axes: Vec<Axis>| axes.into_iter().map(|a| global.mesh.name(a).to_string()).collect();
    Ok(found.into_iter().filter(any).map(named).collect())
}

/// Whether a plan leaves anything to gain: time in which devices only communicate, memory that is short, or work that is not the same
/// on all devices, which zigzag evens out.
fn pays(plan: &Plan, options: &PlanOptions, model: &Model) -> bool {
    let t = &plan.totals;
    let room = options.budget.unwrap_or(options.target.room());
    let short = plan.memory.as_ref().is_ok_and(|m| m.total > room - room / 8);
    let waits = t.communication_us - t.hidden_us > t.predicted_step_us / 200.0;
    // Evened out, it takes half as long.
    let uneven = || uneven_ps(model, &plan.local) as f64 / 1e6 > t.predicted_step_us / 100.0;
    short || waits || uneven()
}

/// The time of attention in a step, in picoseconds.
pub fn attention_ps(model: &Model, local: &Func) -> u64 {
    composites_ps(model, local, Func::BODY, &|o| {
        let Op::Composite { name, .. } = &local.op(o).op else { return false };
        named(name).is_some()
    })
}

/// The same of attention under a causal mask where devices have other numbers of queries than of keys.
fn uneven_ps(model: &Model, local: &Func) -> u64 {
    composites_ps(model, local, Func::BODY, &|o| {
        let data = local.op(o);
        let Op::Composite { name, attrs } = &data.op else { return false };
        let Some((form, _)) = named(name) else { return false };
        let size = |i: usize, dims: &str, c: char| local.ty(data.operands[i]).shape.get(dims.find(c)?).copied();
        let split = size(0, form.q, 's') != size(1, form.k, 't');
        split && attrs.get("causal") == Some(&Attr::Bool(true))
    })
}

/// The time of some composites of a region, with all iterations of its loops.
fn composites_ps(model: &Model, local: &Func, region: RegionId, counts: &dyn Fn(OpId) -> bool) -> u64 {
    let of = |&o: &OpId| match &local.op(o).op {
        op @ Op::Repeat { .. } => {
            let inside = local.op(o).regions.iter().map(|&r| composites_ps(model, local, r, counts));
            inside.fold(0, u64::saturating_add).saturating_mul(op.iterations())
        }
        Op::Composite { .. } if counts(o) => model.local_ps(local, o),
        _ => 0,
    };
    local.region(region).ops.iter().map(of).fold(0, u64::saturating_add)
}

/// The axes that split positions of queries.
fn split(local: &Func, form: &Attention, q: ValueId) -> Option<Vec<Axis>> {
    let layout = local.value(q).layout.as_ref()?;
    layout.dims.get(form.q.find('s')?).cloned()
}

/// The axes whose split was exchanged for another one on the way to `v`.
fn exchanged(local: &Func, mut v: ValueId) -> Option<Vec<Axis>> {
    for _ in 0..effort::STEPS {
        let data = local.op(local.def_op(v)?);
        match (&data.op, &data.operands[..]) {
            (Op::AllToAll { axes, .. }, _) => return Some(axes.clone()),
            (_, &[x]) => v = x,
            _ => return None,
        }
    }
    None
}
