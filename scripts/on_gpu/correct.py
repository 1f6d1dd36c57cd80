"""What must be right: kernels against their references, losses against the oracles', ranks of NCCL, and all of it under compute-sanitizer."""
import glob, json, math, os, re, shutil, socket, subprocess, sys, tempfile, zipfile
from concurrent.futures import ThreadPoolExecutor

from on_gpu.process import environment, finish, inputs
from on_gpu.works import MESHES, OFF, STAGES, WORKS, bundle_name, devices, stage_name

# Under racecheck, which is the slowest: kernels whose threads exchange through shared memory.
RACES = ("added.operands_are_added_up.", "attention_gpu.forward.", "dot.operands_lie", "dot.pipelines_of_warpgroups.", "dot.slices_are_fetched.", "fused.layer_norm", "scatter.", "order.first")
PIECES = {"MESHLOOM_CUDA_GRAPHS": "off"}


def doctor(r, run, results):
    """The card, its driver, and the libraries that a run takes."""
    smi = finish(["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"], 30) if shutil.which("nvidia-smi") else None
    results.add("doctor", "card", "", "ok" if smi and smi.code == 0 else "missing", note=smi.out.strip() if smi and smi.code == 0 else "no nvidia-smi says which it is")
    done = finish([run.program, "doctor", "--json"], 60)
    found = json.loads(done.out) if done.code == 0 else {}
    if not found:
        results.add("doctor", "meshloom-run doctor", "", "failed", note=done.said())
    for name, finding in found.items():
        results.add("doctor", name, "", "ok" if finding["ok"] else "missing", note=finding["text"])
    return found.get("cuda driver", {}).get("ok", False)


def packs(place, run):
    path = run.path("kernels.zip")
    if os.path.exists(path):
        zipfile.ZipFile(path).extractall(place)
    return sorted(glob.glob(os.path.join(place, "*.loomx")))


def modules(packs):
    """By the module of the test, so that a kernel that stops the device takes no other module's with it."""
    found = {}
    for p in packs:
        found.setdefault(os.path.basename(p).split(".")[0], []).append(p)
    return found


def kernels(r, run, results):
    with tempfile.TemporaryDirectory() as place:
        all = packs(place, run)
        if not all:
            results.add("kernels", "kernels", "", "missing", note="no kernels.zip in this folder")
        for module, of in modules(all).items():
            if results.has("kernels", module, f"{len(of)} packs"):
                continue
            done = finish([run.program, "kernels", *of], r.seconds(120))
            if done.code == 0:
                results.add("kernels", module, f"{len(of)} packs", "ok", note=done.out.strip().splitlines()[-1])
                continue
            results.add("kernels", f"{module}, all at once", f"{len(of)} packs", "again", note=done.said())
            bad = sum(pack_alone(r, run, results, p) for p in of)
            results.add("kernels", module, f"{len(of)} packs", "WRONG" if bad else "ok", note=f"{bad} wrong when run alone" if bad else "each alone is right")


def pack_alone(r, run, results, pack):
    """A pack of a module that failed, and where it fails too, each of its launches: how many are wrong."""
    name = os.path.basename(pack).removesuffix(".loomx")
    if known := results.find("kernels", name, "alone"):
        return known["result"] != "ok"
    done = finish([run.program, "kernels", pack], r.seconds(60))
    if done.code == 0:
        results.add("kernels", name, "alone", "ok")
        return 0
    listed = finish([run.program, "kernels", "--list", pack], r.seconds(20))
    launches = [json.loads(l) for l in listed.out.splitlines()] if listed.code == 0 else []
    bad = 0
    for l in launches:
        one = finish([run.program, "kernels", pack, "--launch", str(l["launch"])], r.seconds(30))
        if one.code != 0:
            bad += 1
            said = one.out.strip().splitlines()[0].split(": ", 1)[-1][:160] if one.code == 1 and one.out.strip() else one.said()
            results.add("kernels", name, f"launch {l['launch']}", "WRONG" if one.code == 1 else "failed" if one.code else "deadline", note=f"{l['kernel']}: {said}")
    results.add("kernels", name, "alone", "WRONG" if done.code == 1 else "failed" if done.code else "deadline",
                note=done.said() if bad else f"{done.said()}; each of its {len(launches)} launches alone is right")
    return 1


def off(got, want):
    return max((abs(g - w) / abs(w) for g, w in zip(got, want)), default=math.inf) if len(got) == len(want) else math.inf


