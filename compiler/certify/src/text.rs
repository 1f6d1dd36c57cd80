//! The certificate as text, one line per claim or step, in the order of the local program:
//!
//! ```text
//! certificate 1
//! mesh [data: 2, model: 4]
//! values 4 steps 2
//! %0 = %0 [data, _]
//! %1 = %1 [_, _]
//! op 0: op 0 {0: data} linear {model: 0}
//! %2 = %2 [data, _] + partial(model)
//! op 1: reshard
//! %3 = %2 [data, _]
//! ```
//!
//! `%2 = %1 L` reads: local value 2 is the shard of global value 1 under layout L. A step is followed by the claims of its
//! results, which it proves. Numbers are the ids of the two programs' text forms.

use crate::certificate::{Certificate, Claim, Step};
use meshloom_ir::{Assignment, Axis, Func, Layout, Mesh, OpId, Reduction, RegionId, ValueId, mesh};
use std::fmt::{self, Write};

/// Longest text that is read.
pub const MAX_BYTES: usize = 1 << 30;
/// Highest rank of a layout.
const MAX_RANK: usize = 64;

/// The text of `cert`, in the order of `local`; ids that the program's regions do not reach come last.
pub fn print(cert: &Certificate, local: &Func) -> String {
    let mut p = Printer {
        cert,
        out: format!("certificate 1\nmesh {}\nvalues {} steps {}\n", cert.mesh, cert.values.len(), cert.steps.len()),
        values: vec![false; cert.values.len()],
        steps: vec![false; cert.steps.len()],
    };
    let mut open = vec![(Func::BODY, 0)];
    p.args(local, Func::BODY);
    while let Some((r, at)) = open.pop() {
        let ops = local.regions.get(r.index()).map_or(&[][..], |x| &x.ops);
        let Some((&o, data)) = ops.get(at).and_then(|o| Some((o, local.ops.get(o.index())?))) else {
            continue;
        };
        open.push((r, at + 1));
        let fresh = p.steps.get(o.index()) == Some(&false);
        p.step(o);
        for &v in &data.results {
            p.claim(v);
        }
        // Each body once, so that a damaged region tree cannot make this endless.
        for &inner in data.regions.iter().rev().filter(|_| fresh) {
            p.args(local, inner);
            open.push((inner, 0));
        }
    }
    for v in 0..cert.values.len() {
        p.claim(ValueId(v as u32));
    }
    for o in 0..cert.steps.len() {
        p.step(OpId(o as u32));
    }
    p.out
}

struct Printer<'a> {
    cert: &'a Certificate,
    out: String,
    values: Vec<bool>,
    steps: Vec<bool>,
}

impl Printer<'_> {
    fn args(&mut self, local: &Func, r: RegionId) {
        for &v in local.regions.get(r.index()).map_or(&[][..], |x| &x.args) {
            self.claim(v);
        }
    }

    fn claim(&mut self, v: ValueId) {
        let Some(c) = self.cert.claim(v) else { return };
        if !std::mem::replace(&mut self.values[v.index()], true) {
            let layout = c.layout.show(&self.cert.mesh);
            let _ = writeln!(self.out, "%{} = %{} {layout}", v.0, c.global.0);
        }
    }

    fn step(&mut self, o: OpId) {
        let Some(step) = self.cert.step(o) else {
            return;
        };
        if std::mem::replace(&mut self.steps[o.index()], true) {
            return;
        }
        let mesh = &self.cert.mesh;
        let _ = match step {
            Step::Reshard => writeln!(self.out, "op {}: reshard", o.0),
            Step::Region { global } => writeln!(self.out, "op {}: region {}", o.0, global.0),
            Step::Op { global, assignment } => {
                let factors: Vec<String> = assignment
                    .factors
                    .iter()
                    .map(|(f, axes)| match axes[..] {
                        [a] => format!("{f}: {}", mesh.name(a)),
                        _ => {
                            let names: Vec<&str> = axes.iter().map(|&a| mesh.name(a)).collect();
                            format!("{f}: ({})", names.join(", "))
                        }
                    })
                    .collect();
                let linear: Vec<String> =
                    assignment.linear.iter().map(|(&a, s)| format!("{}: {s}", mesh.name(a))).collect();
                let tail = if linear.is_empty() { String::new() } else { format!(" linear {{{}}}", linear.join(", ")) };
                writeln!(self.out, "op {}: op {} {{{}}}{tail}", o.0, global.0, factors.join(", "))
            }
        };
    }
}

