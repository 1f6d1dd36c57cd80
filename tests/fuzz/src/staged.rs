//! A seed for bundles: a small entry with pipeline stages.

use meshloom_bundle::*;

/// An outline and the programs of two ranks that send each other a value for each of two microbatches.
pub fn programs() -> Vec<Program> {
    let layers = |n: u64, first_layer, offset| Port {
        name: "blocks.*.w".into(),
        role: Role::Parameter,
        dtype: DType::F32,
        global_shape: vec![n, 16],
        local_shape: vec![n, 16],
        layout: vec![vec![], vec![]],
        offset,
        bytes: n * 64,
        stacked: true,
        first_layer,
        entries: Vec::new(),
        complex: false,
        unsigned: false,
        alias: None,
        init: Init::Zeros,
        range: None,
    };
    let program = |mesh: Vec<MeshAxis>, arena_bytes, port, instrs| Program {
        version: PROGRAM_VERSION,
        entry: "gpt".into(),
        mesh,
        arena_bytes,
        host_bytes: 0,
        scratch_bytes: 0,
        tokens_per_step: 0,
        kernels: vec![],
        ports: vec![port],
        wires: vec![],
        instrs,
    };
    let rank = |k: u32| {
        let wire = |name: &str, sends| Wire {
            name: name.into(),
            stage: 1 - k,
            sends,
            dtype: DType::F32,
            shape: vec![16],
            each: true,
        };
        let transfer = |wire| Transfer { wire, buf: BufRef::fixed(256, 64) };
        let body = |name: &str, instr| Action { name: name.into(), body: vec![instr] };
        let (first, second) = (Instr::Send(transfer(0)), Instr::Receive(transfer(1)));
        let bodies = if k == 0 { [first, second] } else { [Instr::Receive(transfer(0)), Instr::Send(transfer(1))] };
        let order = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(action, microbatch)| Turn { action, microbatch });
        let bodies = bodies.into_iter().zip(["0F", "0B"]).map(|(i, name)| body(name, i)).collect();
        let actions = Instr::Actions(Box::new(Actions { microbatches: 2, bodies, order: order.into() }));
        let mut p = program(vec![], 512, layers(2, 2 * u64::from(k), 0), vec![actions]);
        p.wires = vec![wire("there", k == 0), wire("back", k == 1)];
        p
    };
    let pipe = MeshAxis { name: "pipe".into(), size: 2 };
    vec![program(vec![pipe], 0, layers(4, 0, 0), vec![]), rank(0), rank(1)]
}
