//! Writing the decision down: the local program, with the claim of every value and the step of every op.
//!
//! Conversions stand right after the op that makes their tensor, so that a schedule may start them early; those of inputs
//! and region arguments stand before their first use, so that a gathered weight lives no longer than it must.

pub mod form;
mod generate;
mod local;
mod mask;
mod ops;
pub mod origin;
mod region;
pub mod why;
mod writer;

use crate::saturate::program::SearchedProgram;
use crate::search::Solution;
pub use generate::output_layout;
pub use local::LocalProgram;
use meshloom_ir::Func;
use writer::Writer;

/// The local program under a solution.
pub fn build(program: &SearchedProgram<'_>, solution: &Solution) -> LocalProgram {
    write(program, solution, false)
}

/// The same ops and types, without what only a reader or the checker asks for: names, layouts, claims, steps.
pub fn brief(program: &SearchedProgram<'_>, solution: &Solution) -> LocalProgram {
    write(program, solution, true)
}

fn write(program: &SearchedProgram<'_>, solution: &Solution, brief: bool) -> LocalProgram {
    let global = program.func;
    let forms = generate::forms(program, solution);
    let mut w = Writer::new(program, solution, forms, brief);
    for (i, &v) in global.body().args.iter().enumerate() {
        let layout = w.native(v);
        let local = w.argument(Func::BODY, v, &layout);
        w.func.inputs.push(global.inputs[i].clone());
        w.keep(v, layout, local);
    }
    region::ops(&mut w, Func::BODY);
    for (i, &v) in global.body().yields.iter().enumerate() {
        let layout = output_layout(program, solution, i);
        let local = w.get(v, &layout);
        w.func.regions[0].yields.push(local);
        w.func.outputs.push(global.outputs[i].clone());
    }
    w.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{Model, Target};
    use crate::extend::Extended;
    use crate::search::cost::Rent;
    use crate::search::{Search, read};
    use crate::{Mode, Objective, PlanOptions, saturate};
    use meshloom_ir::layout::Slot;
    use meshloom_ir::{Builder, Constraint, Layout, Mesh, Port, Role, TensorType, ValueId};

    /// `tanh(x)` of rows that are split, and its sum with a copy on each device: the tensor is gathered for that.
    fn gathered() -> Func {
        let mesh = Mesh::new([("x", 2u64)]);
        let rows =
            Constraint::exactly(&Layout::replicated(1).with(mesh.all_axes().next().expect("an axis"), Slot::Split(0)));
        let whole = Constraint::exactly(&Layout::replicated(1));
        let mut b = Builder::new("gathered", mesh);
        let port = |name: &str, role, c: &Constraint| Port { constraint: c.clone(), ..Port::new(name, role, 1) };
        let ty = TensorType::new(meshloom_ir::DType::F32, [4]);
        let x = b.input(ty, port("x", Role::Input, &rows));
        let t = b.elem("tanh", &[x]);
        b.name(t, "t");
        b.output(t, port("split", Role::Output, &rows));
        b.output(t, port("whole", Role::Output, &whole));
        b.finish()
    }

    /// A solution that forgot a conversion, or what makes a tensor, is no plan: it is a mistake of the planner, which says what
    /// is read and in which layout. Nothing stands for it silently.
    #[test]
    fn a_solution_that_lost_something_is_a_mistake() {
        let target = Target::builtin("cpu").expect("is built in");
        let options = PlanOptions { mode: Mode::Follow, target: target.clone(), ..PlanOptions::default() };
        let ext = Extended::new(gathered());
        let program = SearchedProgram::new(&ext, &options).expect("it can be planned");
        let saturation = saturate::run(&program, &options);
        let model = Model::new(&target, &ext.func.mesh);
        let mut problem = read::read(&program, &saturation, &model, Objective::Time).expect("layouts fit");
        let search = Search::new(&program, &saturation, &mut problem, options.limits);
        let (found, _) = search.solve(&mut problem, Rent::default(), None, 1).expect("there is a plan");
        let whole = search.finish(&mut problem, Rent::default(), &found[0]).expect("it can be carried out");
        assert_eq!(build(&program, &whole).lacks_nothing(), Ok(()));
        let converted: Vec<ValueId> = whole.conversions.iter().filter(|c| !c.1.is_empty()).map(|c| *c.0).collect();
        assert_eq!(converted.len(), 1, "{:?}", whole.conversions);
        let mut lost = whole.clone();
        lost.conversions.clear();
        let e = build(&program, &lost).lacks_nothing().expect_err("a conversion is lost");
        assert!(
            e.mistake && e.message == "the plan reads `t` (f32[4]) in layout [_], which nothing makes",
            "{}",
            e.message
        );
        let mut lost = whole;
        lost.forms.clear();
        let e = build(&program, &lost).lacks_nothing().expect_err("the op is lost");
        assert!(e.mistake && e.message.contains("the plan reads `t` (f32[4])"), "{}", e.message);
    }
}
