"""The program as it starts: a picture of itself for the bundle's check, and what it does not import."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from PySide6.QtGui import QImage

from desktop_app.window import app
from desktop_app.window.main_window import MainWindow

_ROOT = Path(__file__).resolve().parents[2]


def start(code: str, **extra: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", **extra}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=_ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_picture_of_itself(tmp_path: Path) -> None:
    picture = tmp_path / "window.png"
    done = start(
        "import sys; from desktop_app.window.app import run; sys.exit(run())",
        TRAINING_BUDGET_SMOKE=str(picture),
        XDG_CONFIG_HOME=str(tmp_path),
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    image = QImage(str(picture))
    assert image.width() >= 1000
    colours = {image.pixelColor(x, image.height() // 2).name() for x in range(0, image.width(), 3)}
    assert len(colours) > 5  # painted, not blank


def test_a_picture_that_cannot_be_saved_is_a_failure(tmp_path: Path) -> None:
    done = start(
        "import sys; from desktop_app.window.app import run; sys.exit(run())",
        TRAINING_BUDGET_SMOKE=str(tmp_path / "none" / "window.png"),
        XDG_CONFIG_HOME=str(tmp_path),
    )
    assert done.returncode == 1


def test_heavy_libraries_stay_out_of_the_start() -> None:
    code = (
        "import sys, desktop_app.window.app as app; from PySide6.QtCore import QSettings;"
        "from desktop_app.window.settings import WindowSettings;"
        "a = app.make_application(); w = app.make_window(a, WindowSettings(QSettings('/nonexistent/x.ini',"
        " QSettings.Format.IniFormat))); w.show(); a.processEvents();"
        "print([m for m in ('numpy', 'pandas', 'openpyxl', 'reportlab', 'PySide6.QtCharts', 'PySide6.QtNetwork',"
        " 'pypdfium2') if m in sys.modules])"
    )
    done = start(code)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_fault_of_ours_is_told_once_at_a_time(window: MainWindow, dialogs: Any, capsys: Any) -> None:
    teller, fault = app._BugTeller(window), ZeroDivisionError("our bug")
    dialogs.tell_also = lambda: teller(ZeroDivisionError, fault, None)
    teller(ZeroDivisionError, fault, None)
    assert len(dialogs.told) == 1
    assert "ZeroDivisionError: our bug" in dialogs.told[0]
    assert "Your work is still here" in dialogs.told[0]
    assert capsys.readouterr().err.count("our bug\n") == 2
