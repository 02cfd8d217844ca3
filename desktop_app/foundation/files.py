"""Writing a file so that a reader finds the old one or the new one, whole, and never half of it."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from desktop_app.foundation.problems import UserError, user_error

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def replace_file(path: Path, write: Callable[[Path], None]) -> None:
    """Have `write` fill a new file beside `path`, flush it to the disk and put it in the place of `path`.

    Raises UserError when the folder is gone or closed to us, the disk is full, or another program holds the file open
    (Windows refuses the exchange then); the old file is untouched in all these cases.
    """
    path = path.absolute()
    beside: Path | None = None
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        beside = path.with_name(f".{path.stem[:40]}-{secrets.token_hex(4)}{path.suffix[:20]}")
        beside.open("xb").close()
        write(beside)
        _flush(beside)
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o777)
        beside.replace(path)
    except OSError as error:
        raise _told(path, error) from error
    finally:
        if beside is not None:
            beside.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    """Wait until the bytes are on the disk: a rename that survives a power cut must not point to an empty file."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _told(path: Path, error: OSError) -> UserError:
    """The sentence for what went wrong."""
    if not path.parent.is_dir():
        return user_error("", "problem.no_folder", folder=str(path.parent))
    if error.errno in _FULL:
        return user_error("", "problem.disk_full")
    if isinstance(error, IsADirectoryError):
        return user_error("", "problem.is_folder", file=str(path))
    if not os.access(path.parent, os.W_OK):
        return user_error("", "problem.folder_closed", folder=str(path.parent))
    if isinstance(error, PermissionError) and path.exists():
        key = "problem.file_open" if os.access(path, os.W_OK) else "problem.read_only"
        return user_error("", key, file=path.name)
    return user_error("", "problem.not_written", file=path.name, reason=error.strerror or type(error).__name__)
