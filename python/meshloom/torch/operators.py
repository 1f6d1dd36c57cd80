"""Operators of PyTorch for which torchax has no lowering, or one that plans badly.

Attention goes to `jax.nn.dot_product_attention`, which the planner recognises, where it has no mask. Cross entropy reads the logit of a
label by comparing positions with it, so that a vocabulary may be split. A product of groups is `ragged_dot`.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from .marks import composite, marked, stop
from .packages import need


@cache
def environment() -> Any:
    """torchax's environment, with the lowerings of this file. There is one for a process, since PyTorch's hooks are."""
    torch, torchax = need("torch"), need("torchax")
    registry = need("torchax.ops.ops_registry")
    made = torchax.default_env()
    # Lines that tables and messages name are the model's own, and not those of what calls, or carries out, its operators.
    for inner in (torch.__file__, torchax.__file__, __file__):
        need("jax.extend.source_info_util").register_exclusion(os.path.dirname(inner))
    f = torch.nn.functional
    table = {
        f.scaled_dot_product_attention: attention,
        torch.ops.aten.scaled_dot_product_attention: attention,
        f.cross_entropy: cross_entropy,
        torch._grouped_mm: grouped_product,
        torch.ops.aten._grouped_mm: grouped_product,
        torch.histc: histogram,
        f.embedding_bag: embedding_bag,
        # torchax has these as the operand itself.
        torch.Tensor.detach: stop,
        torch.ops.aten.detach: stop,
    }
    if hasattr(f, "grouped_mm"):
        table[f.grouped_mm] = grouped_product
    # Those that write into an operand take it as it is.
    written = {f.batch_norm: batch_norm}
    for operator, lowering in {**table, **written}.items():
        made._ops[operator] = registry.Operator(
            operator, lowering, is_jax_function=operator not in written, is_user_defined=True, needs_env=False, is_view_op=False
        )
    kind = need("torchax.tensor").Tensor
    kind.detach = lambda self: kind(stop(self.jax()), self._env)
    inner = made.dispatch

    def dispatch(operator: Any, types: Any, args: Any, kwargs: Any = None) -> Any:
        """As torchax has it, with constants that PyTorch made on the host, and without gradients inside of `no_grad`."""
        args, kwargs = _lifted(made, operator, args, kwargs or {})
        result = inner(operator, types, args, kwargs)
        return result if torch.is_grad_enabled() else _stopped(operator, result)

    made.dispatch = dispatch
    return made


def _lifted(env: Any, operator: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """Operands of which some are of torchax and some are tensors of PyTorch with values (`torch.zeros(n)` in a forward pass): all as
    torchax's."""
    torch, tree = need("torch"), need("torch.utils._pytree")
    ours = need("torchax.tensor").Tensor, need("torchax.view").View
    all = tree.tree_flatten((args, kwargs))[0]
    plain = [x for x in all if isinstance(x, torch.Tensor) and not isinstance(x, ours)]
    # A conversion of torchax's takes its own tensors alone.
    if not plain or not (operator is torch.Tensor.to or any(isinstance(x, ours) for x in all)):
        return args, kwargs

    def lift(x: Any) -> Any:
        if isinstance(x, ours) or x.is_meta:
            return x
        with need("torch.utils._mode_utils").no_dispatch(), torch._C.DisableTorchFunction():
            return env.j2t_iso(need("jax.numpy").asarray(x.detach().numpy()))

    made: tuple[Any, Any] = tree.tree_map_only(torch.Tensor, lift, (args, kwargs))
    return made


def _stopped(operator: Any, result: Any) -> Any:
    """What an operator gives inside of `torch.no_grad()`. What it writes into an operand stays that operand."""
    kind = need("torchax.tensor").Tensor
    name = getattr(operator, "__name__", "")
    if name.split(".")[0].endswith("_") or name == "__setitem__":
        return result
    return need("torch.utils._pytree").tree_map_only(kind, lambda x: environment().j2t_iso(stop(x.jax())), result)


