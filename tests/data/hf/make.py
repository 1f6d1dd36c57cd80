"""Makes tiny checkpoints as Hugging Face saves them, and what numpy computes from them.

    python3 -m venv venv && venv/bin/pip install numpy safetensors tokenizers && venv/bin/python make.py

writes into the folder of this file: gpt2/ in two shards with an index, llama/ in bf16, tokens and the logits of both, and a
tokenizer.json. Names, shapes and formulas are those of transformers' GPT2LMHeadModel and LlamaForCausalLM.
"""

import json
import pathlib

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

here = pathlib.Path(__file__).parent
rng = np.random.default_rng(0)


def normal(*shape, std=0.3):
    return (rng.standard_normal(shape) * std).astype(np.float32)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def causal(scores):
    n = scores.shape[-1]
    return np.where(np.tri(n, dtype=bool), scores, -1e30)


def gpt2():
    layers, embed, heads, seq, vocab = 2, 16, 2, 8, 40
    head = embed // heads
    t = {"wte.weight": normal(vocab, embed), "wpe.weight": normal(seq, embed)}
    for i in range(layers):
        p = f"h.{i}."
        t |= {
            p + "ln_1.weight": 1 + normal(embed), p + "ln_1.bias": normal(embed),
            p + "attn.c_attn.weight": normal(embed, 3 * embed), p + "attn.c_attn.bias": normal(3 * embed),
            p + "attn.c_proj.weight": normal(embed, embed), p + "attn.c_proj.bias": normal(embed),
            p + "ln_2.weight": 1 + normal(embed), p + "ln_2.bias": normal(embed),
            p + "mlp.c_fc.weight": normal(embed, 4 * embed), p + "mlp.c_fc.bias": normal(4 * embed),
            p + "mlp.c_proj.weight": normal(4 * embed, embed), p + "mlp.c_proj.bias": normal(embed),
            # The causal mask, which old checkpoints hold as a buffer.
            p + "attn.bias": np.tri(seq, dtype=np.uint8)[None, None],
        }
    t |= {"ln_f.weight": 1 + normal(embed), "ln_f.bias": normal(embed)}

    def norm(x, p):
        c = x - x.mean(-1, keepdims=True)
        return c / np.sqrt((c * c).mean(-1, keepdims=True) + 1e-5) * w[p + ".weight"] + w[p + ".bias"]

    def gelu(x):
        return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))

    w = {k: v.astype(np.float64) for k, v in t.items()}
    tokens = rng.integers(0, vocab, (2, seq)).astype(np.int32)
    x = w["wte.weight"][tokens] + w["wpe.weight"]
    for i in range(layers):
        p = f"h.{i}."
        qkv = norm(x, p + "ln_1") @ w[p + "attn.c_attn.weight"] + w[p + "attn.c_attn.bias"]
        q, k, v = (a.reshape(2, seq, heads, head).transpose(0, 2, 1, 3) for a in np.split(qkv, 3, -1))
        a = softmax(causal(q @ k.swapaxes(-1, -2) / np.sqrt(head))) @ v
        a = a.transpose(0, 2, 1, 3).reshape(2, seq, embed)
        x = x + a @ w[p + "attn.c_proj.weight"] + w[p + "attn.c_proj.bias"]
        h = gelu(norm(x, p + "ln_2") @ w[p + "mlp.c_fc.weight"] + w[p + "mlp.c_fc.bias"])
        x = x + h @ w[p + "mlp.c_proj.weight"] + w[p + "mlp.c_proj.bias"]
    logits = norm(x, "ln_f") @ w["wte.weight"].T

    out = here / "gpt2"
    out.mkdir(exist_ok=True)
    t = {"transformer." + k: v for k, v in t.items()}
    names = list(t)
    files = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
    half = len(names) // 2
    parts = {files[0]: names[:half], files[1]: names[half:]}
    for file, of in parts.items():
        save_file({n: np.ascontiguousarray(t[n]) for n in of}, out / file, metadata={"format": "pt"})
    index = {
        "metadata": {"total_size": sum(v.nbytes for v in t.values())},
        "weight_map": {n: file for file, of in parts.items() for n in of},
    }
    (out / "model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n")
    np.save(out / "tokens.npy", tokens)
    np.save(out / "logits.npy", logits.astype(np.float32))


