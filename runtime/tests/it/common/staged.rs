//! A product of layers, `h = h * w[l]` element by element, trained by least squares in microbatches: on devices that all run the
//! same, or in two pipeline stages of two layers each.

use super::*;

pub const C: &str = "
    void fwd(const float *w, const float *x, float *stash, float *out, long lo, long hi, long layers) {
        for (long i = lo; i < hi; i++) {
            float h = x[i];
            for (long l = 0; l < layers; l++) { stash[l * 8 + i] = h; h *= w[l * 8 + i]; }
            out[i] = h;
        }
    }
    void loss(const float *out, const float *y, float *loss, float *g, long lo, long hi) {
        for (long i = 0; i < 8; i++) { float d = out[i] - y[i]; *loss += d * d; g[i] = 2 * d; }
    }
    void bwd(const float *w, const float *stash, const float *g, float *dw, float *gx, long lo, long hi, long layers) {
        for (long i = lo; i < hi; i++) {
            float gg = g[i];
            for (long l = layers - 1; l >= 0; l--) { dw[l * 8 + i] += gg * stash[l * 8 + i]; gg *= w[l * 8 + i]; }
            gx[i] = gg;
        }
    }
    void update(float *w, float *v, const float *dw, long lo, long hi) {
        for (long i = lo; i < hi; i++) { v[i] = 0.5f * v[i] + dw[i]; w[i] -= 0.02f * v[i]; }
    }";

pub const MICROBATCHES: u64 = 4;
pub const LAYERS: u64 = 4;

// Offsets in every arena.
const W: u64 = 0;
const V: u64 = 128;
const DW: u64 = 256;
const X: u64 = 384;
const Y: u64 = 512;
const LOSS: u64 = 640;
const RATE: u64 = 704;
const OUT: u64 = 768;
const G: u64 = 832;
const GX: u64 = 896;
const IN: u64 = 1024;
const STASH: u64 = 1536;
const ARENA: u64 = 2048;

fn fixed(offset: u64, bytes: u64) -> BufRef {
    BufRef::fixed(offset, bytes)
}

/// A slot for each microbatch.
fn each(offset: u64, bytes: u64) -> BufRef {
    BufRef::moving(offset, bytes, bytes, LoopIndex::Iter { delta: 0 })
}

/// The program of the layers from `first` on, which has the input, or the loss, or both.
fn layers(mesh: &[(&str, u32)], first: u64, n: u64, begins: bool, ends: bool) -> Program {
    let mut p = program(mesh, ARENA);
    p.entry = if begins && ends { "fit".into() } else { format!("fit.{}", u64::from(first > 0)) };
    let data = 8 * u64::from(mesh.iter().find(|m| m.0 == "data").map_or(1, |m| m.1));
    let axis = mesh.iter().position(|m| m.0 == "data").map(|a| a as u32);
    let over: Vec<u32> = axis.into_iter().collect();
    let part = |p: &Program, name: &str, role, init, offset| Port {
        init,
        first_layer: first,
        ..port(p, name, role, DType::F32, &[n, 8], &[&[], &[]], offset)
    };
    p.ports.push(part(&p, "blocks.*.w", Role::Parameter, Init::Uniform { bound: 1.0 }, W));
    p.ports.push(part(&p, "moments.*.w", Role::State, Init::Zeros, V));
    let batch = |p: &Program, name, offset| {
        port(p, name, Role::Input, DType::F32, &[MICROBATCHES, data], &[&[], &over], offset)
    };
    if begins {
        p.ports.push(batch(&p, "x", X));
        p.ports.push(port(&p, "rate", Role::Metric, DType::F32, &[], &[], RATE));
    }
    if ends {
        p.ports.push(batch(&p, "y", Y));
        p.ports.push(port(&p, "loss", Role::Loss, DType::F32, &[], &[], LOSS));
    }
    p.kernels = vec![
        kernel("fwd", 4, 1, false),
        kernel("loss", 4, 0, false),
        kernel("bwd", 5, 1, false),
        kernel("update", 3, 0, false),
    ];
    let dims = || vec![Dim::Const(n as i64)];
    let x = if begins { each(X, 32) } else { each(IN, 32) };
    let (w, dw) = (fixed(W, n * 32), fixed(DW, n * 32));
    let mut forward = vec![launch(0, vec![w, x, each(STASH, n * 32), fixed(OUT, 32)], vec![2, 3], 8, dims())];
    let back = vec![launch(2, vec![w, each(STASH, n * 32), fixed(G, 32), dw, fixed(GX, 32)], vec![3, 4], 8, dims())];
    if ends {
        let loss = vec![fixed(OUT, 32), each(Y, 32), fixed(LOSS, 4), fixed(G, 32)];
        forward.push(launch(1, loss, vec![2, 3], 1, vec![]));
    }
    let fill = |offset, bytes: u64, x| Instr::Fill {
        dst: fixed(offset, bytes),
        dtype: DType::F32,
        count: bytes / 4,
        value: Number::Float(x),
    };
    let mut instrs = vec![fill(DW, n * 32, 0.0), fill(LOSS, 4, 0.0), fill(RATE, 4, 0.02)];
    if begins && ends {
        instrs.push(Instr::Loop { trip: MICROBATCHES, body: [forward, back].concat() });
    } else {
        instrs.push(in_turns(&mut p, forward, back, begins));
    }
    let sum = |id, offset, count| {
        let kind = CollectiveKind::AllReduce { reduction: Reduction::Sum, count };
        collective(id, kind, &over, DType::F32, fixed(offset, count * 4), fixed(offset, count * 4))
    };
    instrs.push(sum(0, DW, n * 8));
    instrs.push(sum(1, LOSS, 1));
    instrs.push(launch(3, vec![w, fixed(V, n * 32), dw], vec![0, 1], n * 8, vec![]));
    p.instrs = instrs;
    fitted(p)
}

