//! A plan in the words of other stacks: DTensor and FSDP2, torchtitan, Megatron-Core, DeepSpeed, accelerate.
//!
//! ```text
//! PlanReport -> describe (what each axis and each module is) -> a writer of `WRITERS` -> text
//! ```
//!
//! [`Description`] says a plan in PyTorch's words once, for all writers: which axis is of data or of tensors, which modules are column-
//! or row-parallel, what is sharded and gathered. What a stack cannot say is a [`Lost`], with what it costs: `unsaid` has those of all
//! stacks, and a writer those of its own. [`Description::pins`] are the layouts that the stack would run, for a caller that plans them again.
//!
//! Not here: how parameters are read (`plan::reads`); planning (the command line asks the driver).

mod accelerate;
mod deepspeed;
mod describe;
mod dtensor;
mod launched;
mod lost;
mod megatron;
mod modules;
mod paths;
mod pins;
pub mod read;
mod settings;
mod torchtitan;
mod unsaid;
mod words;

pub use describe::{DataParallel, Description, Sharded, Undescribed};
pub use lost::Lost;
pub use modules::{Module, Output, Style};
pub use pins::Pin;
pub use words::Stack;

use meshloom_report::TotalsReport;
use meshloom_report::human::{bytes, micros};

/// A plan in the words of a stack.
pub struct Exported {
    pub text: String,
    /// What the stack does otherwise than the plan.
    pub lost: Vec<Lost>,
}

/// What is predicted of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Predicted {
    pub step_us: f64,
    pub wire_bytes: f64,
    pub peak_bytes: Option<u64>,
}

impl Predicted {
    pub fn of(totals: &TotalsReport) -> Predicted {
        Predicted {
            step_us: totals.predicted_step_us,
            wire_bytes: totals.wire_bytes_per_device,
            peak_bytes: totals.peak_bytes_per_device,
        }
    }

    /// `868 us, 129 KiB sent, 304 KiB at most on a device`
    pub fn shown(&self) -> String {
        let peak =
            self.peak_bytes.map_or("memory unknown".into(), |n| format!("{} at most on a device", bytes(n as f64)));
        format!("{} a step, {} sent by a device, {peak}", micros(self.step_us), bytes(self.wire_bytes))
    }
}

/// How a writer writes: the body of its text, and what is lost beyond what is lost everywhere.
type Write = fn(&Description<'_>) -> (String, Vec<Lost>);

/// A stack's writer, and how its texts carry what is said about them.
struct Writer {
    stack: Stack,
    write: Write,
    comments: Comments,
}

enum Comments {
    /// Lines that begin with `#`.
    Hash,
    /// A key `_comment`, as JSON has no comments.
    Key,
}

const WRITERS: &[Writer] = &[
    Writer { stack: Stack::Dtensor, write: dtensor::write, comments: Comments::Hash },
    Writer { stack: Stack::Torchtitan, write: torchtitan::write, comments: Comments::Hash },
    Writer { stack: Stack::Megatron, write: megatron::write, comments: Comments::Hash },
    Writer { stack: Stack::Deepspeed, write: deepspeed::write, comments: Comments::Key },
    Writer { stack: Stack::Accelerate, write: accelerate::write, comments: Comments::Hash },
];

/// Writes a plan for a stack. `as_run` is what was predicted of the layouts that the stack would run, if that was planned.
pub fn export(description: &Description<'_>, stack: Stack, as_run: Option<Predicted>) -> Exported {
    let Some(writer) = WRITERS.iter().find(|w| w.stack == stack) else {
        return Exported { text: String::new(), lost: Vec::new() };
    };
    let (body, own) = (writer.write)(description);
    let mut lost = description.lost.clone();
    lost.extend(unsaid::everywhere(description));
    lost.extend(own);
    let head = head(description, stack, as_run, &lost);
    let text = match writer.comments {
        Comments::Hash => {
            let lines: String = head.iter().map(|l| format!("# {l}").trim_end().to_string() + "\n").collect();
            format!("{lines}{body}")
        }
        Comments::Key => {
            let lines: Vec<String> =
                head.iter().filter(|l| !l.is_empty()).map(|l| format!("    {}", settings::quoted(l))).collect();
            body.replacen("{\n", &format!("{{\n  \"_comment\": [\n{}\n  ],\n", lines.join(",\n")), 1)
        }
    };
    Exported { text, lost }
}

/// What stands above every text: the plan, both predictions, and what is lost.
fn head(d: &Description<'_>, stack: Stack, as_run: Option<Predicted>, lost: &[Lost]) -> Vec<String> {
    let axes: Vec<String> = d.plan.mesh.axes.iter().map(|a| format!("{}={}", a.name, a.size)).collect();
    let mut head = vec![
        format!(
            "{}: the plan of {} on {} devices, {}, target {}",
            stack.name(),
            d.plan.entry,
            d.plan.mesh.devices,
            axes.join(" x "),
            d.plan.target
        ),
        format!("as planned:      {}", Predicted::of(&d.plan.totals).shown()),
        match as_run {
            Some(p) => format!("as it runs here: {}", p.shown()),
            None => "as it runs here: unknown: the plan came as JSON, or these layouts cannot be planned or do not fit"
                .into(),
        },
        String::new(),
    ];
    if lost.is_empty() {
        head.push("All of the plan is said here.".into());
    } else {
        head.push("What is otherwise than in the plan, and what it concerns:".into());
        head.extend(lost.iter().map(|l| format!("- {l}")));
    }
    head.push(String::new());
    head
}
