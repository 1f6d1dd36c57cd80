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
use meshloom_ir::layout::text::{read_axes, read_axis, read_layout, show_axes};
pub use meshloom_ir::parse::ParseError;
use meshloom_ir::scan::{Cursor, ParseResult};
use meshloom_ir::segments::{Cut, MAX_SEGMENTS};
use meshloom_ir::{Assignment, Def, Func, Layout, Mesh, OpId, RegionId, ValueId, parse, print};
use std::borrow::Cow;
use std::fmt::Write;

/// Longest text that is read.
pub const MAX_BYTES: usize = 1 << 30;

/// A program's values as its text numbers them, and its regions and ops in text order. Values that no region reaches
/// have no number.
struct Numbers {
    /// The number of each value, by id.
    text: Vec<Option<u32>>,
    /// The id of each value, by number.
    id: Vec<ValueId>,
    /// Region arguments and ops, in text order.
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
    // A certificate whose cuts are impossible is printed all the same.
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
    let factors: Vec<String> = a.factors.iter().map(|(f, axes)| format!("{f}: {}", show_axes(axes, mesh))).collect();
    let linear = a.linear.iter();
    let linear: Vec<String> = linear.map(|(&a, s)| format!("{}: {s}", mesh.name(a))).collect();
    let tail = if linear.is_empty() { String::new() } else { format!(" linear {{{}}}", linear.join(", ")) };
    format!("op {} {{{}}}{tail}", names(global), factors.join(", "))
}

/// Reads what [`print`] writes. [`crate::check`] says whether it proves anything.
///
/// # Errors
/// The first place that cannot be read, or that names what the programs do not have.
pub fn parse(text: &str, global: &Func, local: &Func) -> ParseResult<Certificate> {
    let mut c = Cursor::new(text);
    if text.len() > MAX_BYTES {
        return c.error(format!("a certificate of more than {MAX_BYTES} bytes"));
    }
    c.expect_word("certificate")?;
    let at = c.pos();
    let version = number(&mut c)?;
    if version != 1 {
        return c.error_at(at, format!("version {version} is not known; this reads version 1"));
    }
    c.expect_word("mesh")?;
    let mesh = Mesh::read(&mut c)?;
    let at = c.pos();
    let mut cuts = Vec::new();
    while c.eat_word("cut") {
        cuts.push(cut(&mut c, global)?);
    }
    let mut certificate = Certificate { mesh, cuts, form: None, values: Vec::new(), steps: Vec::new() };
    let given = certificate.given(global).or_else(|message| c.error_at(at, message))?;
    let form = if c.eat_word("rewritten") { Some(form(&mut c, text, given.as_ref())?) } else { None };
    let global = form.as_ref().map_or(given.as_ref(), |f| &f.func);
    let (values, steps) = lines(&mut c, &certificate.mesh, global, local)?;
    (certificate.form, certificate.values, certificate.steps) = (form, values, steps);
    Ok(certificate)
}

/// `%7 at 17, 20`: a loop, and where it is cut.
fn cut(c: &mut Cursor<'_>, global: &Func) -> ParseResult<Cut> {
    let repeat = op(c, global, &Numbers::new(global))?;
    c.expect_word("at")?;
    let mut at = vec![number(c)?];
    while c.eat(",") {
        if at.len() + 1 == MAX_SEGMENTS {
            return c.error(format!("more than {MAX_SEGMENTS} segments"));
        }
        at.push(number(c)?);
    }
    Ok(Cut { repeat, at })
}

/// Reads the ops that were added to the given program, and the equalities with their laws.
fn form<'a>(c: &mut Cursor<'a>, text: &'a str, given: &Func) -> ParseResult<Form> {
    // The addition ends before the next line of the certificate.
    let from = c.pos();
    let ends = |line: &str| line.starts_with("equal ") || line.starts_with("values ");
    let length = text[from..].split_inclusive('\n').take_while(|l| !ends(l)).map(str::len).sum::<usize>();
    let before = text[..from].matches('\n').count();
    let func =
        parse::extend(given, &text[from..from + length]).map_err(|e| ParseError { line: before + e.line, ..e })?;
    *c = Cursor::at(text, from + length);
    let numbers = Numbers::new(&func);
    let mut equal = Vec::new();
    while c.eat_word("equal") {
        let a = value(c, &numbers)?;
        c.expect("=")?;
        let b = value(c, &numbers)?;
        c.expect_word("by")?;
        let law = c.run("the name of a law", |x| x.is_ascii_alphanumeric() || x == '-')?;
        equal.push(Equal { a, b, law: law.to_string() });
    }
    Ok(Form { func, equal })
}

