//! The record of the variants of a search: for each, whether it was tried, how good its plan is, how good the plan is that it was
//! compared with, and the verdict.
//!
//! Not here: who notes it ([`crate::variants::journal`]).

pub use crate::moves::Worth;

/// One try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// The variant's name.
    pub variant: &'static str,
    /// Which of the variant's requests this is; empty if the variant has one request.
    pub with: String,
    /// The names of the variants whose requests this try varies further, the outermost first.
    pub within: Vec<String>,
    /// How good its plan is, and how good the best plan before it was.
    pub worth: Option<Worth>,
    pub before: Option<Worth>,
    pub verdict: Verdict,
}

/// The outcome of a try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is part of the plan.
    Taken,
    /// It was better than what there was, and something else was better still.
    Beaten,
    /// It was no faster, or not by as much as it has to be.
    Slower,
    /// Nothing fits: the smallest that was found needs so many bytes.
    TooLarge(u64),
    /// There is no plan, and why if that is known.
    NoPlan(String),
    /// The planner made a mistake in it, which is the text, so there is no plan of it.
    Mistake(String),
    /// There was nothing to try, and why.
    NotTried(String),
}

impl Verdict {
    /// As `plan --json` has it.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Taken => "taken",
            Verdict::Beaten => "beaten",
            Verdict::Slower => "slower",
            Verdict::TooLarge(_) => "too_large",
            Verdict::NoPlan(_) => "no_plan",
            Verdict::Mistake(_) => "mistake",
            Verdict::NotTried(_) => "not_tried",
        }
    }

    /// Why there is no plan, or nothing was tried.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Verdict::NoPlan(why) | Verdict::NotTried(why) | Verdict::Mistake(why) if !why.is_empty() => Some(why),
            _ => None,
        }
    }
}

/// How a variant and what it asks are written.
pub fn label(variant: &str, with: &str) -> String {
    if with.is_empty() { variant.to_owned() } else { format!("{variant} {with}") }
}
