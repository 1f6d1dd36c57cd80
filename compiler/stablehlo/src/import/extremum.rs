//! Bodies of reductions that keep the greatest or the least of two values, and the number that stands beside it: `argmax` and
//! `argmin`, however they are written and whatever they are of.
//!
//! What such a body gives depends on how its arguments compare and on nothing else. So it is run on each way in which they can:
//! it is one of these if it always gives the value and the number of the same side, that of the greater value (or of the lesser), and
//! of equal ones that with the lesser number (or the greater).

use super::elementwise::{direction, total};
use super::regions::NamedRegion;
use crate::module::TextOp;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// What a body keeps of two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extremum {
    /// Which of its two operands has the values; the other has the numbers.
    pub value: usize,
    pub greatest: bool,
    pub ties: Ties,
}

/// Which of two equal values it keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// That with the lesser number, or the greater one.
    Lesser,
    Greater,
    /// That of the left side, or of the right side.
    Left,
    Right,
}

/// How the arguments compare, left with right.
#[derive(Clone, Copy)]
struct Case {
    values: Ordering,
    numbers: Ordering,
    nan: [bool; 2],
}

/// What is known in a case of a value of the body.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    Value(usize),
    Number(usize),
    Truth(bool),
}

/// The extremum that a body of two operands keeps; of `floats`, NaN is greater and less than all.
pub fn of(region: &NamedRegion<'_>, floats: bool) -> Option<Extremum> {
    if region.names.len() != 4 || region.complex.contains(&true) {
        return None;
    }
    [0, 1].into_iter().find_map(|value| kept(region, value, floats))
}

fn kept(region: &NamedRegion<'_>, value: usize, floats: bool) -> Option<Extremum> {
    let numbers = [Ordering::Less, Ordering::Greater];
    let side = |values, numbers, nan| winner(region, value, Case { values, numbers, nan });
    let both = |values, nan| Some([side(values, numbers[0], nan)?, side(values, numbers[1], nan)?]);
    let no_nan = [false; 2];
    let greatest = match (both(Ordering::Greater, no_nan)?, both(Ordering::Less, no_nan)?) {
        ([0, 0], [1, 1]) => true,
        ([1, 1], [0, 0]) => false,
        _ => return None,
    };
    let ties = match both(Ordering::Equal, no_nan)? {
        [0, 1] => Ties::Lesser,
        [1, 0] => Ties::Greater,
        [0, 0] => Ties::Left,
        _ => Ties::Right,
    };
    if floats {
        let one = [both(Ordering::Equal, [true, false])?, both(Ordering::Equal, [false, true])?];
        let two = both(Ordering::Equal, [true, true])?;
        // Of two NaN that of the left side, which is the first, is as good as that with the lesser number.
        let first = matches!(ties, Ties::Lesser | Ties::Left);
        if one != [[0, 0], [1, 1]] || two[0] != usize::from(!first) {
            return None;
        }
    }
    Some(Extremum { value, greatest, ties })
}

/// The side whose value and number the body gives in a case. Of equal values that of either side is the same.
fn winner(region: &NamedRegion<'_>, value: usize, case: Case) -> Option<usize> {
    let mut known: BTreeMap<&str, Known> = BTreeMap::new();
    for (at, name) in region.names.iter().enumerate() {
        let side = at / 2;
        known.insert(name, if at % 2 == value { Known::Value(side) } else { Known::Number(side) });
    }
    for (op, operands) in region.plain() {
        let args: Vec<Known> = operands.iter().map(|o| known.get(o).copied()).collect::<Option<_>>()?;
        if op.name.ends_with("return") {
            let given = (args.get(value)?, args.get(1 - value)?);
            return match given {
                (Known::Value(v), &Known::Number(n)) if *v == n || equal(case) => Some(n),
                _ => None,
            };
        }
        let made = computed(op, &args, case)?;
        let [name] = &op.results[..] else { return None };
        known.insert(name, made);
    }
    None
}

fn equal(case: Case) -> bool {
    case.values == Ordering::Equal && case.nan[0] == case.nan[1]
}

fn computed(op: &TextOp<'_>, args: &[Known], case: Case) -> Option<Known> {
    Some(match (op.name, args) {
        ("stablehlo.compare", &[x, y]) if !total(op) => Known::Truth(compared(direction(op)?, x, y, case)?),
        ("stablehlo.and", &[Known::Truth(x), Known::Truth(y)]) => Known::Truth(x & y),
        ("stablehlo.or", &[Known::Truth(x), Known::Truth(y)]) => Known::Truth(x | y),
        ("stablehlo.xor", &[Known::Truth(x), Known::Truth(y)]) => Known::Truth(x ^ y),
        ("stablehlo.not", &[Known::Truth(x)]) => Known::Truth(!x),
        ("stablehlo.select", &[Known::Truth(c), x, y]) => {
            if c {
                x
            } else {
                y
            }
        }
        ("stablehlo.maximum" | "stablehlo.minimum", &[x, y]) => {
            let less = op.name == "stablehlo.minimum";
            let (order, nan) = order(x, y, case)?;
            match (nan, order) {
                ([true, _], _) => x,
                ([_, true], _) => y,
                (_, Ordering::Greater) if less => y,
                (_, Ordering::Less) if !less => y,
                _ => x,
            }
        }
        _ => return None,
    })
}

/// How two values of one kind compare, and which of them are NaN.
fn order(x: Known, y: Known, case: Case) -> Option<(Ordering, [bool; 2])> {
    let turned = |order: Ordering, a: usize, b: usize| match (a, b) {
        (0, 1) => order,
        (1, 0) => order.reverse(),
        _ => Ordering::Equal,
    };
    match (x, y) {
        (Known::Value(a), Known::Value(b)) => Some((turned(case.values, a, b), [case.nan[a], case.nan[b]])),
        (Known::Number(a), Known::Number(b)) => Some((turned(case.numbers, a, b), [false; 2])),
        _ => None,
    }
}

fn compared(direction: &str, x: Known, y: Known, case: Case) -> Option<bool> {
    let (order, nan) = order(x, y, case)?;
    let holds = match direction {
        "EQ" => order.is_eq(),
        "NE" => order.is_ne(),
        "LT" => order.is_lt(),
        "LE" => order.is_le(),
        "GT" => order.is_gt(),
        "GE" => order.is_ge(),
        _ => return None,
    };
    // NaN is different from everything, and compares in no other way.
    Some(if nan.contains(&true) { direction == "NE" } else { holds })
}
