//! The text form of a function: one op per line, StableHLO-flavoured, and everything in it, so that it parses back to the
//! same function ([`crate::parse`]). docs/ir.md describes it by example.
//!
//! Numbers of values are their ids; where a function has values that nothing reaches, the rest move up, so that the text is
//! a fixed point of parsing. Source positions (`loc(0:12-17)`: file, byte range) are left out unless asked for.
//!
//! A function that does not verify prints too, since it is shown with the error.

use crate::graph::{Func, Init, OpId, Phase, Port, RegionId, ValueId};
use crate::layout::{Constraint, Layout};
use crate::mesh::{Axis, Mesh};
use crate::op::{Attr, Op, UNBOUNDED};
use crate::span::Span;
use crate::types::{Literal, Scalar};
use std::fmt::Write;

mod added;

pub use added::added;

/// What a line of the text shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum At {
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
    pub at: At,
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
    fn line(&mut self, depth: usize, text: String, at: At) {
        self.out.push(Line { depth, text, at });
    }

    fn function(&mut self) {
        let func = self.func;
        let head = format!("func @{} on {} {{", name(&func.name), func.mesh);
        self.line(0, head, At::Func);
        let Some(body) = func.regions.first() else {
            return self.line(0, "}".into(), At::Func);
        };
        self.seen[0] = true;
        for i in 0..body.args.len().max(func.inputs.len()) {
            let text = self.input(body.args.get(i).copied(), func.inputs.get(i));
            self.line(1, text, At::Input(i));
        }
        for &o in &body.ops {
            self.op(1, o);
        }
        for i in 0..body.yields.len().max(func.outputs.len()) {
            let text = self.output(body.yields.get(i).copied(), func.outputs.get(i));
            self.line(1, text, At::Output(i));
        }
        self.line(0, "}".into(), At::Func);
    }

    fn input(&self, v: Option<ValueId>, port: Option<&Port>) -> String {
        let value = v.and_then(|v| self.func.values.get(v.index()));
        let mut s = format!("input {}", v.map_or("%?".into(), |v| self.value(v)));
        if let Some(p) = port {
            let _ = write!(s, " {}", name(&p.name));
            match value.map(|v| v.name.as_deref()) {
                Some(None) => s += " unnamed",
                Some(Some(n)) if n != p.name => {
                    let _ = write!(s, " as {}", name(n));
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
            let _ = write!(s, " {}:{}", name(&p.name), self.port(p));
        }
        s
    }

    /// What is said of a port after its name and type.
    fn port(&self, p: &Port) -> String {
        let mut s = format!(" {}", p.role.name());
        if let Some(of) = &p.of {
            let _ = write!(s, " of {}", name(of));
        }
        if !p.constraint.absent {
            let _ = write!(s, " constraint {}", p.constraint.show(&self.func.mesh));
        }
        if p.stacked {
            s += " stacked";
            if !p.entries.is_empty() {
                let all: Vec<String> = p.entries.iter().map(|e| name(e)).collect();
                let _ = write!(s, " ({})", all.join(", "));
            }
        }
        if let Some(init) = p.init {
            let _ = match init {
                Init::Constant(b) => write!(s, " init constant({})", float(b)),
                Init::Normal(b) => write!(s, " init normal({})", float(b)),
                Init::Uniform(b) => write!(s, " init uniform({})", float(b)),
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
            Some(n) => format!("{} {}", self.value(v), name(n)),
            None => self.value(v),
        }
    }

    fn op(&mut self, depth: usize, id: OpId) {
        let Some(data) = self.func.ops.get(id.index()) else {
            return self.line(depth, format!("?op {}", id.0), At::Op(id));
        };
        let mut s = String::new();
        if !data.results.is_empty() {
            let defs: Vec<String> = data.results.iter().map(|&v| self.defined(v)).collect();
            let _ = write!(s, "{} = ", defs.join(", "));
        }
        s += data.op.name();
        match &data.op {
            Op::Composite { name: n, .. } => {
                let _ = write!(s, " @{}", name(n));
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
        if let Some(a) = attributes(&data.op, &self.func.mesh) {
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
            return self.line(depth, s, At::Op(id));
        }
        s += " {";
        self.line(depth, s, At::Op(id));
        for (i, &r) in data.regions.iter().enumerate() {
            if i > 0 {
                self.line(depth, "} {".into(), At::Op(id));
            }
            self.region(depth + 1, r);
        }
        self.line(depth, "}".into(), At::Op(id));
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
            self.line(depth, text, At::Arg(r, i));
        }
        for &o in &region.ops {
            self.op(depth, o);
        }
        let mut text = String::from("yield");
        self.operands(&mut text, &region.yields);
        self.line(depth, text, At::Yield(r));
    }
}

/// What stands between an op's braces; `None` where it has no attributes beyond its result type.
fn attributes(op: &Op, mesh: &Mesh) -> Option<String> {
    let over = |axes: &[Axis]| show_axes(axes, mesh);
    let shard = |axes: &[Axis]| format!("shard {}", show_axes(axes, mesh));
    Some(match op {
        Op::Constant { value, .. } => match value {
            Literal::Splat(x) => scalar(*x),
            Literal::Dense(xs) => {
                let xs: Vec<String> = xs.iter().map(|&x| scalar(x)).collect();
                format!("[{}]", xs.join(", "))
            }
        },
        Op::Iota { dim, shard: a, .. } if a.is_empty() => format!("dim {dim}"),
        Op::Iota { dim, shard: a, .. } => format!("dim {dim} {}", shard(a)),
        Op::Elem(_) | Op::Convert { .. } | Op::Reshape { .. } => return None,
        Op::Broadcast { dims, .. } => format!("dims {dims:?}"),
        Op::Transpose { perm } => format!("{perm:?}"),
        Op::Slice { start, limit } => ranges(start, limit),
        Op::Pad { low, high } => ranges(low, high),
        Op::Concatenate { dim } => format!("dim {dim}"),
        Op::DotGeneral(e) => e.to.map_or_else(|| e.to_string(), |to| format!("{e} to {to}")),
        Op::Reduce { kind, dims } => format!("{} {dims:?}", kind.name()),
        Op::Cumulative { kind, dim, reverse, exclusive } => {
            let flag = |on: &bool, word: &'static str| if *on { word } else { "" };
            format!("{} dim {dim}{}{}", kind.name(), flag(reverse, " reverse"), flag(exclusive, " exclusive"))
        }
        Op::TopK { dim, k, largest, indices } => {
            let (order, what) = (if *largest { "largest" } else { "smallest" }, if *indices { " indices" } else { "" });
            format!("dim {dim} {order} {k}{what}")
        }
        Op::RandomBits { total, shard, .. } if shard.is_empty() => format!("of {total:?}"),
        Op::RandomBits { total, shard, .. } => format!("of {total:?} split {}", split(shard, mesh)),
        Op::Gather { shard: a, total: None } if a.is_empty() => return None,
        Op::Gather { shard: a, total: None } => shard(a),
        Op::Gather { shard: a, total: Some(n) } => format!("total {n} {}", shard(a)),
        Op::Scatter { total, shard: a, .. } if a.is_empty() => format!("total {total}"),
        Op::Scatter { total, shard: a, .. } => format!("total {total} {}", shard(a)),
        Op::Constrain(c) => constraint(c, mesh),
        Op::Composite { attrs, .. } => {
            let list: Vec<String> = attrs.iter().map(|(k, a)| format!("{}: {}", name(k), attr(a))).collect();
            list.join(", ")
        }
        Op::Repeat { trip: UNBOUNDED, early: true, .. } => String::new(),
        Op::Repeat { trip, early: true, .. } => format!("at_most {trip}"),
        Op::Repeat { trip, reverse, .. } => {
            format!("trip {trip}{}", if *reverse { " reverse" } else { "" })
        }
        Op::AllReduce { axes, kind } => format!("{} over {}", kind.name(), over(axes)),
        Op::AllGather { axes, dim, size } => format!("dim {dim}{} over {}", sized(*size), over(axes)),
        Op::ReduceScatter { axes, dim, kind } => {
            format!("{} dim {dim} over {}", kind.name(), over(axes))
        }
        Op::AllToAll { axes, split, concat, size } => {
            format!("split {split} concat {concat}{} over {}", sized(*size), over(axes))
        }
        Op::Rotate { dim, by } => format!("dim {dim} by {by}"),
        Op::Windows { dim, window: w } => {
            let (low, high, fill) = (w.low, w.high, scalar(w.fill));
            let (size, stride, dilation) = (w.size, w.stride, w.dilation);
            format!("dim {dim} size {size} stride {stride} dilation {dilation} pad {low}:{high} with {fill}")
        }
        Op::Reverse { dim } => format!("dim {dim}"),
        Op::CollectiveShift { axes, by } => format!("shift {by} over {}", show_axes(axes, mesh)),
        Op::CollectivePermute { from, to, .. } => format!("from {} to {}", split(from, mesh), split(to, mesh)),
        Op::ShardSlice { axes, dim } => format!("dim {dim} over {}", over(axes)),
        Op::PartialSplit { axes } => format!("over {}", over(axes)),
        Op::PadMask { axes, dim, size, kind } => {
            format!("{} dim {dim} size {size} over {}", kind.name(), over(axes))
        }
    })
}

/// The size that a gathered dim is cut to.
fn sized(size: Option<u64>) -> String {
    size.map_or(String::new(), |n| format!(" size {n}"))
}

fn constraint(c: &Constraint, mesh: &Mesh) -> String {
    if c.absent {
        return format!("absent {}", c.dims.len());
    }
    c.show(mesh)
}

fn show_axes(axes: &[Axis], mesh: &Mesh) -> String {
    let names: Vec<&str> = axes.iter().map(|&a| mesh.name(a)).collect();
    match names[..] {
        [one] => one.into(),
        _ => format!("({})", names.join(", ")),
    }
}

/// Axes of each dim, as in a layout.
fn split(dims: &[Vec<Axis>], mesh: &Mesh) -> String {
    Layout { dims: dims.to_vec(), partial: Default::default() }.show(mesh)
}

fn ranges(a: &[u64], b: &[u64]) -> String {
    let n = a.len().max(b.len());
    let at = |v: &[u64], i: usize| v.get(i).map_or("?".into(), u64::to_string);
    let list: Vec<String> = (0..n).map(|i| format!("{}:{}", at(a, i), at(b, i))).collect();
    format!("[{}]", list.join(", "))
}

fn attr(a: &Attr) -> String {
    match a {
        Attr::Bool(b) => b.to_string(),
        Attr::Int(i) => i.to_string(),
        Attr::Float(b) => float(*b),
        Attr::Str(s) => quote(s),
    }
}

fn scalar(x: Scalar) -> String {
    match x {
        Scalar::Float(b) => float(b),
        Scalar::Int(i) => i.to_string(),
    }
}

/// The shortest decimal that reads back as the same f64; it has a point, an exponent or a name, so it is no integer.
fn float(bits: u64) -> String {
    let x = f64::from_bits(bits);
    if !x.is_nan() {
        return format!("{x:?}");
    }
    if bits == f64::NAN.to_bits() { "nan".into() } else { format!("nan({bits:#x})") }
}

fn loc(s: Span) -> String {
    format!(" loc({}:{}-{})", s.file.0, s.start, s.end)
}

/// Whether a name stands without quotes: a path of identifiers, numbers and stars.
fn is_bare(s: &str) -> bool {
    s.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && s.chars().all(is_name_char)
}

pub(crate) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '*')
}

fn name(s: &str) -> String {
    if is_bare(s) { s.into() } else { quote(s) }
}

fn quote(s: &str) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
