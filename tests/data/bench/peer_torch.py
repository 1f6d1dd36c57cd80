"""The PyTorch peer: the same f32 train steps as peer_jax.py, compiled by torch.compile. Needs: torch, numpy

  peer_torch.py gpt_small|gpt_tiny|mlp [--steps N]

Runs on the GPU where there is one. Prints one JSON line: compile seconds, step milliseconds (min, median), losses."""
import argparse, json, math, os, statistics, sys, time

ap = argparse.ArgumentParser()
ap.add_argument("work")
ap.add_argument("--steps", type=int, default=9)
a = ap.parse_args()
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "..", "oracles")]
import numpy as np, torch, det
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cuda.matmul.allow_tf32 = False
LIN = 0.02 * math.sqrt(3)
GPT = {"gpt_tiny": (2, 64, 4, 32, 8, 256), "gpt_small": (4, 256, 8, 128, 8, 1024)}


def tensor(x):
    return torch.tensor(x, device=device)


def gpt(name):
    layers, d, heads, seq, batch, vocab = GPT[name]
    shapes = {"ln1_g": (d,), "ln1_b": (d,), "wq": (d, d), "bq": (d,), "wk": (d, d), "bk": (d,), "wv": (d, d), "bv": (d,), "wo": (d, d), "bo": (d,),
              "ln2_g": (d,), "ln2_b": (d,), "w1": (d, 4 * d), "b1": (4 * d,), "w2": (4 * d, d), "b2": (d,)}

    def init(path, shape):
        last = path.split("/")[-1]
        if last.endswith("_g"):
            return tensor(np.ones(shape, np.float32))
        return tensor(np.zeros(shape, np.float32) if len(shape) == 1 else det.uniform(f"{name}/{path}", shape, LIN))

    p = {"wte": init("wte", (vocab, d)), "wpe": init("wpe", (seq, d)), "lnf_g": init("lnf_g", (d,)), "lnf_b": init("lnf_b", (d,)), "head": init("head", (d, vocab))}
    p.update({f"h{i}/{k}": init(f"h{i}/{k}", s) for i in range(layers) for k, s in shapes.items()})
    t = det.tokens(f"{name}/tokens", (batch, seq + 1), vocab).astype(np.int64)
    x, y = tensor(t[:, :-1]), tensor(t[:, 1:])

    def loss():
        h = p["wte"][x] + p["wpe"]
        for i in range(layers):
            q = lambda k: p[f"h{i}/{k}"]
            n = F.layer_norm(h, (d,), q("ln1_g"), q("ln1_b"))
            split = lambda k: (n @ q(f"w{k}") + q(f"b{k}")).view(batch, seq, heads, d // heads).transpose(1, 2)
            o = F.scaled_dot_product_attention(split("q"), split("k"), split("v"), is_causal=True)
            h = h + o.transpose(1, 2).reshape(batch, seq, d) @ q("wo") + q("bo")
            n = F.layer_norm(h, (d,), q("ln2_g"), q("ln2_b"))
            h = h + F.gelu(n @ q("w1") + q("b1"), approximate="tanh") @ q("w2") + q("b2")
        z = F.layer_norm(h, (d,), p["lnf_g"], p["lnf_b"]) @ p["head"]
        return F.cross_entropy(z.reshape(-1, vocab), y.reshape(-1))

    params = [v.requires_grad_() for v in p.values()]
    return loss, torch.optim.AdamW(params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01, fused=device == "cuda")


def mlp():
    p = [tensor(det.uniform("mlp/w1", (128, 512), math.sqrt(3 / 128))), tensor(np.zeros(512, np.float32)),
         tensor(det.uniform("mlp/w2", (512, 64), math.sqrt(3 / 512))), tensor(np.zeros(64, np.float32))]
    x, y = tensor(det.uniform("mlp/x", (64, 128), 1.0)), tensor(det.uniform("mlp/y", (64, 64), 1.0))
    [v.requires_grad_() for v in p]
    return lambda: ((F.relu(x @ p[0] + p[1]) @ p[2] + p[3] - y) ** 2).mean(), torch.optim.SGD(p, lr=0.05)


loss, optimizer = mlp() if a.work == "mlp" else gpt(a.work)
compiled, losses = torch.compile(loss), []


def step():
    optimizer.zero_grad(set_to_none=True)
    l = compiled()
    l.backward()
    optimizer.step()
    losses.append(float(l.detach()))


start = time.perf_counter()
step()
compile_s = time.perf_counter() - start
step()
times = []
for _ in range(a.steps):
    start = time.perf_counter()
    step()
    if device == "cuda":
        torch.cuda.synchronize()
    times.append((time.perf_counter() - start) * 1e3)
print(json.dumps({"work": a.work, "device": device, "compile_s": compile_s, "step_ms": {"min": min(times), "median": statistics.median(times)}, "losses": losses[:5]}))
