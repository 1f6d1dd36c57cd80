//! Rolls repeated layers into loops.
//!
//! A program that was traced has every layer written out: forward, backward, and its part of the optimizer. Planning would
//! decide about each of them on its own, in time that grows with the depth. Here ops that repeat become a `repeat`, with what
//! differs between iterations stacked: parameters that were given layer by layer become one input, whose entries keep their
//! names; and what the optimizer does to each layer becomes ops on the stacks.
//!
//! It is exact: every element of every output is computed by the same ops, in the same order, as before. `certify::rolled` proves
//! it, and where it does not the program stays as it came. Nothing is recognised by name. It stands here and not among the planner's rewrites because only programs that come through this door are written
//! out (a Loom source has loops), and because a planner that had to find the layers first would be as slow as one without.
//!
//! In order: [`number`] says which values are equal; [`detect`] where the line of ops repeats; [`wiring`] whether the repeated
//! ops read each other alike, and where an iteration begins; [`body`] what a loop reads; [`pack`] which other ops are one op on
//! stacks; [`units`] puts all that in order, and [`emit`] writes it. [`stacks`] is what they share: which values lie in one
//! tensor.
//!
//! Not here: loops in loops of one program that was written out twice over (the outer one is found, and its body stays as it
//! is), and layers between which other ops stand.

mod analysis;
mod analyze;
mod body;
mod detect;
mod emit;
mod found;
mod number;
mod pack;
mod ports;
mod stacks;
mod units;
mod wiring;

use analysis::Analysis;
use meshloom_certify::rolled;
use meshloom_ir::{Func, Span};
use meshloom_source::{Diagnostic, FrontOptions};

/// A rolled program, and what is to be said about it.
pub struct Rolled {
    pub func: Func,
    /// Iterations of each loop, and ops in its body.
    pub loops: Vec<(usize, usize)>,
    /// Why ops that repeat were not rolled, and where.
    pub left: Option<(String, Span)>,
}

/// The program with its repeated layers as loops, if that is wanted and it is a program at all.
pub fn wanted(func: Func, options: &FrontOptions, diagnostics: &mut Vec<Diagnostic>) -> Func {
    if options.unrolled || diagnostics.iter().any(Diagnostic::is_error) {
        return func;
    }
    let rolled = roll(&func);
    if let Some((message, span)) = rolled.left {
        let d = Diagnostic::warning("not-rolled", message).at(span, "");
        diagnostics.push(d.note("each of them is planned on its own, which takes longer; the numbers are the same"));
    }
    rolled.func
}

/// Rolls what can be rolled. A program in which nothing repeats comes back as it is.
pub fn roll(func: &Func) -> Rolled {
    let mut a = Analysis::new(func);
    let left = a.left.as_ref().filter(|l| a.loops.iter().all(|x| x.len() < l.times * l.ops)).map(|l| {
        let message =
            format!("{} times {} ops in a row are alike, and not rolled into a loop: {}", l.times, l.ops, l.why);
        (message, func.op(l.at).span)
    });
    let loops: Vec<(usize, usize)> = a.loops.iter().map(|l| (l.count, l.period)).collect();
    if loops.is_empty() {
        return Rolled { func: func.clone(), loops, left };
    }
    let whole = |message| rolled::Refusal { message, span: None };
    let made = emit::emit(&mut a).map_err(whole).and_then(|made| rolled::check(func, &made).map(|_| made));
    match made {
        Ok(func) => Rolled { func, loops, left },
        Err(refusal) => {
            let first = a.loops.first().and_then(|l| a.line.ops.get(l.start));
            let span = refusal.span.or_else(|| first.map(|&op| func.op(op).span)).unwrap_or_default();
            let message = format!(
                "layers that repeat stay as they came, since their loop is not proved to be the same program: {}",
                refusal.message
            );
            Rolled { func: func.clone(), loops: Vec::new(), left: Some((message, span)) }
        }
    }
}
