"""Mctx: a step of MuZero, which searches with the model that it trains, and learns from what the search found."""

import jax
import jax.numpy as jnp
import mctx
import optax

from harness import Program, program

ROWS, SEEN, WIDE, ACTIONS, SIMULATIONS = 16, 6, 8, 4, 8


@program("mctx: MuZero")
def muzero():
    keys = jax.random.split(jax.random.key(0), 6)
    make = lambda k, *shape: jax.random.normal(keys[k], shape) / 3  # noqa: E731
    params = {
        "see": make(0, SEEN, WIDE),
        "next": make(1, WIDE + ACTIONS, WIDE),
        "reward": make(2, WIDE + ACTIONS, 1),
        "policy": make(3, WIDE, ACTIONS),
        "value": make(4, WIDE, 1),
    }
    tx = optax.adam(3e-3)

    def moved(p, state, action):
        x = jnp.concatenate([state, jax.nn.one_hot(action, ACTIONS)], -1)
        return jnp.tanh(x @ p["next"]), (x @ p["reward"])[:, 0]

    def ahead(p, key, action, state):
        del key
        state, reward = moved(p, state, action)
        discount = jnp.full_like(reward, 0.99)
        out = mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=state @ p["policy"], value=(state @ p["value"])[:, 0])
        return out, state

    def step(state, batch):
        p, opt = state
        root = jnp.tanh(batch @ p["see"])
        start = mctx.RootFnOutput(prior_logits=root @ p["policy"], value=(root @ p["value"])[:, 0], embedding=root)
        found = mctx.muzero_policy(p, jax.random.key(1), start, ahead, num_simulations=SIMULATIONS)
        value = found.search_tree.summary().value

        def loss(p):
            state = jnp.tanh(batch @ p["see"])
            policy = -(found.action_weights * jax.nn.log_softmax(state @ p["policy"])).sum(-1)
            then, reward = moved(p, state, found.action)
            return (policy + ((state @ p["value"])[:, 0] - value) ** 2 + (then @ p["value"])[:, 0] ** 2 + reward**2).mean()

        cost, grads = jax.value_and_grad(loss)(p)
        updates, opt = tx.update(grads, opt)
        return (optax.apply_updates(p, updates), opt), cost

    return Program(step, (params, tx.init(params)), (jax.random.normal(keys[5], (ROWS, SEEN)),))
