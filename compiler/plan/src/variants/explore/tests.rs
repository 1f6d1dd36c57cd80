//! The loop over variants, with a planner whose plans are numbers.

use super::super::journal::Journal;
use super::*;
use crate::write::tried::{Tried, label};

/// What is asked is what comes of it: a time, or what is needed where nothing fits.
struct Numbers;

type Number = Result<u64, u64>;

impl Planning for Numbers {
    type Ask = Number;
    type Made = u64;
    type Error = u64;

    fn plan(&mut self, asked: &Number) -> Number {
        *asked
    }

    fn worth(&self, made: &u64) -> Worth {
        Worth { step_ps: *made, bytes: 0 }
    }

    fn no_plan(&self, needs: &u64) -> NoPlan {
        match needs {
            0 => NoPlan::Mistake("a value that nothing makes".into()),
            1 => NoPlan::Other("annotations do not hold".into()),
            needs => NoPlan::TooLarge(*needs),
        }
    }
}

fn half(_: &mut Numbers, asked: &Number, _: &Number) -> Proposed<Number> {
    match asked {
        Ok(n) if *n > 60 => Proposed::one(Ok(n / 2)),
        _ => Proposed::nothing("it is short"),
    }
}

fn more(_: &mut Numbers, asked: &Number, _: &Number) -> Proposed<Number> {
    let by = |k: u64| (format!("by {k}"), asked.map(|n| n + k).map_err(|n| if n == 1 { 1 } else { n - k.min(n) }));
    Proposed::These(vec![by(20), by(60)])
}

fn slightly(_: &mut Numbers, _: &Number, best: &Number) -> Proposed<Number> {
    Proposed::one(best.map(|n| n - n / 500))
}

fn table() -> Vec<Variant<Numbers>> {
    vec![
        Variant { name: "half", why: "", gain: 0, ask: half },
        Variant { name: "more", why: "", gain: 0, ask: more },
        Variant { name: "slightly", why: "", gain: 5, ask: slightly },
    ]
}

/// What came of it, and the record: one line for each try.
fn explored(asked: Number, off: &[&str]) -> (Number, Vec<String>) {
    let journal = Journal::new(&off.iter().map(|s| s.to_string()).collect());
    let best = explore(&mut Numbers, &table(), &asked, &journal);
    let shown = |t: Tried| {
        let at: Vec<String> = t.within.into_iter().chain([label(t.variant, &t.with)]).collect();
        let of = |w: Option<Worth>| w.map_or("-".to_owned(), |w| w.step_ps.to_string());
        let reason = t.verdict.reason().map_or(String::new(), |r| format!(": {r}"));
        format!("{} {}/{} {}{reason}", at.join(" > "), of(t.worth), of(t.before), t.verdict.name())
    };
    (best, journal.finish().0.into_iter().map(shown).collect())
}

#[test]
fn variants_are_tried_with_all_that_come_before_them() {
    let (best, tried) = explored(Ok(50), &[]);
    // 110 in halves is slower than what there was.
    assert_eq!(best, Ok(35));
    let due = [
        "half -/- not_tried: it is short",
        "more by 20 > half 35/70 taken",
        "more by 20 35/50 taken",
        "more by 60 > half 55/110 beaten",
        "more by 60 55/35 slower",
        "slightly > half -/- not_tried: it is short",
        "slightly > more by 20 > half -/- not_tried: it is short",
        "slightly > more by 20 55/35 slower",
        "slightly > more by 60 > half 47/95 beaten",
        "slightly > more by 60 47/35 slower",
        "slightly 35/35 slower",
    ];
    assert_eq!(tried, due);
}

#[test]
fn what_is_switched_off_is_not_tried() {
    let (best, tried) = explored(Ok(50), &["more", "slightly"]);
    assert_eq!(best, Ok(50));
    assert_eq!(tried[1], "more -/- not_tried: it is switched off");
    assert_eq!(tried.len(), 3);
}

#[test]
fn of_what_does_not_fit_the_smallest_is_told() {
    let (best, tried) = explored(Err(100), &["slightly"]);
    assert_eq!(best, Err(40));
    assert_eq!(
        tried[1..4],
        ["more by 20 > half -/- not_tried: it is short", "more by 20 -/- beaten", tried[3].as_str()]
    );
    // A reason is not given up for a number.
    assert_eq!(explored(Err(1), &["slightly"]).0, Err(1));
}

#[test]
fn a_mistake_in_a_variant_loses_and_is_noted() {
    // 60 less than 60 stands for a mistake.
    let (best, tried) = explored(Err(60), &["slightly"]);
    assert_eq!(best, Err(40));
    assert_eq!(tried[3], "more by 60 -/- mistake: a value that nothing makes");
    assert_eq!(explored(Err(0), &[]), (Err(0), Vec::new()), "of the request itself, it is the answer");
}
