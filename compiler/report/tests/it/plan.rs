//! The table and the JSON of a plan made up for the purpose: every kind of row once.

use meshloom_report::{
    AxisSize, CertificateReport, CollectiveReport, EndReport, ExpandedReport, GatherReport, Iterations, LevelReport,
    Memory, MeshReport, PartialAxis, PlanReport, ReadReport, Shown, SourcePlace, StashReport, TensorReport, Time,
    TotalsReport, text,
};

fn level(name: &str, bytes: u64, us: f64, exposed: f64) -> LevelReport {
    LevelReport { level: name.into(), wire_bytes_per_device: bytes, predicted_us: Some(us), exposed_us: Some(exposed) }
}

fn at(line: u64, text: &str) -> Option<SourcePlace> {
    Some(SourcePlace { file: "gpt.loom".into(), line, column: 5, text: text.into(), origin: None })
}

fn tensor(
    name: &str,
    role: &str,
    shape: &[u64],
    layout: &[&[&str]],
    by: &str,
    source: Option<SourcePlace>,
) -> TensorReport {
    let size = |axis: &&str| if *axis == "data" { 2 } else { 4 };
    let local: Vec<u64> =
        shape.iter().zip(layout).map(|(n, axes)| n / axes.iter().map(size).product::<u64>()).collect();
    let dtype = if role == "input" { "i32" } else { "f32" };
    TensorReport {
        name: name.into(),
        role: role.into(),
        of: name.split_once('.').filter(|_| role == "state").map(|(_, of)| of.into()),
        dtype: dtype.into(),
        shape: shape.to_vec(),
        layout: layout.iter().map(|axes| axes.iter().map(|a| a.to_string()).collect()).collect(),
        partial: Vec::new(),
        padding: vec![0; shape.len()],
        stage: None,
        ranks: Vec::new(),
        bytes_per_device: local.iter().product::<u64>() * 4,
        local_shape: local,
        in_host: false,
        decided_by: by.into(),
        rule: None,
        source,
    }
}

fn collective(
    op: &str,
    axis: &str,
    times: u64,
    wire: f64,
    phase: &str,
    why: &str,
    source: Option<SourcePlace>,
) -> CollectiveReport {
    CollectiveReport {
        number: 0,
        op: op.into(),
        axes: vec![axis.into()],
        group_size: if axis == "data" { 2 } else { 4 },
        dtype: "f32".into(),
        bytes: 524_288,
        wire_bytes_per_device: wire,
        times_per_step: times,
        phase: phase.into(),
        stage: None,
        rank: None,
        predicted_us: 131.072_51,
        exposed_us: 30.0,
        why: why.into(),
        source,
    }
}

fn stash(name: &str, bytes_per_device: u64, recomputed: bool, line: u64) -> StashReport {
    let source = Some(SourcePlace { file: "gpt.loom".into(), line, ..SourcePlace::default() });
    let iterations = Iterations { from: 0, to: 4, of: 4, list: Some("blocks".into()) };
    StashReport { name: name.into(), bytes_per_device, recomputed, iterations, source }
}

#[test]
fn segments_are_listed_one_by_one() {
    let mut r = sample();
    let of =
        |from: u64, to: u64, s: StashReport| StashReport { iterations: Iterations { from, to, ..s.iterations }, ..s };
    r.stashes = vec![
        of(0, 3, stash("h", 3_145_728, true, 22)),
        of(0, 3, stash("x", 3_145_728, false, 21)),
        of(3, 4, stash("h", 1_048_576, false, 22)),
    ];
    let shown = text(&r, &Shown::default());
    let lines: Vec<&str> = shown.lines().filter(|l| l.contains(" in blocks ")).collect();
    assert_eq!(
        lines,
        [
            "recompute in blocks 0..3 of 4: 3.0 MiB instead of keeping it: h gpt.loom:22; 3.0 MiB kept",
            "          in blocks 3..4 of 4: nothing; 1.0 MiB kept",
        ]
    );
}

fn read() -> ReadReport {
    let dims = |dims: &[&[&str]]| dims.iter().map(|d| d.iter().map(|a| (*a).to_string()).collect()).collect();
    ReadReport {
        tensor: "blocks.*.up".into(),
        op: "contraction".into(),
        contracted: vec![1],
        layout: dims(&[&[], &[], &["model"]]),
        with: dims(&[&["data"], &[], &[]]),
        result: dims(&[&["data"], &[], &["model"]]),
        result_bytes_per_device: 2_097_152,
        ends: vec![EndReport {
            axis: "model".into(),
            contracted_with: vec!["blocks.*.down".into()],
            ..EndReport::default()
        }],
        source: at(24, "h"),
        ..ReadReport::default()
    }
}

