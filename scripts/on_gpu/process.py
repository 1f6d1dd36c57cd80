"""Programs with a deadline, in the environment that they need."""
import glob, json, os, signal, subprocess, sys, tempfile, time
from dataclasses import dataclass

from on_gpu.works import WORKS


@dataclass
class Done:
    """How a program ended: `code` is None where it was ended at its deadline."""
    code: int | None
    out: str
    err: str
    seconds: float

    def said(self):
        """The first line of what it says went wrong."""
        if self.code is None:
            return f"ended after {self.seconds:.0f} s"
        lines = [l for l in (self.err + "\n" + self.out).splitlines() if l.strip()]
        return next((l for l in lines if l.startswith("error")), lines[0] if lines else f"exit code {self.code}")[:160]


def finish(command, seconds, env=None):
    """Runs a program in a process group of its own, which is killed at the deadline."""
    start = time.monotonic()
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        try:
            p = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, env=env or environment(), start_new_session=True)
        except OSError as e:
            return Done(127, "", f"{command[0]} cannot be started: {e.strerror}", 0.0)
        try:
            code = p.wait(timeout=max(seconds, 0.1))
        except subprocess.TimeoutExpired:
            code = None
        finally:
            end(p)
        read = lambda f: (f.seek(0), f.read())[1]
        return Done(code, read(out), read(err), time.monotonic() - start)


def end(p):
    """Ends a process and what it started."""
    try:
        os.killpg(p.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    p.wait()


def python_of(peer):
    """The peer's own python is this one, or the one that JAX_PYTHON or TORCH_PYTHON names."""
    return os.environ.get(f"{peer.upper()}_PYTHON", sys.executable)


def environment(more=None):
    """With the folders where Python packages and CUDA have their libraries at the end of where the loader looks, and the NCCL that was carried."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    places = [os.environ.get("LD_LIBRARY_PATH", "")]
    for site in dict.fromkeys(p for p in sys.path if p.endswith("-packages")):
        places += sorted(glob.glob(os.path.join(site, "nvidia", "*", "lib")))
    places += [p for p in ("/usr/local/nvidia/lib64", "/usr/local/cuda/lib64") if os.path.isdir(p)]
    env = {**os.environ, "LD_LIBRARY_PATH": ":".join(p for p in places if p)}
    carried = os.path.join(here, "libnccl.so.2")
    if os.path.exists(carried):
        env["MESHLOOM_NCCL"] = carried
    return {**env, **(more or {})}


class Runner:
    """`meshloom-run` of a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.program = os.path.join(folder, "meshloom-run")

    def path(self, name):
        return os.path.join(self.folder, name)

    def has(self, name):
        return os.path.exists(self.path(name))

    def train(self, bundle, work, steps, seconds, env=None, wrapper=(), more=("--launcher", "none")):
        """Trains so many steps; how it ended, losses, seconds of each step."""
        with tempfile.TemporaryDirectory() as place:
            metrics = os.path.join(place, "metrics.jsonl")
            command = [*wrapper, self.program, "--quiet", self.path(bundle), *more, "--steps", str(steps), "--metrics", metrics, *inputs(work)]
            done = finish(command, seconds, environment(env))
            lines = open(metrics).read().splitlines() if os.path.exists(metrics) else []
        found = [json.loads(l) for l in lines if l.startswith("{")]
        return done, [l["loss"] for l in found], [l["seconds"] for l in found if "seconds" in l]

    def time(self, bundle, entry, seconds, deadline, env=None):
        """Milliseconds of one run of an entry, of many that are waited for once; or why there are none."""
        command = [self.program, "--quiet", self.path(bundle), "--launcher", "none", "--entry", entry, "--random-inputs", "1", "--time", str(seconds)]
        done = finish(command, deadline, environment(env))
        return (json.loads(done.out.strip().splitlines()[-1])["ms"], "") if done.code == 0 else (None, done.said())


def inputs(work):
    return [x for i in WORKS[work][1] for x in ("--input", i)] if work else ["--random-inputs", "1"]
