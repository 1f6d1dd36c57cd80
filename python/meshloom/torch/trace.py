"""`python -m meshloom.torch.trace FOLDER`: the train step of a model of Transformers as StableHLO, on standard output or in a file.

`meshloom plan hf:FOLDER` runs this. Errors are one line on standard error, and exit code 2: nothing was read that could be rejected.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from .._command import Error
from . import configs
from .settings import OPTIMIZERS, PRECISIONS, Settings
from .step import traced


def main() -> int:
    args = _arguments().parse_args()
    try:
        module, config = configs.module(args.model)
        batch = configs.batch(module, config, args.batch, args.seq)
        given = {"optimizer": args.optimizer, "precision": args.precision, "clip": args.clip or None, "boundaries": args.boundaries,
                 "accumulate": args.accumulate, "staged": args.staged, "loss_chunks": args.loss_chunks,
                 "expert_capacity": args.expert_capacity or None}  # fmt: skip
        mesh = {n: int(s) for n, s in (part.split("=") for part in args.mesh.split(","))} if args.mesh else None
        layouts = json.loads(Path(args.layouts).read_text()) if args.layouts else {}
        text = traced(module, (batch,), Settings(**given, layouts=layouts), mesh).text()
    except Error as e:
        print(e, file=sys.stderr)
        return 2
    if args.output:
        Path(args.output).write_text(text)
    else:
        sys.stdout.write(text)
    return 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m meshloom.torch.trace", description=__doc__.splitlines()[0])
    parser.add_argument("model", help="a folder with a config.json, or such a file")
    parser.add_argument("--seq", type=int, default=4096, help="tokens of a sequence")
    parser.add_argument("--batch", type=int, default=64, help="sequences of a step")
    parser.add_argument("--optimizer", choices=OPTIMIZERS, default="adamw")
    parser.add_argument("--precision", choices=PRECISIONS, default="bf16")
    parser.add_argument("--clip", type=float, default=1.0, help="the largest norm of the gradients; 0 for none")
    parser.add_argument("--mesh", help="AXIS=N,..: what layouts name")
    parser.add_argument("--layouts", help="a JSON file: layouts of parameters by patterns over their names")
    parser.add_argument("--boundaries", action="store_true", help="loss and gradients for `meshloom check-plan`, with the modules' boundaries")
    parser.add_argument("--accumulate", type=int, default=1, help="microbatches whose gradients a step adds up")
    parser.add_argument("--staged", action="store_true", help="the loss alone, of which Loom makes a step with stages")
    parser.add_argument("--loss-chunks", type=int, default=1, help="parts of the positions of which the loss is computed in turn")
    parser.add_argument("--expert-capacity", type=float, default=0.0, help="times its even share that an expert takes; 0 for exact mixtures")
    parser.add_argument("-o", "--output", help="the file to write")
    return parser


if __name__ == "__main__":
    sys.exit(main())
