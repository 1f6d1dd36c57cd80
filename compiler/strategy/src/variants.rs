//! Variants of an entry's step: other steps that compute the same, each planned as a whole. This table is the outermost of three; the
//! planner has the others ([`meshloom_plan::variants`]).
//!
//! Not here: the steps themselves (`by_stage`, `offload`, `last_apart`), and what is told of the tries (`driver::variants`).

use crate::cut_plan::{MeasuredCuts, Ranks};
use crate::entry::Elaborated;
use crate::entry_plan::{EntryRefused, ForStages, Outcome, StepForm, parts, planned};
use crate::settings::Settings;
use crate::{by_stage, last_apart, offload};
use meshloom_ir::Func;
use meshloom_plan::cost::Model;
use meshloom_plan::tried::Worth;
use meshloom_plan::variants::journal::Journal;
use meshloom_plan::variants::{self, NoPlan, Planning, Proposed, Variant, explore};
use meshloom_plan::{Mode, Plan, PlanOptions, Recompute, StashPlan};
use meshloom_source::entry::Offload;
use std::rc::Rc;

/// The part of a step by which the even cut may be expected to take longer and is planned all the same, where memory is in the way. Of 30
/// layers of Llama 3 8B's sizes on pipe=4, model=2 (batch 64, 8 microbatches) it takes 0.6 % less than what was at hand when it was asked for.
const EVEN_LONGER: u64 = 20;

/// Layouts by stage.
pub const BY_STAGE: &str = "layouts-by-stage";

/// What is planned in several forms: an entry.
struct Steps<'a> {
    entry: &'a Elaborated,
    settings: &'a Settings,
    /// As the planner is asked.
    asked: PlanOptions,
    model: Model,
    journal: &'a Journal,
    written: bool,
}

/// A form of the step.
#[derive(Clone)]
struct Form {
    entry: Rc<Elaborated>,
    /// It is another program than was given.
    is_other: bool,
    mix: Option<Rc<by_stage::Mix>>,
    /// What the backward pass recomputes, where that is not left to the budget.
    recompute: Option<Recompute>,
    /// Shared by forms of the same program.
    cuts: Rc<MeasuredCuts>,
}

/// What came of a form.
struct Made {
    plan: Plan,
    ranks: Option<Ranks>,
    form: Form,
}

/// The best plan of an entry, and the step that it is of, if that is not the one given.
pub fn best(entry: &Elaborated, settings: &Settings, written: bool) -> (Outcome, Option<StepForm>) {
    let target = &settings.plan.target;
    let asked = entry.plan_options(&settings.plan);
    let model = Model::new(target, &entry.global.mesh);
    let journal = Journal::new(&asked.disabled_variants);
    let mut steps = Steps { entry, settings, asked, model, journal: &journal, written };
    let given = Form::of(entry.clone());
    let made = explore(&mut steps, &table(), &given, &journal);
    drop(given);
    let Made { mut plan, ranks, form } = match made {
        Ok(made) => made,
        Err(refused) => return (Err(refused), None),
    };
    plan.measured.clear();
    if ranks.is_some() {
        // The outline has the ports of the whole program.
        plan.arrange(target.runs());
    }
    (plan.tried, plan.moves) = journal.finish();
    let step = form.is_other.then(|| {
        let Elaborated { global, last_apart, .. } = Rc::unwrap_or_clone(form.entry);
        StepForm { global, last_apart }
    });
    (Ok((plan, ranks)), step)
}

/// Names of all variants, with what each is for.
pub fn all() -> Vec<(&'static str, &'static str)> {
    table().iter().map(|v| (v.name, v.why)).chain(variants::all()).collect()
}

impl Form {
    fn of(entry: Elaborated) -> Form {
        Form { entry: Rc::new(entry), is_other: false, mix: None, recompute: None, cuts: Rc::default() }
    }

    /// The same, with so many layers in each stage.
    fn cut_into(&self, sizes: &[u64]) -> Form {
        let mut entry = (*self.entry).clone();
        if let Some(of) = &mut entry.pipeline {
            (of.given, of.sizes) = (true, sizes.to_vec());
        }
        Form { entry: Rc::new(entry), cuts: Rc::default(), ..self.clone() }
    }

    fn other(entry: Elaborated) -> Form {
        Form { is_other: true, ..Form::of(entry) }
    }
}

