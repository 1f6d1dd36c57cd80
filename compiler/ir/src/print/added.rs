//! The text of what one function adds to another: of every region that both have, the ops that stand at its end in the one
//! alone. It reads back onto the shorter function ([`crate::parse::extend`]).

use super::{PrintedLine, Printer, join, numbers};
use crate::graph::{Func, RegionId};

/// What `func` has beyond `given`, of which it must be an extension: same ids, with ops added at the ends of regions.
///
/// ```text
/// in program {
///   %7 = transpose %1 {[1, 0]}: f32[4, 2]
/// }
/// in %5 {
///   %8 = tanh %3: f32[2]
/// }
/// ```
///
/// `in %5` is the body of the op that defines %5. Numbers are those of the text of the whole of `func`.
pub fn added(func: &Func, given: &Func) -> String {
    let regions = given.regions.len().min(func.regions.len());
    let seen = (0..func.regions.len()).map(|r| r < regions).collect();
    let mut p = Printer { func, spans: false, number: numbers(func), seen, out: Vec::new() };
    for r in 0..regions {
        let old = given.regions[r].ops.len();
        let ops = func.regions[r].ops.get(old..).unwrap_or_default();
        if ops.is_empty() {
            continue;
        }
        let r = RegionId(r as u32);
        let owner = func.region(r).owner.and_then(|o| func.ops.get(o.index())?.results.first());
        let place = owner.map_or("program".to_string(), |&v| p.value(v));
        p.line(0, format!("in {place} {{"), PrintedLine::Yield(r));
        for &o in ops {
            p.op(1, o);
        }
        p.line(0, "}".into(), PrintedLine::Yield(r));
    }
    join(p.out)
}