def bf16(x):
    """Round to nearest even; returns the bits and the value."""
    bits = x.astype(np.float32).view(np.uint32)
    bits = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return bits, (bits.astype(np.uint32) << 16).view(np.float32)


def save_bf16(tensors, path):
    """safetensors.numpy has no bf16, so the file is written here."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name in sorted(tensors):
        raw = tensors[name].tobytes()
        header[name] = {"dtype": "BF16", "shape": tensors[name].shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def llama():
    layers, embed, heads, kv, hidden, seq, vocab = 2, 16, 4, 2, 24, 8, 40
    head = embed // heads
    t = {"model.embed_tokens.weight": normal(vocab, embed)}
    for i in range(layers):
        p = f"model.layers.{i}."
        t |= {
            p + "input_layernorm.weight": 1 + normal(embed),
            p + "self_attn.q_proj.weight": normal(heads * head, embed),
            p + "self_attn.k_proj.weight": normal(kv * head, embed),
            p + "self_attn.v_proj.weight": normal(kv * head, embed),
            p + "self_attn.o_proj.weight": normal(embed, heads * head),
            p + "post_attention_layernorm.weight": 1 + normal(embed),
            p + "mlp.gate_proj.weight": normal(hidden, embed),
            p + "mlp.up_proj.weight": normal(hidden, embed),
            p + "mlp.down_proj.weight": normal(embed, hidden),
        }
    t |= {"model.norm.weight": 1 + normal(embed), "lm_head.weight": normal(vocab, embed)}
    bits, w = {}, {}
    for k, v in t.items():
        bits[k], rounded = bf16(v)
        w[k] = rounded.astype(np.float64)

    def norm(x, p):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * w[p + ".weight"]

    angle = np.arange(seq)[:, None] / 10000 ** (np.arange(0, head, 2) / head)
    cos, sin = np.cos(angle), np.sin(angle)

    def rope(x):
        a, b = np.split(x, 2, -1)
        return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)

    tokens = rng.integers(0, vocab, (1, seq)).astype(np.int32)
    x = w["model.embed_tokens.weight"][tokens]
    for i in range(layers):
        p = f"model.layers.{i}."
        h = norm(x, p + "input_layernorm")
        split = lambda y, n: y.reshape(1, seq, n, head).transpose(0, 2, 1, 3)
        q = rope(split(h @ w[p + "self_attn.q_proj.weight"].T, heads))
        k = rope(split(h @ w[p + "self_attn.k_proj.weight"].T, kv)).repeat(heads // kv, 1)
        v = split(h @ w[p + "self_attn.v_proj.weight"].T, kv).repeat(heads // kv, 1)
        a = softmax(causal(q @ k.swapaxes(-1, -2) / np.sqrt(head))) @ v
        x = x + a.transpose(0, 2, 1, 3).reshape(1, seq, embed) @ w[p + "self_attn.o_proj.weight"].T
        h = norm(x, p + "post_attention_layernorm")
        gate = h @ w[p + "mlp.gate_proj.weight"].T
        h = gate / (1 + np.exp(-gate)) * (h @ w[p + "mlp.up_proj.weight"].T)
        x = x + h @ w[p + "mlp.down_proj.weight"].T
    logits = norm(x, "model.norm") @ w["lm_head.weight"].T

    out = here / "llama"
    out.mkdir(exist_ok=True)
    save_bf16(bits, out / "model.safetensors")
    np.save(out / "tokens.npy", tokens)
    np.save(out / "logits.npy", logits.astype(np.float32))


def tokenizer():
    text = [pathlib.Path(__file__).read_text()]  # any text would do
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    t.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=256, special_tokens=["<|endoftext|>"], show_progress=False,
        initial_alphabet=sorted(set("".join(c for w in pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str(text[0]) for c in w[0]))),
    )
    t.train_from_iterator(text, trainer)
    t.save(str(here / "tokenizer.json"))
    ids = t.encode("The compiler chooses layouts.").ids
    (here / "tokenizer.expected.json").write_text(json.dumps(ids) + "\n")


gpt2()
llama()
tokenizer()
