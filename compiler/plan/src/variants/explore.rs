//! The loop over a table of variants.
//!
//! Not here: the tables, and what a try is ([`crate::write::tried`]).

use super::journal::{Journal, Place};
use crate::PlanError;
use crate::moves::is_better;
use crate::write::tried::{Verdict, Worth};
use std::cmp::Ordering;

/// A planner that can plan the requests of a table of variants.
pub trait Planning {
    /// A request: what to plan, and how.
    type Ask;
    type Made;
    type Error;

    /// # Errors
    /// No plan meets the request.
    fn plan(&mut self, asked: &Self::Ask) -> Result<Self::Made, Self::Error>;

    /// How good a plan is.
    fn worth(&self, made: &Self::Made) -> Worth;

    /// Why there is no plan.
    fn no_plan(&self, error: &Self::Error) -> NoPlan;
}

/// Why there is no plan.
pub enum NoPlan {
    /// The smallest that was found needs so many bytes on a device.
    TooLarge(u64),
    /// A mistake of the planner, and which one. In the request itself it is the answer; in a variant of it, it loses.
    Mistake(String),
    Other(String),
}

/// The requests of a variant, made from the request that it varies and from the plan or the error that this request
/// gave.
type Ask<P> = fn(
    &mut P,
    &<P as Planning>::Ask,
    &Result<<P as Planning>::Made, <P as Planning>::Error>,
) -> Proposed<<P as Planning>::Ask>;

/// Another way to plan.
pub struct Variant<P: Planning> {
    pub name: &'static str,
    /// One line that says what the variant does, and when it is faster.
    pub why: &'static str,
    /// The part of a step's time that the variant has to save to be taken, in per mille.
    pub gain: u64,
    pub ask: Ask<P>,
}

/// What a variant wants to have planned, once the plan of the request that it varies is known.
pub enum Proposed<A> {
    /// Nothing, and why. The reason is empty where a reader would expect no try.
    Nothing(String),
    /// These requests. If there are several, each has a name.
    These(Vec<(String, A)>),
}

impl<A> Proposed<A> {
    pub fn nothing(why: impl Into<String>) -> Proposed<A> {
        Proposed::Nothing(why.into())
    }

    /// One request, which the variant's name alone describes.
    pub fn one(asked: A) -> Proposed<A> {
        Proposed::These(vec![(String::new(), asked)])
    }
}

/// The best among the plan of a request and the plans of the requests that the variants of a table add.
///
/// # Errors
/// No request has a plan. The error is that of the request that came nearest to one, or the mistake that the planner made in
/// the request itself.
pub fn explore<P: Planning>(
    planner: &mut P,
    table: &[Variant<P>],
    asked: &P::Ask,
    journal: &Journal,
) -> Result<P::Made, P::Error> {
    let Some((variant, inner)) = table.split_last() else { return planner.plan(asked) };
    let start = journal.now();
    let mut best = explore(planner, inner, asked, journal);
    if mistake(planner, &best).is_some() {
        return best;
    }
    let asks = match journal.is_off(variant.name) {
        true => Proposed::nothing("it is switched off"),
        false => (variant.ask)(planner, asked, &best),
    };
    let asks = match asks {
        Proposed::Nothing(why) => {
            // A variant that gives no reason is part of another try, and is not noted.
            if !why.is_empty() {
                journal.note(variant.name, "", [None; 2], Verdict::NotTried(why));
            }
            return best;
        }
        Proposed::These(asks) => asks,
    };
    for (with, ask) in asks {
        let before = journal.now();
        let inside = journal.enter(variant.name, &with);
        let made = explore(planner, inner, &ask, journal);
        inside.leave();
        let [old, new] = [&best, &made].map(|r| place(planner, r));
        let verdict = match mistake(planner, &made) {
            Some(what) => Verdict::Mistake(what),
            None => verdict(&old, &new, variant.gain),
        };
        let taken = verdict == Verdict::Taken;
        journal.beaten(if taken { start..before } else { before..journal.now() });
        journal.note(variant.name, &with, [new.worth, old.worth], verdict);
        if taken {
            best = made;
        }
    }
    best
}

fn mistake<P: Planning>(planner: &P, made: &Result<P::Made, P::Error>) -> Option<String> {
    match planner.no_plan(made.as_ref().err()?) {
        NoPlan::Mistake(what) => Some(what),
        NoPlan::TooLarge(_) | NoPlan::Other(_) => None,
    }
}

fn place<P: Planning>(planner: &P, made: &Result<P::Made, P::Error>) -> Place {
    match made {
        Ok(made) => Place { worth: Some(planner.worth(made)), ..Place::default() },
        Err(e) => match planner.no_plan(e) {
            NoPlan::TooLarge(needs) => Place { needs: Some(needs), ..Place::default() },
            NoPlan::Other(why) => Place { why, ..Place::default() },
            NoPlan::Mistake(_) => Place::default(),
        },
    }
}

/// What a try comes to. Of what does not fit, what is smaller is better: it says what is missing.
fn verdict(old: &Place, new: &Place, gain: u64) -> Verdict {
    let gain = 10 * gain.cast_signed();
    match (old.worth, new.worth) {
        (Some(old), Some(new)) if is_better(new, old, gain) => Verdict::Taken,
        (Some(_), Some(_)) => Verdict::Slower,
        (None, Some(_)) => Verdict::Taken,
        (_, None) => match (old.needs, new.needs) {
            (Some(old), Some(new)) if new.cmp(&old) == Ordering::Less => Verdict::Taken,
            (_, Some(new)) => Verdict::TooLarge(new),
            (_, None) => Verdict::NoPlan(new.why.clone()),
        },
    }
}

impl NoPlan {
    pub fn of(errors: &[PlanError]) -> NoPlan {
        if let Some(mistake) = errors.iter().find(|e| e.mistake) {
            return NoPlan::Mistake(mistake.message.clone());
        }
        match errors.iter().find_map(|e| e.too_large) {
            Some((needs, _)) => NoPlan::TooLarge(needs),
            None => NoPlan::Other(errors.first().map_or(String::new(), |e| e.message.clone())),
        }
    }
}

#[cfg(test)]
mod tests;
