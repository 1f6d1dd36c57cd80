"""How fast: ops, steps and GPT-2 medium beside PyTorch and JAX; memory beside the prediction. What a peer takes is measured once and kept."""
import json, math, os, shutil, subprocess, time, zipfile

from on_gpu.process import end, environment, finish, inputs, python_of
from on_gpu.works import F32, MESHES, OPS, OWN_MATMUL_AIM, STEP_AIM, TOKENS, WORKS, bundle_name

PEERS = ("torch", "jax")


def peers_of(r, run, results, work, seconds):
    """Milliseconds by name, for each peer that is there, each op or step measured for so many seconds."""
    more = [*r.small, "--seconds", str(seconds)]
    found = {}
    for name in PEERS:
        known = results.find("peers", work, name)
        if known is None:
            python = python_of(name)
            if finish([python, "-c", f"import {name}"], r.seconds(60)).code != 0:
                known = results.add("peers", work, name, "missing", note=f"no {name} in {python}")
            else:
                done = finish([python, run.path("on_gpu/peer.py"), name, work, *more], r.seconds(240), {**os.environ, "PYTHONUNBUFFERED": "1"})
                times = json.loads(done.out.strip().splitlines()[-1]) if done.code == 0 else {}
                known = results.add("peers", work, name, "ok" if times else "missing", note="" if times else done.said(), times=times)
        found[name] = known.get("times") or {}
    return {n: t for n, t in found.items() if t}


def share(results, stage, what, on, ms, best, aim, of):
    part = best / ms
    results.add(stage, what, on, "ok" if part >= aim else "below", ms, f"{part:.0%} of {of} ({best:.3f} ms), the aim is {aim:.0%}")


def ops(r, run, results):
    if not run.has("ops.loomx"):
        return results.add("ops", "ops", "", "missing", note="no ops.loomx in this folder")
    peers = peers_of(r, run, results, "ops", r.measure)
    copy = peers.get("torch", {}).get("copy")
    variants = [("ours", "ops.loomx", {})]
    own = [("our kernel", "ops.loomx", {"MESHLOOM_MATMUL": "own"}), ("ours without TMA", "ops_without_tma.loomx", {"MESHLOOM_MATMUL": "own"})]
    for entry, (kind, size, aim) in OPS.items():
        for on, bundle, env in variants + (own if entry.startswith("matmul") else []):
            if results.has("ops", entry, on) or not run.has(bundle):
                continue
            ms, why = run.time(bundle, entry, r.measure, r.seconds(60), env)
            there = {n: p[entry] for n, p in peers.items() if entry in p}
            best = min(there, key=there.get, default=None)
            if ms is None:
                results.add("ops", entry, on, "failed", note=why)
            elif kind == "copy" and copy:
                # A copy reads and writes each byte once.
                share(results, "ops", entry, on, ms, copy * size / (2 * F32), aim, "the copy bandwidth")
            elif best:
                share(results, "ops", entry, on, ms, there[best], aim if on == "ours" else OWN_MATMUL_AIM, f"{best}'s speed")
            else:
                results.add("ops", entry, on, "ok", ms, f"{size / ms / 1e6:.0f} GB/s" if size else "")
    steps(r, run, results)


def steps(r, run, results):
    """Whole steps of the small programs, beside the peers' in f32."""
    for work in WORKS:
        mesh = MESHES[work][0]
        bundle = bundle_name(work, mesh)
        if not run.has(bundle):
            continue
        if not results.has("ops", f"{work} step", "ours"):
            command = [run.program, "--quiet", run.path(bundle), "--launcher", "none", "--time", str(r.measure), *inputs(work)]
            done = finish(command, r.seconds(60))
            ms = json.loads(done.out.strip().splitlines()[-1])["ms"] if done.code == 0 else None
            results.add("ops", f"{work} step", "ours", "ok" if done.code == 0 else "failed", ms, "" if done.code == 0 else done.said())
        for name in PEERS:
            if results.has("ops", f"{work} step", name):
                continue
            python = python_of(name)
            more = {"JAX_PLATFORMS": "cuda"} if name == "jax" else {}
            done = finish([python, run.path(f"peer_{name}.py"), work, "--steps", "50"], r.seconds(120), {**os.environ, **more})
            if done.code != 0:
                results.add("ops", f"{work} step", name, "missing", note=done.said())
                continue
            out = json.loads(done.out.strip().splitlines()[-1])
            results.add("ops", f"{work} step", name, "ok", out["step_ms"]["median"], f"first loss {out['losses'][0]:.6f}")


