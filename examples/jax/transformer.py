"""A Flax transformer with AdamW from Optax, trained on 8 devices by Meshloom and on one by JAX. Nothing in it is written for a mesh.

    pip install meshloom jax flax optax
    python examples/jax/transformer.py
"""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from compare import compare

VOCAB, SEQ, WIDTH, HEADS, LAYERS, BATCH = 128, 32, 64, 4, 3, 16


class Block(nn.Module):
    @nn.compact
    def __call__(self, x):
        h = nn.LayerNorm()(x)
        mask = nn.make_causal_mask(jnp.ones(x.shape[:2]))
        x = x + nn.MultiHeadDotProductAttention(num_heads=HEADS)(h, mask=mask)
        h = nn.LayerNorm()(x)
        return x + nn.Dense(WIDTH)(nn.gelu(nn.Dense(4 * WIDTH)(h)))


class Transformer(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(VOCAB, WIDTH)(tokens) + self.param("positions", nn.initializers.normal(0.02), (SEQ, WIDTH))
        for _ in range(LAYERS):
            x = Block()(x)
        return nn.Dense(VOCAB)(nn.LayerNorm()(x))


# A larger eps than usual: where a gradient is all rounding error, Adam would make it as large as any other.
model, optimizer = Transformer(), optax.adamw(1e-3, eps=1e-6)


def step(state, tokens, targets):
    def loss(params):
        return optax.softmax_cross_entropy_with_integer_labels(model.apply(params, tokens), targets).mean()

    params, moments = state
    value, gradients = jax.value_and_grad(loss)(params)
    updates, moments = optimizer.update(gradients, moments, params)
    return (optax.apply_updates(params, updates), moments), value


def main():
    tokens = jax.random.randint(jax.random.key(1), (BATCH, SEQ + 1), 0, VOCAB)
    params = model.init(jax.random.key(0), tokens[:, :-1])
    state = (params, optimizer.init(params))
    compare(jax.jit(step, donate_argnums=0), state, (tokens[:, :-1], tokens[:, 1:]), mesh={"data": 4, "model": 2})


if __name__ == "__main__":
    main()
