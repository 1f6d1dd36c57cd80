"""Compares the models of this folder with Transformers, each in a tiny random configuration.

    .venv-torch/bin/python models/compare.py [--model NAME ..] [--quick] [--record]

For each model, Transformers makes a model with seeded random weights and saves it as it saves any. `meshloom run` loads the files by
the model's `weights.rename`, on 8 CPU devices, and is compared with Transformers:

- the outputs (logits), relative to the largest one;
- tokens: the likeliest one at each place, and, where the model decodes with a cache, what it writes after a prompt (`generate`);
- the losses of 20 steps of AdamW, against torch's AdamW, its clipping and the same schedule. Not with `--quick`.

`--record` writes what the test of the CLI reads (tests/data/zoo): weights in bf16, inputs and the outputs of Transformers. Weights are
rounded to bf16 before anything is computed, so that they are the same numbers. `--table` prints the rows of docs/zoo.md.
"""

import argparse
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import torch
import transformers
from safetensors.torch import load_file, save_file

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
MESHLOOM = os.environ.get("MESHLOOM", str(ROOT / "target/debug/meshloom"))
RECORDED = ROOT / "tests/data/zoo"
MESH = "data=4,model=2"
STEPS, WARMUP, TOTAL = 20, 2, 40
# Of the logits, relative to the largest; of losses, relative.
NEAR, NEAR_LOSS = 1e-5, 2e-5


class Case:
    """One model of both sides: `model` of torch, `dims` of the Loom file, and `inputs` by the names that its entries have."""

    entry = "logits"
    peak = 3e-4
    betas = (0.9, 0.95)
    weight_decay = 0.1
    train = None  # the name of the `train`; the model's, where there is none
    mesh = MESH
    generates = True
    trains = True
    rename = "weights.rename"
    linear = False  # the schedule falls along a line, and not along half a cosine
    variant = ""  # of a folder with several, which is not recorded
    double = False  # training in f64
    counted = staticmethod(lambda x: None)  # which rows of the output count; all, where nothing is said

    def __init__(self, name, model, dims, inputs, **more):
        self.name, self.model, self.dims, self.inputs = name, model, dims, inputs
        for key, value in more.items():
            assert hasattr(Case, key), key
            setattr(self, key, value)

    # What the entry gives, and what `train` minimizes; of a model of text, unless a case says otherwise.
    forward = staticmethod(lambda model, x: {"out": model(input_ids=x["tokens"], use_cache=False).logits})

    loss = staticmethod(
        lambda model, x: torch.nn.functional.cross_entropy(
            model(input_ids=x["tokens"], use_cache=False).logits.flatten(0, 1), x["targets"].flatten()
        )
    )


def draw(model, seed):
    """Weights that make every part count: matrices that keep the size of what goes through, gains near 1, biases."""
    g = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, p in [*model.named_parameters(), *model.named_buffers()]:
            if not p.is_floating_point() or "inv_freq" in name or "embed_scale" in name:
                continue
            noise = torch.randn(p.shape, generator=g)
            if name.endswith("running_var"):
                value = 1 + 0.3 * torch.rand(p.shape, generator=g)
            elif p.dim() >= 2:
                fan = p.shape[-1] if p.dim() == 2 else math.prod(p.shape[1:]) if p.dim() == 4 else p.shape[-2]
                value = noise * (0.7 / math.sqrt(fan)) if "embed" not in name else noise * 0.5
            elif (p.detach() == 1).all():
                value = 1 + 0.2 * noise
            else:
                value = 0.2 * noise
            p.copy_(value.to(torch.bfloat16).to(p.dtype))


def ints(shape, below, seed=1):
    return torch.randint(0, below, shape, generator=torch.Generator().manual_seed(seed))


def text(vocab, batch=8, seq=12):
    return {"tokens": ints((batch, seq), vocab, 1), "targets": ints((batch, seq), vocab, 2)}


