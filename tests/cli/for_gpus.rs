//! A bundle for CPUs as one for a GPU that is the host (`runtime/tests/it/common/cuda/fake.c`): its machine code is what such a GPU runs.
//! `tests/src/bin/gpu-stand-in.rs` has this file too.

use meshloom_bundle::{Bundle, GpuLaunch, KernelRef, LibraryKind, write};

/// The bundle's programs with its best library as what a GPU runs.
pub fn for_gpus(bundle: &[u8]) -> Vec<u8> {
    let mut contents = Bundle::read(bundle).unwrap_or_else(|e| panic!("{e}")).contents;
    contents.libraries.truncate(1);
    for e in &mut contents.entries {
        let ranks = e.pipeline.iter_mut().flat_map(|p| &mut p.ranks);
        for p in std::iter::once(&mut e.program).chain(ranks) {
            let (scratch, plain) = (p.scratch_bytes, GpuLaunch::per_thread(128));
            let launch = |k: &KernelRef| GpuLaunch { workspace: if k.scratch { scratch } else { 0 }, ..plain.clone() };
            p.kernels.iter_mut().for_each(|k| k.gpu = Some(launch(k)));
        }
    }
    contents.libraries.iter_mut().for_each(|l| (l.name, l.kind) = ("sm_90a".into(), LibraryKind::Cubin));
    write(&contents).unwrap_or_else(|e| panic!("{e}"))
}