/// The actions of the first or the last stage, with what it sends and receives.
fn in_turns(p: &mut Program, mut forward: Vec<Instr>, mut back: Vec<Instr>, begins: bool) -> Instr {
    let wire = |name: &str, sends| Wire {
        name: name.into(),
        stage: u32::from(begins),
        sends,
        dtype: DType::F32,
        shape: vec![8],
        each: true,
    };
    let transfer = |wire, buf| Transfer { wire, buf };
    p.wires = vec![wire("there", begins), wire("back", !begins)];
    if begins {
        forward.push(Instr::Send(transfer(0, fixed(OUT, 32))));
        back.insert(0, Instr::Receive(transfer(1, fixed(G, 32))));
    } else {
        forward.insert(0, Instr::Receive(transfer(0, each(IN, 32))));
        back.push(Instr::Send(transfer(1, fixed(GX, 32))));
    }
    let turns: &[(u32, u64)] = match begins {
        true => &[(0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (0, 3), (1, 2), (1, 3)],
        false => &[(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3)],
    };
    let order = turns.iter().map(|&(action, microbatch)| Turn { action, microbatch }).collect();
    let name = |a: &str| format!("{}{a}", u8::from(!begins));
    let bodies = vec![Action { name: name("F"), body: forward }, Action { name: name("B"), body: back }];
    Instr::Actions(Box::new(Actions { microbatches: MICROBATCHES, bodies, order }))
}

/// On so many devices that all run the same.
pub fn alike(data: u32) -> EntryContents {
    entry(layers(&[("data", data)], 0, LAYERS, true, true), None)
}

/// On twice as many, in two stages. `inner`: the axis of the stages is the last of the mesh.
pub fn in_stages(data: u32, inner: bool) -> EntryContents {
    let mesh: Vec<(&str, u32)> =
        if inner { vec![("data", data), ("pipe", 2)] } else { vec![("pipe", 2), ("data", data)] };
    let mut whole = layers(&mesh, 0, LAYERS, true, true);
    (whole.arena_bytes, whole.scratch_bytes) = (0, 0);
    whole.ports.iter_mut().for_each(|p| p.offset = 0);
    (whole.kernels, whole.instrs) = (vec![], vec![]);
    let ranks = (0..2).map(|k| layers(&[("data", data)], 2 * k, 2, k == 0, k == 1)).collect();
    let schedule = "0F0,0F1,0B0,0F2,0B1,0F3,0B2,0B3\n1F0,1B0,1F1,1B1,1F2,1B2,1F3,1B3\n".into();
    entry(whole, Some(Pipeline { axis: u32::from(inner), schedule, ranks }))
}

fn entry(program: Program, pipeline: Option<Pipeline>) -> EntryContents {
    EntryContents { kind: EntryKind::Train, program, pipeline, plan: String::new(), certificate: String::new() }
}

pub fn bundle_of(entry: EntryContents) -> Bundle {
    Bundle::read(&with_kernels(entry, C)).unwrap_or_else(|e| panic!("{e}"))
}

/// A bundle with kernels from this text.
pub fn with_kernels(entry: EntryContents, c: &str) -> Vec<u8> {
    bytes_of(vec![entry], c)
}