impl Planning for Steps<'_> {
    type Ask = Form;
    type Made = Made;
    type Error = EntryRefused;

    fn plan(&mut self, form: &Form) -> Result<Made, EntryRefused> {
        let stages = ForStages { mix: form.mix.as_deref(), cuts: &form.cuts, written: self.written };
        let asked = form.recompute.map(|how| PlanOptions { recompute_all: Some(how), ..self.asked.clone() });
        let (mut plan, ranks) = planned(&form.entry, asked.as_ref().unwrap_or(&self.asked), stages)?;
        self.journal.absorb(std::mem::take(&mut plan.tried));
        self.journal.count(&std::mem::take(&mut plan.moves));
        Ok(Made { plan, ranks, form: form.clone() })
    }

    fn worth(&self, made: &Made) -> Worth {
        let Made { plan, ranks, .. } = made;
        let Some(ranks) = ranks else { return plan.worth() };
        let step_ps = ranks.step_us(&self.model).map_or(u64::MAX, |us| (us * 1e6).round() as u64);
        Worth { step_ps, bytes: ranks.device_bytes().unwrap_or(0) }
    }

    fn no_plan(&self, refused: &EntryRefused) -> NoPlan {
        match refused {
            EntryRefused::Layouts(errors) => NoPlan::of(errors),
            EntryRefused::Target(e) => NoPlan::Other(e.to_string()),
            EntryRefused::Said(d) => NoPlan::Other(d.message.clone()),
            EntryRefused::TooLarge { needs, .. } => NoPlan::TooLarge(*needs),
        }
    }
}

fn table<'a>() -> [Variant<Steps<'a>>; 6] {
    [
        Variant {
            name: "balanced-cut",
            why: "ranks are as busy as they would be with room for everything, and those that are short of it recompute more",
            gain: 0,
            ask: balanced,
        },
        Variant {
            name: "even-cut",
            why: "each stage has as many layers as any other, and ranks that are short of room recompute more of them",
            gain: 0,
            ask: even,
        },
        Variant {
            name: "recompute-layers",
            why: "all layers are recomputed in the backward pass, so that memory says nothing about how many of them a stage has",
            gain: 0,
            ask: recomputed,
        },
        Variant {
            name: BY_STAGE,
            why: "the layers of the first stages lie as they hold least, and those of the others as they are fastest",
            // As much as two cuts have to differ by, since lines predict both.
            gain: 5,
            ask: stages,
        },
        Variant {
            name: "offload",
            why: "optimizer state or what is kept for the backward pass lies in the host's memory, where a device's is short",
            gain: 0,
            ask: offloaded,
        },
        Variant {
            name: "last-microbatch-apart",
            why: "the last microbatch is computed behind the loop over the others, so that sums of gradients run beside it",
            gain: last_apart::GAIN,
            ask: apart,
        },
    ]
}

/// Where ranks are short of room, the planner first decides what is kept for the cut at hand, and then cuts for what is kept. So
/// another cut may be faster, for which less is kept.
fn even(steps: &mut Steps<'_>, form: &Form, best: &Result<Made, EntryRefused>) -> Proposed<Form> {
    let open = form.entry.pipeline.as_deref().filter(|of| !of.given && form.mix.is_none());
    let (Some(of), Ok(Made { plan, ranks: Some(ranks), .. })) = (open, best) else { return Proposed::nothing("") };
    let Some(cut) = ranks.cut.as_ref().filter(|c| c.sizes != of.sizes) else {
        return Proposed::nothing("the fastest cut is the even one");
    };
    let parts = parts(&form.entry.global, of, &steps.asked, &form.cuts);
    // Where something is recomputed, less of it may be with the even cut, whose prediction does not know that.
    let most = if is_short(best) { cut.step.ps.saturating_add(cut.step.ps / EVEN_LONGER) } else { cut.step.ps };
    if parts.even_step_ps(&plan.local).is_none_or(|ps| ps >= most) {
        return Proposed::nothing("it would be no faster if there were room for it");
    }
    Proposed::one(form.cut_into(&of.sizes))
}

/// Of the plan at hand ranks that have room take layers of those that have none. With the cut that they would have otherwise, those recompute
/// more.
fn balanced(steps: &mut Steps<'_>, form: &Form, best: &Result<Made, EntryRefused>) -> Proposed<Form> {
    let open = form.entry.pipeline.as_deref().filter(|of| !of.given && form.mix.is_none());
    let (Some(of), Ok(Made { plan, ranks: Some(ranks), .. })) = (open, best) else { return Proposed::nothing("") };
    if !is_short(best) {
        return Proposed::nothing("memory is not in the way");
    }
    let parts = parts(&form.entry.global, of, &steps.asked, &form.cuts);
    let Some(sizes) = parts.balanced_sizes(&plan.local) else {
        return Proposed::nothing("the list cannot be cut so");
    };
    if sizes == ranks.sizes || sizes == of.sizes {
        return Proposed::nothing("the cut is the one that there would be with room for everything, or the even one");
    }
    Proposed::one(form.cut_into(&sizes))
}

