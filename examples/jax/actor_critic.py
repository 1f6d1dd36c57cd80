"""A step of reinforcement learning: many pendulums are played by a policy within the compiled step, and an actor and a critic learn
from what happened. Random numbers are drawn in the step, from a key that is part of the state.

    pip install meshloom jax
    python examples/jax/actor_critic.py
"""

import jax
import jax.numpy as jnp
from compare import compare

PLAYERS, TIME, HIDDEN, DISCOUNT, RATE = 64, 32, 32, 0.97, 3e-3


def init(key):
    k = jax.random.split(key, 4)
    layer = lambda k, a, b: {"w": jax.random.normal(k, (a, b)) / a**0.5, "b": jnp.zeros(b)}
    return {
        "actor": [layer(k[0], 3, HIDDEN), layer(k[1], HIDDEN, 1)],
        "critic": [layer(k[2], 3, HIDDEN), layer(k[3], HIDDEN, 1)],
    }


def net(layers, x):
    for i, p in enumerate(layers):
        x = x @ p["w"] + p["b"]
        x = jnp.tanh(x) if i + 1 < len(layers) else x
    return x[..., 0]


def observe(s):
    angle, speed = s
    return jnp.stack([jnp.cos(angle), jnp.sin(angle), speed / 8], -1)


def move(s, torque):
    angle, speed = s
    torque = jnp.clip(torque, -2, 2)
    reward = -(jnp.square(jnp.arctan2(jnp.sin(angle), jnp.cos(angle))) + 0.1 * speed**2 + 0.001 * torque**2)
    speed = jnp.clip(speed + 0.05 * (15 * jnp.sin(angle) + 3 * torque), -8, 8)
    return (angle + 0.05 * speed, speed), reward


def play(actor, s, key):
    def act(s, k):
        seen = observe(s)
        noise = jax.random.normal(k, (PLAYERS,))
        torque = net(actor, seen) + 0.5 * noise
        s, reward = move(s, torque)
        return s, (seen, torque, reward)

    return jax.lax.scan(act, s, jax.random.split(key, TIME))


def step(state, start):
    params, key = state
    key, own = jax.random.split(key)
    last, (seen, torque, reward) = play(params["actor"], (start[0], start[1]), own)

    def back(after, r):
        now = r + DISCOUNT * after
        return now, now

    _, returns = jax.lax.scan(back, net(params["critic"], observe(last)), reward, reverse=True)

    def loss(p):
        value = net(p["critic"], seen)
        advantage = jax.lax.stop_gradient(returns - value)
        log_p = -0.5 * jnp.square((torque - net(p["actor"], seen)) / 0.5)
        return jnp.mean(jnp.square(value - returns)) - jnp.mean(log_p * advantage)

    value, gradients = jax.value_and_grad(loss)(params)
    return (jax.tree.map(lambda p, g: p - RATE * g / (1 + jnp.abs(g)), params, gradients), key), value


def main():
    params = init(jax.random.key(0))
    start = jnp.stack([jnp.linspace(-3, 3, PLAYERS), jnp.zeros(PLAYERS)])
    compare(jax.jit(step, donate_argnums=0), (params, jax.random.PRNGKey(7)), (start,), mesh={"data": 8})


if __name__ == "__main__":
    main()
