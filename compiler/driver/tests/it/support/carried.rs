//! Launches of a step, carried to another interpreter of PTX: with `MESHLOOM_STEP_PACK` naming a folder, each launch of the steps that
//! `ptx_steps` runs becomes a pack of its own (`kernels/tests/it/support/carry.rs` has the form): the arena before it, and what the interpreter
//! here left in the buffers that it writes. Results have to be the same bit for bit. So it is seen which launch differs first, where a
//! whole step does not say why, and none is compared on what another one left.
//!
//! The other interpreter may not know TMA's stores or clusters: then the steps by threads are for it.
//!
//! Not here: copies and fills between launches, which are in the arena of the next launch.

use meshloom_bundle::{Bundle, Contents, EntryContents, Instr, Launch, Program, write};
use meshloom_kernels::KernelSpec;
use safetensors::Dtype;
use safetensors::tensor::TensorView;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Where launches go, if they are to be carried.
pub fn folder() -> Option<PathBuf> {
    std::env::var_os("MESHLOOM_STEP_PACK").map(PathBuf::from)
}

/// Writes packs one after the other.
pub struct Carrier {
    pub folder: PathBuf,
    pub name: String,
    /// The bundle of the step, with one entry.
    pub contents: Contents,
    pub specs: Vec<KernelSpec>,
    pub count: usize,
    /// Kernels that copy by threads take the place of those with tensor maps, as in the step.
    pub by_threads: bool,
}

impl Carrier {
    pub fn new(folder: PathBuf, name: String, bundle: &Bundle, specs: &[KernelSpec], by_threads: bool) -> Carrier {
        std::fs::create_dir_all(&folder).expect("a folder for packs");
        let mut contents = bundle.contents.clone();
        for k in contents.entries[0].program.kernels.iter_mut().filter(|_| by_threads) {
            let other = k.gpu.as_ref().and_then(|g| g.by_threads.clone());
            if let Some(other) = other {
                (k.symbol, k.units, k.gpu) = (other.symbol, other.units, Some(other.launch));
            }
        }
        Carrier { folder, name, contents, specs: specs.to_vec(), count: 0, by_threads }
    }

    /// A launch with the arena before it and after it.
    pub fn launch(&mut self, launch: &Launch, before: &[u8], after: &[u8]) {
        self.count += 1;
        let kernel = &self.contents.entries[0].program.kernels[launch.kernel as usize];
        let symbol = kernel.symbol.clone();
        let mut launch = launch.clone();
        if self.by_threads {
            launch.units = kernel.units;
        }
        let spec = &self.specs[launch.kernel as usize];
        let (mut expected, mut results) = (Vec::new(), Vec::new());
        for (i, arg) in spec.args().iter().enumerate().filter(|(i, _)| launch.writes.contains(&(*i as u32))) {
            let offset = launch.args[i].offset;
            let bytes = (arg.elements * arg.dtype.bytes()) as usize;
            expected.extend_from_slice(&after[offset as usize..offset as usize + bytes]);
            results.push(serde_json::json!({
                "argument": arg.name, "offset": offset, "dtype": arg.dtype.name(), "elements": arg.elements,
                "scaled": 0.0, "relative": 0.0
            }));
        }
        let launched = serde_json::json!({ "launched": [{
            "kernel": symbol, "spec": spec.to_string(), "end": before.len(), "results": results
        }] });
        let entry = &self.contents.entries[0];
        let program = Program { instrs: vec![Instr::Launch(launch)], ports: Vec::new(), ..entry.program.clone() };
        let contents = Contents { entries: vec![EntryContents { program, ..entry.clone() }], ..self.contents.clone() };
        let path = self.folder.join(format!("{}-{:03}-{symbol}", self.name, self.count));
        save(&path, &write(&contents).expect("a bundle"), before, &expected, launched.to_string());
    }
}

fn save(path: &Path, bundle: &[u8], memory: &[u8], expected: &[u8], launched: String) {
    std::fs::write(path.with_extension("loomx"), bundle).expect("a file of the pack");
    let bytes = |b| TensorView::new(Dtype::U8, vec![<[u8]>::len(b)], b).expect("bytes");
    let metadata = HashMap::from([("meshloom.kernels".to_owned(), launched)]);
    let data = safetensors::serialize([("memory", bytes(memory)), ("expected", bytes(expected))], Some(metadata));
    std::fs::write(path.with_extension("safetensors"), data.expect("two tensors")).expect("a file of the pack");
}
