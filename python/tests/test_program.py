"""Programs that run on 8 CPU devices."""

import threading
from pathlib import Path

import jax
import jax.numpy as jnp
import meshloom
import numpy as np
import pytest
from meshloom import array

EXAMPLES = Path(__file__).parents[2] / "examples"


def step(state, x, y):
    def loss(p):
        return jnp.mean((jnp.tanh(x @ p["w1"] + p["b"]) @ p["w2"] - y) ** 2)

    value, gradients = jax.value_and_grad(loss)(state["p"])
    p = jax.tree.map(lambda p, g: p - 0.1 * g, state["p"], gradients)
    return {"p": p, "count": state["count"] + 1}, {"loss": value, "norm": jnp.sqrt(sum((g**2).sum() for g in jax.tree.leaves(gradients)))}


@pytest.fixture(scope="module")
def given():
    k = jax.random.split(jax.random.key(0), 4)
    p = {"w1": jax.random.normal(k[0], (64, 256)), "b": jnp.zeros(256), "w2": jax.random.normal(k[1], (256, 8))}
    return {"p": p, "count": jnp.int32(0)}, jax.random.normal(k[2], (1024, 64)), jax.random.normal(k[3], (1024, 8))


@pytest.fixture(scope="module")
def donating(given):
    return meshloom.compile(jax.jit(step, donate_argnums=0), *given, mesh={"data": 8})


def test_a_step_of_jax_equals_jax(given, donating):
    ours, x, y = given
    theirs = jax.tree.map(jnp.copy, ours)
    assert donating.devices == 8
    for _ in range(4):
        ours, said = donating(ours, x, y)
        theirs, expected = jax.jit(step)(theirs, x, y)
        np.testing.assert_allclose(float(said["loss"]), float(expected["loss"]), rtol=1e-5)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6), ours, theirs)
    assert int(ours["count"]) == 4


def test_donated_results_stay_on_the_devices(given, donating, monkeypatch):
    state, x, y = given
    written = []
    kept = donating._write
    monkeypatch.setattr(donating, "_write", lambda name, value: (written.append(name), kept(name, value)))
    first, said = donating(state, x, y)
    assert sorted(written) == sorted(["p.w1", "p.b", "p.w2", "count", *_inputs(donating)])
    written.clear()
    second, _ = donating(first, x, y)
    # What was computed last is there already.
    assert sorted(written) == sorted(_inputs(donating))
    assert "donated" in repr(first["p"]["w1"])
    with pytest.raises(meshloom.Error, match="was donated to a later call"):
        first["p"]["w1"].numpy()
    # A result that was not passed on is read before it is written over.
    assert float(said["loss"]) > 0 and np.isfinite(second["p"]["w1"].numpy()).all()


def _inputs(program):
    return [n for n, p in program.ports.items() if p.role == "input"]


def test_results_that_are_kept_outlive_the_next_call(given):
    program = meshloom.compile(jax.jit(step), *given, mesh={"data": 8})
    first, _ = program(*given)
    expected = jax.jit(step)(*given)[0]["p"]["w1"]
    program(first, *given[1:])
    np.testing.assert_allclose(first["p"]["w1"], expected, rtol=1e-5, atol=1e-6)


def test_arguments_and_results_pass_without_a_copy(given, donating):
    x = given[1]
    assert array.on_host(x).ctypes.data == x.unsafe_buffer_pointer()
    mine = np.arange(6, dtype=np.float32)
    assert array.on_host(mine) is mine
    half = jnp.ones((4, 4), jnp.bfloat16)
    assert array.on_host(half).dtype == half.dtype
    result = donating(*given)[0]["p"]["w1"]
    there = result.numpy().ctypes.data
    assert np.from_dlpack(result).ctypes.data == there
    assert np.asarray(result).ctypes.data == there
    assert jnp.from_dlpack(result).unsafe_buffer_pointer() == there


def test_arguments_that_do_not_fit(given, donating):
    state, x, y = given
    with pytest.raises(TypeError, match="was lowered for arguments"):
        donating(state, x)
    with pytest.raises(meshloom.Error, match=r"expected f32\[1024, 64\], found f32\[512, 64\]"):
        donating(state, x[:512], y)
    with pytest.raises(meshloom.Error, match=r"expected float32\[1024, 64\], found complex64\[1024, 64\]"):
        donating(state, np.zeros((1024, 64), np.complex64), y)
    with pytest.raises(TypeError, match="elements of type int16 are not taken"):
        donating(state, np.zeros((1024, 64), np.int16), y)


def test_an_argument_that_jax_drops():
    def f(x, unused, y):
        return x * 2 + y

    program = meshloom.compile(f, jnp.ones(8), jnp.ones(3), jnp.ones(8), mesh={"data": 4})
    np.testing.assert_array_equal(program(np.full(8, 3, np.float32), np.zeros(3, np.float32), np.ones(8, np.float32)), np.full(8, 7.0))


