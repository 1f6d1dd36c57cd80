//! The phases that a file test can name, each from text to text. Every program that is printed is verified first, and its text
//! read back to the same text.

use crate::filetest::FileTest;
use meshloom_certify as certify;
use meshloom_driver::{self as driver, Failure, Program};
use meshloom_ir::{DType, Func, parse, print, verify};
use meshloom_plan::cost::{Target, Unit};
use meshloom_plan::{Mode, PlanOptions, Recompute};
use meshloom_syntax::diagnostic::{Diagnostic, Style, render_all};
use meshloom_syntax::import::SourceText;
use meshloom_syntax::source::SourceMap;
use meshloom_syntax::{elaborate, format};

/// A phase: its name in the first line, and what it does.
type Phase = (&'static str, fn(&FileTest<'_>) -> Result<String, String>);

const PHASES: &[Phase] = &[
    ("parse", |t| round_trip(&ir(t.input)?)),
    ("verify", verify_errors),
    ("format", format),
    ("error", diagnostics),
    ("elaborate", emitted),
    ("grad", emitted),
    ("plan", emitted),
    ("local", emitted),
    ("certify", |t| if t.section("certificate").is_ok() { certified(t) } else { emitted(t) }),
    ("schedule", emitted),
    #[cfg(feature = "llvm")]
    ("loom-mlir", loom_mlir),
];

/// Options of the phases that start from source text.
const OPTIONS: &[&str] = &["mesh", "layout", "dim", "entry", "float", "gradients", "without"];

/// Runs the phase that a test names.
///
/// # Errors
/// An unknown phase or option, or a program that does not get through the phase.
pub fn run(test: &FileTest<'_>) -> Result<String, String> {
    let Some((name, phase)) = PHASES.iter().find(|p| p.0 == test.command) else {
        let names: Vec<&str> = PHASES.iter().map(|p| p.0).collect();
        return Err(format!("there is no phase `{}`; there are {}", test.command, names.join(", ")));
    };
    if let Some((key, _)) = test.options().find(|o| !OPTIONS.contains(&o.0)) {
        return Err(format!("`{name}` has no option `{key}`"));
    }
    phase(test)
}

/// Reads and verifies a program.
fn ir(text: &str) -> Result<Func, String> {
    let func = parse::parse(text).map_err(|e| e.to_string())?;
    verify::verify(&func).map_err(|e| verify::show(&func, &e))?;
    Ok(func)
}

/// The text of a program, which must verify and read back to the same text, with and without positions.
fn round_trip(func: &Func) -> Result<String, String> {
    verify::verify(func).map_err(|e| format!("the phase's output does not verify:\n{}", verify::show(func, &e)))?;
    for print in [print::print, print::print_with_spans] {
        let text = print(func);
        let again = print(&ir(&text)?);
        if again != text {
            return Err(format!("the text reads back to another program:\n{text}\n{again}"));
        }
    }
    Ok(print::print(func))
}

fn verify_errors(t: &FileTest<'_>) -> Result<String, String> {
    let func = match parse::parse(t.input) {
        Err(e) => return Ok(e.to_string()),
        Ok(f) => f,
    };
    match verify::verify(&func) {
        Ok(()) => Err("the program verifies".into()),
        Err(errors) => Ok(verify::show(&func, &errors)),
    }
}

/// `data:2,model:4` as names and sizes.
fn sizes(text: &str) -> Result<Vec<(String, u64)>, String> {
    let one = |s: &str| {
        let (name, size) = s.split_once(':')?;
        Some((name.to_string(), size.parse().ok()?))
    };
    text.split(',').map(|s| one(s).ok_or_else(|| format!("`{s}` is not of the form name:size"))).collect()
}

fn front(t: &FileTest<'_>) -> Result<elaborate::Options, String> {
    let float = match t.option("float") {
        Some(name) => Some(DType::from_name(name).ok_or_else(|| format!("`{name}` is no dtype"))?),
        None => None,
    };
    Ok(elaborate::Options {
        mesh: t.option("mesh").map(sizes).transpose()?,
        layout: t.option("layout").map(String::from),
        layout_file: None,
        dims: t.option("dim").map(sizes).transpose()?.unwrap_or_default(),
        entry: t.option("entry").map(String::from),
        files: t.files(".loom").map(|(n, text)| SourceText { path: n.into(), text: Ok(text.into()) }).collect(),
        float,
        precision: None,
        unrolled: t.option("no-roll").is_some(),
    })
}

/// The planner's options: `plan=search`, `target=h100-sxm`, `budget=1GiB`, `recompute=full`, `strict-float`, `without=RULE`.
fn planned(t: &FileTest<'_>) -> Result<PlanOptions, String> {
    let target = match t.option("target") {
        Some(name) => Target::builtin(name).ok_or_else(|| format!("no target `{name}`"))?,
        None => Target::default(),
    };
    Ok(PlanOptions {
        mode: match t.option("plan") {
            None | Some("follow") => Mode::Follow,
            Some("search") => Mode::Search,
            Some(other) => return Err(format!("no planner `{other}`")),
        },
        target,
        budget: t.option("budget").map(|b| Unit::Bytes.parse(b)).transpose()?,
        strict_float: t.option("strict-float").is_some(),
        recompute: match t.option("recompute") {
            None | Some("auto") => Recompute::Auto,
            Some("none") => Recompute::None,
            Some("full") => Recompute::Full,
            Some(other) => return Err(format!("no such recomputation: `{other}`")),
        },
        disabled_rules: t.option("without").map(|r| r.split(',').map(String::from).collect()).unwrap_or_default(),
        ..PlanOptions::default()
    })
}

