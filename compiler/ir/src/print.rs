//! The text form of a function: one op per line, StableHLO-flavoured, and everything in it, so that it parses back to the
//! same function ([`crate::parse`]). docs/ir.md describes it by example.
//!
//! Numbers of values are their ids; where a function has values that nothing reaches, the rest move up, so that the text is
//! a fixed point of parsing. Source positions (`loc(0:12-17)`: file, byte range) are left out unless asked for.
//!
//! A function that does not verify prints too, since it is shown with the error.

use crate::graph::{Func, Init, OpId, Phase, Port, RegionId, ValueId};
use crate::op::Op;
use crate::span::Span;
use crate::text::{show_float, show_name, show_scalar};
use std::fmt::Write;

mod added;

pub use added::added;

/// What a line of the text shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PrintedLine {
    /// The opening or closing line.
    Func,
    Input(usize),
    Output(usize),
    Op(OpId),
    /// Argument `1` of region `0`.
    Arg(RegionId, usize),
    /// The yield, and so the end, of a region.
    Yield(RegionId),
}

/// One line of the text, without its indentation.
pub struct Line {
    pub depth: usize,
    pub text: String,
    pub at: PrintedLine,
}

/// The text of a function, without source positions.
pub fn print(func: &Func) -> String {
    join(lines(func, false))
}

/// The text of a function with a `loc(..)` where a position is known.
pub fn print_with_spans(func: &Func) -> String {
    join(lines(func, true))
}

fn join(lines: Vec<Line>) -> String {
    let mut out = String::new();
    for l in lines {
        let _ = writeln!(out, "{:indent$}{}", "", l.text, indent = 2 * l.depth);
    }
    out
}

/// The lines of the text, each with what it shows.
pub fn lines(func: &Func, spans: bool) -> Vec<Line> {
    let mut p = Printer { func, spans, number: numbers(func), seen: vec![false; func.regions.len()], out: Vec::new() };
    p.function();
    p.out
}

/// The text number of each reachable value: its rank among them, which is its id when all are reachable.
pub(crate) fn numbers(func: &Func) -> Vec<Option<u32>> {
    let mut reachable = vec![false; func.values.len()];
    let mut seen = vec![false; func.regions.len()];
    let mut stack = vec![Func::BODY];
    while let Some(r) = stack.pop() {
        let Some(region) = func.regions.get(r.index()) else {
            continue;
        };
        if std::mem::replace(&mut seen[r.index()], true) {
            continue;
        }
        let ops = region.ops.iter().filter_map(|o| func.ops.get(o.index()));
        let results = ops.clone().flat_map(|o| &o.results);
        for v in region.args.iter().chain(results) {
            if let Some(r) = reachable.get_mut(v.index()) {
                *r = true;
            }
        }
        stack.extend(ops.flat_map(|o| &o.regions));
    }
    let mut next = 0;
    reachable
        .into_iter()
        .map(|r| {
            next += u32::from(r);
            r.then(|| next - 1)
        })
        .collect()
}

