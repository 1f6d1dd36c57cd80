//! `scan(f, init, xs, ..)`: the loop with a carry and stacked results, as a function of a function. It is the `repeat`
//! that a `for` makes; what each iteration returns beside its carry are the ys.

use super::loops::Over;
use super::primitive::Given;
use super::program::FnRef;
use super::recompute;
use super::state::Elab;
use super::value::{Dim, Num, StackVal, TensorVal, Val};
use crate::ast::{Arg, Name};
use meshloom_ir::verify::{MAX_NESTING, MAX_TRIP};
use meshloom_ir::{DType, Op, Recompute, Span, ValueId};
use meshloom_source::Diagnostic;
use std::rc::Rc;

/// A `scan` whose arguments are read.
struct Scan<'a> {
    f: FnRef<'a>,
    /// `f` as it is written.
    callee: Name,
    init: Given,
    xs: Given,
    /// What `f` gets beside the carry and the entry.
    rest: Vec<Given>,
    reverse: bool,
    recompute: Option<Recompute>,
}

impl<'a> Elab<'a> {
    /// `f(carry, x, rest..) -> (carry, y)`, over the entries of `xs`.
    pub(super) fn scan(&mut self, args: &[Arg], span: Span) -> Val {
        let scan = match self.scan_arguments(args, span) {
            Ok(scan) => scan,
            Err(reported) => return reported,
        };
        let Some((count, element)) = self.scanned(&scan.xs) else { return Val::Error };
        if self.regions.len() + 2 > MAX_NESTING || count.size > MAX_TRIP {
            let message = format!("loops nest at most {} deep and have at most {MAX_TRIP} iterations", MAX_NESTING - 2);
            return self.error(Diagnostic::error("too-large", message).at(scan.xs.span, ""));
        }
        let Some(start) = self.scan_start(&scan.init) else { return Val::Error };
        let Some(element) = self.solid_value(&element, scan.xs.span) else { return Val::Error };
        let over = Over { count: count.size, start: &start, stacked: &element, reverse: scan.reverse };
        let looped = self.loop_over(&over, span, &mut |cx, carry, item| {
            let (after, y) = cx.scan_body(&scan, carry.clone(), item, span);
            let next = Name { text: "the carry".into(), span: scan.callee.span };
            let next = cx.carried_back(&next, &carry, &after, scan.f.def.body.span);
            let y = cx.solid_value(&y, scan.callee.span);
            next.zip(y)
        });
        let Some((results, y)) = looped else { return Val::Error };
        if let (Some(mode), Some(&r)) = (scan.recompute, results.first()) {
            let made = self.builder.func.def_op(r);
            made.into_iter().for_each(|o| self.builder.func.ops[o.index()].recompute = Some(mode));
        }
        scan_results(results, &start, &y, &count)
    }

