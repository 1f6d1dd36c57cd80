//! Checks the plan in a bundle against what the source and the caller require beside its results: assertions, a budget, a bound on
//! reshards, and floats in the order in which they are written.
//!
//! A bundle has no report of its plan. All is read from the local program and its certificate, as they were proved.
//!
//! Not here: the same checks of a plan that was just made, with the lines that break them ([`crate::assert`]).

use crate::assert::{on_own_mesh, unmet};
use crate::program::{CompileOptions, Program};
use crate::staged;
use meshloom_bundle::{EntryContents, EntryKind};
use meshloom_certify::{Certificate, Step, laws};
use meshloom_ir::{Axis, Func, Layout, Op, OpId, Phase, Port, Reduction, RegionId, Span, ValueId, table};
use meshloom_plan::cost::wire_bytes;
use meshloom_report::human;
use meshloom_source::assertion::{Assert, Check, Quantity, Scope};
use meshloom_strategy::entry::Elaborated;

/// The proved plan of an entry.
pub struct Proved<'a> {
    pub entry: &'a Elaborated,
    /// The global program that the certificate is about, forms included.
    pub global: &'a Func,
    pub local: &'a Func,
    pub certificate: &'a Certificate,
    pub contents: &'a EntryContents,
}

/// One collective of the local program.
struct Exchange<'a> {
    does: &'a Op,
    axes: &'a [Axis],
    phase: Phase,
    /// Where the tensor that it moves stands in the source, if it does.
    span: Option<Span>,
    times: u64,
    /// On the wire, per device and step.
    bytes: f64,
}

/// Checks a plan against all requirements. Returns how many assertions hold.
///
/// # Errors
/// The requirements that do not hold, and those that a bundle cannot tell.
pub fn hold(program: &Program, options: &CompileOptions, plan: &Proved<'_>) -> Result<usize, Vec<String>> {
    let exchanges = plan.exchanges();
    let own = !plan.entry.derived;
    let asserts: Vec<&Assert> = program.asserts.iter().filter(|_| own).collect();
    let mut broken: Vec<String> = asserts.iter().filter_map(|a| plan.assertion(a, &exchanges)).collect();
    if program.target.strict_float {
        broken.extend(plan.reordered().or_else(|| plan.rounds_parts()));
    }
    broken.extend(plan.over_budget(options.plan.budget.or(plan.entry.memory.budget)));
    broken.extend(options.reshards.deny.into_iter().flat_map(|most| reshards(&exchanges, most)));
    if broken.is_empty() { Ok(asserts.len()) } else { Err(broken) }
}

/// Exchanges that only move data to where the next op wants it, and move more than they may.
fn reshards(exchanges: &[Exchange<'_>], most: u64) -> Vec<String> {
    let moves = exchanges.iter().filter(|x| x.does.effect().reduced.is_none());
    let large = moves.filter(|x| x.bytes > most as f64);
    let said = |x: &Exchange<'_>| {
        let (moved, most) = (human::bytes(x.bytes), human::bytes(most as f64));
        format!("its {} moves {moved} per device in a step; --deny-reshard allows {most}", x.does.name())
    };
    large.map(said).collect()
}

