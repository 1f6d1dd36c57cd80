"""The packages that a module is traced with, imported when they are needed."""

from __future__ import annotations

import importlib
import os
from types import ModuleType

from .._command import Error


def need(name: str) -> ModuleType:
    """A package of the extra `torch`.

    Raises:
        Error: it is not installed, or does not load; the text says what to install.
    """
    # Tracing needs no device. Whoever wants one says so.
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as e:
        raise Error(f"{e.name or name} is not installed for {_python()}: pip install 'meshloom[torch]'") from None
    except (ImportError, AttributeError) as e:
        # What a package of another version lacks.
        raise Error(f"{name} does not load in {_python()} ({e}): pip install 'meshloom[torch]' installs versions that fit") from None


def _python() -> str:
    import sys

    return sys.executable or "this Python"
