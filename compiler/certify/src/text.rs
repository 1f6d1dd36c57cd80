//! The certificate as text, one line per claim or step, in the order of the local program:
//!
//! ```text
//! certificate 1
//! mesh [data: 2, model: 4]
//! values 4 steps 2
//! %0 = %0 [data, model]
//! %1 = %1 [model, _]
//! %2: op %2 {0: data, 2: model}
//! %2 = %2 [data, _] + partial(model)
//! %3: reshard
//! %3 = %2 [data, _]
//! ```
//!
//! `%3 = %2 L` reads: local value 3 is a shard of global value 2 under layout L. `%2: op %2 {..}` reads: the local op
//! that defines %2 is the local form of the global op that defines %2, with its factors split by these axes. The claims
//! that a step proves follow it. Numbers are those of the two programs' text forms. They survive a round trip through
//! text, which ids of ops need not; so printing and parsing take the programs.
//!
//! If the global program was rewritten, what was added to it stands before the values, as `meshloom_ir::print::added`
//! prints it. Then come the equalities, each with its law. The numbers of the global program are then those of the
//! rewritten program, which starts with those of the given one:
//!
//! ```text
//! mesh [data: 2, model: 4]
//! rewritten
//! in program {
//!   %9 = transpose %4 {[1, 0]}: f32[8, 16]
//! }
//! equal %9 = %3 by transpose-transpose
//! values 4 steps 2
//! ```
//!
//! If loops were cut before that, lines after the mesh name the loops by their first results in the given program, with
//! the iterations of the cuts. All other numbers of the global program are then those of the cut program:
//!
//! ```text
//! mesh [data: 2, model: 4]
//! cut %7 at 17
//! ```

use crate::certificate::{Certificate, Claim, Equal, Form, Step};
pub use meshloom_ir::parse::ParseError;
use meshloom_ir::segments::{Cut, MAX_SEGMENTS};
use meshloom_ir::{Assignment, Axis, Def, Func, Layout, Mesh, OpId, Reduction, RegionId, ValueId, mesh, parse, print};
use std::borrow::Cow;
use std::fmt::Write;

/// Longest text that is read.
pub const MAX_BYTES: usize = 1 << 30;
/// Highest rank of a layout.
const MAX_RANK: usize = 64;

/// A program's values as its text numbers them (those that its regions reach, in the order of their ids), and its regions and
/// ops in text order.
struct Numbers {
    /// By id.
    text: Vec<Option<u32>>,
    /// By number.
    id: Vec<ValueId>,
    /// What stands in order: region arguments and ops.
    order: Vec<Item>,
}

enum Item {
    Args(RegionId),
    Op(OpId),
}

impl Numbers {
    fn new(func: &Func) -> Numbers {
        let mut order = Vec::new();
        let mut reachable = vec![false; func.values.len()];
        let mut entered = vec![false; func.regions.len()];
        let mut open = Vec::new();
        let mut enter = |r: RegionId, order: &mut Vec<Item>, open: &mut Vec<(RegionId, usize)>| {
            if entered.get(r.index()) == Some(&false) {
                entered[r.index()] = true;
                order.push(Item::Args(r));
                open.push((r, 0));
            }
        };
        enter(Func::BODY, &mut order, &mut open);
        while let Some((r, at)) = open.pop() {
            let region = func.region(r);
            if at == 0 {
                region.args.iter().for_each(|v| mark(&mut reachable, *v));
            }
            let next = region.ops.get(at);
            let Some((&o, data)) = next.and_then(|o| Some((o, func.ops.get(o.index())?))) else {
                continue;
            };
            open.push((r, at + 1));
            order.push(Item::Op(o));
            data.results.iter().for_each(|v| mark(&mut reachable, *v));
            for &inner in &data.regions {
                enter(inner, &mut order, &mut open);
            }
        }
        let all = (0..func.values.len() as u32).map(ValueId);
        let id: Vec<ValueId> = all.filter(|v| reachable[v.index()]).collect();
        let mut text = vec![None; func.values.len()];
        for (n, v) in id.iter().enumerate() {
            text[v.index()] = Some(n as u32);
        }
        Numbers { text, id, order }
    }

    fn show(&self, v: ValueId) -> String {
        match self.text.get(v.index()) {
            Some(Some(n)) => format!("%{n}"),
            _ => format!("%?{}", v.0),
        }
    }
}

