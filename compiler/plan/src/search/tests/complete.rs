//! Whatever is chosen is a program: of random programs with loops, under all rules, nothing is read that nothing makes.
//!
//! Each site takes an option by chance, whatever that costs. So choices are made here that no search would come to.

use crate::cost::{Model, Target};
use crate::extend::Extended;
use crate::extend::prepared::Prepared;
use crate::partition;
use crate::saturate::program::SearchedProgram;
use crate::search::cost::Rent;
use crate::search::problem::Problem;
use crate::search::start::{Sums, greedy};
use crate::search::state::State;
use crate::search::{Search, SearchResult, read};
use crate::{Limits, Mode, Objective, PlanOptions, saturate};
use meshloom_ir::{Func, Mesh, Role};
use meshloom_random::{RandomOptions, Rng, kind, program};

/// Choices of one program.
const CHOICES: usize = 12;

/// How many choices there were, of the programs of seeds; each of them is written.
fn written(seeds: std::ops::Range<u64>) -> usize {
    let target = Target::builtin("cpu").expect("is built in");
    let mut made = 0;
    for seed in seeds {
        let mode = if seed % 3 == 0 { Mode::Follow } else { Mode::Search };
        let options = PlanOptions { mode, target: target.clone(), ..PlanOptions::default() };
        let mesh = Mesh::new([("x", 2u64), ("y", 2)]);
        let random = RandomOptions { repeats: true, ..kind(seed, mesh).0 };
        let given = program(seed, &random);
        for func in gradients(&given).into_iter().chain([given]) {
            made += of_program(&Prepared::new(&func, &options).ext, &options, seed);
        }
    }
    made
}

/// The gradients of a program's loss, where its ops have some: loops whose stashes may be recomputed.
fn gradients(given: &Func) -> Option<Func> {
    let mut func = given.clone();
    let loss = func.outputs.iter().position(|p| p.role == Role::Loss)?;
    func.outputs = vec![func.outputs[loss].clone()];
    let yields = &mut func.regions[Func::BODY.index()].yields;
    *yields = vec![yields[loss]];
    meshloom_autodiff::gradients(&func).ok()
}

fn of_program(ext: &Extended, options: &PlanOptions, seed: u64) -> usize {
    let Ok(program) = SearchedProgram::new(ext, options) else { return 0 };
    let saturation = saturate::run(&program, options);
    let model = Model::new(&options.target, &ext.func.mesh);
    let Ok(mut problem) = read::read(&program, &saturation, &model, Objective::Time) else { return 0 };
    let search = Search::new(&program, &saturation, &mut problem, Limits::default());
    let mut rng = Rng::new(seed);
    let mut made = 0;
    for _ in 0..CHOICES {
        let found = by_chance(&search, &mut problem, &mut rng);
        // Layouts that no conversion leads to are refused as such.
        let Ok(solution) = search.finish(&mut problem, Rent::default(), &found) else { continue };
        let lacks = partition::brief(&program, &solution).lacks_nothing();
        assert!(lacks.is_ok(), "seed {seed}: {lacks:?}");
        made += 1;
    }
    made
}

/// A choice in which most sites take the option that is cheapest after others, and some take any.
fn by_chance(search: &Search<'_, '_>, problem: &mut Problem, rng: &mut Rng) -> SearchResult {
    let any = 5 + rng.below(40);
    let mut state = State::new(problem, &search.known, Rent::default());
    greedy(&mut state, Sums::Later);
    let mut chosen = state.chosen;
    for (s, option) in chosen.iter_mut().enumerate() {
        let n = problem.sites[s].options.len();
        if n > 0 && rng.chance(any) {
            *option = rng.below(n) as u32;
        }
    }
    search.result(problem, Rent::default(), &chosen)
}

#[test]
fn every_choice_is_a_program() {
    let made = written(36..60);
    assert!(made > 100, "{made} choices");
}
