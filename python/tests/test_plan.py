"""Plans of files, texts and JAX functions."""

import json
import subprocess
from pathlib import Path

import jax
import jax.numpy as jnp
import meshloom
import pytest
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
from meshloom import _command

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXT = """
mesh [data: 8]
entry f(x: f32[64, 32] @ [data, _], w: f32[32, 16]) -> f32[] { sum(dot(x, w)) }
"""


def loss(w, x):
    return jnp.mean(jnp.tanh(x @ w) ** 2)


def arguments():
    """The rows of `x` are split over 8 devices."""
    rows = NamedSharding(Mesh(jax.devices(), "data"), P("data"))
    return jnp.ones((512, 256)), jax.device_put(jnp.ones((4096, 512)), rows)


def test_a_file_is_planned_as_by_the_command():
    path = EXAMPLES / "mlp.loom"
    plan = meshloom.plan(path, mesh={"data": 8})
    asked = [_command.command(), "plan", str(path), "--mesh", "data=8", "--json"]
    assert plan.to_dict() == json.loads(subprocess.run(asked, capture_output=True, check=True).stdout)
    assert plan.memory["peak_bytes_per_device"] == plan.totals["peak_bytes_per_device"] > 0
    assert [c["op"] for c in plan.collectives] == ["all_gather", "all_gather", "all_reduce"]
    assert "all_gather" in str(plan) and repr(plan) == "<meshloom.Plan of mlp on 8 devices>"


def test_a_function_is_planned_with_its_own_lines():
    w, x = arguments()
    plan = meshloom.plan(jax.grad(loss), jax.ShapeDtypeStruct(w.shape, w.dtype), x)
    assert plan.entry["mesh"]["devices"] == 8
    assert plan.collectives and "test_plan.py" in plan.explain("#1")
    jitted = meshloom.plan(jax.jit(jax.grad(loss)), w, x)
    lowered = meshloom.plan(jax.jit(jax.grad(loss)).lower(w, x))
    text = meshloom.plan(jax.jit(jax.grad(loss)).lower(w, x).as_text())
    wires = [p.totals["wire_bytes_per_device"] for p in (plan, jitted, lowered, text)]
    assert wires == wires[:1] * 4


def test_assertions():
    plan = meshloom.plan(TEXT, plan_="follow")
    plan.assert_("no all_gather", "collectives(all_reduce) <= 1", "wire_bytes <= 1 KiB", "layout(x) == [data, _]")
    with pytest.raises(AssertionError, match="`f` has 1 all_reduce"):
        plan.assert_("no all_reduce(data)")
    with pytest.raises(meshloom.Rejected, match="the mesh has no axis `dota`") as e:
        plan.assert_("no all_reduce(dota)")
    assert e.value.code == 1 and e.value.diagnostics[0]["code"]["code"] == "E0401"
    w, x = arguments()
    plan = meshloom.plan(jax.grad(loss), w, x)
    with pytest.raises(AssertionError, match="wire_bytes"):
        plan.assert_("wire_bytes <= 1 B")


def test_what_is_refused_says_where():
    with pytest.raises(meshloom.Rejected, match="there is no `y` here") as e:
        meshloom.plan("entry f(x: f32[4]) -> f32[4] {\n  x + y\n}\n")
    assert e.value.code == 1
    assert e.value.diagnostics[0]["spans"][0]["file_name"] == "model.loom"
    assert e.value.diagnostics[0]["spans"][0]["line_start"] == 2
    with pytest.raises(meshloom.Rejected, match="there is no target `h10`") as e:
        meshloom.plan(EXAMPLES / "mlp.loom", target="h10")
    assert e.value.code == 2 and e.value.diagnostics == []
    with pytest.raises(meshloom.Error, match="there is no such file"):
        meshloom.plan("nothing.loom")
    with pytest.raises(meshloom.Error, match="this is a int"):
        meshloom.plan(3)
    with pytest.raises(meshloom.Error, match="entries, .*choose one"):
        meshloom.plan(EXAMPLES / "gpt.loom", mesh={"data": 2}).entry


def test_a_notebook_shows_the_page():
    shown = meshloom.plan(TEXT)._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "all_reduce" in shown


def test_the_plugin_of_pytest(pytester):
    pytester.makepyfile(
        """
        import jax, jax.numpy as jnp, pytest

        def loss(w, x):
            return jnp.mean(jnp.tanh(x @ w) ** 2)

        def arguments(rows):
            split = jax.NamedSharding(jax.sharding.Mesh(jax.devices(), "data"), jax.P("data"))
            return jnp.ones((512, 256)), jax.device_put(jnp.ones((rows, 512)), split)

        def test_holds(assert_plan):
            assert_plan(jax.grad(loss), *arguments(4096), no="all_to_all", wire_bytes="3 MiB", peak_bytes=100_000_000)

        def test_does_not(assert_plan):
            assert_plan(jax.grad(loss), *arguments(4096), wire_bytes=16)

        def test_locked(assert_plan):
            assert_plan(jax.grad(loss), *arguments(4096), lock="grad")
        """
    )
    plugin = ("-p", "meshloom.pytest_plugin")
    first = pytester.runpytest_subprocess(*plugin)
    first.assert_outcomes(passed=1, failed=2)
    first.stdout.fnmatch_lines(["*wire_bytes*", "*grad.lock is missing: `pytest --update-plans` writes it*"])
    pytester.runpytest_subprocess(*plugin, "--update-plans", "-k", "locked").assert_outcomes(passed=1)
    pytester.runpytest_subprocess(*plugin, "-k", "locked").assert_outcomes(passed=1)
    test = pytester.path / "test_the_plugin_of_pytest.py"
    test.write_text(test.read_text().replace("(4096), lock", "(2048), lock"))
    changed = pytester.runpytest_subprocess(*plugin, "-k", "locked")
    changed.assert_outcomes(failed=1)
    changed.stdout.fnmatch_lines(["*1.0 MiB -> 512 KiB*"])


def test_an_assertion_without_a_place_raises_as_any_other():
    plan = meshloom.plan(loss, *arguments())
    with pytest.raises(AssertionError, match="peak_bytes of `main` is"):
        plan.assert_("peak_bytes <= 1 KiB")
    with pytest.raises(meshloom.Rejected):
        plan.assert_("peak_bytes is small")
