//! What a question of `explain` is about: tensors by path or name, lines of the source, modules of a library's model, collectives
//! by number or by kind and line.

use crate::front::is_stablehlo;
use crate::program::{Planned, Program};
use crate::report;
use crate::tensors::{is_entry, is_stash, nearest, outside};
use meshloom_ir::table::comm;
use meshloom_ir::{Func, Phase, Span, ValueId};
use meshloom_plan::explain::root;
use meshloom_plan::{CollectiveInfo, Plan, TensorPlan};
use meshloom_source::{Frame, Glob, is_file};

/// The tensor that is asked about.
pub struct Subject {
    /// Position among the program's entries.
    pub entry: usize,
    pub value: ValueId,
    pub name: String,
    /// Other tensors of that name, as they can be asked for.
    pub others: Vec<String>,
}

/// A question about nothing in the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    pub message: String,
    pub help: String,
}

enum Question<'q> {
    Number(u64),
    /// `22`, `gpt.loom:22`; of a dump also `train.py:22`.
    Line(Option<&'q str>, u64),
    /// `all_reduce@22`
    Collective(&'q str, u64),
    Name(&'q str, Option<u64>),
}

fn read(what: &str) -> Question<'_> {
    let what = what.trim();
    let number = |s: &str| s.parse::<u64>().ok();
    if let Some(n) = what.strip_prefix('#').and_then(number) {
        return Question::Number(n);
    }
    if let Some(n) = number(what) {
        return Question::Line(None, n);
    }
    if let Some((file, n)) = what.rsplit_once(':').and_then(|(file, n)| Some((file, number(n)?))) {
        // `train.py:22:8`, as messages have it.
        let whole = file.rsplit_once(':').and_then(|(file, line)| Some((file, number(line)?)));
        let (file, n) = whole.unwrap_or((file, n));
        return Question::Line(Some(file), n);
    }
    match what.split_once('@').and_then(|(name, line)| Some((name, number(line)?))) {
        Some((kind, line)) if comm::names().any(|n| n == kind) => Question::Collective(kind, line),
        Some((name, line)) => Question::Name(name, Some(line)),
        None => Question::Name(what, None),
    }
}

/// The tensor that a question is about, in the first entry that has it.
///
/// # Errors
/// A question about nothing.
pub fn resolve(program: &Program<Planned>, what: &str) -> Result<Subject, Unknown> {
    let question = read(what);
    for (i, e) in program.entries.iter().enumerate() {
        let cx = Cx { program, entry: e, plan: &e.plan };
        if let Some((value, name, others)) = cx.find(&question) {
            return Ok(Subject { entry: i, value, name, others });
        }
    }
    Err(unknown(program, &question, what))
}

fn unknown(program: &Program<Planned>, question: &Question<'_>, what: &str) -> Unknown {
    let rows = || {
        let reports = program.entries.iter().map(|e| report::of(program, e));
        reports.flat_map(|r| r.data.collectives).collect::<Vec<_>>()
    };
    let (message, help) = match question {
        Question::Number(n) => {
            let most = rows().iter().map(|c| c.number).max().unwrap_or(0);
            (format!("the plan has no collective {n}"), format!("its table has {most} rows; `meshloom plan` prints it"))
        }
        Question::Line(Some(file), n) if no_file(program, file) => (
            format!("nothing of the plan comes from `{file}`"),
            match is_stablehlo(&program.path) {
                true => "a dump has lines of Python with `as_text(debug_info=True)`".into(),
                false => format!("ask about line {n} of `{}` with `{n}`", program.path),
            },
        ),
        Question::Line(_, n) => (
            format!("nothing of the plan comes from line {n}"),
            "lines of expressions, fields and parameters can be asked about".into(),
        ),
        Question::Collective(kind, line) => {
            let mut lines: Vec<u64> =
                rows().iter().filter(|c| c.op == *kind).filter_map(|c| Some(c.source.as_ref()?.line)).collect();
            lines.sort_unstable();
            lines.dedup();
            let all: Vec<String> = lines.iter().map(u64::to_string).collect();
            let help = match all.is_empty() {
                true => format!("the plan has no {kind}"),
                false => format!("{kind} is there at lines {}", all.join(", ")),
            };
            (format!("the plan has no {kind} at line {line}"), help)
        }
        Question::Name(name, Some(_)) if !lines_of(program, name).is_empty() => {
            (format!("no `{name}` is there"), format!("it is at lines {}", lines_of(program, name)))
        }
        Question::Name(name, _) => {
            let help = match nearest(program, name) {
                Some(n) => format!("did you mean `{n}`?"),
                None => "`meshloom plan --json` lists the names".into(),
            };
            (format!("no tensor is called `{what}`"), help)
        }
    };
    Unknown { message, help }
}

/// `22, 28`: where tensors of a name are.
fn lines_of(program: &Program<Planned>, name: &str) -> String {
    let own = program.entries.iter().flat_map(|e| &e.plan.tensors).filter(|t| report::shown(t) && t.name == name);
    let mut lines: Vec<u32> = own.filter_map(|t| Some(program.locate(t.span)?.line)).collect();
    lines.sort_unstable();
    lines.dedup();
    lines.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// Whether a program that was read from a dump has lines of this file of Python.
fn python(program: &Program<Planned>, file: &str) -> bool {
    program.sources.origins.iter().any(|o| o.frames.iter().any(|f| f.is_in(file)))
}

/// Whether neither the program nor what it was made from has a file of this name.
fn no_file(program: &Program<Planned>, file: &str) -> bool {
    let read = program.sources.files().any(|(_, f)| is_file(&f.name, file) || is_file(file, &f.name));
    !read && !python(program, file)
}

struct Cx<'a> {
    program: &'a Program<Planned>,
    entry: &'a Planned,
    plan: &'a Plan,
}

type Answer = (ValueId, String, Vec<String>);

impl Cx<'_> {
    fn find(&self, q: &Question<'_>) -> Option<Answer> {
        match q {
            Question::Number(n) => {
                let rows = report::of(self.program, self.entry).data.collectives;
                let i = rows.iter().position(|c| c.number == *n)?;
                Some(self.collective(&self.plan.collectives[i]))
            }
            Question::Collective(kind, line) => {
                let at = |c: &&CollectiveInfo| c.does.name() == *kind && self.line(c.span) == Some(*line);
                self.most_expensive(self.plan.collectives.iter().filter(at))
            }
            Question::Line(file, n) => {
                let own = file.is_none_or(|f| !python(self.program, f));
                match own {
                    true => self.at(|span| self.line(span) == Some(*n)),
                    false => self.at_python(file.unwrap_or(""), *n),
                }
            }
            Question::Name(name, line) => self.named(name, *line).or_else(|| self.at_module(name)),
        }
    }

    /// What a module of a library's model made: `Model/h_0/attn`, or as many of its last parts as one gives.
    fn at_module(&self, name: &str) -> Option<Answer> {
        let is = |module: &str| module.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        let origin = |span: Span| self.program.sources.origins.get(span);
        self.at(|span| !name.is_empty() && origin(span).is_some_and(|o| is(&o.module())))
    }

    fn line(&self, span: Span) -> Option<u64> {
        self.program.locate(span).map(|s| s.line.into())
    }

    fn collective(&self, c: &CollectiveInfo) -> Answer {
        (c.global, c.tensor.clone(), Vec::new())
    }

    fn most_expensive<'c>(&self, all: impl Iterator<Item = &'c CollectiveInfo>) -> Option<Answer> {
        // The first of equals.
        let best = all.fold(None::<&CollectiveInfo>, |best, c| match best {
            Some(b) if b.wire_bytes_per_device >= c.wire_bytes_per_device => Some(b),
            _ => Some(c),
        });
        best.map(|c| self.collective(c))
    }

    /// What a line of Python made: the line itself, or else what it calls.
    fn at_python(&self, file: &str, line: u64) -> Option<Answer> {
        let is = |f: &Frame| f.is_in(file) && u64::from(f.line) == line;
        let origin = |span: Span| self.program.sources.origins.get(span);
        let own = self.at(|span| origin(span).and_then(|o| o.place()).is_some_and(is));
        own.or_else(|| self.at(|span| origin(span).is_some_and(|o| o.frames.iter().any(is))))
    }

    /// The most expensive collective of a place; else the last tensor with a name that it makes; else the last value.
    fn at(&self, is: impl Fn(Span) -> bool) -> Option<Answer> {
        let collective = self.most_expensive(self.plan.collectives.iter().filter(|c| is(c.span)));
        let tensor = || {
            let at = |t: &&TensorPlan| report::shown(t) && is(t.span);
            let t = self.plan.tensors.iter().rev().find(at)?;
            Some((t.global, t.name.clone(), Vec::new()))
        };
        let value = || {
            let func = self.entry.program();
            let here = |o: &meshloom_ir::OpId| func.op(*o).phase == Phase::Forward && is(func.op(*o).span);
            let o = func.walk(Func::BODY).into_iter().rfind(here)?;
            Some((*func.op(o).results.first()?, func.op(o).op.name().to_string(), Vec::new()))
        };
        collective.or_else(tensor).or_else(value)
    }

    fn named(&self, name: &str, line: Option<u64>) -> Option<Answer> {
        if name.is_empty() {
            return None;
        }
        let glob = Glob::new(name);
        let is = |t: &&TensorPlan| {
            report::shown(t)
                && (glob.matches(&t.name) || is_entry(name, t))
                && line.is_none_or(|l| self.line(t.span) == Some(l))
                && !is_stash(self.entry.program(), t.global)
        };
        let mut all: Vec<&TensorPlan> = self.plan.tensors.iter().filter(is).collect();
        // A tensor can be listed as an intermediate and as an output.
        all.dedup_by_key(|t| t.global);
        let func = self.entry.program();
        let wire = |t: &TensorPlan| -> f64 {
            let v = root(func, outside(func, t.global));
            let own = self.plan.collectives.iter().filter(|c| root(func, outside(func, c.global)) == v);
            own.map(|c| c.wire_bytes_per_device).sum()
        };
        let best = all.iter().copied().fold(None::<&TensorPlan>, |best, t| match best {
            Some(b) if wire(b) >= wire(t) => Some(b),
            _ => Some(t),
        })?;
        let other = |t: &&TensorPlan| {
            let line = self.line(t.span)?;
            (t.global != best.global).then(|| format!("{}@{line}", t.name))
        };
        let mut others: Vec<String> = all.iter().filter_map(other).collect();
        others.sort();
        others.dedup();
        Some((best.global, best.name.clone(), others))
    }
}