def causal(name, model_class, config_class, dims, **more):
    """A model of text: what all of them share."""
    vocab = 64
    config = config_class(vocab_size=vocab, bos_token_id=None, eos_token_id=None, pad_token_id=None, **more.pop("config", {}))
    config._attn_implementation = more.pop("attn", "eager")
    model = model_class(config).eval()
    draw(model, 7)
    return Case(name, model, {"batch": 8, "seq": 12, "vocab": vocab, **dims}, text(vocab), **more)


def gpt2():
    dims = {"embed": 32, "heads": 4, "head": 8, "hidden": 64, "layers": 2}
    config = {"n_embd": 32, "n_head": 4, "n_inner": 64, "n_layer": 2, "n_positions": 12}
    config |= {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}
    return causal("gpt2", transformers.GPT2LMHeadModel, transformers.GPT2Config, dims, config=config, peak=6e-4)


SMALL = {"embed": 32, "heads": 4, "kv_heads": 2, "head": 8, "hidden": 64, "layers": 2}
LLAMA = {"hidden_size": 32, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "intermediate_size": 64}
LLAMA |= {"num_hidden_layers": 2, "max_position_embeddings": 12, "tie_word_embeddings": False}


def llama3():
    # The old context is as small as the model: some waves are longer than it, some are not.
    rope = {"rope_type": "llama3", "rope_theta": 500.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    rope |= {"original_max_position_embeddings": 64}
    dims = SMALL | {"theta": 500, "old_context": 64}
    config = LLAMA | {"rms_norm_eps": 1e-5, "rope_parameters": rope}
    return causal("llama3", transformers.LlamaForCausalLM, transformers.LlamaConfig, dims, config=config)


def mistral():
    config = LLAMA | {"rms_norm_eps": 1e-5, "sliding_window": 5, "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}}
    return causal("mistral", transformers.MistralForCausalLM, transformers.MistralConfig, SMALL | {"window": 5}, config=config)


def qwen3():
    config = LLAMA | {"rms_norm_eps": 1e-6, "rope_parameters": {"rope_type": "default", "rope_theta": 1e6}, "tie_word_embeddings": True}
    dims = SMALL | {"tied": 1}
    return causal("qwen3", transformers.Qwen3ForCausalLM, transformers.Qwen3Config, dims, config=config, rename="weights-tied.rename")


def olmo2():
    config = LLAMA | {"rms_norm_eps": 1e-6, "rope_parameters": {"rope_type": "default", "rope_theta": 5e5}}
    return causal("olmo2", transformers.Olmo2ForCausalLM, transformers.Olmo2Config, SMALL, config=config)


def mixtral():
    config = LLAMA | {"rms_norm_eps": 1e-5, "rope_parameters": {"rope_type": "default", "rope_theta": 1e6}, "num_local_experts": 4}
    dims = SMALL | {"experts": 4, "capacity": 12}
    return causal("mixtral", transformers.MixtralForCausalLM, transformers.MixtralConfig, dims, config=config, mesh="data=2,expert=4")


def gemma3():
    # Three layers of a pattern of two, so that both kinds are there.
    rope = {"full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8.0}}
    rope |= {"sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}
    config = LLAMA | {"rms_norm_eps": 1e-6, "rope_parameters": rope, "sliding_window": 5, "query_pre_attn_scalar": 12}
    config |= {"tie_word_embeddings": True, "num_hidden_layers": 3}
    config |= {"layer_types": ["sliding_attention", "full_attention", "sliding_attention"]}
    dims = SMALL | {"layers": 3, "pattern": 2, "window": 5, "scalar": 12}
    return causal("gemma3", transformers.Gemma3ForCausalLM, transformers.Gemma3TextConfig, dims, config=config)


def gpt_oss():
    rope = {"rope_type": "yarn", "rope_theta": 500.0, "factor": 8.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False}
    rope |= {"original_max_position_embeddings": 64}
    config = LLAMA | {"rms_norm_eps": 1e-5, "rope_parameters": rope, "sliding_window": 5, "num_local_experts": 4}
    config |= {"num_experts_per_tok": 2, "swiglu_limit": 1.0, "intermediate_size": 16}
    dims = SMALL | {"hidden": 16, "theta": 500, "factor": 8, "old_context": 64, "window": 5, "experts": 4, "chosen": 2}
    dims |= {"together": 12, "capacity": 12, "limit": 1}
    return causal("gpt-oss", transformers.GptOssForCausalLM, transformers.GptOssConfig, dims, config=config, mesh="data=2,expert=4")


def deepseek_v3():
    rope = {"rope_type": "yarn", "rope_theta": 500.0, "factor": 8.0, "beta_fast": 32.0, "beta_slow": 1.0, "mscale": 1.0}
    rope |= {"mscale_all_dim": 1.0, "original_max_position_embeddings": 64}
    config = {"hidden_size": 32, "num_attention_heads": 4, "num_key_value_heads": 4, "intermediate_size": 32}
    config |= {"moe_intermediate_size": 16, "num_hidden_layers": 4, "n_shared_experts": 1, "n_routed_experts": 8, "n_group": 4}
    config |= {"topk_group": 2, "num_experts_per_tok": 3, "kv_lora_rank": 16, "q_lora_rank": 16, "qk_rope_head_dim": 4}
    config |= {"qk_nope_head_dim": 8, "v_head_dim": 8, "first_k_dense_replace": 3, "rope_parameters": rope}
    config |= {"rms_norm_eps": 1e-6, "max_position_embeddings": 12, "num_mtp_layers": 0}
    dims = {"embed": 32, "heads": 4, "head": 8, "turn": 4, "value": 8, "q_rank": 16, "kv_rank": 16, "hidden": 16, "shared": 16}
    dims |= {"dense": 32, "experts": 8, "layers": 1, "theta": 500, "factor": 8, "old_context": 64, "chosen": 3, "clans": 4}
    dims |= {"chosen_clans": 2, "together": 12, "capacity": 12, "bias_rate": 0}
    more = {"mesh": "data=2,expert=4", "peak": 2.2e-4, "config": config}
    return causal("deepseek-v3", transformers.DeepseekV3ForCausalLM, transformers.DeepseekV3Config, dims, **more)


def built(config, model_class, **more):
    config._attn_implementation = "eager"
    model = model_class(config, **more).eval()
    draw(model, 7)
    return model


def floats(shape, seed=3):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def entropy(logits, targets):
    return torch.nn.functional.cross_entropy(logits.flatten(0, -2), targets.flatten())


PLAIN = {"embed": 32, "heads": 4, "head": 8, "hidden": 64, "layers": 2}


def bert():
    config = transformers.BertConfig(
        vocab_size=64, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, max_position_embeddings=12,
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, pad_token_id=None,
    )
    inputs = text(64) | {"kind": ints((8, 12), 2, 4), "weights": (ints((8, 12), 3, 5) == 0).float()}
    # The last positions of some rows are none; what a model says there does not count.
    inputs["segments"] = (torch.arange(12) < ints((8, 1), 6, 6) + 7).long()
    inputs["weights"] *= inputs["segments"]

    def logits(model, x):
        return model(input_ids=x["tokens"], token_type_ids=x["kind"], attention_mask=x["segments"]).logits

    def loss(model, x):
        each = torch.nn.functional.cross_entropy(logits(model, x).flatten(0, 1), x["targets"].flatten(), reduction="none")
        return (each * x["weights"].flatten()).sum() / x["weights"].sum()

    return Case(
        "bert", built(config, transformers.BertForMaskedLM), PLAIN | {"batch": 8, "seq": 12, "vocab": 64}, inputs,
        forward=lambda m, x: {"out": logits(m, x)}, counted=lambda x: x["segments"] == 1, loss=loss, generates=False,
        betas=(0.9, 0.999), weight_decay=0.01, peak=1e-4, linear=True,
    )


def vit():
    config = transformers.ViTConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, image_size=16, patch_size=8, num_labels=10
    )
    inputs = {"images": floats((8, 16, 16, 3)), "labels": ints((8,), 10)}
    logits = lambda m, x: m(x["images"].permute(0, 3, 1, 2)).logits
    return Case(
        "vit", built(config, transformers.ViTForImageClassification), PLAIN | {"batch": 8, "side": 16, "patch": 8, "classes": 10}, inputs,
        forward=lambda m, x: {"out": logits(m, x)}, loss=lambda m, x: entropy(logits(m, x), x["labels"]), generates=False,
        betas=(0.9, 0.999), peak=1e-3,
    )


def t5(gated=True):
    config = transformers.T5Config(
        vocab_size=64, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_decoder_layers=3, num_heads=4, dropout_rate=0.0,
        relative_attention_num_buckets=8, relative_attention_max_distance=16, feed_forward_proj="gated-gelu" if gated else "relu",
        tie_word_embeddings=not gated, scale_decoder_outputs=not gated, pad_token_id=0, eos_token_id=None,
    )
    inputs = {"tokens": ints((8, 12), 64, 1), "outputs": ints((8, 10), 64, 2), "targets": ints((8, 10), 64, 4)}
    model = built(config, transformers.T5ForConditionalGeneration)
    if gated:
        # Transformers ties new models always, and those of version 1.1 not, since their files have both.
        model.config.tie_word_embeddings = False
        model.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.detach().clone())
        draw(model, 8)
    logits = lambda m, x: m(input_ids=x["tokens"], decoder_input_ids=x["outputs"], use_cache=False).logits
    dims = {"batch": 8, "seq": 12, "out_seq": 10, "embed": 32, "heads": 4, "head": 8, "hidden": 48, "buckets": 8, "far": 16}
    dims |= {"vocab": 64, "layers": 2, "out_layers": 3, "gated": int(gated)}
    return Case(
        "t5", model, dims, inputs, forward=lambda m, x: {"out": logits(m, x)},
        loss=lambda m, x: entropy(logits(m, x), x["targets"]), generates=False, betas=(0.9, 0.999), weight_decay=0.01, peak=1e-3,
        linear=True, rename="weights.rename" if gated else "weights-1.0.rename", variant="" if gated else " 1.0",
    )


def t5_1():
    return t5(gated=False)


def clip():
    both = {"num_attention_heads": 4, "num_hidden_layers": 2, "projection_dim": 16}
    texts = both | {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 48, "max_position_embeddings": 12, "eos_token_id": 63}
    images = both | {"hidden_size": 32, "intermediate_size": 64, "image_size": 16, "patch_size": 8}
    config = transformers.CLIPConfig(text_config=texts, vision_config=images, projection_dim=16)
    tokens = ints((8, 12), 63, 1)
    tokens[torch.arange(8), ints((8,), 9, 2) + 3] = 63
    inputs = {"tokens": tokens, "images": floats((8, 16, 16, 3))}
    dims = {"batch": 8, "seq": 12, "vocab": 64, "side": 16, "patch": 8, "embed": 32, "heads": 4, "hidden": 48, "image_embed": 32}
    dims |= {"image_heads": 4, "image_hidden": 64, "head": 8, "shared": 16, "layers": 2, "image_layers": 2, "end": 63}
    both_of = lambda m, x: m(input_ids=x["tokens"], pixel_values=x["images"].permute(0, 3, 1, 2), return_loss=True)
    return Case(
        "clip", built(config, transformers.CLIPModel), dims, inputs, forward=lambda m, x: {"out": both_of(m, x).logits_per_text},
        loss=lambda m, x: both_of(m, x).loss, generates=False, betas=(0.9, 0.98), weight_decay=0.2, peak=5e-4,
    )


def whisper():
    config = transformers.WhisperConfig(
        vocab_size=64, num_mel_bins=8, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=48, decoder_ffn_dim=48, max_source_positions=10, max_target_positions=12,
        pad_token_id=63, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1,
    )
    # Torch computes no gradient of the embedding of padding, so there is none.
    inputs = text(63) | {"sound": floats((8, 20, 8))}
    dims = {"batch": 8, "seq": 12, "frames": 20, "mels": 8, "embed": 32, "heads": 4, "head": 8, "hidden": 48, "vocab": 64}
    dims |= {"layers": 2, "out_layers": 2}
    logits = lambda m, x: m(x["sound"].transpose(1, 2), decoder_input_ids=x["tokens"], use_cache=False).logits
    return Case(
        "whisper", built(config, transformers.WhisperForConditionalGeneration), dims, inputs,
        forward=lambda m, x: {"out": logits(m, x)}, loss=lambda m, x: entropy(logits(m, x), x["targets"]), generates=False,
        betas=(0.9, 0.98), peak=5e-4, linear=True,
    )


def resnet50():
    config = transformers.ResNetConfig(embedding_size=8, hidden_sizes=[16, 24, 24, 32], depths=[2, 3, 2, 2], num_labels=10)
    inputs = {"images": floats((8, 32, 32, 3)), "labels": ints((8,), 10)}
    dims = {"batch": 8, "side": 32, "embed": 8, "out1": 16, "out2": 24, "out3": 24, "out4": 32, "more1": 1, "more2": 2, "more3": 1}
    dims |= {"more4": 1, "classes": 10}
    logits = lambda m, x: m(x["images"].permute(0, 3, 1, 2)).logits
    model = transformers.ResNetForImageClassification(config).eval()
    draw(model, 7)
    # Norms over a batch make much of rounding: torch's losses in f32 are off from those in f64 by a hundredth after 10 steps.
    return Case(
        "resnet50", model, dims, inputs, forward=lambda m, x: {"out": logits(m, x)},
        loss=lambda m, x: entropy(logits(m, x), x["labels"]), generates=False, mesh="data=8", betas=(0.9, 0.999), weight_decay=0.05,
        peak=1e-3, double=True,
    )


def mamba2():
    config = {"num_heads": 4, "head_dim": 8, "hidden_size": 16, "state_size": 8, "num_hidden_layers": 2, "n_groups": 2, "chunk_size": 4}
    config |= {"layer_norm_epsilon": 1e-5}
    dims = {"chunk": 4, "embed": 16, "groups": 2, "per": 2, "head": 8, "state": 8, "layers": 2}
    return causal("mamba2", transformers.Mamba2ForCausalLM, transformers.Mamba2Config, dims, config=config)


def unet():
    import diffusers  # pip install diffusers; it is in none of the scripts

    model = diffusers.UNet2DConditionModel(
        sample_size=8, block_out_channels=(4, 6, 4, 4), norm_num_groups=2, cross_attention_dim=8, attention_head_dim=2, layers_per_block=2
    ).eval()
    draw(model, 7)
    inputs = {"images": floats((8, 8, 8, 4)), "time": torch.arange(8) * 120.0, "text": floats((8, 5, 8), 4), "drawn": floats((8, 8, 8, 4), 5)}
    dims = {"batch": 8, "side": 8, "c1": 4, "c2": 6, "c3": 4, "c4": 4, "texts": 5, "context": 8, "heads": 2, "groups": 2}
    noise = lambda m, x: m(x["images"].permute(0, 3, 1, 2), x["time"], x["text"]).sample.permute(0, 2, 3, 1)
    return Case(
        "unet", model, dims, inputs, entry="noise", forward=lambda m, x: {"out": noise(m, x)}, generates=False, mesh="data=8",
        loss=lambda m, x: ((noise(m, x) - x["drawn"]) ** 2).mean(), betas=(0.9, 0.999), weight_decay=0.01, peak=1e-4, linear=True,
    )


CASES = {f.__name__.replace("_", "-"): f for f in [gpt2, llama3, mistral, qwen3, mixtral, olmo2, gemma3, gpt_oss, deepseek_v3, bert, vit, t5, t5_1, clip, whisper, resnet50, mamba2, unet]}


def run(*args):
    done = subprocess.run([MESHLOOM, "run", *args], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"meshloom run {' '.join(args)}\n{done.stderr}")
    return done


def schedule(step, linear):
    """warmup_cosine or warmup_linear of the library, as a share of its peak; the first step is 1."""
    if step < WARMUP:
        return step / WARMUP
    done = min(max((step - WARMUP) / (TOTAL - WARMUP), 0), 1)
    return 1 - done if linear else 0.5 * (1 + math.cos(math.pi * done))


def torch_losses(case):
    case.model.train()
    optimizer = torch.optim.AdamW(case.model.parameters(), lr=1.0, betas=case.betas, eps=1e-8, weight_decay=case.weight_decay)
    found = []
    for step in range(1, STEPS + 1):
        for group in optimizer.param_groups:
            group["lr"] = case.peak * schedule(step, case.linear)
        optimizer.zero_grad()
        loss = case.loss(case.model, case.inputs)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(case.model.parameters(), 1.0)
        optimizer.step()
        found.append(loss.item())
    case.model.eval()
    return found


def numbers(x):
    """As Loom's entries take it."""
    return x.to(torch.int32) if not x.is_floating_point() else x.to(torch.float32)


def words(place, vocab):
    """A tokenizer.json of words: token 5 is written `t5`."""
    table = {f"t{i}": i for i in range(vocab)}
    model = {"type": "WordLevel", "vocab": table, "unk_token": "t0"}
    whole = {"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": {"type": "WhitespaceSplit"}}
    whole |= {"post_processor": None, "decoder": None, "truncation": None, "padding": None, "model": model}
    (place / "tokenizer.json").write_text(json.dumps(whole))
    return str(place / "tokenizer.json")


def written(case, place, of):
    """What both write after a prompt, as numbers of tokens."""
    prompt = case.inputs["tokens"][:1, :4]
    with torch.no_grad():
        due = case.model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=8, do_sample=False)[0].tolist()
    tokenizer = words(place, case.dims["vocab"])
    prompt = " ".join(f"t{t}" for t in prompt[0].tolist())
    more = ["--entry", "generate", "--mesh", case.mesh.split(",")[1], "--tokenizer", tokenizer, "--prompt", prompt, "--max-tokens", "8", "--temperature", "0"]
    found = run(*of, *more).stdout.replace("t", " t").split()
    return [int(t[1:]) for t in found], due


def record(case, place, due, args):
    """What the test of the CLI reads; arguments as of the root of the repository."""
    to = RECORDED / case.name
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    weights = load_file(place / "hf/model.safetensors")
    save_file({k: v.to(torch.bfloat16) if v.is_floating_point() else v for k, v in weights.items()}, to / "model.safetensors")
    takes = re.search(rf"entry {case.entry}\((.*?)\)\s*->", pathlib.Path(args[0]).read_text(), re.DOTALL)[1]
    used = {k: numbers(v).contiguous() for k, v in case.inputs.items() if re.search(rf"\b{k}:", takes)}
    save_file(used, to / "inputs.safetensors")
    counted = case.counted(case.inputs)
    if counted is not None:
        due = {k: torch.where(counted[..., None], v, torch.nan) for k, v in due.items()}
    save_file({k: v.contiguous() for k, v in due.items()}, to / "due.safetensors")
    (to / "args.txt").write_text("".join(f"{a}\n" for a in args).replace(f"{ROOT}/", ""))
    size = sum(f.stat().st_size for f in to.iterdir())
    print(f"  recorded {size / 1000:.0f} kB")
    assert size < 150_000, "smaller, please"


def compare(case, options):
    """Prints what was found; the row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        case.model.save_pretrained(place / "hf")
        if (place / "hf/diffusion_pytorch_model.safetensors").exists():
            (place / "hf/diffusion_pytorch_model.safetensors").rename(place / "hf/model.safetensors")
        save_file({k: numbers(v).contiguous() for k, v in case.inputs.items()}, place / "inputs.safetensors")
        file, rename = str(HERE / case.name / "model.loom"), str(HERE / case.name / case.rename)
        small = ",".join(f"{k}={v}" for k, v in case.dims.items())
        load = ["--load", str(place / "hf"), "--rename", rename]
        inputs = ["--inputs", str(place / "inputs.safetensors")]
        out = str(place / "out.safetensors")
        args = ["--entry", case.entry, "--dim", small, "--mesh", case.mesh]
        run(file, *args, *load, *inputs, "--save-outputs", out)
        found = load_file(out)
        with torch.no_grad():
            due = case.forward(case.model, case.inputs)
        far, same = 0.0, True
        for name, x in due.items():
            y, counted = found[name], case.counted(case.inputs)
            if counted is not None:
                y, x = y[counted], x[counted]
            assert y.shape == x.shape, f"{case.name}: {name} is {y.shape} where {x.shape} is due"
            far = max(far, ((y - x).abs().max() / x.abs().max()).item())
            same = same and bool((y.argmax(-1) == x.argmax(-1)).all())
        row = {"model": case.name + case.variant, "outputs": far, "largest": max(x.abs().max().item() for x in due.values())}
        good = far < NEAR and same
        print(f"{case.name}{case.variant}: outputs differ by {far:.1e} of the largest, likeliest {'the same' if same else 'DIFFER'}")
        if options.record and not case.variant:
            record(case, place, due, [file, *args, "--rename", rename])
        if case.generates:
            found, due = written(case, place, [file, "--dim", small, *load])
            good = good and found == due
            row["written"] = found == due
            print(f"  written with a cache: {found}, {'as Transformers' if found == due else f'and Transformers {due}'}")
        if case.trains and not options.quick:
            train = ["--entry", case.train or case.name.replace("-", "_"), "--mesh", case.mesh, "--precision", "f32", "--json"]
            train += ["--dim", f"{small},warmup={WARMUP},total={TOTAL}", "--steps", str(STEPS)]
            if case.double:
                train += ["--float", "f64"]
                case.model.double()
                case.inputs = {k: v.double() if v.is_floating_point() else v for k, v in case.inputs.items()}
            losses = [json.loads(l)["loss"] for l in run(file, *train, *load, *inputs).stdout.splitlines()]
            due = torch_losses(case)
            far = max(abs(a - b) / abs(b) for a, b in zip(losses, due, strict=True))
            moved = abs(due[-1] - due[0]) / due[0]
            good = good and far < NEAR_LOSS and moved > 500 * NEAR_LOSS
            row["losses"] = far
            print(f"  losses {due[0]:.4f} -> {due[-1]:.4f} differ by {far:.1e}")
        row["good"] = good
        return row


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--model", nargs="+", choices=CASES, default=list(CASES))
    options.add_argument("--quick", action="store_true", help="no training")
    options.add_argument("--record", action="store_true", help="write tests/data/zoo")
    options.add_argument("--table", action="store_true", help="print rows of docs/zoo.md")
    options = options.parse_args()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.set_num_threads(1)
    rows = []
    for name in options.model:
        try:
            rows.append(compare(CASES[name](), options))
        except ModuleNotFoundError as e:
            print(f"{name}: left out, since there is no {e.name}")
        except RuntimeError as e:
            print(f"{name}: {e}")
            rows.append({"model": name, "good": False})
        sys.stdout.flush()
    if options.table:
        for r in (r for r in rows if "outputs" in r):
            losses = f"{r['losses']:.0e}" if "losses" in r else ""
            print(f"| {r['model']} | {r['outputs']:.0e} | {'yes' if r.get('written') else ''} | {losses} |")
    bad = [r["model"] for r in rows if not r["good"]]
    sys.exit(f"not as Transformers: {', '.join(bad)}" if bad else 0)


if __name__ == "__main__":
    main()
