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


CASES = {f.__name__.replace("_", "-"): f for f in [gpt2]}


def run(*args):
    done = subprocess.run([MESHLOOM, "run", *args], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"meshloom run {' '.join(args)}\n{done.stderr}")
    return done


def schedule(step):
    """warmup_cosine of the library, as a share of its peak: from 0 on a line, then half a cosine; the first step is 1."""
    if step < WARMUP:
        return step / WARMUP
    done = min(max((step - WARMUP) / (TOTAL - WARMUP), 0), 1)
    return 0.5 * (1 + math.cos(math.pi * done))


def torch_losses(case):
    case.model.train()
    optimizer = torch.optim.AdamW(case.model.parameters(), lr=1.0, betas=case.betas, eps=1e-8, weight_decay=case.weight_decay)
    found = []
    for step in range(1, STEPS + 1):
        for group in optimizer.param_groups:
            group["lr"] = case.peak * schedule(step)
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
    more = ["--entry", "generate", "--tokenizer", tokenizer, "--prompt", prompt, "--max-tokens", "8", "--temperature", "0"]
    found = run(*of, *more).stdout.replace("t", " t").split()
    return [int(t[1:]) for t in found], due


def record(case, place, due, args):
    to = RECORDED / case.name
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    weights = load_file(place / "hf/model.safetensors")
    save_file({k: v.to(torch.bfloat16) if v.is_floating_point() else v for k, v in weights.items()}, to / "model.safetensors")
    used = {k: numbers(v).contiguous() for k, v in case.inputs.items() if k in case.used}
    save_file({**used, **{f"due.{k}": v.contiguous() for k, v in due.items()}}, to / "data.safetensors")
    (to / "args.txt").write_text("".join(f"{a}\n" for a in args))
    size = sum(f.stat().st_size for f in to.iterdir())
    print(f"  recorded {size / 1000:.0f} kB")


def compare(case, options):
    """Prints what was found; the row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        case.model.save_pretrained(place / "hf")
        save_file({k: numbers(v).contiguous() for k, v in case.inputs.items()}, place / "inputs.safetensors")
        file, rename = str(HERE / case.name / "model.loom"), str(HERE / case.name / "weights.rename")
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
            y = found[name]
            assert y.shape == x.shape, f"{case.name}: {name} is {y.shape} where {x.shape} is due"
            far = max(far, ((y - x).abs().max() / x.abs().max()).item())
            same = same and bool((y.argmax(-1) == x.argmax(-1)).all())
        row = {"model": case.name, "outputs": far, "largest": max(x.abs().max().item() for x in due.values())}
        good = far < NEAR and same
        print(f"{case.name}: outputs differ by {far:.1e} of the largest, likeliest {'the same' if same else 'DIFFER'}")
        if options.record:
            case.used = set(load_file(place / "inputs.safetensors"))
            record(case, place, due, args)
        if case.generates:
            found, due = written(case, place, [file, "--dim", small, "--mesh", "model=2", *load])
            good = good and found == due
            row["written"] = found == due
            print(f"  written with a cache: {found}, {'as Transformers' if found == due else f'and Transformers {due}'}")
        if case.trains and not options.quick:
            train = ["--entry", case.train or case.name.replace("-", "_"), "--mesh", case.mesh, "--precision", "f32", "--json"]
            train += ["--dim", f"{small},warmup={WARMUP},total={TOTAL}", "--steps", str(STEPS)]
            losses = [json.loads(l)["loss"] for l in run(file, *train, *load, *inputs).stdout.splitlines()]
            due = torch_losses(case)
            far = max(abs(a - b) / abs(b) for a, b in zip(losses, due, strict=True))
            moved = abs(due[-1] - due[0]) / due[0]
            good = good and far < NEAR_LOSS and moved > 1000 * NEAR_LOSS
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
    rows = [compare(CASES[name](), options) for name in options.model]
    if options.table:
        for r in rows:
            losses = f"{r['losses']:.0e}" if "losses" in r else ""
            print(f"| {r['model']} | {r['outputs']:.0e} | {'yes' if r.get('written') else ''} | {losses} |")
    bad = [r["model"] for r in rows if not r["good"]]
    sys.exit(f"not as Transformers: {', '.join(bad)}" if bad else 0)


if __name__ == "__main__":
    main()
