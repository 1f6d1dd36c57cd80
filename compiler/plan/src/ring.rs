//! Which programs are planned a second time with attention that goes round in blocks ([`crate::extend::ring`]): those whose plan
//! splits the positions of queries, or exchanges that split for one of heads (Ulysses). Elsewhere blocks would only add work.
//!
//! Not here: the form itself, and which of the two plans is taken (the faster one).

use crate::extend::ring::{RING, applies};
use crate::written::forbids_ring;
use crate::{Mode, Plan, PlanOptions};
use meshloom_ir::table::composite::{Attention, Pass, named};
use meshloom_ir::{Axis, Func, Op, OpId, ValueId};
use std::collections::BTreeSet;

/// Ops between an exchange and the attention that reads it, at most.
const BEHIND: usize = 6;

/// Axes along which keys may go round, in ascending order.
pub fn candidates(global: &Func, plan: &Plan, options: &PlanOptions) -> Vec<Vec<String>> {
    let off = options.target.strict_float || options.disabled_rules.contains(RING) || options.ring.is_some();
    // Stages are cut from programs whose layers are one loop after another.
    let off = off || options.layers.is_some();
    if off || options.mode != Mode::Search || !pays(plan, options) {
        return Vec::new();
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
    found.into_iter().filter(any).map(named).collect()
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
    for _ in 0..BEHIND {
        let data = local.op(local.def_op(v)?);
        match (&data.op, &data.operands[..]) {
            (Op::AllToAll { axes, .. }, _) => return Some(axes.clone()),
            (_, &[x]) => v = x,
            _ => return None,
        }
    }
    None
}
