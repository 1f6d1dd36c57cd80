//! Libraries inside of Python packages: NVIDIA's wheels put them at `site-packages/nvidia/*/lib`, where the loader does not look.
//!
//! Looked at are the environments that `VIRTUAL_ENV` and `CONDA_PREFIX` name, those of the pythons on `PATH`, and the user's own
//! packages. No python is run: packages have fixed places beside it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where libraries of these names lie in packages, those of the first name first.
pub fn find(names: &[String]) -> Vec<String> {
    let roots = roots(&|name| std::env::var_os(name).filter(|v| !v.is_empty()));
    let folders: Vec<PathBuf> = roots.iter().flat_map(|r| folders(r)).collect();
    let paths = names.iter().flat_map(|n| folders.iter().map(move |f| f.join(n)));
    paths.filter(|p| p.is_file()).map(|p| p.to_string_lossy().into_owned()).collect()
}

/// Prefixes of Python environments, each once.
fn roots(var: &dyn Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let named = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(var).map(PathBuf::from);
    let path = var("PATH").unwrap_or_default();
    let pythons = std::env::split_paths(&path).flat_map(|dir| ["python3", "python"].map(|name| dir.join(name)));
    // A virtual environment's python is a link: its packages are beside the link, those of the system beside what it leads to.
    let beside = pythons.filter(|p| p.is_file()).flat_map(|p| {
        let real = p.canonicalize().ok();
        [Some(p), real].into_iter().flatten().filter_map(|p| Some(p.parent()?.parent()?.to_owned())).collect::<Vec<_>>()
    });
    let own = var("HOME").map(|home| Path::new(&home).join(".local"));
    let mut all = Vec::new();
    for root in named.chain(beside).chain(own) {
        if !all.contains(&root) {
            all.push(root);
        }
    }
    all
}

/// The folders of libraries of NVIDIA's packages.
fn folders(root: &Path) -> Vec<PathBuf> {
    let pythons = ["lib", "lib64"].into_iter().flat_map(|lib| entries(&root.join(lib), "python3"));
    let packages = pythons.flat_map(|p| ["site-packages", "dist-packages"].map(|s| p.join(s).join("nvidia")));
    packages.flat_map(|nvidia| entries(&nvidia, "")).map(|package| package.join("lib")).collect()
}

/// What is in a folder and begins so, in order; nothing where there is no folder.
fn entries(folder: &Path, begin: &str) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let named = read.filter(|e| e.file_name().to_string_lossy().starts_with(begin));
    let mut all: Vec<PathBuf> = named.map(|e| e.path()).collect();
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environments_that_are_named_come_before_those_on_the_path() {
        let dir = tempfile::tempdir().unwrap();
        let [venv, system] = ["venv", "usr"].map(|name| dir.path().canonicalize().unwrap().join(name));
        for root in [&venv, &system] {
            std::fs::create_dir_all(root.join("bin")).unwrap();
            for package in ["cublas", "nccl"] {
                let lib = root.join("lib/python3.12/site-packages/nvidia").join(package).join("lib");
                std::fs::create_dir_all(lib).unwrap();
            }
        }
        std::fs::write(system.join("bin/python3"), "").unwrap();
        std::os::unix::fs::symlink(system.join("bin/python3"), venv.join("bin/python3")).unwrap();
        let path = std::env::join_paths([dir.path().join("none"), venv.join("bin")]).unwrap();
        let on_path = |name: &str| (name == "PATH").then(|| path.clone());
        assert_eq!(roots(&on_path), [venv.clone(), system.clone()]);
        let named = |name: &str| match name {
            "VIRTUAL_ENV" => Some(system.clone().into_os_string()),
            "HOME" => Some(dir.path().into()),
            _ => on_path(name),
        };
        assert_eq!(roots(&named), [system.clone(), venv.clone(), dir.path().join(".local")]);
        let lib = |package: &str| venv.join("lib/python3.12/site-packages/nvidia").join(package).join("lib");
        assert_eq!(folders(&venv), [lib("cublas"), lib("nccl")]);
        assert_eq!(folders(dir.path()), [] as [PathBuf; 0]);
    }
}