fn mark(reachable: &mut [bool], v: ValueId) {
    if let Some(r) = reachable.get_mut(v.index()) {
        *r = true;
    }
}

/// The text of `cert`, which is about these two programs.
pub fn print(cert: &Certificate, global: &Func, local: &Func) -> String {
    let whole = Numbers::new(global);
    // What cannot be cut so is no certificate; it is printed as it is.
    let given = cert.given(global).unwrap_or(Cow::Borrowed(global));
    let given = given.as_ref();
    let cuts = cert.cuts.iter().map(|c| {
        let first = global.ops.get(c.repeat.index()).and_then(|d| d.results.first());
        let at: Vec<String> = c.at.iter().map(u64::to_string).collect();
        format!("cut {} at {}\n", first.map_or_else(|| "%?".to_string(), |&v| whole.show(v)), at.join(", "))
    });
    let cuts: String = cuts.collect();
    let global = cert.form.as_ref().map_or(given, |f| &f.func);
    let (g, l) = (Numbers::new(global), Numbers::new(local));
    let steps = l.order.iter().filter(|i| matches!(i, Item::Op(_))).count();
    let mut out = format!("certificate 1\nmesh {}\n{cuts}", cert.mesh);
    if let Some(form) = &cert.form {
        let _ = write!(out, "rewritten\n{}", print::added(&form.func, given));
        for e in &form.equal {
            let _ = writeln!(out, "equal {} = {} by {}", g.show(e.a), g.show(e.b), e.law);
        }
    }
    let _ = writeln!(out, "values {} steps {steps}", l.id.len());
    let claim = |out: &mut String, v: ValueId| {
        if let Some(c) = cert.claim(v) {
            let layout = c.layout.show(&cert.mesh);
            let _ = writeln!(out, "{} = {} {layout}", l.show(v), g.show(c.global));
        }
    };
    for item in &l.order {
        match item {
            Item::Args(r) => local.region(*r).args.iter().for_each(|&v| claim(&mut out, v)),
            Item::Op(o) => {
                let data = local.op(*o);
                if let (Some(step), Some(&v)) = (cert.step(*o), data.results.first()) {
                    let names = |o: &OpId| {
                        let made = global.ops.get(o.index()).and_then(|d| d.results.first());
                        made.map_or_else(|| "%?".to_string(), |&v| g.show(v))
                    };
                    let _ = writeln!(out, "{}: {}", l.show(v), show(step, &cert.mesh, names));
                }
                data.results.iter().for_each(|&v| claim(&mut out, v));
            }
        }
    }
    out
}

fn show(step: &Step, mesh: &Mesh, names: impl Fn(&OpId) -> String) -> String {
    let (global, a) = match step {
        Step::Reshard => return "reshard".into(),
        Step::Region { global } => return format!("region {}", names(global)),
        Step::Op { global, assignment } => (global, assignment),
    };
    let one = |(f, axes): (&usize, &Vec<Axis>)| match axes[..] {
        [a] => format!("{f}: {}", mesh.name(a)),
        _ => {
            let names: Vec<&str> = axes.iter().map(|&a| mesh.name(a)).collect();
            format!("{f}: ({})", names.join(", "))
        }
    };
    let factors: Vec<String> = a.factors.iter().map(one).collect();
    let linear = a.linear.iter();
    let linear: Vec<String> = linear.map(|(&a, s)| format!("{}: {s}", mesh.name(a))).collect();
    let tail = if linear.is_empty() { String::new() } else { format!(" linear {{{}}}", linear.join(", ")) };
    format!("op {} {{{}}}{tail}", names(global), factors.join(", "))
}

/// Reads what [`print`] writes. Whether it proves anything is for [`crate::check`] to say.
///
/// # Errors
/// The first place that cannot be read, or that names what the programs do not have.
pub fn parse(text: &str, global: &Func, local: &Func) -> Result<Certificate, ParseError> {
    if text.len() > MAX_BYTES {
        return Err(at_start(1, format!("a certificate of more than {MAX_BYTES} bytes")));
    }
    let mut lines = Lines::of(text);
    let mesh = lines.head()?;
    let mut l = lines.expect(COUNTS)?;
    let first = l.number;
    let cuts = lines.cuts(&mut l, global)?;
    let certificate = Certificate { mesh, cuts, form: None, values: Vec::new(), steps: Vec::new() };
    let given = certificate.given(global).map_err(|message| at_start(first, message))?;
    let form = lines.form(&mut l, given.as_ref())?;
    let global = form.as_ref().map_or(given.as_ref(), |f| &f.func);
    let (g, n) = (Numbers::new(global), Numbers::new(local));
    counts(&mut l, &n)?;
    let mut proof = Proof {
        mesh: &certificate.mesh,
        global,
        local,
        g: &g,
        n: &n,
        claims: vec![None; local.values.len()],
        steps: vec![None; local.ops.len()],
    };
    while let Some(l) = lines.line() {
        proof.line(l)?;
    }
    let (values, steps) = proof.complete().map_err(|what| at_start(lines.last, format!("{what} is missing")))?;
    Ok(Certificate { form, values, steps, ..certificate })
}

