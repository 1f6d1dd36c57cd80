//! The program of a bundle on one device: its arena and workspace in global memory, its instructions one after the other.

use crate::block::KernelLaunch;
use crate::kernel::Kernel;
use crate::machine::{Fault, run};
use crate::memory::{Bytes, Global};
use crate::parse::{Module, module};
use crate::tile::MapAt;
use meshloom_bundle::{
    BufRef, Bundle, DType, Dim, GpuLaunch, Instr, Iterations, LOOPS, Launch, LibraryKind, Number, Program,
};
use std::collections::BTreeMap;

/// A device with a program.
pub struct Device {
    pub program: Program,
    pub global: Global,
    /// The kernels by name, decoded when they are launched first.
    kernels: BTreeMap<String, Kernel>,
    module: Module,
    globals: BTreeMap<String, u64>,
    arena: u64,
    workspace: u64,
    /// Blocks of a launch, at most: more than one, so that blocks have several units and units several blocks.
    pub most_blocks: u64,
    /// Takes the kernels that copy by threads in the place of those with tensor maps.
    pub by_threads: bool,
    /// Is told of each launch when it is done.
    pub watch: Option<Watch>,
}

/// Is told of a launch, with its buffers where they are in this iteration, and of the arena before and after it.
pub type Watch = Box<dyn FnMut(&Launch, &[u8], &[u8])>;

/// The text of a bundle's PTX for an architecture.
pub fn ptx(bundle: &Bundle) -> Option<String> {
    let library = bundle.contents.libraries.iter().find(|l| l.kind == LibraryKind::Ptx)?;
    String::from_utf8(library.bytes.clone()).ok()
}

impl Device {
    /// An arena without values, and the module's variables, which are 0.
    ///
    /// # Errors
    /// A text that is not understood.
    pub fn new(program: &Program, text: &str) -> Result<Device, String> {
        let module = module(text)?;
        let mut global = Global::default();
        let arena = global.add("the arena", Bytes::unknown(program.arena_bytes as usize));
        let workspace = global.add("the workspace", Bytes::unknown(program.scratch_bytes as usize));
        let mut globals = BTreeMap::new();
        for (name, size) in &module.globals {
            let zeros = Bytes { bytes: vec![0; *size as usize], known: vec![true; *size as usize] };
            globals.insert(name.clone(), global.add(name, zeros));
        }
        let kernels = BTreeMap::new();
        let program = program.clone();
        let (most_blocks, by_threads, watch) = (3, false, None);
        Ok(Device { program, global, kernels, module, globals, arena, workspace, most_blocks, by_threads, watch })
    }

    fn arena(&mut self) -> &mut Bytes {
        &mut self.global.regions[0].data
    }

    /// Bytes of the whole arena that no kernel may read before they are written.
    pub fn preset(&mut self, bytes: &[u8]) {
        let arena = self.arena();
        arena.bytes.iter_mut().zip(bytes).for_each(|(to, b)| *to = *b);
        arena.known.fill(false);
    }

    /// # Errors
    /// They lie outside of the arena.
    pub fn write(&mut self, at: u64, bytes: &[u8]) -> Result<(), String> {
        self.arena().write(at, bytes)
    }

    /// # Errors
    /// They lie outside of the arena, or have no value.
    pub fn read(&mut self, at: u64, bytes: u64) -> Result<Vec<u8>, String> {
        self.arena().read(at, bytes).map(<[u8]>::to_vec)
    }

    /// Bytes of the arena as they are, with a value or without.
    pub fn memory(&self) -> &[u8] {
        &self.global.regions[0].data.bytes
    }

    /// One step.
    ///
    /// # Errors
    /// What is not defined, and instructions of programs for several devices.
    pub fn step(&mut self) -> Result<(), Fault> {
        let instrs = self.program.instrs.clone();
        self.list(&instrs, &[0; LOOPS], 0)
    }

    /// `depth` loops are around it.
    fn list(&mut self, instrs: &[Instr], at: &Iterations, depth: usize) -> Result<(), Fault> {
        instrs.iter().try_for_each(|i| self.one(i, at, depth))
    }

    fn one(&mut self, instr: &Instr, at: &Iterations, depth: usize) -> Result<(), Fault> {
        match instr {
            Instr::Launch(l) if l.units == 0 => Ok(()),
            Instr::Launch(l) if self.watch.is_some() => {
                let fixed = |b: &BufRef| BufRef::fixed(b.at(at), b.bytes);
                let here = Launch { args: l.args.iter().map(fixed).collect(), ..l.clone() };
                let (watch, before) = (self.watch.take(), self.memory().to_vec());
                let done = self.launch_of(&here, at);
                self.watch = watch;
                done?;
                let after = &self.global.regions[0].data.bytes;
                self.watch.iter_mut().for_each(|w| w(&here, &before, after));
                Ok(())
            }
            Instr::Launch(l) => self.launch_of(l, at),
            Instr::Copy { src, dst, bytes } => self.copy(src.at(at), dst.at(at), *bytes).map_err(plain),
            Instr::Fill { dst, dtype, count, value } => {
                let bytes = element(*dtype, *value).repeat(*count as usize);
                self.write(dst.at(at), &bytes).map_err(plain)
            }
            Instr::Loop { trip, body } => {
                for i in 0..*trip {
                    let mut inner = *at;
                    inner[depth] = i;
                    self.list(body, &inner, depth + 1)?;
                }
                Ok(())
            }
            // Over one device, what is exchanged is copied.
            Instr::Collective(c) if self.program.devices() == 1 => self.collective(&c.src, &c.dst, at).map_err(plain),
            Instr::Bucket(all) if self.program.devices() == 1 => {
                all.iter().try_for_each(|c| self.collective(&c.src, &c.dst, at)).map_err(plain)
            }
            _ => Err(plain("an instruction that is not known here".into())),
        }
    }

