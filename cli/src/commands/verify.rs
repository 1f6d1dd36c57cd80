//! `meshloom verify`: whether a bundle computes what a source says. How that is found out: [`meshloom_driver::verify`] for programs,
//! [`meshloom_driver::recompile`] for their kernels.
//!
//! What cannot be found out is no success: the exit code is 0 if all of the bundle agrees, or if the user asked to leave machine code
//! out.

use super::verify_asked as asked;
use crate::args::{Instructions, MachineCode, Sizes, VerifyArgs};
use crate::{kernel_runs, model, rejected};
use meshloom_bundle::{Bundle, EntryContents};
use meshloom_driver::program::EVALUATION;
use meshloom_driver::verify::{self, Agreement};
use meshloom_kernels::{Device, KernelSpec};
use meshloom_terminal::{Failed, Result, load, status};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

/// What was found so far.
struct Findings<'a> {
    args: &'a VerifyArgs,
    name: String,
    /// In front of entries and members of a plan for another number of devices: its member in the bundle.
    place: String,
    entries: Vec<Value>,
    libraries: Vec<Value>,
    failures: Vec<String>,
    /// Instructions that are those of the proved program scheduled again, but not proved themselves.
    open: Vec<String>,
    /// What the kernels of proved entries have to compute.
    kernels: BTreeMap<String, KernelSpec>,
    /// Assertions that hold, over all entries.
    asserts: usize,
}

/// Says to a process that it is the one that runs machine code.
const RUNS: &str = "MESHLOOM_VERIFY_RUNS";

pub fn run(args: &VerifyArgs) -> Result<()> {
    if args.kernels == MachineCode::Run && std::env::var_os(RUNS).is_none() {
        return in_a_process(args);
    }
    here(args)
}

/// The same command in another process, since machine code that is not what it should be may end the one that runs it.
fn in_a_process(args: &VerifyArgs) -> Result<()> {
    let own =
        std::env::current_exe().map_err(|e| Failed::usage(format!("cannot find this program's own file: {e}")))?;
    let status = Command::new(own).args(std::env::args_os().skip(1)).env(RUNS, "1").status();
    let status = status.map_err(|e| Failed::usage(format!("cannot start another process: {e}")))?;
    match (status.code(), status.signal()) {
        (Some(0), _) => Ok(()),
        (Some(code), _) => Err(Failed::silent(code)),
        (None, signal) => {
            let name = args.bundle.display();
            let by = signal.map_or_else(String::new, |s| format!(" (signal {s})"));
            Err(Failed::rejected(format!("{name}: its machine code ended the process that ran it{by}")))
        }
    }
}

fn here(args: &VerifyArgs) -> Result<()> {
    let name = args.bundle.display().to_string();
    let bundle = load::bundle(&args.bundle, None)?;
    let text = model::read(&args.file)?;
    let device = verify::device(&bundle).map_err(|e| Failed::usage(format!("{name}: {e}")))?;
    let (entries, libraries, open, kernels) = Default::default();
    let failures = asked::meshes(args, &bundle).into_iter().chain(asked::target(args, &bundle));
    let failures = failures.map(|f| format!("{name}: {f}")).collect();
    let place = String::new();
    let mut found = Findings { args, name, place, entries, libraries, failures, open, kernels, asserts: 0 };
    let mut all_proved = true;
    for (k, plan) in bundle.plans().enumerate() {
        if k > 0 {
            found.place = format!("{}/", bundle.manifest.others[k - 1].member);
            found.kernels.clear();
        }
        let before = found.failures.len();
        for contents in &plan.contents.entries {
            found.entry(plan, contents, &text, device)?;
        }
        let proved = found.failures.len() == before;
        all_proved &= proved;
        match args.kernels {
            // What kernels of an entry without proof should compute is not known.
            MachineCode::Compile if proved => found.compiled_again(plan)?,
            MachineCode::Run if proved => found.ran(plan)?,
            MachineCode::Compile | MachineCode::Run => {}
            MachineCode::Skip => found.skipped(plan),
        }
    }
    found.told(&bundle, all_proved)
}

