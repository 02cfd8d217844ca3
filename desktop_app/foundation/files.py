"""Files of somebody else's choosing: read within bounds, replaced whole or not at all, and told in plain words.

A reader finds the old file or the new one, never half of it. Devices, pipes and sockets are neither read nor replaced.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from desktop_app.foundation.problems import UserError, user_error

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True, slots=True)
class ReadSentences:
    """What is said of a file that cannot be read, and on which choice.

    Every sentence may use {file}; those of an unreadable and of a too big one {reason}, and {size} and {limit} in MB.
    """

    field: str = ""
    missing: str = "problem.file_missing"
    folder: str = "problem.file_is_folder"
    special: str = "problem.not_a_file"
    unreadable: str = "problem.not_read"
    too_big: str = "problem.file_huge"
    not_text: str = "problem.not_text"


def read_text(path: Path, limit_bytes: int, sentences: ReadSentences | None = None) -> str:
    """The UTF-8 text of a regular file, without its byte-order mark. Raises UserError for everything else."""
    say = sentences or ReadSentences()
    try:
        return read_data(path, limit_bytes, say).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise user_error(say.field, say.not_text, file=name_text(path)) from None


def read_data(path: Path, limit_bytes: int, sentences: ReadSentences | None = None) -> bytes:
    """The bytes of a regular file of at most `limit_bytes`. Raises UserError for everything else.

    Kind and size are looked at before anything is read: a device or a pipe would never end.
    """
    say = sentences or ReadSentences()
    file = name_text(path)
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise user_error(say.field, say.folder, file=file)
        if not stat.S_ISREG(found.st_mode):
            raise user_error(say.field, say.special, file=file)
        data = b""
        if found.st_size <= limit_bytes:
            with path.open("rb") as stream:
                data = stream.read(limit_bytes + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # or a name that no file can have
        raise user_error(say.field, say.missing, file=file) from None
    except OSError as error:
        raise user_error(say.field, say.unreadable, file=file, reason=_reason(error)) from None
    size = max(found.st_size, len(data))
    if size > limit_bytes:
        raise user_error(say.field, say.too_big, file=file, size=size / 1e6, limit=limit_bytes / 1e6)
    return data


def path_text(path: Path) -> str:
    """A path as it can be printed: names are bytes, read as UTF-8 whatever the system speaks."""
    try:
        return os.fsencode(path).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # a name that this system cannot write at all
        return str(path)


def name_text(path: Path) -> str:
    """The last part of a path as it can be printed."""
    return path_text(Path(path.name or path))


def check_targets(targets: Sequence[Path], inputs: Sequence[Path]) -> None:
    """Raise UserError when a file to be written is one that is read, or one that is written too, by whatever path."""
    for number, target in enumerate(targets):
        file = name_text(target)
        if any(_same_file(target, other) for other in inputs):
            raise user_error("", "problem.target_is_input", file=file)
        if any(_same_file(target, other) for other in targets[:number]):
            raise user_error("", "problem.same_target", file=file)


def _same_file(first: Path, second: Path) -> bool:
    """Whether two paths lead to the same file, by links of either kind too; the files need not exist."""
    try:
        return first.samefile(second)
    except OSError:
        return _place(first) == _place(second)


def _place(path: Path) -> str:
    """Where a path leads to; as it stands where the folder that it starts from is gone, which writing it will tell."""
    try:
        return os.path.normcase(os.path.realpath(path))
    except OSError:
        return str(path)


def replace_file(path: Path, write: Callable[[Path], None]) -> None:
    """Have `write` fill a new file beside `path`, flush it to the disk and put it in the place of `path`.

    A symbolic link stays one: the file that it leads to is replaced. Raises UserError when the folder is gone or closed
    to us, the disk is full, `path` is no regular file, or another program holds it open (Windows refuses the exchange
    then); the old file is untouched in all these cases.
    """
    beside: Path | None = None
    try:
        target = _target(path)
        exists = target.exists()
        if exists and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        beside = target.with_name(f".{target.stem[:40]}-{secrets.token_hex(4)}{target.suffix[:20]}")
        beside.open("xb").close()
        write(beside)
        _flush(beside)
        if exists:
            beside.chmod(target.stat().st_mode & 0o777)
        beside.replace(target)
    except OSError as error:
        raise _told(path, error) from error
    finally:
        if beside is not None:
            with suppress(OSError):  # the disk went away: what was wrong with it has been said
                beside.unlink(missing_ok=True)


def _target(path: Path) -> Path:
    """The file that `path` leads to. Raises OSError where that can be no regular file, UserError where it is none."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG
    except ValueError as error:  # a character that no name can have
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL)) from error
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise user_error("", "problem.not_a_file", file=name_text(path))
    return Path(os.path.realpath(path))


def _flush(path: Path) -> None:
    """Wait until the bytes are on the disk: a rename that survives a power cut must not point to an empty file."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _told(path: Path, error: OSError) -> UserError:
    """The sentence for what went wrong."""
    key = _folder_fault(path, error)
    if error.errno in _FULL:
        key = "problem.disk_full"
    elif isinstance(error, IsADirectoryError):
        key = "problem.is_folder"
    elif not key and isinstance(error, PermissionError) and path.exists():
        key = "problem.file_open" if os.access(path, os.W_OK) else "problem.read_only"
    file = name_text(path)
    return user_error("", key or "problem.not_written", file=file, folder=path_text(path.parent), reason=_reason(error))


def _folder_fault(path: Path, error: OSError) -> str:
    """The key of what is wrong with the folder of `path`, or ""."""
    if not path.is_absolute() and not _current_folder_stands():
        return "problem.no_current_folder"
    there, open_to_us = os.path.isdir(path.parent), os.access(path.parent, os.W_OK | os.X_OK)  # noqa: PTH112
    if there or isinstance(error, PermissionError):  # a closed folder above hides whether this one is there
        return "" if open_to_us else "problem.folder_closed"
    return "problem.no_folder"


def _current_folder_stands() -> bool:
    """Whether the folder that relative paths start from still exists."""
    try:
        Path.cwd()
    except OSError:
        return False
    return True


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