    /// A launch in an iteration of the loops around it.
    fn launch_of(&mut self, l: &Launch, at: &Iterations) -> Result<(), Fault> {
        let places: Vec<u64> = l.args.iter().map(|b| self.arena + b.at(at)).collect();
        let dims: Vec<u64> = l
            .dims
            .iter()
            .map(|d| match d {
                Dim::Const(n) => *n as u64,
                // The only device is the first of everything.
                Dim::ShardStart { .. } => 0,
            })
            .collect();
        let k = self.program.kernels[l.kernel as usize].clone();
        let shape = k.gpu.clone().ok_or_else(|| plain(format!("{} is no kernel of a GPU", k.symbol)))?;
        match shape.by_threads.as_ref().filter(|_| self.by_threads) {
            Some(other) => self.launch(&other.symbol, &other.launch, &places, other.units, &dims, k.scratch),
            None => self.launch(&k.symbol, &shape, &places, l.units, &dims, k.scratch),
        }
    }

    fn collective(&mut self, src: &BufRef, dst: &BufRef, at: &Iterations) -> Result<(), String> {
        if src.at(at) == dst.at(at) { Ok(()) } else { self.copy(src.at(at), dst.at(at), src.bytes.min(dst.bytes)) }
    }

    /// Values or none.
    fn copy(&mut self, from: u64, to: u64, bytes: u64) -> Result<(), String> {
        let (from, to, n) = (from as usize, to as usize, bytes as usize);
        let data = self.arena();
        if from.max(to) + n > data.bytes.len() {
            return Err(format!("a copy of {n} bytes from {from} to {to}"));
        }
        data.bytes.copy_within(from..from + n, to);
        data.known.copy_within(from..from + n, to);
        Ok(())
    }

    fn launch(
        &mut self,
        symbol: &str,
        shape: &GpuLaunch,
        places: &[u64],
        units: u64,
        dims: &[u64],
        scratch: bool,
    ) -> Result<(), Fault> {
        let wrong =
            |why: String| Fault { kernel: symbol.to_owned(), line: 0, instr: "the launch".into(), block: 0, why };
        if !self.kernels.contains_key(symbol) {
            let raw = self.module.kernels.get(symbol).ok_or_else(|| wrong("the module has no such kernel".into()))?;
            let kernel = Kernel::new(symbol, raw, &self.globals).map_err(wrong)?;
            self.kernels.insert(symbol.to_owned(), kernel);
        }
        let kernel = &self.kernels[symbol];
        let mut words = places.to_vec();
        words.extend(scratch.then_some(self.workspace));
        words.extend([0, units]);
        words.extend(dims);
        if words.len() + shape.tensor_maps.len() != kernel.params.len() {
            return Err(wrong(format!(
                "{} arguments for {} parameters",
                words.len() + shape.tensor_maps.len(),
                kernel.params.len()
            )));
        }
        let size = kernel.params.last().map_or(0, |p| p.0 + p.1);
        let mut params = vec![0; size as usize];
        for (word, (at, bytes)) in words.iter().zip(&kernel.params) {
            params[*at as usize..(*at + *bytes) as usize].copy_from_slice(&word.to_le_bytes()[..*bytes as usize]);
        }
        let maps = shape.tensor_maps.iter().zip(&kernel.params[words.len()..]).map(|(map, (at, bytes))| {
            let aligned = at.is_multiple_of(64) && *bytes == 128;
            let address = places[map.arg as usize] + map.offset;
            aligned.then(|| MapAt { param: *at, address, map: map.clone() }).ok_or("a tensor map that is not aligned")
        });
        let maps: Vec<MapAt> = maps.collect::<Result<_, _>>().map_err(|e| wrong(e.into()))?;
        let blocks = shape.blocks(units, self.program.scratch_bytes, self.most_blocks);
        let (threads, shared, cluster) = (shape.threads.into(), shape.shared_bytes.into(), shape.cluster.into());
        run(&KernelLaunch { kernel, blocks, threads, cluster, shared, params, maps }, &mut self.global)
    }
}

/// A fault of the program and not of a kernel.
fn plain(why: String) -> Fault {
    Fault { kernel: "the program".into(), line: 0, instr: String::new(), block: 0, why }
}

/// The bytes of an element.
fn element(dtype: DType, value: Number) -> Vec<u8> {
    let (x, i) = match value {
        Number::Float(x) => (x, x as i64),
        Number::Int(i) => (i as f64, i),
    };
    match dtype {
        DType::F32 => (x as f32).to_le_bytes().to_vec(),
        DType::F64 => x.to_le_bytes().to_vec(),
        DType::F16 => half::f16::from_f64(x).to_le_bytes().to_vec(),
        DType::BF16 => half::bf16::from_f64(x).to_le_bytes().to_vec(),
        DType::I32 | DType::U32 => (i as i32).to_le_bytes().to_vec(),
        DType::I64 => i.to_le_bytes().to_vec(),
        DType::I8 | DType::U8 | DType::F8E4M3 | DType::F8E5M2 | DType::Bool => vec![i as u8],
    }
}
