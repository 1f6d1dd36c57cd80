"""A model of Transformers from its config alone: no weights, no network, and a batch of the shapes that it is trained with."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from .._command import Error
from .packages import need

# Where a config names no architecture: the first of these that has one for it.
KINDS = ("CausalLM", "Seq2SeqLM", "MaskedLM", "SpeechSeq2Seq", "ImageClassification")


def module(path: str | os.PathLike[str]) -> tuple[Any, Any]:
    """The module of a folder with a `config.json`, or of such a file, on the meta device; and its config.

    Raises:
        Error: there is no config, or Transformers has no model for it.
    """
    file = Path(path)
    file = file / "config.json" if file.is_dir() else file
    try:
        read = json.loads(file.read_text())
    except OSError as e:
        raise Error(f"{file}: cannot be read: {e.strerror}") from None
    except ValueError as e:
        raise Error(f"{file}: no JSON: {e}") from None
    if not isinstance(read, dict) or "model_type" not in read:
        raise Error(f"{file}: no config of Transformers: it has no `model_type`")
    return of_dict(read)


def of_dict(read: dict[str, Any], device: str = "meta") -> tuple[Any, Any]:
    """As `module`, of what a `config.json` holds. On another device than `meta` it has values, drawn as Transformers draws them."""
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    torch, transformers = need("torch"), need("transformers")
    # How weights are stored says nothing of how they are trained.
    read = {k: v for k, v in read.items() if k not in ("quantization_config", "dtype", "torch_dtype", "auto_map")}
    try:
        config = transformers.AutoConfig.for_model(**read)
    except ValueError as e:
        raise Error(f"Transformers {transformers.__version__} knows no model of the type {read['model_type']!r}: {e}") from None
    config.use_cache = False
    # Where a decoder begins is a setting of generation, which a config need not have.
    if getattr(config, "is_encoder_decoder", False) and getattr(config, "decoder_start_token_id", None) is None:
        config.decoder_start_token_id = config.pad_token_id or 0
    kind = _architecture(transformers, config, read.get("architectures") or [])
    with torch.device(device):
        try:
            made = kind._from_config(config, attn_implementation="sdpa", dtype=torch.float32)
        except ValueError:
            # No attention by `scaled_dot_product_attention` in this one.
            made = kind._from_config(config, attn_implementation="eager", dtype=torch.float32)
    return made.train(), config


def _architecture(transformers: Any, config: Any, named: list[str]) -> Any:
    for name in named:
        if hasattr(transformers, name):
            return getattr(transformers, name)
    for kind in KINDS:
        table = getattr(transformers, f"AutoModelFor{kind}")._model_mapping
        if type(config) in table:
            found = table[type(config)]
            return found[0] if isinstance(found, tuple) else found
    if not named and type(config) in transformers.AutoModel._model_mapping:
        return transformers.AutoModel._model_mapping[type(config)]
    raise Error(f"Transformers {transformers.__version__} has no {', '.join(named) or 'model'} for a config of the type {config.model_type!r}")


def batch(made: Any, config: Any, size: int, positions: int) -> dict[str, Any]:
    """What a train step of a model takes: `size` sequences of `positions` tokens, or as many images or recordings."""
    jax, jnp = need("jax"), need("jax.numpy")

    def ints(*shape: int) -> Any:
        return jax.ShapeDtypeStruct(shape, jnp.int32)

    tokens, name = ints(size, positions), type(made).__name__
    main, vision = getattr(made, "main_input_name", "input_ids"), getattr(config, "vision_config", config)
    if main == "input_features":
        width = made.config.max_source_positions * 2
        sound = jax.ShapeDtypeStruct((size, config.num_mel_bins, width), jnp.float32)
        return {"input_features": sound, "labels": tokens}
    pixels = None
    if hasattr(vision, "image_size"):
        sides = vision.image_size if isinstance(vision.image_size, (list, tuple)) else (vision.image_size,) * 2
        pixels = jax.ShapeDtypeStruct((size, getattr(vision, "num_channels", 3), *sides), jnp.float32)
    if main == "input_values":
        return {"input_values": jax.ShapeDtypeStruct((size, positions), jnp.float32), "labels": ints(size)}
    if main == "pixel_values":
        if pixels is None:
            raise Error(f"{name}: its config has no image_size")
        return {"pixel_values": pixels, "labels": ints(size)}
    if pixels is not None and hasattr(config, "text_config") and hasattr(made, "logit_scale"):
        return {"input_ids": tokens, "pixel_values": pixels, "return_loss": True}
    return {"input_ids": tokens, "labels": ints(size) if name.endswith("SequenceClassification") else tokens}
