"""What scripts/gpu compares ops and GPT-2 medium with: PyTorch and JAX, on the GPU where there is one.

  peer.py torch|jax ops [--seconds 2] [--small]
  peer.py torch|jax gpt2_medium [--batch 8] [--steps 20] [--seconds 4] [--small]

Prints one JSON object: milliseconds of each op or of a step (medians). `--small` shrinks all sizes, to try this file on a CPU. GPT-2 medium is the
one of examples/gpt2.loom: 24 layers, d 1024, 16 heads, 1024 tokens, vocabulary 50304, bf16 over f32 parameters, AdamW with clipping."""
import argparse, json, math, statistics, time

p = argparse.ArgumentParser()
p.add_argument("peer", choices=["torch", "jax"])
p.add_argument("work", choices=["ops", "gpt2_medium"])
p.add_argument("--batch", type=int, default=8)
p.add_argument("--steps", type=int, default=20)
p.add_argument("--seconds", type=float, default=2.0, help="how long each is measured: as long as Meshloom is, since a card that is warm is slower")
p.add_argument("--small", action="store_true")
a = p.parse_args()
N, ROWS, COLS, ATTENTION = (64, 64, 64, (1, 2, 64, 32)) if a.small else (8192, 65536, 4096, (4, 16, 4096, 128))
LAYERS, D, HEADS, SEQ, VOCAB = (2, 64, 2, 32, 256) if a.small else (24, 1024, 16, 1024, 50304)
LR, BETAS, DECAY, CLIP = 6e-4, (0.9, 0.95), 0.1, 1.0


def median_ms(f, wait, n):
    """Of batches of calls, so that what a call costs the host is hidden, as it is within a step."""
    for _ in range(3):
        f()
    wait()
    start = time.perf_counter()
    for _ in range(n):
        f()
    wait()
    n = max(n, int(n * a.seconds / 7 / (time.perf_counter() - start)))
    times = []
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(n):
            f()
        wait()
        times.append((time.perf_counter() - start) * 1e3 / n)
    return statistics.median(times)


def torch_ops():
    import torch, torch.nn.functional as F
    cuda = torch.cuda.is_available()
    dev, wait = ("cuda", torch.cuda.synchronize) if cuda else ("cpu", lambda: None)
    r = lambda *s, t=torch.float32: torch.randn(*s, device=dev, dtype=t)
    x, y, g, b = r(ROWS, COLS), r(ROWS, COLS), r(COLS), r(COLS)
    out = torch.empty_like(x)
    A, B = r(N, N, t=torch.bfloat16), r(N, N, t=torch.bfloat16)
    torch.set_float32_matmul_precision("high")  # tf32, for the one matmul in f32.
    C, E = r(N, N), r(N, N)
    q, k, v = (r(*ATTENTION, t=torch.bfloat16).requires_grad_() for _ in "qkv")
    w = r(*ATTENTION, t=torch.bfloat16)

    def back():
        F.scaled_dot_product_attention(q, k, v, is_causal=True).backward(w)
        q.grad = k.grad = v.grad = None

    def forward():
        with torch.no_grad():
            F.scaled_dot_product_attention(q, k, v, is_causal=True)

    def fastest(f):
        """Of the implementations that PyTorch has for this device, some of which it never chooses itself."""
        from torch.nn.attention import SDPBackend, sdpa_kernel
        times = []
        for backend in (SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION):
            try:
                with sdpa_kernel(backend):
                    times.append(median_ms(f, wait, a.steps))
            except RuntimeError:
                pass  # Not for this device, these types or this PyTorch.
        return min(times, default=None) or median_ms(f, wait, a.steps)

    compiled = lambda f: torch.compile(f) if cuda else f
    gelu = compiled(lambda x, y: F.gelu(x, approximate="tanh") * y + x)
    soft, norm = compiled(lambda x: torch.softmax(x, -1)), compiled(lambda x: F.layer_norm(x, (COLS,), g, b))
    all = {"copy": lambda: out.copy_(x), "gelu_chain": lambda: gelu(x, y), "softmax_rows": lambda: soft(x), "layer_norm_rows": lambda: norm(x),
           "matmul": lambda: A @ B, "matmul_tf32": lambda: C @ E}
    times = {name: median_ms(f, wait, a.steps) for name, f in all.items()}
    return {**times, "attend": fastest(forward), "attend_and_back": fastest(back)}