/// Where and why a text is no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// From 1.
    pub line: usize,
    /// From 1, in bytes.
    pub column: usize,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads what [`print`] writes. Whether it proves anything is for [`crate::check`] to say.
///
/// # Errors
/// The first place that cannot be read.
pub fn parse(text: &str) -> Result<Certificate, ParseError> {
    if text.len() > MAX_BYTES {
        return Err(ParseError {
            line: 1,
            column: 1,
            message: format!("a certificate of more than {MAX_BYTES} bytes"),
        });
    }
    let mut lines = text.lines().enumerate().map(|(i, s)| Line { number: i + 1, text: s, at: 0 });
    let last = text.lines().count() + 1;
    let mut next = |what: &str| {
        lines.next().ok_or_else(|| ParseError {
            line: last,
            column: 1,
            message: format!("the text ends where {what} is expected"),
        })
    };
    let mut l = next("`certificate 1`")?;
    l.word("certificate")?;
    let version = l.number()?;
    if version != 1 {
        return Err(l.error(format!("version {version} is not known; this reads version 1")));
    }
    l.end()?;
    let mut l = next("the mesh")?;
    l.word("mesh")?;
    let mesh = l.mesh()?;
    l.end()?;
    let mut l = next("`values N steps N`")?;
    l.word("values")?;
    let values = l.number()?;
    l.word("steps")?;
    let steps = l.number()?;
    l.end()?;
    // Every claim and step has a line of its own, so sizes that the text cannot hold are refused before memory is taken.
    if values.saturating_add(steps) > (last as u64) {
        return Err(l.error(format!("{values} values and {steps} steps, but the text has {} lines", last - 1)));
    }
    let mut claims: Vec<Option<Claim>> = vec![None; values as usize];
    let mut done: Vec<Option<Step>> = vec![None; steps as usize];
    for mut l in lines {
        l.space();
        if l.rest().is_empty() {
            continue;
        }
        let start = l.at;
        let taken = if l.rest().starts_with('%') {
            let v = l.id("%")?;
            l.word("=")?;
            let global = ValueId(l.id("%")?);
            let layout = l.layout(&mesh)?;
            l.end()?;
            put(&mut claims, v, Claim { global, layout })
        } else {
            l.word("op")?;
            let o = l.id("")?;
            l.word(":")?;
            let step = l.step(&mesh)?;
            l.end()?;
            put(&mut done, o, step)
        };
        if !taken {
            l.at = start;
            return Err(l.error("this id is out of range or stands twice"));
        }
    }
    let missing = |what: &str, i: usize| ParseError { line: last, column: 1, message: format!("{what}{i} is missing") };
    let collect = |i: usize, c: Option<Claim>| c.ok_or_else(|| missing("the claim of %", i));
    let values = claims.into_iter().enumerate();
    let steps = done.into_iter().enumerate();
    Ok(Certificate {
        mesh,
        values: values.map(|(i, c)| collect(i, c)).collect::<Result<_, _>>()?,
        steps: steps.map(|(i, s)| s.ok_or_else(|| missing("the step of op ", i))).collect::<Result<_, _>>()?,
    })
}

fn put<T>(list: &mut [Option<T>], id: u32, x: T) -> bool {
    match list.get_mut(id as usize) {
        Some(slot @ None) => {
            *slot = Some(x);
            true
        }
        _ => false,
    }
}

/// A cursor over one line.
struct Line<'a> {
    number: usize,
    text: &'a str,
    at: usize,
}