/// What ends the head of a certificate.
const COUNTS: &str = "`values N steps N`";

fn at_start(line: usize, message: String) -> ParseError {
    ParseError { line, column: 1, message }
}

/// The lines of a certificate that were not read yet.
struct Lines<'a> {
    text: &'a str,
    rest: std::iter::Enumerate<std::str::Lines<'a>>,
    /// The number of the line after the last.
    last: usize,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Lines<'a> {
        Lines { text, rest: text.lines().enumerate(), last: text.lines().count() + 1 }
    }

    fn line(&mut self) -> Option<Line<'a>> {
        let (i, s) = self.rest.next()?;
        Some(Line { number: i + 1, start: s.as_ptr() as usize - self.text.as_ptr() as usize, text: s, at: 0 })
    }

    fn expect(&mut self, what: &str) -> Result<Line<'a>, ParseError> {
        self.line().ok_or_else(|| at_start(self.last, format!("the text ends where {what} is expected")))
    }

    /// The version and the mesh.
    fn head(&mut self) -> Result<Mesh, ParseError> {
        let mut l = self.expect("`certificate 1`")?;
        l.word("certificate")?;
        let version = l.number()?;
        if version != 1 {
            return Err(l.error(format!("version {version} is not known; this reads version 1")));
        }
        l.end()?;
        let mut l = self.expect("the mesh")?;
        l.word("mesh")?;
        let mesh = l.mesh()?;
        l.end()?;
        Ok(mesh)
    }

    /// Where loops of `global` are cut, from line `l` on; afterwards `l` is the line behind.
    fn cuts(&mut self, l: &mut Line<'a>, global: &Func) -> Result<Vec<Cut>, ParseError> {
        let mut cuts = Vec::new();
        while l.eat("cut") {
            let repeat = l.op(global, &Numbers::new(global))?;
            l.word("at")?;
            let mut at = vec![l.number()?];
            while l.eat(",") {
                if at.len() + 1 == MAX_SEGMENTS {
                    return Err(l.error(format!("more than {MAX_SEGMENTS} segments")));
                }
                at.push(l.number()?);
            }
            l.end()?;
            cuts.push(Cut { repeat, at });
            *l = self.expect(COUNTS)?;
        }
        Ok(cuts)
    }

    /// The rewritten program and its equalities, if line `l` begins one; afterwards `l` is the line behind.
    fn form(&mut self, l: &mut Line<'a>, given: &Func) -> Result<Option<Form>, ParseError> {
        if !l.eat("rewritten") {
            return Ok(None);
        }
        l.end()?;
        let first = l.number;
        *l = self.expect(COUNTS)?;
        let from = l.start;
        while !l.eat("equal") && !l.eat("values") {
            *l = self.expect(COUNTS)?;
        }
        let func = parse::extend(given, &self.text[from..l.start]).map_err(|e| ParseError {
            line: first + e.line,
            column: e.column,
            message: e.message,
        })?;
        let numbers = Numbers::new(&func);
        let mut equal = Vec::new();
        l.at = 0;
        while l.eat("equal") {
            let a = l.value(&numbers)?;
            l.word("=")?;
            let b = l.value(&numbers)?;
            l.word("by")?;
            equal.push(Equal { a, b, law: l.law()?.to_string() });
            l.end()?;
            *l = self.expect(COUNTS)?;
        }
        Ok(Some(Form { func, equal }))
    }
}

/// Reads how many values and steps follow, which must be those of the local program.
fn counts(l: &mut Line<'_>, n: &Numbers) -> Result<(), ParseError> {
    l.word("values")?;
    let values = l.number()?;
    l.word("steps")?;
    let steps = l.number()?;
    l.end()?;
    let ops = n.order.iter().filter(|i| matches!(i, Item::Op(_))).count();
    if (values, steps) != (n.id.len() as u64, ops as u64) {
        return Err(
            l.error(format!("{values} values and {steps} steps, but the local program has {} and {ops}", n.id.len()))
        );
    }
    Ok(())
}

