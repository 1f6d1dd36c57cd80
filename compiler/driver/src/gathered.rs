//! Convolutions and poolings whose windows slide along a split dim. The plan gathers that dim, and a note at the op says so,
//! since whoever split an image over devices may expect that only borders are exchanged. Of a split that the search chose, nothing is said.

use crate::program::{Planned, Program};
use meshloom_ir::Op;
use meshloom_plan::{CollectiveInfo, explain};
use meshloom_report::human;
use meshloom_source::Diagnostic;
use std::collections::BTreeSet;

/// Whether an annotation leads to the split that is gathered. What the search splits by itself, it gathers where that takes the least
/// time, and nobody else is to blame.
fn is_asked_for(e: &Planned, c: &CollectiveInfo) -> bool {
    let plan = &e.plan;
    let Some(from) = plan.local.op(c.op).operands.first().and_then(|&x| plan.local.value(x).layout.as_ref()) else {
        return true;
    };
    let reasons = explain::reasons(&e.global, plan, c.global, from);
    reasons.iter().any(|r| c.axes.contains(&r.axis) && r.pin.is_some())
}

/// One warning for each op and the axes that its dim is gathered over.
pub fn windows(program: &Program<Planned>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
    for e in program.entries.iter().filter(|e| !e.derived) {
        let plan = &e.plan;
        let func = explain::program(&e.global, plan);
        for (c, sent) in plan.collectives.iter().zip(e.sent()).filter(|(c, _)| c.does.effect().gathered.is_some()) {
            let Some(data) = c.cause.and_then(|o| func.ops.get(o.index())) else { continue };
            let span = if data.span.is_none() { c.span } else { data.span };
            let Op::Windows { dim, .. } = data.op else { continue };
            if !is_asked_for(e, c) {
                continue;
            }
            if !seen.insert((span.file, span.start, c.axes.clone(), dim)) {
                continue;
            }
            let axes: Vec<&str> = c.axes.iter().map(|&a| func.mesh.name(a)).collect();
            let (axes, bytes) = (axes.join(", "), human::bytes(sent));
            let message = format!("windows slide along a dim that is split over {axes}: it is gathered");
            let place = program.locate(span).map_or(String::new(), |s| format!("@{}", s.line));
            out.push(
                Diagnostic::warning("gathered", message)
                    .at(span, format!("dim {dim} of `{}`, {bytes} per device and step", c.tensor))
                    .help(format!(
                        "borders alone are exchanged where those of a block over {axes} are together less than the block, and where \
                         that takes less time; else split the batch, channels or features over {axes}"
                    ))
                    .help(format!("`meshloom explain {} {}{place}` prices other layouts", program.path, c.does.name())),
            );
        }
    }
    out
}