impl Findings<'_> {
    fn entry(&mut self, bundle: &Bundle, contents: &EntryContents, text: &str, device: Device) -> Result<()> {
        let args = self.args;
        let mut given = args.model.clone();
        given.mesh = Some(Sizes(bundle.manifest.mesh.iter().map(|a| (a.name.clone(), a.size.into())).collect()));
        let entry = contents.program.entry.as_str();
        // The loss of a train entry stands in the source as that entry.
        let declared = entry.strip_suffix(EVALUATION).unwrap_or(entry);
        let options = model::options(&given, Some(declared))?;
        let source = model::display(&args.file);
        model::waits("Proving", &format!("{}{entry}", self.place), &options);
        let mut program = meshloom_driver::check(&source, text, &options).map_err(rejected::failed)?;
        program.add_evaluations(&options);
        match verify::entry(&program, contents, device, &options) {
            Ok(Agreement { steps, collectives, schedule, kernels, asserts }) => {
                self.asserts += asserts;
                let (proved, exchanged) =
                    (status::count(steps as u64, "step"), status::count(collectives as u64, "collective"));
                let entry = format!("{}{entry}", self.place);
                self.say("Proved", &format!("{entry}: {proved} and {exchanged} agree with {source}"));
                let left: Vec<String> = schedule.unfollowed.iter().map(ToString::to_string).collect();
                self.schedule(&entry, schedule.steps, &left);
                self.entries.push(json!({ "entry": entry, "status": "proved", "steps": steps, "not_proved": left }));
                self.kernels.extend(kernels);
            }
            Err(mut reasons) => {
                let other = || {
                    asked::layout(&given, declared, &source, text, |p, o| verify::entry(p, contents, device, o).is_ok())
                };
                reasons.extend(other());
                let entry = format!("{}{entry}", self.place);
                self.entries.push(json!({ "entry": entry, "status": "failed", "reasons": reasons }));
                self.failures.extend(reasons.into_iter().map(|r| format!("{}: entry `{entry}`: {r}", self.name)));
            }
        }
        Ok(())
    }

    /// Says what of an entry's instructions is proved.
    fn schedule(&mut self, entry: &str, steps: usize, left: &[String]) {
        let Some(first) = left.first() else {
            let run = status::count(steps as u64, "instruction");
            return self.say("Proved", &format!("{entry}: its schedule computes its plan, in {run}"));
        };
        let more = if left.len() > 1 { format!("; and {} more", left.len() - 1) } else { String::new() };
        match self.args.instructions {
            Instructions::Prove => {
                let what = format!("entry `{entry}`: not proved that its schedule computes its plan: {first}{more}");
                self.open.push(format!("{}: {what}", self.name));
            }
            Instructions::Compare => {
                let what = format!("{entry}: a proof of all of its schedule: {first}{more}");
                self.say("Left out", &format!("{what}; --instructions compare trusts the scheduler"));
            }
        }
    }

    #[cfg(feature = "llvm")]
    fn compiled_again(&mut self, bundle: &Bundle) -> Result<()> {
        use meshloom_codegen::worker::Isolation;
        use meshloom_driver::recompile::{self, Code};
        let isolation = Isolation::beside().map_err(|e| Failed::usage(e.to_string()))?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let what = format!("{}kernels again", self.place);
        status::waits("Compiling", move || what.clone());
        let kernels = self.kernels.iter().map(|(symbol, spec)| (symbol.as_str(), spec)).collect();
        let codes = recompile::libraries(&bundle.contents.libraries, &kernels, &isolation, threads);
        let codes = codes.map_err(|f| rejected::failed((f, meshloom_source::SourceMap::new())))?;
        for (library, code) in bundle.manifest.libraries.iter().zip(codes) {
            let (member, kernels) =
                (&format!("{}{}", self.place, library.member), status::count(library.symbols.len() as u64, "kernel"));
            match code {
                Code::Same => {
                    self.say(
                        "Compared",
                        &format!("{member}: {kernels}, byte for byte what compiling them again gives"),
                    );
                    self.libraries.push(json!({ "library": member, "status": "same" }));
                }
                Code::Other(reason) => self.refused(member, "other", reason),
                Code::Unknown(reason) => self.refused(member, "not checked", format!("kernels not checked: {reason}")),
            }
        }
        Ok(())
    }

    #[cfg(not(feature = "llvm"))]
    fn compiled_again(&mut self, bundle: &Bundle) -> Result<()> {
        for library in &bundle.manifest.libraries {
            let reason = "kernels not checked: this build of meshloom has no LLVM to compile them with";
            let member = format!("{}{}", self.place, library.member);
            self.refused(&member, "not checked", reason.into());
        }
        Ok(())
    }

    /// Runs the libraries that this machine can run.
    fn ran(&mut self, bundle: &Bundle) -> Result<()> {
        for (library, contents) in bundle.manifest.libraries.iter().zip(&bundle.contents.libraries) {
            let member = &format!("{}{}", self.place, library.member);
            let Some(runs) = kernel_runs::library(contents, &self.kernels)? else {
                let what = "this machine cannot run them";
                self.libraries.push(json!({ "library": member, "status": "not run", "reason": what }));
                self.say("Left out", &format!("{member}: {what}"));
                continue;
            };
            let (agreed, left) = (runs.agreed, runs.left);
            for reason in &runs.wrong {
                self.refused(member, "other", reason.clone());
            }
            if runs.wrong.is_empty() {
                let many = status::count(agreed as u64, "kernel");
                self.say(
                    "Ran",
                    &format!("{member}: {many} as the reference; {left} left out, as too large or not to be run alone"),
                );
                self.libraries.push(json!({ "library": member, "status": "ran", "kernels": agreed, "left": left }));
            }
        }
        // Nothing is known where nothing ran.
        if self.libraries.iter().all(|l| l["status"] == "not run") {
            self.failures
                .push(format!("{}: kernels not checked: none of its libraries runs on this machine", self.name));
        }
        Ok(())
    }

    fn refused(&mut self, member: &str, status: &str, reason: String) {
        self.libraries.push(json!({ "library": member, "status": status, "reason": reason }));
        self.failures.push(format!("{}: {member}: {reason}", self.name));
    }

    fn skipped(&mut self, bundle: &Bundle) {
        self.say("Left out", "machine code: --kernels skip trusts it");
        let place = &self.place;
        let skipped =
            |l: &meshloom_bundle::Library| json!({ "library": format!("{place}{}", l.member), "status": "skipped" });
        self.libraries.extend(bundle.manifest.libraries.iter().map(skipped));
    }

    fn say(&self, what: &str, text: &str) {
        if !self.args.json {
            status::say(what, text);
        }
    }

    fn told(mut self, bundle: &Bundle, proved: bool) -> Result<()> {
        let open = !self.open.is_empty();
        self.failures.append(&mut self.open);
        let ok = self.failures.is_empty();
        let (options, meshes) = (asked::options(&self.args.model), asked::described(bundle));
        if self.args.json {
            let (entries, libraries) = (self.entries, self.libraries);
            let mut all =
                json!({ "schema": 1, "bundle": bundle.hash, "ok": ok, "entries": entries, "libraries": libraries });
            (all["options"], all["meshes"], all["assertions"]) = (json!(options), json!(meshes), json!(self.asserts));
            status::data(&format!("{all}\n"));
        } else if ok {
            let proved = asked::proved(self.args, self.asserts);
            let under = if options.is_empty() { "no options".into() } else { options.join(" ") };
            let source = model::display(&self.args.file);
            let of = meshes.join(" and for ");
            let (name, target) = (&self.name, &bundle.manifest.target);
            let what = format!("{name} computes {source} for {of}, target {target}: {proved}; under {under}");
            status::say("Verified", &what);
        } else {
            self.failures.iter().for_each(|f| status::error(f));
            let unknown = self.libraries.iter().any(|l| l["status"] == "not checked");
            if !proved {
                status::help("options must be those that `compile` was given: --layout, --dim, --float and all others");
            } else if unknown {
                status::help("compile the source again here, or trust the machine code with --kernels skip");
            } else if open {
                status::help("to trust the scheduler where the proof cannot follow it, use --instructions compare");
            }
        }
        if ok { Ok(()) } else { Err(Failed::silent(1)) }
    }
}
