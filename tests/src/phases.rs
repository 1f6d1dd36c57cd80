//! The phases that a file test can name, each from text to text: those of the driver's list ([`driver::PHASES`]), and `error`
//! for programs that are refused. What a phase prints is held to what the phase says of it: it verifies, and its text reads back to
//! the same text.

use crate::filetest::FileTest;
use meshloom_certify as certify;
use meshloom_driver::phases::{Each, Phase, Prints, Reached, Show, Stage};
use meshloom_driver::{self as driver, HasPlan, Planned, Scheduled, front};
use meshloom_ir::{DType, Func, parse, verify};
use meshloom_kernels::target::Level;
use meshloom_plan::cost::{Target, Unit};
use meshloom_plan::{Mode, PlanOptions, Recompute};
use meshloom_source::diagnostic::{Diagnostic, Style, render_all};
use meshloom_source::entry::{Offload, ScheduleChoice};
use meshloom_source::{CompileResult, Failure, FrontOptions, SourceMap, SourceText};

/// What stands in place of a phase where a program is refused.
const ERROR: &str = "error";

/// Options beside the name of the phase, and whether one has a value: those of the command line, of the same names.
const OPTIONS: &[(&str, bool)] = &[
    ("mesh", true),
    ("layout", true),
    ("dim", true),
    ("entry", true),
    ("float", true),
    ("precision", true),
    ("schedule", true),
    ("virtual", true),
    ("gradients", false),
    ("plan", true),
    ("target", true),
    ("budget", true),
    ("recompute", true),
    ("offload", true),
    ("strict-float", false),
    ("without", true),
    ("without-variant", true),
];

/// Kernels are declared and not shown: they are another crate's tests.
const SHOW: Show = Show { level: Level::V3, bodies: false, mlir };

#[cfg(feature = "llvm")]
fn mlir(text: &str) -> Result<String, String> {
    meshloom_llvm::roundtrip(text).map_err(|e| e.to_string())
}

#[cfg(not(feature = "llvm"))]
fn mlir(_: &str) -> Result<String, String> {
    Err("this build has no MLIR".into())
}

/// Runs the phase that a test names.
///
/// # Errors
/// An unknown phase or option, or a program that does not get through the phase.
pub fn run(test: &FileTest<'_>) -> Result<String, String> {
    for (key, value) in test.options() {
        match OPTIONS.iter().find(|o| o.0 == key) {
            None => return Err(format!("there is no option `{key}`")),
            Some((_, true)) if value.is_empty() => return Err(format!("option `{key}` is not of the form key=value")),
            Some((_, false)) if !value.is_empty() => return Err(format!("option `{key}` has no value")),
            Some(_) => {}
        }
    }
    if test.command == ERROR {
        return refused(test);
    }
    let Some(phase) = Phase::named(test.command) else {
        let names: Vec<&str> = driver::PHASES.iter().map(|p| p.name).chain([ERROR]).collect();
        return Err(format!("there is no phase `{}`; there are {}", test.command, names.join(", ")));
    };
    if test.section("certificate").is_ok() {
        return certified(test);
    }
    if let Prints::Source(each) = &phase.prints {
        return Ok(examined(each, [test.input])?.concat());
    }
    let program = reached(test, phase.stage())?;
    let texts = match &phase.prints {
        Prints::Elaborated(each) => examined(each, program.elaborated())?,
        Prints::Planned(each) if phase.name == "certify" => {
            let entries = planned(&program);
            let texts = examined(each, entries.iter().copied())?;
            // With it goes what the checker says.
            let steps = entries.iter().map(|e| format!("proved, {} steps\n", e.proof.steps));
            texts.into_iter().zip(steps).map(|(text, steps)| text + &steps).collect()
        }
        Prints::Planned(each) => examined(each, planned(&program))?,
        Prints::Scheduled(each) => examined(each, scheduled(&program))?,
        Prints::Source(_) | Prints::Whole(_) => vec![program.text(phase, SHOW).map_err(told)?],
    };
    Ok(texts.join("\n"))
}

/// The text of each entry, which verifies and reads back to itself.
fn examined<'a, E: ?Sized + 'a>(
    each: &Each<E>,
    entries: impl IntoIterator<Item = &'a E>,
) -> Result<Vec<String>, String> {
    let one = |e: &E| {
        if let Some(verify) = each.verify {
            verify(e).map_err(|e| format!("the phase's output does not verify:\n{e}"))?;
        }
        let text = (each.print)(e).map_err(|f| f.to_string())?;
        match each.read.map(|read| read(&text, e)).transpose()? {
            Some(again) if again != text => Err(format!("the text reads back to another one:\n{text}\n{again}")),
            _ => Ok(text),
        }
    };
    entries.into_iter().map(one).collect()
}

fn planned(program: &Reached) -> Vec<&Planned> {
    match program {
        Reached::Elaborated(_) => Vec::new(),
        Reached::Planned(p) => p.entries.iter().collect(),
        Reached::Scheduled(p) => p.entries.iter().map(HasPlan::planned).collect(),
    }
}