/// The diagnostics of a program, which must have some.
fn diagnostics(t: &FileTest<'_>) -> Result<String, String> {
    match drive(t, "plan") {
        Err(text) => Ok(text),
        Ok(p) if p.diagnostics.is_empty() => Err("the program has no error".into()),
        Ok(p) => Ok(plain(&p.diagnostics, &p.sources)),
    }
}

fn plain(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    render_all(diagnostics, sources, Style::Plain)
}

/// The formatted source, which must format to itself.
fn format(t: &FileTest<'_>) -> Result<String, String> {
    let format = |text: &str| {
        format::format(text).map_err(|e| e.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("\n"))
    };
    let once = format(t.input)?;
    let twice = format(&once)?;
    if once != twice {
        return Err(format!("formatting again changes it:\n{once}\n{twice}"));
    }
    Ok(once)
}

/// Runs the driver's phases over a test's program, up to and including `last`.
fn drive(t: &FileTest<'_>, last: &str) -> Result<Program, String> {
    let front = front(t)?;
    let gradients = t.option("gradients").is_some();
    let options = driver::Options { front, gradients, plan: planned(t)?, ..driver::Options::default() };
    let reaches_plan = ["plan", "local", "certify", "schedule"].contains(&last);
    let out = driver::check("test.loom", t.input, &options);
    let out = if reaches_plan { out.and_then(|p| driver::plan(p, &options)) } else { out };
    let out = if last == "schedule" { out.and_then(driver::lower) } else { out };
    out.map_err(|(failure, sources)| match failure {
        Failure::Rejected(d) | Failure::TooLarge(d) => plain(&d, &sources),
        Failure::Internal { ref reproducer, .. } => format!("{failure}\n{reproducer}"),
        Failure::Environment(m) => m,
    })
}

/// What the driver prints for a phase, entry by entry; programs among it are read back.
fn emitted(t: &FileTest<'_>) -> Result<String, String> {
    let phase = t.command;
    let program = drive(t, phase)?;
    let mut texts = Vec::new();
    for e in &program.entries {
        match (phase, &e.plan) {
            ("elaborate", _) => texts.push(round_trip(&e.elaborated)?),
            ("grad", _) => texts.push(round_trip(&e.global)?),
            ("local", Some(p)) => texts.push(round_trip(&p.local)?),
            ("certify", Some(p)) => {
                let text = certify::text::print(&p.certificate, &e.global, &p.local);
                texts.push(format!("{text}{}\n", verdict(&e.global, &p.local, &p.certificate)?));
            }
            _ => {
                let text = driver::emit::text(&program, e, phase);
                texts.push(text.ok_or_else(|| format!("phase `{phase}` printed nothing for `{}`", e.name))?);
            }
        }
    }
    Ok(texts.join("\n"))
}

/// Checks a certificate written by hand: the input is the global program, further parts are `local` and `certificate`.
fn certified(t: &FileTest<'_>) -> Result<String, String> {
    let global = ir(t.input)?;
    let local = parse::parse(t.section("local")?).map_err(|e| e.to_string())?;
    match certify::text::parse(t.section("certificate")?, &global, &local) {
        Ok(cert) => verdict(&global, &local, &cert),
        Err(e) => Ok(e.to_string()),
    }
}

/// What the checker says, after the certificate's text has been read back.
fn verdict(global: &Func, local: &Func, cert: &certify::Certificate) -> Result<String, String> {
    let text = certify::text::print(cert, global, local);
    let again = certify::text::parse(&text, global, local).map_err(|e| e.to_string())?;
    if again != *cert {
        return Err(format!("the certificate reads back to another one:\n{text}"));
    }
    Ok(match certify::check(global, local, cert) {
        Ok(proof) => format!("proved, {} steps", proof.steps),
        Err(rejected) => rejected.iter().map(|r| format!("rejected: {r}\n")).collect(),
    })
}

/// The scheduled program in the loom dialect, parsed, verified and printed by MLIR. Kernels are declared, not shown.
#[cfg(feature = "llvm")]
fn loom_mlir(t: &FileTest<'_>) -> Result<String, String> {
    let program = drive(t, "schedule")?;
    let scheduled = program.entries.iter().filter_map(|e| e.scheduled.as_ref());
    let texts = scheduled.map(|s| {
        let text = meshloom_codegen::loom_mlir::emit(&s.program, &[]);
        meshloom_codegen::loom_mlir::roundtrip(&text).map_err(|e| e.to_string())
    });
    Ok(texts.collect::<Result<Vec<_>, _>>()?.join("\n"))
}
