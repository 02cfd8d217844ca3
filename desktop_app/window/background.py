"""The one place where slow work runs: a single worker thread, the latest request of a kind wins, none outlives us."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal, Slot

from desktop_app.foundation.problems import UserError


class BackgroundRunner(QObject):
    """Runs plain functions off the window's thread and brings back what they return.

    A newer request of the same kind makes the older one void: it is not started if it waits, and its answer is dropped
    if it runs. After `close` no answer arrives any more.
    """

    _answered = Signal(int, object, object)

    def __init__(self, parent: QObject) -> None:
        """Owned by the window."""
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._tickets: dict[str, int] = {}
        self._waiting: dict[int, tuple[str, Callable[[Any], None], Callable[[Exception], None]]] = {}
        self._kept: set[int] = set()
        self._last = 0
        self._closed = False
        self._answered.connect(self._deliver)

    def run(
        self,
        kind: str,
        work: Callable[[], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
        must_finish: bool = False,
    ) -> None:
        """Do `work` in the background; `done` or `failed` is called on the window's thread.

        What must finish (a document that was asked for) is done even when the window closes meanwhile.
        """
        if self._closed:
            return
        self._last += 1
        if must_finish:
            self._kept.add(self._last)
        self._tickets[kind] = self._last
        self._waiting[self._last] = (kind, done, failed)
        self._pool.start(_Job(self._last, work, self))

    def is_busy(self) -> bool:
        """Whether an answer is still awaited."""
        return any(self._tickets.get(kind) == ticket for ticket, (kind, _, _) in self._waiting.items())

    def is_void(self, ticket: int) -> bool:
        """Whether nobody waits for this request any more."""
        waiting = self._waiting.get(ticket)
        return (self._closed and ticket not in self._kept) or waiting is None or self._tickets.get(waiting[0]) != ticket

    def close(self) -> None:
        """Void everything but what must finish, and wait for that and the job that runs."""
        self._closed = True
        self._pool.waitForDone()
        self._waiting.clear()

    def answer(self, ticket: int, result: Any, error: Exception | None) -> None:
        """Called by a job on its own thread."""
        self._answered.emit(ticket, result, error)

    @Slot(int, object, object)
    def _deliver(self, ticket: int, result: Any, error: Exception | None) -> None:
        void = self._closed or self.is_void(ticket)
        self._kept.discard(ticket)
        waiting = self._waiting.pop(ticket, None)
        if void or waiting is None:
            return
        _, done, failed = waiting
        if error is None:
            done(result)
        else:
            failed(error)


class _Job(QRunnable):
    def __init__(self, ticket: int, work: Callable[[], Any], runner: BackgroundRunner) -> None:
        super().__init__()
        self._ticket, self._work, self._runner = ticket, work, runner

    def run(self) -> None:
        """Work, unless nobody waits any more."""
        if self._runner.is_void(self._ticket):
            return
        result, failure = None, None
        try:
            result = self._work()
        except Exception as error:  # every failure is told in a dialog on the window's thread
            failure = error
        self._runner.answer(self._ticket, result, failure)


def details_of(error: Exception) -> str:
    """What a bug report needs; "" for an error the user can mend."""
    return "" if isinstance(error, UserError) else "".join(traceback.format_exception(error))
