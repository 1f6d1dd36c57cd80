"""A module as a function of its tensors: parameters, buffers, and what else it holds.

Tied parameters are one. What a call writes in place into a buffer (running means) is found by comparing what the buffer holds before and
after, and comes out as its next value.
"""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Iterator, Mapping

from .._command import Error
from . import boundaries
from .operators import environment
from .packages import need

# Tensors by name.
Tensors = dict[str, Any]


class Functional:
    """A module as a function. It leaves the module as it was.

    Attributes:
        params: parameters that are trained, by the module's names, as `jax.ShapeDtypeStruct`s.
        buffers: everything else that it holds: buffers, frozen parameters, tensors that are mere attributes.
    """

    def __init__(self, module: Any, bounds: bool = False):
        self._module, self._env, self._bounds = module, environment(), bounds
        named = dict(module.named_parameters())
        trained = {n: p for n, p in named.items() if p.requires_grad}
        if complex := [n for n, p in trained.items() if p.is_complex()]:
            raise Error(f"{complex[0]} is complex: the optimizer's step is for real parameters")
        self._aliases = _aliases(module)
        held = {n: p for n, p in named.items() if not p.requires_grad} | dict(module.named_buffers()) | dict(_attributes(module))
        self._values = {**trained, **held}
        self.params = {n: shaped(p) for n, p in trained.items()}
        self.buffers = {n: shaped(b) for n, b in held.items()}

    def freeze(self, names: list[str]) -> None:
        """Parameters that get no gradient. PyTorch's optimizers leave a parameter without a gradient as it is."""
        self.buffers |= {n: self.params.pop(n) for n in names}

    def values(self) -> Tensors:
        """The module's own tensors, by the names of `params` and `buffers`."""
        return dict(self._values)

    def __call__(self, params: Tensors, buffers: Tensors, call: Callable[[Any], Any], seed: Any = None) -> tuple[Any, Tensors]:
        """Calls `call` with the module, in torchax's environment, on these values.

        Returns: what `call` gave, and buffers as they are afterwards.
        """
        stateless = need("torch.nn.utils.stateless")
        env = self._env
        own = env.j2t_iso({**params, **buffers})
        all = {**own, **{alias: own[name] for alias, name in self._aliases.items() if name in own}}
        key = None if seed is None else need("jax").random.key(seed)
        with contextlib.ExitStack() as stack:
            stack.enter_context(stateless._reparametrize_module(self._module, all, tie_weights=False, strict=False))
            stack.enter_context(env)
            if key is not None:
                stack.enter_context(_keyed(env, key))
            hooks = _scoped(self._module) + (boundaries.marked(self._module) if self._bounds else [])
            for hook in hooks:
                stack.callback(hook.remove)
            made = env.t2j_iso(call(self._module))
            after = {n: own[n].jax() for n in buffers}
        return made, after


@contextlib.contextmanager
def _keyed(env: Any, key: Any) -> Iterator[None]:
    before = env.param.prng
    env.param.prng = key
    try:
        yield
    finally:
        # The key of a trace must not outlive it.
        env.param.prng = before


def _aliases(module: Any) -> dict[str, str]:
    """Further names of tied parameters and buffers, with the name that counts: the first."""
    first: dict[int, str] = {}
    found = {}
    for all in (module.named_parameters(remove_duplicate=False), module.named_buffers(remove_duplicate=False)):
        for name, tensor in all:
            if (known := first.setdefault(id(tensor), name)) != name:
                found[name] = known
    return found


def _attributes(module: Any) -> Iterator[tuple[str, Any]]:
    """Tensors that are neither parameters nor buffers, but plain attributes."""
    torch = need("torch")
    for path, part in module.named_modules():
        for name, value in vars(part).items():
            if isinstance(value, torch.Tensor):
                yield f"{path}.{name}" if path else name, value


def _scoped(module: Any) -> list[Any]:
    """Hooks that put the paths of modules into JAX's stack of names, from where tables and messages have them."""
    jax = need("jax")
    hooks: list[Any] = []
    open: list[Any] = []

    def enter(name: str) -> Callable[..., None]:
        def hook(*_: Any) -> None:
            scope = jax.named_scope(name)
            scope.__enter__()
            open.append(scope)

        return hook

    def leave(*_: Any) -> None:
        open.pop().__exit__(None, None, None)

    for part in (c for m in module.modules() for c in m.named_children()):
        hooks.append(part[1].register_forward_pre_hook(enter(part[0])))
        hooks.append(part[1].register_forward_hook(leave, always_call=True))
    return hooks


def shaped(value: Any) -> Any:
    """Shape and element type of a tensor of PyTorch or of anything else that has both.

    Raises:
        Error: it has none.
    """
    jax, torch = need("jax"), need("torch")
    if isinstance(value, torch.Tensor):
        dtype = need("torchax.ops.mappings").t2j_dtype(value.dtype)
        return jax.ShapeDtypeStruct(tuple(value.shape), jax.dtypes.canonicalize_dtype(dtype))
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return jax.ShapeDtypeStruct(tuple(value.shape), jax.dtypes.canonicalize_dtype(value.dtype))
    raise Error(f"a batch is made of tensors, and this is a {type(value).__name__}")


def on_host(tensor: Any) -> Any:
    """A tensor of PyTorch as an array of NumPy, with the element type that the program has for it."""
    torch = need("torch")
    if tensor.is_meta:
        raise Error("the module is on the meta device: it has shapes and no values to start from")
    kept = tensor.detach().cpu()
    # JAX has no 64 bits unless it is asked for them, and NumPy no bf16.
    kept = kept.to({torch.int64: torch.int32, torch.float64: torch.float32, torch.bfloat16: torch.float32}.get(kept.dtype, kept.dtype))
    return kept.numpy().copy()


def is_tensor(value: Any) -> bool:
    """Whether a value of a batch is traced; others (numbers, flags, None) are as they are in the program."""
    return hasattr(value, "shape") and hasattr(value, "dtype")


def split(batch: Mapping[str, Any]) -> tuple[Tensors, dict[str, Any]]:
    """Tensors of a batch by their shapes, and the rest of it."""
    tensors = {k: shaped(v) for k, v in batch.items() if is_tensor(v)}
    return tensors, {k: v for k, v in batch.items() if k not in tensors}
