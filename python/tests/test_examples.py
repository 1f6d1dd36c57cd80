"""The programs of examples/jax, as their first lines say to run them."""

import subprocess
import sys
from pathlib import Path

import pytest

JAX = Path(__file__).parents[2] / "examples" / "jax"


@pytest.mark.parametrize("name", ["transformer", "moe", "actor_critic"])
def test_equals_jax(name):
    ran = subprocess.run([sys.executable, JAX / f"{name}.py"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.startswith("8 devices") and "largest difference" in ran.stdout