def gpt2(r, run, results):
    bundle, what = "gpt2_medium.loomx", "gpt2_medium bf16 step"
    if not run.has(bundle):
        return results.add("gpt2", what, "ours", "missing", note="no bundle of it in this folder")
    if not results.has("gpt2", "gpt2_medium losses", "ours"):
        done, got, _ = run.train(bundle, None, 4, r.seconds(120), more=("--launcher", "none", "--entry", "gpt2"))
        right = done.code == 0 and len(got) == 4 and all(map(math.isfinite, got)) and got[-1] < got[0]
        results.add("gpt2", "gpt2_medium losses", "ours", "ok" if right else "WRONG" if done.code == 0 else "failed", note=f"{got}" if done.code == 0 else done.said())
    ours = {}
    for on, env in (("ours", {}), ("our kernels", {"MESHLOOM_MATMUL": "own"})):
        known = results.find("gpt2", what, f"{on}, alone")
        if known is None:
            ms, why = run.time(bundle, "gpt2", 2 * r.measure, r.seconds(150), env)
            known = results.add("gpt2", what, f"{on}, alone", "failed" if ms is None else "ok", ms, why or f"{TOKENS / ms * 1e3:.0f} tokens/s")
        ours[on] = known["ms"]
    memory(r, run, results)
    peers = peers_of(r, run, results, "gpt2_medium", 2 * r.measure)
    if peers and ours["ours"] and not results.has("gpt2", what, "beside peers"):
        best = min(peers, key=lambda n: peers[n]["step"])
        share(results, "gpt2", what, "beside peers", ours["ours"], peers[best]["step"], STEP_AIM, f"{best}'s speed")


def predicted(bundle):
    """Bytes of all devices of a bundle's largest entry, as it was planned: arenas and workspaces."""
    with zipfile.ZipFile(bundle) as z:
        programs = [json.loads(z.read(n)) for n in z.namelist() if n.startswith("programs/")]
    return max((p["arena_bytes"] + p["scratch_bytes"]) * math.prod(a["size"] for a in p["mesh"]) for p in programs)


def used(r, run, bundle, work, entry):
    """Most bytes that the driver says the process has while it trains; None where it does not say."""
    if not shutil.which("nvidia-smi"):
        return None
    command = [run.program, "--quiet", run.path(bundle), "--launcher", "none", *entry, "--steps", "1000000", *inputs(work)]
    process = subprocess.Popen(command, env=environment({"MESHLOOM_MATMUL": "own"}), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    most, stop = 0, time.monotonic() + 6 * r.measure
    try:
        while time.monotonic() < stop and process.poll() is None:
            smi = finish(["nvidia-smi", "--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits"], 10)
            for line in smi.out.splitlines():
                pid, _, size = line.partition(",")
                if pid.strip() == str(process.pid) and size.strip().isdigit():
                    most = max(most, int(size) << 20)
            time.sleep(0.2)
    finally:
        end(process)
    return most or None


def memory(r, run, results):
    """What the driver counts besides (its context, the kernels' code) is what it counts for the smallest bundle."""
    all = [(bundle_name(w, MESHES[w][0]), w, ()) for w in WORKS] + [("gpt2_medium.loomx", None, ("--entry", "gpt2"))]
    sizes = sorted((predicted(run.path(b)), b, w or "", e) for b, w, e in all if run.has(b))
    if not sizes or results.has("gpt2", "memory", "measured"):
        return
    (least, bundle, work, entry), *more = sizes
    base = used(r, run, bundle, work or None, entry)
    results.add("gpt2", "memory", "measured", "ok" if base else "missing", note=f"{base >> 20} MiB of {bundle}" if base else "nvidia-smi does not say what a process has")
    for want, bundle, work, entry in more if base else []:
        got = used(r, run, bundle, work or None, entry)
        if got is None:
            results.add("gpt2", "memory", bundle, "missing", note="the driver says nothing of it")
            continue
        got -= base - least
        far = got / want - 1
        # Allocations are whole pages of 2 MiB, and there are two.
        results.add("gpt2", "memory", bundle, "ok" if abs(far) <= 0.1 or abs(got - want) <= 4 << 20 else "below", note=f"{got / 2**20:.0f} MiB, {want / 2**20:.0f} MiB predicted, {far:+.0%}, the aim is 10%")
