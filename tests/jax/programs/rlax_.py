"""RLax with Distrax: losses of reinforcement learning."""

import distrax
import jax
import jax.numpy as jnp
import optax
import rlax

from harness import Program, program


def network(keys, sizes):
    return [{"w": 0.3 * jax.random.normal(k, (a, b)), "b": jnp.zeros(b)} for k, a, b in zip(keys, sizes[:-1], sizes[1:])]


def applied(layers, x):
    for p in layers[:-1]:
        x = jax.nn.relu(x @ p["w"] + p["b"])
    return x @ layers[-1]["w"] + layers[-1]["b"]


@program("rlax: double Q-learning")
def double():
    keys = jax.random.split(jax.random.key(0), 8)
    params = network(keys, (6, 32, 4))
    tx = optax.adam(1e-2)

    def step(state, seen, action, reward, then):
        def loss(p):
            q, best = applied(p, seen), applied(p, then)
            errors = jax.vmap(rlax.double_q_learning)(q, action, reward, jnp.full(reward.shape, 0.9), applied(state["target"], then), best)
            return jnp.mean(rlax.huber_loss(errors))

        value, grads = jax.value_and_grad(loss)(state["p"])
        updates, opt = tx.update(grads, state["opt"])
        new = optax.apply_updates(state["p"], updates)
        return {"p": new, "opt": opt, "target": optax.incremental_update(new, state["target"], 0.1)}, value

    batch = (jax.random.normal(keys[3], (32, 6)), jax.random.randint(keys[4], (32,), 0, 4), jax.random.normal(keys[5], (32,)), jax.random.normal(keys[6], (32, 6)))
    return Program(step, {"p": params, "opt": tx.init(params), "target": jax.tree.map(jnp.copy, params)}, batch)


@program("distrax: Gaussian policy with lambda returns")
def policy():
    keys = jax.random.split(jax.random.key(1), 8)
    params = {"policy": network(keys, (6, 16, 4)), "value": network(keys[3:], (6, 16, 1))}
    tx = optax.adam(1e-2)

    def step(state, seen, action, reward):
        def loss(p):
            mean, spread = jnp.split(applied(p["policy"], seen), 2, -1)
            policy = distrax.MultivariateNormalDiag(mean, jax.nn.softplus(spread) + 0.1)
            value = applied(p["value"], seen)[..., 0]
            returns = jax.vmap(lambda r, v: rlax.lambda_returns(r[:-1], jnp.full(r.shape[0] - 1, 0.9), v[1:], 0.8))(reward, value)
            better = jax.lax.stop_gradient(returns) - value[:, :-1]
            gain = policy.log_prob(action)[:, :-1] * jax.lax.stop_gradient(better)
            return jnp.mean(0.5 * better**2 - gain - 0.01 * policy.entropy()[:, :-1])

        value, grads = jax.value_and_grad(loss)(state[0])
        updates, opt = tx.update(grads, state[1])
        return (optax.apply_updates(state[0], updates), opt), value

    batch = (jax.random.normal(keys[6], (128, 5, 6)), jax.random.normal(keys[7], (128, 5, 2)), jax.random.normal(keys[2], (128, 5)))
    return Program(step, (params, tx.init(params)), batch)
