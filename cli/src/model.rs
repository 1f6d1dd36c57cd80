//! From the command line to a checked program: reads files, interprets options, calls phases, reports status.

use crate::args::{self, ModelArgs};
use crate::{hf, rejected};
use meshloom_driver::program::{Bounds, HasPlan};
use meshloom_driver::progress::Progress;
use meshloom_driver::{CompileOptions, Entry, Planned, Program, Scheduled, assert, front, pipeline, profiles};
use meshloom_ir::FileId;
#[cfg(feature = "llvm")]
use meshloom_kernels::Device;
use meshloom_plan::PlanOptions;
use meshloom_plan::cost::{Profile, Target};
use meshloom_report::page::PlanPage;
use meshloom_source::entry::ScheduleChoice;
use meshloom_source::{Failure, FrontOptions};
use meshloom_syntax::ast::ItemKind;
use meshloom_terminal::{Failed, Result, status};
use std::io::Read;
use std::path::Path;

/// Larger files are a mistake. Dumps of unrolled models have a few MiB; the parser has a lower limit for what is written by hand.
const MAX_SOURCE: u64 = 16 << 20;

/// A file's text; `-` is standard input.
///
/// # Errors
/// A file that cannot be read, or is no text.
pub fn read(path: &Path) -> Result<String> {
    let name = display(path);
    let fail = |e: std::io::Error| Failed::usage(format!("{name}: cannot be read: {e}"));
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().take(MAX_SOURCE + 1).read_to_end(&mut bytes).map_err(fail)?;
    } else {
        let file = std::fs::File::open(path).map_err(fail)?;
        file.take(MAX_SOURCE + 1).read_to_end(&mut bytes).map_err(fail)?;
    }
    if bytes.len() as u64 > MAX_SOURCE {
        return Err(Failed::usage(format!("{name}: larger than {}", status::size(MAX_SOURCE))));
    }
    if let Some(what) = front::binary(&bytes) {
        return Err(Failed::usage(format!("{name}: {what}")));
    }
    String::from_utf8(bytes).map_err(|e| Failed::usage(format!("{name}: not UTF-8 text: {e}")))
}

/// The text of a model: what is behind `hf:` is traced, anything else is read.
///
/// # Errors
/// Those of [`read`] and of [`hf::trace`].
pub fn source(path: &Path, args: &ModelArgs) -> Result<String> {
    match hf::model(path) {
        Some(model) => {
            let staged = hf::is_staged(args.pipe.as_deref(), args.mesh.as_ref());
            hf::trace(&model, &args.traced, args.precision, staged)
        }
        None => read(path),
    }
}

/// Whether a file begins so. Of a pipe nothing is known before it is read, once, so it begins with nothing.
pub fn begins_with(path: &Path, magic: &[u8]) -> bool {
    let mut found = vec![0; magic.len()];
    std::fs::metadata(path).is_ok_and(|m| m.is_file())
        && std::fs::File::open(path).and_then(|mut f| f.read_exact(&mut found)).is_ok()
        && found == *magic
}

/// Writes a file that was asked for.
///
/// # Errors
/// It cannot be written.
pub fn written(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).map_err(|e| Failed::usage(format!("{}: cannot be written: {e}", path.display())))
}

/// Writes a page, and says so.
///
/// # Errors
/// Those of [`written`].
pub fn page(path: &Path, page: &PlanPage) -> Result<()> {
    written(path, &page.html())?;
    status::say("Wrote", &path.display().to_string());
    Ok(())
}

/// What messages call a file.
pub fn display(path: &Path) -> String {
    if path == Path::new("-") { "<stdin>".into() } else { path.display().to_string() }
}

