

class Whole(ParallelStyle):
    """A module that every device computes in whole. A norm hands its result on as a DTensor, so that what column-parallel modules behind it
    add up to its gradient is reduced once."""

    norm = False

    def _apply(self, module, mesh):
        if list(module.children()) or (self.norm and "norm" not in type(module).__name__.lower()):
            return module

        def replicate(name, part, mesh):
            for n, p in list(part.named_parameters(recurse=False)):
                part.register_parameter(n, nn.Parameter(distribute_tensor(p, mesh, [Replicate()]), p.requires_grad))

        def enter(part, inputs, mesh):
            return (whole(inputs[0], mesh), *inputs[1:])

        def leave(part, output, mesh):
            return output if self.norm else output.to_local()

        return distribute_module(module, mesh, replicate, enter, leave)


class Norm(Whole):
    norm = True


class GatheredNorm(SequenceParallel):
    """A norm on a part of the sequence, of which modules behind it take the whole."""

    def _apply(self, module, mesh):
        def leave(part, output, mesh):
            return output.redistribute(placements=[Replicate()])

        def enter(part, inputs, mesh):
            return self._prepare_input_fn(self.sequence_sharding, part, inputs, mesh)

        return distribute_module(module, mesh, self._replicate_module_fn, enter, leave)


class Split(ParallelStyle):
    """A module whose weight is [inputs, outputs], such as a Conv1D of Transformers: by columns of the result, or by rows of the input."""

    def __init__(self, dim, inputs, output):
        super().__init__()
        self.dim, self.inputs, self.output = dim, inputs, output

    def _apply(self, module, mesh):
        def place(name, part, mesh):
            for n, p in list(part.named_parameters(recurse=False)):
                at = Shard(self.dim) if p.ndim == 2 else Shard(0) if self.dim == 1 else Replicate()
                part.register_parameter(n, nn.Parameter(distribute_tensor(p, mesh, [at]), p.requires_grad))

        def enter(part, inputs, mesh):
            x = inputs[0]
            if not isinstance(x, DTensor):
                x = DTensor.from_local(x, mesh, [self.inputs], run_check=False)
            return (x.redistribute(placements=[Shard(x.ndim - 1) if self.dim == 0 else Replicate()]), *inputs[1:])

        def leave(part, output, mesh):
            at = Shard(output.ndim - 1) if self.output == Shard(-1) else self.output
            return output.redistribute(placements=[at]).to_local()

        return distribute_module(module, mesh, place, enter, leave)


class SplitInput(ParallelStyle):
    """Takes this device's part of a module's first input."""

    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def _apply(self, module, mesh):
        def enter(part, args, kwargs):
            x = whole(args[0], mesh).redistribute(placements=[Shard(self.dim)]).to_local()
            return (x, *args[1:]), kwargs

        module.register_forward_pre_hook(enter, with_kwargs=True)
        return module


def whole(x, mesh):
    """A tensor that is the same on all devices of a mesh, as a DTensor."""
    return x if isinstance(x, DTensor) else DTensor.from_local(x, mesh, [Replicate()], run_check=False)


def parameter_names(model):
    """All names of each parameter: tied ones have several."""
    names = {}
    for name, p in model.named_parameters(remove_duplicate=False):
        names.setdefault(id(p), []).append(name)
    return list(names.values())


def tie(model, names):
    """Makes the parameters of these names the first of them again: placing a module's parameters gives it new ones."""
    first = model.get_parameter(names[0])
    for name in names[1:]:
        path, _, leaf = name.rpartition(".")
        setattr(model.get_submodule(path), leaf, first)


def clip_grad_norm(model, largest):
    """Clips gradients by their norm over all devices, whichever meshes they lie on. Returns the norm."""
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    squares = [g.pow(2).sum() for g in grads]
    norm = sum(s.full_tensor() if isinstance(s, DTensor) else s for s in squares).sqrt()
    for g in grads:
        g.mul_(torch.clamp(largest / (norm + 1e-6), max=1.0))
    return norm


def matching(model, pattern):
    """Names of parameters that fit a pattern with `*` for the numbers of layers."""
    parts = pattern.split(".")
    names = (n.split(".") for n, _ in model.named_parameters())
    return [".".join(n) for n in names if len(n) == len(parts) and all(p in ("*", s) for p, s in zip(parts, n))]
