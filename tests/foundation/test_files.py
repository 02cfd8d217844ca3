"""A file is replaced whole or not at all, and what went wrong is said in a sentence."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from desktop_app.foundation.files import ReadSentences, check_targets, read_text, replace_file
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


def test_a_link_stays_a_link_and_its_file_is_replaced(tmp_path):
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / "plan.json", tmp_path / "link.json"
    real.write_text("old")
    link.symlink_to(real)
    replace_file(link, _fill("new"))
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert list((tmp_path / "real").iterdir()) == [real]
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert _refused(loop, _fill("x")) == "problem.not_written"


def test_a_pipe_or_a_device_is_never_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert _refused(pipe, _fill("x")) == "problem.not_a_file"
    assert pipe.is_fifo()
    assert _refused(Path(os.devnull), _fill("x")) == "problem.not_a_file"
    assert Path(os.devnull).is_char_device()


def test_a_disk_that_goes_away_is_told_by_its_first_fault(tmp_path, monkeypatch):
    def full(beside: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def read_only(self, missing_ok=False):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(Path, "unlink", read_only)
    assert _refused(tmp_path / "plan.json", full) == "problem.disk_full"


def test_a_current_folder_that_was_deleted(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    try:
        assert _refused(Path("plan.json"), _fill("x")) == "problem.no_current_folder"
    finally:
        os.chdir(tmp_path)


def test_a_folder_that_may_not_be_searched(tmp_path, monkeypatch):
    def closed(self, **_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "stat", closed)  # the tests may run as root, whom nothing is closed to
    monkeypatch.setattr(os, "access", lambda name, mode: False)
    assert _refused(tmp_path / "in" / "plan.json", _fill("x")) == "problem.folder_closed"


def test_what_is_read_is_a_text_file_of_a_bounded_size(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"\xef\xbb\xbfa,b")
    assert read_text(path, 6) == "a,b"
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    wrong = {
        path: "file_huge",
        tmp_path: "file_is_folder",
        tmp_path / "none": "file_missing",
        path / "x": "file_missing",
    }
    wrong |= {tmp_path / "pipe": "not_a_file", Path("/dev/zero"): "not_a_file", tmp_path / ("n" * 300): "not_read"}
    for file, key in (*wrong.items(), (tmp_path / "binary", "not_text")):
        with pytest.raises(UserError) as caught:
            read_text(file, 5, ReadSentences())
        (problem,) = caught.value.problems
        assert problem.key == f"problem.{key}"
        assert all(words_of(language).sentence(problem) for language in LANGUAGES)


def test_targets_are_compared_as_files_and_not_as_texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").write_text("x")
    (tmp_path / "soft").symlink_to(tmp_path / "a")
    os.link(tmp_path / "a", tmp_path / "hard")
    for other in (Path("a"), Path("./soft"), tmp_path / "hard"):
        with pytest.raises(UserError) as caught:
            check_targets([other], [tmp_path / "a"])
        assert caught.value.problems[0].key == "problem.target_is_input"
    with pytest.raises(UserError) as caught:
        check_targets([Path("new.csv"), tmp_path / "new.csv"], [])
    assert caught.value.problems[0].key == "problem.same_target"
    check_targets([Path("new.csv"), Path("new.pdf")], [tmp_path / "a"])