def jax_attention():
    """cuDNN's where it runs: unless it is told, JAX takes XLA's, which writes all scores to memory."""
    import jax, jax.numpy as jnp
    of = lambda implementation: lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True, implementation=implementation)
    if jax.default_backend() == "gpu":
        try:
            x = jnp.zeros((1, 128, 2, 64), jnp.bfloat16)
            jax.block_until_ready(jax.jit(jax.grad(lambda q: of("cudnn")(q, x, x).astype(jnp.float32).sum()))(x))
            return of("cudnn")
        except Exception:  # Whatever it is that keeps it from running, there is another one.
            pass
    return of("xla")


def jax_ops():
    import jax, jax.numpy as jnp
    keys = iter(jax.random.split(jax.random.key(0), 12))
    r = lambda *s, t=jnp.float32: jax.random.normal(next(keys), s, t)
    x, y, g, b = r(ROWS, COLS), r(ROWS, COLS), r(COLS), r(COLS)
    A, B = r(N, N, t=jnp.bfloat16), r(N, N, t=jnp.bfloat16)
    n, h, s, d = ATTENTION
    C, E = r(N, N), r(N, N)
    q, k, v, w = (r(n, s, h, d, t=jnp.bfloat16) for _ in "qkvw")

    def norm(x):
        c = x - x.mean(-1, keepdims=True)
        return c * jax.lax.rsqrt((c * c).mean(-1, keepdims=True) + 1e-5) * g + b

    attend = jax_attention()
    back = jax.grad(lambda q, k, v: (attend(q, k, v) * w).astype(jnp.float32).sum(), (0, 1, 2))
    all = {"gelu_chain": (lambda x, y: jax.nn.gelu(x) * y + x, (x, y)), "softmax_rows": (lambda x: jax.nn.softmax(x, -1), (x,)),
           "layer_norm_rows": (norm, (x,)), "matmul": (lambda a, b: a @ b, (A, B)),
           "matmul_tf32": (lambda a, b: jnp.matmul(a, b, precision="tensorfloat32"), (C, E)), "attend": (attend, (q, k, v)), "attend_and_back": (back, (q, k, v))}
    out = {}
    for name, (f, args) in all.items():
        f, last = jax.jit(f), [None]
        def call(f=f, args=args):
            last[0] = f(*args)
        out[name] = median_ms(call, lambda: jax.block_until_ready(last[0]), a.steps)
    return out


