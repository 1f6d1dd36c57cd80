//! Cases of kernels' tests in the interpreter of PTX (`tests/ptx`), in the place of the emulator: the text is the one that a bundle has, made by
//! the real code generator, and not a form for the host. Packs (`super::carry`) are what is run.

use meshloom_bundle::{Bundle, Instr, Program};
use meshloom_kernels::GpuArch;
use meshloom_ptx::program::{Device, ptx};
use meshloom_run::kernels::check_on;
use std::cell::Cell;

thread_local! {
    static CHOSEN: Cell<Option<GpuArch>> = const { Cell::new(None) };
}

/// The architecture that this thread's cases run on, if it is in [`on`].
pub fn chosen() -> Option<GpuArch> {
    CHOSEN.get()
}

/// Runs tests of this crate with the interpreter in the place of the emulator.
pub fn on(gpu: GpuArch, tests: &[fn()]) {
    CHOSEN.set(Some(gpu));
    tests.iter().for_each(|test| test());
    CHOSEN.set(None);
}

/// Runs a pack.
#[track_caller]
pub fn run(bundle: &[u8], data: &[u8]) {
    let done = check_on(bundle, data, &mut |bundle, memory| interpreted(bundle, &ptx(bundle).ok_or("no PTX")?, memory));
    done.unwrap_or_else(|why| panic!("{why}"));
}

/// What the text of a module makes of a pack's memory.
pub fn interpreted(bundle: &Bundle, text: &str, memory: &[u8]) -> Result<Vec<u8>, String> {
    let program = &bundle.contents.entries[0].program;
    let mut device = Device::new(program, text)?;
    device.preset(memory);
    for (at, bytes) in arguments(program) {
        device.write(at, &memory[at as usize..(at + bytes) as usize])?;
    }
    device.step().map_err(|fault| fault.to_string())?;
    Ok(device.memory().to_vec())
}

/// Where the launches' buffers lie; what lies between them has no values.
fn arguments(program: &Program) -> impl Iterator<Item = (u64, u64)> {
    let of = |i: &Instr| match i {
        Instr::Launch(l) => l.args.iter().map(|b| (b.offset, b.bytes)).collect(),
        _ => Vec::new(),
    };
    program.instrs.iter().flat_map(of)
}
