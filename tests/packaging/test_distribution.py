"""What an installed copy holds, and the frozen bundle."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PACKAGES = ("desktop_app", "pricing", "report_templates")
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"


def test_wheel_holds_the_packages_with_their_data_and_nothing_else(tmp_path: Path) -> None:
    """Built in a copy: setuptools leaves a build folder behind, whose old files would get into the next wheel."""
    for name in PACKAGES:
        shutil.copytree(PROJECT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, tmp_path)
    command = [sys.executable, "-c", BUILD, str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    with ZipFile(tmp_path / done.stdout.splitlines()[-1]) as wheel:
        held = set(wheel.namelist())
        entry_points = next(name for name in held if name.endswith("entry_points.txt"))
        assert "training-budget = desktop_app.__main__:main" in wheel.read(entry_points).decode()
    expected = {
        path.relative_to(PROJECT).as_posix()
        for name in PACKAGES
        for path in (PROJECT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    }
    assert not expected - held
    assert {name.split("/")[0] for name in held} == {*PACKAGES, entry_points.split("/")[0]}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_frozen_program_paints_its_window_and_writes_both_documents() -> None:
    """build.sh ends with smoke_test.py, which fails where the bundle does not work."""
    environment = {name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}
    done = subprocess.run(
        ["bash", str(PROJECT / "packaging" / "build.sh")],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (PROJECT / "dist" / "training-budget" / "share" / "applications" / "training-budget.desktop").is_file()
    print(done.stdout)
