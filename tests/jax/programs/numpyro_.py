"""NumPyro: steps of stochastic variational inference."""

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoDiagonalNormal, AutoMultivariateNormal

from harness import Program, program


def inference(model, guide, loss, batch):
    svi = SVI(model, guide, numpyro.optim.Adam(1e-2), loss)
    start = svi.init(jax.random.PRNGKey(0), *batch)

    def step(state, *batch):
        return svi.update(state, *batch)

    return Program(step, start, batch)


def regression(x, y):
    w = numpyro.sample("w", dist.Normal(jnp.zeros(4), 1.0).to_event(1))
    scale = numpyro.sample("scale", dist.HalfNormal(1.0))
    with numpyro.plate("rows", x.shape[0]):
        numpyro.sample("y", dist.Normal(x @ w, scale), obs=y)


def data():
    x = jax.random.normal(jax.random.key(0), (512, 4))
    return x, x @ jnp.arange(4.0) + 0.1 * jax.random.normal(jax.random.key(1), (512,))


@program("numpyro: regression, diagonal guide")
def diagonal():
    return inference(regression, AutoDiagonalNormal(regression), Trace_ELBO(num_particles=2), data())


@program("numpyro: regression, full covariance")
def full():
    return inference(regression, AutoMultivariateNormal(regression), Trace_ELBO(), data())


@program("numpyro: logistic regression by groups")
def groups():
    def model(group, x, y):
        with numpyro.plate("groups", 4):
            bias = numpyro.sample("bias", dist.StudentT(5.0, 0.0, 1.0))
        w = numpyro.sample("w", dist.Laplace(jnp.zeros(4), 1.0).to_event(1))
        with numpyro.plate("rows", x.shape[0]):
            numpyro.sample("y", dist.Bernoulli(logits=x @ w + bias[group]), obs=y)

    x, y = data()
    batch = (jnp.arange(512) % 4, x, (y > 0).astype(jnp.float32))
    return inference(model, AutoDiagonalNormal(model), Trace_ELBO(), batch)
