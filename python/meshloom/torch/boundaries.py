"""Where tensors go into modules and come out of them, written into the program: what PyTorch's hooks see, and with them the styles of
`parallelize_module`.

A boundary is a product with 1 whose place says which module and which argument it is. It is linear, so its gradient is one too, at the
place where PyTorch's autograd has the hook's. A program so marked serves any plan.
"""

from __future__ import annotations

import json
from typing import Any, Callable

from .operators import environment
from .packages import need

# What begins the comment at the end of a program.
MODULES = "// meshloom.modules "


def marked(module: Any) -> list[Any]:
    """Hooks that mark what goes into each module and comes out of it. Those of the scopes of modules are there already."""
    torch = need("torch")
    hooks: list[Any] = []

    def enter(path: str) -> Callable[..., Any]:
        def hook(_: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            args = tuple(_mark(x, f"enter.{path}:{i}") for i, x in enumerate(args))
            return args, {k: _mark(x, f"enter.{path}:{k}") for k, x in kwargs.items()}

        return hook

    def leave(path: str) -> Callable[..., Any]:
        def hook(_: Any, args: Any, made: Any) -> Any:
            if isinstance(made, torch.Tensor):
                return _mark(made, f"leave.{path}:0")
            if type(made) in (tuple, list):
                return type(made)(_mark(x, f"leave.{path}:{i}") for i, x in enumerate(made))
            return made

        return hook

    for path, part in module.named_modules():
        hooks.append(part.register_forward_pre_hook(enter(path), with_kwargs=True))
        hooks.append(part.register_forward_hook(leave(path), prepend=True))
    return hooks


def _mark(value: Any, name: str) -> Any:
    """A tensor as it is, by an op at a place of this name. What is no tensor of numbers stays what it is.

    Of a view it is a copy: what a module writes in place into its input does not reach the tensor that the view is of.
    """
    torch, jax, jnp = need("torch"), need("jax"), need("jax.numpy")
    if not isinstance(value, torch.Tensor) or value.dtype == torch.bool or not hasattr(value, "jax"):
        return value
    array = value.jax()
    with jax.named_scope("meshloom_" + name):
        return environment().j2t_iso(jnp.multiply(array, jnp.ones((), array.dtype)))


def comment(module: Any) -> str:
    """What a plan is resolved by: the class of each module, and which parameters are one."""
    torch = need("torch")

    def kind(part: Any) -> str:
        for base in (torch.nn.Linear, torch.nn.Embedding):
            if isinstance(part, base):
                return base.__name__
        return type(part).__name__

    kinds = {path: kind(part) for path, part in module.named_modules()}
    first: dict[int, str] = {}
    tied = {}
    for name, parameter in module.named_parameters(remove_duplicate=False):
        if (known := first.setdefault(id(parameter), name)) != name:
            tied[name] = known
    return MODULES + json.dumps({"modules": kinds, "tied": tied}, separators=(",", ":")) + "\n"