def compared(results, stage, what, on, done, got, want, seconds=()):
    """A row of losses; whether they are right."""
    if done.code != 0:
        results.add(stage, what, on, "failed" if done.code else "deadline", note=done.said())
        return False
    far = off(got, want)
    steps = sorted(seconds[3:])
    results.add(stage, what, on, "ok" if far < OFF else "WRONG", steps[len(steps) // 2] * 1e3 if steps else None, f"off by {far:.1e} of JAX's")
    return far < OFF


def losses(r, run, results):
    oracles = json.load(open(run.path("oracles.json")))
    todo = [(f"{w} losses", m, bundle_name(w, m), w) for w in WORKS for m in MESHES[w]]
    todo += [(f"gpt_small stages, {s}", "pipe=2", stage_name(s), "gpt_small") for s in STAGES]
    for what, mesh, bundle, work in todo:
        want = oracles[work]
        for how, env in (("as a graph", {}), ("piece by piece", PIECES)):
            name = f"{what}, {how}"
            if results.has("losses", name, mesh):
                continue
            if not run.has(bundle):
                results.add("losses", name, mesh, "missing", note="no bundle of it in this folder")
                continue
            done, got, seconds = run.train(bundle, work, len(want), r.seconds(60), env)
            if not compared(results, "losses", name, mesh, done, got, want, seconds) and not env:
                # Once more without the library, so that it is known whose mistake it is.
                done, got, seconds = run.train(bundle, work, len(want), r.seconds(60), {**env, "MESHLOOM_MATMUL": "own"})
                compared(results, "losses", f"{name}, own matmuls", mesh, done, got, want, seconds)


def ranks(run, bundle, work, count, steps, seconds, env=None):
    """Several processes on this host, on one GPU where NCCL allows it: how the first that failed ended, and losses."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    shared = {"NCCL_MULTI_RANK_GPU_ENABLE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(count), **(env or {})}
    with tempfile.TemporaryDirectory() as place:
        metrics, script = os.path.join(place, "metrics.jsonl"), os.path.join(place, "ranks")
        command = [run.program, "--quiet", run.path(bundle), "--steps", str(steps), "--timeout", "30", "--metrics", metrics, *inputs(work)]
        # One process group for all of them, which ends at the deadline.
        with open(script, "w") as f:
            json.dump([command, count], f)
        done = finish([sys.executable, os.path.join(run.folder, "gpu"), "ranks", script], seconds, environment(shared))
        lines = open(metrics).read().splitlines() if os.path.exists(metrics) else []
    return done, [json.loads(l)["loss"] for l in lines if l.startswith("{")]


def start_ranks(path):
    """`gpu ranks`: the processes of a run; ends as the first that fails."""
    command, count = json.load(open(path))
    all = [subprocess.Popen(command, env={**os.environ, "RANK": str(k)}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for k in range(count)]
    said = [p.communicate()[1] for p in all]
    bad = next(((p.returncode, s) for p, s in zip(all, said) if p.returncode), None)
    if bad:
        print(bad[1], file=sys.stderr)
    return min(abs(bad[0]), 255) if bad else 0


def nccl(r, run, results):
    oracles = json.load(open(run.path("oracles.json")))
    todo = [(w, m, bundle_name(w, m), devices(m)) for w in WORKS for m in MESHES[w] if devices(m) > 1]
    todo += [("gpt_small", f"pipe=2, {s}", stage_name(s), 2) for s in STAGES]
    for work, on, bundle, count in todo:
        want = oracles[work]
        name = f"{work} as {count} ranks"
        if not run.has(bundle) or results.has("nccl", name, on):
            continue
        done, got = ranks(run, bundle, work, count, len(want), r.seconds(90))
        if not compared(results, "nccl", name, on, done, got, want):
            done, got = ranks(run, bundle, work, count, len(want), r.seconds(90), PIECES)
            compared(results, "nccl", f"{name}, piece by piece", on, done, got, want)
        if both := overlap(r, run, bundle, work):
            results.add("nccl", f"{work} collectives", on, "ok", both[0], f"{both[1]:.3f} ms of it beside kernels, in a traced step of devices on one GPU")


def overlap(r, run, bundle, work):
    """Milliseconds of collectives in a traced step, and of these such as passed while kernels ran."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "trace.json")
        done, _, _ = run.train(bundle, work, 4, r.seconds(60), more=("--launcher", "none", "--trace", path))
        if done.code != 0 or not os.path.exists(path):
            return None
        spans = [e for e in json.load(open(path))["traceEvents"] if e["ph"] == "X"]
    busy = []
    for start, stop in sorted((e["ts"], e["ts"] + e["dur"]) for e in spans if e["cat"] != "collective"):
        if busy and start <= busy[-1][1]:
            busy[-1][1] = max(busy[-1][1], stop)
        else:
            busy.append([start, stop])
    whole = [(e["ts"], e["ts"] + e["dur"]) for e in spans if e["cat"] == "collective"]
    both = sum(max(0.0, min(b, d) - max(a, c)) for a, b in whole for c, d in busy)
    return (sum(b - a for a, b in whole) / 1e3, both / 1e3) if whole else None


def sanitize(r, run, results):
    tool_path = shutil.which("compute-sanitizer") or next((p for p in ["/usr/local/cuda/bin/compute-sanitizer"] if os.path.exists(p)), None)
    if not tool_path:
        return results.add("sanitize", "compute-sanitizer", "", "missing")

    def one(job):
        what, on, tool, command = job
        if results.has("sanitize", f"{what} {tool}", on):
            return
        done = finish([tool_path, "--tool", tool, "--error-exitcode", "99", *command], r.seconds(300), environment(PIECES))
        summary = re.findall(r"(?:ERROR SUMMARY|RACECHECK SUMMARY): .*", done.out + done.err)
        results.add("sanitize", f"{what} {tool}", on, "ok" if done.code == 0 else "FOUND" if done.code else "deadline", note=summary[-1] if summary else done.said())

    with tempfile.TemporaryDirectory() as place:
        all, jobs = packs(place, run), []
        for tool in ("memcheck", "racecheck", "synccheck", "initcheck"):
            of = [p for p in all if tool != "racecheck" or os.path.basename(p).startswith(RACES)]
            for module, some in modules(of).items():
                jobs.append((f"kernels: {module}", f"{len(some)} packs", tool, [run.program, "kernels", *some]))
            for work, mesh in ((w, m) for w in ("mlp", "gpt_tiny") for m in MESHES[w] if run.has(bundle_name(w, m))):
                train = [run.program, "--quiet", run.path(bundle_name(work, mesh)), "--launcher", "none", "--steps", "1", *inputs(work)]
                jobs.append((work, mesh, tool, train))
        # The tool's own work is on the host, so several programs share the GPU; each has a context of its own.
        with ThreadPoolExecutor(min(8, max(1, (os.cpu_count() or 1) // 2))) as pool:
            list(pool.map(one, jobs))