def attention(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
              scale: float | None = None, enable_gqa: bool = False) -> Any:  # fmt: skip
    """`scaled_dot_product_attention`: operands are [.., heads, positions, width]."""
    jax, jnp = need("jax"), need("jax.numpy")
    if dropout_p > 0:
        # Not reached with dropout off; with it on, probabilities are not dropped by this form.
        raise need("torchax.tensor").OperatorNotFound("dropout of attention's probabilities has no lowering")
    batch = query.shape[:-3]
    # No heads at all: one.
    if query.ndim < 4:
        grown = [a.reshape((1,) * (4 - a.ndim) + a.shape) for a in (query, key, value)]
        mask = attn_mask if attn_mask is None else attn_mask.reshape((1,) * (4 - attn_mask.ndim) + attn_mask.shape)
        return attention(*grown, mask, dropout_p, is_causal, scale, enable_gqa).reshape((*query.shape[:-1], value.shape[-1]))
    if query.ndim > 4:
        query, key, value = (a.reshape((-1, *a.shape[-3:])) for a in (query, key, value))
    if marked() and attn_mask is None:
        made = _by_name(query, key, value, is_causal, scale)
    elif value.shape[-1] != query.shape[-1]:
        made = _written_out(query, key, value, attn_mask, is_causal, scale)
    else:
        turned = (jnp.swapaxes(a, 1, 2) for a in (query, key, value))
        given = {}
        if attn_mask is not None:
            mask = attn_mask.reshape((1,) * (4 - attn_mask.ndim) + attn_mask.shape)
            given = {"mask" if mask.dtype == jnp.bool_ else "bias": mask}
        made = jnp.swapaxes(jax.nn.dot_product_attention(*turned, scale=scale, is_causal=is_causal, **given), 1, 2)
    return made.reshape((*batch, *made.shape[1:]))


def _by_name(query: Any, key: Any, value: Any, causal: bool, scale: float | None) -> Any:
    """Attention as Loom's library has it."""
    width = query.shape[-1] ** 0.5
    if scale is not None and abs(scale * width - 1) > 1e-6:
        query = query * need("jax.numpy").asarray(scale * width, query.dtype)

    def body(query: Any, key: Any, value: Any) -> Any:
        return _written_out(query, key, value, None, causal, None)

    return composite("meshloom.attention.causal" if causal else "meshloom.attention", body, query, key, value)


def _written_out(query: Any, key: Any, value: Any, mask: Any, causal: bool, scale: float | None) -> Any:
    """Attention whose values are of another width than its keys."""
    jax, jnp = need("jax"), need("jax.numpy")
    if key.shape[1] != query.shape[1]:
        key, value = (jnp.repeat(a, query.shape[1] // a.shape[1], axis=1) for a in (key, value))
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    scores = jnp.einsum("bhqd,bhkd->bhqk", query, key, preferred_element_type=jnp.float32) * scale
    if mask is not None:
        scores = jnp.where(mask, scores, -jnp.inf) if mask.dtype == jnp.bool_ else scores + mask
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, jnp.finfo(scores.dtype).min)
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores, axis=-1).astype(value.dtype), value)


def cross_entropy(input: Any, target: Any, weight: Any = None, size_average: Any = None, ignore_index: int = -100, reduce: Any = None,
                  reduction: str = "mean", label_smoothing: float = 0.0) -> Any:  # fmt: skip
    """`cross_entropy` of logits [N, classes, ..], with classes as targets, or their probabilities."""
    jax, jnp = need("jax"), need("jax.numpy")
    classes = 1 if input.ndim > 1 else 0
    logits = jnp.moveaxis(input, classes, -1)
    logs = logits - jax.nn.logsumexp(logits, axis=-1, keepdims=True)
    weights = jnp.ones(logits.shape[-1:], logs.dtype) if weight is None else weight
    if jnp.issubdtype(target.dtype, jnp.floating):
        aimed = jnp.moveaxis(target, classes, -1)
        aimed = aimed * (1 - label_smoothing) + label_smoothing / logits.shape[-1]
        each, total = -jnp.sum(aimed * logs * weights, axis=-1), target.size / logits.shape[-1]
    else:
        counted = target != ignore_index
        hit = jax.lax.broadcasted_iota(target.dtype, logits.shape, logits.ndim - 1) == target[..., None]
        each = -jnp.sum(jnp.where(hit, logs, 0), axis=-1)
        of = jnp.ones(target.shape, logs.dtype) if weight is None else jnp.sum(jnp.where(hit, weights, 0), axis=-1)
        each = each * of
        if label_smoothing:
            smooth = -jnp.sum(logs * weights, axis=-1) / logits.shape[-1]
            each = each * (1 - label_smoothing) + smooth * label_smoothing
        each = jnp.where(counted, each, 0)
        total = jnp.sum(jnp.where(counted, of, 0))
    if reduction == "none":
        return each
    return jnp.sum(each) / (total if reduction == "mean" else 1)


