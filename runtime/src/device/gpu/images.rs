//! Which of a bundle's GPU libraries a GPU takes, or why it takes none: assembled code for its architecture, else PTX
//! that its driver can assemble.

use super::probe::{GpuInfo, version_text};
use crate::error::{Result, RuntimeError};
use meshloom_bundle::{LibraryContents, LibraryKind};

/// Whether a library is for GPUs.
pub fn is_gpu(l: &LibraryContents) -> bool {
    matches!(l.kind, LibraryKind::Ptx | LibraryKind::Cubin)
}

/// An architecture as code is made for it: `sm_90a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Architecture {
    number: i32,
    /// Code that uses what only this very architecture has.
    own: bool,
}

impl Architecture {
    /// The first `sm_` or `compute_` in a text.
    fn find(text: &str) -> Option<Architecture> {
        let at = text.find("sm_").map(|at| at + 3)?;
        let digits: String = text[at..].chars().take_while(char::is_ascii_digit).collect();
        let own = text[at + digits.len()..].starts_with('a');
        Some(Architecture { number: digits.parse().ok()?, own })
    }

    fn of(gpu: &GpuInfo) -> i32 {
        gpu.capability.0 * 10 + gpu.capability.1
    }

    /// Whether PTX for this can be assembled for a GPU.
    fn assembles_for(self, gpu: &GpuInfo) -> bool {
        let has = Architecture::of(gpu);
        if self.own { has == self.number } else { has >= self.number }
    }

    /// Whether machine code for this runs on a GPU: on those of its major version from its minor version on.
    fn runs_on(self, gpu: &GpuInfo) -> bool {
        let has = Architecture::of(gpu);
        if self.own { has == self.number } else { has / 10 == self.number / 10 && has >= self.number }
    }
}

impl std::fmt::Display for Architecture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "sm_{}{}", self.number, if self.own { "a" } else { "" })
    }
}

/// What the head of a PTX text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    /// Of the PTX language: `(8, 0)`.
    version: (i32, i32),
    target: Architecture,
}

impl Head {
    fn of(ptx: &[u8]) -> Option<Head> {
        // Comments may come first; no head is longer than this.
        let text = String::from_utf8_lossy(&ptx[..ptx.len().min(4096)]);
        let word = |key: &str| text.lines().find_map(|l| Some(l.trim().strip_prefix(key)?.trim().to_owned()));
        let (major, minor) = word(".version")?.split_once('.').map(|(a, b)| (a.parse().ok(), b.parse().ok()))?;
        Some(Head { version: (major?, minor?), target: Architecture::find(&word(".target")?)? })
    }

    /// The first CUDA whose driver assembles this version of PTX, from the table in NVIDIA's PTX ISA. A version that is not in it is taken
    /// for the one of the CUDA it would be if the count went on.
    fn needs(self) -> i32 {
        match self.version {
            (8, 6) => 12_070,
            (8, n @ 0..6) => 12_000 + 10 * n,
            (8, n) => 12_010 + 10 * n,
            (major, minor) => (major + 4) * 1000 + 10 * minor,
        }
    }
}