#[allow(clippy::too_many_lines)] // a plan, field by field
fn sample() -> PlanReport {
    let (m, d): (&[&str], &[&str]) = (&["model"], &["data"]);
    let mut tensors = vec![
        tensor("tok", "parameter", &[256, 256], &[&[], &[]], "propagation", at(13, "tok")),
        tensor("blocks.*.qkv", "parameter", &[4, 3, 256, 8, 32], &[&[], &[], &[], m, &[]], "annotation", at(7, "")),
        tensor("blocks.*.up", "parameter", &[4, 256, 1024], &[&[], &[], m], "annotation", at(10, "")),
        tensor("both", "parameter", &[64, 64], &[&["data", "model"], &[]], "search", None),
        tensor("m.tok", "state", &[256, 256], &[d, &[]], "annotation", at(40, "")),
        tensor("v.tok", "state", &[256, 256], &[&[], &[]], "propagation", at(13, "")),
        tensor("m.blocks.*.qkv", "state", &[4, 3, 256, 8, 32], &[&[], &[], &[], m, &[]], "propagation", None),
        tensor("step", "state", &[], &[], "propagation", None),
        tensor("tokens", "input", &[8, 128], &[d, &[]], "annotation", at(33, "")),
        tensor("h", "activation", &[8, 128, 1024], &[d, &[], m], "annotation", at(24, "")),
        tensor("loss", "output", &[], &[], "propagation", None),
    ];
    let mut partial = tensor("a", "activation", &[8, 128, 256], &[d, &[], &[]], "propagation", at(22, ""));
    partial.partial.push(PartialAxis { axis: "model".into(), reduction: "sum".into() });
    tensors.push(partial);
    let code = "x + einsum(\"bhsd,hde->bse\",\n            a, p.out)";
    let collectives = vec![
        collective(
            "all_reduce",
            "model",
            4,
            3_145_728.0,
            "forward",
            "h is contracted and split over model",
            at(22, code),
        ),
        collective(
            "all_reduce",
            "model",
            4,
            3_145_728.0,
            "forward",
            "h is contracted and split over model",
            at(22, code),
        ),
        collective(
            "all_reduce",
            "data",
            1,
            10_800_000.5,
            "backward",
            "b is contracted and split over data",
            at(7, "p.qkv"),
        ),
        collective("all_gather", "data", 1, 131_072.0, "update", "dim 0 is split over data, and `tok` is not", None),
    ];
    let wire = collectives.iter().map(|c| c.wire_bytes_per_device).sum();
    PlanReport {
        schema: 1,
        entry: "gpt".into(),
        mesh: MeshReport {
            axes: vec![AxisSize { name: "data".into(), size: 2 }, AxisSize { name: "model".into(), size: 4 }],
            devices: 8,
        },
        target: "cpu".into(),
        tensors,
        collectives,
        asked: Vec::new(),
        last_apart: false,
        reads: vec![read()],
        gathers: vec![GatherReport { tensor: "blocks.*.up".into(), axis: "data".into(), times: 2 }],
        stashes: vec![
            stash("x", 2_097_152, false, 21),
            stash("h", 1_048_576, true, 22),
            stash("gelu", 4_194_304, true, 24),
        ],
        expanded: vec![ExpandedReport {
            name: "attention".into(),
            why: "some queries see no key".into(),
            source: at(22, "attention(q, k, v)"),
        }],
        limits: vec!["e-nodes: 3000000; tensors beyond are only offered whole".into()],
        tried: Vec::new(),
        moves: Vec::new(),
        totals: TotalsReport {
            flops_per_device: 1_234_567_890,
            wire_bytes_per_device: wire,
            peak_bytes_per_device: Some(47_081_062),
            host_bytes_per_device: Some(0),
            predicted_step_us: 12_300.000_4,
            lower_bound_us: Some(10_800.0),
            tokens_per_second: Some(1_234_567.8),
            mfu: Some(0.4321),
            usd_per_million_tokens: Some(0.31),
            profile: None,
        },
        levels: vec![level("nvlink", 3 << 20, 900.0, 0.0), level("infiniband", 1 << 20, 420.0, 95.5)],
        pipeline: None,
        certificate: CertificateReport { status: "proved".into(), steps: 412 },
    }
}

