"""Train programs in Loom by seed: a small language model, and how it is trained, laid out, cut into stages and run.

Everything is drawn that should not change numbers (mesh, layout, schedule, recomputation, offload, budget, way to plan) and everything
that changes them on all meshes alike (attention's form, experts, optimizer, precision). `train.py` runs what comes out of here.
"""

import dataclasses
import random

SCHEDULES = ("gpipe", "1f1b", "zb-h1", "zb-h2", "search")
# With two stages for each rank, so with as many layers.
TWICE = ("interleaved", "breadth-first", "zb-v", "dualpipe-v")
OPTIMIZERS = {
    "sgd": "lr: 0.1",
    "momentum": "lr: 0.05",
    "adam": "lr: 0.01",
    "adamw": "lr: warmup_cosine(peak: 0.01, warmup: 2, total: 10), weight_decay: 0.1",
    "lion": "lr: 0.001",
    "lamb": "lr: 0.01",
    "lars": "lr: 0.1",
    "adafactor": "lr: 0.01",
    "rmsprop": "lr: 0.003",
    "adagrad": "lr: 0.01",
    "muon": "lr: 0.01, adam_lr: 0.01",
}


@dataclasses.dataclass
class Drawn:
    """A program and how it is run.

    Attributes:
        text: the source, with a mesh of one device.
        mesh: sizes of axes, as `--mesh` takes them.
        options: of `meshloom run` on that mesh alone.
        common: of every run: precision, steps.
        tolerance: how far losses on the mesh may be from those of one device, relative to the larger of them and 1.
        resumed: after which of the four steps the run on the mesh is saved and resumed on another one; 0 for never.
        again: that other mesh.
    """

    text: str
    mesh: str
    options: list
    common: list
    tolerance: float
    resumed: int
    again: str


def draw(seed):
    r = random.Random(f"train {seed}")
    batch, seq = r.choice((4, 6, 8, 12)), r.choice((2, 4, 5, 8))
    heads, head = r.choice((1, 2, 4)), r.choice((2, 4, 6))
    kv = r.choice([k for k in (1, 2, 4) if heads % k == 0])
    d, ff, vocab = r.choice((6, 8, 12)), r.choice((4, 8, 10)), r.choice((16, 21, 32))
    layers, experts = r.choice((1, 2, 3, 4)), r.choice((2, 3, 4))
    pre = r.choice((0, 0, 0, 1, 3))
    with_experts, capacity = r.random() < 0.35, r.choice((3, batch * seq))
    rope, norm, dropout = r.random() < 0.5, r.random() < 0.7, r.random() < 0.3
    causal, window, segments = r.random() < 0.6, r.choice((0, 0, 0, 3)), r.random() < 0.15 and pre == 0
    masked, tied, sequence = r.random() < 0.2, r.random() < 0.2, r.random() < 0.4
    precision = r.choice(("f64", "f64", "f64", "f32", "bf16", "f16", "fp8"))
    accumulate = r.choice([k for k in (1, 1, 2, 3, 4, 6) if batch % k == 0])
    mesh, axes = _mesh(r, layers)
    pipe = axes["pipe"]
    optimizer = r.choice(list(OPTIMIZERS))
    loop = r.choice(("", "", ", recompute: full", ", recompute: none"))
    settings = [OPTIMIZERS[optimizer]]
    if accumulate > 1:
        settings.append(f"accumulate: {accumulate}")
    if r.random() < 0.3:
        settings.append("clip: 0.5")
    if r.random() < 0.15:
        settings.append("ema: 0.9")
    if precision in ("bf16", "f16", "fp8"):
        settings.append(f"precision: {precision}")
        if precision == "f16":
            settings.append(r.choice(("loss_scale: 512", "loss_scale: dynamic")))
    fields, qkv = _attention(rope, pre, causal, window, segments)
    mlp = _fields("up: f32[d, ff]", "gate: f32[d, ff]", "down: f32[ff, d]") + "    bias: f32[d] = zeros,\n"
    forward = "let y = dot(silu(dot(h, p.gate)) * dot(h, p.up), p.down) + p.bias"
    if with_experts:
        mlp, limit = "    moe: Experts,\n", f", capacity: {capacity}"
        forward = f"let (y, uneven) = moe(h, p.moe, k: 2{limit})"
    logits = 'einsum("bsd,vd->bsv", h, m.tok)' if tied else "dot(h, m.head)"
    text = f"""// Drawn by seed {seed}.
mesh [pipe: 1, data: 1, model: 1, ctx: 1, expert: 1]
dim batch = {batch}, seq = {seq}, d = {d}, heads = {heads}, kv = {kv}, head = {head}, ff = {ff}, vocab = {vocab}, experts = {experts}
dim pre = {max(pre, 1)}, keys = {seq + pre}
const layers = {layers}
{_experts() if with_experts else ""}struct Block {{
    norm1: RmsNorm[d],
    q: f32[d, heads, head] = normal(0.3),
    k: f32[d, kv, head] = normal(0.3),
    v: f32[d, kv, head] = normal(0.3),
    out: f32[heads, head, d] = normal(0.3),
    norm2: RmsNorm[d],
{fields}{mlp}}}
struct Net {{
    tok: f32[vocab, d] = normal(0.5),
    blocks: [Block; layers] @ pipe,
    norm: RmsNorm[d],
{"" if tied else "    head: f32[d, vocab] = normal(0.3),"}
}}
fn block(p: Block, x: f32[batch, seq, d]{", segs: i32[batch, seq]" if segments else ""}) -> (f32[batch, seq, d], f32) {{
    let h = {"rms_norm(x, p.norm1)" if norm else "x"}
{qkv}    let o = einsum("bhsd,hde->bse", a, p.out)
    let x = x + {"dropout(o, 0.1)" if dropout else "o"}
{"    let x = x @ [data, ctx, _]" if sequence else ""}
    let h = {"rms_norm(x, p.norm2)" if norm else "x"}
    {forward}
    (x + y, {"uneven" if with_experts else "0.0 * sum(y)"})
}}
fn loss(m: Net, tokens: i32[batch, seq] in 0..vocab @ [data, {"ctx" if sequence else "_"}], targets: i32[batch, seq] in 0..vocab @ [data, {"ctx" if sequence else "_"}]) -> f32 {{
    let x = embedding(m.tok, tokens)
    let bal: f32 = 0
    for p in m.blocks{loop} {{
        let (y, u) = block(p, x{", tokens / 8" if segments else ""})
        x = y
        bal = bal + u
    }}
    let h = {"rms_norm(x, m.norm)" if norm else "x"}
    let logits = {logits}
    let each = cross_entropy(logits, targets)
    {"mean(select(targets > 3, each, 0.0))" if masked else "mean(each)"} + 0.01 * bal / layers
}}
train net = {optimizer}(loss, {", ".join(settings)})
layout dp {{ params *: _ }}
layout zero1 {{
    params *: _
    state *: largest(data)
}}
layout fsdp {{
    params *: largest(data)
    state *: like params
}}
layout fsdp2 {{
    params *: largest(ctx)
    params blocks.*.q: largest(data)
    state *: largest(model)
}}
layout megatron {{
    params blocks.*.q: [_, model, _]
    params blocks.*.k: [_, model, _]
    params blocks.*.v: [_, model, _]
    params blocks.*.out: [model, _, _]
    params tok: [model, _]
    state *: like params
}}
"""
    options = ["--mesh", mesh]
    layout = r.choice(("", "dp", "zero1", "fsdp", "fsdp2", "megatron"))
    options += ["--layout", layout] if layout else []
    options += ["--plan", "follow"] if r.random() < 0.3 else []
    if pipe > 1:
        options += ["--schedule", r.choice(SCHEDULES + (TWICE if layers >= 2 * pipe else ()))]
    options += r.choice(([], [], [], ["--recompute", "full"], ["--recompute", "none"], ["--offload", "state"], ["--offload", "stashes"], ["--ring", "ctx"]))
    if "--ring" in options and axes["ctx"] == 1:
        options = options[:-2]
    common = {"f64": ["--float", "f64"]}.get(precision, [])
    tolerance = {"f64": 1e-9, "f32": 2e-4, "bf16": 0.02, "f16": 0.01, "fp8": 0.08}[precision]
    again, _ = _mesh(r, layers)
    return Drawn(text, mesh, options, common, tolerance, r.choice((0, 0, 1, 2, 3)), again)