def test_layers_that_are_rolled():
    def f(layers, x):
        for w in layers:
            x = jnp.tanh(x @ w)
        return x

    layers = [jax.random.normal(jax.random.key(i), (32, 32)) / 6 for i in range(6)]
    x = jax.random.normal(jax.random.key(9), (64, 32))
    program = meshloom.compile(f, layers, x, mesh={"data": 8})
    np.testing.assert_allclose(program(layers, x), f(layers, x), atol=1e-5)


def test_a_loom_program_trains_and_its_state_moves():
    program = meshloom.compile(EXAMPLES / "mlp.loom", mesh={"data": 4, "model": 2}, seed=3)
    k = np.random.default_rng(0)
    x = k.normal(size=program.ports["x"].shape).astype(np.float32)
    y = k.normal(size=program.ports["y"].shape).astype(np.float32)
    program.initialize()
    losses = [program.step(x=x, y=y).loss for _ in range(5)]
    assert losses[-1] < losses[0]
    state = program.state_dict()
    other = meshloom.compile(EXAMPLES / "mlp.loom", mesh={"data": 2})
    with pytest.raises(meshloom.Error, match="there is no value for b1, b2, step, w1, w2"):
        other.load_state_dict({})
    other.load_state_dict(state)
    assert other.devices == 2
    after, expected = other.step(x=x, y=y), program.step(x=x, y=y)
    np.testing.assert_allclose(after.loss, expected.loss, rtol=1e-6)
    assert set(after.metrics) == {"grad_norm", "lr"}
    with pytest.raises(TypeError, match="call step"):
        program(x, y)


def test_a_bundle_is_loaded(tmp_path):
    text = "entry f(x: f32[4], y: f32[4]) -> (f32[4], f32[]) {\n  (x * y, sum(x))\n}\n"
    source, bundle = tmp_path / "f.loom", tmp_path / "f.loomx"
    source.write_text(text)
    meshloom._command.run("compile", source, "-o", bundle, "--cpu", "native")
    program = meshloom.load(bundle)
    x = np.arange(4, dtype=np.float32)
    made = program(x, y=x)
    assert {n: a.numpy().tolist() for n, a in made.items()} == {"out.0": [0, 1, 4, 9], "out.1": 6}
    with pytest.raises(meshloom.Error, match="cannot be read") as e:
        meshloom.load(tmp_path / "no.loomx")
    assert e.value.code == 2
    with pytest.raises(meshloom.Error, match="is not in the bundle"):
        meshloom.load(bundle, entry="g")


def test_sixteen_bits():
    def f(x):
        return (x * 3).astype(jnp.bfloat16)

    x = jnp.arange(8, dtype=jnp.bfloat16)
    result = meshloom.compile(f, x)(x)
    assert result.dtype == jnp.bfloat16
    np.testing.assert_array_equal(np.asarray(result, np.float32), np.asarray(f(x), np.float32))