impl Proved<'_> {
    fn exchanges(&self) -> Vec<Exchange<'_>> {
        let mut out = Vec::new();
        self.walk(Func::BODY, 1, &mut out);
        out
    }

    fn walk<'s>(&'s self, region: RegionId, times: u64, out: &mut Vec<Exchange<'s>>) {
        for &o in &self.local.region(region).ops {
            let data = self.local.op(o);
            if let Op::Repeat { .. } = data.op {
                data.regions.iter().for_each(|&r| self.walk(r, times.saturating_mul(data.op.iterations()), out));
            }
            if let Some(axes) = data.op.collective_axes().filter(|_| data.op.communicates()) {
                let mesh = &self.local.mesh;
                let total = wire_bytes(&data.op, self.local.ty(data.operands[0]), mesh);
                let bytes = total as f64 / mesh.devices() as f64 * times as f64;
                let span = self.span(o);
                out.push(Exchange { does: &data.op, axes, phase: data.phase, span, times, bytes });
            }
        }
    }

    /// Where the op, or the tensor that a collective converts, stands in the source.
    fn span(&self, o: OpId) -> Option<Span> {
        let made = self.local.op(o).results.first()?;
        let global = match self.certificate.step(o)? {
            Step::Op { global, .. } => *self.global.op(*global).results.first()?,
            Step::Region { .. } | Step::Reshard => self.certificate.claim(*made)?.global,
        };
        let span = match self.global.def_op(global) {
            Some(o) => self.global.op(o).span,
            None => self.global.value(global).span,
        };
        (!span.is_none()).then_some(span)
    }

    /// What is wrong with an assertion; nothing where it holds.
    fn assertion(&self, a: &Assert, exchanges: &[Exchange<'_>]) -> Option<String> {
        match &a.check {
            Check::Absent { scope: Scope::Entry(name), .. } if *name != self.entry.name => None,
            Check::Absent { kind, axis, scope } => {
                let of = self.of(exchanges, kind.as_deref(), *axis);
                let (mut here, mut unknown) = (0, 0);
                for x in of {
                    match is_inside(scope, x) {
                        Some(inside) => here += usize::from(inside),
                        None => unknown += 1,
                    }
                }
                let what = kind.as_deref().unwrap_or("collective");
                match (here, unknown) {
                    (0, 0) => None,
                    (0, n) => {
                        Some(format!("an assertion is not held: where {n} of its {what}s come from is not known"))
                    }
                    (n, _) => Some(format!("an assertion does not hold: it has {n} {what}s that must not be there")),
                }
            }
            Check::Layout { glob, constraint } => {
                let path = glob.segments.join(".");
                let found: Vec<(String, Option<Layout>)> = self.layouts(&|name| glob.matches(name));
                let constraint = match &self.entry.pipeline {
                    Some(of) if constraint.names(of.axis) => None,
                    Some(of) => Some(constraint.on_mesh_without(of.axis)),
                    None => Some(constraint.clone()),
                };
                let effective = constraint.map(|c| c.effective(&self.global.mesh));
                found.into_iter().find_map(|(name, layout)| match layout {
                    None => Some(format!("an assertion on `{path}` is not held: how `{name}` lies is not known")),
                    Some(l) if effective.as_ref().is_some_and(|c| c.admits(&l)) => None,
                    Some(l) => {
                        Some(format!("an assertion does not hold: `{name}` is laid out {}", l.show(&self.global.mesh)))
                    }
                })
            }
            Check::Bound { quantity, op, value } => {
                let found = self.quantity(quantity, exchanges)?;
                unmet(&self.entry.name, &found.0, quantity, *op, found.1, *value)
                    .map(|said| format!("an assertion does not hold: {said}"))
            }
        }
    }

    /// The exchanges of a kind and over an axis of the source.
    fn of<'x, 'e>(
        &self,
        all: &'x [Exchange<'e>],
        kind: Option<&str>,
        axis: Option<Axis>,
    ) -> impl Iterator<Item = &'x Exchange<'e>> {
        let axis = axis.map(|a| on_own_mesh(self.entry, a));
        let over = move |x: &&Exchange<'_>| axis.is_none_or(|a| a.is_some_and(|a| x.axes.contains(&a)));
        let kind = kind.map(str::to_owned);
        all.iter().filter(move |x| kind.as_ref().is_none_or(|k| k == x.does.name())).filter(over)
    }

    /// What a quantity is called, and how much there is of it.
    fn quantity(&self, q: &Quantity, exchanges: &[Exchange<'_>]) -> Option<(String, f64)> {
        let trains = self.contents.kind == EntryKind::Train;
        let name = |a: &Option<Axis>| a.map(|a| self.entry.mesh().name(a).to_owned());
        let called = |what: &str, of: Vec<String>| match of.is_empty() {
            true => what.to_owned(),
            false => format!("{what}({})", of.join(", ")),
        };
        Some(match q {
            Quantity::WireBytes(axis) => {
                let bytes = self.of(exchanges, None, *axis).map(|x| x.bytes).sum();
                (called("wire_bytes", name(axis).into_iter().collect()), bytes)
            }
            Quantity::Collectives { kind, axis } => {
                let times = self.of(exchanges, kind.as_deref(), *axis).map(|x| x.times as f64).sum();
                (called("collectives", kind.iter().cloned().chain(name(axis)).collect()), times)
            }
            Quantity::PeakBytes => ("peak_bytes".into(), self.contents.device_bytes() as f64),
            Quantity::Stages(_) | Quantity::Bubble if !trains => return None,
            Quantity::Stages(list) => {
                let of = self.entry.pipeline.as_ref().filter(|of| list.as_ref().is_none_or(|l| l.text == of.list));
                let stages = of.map_or(1.0, |of| of.sizes.len() as f64);
                (called("stages", list.iter().map(|l| l.text.clone()).collect()), stages)
            }
            Quantity::Bubble => {
                let simulated = self.entry.pipeline.as_ref().and_then(|of| of.at_unit_times().ok());
                ("bubble".into(), simulated.map_or(0.0, |s| staged::bubble(&s)))
            }
        })
    }

    /// The layouts of the tensors with such names: ports, and named values by the ops that make them. `None` of what nothing makes,
    /// or several ops in several layouts.
    fn layouts(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<(String, Option<Layout>)> {
        let local = self.local;
        let body = local.body();
        let stacked = |name: &str| local.inputs.iter().any(|p| p.stacked && p.name == name) || name.contains('*');
        let own = |name: &str, l: &Layout| {
            let mut l = l.clone();
            if stacked(name) && !l.dims.is_empty() {
                l.dims.remove(0);
            }
            l
        };
        let ports = body.args.iter().zip(&local.inputs).chain(body.yields.iter().zip(&local.outputs));
        let ports = ports.filter(|(_, p): &(&ValueId, &Port)| wanted(&p.name));
        let of_port = |(v, p): (&ValueId, &Port)| {
            let l = local.value(*v).layout.as_ref();
            (p.name.clone(), l.map(|l| own(&p.name, l)))
        };
        let mut out: Vec<_> = ports.map(of_port).collect();
        for i in 0..self.global.values.len() {
            let v = ValueId(i as u32);
            let Some(name) = self.global.value(v).name.as_deref().filter(|n| wanted(n)) else { continue };
            if self.global.def_op(v).is_some() {
                out.push((name.to_owned(), self.made(v).map(|l| own(name, &l))));
            }
        }
        out
    }

    /// The layout in which the ops make a global value, where it is one.
    fn made(&self, v: ValueId) -> Option<Layout> {
        let by_op = |o: &OpId| !matches!(self.certificate.step(*o), Some(Step::Reshard) | None);
        let ops = self.local.walk(Func::BODY).into_iter().filter(by_op);
        let results = ops.flat_map(|o| self.local.op(o).results.clone());
        let mut all = results.filter_map(|r| self.certificate.claim(r)).filter(|c| c.global == v).map(|c| &c.layout);
        let first = all.next()?;
        all.all(|l| l == first).then(|| first.clone())
    }

    /// Ops that round each part of a sum where the program rounds what they give of the sum.
    fn rounds_parts(&self) -> Option<String> {
        let op = self.local.walk(Func::BODY).into_iter().find_map(|o| {
            let Some(Step::Op { global, assignment }) = self.certificate.step(o) else { return None };
            let rule = table::factors(self.global, *global)?;
            let sums = assignment.linear.values().any(|&s| rule.set(s).is_some_and(|s| s.0 == Reduction::Sum));
            let op = &self.global.op(*global).op;
            (sums && !op.takes_parts()).then(|| op.name())
        })?;
        Some(format!("its plan applies `{op}` to parts of a sum, which --strict-float adds up before"))
    }

    /// Laws of the plan that change the order of floating point operations.
    fn reordered(&self) -> Option<String> {
        let equal = self.certificate.form.iter().flat_map(|f| &f.equal);
        let law = equal.filter_map(|e| laws::find(&e.law)).find(|law| law.reassociates)?;
        Some(format!(
            "its plan changes the order of floating point operations (by {}), which --strict-float keeps",
            law.name
        ))
    }

    fn over_budget(&self, budget: Option<u64>) -> Option<String> {
        let (has, most) = (self.contents.device_bytes(), budget?);
        let said =
            || format!("a device holds {}, and the budget is {}", human::bytes(has as f64), human::bytes(most as f64));
        (has > most).then(said)
    }
}

/// Whether an exchange is where it must not be; `None` where it is not known where it comes from.
fn is_inside(scope: &Scope, x: &Exchange<'_>) -> Option<bool> {
    match scope {
        Scope::Everywhere | Scope::Entry(_) => Some(true),
        Scope::Phase(p) => Some(x.phase == *p),
        Scope::Bodies(spans) => {
            let s = x.span?;
            Some(spans.iter().any(|b| b.file == s.file && b.start <= s.start && s.end <= b.end))
        }
    }
}