fn shown() -> Shown {
    Shown {
        kind: "train step".into(),
        layout: Some("megatron".into()),
        memory: Some(Memory {
            parameters: 12_687_770,
            state: 25_375_540,
            gradients: 0,
            activations: 8_493_465,
            data: 0,
            scratch: 524_287,
            host: 0,
            at: Some("gpt.loom:31, backward of block 3".into()),
        }),
        time: Some(Time { compute: 9_100.0, communication: 3_200.0, hidden: 1_900.0, host: 0.0 }),
        room: Some(48_000_000),
        all: false,
    }
}

#[test]
fn table() {
    insta::assert_snapshot!(text(&sample(), &shown()));
}

#[test]
fn table_with_every_tensor() {
    insta::assert_snapshot!(text(&sample(), &Shown { all: true, ..Shown::default() }));
}

/// Long sections are cut, and what is cut is counted.
#[test]
fn long_table() {
    let mut r = sample();
    for i in 0..12u64 {
        let name = format!("w{i}");
        r.tensors.push(tensor(&name, "parameter", &[64 + i, 8], &[&[], &[]], "propagation", at(50 + i, "")));
        let why = format!("reason {i}");
        r.collectives.push(collective("all_gather", "data", 1, 64.0 * i as f64, "forward", &why, at(60 + i, &name)));
    }
    insta::assert_snapshot!(text(&r, &shown()));
}

/// One device: nothing is split, nothing moves.
#[test]
fn one_device() {
    let mut r = sample();
    r.mesh.axes.iter_mut().for_each(|a| a.size = 1);
    r.mesh.devices = 1;
    r.tensors.truncate(1);
    r.collectives.clear();
    r.certificate.steps = 1;
    r.totals = TotalsReport { predicted_step_us: 512.0, ..TotalsReport::default() };
    insta::assert_snapshot!(text(&r, &Shown { kind: "function".into(), ..Shown::default() }));
}

#[test]
fn json() {
    let mut r = sample();
    r.tensors.retain(|t| t.name == "a" || t.name == "both");
    r.collectives.truncate(3);
    insta::assert_snapshot!(r.to_json());
}

#[test]
fn json_reads_back() {
    let r = sample();
    let again = PlanReport::from_json(&r.to_json()).unwrap();
    assert_eq!(again.to_json(), r.to_json());
    assert_eq!(again.totals.wire_bytes_per_device, r.totals.wire_bytes_per_device);
    assert!(PlanReport::from_json("{}").unwrap_err().contains("schema"));
}

/// No key is ever left out: unknown values are null.
#[test]
fn a_plan_that_does_not_fit_says_so() {
    let line = |room: u64| {
        let text = text(&sample(), &Shown { room: Some(room), ..shown() });
        text.lines().find(|l| l.starts_with("memory")).unwrap_or_default().to_owned()
    };
    assert!(line(40 << 20).ends_with("; a device has 40.0 MiB: it does not fit"), "{}", line(40 << 20));
    assert!(!line(45 << 20).contains("fit"));
}

#[test]
fn all_keys_are_present() {
    let mut r = sample();
    r.totals.peak_bytes_per_device = None;
    r.totals.lower_bound_us = None;
    r.tensors[0].source = None;
    let json: serde_json::Value = serde_json::from_str(&r.to_json()).unwrap();
    let keys = |v: &serde_json::Value| v.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let sorted = |list: &str| {
        let mut v: Vec<String> = list.split_whitespace().map(str::to_string).collect();
        v.sort();
        v
    };
    for (value, expected) in [
        (
            &json,
            "schema entry mesh target tensors collectives reads gathers stashes expanded limits tried moves totals levels pipeline certificate",
        ),
        (
            &json["tensors"][0],
            "name role dtype shape layout partial local_shape padding stage bytes_per_device decided_by source",
        ),
        (
            &json["collectives"][3],
            "number op axes group_size dtype bytes wire_bytes_per_device times_per_step phase stage predicted_us exposed_us why source",
        ),
        (
            &json["totals"],
            "flops_per_device wire_bytes_per_device peak_bytes_per_device host_bytes_per_device predicted_step_us lower_bound_us \
             tokens_per_second mfu usd_per_million_tokens",
        ),
        (&json["stashes"][0], "name bytes_per_device recomputed iterations source"),
        (&json["certificate"], "status steps"),
        (&json["mesh"], "axes devices"),
    ] {
        let mut found = keys(value);
        found.sort();
        assert_eq!(found, sorted(expected));
    }
}
