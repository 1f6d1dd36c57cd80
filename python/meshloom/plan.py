"""Plans: what each device holds, what moves between devices, and what that costs."""

from __future__ import annotations

import html
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Iterable, Mapping

from . import _command, _source, torch


class Plan:
    """The plan of a model for a mesh of devices. Made by `plan`.

    In a notebook it shows itself as the page that `meshloom plan --html` writes.
    """

    def __init__(self, source: _source.Source, options: list[str]):
        self._source, self._options = source, options
        with tempfile.TemporaryDirectory(prefix="meshloom-") as folder:
            page = Path(folder) / "plan.html"
            self._json = source.run("plan", "--json", "--html", page, *options)
            self._page = page.read_text()

    def to_dict(self) -> dict[str, Any]:
        """What `meshloom plan --json` prints (docs/plan-json.md): an object with `entries`."""
        read: dict[str, Any] = json.loads(self._json)
        return read

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The plan of each entry of the model."""
        all: list[dict[str, Any]] = self.to_dict()["entries"]
        return all

    @property
    def entry(self) -> dict[str, Any]:
        """The plan of the only entry.

        Raises:
            Error: the model has several; `plan(.., entry=NAME)` chooses one.
        """
        all = self.entries
        if len(all) != 1:
            names = ", ".join(e["entry"] for e in all)
            raise _command.Error(f"the model has {len(all)} entries, {names}: choose one with entry=")
        return all[0]

    @property
    def collectives(self) -> list[dict[str, Any]]:
        """Each collective with its op, axes, bytes on the wire per device, times per step, reason and source line."""
        all: list[dict[str, Any]] = self.entry["collectives"]
        return all

    @property
    def totals(self) -> dict[str, Any]:
        """Of one step on one device: bytes by role and on the wire, predicted time, tokens per second, MFU."""
        totals: dict[str, Any] = self.entry["totals"]
        return totals

    @property
    def memory(self) -> dict[str, Any]:
        """Bytes of one device: the peak, and what of it are parameters, state, gradients and so on."""
        return {name: value for name, value in self.totals.items() if name.endswith("bytes_per_device")}

    def explain(self, what: str) -> str:
        """Why a tensor lies as it does, why a collective is there (`"#1"`), what a line costs (`"model.py:42"`).

        Raises:
            Rejected: the model has nothing of this name.
        """
        return self._source.run("explain", what, *self._options)

    def export(self, stack: str) -> str:
        """The plan in the words of a stack, as `meshloom export-plan` writes it: `"dtensor"`, `"torchtitan"`, `"megatron"`, `"deepspeed"` or
        `"accelerate"`. What the stack does otherwise stands above it.

        Raises:
            Rejected: the stack has no words for such a plan.
        """
        return self._source.run("export-plan", "--to", stack, *self._options)

    def assert_(self, *assertions: str) -> None:
        """Holds the plan to assertions as Loom writes them: `"no all_gather(model)"`, `"wire_bytes <= 3 MiB"`,
        `"peak_bytes <= 2 GiB"`, `"collectives(all_reduce) <= 4"`, `"layout(w1) == [?, model]"`.

        Raises:
            AssertionError: one does not hold. The text says what was found, and in which lines.
            Rejected: one cannot be read.
        """
        asked = [o for a in assertions for o in ("--assert", a)]
        try:
            self._source.run("plan", *self._options, *asked)
        except _command.Rejected as e:
            broken = e.diagnostics and all((d.get("code") or {}).get("name") == "assertion" for d in e.diagnostics)
            if not broken:
                raise
            raise AssertionError(str(e)) from None

    def lock(self, path: str | os.PathLike[str]) -> None:
        """Writes the plan down, for `locked` to compare with: layouts, collectives, bytes, in a form that reads well in a review."""
        self._source.run("plan", *self._options, f"--lock={os.path.abspath(path)}")

    def locked(self, path: str | os.PathLike[str]) -> None:
        """Compares the plan with one that `lock` wrote.

        Raises:
            Rejected: they differ; the text says how.
        """
        self._source.run("plan", *self._options, f"--locked={os.path.abspath(path)}")

    def html(self) -> str:
        """The page of the plan: one file that needs no network."""
        return self._page

    def __str__(self) -> str:
        """The table that `meshloom plan` prints."""
        return self._source.run("plan", *self._options)

    def __repr__(self) -> str:
        names = ", ".join(f"{e['entry']} on {e['mesh']['devices']} devices" for e in self.entries)
        return f"<meshloom.Plan of {names}>"

    def _repr_html_(self) -> str:
        page = html.escape(self._page, quote=True)
        return f'<iframe srcdoc="{page}" title="Plan" style="width: 100%; height: 640px; border: 1px solid #8888"></iframe>'


def plan(
    model: Any,
    *args: Any,
    entry: str | None = None,
    kwargs: Mapping[str, Any] | None = None,
    static_argnums: int | Iterable[int] = (),
    static_argnames: str | Iterable[str] = (),
    **options: Any,
) -> Plan:
    """Plans a model for a mesh of devices. Nothing runs, and no device is needed.

    Args:
        model: the path of a `.loom`, `.mlir` or `.stablehlo` file, the text of one, a JAX function, or what its `lower` gave; or an
            `nn.Module` of PyTorch, whose train step is planned.
        args: what a JAX function is lowered for: arrays, or `jax.ShapeDtypeStruct`s. A module's batch: a dict by name, or arguments.
        entry: the entry to plan, where the model has several.
        kwargs: arguments of a JAX function that are passed by name.
        static_argnums, static_argnames: arguments of a JAX function that are constants of the program, as `jax.jit` takes them. A call of
            the compiled program has to pass the same values.
        options: those of `meshloom plan`, with `_` for `-`: `mesh={"data": 8}`, `target="h100-sxm"`, `budget="40GiB"`,
            `recompute="full"`, `layout="fsdp"`. The word `plan` is `plan_="follow"` here. Of a module also the fields of
            `meshloom.torch.Settings` (`optimizer`, `precision`, `layouts` ..), and `devices=64`, which chooses the mesh.

    Raises:
        Rejected: the model or an option is refused, with diagnostics.
    """
    if torch.is_module(model):
        source, options = torch.source(model, args, options)
    else:
        source = _source.of(model, args, kwargs or {}, static_argnums, static_argnames)
    return Plan(source, _command.flags({"entry": entry, **options}))
