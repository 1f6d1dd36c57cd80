"""For pytest: `assert_plan` holds the plan of a step to what its project expects of it.

    def test_plan(assert_plan):
        assert_plan(train_step, params, batch, mesh={"data": 8}, no="all_gather", wire_bytes="3 MiB")
        assert_plan(train_step, params, batch, mesh={"data": 8}, lock="train_step")

A lock file keeps layouts and collectives as they were agreed, in `plans/NAME.lock` beside the test, and belongs into version control.
`pytest --update-plans` writes it again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Iterable

import pytest

import meshloom


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("meshloom").addoption("--update-plans", action="store_true", help="write the lock files of plans again")


@pytest.fixture
def assert_plan(request: pytest.FixtureRequest) -> Callable[..., meshloom.Plan]:
    """Plans a step and asserts things of the plan; gives the plan.

    Arguments are those of `meshloom.plan`, and:
        no: collectives that must not be there: `"all_gather"`, `"all_gather(model)"`, or several of them.
        wire_bytes, peak_bytes: bounds for a device and step: a number of bytes, or text with a unit, `"3 MiB"`.
        holds: further assertions as Loom writes them.
        lock: the name of a lock file.
    """
    folder, update = Path(request.path).parent / "plans", request.config.getoption("--update-plans")

    def check(
        model: Any,
        *args: Any,
        no: str | Iterable[str] = (),
        wire_bytes: int | str | None = None,
        peak_bytes: int | str | None = None,
        holds: Iterable[str] = (),
        lock: str | None = None,
        **options: Any,
    ) -> meshloom.Plan:
        plan = meshloom.plan(model, *args, **options)
        asked = [f"no {kind}" for kind in ([no] if isinstance(no, str) else no)]
        for name, bound in (("wire_bytes", wire_bytes), ("peak_bytes", peak_bytes)):
            if bound is not None:
                asked.append(f"{name} <= {bound}" + (" B" if isinstance(bound, int) else ""))
        asked += holds
        if asked:
            plan.assert_(*asked)
        if lock is not None:
            _locked(plan, folder / f"{lock}.lock", update)
        return plan

    return check


def _locked(plan: meshloom.Plan, path: Path, update: bool) -> None:
    if update:
        path.parent.mkdir(exist_ok=True)
        plan.lock(path)
    elif not path.exists():
        raise AssertionError(f"{path} is missing: `pytest --update-plans` writes it")
    else:
        try:
            plan.locked(path)
        except meshloom.Rejected as e:
            if e.code != 1:
                raise
            raise AssertionError(f"{e.output}{e}\n`pytest --update-plans` writes {path} again") from None
