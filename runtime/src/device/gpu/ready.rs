//! A program's kernels, made ready for launches when it is loaded.
//!
//! A driver may refuse a tensor map: one that is too old does, and the hardware's rules may be stricter than those that the compiler knows.
//! So the maps of all launches are tried first, of the addresses that the launches have. Where one is refused, the kernel that
//! copies by threads takes the place of the one with maps ([`meshloom_bundle::ByThreads`]), in all launches.

use super::driver::{Address, Driver, KernelHandle};
use crate::error::Result;
use meshloom_bundle::{GpuLaunch, Instr, Iterations, Launch, Program};

/// A kernel as it is launched.
pub struct ReadyKernel {
    pub handle: KernelHandle,
    pub shape: GpuLaunch,
    /// In place of the launch's.
    pub units: Option<u64>,
    /// Why the driver refuses its tensor maps, if it does.
    pub refused: Option<String>,
}

/// The kernels of a program whose arena begins at `base`, in the program's order.
///
/// # Errors
/// A kernel is missing, or cannot be launched.
pub fn ready(program: &Program, driver: &mut dyn Driver, base: Address) -> Result<Vec<ReadyKernel>> {
    let mut refused: Vec<Option<String>> = vec![None; program.kernels.len()];
    each_launch(&program.instrs, &mut |l| {
        let at = l.kernel as usize;
        let shape = program.kernels[at].gpu.as_ref().filter(|g| g.by_threads.is_some());
        let Some(shape) = shape.filter(|_| refused[at].is_none() && l.units > 0) else { return };
        // Where loops move a buffer they move it by whole lines, so the first iteration stands for all.
        let args: Vec<Address> = l.args.iter().map(|b| base + b.at(&Iterations::default())).collect();
        refused[at] = driver.maps(shape, &args).err();
    });
    let kernels = program.kernels.iter().zip(refused).map(|(k, refused)| {
        let shape = k.gpu.clone().unwrap_or_else(|| GpuLaunch::per_thread(128));
        match shape.by_threads.clone().filter(|_| refused.is_some()) {
            Some(other) => {
                let handle = driver.kernel(&other.symbol, &other.launch)?;
                Ok(ReadyKernel { handle, shape: other.launch, units: Some(other.units), refused })
            }
            None => Ok(ReadyKernel { handle: driver.kernel(&k.symbol, &shape)?, shape, units: None, refused }),
        }
    });
    kernels.collect()
}

fn each_launch(instrs: &[Instr], f: &mut dyn FnMut(&Launch)) {
    for i in instrs {
        match i {
            Instr::Loop { body, .. } => each_launch(body, f),
            Instr::While(w) => [&w.body, &w.after].into_iter().for_each(|b| each_launch(b, f)),
            Instr::Actions(a) => a.bodies.iter().for_each(|b| each_launch(&b.body, f)),
            Instr::Launch(l) => f(l),
            _ => {}
        }
    }
}

/// What is said of kernels that take the place of others, a line for people; none where there are none.
pub fn about(program: &Program, kernels: &[ReadyKernel]) -> Option<String> {
    let with = program.kernels.iter().filter(|k| k.gpu.as_ref().is_some_and(|g| !g.tensor_maps.is_empty())).count();
    let refused: Vec<&str> = kernels.iter().filter_map(|k| k.refused.as_deref()).collect();
    let (n, why) = (refused.len(), refused.first()?);
    Some(format!("copies by threads in {n} of {with} kernels with tensor maps, which the driver refuses: {why}"))
}
