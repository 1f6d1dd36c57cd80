"""examples/pytorch.ipynb, from beginning to end. `scripts/torch` runs this file, whose Python has no Jupyter: cells are run as IPython would.

    python python/tests/test_torch_notebook.py        writes what cells print into the notebook; the page of the plan is left out
"""

import ast
import contextlib
import io
import json
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "examples" / "pytorch.ipynb"


def outputs(notebook):
    """What each code cell prints, and the value of its last line where that is one."""
    scope = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(tree, str(NOTEBOOK), "exec"), scope)
            value = eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), scope) if last else None
        yield cell, said.getvalue(), value


def test_the_notebook_runs():
    pytest.importorskip("torch", reason="PyTorch is not installed")
    pytest.importorskip("transformers", reason="Transformers is not installed")
    found = list(outputs(json.loads(NOTEBOOK.read_text())))
    pages = [v._repr_html_() for _, _, v in found if hasattr(v, "_repr_html_")]
    assert len(pages) == 1 and pages[0].startswith("<iframe srcdoc=")
    said = "".join(text for _, text, _ in found)
    assert "model.layers.*.mlp.down_proj.weight" in said and "[parallelism]" in said and "GiB at most on a device" in said, said
    losses = found[-1][2]
    assert losses == sorted(losses, reverse=True), losses


def write():
    notebook = json.loads(NOTEBOOK.read_text())
    for cell, said, value in outputs(notebook):
        text = said if value is None or hasattr(value, "_repr_html_") else said + repr(value) + "\n"
        cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}] if text else []
    NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    write()
