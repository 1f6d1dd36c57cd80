//! What changed between two plans, as people and programs read it.

use meshloom_report::AxisSize;
use meshloom_report::diff::{diff, text};
use meshloom_report::{
    CertificateReport, CollectiveReport, MeshReport, PlanReport, SourcePlace, TensorReport, TotalsReport,
};

fn tensor(name: &str, layout: &[&[&str]], bytes: u64) -> TensorReport {
    TensorReport {
        name: name.into(),
        of: None,
        role: "parameter".into(),
        dtype: "f32".into(),
        shape: vec![64; layout.len()],
        layout: layout.iter().map(|axes| axes.iter().map(|a| a.to_string()).collect()).collect(),
        partial: Vec::new(),
        local_shape: vec![64; layout.len()],
        padding: vec![0; layout.len()],
        stage: None,
        ranks: Vec::new(),
        bytes_per_device: bytes,
        in_host: false,
        decided_by: "annotation".into(),
        rule: None,
        source: None,
    }
}

fn collective(op: &str, axis: &str, wire: f64, line: u64) -> CollectiveReport {
    CollectiveReport {
        number: 0,
        op: op.into(),
        axes: vec![axis.into()],
        group_size: 2,
        dtype: "f32".into(),
        bytes: wire as u64,
        wire_bytes_per_device: wire,
        times_per_step: 4,
        phase: "forward".into(),
        stage: None,
        rank: None,
        predicted_us: 1.0,
        exposed_us: 0.5,
        why: "k (8) is contracted and split".into(),
        source: Some(SourcePlace { file: "m.loom".into(), line, ..SourcePlace::default() }),
    }
}

fn plan() -> PlanReport {
    PlanReport {
        schema: 1,
        entry: "gpt".into(),
        mesh: MeshReport { axes: vec![AxisSize { name: "data".into(), size: 2 }], devices: 2 },
        target: "cpu".into(),
        tensors: vec![tensor("w", &[&["data"], &[]], 512), tensor("v", &[&[]], 64), tensor("gone", &[&[]], 8)],
        collectives: vec![
            collective("all_reduce", "data", 4096.0, 7),
            collective("all_gather", "data", 512.0, 8),
            collective("all_gather", "data", 64.0, 9),
        ],
        reads: Vec::new(),
        gathers: Vec::new(),
        stashes: Vec::new(),
        expanded: Vec::new(),
        limits: Vec::new(),
        tried: Vec::new(),
        moves: Vec::new(),
        asked: Vec::new(),
        last_apart: false,
        totals: TotalsReport {
            flops_per_device: 1_000_000_000,
            wire_bytes_per_device: 4672.0,
            peak_bytes_per_device: Some(1 << 20),
            predicted_step_us: 1200.0,
            ..TotalsReport::default()
        },
        levels: Vec::new(),
        pipeline: None,
        certificate: CertificateReport { status: "proved".into(), steps: 9 },
    }
}

#[test]
fn a_plan_is_itself() {
    let (mut a, mut b) = (plan(), plan());
    assert!(diff(&a, &b).is_empty());
    assert_eq!(text(&diff(&a, &b)), "");
    // Lines that moved, and what one side does not know.
    b.collectives.iter_mut().for_each(|c| c.source.as_mut().expect("a place").line += 3);
    b.certificate.steps = 10;
    a.totals.peak_bytes_per_device = None;
    assert!(diff(&a, &b).is_empty());
}

#[test]
fn layouts_collectives_and_totals() {
    let (a, mut b) = (plan(), plan());
    b.tensors[0] = tensor("w", &[&[], &["data"]], 1024);
    b.tensors[2] = tensor("new", &[&[]], 8);
    b.collectives[0] = collective("reduce_scatter", "data", 2048.0, 7);
    b.collectives[1] = collective("all_to_all", "model", 256.0, 20);
    b.collectives.push(collective("all_to_all", "model", 256.0, 20));
    b.totals.wire_bytes_per_device = 2624.0;
    b.totals.predicted_step_us = 900.0;
    b.mesh.axes.push(AxisSize { name: "model".into(), size: 2 });
    let d = diff(&a, &b);
    assert!(!d.is_empty());
    insta::assert_snapshot!(text(&d));
    insta::assert_snapshot!(serde_json::to_string_pretty(&d).expect("JSON"));
}
