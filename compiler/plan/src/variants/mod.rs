//! Other ways to plan the same program: more is tried than one search finds, and the fastest plan is taken.
//!
//! A variant is an entry of a table: a name, a line that says why, what it asks of the best so far, and how much it has to gain. One loop
//! ([`explore`]) goes through a table, compares, and keeps a record of each try ([`crate::tried`]), so that a reader can ask what was tried and
//! why it lost. What comes later in a table is tried with everything that comes before it.
//!
//! There are three tables, one inside the other. [`programs`] plans other forms of a program; for each of these, [`decisions`] decides
//! again on other terms. Whoever calls the planner has the third, with other steps.
//!
//! Not here: moves of one search ([`crate::search`]).

pub(crate) mod decisions;
mod hsdp;
mod joined_axes;
pub mod journal;
pub(crate) mod programs;
mod ring;
mod segment;
mod terms;

use crate::write::tried::{Verdict, Worth};
use journal::{Journal, Place};
use std::cmp::Ordering;

/// Whoever plans what a table of variants asks.
pub trait Planner {
    /// What can be asked.
    type Ask;
    type Made;
    type Error;

    /// # Errors
    /// There is no plan of what is asked.
    fn plan(&mut self, asked: &Self::Ask) -> Result<Self::Made, Self::Error>;

    /// How good a plan is.
    fn worth(&self, made: &Self::Made) -> Worth;

    /// Why there is no plan.
    fn refusal(&self, error: &Self::Error) -> Refusal;
}

/// Why there is no plan.
pub enum Refusal {
    /// The smallest that was found needs so many bytes on a device.
    TooLarge(u64),
    /// A mistake of the planner, which nothing else makes good.
    Mistake,
    Other(String),
}

/// Another way to plan.
pub struct Variant<P: Planner> {
    pub name: &'static str,
    /// One line that says what it is, and when that is faster.
    pub why: &'static str,
    /// The part of a step's time that has to be gained for it to be taken, as so many of a thousand.
    pub gain: u64,
    pub ask: fn(&mut P, &P::Ask, &Result<P::Made, P::Error>) -> Asked<P::Ask>,
}

/// What a variant asks beside what was asked, when it is known what came of that.
pub enum Asked<A> {
    /// Nothing, and why.
    Nothing(String),
    /// Several are told apart by their names.
    These(Vec<(String, A)>),
}

impl<A> Asked<A> {
    pub fn nothing(why: impl Into<String>) -> Asked<A> {
        Asked::Nothing(why.into())
    }

    /// One of which the variant's name says all.
    pub fn one(asked: A) -> Asked<A> {
        Asked::These(vec![(String::new(), asked)])
    }
}

/// The best plan of what is asked and of what the variants of a table ask beside it.
///
/// # Errors
/// Nothing has a plan. What comes nearest to one says why.
pub fn explore<P: Planner>(
    planner: &mut P,
    table: &[Variant<P>],
    asked: &P::Ask,
    journal: &Journal,
) -> Result<P::Made, P::Error> {
    let Some((variant, inner)) = table.split_last() else { return planner.plan(asked) };
    let start = journal.now();
    let mut best = explore(planner, inner, asked, journal);
    if is_mistake(planner, &best) {
        return best;
    }
    let asks = match journal.is_off(variant.name) {
        true => Asked::nothing("it is switched off"),
        false => (variant.ask)(planner, asked, &best),
    };
    let asks = match asks {
        Asked::Nothing(why) => {
            journal.note(variant.name, "", [None; 2], Verdict::NotTried(why));
            return best;
        }
        Asked::These(asks) => asks,
    };
    for (with, ask) in asks {
        let before = journal.now();
        let inside = journal.enter(variant.name, &with);
        let made = explore(planner, inner, &ask, journal);
        inside.leave();
        if is_mistake(planner, &made) {
            return made;
        }
        let [old, new] = [&best, &made].map(|r| place(planner, r));
        let verdict = verdict(&old, &new, variant.gain);
        let taken = verdict == Verdict::Taken;
        journal.beaten(if taken { start..before } else { before..journal.now() });
        journal.note(variant.name, &with, [new.worth, old.worth], verdict);
        if taken {
            best = made;
        }
    }
    best
}

fn is_mistake<P: Planner>(planner: &P, made: &Result<P::Made, P::Error>) -> bool {
    made.as_ref().is_err_and(|e| matches!(planner.refusal(e), Refusal::Mistake))
}

fn place<P: Planner>(planner: &P, made: &Result<P::Made, P::Error>) -> Place {
    match made {
        Ok(made) => Place { worth: Some(planner.worth(made)), ..Place::default() },
        Err(e) => match planner.refusal(e) {
            Refusal::TooLarge(needs) => Place { needs: Some(needs), ..Place::default() },
            Refusal::Other(why) => Place { why, ..Place::default() },
            Refusal::Mistake => Place::default(),
        },
    }
}

/// What a try comes to. Of what does not fit, what is smaller is better: it says what is missing.
fn verdict(old: &Place, new: &Place, gain: u64) -> Verdict {
    let enough = |new: Worth, old: Worth| {
        if gain == 0 {
            return new < old;
        }
        u128::from(new.step_ps) * 1000 < u128::from(old.step_ps) * u128::from(1000 - gain)
    };
    match (old.worth, new.worth) {
        (Some(old), Some(new)) if enough(new, old) => Verdict::Taken,
        (Some(_), Some(_)) => Verdict::Slower,
        (None, Some(_)) => Verdict::Taken,
        (_, None) => match (old.needs, new.needs) {
            (Some(old), Some(new)) if new.cmp(&old) == Ordering::Less => Verdict::Taken,
            (_, Some(new)) => Verdict::TooLarge(new),
            (_, None) => Verdict::NoPlan(new.why.clone()),
        },
    }
}

/// Names of all variants of the planner, with what each is for.
pub fn all() -> Vec<(&'static str, &'static str)> {
    fn said<P: Planner>(table: &[Variant<P>]) -> Vec<(&'static str, &'static str)> {
        table.iter().map(|v| (v.name, v.why)).collect()
    }
    [said(&programs::table()), said(&decisions::table())].concat()
}

#[cfg(test)]
mod tests;
