"""A call of a program that goes on while Python does: results are handles, and whoever looks at one waits.

Errors come where somebody looks: at a result of the call, or at the next call of the program, whichever is first. An error that was raised
once is not raised at the next call again; results of the call that failed raise it always.
"""

from __future__ import annotations

import threading
from typing import Callable


class Call:
    """One run of `work` in a thread of its own."""

    def __init__(self, work: Callable[[], object]):
        self._error: BaseException | None = None
        self._seen = False
        self._done = threading.Event()

        def run() -> None:
            try:
                work()
            except BaseException as e:  # noqa: BLE001: it is raised where somebody looks
                self._error = e
            finally:
                self._done.set()

        # The interpreter waits at its end for threads that are no daemons: a step is not cut off in the middle.
        threading.Thread(target=run, name="meshloom-step").start()

    @property
    def done(self) -> bool:
        return self._done.is_set()

    @property
    def failed(self) -> bool:
        """Whether it has ended with an error."""
        return self.done and self._error is not None

    def wait(self) -> None:
        """Waits for it. Ctrl-C ends the wait, and the step goes on.

        Raises:
            Error: what it ended with.
        """
        # With a limit, since a wait without one holds signals back on some platforms.
        while not self._done.wait(1.0):
            pass
        if self._error is not None:
            self._seen = True
            raise self._error

    def pass_by(self) -> None:
        """Waits for it on behalf of the next call.

        Raises:
            Error: what it ended with, unless somebody has seen that.
        """
        if not (self.done and self._seen):
            self.wait()
