//! What of a step lies in the host's memory while the device does not need it.
//!
//! Not here: when it is on the device (`lower::offload`), and what copying it costs (`plan::cost`).

use crate::entry::Elaborated;
use meshloom_ir::{Func, Role, Span};
use meshloom_lower::stashes;
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
        port.host = offload.state() && state(port) && n > all / SMALL;
    }
    step.stashes_in_host = offload.stashes();
}

/// What of a step could lie there.
pub fn choices(e: &Elaborated) -> Vec<Offload> {
    let state = e.global.inputs.iter().any(|p| p.role == Role::State && p.of.is_some());
    let stashes = e.pipeline.is_none() && !stashes::sliced(&e.global).is_empty();
    let there = |how: &Offload| (state || !how.state()) && (stashes || !how.stashes());
    [Offload::State, Offload::Stashes, Offload::All].into_iter().filter(there).collect()
}

/// Why a step has no stashes that could lie in the host's memory; `at` is what asks for it.
pub fn without_stashes(e: &Elaborated, at: Span) -> Option<Diagnostic> {
    let d = |message: String| Diagnostic::error("recompute", message).at(at, "");
    if let Some(of) = e.pipeline.as_deref() {
        let message =
            "stashes lie on the device in a step with pipeline stages, which keep some for each microbatch in flight";
        let axis = of.mesh.axes.get(of.axis.index()).map_or("", |a| a.0.as_str());
        return Some(d(message.into()).help(format!("`offload: state`, or a mesh without stages (`{axis}`)")));
    }
    if !stashes::sliced(&e.global).is_empty() {
        return None;
    }
    let message = format!("`{}` has no loop that keeps anything for its backward pass", e.name);
    let help = "a `for` over a list of layers is a loop, and so is a `scan`; otherwise `offload: state` or `none`";
    Some(d(message).help(help))
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
