"""examples/tour.ipynb, from beginning to end."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

TOUR = Path(__file__).parents[2] / "examples" / "tour.ipynb"


def test_the_tour_runs():
    notebook = nbformat.read(TOUR, as_version=4)
    assert not any(c.get("outputs") for c in notebook.cells), "the notebook is kept without outputs"
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": TOUR.parent}}).execute()
    outputs = [o for c in notebook.cells for o in c.get("outputs", [])]
    pages = [o["data"]["text/html"] for o in outputs if "text/html" in o.get("data", {})]
    assert len(pages) == 1 and pages[0].startswith("<iframe srcdoc=")
    said = "".join(o.get("text", "") for o in outputs)
    assert "all_reduce" in said and "collectives of `main`" in said, said