fn recomputed(steps: &mut Steps<'_>, form: &Form, best: &Result<Made, EntryRefused>) -> Proposed<Form> {
    if form.entry.pipeline.is_none() || form.mix.is_some() {
        return Proposed::nothing("");
    }
    let global = &form.entry.global;
    let said =
        global.walk(Func::BODY).into_iter().any(|o| global.op(o).recompute.is_some_and(|r| r != Recompute::Auto));
    if said || steps.asked.recompute_all.is_some() {
        return Proposed::nothing("what is recomputed is not open");
    }
    if !is_short(best) {
        return Proposed::nothing("memory is not in the way");
    }
    // Where nothing fits, this may.
    if let Ok(made) = best
        && !promises_more(steps, form, made)
    {
        return Proposed::nothing("ranks that are equally busy would take no less");
    }
    Proposed::one(Form { recompute: Some(Recompute::Full), cuts: Rc::default(), ..form.clone() })
}

/// Whether ranks that are equally busy, and recompute all that they keep now, would take less.
fn promises_more(steps: &Steps<'_>, form: &Form, best: &Made) -> bool {
    let Some((of, cut)) = form.entry.pipeline.as_ref().zip(best.ranks.as_ref().and_then(|r| r.cut.as_ref())) else {
        return false;
    };
    let bytes = |of: &StashPlan| u128::from(of.bytes_per_device) * u128::from(of.iterations.end - of.iterations.start);
    let all: u128 = best.plan.stashes.iter().map(bytes).sum();
    let kept: u128 = best.plan.stashes.iter().filter(|s| !s.rematerialized).map(bytes).sum();
    let more = u64::try_from(kept * 1000 / all.max(1)).unwrap_or(1000);
    let parts = parts(&form.entry.global, of, &steps.asked, &form.cuts);
    parts.balanced_ps(&best.plan.local, cut, more).is_some_and(|ps| ps < cut.step.ps)
}

fn stages(steps: &mut Steps<'_>, form: &Form, best: &Result<Made, EntryRefused>) -> Proposed<Form> {
    let Some(of) = &form.entry.pipeline else { return Proposed::nothing("there are no pipeline stages") };
    let Ok(made) = best else { return Proposed::nothing("no plan fits whose layers lie alike") };
    if steps.asked.mode != Mode::Search {
        return Proposed::nothing("nothing is searched for");
    }
    let parts = parts(&form.entry.global, of, &steps.asked, &form.cuts);
    match by_stage::promised(&parts, &made.plan) {
        Ok(mix) => Proposed::one(Form { mix: Some(Rc::new(mix)), ..form.clone() }),
        Err(why) => Proposed::nothing(why),
    }
}

/// What moves least comes first, and gives way to what is faster.
fn offloaded(steps: &mut Steps<'_>, form: &Form, best: &Result<Made, EntryRefused>) -> Proposed<Form> {
    if form.is_other {
        return Proposed::nothing("");
    }
    let entry = steps.entry;
    if steps.settings.offload.or(entry.memory.offload) != Some(Offload::Auto) {
        return Proposed::nothing("it is not asked for (`--offload auto`)");
    }
    if !is_short(best) {
        return Proposed::nothing("memory is not in the way");
    }
    let moved = |how: Offload| {
        let mut other = entry.clone();
        offload::place(&mut other.global, how);
        (how.name().to_owned(), Form::other(other))
    };
    Proposed::These(offload::choices(entry).into_iter().map(moved).collect())
}

/// Whether memory was in the way: of all plans, or of one that keeps what is computed again now.
fn is_short(made: &Result<Made, EntryRefused>) -> bool {
    match made {
        Ok(made) => made.plan.stashes.iter().any(|s| s.rematerialized),
        Err(e) => matches!(e, EntryRefused::TooLarge { .. }),
    }
}

fn apart(steps: &mut Steps<'_>, _: &Form, best: &Result<Made, EntryRefused>) -> Proposed<Form> {
    let Ok(Made { plan, form, .. }) = best else { return Proposed::nothing("nothing fits that has one loop") };
    if !last_apart::promises(plan, &steps.asked) {
        return Proposed::nothing("hardly any sum of gradients is waited for");
    }
    match last_apart::step(&form.entry, &form.entry.global) {
        None => Proposed::nothing("there is no loop over microbatches, or it is a stage's"),
        Some(global) => Proposed::one(Form::other(Elaborated { global, last_apart: true, ..(*form.entry).clone() })),
    }
}
