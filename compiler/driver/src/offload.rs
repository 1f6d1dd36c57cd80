//! What of a step lies in the host's memory between steps.
//!
//! Not here: when it is on the device (`fusion::offload`), and what copying it costs (`plan::cost`).

use meshloom_ir::{Func, Role};
use meshloom_plan::cost::Target;
use meshloom_report::human;
use meshloom_source::Diagnostic;
use meshloom_source::entry::Offload;

/// State of fewer bytes than this part of all state stays on the device: copying it takes as long as starting the copy does, and
/// hardly anything is gained.
const SMALL: u64 = 1024;

/// Says of each input of a step where it lies.
pub fn place(step: &mut Func, offload: Offload) {
    let bytes: Vec<u64> = step.body().args.iter().map(|&v| step.ty(v).bytes()).collect();
    let state = |p: &meshloom_ir::Port| p.role == Role::State && p.of.is_some();
    let all: u64 = step.inputs.iter().zip(&bytes).filter(|x| state(x.0)).map(|x| x.1).sum();
    for (port, n) in step.inputs.iter_mut().zip(bytes) {
        port.host = offload == Offload::State && state(port) && n > all / SMALL;
    }
}

/// Why so many bytes of each device cannot lie in the memory of a target's host.
pub fn refused(target: &Target, bytes: u64) -> Option<Diagnostic> {
    let shown = |n: u64| human::bytes(n as f64);
    match &target.host {
        _ if bytes == 0 => None,
        None => {
            let message = format!("the target `{}` says nothing of a host's memory", target.name);
            let d = Diagnostic::error("target", message);
            Some(d.help(
                "give its file a section `[host]` with `memory`, `bandwidth` and `achievable`, or `--offload none`",
            ))
        }
        Some(host) if bytes > host.memory => {
            let (needs, has) = (shown(bytes), shown(host.memory));
            let message =
                format!("what is offloaded needs {needs} of the host's memory for each device, which has {has}");
            Some(Diagnostic::error("does-not-fit", message).help("use more devices, or `--offload none`"))
        }
        Some(_) => None,
    }
}
