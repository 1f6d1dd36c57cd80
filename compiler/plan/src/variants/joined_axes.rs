//! Plans over coarser axes. Where annotations name two axes only together, as they name the batch's `(replica, data)`, their author
//! thinks of them as one. A search over few axes goes further than one over many, and takes less time. So what is decided with one
//! axis in the place of several is taken as it stands, as a decision over the finer ones.
//!
//! The coarser mesh has as many axes, so that nothing gets another number: of those that are one, the last has all devices.
//!
//! Not here: axes that some annotation tells apart (HSDP's), for which a coarser axis can do less than what is asked.

use super::deciding::{Decisions, is_brief};
use super::terms;
use crate::decide::Decision;
use crate::search::Solution;
use meshloom_ir::without_axis::{Names, alike, names};
use meshloom_ir::{Assignment, Axis, Func, Layout, Op};

/// Why nothing is to be gained by coarser axes.
pub fn why_not(of: &Decisions<'_, '_>) -> Option<&'static str> {
    if let Some(why) = is_brief(of) {
        return Some(why);
    }
    let groups = groups(of.global);
    if groups.is_empty() {
        return Some("annotations name no axes together, or each of them alone too");
    }
    // Keys go round an axis in as many blocks as it has devices.
    let names: Vec<&String> = groups.iter().flatten().map(|a| &of.global.mesh.axes[a.index()].0).collect();
    let rings = of.decider.options.ring.iter().flatten().any(|n| names.contains(&n));
    rings.then_some("keys go round one of the axes")
}

/// What is decided over coarser axes, as it stands on the mesh that is there; `None` where it does not fit.
pub fn decision(of: &mut Decisions<'_, '_>) -> Option<Decision> {
    let groups = groups(of.global);
    let mut ext = of.whole.ext.clone();
    for group in &groups {
        let devices = ext.func.mesh.group_size(group);
        for (i, a) in group.iter().enumerate() {
            ext.func.mesh.axes[a.index()].1 = if i + 1 == group.len() { devices } else { 1 };
        }
    }
    let finer = |s: Solution| Solution {
        forms: s.forms.iter().map(|(o, a)| (*o, finer_assignment(a, &groups))).collect(),
        native: s.native.iter().map(|(v, l)| (*v, finer_layout(l, &groups))).collect(),
        outputs: s.outputs.iter().map(|(i, l)| (*i, finer_layout(l, &groups))).collect(),
        ..s
    };
    terms::standing(&ext, of, finer)
}

/// Axes that everything names together, next to each other in the mesh: several each.
pub fn groups(func: &Func) -> Vec<Vec<Axis>> {
    let mut groups: Vec<Vec<Axis>> = Vec::new();
    for a in func.mesh.all_axes().filter(|&a| func.mesh.size(a) > 1) {
        match groups.last_mut() {
            Some(group) if together(func, group[0], a) => group.push(a),
            _ => groups.push(vec![a]),
        }
    }
    groups.retain(|g| g.len() > 1);
    groups
}

/// Whether annotations name two axes, and never one of them alone.
fn together(func: &Func, a: Axis, b: Axis) -> bool {
    let all = names(func, a);
    let annotation = |n: &Names<'_>| match n {
        Names::Port(_) => true,
        Names::Op(o) => matches!(o.op, Op::Constrain(_)),
    };
    !all.is_empty() && all.iter().chain(&names(func, b)).all(annotation) && alike(func, a, b)
}

/// The axes that stand for one of the coarser mesh.
fn finer(axis: Axis, groups: &[Vec<Axis>]) -> Vec<Axis> {
    match groups.iter().find(|g| g.contains(&axis)) {
        Some(group) if group.last() == Some(&axis) => group.clone(),
        Some(_) => Vec::new(),
        None => vec![axis],
    }
}

fn all_finer(axes: &[Axis], groups: &[Vec<Axis>]) -> Vec<Axis> {
    axes.iter().flat_map(|&a| finer(a, groups)).collect()
}

fn finer_layout(l: &Layout, groups: &[Vec<Axis>]) -> Layout {
    let partial = l.partial.iter().flat_map(|(&a, &r)| finer(a, groups).into_iter().map(move |a| (a, r)));
    Layout { dims: l.dims.iter().map(|d| all_finer(d, groups)).collect(), partial: partial.collect() }
}

fn finer_assignment(a: &Assignment, groups: &[Vec<Axis>]) -> Assignment {
    let linear = a.linear.iter().flat_map(|(&a, &n)| finer(a, groups).into_iter().map(move |a| (a, n)));
    let factors = a.factors.iter().map(|(&f, axes)| (f, all_finer(axes, groups)));
    Assignment { factors: factors.collect(), linear: linear.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A program of three axes, whose input and intermediate value lie so.
    fn program(x: &str, y: &str) -> Func {
        let text = format!(
            "func @run on [a: 2, b: 4, c: 2] {{
  input %0 x: f32[16, 4] input constraint [{x}, _]
  %1 = constrain %0 {{[{y}, _]}} : f32[16, 4]
  output %1 out: output
}}
"
        );
        meshloom_ir::parse::parse(&text).expect("a program")
    }

    #[test]
    fn axes_are_one_where_all_annotations_name_them_together() {
        let (a, b, c) = (Axis(0), Axis(1), Axis(2));
        assert_eq!(groups(&program("(a, b)", "(a, b)")), [vec![a, b]]);
        assert_eq!(groups(&program("(a, b, c)", "(a, b, c)")), [vec![a, b, c]]);
        assert_eq!(groups(&program("c", "(b, c)")), [] as [Vec<Axis>; 0]);
        assert_eq!(groups(&program("(a, b)", "a")), [] as [Vec<Axis>; 0]);
        assert_eq!(groups(&program("c", "c")), [] as [Vec<Axis>; 0], "nothing says anything of the others");
        assert_eq!(groups(&program("(b, c)", "(b, c)")), [vec![b, c]]);
    }

    #[test]
    fn what_lies_along_the_coarser_axis_lies_along_the_finer_ones() {
        let groups = [vec![Axis(0), Axis(1)]];
        let sum = meshloom_ir::Reduction::Sum;
        let coarse = Layout { dims: vec![vec![Axis(2), Axis(1)], vec![]], partial: BTreeMap::new() };
        assert_eq!(finer_layout(&coarse, &groups).dims, [vec![Axis(2), Axis(0), Axis(1)], vec![]]);
        let partial = Layout { partial: [(Axis(1), sum)].into(), ..Layout::replicated(1) };
        assert_eq!(finer_layout(&partial, &groups).partial, [(Axis(0), sum), (Axis(1), sum)].into());
        // The axis that has one device splits nothing.
        let one = Assignment { factors: [(3, vec![Axis(0), Axis(1)])].into(), linear: [(Axis(1), 2)].into() };
        let finer = finer_assignment(&one, &groups);
        assert_eq!(finer.factors, [(3, vec![Axis(0), Axis(1)])].into());
        assert_eq!(finer.linear, [(Axis(0), 2), (Axis(1), 2)].into());
    }
}