fn scheduled(program: &Reached) -> Vec<&Scheduled> {
    match program {
        Reached::Elaborated(_) | Reached::Planned(_) => Vec::new(),
        Reached::Scheduled(p) => p.entries.iter().collect(),
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

fn dtype(t: &FileTest<'_>, key: &str) -> Result<Option<DType>, String> {
    let of = |name: &str| DType::from_name(name).ok_or_else(|| format!("`{name}` is no dtype"));
    t.option(key).map(of).transpose()
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

fn file(name: &str, text: &str) -> SourceText {
    SourceText { path: name.into(), text: Ok(text.into()) }
}

fn options(t: &FileTest<'_>) -> Result<driver::CompileOptions, String> {
    let front = FrontOptions {
        mesh: t.option("mesh").map(sizes).transpose()?,
        layout: t.option("layout").map(String::from),
        dims: t.option("dim").map(sizes).transpose()?.unwrap_or_default(),
        entry: t.option("entry").map(String::from),
        files: [".loom", ".csv"]
            .into_iter()
            .flat_map(|end| t.files(end))
            .map(|(name, text)| file(name, text))
            .collect(),
        schedule: t.option("schedule").map(|name| ScheduleChoice::Named { name: name.into(), virtual_stages: None }),
        virtual_stages: t.option("virtual").map(number).transpose()?,
        float: dtype(t, "float")?,
        precision: dtype(t, "precision")?,
        batches: 1,
        ..FrontOptions::default()
    };
    let target = match t.option("target") {
        Some(name) => Target::builtin(name).ok_or_else(|| format!("no target `{name}`"))?,
        None => Target::default(),
    };
    let names = |of: &str| t.option(of).map(|r| r.split(',').map(String::from).collect()).unwrap_or_default();
    let plan = PlanOptions {
        mode: match t.option("plan") {
            None | Some("follow") => Mode::Follow,
            Some("search") => Mode::Search,
            Some(other) => return Err(format!("no planner `{other}`")),
        },
        target: if t.option("strict-float").is_some() { target.strictly() } else { target },
        budget: t.option("budget").map(|b| Unit::Bytes.parse(b)).transpose()?,
        recompute_all: match t.option("recompute") {
            None => None,
            Some("auto") => Some(Recompute::Auto),
            Some("none") => Some(Recompute::None),
            Some("full") => Some(Recompute::Full),
            Some(other) => return Err(format!("no such recomputation: `{other}`")),
        },
        disabled_rules: names("without"),
        disabled_variants: names("without-variant"),
        ..PlanOptions::default()
    };
    let named = |text: &str| {
        let found = Offload::from_name(text);
        found.ok_or_else(|| format!("nothing to offload: `{text}`"))
    };
    let offload = t.option("offload").map(named).transpose()?;
    Ok(driver::CompileOptions {
        front,
        gradients: t.option("gradients").is_some(),
        plan,
        offload,
        ..driver::CompileOptions::default()
    })
}

/// Takes a test's program, Loom or IR, through the driver as far as a stage.
fn drive(t: &FileTest<'_>, stage: Stage) -> Result<CompileResult<Reached>, String> {
    let options = options(t)?;
    Ok(match front::is_ir(t.input) {
        true => front::read_ir("test.ir", t.input, &options),
        false => driver::check("test.loom", t.input, &options),
    }
    .and_then(|p| Reached::Elaborated(p).to(stage, &options)))
}

fn reached(t: &FileTest<'_>, stage: Stage) -> Result<Reached, String> {
    drive(t, stage)?.map_err(told)
}

/// The error of a `CompileResult` as text.
fn told(error: (Failure, SourceMap)) -> String {
    let (failure, sources) = error;
    match failure {
        Failure::Rejected(d) | Failure::TooLarge(d) => plain(&d, &sources),
        Failure::Internal { ref reproducer, .. } => format!("{failure}\n{reproducer}"),
        Failure::Environment(m) | Failure::Text(m) => m,
    }
}

fn plain(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    render_all(diagnostics, sources, Style::Plain)
}

/// What is said of a program that is refused, or warned of.
fn refused(t: &FileTest<'_>) -> Result<String, String> {
    match drive(t, Stage::Planned)? {
        Err(failed) => Ok(told(failed)),
        Ok(Reached::Planned(p)) if !p.diagnostics.is_empty() => Ok(plain(&p.diagnostics, &p.sources)),
        Ok(_) => Err("the program has no error".into()),
    }
}

/// Reads and verifies a program.
fn ir(text: &str) -> Result<Func, String> {
    let func = parse::parse(text).map_err(|e| e.to_string())?;
    verify::verify(&func).map_err(|e| verify::show(&func, &e))?;
    Ok(func)
}

/// Checks a certificate written by hand: the input is the global program, further parts are `local` and `certificate`.
fn certified(t: &FileTest<'_>) -> Result<String, String> {
    let global = ir(t.input)?;
    let local = parse::parse(t.section("local")?).map_err(|e| e.to_string())?;
    let cert = match certify::text::parse(t.section("certificate")?, &global, &local) {
        Ok(cert) => cert,
        Err(e) => return Ok(e.to_string()),
    };
    let text = certify::text::print(&cert, &global, &local);
    let again = certify::text::parse(&text, &global, &local).map_err(|e| e.to_string())?;
    if again != cert {
        return Err(format!("the certificate reads back to another one:\n{text}"));
    }
    Ok(match certify::check(&global, &local, &cert) {
        Ok(proof) => format!("proved, {} steps", proof.steps),
        Err(rejected) => rejected.iter().map(|r| format!("rejected: {r}\n")).collect(),
    })
}
