"""`scripts/gpu pack` and `gpu join`: bundles, kernels' tests and all that runs them in one folder, or in several where one is too large to
be carried at once. In each folder, parts.json says which files are there and which pieces of files."""
import hashlib, json, os, re, shutil, subprocess, sys, tempfile, zipfile

from on_gpu.works import GPT2, MESHES, SMALL_GPT2, SMALL_MESHES, SMALL_OPS, STAGED, STAGES, TF32, WORKS, bundle_name, stage_name

# What may be carried at once, the checkout with it.
LIMIT, SPARE = 64 << 20, 1 << 20
# The kernels' tests that are carried along.
KERNELS = ["added", "attention_gpu", "dot", "fused", "order", "scatter", "summed", "types"]
# By stage: what the first call needs goes into the first folder.
CARRIED = {"gpu": "scripts/gpu", **{f"on_gpu/{n}": f"scripts/on_gpu/{n}" for n in
           ("works.py", "pack.py", "results.py", "process.py", "correct.py", "speed.py", "stages.py", "peer.py")},
           "peer_jax.py": "tests/data/bench/peer_jax.py", "peer_torch.py": "tests/data/bench/peer_torch.py", "det.py": "tests/data/oracles/det.py"}
LATER = re.compile(r"ops|gpt2|nccl\.")


def pack(a, root):
    target = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(root, "target")), "release")
    ours, runner = a.meshloom or os.path.join(target, "meshloom"), a.meshloom_run or os.path.join(target, "meshloom-run")
    if not (a.meshloom and a.meshloom_run):
        subprocess.run(["cargo", "build", "--release", "--quiet", "--package", "meshloom-cli", "--package", "meshloom-run"], cwd=root, check=True)
    folder = os.path.abspath(a.folder)
    os.makedirs(os.path.join(folder, "on_gpu"), exist_ok=True)
    lacks = compiled(a, root, ours, folder)
    if a.kernels:
        with zipfile.ZipFile(os.path.join(folder, "kernels.zip"), "w") as z:
            for name in sorted(os.listdir(a.kernels)):
                z.write(os.path.join(a.kernels, name), name)
    # `meshloom bench --gpu` has no checkout to make them from.
    elif os.path.exists(os.path.join(root, "kernels", "Cargo.toml")) and (why := pack_kernels(root, a.target, os.path.join(folder, "kernels.zip"))):
        lacks.append(f"kernels.zip: {why}")
    shutil.copy2(runner, os.path.join(folder, "meshloom-run"))
    if (strip := shutil.which("strip")):
        subprocess.run([strip, os.path.join(folder, "meshloom-run")], check=False, stderr=subprocess.DEVNULL)
    for name, path in CARRIED.items():
        shutil.copy2(os.path.join(root, path), os.path.join(folder, name))
    if a.nccl:
        shutil.copy2(a.nccl, os.path.join(folder, "nccl.whl" if a.nccl.endswith(".whl") else "nccl.so"))
    with open(os.path.join(folder, "oracles.json"), "w") as f:
        read = lambda work: json.load(open(os.path.join(root, "tests/data/oracles", work, "expected.json")))["loss_curve"]
        json.dump({work: read(work) for work in WORKS}, f, indent=1)
    with open(os.path.join(folder, "settings.json"), "w") as f:
        json.dump({"target": a.target, "small": a.small}, f)
    for line in lacks:
        print(f"lacks {line}")
    room = a.room << 20 if a.room else LIMIT - SPARE - checkout(root)
    for part, size, bundles in in_parts(folder, room):
        print(f"{part}: {bundles} bundles for {a.target}, {size / (1 << 20):.1f} MiB")
    return 1 if any("no cubin" not in l for l in lacks) else 0