struct Printer<'a> {
    func: &'a Func,
    spans: bool,
    number: Vec<Option<u32>>,
    /// Regions already printed: a malformed function may hold one twice, or inside itself.
    seen: Vec<bool>,
    out: Vec<Line>,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: String, at: PrintedLine) {
        self.out.push(Line { depth, text, at });
    }

    fn function(&mut self) {
        let func = self.func;
        let stashes = if func.stashes_in_host { " stashes host" } else { "" };
        let head = format!("func @{} on {}{stashes} {{", show_name(&func.name), func.mesh);
        self.line(0, head, PrintedLine::Func);
        let Some(body) = func.regions.first() else {
            return self.line(0, "}".into(), PrintedLine::Func);
        };
        self.seen[0] = true;
        for i in 0..body.args.len().max(func.inputs.len()) {
            let text = self.input(body.args.get(i).copied(), func.inputs.get(i));
            self.line(1, text, PrintedLine::Input(i));
        }
        for &o in &body.ops {
            self.op(1, o);
        }
        for i in 0..body.yields.len().max(func.outputs.len()) {
            let text = self.output(body.yields.get(i).copied(), func.outputs.get(i));
            self.line(1, text, PrintedLine::Output(i));
        }
        self.line(0, "}".into(), PrintedLine::Func);
    }

    fn input(&self, v: Option<ValueId>, port: Option<&Port>) -> String {
        let value = v.and_then(|v| self.func.values.get(v.index()));
        let mut s = format!("input {}", v.map_or("%?".into(), |v| self.value(v)));
        if let Some(p) = port {
            let _ = write!(s, " {}", show_name(&p.name));
            match value.map(|v| v.name.as_deref()) {
                Some(None) => s += " unnamed",
                Some(Some(n)) if n != p.name => {
                    let _ = write!(s, " as {}", show_name(n));
                }
                _ => {}
            }
        }
        s += ": ";
        s += &self.typed(v, port.map_or(Span::default(), |p| p.span));
        if let Some(p) = port {
            s += &self.port(p);
        }
        s
    }

    fn output(&self, v: Option<ValueId>, port: Option<&Port>) -> String {
        let mut s = format!("output {}", v.map_or("%?".into(), |v| self.value(v)));
        if let Some(p) = port {
            let _ = write!(s, " {}:{}", show_name(&p.name), self.port(p));
        }
        s
    }

    /// What is said of a port after its name and type.
    fn port(&self, p: &Port) -> String {
        let mut s = format!(" {}", p.role.name());
        if let Some(of) = &p.of {
            let _ = write!(s, " of {}", show_name(of));
        }
        if p.host {
            s += " host";
        }
        if !p.constraint.absent {
            let _ = write!(s, " constraint {}", p.constraint.show(&self.func.mesh));
        }
        if p.stacked {
            s += " stacked";
            if p.first_layer > 0 {
                let _ = write!(s, " from {}", p.first_layer);
            }
            if !p.entries.is_empty() {
                let all: Vec<String> = p.entries.iter().map(|e| show_name(e)).collect();
                let _ = write!(s, " ({})", all.join(", "));
            }
        }
        if p.complex {
            s += " complex";
        }
        if p.unsigned {
            s += " unsigned";
        }
        if let Some(init) = p.init {
            let _ = match init {
                Init::Constant(x) => write!(s, " init constant({})", show_scalar(x)),
                Init::Normal(b) => write!(s, " init normal({})", show_float(b)),
                Init::Uniform(b) => write!(s, " init uniform({})", show_float(b)),
                Init::Seed => write!(s, " init seed"),
            };
        }
        if let Some((lo, hi)) = p.range {
            let _ = write!(s, " range {lo}..{hi}");
        }
        if let Some(i) = p.updates {
            match self.func.regions[0].args.get(i) {
                Some(&v) => {
                    let _ = write!(s, " updates {}", self.value(v));
                }
                None => {
                    let _ = write!(s, " updates %?{i}");
                }
            }
        }
        if self.spans && p.span != Span::default() {
            s += &loc(p.span);
        }
        s
    }

    fn value(&self, v: ValueId) -> String {
        match self.number.get(v.index()) {
            Some(Some(n)) => format!("%{n}"),
            _ => format!("%?{}", v.0),
        }
    }

    fn values(&self, vs: &[ValueId]) -> String {
        vs.iter().map(|&v| self.value(v)).collect::<Vec<_>>().join(", ")
    }

    /// Type, layout and position of a value; the position only where it is not `around`, that of the line.
    fn typed(&self, v: Option<ValueId>, around: Span) -> String {
        let Some(value) = v.and_then(|v| self.func.values.get(v.index())) else {
            return "?".into();
        };
        let mut s = value.ty.to_string();
        if let Some(l) = &value.layout {
            let _ = write!(s, " @ {}", l.show(&self.func.mesh));
        }
        if self.spans && value.span != around {
            s += &loc(value.span);
        }
        s
    }

    /// A value where it is defined, with its name.
    fn defined(&self, v: ValueId) -> String {
        let n = self.func.values.get(v.index()).and_then(|v| v.name.as_deref());
        match n {
            Some(n) => format!("{} {}", self.value(v), show_name(n)),
            None => self.value(v),
        }
    }

    fn op(&mut self, depth: usize, id: OpId) {
        let Some(data) = self.func.ops.get(id.index()) else {
            return self.line(depth, format!("?op {}", id.0), PrintedLine::Op(id));
        };
        let mut s = String::new();
        if !data.results.is_empty() {
            let defs: Vec<String> = data.results.iter().map(|&v| self.defined(v)).collect();
            let _ = write!(s, "{} = ", defs.join(", "));
        }
        s += data.op.name();
        match &data.op {
            Op::Composite { name: n, .. } => {
                let _ = write!(s, " @{}", show_name(n));
                self.operands(&mut s, &data.operands);
            }
            &Op::Repeat { carries, early: true, .. } => {
                let (carried, rest) = data.operands.split_at(carries.min(data.operands.len()));
                let _ = write!(s, " carries({}) invariants({})", self.values(carried), self.values(rest));
            }
            &Op::Repeat { carries, xs, .. } => {
                let n = data.operands.len();
                let (a, b) = (carries.min(n), carries.saturating_add(xs).min(n));
                let group = |vs| self.values(vs);
                let _ = write!(
                    s,
                    " carries({}) xs({}) invariants({})",
                    group(&data.operands[..a]),
                    group(&data.operands[a..b]),
                    group(&data.operands[b..])
                );
            }
            _ => self.operands(&mut s, &data.operands),
        }
        if let Some(a) = (data.op.entry().text.show)(&data.op, &self.func.mesh) {
            let _ = write!(s, " {{{a}}}");
        }
        if !data.results.is_empty() {
            let types: Vec<String> = data.results.iter().map(|&v| self.typed(Some(v), data.span)).collect();
            let _ = write!(s, " : {}", types.join(", "));
        }
        if data.phase != Phase::Forward {
            let _ = write!(s, " {}", data.phase.name());
        }
        if data.weight_grad {
            s += " weight_grad";
        }
        if let Some(r) = data.recompute {
            let _ = write!(s, " recompute({})", r.name());
        }
        if self.spans && data.span != Span::default() {
            s += &loc(data.span);
        }
        if data.regions.is_empty() {
            return self.line(depth, s, PrintedLine::Op(id));
        }
        s += " {";
        self.line(depth, s, PrintedLine::Op(id));
        for (i, &r) in data.regions.iter().enumerate() {
            if i > 0 {
                self.line(depth, "} {".into(), PrintedLine::Op(id));
            }
            self.region(depth + 1, r);
        }
        self.line(depth, "}".into(), PrintedLine::Op(id));
    }

    fn operands(&self, s: &mut String, operands: &[ValueId]) {
        if !operands.is_empty() {
            let _ = write!(s, " {}", self.values(operands));
        }
    }

    fn region(&mut self, depth: usize, r: RegionId) {
        let func = self.func;
        let Some(region) = func.regions.get(r.index()) else {
            return;
        };
        if std::mem::replace(&mut self.seen[r.index()], true) {
            return;
        }
        for (i, &v) in region.args.iter().enumerate() {
            let text = format!("arg {}: {}", self.defined(v), self.typed(Some(v), Span::default()));
            self.line(depth, text, PrintedLine::Arg(r, i));
        }
        for &o in &region.ops {
            self.op(depth, o);
        }
        let mut text = String::from("yield");
        self.operands(&mut text, &region.yields);
        self.line(depth, text, PrintedLine::Yield(r));
    }
}

fn loc(s: Span) -> String {
    format!(" loc({}:{}-{})", s.file.0, s.start, s.end)
}