/// Claims by value and steps by op of the local program, as far as they were read.
struct Proof<'a> {
    mesh: &'a Mesh,
    global: &'a Func,
    local: &'a Func,
    /// Numbers of the global program, and of the local one.
    g: &'a Numbers,
    n: &'a Numbers,
    claims: Vec<Option<Claim>>,
    steps: Vec<Option<Step>>,
}

impl Proof<'_> {
    /// Reads one claim or one step.
    fn line(&mut self, mut l: Line<'_>) -> Result<(), ParseError> {
        l.space();
        if l.rest().is_empty() {
            return Ok(());
        }
        let start = l.at;
        let v = l.value(self.n)?;
        let fresh = if l.eat("=") {
            let global = l.value(self.g)?;
            let layout = l.layout(self.mesh)?;
            self.claims[v.index()].replace(Claim { global, layout }).is_none()
        } else {
            l.word(":")?;
            match self.local.value(v).def {
                Def::Op(o, 0) => {
                    let step = l.step(self.mesh, self.global, self.g)?;
                    self.steps[o.index()].replace(step).is_none()
                }
                _ => {
                    l.at = start;
                    return Err(l.error("a step is named by the first result of its op"));
                }
            }
        };
        l.end()?;
        if !fresh {
            l.at = start;
            return Err(l.error("this stands twice"));
        }
        Ok(())
    }

    /// All claims and all steps, or what is missing.
    fn complete(self) -> Result<(Vec<Claim>, Vec<Step>), String> {
        // What the program does not reach has no line and is never looked at.
        let unused = Claim { global: ValueId(0), layout: Layout::replicated(0) };
        let claim = |(i, c): (usize, Option<Claim>)| match (c, self.n.text[i]) {
            (Some(c), _) => Ok(c),
            (None, None) => Ok(unused.clone()),
            (None, Some(v)) => Err(format!("the claim of %{v}")),
        };
        let reached = self.n.order.iter().filter_map(|i| match i {
            Item::Op(o) => Some(*o),
            Item::Args(_) => None,
        });
        for o in reached {
            if self.steps[o.index()].is_none() {
                let made = self.local.op(o).results.first();
                let made = made.map_or_else(String::new, |&v| self.n.show(v));
                return Err(format!("the step of the op that defines {made}"));
            }
        }
        let values = self.claims.into_iter().enumerate().map(claim).collect::<Result<_, _>>()?;
        Ok((values, self.steps.into_iter().map(|s| s.unwrap_or(Step::Reshard)).collect()))
    }
}

/// A cursor over one line.
struct Line<'a> {
    number: usize,
    /// Where it starts in the whole text.
    start: usize,
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

    /// `%12`, a value of the program that `numbers` is of.
    fn value(&mut self, numbers: &Numbers) -> Result<ValueId, ParseError> {
        self.space();
        let start = self.at;
        self.word("%")?;
        let n = self.number()?;
        let id = usize::try_from(n).ok().and_then(|n| numbers.id.get(n));
        id.copied().ok_or_else(|| {
            self.at = start;
            self.error(format!("the program has no value %{n}"))
        })
    }

    /// A global op, by the value it defines.
    fn op(&mut self, global: &Func, numbers: &Numbers) -> Result<OpId, ParseError> {
        self.space();
        let start = self.at;
        let v = self.value(numbers)?;
        match global.value(v).def {
            Def::Op(o, 0) => Ok(o),
            _ => {
                self.at = start;
                Err(self.error(format!("%{} is not the first result of an op", v.0)))
            }
        }
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

    /// The name of a law: words and hyphens.
    fn law(&mut self) -> Result<&'a str, ParseError> {
        self.space();
        let rest = self.rest();
        let n = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'-').count();
        if n == 0 {
            return Err(self.error("the name of a law is expected"));
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

    fn step(&mut self, mesh: &Mesh, func: &Func, g: &Numbers) -> Result<Step, ParseError> {
        if self.eat("reshard") {
            return Ok(Step::Reshard);
        }
        if self.eat("region") {
            let global = self.op(func, g)?;
            return Ok(Step::Region { global });
        }
        self.word("op")?;
        let global = self.op(func, g)?;
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
