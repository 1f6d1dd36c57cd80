"""The optimizer's update, with PyTorch's formulas, on trees of f32."""

from __future__ import annotations

from typing import Any

from .functional import Tensors
from .packages import need
from .settings import Settings


def moments(params: Tensors, settings: Settings) -> dict[str, Any]:
    """What the optimizer holds, by its shape: names are those of parameters behind `exp_avg` and `exp_avg_sq`, as in PyTorch."""
    jax, jnp = need("jax"), need("jax.numpy")
    if settings.optimizer != "adamw":
        return {}
    like = {n: jax.ShapeDtypeStruct(p.shape, jnp.float32) for n, p in params.items()}
    return {"exp_avg": like, "exp_avg_sq": like, "step": jax.ShapeDtypeStruct((), jnp.float32)}


def zeros(params: Tensors, settings: Settings) -> dict[str, Any]:
    """What it holds before the first step, as arrays of NumPy."""
    jax, np = need("jax"), need("numpy")
    return jax.tree.map(lambda s: np.zeros(s.shape, s.dtype), moments(params, settings))


def clipped(grads: Tensors, most: float | None) -> Tensors:
    """`torch.nn.utils.clip_grad_norm_`."""
    jnp = need("jax.numpy")
    if most is None:
        return grads
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(g)) for g in grads.values()))
    factor = jnp.minimum(most / (norm + 1e-6), 1.0)
    return {n: g * factor for n, g in grads.items()}


def updated(params: Tensors, held: dict[str, Any], grads: Tensors, settings: Settings) -> tuple[Tensors, dict[str, Any]]:
    """Next parameters, and what the optimizer holds next."""
    jnp = need("jax.numpy")
    rate = settings.learning_rate
    if settings.optimizer == "sgd":
        return {n: p - rate * grads[n] for n, p in params.items()}, held
    (b1, b2), step = settings.betas, held["step"] + 1
    first = {n: b1 * m + (1 - b1) * grads[n] for n, m in held["exp_avg"].items()}
    second = {n: b2 * v + (1 - b2) * jnp.square(grads[n]) for n, v in held["exp_avg_sq"].items()}
    size, root = rate / (1 - b1**step), jnp.sqrt(1 - b2**step)
    made = {}
    for n, p in params.items():
        kept = p * (1 - rate * settings.weight_decay)
        made[n] = kept - size * first[n] / (jnp.sqrt(second[n]) / root + settings.eps)
    return made, {"exp_avg": first, "exp_avg_sq": second, "step": step}


def in_loom(settings: Settings) -> str:
    """The same as a `train` of Loom says it, of the loss called `loss`. Its state is called `m.NAME` and `v.NAME`."""
    s = settings
    said: dict[str, float | str] = {"lr": s.learning_rate}
    if s.optimizer == "adamw":
        said |= {"betas": f"({number(s.betas[0])}, {number(s.betas[1])})", "eps": s.eps, "weight_decay": s.weight_decay}
    if s.clip is not None:
        said |= {"clip": s.clip}
    if s.precision != "f32":
        said |= {"precision": s.precision}
    return f"{s.optimizer}(loss, {', '.join(f'{k}: {v if isinstance(v, str) else number(v)}' for k, v in said.items())})"


def number(value: float) -> str:
    """A number as Loom writes it: `1e-8` and not `1e-08`."""
    head, e, exponent = repr(float(value)).partition("e")
    return f"{head}e{int(exponent)}" if e else head
