//! What `meshloom verify` requires of a bundle beside its source, in words: meshes, target and options.
//!
//! Not here: the checks of a plan ([`meshloom_driver::verify`]).

use crate::args::{Instructions, MachineCode, ModelArgs, Sizes, VerifyArgs};
use crate::model;
use clap::ValueEnum;
use meshloom_bundle::Bundle;
use meshloom_driver::{CompileOptions, Program};
use meshloom_ir::FileId;
use meshloom_source::entry::precision_name;
use meshloom_syntax::ast::ItemKind;
use std::collections::BTreeMap;
use std::path::Path;

/// The axes of a mesh along which there are several devices.
fn split<'a>(axes: impl Iterator<Item = (&'a str, u64)>) -> BTreeMap<&'a str, u64> {
    axes.filter(|a| a.1 != 1).collect()
}

fn of_plan(plan: &Bundle) -> BTreeMap<&str, u64> {
    split(plan.manifest.mesh.iter().map(|a| (a.name.as_str(), u64::from(a.size))))
}

fn shown(mesh: &BTreeMap<&str, u64>) -> String {
    model::describe_mesh(&mesh.iter().map(|(n, s)| ((*n).to_owned(), *s)).collect::<Vec<_>>())
}

/// The mesh of each plan of a bundle, in words.
pub fn described(bundle: &Bundle) -> Vec<String> {
    let axes =
        |plan: &Bundle| plan.manifest.mesh.iter().map(|a| (a.name.clone(), u64::from(a.size))).collect::<Vec<_>>();
    bundle.plans().map(|plan| model::describe_mesh(&axes(plan))).collect()
}

/// Plans that a bundle should have and has not, and those that it has and should not. Without a mesh it may have any.
pub fn meshes(args: &VerifyArgs, bundle: &Bundle) -> Vec<String> {
    let given = |s: &'static str, sizes: &Sizes| (s, sizes.clone());
    let first = args.model.mesh.iter().map(|m| given("--mesh", m));
    let asked: Vec<(&str, Sizes)> = first.chain(args.also_mesh.iter().map(|m| given("--also-mesh", m))).collect();
    if asked.is_empty() {
        return Vec::new();
    }
    let wanted: Vec<_> = asked.iter().map(|(o, s)| (*o, split(s.0.iter().map(|(n, k)| (n.as_str(), *k))))).collect();
    let plans: Vec<_> = bundle.plans().map(of_plan).collect();
    let missing = wanted.iter().filter(|w| !plans.contains(&w.1));
    let missing = missing.map(|(option, mesh)| format!("it has no plan for the mesh of {option}: {}", shown(mesh)));
    // The plan for the mesh of the source itself has no option.
    let open = usize::from(args.model.mesh.is_none());
    let more = plans.iter().skip(open).filter(|p| !wanted.iter().any(|w| w.1 == **p));
    let more = more.map(|mesh| format!("it has a plan that was not asked for: {}", shown(mesh)));
    missing.chain(more).collect()
}

/// That a bundle is for another target than the one that was named.
pub fn target(args: &VerifyArgs, bundle: &Bundle) -> Option<String> {
    let asked = args.model.target.as_deref()?;
    let name = match asked.strip_suffix(".toml") {
        Some(_) => Path::new(asked).file_stem()?.to_str()?,
        None => asked,
    };
    let is = bundle.manifest.target.as_str();
    (is != name).then(|| format!("it is for target {is}, not {name}"))
}

/// The options that were given and that say what is computed, as they are written.
pub fn options(of: &ModelArgs) -> Vec<String> {
    // Meshes and target are said apart. A profile chooses among plans, as a search does.
    let ModelArgs {
        mesh: _,
        target: _,
        profile: _,
        layout,
        ring,
        dim,
        pipe,
        stages,
        schedule,
        virtual_stages,
        plan: _,
        budget,
        strict_float,
        no_roll,
        recompute: _,
        offload,
        float,
        precision,
        matmul_precision,
        gradients,
        warn_reshard: _,
        deny_reshard,
        without_rule: _,
        without_variant: _,
        asserts,
        traced: _,
    } = of;
    fn name<T: ValueEnum>(value: &T) -> String {
        value.to_possible_value().map_or_else(String::new, |v| v.get_name().to_owned())
    }
    let sizes = |s: &Sizes| s.0.iter().map(|(n, k)| format!("{n}={k}")).collect::<Vec<_>>().join(",");
    let counts = |n: &Vec<u64>| n.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let values = [
        ("--layout", layout.clone()),
        ("--ring", ring.as_ref().map(|axes| axes.join(","))),
        ("--pipe", pipe.clone()),
        ("--stages", stages.as_ref().map(counts)),
        ("--schedule", schedule.clone()),
        ("--virtual", virtual_stages.map(|n| n.to_string())),
        ("--budget", budget.map(|n| format!("{n}B"))),
        ("--offload", offload.map(|o| o.name().to_owned())),
        ("--float", float.map(|d| d.name().to_owned())),
        ("--precision", precision.map(|d| precision_name(d).to_owned())),
        ("--matmul-precision", matmul_precision.as_ref().map(name)),
        ("--deny-reshard", deny_reshard.map(|n| format!("{n}B"))),
    ];
    let flags = [("--strict-float", *strict_float), ("--no-roll", *no_roll), ("--gradients", *gradients)];
    let dims = dim.iter().map(|d| format!("--dim {}", sizes(d)));
    let values = values.into_iter().filter_map(|(option, value)| Some(format!("{option} {}", value?)));
    let flags = flags.into_iter().filter(|f| f.1).map(|f| f.0.to_owned());
    dims.chain(values).chain(flags).chain(asserts.iter().map(|a| format!("--assert '{a}'"))).collect()
}

/// What was found out of a bundle that is right, and what is trusted.
pub fn proved(args: &VerifyArgs, asserts: usize) -> String {
    let instructions = match args.instructions {
        Instructions::Prove => "plan and instructions proved",
        Instructions::Compare => "plan proved, instructions proved as far as they are followed",
    };
    let code = match args.kernels {
        MachineCode::Compile => "machine code as compiled again",
        MachineCode::Run => "machine code as the reference where it ran",
        MachineCode::Skip => "machine code trusted",
    };
    let held = match asserts {
        0 => String::new(),
        1 => ", 1 assertion holds".to_owned(),
        n => format!(", {n} assertions hold"),
    };
    format!("{instructions}, {code}{held}")
}

/// The layout with which a bundle is what its source says, if the one that was given is not the one: that of another block of the
/// source, or of none.
pub fn layout(
    given: &ModelArgs,
    declared: &str,
    source: &str,
    text: &str,
    proves: impl Fn(&Program, &CompileOptions) -> bool,
) -> Option<String> {
    let tree = meshloom_syntax::parse::parse(FileId(0), text).file;
    let blocks = tree.items.iter().filter_map(|i| match &i.kind {
        ItemKind::Layout(l) => Some(Some(l.name.text.clone())),
        _ => None,
    });
    let mut others = blocks.chain(std::iter::once(None)).filter(|l| *l != given.layout);
    let found = others.find(|layout| {
        let other = ModelArgs { layout: layout.clone(), ..given.clone() };
        let Ok(options) = model::options(&other, Some(declared)) else { return false };
        let Ok(mut program) = meshloom_driver::check(source, text, &options) else { return false };
        program.add_evaluations(&options);
        proves(&program, &options)
    })?;
    Some(match found {
        Some(name) => format!("it was compiled with --layout {name}"),
        None => "it was compiled without --layout".to_owned(),
    })
}
