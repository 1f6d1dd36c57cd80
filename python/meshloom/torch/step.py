"""The train step of a module: forward pass, loss, gradients, clipping, update; lowered from shapes alone."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Mapping

from .._command import Error
from . import boundaries, chunked, experts, layouts, optimizers, packed, scans
from .functional import Functional, Tensors, on_host, split
from .marks import cut, markers
from .operators import environment
from .packages import need
from .settings import Settings

# What a parameter of a module is while it is computed with.
COMPUTED = {"f32": "float32", "bf16": "bfloat16", "f16": "float16"}


@dataclass(frozen=True)
class Traced:
    """A train step that was lowered, and what it starts from.

    Attributes:
        lowered: what `jax.jit(step).lower(..)` gave. The step takes parameters, what the optimizer holds, buffers that change, those that do
            not, the batch and perhaps a seed. It gives the next ones of the first three, and the loss.
        micro: the same of a microbatch, where gradients are accumulated. Then both give the loss alone, and Loom makes the step.
        changing: buffers that a call writes into.
        named: whether the batch is a dict by name.
    """

    module: Any
    settings: Settings
    function: Functional
    lowered: Any
    changing: list[str]
    named: bool
    micro: Any = None

    def text(self, places: bool = True) -> str:
        """The program as StableHLO, with the lines of Python that it comes from. One that has the boundaries of modules ends in a comment
        that says what these modules are; a loss, in what Loom makes of it."""
        text = self.lowered.as_text(debug_info=places)
        if self.settings.boundaries:
            return text + boundaries.comment(self.module)
        if self.settings.by_loom:
            text += f"// meshloom.train {optimizers.in_loom(self.settings)}\n"
        if self.micro is not None:
            text += f"// meshloom.microbatches {self.settings.accumulate}\n" + self.micro.as_text(debug_info=places)
        return text

    def values(self) -> tuple[Tensors, dict[str, Any], Tensors, Tensors]:
        """The module's own values: parameters in f32, moments of zero, buffers that change, and those that do not."""
        np = need("numpy")
        own = {n: on_host(t) for n, t in self.function.values().items()}
        params = {n: own[n].astype(np.float32) for n in self.function.params}
        held = optimizers.zeros(params, self.settings)
        buffers = {n: own[n] for n in self.function.buffers}
        moving = {n: buffers.pop(n) for n in self.changing}
        return params, held, moving, buffers


def traced(module: Any, batch: tuple[Any, ...], settings: Settings, mesh: Mapping[str, int] | None = None) -> Traced:
    """A module's train step, lowered for these shapes.

    Raises:
        Error: there is no loss, or an operator has no lowering.
    """
    jax, jnp = need("jax"), need("jax.numpy")
    function = Functional(module, settings.boundaries)
    tensors, rest, by_name = _arguments(batch)
    seed = {"seed": jax.ShapeDtypeStruct((), jnp.uint32)} if settings.dropout else {}
    loss = _loss(function, rest, by_name, settings)
    with (
        _without_dropout(module, settings.dropout),
        packed.as_made(tensors),
        scans.as_loops(),
        experts.bounded(module, settings.expert_capacity),
        _named(module),
    ):
        changing, idle = _learned(loss, function, tensors, seed)
        if not settings.boundaries:
            function.freeze(idle)
        hints = layouts.hinted(function.params, settings.layouts, mesh)
        state = {n: jax.ShapeDtypeStruct(p.shape, jnp.float32, sharding=hints.get(n)) for n, p in function.params.items()}
        held = {} if settings.boundaries or settings.by_loom else optimizers.moments(function.params, settings)
        moving = {n: function.buffers[n] for n in changing}
        still = {n: b for n, b in function.buffers.items() if n not in moving}
        step = jax.jit(_step(loss, settings), donate_argnums=() if settings.boundaries else (0, 1, 2))

        def lowered(given: Tensors) -> Any:
            # For no device in particular: a mesh that layouts name has none.
            return step.trace(state, held, moving, still, given, **seed).lower(lowering_platforms=("cpu",))

        with markers(settings.by_loom), _own_lines():
            whole = lowered(tensors)
            micro = lowered(_part(tensors, settings.accumulate)) if settings.accumulate > 1 else None
    return Traced(module, settings, function, whole, changing, by_name, micro)


@contextlib.contextmanager
def _own_lines() -> Iterator[None]:
    """Each op with the innermost line alone, which is the model's: behind it stand those of who calls the model."""
    config, name = need("jax").config, "jax_traceback_in_locations_limit"
    before = getattr(config, name)
    config.update(name, 1)
    try:
        yield
    finally:
        config.update(name, before)


