//! Programs to audit: examples, texts and random ones, planned and scheduled.

use meshloom_audit::{Audit, Objection, audit};
use meshloom_driver::pipeline::lower_for;
use meshloom_driver::{CompileOptions, check, plan};
use meshloom_ir::{DType, Func, Role};
use meshloom_kernels::{Device, GpuArch};
use meshloom_lower::{ScheduleOptions, Scheduled, schedule};
use meshloom_source::FrontOptions;
use std::path::PathBuf;

/// A local program and what it was scheduled to.
pub struct Case {
    pub name: String,
    pub local: Func,
    pub scheduled: Scheduled,
}

impl Case {
    pub fn audit(&self) -> Result<Audit, Objection> {
        audit(&self.local, &self.scheduled.program, &self.scheduled.kernels)
    }

    /// Audits it; what cannot be followed is told.
    pub fn accepted(&self) -> Audit {
        match self.audit() {
            Ok(a) => a,
            Err(e) => panic!("{}: {e}\n{}", self.name, self.text()),
        }
    }

    pub fn text(&self) -> String {
        let program = meshloom_lower::executable::print::print(&self.scheduled);
        format!("{}\n{program}", meshloom_ir::print::print(&self.local))
    }
}

pub fn source(name: &str, text: &str, mesh: &[(&str, u64)], layout: Option<&str>) -> Vec<Case> {
    source_in(None, name, text, mesh, layout)
}

/// The same in another precision.
pub fn source_in(
    precision: Option<DType>,
    name: &str,
    text: &str,
    mesh: &[(&str, u64)],
    layout: Option<&str>,
) -> Vec<Case> {
    let front = FrontOptions {
        precision,
        mesh: Some(mesh.iter().map(|(n, s)| (n.to_string(), *s)).collect()),
        layout: layout.map(String::from),
        ..FrontOptions::default()
    };
    let options = CompileOptions { front, ..CompileOptions::default() };
    compiled(name, text, &options, Device::Cpu, &format!("on {mesh:?} {layout:?}"))
}

/// For one H100.
pub fn source_on_gpu(name: &str, text: &str) -> Vec<Case> {
    compiled(name, text, &CompileOptions::default(), Device::Gpu(GpuArch::Sm90a), "on an H100")
}

fn compiled(name: &str, text: &str, options: &CompileOptions, device: Device, on: &str) -> Vec<Case> {
    let program = check(name, text, options).and_then(|p| plan(p, options)).and_then(|p| lower_for(p, device));
    let program = program.unwrap_or_else(|(e, _)| panic!("{name} {on}: {e}"));
    let case = |e: meshloom_driver::Scheduled| Case {
        name: format!("{name} `{}` {on}", e.name),
        local: e.entry.plan.local,
        scheduled: e.scheduled,
    };
    program.entries.into_iter().map(case).collect()
}

pub fn text(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(path).expect("an example")
}

pub fn example(name: &str, mesh: &[(&str, u64)], layout: Option<&str>) -> Vec<Case> {
    source(name, &text(name), mesh, layout)
}

/// A program scheduled for CPUs; `None` of one that they cannot run.
pub fn scheduled(name: String, local: Func, global: &Func) -> Option<Case> {
    scheduled_for(name, local, global, Device::Cpu)
}

/// The same for a device.
pub fn scheduled_for(name: String, local: Func, global: &Func, device: Device) -> Option<Case> {
    let opts = ScheduleOptions { locate: &|_| None, tokens_per_step: 0, device, tf32: false, rounds_each: false };
    let scheduled = schedule(&local, global, &opts).ok()?;
    Some(Case { name, local, scheduled })
}

/// With ports that are no more than inputs and outputs.
pub fn plain(mut f: Func) -> Func {
    for p in &mut f.inputs {
        (p.stacked, p.role, p.init) = (false, Role::Input, None);
    }
    for p in &mut f.outputs {
        (p.stacked, p.role, p.updates) = (false, Role::Output, None);
    }
    f
}

/// The gradients of a program's loss; `None` where an op has none.
pub fn differentiated(mut f: Func) -> Option<Func> {
    let loss = f.outputs.iter().position(|p| p.role == Role::Loss)?;
    f.outputs = vec![f.outputs[loss].clone()];
    let yields = &mut f.regions[Func::BODY.index()].yields;
    *yields = vec![yields[loss]];
    meshloom_autodiff::gradients(&f).ok()
}
