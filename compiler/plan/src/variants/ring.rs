//! Which programs are planned a second time with attention that goes round in blocks ([`crate::extend::ring`]): those whose plan
//! splits the positions of queries, or exchanges that split for one of heads (Ulysses). Elsewhere blocks would only add work.
//!
//! Not here: the form itself, and which of the two plans is taken (the faster one).

use crate::ask::written::forbids_ring;
use crate::effort;
use crate::extend::ring::{RING, applies};
use crate::{Mode, Plan, PlanOptions};
use meshloom_ir::table::composite::{Attention, Pass, named};
use meshloom_ir::{Axis, Func, Op, OpId, ValueId};
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
    if options.target.strict_float {
        return Some("it adds up in another order than the source");
    }
    // Stages are cut from programs whose layers are one loop after another.
    options.layers.is_some().then_some("layers are in pipeline stages")
}

/// Axes along which keys may go round, in ascending order; or why nothing is to be gained.
pub fn candidates(global: &Func, plan: &Plan, options: &PlanOptions) -> Result<Vec<Vec<String>>, &'static str> {
    if !pays(plan, options) {
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

/// Whether a plan leaves anything to gain: time in which devices only communicate, or memory that is short. Blocks save no
/// arithmetic.
fn pays(plan: &Plan, options: &PlanOptions) -> bool {
    let t = &plan.totals;
    let room = options.budget.unwrap_or(options.target.room());
    let short = plan.memory.as_ref().is_ok_and(|m| m.total > room - room / 8);
    short || t.communication_us - t.hidden_us > t.predicted_step_us / 200.0
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
