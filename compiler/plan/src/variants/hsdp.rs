//! HSDP with Megatron's tensor parallelism, as a person would pin it (Zhao et al., PyTorch FSDP, VLDB 2023, section 3.2.2; Narayanan
//! et al., SC 2021, section 2.3): of axes that annotations name together, as they name the batch's `(replica, data)`, parameters and
//! optimizer state lie along all but the outer one, on the dim that most parameters have; along the axes that no input is split
//! over, they lie on another dim. On many axes the search seldom finds this by itself.
//!
//! Not here: few axes, on which the search goes there from its starts ([`crate::search::start`]).

use super::deciding::{Decisions, is_brief};
use super::joined_axes::groups;
use super::terms;
use crate::decide::Decision;
use crate::effort;
use meshloom_ir::{Axis, Constraint, Func, Layout, Role};
use std::collections::{BTreeMap, BTreeSet};

/// Why parameters are not laid out so.
pub fn why_not(of: &Decisions<'_, '_>) -> Option<&'static str> {
    if of.decider.program.axes.len() < effort::MANY_AXES {
        return Some("the search goes there by itself on few axes");
    }
    if let Some(why) = is_brief(of) {
        return Some(why);
    }
    layouts(of.global).is_none().then_some("no axes are named together, or something says where parameters lie")
}

/// What is decided with parameters and state so, as it stands where they may lie anywhere; `None` where it does not fit.
pub fn decision(of: &mut Decisions<'_, '_>) -> Option<Decision> {
    let mut ext = of.whole.ext.clone();
    for (i, layout) in layouts(of.global)? {
        ext.func.inputs[i].constraint = Constraint::exactly(&layout);
    }
    terms::standing(&ext, of, |s| s)
}

/// Where each parameter and its state lie; `None` where no axes are named together, or something says where they lie.
fn layouts(func: &Func) -> Option<BTreeMap<usize, Layout>> {
    let outer: Vec<Axis> = groups(func).iter().map(|g| g[0]).collect();
    let kept: Vec<usize> = (0..func.inputs.len())
        .filter(|&i| matches!(func.inputs[i].role, Role::Parameter | Role::State))
        .filter(|&i| !shape(func, i).is_empty())
        .collect();
    let said = kept.iter().any(|&i| !func.inputs[i].constraint.absent);
    if outer.is_empty() || kept.is_empty() || said {
        return None;
    }
    let inputs = func.inputs.iter().filter(|p| p.role == Role::Input);
    let split: BTreeSet<Axis> = inputs.filter_map(|p| p.constraint.closed()).flat_map(|l| l.dims.concat()).collect();
    let axes: Vec<Axis> = func.mesh.all_axes().filter(|a| func.mesh.size(*a) > 1 && !outer.contains(a)).collect();
    let (batch, model): (Vec<Axis>, Vec<Axis>) = axes.iter().partition(|a| split.contains(a));
    let shared = shared(func, &kept)?;
    Some(kept.into_iter().map(|i| (i, layout(func, i, shared, [&batch, &model]))).collect())
}

/// The size that most of some inputs have among their dims, the largest of several.
fn shared(func: &Func, kept: &[usize]) -> Option<u64> {
    let mut sizes: BTreeMap<u64, usize> = BTreeMap::new();
    for &i in kept {
        for size in shape(func, i).iter().collect::<BTreeSet<_>>() {
            *sizes.entry(*size).or_default() += 1;
        }
    }
    sizes.into_iter().max_by_key(|(size, n)| (*n, *size)).map(|s| s.0)
}

/// One input: the batch's axes on its dim of the shared size, the others on the first other dim that they divide.
fn layout(func: &Func, input: usize, shared: u64, [batch, model]: [&[Axis]; 2]) -> Layout {
    let shape = shape(func, input);
    let dims = usize::from(func.inputs[input].stacked)..shape.len();
    let divides = |axes: &[Axis], d: usize| !axes.is_empty() && shape[d].is_multiple_of(func.mesh.group_size(axes));
    let mut l = Layout::replicated(shape.len());
    let with = dims.clone().find(|&d| shape[d] == shared);
    if let Some(d) = with.filter(|&d| divides(batch, d)) {
        l.dims[d] = batch.to_vec();
    }
    if let Some(d) = dims.clone().find(|&d| Some(d) != with && divides(model, d)) {
        l.dims[d] = model.to_vec();
    }
    l
}

fn shape(func: &Func, input: usize) -> &[u64] {
    &func.ty(func.body().args[input]).shape
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two stacked matrices, a vector and the state of one of them, on four axes.
    fn program(y: &str, said: &str) -> Func {
        let text = format!(
            "func @run on [replica: 2, data: 4, model: 2, one: 1] {{
  input %0 m.*.up: f32[6, 16, 48] parameter{said} stacked
  input %1 m.*.down: f32[6, 48, 16] parameter stacked
  input %2 scale: f32[16] parameter
  input %3 m.m.*.up: f32[6, 16, 48] state stacked
  input %4 count: f32[] state
  input %5 x: f32[32, 16] input constraint [{y}, _]
  output %5 out: output
}}
"
        );
        meshloom_ir::parse::parse(&text).expect("a program")
    }

    #[test]
    fn parameters_lie_as_a_person_pins_them() {
        let func = program("(replica, data)", "");
        let found = layouts(&func).expect("two axes are named together");
        let shown: Vec<String> = found.iter().map(|(i, l)| format!("{i} {}", l.show(&func.mesh))).collect();
        assert_eq!(shown, ["0 [_, data, model]", "1 [_, model, data]", "2 [data]", "3 [_, data, model]"]);
    }

    #[test]
    fn nothing_is_tried_where_axes_are_told_apart_or_somebody_says_where_parameters_lie() {
        assert_eq!(layouts(&program("data", "")), None);
        assert_eq!(layouts(&program("(replica, data)", " constraint [_, data?, _]")), None);
    }
}