def grouped_product(input: Any, weight: Any, offs: Any = None, bias: Any = None, out_dtype: Any = None) -> Any:
    """`grouped_mm` of rows in groups with one matrix each: offsets are where groups end. Rows behind the last group give zeros."""
    jax, jnp = need("jax"), need("jax.numpy")
    if input.ndim != 2 or weight.ndim != 3 or offs is None:
        raise need("torchax.tensor").OperatorNotFound("grouped_mm has a lowering for rows [N, K] in groups and weights [G, K, M]")
    sizes = jnp.diff(offs, prepend=jnp.zeros((1,), offs.dtype)).astype(jnp.int32)
    made = jax.lax.ragged_dot(input, weight, sizes)
    return made if bias is None else made + bias


def batch_norm(input: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: bool = False,
               momentum: float = 0.1, eps: float = 1e-5) -> Any:  # fmt: skip
    """`batch_norm`, with running means that are written in training. torchax's own does not write them."""
    jnp, env = need("jax.numpy"), environment()
    x = input.jax().astype(jnp.float32)
    dims, shape = (0, *range(2, x.ndim)), (1, -1, *(1,) * (x.ndim - 2))
    if training or running_mean is None:
        mean, var = jnp.mean(x, dims), jnp.var(x, dims)
        count = x.size / x.shape[1]
        if running_mean is not None:
            for running, now in ((running_mean, mean), (running_var, var * (count / max(count - 1, 1)))):
                old = running.jax()
                running._elem = (old * (1 - momentum) + now * momentum).astype(old.dtype)
    else:
        mean, var = running_mean.jax(), running_var.jax()
    made = (x - mean.reshape(shape)) / jnp.sqrt(var.reshape(shape) + eps)
    made = made if weight is None else made * weight.jax().reshape(shape)
    made = made if bias is None else made + bias.jax().reshape(shape)
    return env.j2t_iso(made.astype(input.jax().dtype))


def embedding_bag(input: Any, weight: Any, offsets: Any = None, max_norm: Any = None, norm_type: float = 2.0, scale_grad_by_freq: bool = False,
                  mode: str = "mean", sparse: bool = False, per_sample_weights: Any = None, include_last_offset: bool = False,
                  padding_idx: int | None = None) -> Any:  # fmt: skip
    """`embedding_bag`: rows of a table [rows, width] that are summed, averaged or maximised in bags: those of each line of `input`
    [bags, N], or of one list from offset to offset. A bag without rows gives zeros."""
    jax, jnp = need("jax"), need("jax.numpy")
    if max_norm is not None or scale_grad_by_freq:
        raise need("torchax.tensor").OperatorNotFound("embedding_bag has no lowering with max_norm or scale_grad_by_freq")
    flat = input.reshape(-1)
    if input.ndim == 2:
        bags, bag = input.shape[0], jnp.repeat(jnp.arange(input.shape[0]), input.shape[1])
    else:
        starts = offsets[:-1] if include_last_offset else offsets
        bags, bag = starts.shape[0], jnp.sum(jnp.arange(flat.shape[0])[:, None] >= starts, axis=1) - 1
    counted = jnp.ones(flat.shape, bool) if padding_idx is None else flat != padding_idx
    rows = weight[flat]
    if mode == "max":
        least = jnp.finfo(rows.dtype).min
        made = jax.ops.segment_max(jnp.where(counted[:, None], rows, least), bag, bags)
        return jnp.where(made > least, made, 0)
    each = counted.astype(rows.dtype) if per_sample_weights is None else per_sample_weights.reshape(-1) * counted
    made = jax.ops.segment_sum(rows * each[:, None], bag, bags)
    return made if mode == "sum" else made / jnp.maximum(jax.ops.segment_sum(each, bag, bags), 1)[:, None]


def histogram(input: Any, bins: int = 100, min: float = 0, max: float = 0) -> Any:
    """`histc` with bounds that are given."""
    jnp = need("jax.numpy")
    if min == max:
        raise need("torchax.tensor").OperatorNotFound("histc has a lowering where min and max are given")
    place = jnp.floor((input.astype(jnp.float32) - min) * (bins / (max - min))).astype(jnp.int32)
    inside = (input >= min) & (input <= max)
    # What equals `max` is in the last bin.
    hit = jnp.arange(bins)[:, None] == jnp.minimum(place, bins - 1).reshape(1, -1)
    return jnp.sum(hit & inside.reshape(1, -1), axis=1).astype(input.dtype)