/// The options of the driver.
///
/// # Errors
/// A layout file or a target that cannot be used, a rule that does not exist.
pub fn options(args: &ModelArgs, entry: Option<&str>) -> Result<CompileOptions> {
    let (layout, layout_file) = layout(args.layout.as_deref())?;
    let known: Vec<&str> = meshloom_plan::rules().collect();
    if let Some(rule) = args.without_rule.iter().find(|r| !known.contains(&r.as_str())) {
        return Err(
            Failed::usage(format!("the planner has no rule `{rule}`")).help(format!("there are {}", known.join(", ")))
        );
    }
    if let Some(e) = meshloom_driver::variants::unknown(&args.without_variant) {
        return Err(Failed::usage(e.message).help(e.help));
    }
    let tf32 = args.matmul_precision == Some(args::MatmulPrecision::Tf32);
    let mut devices = target_of(args.target.as_deref().unwrap_or(args::CPU), args.profile.as_deref())?;
    if args.strict_float {
        devices = devices.strictly();
    }
    if args.strict_float && args.ring.is_some() {
        let text = "--ring: passing keys round adds in another order, and --strict-float keeps the order";
        return Err(Failed::usage(text));
    }
    Ok(CompileOptions {
        front: FrontOptions {
            mesh: args.mesh.as_ref().map(|m| m.0.clone()),
            layout,
            layout_file,
            dims: args.dim.iter().flat_map(|d| d.0.clone()).collect(),
            entry: entry.map(str::to_owned),
            schedule: args.schedule.as_deref().map(schedule).transpose()?,
            virtual_stages: args.virtual_stages,
            float: args.float,
            precision: args.precision,
            stages: args.stages.clone(),
            pipe: args.pipe.clone(),
            unrolled: args.no_roll,
            batches: 1,
            ..FrontOptions::default()
        },
        gradients: args.gradients,
        plan: PlanOptions {
            mode: args.plan,
            target: if tf32 { devices.in_tf32() } else { devices },
            budget: args.budget,
            recompute_all: args.recompute,
            ring: args.ring.clone(),
            disabled_rules: args.without_rule.iter().cloned().collect(),
            disabled_variants: args.without_variant.iter().cloned().collect(),
            ..PlanOptions::default()
        },
        asserts: args.asserts.clone(),
        offload: args.offload,
        asserts_later: false,
        tf32,
        progress: Progress::default(),
        reshards: Bounds { warn: args.warn_reshard, deny: args.deny_reshard },
    })
}

/// A target by its name, or from a file, whose stem is its name then.
///
/// # Errors
/// A name that is not built in, a file that cannot be read or describes no target.
pub fn target(asked: &str) -> Result<Target> {
    if let Some(target) = Target::builtin(asked) {
        return Ok(target);
    }
    let (name, text) = file_of("target", asked, &mut Target::names())?;
    Target::parse(&name, &text).map_err(|e| Failed::usage(format!("{asked}: {}", e.message)))
}

/// A target as the software of a profile uses it.
///
/// # Errors
/// Those of [`target`] and [`profile`]; the profile has no figures for such a device.
pub fn target_of(asked: &str, software: Option<&str>) -> Result<Target> {
    let devices = target(asked)?;
    let Some(software) = software else { return Ok(devices) };
    profile(software)?.of(&devices).map_err(|e| Failed::usage(e).help("`meshloom profiles` lists what each is for"))
}

/// A profile by its name, or from a file, whose stem is its name then.
///
/// # Errors
/// A name that is not built in, a file that cannot be read or describes no profile.
pub fn profile(asked: &str) -> Result<Profile> {
    if let Some(profile) = profiles::builtin(asked) {
        return Ok(profile);
    }
    let (name, text) = file_of("profile", asked, &mut profiles::names())?;
    Profile::parse(&name, &text).map_err(|e| Failed::usage(format!("{asked}: {e}")))
}

/// The name and the text of a TOML file that stands where one of `names` could.
fn file_of(what: &str, asked: &str, names: &mut dyn Iterator<Item = &'static str>) -> Result<(String, String)> {
    let path = Path::new(asked);
    if path.extension().is_none_or(|e| e != "toml") {
        let names: Vec<&str> = names.collect();
        return Err(Failed::usage(format!("there is no {what} `{asked}`"))
            .help(format!("there are {}; or give a file, NAME.toml", names.join(", "))));
    }
    Ok((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), read(path)?))
}

/// A name and the text of a file.
type Chosen = (Option<String>, Option<(String, String)>);

/// `NAME`, `FILE.loom` with one layout block in it, or `FILE.loom:NAME`.
fn layout(asked: Option<&str>) -> Result<Chosen> {
    let Some(asked) = asked else { return Ok((None, None)) };
    // The end says what it is: folders may have `.loom` in their names.
    let (file, name) = match asked.rsplit_once(".loom:") {
        Some((stem, name)) => (format!("{stem}.loom"), Some(name.to_owned())),
        None if asked.ends_with(".loom") => (asked.to_owned(), None),
        None => return Ok((Some(asked.to_owned()), None)),
    };
    let text = read(Path::new(&file))?;
    let name = match name {
        Some(name) => Some(name),
        None => {
            let tree = meshloom_syntax::parse::parse(FileId(0), &text).file;
            let names: Vec<String> = tree
                .items
                .iter()
                .filter_map(|i| if let ItemKind::Layout(l) = &i.kind { Some(l.name.text.clone()) } else { None })
                .collect();
            match names.as_slice() {
                [only] => Some(only.clone()),
                [] => return Err(Failed::usage(format!("{file}: holds no layout block"))),
                many => {
                    let help = format!("choose with --layout {file}:{}", many[0]);
                    let text = format!("{file}: holds several layout blocks: {}", many.join(", "));
                    return Err(Failed::usage(text).help(help));
                }
            }
        }
    };
    Ok((name, Some((file, text))))
}

