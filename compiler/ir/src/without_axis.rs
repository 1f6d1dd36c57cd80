//! A global program on the mesh without one of its axes: what the devices of one pipeline stage have of it.
//!
//! Nothing of a program may name the axis that goes; layouts are then the same, with the axes behind it one place further
//! forward. Not here: local programs, whose shards and collectives name axes of their own ([`crate::verify`] keeps them out of
//! global ones).

use crate::graph::{Func, OpData, Port};
use crate::layout::{Constraint, DimSpec, Layout};
use crate::mesh::{Axis, Mesh};
use crate::op::Op;
use std::collections::{BTreeMap, BTreeSet};

/// What names an axis.
#[derive(Clone, Copy, Debug)]
pub enum Names<'f> {
    /// The layout of an input or output.
    Port(&'f Port),
    /// A layout annotation, or an op of a local program.
    Op(&'f OpData),
}

/// Everything of a function that names an axis: ports in their order, then ops. A value whose layout is decided counts by the op
/// that makes it.
pub fn names(func: &Func, axis: Axis) -> Vec<Names<'_>> {
    let ports = func.inputs.iter().chain(&func.outputs).filter(|p| p.constraint.names(axis)).map(Names::Port);
    let op = |o: &&OpData| {
        let decided = |v: &crate::ValueId| func.value(*v).layout.as_ref().is_some_and(|l| l.names(axis));
        o.op.names(axis) || o.results.iter().any(decided)
    };
    ports.chain(func.ops.iter().filter(op).map(Names::Op)).collect()
}

/// Whether everything that names one of two axes of a global program says the same of the other: that both split a dim, in whatever
/// order, or neither does.
pub fn alike(func: &Func, a: Axis, b: Axis) -> bool {
    let ports = func.inputs.iter().chain(&func.outputs).map(|p| &p.constraint);
    let inside = func.ops.iter().filter_map(|o| if let Op::Constrain(c) = &o.op { Some(c) } else { None });
    ports.chain(inside).all(|c| {
        let both = |(DimSpec::Exactly(axes) | DimSpec::AtLeast(axes)): &DimSpec| axes.contains(&a) == axes.contains(&b);
        let partial = c.partial.get(&a) == c.partial.get(&b);
        c.dims.iter().all(both) && partial && c.replicated.contains(&a) == c.replicated.contains(&b)
    })
}

/// The function on its mesh without an axis; `None` where something names the axis ([`names`]), or there is no such axis.
pub fn without_axis(func: &Func, axis: Axis) -> Option<Func> {
    if axis.index() >= func.mesh.axes.len() || !names(func, axis).is_empty() {
        return None;
    }
    let mut made = func.clone();
    made.mesh = func.mesh.without(axis);
    for port in made.inputs.iter_mut().chain(&mut made.outputs) {
        port.constraint = port.constraint.on_mesh_without(axis);
    }
    for o in &mut made.ops {
        match &mut o.op {
            Op::Constrain(c) => *c = c.on_mesh_without(axis),
            op if op.axes().is_empty() => {}
            _ => return None,
        }
    }
    for v in &mut made.values {
        v.layout = v.layout.as_ref().map(|l| l.on_mesh_without(axis));
    }
    Some(made)
}

/// An axis on the mesh that lacks `gone`; `None` for that one.
pub fn behind(axis: Axis, gone: Axis) -> Option<Axis> {
    match axis.cmp(&gone) {
        std::cmp::Ordering::Less => Some(axis),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Axis(axis.0 - 1)),
    }
}

fn all(axes: &[Axis], gone: Axis) -> Vec<Axis> {
    axes.iter().filter_map(|a| behind(*a, gone)).collect()
}

impl Mesh {
    /// The mesh without an axis.
    pub fn without(&self, axis: Axis) -> Mesh {
        let kept = self.axes.iter().enumerate().filter(|(i, _)| *i != axis.index());
        Mesh { axes: kept.map(|(_, a)| a.clone()).collect() }
    }
}

impl Layout {
    /// Whether an axis splits a dim, or the value is partial over it.
    pub fn names(&self, axis: Axis) -> bool {
        self.dims.iter().flatten().chain(self.partial.keys()).any(|a| *a == axis)
    }