impl<'a> Line<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.number, column: self.at + 1, message: message.into() }
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(' ').len();
    }

    fn eat(&mut self, s: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(s);
        if found {
            self.at += s.len();
        }
        found
    }

    fn word(&mut self, s: &str) -> Result<(), ParseError> {
        if self.eat(s) {
            return Ok(());
        }
        Err(self.error(format!("`{s}` is expected")))
    }

    fn end(&mut self) -> Result<(), ParseError> {
        self.space();
        if self.rest().is_empty() {
            return Ok(());
        }
        Err(self.error("the line should end here"))
    }

    fn number(&mut self) -> Result<u64, ParseError> {
        self.space();
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let n = self.rest()[..digits].parse().map_err(|_| self.error("a number is expected"))?;
        self.at += digits;
        Ok(n)
    }

    fn id(&mut self, sign: &str) -> Result<u32, ParseError> {
        self.word(sign)?;
        let start = self.at;
        let n = self.number()?;
        u32::try_from(n).map_err(|_| {
            self.at = start;
            self.error("this id is too large")
        })
    }

    fn name(&mut self) -> Result<&'a str, ParseError> {
        self.space();
        let rest = self.rest();
        let n = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        if n == 0 {
            return Err(self.error("a name is expected"));
        }
        self.at += n;
        Ok(&rest[..n])
    }

    fn axis(&mut self, mesh: &Mesh) -> Result<Axis, ParseError> {
        self.space();
        let start = self.at;
        let name = self.name()?;
        mesh.axis(name).ok_or_else(|| {
            self.at = start;
            self.error(format!("the mesh {mesh} has no axis `{name}`"))
        })
    }

    /// `_`, `a`, or `(a, b)`.
    fn axes(&mut self, mesh: &Mesh) -> Result<Vec<Axis>, ParseError> {
        if self.eat("(") {
            return self.list(")", mesh::MAX_AXES, |l| l.axis(mesh));
        }
        self.space();
        let start = self.at;
        if self.name()? == "_" {
            return Ok(Vec::new());
        }
        self.at = start;
        Ok(vec![self.axis(mesh)?])
    }

    fn list<T>(
        &mut self,
        close: &str,
        most: usize,
        mut one: impl FnMut(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let mut out = Vec::new();
        if self.eat(close) {
            return Ok(out);
        }
        loop {
            if out.len() == most {
                return Err(self.error(format!("more than {most} entries")));
            }
            out.push(one(self)?);
            if self.eat(close) {
                return Ok(out);
            }
            self.word(",")?;
        }
    }

    fn mesh(&mut self) -> Result<Mesh, ParseError> {
        self.word("[")?;
        let axes = self.list("]", mesh::MAX_AXES, |l| {
            let name = l.name()?.to_string();
            l.word(":")?;
            Ok((name, l.number()?))
        })?;
        Ok(Mesh { axes })
    }

    fn layout(&mut self, mesh: &Mesh) -> Result<Layout, ParseError> {
        self.word("[")?;
        let dims = self.list("]", MAX_RANK, |l| l.axes(mesh))?;
        let mut layout = Layout { dims, partial: std::collections::BTreeMap::new() };
        while self.eat("+") {
            self.word("partial")?;
            self.word("(")?;
            let axis = self.axis(mesh)?;
            let mut kind = Reduction::Sum;
            if self.eat(",") {
                self.space();
                let start = self.at;
                let name = self.name()?;
                kind = Reduction::from_name(name).ok_or_else(|| {
                    self.at = start;
                    self.error(format!("`{name}` is no reduction"))
                })?;
            }
            self.word(")")?;
            if layout.partial.insert(axis, kind).is_some() {
                return Err(self.error("partial over one axis twice"));
            }
        }
        Ok(layout)
    }

    fn step(&mut self, mesh: &Mesh) -> Result<Step, ParseError> {
        if self.eat("reshard") {
            return Ok(Step::Reshard);
        }
        if self.eat("region") {
            let global = OpId(self.id("")?);
            return Ok(Step::Region { global });
        }
        self.word("op")?;
        let global = OpId(self.id("")?);
        let mut assignment = Assignment::default();
        self.word("{")?;
        let factors = self.list("}", mesh::MAX_AXES, |l| {
            let f = l.number()? as usize;
            l.word(":")?;
            Ok((f, l.axes(mesh)?))
        })?;
        let n = factors.len();
        assignment.factors.extend(factors);
        let mut linear = Vec::new();
        if self.eat("linear") {
            self.word("{")?;
            linear = self.list("}", mesh::MAX_AXES, |l| {
                let a = l.axis(mesh)?;
                l.word(":")?;
                Ok((a, l.number()? as usize))
            })?;
        }
        let m = linear.len();
        assignment.linear.extend(linear);
        if assignment.factors.len() != n || assignment.linear.len() != m {
            return Err(self.error("a factor or an axis stands twice"));
        }
        Ok(Step::Op { global, assignment })
    }
}
