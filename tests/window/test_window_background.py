"""The one background runner: latest wins, errors come back, nothing after close."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QObject, QThread
from pytestqt.qtbot import QtBot

from desktop_app.foundation.problems import user_error
from desktop_app.window.background import BackgroundRunner, details_of


@pytest.fixture
def runner(qtbot: QtBot) -> Iterator[BackgroundRunner]:
    owner = QObject()
    runner = BackgroundRunner(owner)
    yield runner
    runner.close()


def test_the_answer_arrives_on_the_windows_thread(runner: BackgroundRunner, qtbot: QtBot) -> None:
    seen: list[object] = []
    threads: list[object] = []

    def work() -> int:
        threads.append(threading.get_ident())
        return 7

    def done(result: object) -> None:
        seen.append(result)
        application = QCoreApplication.instance()
        assert application is not None
        assert QThread.currentThread() == application.thread()

    runner.run("sum", work, done, seen.append)
    assert runner.is_busy()
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == [7]
    assert threads != [threading.get_ident()]
    assert not runner.is_busy()


def test_the_latest_of_a_kind_wins(runner: BackgroundRunner, qtbot: QtBot) -> None:
    gate, seen, started = threading.Event(), [], []

    def slow() -> str:
        gate.wait(10)
        return "old"

    runner.run("search", slow, seen.append, seen.append)
    runner.run("search", lambda: started.append(1) or "never", seen.append, seen.append)
    runner.run("search", lambda: "new", seen.append, seen.append)
    gate.set()
    qtbot.waitUntil(lambda: bool(seen))
    qtbot.wait(30)
    assert seen == ["new"]
    assert started == []  # it waited, and nobody wanted it any more


def test_kinds_do_not_disturb_each_other(runner: BackgroundRunner, qtbot: QtBot) -> None:
    seen: list[object] = []
    runner.run("excel", lambda: "a", seen.append, seen.append)
    runner.run("pdf", lambda: "b", seen.append, seen.append)
    qtbot.waitUntil(lambda: len(seen) == 2)
    assert seen == ["a", "b"]


def test_an_error_comes_back(runner: BackgroundRunner, qtbot: QtBot) -> None:
    failures: list[Exception] = []

    def work() -> None:
        raise ValueError("no")

    runner.run("x", work, lambda result: None, failures.append)
    qtbot.waitUntil(lambda: bool(failures))
    assert "ValueError: no" in details_of(failures[0])
    assert details_of(user_error("", "problem.disk_full")) == ""


def test_nothing_arrives_after_close(runner: BackgroundRunner, qtbot: QtBot) -> None:
    seen: list[object] = []
    gate = threading.Event()

    def slow() -> str:
        gate.wait(0.2)
        return "late"

    runner.run("x", slow, seen.append, seen.append)
    runner.run("y", lambda: "never", seen.append, seen.append)
    runner.close()
    runner.run("z", lambda: "refused", seen.append, seen.append)
    qtbot.wait(50)
    assert seen == []
