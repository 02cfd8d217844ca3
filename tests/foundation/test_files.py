"""A file is replaced whole or not at all, and what went wrong is said in a sentence."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from desktop_app.foundation.files import replace_file
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import LANGUAGES, words_of


def _fill(text: str):
    return lambda path: path.write_text(text, encoding="utf-8")


def _refused(path: Path, write) -> str:
    """The key of the problem; its sentence exists in both languages."""
    with pytest.raises(UserError) as error:
        replace_file(path, write)
    (problem,) = error.value.problems
    for language in LANGUAGES:
        assert words_of(language).sentence(problem)
    return problem.key


def test_a_new_file_and_a_replaced_one(tmp_path):
    path = tmp_path / "plan.json"
    replace_file(path, _fill("first"))
    assert path.read_text() == "first"
    path.chmod(0o640)
    replace_file(path, _fill("second"))
    assert path.read_text() == "second"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_while_writing_leaves_the_old_file_and_no_rubbish(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text("old")

    def half(beside: Path) -> None:
        beside.write_text("half")
        raise RuntimeError("bug")

    with pytest.raises(RuntimeError):
        replace_file(path, half)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text("old")

    def full(beside: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    assert _refused(path, full) == "problem.disk_full"
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_gone(tmp_path):
    assert _refused(tmp_path / "gone" / "plan.json", _fill("x")) == "problem.no_folder"


def test_a_folder_in_the_place_of_the_file(tmp_path):
    (tmp_path / "plan.json").mkdir()
    assert _refused(tmp_path / "plan.json", _fill("x")) == "problem.is_folder"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_write_protected_file(tmp_path, monkeypatch):
    path = tmp_path / "plan.json"
    path.write_text("old")
    granted = os.access
    monkeypatch.setattr(
        os, "access", lambda name, mode: Path(name) != path and granted(name, mode)
    )  # root may write all
    assert _refused(path, _fill("x")) == "problem.read_only"
    assert path.read_text() == "old"


def test_a_file_held_open_by_another_program(tmp_path, monkeypatch):
    path = tmp_path / "plan.json"
    path.write_text("old")

    def refused(self, target):
        raise PermissionError(errno.EACCES, "used by another process")

    monkeypatch.setattr(Path, "replace", refused)
    assert _refused(path, _fill("x")) == "problem.file_open"
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_that_is_too_long(tmp_path):
    assert _refused(tmp_path / ("n" * 300 + ".json"), _fill("x")) == "problem.not_written"
    assert list(tmp_path.iterdir()) == []
