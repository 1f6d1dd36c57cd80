"""Families of Transformers at published sizes, traced from configs alone, planned and certified; as rows of docs/from-pytorch.md.

    python python/tests/families.py [WORD ..]        those whose names contain one of the words
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from meshloom import _command
from meshloom.torch import Settings, configs, step

# What of a published config says sizes; the rest is the family's default.
FAMILIES = {
    "Llama 3 8B": {"model_type": "llama", "vocab_size": 128256, "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
                   "num_attention_heads": 32, "num_key_value_heads": 8},
    "Llama 3 70B": {"model_type": "llama", "vocab_size": 128256, "hidden_size": 8192, "intermediate_size": 28672, "num_hidden_layers": 80,
                    "num_attention_heads": 64, "num_key_value_heads": 8},
    "Llama 3.1 405B": {"model_type": "llama", "vocab_size": 128256, "hidden_size": 16384, "intermediate_size": 53248,
                       "num_hidden_layers": 126, "num_attention_heads": 128, "num_key_value_heads": 8},
    "Mistral 7B": {"model_type": "mistral", "vocab_size": 32768, "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
                   "num_attention_heads": 32, "num_key_value_heads": 8, "sliding_window": None},
    "Qwen 2.5 7B": {"model_type": "qwen2", "vocab_size": 152064, "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28,
                    "num_attention_heads": 28, "num_key_value_heads": 4},
    "Qwen 3 8B": {"model_type": "qwen3", "vocab_size": 151936, "hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": 36,
                  "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128},
    "Gemma 2 9B": {"model_type": "gemma2", "vocab_size": 256000, "hidden_size": 3584, "intermediate_size": 14336, "num_hidden_layers": 42,
                   "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 256},
    "Gemma 3 1B": {"model_type": "gemma3_text", "vocab_size": 262144, "hidden_size": 1152, "intermediate_size": 6912,
                   "num_hidden_layers": 26, "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 256},
    "GPT-2 XL": {"model_type": "gpt2", "n_embd": 1600, "n_layer": 48, "n_head": 25},
    "GPT-NeoX 20B": {"model_type": "gpt_neox", "vocab_size": 50432, "hidden_size": 6144, "intermediate_size": 24576,
                     "num_hidden_layers": 44, "num_attention_heads": 64},
    "Phi-3 mini": {"model_type": "phi3", "vocab_size": 32064, "hidden_size": 3072, "intermediate_size": 8192, "num_hidden_layers": 32,
                   "num_attention_heads": 32, "num_key_value_heads": 32, "pad_token_id": 32000},
    "OPT 6.7B": {"model_type": "opt", "vocab_size": 50272, "hidden_size": 4096, "ffn_dim": 16384, "num_hidden_layers": 32,
                 "num_attention_heads": 32},
    "Falcon 7B": {"model_type": "falcon", "vocab_size": 65024, "hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71},
    "BLOOM 7B": {"model_type": "bloom", "vocab_size": 250880, "hidden_size": 4096, "n_layer": 30, "n_head": 32},
    "OLMo 2 7B": {"model_type": "olmo2", "vocab_size": 100352, "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32,
                  "num_attention_heads": 32},
    "Mixtral 8x7B": {"model_type": "mixtral", "vocab_size": 32000, "hidden_size": 4096, "intermediate_size": 14336,
                     "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "num_local_experts": 8},
    "Qwen 3 30B-A3B": {"model_type": "qwen3_moe", "vocab_size": 151936, "hidden_size": 2048, "intermediate_size": 6144,
                       "moe_intermediate_size": 768, "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 4,
                       "head_dim": 128, "num_experts": 128, "num_experts_per_tok": 8, "norm_topk_prob": True},
    "DeepSeek-V3": {"model_type": "deepseek_v3"},
    "BERT large": {"model_type": "bert", "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16,
                   "intermediate_size": 4096, "architectures": ["BertForMaskedLM"], "seq": 512},
    "RoBERTa large": {"model_type": "roberta", "vocab_size": 50265, "hidden_size": 1024, "num_hidden_layers": 24,
                      "num_attention_heads": 16, "intermediate_size": 4096, "max_position_embeddings": 514,
                      "architectures": ["RobertaForMaskedLM"], "seq": 512},
    "T5 large": {"model_type": "t5", "d_model": 1024, "d_ff": 4096, "num_layers": 24, "num_heads": 16, "seq": 512},
    "ViT large": {"model_type": "vit", "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16,
                  "intermediate_size": 4096, "architectures": ["ViTForImageClassification"]},
    "CLIP ViT-B/32": {"model_type": "clip", "seq": 77},
    "Whisper small": {"model_type": "whisper", "d_model": 768, "encoder_layers": 12, "decoder_layers": 12, "encoder_attention_heads": 12,
                      "decoder_attention_heads": 12, "encoder_ffn_dim": 3072, "decoder_ffn_dim": 3072, "seq": 448},
    "Mamba 130M": {"model_type": "mamba", "hidden_size": 768, "num_hidden_layers": 24, "seq": 1024},
}  # fmt: skip

MESH = "data=64"


def main() -> int:
    words = [w.lower() for w in sys.argv[1:]]
    print("| family | trace | text | plan | step | memory | attention |")
    for name, config in FAMILIES.items():
        if not words or any(w in name.lower() for w in words):
            print(row(name, dict(config)), flush=True)
    return 0


def row(name: str, config: dict) -> str:
    """Times are those of the processor, of this process and of the command: other work on the machine does not count."""
    positions = config.pop("seq", 1024 if config["model_type"] in ("gpt2", "opt", "bloom", "gpt_neox", "falcon") else 4096)
    start = time.process_time()
    try:
        module, read = configs.of_dict(config)
        batch = configs.batch(module, read, 64, positions)
        made = step.traced(module, (batch,), Settings(precision="bf16", clip=1.0)).lowered.as_text(debug_info=True)
    except Exception as e:
        return f"| {name} | refused: {last(f'{type(e).__name__}: {e}')} | | | | | |"
    traced = time.process_time() - start
    with tempfile.TemporaryDirectory() as folder:
        text = Path(os.environ.get("FAMILIES", folder), name.replace(" ", "_").replace("/", "_") + ".mlir")
        text.write_text(made)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        line = [_command.command(), "plan", str(text), "--mesh", MESH, "--target", "h100-sxm", "--json"]
        try:
            planned = subprocess.run(line, capture_output=True, text=True, timeout=400)
        except subprocess.TimeoutExpired:
            planned = subprocess.CompletedProcess(line, 124, "", "not done in 400 s")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    head = f"| {name} | {traced:.1f} s | {len(made) / 1e6:.1f} MB |"
    if planned.returncode:
        return f"{head} refused: {last(planned.stderr)} | | | |"
    told = json.loads(planned.stdout)["entries"][0]
    assert told["certificate"]["status"] == "proved"
    totals = told["totals"]
    kernels = "recognised" if any(t["variant"] == "as-written" and t["predicted_step_us"] for t in told["tried"]) else "single ops"
    ms, peak = totals["predicted_step_us"] / 1e3, (totals["peak_bytes_per_device"] or 0) / 2**30
    return f"{head} {took:.1f} s | {ms:.1f} ms | {peak:.1f} GiB | {kernels} |"


def last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("error")]
    return ((errors or lines[:1] or ["nothing said"])[0])[:200].replace("|", "/")


if __name__ == "__main__":
    sys.exit(main())
