//! Plans made on other terms than those that count: over other axes, or with more annotations. What is decided so is brought back,
//! and taken as it stands. A search that is told more goes further in the same time, and now and then ends where one that is free
//! does not.
//!
//! Not here: the terms themselves ([`super::joined_axes`], [`super::hsdp`]).

use super::deciding::Decisions;
use crate::decide::{Decider, Decision};
use crate::extend::Extended;
use crate::memory::budget::Ask;
use crate::saturate::program::SearchedProgram;
use crate::search::Solution;
use crate::search::followed::follow;
use crate::search::image::Image;
use crate::search::other::DecidedElsewhere;
use crate::{cost, saturate};
use meshloom_ir::Func;

/// What is decided about `ext`, which has the ops of the program on other terms, brought back by `back`, as it stands on the terms that
/// count: `None` where there is no plan, or it does not fit.
pub fn standing(
    ext: &Extended,
    of: &mut Decisions<'_, '_>,
    back: impl FnOnce(Solution) -> Solution,
) -> Option<Decision> {
    let decider = of.decider;
    let (budget, longest) = of.limits();
    let options = decider.options;
    let program = SearchedProgram::new(ext, options).ok()?;
    let saturation = saturate::run(&program, options);
    let model = cost::Model::new(&options.target, &ext.func.mesh);
    let given = Func { mesh: ext.func.mesh.clone(), inputs: ext.func.inputs.clone(), ..of.global.clone() };
    let followed = follow(&given, options, &model);
    let other =
        Decider { program: &program, saturation: &saturation, model: &model, followed: followed.as_ref(), ..*decider };
    let mut begun = other.begin().ok()?;
    let made = other.decide(Some(budget), &mut begun);
    of.moves.add(&begun.moves());
    let Decision { solution, rent, bound, .. } = made.ok()?;
    let rematerialized = other.rematerialized(&solution);
    let kept = (0..of.whole.stashes.len()).filter(|s| !rematerialized.contains(s)).collect();
    let ask = Ask { rent, rematerialized, kept };
    let image = Image::of_itself(&ext.func);
    let elsewhere = DecidedElsewhere { solution: &back(solution), program: &program, image: &image };
    let standing = decider.standing(&ask, &elsewhere, budget, longest, &mut of.begun)?;
    Some(Decision { bound, ..standing })
}
