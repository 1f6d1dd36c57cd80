//! `meshloom run`: compiles a model for this machine and runs it; runs a bundle as it is. `--html` writes the page of the plan with
//! what was measured (`run_page`).

use super::run_page;
use crate::args::{ModelArgs, RunCommand};
use crate::{build, cache, model, rejected};
use meshloom_bundle::{Bundle, EntryKind};
use meshloom_driver::{Program, page};
use meshloom_kernels::Device;
use meshloom_plan::Mode;
use meshloom_report::page::PlanPage;
use meshloom_run::{Measured, check_devices, execute, inputs, main_entry};
use meshloom_terminal::{Failed, Result, load, status};
use std::path::Path;

pub fn run(args: &RunCommand) -> Result<()> {
    args.html.as_deref().map_or(Ok(()), run_page::has_folder)?;
    let (bundle, page) = if is_bundle(&args.file) {
        let bundle = read(args)?;
        let page = args.html.as_ref().map(|_| run_page::of_bundle(&args.file, &bundle)).transpose()?;
        (bundle, page)
    } else {
        compile(args)?
    };
    let (Some(path), Some(page)) = (&args.html, page) else {
        return execute(&bundle, &args.devices, &args.run, None);
    };
    let mut measured = Measured::default();
    let result = execute(&bundle, &args.devices, &args.run, Some(&mut measured));
    // A run that was ended by Ctrl-C has a page of what it came to; one that never began has none, and other ranks write none.
    if measured.steps.is_empty() || measured.rank != 0 {
        return result;
    }
    let written = model::page(path, &run_page::with(page, measured));
    result.and(written)
}

/// Bundles are zips, and no text begins like one.
fn is_bundle(path: &Path) -> bool {
    model::begins_with(path, b"PK\x03\x04") || path.extension().is_some_and(|e| e == "loomx")
}

fn read(args: &RunCommand) -> Result<Bundle> {
    let name = args.file.display();
    // Every field is named, so that a new option is not forgotten here.
    let ModelArgs {
        mesh,
        layout,
        ring,
        dim,
        pipe,
        stages,
        schedule,
        virtual_stages,
        plan,
        target,
        profile,
        budget,
        strict_float,
        no_roll,
        recompute,
        offload,
        float,
        precision,
        matmul_precision,
        gradients,
        warn_reshard,
        deny_reshard,
        without_rule,
        without_variant,
        asserts,
        traced: _,
    } = &args.model;
    let options = [
        ("--mesh", mesh.is_some()),
        ("--layout", layout.is_some()),
        ("--ring", ring.is_some()),
        ("--dim", !dim.is_empty()),
        ("--pipe", pipe.is_some()),
        ("--stages", stages.is_some()),
        ("--schedule", schedule.is_some()),
        ("--virtual", virtual_stages.is_some()),
        ("--plan", *plan != Mode::Search),
        ("--target", target.is_some()),
        ("--profile", profile.is_some()),
        ("--budget", budget.is_some()),
        ("--strict-float", *strict_float),
        ("--no-roll", *no_roll),
        ("--recompute", recompute.is_some()),
        ("--offload", offload.is_some()),
        ("--float", float.is_some()),
        ("--precision", precision.is_some()),
        ("--matmul-precision", matmul_precision.is_some()),
        ("--gradients", *gradients),
        ("--warn-reshard", warn_reshard.is_some()),
        ("--deny-reshard", deny_reshard.is_some()),
        ("--without-rule", !without_rule.is_empty()),
        ("--without-variant", !without_variant.is_empty()),
        ("--assert", !asserts.is_empty()),
        ("--no-cache", args.no_cache),
    ];
    let given: Vec<&str> = options.iter().filter(|o| o.1).map(|o| o.0).collect();
    if !given.is_empty() {
        let belong = if given.len() == 1 { "belongs" } else { "belong" };
        let text = format!("{} {belong} to compiling", given.join(", "));
        return Err(Failed::usage(format!("{name} is planned already: {text}"))
            .help("give them to `compile`, or run the source"));
    }
    load::bundle(&args.file, args.run.require_signature.as_deref())
}

/// Compiles the source. Gives the bundle, and the page of its plan if `--html` asks for one.
fn compile(args: &RunCommand) -> Result<(Bundle, Option<PlanPage>)> {
    if args.run.require_signature.is_some() {
        let name = model::display(&args.file);
        return Err(Failed::usage(format!("--require-signature: {name} is a source, and signatures are of bundles"))
            .help("compile it with --sign KEY, and run the bundle"));
    }
    let program = checked(args)?;
    let mesh = model::mesh(&program);
    check_devices(args.devices.devices, &mesh)?;
    let entries: Vec<&str> = program.entries.iter().map(|e| e.name.as_str()).collect();
    let name = model::display(&args.file);
    let main = main_entry(&kinds(&program), args.run.entry.as_deref())?;
    if let Some(entry) = program.entry(&main) {
        inputs::check(&entry.ports(), entry.kind, &main, &args.run)?;
    }
    status::say("Compiling", &format!("{name} ({}) for {}", entries.join(", "), model::describe_mesh(&mesh)));
    let options = model::options(&args.model, None)?;
    let program = model::lower_asserted(model::plan(program, &options)?, Device::Cpu)?;
    build::planned(&program);
    let bundle = build::in_memory(&program, cache::of(args.no_cache))?;
    if args.timings {
        model::timings(&program);
    }
    Ok((bundle, args.html.as_ref().map(|_| page::of(&program))))
}

/// Names of entries, and whether each is a `train`.
fn kinds(p: &Program) -> Vec<(String, bool)> {
    p.entries.iter().map(|e| (e.name.clone(), e.kind == EntryKind::Train)).collect()
}

/// The checked program, with the entries that this run needs and no others.
fn checked(args: &RunCommand) -> Result<Program> {
    let text = model::read(&args.file)?;
    let options = model::options(&args.model, None)?;
    let mut program = model::check(&args.file, &text, &options)?;
    if let Some(asked) = args.run.entry.as_deref().filter(|asked| program.entry(asked).is_none()) {
        // Any function can be an entry. It becomes one when `--entry` names it.
        let options = model::options(&args.model, Some(asked))?;
        return model::check(&args.file, &text, &options);
    }
    let main = main_entry(&kinds(&program), args.run.entry.as_deref())?;
    let writes = !args.run.prompt.is_empty();
    program.entries.retain(|e| e.name == main || (writes && e.kind == EntryKind::Function));
    if args.run.eval_every.is_some() {
        let said = program.diagnostics.len();
        program.add_evaluations(&options);
        rejected::warn(&program.diagnostics[said..], &program.sources);
    }
    Ok(program)
}
