"""Eight devices for JAX, as examples/jax has them, before JAX is loaded."""

import os

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

pytest_plugins = ["pytester"]
