//! The Loom program of a launch: the model at its sizes, on the launcher's mesh, with one layout block `launched` that says what lies
//! where, as the stack runs it.
//!
//! Sizes stand in the text, so it can be planned by itself: `meshloom review --loom` prints it. What is between layers is pinned to
//! how the stack splits it; what each layer gathers and sums is left to the planner, which finds the stack's collectives.
//!
//! Experts are routed in groups, each expert with an even share of a group (`route`): what the stacks call a forced balance.

use super::launch::{LaunchFile, Places, Precision, Zero, places};
use super::model::{Experts, Model};
use std::fmt::Write;

/// A launch as a program, and the options that stand in no text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaunchProgram {
    pub text: String,
    /// A schedule and the stages of each rank, where there are stages.
    pub schedule: Option<(&'static str, u32)>,
    /// Layers of each stage.
    pub stages: Option<Vec<u64>>,
}

/// The layout block of a program.
pub const LAYOUT: &str = "launched";

/// A parameter for the layout block: its path, its dims, and which of them tensors and experts are split by.
struct Param {
    path: &'static str,
    dims: Vec<u64>,
    tensor: Option<usize>,
    expert: bool,
}

/// Axes of a launch that have more than one device.
struct Axes {
    batch: Vec<&'static str>,
    tokens: Vec<&'static str>,
    /// What lies in parts of tensors that all devices of the batch share, and of experts, with the number of devices.
    parts: (Vec<&'static str>, u64),
    expert_parts: (Vec<&'static str>, u64),
    experts: Vec<&'static str>,
    /// Of the batch, without those that share experts.
    groups: Vec<&'static str>,
    context: Vec<&'static str>,
}

fn axes(l: &LaunchFile, p: Places) -> Axes {
    let over = |all: &[(&'static str, u64)]| -> (Vec<&'static str>, u64) {
        let used = all.iter().filter(|a| a.1 > 1);
        (used.clone().map(|a| a.0).collect(), used.map(|a| a.1).product())
    };
    let (replica, data, expert) = (("replica", p.replica), ("data", p.data), ("expert", p.expert));
    let (ctx, model) = (("ctx", l.context), ("model", if l.sequence { l.tensor } else { 1 }));
    Axes {
        batch: over(&[replica, data, expert]).0,
        tokens: over(&[ctx, model]).0,
        parts: over(&[data, expert, ctx]),
        expert_parts: over(&[data, ctx]),
        experts: over(&[expert, ("model", if p.over_model { l.tensor } else { 1 })]).0,
        groups: over(&[replica, data]).0,
        context: over(&[ctx]).0,
    }
}

/// `_`, `data`, or `(replica, data)`.
fn shown(axes: &[&str]) -> String {
    match axes {
        [] => "_".into(),
        [one] => (*one).into(),
        many => format!("({})", many.join(", ")),
    }
}

/// The program of a launch. Its degrees fit each other, which `launch` checks.
pub fn program(l: &LaunchFile) -> LaunchProgram {
    let p = places(l).unwrap_or(Places { replica: l.replicate * l.shard, data: 1, expert: 1, over_model: false });
    let a = axes(l, p);
    let m = &l.model;
    let mesh = [
        ("pipe", l.pipe),
        ("replica", p.replica),
        ("data", p.data),
        ("expert", p.expert),
        ("ctx", l.context),
        ("model", l.tensor),
    ];
    let mut used: Vec<String> = mesh.iter().filter(|x| x.1 > 1).map(|(n, s)| format!("{n}: {s}")).collect();
    if used.is_empty() {
        used.push("data: 1".into());
    }
    let mut out = format!(
        "// {} as {} launches it: {} devices.\n\nmesh [{}]\n",
        m.name,
        l.stack.name(),
        l.devices,
        used.join(", ")
    );
    out += &sizes(l);
    out += &structs(m, l.pipe > 1);
    let functions = functions(l, &a);
    out += &if l.unfused { functions.replace(FUSED, UNFUSED) } else { functions };
    out += &layout(l, &a);
    let stages = l.pipe * l.each;
    LaunchProgram {
        text: out,
        schedule: (l.pipe > 1).then_some((l.schedule, l.each as u32)),
        stages: (l.pipe > 1).then(|| cut(m.layers, stages)),
    }
}

/// Layers of each stage: as many each, or where that cannot be, one less in the first and the last, which have embeddings and head.
fn cut(layers: u64, stages: u64) -> Vec<u64> {
    let each = layers.div_ceil(stages);
    let mut out = vec![each; stages as usize];
    let mut over = each * stages - layers;
    let n = out.len();
    // From both ends, and then inwards.
    for k in 0..n {
        let at = if k % 2 == 0 { n - 1 - k / 2 } else { k / 2 };
        if over > 0 && out[at] > 1 {
            out[at] -= 1;
            over -= 1;
        }
    }
    out
}

/// Tokens that are routed together: enough that each expert has an even share of at least two.
fn group(l: &LaunchFile, e: &Experts) -> u64 {
    let least = (2 * e.number).div_ceil(e.chosen.max(1)).max(64);
    let most = l.seq / (l.context * if l.sequence { l.tensor } else { 1 }).max(1);
    let mut group = 64;
    while group < least {
        group *= 2;
    }
    while group > 1 && (group > most || !most.is_multiple_of(group)) {
        group /= 2;
    }
    group.max(1)
}

fn sizes(l: &LaunchFile) -> String {
    let m = &l.model;
    let mut dims = vec![
        ("batch", l.batch),
        ("seq", l.seq),
        ("embed", m.embed),
        ("heads", m.heads),
        ("kv_heads", m.kv_heads),
        ("head", m.head),
        ("hidden", m.experts.as_ref().map_or(m.ffn, |e| e.ffn)),
        ("vocab", m.vocab),
    ];
    let mut consts = vec![("layers", m.layers), ("microbatches", l.batch / (l.micro * l.replicate * l.shard).max(1))];
    if let Some(e) = &m.experts {
        let group = group(l, e);
        dims.push(("experts", e.number));
        dims.extend((e.shared > 0).then_some(("shared", e.shared)));
        dims.extend([("parts", l.seq / group), ("group", group)]);
        consts.extend([("chosen", e.chosen), ("capacity", (e.chosen * group).div_ceil(e.number).max(1))]);
    }
    if let Some(x) = &m.latent {
        dims.extend((x.q_rank > 0).then_some(("q_rank", x.q_rank)));
        dims.extend([("kv_rank", x.kv_rank), ("turn", x.turn)]);
    }
    let list = |all: &[(&str, u64)]| all.iter().map(|(n, s)| format!("{n} = {s}")).collect::<Vec<_>>().join(", ");
    format!("dim {}\nconst {}\n\n", list(&dims), list(&consts))
}

fn structs(m: &Model, staged: bool) -> String {
    let norm = if m.gated { "RmsNorm" } else { "LayerNorm" };
    let mut out = format!("struct Block {{\n    norm1: {norm}[embed],\n");
    let mut field = |name: &str, dims: &str| _ = writeln!(out, "    {name}: f32[{dims}] = normal(0.02),");
    match &m.latent {
        Some(x) => {
            let from = if x.q_rank > 0 { "q_rank" } else { "embed" };
            if x.q_rank > 0 {
                field("q_down", "embed, q_rank");
            }
            field("q_up", &format!("{from}, heads, head"));
            field("q_turn", &format!("{from}, heads, turn"));
            field("kv_down", "embed, kv_rank");
            field("k_up", "kv_rank, heads, head");
            field("v_up", "kv_rank, heads, head");
            field("k_turn", "embed, turn");
        }
        None => {
            field("q", "embed, heads, head");
            field("k", "embed, kv_heads, head");
            field("v", "embed, kv_heads, head");
        }
    }
    field("out", "heads, head, embed");
    match &m.experts {
        Some(e) => {
            field("router", "embed, experts");
            if m.gated {
                field("gate", "experts, embed, hidden");
            }
            field("up", "experts, embed, hidden");
            field("down", "experts, hidden, embed");
            if e.shared > 0 {
                field("shared_gate", "embed, shared");
                field("shared_up", "embed, shared");
                field("shared_down", "shared, embed");
            }
        }
        None => {
            if m.gated {
                field("gate", "embed, hidden");
            }
            field("up", "embed, hidden");
            field("down", "hidden, embed");
        }
    }
    if let Some(x) = &m.latent {
        if x.q_rank > 0 {
            out += "    q_norm: RmsNorm[q_rank],\n";
        }
        out += "    kv_norm: RmsNorm[kv_rank],\n";
    }
    let pos = if m.gated { "" } else { "    pos: f32[seq, embed] = normal(0.02),\n" };
    let staged = if staged { " @ pipe" } else { "" };
    let _ = write!(
        out,
        "    norm2: {norm}[embed],\n}}\n\nstruct Net {{\n    tok: f32[vocab, embed] = normal(0.02),\n{pos}    blocks: [Block; \
         layers]{staged},\n    norm: {norm}[embed],\n    head: f32[embed, vocab] = normal(0.02),\n}}\n\n"
    );
    out
}

fn functions(l: &LaunchFile, a: &Axes) -> String {
    let m = &l.model;
    let norm = if m.gated { "rms_norm" } else { "layer_norm" };
    let (batch, tokens) = (shown(&a.batch), shown(&a.tokens));
    let mut out = attend(m, norm);
    let _ = write!(
        out,
        "fn between(x: f32[n, seq, embed]) -> f32[n, seq, embed] {{\n    x @ [{batch}, {tokens}, _]\n}}\n\n"
    );
    let act = |dot: &str| match m.gated {
        true => format!("swiglu({dot}gate), {dot}up))"),
        false => format!("gelu({dot}up))"),
    };
    match &m.experts {
        None => {
            let _ = write!(
                out,
                "fn behind(p: Block, h: f32[n, seq, embed]) -> f32[n, seq, embed] {{\n    dot({}, p.down)\n}}\n\n",
                act("dot(h, p.")
            );
        }
        Some(e) => {
            let at = format!("[{}, {}, {}, _, _]", shown(&a.experts), shown(&a.groups), shown(&a.context));
            out += ROUTE;
            let own = match e.shared {
                0 => "",
                _ => " + dot(swiglu(dot(h, p.shared_gate), dot(h, p.shared_up)), p.shared_down)",
            };
            let _ = write!(
                out,
                "fn behind(p: Block, h: f32[n, seq, embed]) -> f32[n, seq, embed] {{\n    let g = reshape(h, [n, parts, group, embed])\n    \
                 let (dispatch, combine) = route(softmax(dot(g, p.router)))\n    let inputs = einsum(\"bgsec,bgsm->ebgcm\", dispatch, g) @ \
                 {at}\n    let a = {}\n    let outputs = einsum(\"ebgch,ehm->ebgcm\", a, p.down) @ {at}\n    let y = \
                 einsum(\"bgsec,ebgcm->bgsm\", combine, outputs)\n    reshape(y, [n, seq, embed]){own}\n}}\n\n",
                act("einsum(\"ebgcm,emh->ebgch\", inputs, p.")
            );
        }
    }
    let pos = if m.gated { "" } else { " + m.pos" };
    let inputs = format!("@ [{batch}, {}]", shown(&a.context));
    let precision = match l.precision {
        Precision::Fp32 => String::new(),
        p => format!(" precision: {},", p.name()),
    };
    let _ = write!(
        out,
        "fn block(p: Block, x: f32[n, seq, embed]) -> f32[n, seq, embed] {{\n    let x = between(x + attend(p, {norm}(x, p.norm1)))\n    \
         between(x + behind(p, {norm}(x, p.norm2)))\n}}\n\nfn loss(\n    m: Net,\n    tokens: i32[batch, seq] in 0..vocab {inputs},\n    \
         targets: i32[batch, seq] in 0..vocab {inputs},\n) -> f32 {{\n    let x = between(embedding(m.tok, tokens){pos})\n    for p in m.blocks \
         {{\n        x = block(p, x)\n    }}\n    mean(cross_entropy(dot({norm}(x, m.norm), m.head), targets))\n}}\n\ntrain step = adamw(loss, \
         lr: 1e-4, betas: (0.9, 0.95), weight_decay: 0.1, clip: 1.0,{precision} accumulate: microbatches)\n\n"
    );
    out
}

/// Each token to the `chosen` experts that are most probable; an expert takes `capacity` of a group.
const ROUTE: &str = "fn route(p: f32[n, parts, group, experts]) {
    let (best, _) = top_k(stop_gradient(p), chosen)
    let taken = (p >= min(best, -1, keep: true)) as f32
    let before = (expand(iota(group), -1) > iota(group)) as f32
    let place = einsum(\"st,bgte->bgse\", before, taken)
    let slot = iota(capacity) as f32
    let dispatch = select(expand(place, -1) == slot, expand(taken, -1), 0)
    let share = p / sum(p * taken, -1, keep: true)
    (dispatch, dispatch * expand(share, -1))
}

";

const FUSED: &str = "    let a = attention(q, k, v, causal: true)\n";
/// Attention whose scores are written to memory.
const UNFUSED: &str = "    let scores = einsum(\"bhsd,bhtd->bhst\", q, k) * (1 / sqrt(head))
    let scores = select(expand(iota(seq), -1) >= iota(seq), scores, -1e9)
    let a = einsum(\"bhst,bhtd->bhsd\", softmax(scores), v)\n";

fn attend(m: &Model, norm: &str) -> String {
    let mut out = String::from("fn attend(p: Block, h: f32[n, seq, embed]) -> f32[n, seq, embed] {\n");
    match &m.latent {
        Some(x) => {
            let from = if x.q_rank > 0 {
                out += "    let narrow = rms_norm(dot(h, p.q_down), p.q_norm)\n";
                "narrow"
            } else {
                "h"
            };
            let _ = write!(
                out,
                "    let q = einsum(\"bsr,rhd->bhsd\", {from}, p.q_up)\n    let q_turn = einsum(\"bsr,rhd->bhsd\", {from}, p.q_turn)\n    let \
                 latent = rms_norm(dot(h, p.kv_down), p.kv_norm)\n    let shared = expand(dot(h, p.k_turn), 1)\n    let a = latent_attention(q, \
                 q_turn, latent, shared, p.k_up, p.v_up, causal: true)\n"
            );
        }
        None => {
            let turned = |x: &str| if norm == "rms_norm" { format!("rope({x})") } else { x.to_owned() };
            let _ = write!(
                out,
                "    let q = {}\n    let k = {}\n    let v = einsum(\"bse,ehd->bhsd\", h, p.v)\n    let a = attention(q, k, v, causal: true)\n",
                turned("einsum(\"bse,ehd->bhsd\", h, p.q)"),
                turned("einsum(\"bse,ehd->bhsd\", h, p.k)")
            );
        }
    }
    out + "    einsum(\"bhsd,hde->bse\", a, p.out)\n}\n\n"
}

/// The parameters that are large enough to be split.
fn params(m: &Model) -> Vec<Param> {
    let (e, h, kv, d) = (m.embed, m.heads, m.kv_heads, m.head);
    let p = |path, dims: &[u64], tensor| Param { path, dims: dims.to_vec(), tensor, expert: false };
    let mut out = match &m.latent {
        Some(x) => {
            let from = if x.q_rank > 0 { x.q_rank } else { e };
            let mut all = vec![
                p("blocks.*.q_up", &[from, h, d], Some(1)),
                p("blocks.*.q_turn", &[from, h, x.turn], Some(1)),
                p("blocks.*.kv_down", &[e, x.kv_rank], None),
                p("blocks.*.k_up", &[x.kv_rank, h, d], Some(1)),
                p("blocks.*.v_up", &[x.kv_rank, h, d], Some(1)),
                p("blocks.*.k_turn", &[e, x.turn], None),
            ];
            all.extend((x.q_rank > 0).then(|| p("blocks.*.q_down", &[e, x.q_rank], None)));
            all
        }
        None => vec![
            p("blocks.*.q", &[e, h, d], Some(1)),
            p("blocks.*.k", &[e, kv, d], Some(1)),
            p("blocks.*.v", &[e, kv, d], Some(1)),
        ],
    };
    out.push(p("blocks.*.out", &[h, d, e], Some(0)));
    let (names, ffn) = (if m.gated { &["gate", "up", "down"][..] } else { &["up", "down"] }, m.ffn);
    for name in names {
        let (path, down) = match *name {
            "gate" => ("blocks.*.gate", false),
            "up" => ("blocks.*.up", false),
            _ => ("blocks.*.down", true),
        };
        out.push(match (&m.experts, down) {
            (Some(x), false) => Param { path, dims: vec![x.number, e, x.ffn], tensor: None, expert: true },
            (Some(x), true) => Param { path, dims: vec![x.number, x.ffn, e], tensor: None, expert: true },
            (None, false) => p(path, &[e, ffn], Some(1)),
            (None, true) => p(path, &[ffn, e], Some(0)),
        });
    }
    if let Some(x) = m.experts.as_ref().filter(|x| x.shared > 0) {
        out.push(p("blocks.*.shared_gate", &[e, x.shared], Some(1)));
        out.push(p("blocks.*.shared_up", &[e, x.shared], Some(1)));
        out.push(p("blocks.*.shared_down", &[x.shared, e], Some(0)));
    }
    out.push(p("tok", &[m.vocab, e], Some(0)));
    out.push(p("head", &[e, m.vocab], Some(1)));
    out
}

fn layout(l: &LaunchFile, a: &Axes) -> String {
    let mut out = format!("layout {LAYOUT} {{\n    params *: _\n    state *: like params\n");
    for p in params(&l.model) {
        let whole = split(l, a, &p, false);
        let parts = split(l, a, &p, true);
        let own = if l.zero == Zero::Parameters { &parts } else { &whole };
        let _ = writeln!(out, "    params {}: [{}]", p.path, own.join(", "));
        if l.zero == Zero::State && parts != whole {
            let _ = writeln!(out, "    state {}: [{}]", p.path, parts.join(", "));
        }
    }
    out + "}\n"
}

/// The axes of each dim of a parameter, with or without those of the batch.
fn split(l: &LaunchFile, a: &Axes, p: &Param, parts: bool) -> Vec<String> {
    let mut dims: Vec<Vec<&str>> = vec![Vec::new(); p.dims.len()];
    if p.expert {
        dims[0].extend(&a.experts);
    }
    let tensor = p.tensor.filter(|d| l.tensor > 1 && p.dims[*d].is_multiple_of(l.tensor));
    if let Some(d) = tensor {
        dims[d].push("model");
    }
    let (axes, n) = if p.expert { &a.expert_parts } else { &a.parts };
    if parts && *n > 1 {
        let free = (0..p.dims.len()).filter(|d| dims[*d].is_empty() && p.dims[*d].is_multiple_of(*n));
        let shared = tensor.filter(|d| p.dims[*d].is_multiple_of(l.tensor * n));
        if let Some(d) = free.max_by_key(|d| p.dims[*d]).or(shared) {
            dims[d].extend(axes);
        }
    }
    dims.iter().map(|axes| shown(axes)).collect()
}