def torch_gpt2():
    import torch, torch.nn as nn, torch.nn.functional as F
    cuda = torch.cuda.is_available()
    dev = "cuda" if cuda else "cpu"
    torch.set_float32_matmul_precision("high")

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.n1, self.n2 = nn.LayerNorm(D), nn.LayerNorm(D)
            self.qkv, self.out, self.up, self.down = nn.Linear(D, 3 * D), nn.Linear(D, D), nn.Linear(D, 4 * D), nn.Linear(4 * D, D)

        def forward(self, x):
            n, s, _ = x.shape
            q, k, v = (t.view(n, s, HEADS, D // HEADS).transpose(1, 2) for t in self.qkv(self.n1(x)).split(D, 2))
            x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(n, s, D))
            return x + self.down(F.gelu(self.up(self.n2(x)), approximate="tanh"))

    class Gpt(nn.Module):
        def __init__(self):
            super().__init__()
            self.tok, self.pos, self.norm = nn.Embedding(VOCAB, D), nn.Embedding(SEQ, D), nn.LayerNorm(D)
            self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))

        def forward(self, t, y):
            x = self.tok(t) + self.pos.weight
            for b in self.blocks:
                x = b(x)
            return F.cross_entropy((self.norm(x) @ self.tok.weight.t()).float().view(-1, VOCAB), y.view(-1))

    model = Gpt().to(dev)
    loss = torch.compile(model) if cuda else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=LR, betas=BETAS, weight_decay=DECAY, fused=cuda)
    t, y = (torch.randint(VOCAB, (a.batch, SEQ), device=dev) for _ in "ty")

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(dev, torch.bfloat16):
            l = loss(t, y)
        l.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()

    return {"step": median_ms(step, torch.cuda.synchronize if cuda else (lambda: None), max(a.steps // 7, 1))}


def jax_gpt2():
    import jax, jax.numpy as jnp
    key = jax.random.key(0)
    shapes = {"n1": (D,), "n1b": (D,), "qkv": (D, 3 * D), "qkvb": (3 * D,), "out": (D, D), "outb": (D,), "n2": (D,), "n2b": (D,), "up": (D, 4 * D),
              "upb": (4 * D,), "down": (4 * D, D), "downb": (D,)}
    normal = lambda s: 0.02 * jax.random.normal(key, s, jnp.float32)
    params = {"tok": normal((VOCAB, D)), "pos": normal((SEQ, D)), "n": jnp.ones(D), "nb": jnp.zeros(D),
              "blocks": {k: normal((LAYERS, *s)) if len(s) > 1 else jnp.full((LAYERS, *s), float(k in ("n1", "n2"))) for k, s in shapes.items()}}
    low, attend = lambda x: x.astype(jnp.bfloat16), jax_attention()

    def norm(x, g, b):
        x = x.astype(jnp.float32)
        c = x - x.mean(-1, keepdims=True)
        return low(c * jax.lax.rsqrt((c * c).mean(-1, keepdims=True) + 1e-5) * g + b)

    def block(x, w):
        n, s, _ = x.shape
        dense = lambda x, k: x @ low(w[k]) + low(w[k + "b"])
        q, k, v = (t.reshape(n, s, HEADS, D // HEADS) for t in jnp.split(dense(norm(x, w["n1"], w["n1b"]), "qkv"), 3, -1))
        x = x + dense(attend(q, k, v).reshape(n, s, D), "out")
        return x + dense(jax.nn.gelu(dense(norm(x, w["n2"], w["n2b"]), "up")), "down"), None

    def loss(p, t, y):
        x, _ = jax.lax.scan(block, low(p["tok"][t] + p["pos"]), p["blocks"])
        z = (norm(x, p["n"], p["nb"]) @ low(p["tok"]).T).astype(jnp.float32)
        return jnp.mean(jax.nn.logsumexp(z, -1) - jnp.take_along_axis(z, y[..., None], -1)[..., 0])

    def step(state, t, y):
        p, m, v, i = state
        g = jax.grad(loss)(p, t, y)
        size = jnp.sqrt(sum(jnp.sum(x * x) for x in jax.tree.leaves(g)))
        g = jax.tree.map(lambda x: x * jnp.minimum(1.0, CLIP / size), g)
        i = i + 1
        m = jax.tree.map(lambda m, g: BETAS[0] * m + (1 - BETAS[0]) * g, m, g)
        v = jax.tree.map(lambda v, g: BETAS[1] * v + (1 - BETAS[1]) * g * g, v, g)
        new = lambda p, m, v: p - LR * (m / (1 - BETAS[0] ** i) / (jnp.sqrt(v / (1 - BETAS[1] ** i)) + 1e-8) + DECAY * p)
        return jax.tree.map(new, p, m, v), m, v, i

    zeros = jax.tree.map(jnp.zeros_like, params)
    state = [(params, zeros, jax.tree.map(jnp.copy, zeros), jnp.float32(0))]
    t, y = (jax.random.randint(jax.random.key(k), (a.batch, SEQ), 0, VOCAB) for k in (1, 2))
    compiled = jax.jit(step, donate_argnums=0)

    def call():
        state[0] = compiled(state[0], t, y)

    return {"step": median_ms(call, lambda: jax.block_until_ready(state[0]), max(a.steps // 7, 1))}


print(json.dumps({("torch", "ops"): torch_ops, ("jax", "ops"): jax_ops, ("torch", "gpt2_medium"): torch_gpt2, ("jax", "gpt2_medium"): jax_gpt2}[a.peer, a.work]()))
