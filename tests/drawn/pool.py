"""What a drawn program is made of: inputs, a growing pool of arrays, and steps that make one array more of some of them.

A program is data, a list of steps; each has a function of JAX and the places of its operands in the pool. So it can be traced,
run with other inputs, cut to fewer steps and printed. Nothing here says which functions there are.
"""

import dataclasses

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

FLOATS = ("float64", "float32", "float16", "bfloat16")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = SIGNED + UNSIGNED
MOST = 400


def is_float(dtype):
    return jnp.issubdtype(dtype, jnp.floating)


@dataclasses.dataclass
class Step:
    """One function of some arrays of the pool, to one array or several.

    Attributes:
        name: what it is, for people.
        call: from arrays to an array or a tuple of them.
        reads: places in the pool.
    """

    name: str
    call: object
    reads: tuple


class Pool:
    """A program in the making, with the types and shapes of all that it has.

    Attributes:
        rng: of NumPy, seeded by the program's seed.
        inputs: arrays of NumPy.
        steps: in order.
        avals: shape and type of each array: inputs first, then what steps make.
    """

    def __init__(self, rng):
        self.rng, self.inputs, self.steps, self.avals = rng, [], [], []

    def pick(self, among):
        """One of a list, without making an array of NumPy of it."""
        return among[int(self.rng.integers(len(among)))]

    def chance(self, p):
        return self.rng.random() < p

    def input(self, value):
        assert not self.steps, "inputs come first"
        self.inputs.append(value)
        self.avals.append(jax.ShapeDtypeStruct(value.shape, value.dtype))
        return len(self.avals) - 1

    def find(self, accept):
        """The place of an array with elements that `accept` takes, more often a late one; None where there is none."""
        places = [i for i, a in enumerate(self.avals) if a.size and accept(a)]
        if not places:
            return None
        late = min(len(places), 1 + int(self.rng.exponential(3.0)))
        return places[-late]

    def add(self, name, call, *reads):
        """The place of what a function makes, or None where it makes something too large or fails to be traced."""
        try:
            made = jax.eval_shape(call, *(self.avals[r] for r in reads))
        except (TypeError, ValueError, NotImplementedError, IndexError):
            return None
        parts = made if isinstance(made, tuple) else (made,)
        if any(int(np.prod(a.shape)) > MOST for a in parts):
            return None
        self.steps.append(Step(name, call, reads))
        self.avals.extend(jax.ShapeDtypeStruct(a.shape, a.dtype) for a in parts)
        return len(self.avals) - len(parts)

    def run(self, inputs):
        """All arrays of the pool, for these inputs; to be traced."""
        values = list(inputs)
        for step in self.steps:
            made = step.call(*(values[r] for r in step.reads))
            values.extend(made if isinstance(made, tuple) else (made,))
        return values

    def ends(self):
        """Places of what no step reads, inputs apart."""
        read = {r for s in self.steps for r in s.reads}
        return [i for i in range(len(self.inputs), len(self.avals)) if i not in read]

    def text(self):
        lines, at = [], len(self.inputs)
        for i, x in enumerate(self.inputs):
            lines.append(f"  v{i} = input {x.dtype}{list(x.shape)}")
        for s in self.steps:
            made = jax.eval_shape(s.call, *(self.avals[r] for r in s.reads))
            n = len(made) if isinstance(made, tuple) else 1
            names = ", ".join(f"v{at + k}" for k in range(n))
            types = ", ".join(f"{a.dtype}{list(a.shape)}" for a in self.avals[at : at + n])
            lines.append(f"  {names} = {s.name}({', '.join(f'v{r}' for r in s.reads)})   # {types}")
            at += n
        return "\n".join(lines)


def shape(p, most=4, least=0):
    """Sizes that meshes divide and sizes that they do not."""
    while True:
        dims = tuple(int(p.pick((1, 2, 3, 4, 5, 6, 7, 8, 12))) for _ in range(int(p.rng.integers(least, most + 1))))
        if np.prod(dims) <= MOST // 4:
            return dims


def values(p, dims, dtype, special):
    """Numbers of a type. With `special`, some are the ends of the type, zeros of both signs, infinities and NaN."""
    dtype = np.dtype(dtype if dtype != "bfloat16" else ml_dtypes.bfloat16)
    if dtype == np.bool_:
        return p.rng.random(dims) < 0.5
    if np.issubdtype(dtype, np.integer):
        info = np.iinfo(dtype)
        small = p.rng.integers(max(info.min, -9), 10, dims).astype(dtype)
        ends = np.array([info.min, info.max, 0, 1, info.max // 2 + 1, info.max - 1], dtype)
    else:
        small = p.rng.normal(size=dims).astype(dtype)
        if special:
            # Equal keys, so that sorts have to be stable.
            small = np.where(p.rng.random(dims) < 0.3, np.round(small.astype(np.float64)).astype(dtype), small)
        ends = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0], np.float64).astype(dtype)
    if not special:
        return small
    drawn = ends[p.rng.integers(0, len(ends), dims)]
    return np.where(p.rng.random(dims) < 0.35, drawn, small).astype(dtype)
