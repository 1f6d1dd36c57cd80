"""What is packed and run: programs with the oracles' losses, ops, GPT-2 medium; their sizes, meshes and aims."""
import math

LINEAR = 0.02 * math.sqrt(3)


def gpt(work, seq, vocab):
    """Values by the formula that the oracles were made with (tests/data/oracles/det.py)."""
    inputs = [f"{p}=det:uniform:{work}/{p}:{LINEAR!r}" for p in ("wte", "wpe", "head")]
    inputs += [f"blocks.*.{p}=det:uniform:{work}/h*/{p}:{LINEAR!r}" for p in ("wq", "wk", "wv", "wo", "w1", "w2")]
    return inputs + [f"{port}=det:tokens:{work}/tokens:{vocab}:{seq + 1}:{column}" for port, column in (("tokens", 0), ("targets", 1))]


MLP = [f"w1=det:uniform:mlp/w1:{math.sqrt(3 / 128)!r}", f"w2=det:uniform:mlp/w2:{math.sqrt(3 / 512)!r}",
       "x=det:uniform:mlp/x:1", "y=det:uniform:mlp/y:1"]
WORKS = {"mlp": ("oracle_mlp.loom", MLP), "gpt_tiny": ("gpt_tiny.loom", gpt("gpt_tiny", 32, 256)),
         "gpt_small": ("gpt_small.loom", gpt("gpt_small", 128, 1024))}
# Meshes of one GPU, and of several devices that share it.
MESHES = {"mlp": ["data=1,model=1", "data=2,model=2"], "gpt_tiny": ["data=1,model=1", "data=2,model=2"],
          "gpt_small": ["data=1,model=1", "data=2,model=1", "data=4,model=1", "data=2,model=2"]}
# gpt_small in two stages of two layers, or four of one, by schedules in which messages go one way at a time and both ways at once.
STAGES = ["1f1b", "interleaved", "zb-h1", "zb-v"]
STAGED = [("seq: 1]", "seq: 1, pipe: 1]"), ("[Block; layers]", "[Block; layers] @ pipe"), ("weight_decay: 0.01)", "weight_decay: 0.01, accumulate: 4)")]
# An op's share of what: of the copy bandwidth, with the bytes that it reads and writes, or of the better peer's speed.
F32, TOKENS = 65536 * 4096 * 4, 8 * 1024
OPS = {"gelu_chain": ("copy", 3 * F32, 0.85), "softmax_rows": ("copy", 2 * F32, 0.85), "layer_norm_rows": ("copy", 2 * F32, 0.85),
       "matmul": ("peer", 0, 0.95), "matmul_tf32": ("peer", 0, 0.95), "attend": ("peer", 0, 0.75), "attend_and_back": ("peer", 0, 0.65)}
STEP_AIM, OWN_MATMUL_AIM, OFF = 1.0, 0.8, 1e-5
GPT2 = ["--precision", "bf16", "--dim", "embed=1024,heads=16,hidden=4096,layers=24,vocab=50304,batch=8"]
TF32 = ["--matmul-precision", "tf32"]
# With `pack --small`, which walks through all of this on a machine that is no GPU.
SMALL_OPS = ["--dim", "n=64,rows=64,cols=64,batch=1,heads=2,seq=64,head=32"]
SMALL_GPT2 = ["--dim", "embed=64,heads=2,head=32,hidden=128,layers=2,vocab=256,batch=2,seq=32"]
SMALL_MESHES = {"mlp": ["data=1,model=1", "data=2,model=2"], "gpt_tiny": ["data=1,model=1"], "gpt_small": []}


def bundle_name(work, mesh):
    return f"{work}-{mesh.replace(',', '-').replace('=', '')}.loomx"


def stage_name(schedule):
    return bundle_name("gpt_small", f"pipe=2,{schedule}")


def devices(mesh):
    return math.prod(int(axis.split("=")[1]) for axis in mesh.split(","))