    /// The arguments by what they are for; else the error that was reported.
    fn scan_arguments(&mut self, args: &[Arg], span: Span) -> Result<Scan<'a>, Val> {
        let Some(f) = self.function_named(args.first().filter(|a| a.name.is_none()), "scan", span) else {
            return Err(Val::Error);
        };
        let callee = Name { text: f.def.name.text.clone(), span: args[0].value.span };
        let (mut own, mut rest) = (Vec::new(), Vec::new());
        let mut recompute = None;
        for (i, a) in args[1..].iter().enumerate() {
            if a.name.as_ref().is_some_and(|n| n.text == "recompute") {
                recompute = Some(recompute::mode_of(&a.value).map_err(|d| self.error(d))?);
                continue;
            }
            let g = Given { name: a.name.clone(), value: self.expr(&a.value), span: a.value.span };
            let mine = match &g.name {
                None => i < 2,
                Some(n) => matches!(n.text.as_str(), "init" | "xs" | "reverse"),
            };
            if mine { own.push(g) } else { rest.push(g) }
        }
        let slots = self.arrange("scan", &["init", "xs", "reverse"], &own, span, None).ok_or(Val::Error)?;
        let [init, xs, reverse] = &slots[..] else { return Err(Val::Error) };
        let (Some(init), Some(xs)) = (init, xs) else {
            let d = Diagnostic::error(
                "arguments",
                "`scan` needs a function, what its carry starts as, and what it goes over",
            );
            let d = d.at(span, "").help("such as `scan(step, start, xs)`, or a number of iterations for `xs`");
            return Err(self.error(d));
        };
        let reverse = match reverse.as_ref().map(|g| (&g.value, g.span)) {
            None | Some((Val::Bool(false), _)) => false,
            Some((Val::Bool(true), _)) => true,
            Some((Val::Error, _)) => return Err(Val::Error),
            Some((other, at)) => {
                return Err(self.error(
                    Diagnostic::error("not-constant", format!("`reverse` is true or false, not {other}")).at(at, ""),
                ));
            }
        };
        if [init, xs].iter().any(|g| g.value.is_error()) || rest.iter().any(|g| g.value.is_error()) {
            return Err(Val::Error);
        }
        Ok(Scan { f, callee, init: init.clone(), xs: xs.clone(), rest, reverse, recompute })
    }

    /// What the carry starts as: tensors, or nothing.
    fn scan_start(&mut self, init: &Given) -> Option<Val> {
        let start = self.solid_value(&init.value, init.span)?;
        if start.tensors().is_empty() && !matches!(&start, Val::Tuple(v) if v.is_empty()) {
            let d =
                Diagnostic::error("loop-type", format!("the carry starts as {start}, which has no element type yet"));
            self.error(d.at(init.span, "").help("give it one: `let start: f32 = 0`"));
            return None;
        }
        Some(start)
    }

    /// The pair that the function returns: the next carry and what is stacked.
    fn scan_body(&mut self, scan: &Scan<'a>, carry: Val, item: Val, span: Span) -> (Val, Val) {
        let unnamed = |value: Val, span: Span| Given { name: None, value, span };
        let mut given = vec![unnamed(carry, scan.init.span), unnamed(item, scan.xs.span)];
        given.extend(scan.rest.iter().cloned());
        match self.expand(scan.f, &scan.callee, &given, span) {
            Val::Tuple(v) if v.len() == 2 => (v[0].clone(), v[1].clone()),
            Val::Error => (Val::Error, Val::Error),
            other => {
                let def = scan.f.def;
                let at = def.result.as_ref().map_or(def.name.span, |t| t.span);
                let message = format!("`{}` returns {other}, not a pair", scan.callee.text);
                let d = Diagnostic::error("type-mismatch", message)
                    .at(scan.callee.span, "scanned with this")
                    .also(at, "declared here")
                    .help("it returns the next carry and this iteration's result: `(carry, y)`; `()` for none");
                (self.error(d), Val::Error)
            }
        }
    }

    /// How many iterations, and the stacked tensors of which they get entries.
    fn scanned(&mut self, xs: &Given) -> Option<(Dim, Val)> {
        match &xs.value {
            Val::Number(Num::Int(n), name) if *n > 0 => {
                let count = Dim { size: *n as u64, name: name.clone() };
                let op = Op::Iota { dtype: DType::I32, shape: vec![count.size], dim: 0, shard: Vec::new() };
                let counters = self.tensor(op, &[], vec![count.clone()], xs.span);
                (!counters.is_error()).then_some((count, counters))
            }
            Val::Stack(s) => Some((s.count.clone(), s.element.clone())),
            value => {
                let all = value.tensors();
                let first = all.first().and_then(|t| t.dims.first()).cloned();
                match first {
                    Some(d) if all.iter().all(|t| t.dims.first().is_some_and(|e| e.size == d.size)) => {
                        Some((d, value.clone()))
                    }
                    _ => {
                        let d = Diagnostic::error("type-mismatch", format!("`scan` cannot go over {value}"))
                            .at(xs.span, "");
                        self.error(
                            d.help("tensors whose first dims are equal, a list of structs, or a number of iterations"),
                        );
                        None
                    }
                }
            }
        }
    }

    /// The value with every tensor as the IR has it.
    pub(super) fn solid_value(&mut self, value: &Val, span: Span) -> Option<Val> {
        if value.is_error() {
            return None;
        }
        let mut ok = true;
        let solid = value.map(&mut |t| match self.solid(t, span) {
            Some(t) => t,
            None => {
                ok = false;
                t.clone()
            }
        });
        ok.then_some(solid)
    }
}

/// What `scan` returns: the last carry, and what each iteration gave, stacked.
fn scan_results(results: Vec<ValueId>, start: &Val, y: &Val, count: &Dim) -> Val {
    let mut results = results.into_iter();
    let last = start.map(&mut |t| TensorVal { id: results.next().unwrap_or(t.id), ..t.clone() });
    let ys = y.map(&mut |t| {
        let dims = std::iter::once(count.clone()).chain(t.dims.iter().cloned()).collect();
        TensorVal { id: results.next().unwrap_or(t.id), dtype: t.dtype, dims, units: Vec::new() }
    });
    Val::Tuple(vec![last, listed(ys, count)])
}

/// Stacked structs are a list of structs, and stacked lists a list of lists.
fn listed(ys: Val, count: &Dim) -> Val {
    match ys {
        Val::Struct(_) | Val::Stack(_) => Val::Stack(Rc::new(StackVal { count: count.clone(), element: ys })),
        Val::Tuple(v) => Val::Tuple(v.into_iter().map(|y| listed(y, count)).collect()),
        other => other,
    }
}