def test_complex_numbers():
    def f(state, x):
        return state * jnp.exp(1j * x.real) + x, jnp.abs(jnp.fft.fft(x)) ** 2

    k = jax.random.split(jax.random.key(1), 4)
    state = jax.random.normal(k[0], (8, 12)) + 1j * jax.random.normal(k[1], (8, 12))
    x = jax.random.normal(k[2], (8, 12)) + 1j * jax.random.normal(k[3], (8, 12))
    program = meshloom.compile(jax.jit(f, donate_argnums=0), state, x, mesh={"data": 4})
    expected = f(*f(state, x)[:1], x)
    after, power = program(program(state, x)[0], x)
    assert after.dtype == np.complex64 and after.shape == (8, 12)
    np.testing.assert_allclose(after, expected[0], rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(power, expected[1], rtol=1e-5, atol=1e-4)
    with pytest.raises(meshloom.Error, match=r"expected complex64\[8, 12\], found float32\[8, 12\]"):
        program(np.zeros((8, 12), np.float32), x)


@pytest.fixture(scope="module")
def pair():
    """A program of a vector and a count."""
    return meshloom.compile(lambda x: {"v": x * 2, "n": jnp.int32(3), "m": x.reshape(2, 4)}, jnp.ones(8), mesh={"data": 8})


def test_results_behave_as_arrays(pair):
    x = np.arange(8, dtype=np.float32)
    r = pair(x)
    v, n, m = r["v"], r["n"], r["m"]
    np.testing.assert_array_equal(v + 1, x * 2 + 1)
    np.testing.assert_array_equal(1 - v, 1 - x * 2)
    np.testing.assert_array_equal(v @ v, (x * 2) @ (x * 2))
    np.testing.assert_array_equal(v > 3, x * 2 > 3)
    np.testing.assert_array_equal(-v, x * -2)
    np.testing.assert_array_equal(v[2:4], [4, 6])
    np.testing.assert_array_equal(m[n - 2], x[4:])
    np.testing.assert_array_equal(m.T, x.reshape(2, 4).T)
    assert np.mean(v) == 7 and v.reshape(2, 4).shape == (2, 4) and v.astype(int).dtype == int
    assert len(v) == 8 and [float(e) for e in v] == list(x * 2) and v.tolist() == list(x * 2)
    assert f"{n}" == "3" and f"{v[1]:.2f}" == "2.00" and float(n) == 3.0 and n and list(range(5))[n] == 3
    w = v
    w += 1
    assert w[0] == 1 and v[0] == 0
    with pytest.raises(TypeError, match="a scalar has no elements"):
        iter(n)


def test_jax_takes_results_where_they_lie(pair):
    v = pair(np.arange(8, dtype=np.float32))["v"]
    taken = jnp.asarray(v)
    assert isinstance(taken, jax.Array) and taken.unsafe_buffer_pointer() == v.numpy().ctypes.data
    assert isinstance(jnp.ones(8) + v, jax.Array) and float(jnp.sum(taken)) == 56


def test_a_call_returns_before_it_is_done(given, donating):
    state, x, y = given
    session, begun, going = donating._session, threading.Event(), threading.Event()

    class Slow:
        def __getattr__(self, name):
            return getattr(session, name)

        def step(self):
            begun.set()
            assert going.wait(60)
            return session.step()

    donating._session = Slow()
    try:
        _, said = donating(state, x, y)
        assert begun.wait(60) and not said["loss"]._call.done
        going.set()
        assert jax.block_until_ready(said)["loss"]._call.done
        np.testing.assert_allclose(float(said["loss"]), float(jax.jit(step)(*given)[1]["loss"]), rtol=1e-5)
    finally:
        going.set()
        donating._session = session


def test_an_error_comes_where_somebody_looks(pair, monkeypatch):
    session = pair._session

    class Broken:
        def __getattr__(self, name):
            return getattr(session, name)

        def step(self):
            raise meshloom.Error("broken")

    x = np.ones(8, np.float32)
    monkeypatch.setattr(pair, "_session", Broken())
    first = pair(x)["v"]
    with pytest.raises(meshloom.Error, match="broken"):
        first.numpy()
    # It was seen, so it does not stand in the way of the next call, whose own error nobody sees before the one after.
    unseen = pair(x)
    monkeypatch.setattr(pair, "_session", session)
    with pytest.raises(meshloom.Error, match="broken"):
        pair(x)
    assert float(pair(x)["v"][0]) == 2
    for failed in (first, unseen["v"]):
        with pytest.raises(meshloom.Error, match="broken"):
            float(failed[0])


def test_a_program_is_no_part_of_a_traced_function(pair):
    for traced in (jax.jit(pair), jax.vmap(pair), jax.grad(lambda x: pair(x)["v"].numpy().sum())):
        with pytest.raises(TypeError, match="is compiled, and was called with .* traced"):
            traced(jnp.ones((8, 8)) if traced is not None else None)


def test_arguments_by_name_and_static_ones():
    def f(x, n, *, scale, kind="sum"):
        return (jnp.sum(x) if kind == "sum" else jnp.max(x)) * scale + n

    x = np.arange(4, dtype=np.float32)
    program = meshloom.compile(f, x, 3, kwargs={"scale": np.float32(2), "kind": "max"}, static_argnums=1, static_argnames="kind")
    assert float(program(x, 3, scale=np.float32(5), kind="max")) == 18
    with pytest.raises(TypeError, match="static argument 1 was 3 when the function was compiled, and is 4"):
        program(x, 4, scale=np.float32(5), kind="max")
    with pytest.raises(TypeError, match="static argument 'kind' was 'max' when the function was compiled, and is not given"):
        program(x, 3, scale=np.float32(5))
    # A function that is jitted knows its own.
    jitted = jax.jit(f, static_argnames=("n", "kind"))
    again = meshloom.compile(jitted, x, 3, kwargs={"scale": np.float32(2)}, static_argnames=("n", "kind"))
    assert float(again(x, 3, scale=np.float32(2))) == 15
    assert meshloom.plan(f, x, 3, kwargs={"scale": np.float32(2)}, static_argnums=1).entry["entry"]


def test_what_jax_takes_is_taken():
    """Typed keys are their bits, and 64 bits are 32 where JAX has x64 off."""

    def f(key, x, n):
        return jax.random.normal(key, (4,)) + x * n

    key = jax.random.key(3)
    program = meshloom.compile(f, key, jnp.ones(4), jnp.int32(2))
    wanted = f(key, jnp.full(4, 0.5), 3)
    np.testing.assert_allclose(np.asarray(program(key, np.full(4, 0.5), np.int64(3))), wanted, rtol=1e-5)
