//! `meshloom compile`: from a model and a mesh to one file that runs without the compiler.

use crate::args::{CompileArgs, CpuLevels, ModelArgs};
use crate::sign::Signer;
use crate::{build, cache, model, rejected};
use meshloom_bundle::Contents;
use meshloom_driver::{CompileOptions, Program};
use meshloom_kernels::Device;
use meshloom_terminal::{Failed, Result, load, status};
use std::io::Write;
use std::path::Path;

pub fn run(args: &CompileArgs) -> Result<()> {
    // A key that cannot be read is said before the work, not after it.
    let signer = args.sign.as_deref().map(Signer::read).transpose()?;
    let text = model::source(&args.file, &args.model)?;
    let checked = meshes(args, &text)?;
    let mut all = checked.into_iter().map(|(program, options)| contents(args, program, &options));
    let first = all.next().transpose()?;
    let mut others = all.map(|c| c.and_then(|c| Ok((devices(&c), build::pack(&c)?)))).collect::<Result<Vec<_>>>()?;
    others.sort_by_key(|o| o.0);
    let others: Vec<Vec<u8>> = others.into_iter().map(|o| o.1).collect();
    let bytes = first.map_or_else(|| Ok(Vec::new()), |c| build::pack_with(&c, &others))?;
    write(&args.output, &bytes)?;
    status::say("Wrote", &format!("{}, {}", args.output.display(), status::size(bytes.len() as u64)));
    if let Some(signer) = signer {
        let beside = load::signature_of(&args.output);
        write(&beside, signer.sign(&bytes)?.as_bytes())?;
        status::say("Signed", &beside.display().to_string());
    }
    Ok(())
}

/// The checked program on `--mesh` and on each `--also-mesh`.
fn meshes(args: &CompileArgs, text: &str) -> Result<Vec<(Program, CompileOptions)>> {
    let mut all: Vec<(Program, CompileOptions)> = Vec::new();
    let mut sizes: Vec<(u64, String)> = Vec::new();
    for mesh in std::iter::once(args.model.mesh.as_ref()).chain(args.also_mesh.iter().map(Some)) {
        let given = ModelArgs { mesh: mesh.cloned(), ..args.model.clone() };
        let options = model::options(&given, args.entry.as_deref())?;
        let mut program = model::check(&args.file, text, &options)?;
        if program.entries.is_empty() {
            let failed = Failed::rejected(format!("{} has no entry to compile", model::display(&args.file)));
            return Err(failed.help("declare a `train` or an `entry` function, or name a function with --entry"));
        }
        if args.eval {
            let said = program.diagnostics.len();
            program.add_evaluations(&options);
            rejected::warn(&program.diagnostics[said..], &program.sources);
        }
        let mesh = model::mesh(&program);
        let n = mesh.iter().map(|a| a.1).fold(1, u64::saturating_mul);
        let said = model::describe_mesh(&mesh);
        if let Some((_, other)) = sizes.iter().find(|s| s.0 == n) {
            let text = format!(
                "--also-mesh: {said} has as many devices as {other}, and a bundle has one plan for each number"
            );
            return Err(Failed::usage(text));
        }
        sizes.push((n, said));
        all.push((program, options));
    }
    Ok(all)
}

fn devices(c: &Contents) -> usize {
    c.entries.first().map_or(1, |e| e.program.devices())
}

/// Plans a program, and compiles its kernels.
fn contents(args: &CompileArgs, program: Program, options: &CompileOptions) -> Result<Contents> {
    let mesh = model::describe_mesh(&model::mesh(&program));
    status::say("Compiling", &format!("{} for {mesh}", model::display(&args.file)));
    let program = model::plan(program, options)?;
    let gpu = program.target.arch.device().gpu();
    let device = match gpu {
        Some(gpu) if args.without_tma && gpu.fetches() => Device::GpuWithoutTma(gpu),
        _ if args.without_tma => {
            let target = &program.target.name;
            return Err(Failed::usage(format!(
                "--without-tma: no kernel for {target} uses the tensor memory accelerator"
            )));
        }
        Some(_) if args.cpu != CpuLevels::All => {
            return Err(Failed::usage(format!("--cpu: kernels for {} run on a GPU", program.target.name)));
        }
        Some(gpu) => Device::Gpu(gpu),
        None => Device::Cpu,
    };
    let program = model::lower_asserted(program, device)?;
    build::planned(&program);
    let cache = cache::of(args.no_cache);
    let contents = match gpu {
        Some(gpu) => build::gpu_contents(&program, gpu, cache)?,
        None => build::contents(&program, &build::levels(args.cpu)?, cache)?,
    };
    if args.timings {
        model::timings(&program);
    }
    Ok(contents)
}

/// Complete or absent: written beside, then renamed. What is there and is no file (a pipe, a device) is written to; a link stays one.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let fail = |e: std::io::Error| Failed::usage(format!("{}: cannot be written: {e}", path.display()));
    if std::fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        return std::fs::write(path, bytes).map_err(fail);
    }
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .tempfile_in(folder)
        .map_err(fail)?;
    file.write_all(bytes).map_err(fail)?;
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}