/// Reads claims and steps, one for each value and op that the local program reaches.
fn lines(c: &mut Cursor<'_>, mesh: &Mesh, global: &Func, local: &Func) -> ParseResult<(Vec<Claim>, Vec<Step>)> {
    let at = c.pos();
    c.expect_word("values")?;
    let values = number(c)?;
    c.expect_word("steps")?;
    let steps = number(c)?;
    let (g, n) = (Numbers::new(global), Numbers::new(local));
    let ops = n.order.iter().filter(|i| matches!(i, Item::Op(_))).count();
    if (values, steps) != (n.id.len() as u64, ops as u64) {
        let have = format!("the local program has {} and {ops}", n.id.len());
        return c.error_at(at, format!("{values} values and {steps} steps, but {have}"));
    }
    let mut claims: Vec<Option<Claim>> = vec![None; local.values.len()];
    let mut done: Vec<Option<Step>> = vec![None; local.ops.len()];
    while !c.at_end() {
        let start = c.pos();
        let v = value(c, &n)?;
        let fresh = if c.eat("=") {
            let claim = Claim { global: value(c, &g)?, layout: read_layout(c, mesh)? };
            claims[v.index()].replace(claim).is_none()
        } else {
            c.expect(":")?;
            match local.value(v).def {
                Def::Op(o, 0) => done[o.index()].replace(step(c, mesh, global, &g)?).is_none(),
                _ => return c.error_at(start, "a step is named by the first result of its op"),
            }
        };
        if !fresh {
            return c.error_at(start, "this stands twice");
        }
    }
    let missing = |what: String| c.error(format!("{what} is missing"));
    // Values that the program does not reach have no line. Nothing looks at their claims.
    let unused = Claim { global: ValueId(0), layout: Layout::replicated(0) };
    let claim = |(i, claim): (usize, Option<Claim>)| match (claim, n.text[i]) {
        (Some(claim), _) => Ok(claim),
        (None, None) => Ok(unused.clone()),
        (None, Some(v)) => missing(format!("the claim of %{v}")).map(|()| unused.clone()),
    };
    let reached = n.order.iter().filter_map(|i| match i {
        Item::Op(o) => Some(*o),
        Item::Args(_) => None,
    });
    for o in reached.filter(|o| done[o.index()].is_none()) {
        let made = local.op(o).results.first();
        let made = made.map_or_else(String::new, |&v| n.show(v));
        missing(format!("the step of the op that defines {made}"))?;
    }
    let values = claims.into_iter().enumerate().map(claim).collect::<ParseResult<_>>()?;
    Ok((values, done.into_iter().map(|s| s.unwrap_or(Step::Reshard)).collect()))
}

fn number(c: &mut Cursor<'_>) -> ParseResult<u64> {
    c.number("a number", u64::MAX)
}

/// Reads `%12`, a value of the program that `numbers` is of.
fn value(c: &mut Cursor<'_>, numbers: &Numbers) -> ParseResult<ValueId> {
    let start = c.pos();
    c.expect("%")?;
    let n = number(c)?;
    match usize::try_from(n).ok().and_then(|n| numbers.id.get(n)) {
        Some(&v) => Ok(v),
        None => c.error_at(start, format!("the program has no value %{n}")),
    }
}

/// Reads a global op, which is named by the first value that it defines.
fn op(c: &mut Cursor<'_>, global: &Func, numbers: &Numbers) -> ParseResult<OpId> {
    let start = c.pos();
    let v = value(c, numbers)?;
    match global.value(v).def {
        Def::Op(o, 0) => Ok(o),
        _ => c.error_at(start, format!("%{} is not the first result of an op", v.0)),
    }
}

fn step(c: &mut Cursor<'_>, mesh: &Mesh, func: &Func, g: &Numbers) -> ParseResult<Step> {
    if c.eat_word("reshard") {
        return Ok(Step::Reshard);
    }
    if c.eat_word("region") {
        return Ok(Step::Region { global: op(c, func, g)? });
    }
    c.expect_word("op")?;
    let global = op(c, func, g)?;
    let at = c.pos();
    let factors = c.list("{", "}", |c| {
        let f = number(c)? as usize;
        c.expect(":")?;
        Ok((f, read_axes(c, mesh)?))
    })?;
    let mut linear = Vec::new();
    if c.eat_word("linear") {
        linear = c.list("{", "}", |c| {
            let a = read_axis(c, mesh)?;
            c.expect(":")?;
            Ok((a, number(c)? as usize))
        })?;
    }
    let (n, m) = (factors.len(), linear.len());
    let mut assignment = Assignment::default();
    assignment.factors.extend(factors);
    assignment.linear.extend(linear);
    if assignment.factors.len() != n || assignment.linear.len() != m {
        return c.error_at(at, "a factor or an axis stands twice");
    }
    Ok(Step::Op { global, assignment })
}