def compiled(a, root, ours, folder):
    """Compiles the examples into the folder; what is missing of them."""
    meshes, schedules, ops, gpt2 = (SMALL_MESHES, [], SMALL_OPS, SMALL_GPT2) if a.small else (MESHES, STAGES, [], GPT2)
    sources = [(bundle_name(w, m), os.path.join("examples", file), m, []) for w, (file, _) in WORKS.items() for m in meshes[w]]
    sources += [("ops.loomx", "scripts/on_gpu/ops.loom", "data=1", [*TF32, *ops]), ("gpt2_medium.loomx", "examples/gpt2.loom", "data=1,model=1", gpt2)]
    if a.target in ("h100-sxm", "h200") and not a.small:
        sources.append(("ops_without_tma.loomx", "scripts/on_gpu/ops.loom", "data=1", [*TF32, "--without-tma"]))
    lacks = []
    with tempfile.TemporaryDirectory() as place:
        text = open(os.path.join(root, "examples/gpt_small.loom")).read()
        for old, new in STAGED:
            assert old in text, f"gpt_small.loom has no `{old}`"
            text = text.replace(old, new)
        staged = os.path.join(place, "gpt_small.loom")
        with open(staged, "w") as f:
            f.write(text)
        sources += [(stage_name(s), staged, "pipe=2", ["--layout", "dp", "--schedule", s]) for s in schedules]
        for name, file, mesh, more in sources:
            to = os.path.join(folder, name)
            done = subprocess.run([ours, "-q", "compile", os.path.join(root, file), "--target", a.target, "--mesh", mesh, *more, "-o", to],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                lacks.append(f"{name}: {(done.stderr.strip().splitlines() or [f'exit code {done.returncode}'])[0]}")
                continue
            kinds = {os.path.splitext(m)[1] for m in zipfile.ZipFile(to).namelist()}
            if ".ptx" not in kinds:
                lacks.append(f"{name}: it has no PTX: {ours} compiles for CPUs only")
            elif ".cubin" not in kinds:
                lacks.append(f"{name}: no cubin (no ptxas here): the driver assembles the PTX")
    return lacks


def pack_kernels(root, target, path):
    """The kernels' tests as packs that `meshloom-run kernels` runs; what is missing for them, if anything is."""
    gpu = {"a100-80g": "sm_80", "h100-sxm": "sm_90a", "h200": "sm_90a", "b200": "sm_100a"}.get(target)
    if gpu is None:
        return f"{target} is not a built-in GPU"
    with tempfile.TemporaryDirectory() as place:
        command = ["cargo", "test", "-p", "meshloom-kernels", "--test", "it", "--quiet", "--", *(f"{k}::" for k in KERNELS)]
        env = {**os.environ, "MESHLOOM_KERNEL_PACK": place, "MESHLOOM_KERNEL_TARGET": gpu, "MESHLOOM_GPU_ATTENTION": "17"}
        done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True)
        if done.returncode != 0:
            return (done.stderr.strip().splitlines() or done.stdout.strip().splitlines() or ["?"])[-1][:120]
        with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as z:
            for name in sorted(os.listdir(place)):
                z.write(os.path.join(place, name), name)


def checkout(root):
    """Bytes of the files that git tracks; 0 where there is no git."""
    done = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True) if shutil.which("git") else None
    files = done.stdout.split("\0") if done and done.returncode == 0 else []
    return sum(os.path.getsize(p) for p in (os.path.join(root, f) for f in files if f) if os.path.isfile(p))


