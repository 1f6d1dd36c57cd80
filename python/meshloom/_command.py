"""The `meshloom` command: where it is, and how what it refuses becomes an exception.

Planning and compiling run in a process of their own, so that neither LLVM nor a bug of the compiler is in the process that has JAX
or PyTorch in it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Mapping, Sequence

from ._native import Error as Error


# Options that end so name files: a target, a table of a schedule, a layout.
FILES = (".toml", ".csv", ".loom")


class Rejected(Error):
    """A program, a plan or an option that is refused.

    Attributes:
        code: the exit code of the command: 1 rejected, 2 usage or environment, 4 no plan fits, 101 a bug of Meshloom.
        diagnostics: one dict for each error, as docs/diagnostics.md describes them; those with a code or a place in a source.
        output: what the command had written to standard output.
    """

    def __init__(self, text: str, code: int, diagnostics: Sequence[Mapping[str, Any]] = (), output: str = ""):
        super().__init__(text)
        self.code = code
        self.diagnostics = list(diagnostics)
        self.output = output


def command() -> str:
    """The file of the command: what `MESHLOOM` names, what the package holds, or what is on the PATH.

    Raises:
        Error: there is none.
    """
    own = Path(__file__).parent / "bin" / "meshloom"
    found = os.environ.get("MESHLOOM") or (str(own) if own.exists() else shutil.which("meshloom"))
    if not found:
        raise Error("the command `meshloom` is neither in the package nor on the PATH; MESHLOOM=/path/to/meshloom names it")
    return found


def flags(options: Mapping[str, Any]) -> list[str]:
    """Options of the command from keyword arguments: `recompute="full"` is `--recompute full`, `mesh={"data": 8}` is
    `--mesh data=8`, `strict_float=True` is `--strict-float`, a list gives the option once with commas. Files are named from the root,
    since the command may run in another folder."""
    made: list[str] = []
    for name, value in options.items():
        flag = "--" + name.strip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            made.append(flag)
        elif isinstance(value, Mapping):
            made += [flag, ",".join(f"{k}={v}" for k, v in value.items())]
        elif isinstance(value, (list, tuple)):
            made += [flag, ",".join(str(v) for v in value)]
        elif isinstance(value, os.PathLike) or str(value).endswith(FILES):
            made += [flag, os.path.abspath(value)]
        else:
            made += [flag, str(value)]
    return made


def run(*args: str | os.PathLike[str], folder: str | None = None) -> str:
    """Runs the command, in a folder, and gives what it writes to standard output.

    Raises:
        Rejected: with the diagnostics, where the command refuses.
    """
    line = [command(), "--quiet", "--message-format=json", *(os.fspath(a) for a in args)]
    done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=folder)
    if done.returncode:
        said = [_message(line) for line in done.stderr.splitlines() if line.strip()]
        found = [d for d in said if d.get("level") == "error"]
        text = "\n".join(d.get("rendered") or d.get("message", "") for d in found or said).strip()
        about = [d for d in found if d.get("spans") or d.get("code")]
        raise Rejected(text or f"meshloom ended with {done.returncode}", done.returncode, about, done.stdout)
    return done.stdout


def _message(line: str) -> dict[str, Any]:
    try:
        read = json.loads(line)
    except ValueError:
        read = None
    return read if isinstance(read, dict) else {"message": line}


def main() -> None:
    """The script `meshloom` that pip installs: the command itself, in the place of this process."""
    line = [command(), *sys.argv[1:]]
    os.execv(line[0], line)