/// The name of a schedule, or a table in a file.
fn schedule(asked: &str) -> Result<ScheduleChoice> {
    if !meshloom_syntax::import::is_table(asked) {
        return Ok(ScheduleChoice::Named { name: asked.to_owned(), virtual_stages: None });
    }
    Ok(ScheduleChoice::Table { file: asked.to_owned(), text: read(Path::new(asked))? })
}

/// Phases up to the global program.
///
/// # Errors
/// Everything that is wrong with the source.
pub fn check(path: &Path, text: &str, options: &CompileOptions) -> Result<Program> {
    let program = front::check(&display(path), text, options).map_err(rejected::failed)?;
    rejected::warn(&program.diagnostics, &program.sources);
    Ok(program)
}

/// Phases up to the certificate.
///
/// # Errors
/// Annotations that cannot hold, assertions that do not.
pub fn plan(program: Program, options: &CompileOptions) -> Result<Program<Planned>> {
    let said = program.diagnostics.len();
    waits("Planning", &program.path, options);
    let program = pipeline::plan(program, options).map_err(rejected::failed)?;
    status::waited();
    rejected::warn(&program.diagnostics[said..], &program.sources);
    Ok(program)
}

/// Says on a terminal that something of `what` is being done, and how many programs were planned for it.
pub fn waits(verb: &'static str, what: &str, options: &CompileOptions) {
    let (what, progress) = (what.to_owned(), options.progress.clone());
    status::waits(verb, move || match progress.counts() {
        (_, 0) => what.clone(),
        (done, all) => format!("{what}: {done} of {all} programs planned"),
    });
}

/// What the plan should be and is not; of memory once the program is scheduled.
///
/// # Errors
/// Every assertion that does not hold.
pub fn asserted<E: HasPlan>(program: &Program<E>) -> Result<()> {
    match assert::check(program) {
        broken if broken.is_empty() => Ok(()),
        broken => Err(rejected::failed((Failure::Rejected(broken), program.sources.clone()))),
    }
}

/// Phases up to the executable program.
///
/// # Errors
/// What the target cannot run.
pub fn lower(program: Program<Planned>) -> Result<Program<Scheduled>> {
    pipeline::lower(program).map_err(rejected::failed)
}

/// As [`lower`], and checked against assertions about memory.
///
/// # Errors
/// What the target cannot run, assertions that do not hold.
#[cfg(feature = "llvm")]
pub fn lower_asserted(program: Program<Planned>, device: Device) -> Result<Program<Scheduled>> {
    let program = pipeline::lower_for(program, device).map_err(rejected::failed)?;
    asserted(&program)?;
    Ok(program)
}

/// Axes and sizes of a program's mesh.
pub fn mesh<E: Entry>(program: &Program<E>) -> Vec<(String, u64)> {
    let mesh = program.entries.first().map(|e| e.elaborated().mesh());
    mesh.map(|m| m.axes.iter().map(|(name, size)| (name.clone(), *size)).collect()).unwrap_or_default()
}

/// `data=2 x model=4, 8 devices`
pub fn describe_mesh(mesh: &[(String, u64)]) -> String {
    let devices = mesh.iter().map(|a| a.1).fold(1, u64::saturating_mul);
    let axes: Vec<String> = mesh.iter().filter(|a| a.1 != 1).map(|(n, s)| format!("{n}={s}")).collect();
    match axes.is_empty() {
        true => "1 device".into(),
        false => format!("{devices} devices, {}", axes.join(" x ")),
    }
}

/// How long each phase took, on standard error.
pub fn timings<E>(program: &Program<E>) {
    for (phase, spent) in &program.timings {
        status::say("Timing", &format!("{phase:<10} {}", status::duration(spent.as_secs_f64())));
    }
}
