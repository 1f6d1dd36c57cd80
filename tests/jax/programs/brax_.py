"""Brax: losses of its agents, and a gradient through its physics."""

import functools

import jax
import jax.numpy as jnp
import optax
from brax.training import types
from brax.training.agents.ppo import losses as ppo_losses
from brax.training.agents.ppo import networks as ppo_networks
from brax.training.agents.sac import networks as sac_networks
from brax.training.agents.sac import losses as sac_losses

from harness import Program, program

ROWS, STEPS, SEEN, DONE = 16, 5, 8, 3


@program("brax: PPO")
def ppo():
    network = ppo_networks.make_ppo_networks(SEEN, DONE, policy_hidden_layer_sizes=(32, 32), value_hidden_layer_sizes=(32,))
    keys = jax.random.split(jax.random.key(0), 8)
    params = ppo_losses.PPONetworkParams(policy=network.policy_network.init(keys[0]), value=network.value_network.init(keys[1]))
    rollout = lambda k, *more: jax.random.normal(keys[k], (ROWS, STEPS, *more))  # noqa: E731
    data = types.Transition(
        observation=rollout(2, SEEN), action=rollout(3, DONE), reward=rollout(4), discount=jnp.ones((ROWS, STEPS)),
        next_observation=rollout(5, SEEN),
        extras={"state_extras": {"truncation": jnp.zeros((ROWS, STEPS))},
                "policy_extras": {"log_prob": rollout(6) - 3, "raw_action": rollout(3, DONE), "distribution_params": rollout(7, 2 * DONE)}})
    tx = optax.adam(3e-3)

    def step(state, data):
        f = functools.partial(ppo_losses.compute_ppo_loss, ppo_network=network, entropy_cost=1e-2, discounting=0.97, reward_scaling=0.1)
        # The same numbers each time: what a key makes of them is another test's.
        loss = lambda p: f(p, None, data, jax.random.key(1))[0]  # noqa: E731
        value, grads = jax.value_and_grad(loss)(state[0])
        updates, opt = tx.update(grads, state[1])
        return (optax.apply_updates(state[0], updates), opt), value

    return Program(step, (params, tx.init(params)), (data,))


@program("brax: SAC critic")
def sac():
    network = sac_networks.make_sac_networks(SEEN, DONE, hidden_layer_sizes=(32, 32))
    keys = jax.random.split(jax.random.key(2), 8)
    policy, q = network.policy_network.init(keys[0]), network.q_network.init(keys[1])
    _, critic, _ = sac_losses.make_losses(network, reward_scaling=1.0, discounting=0.99, action_size=DONE)
    some = lambda k, *more: jax.random.normal(keys[k], (ROWS, *more))  # noqa: E731
    data = types.Transition(
        observation=some(2, SEEN), action=jnp.tanh(some(3, DONE)), reward=some(4), discount=jnp.ones(ROWS),
        next_observation=some(5, SEEN), extras={"state_extras": {"truncation": jnp.zeros(ROWS)}, "policy_extras": {}})
    tx = optax.adam(3e-3)

    def step(state, data):
        loss = lambda p: critic(p, state["policy"], None, state["target"], jnp.float32(0.1), data, jax.random.key(3))  # noqa: E731
        value, grads = jax.value_and_grad(loss)(state["q"])
        updates, opt = tx.update(grads, state["opt"])
        new = optax.apply_updates(state["q"], updates)
        target = jax.tree.map(lambda a, b: 0.995 * a + 0.005 * b, state["target"], new)
        return {"q": new, "opt": opt, "target": target, "policy": state["policy"]}, value

    return Program(step, {"q": q, "opt": tx.init(q), "target": jax.tree.map(jnp.copy, q), "policy": policy}, (data,))
