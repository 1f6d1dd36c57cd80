"""Runs modules of StableHLO and sdy in JAX: python run.py [--read] FOLDER..

In each folder is a `module.mlir` with its arguments `in0.npy`, `in1.npy` ..; its results are put beside them, as `out0.npy`,
`out1.npy` .. The module is read by jaxlib's own bindings, verified, compiled by XLA for as many CPU devices as `mhlo.num_partitions`
says, and run on whole tensors, which are split as the compiled program wants them. Files hold f64 or i64, whatever the module
computes in. With --read modules are read and verified, and not run.
"""
import os
import pathlib
import re
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
# Numbers are rounded as their types say: 16 bits after each op, and products before they are added (AVX has no such operation).
EXACT = " --xla_allow_excess_precision=false --xla_cpu_max_isa=AVX"
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8" + EXACT

import jax  # noqa: E402
import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
from jax._src import compiler, xla_bridge  # noqa: E402
from jax._src.interpreters import mlir  # noqa: E402
from jax._src.lib import xla_client  # noqa: E402
from jax._src.lib.mlir import ir  # noqa: E402
from jax._src.sharding_impls import GSPMDSharding  # noqa: E402

jax.config.update("jax_enable_x64", True)

TYPES = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "i32": np.int32, "i64": np.int64,
         "ui8": np.uint8, "ui32": np.uint32, "i1": np.bool_}


def element(arg):
    return TYPES[re.search(r"(\w+)>$", str(arg.type)).group(1).split("x")[-1]]


def run(folder, only_read):
    with mlir.make_ir_context(), ir.Location.unknown():
        text = (folder / "module.mlir").read_text()
        # Every run here has arrays of its own, and of an alias XLA may split the two ends differently where shardings are left open.
        module = ir.Module.parse(text if only_read else re.sub(r"tf\.aliasing_output = \d+ : i32", "meshloom.updates", text))
        module.operation.verify()
        if only_read:
            return
        (main,) = [op for op in module.body.operations if "sym_name" in op.attributes and op.attributes["sym_name"].value == "main"]
        types = [element(a) for a in main.regions[0].blocks[0].arguments]
        n = ir.IntegerAttr(module.operation.attributes["mhlo.num_partitions"]).value
        options = xla_client.CompileOptions()
        options.num_replicas, options.num_partitions = 1, n
        options.device_assignment = xla_client.DeviceAssignment.create(np.arange(n).reshape(1, n))
        build = options.executable_build_options
        build.use_spmd_partitioning = build.use_shardy_partitioner = True
        build.allow_spmd_sharding_propagation_to_output = [True]
        build.allow_spmd_sharding_propagation_to_parameters = [True]
        devices = jax.devices()[:n]
        listed = xla_client.DeviceList(tuple(devices))
        loaded = compiler.backend_compile_and_load(xla_bridge.get_backend("cpu"), module, listed, options, [])
    whole = jax.sharding.NamedSharding(jax.sharding.Mesh(np.array(devices), "d"), jax.sharding.PartitionSpec())
    of = lambda s: GSPMDSharding(devices, s)  # noqa: E731
    ins, outs = loaded.get_parameter_shardings(), loaded.get_output_shardings()
    ins = [of(s) for s in ins] if ins and n > 1 else [whole] * len(types)
    arrays = [np.load(folder / f"in{i}.npy").astype(t) for i, t in enumerate(types)]
    given = [jax.device_put(x, s) for x, s in zip(arrays, ins)]
    made = loaded.execute_sharded(given).disassemble_into_single_device_arrays()
    for i, shards in enumerate(made):
        out = np.asarray(shards[0])
        if n > 1 and outs and not of(outs[i]).is_fully_replicated:
            # How often each dim is split: of a size that every count of devices here divides.
            factors = [840 // k for k in of(outs[i]).shard_shape((840,) * out.ndim)]
            shape = tuple(a * b for a, b in zip(out.shape, factors))
            out = np.zeros(shape, out.dtype)
            for device, index in of(outs[i]).devices_indices_map(shape).items():
                out[index] = np.asarray(shards[devices.index(device)])
        wide = np.int64 if out.dtype.kind in "iub" else np.float64
        np.save(folder / f"out{i}.npy", out.astype(wide, order="C"))


if __name__ == "__main__":
    for name in [a for a in sys.argv[1:] if a != "--read"]:
        try:
            run(pathlib.Path(name), "--read" in sys.argv)
        except Exception as e:
            sys.exit(f"{name}: {type(e).__name__}: {e}")