def _mesh(r, layers):
    """Up to eight devices over five axes, and the sizes by name."""
    while True:
        axes = {"pipe": r.choice((1, 1, 1, 2, 2, 4)), "data": r.choice((1, 2, 2, 3, 4)), "model": r.choice((1, 1, 2, 3))}
        axes |= {"ctx": r.choice((1, 1, 2, 3)), "expert": r.choice((1, 1, 1, 2))}
        devices = 1
        for n in axes.values():
            devices *= n
        if 1 < devices <= 8 and axes["pipe"] <= layers:
            return ",".join(f"{a}={n}" for a, n in axes.items()), axes


def _experts():
    return """struct Experts {
    router: f32[d, experts] = normal(0.3),
    gate: f32[experts, d, ff] @ [expert, _, _] = normal(0.3),
    up: f32[experts, d, ff] @ [expert, _, _] = normal(0.3),
    down: f32[experts, ff, d] @ [expert, _, _] = normal(0.3),
}
"""


def _fields(*declared):
    return "".join(f"    {field} = normal(0.3),\n" for field in declared)


def _attention(rope, pre, causal, window, segments):
    """Fields of a block that attention needs, and the lines from `h` to `a`."""
    turn = (lambda x: f"rope({x})") if rope else (lambda x: x)
    project = 'einsum("bse,ehd->bhsd", h, p.'
    lines = [f"let {x} = " + turn(f"{project}{x})") for x in "qk"] + [f"let v = {project}v)"]
    fields = ""
    if pre:
        fields = _fields("pk: f32[kv, pre, head]", "pv: f32[kv, pre, head]")
        lines += [f"let {x} = concat([broadcast(expand(p.p{x}, 0), [batch, kv, pre, head]), {x}], 2)" for x in "kv"]
    more = [f"causal: {'true' if causal and not pre else 'false'}"]
    more += [f"window: {window}"] if window else []
    more += ["segments: segs"] if segments else []
    lines.append(f"let a = attention(q, k, v, {', '.join(more)})")
    return fields, "".join(f"    {line}\n" for line in lines)
