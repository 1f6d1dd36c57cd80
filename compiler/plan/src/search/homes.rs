//! Homes: the layout that a parameter and its state (AdamW's moments) have together. The update combines them element by element,
//! so whichever of them moved alone would be converted there. They move together, and what is around them follows.
//!
//! Not here: how the others follow, which is said with the perturbations.

use super::problem::{Problem, Site, SiteSource};
use super::state::State;
use crate::saturate::program::{RegionPort, SearchedProgram};
use meshloom_ir::Role;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The sites of each parameter that has state: the parameter first, its state behind it.
pub fn families(program: &SearchedProgram<'_>, problem: &Problem) -> Vec<Rc<[u32]>> {
    let ports = &program.func.inputs;
    let mut by_name: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (s, site) in (0..).zip(&problem.sites) {
        let SiteSource::Port(RegionPort::Input(i)) = site.source else { continue };
        match (ports[i].role, &ports[i].of) {
            (Role::Parameter, _) => by_name.entry(&ports[i].name).or_default().insert(0, s),
            (Role::State, Some(of)) => by_name.entry(of).or_default().push(s),
            _ => {}
        }
    }
    by_name.into_values().filter(|all| all.len() > 1).map(Rc::from).collect()
}

/// Layouts that a parameter and its state could have together, where not all of them have it.
pub fn all(state: &State<'_>) -> Vec<(usize, u32)> {
    let mut homes = Vec::new();
    for (f, sites) in state.problem.families.iter().enumerate() {
        for option in &state.problem.sites[sites[0] as usize].options {
            let there = members(state, f, option.key);
            let moves = there.iter().any(|&(s, o)| state.chosen[s as usize] != o);
            if moves && there.len() == sites.len() {
                homes.push((f, option.key));
            }
        }
    }
    homes
}

/// The sites of a family that may have this layout, and their options that are it.
pub fn members(state: &State<'_>, family: usize, layout: u32) -> Vec<(u32, u32)> {
    let at = |s: u32| {
        let Site { options, fixed, .. } = &state.problem.sites[s as usize];
        let at = options.iter().position(|o| o.key == layout)? as u32;
        Some((s, at)).filter(|_| fixed.is_none_or(|f| f == at))
    };
    state.problem.families[family].iter().filter_map(|&s| at(s)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::cost::Rent;
    use super::super::{Search, descend, perturb, read, start};
    use super::*;
    use crate::cost::{Model, Target};
    use crate::extend::Extended;
    use crate::{Limits, Mode, Objective, PlanOptions, saturate};

    /// An update with two moments, of a gradient that comes in split along its first dim.
    const UPDATE: &str = "func @run on [x: 2] {
  input %0 p: f32[1024, 1024] parameter
  input %1 m.p: f32[1024, 1024] state of p
  input %2 v.p: f32[1024, 1024] state of p
  input %3 g: f32[1024, 1024] input constraint [x, _]
  %4 = add %1, %3 : f32[1024, 1024] update
  %5 = add %2, %3 : f32[1024, 1024] update
  %6 = multiply %4, %5 : f32[1024, 1024] update
  %7 = subtract %0, %6 : f32[1024, 1024] update
  output %7 p: parameter updates %0
  output %4 m.p: state of p updates %1
  output %5 v.p: state of p updates %2
}
";

    #[test]
    fn a_parameter_and_its_state_move_where_none_of_them_would() {
        let func = meshloom_ir::parse::parse(UPDATE).expect("a program");
        let options = PlanOptions { mode: Mode::Search, ..PlanOptions::default() };
        let ext = Extended::new(func);
        let program = SearchedProgram::new(&ext, &options).expect("a program");
        let saturation = saturate::run(&program, &options);
        let model = Model::new(&Target::builtin("h100-sxm").expect("is built in"), &ext.func.mesh);
        let mut problem = read::read(&program, &saturation, &model, Objective::Time).expect("a problem");
        let search = Search::new(&program, &saturation, &mut problem, Limits::default());
        let [family] = &problem.families.clone()[..] else { panic!("{:?}", problem.families) };
        assert_eq!(family.len(), 3);

        // All three split along the other dim, so that the gradient is converted.
        let columns = problem.sites[family[0] as usize].options.iter().find(|o| o.slots[..] == [2]);
        let columns = columns.expect("is an option").key;
        let hold = |problem: &mut Problem, layout: Option<u32>| {
            for &s in family.iter() {
                let Site { options, fixed, .. } = &mut problem.sites[s as usize];
                *fixed = layout.map(|l| options.iter().position(|o| o.key == l).expect("is an option") as u32);
            }
        };
        hold(&mut problem, Some(columns));
        let mut state = State::new(&mut problem, &search.known, Rent(0));
        start::greedy(&mut state, start::Sums::Later);
        let chosen = state.chosen.clone();
        hold(&mut problem, None);
        let mut state = search.state(&mut problem, Rent(0), &chosen);
        descend::all(&mut state);
        let before = state.total;
        assert!(before.wire > 0, "no site moves alone");

        let best = all(&state).into_iter().map(|(family, layout)| {
            let total = perturb::apply(&mut state, perturb::Perturbation::Home(family, layout), &|_| true);
            state.undo(0);
            total
        });
        let best = best.min().expect("there are other layouts");
        assert_eq!(best.wire, 0);
        assert!(best < before);
    }
}
