//! PTX to a cubin, through NVIDIA's assembler if this machine has it.
//!
//! The driver assembles PTX by itself when a bundle is loaded, so a cubin only saves that time, and ptxas is optional.
//! Its main use is in tests: it checks without a GPU that our PTX is well-formed.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::target::GpuTarget;
use crate::{CodegenError, CodegenPhase};

/// The assembler, if this machine has it.
pub fn find_ptxas() -> Option<PathBuf> {
    find_tool("ptxas")
}

/// Looks for a tool of CUDA, such as `nvdisasm`: on PATH, in `$CUDA_HOME`, in a `.venv` of this folder or one above, in python3's
/// packages.
pub fn find_tool(name: &str) -> Option<PathBuf> {
    let in_path = std::env::var_os("PATH")
        .and_then(|path| std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file()));
    let in_cuda = || {
        let home = std::env::var_os("CUDA_HOME")?;
        Some(Path::new(&home).join("bin").join(name)).filter(|file| file.is_file())
    };
    let in_venv = || {
        let here = std::env::current_dir().ok()?;
        here.ancestors().find_map(|folder| {
            let mut versions: Vec<PathBuf> =
                std::fs::read_dir(folder.join(".venv/lib")).ok()?.flatten().map(|entry| entry.path()).collect();
            versions.sort();
            versions.iter().find_map(|version| in_packages(name, &version.join("site-packages")))
        })
    };
    let in_python = || {
        let script = "import sysconfig; print(sysconfig.get_path('purelib'))";
        let output = Command::new("python3").args(["-c", script]).output().ok()?;
        in_packages(name, Path::new(String::from_utf8(output.stdout).ok()?.trim()))
    };
    in_path.or_else(in_cuda).or_else(in_venv).or_else(in_python)
}

/// `nvidia/<distribution>/bin/ptxas`: the distribution's name has changed between CUDA versions.
fn in_packages(name: &str, packages: &Path) -> Option<PathBuf> {
    let mut distributions: Vec<PathBuf> =
        std::fs::read_dir(packages.join("nvidia")).ok()?.flatten().map(|entry| entry.path()).collect();
    distributions.sort();
    distributions.into_iter().map(|folder| folder.join("bin").join(name)).find(|file| file.is_file())
}

/// The assembler's own line about its version, such as `Cuda compilation tools, release 13.0, V13.0.88`.
pub fn ptxas_version(ptxas: &Path) -> Result<String, CodegenError> {
    let fail = |message: String| CodegenError::general(CodegenPhase::Assemble, message);
    let output = Command::new(ptxas).arg("--version").output();
    let output = output.map_err(|error| fail(format!("cannot run {}: {error}", ptxas.display())))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let line = said.lines().find(|line| line.contains("release"));
    let line = line.ok_or_else(|| fail(format!("{} does not say which version it is", ptxas.display())))?;
    Ok(line.trim().to_owned())
}

/// Assembles `ptx` with the given `ptxas`, on as many threads as it can use; `name` is for messages.
pub fn assemble(
    name: &str,
    ptx: &str,
    target: GpuTarget,
    ptxas: &Path,
    threads: usize,
) -> Result<Vec<u8>, CodegenError> {
    let fail = |message: String| CodegenError::new(CodegenPhase::Assemble, name, message);
    let system = |what: &str, error: std::io::Error| CodegenError::system(CodegenPhase::Assemble, what, &error);
    let folder = tempfile::tempdir().map_err(|error| system("cannot make a temporary folder", error))?;
    let (source, cubin) = (folder.path().join("kernel.ptx"), folder.path().join("kernel.cubin"));
    std::fs::write(&source, ptx).map_err(|error| system("cannot write the PTX", error))?;
    let output = Command::new(ptxas)
        .arg(format!("--gpu-name={target}"))
        .arg(format!("--split-compile={threads}"))
        .arg("--output-file")
        .args([&cubin, &source])
        .output()
        .map_err(|error| system(&format!("cannot run {}", ptxas.display()), error))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = CodegenError::said(
            CodegenPhase::Assemble,
            format!("ptxas refused it ({}): {}", output.status, said.trim()),
        );
        return Err(CodegenError { kernel: Some(name.to_owned()), ..said });
    }
    std::fs::read(cubin).map_err(|error| fail(format!("ptxas left no cubin: {error}")))
}