    /// The layout on the mesh without an axis.
    pub fn on_mesh_without(&self, gone: Axis) -> Layout {
        let partial = self.partial.iter().filter_map(|(a, r)| Some((behind(*a, gone)?, *r)));
        Layout { dims: self.dims.iter().map(|d| all(d, gone)).collect(), partial: partial.collect() }
    }
}

impl Constraint {
    /// Whether it says that an axis splits a dim, or that the value is partial over it.
    pub fn names(&self, axis: Axis) -> bool {
        let dims = self.dims.iter().flat_map(|(DimSpec::Exactly(a) | DimSpec::AtLeast(a))| a);
        dims.chain(self.partial.keys()).any(|a| *a == axis)
    }

    /// The annotation on the mesh without an axis.
    pub fn on_mesh_without(&self, gone: Axis) -> Constraint {
        let dim = |d: &DimSpec| match d {
            DimSpec::Exactly(axes) => DimSpec::Exactly(all(axes, gone)),
            DimSpec::AtLeast(axes) => DimSpec::AtLeast(all(axes, gone)),
        };
        let partial: BTreeMap<_, _> = self.partial.iter().filter_map(|(a, r)| Some((behind(*a, gone)?, *r))).collect();
        let replicated: BTreeSet<_> = self.replicated.iter().filter_map(|a| behind(*a, gone)).collect();
        Constraint { dims: self.dims.iter().map(dim).collect(), partial, replicated, absent: self.absent }
    }
}

impl Op {
    /// Whether the op names an axis of the mesh.
    fn names(&self, axis: Axis) -> bool {
        match self {
            Op::Constrain(c) => c.names(axis),
            op => op.axes().contains(&axis),
        }
    }

    /// The axes that an op of a local program names.
    fn axes(&self) -> Vec<Axis> {
        match self {
            Op::Iota { shard, .. } | Op::Gather { shard, .. } | Op::Scatter { shard, .. } => shard.clone(),
            Op::RandomBits { shard, .. } => shard.concat(),
            op => op.collective_axes().unwrap_or_default().to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;
    use crate::print::print;

    const TEXT: &str = "func @run on [data: 2, pipe: 4, model: 2] {
  input %0 w: f32[4, 4] parameter constraint [_, model]
  input %1 x: f32[8, 4] input constraint [data, _]
  %2 = dot_general %1, %0 {ab,bc->ac} : f32[8, 4]
  %3 = constrain %2 {[data, model]} : f32[8, 4]
  output %3 out: output
}
";

    #[test]
    fn a_program_without_an_axis_that_nothing_names() {
        let func = parse(TEXT).expect("a program");
        assert_eq!(print(&func), TEXT);
        let made = without_axis(&func, Axis(1)).expect("nothing names it");
        assert_eq!(print(&made), TEXT.replace(", pipe: 4", ""));
        assert!(without_axis(&func, Axis(3)).is_none(), "there is no such axis");
        for (axis, found) in [(0, 2), (1, 0), (2, 2)] {
            assert_eq!(names(&func, Axis(axis)).len(), found, "axis {axis}");
            assert_eq!(without_axis(&func, Axis(axis)).is_none(), found > 0);
        }
    }

    /// Of three axes the two are alike of which all says the same, in whatever order they stand.
    #[test]
    fn axes_of_which_all_says_the_same_are_alike() {
        let of = |x: &str, y: &str| {
            let text = TEXT.replace("constraint [data, _]", &format!("constraint [{x}, _]"));
            parse(&text.replace("{[data, model]}", &format!("{{[{y}, model]}}"))).expect("a program")
        };
        let (data, pipe, model) = (Axis(0), Axis(1), Axis(2));
        let both = of("(data, pipe)", "(pipe, data)");
        assert!(alike(&both, data, pipe) && alike(&both, pipe, data) && !alike(&both, pipe, model));
        assert!(!alike(&of("(data, pipe)", "data"), data, pipe));
        assert!(!alike(&of("data", "data"), data, pipe));
    }

    #[test]
    fn axes_behind_the_one_that_goes_move_forward() {
        let l = Layout { dims: vec![vec![Axis(2), Axis(0)], vec![]], partial: BTreeMap::new() };
        assert_eq!(l.on_mesh_without(Axis(1)).dims, [vec![Axis(1), Axis(0)], vec![]]);
        assert!(l.names(Axis(2)) && !l.names(Axis(1)));
        assert_eq!(behind(Axis(1), Axis(1)), None);
    }
}
