//! `assert`: the names and numbers of what must hold of a plan, checked as far as they can be without a plan.
//! `driver::assert` checks the plan.

use super::consts;
use super::layout;
use super::program::{Constants, Declarations};
use crate::ast::{self, Assertion, Expr, ExprKind, Name, Stmt, StmtKind};
use meshloom_ir::table::comm;
use meshloom_ir::{Phase, Span};
use meshloom_source::assertion::{self, Assert, Check, Quantity, Scope};
use meshloom_source::{Diagnostic, suggest};
use std::collections::BTreeSet;

/// What collectives of any kind are called.
const ANY: &str = "collectives";

const QUANTITIES: [&str; 5] = ["wire_bytes", "peak_bytes", "collectives", "stages", "bubble"];

const UNITS: [(&str, f64); 9] = [
    ("B", 1.0),
    ("KB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("TiB", 1_099_511_627_776.0),
];

pub fn check(program: &Declarations<'_>, errors: &mut Vec<Diagnostic>) -> Vec<Assert> {
    let mut out = Vec::new();
    for (span, a) in &program.asserts {
        match one(program, a) {
            Ok(check) => out.push(Assert { span: *span, check }),
            Err(d) => errors.push(d),
        }
    }
    out
}

fn one(program: &Declarations<'_>, a: &Assertion) -> Result<Check, Diagnostic> {
    let axis = |name: &Option<Name>| name.as_ref().map(|n| layout::axis(&program.mesh, n)).transpose();
    match a {
        Assertion::Absent { kind: k, axis: a, scope } => {
            Ok(Check::Absent { kind: kind(k)?, axis: axis(a)?, scope: scope_of(program, scope.as_ref())? })
        }
        Assertion::Bound { what, args, op, value, unit } => {
            let quantity = quantity(program, what, args)?;
            Ok(Check::Bound { value: bound(&program.constants, &quantity, value, unit.as_ref())?, quantity, op: *op })
        }
        Assertion::Layout { glob, layout: l } => {
            let constraint = layout::without_dims(&program.mesh, l)?;
            Ok(Check::Layout { glob: glob.clone(), constraint })
        }
    }
}

fn kind(name: &Name) -> Result<Option<String>, Diagnostic> {
    let text = name.text.as_str();
    match text == ANY || comm::names().any(|n| n == text) {
        true => Ok((text != ANY).then(|| text.to_string())),
        false => Err(unknown(name, "a plan has no", comm::names().chain([ANY]))),
    }
}

/// Axes and kinds are told apart by their names; no axis is called like a collective.
fn quantity(program: &Declarations<'_>, what: &Name, args: &[Name]) -> Result<Quantity, Diagnostic> {
    let too_many = |allowed: &str| {
        let span = args.iter().fold(Span::default(), |s, a| s.to(a.span));
        Err(Diagnostic::error("assert", format!("`{}` is of {allowed}", what.text)).at(span, "not so many"))
    };
    let axis = |n: &Name| layout::axis(&program.mesh, n);
    match (what.text.as_str(), args) {
        ("wire_bytes", []) => Ok(Quantity::WireBytes(None)),
        ("wire_bytes", [a]) => Ok(Quantity::WireBytes(Some(axis(a)?))),
        ("wire_bytes", _) => too_many("one axis, or of all"),
        ("peak_bytes", []) => Ok(Quantity::PeakBytes),
        ("peak_bytes", _) => too_many("a whole device"),
        ("collectives", []) => Ok(Quantity::Collectives { kind: None, axis: None }),
        ("collectives", [a]) if program.mesh.axis(&a.text).is_some() => {
            Ok(Quantity::Collectives { kind: None, axis: Some(axis(a)?) })
        }
        ("collectives", [k]) => Ok(Quantity::Collectives { kind: kind(k)?, axis: None }),
        ("collectives", [k, a]) => Ok(Quantity::Collectives { kind: kind(k)?, axis: Some(axis(a)?) }),
        ("collectives", _) => too_many("a kind and an axis"),
        ("stages", []) => Ok(Quantity::Stages(None)),
        ("stages", [list]) => {
            let list = assertion::Name { text: list.text.clone(), span: list.span };
            Ok(Quantity::Stages(Some(list)))
        }
        ("stages", _) => too_many("one list"),
        ("bubble", []) => Ok(Quantity::Bubble),
        ("bubble", _) => too_many("a whole step"),
        ("memory" | "peak" | "peak_memory", _) => {
            let d = Diagnostic::error("assert", format!("a plan has no `{}`", what.text)).at(what.span, "not known");
            Err(d.did_you_mean("peak_bytes"))
        }
        _ => Err(unknown(what, "a plan has no", QUANTITIES)
            .help("`wire_bytes(axis)`, `peak_bytes`, `collectives(kind, axis)`, `stages(list)`, `bubble` and `layout(path)` can be asserted on")),
    }
}

fn bound(names: &Constants, q: &Quantity, value: &Expr, unit: Option<&Name>) -> Result<f64, Diagnostic> {
    let n = consts::float(value, names)?;
    let size = match unit {
        None => 1.0,
        Some(u) if !q.is_bytes() => {
            return Err(Diagnostic::error("assert", "only bytes have a unit").at(u.span, ""));
        }
        Some(u) => self::unit(u, "assert")?,
    };
    if n < 0.0 {
        return Err(Diagnostic::error("assert", "nothing of a plan is below 0").at(value.span, ""));
    }
    Ok(n * size)
}

/// Bytes of a unit.
pub fn unit(u: &Name, code: &'static str) -> Result<f64, Diagnostic> {
    if let Some(x) = UNITS.iter().find(|x| x.0 == u.text) {
        return Ok(x.1);
    }
    let other_case = UNITS.iter().find(|x| x.0.eq_ignore_ascii_case(&u.text));
    let d = Diagnostic::error(code, format!("there is no unit `{}`", u.text)).at(u.span, "not known");
    Err(match other_case {
        Some(x) => d.did_you_mean(x.0),
        None => d.help(format!("units: {}", suggest::list(UNITS.map(|x| x.0)))),
    })
}

fn scope_of(program: &Declarations<'_>, scope: Option<&Name>) -> Result<Scope, Diagnostic> {
    let Some(name) = scope else { return Ok(Scope::Everywhere) };
    let text = name.text.as_str();
    if program.trains.contains_key(text) {
        return Ok(Scope::Entry(text.to_string()));
    }
    if program.functions.contains_key(text) {
        let mut seen = BTreeSet::new();
        let mut open = vec![text];
        while let Some(f) = open.pop() {
            if let Some((name, def)) = program.functions.get_key_value(f).filter(|_| !seen.contains(f)) {
                seen.insert(*name);
                calls(&def.def.body.stmts, &mut open);
                def.def.rule.iter().for_each(|r| calls(&r.body.stmts, &mut open));
            }
        }
        return Ok(Scope::Bodies(bodies(program, &seen)));
    }
    let phases = [Phase::Forward, Phase::Backward, Phase::Update];
    if let Some(p) = phases.into_iter().find(|p| p.name() == text) {
        return Ok(Scope::Phase(p));
    }
    let mut all: Vec<&str> = program.functions.keys().chain(program.trains.keys()).copied().collect();
    all.extend(phases.map(Phase::name));
    Err(unknown(name, "there is no function or train", all))
}

/// Where the bodies of functions stand, and their gradients.
fn bodies(program: &Declarations<'_>, functions: &BTreeSet<&str>) -> Vec<meshloom_ir::Span> {
    let defs = functions.iter().map(|f| program.functions[f].def);
    defs.flat_map(|d| std::iter::once(d.body.span).chain(d.rule.iter().map(|r| r.body.span))).collect()
}

/// Functions that statements call.
fn calls<'a>(stmts: &'a [Stmt], out: &mut Vec<&'a str>) {
    for s in stmts {
        match &s.kind {
            StmtKind::Let { value: e, .. }
            | StmtKind::Assign { value: e, .. }
            | StmtKind::AssignField { value: e, .. }
            | StmtKind::Expr(e) => called(e, out),
            StmtKind::For { over, until, body, .. } => {
                called(over, out);
                until.iter().for_each(|e| called(e, out));
                calls(&body.stmts, out);
            }
            StmtKind::While { condition, body, .. } => {
                called(condition, out);
                calls(&body.stmts, out);
            }
            StmtKind::State { .. } | StmtKind::Error => {}
        }
    }
}

fn called<'a>(e: &'a Expr, out: &mut Vec<&'a str>) {
    if let ExprKind::Call { callee, .. } = &e.kind {
        out.push(&callee.text);
    }
    ast::blocks(e).into_iter().for_each(|b| calls(&b.stmts, out));
    ast::children(e).into_iter().for_each(|c| called(c, out));
}

fn unknown<'a>(name: &Name, what: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    let known: Vec<&str> = known.into_iter().collect();
    let d = Diagnostic::error("assert", format!("{what} `{}`", name.text)).at(name.span, "not known");
    match suggest::nearest(&name.text, known.iter().copied()) {
        Some(n) => d.did_you_mean(n),
        None => d.help(format!("known: {}", suggest::list(known))),
    }
}
