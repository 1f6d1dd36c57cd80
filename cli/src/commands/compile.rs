//! `meshloom compile`: from a model and a mesh to one file that runs without the compiler.

use crate::args::CompileArgs;
use crate::sign::Signer;
use crate::{build, model};
use meshloom_kernels::Device;
use meshloom_run::{Failed, Result, load, status};
use std::io::Write;
use std::path::Path;

pub fn run(args: &CompileArgs) -> Result<()> {
    // A key that cannot be read is said before the work, not after it.
    let signer = args.sign.as_deref().map(Signer::read).transpose()?;
    let options = model::options(&args.model, args.entry.as_deref())?;
    let text = model::read(&args.file)?;
    let mut program = model::check(&args.file, &text, &options)?;
    if program.entries.is_empty() {
        let failed = Failed::rejected(format!("{} has no entry to compile", model::display(&args.file)));
        return Err(failed.help("declare a `train` or an `entry` function, or name a function with --entry"));
    }
    if args.eval {
        program.add_evaluations();
    }
    let mesh = model::describe_mesh(&model::mesh(&program));
    status::say("Compiling", &format!("{} for {mesh}", model::display(&args.file)));
    let program = model::plan(program, &options)?;
    let gpu = program.target.arch.device().gpu();
    let device = match gpu {
        Some(gpu) if args.without_tma && gpu.fetches() => Device::GpuWithoutTma(gpu),
        _ if args.without_tma => {
            let target = &program.target.name;
            return Err(Failed::usage(format!(
                "--without-tma: no kernel for {target} uses the tensor memory accelerator"
            )));
        }
        Some(gpu) => Device::Gpu(gpu),
        None => Device::Cpu,
    };
    let program = model::lower_asserted(program, device)?;
    build::planned(&program);
    let contents = match gpu {
        Some(gpu) => build::gpu_contents(&program, gpu)?,
        None => build::contents(&program, &build::LEVELS)?,
    };
    let bytes = build::pack(&contents)?;
    write(&args.output, &bytes)?;
    status::say("Wrote", &format!("{}, {}", args.output.display(), status::size(bytes.len() as u64)));
    if let Some(signer) = signer {
        let beside = load::signature_of(&args.output);
        write(&beside, signer.sign(&bytes)?.as_bytes())?;
        status::say("Signed", &beside.display().to_string());
    }
    if args.timings {
        model::timings(&program);
    }
    Ok(())
}

/// Complete or absent: written beside, then renamed.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let fail = |e: std::io::Error| Failed::usage(format!("{}: cannot be written: {e}", path.display()));
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .tempfile_in(folder)
        .map_err(fail)?;
    file.write_all(bytes).map_err(fail)?;
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}
