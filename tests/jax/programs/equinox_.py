"""Equinox, and Diffrax and Lineax on top of it."""

import os

# Its checks would call back to the host.
os.environ["EQX_ON_ERROR"] = "nan"

import diffrax  # noqa: E402
import equinox as eqx  # noqa: E402
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import lineax as lx  # noqa: E402
import optax  # noqa: E402

from harness import Program, fsdp, program  # noqa: E402


def trained(model, tx, loss, batch):
    """A step for the arrays of a module; what is no array stays outside."""
    params, static = eqx.partition(model, eqx.is_inexact_array)

    def step(state, *batch):
        value, grads = jax.value_and_grad(lambda p: loss(eqx.combine(p, static), *batch))(state[0])
        updates, opt = tx.update(grads, state[1], state[0])
        return (eqx.apply_updates(state[0], updates), opt), value

    return Program(step, (params, tx.init(params)), batch)


def mlp():
    key = jax.random.key(0)
    model = eqx.nn.MLP(16, 4, 64, 3, activation=jax.nn.silu, key=key)
    loss = lambda m, x, y: jnp.mean((jax.vmap(m)(x) - y) ** 2)  # noqa: E731
    return trained(model, optax.adam(1e-2), loss, (jax.random.normal(key, (32, 16)), jax.random.normal(key, (32, 4))))


program("equinox: MLP")(mlp)
program("equinox: MLP, FSDP", split=fsdp())(mlp)


class UNet(eqx.Module):
    """Down and up again, with what is kept between; each level a convolution with a norm."""

    first: eqx.nn.Conv2d
    down: eqx.nn.Conv2d
    middle: eqx.nn.Conv2d
    up: eqx.nn.ConvTranspose2d
    last: eqx.nn.Conv2d
    norms: list

    def __init__(self, key):
        keys = jax.random.split(key, 5)
        self.first = eqx.nn.Conv2d(2, 8, 3, padding=1, key=keys[0])
        self.down = eqx.nn.Conv2d(8, 16, 3, stride=2, padding=1, key=keys[1])
        self.middle = eqx.nn.Conv2d(16, 16, 3, padding=1, key=keys[2])
        self.up = eqx.nn.ConvTranspose2d(16, 8, 4, stride=2, padding=1, key=keys[3])
        self.last = eqx.nn.Conv2d(16, 2, 3, padding=1, key=keys[4])
        self.norms = [eqx.nn.GroupNorm(4, 8), eqx.nn.GroupNorm(4, 16)]

    def __call__(self, x):
        kept = jax.nn.silu(self.norms[0](self.first(x)))
        x = jax.nn.silu(self.norms[1](self.down(kept)))
        x = x + self.middle(x)
        return self.last(jnp.concatenate([self.up(x), kept]))


@program("equinox: U-Net")
def unet():
    key = jax.random.key(1)
    loss = lambda m, x, y: jnp.mean((jax.vmap(m)(x) - y) ** 2)  # noqa: E731
    batch = (jax.random.normal(key, (8, 2, 8, 8)), jax.random.normal(jax.random.key(2), (8, 2, 8, 8)))
    return trained(UNet(key), optax.adamw(1e-3), loss, batch)


class Recurrent(eqx.Module):
    cell: eqx.nn.GRUCell
    head: eqx.nn.Linear

    def __call__(self, xs):
        h, _ = jax.lax.scan(lambda h, x: (self.cell(x, h), None), jnp.zeros(16), xs)
        return self.head(h)[0]


@program("equinox: GRU")
def gru():
    key = jax.random.key(3)
    model = Recurrent(eqx.nn.GRUCell(4, 16, key=key), eqx.nn.Linear(16, 1, key=key))
    loss = lambda m, x, y: jnp.mean((jax.vmap(m)(x) - y) ** 2)  # noqa: E731
    return trained(model, optax.lion(1e-3), loss, (jax.random.normal(key, (16, 7, 4)), jax.random.normal(key, (16,))))


@program("diffrax: neural ODE")
def ode():
    key = jax.random.key(4)
    model = eqx.nn.MLP(2, 2, 16, 2, activation=jnp.tanh, key=key)

    def solve(m, y0):
        term = diffrax.ODETerm(lambda t, y, args: m(y))
        saved = diffrax.SaveAt(ts=jnp.linspace(0.0, 1.0, 5))
        return diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 1.0, 0.1, y0, saveat=saved, max_steps=16).ys

    loss = lambda m, y0, ys: jnp.mean((jax.vmap(lambda y: solve(m, y))(y0) - ys) ** 2)  # noqa: E731
    return trained(model, optax.adam(1e-2), loss, (jax.random.normal(key, (16, 2)), jax.random.normal(key, (16, 5, 2))))


@program("lineax: Gauss-Newton step by Cholesky")
def fit():
    key = jax.random.key(5)
    t = jnp.linspace(0.0, 1.0, 32)
    y = 2 * jnp.exp(-3 * t) + 0.01 * jax.random.normal(key, (32,))

    def step(state, t, y):
        residual = lambda p, _: p[0] * jnp.exp(p[1] * t) - y  # noqa: E731
        r, jacobian = residual(state, None), jax.jacfwd(lambda p: residual(p, None))(state)
        normal = lx.MatrixLinearOperator(jacobian.T @ jacobian + 1e-3 * jnp.eye(2), lx.positive_semidefinite_tag)
        change = lx.linear_solve(normal, jacobian.T @ r, lx.Cholesky()).value
        return state - change, jnp.sum(r**2)

    return Program(step, jnp.array([1.5, -2.0]), (t, y))