/// The library that a GPU takes.
///
/// # Errors
/// None of them runs on it, with what each one lacks.
pub fn choose<'a>(libraries: &'a [LibraryContents], gpu: &GpuInfo, driver: i32) -> Result<&'a LibraryContents> {
    let mut why = Vec::new();
    let mut best: Option<(&LibraryContents, i32)> = None;
    for l in libraries.iter().filter(|l| is_gpu(l)) {
        match l.kind {
            // A cubin's ELF header has the architecture in a place that changed with CUDA 13; its name says it as well.
            LibraryKind::Cubin => match Architecture::find(&l.name) {
                Some(a) if a.runs_on(gpu) => return Ok(l),
                _ => {}
            },
            _ => match Head::of(&l.bytes) {
                None => why.push(format!("`{}` is no PTX", l.name)),
                Some(head) if !head.target.assembles_for(gpu) => {
                    why.push(format!("`{}` is for {}", l.name, head.target));
                }
                Some(head) if head.needs() > driver => {
                    let ((major, minor), needs) = (head.version, version_text(head.needs()));
                    why.push(format!(
                        "`{}` is PTX {major}.{minor}, which needs a driver for CUDA {needs}, and this one knows {}: update it",
                        l.name,
                        version_text(driver)
                    ));
                }
                Some(head) if best.is_none_or(|b| head.target.number > b.1) => best = Some((l, head.target.number)),
                Some(_) => {}
            },
        }
    }
    best.map(|b| b.0).ok_or_else(|| {
        let (name, sm) = (&gpu.name, Architecture::of(gpu));
        let why = if why.is_empty() { "the bundle holds none for GPUs".to_owned() } else { why.join("; ") };
        RuntimeError::usage("kernels", format!("no library of the bundle runs on this GPU ({name}, sm_{sm}): {why}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ptx(name: &str, version: &str, target: &str) -> LibraryContents {
        let bytes =
            format!("//\n// Generated by LLVM\n//\n\n.version {version}\n.target {target}\n.address_size 64\n").into();
        LibraryContents {
            name: name.into(),
            kind: LibraryKind::Ptx,
            cpu_features: vec![],
            symbols: vec![],
            tools: Default::default(),
            bytes,
        }
    }

    fn gpu(capability: (i32, i32)) -> GpuInfo {
        GpuInfo { name: "A GPU".into(), capability }
    }

    #[test]
    fn a_gpu_takes_the_best_it_can() {
        let all = [ptx("old", "7.0", "sm_80"), ptx("own", "8.0", "sm_90a"), ptx("new", "8.6", "sm_100a")];
        let takes = |c, driver| choose(&all, &gpu(c), driver).map(|l| l.name.clone()).map_err(|e| e.message);
        assert_eq!(takes((8, 6), 13_000).as_deref(), Ok("old"));
        assert_eq!(takes((9, 0), 13_000).as_deref(), Ok("own"));
        assert_eq!(takes((10, 0), 13_000).as_deref(), Ok("new"));
        // Code of an own architecture does not run on later ones.
        assert_eq!(takes((12, 0), 13_000).as_deref(), Ok("old"));
        // An old driver takes the older text.
        assert_eq!(takes((9, 0), 11_080).as_deref(), Ok("old"));
        let cubin = LibraryContents { kind: LibraryKind::Cubin, ..ptx("sm_90a", "8.0", "sm_90a") };
        let both = [all[1].clone(), cubin];
        assert_eq!(choose(&both, &gpu((9, 0)), 13_000).map(|l| l.kind), Ok(LibraryKind::Cubin));
    }

    #[test]
    fn what_keeps_a_gpu_from_it_is_said() {
        let says = |l: LibraryContents, c, driver| choose(&[l], &gpu(c), driver).unwrap_err().to_string();
        assert_eq!(
            says(ptx("h100", "8.0", "sm_90a"), (8, 0), 13_000),
            "kernels: no library of the bundle runs on this GPU (A GPU, sm_80): `h100` is for sm_90a"
        );
        assert_eq!(
            says(ptx("h100", "8.6", "sm_90a"), (9, 0), 12_020),
            "kernels: no library of the bundle runs on this GPU (A GPU, sm_90): `h100` is PTX 8.6, which needs a driver for \
             CUDA 12.7, and this one knows 12.2: update it"
        );
        let mut broken = ptx("x", "8.0", "sm_90a");
        broken.bytes = b"\x7fELF".to_vec();
        assert!(says(broken, (9, 0), 13_000).ends_with("`x` is no PTX"));
    }

    /// The table of the PTX ISA's release notes.
    #[test]
    fn versions_of_ptx_and_cuda() {
        let table = [
            ((7, 0), 11_000),
            ((7, 8), 11_080),
            ((8, 0), 12_000),
            ((8, 5), 12_050),
            ((8, 6), 12_070),
            ((8, 7), 12_080),
            ((8, 8), 12_090),
            ((9, 0), 13_000),
        ];
        for (version, cuda) in table {
            assert_eq!(Head { version, target: Architecture { number: 80, own: false } }.needs(), cuda, "{version:?}");
        }
    }
}
