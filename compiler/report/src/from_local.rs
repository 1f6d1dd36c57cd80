//! The report of a per-device program alone, as a bundle has it: its ports and its collectives. A bundle does not say
//! who decided a layout, why a collective is there, or how long it takes, and it has no intermediates.

use crate::from_plan::{mesh, names, number, part_name};
use crate::model::{CertificateReport, CollectiveReport, PlanReport, SCHEMA, TensorReport, TotalsReport};
use meshloom_ir::{Func, Layout, Op, Port, RegionId, Role, ValueId, table};
use meshloom_plan::cost;

pub fn from_local(local: &Func, entry: &str, target: &str, peak: Option<u64>) -> PlanReport {
    let inputs = local.inputs.iter().zip(&local.body().args).map(|(p, &v)| port(local, p, v));
    let kept = |p: &Port| matches!(p.role, Role::Parameter | Role::State);
    let outputs = local.outputs.iter().zip(&local.body().yields).filter(|(p, _)| !kept(p));
    let outputs = outputs.map(|(p, &v)| port(local, p, v));
    let mut collectives = Vec::new();
    walk(local, Func::BODY, 1, &mut collectives);
    number(&mut collectives);
    let flops = local.body().ops.iter().map(|&o| table::flops(local, o)).fold(0, u64::saturating_add);
    PlanReport {
        schema: SCHEMA,
        entry: entry.into(),
        mesh: mesh(&local.mesh),
        target: target.into(),
        tensors: inputs.chain(outputs).collect(),
        totals: TotalsReport {
            flops_per_device: flops,
            wire_bytes_per_device: collectives.iter().map(|c| c.wire_bytes_per_device).sum(),
            peak_bytes_per_device: peak,
            host_bytes_per_device: None,
            ..TotalsReport::default()
        },
        levels: Vec::new(),
        collectives,
        reads: Vec::new(),
        gathers: Vec::new(),
        stashes: Vec::new(),
        expanded: Vec::new(),
        limits: Vec::new(),
        tried: Vec::new(),
        moves: Vec::new(),
        asked: Vec::new(),
        last_apart: false,
        pipeline: None,
        certificate: CertificateReport { status: "unknown".into(), steps: 0 },
    }
}

fn port(local: &Func, p: &Port, v: ValueId) -> TensorReport {
    let (mesh, ty) = (&local.mesh, local.ty(v));
    let layout = local.value(v).layout.clone().unwrap_or_else(|| Layout::replicated(ty.rank()));
    let role = match p.role {
        Role::Parameter => "parameter",
        Role::State => "state",
        Role::Input => "input",
        _ => "output",
    };
    let parts = local.inputs.iter().any(|q| q.first_layer > 0 && (q.role, &q.name) == (p.role, &p.name));
    TensorReport {
        name: match ty.shape.first().filter(|_| parts) {
            Some(n) => part_name(&p.name, p.first_layer, *n),
            None => p.name.clone(),
        },
        role: role.into(),
        of: p.of.clone(),
        dtype: ty.dtype.name().into(),
        shape: ty.shape.iter().zip(&layout.dims).map(|(n, axes)| n * mesh.group_size(axes)).collect(),
        layout: layout.dims.iter().map(|axes| names(mesh, axes)).collect(),
        partial: Vec::new(),
        local_shape: ty.shape.clone(),
        padding: vec![0; ty.rank()],
        stage: None,
        ranks: Vec::new(),
        bytes_per_device: ty.bytes(),
        in_host: p.host,
        decided_by: "propagation".into(),
        rule: None,
        source: None,
    }
}

fn walk(local: &Func, r: RegionId, times: u64, out: &mut Vec<CollectiveReport>) {
    for &o in &local.region(r).ops {
        let data = local.op(o);
        if let Op::Repeat { .. } = data.op {
            walk(local, data.regions[0], times.saturating_mul(data.op.iterations()), out);
        }
        let Some(axes) = data.op.collective_axes().filter(|_| data.op.communicates()) else { continue };
        let (mesh, operand) = (&local.mesh, local.ty(data.operands[0]));
        let share = cost::wire_bytes(&data.op, operand, mesh) as f64 / mesh.devices() as f64;
        out.push(CollectiveReport {
            number: 0,
            op: data.op.name().into(),
            axes: names(mesh, axes),
            group_size: mesh.group_size(axes),
            dtype: operand.dtype.name().into(),
            bytes: cost::buffer_bytes(&data.op, operand, mesh),
            wire_bytes_per_device: share * times as f64,
            times_per_step: times,
            phase: data.phase.name().into(),
            stage: None,
            rank: None,
            predicted_us: 0.0,
            exposed_us: 0.0,
            why: String::new(),
            source: None,
        });
    }
}