def _part(tensors: Tensors, count: int) -> Tensors:
    """The shapes of one of `count` microbatches: those of the batch, with fewer rows where a tensor has the batch's rows.

    Raises:
        Error: the rows cannot be shared out.
    """
    jax = need("jax")
    rows = next((t.shape[0] for t in tensors.values() if t.shape), 0)
    if rows % count or not rows:
        raise Error(f"accumulate={count}: a batch of {rows} cannot be split into {count} microbatches")

    def part(t: Any) -> Any:
        own = (t.shape[0] // count, *t.shape[1:]) if t.shape and t.shape[0] == rows else t.shape
        return jax.ShapeDtypeStruct(own, t.dtype)

    return {n: part(t) for n, t in tensors.items()}


def _step(loss: Callable[..., Any], settings: Settings) -> Callable[..., Any]:
    jax = need("jax")

    def main(params: Tensors, optimizer: dict[str, Any], state: Tensors, buffers: Tensors, batch: Tensors, seed: Any = None) -> Any:
        if settings.optimizer == "none" or settings.by_loom:
            value, after = loss(params, {**buffers, **state}, batch, seed)
            return params, optimizer, {n: after[n] for n in state}, {"loss": value}
        graded = jax.value_and_grad(loss, has_aux=True)
        (value, after), grads = graded(params, {**buffers, **state}, batch, seed)
        if settings.boundaries:
            return {"loss": value, "grad": grads}
        params, optimizer = optimizers.updated(params, optimizer, optimizers.clipped(grads, settings.clip), settings)
        return params, optimizer, {n: after[n] for n in state}, {"loss": value}

    return main


def _loss(function: Functional, rest: dict[str, Any], by_name: bool, settings: Settings) -> Callable[..., Any]:
    """The loss of f32 parameters, with the buffers after it."""
    jnp = need("jax.numpy")
    computed = jnp.dtype(COMPUTED[settings.traced_in])
    # A parameter that the module holds in 16 bits is computed with in 16 bits; f32 ones in what is asked for.
    types = {n: computed if p.dtype == jnp.float32 else p.dtype for n, p in function.params.items()}

    def loss(params: Tensors, buffers: Tensors, batch: Tensors, seed: Any = None) -> tuple[Any, Tensors]:
        env = environment()

        def call(module: Any) -> Any:
            given = {**_cast(env.j2t_iso(batch), settings), **rest}
            if settings.loss_chunks > 1:
                return chunked.loss(module, given if by_name else {}, settings.loss_chunks)
            made = module(**given) if by_name else module(*(given[k] for k in sorted(given, key=int)))
            return _value(made, given if by_name else tuple(given[k] for k in sorted(given, key=int)), settings)

        value, after = function({n: p.astype(types[n]) for n, p in params.items()}, buffers, call, seed)
        return value.astype(jnp.float32), after

    return loss


def _cast(given: Tensors, settings: Settings) -> Tensors:
    """Floats of the batch in the type that is computed in, as autocast has them."""
    torch = need("torch")
    type = getattr(torch, COMPUTED[settings.traced_in])
    return {n: t.to(type) if t.dtype == torch.float32 and settings.traced_in != "f32" else t for n, t in given.items()}


def _value(made: Any, batch: Any, settings: Settings) -> Any:
    """The loss in what a module gave.

    Raises:
        Error: there is none.
    """
    torch = need("torch")
    if settings.loss is not None:
        return settings.loss(made, batch)
    of = made.get if isinstance(made, Mapping) else lambda name: getattr(made, name, None)
    if of("loss") is not None:
        return of("loss")
    if isinstance(made, torch.Tensor) and made.ndim == 0:
        return made
    if of("logits") is not None and isinstance(batch, Mapping) and "labels" in batch:
        logits, labels = of("logits").float()[:, :-1], batch["labels"][:, 1:]
        return torch.nn.functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), labels.reshape(-1))
    raise Error(f"the module gives no loss ({type(made).__name__}): give its batch labels, or loss=function(output, batch)")


def _arguments(batch: tuple[Any, ...]) -> tuple[Tensors, dict[str, Any], bool]:
    """Tensors of a batch, the rest, and whether arguments go by name. By position, their names are their numbers."""
    if len(batch) == 1 and isinstance(batch[0], Mapping):
        return *split(dict(batch[0])), True
    return *split({str(i): v for i, v in enumerate(batch)}), False


def _learned(loss: Callable[..., Any], function: Functional, batch: Tensors, seed: Tensors) -> tuple[list[str], list[str]]:
    """Buffers that a call writes into, which hold another value after it; and parameters that get no gradient."""
    jax = need("jax")
    dce = need("jax._src.interpreters.partial_eval").dce_jaxpr
    changed: list[str] = []

    def call(params: Tensors, buffers: Tensors, batch: Tensors, seed: Tensors) -> Any:
        value, after = loss(params, buffers, batch, **seed)
        changed.extend(n for n, b in buffers.items() if after[n] is not b)
        return value

    with cut():
        made = jax.make_jaxpr(call)(function.params, function.buffers, batch, seed)
    _, used = dce(made.jaxpr, [True])
    # The leaves of a dict come in the order of its keys.
    return changed, [n for n, u in zip(sorted(function.params), used) if not u]


@contextlib.contextmanager
def _without_dropout(module: Any, drawn: bool) -> Iterator[None]:
    """Dropout off, and batch norm as it is in training. Transformers asks whether a module is trained before it drops anything."""
    if drawn:
        yield
        return
    norm = need("torch").nn.modules.batchnorm._NormBase
    before = [(part, part.training) for part in module.modules()]
    for part, training in before:
        part.training = training and isinstance(part, norm)
    try:
        yield
    finally:
        for part, training in before:
            part.training = training


@contextlib.contextmanager
def _named(module: Any) -> Iterator[None]:
    """Errors of tracing as errors that say what to do."""
    missing = need("torchax.tensor").OperatorNotFound
    jax = need("jax")
    try:
        yield
    except missing as e:
        raise Error(f"{type(module).__name__}: {e}, in {_place(e)}") from e
    except (
        jax.errors.ConcretizationTypeError,
        jax.errors.NonConcreteBooleanIndexError,
        jax.errors.TracerArrayConversionError,
        jax.errors.TracerIntegerConversionError,
    ) as e:
        text = "what happens depends on values of tensors, and only shapes are known"
        raise Error(f"{type(module).__name__}: {text}, in {_place(e)}") from e


def _place(error: BaseException) -> str:
    """The innermost line that is neither of PyTorch, nor of JAX, nor of torchax: the model's."""
    import traceback

    ours = ("/torch/", "/jax/", "/torchax/", "/jaxlib/", "/contextlib.py", "/functools.py")
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not any(part in f.filename for part in ours)]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "the module"
