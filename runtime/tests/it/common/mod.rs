//! Hand-written programs with kernels that the system's C compiler makes, so that the runtime is tested without the compiler.
#![allow(dead_code)]

pub mod fit;
pub mod staged;

use meshloom_bundle::*;
use std::collections::BTreeSet;
use std::process::Command;

/// Compiles C to a shared library.
pub fn library(c: &str) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let (src, out) = (dir.path().join("k.c"), dir.path().join("k.so"));
    std::fs::write(&src, c).unwrap();
    let cc =
        Command::new("cc").args(["-O2", "-fPIC", "-shared", "-o"]).arg(&out).arg(&src).output().expect("a C compiler");
    assert!(cc.status.success(), "{}", String::from_utf8_lossy(&cc.stderr));
    std::fs::read(out).unwrap()
}

/// A library for a GPU, as the libraries that stand for the driver take one, without a kernel.
pub fn empty_cubin() -> LibraryContents {
    LibraryContents {
        name: "sm_90a".into(),
        kind: LibraryKind::Cubin,
        cpu_features: vec![],
        symbols: vec![],
        tools: Default::default(),
        bytes: library("void nothing(void) {}"),
    }
}

/// A bundle of programs, through its bytes, as the runtime meets it.
pub fn bundle(mut programs: Vec<(EntryKind, Program)>, c: &str) -> Bundle {
    programs.iter_mut().for_each(|(_, p)| units(&p.instrs, &mut p.kernels));
    let entry = |(kind, program)| EntryContents {
        kind,
        program,
        pipeline: None,
        plan: String::new(),
        certificate: String::new(),
    };
    Bundle::read(&bytes_of(programs.into_iter().map(entry).collect(), c)).unwrap()
}

/// The bytes of a bundle of entries, with kernels from this text.
pub fn bytes_of(entries: Vec<EntryContents>, c: &str) -> Vec<u8> {
    let programs = entries.iter().flat_map(EntryContents::programs);
    let symbols: BTreeSet<String> = programs.flat_map(|p| p.kernels.iter().map(|k| k.symbol.clone())).collect();
    let library = LibraryContents {
        name: "any".into(),
        kind: LibraryKind::ElfSo,
        cpu_features: vec![],
        symbols: symbols.into_iter().collect(),
        tools: Default::default(),
        bytes: library(c),
    };
    write(&Contents { target: "cpu".into(), entries, libraries: vec![library], sources: vec![] }).unwrap()
}

/// A program whose kernels have the units that its launches give them.
pub fn fitted(mut p: Program) -> Program {
    units(&p.instrs, &mut p.kernels);
    p
}

fn units(instrs: &[Instr], kernels: &mut [KernelRef]) {
    for i in instrs {
        match i {
            Instr::Launch(l) => kernels[l.kernel as usize].units = l.units,
            Instr::Loop { body, .. } => units(body, kernels),
            Instr::Actions(a) => a.bodies.iter().for_each(|b| units(&b.body, kernels)),
            Instr::While(w) => [&w.body, &w.after].into_iter().for_each(|b| units(b, kernels)),
            _ => {}
        }
    }
}

pub fn program(mesh: &[(&str, u32)], arena_bytes: u64) -> Program {
    Program {
        version: PROGRAM_VERSION,
        entry: "test".into(),
        mesh: mesh.iter().map(|&(name, size)| MeshAxis { name: name.into(), size }).collect(),
        arena_bytes,
        host_bytes: 0,
        scratch_bytes: 4096,
        tokens_per_step: 0,
        kernels: vec![],
        ports: vec![],
        wires: vec![],
        instrs: vec![],
    }
}

/// A port; the local shape follows from the layout.
pub fn port(p: &Program, name: &str, role: Role, dtype: DType, shape: &[u64], layout: &[&[u32]], offset: u64) -> Port {
    let layout: Vec<Vec<u32>> = layout.iter().map(|a| a.to_vec()).collect();
    let local: Vec<u64> = shape.iter().zip(&layout).map(|(n, a)| n.div_ceil(p.group_size(a))).collect();
    Port {
        name: name.into(),
        role,
        dtype,
        bytes: local.iter().product::<u64>() * dtype.bytes(),
        global_shape: shape.to_vec(),
        local_shape: local,
        layout,
        offset,
        stacked: name.contains('*'),
        first_layer: 0,
        entries: Vec::new(),
        complex: false,
        unsigned: false,
        alias: None,
        init: Init::Zeros,
        range: None,
    }
}

pub fn kernel(symbol: &str, buffers: u32, dims: u32, scratch: bool) -> KernelRef {
    let touches = vec![Vec::new(); buffers as usize];
    KernelRef { symbol: symbol.into(), buffers, dims, scratch, touches, ..KernelRef::default() }
}

pub fn launch(kernel: u32, args: Vec<BufRef>, writes: Vec<u32>, units: u64, dims: Vec<Dim>) -> Instr {
    Instr::Launch(Launch { kernel, args, writes, units, dims, source: None, ops: vec![] })
}

pub fn collective(id: u32, kind: CollectiveKind, axes: &[u32], dtype: DType, src: BufRef, dst: BufRef) -> Instr {
    Instr::Collective(Collective { id, kind, axes: axes.to_vec(), dtype, src, dst, source: None, ops: vec![] })
}

/// A small generator for test data.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}
