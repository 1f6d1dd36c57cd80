//! Variants that decide about one form of the program again: on other terms, for less memory, or with loops in segments.
//!
//! All share the e-graph and what its search remembers.
//!
//! Not here: a decision ([`crate::decide`]), and how loops are cut ([`crate::variants::segment`]).

use super::deciding::{Decided, Decisions, Nothing, Terms};
use super::explore::{NoPlan, Planning, Proposed, Variant, explore};
use super::journal::Journal;
use super::{hsdp, joined_axes};
use crate::decide::{Decider, Decision};
use crate::effort;
use crate::extend::prepared::Prepared;
use crate::moves::Record;
use crate::variants::segment::SplitPlans;
use crate::write::finish::finish;
use crate::write::tried::Worth;
use crate::{Mode, Plan, PlanError};
use meshloom_ir::Func;

/// The best plan of one form of a program.
///
/// # Errors
/// Annotations that cannot hold, or nothing fits.
pub fn best(
    global: &Func,
    whole: &Prepared,
    decider: &Decider<'_, '_>,
    journal: &Journal,
) -> Result<Plan, Vec<PlanError>> {
    let begun = decider.begin().map_err(|e| vec![e])?;
    let options = decider.options;
    let room = (options.mode == Mode::Search).then(|| options.budget.unwrap_or(options.target.room()));
    let budget = room.or(options.budget);
    let mut decisions = Decisions {
        global,
        whole,
        decider,
        begun,
        budget,
        longest: u64::MAX,
        fastest: None,
        too_small: None,
        moves: Record::default(),
    };
    let made = explore(&mut decisions, &table(), &Terms::Given, journal);
    journal.count(&decisions.begun.moves());
    journal.count(&decisions.moves);
    match made {
        Ok(Decided::Whole(d)) => Ok(finish(global, whole, decider, *d)),
        Ok(Decided::Cut(plan)) => Ok(*plan),
        Err(Nothing::Plan(e)) => Err(e),
        Err(Nothing::Said(why)) => Err(vec![PlanError::mistake(Default::default(), why)]),
    }
}

impl Decisions<'_, '_> {
    fn decided(&mut self, terms: &Terms) -> Result<Decided, Nothing> {
        let (global, whole, decider) = (self.global, self.whole, self.decider);
        let made = match terms {
            Terms::Given => decider.decide(self.budget, &mut self.begun).map_err(|e| Nothing::Plan(vec![e]))?,
            Terms::Joined => joined_axes::decision(self).ok_or(Nothing::Said("as it stands, it does not fit"))?,
            Terms::Hsdp => hsdp::decision(self).ok_or(Nothing::Said("as it stands, it does not fit"))?,
            &Terms::Smaller(budget) => self.smaller(budget)?,
            Terms::Segments(of) => {
                let (budget, longest) = self.limits();
                let plans = SplitPlans { global, whole, decider, decided: of, budget };
                let cut = match decider.memory.parts() {
                    Some(parts) => plans.in_parts(parts),
                    None => plans.improve(longest),
                };
                let cut = cut.map_err(Nothing::Plan)?;
                return cut.map(|p| Decided::Cut(Box::new(p))).ok_or(Nothing::Said("no cut promises to be faster"));
            }
        };
        Ok(Decided::Whole(Box::new(made)))
    }

    fn smaller(&mut self, budget: u64) -> Result<Decision, Nothing> {
        if self.too_small.is_some_and(|b| budget <= b) {
            return Err(Nothing::Said("nothing fits into a larger part of the budget"));
        }
        let made = self.decider.decide(Some(budget), &mut self.begun).map_err(|e| {
            self.too_small = Some(budget);
            Nothing::Plan(vec![e])
        })?;
        match self.fastest == Some(made.worth()) {
            true => Err(Nothing::Said("it is the same plan")),
            false => Ok(made),
        }
    }
}

impl Planning for Decisions<'_, '_> {
    type Ask = Terms;
    type Made = Decided;
    type Error = Nothing;

    fn plan(&mut self, terms: &Terms) -> Result<Decided, Nothing> {
        let made = self.decided(terms)?;
        let Worth { step_ps, .. } = self.worth(&made);
        self.longest = self.longest.min(step_ps);
        if let Decided::Whole(d) = &made {
            self.fastest = self.fastest.into_iter().chain([d.worth()]).min();
        }
        Ok(made)
    }

    fn worth(&self, made: &Decided) -> Worth {
        match made {
            Decided::Whole(d) => d.worth(),
            Decided::Cut(plan) => plan.worth(),
        }
    }

    fn no_plan(&self, nothing: &Nothing) -> NoPlan {
        match nothing {
            Nothing::Plan(errors) => NoPlan::of(errors),
            Nothing::Said(why) => NoPlan::Other((*why).to_owned()),
        }
    }
}

pub fn table<'d, 'a>() -> [Variant<Decisions<'d, 'a>>; 4] {
    [
        Variant {
            name: "joined-axes",
            why: "axes that all annotations name together are one: a search over few axes goes further than one over many",
            gain: 0,
            ask: |of, terms, _| match terms {
                Terms::Given => joined_axes::why_not(of).map_or(Proposed::one(Terms::Joined), Proposed::nothing),
                _ => Proposed::nothing(""),
            },
        },
        Variant {
            name: "hsdp",
            why: "parameters lie as HSDP and Megatron have them, where a search over many axes seldom finds that by itself",
            gain: 0,
            ask: |of, terms, _| match terms {
                Terms::Given => hsdp::why_not(of).map_or(Proposed::one(Terms::Hsdp), Proposed::nothing),
                _ => Proposed::nothing(""),
            },
        },
        Variant {
            name: "segments",
            why: "the first iterations of a loop recompute more than the others, so that all of the memory is used",
            gain: 0,
            ask: segments,
        },
        Variant {
            name: "smaller-budget",
            why: "layouts for less memory, which leave more of it to what is kept for the backward pass",
            gain: 0,
            ask: smaller,
        },
    ]
}

type Made = Result<Decided, Nothing>;

fn segments(of: &mut Decisions<'_, '_>, _: &Terms, best: &Made) -> Proposed<Terms> {
    match best {
        Ok(Decided::Whole(d)) if of.budget.is_some() && d.bound => Proposed::one(Terms::Segments(d.clone())),
        Ok(_) => Proposed::nothing("memory is not in the way"),
        Err(_) => Proposed::nothing("nothing was decided"),
    }
}

fn smaller(of: &mut Decisions<'_, '_>, _: &Terms, best: &Made) -> Proposed<Terms> {
    let bound = match best {
        Ok(Decided::Whole(d)) => d.bound,
        Ok(Decided::Cut(_)) => true,
        Err(_) => return Proposed::nothing("nothing was decided"),
    };
    let Some(budget) = of.budget.filter(|_| bound) else { return Proposed::nothing("memory is not in the way") };
    if of.decider.runs_in_parts() {
        return Proposed::nothing("a device runs a part of the program");
    }
    if of.decider.program.axes.len() >= effort::MANY_AXES {
        return Proposed::nothing("a search over so many axes takes long");
    }
    let parts = effort::SMALLER_BUDGETS.into_iter().take(of.decider.options.limits.smaller);
    let parts: Vec<_> = parts.map(|(n, of)| (format!("{n}/{of}"), Terms::Smaller(budget / of * n))).collect();
    if parts.is_empty() { Proposed::nothing("the search is a brief one") } else { Proposed::These(parts) }
}