def in_parts(folder, room):
    """Moves what is beyond the room to FOLDER.2, FOLDER.3 and so on, large files in pieces; each folder with its bytes and bundles."""
    there = [os.path.relpath(os.path.join(at, n), folder) for at, _, names in os.walk(folder) for n in names if n != "parts.json"]
    own = [n for n in there if n in CARRIED or n == "settings.json"]
    files = sorted((n for n in there if n not in own), key=lambda n: (n.startswith("nccl."), bool(LATER.match(n)), n))
    base = sum(os.path.getsize(os.path.join(folder, n)) for n in own)
    if room < base + (1 << 20):
        sys.exit(f"there is room for {room >> 20} MiB besides the checkout, which is too little: --room says how many there are")
    parts, used = [{}], base
    for name in files:
        path, start, size = os.path.join(folder, name), 0, os.path.getsize(os.path.join(folder, name))
        # A small file in one piece, also if a new folder is needed for it.
        if size > room - used and size <= room - base:
            parts, used = [*parts, {}], base
        while start < size or size == 0:
            if used >= room:
                parts, used = [*parts, {}], base
            end = min(size, start + room - used)
            parts[-1][name] = {"start": start, "end": end, "size": size}
            used, start = used + end - start, end
            if size == 0:
                break
        whole = hashlib.file_digest(open(path, "rb"), "sha256").hexdigest()
        for part in parts:
            if name in part:
                part[name]["sha256"] = whole
    for k, part in reversed(list(enumerate(parts))):
        to = folder if k == 0 else f"{folder}.{k + 1}"
        for name in own if k else []:
            os.makedirs(os.path.dirname(os.path.join(to, name)), exist_ok=True)
            shutil.copy2(os.path.join(folder, name), os.path.join(to, name))
        for name, p in part.items():
            if k == 0 and p["end"] - p["start"] == p["size"]:
                continue
            with open(os.path.join(folder, name), "rb") as f:
                f.seek(p["start"])
                data = f.read(p["end"] - p["start"])
            cut = p["end"] - p["start"] < p["size"]
            with open(os.path.join(to, f"{name}.piece" if cut else name), "wb") as f:
                f.write(data)
            shutil.copymode(os.path.join(folder, name), f.name)
    for name in files:
        p = parts[0].get(name)
        if p is None or p["end"] - p["start"] < p["size"]:
            os.remove(os.path.join(folder, name))
    for k, part in enumerate(parts):
        to = folder if k == 0 else f"{folder}.{k + 1}"
        with open(os.path.join(to, "parts.json"), "w") as f:
            json.dump({"part": k + 1, "of": len(parts), "files": part}, f, indent=1)
        yield to, base + sum(p["end"] - p["start"] for p in part.values()), sum(n.endswith(".loomx") for n in part)


def join(a, here):
    """Copies this folder's files to another one, and its pieces to their places in files there; says what is still missing."""
    os.makedirs(os.path.join(a.to, "on_gpu"), exist_ok=True)
    listed = json.load(open(os.path.join(here, "parts.json")))
    have = os.path.join(a.to, "joined.json")
    joined = json.load(open(have)) if os.path.exists(have) else {"of": listed["of"], "parts": [], "bytes": {}}
    for name in [*CARRIED, "settings.json"]:
        shutil.copy2(os.path.join(here, name), os.path.join(a.to, name))
    again = listed["part"] in joined["parts"]
    for name, p in listed["files"].items():
        cut = p["end"] - p["start"] < p["size"]
        path, to = os.path.join(here, f"{name}.piece" if cut else name), os.path.join(a.to, name)
        if not cut:
            shutil.copy2(path, to)
            continue
        with open(to, "r+b" if os.path.exists(to) else "w+b") as f:
            f.seek(p["start"])
            f.write(open(path, "rb").read())
        shutil.copymode(path, to)
        joined["bytes"][name] = joined["bytes"].get(name, 0) + (0 if again else p["end"] - p["start"])
        if joined["bytes"][name] == p["size"] and hashlib.file_digest(open(to, "rb"), "sha256").hexdigest() != p["sha256"]:
            sys.exit(f"{to}: not what was packed")
    joined["parts"] = sorted({*joined["parts"], listed["part"]})
    with open(have, "w") as f:
        json.dump(joined, f)
    missing = [k for k in range(1, joined["of"] + 1) if k not in joined["parts"]]
    if not missing:
        unpack_nccl(a.to)
    print(f"{a.to}: {'complete' if not missing else 'parts ' + ', '.join(map(str, missing)) + ' are missing'}")
    return 0


def unpack_nccl(folder):
    """The library that was carried, where `gpu run` looks for it."""
    wheel, plain = (os.path.join(folder, f"nccl.{kind}") for kind in ("whl", "so"))
    to = os.path.join(folder, "libnccl.so.2")
    if os.path.exists(wheel):
        with zipfile.ZipFile(wheel) as z:
            inside = next((n for n in z.namelist() if n.endswith("libnccl.so.2")), None)
            if inside is None:
                sys.exit(f"{wheel}: no libnccl.so.2 in it")
            with z.open(inside) as f, open(to, "wb") as out:
                shutil.copyfileobj(f, out)
    elif os.path.exists(plain):
        shutil.copy2(plain, to)
