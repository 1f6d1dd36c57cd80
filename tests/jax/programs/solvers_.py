"""JAXopt, Jraph and BlackJAX."""

import blackjax
import jax
import jax.numpy as jnp
import jaxopt
import jraph
import optax

from harness import Program, program


@program("jaxopt: projected gradient")
def projected():
    key = jax.random.key(0)
    x, y = jax.random.normal(key, (512, 6)), jax.random.normal(jax.random.key(1), (512,))

    def loss(w, x, y):
        return jnp.mean((x @ w - y) ** 2)

    def step(w, x, y):
        value, grads = jax.value_and_grad(loss)(w, x, y)
        return jaxopt.projection.projection_simplex(w - 0.1 * grads), value

    return Program(step, jnp.ones(6) / 6, (x, y))


@program("jaxopt: logistic loss by accelerated proximal steps")
def proximal():
    key = jax.random.key(2)
    x, y = jax.random.normal(key, (512, 6)), jax.random.randint(key, (512,), 0, 2)

    def step(state, x, y):
        w, last = state
        f = lambda w: jnp.mean(jax.vmap(jaxopt.loss.binary_logistic_loss)(y, x @ w))  # noqa: E731
        ahead = w + 0.5 * (w - last)
        value, grads = jax.value_and_grad(f)(ahead)
        return (jaxopt.prox.prox_lasso(ahead - 0.5 * grads, 0.01, 0.5), w), value

    return Program(step, (jnp.zeros(6), jnp.zeros(6)), (x, y))


@program("jraph: graph network")
def graph():
    keys = jax.random.split(jax.random.key(3), 6)
    nodes, edges, width = 16, 48, 8
    senders, receivers = jax.random.randint(keys[0], (edges,), 0, nodes), jax.random.randint(keys[1], (edges,), 0, nodes)
    params = {"edge": 0.3 * jax.random.normal(keys[2], (3 * width, width)), "node": 0.3 * jax.random.normal(keys[3], (3 * width, width))}
    tx = optax.adam(1e-2)

    def step(state, features, labels):
        def loss(p):
            net = jraph.GraphNetwork(
                update_edge_fn=lambda e, s, r, g: jax.nn.relu(jnp.concatenate([e, s, r], -1) @ p["edge"]),
                update_node_fn=lambda n, s, r, g: jnp.tanh(jnp.concatenate([n, s, r], -1) @ p["node"]))
            of = jraph.GraphsTuple(nodes=features, edges=jnp.zeros((edges, width)), senders=senders, receivers=receivers,
                                   n_node=jnp.array([nodes]), n_edge=jnp.array([edges]), globals=None)
            return jnp.mean((net(net(of)).nodes - labels) ** 2)

        value, grads = jax.value_and_grad(loss)(state[0])
        updates, opt = tx.update(grads, state[1])
        return (optax.apply_updates(state[0], updates), opt), value

    batch = (jax.random.normal(keys[4], (nodes, width)), jax.random.normal(keys[5], (nodes, width)))
    return Program(step, (params, tx.init(params)), batch)


@program("blackjax: stochastic gradient Langevin")
def langevin():
    x = jax.random.normal(jax.random.key(4), (512, 4))
    y = x @ jnp.arange(4.0)
    density = lambda w, batch: -0.5 * jnp.sum((batch[0] @ w - batch[1]) ** 2) - 0.5 * jnp.sum(w**2)  # noqa: E731
    sampler = blackjax.sgld(jax.grad(density))

    def step(state, x, y):
        w, key = state
        key, own = jax.random.split(key)
        w = sampler.step(own, w, (x, y), 1e-4)
        return (w, key), -density(w, (x, y))

    return Program(step, (jnp.zeros(4), jax.random.PRNGKey(0)), (x, y))
