"""Hugging Face's Flax models, of the sizes that their own tests have."""

import jax
import jax.numpy as jnp
import optax
from transformers import (
    BertConfig,
    FlaxBertForSequenceClassification,
    FlaxGPT2LMHeadModel,
    FlaxViTForImageClassification,
    GPT2Config,
    ViTConfig,
)

from harness import Program, fsdp, program


def trained(model, call, batch):
    # As in flax_.py.
    tx = optax.adamw(1e-3, eps=1e-5)

    def step(state, *batch):
        def loss(p):
            logits, y = call(model, p, state["key"], *batch)
            return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

        value, grads = jax.value_and_grad(loss)(state["params"])
        updates, opt = tx.update(grads, state["opt"], state["params"])
        params = optax.apply_updates(state["params"], updates)
        return {"params": params, "opt": opt, "key": jax.random.split(state["key"])[0]}, value

    return Program(step, {"params": model.params, "opt": tx.init(model.params), "key": jax.random.PRNGKey(0)}, batch)


def gpt2():
    config = GPT2Config(vocab_size=64, n_positions=16, n_embd=32, n_layer=2, n_head=4)
    model = FlaxGPT2LMHeadModel(config, input_shape=(1, 16))
    tokens = jax.random.randint(jax.random.key(0), (16, 17), 0, 64)

    def call(model, p, key, tokens):
        out = model(tokens[:, :-1], params=p, dropout_rng=key, train=True)
        return out.logits, tokens[:, 1:]

    return trained(model, call, (tokens,))


program("transformers: GPT-2 with dropout")(gpt2)
program("transformers: GPT-2 with dropout, FSDP", split=fsdp())(gpt2)


@program("transformers: BERT")
def bert():
    config = BertConfig(vocab_size=64, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
                        max_position_embeddings=16, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    model = FlaxBertForSequenceClassification(config, input_shape=(1, 16))
    key = jax.random.key(1)
    batch = (jax.random.randint(key, (16, 16), 0, 64), jnp.ones((16, 16), jnp.int32).at[:, 12:].set(0), jax.random.randint(key, (16,), 0, 2))
    return trained(model, lambda m, p, key, x, mask, y: (m(x, mask, params=p, dropout_rng=key, train=True).logits, y), batch)


@program("transformers: ViT")
def vit():
    config = ViTConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, image_size=8,
                       patch_size=4, num_labels=4, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    model = FlaxViTForImageClassification(config)
    key = jax.random.key(2)
    batch = (jax.random.normal(key, (16, 3, 8, 8)), jax.random.randint(key, (16,), 0, 4))
    return trained(model, lambda m, p, key, x, y: (m(x, params=p, dropout_rng=key, train=True).logits, y), batch)
